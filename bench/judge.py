"""Judges the stores of bench/results and keeps that beside them, in judged.json.xz: only what changed is judged again.
Writes the page of results, README.md, and its figures from that.

usage: python3 bench/judge.py
"""

import pathlib
import sys

BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH.parent / "python"))
from playproof_report import judged, papers, results, side_by_side  # noqa: E402
from playproof_report.files import write_whole  # noqa: E402
from playproof_report.store import read_experiments  # noqa: E402


def entry(path):
    """What is kept of one store."""
    plans = [judged.plain(papers.judge(experiment)) for experiment in read_experiments([str(path)])]
    return {"sha256": judged.of_file(path), "plans": plans}


def main():
    folder = BENCH / "results"
    paths = sorted([*folder.glob("*.db"), *folder.glob("*.db.xz")])
    kept = judged.read(folder)
    changed = [path for path in paths if kept.get(path.name, {}).get("sha256") != judged.of_file(path)]
    made = dict(zip([path.name for path in changed], side_by_side.each(entry, changed)))
    stores = {path.name: made.get(path.name) or kept[path.name] for path in paths}
    (folder / judged.FILE).write_bytes(judged.text_of(stores, str(folder)))
    (folder / results.FIGURES).mkdir(exist_ok=True)
    found, _ = judged.known([str(path) for path in paths])
    for path, text in results.files(str(folder), found).items():
        write_whole(path, text)
    print(f"{len(changed)} of {len(paths)} stores judged")


if __name__ == "__main__":
    main()
