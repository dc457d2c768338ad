"""What pages of kind compare draw against a number that labels end in: "PPN n=16", "inv R=0.40", "16 places table=64KiB".
What stands before it is the name of a curve."""

import math
import re
from dataclasses import dataclass, field

from . import page, pairing, style
from .counts import log_counts
from .statistics import geometric_ratio, wilson

LABEL = re.compile(r"(?:(.*\S) )?([A-Za-z]\w*)=(\d+(?:\.\d+)?)(KiB|MiB|GiB)?")
KIB = {None: 1, "KiB": 1, "MiB": 2**10, "GiB": 2**20}
FEWEST = 3  # values of a number that make a curve
MOST_LINES = 3  # algorithms without the number that are drawn beside curves of other names
FAR = 16  # from the least to the largest value: more is drawn on a logarithmic axis
WITHOUT = (0, (3, 2))  # the line of an algorithm without the number


@dataclass
class Point:
    """One algorithm, over the problems of a series."""

    value: float  # of the number; NaN: it has none
    label: str
    means: dict  # {measure: Interval: geometric mean}, without those that are 0 in every run
    steps: dict  # {measure: Interval of the paired ratio to the next smaller value, or None}
    solved: object  # Interval: share of the problems
    undecided: int


@dataclass
class Numbered:
    """The curves of one number on a series."""

    key: str
    unit: str  # of its values: "KiB" or nothing
    of: dict = field(default_factory=dict)  # {name: [Point]}, values ascending; a single one without: a line

    @property
    def title(self):
        return f"{self.key}, {self.unit}" if self.unit else self.key


def split(label):
    """(name, key, value, unit) of a label that ends in a number; (label, "", NaN, "") of others."""
    found = LABEL.fullmatch(label)
    if not found:
        return label, "", math.nan, ""
    name, key, digits, unit = found.groups()
    return name or "", key, float(digits) * KIB[unit], "KiB" if unit else ""


def numbered(table, series, labels, measured):
    """[Numbered] of a series, in the order of the labels; measured: [(column, title, format)]."""
    parts = {label: split(label) for label in labels}
    names = {}  # {(key, unit): {name: [label]}}
    for label, (name, key, _, unit) in parts.items():
        if key:
            names.setdefault((key, unit), {}).setdefault(name, []).append(label)
    found = []
    for (key, unit), of in names.items():
        if max(map(len, of.values())) < FEWEST:
            continue
        bare = [label for label, part in parts.items() if not part[1]]
        lines = [label for label in bare if label in of or len(bare) <= MOST_LINES]
        one = Numbered(key, unit)
        for name, mine in {**{name or key: mine for name, mine in of.items()}, **{
                (f"{label}, no {key}" if label in of else label): [label] for label in lines}}.items():
            mine = sorted(mine, key=lambda label: parts[label][2])
            one.of[name] = [_point(table, series, label, before, parts[label][2], measured)
                            for before, label in zip([None, *mine], mine)]
        found.append(one)
    return found


def _point(table, series, label, before, value, measured):
    runs = pairing.of(table, series, label)
    unit = pairing.units_of(table, series)
    means = {measure: geometric_ratio(pairing.unit_means(runs, log_counts(runs, measure), unit))
             for measure, _, _ in measured if (runs[measure] > 0).any()}
    steps = {measure: pairing.ratio(table, series, measure, label, before).full if before else None
             for measure in means}
    solved = pairing.unit_means(runs, runs["decided"].astype(float), unit)
    return Point(value, label, means, steps, wilson(float(solved.sum()), len(solved)), int((~runs["decided"]).sum()))


def section(table, series, labels, measured):
    """What the template draws of a series: [{"key", "figure", "legend", "tables", "sentences"}]."""
    made = []
    for one in numbered(table, series, labels, measured):
        looks = style.looks(one.of)
        counted = [each for each in measured if any(each[0] in p.means for points in one.of.values() for p in points)]
        made.append({"key": one.title, "figure": figure(series, one, looks, counted), "legend": legend(one, looks),
                     "tables": [values(name, points, one, counted) for name, points in one.of.items()],
                     "sentences": sentences(one, counted)})
    return made


def sentences(one, measured):
    """What the curves say, one each that says something."""
    return [text for text in (sentence(name, points, one, measured) for name, points in one.of.items()) if text]


def is_line(points):
    return math.isnan(points[0].value)


def figure(series, one, looks, measured):
    """[pictures]: each measure, and the share solved where not everything was."""
    shares = any(point.undecided for points in one.of.values() for point in points)
    axes = style.new_panels(len(measured) + shares, 3.4, 3.0)
    for axis, (measure, title, formatter) in zip(axes, measured):
        _panel(axis, one, looks, lambda point, measure=measure: point.means.get(measure))
        axis.set_title(title)
        axis.set_yscale("log")
        style.log_axis(axis.yaxis, formatter)
    if shares:
        _panel(axes[-1], one, looks, lambda point: point.solved, band=False)
        axes[-1].set_title("Share solved")
        axes[-1].set_ylim(-0.03, 1.03)
    return style.svgs(axes, f"{series} against {one.key}", f"{series} against {one.title}, a curve for each name")


def _panel(axis, one, looks, interval, band=True):
    """interval: of a Point, nothing where it has none; band: as such, for intervals that are not all alike."""
    values_seen = sorted({point.value for points in one.of.values() for point in points if not is_line(points)})
    for name, points in one.of.items():
        points = [point for point in points if interval(point) is not None]
        look, drawn = looks[name], [interval(point) for point in points]
        if not points:
            continue
        if is_line(points):
            axis.axhline(drawn[0].value, color=look["color"], linewidth=1.2, linestyle=WITHOUT)
            continue
        x = [point.value for point in points]
        if band:
            axis.fill_between(x, [i.low for i in drawn], [i.high for i in drawn], color=look["color"], alpha=0.12,
                              linewidth=0)
        axis.plot(x, [i.value for i in drawn], linewidth=1.7, **look)
        for point, i in zip(points, drawn):
            axis.plot(point.value, i.value, "o", markersize=3.4, color=look["color"],
                      markerfacecolor="white" if point.undecided else look["color"])
    if values_seen[0] > 0 and values_seen[-1] >= FAR * values_seen[0]:
        axis.set_xscale("log", base=4 if values_seen[-1] >= FAR**2 * values_seen[0] else 2)
        axis.minorticks_off()
    axis.xaxis.set_major_formatter(lambda x, _: f"{x:,.6g}")
    axis.set_xlabel(one.title)


def legend(one, looks):
    """[(label, colour, dashes)]"""
    return [(name, looks[name]["color"], style.dashes(WITHOUT if is_line(points) else looks[name]["linestyle"]))
            for name, points in one.of.items()]


def values(name, points, one, measured):
    """(name, headers, rows): means, and ratios to the line above."""
    rows = []
    for point in points:
        row = ["-" if math.isnan(point.value) else f"{point.value:,.6g}"]
        for measure, _, formatter in measured:
            row.append(page.ranged(point.means[measure], formatter) if measure in point.means else "0")
            step = point.steps.get(measure)
            row.append("-" if step is None else page.ranged(step, style.ratio_text))
        rows.append([*row, f"{100 * point.solved.value:.0f} %", str(point.undecided)])
    heads = [one.title]
    for _, title, _ in measured:
        heads += [f"{title if title == 'CPU time' else title.lower()},\ngeometric mean", "over the\nline above"]
    return name, [*heads, "share\nsolved", "undecided"], rows


def last_gain(points, measure):
    """The largest value that is better than the next smaller one beyond doubt, and before which no step was in doubt: more
    stop helping there. None if the first step already was."""
    best = None
    for point in points[1:]:
        if not point.steps[measure].high < 1:
            break
        best = point
    return best


def sentence(name, points, one, measured):
    """What a curve says; empty of a line."""
    if len(points) < FEWEST:
        return ""
    (first, _, first_format), (time, title, formatter) = measured[0], measured[-1]
    parts = []
    gain = last_gain(points, first)
    if gain is not None:
        parts.append(f"a larger {one.key} saves {measured[0][1].lower()} up to {gain.value:,.6g} "
                     f"({first_format(points[0].means[first].value)} with {points[0].value:,.6g}, "
                     f"{first_format(gain.means[first].value)} with {gain.value:,.6g})")
    best = min(points, key=lambda point: point.means[time].value)
    words = title if title == "CPU time" else title[0].lower() + title[1:]
    parts.append(f"the least {words} is {formatter(best.means[time].value)} with {best.value:,.6g}")
    enough = [point.value for point in points if not point.undecided]
    if any(point.undecided for point in points):
        parts.append(f"everything is solved from {min(enough):,.6g} on" if enough == [
            point.value for point in points[len(points) - len(enough):]] and enough else
            f"{one.key} decides what is solved: {points[0].solved.value:.0%} with {points[0].value:,.6g}, "
            f"{points[-1].solved.value:.0%} with {points[-1].value:,.6g}")
    return f"{name}: {'; '.join(parts)}."
