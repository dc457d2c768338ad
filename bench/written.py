"""What git knows of when claims were written and runs were made, kept beside the stores, for a clone without history:
bench/results/written.json.xz. Of a claim the first commit whose plan has it, or the first use of such a plan that some
version of its store tells; of runs that the store has as they were made again, when they were made first.

usage: python3 bench/written.py, where the whole history is
"""

import contextlib
import functools
import io
import json
import lzma
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import tomllib

BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH.parent / "python"))
from playproof_report import written  # noqa: E402
from playproof_report.files import write_whole  # noqa: E402


def git(*arguments):
    return subprocess.run(["git", "-C", BENCH, *arguments], check=True, capture_output=True).stdout


def versions(*patterns):
    """(time, commit, path, bytes) of every version of some files, oldest first."""
    log = git("log", "--reverse", "--date=format-local:%Y-%m-%dT%H:%M:%S.999Z", "--format=%x00%H %cd", "--name-only",
              "--diff-filter=AMR", "--", *patterns).decode()
    for entry in log.split("\0")[1:]:
        head, _, names = entry.partition("\n")
        commit, time = head.split()
        for name in filter(None, names.split("\n")):
            yield time, commit[:12], name, git("show", f"{commit}:{name}")


def of_plans():
    """{plan: {key: [time, commit]}}"""
    found = {}
    for time, commit, _, text in versions("plans/*.toml"):
        with contextlib.suppress(tomllib.TOMLDecodeError):
            plan = tomllib.load(io.BytesIO(text))
            for name, one in renamed(plan["name"], written.keys(plan)):
                found.setdefault(name, {}).setdefault(one, [time, commit])
    return found


@functools.cache
def renames():
    """{(old plan, old series): [(plan, series)]}"""
    with open(BENCH / "renamed.toml", "rb") as file:
        new = tomllib.load(file)
    found = {}
    for plan, parts in new.items():
        for old, series in parts.items():
            for before, after in series.items():
                found.setdefault((old, before), []).append((plan, after))
    return found


def renamed(plan, texts):
    """[(plan, text)] of texts that begin with a series, as they are called now."""
    for text in texts:
        series, mark, rest = text.partition(" | ")
        yield plan, text
        for name, after in renames().get((plan, series), []):
            yield name, after + mark + rest


@contextlib.contextmanager
def opened(path, data):
    """The store as a database."""
    with tempfile.NamedTemporaryFile() as plain:
        plain.write(lzma.decompress(data) if path.endswith(".xz") else data)
        plain.flush()
        with contextlib.closing(sqlite3.connect(plain.name)) as store:
            store.row_factory = sqlite3.Row
            yield store


def of_store(store):
    """([(name, time, plan)], {(plan, question): time})"""
    plans = [(row["name"], row["first_used"], json.loads(row["json"])) for row in store.execute("SELECT * FROM plan")]
    runs = {one: row["started"] for row in store.execute(
        "SELECT plan, series, algorithm, problem, goal, repetition, started FROM run")
        for one in renamed(row["plan"], [written.question(row)])}
    return plans, runs


def main():
    claims, first, last = of_plans(), {}, {}
    here = [(None, "", f"bench/results/{path.name}", path.read_bytes()) for path in sorted(
        (BENCH / "results").glob("*.db*"))]  # as they are, committed or not
    for _, commit, path, data in [*versions("results/*.db", "results/*.db.xz"), *here]:
        with opened(path, data) as store:
            plans, last[path] = of_store(store)
        for name, time, plan in plans:
            for now, one in renamed(name, written.keys(plan)):
                mine = claims.setdefault(now, {}).setdefault(one, [time, commit])
                mine[:] = min(mine, [time, commit])
        for one, time in last[path].items():
            first[one] = min(time, first.get(one, written.NEVER))
    now = {one: time for path, runs in last.items() if (BENCH.parent / path).exists() for one, time in runs.items()}
    stored = {plan for plan, _ in now}
    remade = {plan: {of: first[name, of] for (name, of), time in now.items() if name == plan and first[name, of] < time}
              for plan in stored}
    made = {plan: {"claims": claims.get(plan, {}), "runs": remade[plan]} for plan in sorted(stored)}
    text = json.dumps(made, sort_keys=True, ensure_ascii=False)
    write_whole(str(BENCH / "results" / written.FILE), lzma.compress(text.encode()))
    print(f"{sum(len(one['claims']) for one in made.values())} claims, {sum(map(len, remade.values()))} runs made again")


if __name__ == "__main__":
    main()
