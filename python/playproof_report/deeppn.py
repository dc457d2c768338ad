"""DeepPN against R, as in figures 3 to 6 of "Deep proof-number search": iterations and nodes
relative to R = 1, in every way that the paper could have averaged them, and how many cases get
better or worse."""

from dataclasses import dataclass

import numpy

from . import claims, counts, page, pairing, resampling, style
from .compare import bound
from .pairing import GEOMETRIC, MEAN_OF, OF_MEANS
from .shape import number, read_parameters

MEASURES = [("iterations", "Iterations"), ("nodes_created", "Nodes")]
AVERAGES = [(GEOMETRIC, "geometric mean"), (OF_MEANS, "ratio of the means"),
            (MEAN_OF, "mean of the ratios")]
NORM_NAMES = {"inv": "inv: 1 − 1/δ", "inv1": "inv1: 1 − 1/(δ+1)"}
NORM_COLOURS = {"inv": "#0072b2", "inv1": "#d55e00"}
SMALL = 10  # runs of an experiment of the paper's on Hex
SMALL_SAMPLES = 10_000


@dataclass
class Point:
    """One setting against R = 1: one value of R under one norm, or a search without R."""

    r: float  # NaN: without R
    label: str
    of: dict  # {statistic: pairing.Paired}
    reduced: int  # cases with less than at R = 1
    increased: int  # cases with more, or undecided where R = 1 was decided
    same: int
    undecided: int

    @property
    def paired(self):
        return self.of[GEOMETRIC]


def settings(table):
    """Adds the columns R and norm: NaN and "" of searches that have none."""
    parameters = [read_parameters(text) for text in table["parameters"]]
    return table.assign(R=[number(p, "R") if "R" in p else numpy.nan for p in parameters],
                        norm=[p["norm"] if "norm" in p else "" for p in parameters])


def unfit(experiment, table):
    """Why the page is not for these runs, or nothing."""
    table = settings(table)
    for one in pairing.series_with_runs(experiment, table):
        if not (table[table["series"] == one["name"]]["R"] == 1.0).any():
            return f"it compares with R = 1, and no algorithm with that has runs on series '{one['name']}'"
    return ""


def norms(runs):
    return [norm for norm in dict.fromkeys(runs["norm"]) if norm]


def sweep(table, series, norm, measure):
    """[Point] from R = 1 downwards; empty without a base."""
    runs = table[(table["series"] == series) & (table["norm"] == norm)]
    labels = dict(sorted(set(zip(runs["R"], runs["algorithm"])), reverse=True))
    base = labels.get(1.0)
    if base is None:
        return []
    return [_point(table, series, measure, r, label, base) for r, label in labels.items()]


def without_r(table, series, measure):
    """[Point] of the searches that have no R, against R = 1 of the first norm."""
    runs = table[table["series"] == series]
    base = runs[runs["R"] == 1.0]["algorithm"]
    labels = dict.fromkeys(runs[runs["R"].isna()]["algorithm"])
    return [_point(table, series, measure, numpy.nan, label, base.iloc[0])
            for label in labels if len(base)]


def _point(table, series, measure, r, label, base):
    pairs = pairing.pair_runs(table, series, label, base, counts.columns(measure) + ["decided"])
    subject, reference = pairs[measure + "_s"], pairs[measure + "_b"]
    lost = pairs["decided_b"] & ~pairs["decided_s"]
    won = pairs["decided_s"] & ~pairs["decided_b"]
    known = pairs["decided_s"] | pairs["decided_b"]
    both = pairs["decided_s"] & pairs["decided_b"]
    return Point(
        r, label, {statistic: pairing.ratio(table, series, measure, label, base, statistic)
                   for statistic, _ in AVERAGES},
        reduced=int((known & ~lost & (won | (subject < reference))).sum()),
        increased=int((known & ~won & (lost | (subject > reference))).sum()),
        same=int((both & (subject == reference)).sum()),
        undecided=int((~pairs["decided_s"]).sum()))


@dataclass
class Sweeps:
    """All that is drawn and tabulated of one series."""

    series: str
    of: dict  # {norm: {measure: [Point]}}, R falling
    others: dict  # {measure: [Point]}: searches without R


def sweeps(table, series):
    of = {norm: {measure: sweep(table, series, norm, measure) for measure, _ in MEASURES}
          for norm in norms(table[table["series"] == series])}
    return Sweeps(series, {norm: found for norm, found in of.items() if found["iterations"]},
                  {measure: without_r(table, series, measure) for measure, _ in MEASURES})


def _percent(x):
    if x != x:
        return "-"
    if numpy.isinf(x):
        return "∞"
    return f"{100 * x:,.0f} %" if x >= 9.995 else f"{100 * x:.3g} %"


def _r_text(r):
    """0.40, 0.345."""
    return max(f"{r:.2f}", f"{r:g}", key=len)


# ---- figures -----------------------------------------------------------------------------------


def _r_axis(axis):
    axis.set_xlim(1.03, -0.03)
    axis.set_xticks(numpy.arange(1.0, -0.1, -0.2))
    axis.xaxis.set_major_formatter(lambda r, _: f"{abs(r):.1f}")
    axis.set_xlabel("R: best-first ← → depth-first")


def relative_figure(found):
    """[pictures] of each measure: one each way to average, one of the cases that get better and worse."""
    axes = [style.new_panels(len(AVERAGES) + 1, 2.9, 2.6) for _ in MEASURES]
    drawn = [1.0]
    for row, (measure, title) in zip(axes, MEASURES):
        for axis, (statistic, name) in zip(row, AVERAGES):
            axis.axhline(1, color=style.SOFT, linewidth=0.9)
            for norm, of in found.of.items():
                drawn += _curve(axis, of[measure], statistic, norm)
            drawn += _lines(axis, found.others[measure], statistic)
            axis.set_yscale("log")
            axis.set_title(f"{title}, {name}")
        _cases(row[-1], found, measure, title)
        for axis in row:
            _r_axis(axis)
    _same_height([row[:-1] for row in axes], drawn)
    return [style.svgs(row, f"{found.series} relative to R = 1, {measure}",
                       f"{found.series} relative to R = 1, against R")
            for row, (measure, _) in zip(axes, MEASURES)]


def headline(found_of):
    """[pictures]: iterations against R, as geometric means, of the first series. found_of: {title: Sweeps}."""
    shown = dict(list(found_of.items())[:style.MOST_HEADLINES])
    axes = style.new_panels(len(shown), 3.4, 2.7)
    drawn = [1.0]
    for axis, (title, found) in zip(axes, shown.items()):
        axis.axhline(1, color=style.SOFT, linewidth=0.9)
        for norm, of in found.of.items():
            drawn += _curve(axis, of["iterations"], GEOMETRIC, norm)
        axis.set_yscale("log")
        axis.set_title(title)
        axis.set_ylabel("iterations, over R = 1")
        _r_axis(axis)
    _same_height([axes], drawn)
    return style.svgs(axes, "iterations against R", "Iterations relative to R = 1, against R")


def _curve(axis, points, statistic, norm):
    """Returns the values that are drawn."""
    colour = NORM_COLOURS.get(norm, style.INK)
    r = [p.r for p in points]
    full = [p.of[statistic].full for p in points]
    axis.fill_between(r, [i.low for i in full], [i.high for i in full], color=colour, alpha=0.15,
                      linewidth=0)
    axis.plot(r, [i.value for i in full], color=colour, linewidth=1.6, label=NORM_NAMES.get(norm, norm))
    for point, interval in zip(points, full):
        axis.plot(point.r, interval.value, "o", markersize=3.2, color=colour,
                  markerfacecolor="white" if point.undecided else colour)
    return [i.value for i in full if i.value > 0]


def _lines(axis, points, statistic):
    """Searches without R: a line each, named."""
    for number, point in enumerate(points):
        value = point.of[statistic].full.value
        axis.axhline(value, color=style.INK, linewidth=1.1, linestyle=(0, (4, 2)))
        axis.annotate(point.label, (0.0, value), xytext=(0, -3 - 9 * number), ha="right", va="top",
                      textcoords="offset points", fontsize=7.5)
    return [p.of[statistic].full.value for p in points if p.of[statistic].full.value > 0]


def _same_height(axes, drawn):
    low, high = min(drawn), max(drawn)
    margin = max((high / low) ** 0.12, 1.15)
    for row in axes:
        for axis in row:
            axis.set_ylim(low / margin, high * margin)  # wide bands may leave the panel
            style.log_axis(axis.yaxis, _percent)


def _cases(axis, found, measure, title):
    for norm, of in found.of.items():
        points = of[measure][1:]
        colour = NORM_COLOURS.get(norm, style.INK)
        r = [p.r for p in points]
        axis.plot(r, [p.reduced for p in points], color=colour, linewidth=1.6, label=NORM_NAMES.get(norm, norm))
        axis.plot(r, [p.increased for p in points], color=colour, linewidth=1.3,
                  linestyle=(0, (3, 2)))
    axis.set_title(f"Fewer (—), more (- -) {title.lower()}")
    axis.set_ylabel("cases")
    axis.set_ylim(bottom=0)
    axis.yaxis.set_major_locator(style.ticker.MaxNLocator(integer=True))


def legend(found):
    """[(label, colour, dashes)] of the norms, as the page has it below the pictures."""
    return [(NORM_NAMES.get(norm, norm), NORM_COLOURS.get(norm, style.INK), "") for norm in found.of]


def small_experiments(table, series, label, base, measure):
    """The ratios of the means that experiments of SMALL runs each would have given, drawn from the
    runs that there are."""
    pairs = pairing.known(pairing.pair_runs(table, series, label, base, [measure, "decided"]))
    values = pairs[[measure + "_s", measure + "_b"]].to_numpy(dtype=float)
    if len(values) == 0:
        return numpy.array([numpy.nan])
    means = resampling.smaller_samples(values, SMALL_SAMPLES, SMALL, seed=1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return means[:, 0] / means[:, 1]


def small_figure(table, found):
    """What ten runs of one problem can give; empty where the problems are many."""
    axes = style.new_panels(len(MEASURES), 4.3, 3.0)
    for axis, (measure, title) in zip(axes, MEASURES):
        axis.axhline(1, color=style.SOFT, linewidth=0.9)
        for norm, of in found.of.items():
            points, colour = of[measure], NORM_COLOURS.get(norm, style.INK)
            ends = numpy.array([numpy.quantile(small_experiments(
                table, found.series, p.label, points[0].label, measure), (0.025, 0.5, 0.975))
                for p in points])
            r = [p.r for p in points]
            axis.fill_between(r, ends[:, 0], ends[:, 2], color=colour, alpha=0.18, linewidth=0)
            axis.plot(r, ends[:, 1], color=colour, linewidth=1.6, label=NORM_NAMES.get(norm, norm))
        axis.set_yscale("log")
        axis.set_title(f"{title}: ratio of the means of {SMALL} runs")
        _r_axis(axis)
    limits = [axis.get_ylim() for axis in axes]
    for axis in axes:
        axis.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
        style.log_axis(axis.yaxis, _percent)
    return style.svgs(axes, f"{found.series} in experiments of {SMALL} runs",
                      f"Ratios to R = 1 on {found.series} that experiments of {SMALL} runs would have given, "
                      "against R")


def small_sentence(table, found):
    """For the R that looks best, and which R such experiments would leave in doubt, with the first norm."""
    for of in found.of.values():
        points = of["iterations"]
        known = [p for p in points[1:] if p.paired.full.n]
        if not known:
            continue
        point = min(known, key=lambda p: p.paired.full.value)
        ends = {p.label: numpy.quantile(small_experiments(
            table, found.series, p.label, points[0].label, "iterations"), (0.025, 0.975)) for p in known}
        low, high = ends[point.label]
        doubtful = [_r_text(p.r) for p in known if ends[p.label][0] < 1 < ends[p.label][1]]
        rest = (f" They leave in doubt whether R = {', '.join(doubtful)} is better or worse than R = 1."
                if doubtful else "")
        means = [f"{bound(point.of[statistic])}{_percent(point.of[statistic].full.value)} as {name}"
                 for statistic, name in AVERAGES]
        noise = ("; whether it is better or worse than R = 1 is within the noise of such an "
                 "experiment" if low < 1 < high else "")
        return (f"At {point.label} the iterations are {', '.join(means)} of those at R = 1. Of "
                f"experiments with {SMALL} runs each, drawn from these {point.paired.known}, 95 % "
                f"have a ratio of the means between {_percent(low)} and {_percent(high)}{noise}.{rest}")
    return ""


# ---- tables and words --------------------------------------------------------------------------


def _cells(table, series, point, measure):
    mean = pairing.mean_of(table, series, point.label, measure)
    return [style.short_number(mean.value),
            *(_relative(point.of[statistic]) for statistic, _ in AVERAGES),
            f"{point.reduced} / {point.increased}"]


def _relative(paired):
    full = paired.full
    return page.ranged(full, _percent, bound(paired))


def sweep_table(table, found, norm):
    """(name, headers, rows)."""
    points = found.of[norm]
    return (NORM_NAMES.get(norm, norm), _heads("R"),
            [_row(table, found.series, _r_text(i.r), i, n)
             for i, n in zip(points["iterations"], points["nodes_created"])])


def others_table(table, found):
    return ("searches without R", _heads(""),
            [_row(table, found.series, i.label, i, n)
             for i, n in zip(found.others["iterations"], found.others["nodes_created"])])


def _row(table, series, name, iterations, nodes):
    return [name, *_cells(table, series, iterations, "iterations"),
            *_cells(table, series, nodes, "nodes_created"), str(iterations.undecided)]


def _heads(first):
    ratios = ["geometric\nmean", "ratio of\nmeans", "mean of\nratios", "fewer /\nmore"]
    return [first, "iterations,\nmean", *ratios, "nodes,\nmean", *ratios, "undecided"]


def _best(found, norm):
    points = [p for p in found.of[norm]["iterations"] if p.paired.full.n]
    return min(points, key=lambda p: p.paired.full.value) if points else None


def _best_sentence(best, norm):
    name = NORM_NAMES.get(norm, norm)
    if best is None:
        return ""
    if best.r == 1.0:
        return f"With {name} no R needs fewer iterations than R = 1."
    full = best.paired.full
    return (f"With {name} the best R is {_r_text(best.r)}: {_percent(full.value)} of the iterations "
            f"of R = 1 (geometric mean, 95 % interval {_percent(full.low)} to {_percent(full.high)}; "
            "chosen on these cases, so flattering).")


def _series(table, one, found):
    name = one["name"]
    runs = table[table["series"] == name]
    one_problem = pairing.one_question(runs)
    tables = [sweep_table(table, found, norm) for norm in found.of]
    return {**pairing.counted(table, one),
            "sentence": " ".join(_best_sentence(_best(found, norm), norm) for norm in found.of),
            "relative": relative_figure(found), "legend": legend(found),
            "small": small_figure(table, found) if one_problem else "",
            "small_sentence": small_sentence(table, found) if one_problem else "",
            "tables": tables + ([others_table(table, found)] if found.others["iterations"] else [])}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = settings(pairing.frame(experiment))
    series = pairing.series_with_runs(experiment, table)
    found = {one["name"]: sweeps(table, one["name"]) for one in series}
    return page.section("deeppn.html", experiment, claims.judge(experiment, table),
                        headline=headline({one["title"]: found[one["name"]] for one in series}),
                        legend=list(dict.fromkeys(line for of in found.values() for line in legend(of))),
                        series=[_series(table, one, found[one["name"]]) for one in series])


def text(experiment):
    """A short table for the terminal."""
    table = settings(pairing.frame(experiment))
    lines = []
    for one in experiment.series():
        lines.append(one["title"])
        found = sweeps(table, one["name"])
        for norm in found.of:
            best = _best(found, norm)
            if best is not None:
                full = best.paired.full
                means = ", ".join(f"{name} {_percent(best.of[statistic].full.value)}"
                                  for statistic, name in AVERAGES[1:])
                lines.append(f"  {norm:5} best R = {_r_text(best.r)}: {_percent(full.value)} of the "
                             f"iterations of R = 1 [{_percent(full.low)}, {_percent(full.high)}] "
                             f"({means})")
    return lines + claims.lines(claims.judge(experiment, table))
