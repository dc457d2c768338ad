"""Checks what bench/device_kit/evidence.sh wrote, stores it and prints its tables.

usage: python3 bench/device_kit/import.py OUT [OUT ...] [--results bench/results/device] [--dry]

OUT are folders with kernels.jsonl, fleets.jsonl, searches.jsonl, or some of them; of a part that
is there twice, each step's first answer counts. The files go as they are to RESULTS/DATE-DEVICE, beside
tables.md (what docs/accelerators.md may take; also printed) and measures.json (for bench/page.py).

Refused: damaged files, files that are too many or too large, parts of different versions or machines,
answers that another device gave than the one in the facts, and what no GPU measured. Dry runs need
--dry: their tables begin with a warning, and nothing is stored unless --results names another folder.
"""

import argparse
import csv
import io
import json
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import evidence_steps  # noqa: E402
from evidence_steps import done  # noqa: E402

RESULTS = HERE.parent / "results" / "device"
MOST_FILES = 8 * len(evidence_steps.PARTS)
MOST_BYTES = 16 << 20
WARNING = ("**A dry run: the CPU played in the place of the device. No number here is a GPU's.**")
PROFILED = ("Duration", "Compute (SM) Throughput", "Issue Slots Busy", "Achieved Occupancy",
            "Registers Per Thread", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active")


class Refused(Exception):
    """The files are not what they should be."""


def require(condition, text):
    if not condition:
        raise Refused(text)


# -- reading --------------------------------------------------------------------------------------

def read_part(path):
    """(facts, steps, comparisons) of one file."""
    lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            lines.append(json.loads(line))
        except ValueError as error:
            raise Refused(f"{path}:{number}: {error}") from None
    require(lines and "facts" in lines[0], f"{path}: does not begin with facts")
    facts = lines[0]["facts"]
    require(facts["format"] == 1, f"{path}: format {facts['format']} is not known here")
    require(not any("cut" in line for line in lines), f"{path}: was cut to size")
    steps = [line for line in lines if "step" in line]
    require(facts["part"] == path.stem, f"{path}: holds part {facts['part']}")
    require(all("same" in s and "kind" in s and "status" in s for s in steps),
            f"{path}: a step without its keys")
    compared = [line for line in lines if "comparison" in line]
    require(compared == evidence_steps.comparisons(steps),
            f"{path}: its comparisons are not those of its answers")
    return facts, steps


def read_all(folders):
    """({part: facts}, {step: record}) of all folders, and the files that hold them."""
    parts, steps, files = {}, {}, []
    for folder in folders:
        inside = sorted(p for p in folder.iterdir() if p.is_file())
        require(len(inside) <= MOST_FILES, f"{folder}: more than {MOST_FILES} files")
        for path in inside:
            require(path.stat().st_size <= MOST_BYTES, f"{path}: larger than {MOST_BYTES} bytes")
        found = [folder / f"{part}.jsonl" for part in evidence_steps.PARTS]
        require(any(path.is_file() for path in found), f"{folder}: no part is in it")
        for path in filter(pathlib.Path.is_file, found):
            facts, records = read_part(path)
            parts.setdefault(facts["part"], facts)
            files.append(path)
            for record in records:
                record["dry"] = facts["dry"]
                name = (facts["part"], record["step"])
                if name not in steps or not done(steps[name]):
                    steps[name] = record
    return parts, list(steps.values()), files


def check_origin(parts, steps, dry):
    """The numbers are of one build on one machine, and the device's are the device's."""
    facts = next(iter(parts.values()))
    for other in parts.values():
        for key in ("version", "devices", "engine", "backend", "dry", "processor"):
            require(other[key] == facts[key], f"parts of different runs: {key}: "
                    f"{facts[key]!r} and {other[key]!r}")
    if dry:
        return facts
    require(not facts["dry"], "a dry run: no number of it is a GPU's (--dry prints its tables)")
    names = [device["name"] for device in facts["devices"]]
    require(names, "no device was on that machine")
    require(not any("emulated" in name for name in names), "an emulated device has no speed")
    for record in steps:
        if record["device"] and done(record):
            for answer in answers(record):
                name = answer.get("device", names[0])
                require(any(one in name for one in names),
                        f"{record['step']}: played by {name!r}, not by {names[0]!r}")
    return facts


def answers(record):
    answer = record.get("answer")
    return [a for a in (answer if isinstance(answer, list) else [answer]) if isinstance(a, dict)]


# -- tables ---------------------------------------------------------------------------------------

def table(heads, rows):
    if not rows:
        return ["nothing", ""]
    lines = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def number(value, scale=1.0, digits=3):
    if value is None or value == 0:
        return "-"
    if abs(value * scale) >= 1000:
        return f"{value * scale:,.0f}"
    return f"{value * scale:.{digits}g}"


def of_kind(steps, kind):
    return [(r, a) for r in steps if r["kind"] == kind and done(r) for a in answers(r)]


def state_table(steps):
    rows = []
    for record in steps:
        if not done(record):
            why = (record.get("skipped") or record.get("failed") or "").strip().splitlines() or ["?"]
            state = "skipped" if "skipped" in record else "failed"
            rows.append((state, why[-1][:160].replace("|", "/"), record["step"]))
    grouped = {}
    for state, why, name in rows:
        grouped.setdefault((state, why), []).append(name)
    lines = [f"{sum(map(done, steps))} of {len(steps)} steps done.", ""]
    return lines + table(("", "why", "steps"), [
        (state, why, f"{len(names)}: {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}")
        for (state, why), names in sorted(grouped.items())])


def comparison_table(steps):
    compared = evidence_steps.comparisons(steps)
    equal = sum(one["equal"] is True for one in compared)
    lines = [f"{equal} of {len(compared)} comparisons are equal, "
             f"{sum(one['equal'] is None for one in compared)} have one side only.", ""]
    different = [one for one in compared if one["equal"] is False]
    return lines + (table(("DIFFERENT", "steps", "values"), [
        (one["comparison"], ", ".join(one["of"]), json.dumps(one["values"]).replace("|", "/"))
        for one in different]) if different else [])


def label(record):
    """A step's name; of a dry run without the word device."""
    return re.sub(r"\bdevice$", "stand-in", record["step"]) if record.get("dry") else record["step"]


def rate_table(steps, device):
    """Beside it the CPU on all cores; `leaves`: 4,096 positions of 64 playouts, else one."""
    rows = []
    found = {record["step"]: answer for record, answer in of_kind(steps, "rate")}
    for name, answer in found.items():
        if not name.endswith(" device"):
            continue
        host = found.get(name.removesuffix("device") + "host", {})
        rows.append((name.removeprefix("rate ").removesuffix(" device"),
                     number(answer["playouts_per_second"], 1e-6),
                     number(answer.get("share_of_bound")),
                     number(host.get("playouts_per_second"), 1e-6)))
    return table(("M playouts a second", device, "share of bound", "CPU, all cores"), rows)


def bench_table(steps):
    rows = [(answer["case"], answer["playouts_per_leaf"], f"{answer['leaves']:,}",
             number(answer["playouts_per_second"], 1e-6),
             number(answer["device_playouts_per_second"], 1e-6),
             number(answer["lone_seconds"], 1e6), number(answer["lone_device_seconds"], 1e6))
            for _, answer in of_kind(steps, "device_bench") if "case" in answer]
    return table(("case", "playouts a leaf", "leaves", "M playouts/s, end to end",
                  "M playouts/s, by the device's clock", "lone batch, microseconds",
                  "of it the device"), rows)


def ways_table(steps):
    """Microseconds of a lone batch by each way that its requests may go, and by the device's clock; the
    way that takes least."""
    ways = ("mapped", "parameters", "copied")
    found = {}
    for _, answer in of_kind(steps, "ways"):
        if "way" in answer:
            key = (answer["case"], answer["playouts_per_leaf"], answer["leaves"])
            found.setdefault(key, {})[answer["way"]] = answer
    rows = []
    for key, by_way in found.items():
        cells = [number(by_way.get(way, {}).get(value), 1e6) for way in ways
                 for value in ("lone_seconds", "lone_device_seconds")]
        rows.append((*key, *cells, min(by_way, key=lambda way: by_way[way]["lone_seconds"])))
    return table(("case", "playouts a leaf", "leaves",
                  *(head for way in ways for head in (way, "of it the device")), "the least"), rows)


def profile_table(steps):
    rows = []
    for record in steps:
        if record["kind"] != "profile" or not done(record):
            continue
        metrics = profile(record.get("text", ""))
        stalls = sorted(((value, name) for name, value in metrics.items() if "stall" in name),
                        key=lambda pair: -to_float(pair[0]))[:3]
        rows.append((record["step"].removeprefix("profile "),
                     *(metrics.get(name, "-") for name in PROFILED),
                     "; ".join(f"{name} {value}" for value, name in stalls) or "-"))
    return table(("kernel", *(name.replace("|", "/") for name in PROFILED), "most stalls"), rows)


def to_float(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.0


def profile(text):
    """{metric: value with its unit} of the lines that ncu --csv prints."""
    lines = [line for line in text.splitlines() if line.startswith('"')]  # not the program's own
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    rows = csv.DictReader(io.StringIO("\n".join(lines[start:])))
    return {row["Metric Name"]: f"{row['Metric Value']} {row.get('Metric Unit') or ''}".strip()
            for row in rows if row.get("Metric Name") and row.get("Metric Value")}


def solve_table(steps):
    rows = [(label(record), answer.get("verdict"), f"{answer['iterations']:,}",
             f"{answer['nodes_created']:,}", f"{answer['playouts']:,}", number(answer["seconds"]))
            for kind in ("check", "solve") for record, answer in of_kind(steps, kind)]
    return table(("search", "verdict", "iterations", "nodes", "playouts", "seconds"), rows)


def fleet_table(steps):
    rows = []
    for record, answer in of_kind(steps, "fleet"):
        for row in answer["rows"]:
            rows.append((answer["game"], label(record).split()[-1], f"{row['in_flight']:,}",
                         row["feeders"], f"{row['decided']:,} of {row['searches']:,}",
                         number(row["decided_per_second"]), number(row["leaves_per_second"], 1e-3),
                         f"{row['busy']:.3f}"))
    return table(("game", "on", "in flight", "feeders", "decided", "a second",
                  "thousand leaves/s", "busy"), rows)


def whole_table(steps):
    rows = []
    for _, answer in of_kind(steps, "whole"):
        for row in answer["rows"]:
            if "missing" in row:
                continue
            rows.append((answer["algorithm"], row["way"], f"{row['searches']:,}",
                         f"{row['on_device']:,}", number(row["seconds"]),
                         number(row["searches_per_second"]), number(row["iterations_per_second"], 1e-6),
                         number(row.get("share_of_bound"))))
    return table(("algorithm", "way", "searches", "ended there", "seconds", "a second",
                  "million iterations/s", "of bound"), rows)


def experiment_table(steps):
    rows = [(label(record).removeprefix("experiment "), answer["runs"], answer["decided"],
             f"{answer['nodes_created']:,}", number(answer["seconds"]), answer["digest"][:12])
            for record, answer in of_kind(steps, "experiment") if "digest" in answer]
    return table(("experiment", "runs", "decided", "nodes", "seconds", "digest"), rows)


def tables(facts, parts, steps):
    device = "a stand-in (CPU)" if facts["dry"] else facts["devices"][0]["name"]
    lines = [f"## {device}, {facts['date']}", ""]
    if facts["dry"]:
        lines += [WARNING, ""]
    lines += [f"{facts['version']}; {facts['processor']}, {facts['cores']} cores; parts: "
              f"{', '.join(parts)}.", ""]
    for record in steps:
        if record["step"] == "nvidia-smi warm" and done(record):
            lines += ["```", *record.get("text", "").strip().splitlines(), "```", ""]
    for title, made in (("Steps", state_table(steps)), ("Compared", comparison_table(steps)),
                        ("Rates", rate_table(steps, device)), ("Batches", bench_table(steps)),
                        ("Ways of small batches", ways_table(steps)),
                        ("Profiles", profile_table(steps)), ("Searches", solve_table(steps)),
                        ("Fleets", fleet_table(steps)), ("Whole searches", whole_table(steps)),
                        ("Experiments", experiment_table(steps))):
        lines += [f"### {title}", "", *made]
    return "\n".join(lines)


def measures(facts, steps):
    """The same as bench/measure.py writes: what bench/page.py takes."""
    def told(kind):
        return [{**answer, "command": command(record)} for record, answer in of_kind(steps, kind)]

    sweep = [{"game": a["case"], "engine": "cuda", "leaves": a["leaves"],
              "playouts_per_second": a["playouts_per_second"],
              "command": f"{command(r)} --playouts-per-leaf {a['playouts_per_leaf']}"}
             for r, a in of_kind(steps, "device_bench") if "case" in a]
    result = {"facts": facts, "engines": told("rate"), "sweep": sweep, "fleet": told("fleet"),
              "end": told("end")}
    if facts["dry"]:
        result["warning"] = WARNING.strip("*")
    return result


def command(record):
    return " ".join(word for word in record["command"] if word != "--json")


# -- the program ----------------------------------------------------------------------------------

def store(folder, parts, steps, facts, files, text):
    require(not folder.exists(), f"{folder} is there already")
    folder.mkdir(parents=True)
    for path in files:
        name, count = path.name, 1
        while (folder / name).exists():  # a part that took two calls
            count += 1
            name = f"{path.stem}-{count}{path.suffix}"
        shutil.copyfile(path, folder / name)
    (folder / "tables.md").write_text(text + "\n", encoding="utf-8")
    (folder / "measures.json").write_text(json.dumps(measures(facts, steps), indent=1) + "\n",
                                          encoding="utf-8")
    print(f"stored in {folder}: {', '.join(parts)}; a page: python3 bench/page.py "
          f"{folder / 'measures.json'} --output page.html", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="+", type=pathlib.Path, metavar="OUT")
    parser.add_argument("--results", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--dry", action="store_true", help="take what no GPU measured")
    options = parser.parse_args()
    try:
        parts, steps, files = read_all(options.out)
        facts = check_origin(parts, steps, options.dry)
        text = tables(facts, parts, steps)
        folder = options.results or (None if facts["dry"] else RESULTS)
        if folder:
            require(not (facts["dry"] and folder.resolve() == RESULTS),
                    "a dry run is not stored among the results")
            name = "dry" if facts["dry"] else facts["devices"][0]["name"]
            slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
            store(folder / f"{facts['date']}-{slug}", parts, steps, facts, files, text)
    except (Refused, OSError, KeyError, TypeError) as error:
        print(f"import.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 65
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
