"""Iterations, nodes and time to solve against playouts a leaf."""

from dataclasses import dataclass

from . import claims, page, pairing, style
from .counts import log_counts
from .pairing import simulated
from .statistics import geometric_ratio
from .shape import number, read_parameters

COUNTS = [("iterations", "Iterations", style.short_number),
          ("nodes_created", "Nodes", style.short_number)]
CPU = ("cpu_seconds", "CPU time", style.short_time)
SIMULATED = ("seconds", "Time on a simulated device", style.short_time)
NO_PLAYOUTS = (0, (3, 2))  # the line of an algorithm that plays none


def measures(table, series):
    """[(column, title, format)] of a series, time last. Where a simulated device has played all playouts their
    CPU time is of no account: a search's own time is what it took beside that."""
    return COUNTS + [SIMULATED if simulated(table[table["series"] == series]) else CPU]


@dataclass
class Point:
    """One algorithm with one number of playouts a leaf, over the problems of a series."""

    playouts: int
    label: str
    mean: object  # Interval: geometric mean of the measure
    step: object  # Interval of the paired ratio to the next smaller number of playouts, or None
    undecided: int


def settings(table):
    """Adds the columns playouts (0: it needs none) and family, its label without " n=..."."""
    played = table.groupby("algorithm")["playouts"].transform("sum") > 0
    return table.assign(
        playouts=[_playouts(read_parameters(text), some) for text, some in zip(table["parameters"], played)],
        family=[label.partition(" n=")[0] for label in table["algorithm"]])


def unfit(_, table):
    """Why the page is not for these runs, or nothing."""
    none = (settings(table)["playouts"] == 0).all()
    return "it draws counts against playouts a leaf, and no algorithm plays any" if none else ""


def _playouts(parameters, played):
    """played: whether the algorithm did; EWS does with every leaf=."""
    if not played and parameters.get("leaf", "playouts") not in ("playouts", "both"):
        return 0
    return int(number(parameters, "playouts")) if "playouts" in parameters else 0


def curve(table, series, family, measure):
    """[Point], playouts ascending."""
    runs = table[(table["series"] == series) & (table["family"] == family)]
    unit = pairing.units_of(table, series)
    labels = dict(sorted(set(zip(runs["playouts"], runs["algorithm"]))))
    points, before = [], None
    for playouts, label in labels.items():
        mine = runs[runs["algorithm"] == label]
        logs = pairing.unit_means(mine, log_counts(mine, measure), unit)
        step = pairing.ratio(table, series, measure, label, before).full if before else None
        points.append(Point(playouts, label, geometric_ratio(logs), step,
                            int((~mine["decided"]).sum())))
        before = label
    return points


def last_gain(points):
    """The largest number of playouts that is better than the next smaller one beyond doubt, and
    before which no step was in doubt: more stop helping there. None if the first step already
    was."""
    best = None
    for point in points[1:]:
        if not point.step.high < 1:
            break
        best = point
    return best


def least(points):
    return min(points, key=lambda point: point.mean.value)


def curves(table, series):
    """{family: {measure: [Point]}}, in plan order."""
    return {family: {measure: curve(table, series, family, measure)
                     for measure, _, _ in measures(table, series)}
            for family in pairing.families(table[table["series"] == series])}


def series_figure(series, found, looks, measured):
    """found: as curves() makes it; measured: as measures() does."""
    axes = style.new_panels(len(measured), 3.4, 3.2)
    for axis, one in zip(axes, measured):
        _panel(axis, found, looks, one, one[1])
    return style.svgs(axes, f"{series} against playouts a leaf",
                      f"Means on {series} against playouts a leaf, a curve for each algorithm")


def headline(found_of, looks):
    """[pictures]: the time against playouts a leaf on the first series. found_of: {title: (of curves(), time)}."""
    shown = dict(list(found_of.items())[:style.MOST_HEADLINES])
    axes = style.new_panels(len(shown), 3.4, 2.8)
    for axis, (title, (found, time)) in zip(axes, shown.items()):
        _panel(axis, found, looks, time, title)
        axis.set_ylabel(time[1])
    return style.svgs(axes, "time against playouts a leaf", "Mean time against playouts a leaf, a curve for each algorithm")


def _panel(axis, found, looks, measured, title):
    """measured: one of measures()."""
    measure, _, formatter = measured
    for family, of_family in found.items():
        points, look = of_family[measure], looks[family]
        n = [p.playouts for p in points]
        if n == [0]:
            axis.axhline(points[0].mean.value, color=look["color"], linewidth=1.2,
                         linestyle=NO_PLAYOUTS, label=f"{family}, no playouts")
            continue
        axis.fill_between(n, [p.mean.low for p in points], [p.mean.high for p in points],
                          color=look["color"], alpha=0.15, linewidth=0)
        axis.plot(n, [p.mean.value for p in points], linewidth=1.8, label=family, **look)
        for point in points:
            axis.plot(point.playouts, point.mean.value, "o", markersize=3.6, color=look["color"],
                      markerfacecolor="white" if point.undecided else look["color"])
    axis.set_xscale("log", base=4)
    axis.set_yscale("log")
    axis.xaxis.set_major_formatter(lambda n, _: f"{n:,.0f}")
    axis.set_xlabel("playouts a leaf")
    axis.set_title(title)
    style.log_axis(axis.yaxis, formatter)


def legend(found, looks):
    """[(label, colour, dashes)] of the curves, as the page has it below them."""
    rows = []
    for family, of_family in found.items():
        alone = [p.playouts for p in of_family["iterations"]] == [0]
        rows.append((f"{family}, no playouts" if alone else family, looks[family]["color"],
                     style.dashes(NO_PLAYOUTS if alone else looks[family]["linestyle"])))
    return rows


def series_table(family, of_family, measured):
    """(name, headers, rows); of_family: {measure: [Point]}."""
    curves_of = [of_family[measure] for measure, _, _ in measured]
    rows = []
    for points in zip(*curves_of):
        row = [f"{points[0].playouts:,}"]
        for point, (_, _, formatter) in zip(points, measured):
            row.append(page.ranged(point.mean, formatter))
            row.append("-" if point.step is None else page.ranged(point.step, style.ratio_text))
        rows.append(row + [str(points[0].undecided)])
    heads = ["playouts\na leaf"]
    for _, title, _ in measured:
        heads += [f"{title.lower() if title != 'CPU time' else title},\ngeometric mean",
                  "over the\nline above"]
    return family, heads + ["undecided"], rows


def sentence(family, of_family):
    """What the curves of one algorithm say."""
    iterations = of_family["iterations"]
    column, title, _ = CPU if "cpu_seconds" in of_family else SIMULATED
    best = least(of_family[column])
    time = title[0].lower() + title[1:] if column == "seconds" else title
    if len(iterations) == 1:
        return (f"{family}: {style.short_number(iterations[0].mean.value)} iterations, "
                f"{style.short_time(best.mean.value)} of {time}.")
    gain = last_gain(iterations)
    text = family + ": "
    if gain is None:
        text += "more playouts save no iterations beyond doubt; "
    else:
        first, last = iterations[0], gain
        text += (f"more playouts save iterations up to {last.playouts:,} a leaf "
                 f"({style.short_number(first.mean.value)} with {first.playouts:,}, "
                 f"{style.short_number(last.mean.value)} with {last.playouts:,}); ")
    return text + (f"the least {time} is {style.short_time(best.mean.value)} with "
                   f"{best.playouts:,} (chosen on these problems, so flattering).")


def _series(table, one, found, looks):
    name = one["name"]
    measured = measures(table, name)
    return {**pairing.counted(table, one),
            "sentences": [sentence(*of_family) for of_family in found.items()],
            "figure": series_figure(name, found, looks, measured), "legend": legend(found, looks),
            "tables": [series_table(*of_family, measured) for of_family in found.items()]}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = settings(pairing.frame(experiment))
    looks = style.looks(pairing.families(table))
    series = pairing.series_with_runs(experiment, table)
    found = {one["name"]: curves(table, one["name"]) for one in series}
    return page.section(
        "playouts.html", experiment, claims.judge(experiment, table), simulated=pairing.simulators(table),
        headline=headline({one["title"]: (found[one["name"]], measures(table, one["name"])[-1]) for one in series}, looks),
        legend=list({line[0]: line for of in found.values() for line in legend(of, looks)}.values()),
        series=[_series(table, one, found[one["name"]], looks) for one in series])


def text(experiment):
    """A short table for the terminal."""
    table = settings(pairing.frame(experiment))
    lines = []
    for one in experiment.series():
        lines.append(one["title"])
        lines += ["  " + sentence(*of_family) for of_family in curves(table, one["name"]).items()]
    return lines + claims.lines(claims.judge(experiment, table))
