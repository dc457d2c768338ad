"""Makes the report package importable, and stores out of plain values."""

import contextlib
import io
import math
import os
import re
import sqlite3
import struct
import subprocess
import sys
import unittest.mock

SOURCE = os.environ.get(
    "PLAYPROOF_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(SOURCE, "python"))

from playproof_report import cli  # noqa: E402
from playproof_report.store import Experiment  # noqa: E402

PROGRAM = os.path.abspath(os.environ.get("PLAYPROOF", "build/playproof"))
SMOKE = os.path.join(SOURCE, "tests", "programs", "smoke.toml")
NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"


def experiment(plan, store, *options):
    """Runs `playproof experiment`."""
    return subprocess.run([PROGRAM, "experiment", plan, "--store", store, *options],
                          capture_output=True, text=True, check=True, timeout=120)


def report(*arguments, started=NIGHTLY, **environment):
    """`playproof report`; by day most tests call what it starts: Python and its libraries take a second to come up."""
    if started:
        return subprocess.run([PROGRAM, "report", *arguments], capture_output=True, text=True, check=False, timeout=900,
                              env={**os.environ, "PLAYPROOF_PYTHON": sys.executable, **environment})
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = cli.main(arguments)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def undrawn():
    """Within it the pictures of pages are empty by day: drawing them takes most of the time, and what a test reads
    stands beside them."""
    if NIGHTLY:
        return contextlib.nullcontext()
    return unittest.mock.patch("playproof_report.drawing._saved_svg", lambda *_: '<svg width="0pt"></svg>')


def unlike(one, other, place="/"):
    """Where two things made of dictionaries, lists, texts and numbers differ, numbers (also as texts) by more than
    processors do: what numpy takes logarithms and adds products with depends on their instructions, and of a p-value
    that is searched for the last halving may turn out otherwise."""
    if isinstance(one, dict) and isinstance(other, dict):
        if sorted(one) != sorted(other):
            return [f"{place}: {sorted(one)}, {sorted(other)}"]
        return [line for key in one for line in unlike(one[key], other[key], f"{place}{key}/")]
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return [f"{place}: {len(one)}, {len(other)} long"]
        return [line for i, pair in enumerate(zip(one, other)) for line in unlike(*pair, f"{place}{i}/")]
    same = type(one) is type(other) and (one == other or _close(one, other))
    return [] if same else [f"{place}: {one!r}, {other!r}"]


def _close(one, other):
    if not isinstance(one, float) and not (isinstance(one, str) and re.search("[.e]", one)):
        return False  # also counts
    try:
        one, other = float(one), float(other)
        return math.isclose(one, other, rel_tol=1e-5) or (math.isnan(one) and math.isnan(other))
    except ValueError:
        return False


def one_series(folder):
    """SMOKE with its first series alone and as a kind that has one figure; by night as it is."""
    with open(SMOKE, encoding="utf-8") as file:
        text = file.read()
    parts = re.split(r"^(?=\[\[)", text if NIGHTLY else text.replace('"compare"', '"agreement"'), flags=re.M)
    series = [part for part in parts if part.startswith("[[series]]")]
    path = os.path.join(folder, "smoke.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(part for part in parts if NIGHTLY or part not in series[1:]))
    return path


def plan(series=("s",), labels=("A", "B"), claims=(), kind="compare"):
    """A plan as its JSON says it."""
    return {"name": "test", "title": "Test", "description": "", "seed": 1, "batch": 1,
            "max_nodes": 1000, "max_memory": 0, "error_curves": True,
            "report": {"kind": kind, "reference": labels[0]},
            "series": [{"name": s, "title": s, "goals": ["win"], "problems": 1, "repetitions": 1}
                       for s in series],
            "algorithms": [{"label": label, "spec": "pn", "series": list(series),
                            "per_branch": False} for label in labels],
            "claims": list(claims)}


def claim(measure="iterations", subject="A", base="B", low=0.0, high=1.0, horizon=None,
          series=("s",), **more):
    """more: keys that older stores lack (statistic, below, own)."""
    return {"id": "c", "text": "t", "source": "x", "series": list(series), "formula": "f",
            "measure": measure, "subject": subject, "base": base, "low": low, "high": high,
            "horizon": horizon, **more}


def run(algorithm, problem, iterations, verdict="proved", repetition=1, series="s", divisor=1,
        expected=None):
    """One row of the table `run`, with the columns that the statistics use."""
    return {"key": f"{series} {algorithm} {problem} {repetition}", "series": series,
            "algorithm": algorithm, "problem": problem, "game": "hex:size=3", "position": problem,
            "goal": "win", "repetition": repetition,
            "iterations": iterations, "iteration_divisor": divisor,
            "iterations_normalised": iterations / divisor, "nodes_created": 2 * iterations,
            "nodes_expanded": iterations, "evaluations": 3 * iterations, "playouts": 0, "re_entries": 0,
            "seconds": iterations * 2e-6, "cpu_seconds": iterations * 1e-6, "max_cpu_seconds": None, "device": "cpu",
            "threads": 1, "verdict": verdict, "expected": expected}


def made_up(runs, curves=None, **options):
    made = Experiment(plan(**options), "", "0", len(runs), list(runs))
    made.curves = curves or {}
    return made


def copy_with(path, target, sql):
    """Copies a store and changes the copy."""
    with open(path, "rb") as source, open(target, "wb") as out:
        out.write(source.read())
    database = sqlite3.connect(target)
    database.executescript(sql)
    database.commit()
    database.close()


def pack(points):
    return b"".join(struct.pack("<qd", *point) for point in points)
