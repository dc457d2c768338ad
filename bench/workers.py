"""Measures two threads of one search against one, and against two processes that share nothing.

usage: python3 bench/workers.py build/playproof [--repeat 3] [--locks] [--output workers.json]
Each problem is solved in turn by one thread, by `--workers 2`, and by two processes of one thread
at once, which say what the second core is worth at that moment; and once by `searchers=2`, two
searchers that take turns. Prints medians over the repeats as Markdown, and geometric means over the
problems of a search. With --locks also what locks on places of the table cost (`tablelock=on`):
CPU time an entry over that with check words, two threads each, in turn. Run it on two cores that do
nothing else; it takes about five minutes, with --locks seven. Threads may be lucky, or not: what they
do varies from run to run, and `the same by entry` has their number of entries taken out.
"""

import argparse
import math
import statistics
import sys

import machine

HEX = "hex:size=5"
CONNECT = "connect6:rows=4,columns=5,connect=4,stones=2"
# Of `othello_positions.py --empties 20 --count 10 --seed 2020`.
OTHELLO = ("OOO--O--OOXXOO-XOXXXOOX-OOXOOO--OXOOXOX-OXOXO--XOOX-O----XXX---- X",
           "---O-X---XX-OOOX-XXX-OO--XXXXXOOXXXXXXO--XXXOXX-XXXXXX---O-OXXO- X",
           "-XXXXXXXOOXXOOO-OXXOXOXXXXXXO----XXOOO--OXXXX-X----XXX----XXX--- X")
PROBLEMS = (  # one to six seconds each
    (HEX, "b2", "dfpn"), (HEX, "c5 e3", "dfpn:leaf=unit"), ("hex:size=6", "a1", "dfpn:patterns=1024,probe=bridges"),
    *(("othello", position, "dfpn:leaf=mobility,endings=0") for position in OTHELLO[1:]),
    (CONNECT, "", "dfpn:leaf=mobility"), (HEX, "d4 b3 c3 b2", "alphabeta"), (HEX, "d4 b3 c3 d2", "alphabeta"),
    ("othello", OTHELLO[0], "alphabeta:endings=0"), (CONNECT, "BB CC DA", "alphabeta"))
QUICK = (("hex:size=3", "b1", "dfpn"), ("hex:size=3", "b1", "alphabeta:zones=off"))
AIMS = ("", "", "", "", "at least .93", "", "at most 1.05", "at most 3 %", "", "0.95 to 1.05")
HEADS = ("problem", "seconds of one", "one over two threads", "two processes", "threads over processes",
         "the same by entry", "CPU an entry", "idle, and lock", "resting", "entries over `searchers=2`")


def solve(program, problem, more="", workers=1, copies=1):
    """The answers of that many processes at once."""
    game, position, algorithm = problem
    if more:
        algorithm += ("," if ":" in algorithm else ":") + more
    command = ["solve", game, "--position", position, "--algorithm", algorithm, "--workers", str(workers),
               "--threads", str(workers)]
    answers = machine.ask_together(program, copies, *command)
    assert all(answer["verdict"] != "unknown" for answer in answers)
    return answers


def cpu_of_entry(answer):
    return answer["cpu_seconds"] / answer["iterations"]


def measure_round(program, problem):
    one, = solve(program, problem)
    two, = solve(program, problem, workers=2)
    apart = solve(program, problem, copies=2)
    assert two["verdict"] == one["verdict"]
    times = two["worker_times"]
    threads = one["seconds"] / two["seconds"]
    processes = 2 * one["seconds"] / statistics.mean(answer["seconds"] for answer in apart)
    return {"seconds": one["seconds"], "entries": one["iterations"], "entries_of_two": two["iterations"],
            "threads": threads, "processes": processes, "threads_over_processes": threads / processes,
            "by_entry": threads / processes * two["iterations"] / one["iterations"],
            "cpu_an_entry": cpu_of_entry(two) / cpu_of_entry(one),
            "idle_and_lock": times["idle_share"] + times["lock_wait_share"], "idle": times["idle_share"],
            "lock": times["lock_wait_share"], "rest": times["rest_share"]}


def measure(program, problem, repeat, locks):
    rounds = [measure_round(program, problem) for _ in range(repeat)]
    found = {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}
    turns, = solve(program, problem, "searchers=2")
    found |= {"game": problem[0], "position": problem[1], "algorithm": problem[2],
              "entries_in_turns": turns["iterations"],
              "entries_over_turns": found["entries_of_two"] / turns["iterations"]}
    if locks:
        pairs = [[solve(program, problem, f"tablelock={word}", workers=2)[0] for word in ("on", "off")]
                 for _ in range(repeat)]
        found["cpu_with_locks"] = statistics.median(cpu_of_entry(on) / cpu_of_entry(off) for on, off in pairs)
    return found


def name_of(found):
    position = found["position"] if len(found["position"]) < 20 else "a position"
    return f"`{found['game']}` {position}, `{found['algorithm']}`, {found['entries']:,.0f} entries"


def cells(name, of, locks):
    row = [name, f"{of['seconds']:.2f}", *(f"{of[key]:.2f}" for key in ("threads", "processes",
           "threads_over_processes", "by_entry", "cpu_an_entry")), f"{100 * of['idle_and_lock']:.1f} %",
           f"{100 * of['rest']:.1f} %", f"{of['entries_over_turns']:.2f}"]
    return row + ([f"{of['cpu_with_locks']:.3f}"] if locks else [])


def means(rows):
    """Geometric ones of ratios and times, arithmetic ones of shares."""
    shares = ("idle_and_lock", "idle", "lock", "rest")
    return {key: statistics.mean(row[key] for row in rows) if key in shares else
            math.exp(statistics.mean(math.log(row[key]) for row in rows))
            for key, value in rows[0].items() if isinstance(value, (int, float))}


def show(cells_of_row):
    print("| " + " | ".join(cells_of_row) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--locks", action="store_true", help="also with locks on the table")
    parser.add_argument("--output", help="write the medians there, as JSON")
    parser.add_argument("--quick", action="store_true", help="tiny problems: does it run?")
    options = parser.parse_args()
    facts = machine.facts(options.program)
    print(f"{facts['version']}; {facts['processor']}, {facts['cores']} cores\n")
    show([*HEADS, *["CPU an entry with locks"] * options.locks])
    show(["---"] * (len(HEADS) + options.locks))
    show(["asked for", *AIMS[1:], *["about 1.01"] * options.locks])
    rows = []
    for problem in QUICK if options.quick else PROBLEMS:
        rows.append(measure(options.program, problem, options.repeat, options.locks))
        show(cells(name_of(rows[-1]), rows[-1], options.locks))
    kinds = sorted({row["algorithm"].partition(":")[0] for row in rows})
    for kind in kinds:
        of = [row for row in rows if row["algorithm"].partition(":")[0] == kind]
        show(cells(f"all of `{kind}`", means(of), options.locks))
    if options.output:
        machine.write_json(options.output, {"facts": facts, "rows": rows})
    return 0


if __name__ == "__main__":
    sys.exit(main())
