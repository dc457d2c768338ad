"""Share solved and nodes of depth-first search against the size of its table."""

import re
from dataclasses import dataclass

from . import claims, page, pairing, style
from .counts import log_counts
from .statistics import geometric_ratio, wilson
from .shape import MOST, damaged, read_parameters, shown

UNITS = {"": 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


@dataclass
class Point:
    """One way of replacement with a table of one size, over the problems of a series."""

    bytes: int
    solved: object  # Interval: share of the runs
    nodes: object  # Interval: geometric mean; runs that were not solved at their limit
    ratio: object  # Interval: paired ratio of the nodes to the reference's
    undecided: int


def size(text):
    """Bytes of a size as options have it: 64KiB."""
    found = re.fullmatch(r"([0-9]{1,16}(?:\.[0-9]{1,16})?)([A-Za-z]*)", text)
    places = float(found.group(1)) * UNITS.get(found.group(2), 0) if found else 0
    if not 1 <= places <= MOST:
        raise damaged(f"the option 'table' is '{shown(text)}' where a size such as 64KiB must be")
    return int(places)


def _sizes(table):
    return [read_parameters(text).get("table") for text in table["parameters"]]


def unfit(_, table):
    """Why the page is not for these runs, or nothing."""
    without = [label for label, of in zip(table["algorithm"], _sizes(table)) if of is None]
    return f"it is for searches with a table, and '{without[0]}' has none" if without else ""


def settings(table):
    """Adds the columns bytes, of the table, and family, the label without " table=..."."""
    sizes = _sizes(table)
    return table.assign(
        bytes=[size(text) for text in sizes],
        family=[label.partition(" table=")[0] for label in table["algorithm"]])


def curve(table, series, family, reference):
    """[Point], sizes ascending."""
    runs = table[(table["series"] == series) & (table["family"] == family)]
    unit = pairing.units_of(table, series)
    points = []
    for (places, label), mine in runs.groupby(["bytes", "algorithm"]):
        logs = pairing.unit_means(mine, log_counts(mine, "nodes_created"), unit)
        solved = pairing.unit_means(mine, mine["decided"].astype(float), unit)
        points.append(Point(
            places, wilson(float(solved.sum()), len(solved)), geometric_ratio(logs),
            pairing.ratio(table, series, "nodes_created", label, reference).full,
            int((~mine["decided"]).sum())))
    return points


def curves(table, series, reference):
    """{family: [Point]}, in plan order."""
    return {family: curve(table, series, family, reference)
            for family in pairing.families(table[table["series"] == series])}


def series_figure(series, found, reference, looks):
    """found: as curves() makes it."""
    left, right = axes = style.new_panels(2, 4.3, 3.4)
    _panel(left, found, looks, lambda point: point.solved, "Share solved")
    left.set_ylim(-0.03, 1.03)
    _panel(right, found, looks, lambda point: point.ratio, f"Nodes over {reference}")
    if any(p.ratio.value > 0 for points in found.values() for p in points):
        right.set_yscale("log")
        style.log_axis(right.yaxis, style.ratio_text)
    return style.svgs(axes, f"{series} against the size of the table",
                      f"{series} against the size of the table, a curve for each way of replacement")


def headline(found_of, looks):
    """[pictures]: the share solved on the first series. found_of: {title: of curves()}."""
    shown = dict(list(found_of.items())[:style.MOST_HEADLINES])
    axes = style.new_panels(len(shown), 4.3, 3.0)
    for axis, (title, found) in zip(axes, shown.items()):
        _panel(axis, found, looks, lambda point: point.solved, title)
        axis.set_ylim(-0.03, 1.03)
        axis.set_ylabel("share solved")
    return style.svgs(axes, "share solved against the size of the table",
                      "Share solved against the size of the table, a curve for each way of replacement")


def _panel(axis, found, looks, value, title):
    """value: of a Point, an Interval."""
    for i, (family, points) in enumerate(found.items()):
        # Curves that coincide stay visible: each a little to the side of the one before.
        x = [p.bytes / 1024 * 1.06 ** (i - len(found) / 2) for p in points]
        axis.plot(x, [value(p).value for p in points], linewidth=1.5, marker="o", markersize=3.4,
                  label=family, **looks[family])
        axis.vlines(x, [value(p).low for p in points], [value(p).high for p in points],
                    color=looks[family]["color"], alpha=0.35, linewidth=1)
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_formatter(lambda kib, _: f"{kib:,.0f}")
    axis.set_xlabel("table, KiB")
    axis.set_title(title)


def series_table(found):
    return [[family, f"{point.bytes // 1024:,}", f"{100 * point.solved.value:.0f} %",
             page.ranged(point.nodes, style.short_number),
             page.ranged(point.ratio, style.ratio_text)]
            for family, points in found.items() for point in points]


def sentence(found):
    """The smallest table of each family with which everything was solved."""
    parts = []
    for family, points in found.items():
        enough = [p.bytes for p in points if p.undecided == 0]
        least = f"{min(enough) // 1024:,} KiB" if enough else "none of these"
        parts.append(f"{family} {least}")
    return "The smallest table with which every problem was solved: " + "; ".join(parts) + "."


def _legend(families, looks):
    return [(family, looks[family]["color"], style.dashes(looks[family]["linestyle"]))
            for family in families]


def _series(table, one, found, reference, looks):
    return {**pairing.counted(table, one), "sentence": sentence(found),
            "figure": series_figure(one["name"], found, reference, looks), "legend": _legend(found, looks),
            "rows": series_table(found),
            "headers": ["replacement", "table,\nKiB", "solved", "nodes,\ngeometric mean",
                        f"over\n{reference}"]}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = settings(pairing.frame(experiment))
    reference = experiment.plan["report"]["reference"]
    looks = style.looks(pairing.families(table))
    series = pairing.series_with_runs(experiment, table)
    found = {one["name"]: curves(table, one["name"], reference) for one in series}
    return page.section(
        "table.html", experiment, claims.judge(experiment, table),
        headline=headline({one["title"]: found[one["name"]] for one in series}, looks),
        legend=_legend(pairing.families(table), looks),
        series=[_series(table, one, found[one["name"]], reference, looks) for one in series])


def text(experiment):
    """A short table for the terminal."""
    table = settings(pairing.frame(experiment))
    reference = experiment.plan["report"]["reference"]
    lines = []
    for one in experiment.series():
        lines += [one["title"], "  " + sentence(curves(table, one["name"], reference))]
    return lines + claims.lines(claims.judge(experiment, table))
