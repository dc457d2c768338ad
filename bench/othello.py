"""Measures the exact solution of Othello positions: seconds a position, by goal and algorithm.

usage: python3 bench/othello.py build/playproof --output results.json [--repeat 5]
           [--algorithm dfpn ...] [--goal win score] [--positions tests/data/othello-16-exact.txt]

Every algorithm and goal goes through all positions `--repeat` times in turn, in one process and on
one thread; what counts of a position is the median of its repeats. Each verdict is held against the
known score. Prints a table and writes every median with its counters. Run it on a machine that does
nothing else.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

import machine

SET = pathlib.Path(__file__).parent.parent / "tests" / "data" / "othello-16-exact.txt"
COUNTS = ["iterations", "nodes_expanded", "evaluations", "endings", "ending_nodes"]


def read(path):
    """[(position, score)] of a file of positions with known scores."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    rows = [line.rsplit(" ", 1) for line in lines if line and not line.startswith("#")]
    return [(position, int(score)) for position, score in rows]


def solve(program, algorithm, goal, positions):
    command = [program, "solve", "othello", "--algorithm", algorithm, "--goal", goal, "--position",
               "-", "--threads", "1", "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True,
                          input="".join(position + "\n" for position, _ in positions))
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for answer, (position, score) in zip(answers, positions, strict=True):
        found = answer["score"] if goal == "score" else answer["verdict"] == "proved"
        if found != (score if goal == "score" else score >= 1):
            raise SystemExit(f"{algorithm} {goal} {position}: {found}, but the score is {score}")
    return answers


def counts(answer):
    return {count: answer.get(count, 0) for count in COUNTS}


def measure(program, cases, positions, repeat):
    answers = {case: [] for case in cases}
    for _ in range(repeat):
        for algorithm, goal in cases:
            answers[algorithm, goal].append(solve(program, algorithm, goal, positions))
    for (algorithm, goal), runs in answers.items():
        for run in runs[1:]:
            assert [counts(a) for a in run] == [counts(a) for a in runs[0]]
        rows = [{"position": answer["position"],
                 "seconds": statistics.median(run[i]["seconds"] for run in runs),
                 "cpu_seconds": statistics.median(run[i]["cpu_seconds"] for run in runs),
                 **counts(answer)}
                for i, answer in enumerate(runs[0])]
        yield {"algorithm": runs[0][0]["algorithm"], "asked": algorithm, "goal": goal,
               "positions": len(rows), "repeat": repeat,
               "mean_seconds": statistics.mean(row["seconds"] for row in rows),
               "median_seconds": statistics.median(row["seconds"] for row in rows),
               "greatest_seconds": max(row["seconds"] for row in rows),
               "rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--output", help="where the JSON goes")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--algorithm", nargs="+", default=["dfpn"])
    parser.add_argument("--goal", nargs="+", default=["win", "score"])
    parser.add_argument("--positions", default=SET)
    options = parser.parse_args()
    cases = [(algorithm, goal) for goal in options.goal for algorithm in options.algorithm]
    results = list(measure(options.program, cases, read(options.positions), options.repeat))
    print("| goal | algorithm | mean ms | median ms | greatest ms | calls | ending nodes |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for result in results:
        calls, nodes = (statistics.mean(row[c] for row in result["rows"])
                        for c in ("iterations", "ending_nodes"))
        print(f"| {result['goal']} | `{result['asked']}` | {result['mean_seconds'] * 1e3:.2f} | "
              f"{result['median_seconds'] * 1e3:.2f} | {result['greatest_seconds'] * 1e3:.1f} | "
              f"{calls:,.0f} | {nodes:,.0f} |")
    if options.output:
        machine.write_json(options.output, {"facts": machine.facts(options.program),
                                            "othello": results})


if __name__ == "__main__":
    main()
