"""Share solved and nodes of depth-first search against the size of its table."""

import re
from dataclasses import dataclass

from . import claims, page, pairing, style
from .counts import log_counts
from .statistics import geometric_ratio, wilson
from .store import read_json

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
    number, unit = re.fullmatch(r"([0-9.]+)([A-Za-z]*)", text).groups()
    return int(float(number) * UNITS[unit])


def settings(table):
    """Adds the columns bytes, of the table, and family, the label without " table=..."."""
    return table.assign(
        bytes=[size(read_json(text, "parameters")["table"]) for text in table["parameters"]],
        family=[label.partition(" table=")[0] for label in table["algorithm"]])


def curve(table, series, family, reference):
    """[Point], sizes ascending."""
    runs = table[(table["series"] == series) & (table["family"] == family)]
    unit = pairing.unit_columns(table[table["series"] == series])
    points = []
    for (places, label), mine in runs.groupby(["bytes", "algorithm"]):
        logs = pairing.unit_means(mine, log_counts(mine, "nodes_created"), unit)
        points.append(Point(
            places, wilson(int(mine["decided"].sum()), len(mine)), geometric_ratio(logs),
            pairing.ratio(table, series, "nodes_created", label, reference).full,
            int((~mine["decided"]).sum())))
    return points


def series_figure(table, series, reference, colours):
    figure, axes = style.new_figure(2, 9.6, 3.4)
    names = pairing.families(table[table["series"] == series])
    for i, family in enumerate(names):
        points = curve(table, series, family, reference)
        # Curves that coincide stay visible: each a little to the side of the one before.
        x = [p.bytes / 1024 * 1.06 ** (i - len(names) / 2) for p in points]
        for axis, value in ((axes[0][0], lambda p: p.solved), (axes[0][1], lambda p: p.ratio)):
            axis.plot(x, [value(p).value for p in points], color=colours[family], linewidth=1.5,
                      marker="o", markersize=3.4, label=family)
            axis.vlines(x, [value(p).low for p in points], [value(p).high for p in points],
                        color=colours[family], alpha=0.35, linewidth=1)
    for axis, title in zip(axes[0], ("Share solved", f"Nodes over {reference}")):
        axis.set_xscale("log", base=2)
        axis.xaxis.set_major_formatter(lambda kib, _: f"{kib:,.0f}")
        axis.set_xlabel("table, KiB")
        axis.set_title(title)
    axes[0][0].set_ylim(-0.03, 1.03)
    axes[0][1].set_yscale("log")
    style.log_axis(axes[0][1].yaxis, style.ratio_text)
    axes[0][1].legend(frameon=False, fontsize=8)
    figure.subplots_adjust(wspace=0.2)
    return style.svg(figure, f"{series} against the size of the table")


def series_table(table, series, reference):
    rows = []
    for family in pairing.families(table[table["series"] == series]):
        for point in curve(table, series, family, reference):
            rows.append([page.escape(family), f"{point.bytes // 1024:,}",
                         f"{100 * point.solved.value:.0f} %",
                         page.with_range(*(style.short_number(x) for x in (
                             point.nodes.value, point.nodes.low, point.nodes.high))),
                         page.with_range(*(style.ratio_text(x) for x in (
                             point.ratio.value, point.ratio.low, point.ratio.high)))])
    return page.table(["replacement", "table,<br>KiB", "solved", "nodes,<br>geometric mean",
                       f"over<br>{page.escape(reference)}"], rows)


def sentence(table, series, reference):
    """The smallest table of each family with which everything was solved."""
    parts = []
    for family in pairing.families(table[table["series"] == series]):
        enough = [p.bytes for p in curve(table, series, family, reference) if p.undecided == 0]
        least = f"{min(enough) // 1024:,} KiB" if enough else "none of these"
        parts.append(f"{family} {least}")
    return "The smallest table with which every problem was solved: " + "; ".join(parts) + "."


def _series_section(experiment, table, one, colours):
    name, reference = one["name"], experiment.plan["report"]["reference"]
    runs = table[table["series"] == name]
    units = len(runs[pairing.unit_columns(runs)].drop_duplicates())
    return "".join([
        f"<h2>{page.escape(one['title'])}</h2>",
        page.paragraph(f"{units} problems. " + page.escape(sentence(table, name, reference))),
        page.figure(series_figure(table, name, reference, colours),
                    "Left with Wilson's 95 % intervals; right the paired ratios of the nodes with "
                    "theirs (t, on logarithms), runs that were not solved counted at the node "
                    "limit, so that the true ratio is higher."),
        f"<details><summary>Numbers</summary>{series_table(table, name, reference)}</details>"])


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = settings(pairing.frame(experiment))
    colours = dict(zip(pairing.families(table), style.CURVES))
    parts = [_series_section(experiment, table, one, colours)
             for one in pairing.series_with_runs(experiment, table)]
    return page.experiment_section(experiment, claims.judge(experiment, table), parts)


def text(experiment):
    """A short table for the terminal."""
    table = settings(pairing.frame(experiment))
    lines = []
    for one in experiment.series():
        lines += [one["title"],
                  "  " + sentence(table, one["name"], experiment.plan["report"]["reference"])]
    return lines + claims.lines(claims.judge(experiment, table))
