"""Tunes E and D of Deep df-pn by the thesis' hill climbing (Algorithm 1) and prints its table 3.3.

usage: python3 bench/hill_climbing.py build/playproof connect6 tests/data/connect6-deep.txt [--every 4]
           [--algorithm "dfpn:turns=5,leaf=deep,E={E},D={D},vcdtwork=100000"] [--measure nodes_expanded]
           [--max-nodes 2400] [--grid] [--most 20 15] [--restarts 2] [--seed 1] [--cache counts.json]

Three tunings stand side by side: each position by itself, as the thesis does, which flatters; all positions by the
geometric mean over all of them, which still has a say in its own setting; and nested, each position with the setting
that climbing ends at on all others. A search that reaches --max-nodes counts as infinite, as the thesis has it, and is
worse than any other. Over several positions it counts four times what df-pn does there, or what it used if that is
more. --restarts climbs again from settings that are drawn from the seed, beside (2, 2), and takes the best end. --grid
looks at every setting, E from 1 to 20 and D from 1 to 15 (--most), for the best one. What was counted is asked once;
--cache keeps it for the next time.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from draws import Draws

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
from playproof_report import deep_dfpn  # noqa: E402

DF_PN = (1, 1)
UNDECIDED = 4  # times df-pn's counts


def read(path):
    """The positions of a data file: what stands before a bar, of records of moves the first word."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return [line.split()[0] if line.startswith(";") else line.partition(" | ")[0].strip()
            for line in lines if line.strip() and not line.startswith("#")]


class Counts:
    """What searches of each position count, asked once each."""

    def __init__(self, options, positions):
        self.options = options
        self.positions = positions
        self.most = tuple(options.most)  # E and D
        self.known = {}  # (position, E, D) -> [decided, measure, re-entries, CPU seconds]
        self.question = [options.game, options.algorithm, options.measure, options.max_nodes, options.seed]
        if options.cache and os.path.exists(options.cache):
            kept = json.loads(pathlib.Path(options.cache).read_text(encoding="utf-8"))
            if kept["question"] != self.question:
                raise SystemExit(f"{options.cache}: counts of another question: {kept['question']}")
            self.known = {(position, e, d): values for position, e, d, values in kept["counts"]}

    def of(self, position, e, d):
        self.ask([position], e, d)
        return self.known[position, e, d]

    def ask(self, positions, e, d):
        """All at once, by one call of the program."""
        asked = [position for position in positions if (position, e, d) not in self.known]
        if not asked:
            return
        options = self.options
        command = [options.program, "solve", options.game, "--algorithm",
                   options.algorithm.replace("{E}", str(e)).replace("{D}", str(d)), "--position", "-", "--json",
                   "--max-nodes", str(options.max_nodes), "--seed", str(options.seed), "--threads", "1"]
        done = subprocess.run(command, check=False, input="".join(one + "\n" for one in asked), text=True,
                              stdout=subprocess.PIPE)
        if done.returncode not in (0, 2):
            raise SystemExit(f"{' '.join(command)}: status {done.returncode}")
        for position, line in zip(asked, done.stdout.splitlines(), strict=True):
            answer = json.loads(line)
            counts = {**answer["counters"], **answer}
            self.known[position, e, d] = [answer["verdict"] != "unknown", counts[options.measure],
                                          counts["re_entries"], answer["cpu_seconds"]]

    def keep(self):
        """The file appears whole."""
        if not self.options.cache:
            return
        kept = {"question": self.question, "counts": [[*key, values] for key, values in sorted(self.known.items())]}
        folder = os.path.dirname(os.path.abspath(self.options.cache))
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
            json.dump(kept, file)
        os.replace(file.name, self.options.cache)


def cost(counts, position, setting, alone):
    decided, count, _, _ = counts.of(position, *setting)
    if decided:
        return max(count, 0.5)
    return math.inf if alone else max(count, UNDECIDED * counts.of(position, *DF_PN)[1], 0.5)


class Target:
    """What climbing makes least: the mean logarithm of the counts of some positions, each asked when it is looked at."""

    def __init__(self, counts, positions):
        self.counts = counts
        self.positions = positions
        self.looked_at = {}

    def __contains__(self, setting):
        return 1 <= setting[0] <= self.counts.most[0] and 1 <= setting[1] <= self.counts.most[1]

    def get(self, setting, default):
        if setting not in self:
            return default
        if setting not in self.looked_at:
            alone = len(self.positions) == 1
            for of in {setting, DF_PN}:
                self.counts.ask(self.positions, *of)
            costs = [cost(self.counts, position, setting, alone) for position in self.positions]
            self.looked_at[setting] = sum(map(math.log, costs)) / len(costs)
        return self.looked_at[setting]


class From:
    """The same seen from another corner than (2, 2)."""

    def __init__(self, target, start):
        self.target = target
        self.by = (start[0] - 2, start[1] - 2)

    def _setting(self, setting):
        return setting[0] + self.by[0], setting[1] + self.by[1]

    def __contains__(self, setting):
        return self._setting(setting) in self.target

    def get(self, setting, default):
        return self.target.get(self._setting(setting), default)


def climb(counts, positions, starts):
    """(setting, the settings that were looked at); on a flat the least E and D of it."""
    target = Target(counts, positions)
    ends = []
    for start in starts:
        e, d, _ = deep_dfpn.climb(From(target, start))
        end = (e + start[0] - 2, d + start[1] - 2)
        ends.append((target.get(end, math.inf), end))
    value = min(ends)[0]
    flat = [setting for setting, of in target.looked_at.items() if of == value and any(
        of_end == value and setting[0] <= end[0] and setting[1] <= end[1] for of_end, end in ends)]
    return min(flat or [min(ends)[1]], key=lambda setting: (sum(setting), setting)), list(target.looked_at)


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def row(name, run, setting, rest=""):
    decided, count, re_entries, _ = run
    return f"| {name} | {'' if decided else '>= '}{count:,} | {re_entries:,} | {setting[0]}, {setting[1]} | {rest} |"


def tell_each(counts, starts, grid):
    """Table 3.3: every position tuned by itself. Its settings."""
    print(f"| position | {counts.options.measure} | seesaw | E, D | settings looked at | of df-pn's | "
          f"{'above the best | ' if grid else ''}CPU s |")
    print("| --- " * (8 if grid else 7) + "|")
    settings, best = [], []
    every = [(e, d) for e in range(1, counts.most[0] + 1) for d in range(1, counts.most[1] + 1)] if grid else []
    for setting in every:
        counts.ask(counts.positions, *setting)
    for number, position in enumerate(counts.positions, 1):
        setting, looked_at = climb(counts, [position], starts)
        run = counts.of(position, *setting)
        seconds = sum(counts.of(position, *one)[3] for one in looked_at)
        rest = f"{len(looked_at)} | {run[1] / counts.of(position, *DF_PN)[1]:.3f} | "
        if grid:
            runs = [counts.of(position, *one) for one in every]
            best.append(min((one[1] for one in runs if one[0]), default=run[1]))
            rest += f"{run[1] - best[-1]:,} | "
        print(row(number, run, setting, f"{rest}{seconds:.2f}"), flush=True)
        settings.append(setting)
        counts.keep()
    if grid:
        ends = [counts.of(position, *setting)[1] for position, setting in zip(counts.positions, settings)]
        print(f"\nAbove the best setting: {sum(ends) / sum(best) - 1:.1%} in all (the thesis: 3.3 %), "
              f"{geometric_mean([end / of for end, of in zip(ends, best)]) - 1:.1%} as a geometric mean; on the best "
              f"{sum(end == of for end, of in zip(ends, best))} of {len(ends)} (the thesis: 5 of 8).")
    return settings


def tell_nested(counts, settings, starts):
    """The three tunings beside each other, in df-pn's counts."""
    everywhere, _ = climb(counts, counts.positions, starts)
    nested = [climb(counts, [one for one in counts.positions if one != position], starts)[0]
              for position in counts.positions]
    print("\n| tuned on | of df-pn's | undecided | settings |")
    print("| --- | --- | --- | --- |")
    for name, taken in (("the position itself", settings), ("all positions", [everywhere] * len(settings)),
                        ("all other positions", nested)):
        runs = [counts.of(position, *setting) for position, setting in zip(counts.positions, taken)]
        base = [counts.of(position, *DF_PN)[1] for position in counts.positions]
        ratio = geometric_mean([cost(counts, position, setting, False) / max(of, 0.5)
                                for position, setting, of in zip(counts.positions, taken, base)])
        open_runs = sum(not run[0] for run in runs)
        print(f"| {name} | {'>= ' if open_runs else ''}{ratio:.3f} | {open_runs} | "
              f"{'; '.join(f'{e}, {d}' for e, d in sorted(set(taken)))} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("game")
    parser.add_argument("positions", help="a data file, a position a line")
    parser.add_argument("--algorithm", default="dfpn:turns=5,leaf=deep,E={E},D={D},vcdtwork=100000")
    parser.add_argument("--measure", default="nodes_expanded")
    parser.add_argument("--max-nodes", type=int, default=2400)
    parser.add_argument("--every", type=int, default=1, help="of the positions")
    parser.add_argument("--grid", action="store_true", help="also look at every setting")
    parser.add_argument("--most", type=int, nargs=2, default=[20, 15], help="the largest E and D")
    parser.add_argument("--restarts", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", help="a file for the counts")
    options = parser.parse_args()
    began = time.process_time()
    counts = Counts(options, read(options.positions)[::options.every])
    draws = Draws(options.seed)
    starts = [(2, 2)] + [tuple(2 + draws.below(most - 2) for most in options.most) for _ in range(options.restarts)]
    settings = tell_each(counts, starts, options.grid)
    if len(settings) > 1:
        tell_nested(counts, settings, starts)
    counts.keep()
    print(f"\n{len(counts.known):,} searches, {sum(values[3] for values in counts.known.values()):.1f} s of CPU; "
          f"this program {time.process_time() - began:.1f} s")


if __name__ == "__main__":
    main()
