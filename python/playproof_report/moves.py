"""What runs show that recorded the error of the move of the moment, as chapter 5 of Zhang Song's thesis does: means of
time and iterations, over all problems and those whose root is won, and how often that move is wrong."""

import math

import numpy

from . import curve_figures, curves, page, pairing, style
from .labels import place as labels_of_curves
from .statistics import Interval, bootstrap_band, bootstrap_ratio_of_means, wilson

MARKS = (1, 10, 100, 1_000, 10_000, 100_000)  # iterations at which the error is tabulated
COSTS = [("cpu_seconds", "CPU time of a run", style.short_time),
         ("iterations_normalised", "iterations of a run", style.short_number)]

CLAIMS = (
    "Error areas (mean error over log-spaced iterations up to a common horizon, for every tree) "
    "and total rises of a run: ratio of the means over the trees, BCa interval from 10,000 paired "
    "bootstrap samples of its logarithm. Total rises of the mean: of the curve as drawn, the mean over "
    "the trees at 240 log-spaced iterations; jackknife interval (t) of the logarithm.")


def words_on_claims(experiment):
    """How claims on errors are judged, where there are any."""
    return CLAIMS if any(claim["measure"].startswith("error_") for claim in experiment.plan["claims"]) else ""


def recorded(experiment, table, series):
    """The algorithms of a series whose runs have curves, in plan order."""
    there = set(table["algorithm"][(table["series"] == series) & table["key"].isin(experiment.curves)])
    return [label for label in experiment.algorithms(series) if label in there]


def subsets(table):
    """[(title, runs)]: all problems, and those whose root is won."""
    return [("All problems", table), ("Those with a won root", table[table["root_won"]])]


def _title(title, runs, series):
    return f"{title} ({pairing.count_units(runs[runs['series'] == series])})"


def means_figure(table, series, labels, measure, formatter, words, colours):
    """A dot with its interval for each algorithm, all problems and won roots side by side."""
    axes = style.new_panels(2, 3.7, 0.36 * len(labels) + 0.95)
    start, end = math.inf, 0.0
    for axis, (title, runs) in zip(axes, subsets(table)):
        means = {a: pairing.mean_of(runs, series, a, measure) for a in labels}
        axis.set_xscale("log")
        start = min(start, min((m.low for m in means.values() if m.low > 0), default=1) / 3)
        end = max(end, max((m.high for m in means.values() if m.n), default=1))
        for y, name in enumerate(labels):
            mean = means[name]
            if mean.value == 0:  # a log axis has no place for it
                axis.annotate(f"{name}: 0", (0, y), xycoords=("axes fraction", "data"),
                              xytext=(4, 0), textcoords="offset points", va="center", fontsize=9,
                              fontweight="bold", color=style.for_text(colours[name]))
            if not mean.value > 0:
                continue
            axis.barh(y, mean.value, height=0.62, color=colours[name], alpha=0.28, linewidth=0)
            axis.plot([mean.low, mean.high], [y, y], color=colours[name], linewidth=2.2, solid_capstyle="butt")
            axis.plot(mean.value, y, "o", color=colours[name], markersize=5.5)
            axis.annotate(formatter(mean.value), (mean.high, y), xytext=(6, 0), textcoords="offset points",
                          va="center", fontsize=9, fontweight="bold", color=style.for_text(colours[name]),
                          path_effects=style.halo())
        axis.set_yticks(range(len(labels)), labels)
        axis.set_ylim(len(labels) - 0.45, -0.55)
        axis.grid(False, axis="y")
        axis.tick_params(axis="y", length=0)
        axis.set_title(_title(title, runs, series))
        axis.set_xlabel(words)
    for axis in axes:
        axis.set_xlim(start, end * (end / start) ** 0.26)
        style.log_axis(axis.xaxis, formatter)
    return style.svgs(axes, f"{series} {measure} means",
                      f"Mean {words} of each algorithm on {series}, with its interval")


def _errors(experiment, table, series, labels, grid):
    """{label: matrix of units x grid}."""
    rows = {name: pairing.curve_values(experiment, table, series, name,
                                       lambda points, divisor: curves.sample(points, divisor, grid)) for name in labels}
    return {name: numpy.array(list(of.values())) for name, of in rows.items() if of}


def error_figure(experiment, table, series, labels, colours):
    horizon = pairing.horizon(table, series)
    grid = curves.log_grid(horizon)
    axes = style.new_panels(2, 4.3, 3.5)
    for axis, (title, runs) in zip(axes, subsets(table)):
        means, top = {}, 0.0
        for name, matrix in _errors(experiment, runs, series, labels, grid).items():
            mean, low, high = bootstrap_band(matrix, exact_ends=True)
            means[name], top = mean, max(top, float(mean.max()))
            curve_figures.curve(axis, grid, [Interval(*ends, max(2, len(matrix))) for ends in zip(mean, low, high)],
                                {"color": colours[name], "zorder": 2 + (name == experiment.reference(series))})
        axis.set_xscale("log")
        axis.set_xlim(1, horizon)
        axis.set_ylim(0, 1.12 * (top or 1.0))
        share = numpy.log(grid) / math.log(horizon)
        places = labels_of_curves({n: (share, m / axis.get_ylim()[1]) for n, m in means.items()})
        for name, (x, y) in places.items():
            axis.annotate(name, (x, y), xycoords="axes fraction", fontsize=9, fontweight="bold",
                          color=style.for_text(colours[name]), path_effects=style.halo(), zorder=5)
        axis.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
        style.log_axis(axis.xaxis, style.short_number)
        axis.set_title(_title(title, runs, series))
        axis.set_xlabel("iterations")
        axis.set_ylabel("wrong moves")
    return style.svgs(axes, f"{series} error of the interim move",
                      f"Share of wrong moves on {series} against iterations, a curve for each algorithm")


def cost_table(table, series, labels, reference, measure, formatter, colours):
    """(headers, rows): means, medians, ratios to the reference."""
    rows = []
    for name in labels:
        runs = pairing.of(table, series, name)
        row = [page.swatch(name, colours[name]), str(len(runs)), str(int((~runs["decided"]).sum())),
               *(page.ranged(pairing.mean_of(of, series, name, measure), formatter) for _, of in subsets(table)),
               formatter(float(runs[measure].median())) if len(runs) else "-"]
        paired = pairing.ratio(table, series, measure, name, reference)
        rows.append(row + (["1"] * 3 if name == reference else [
            page.ranged(i, style.ratio_text)
            for i in (paired.common, paired.full, ratio_of_means(table, series, measure, name, reference))]))
    return ["", "runs", "undecided", "mean", "mean, won roots", "median",
            f"geometric mean\nratio to {reference},\nboth decided", "the same,\none decided", "ratio of\nmeans"], rows


def ratio_of_means(table, series, measure, subject, base):
    pairs = pairing.known(pairing.pair_runs(table, series, subject, base, [measure, "decided"]))
    return bootstrap_ratio_of_means(*(pairing.unit_means(pairs.units, pairs[measure + side]) for side in ("_s", "_b")))


def error_table(experiment, table, series, labels, colours):
    """(headers, rows): the error over won roots after 1, 10, 100, ... iterations, and the area."""
    won = table[table["root_won"]]
    horizon = pairing.horizon(table, series)
    marks = numpy.array([m for m in MARKS if m <= horizon], dtype=float)
    rows = []
    for name, matrix in _errors(experiment, won, series, labels, marks).items():
        area = numpy.array(list(pairing.curve_values(
            experiment, won, series, name, pairing.error_area(horizon)).values()))
        cells = [page.with_range(f"{m:.3f}", f"{a:.3f}", f"{b:.3f}") for m, a, b in zip(*bootstrap_band(matrix))]
        rows.append([page.swatch(name, colours[name])] + cells + [f"{area.mean():.4f}"])
    return [""] + [f"after {m:,.0f}" for m in marks] + ["mean over log-spaced\niterations"], rows


def ranking(table, series, labels, measure, formatter):
    """[(algorithm, mean), ...], the least first."""
    means = {a: pairing.mean_of(table, series, a, measure).value for a in labels}
    return [(a, formatter(means[a])) for a in sorted((a for a in means if means[a] == means[a]), key=means.get)]


def section(experiment, table, series):
    """What the template draws of a series; nothing without curves."""
    labels, reference = recorded(experiment, table, series), experiment.reference(series)
    if not labels:
        return {}
    runs = table[table["series"] == series]
    questions = runs[["problem", "goal", "root_won"]].drop_duplicates()
    won = wilson(int(questions["root_won"].sum()), len(questions))
    colours = style.colours(labels, reference)
    costs = [{"title": words, "ranking": ranking(table, series, labels, measure, formatter),
              "figure": means_figure(table, series, labels, measure, formatter, words, colours),
              "table": cost_table(table, series, labels, reference, measure, formatter, colours)}
             for measure, words, formatter in COSTS]
    return {"won": f"{won.value:.1%} ({won.low:.0%} to {won.high:.0%})", "costs": costs,
            "undecided": int((~runs["decided"]).sum()),
            "error": error_figure(experiment, table, series, labels, colours),
            "errors": error_table(experiment, table, series, labels, colours)}


def text(experiment, table, series):
    """For the terminal: the error of each algorithm's move after 100 iterations."""
    grid = numpy.array([100.0])
    errors = _errors(experiment, table, series, recorded(experiment, table, series), grid)
    return "wrong moves after 100 iterations: " + ", ".join(
        f"{name} {matrix.mean():.3f}" for name, matrix in errors.items()) if errors else ""
