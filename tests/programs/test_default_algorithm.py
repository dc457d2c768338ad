"""What `solve` takes where no algorithm is named is what decided most in the stored results, and of
these took the least CPU time, or hardly more: for each game that they have."""

import collections
import json
import lzma
import os
import sqlite3
import tempfile
import unittest

from program import SOURCE, run

STORE = os.path.join(SOURCE, "bench", "results", "which.db.xz")
HARDLY_MORE = 1.05  # times of two such runs differ by as much
JUDGE = "minimax"  # keeps all positions, and nothing of a search that is stopped


def stored():
    """Rows of (game, series, label, spec, decided, CPU seconds)."""
    with tempfile.NamedTemporaryFile() as plain:
        with lzma.open(STORE, "rb") as packed:
            plain.write(packed.read())
        plain.flush()
        with sqlite3.connect(plain.name) as store:
            return store.execute("SELECT game, series, algorithm, spec, verdict != 'unknown', cpu_seconds FROM run"
                                 ).fetchall()


HARDEST = {"2x20", "8x8", "hex-6", "connect-draws", "connect-wins", "othello-16", "othello-22"}


def best():
    """{game: [(label, [decided, seconds, specs on the hardest series])]} of what decided most problems,
    and of these took the least time together, or hardly more."""
    found = collections.defaultdict(lambda: [0, 0.0, set()])
    for game, series, label, spec, decided, seconds in stored():
        entry = found[game.split(":")[0], label.removesuffix(" + endings")]
        entry[0] += decided
        entry[1] += seconds
        if series in HARDEST:
            entry[2].add(spec)
    made = {}
    for game in {game for game, _ in found}:
        entries = [(label, entry) for (g, label), entry in found.items() if g == game and label != JUDGE]
        most = max(entry[0] for _, entry in entries)
        least = min(entry[1] for _, entry in entries if entry[0] == most)
        made[game] = [(label, entry) for label, entry in entries
                      if entry[0] == most and entry[1] <= HARDLY_MORE * least]
    return made


# Options without an effect on a game, and the size of a table, which is what a plan makes of it.
IDLE = {"hex": {"table", "endings"}, "othello": {"table", "zones"},
        "connect6": {"table", "zones", "probe", "endings"}, "pgame": {"table", "zones", "probe", "endings"}}


def options(spec, game):
    name, _, text = spec.partition(":")
    pairs = (option.split("=", 1) for option in text.split(",") if option)
    return name, {key: value for key, value in pairs if key not in IDLE[game]}


class DefaultAlgorithm(unittest.TestCase):
    def test_is_the_best_of_each_game(self):
        winners = best()
        self.assertEqual(sorted(winners), ["connect6", "hex", "othello", "pgame"])
        for game, best_ones in winners.items():
            with self.subTest(game=game, best=[label for label, _ in best_ones]):
                self.assertLessEqual(len(best_ones), 2)
                # An answer names the options that have an effect.
                name, taken = options(self.taken(game), game)
                self.assertIn(True, [name == best_name and taken.items() <= known.items()
                                     for _, (_, _, specs) in best_ones
                                     for best_name, known in (options(spec, game) for spec in specs)])

    def taken(self, game):
        """The algorithm that `solve GAME` says it took."""
        small = {"hex": "hex:size=2", "othello": "othello:size=4", "connect6": "connect6:size=3,connect=3",
                 "pgame": "pgame:depth=2"}
        answer = json.loads(run("solve", small[game], "--json").stdout)
        return answer["algorithm"]

    def test_one_with_a_table_where_positions_share_it(self):
        for game, name in (("hex:size=3", "dfpn"), ("othello:size=4", "alphabeta"), ("pgame:depth=3", "alphabeta"),
                           ("nim:heaps=1.2", "dfpn")):
            with self.subTest(game=game):
                process = run("solve", game, "--position", "-", "--keep-table", "--json", stdin="(initial)\n(initial)\n")
                self.assertEqual(process.returncode, 0, process.stderr)
                self.assertEqual(process.stdout.count(f'"algorithm":"{name}:'), 2)


if __name__ == "__main__":
    unittest.main()
