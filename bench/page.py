"""Makes a page with plots of what bench/measure.py measured.

usage: python3 bench/page.py results.json --output page.html
"""

import argparse
import json
import pathlib
import statistics
import sys

from markupsafe import Markup
from matplotlib import ticker

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
from playproof_report import page, style  # noqa: E402
from playproof_report.files import write_whole  # noqa: E402

ENGINE_COLOURS = {"scalar": style.OTHERS[0], "sliced": style.REFERENCE, "cpu": style.REFERENCE,
                  "cuda": style.OTHERS[2], "latency": style.OTHERS[1]}
KNEE = 0.9  # of the best rate
LINES = ("-", (0, (5, 2)), (0, (2, 2)), (0, (1, 3)))
SIMULATED = ("latency is a simulated device that answers 20 microseconds after a launch at 6e10 "
             "playouts a second; the time that this machine needs to play them is left out. It shows "
             "what waiting and the trees cost, not what a GPU reaches. ")
PARTS = page.PARTS  # what all pages are made of; texts are escaped there


def engine_of(answer):
    return answer["backend"].partition(":")[0] if "backend" in answer else answer["engine"]


def knee(rows):
    """The smallest batch, in playouts, that reaches nine tenths of the best rate."""
    best = max(row["playouts_per_second"] for row in rows)
    return next(row for row in rows if row["playouts_per_second"] >= KNEE * best)


def groups(answers, *keys):
    """{values of the keys: [answer, ...]}, in order of appearance."""
    result = {}
    for answer in answers:
        result.setdefault(tuple(key(answer) for key in keys), []).append(answer)
    return result


def option(answer, name):
    words = answer["command"].split()
    return int(words[words.index(name) + 1])


def paragraph(text, kind=""):
    return Markup('<p class="{}">{}</p>').format(kind, text)


def panels_of(titles):
    """[axes]: a picture a title."""
    panels = style.new_panels(len(titles), 4.4, 2.9)
    for panel, title in zip(panels, titles):
        panel.set_title(title)
    return panels


def figure(panels, what, caption, looks):
    """The pictures of `what`, with one legend; looks: {label: (colour, line)}."""
    pictures = style.svgs(panels, what, what)
    legend = [(label, colour, style.dashes(line)) for label, (colour, line) in looks.items()]
    return PARTS.panels(pictures, page.least_width(pictures), caption, legend)


def log_axes(panel, what, base, counts=None):
    """Rates against counts of `what`, which go up by powers of `base` or are those given."""
    panel.set_xscale("log", base=base)
    panel.set_yscale("log")
    if counts:
        panel.set_xticks(sorted(counts))
    panel.xaxis.set_minor_formatter(ticker.NullFormatter())
    panel.xaxis.set_major_formatter(lambda n, _: f"{n:,.0f}")
    panel.set_xlabel(what)
    style.log_axis(panel.yaxis, style.short_number)


def sweep_section(answers):
    games = list(dict.fromkeys(a["game"] for a in answers))
    panels = panels_of(games)
    rows, looks = [], {}
    for game, panel in zip(games, panels):
        mine = [a for a in answers if a["game"] == game]
        for (engine, playouts), series in groups(
                mine, engine_of, lambda a: option(a, "--playouts-per-leaf")).items():
            series = sorted(series, key=lambda a: a["leaves"])
            colour = ENGINE_COLOURS[engine]
            line = LINES[0] if playouts >= 512 else LINES[1]
            looks[f"{engine}, {playouts} a leaf"] = (colour, line)
            panel.plot([a["leaves"] for a in series], [a["playouts_per_second"] for a in series],
                       color=colour, linewidth=1.8, marker="o", markersize=3,
                       linestyle=line)
            at = knee(series)
            panel.plot(at["leaves"], at["playouts_per_second"], "o", markersize=8,
                       markerfacecolor="none", markeredgecolor=colour)
            best = max(a["playouts_per_second"] for a in series)
            rows.append([game, PARTS.swatch(engine, colour), str(playouts),
                         style.short_number(series[0]["playouts_per_second"]),
                         style.short_number(best), f"{at['leaves']:,}",
                         f"{at['leaves'] * playouts:,}"])
        log_axes(panel, "leaves a batch", 4)
    for panel in panels:
        panel.set_ylabel("playouts/s, one core")
    heads = ["game", "engine", "playouts\na leaf", "playouts/s,\none leaf", "playouts/s,\nbest",
             "knee,\nleaves", "knee,\nplayouts"]
    return (Markup("<h2>Playouts against the batch</h2>")
            + figure(panels, "playouts a second against leaves a batch",
                     "Leaves are different positions of random games, one core. The ring is the knee: "
                     "the smallest batch with nine tenths of the best rate. These are playouts as "
                     "played; in Connect6 those of a leaf depend on each other a little "
                     "(effective_sample_ratio of bench playouts).", looks)
            + PARTS.table(heads, rows, left=(0, 1)))


def overhead_section(answers):
    rows = []
    for answer in answers:
        for overhead in answer["overhead"]:
            share = sum(row["verdict"] != "unknown" for row in answer["rows"]
                        if row["batch"] == overhead["batch"])
            of = sum(row["batch"] == overhead["batch"] for row in answer["rows"])
            ratio = style.ratio_text(overhead["node_ratio"])
            if overhead["low"] is not None:
                ratio = PARTS.with_range(ratio, style.ratio_text(overhead["low"]),
                                        style.ratio_text(overhead["high"]))
            rows.append([answer["game"], f"{overhead['batch']:,}", f"{share} of {of}",
                         ratio])
    return (Markup("<h2>Search overhead</h2>")
            + paragraph("A search that takes k leaves at a time descends past leaves whose results "
                        "it does not know yet. Nodes created with k over nodes with 1, geometric "
                        "mean over the positions, with its 95 % interval "
                        f"({answers[0]['algorithm']}).")
            + PARTS.table(["game", "k", "solved", "nodes over\nthose with k = 1"], rows))


def feeders_of(row):
    return row.get("feeders", 1)  # older results have one and do not say so


def plot_fleet(panel, rows, colour, line):
    """Rates of one engine and number of feeders against the searches in flight."""
    rates = {in_flight: [row["decided_per_second"] for row in same]
             for (in_flight,), same in groups(rows, lambda row: row["in_flight"]).items()}
    counts = sorted(rates)
    panel.plot(counts, [statistics.median(rates[n]) for n in counts], color=colour, linewidth=1.8,
               linestyle=line)
    panel.plot([row["in_flight"] for row in rows], [row["decided_per_second"] for row in rows], "o",
               color=colour, markersize=3)


def fleet_section(answers):
    games = list(dict.fromkeys(a["game"] for a in answers))
    panels = panels_of(games)
    rows, looks = [], {}
    for game, panel in zip(games, panels):
        mine = [(engine_of(a), row) for a in answers if a["game"] == game for row in a["rows"]]
        feeders = sorted({feeders_of(row) for _, row in mine})
        series = groups(mine, lambda p: p[0], lambda p: feeders_of(p[1]))
        for (engine, fed_by), points in sorted(series.items()):
            line = LINES[min(feeders.index(fed_by), len(LINES) - 1)]
            label = engine if len(feeders) == 1 else f"{engine}, {fed_by} feeding"
            looks[label] = (ENGINE_COLOURS[engine], line)
            plot_fleet(panel, [row for _, row in points], ENGINE_COLOURS[engine], line)
            for _, p in sorted(points, key=lambda p: p[1]["in_flight"]):
                rows.append([game, PARTS.swatch(engine, ENGINE_COLOURS[engine]), f"{fed_by:,}",
                             f"{p['in_flight']:,}", f"{p['decided']:,} of {p['searches']:,}",
                             f"{p['decided_per_second']:,.1f}",
                             style.short_number(p["leaves_per_second"]),
                             style.short_number(p["playouts_per_second"]),
                             f"{100 * p['busy']:.0f} %"])
        log_axes(panel, "searches in flight", 10, {row["in_flight"] for _, row in mine})
    for panel in panels:
        panel.set_ylabel("solved a second")
    algorithms = ", ".join(dict.fromkeys(f"{a['game']}: {a['algorithm']}" for a in answers))
    simulated = SIMULATED if any(engine_of(a) == "latency" for a in answers) else ""
    return (Markup("<h2>Many searches at a time</h2>")
            + figure(panels, "solved a second against searches in flight",
                     f"{algorithms}. {simulated}Lines go through the medians of runs that are alike. "
                     "feeding: threads that grow trees and send batches. busy is the share of the time "
                     "with a batch at the evaluator.", looks)
            + PARTS.table(["game", "backend", "feeding", "in flight", "solved", "solved/s",
                           "leaves/s", "playouts/s", "busy"], rows, left=(0, 1)))


def end_section(answers):
    games = list(dict.fromkeys(a["game"] for a in answers))
    panels = panels_of(games)
    rows, looks = [], {}
    algorithms = list(dict.fromkeys(_algorithm(a) for a in answers))
    for game, panel in zip(games, panels):
        mine = [a for a in answers if a["game"] == game]
        engines = list(dict.fromkeys(engine_of(a) for a in mine))
        width = 0.8 / len(engines)
        for answer in mine:
            engine, row = engine_of(answer), answer["rows"][0]
            x = algorithms.index(_algorithm(answer)) + width * (
                engines.index(engine) - (len(engines) - 1) / 2)
            looks[engine] = (ENGINE_COLOURS[engine], LINES[0])
            panel.bar(x, row["seconds"], width * 0.9, color=ENGINE_COLOURS[engine])
            leaves = row["playouts"] / 64
            rows.append([game, _algorithm(answer),
                         PARTS.swatch(engine, ENGINE_COLOURS[engine]), row["verdict"],
                         style.short_time(row["seconds"]), f"{row['nodes_created']:,}",
                         style.short_number(leaves / row["seconds"]),
                         style.short_number(row["playouts_per_second"])])
        panel.set_yscale("log")
        panel.set_xticks(range(len(algorithms)), algorithms)
        panel.grid(axis="x", visible=False)
        style.log_axis(panel.yaxis, style.short_time)
    for panel in panels:
        panel.set_ylabel("time to solve")
    return (Markup("<h2>Time to solve</h2>")
            + figure(panels, "time to solve by algorithm and backend",
                     "64 playouts a leaf, all cores for the playouts, median of three searches. Counts "
                     "of cpu and latency are equal; scalar plays other playouts of the same "
                     "distribution.", looks)
            + PARTS.table(["game", "algorithm", "backend", "verdict", "time", "nodes", "leaves/s",
                          "playouts/s"], rows, left=(0, 1, 2)))


def _algorithm(answer):
    return answer["algorithm"].partition(":")[0]


def engines_section(answers):
    runs = {}
    for answer in answers:
        command = answer["command"].partition(" --seconds")[0].removeprefix("playproof bench ")
        runs.setdefault((command, answer.get("processes", 1)), []).append(answer)
    rows = []
    for (command, processes), same in runs.items():
        rates = sorted(a["playouts_per_second"] for a in same)
        ratios = [a["effective_sample_ratio"] for a in same if a["effective_sample_ratio"]]
        rows.append([command, f"{processes}", f"{statistics.median(rates):.3g}",
                     f"{rates[0]:.3g} to {rates[-1]:.3g}",
                     f"{statistics.median(ratios):.2f}" if ratios else "-"])
    return (Markup("<h2>Playouts a second</h2>")
            + PARTS.table(["command", "processes\nat once", "median of\neach", "lowest to highest",
                          "effective\nsamples"], rows, left=(0,))
            + second_core(runs))


def second_core(runs):
    """What two threads reach, and what the machine gives two processes that share nothing."""
    rows = []
    for (command, processes), same in runs.items():
        if processes != 2:
            continue
        one, threads, apart = (
            statistics.median(a["playouts_per_second"] for a in answers) for answers in
            (runs[command, 1], runs[command.replace("--threads 1", "--threads 2"), 1], same))
        rows.append([command.partition(" --engine")[0], f"{threads / one:.2f}",
                     f"{2 * apart / one:.2f}"])
    if not rows:
        return ""
    return (Markup("<h3>What the second core is worth</h3>")
            + PARTS.table(["playouts", "two threads\nover one", "two processes\nover one"], rows,
                         left=(0,)))


SECTIONS = {"engines": engines_section, "sweep": sweep_section, "overhead": overhead_section,
            "fleet": fleet_section, "end": end_section}


def document(results):
    facts = results["facts"]
    devices = ", ".join(d["name"] for d in facts["devices"] if d["kind"] != "cpu") or "none"
    parts = [paragraph(
        f"{facts['version']}; {facts['processor']}, {facts['cores']} cores; devices: {devices}; "
        f"{facts['date']}. Made by bench/measure.py and bench/page.py.", "soft")]
    if "warning" in results:  # of bench/device_kit/import.py: played by a stand-in
        parts.insert(0, paragraph(results["warning"], "warning"))
    parts += [SECTIONS[kind](answers) for kind, answers in results.items()
              if kind in SECTIONS and answers]
    commands = "\n".join(a["command"] for kind in SECTIONS for a in results.get(kind, []))
    parts.append(Markup("<details><summary>The commands</summary><pre>{}</pre></details>")
                 .format(commands))
    return page.document("playproof: what the engines reach",
                         [("bench", "What the engines reach", Markup("").join(parts))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", help="a file of bench/measure.py")
    parser.add_argument("--output", required=True, metavar="FILE")
    options = parser.parse_args()
    with open(options.results, encoding="utf-8") as file:
        text = document(json.load(file))
    write_whole(options.output, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
