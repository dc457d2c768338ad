"""Measures the solution of Hex: the empty board, every opening, and as far as it goes in a time.

usage: python3 bench/hex.py build/playproof --output results.json [--size 5] [--repeat 3]
           [--algorithm dfpn dfpn:leaf=unit ...] [--openings dfpn] [--seconds S]
           [--only c1 f1 ...] [--max-nodes N]

The empty board is solved `--repeat` times with every algorithm in turn; medians count. Then every
opening (Black's first move) once with that of `--openings`, in one process, those in the middle of
the board first: each with a table of its own, and all with one table (solve --keep-table). With
--seconds only the latter, for so long. An opening that --max-nodes ends is left open. The table
shows when each was solved, in CPU time. One thread. A half turn of the board changes nothing, so
openings that are images of each other must have the same winner. Run it on a machine that does
nothing else.
"""

import argparse
import statistics
import sys

import machine

COUNTS = ["verdict", "iterations", "nodes_expanded", "evaluations", "peak_bytes"]


def question(size, algorithm):
    return ["solve", f"hex:size={size}", "--algorithm", algorithm, "--threads", "1"]


def counts(answer):
    return {count: answer[count] for count in COUNTS}


def empty_board(program, size, algorithms, repeat):
    runs = {algorithm: [] for algorithm in algorithms}
    for _ in range(repeat):
        for algorithm in algorithms:
            runs[algorithm].append(machine.ask(program, *question(size, algorithm)))
    for algorithm, answers in runs.items():
        assert all(counts(answer) == counts(answers[0]) for answer in answers)
        yield {"algorithm": answers[0]["algorithm"], "asked": algorithm, "repeat": repeat,
               "seconds": statistics.median(answer["seconds"] for answer in answers),
               **counts(answers[0])}


def cells(size):
    """All cells, from the middle outwards."""
    middle = (size - 1) / 2
    all_cells = [(abs(row - middle) + abs(column - middle), row, column)
                 for row in range(size) for column in range(size)]
    return [f"{chr(ord('a') + column)}{row + 1}" for _, row, column in sorted(all_cells)]


def turned(size, cell):
    return f"{chr(ord('a') + size - 1 - (ord(cell[0]) - ord('a')))}{size + 1 - int(cell[1:])}"


def openings(program, size, algorithm, one_table, options):
    rows, passed = [], 0.0
    seconds = options.seconds
    more = ["--keep-table"] if one_table else []
    if options.max_nodes:
        more += ["--max-nodes", str(options.max_nodes)]
    for cell, answer in machine.ask_lines(program, *question(size, algorithm), *more,
                                          lines=options.only or cells(size), seconds=seconds):
        passed += answer["cpu_seconds"]
        print(f"{cell}: {answer['verdict']}, {answer['iterations']:,} calls, {passed:.0f} s so far",
              file=sys.stderr, flush=True)
        rows.append({"opening": cell, "seconds": answer["cpu_seconds"], "solved_at": passed,
                     "winner": {"proved": "White", "disproved": "Black"}.get(answer["verdict"]),
                     **counts(answer)})
    winners = {row["opening"]: row["winner"] for row in rows if row["winner"]}
    for cell, winner in winners.items():
        assert winners.get(turned(size, cell), winner) == winner, cell
    return {"algorithm": algorithm, "one_table": one_table, "seconds": passed, "limit": seconds,
            "max_nodes": options.max_nodes, "rows": rows}


def show(empty, all_openings):
    print("| empty board | calls | s | calls/s |\n| --- | --- | --- | --- |")
    for row in empty:
        print(f"| `{row['asked']}` | {row['iterations']:,} | {row['seconds']:.3f} | "
              f"{row['iterations'] / row['seconds']:,.0f} |")
    for asked in all_openings:
        print(f"\n| opening, `{asked['algorithm']}`, {'one table' if asked['one_table'] else 'each'}"
              " | winner | calls | s | after s |\n| --- | --- | --- | --- | --- |")
        for row in asked["rows"]:
            print(f"| {row['opening']} | {row['winner'] or '-'} | {row['iterations']:,} | "
                  f"{row['seconds']:.2f} | {row['solved_at']:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--output", help="where the JSON goes")
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--algorithm", nargs="*", default=["dfpn", "dfpn:leaf=unit"])
    parser.add_argument("--openings", metavar="ALGORITHM", help="solve all openings with it")
    parser.add_argument("--seconds", type=float, help="for all openings together")
    parser.add_argument("--only", nargs="*", metavar="CELL", help="these openings, in this order")
    parser.add_argument("--max-nodes", type=int, help="for each opening")
    options = parser.parse_args()
    empty = list(empty_board(options.program, options.size, options.algorithm, options.repeat))
    all_openings = [openings(options.program, options.size, options.openings, one_table, options)
                    for one_table in ((True,) if options.seconds else (False, True))
                    if options.openings]
    show(empty, all_openings)
    if options.output:
        machine.write_json(options.output, {"facts": machine.facts(options.program),
                                            "size": options.size, "empty": empty,
                                            "openings": all_openings})


if __name__ == "__main__":
    main()
