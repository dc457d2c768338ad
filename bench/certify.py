"""Certificates of experiments: every decided run of a store is solved again, its proof written and
checked; prints how many were valid, how large they are and how long the check took.

usage: python3 bench/certify.py PLAN.toml|STORE.db... [--sample N --seed S] [--jobs N] [--log LOG]
       [--same-as LOG]
A plan is run into a store first (--store keeps it, and goes on with it). A search is a function of
its parameters, so the run that is certified is the run of the store: its counts are compared. With
--log what is done is kept, and a second start goes on; with --same-as LOG each certificate must have
the bytes that it had when LOG was written (by another revision, with the same store). Times are CPU
times of one thread; the ratio of a run is playproof-check over the search. Exit status 1 if one
certificate is not valid.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile

from machine import processor

LONG = 1.0  # seconds of search from which the check should not take longer
COUNTS = ("verdict", "iterations", "nodes_created", "nodes_expanded", "playouts")


def read_runs(store):
    """(how many runs there are, the decided ones)"""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM run ORDER BY key")]
    return len(rows), [row for row in rows if row["verdict"] in ("proved", "disproved")]


def as_stored(programs):
    """What makes of the name of a stored run one for --algorithm: a store leaves out what is at its
    neutral value, whatever the default is now."""
    listed = subprocess.run([programs / "playproof", "algorithms", "--json"], check=True,
                            capture_output=True, text=True).stdout
    neutral = {entry["name"]: {option["name"]: option["neutral"] for option in entry["options"]
                               if option.get("neutral", option["default"]) != option["default"]}
               for entry in json.loads(listed)}

    def name(spec):
        algorithm, _, given = spec.partition(":")
        given = given.split(",") if given else []
        said = {value.partition("=")[0] for value in given}
        given += [f"{key}={value}" for key, value in neutral[algorithm].items() if key not in said]
        return ":".join([algorithm, ",".join(given)]) if given else algorithm

    return name


def timed(command):
    """(exit status, stdout, stderr, CPU seconds)"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, stdout=out, stderr=errors) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, errors):
            file.seek(0)
            texts.append(file.read().decode())
    return process.returncode, *texts, usage.ru_utime + usage.ru_stime


def certify(programs, name, run, suffix):
    """What became of one run: a dictionary with `error`, or with times and sizes."""
    about = {"key": run["key"], "plan": run["plan"]}
    question = ["--position", run["position"], "--goal", run["goal"]]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "proof.cert" + suffix)
        command = [programs / "playproof", "solve", run["game"], *question, "--algorithm",
                   name(run["spec"]), "--seed", str(run["seed"]), "--batch", str(run["batch"]),
                   "--max-nodes", str(run["max_nodes"]), "--threads", "1", "--workers",
                   str(run["threads"]), "--json", "--certificate", path]
        status, out, errors, solve_cpu = timed(command)
        if status != 0:
            return about | {"error": f"solve: exit status {status}: {errors}"}
        answer = json.loads(out)
        for count in COUNTS if run["threads"] == 1 else COUNTS[:1]:  # of several workers they differ
            if answer[count] != run[count]:
                return about | {"error": f"{count}: {answer[count]}, in the store {run[count]}"}
        status, out, errors, check_cpu = timed(
            [programs / "playproof-check", path, "--game", run["game"], *question, "--verdict",
             answer["verdict"], "--json"])
        if status != 0:
            return about | {"error": f"playproof-check: exit status {status}: {errors}"}
        proof = json.loads(out)
        if proof["best_move"] not in (None, answer["best_move"]):
            return about | {"error": f"best move {answer['best_move']}, but the proof plays "
                                     f"{proof['best_move']}"}
        return about | {
            "search": answer["cpu_seconds"], "solve": solve_cpu, "check": check_cpu,
            "sha256": hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest(),
            "bytes": os.path.getsize(path), "nodes_created": answer["nodes_created"],
            **{name: proof[name] for name in ("listed", "rechecked", "brute_forced", "most_live")}}


def stores_of(arguments, keep, programs, folder):
    """The stores among the arguments, and those of the plans, which are run."""
    for argument in arguments:
        if not argument.endswith(".toml"):
            yield argument
            continue
        store = keep or os.path.join(folder, pathlib.Path(argument).stem + ".db")
        subprocess.run([programs / "playproof", "experiment", argument, "--store", store,
                        "--progress", "none"], check=True, stdout=sys.stderr)
        yield store


def done_before(log):
    if not log or not os.path.exists(log):
        return []
    with open(log, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def spread(values, form):
    values = sorted(values)
    return f"{form(statistics.median(values))} ({form(values[0])} to {form(values[-1])})"


def summary(plan, runs, decided, results):
    """Markdown: the counts of one plan."""
    good = [result for result in results if "error" not in result]
    lines = [f"**{plan}**: {runs:,} runs, {decided:,} decided, {len(results):,} of them certified: "
             f"{len(good):,} valid, {len(results) - len(good):,} not", ""]
    if not good:
        return "\n".join(lines)
    ratios = {title: [result["check"] / max(result["search"], 1e-9) for result in chosen]
              for title, chosen in (
                  (f"searches of {LONG:g} s and more, no recheck",
                   [r for r in good if r["search"] >= LONG and not r["rechecked"]]),
                  (f"searches of 10 ms to {LONG:g} s",
                   [r for r in good if 0.01 <= r["search"] < LONG]))}
    rows = [("nodes in the search", spread([r["nodes_created"] for r in good], "{:,.0f}".format)),
            ("nodes in the certificate", spread([r["listed"] for r in good], "{:,.0f}".format)),
            ("ids alive at once", spread([r["most_live"] for r in good], "{:,.0f}".format)),
            ("bytes", spread([r["bytes"] for r in good], "{:,.0f}".format)),
            ("seconds of search, all", f"{sum(r['search'] for r in good):,.1f}"),
            ("seconds of check, all", f"{sum(r['check'] for r in good):,.1f}"),
            ("recheck nodes", f"{sum(r['rechecked'] for r in good):,}")]
    for title, values in ratios.items():
        if values:
            rows.append((f"check / search, {len(values):,} {title}",
                         spread(values, "{:.3g}".format)))
    lines += ["| | median (least to greatest) |", "| --- | --- |"]
    return "\n".join(lines + [f"| {name} | {value} |" for name, value in rows]) + "\n"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", metavar="PLAN.toml|STORE.db")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build"),
                        help="the folder of playproof and playproof-check (default: build)")
    parser.add_argument("--store", help="where the runs of a plan are kept")
    parser.add_argument("--sample", type=int, help="so many decided runs of each store, drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="runs at once (default: all cores)")
    parser.add_argument("--log", help="a line of JSON for each certificate; a second start goes on")
    parser.add_argument("--same-as", metavar="LOG",
                        help="an error where a certificate differs from that of this log")
    parser.add_argument("--plain", action="store_true", help="certificates that are not compressed")
    return parser.parse_args()


def certify_all(options, decided, log):
    """The results of the decided runs, old and new."""
    wanted = {run["key"] for run in decided}
    results = [result for result in done_before(options.log) if result["key"] in wanted]
    known = {result["key"] for result in results}
    name = as_stored(options.programs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(certify, options.programs, name, run,
                               "" if options.plain else ".zst")
                   for run in decided if run["key"] not in known]
        for future in concurrent.futures.as_completed(waiting):
            results.append(future.result())
            if "error" in results[-1]:
                print(f"{results[-1]['key']}: {results[-1]['error']}", file=sys.stderr)
            if log:
                log.write(json.dumps(results[-1]) + "\n")
                log.flush()
    return results


def compare(results, log):
    """Marks results whose certificates are not those of another log."""
    if not log:
        return
    before = {result["key"]: result.get("sha256") for result in done_before(log)}
    for result in results:
        if "error" in result or result["sha256"] == before.get(result["key"]):
            continue
        known = result["key"] in before
        result["error"] = f"the certificate is not that of {log}" if known else f"not in {log}"
        print(f"{result['key']}: {result['error']}", file=sys.stderr)


def main():
    options = arguments()
    options.programs = options.programs.resolve()
    version = subprocess.run([options.programs / "playproof", "version"], check=True,
                             capture_output=True, text=True).stdout.splitlines()[0]
    print(f"{version}; {processor()}, {options.jobs} at once\n")
    failed = 0
    with (tempfile.TemporaryDirectory() as folder,
          open(options.log or os.devnull, "a", encoding="utf-8") as log):
        for store in stores_of(options.sources, options.store, options.programs, folder):
            runs, decided = read_runs(store)
            chosen = decided
            if options.sample is not None and options.sample < len(decided):
                chosen = random.Random(options.seed).sample(decided, options.sample)
            results = certify_all(options, chosen, log)
            compare(results, options.same_as)
            failed += sum("error" in result for result in results)
            plan = ", ".join(sorted({run["plan"] for run in decided})) or store
            print(summary(plan, runs, len(decided), results), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
