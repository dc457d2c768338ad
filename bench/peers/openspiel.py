"""Random games a second of OpenSpiel, and of this program, on one core, turn by turn in one run.

usage: python3 bench/peers/openspiel.py build/playproof --output FILE [--venv FOLDER]
       [--repeat N] [--seconds S]

OpenSpiel comes from PyPI into a virtual environment: FOLDER, made if it is not there, else a
temporary one. Its random rollouts in C++ are reached by a search of one simulation: the evaluator
plays all games from the root, and nothing else is done. The file holds every run and the medians;
a table goes to stdout. Run it on a machine that does nothing else.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import machine  # noqa: E402

PACKAGE = "open_spiel"
GAMES = {"hex:size=11": "hex(board_size=11)", "othello:size=8": "othello"}
ENGINES = ["scalar", "sliced"]


def rollouts(game, seconds):
    """Runs inside the environment: games, seconds and mean result of Black, as JSON on stdout."""
    import pyspiel  # pylint: disable=import-outside-toplevel,import-error

    spiel = pyspiel.load_game(game)
    state = spiel.new_initial_state()

    def play(number, seed):
        evaluator = pyspiel.RandomRolloutEvaluator(number, seed)
        bot = pyspiel.MCTSBot(spiel, evaluator, 1.0, 1, 100, False, seed, False)
        begin = time.perf_counter()
        root = bot.mcts_search(state)
        return time.perf_counter() - begin, root.total_reward

    number = 100
    taken, result = play(number, 1)
    while taken < seconds / 2:
        number = max(2 * number, int(number * seconds / taken))
        taken, result = play(number, number)
    print(json.dumps({"playouts": number, "seconds": taken, "playouts_per_second": number / taken,
                      "mean_result": result}))


def environment(folder):
    """The Python of a virtual environment with the package, and the package's version."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PACKAGE], check=True)
    version = subprocess.run(
        [python, "-c", f"import importlib.metadata as m; print(m.version('{PACKAGE}'))"],
        check=True, capture_output=True, text=True).stdout.strip()
    return python, version


def measure(program, python, repeat, seconds):
    runs = []
    for _ in range(repeat):
        for game, spiel in GAMES.items():
            answer = subprocess.run([python, __file__, "--rollouts", spiel, "--seconds",
                                     str(seconds)], check=True, capture_output=True, text=True)
            runs.append({"game": game, "engine": PACKAGE, **json.loads(answer.stdout)})
            for engine in ENGINES:
                run = machine.ask(program, "bench", "playouts", game, "--engine", engine,
                                  "--threads", "1", "--seconds", str(seconds))
                runs.append({**run, "engine": engine})
    return runs


def medians(runs):
    rows = []
    for game in GAMES:
        for engine in [PACKAGE, *ENGINES]:
            rates = [r["playouts_per_second"] for r in runs
                     if (r["game"], r["engine"]) == (game, engine)]
            rows.append({"game": game, "engine": engine, "lowest": min(rates),
                         "median": statistics.median(rates), "highest": max(rates)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--output", metavar="FILE")
    parser.add_argument("--venv", metavar="FOLDER")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rollouts", metavar="GAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rollouts:
        rollouts(options.rollouts, options.seconds)
        return 0
    if not options.program or not options.output:
        parser.error("a program and --output are needed")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.venv or os.path.join(temporary, "venv")
        python, version = environment(os.path.abspath(folder))
        runs = measure(options.program, python, options.repeat, options.seconds)
    rows = medians(runs)
    machine.write_json(options.output, {
        "facts": {**machine.facts(options.program), PACKAGE: version}, "medians": rows,
        "runs": runs})
    print("| game | engine | playouts a second, median | lowest to highest |")
    print("| --- | --- | --- | --- |")
    for row in rows:
        print(f"| {row['game']} | {row['engine']} | {row['median']:.3g} | "
              f"{row['lowest']:.3g} to {row['highest']:.3g} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
