"""The figures of chapter 5 of Zhang Song's thesis: search time, iterations, error of the move."""

import math

import numpy

from . import claims, curves, page, pairing, style
from .labels import place as labels_of_curves
from .statistics import bootstrap_band, bootstrap_ratio_of_means, wilson

# Which figures of the thesis the first and the second series answer.
FIGURES = [("5-7", "5-8", "5-9"), ("5-10", "5-11", "5-12")]
MARKS = (1, 10, 100, 1_000, 10_000, 100_000)  # iterations at which the error is tabulated

CURVE_CLAIMS = (
    "Error areas (mean error over log-spaced iterations up to a common horizon, for every tree) "
    "and total rises of a run: ratio of the means over the trees, BCa interval from 10,000 paired "
    "bootstrap samples of its logarithm. Total rises of the mean: of the curve as drawn, the mean over "
    "the trees at 240 log-spaced iterations; jackknife interval (t) of the logarithm.")


def subsets(table):
    """[(title, runs)]: all problems, and those whose root is won."""
    return [("All trees", table), ("Trees with a won root", table[table["root_won"]])]


def unfit(_, table):
    """Why the page is not for these runs, or nothing."""
    games = table["game"] if "game" in table else table["series"][:0]
    others = table[~games.str.startswith("pgame:")] if len(games) else table[:0]
    if others.empty:
        return ""
    first = others.iloc[0]
    return f"it draws the thesis' figures of P-games, and series '{first['series']}' is {first['game']}"


def _units(table, series):
    return pairing.count_units(table[table["series"] == series])


def means_figure(experiment, table, series, measure, formatter, label, colours):
    """A dot with its interval for each algorithm, all trees and won roots side by side."""
    labels = experiment.algorithms(series)
    axes = style.new_panels(2, 3.7, 0.36 * len(labels) + 0.95)
    start, end = math.inf, 0.0
    for axis, (title, runs) in zip(axes, subsets(table)):
        means = {a: pairing.mean_of(runs, series, a, measure) for a in labels}
        axis.set_xscale("log")
        start = min(start, min((m.low for m in means.values() if m.low > 0), default=1) / 3)
        end = max(end, max((m.high for m in means.values()), default=1))
        for y, name in enumerate(labels):
            mean = means[name]
            if mean.value == 0:  # a log axis has no place for it
                axis.annotate(f"{name}: 0", (0, y), xycoords=("axes fraction", "data"),
                              xytext=(4, 0), textcoords="offset points", va="center", fontsize=9,
                              fontweight="bold", color=style.for_text(colours[name]))
            if not mean.value > 0:
                continue
            axis.barh(y, mean.value, height=0.62, color=colours[name], alpha=0.28, linewidth=0)
            axis.plot([mean.low, mean.high], [y, y], color=colours[name], linewidth=2.2,
                      solid_capstyle="butt")
            axis.plot(mean.value, y, "o", color=colours[name], markersize=5.5)
            axis.annotate(formatter(mean.value), (mean.high, y), xytext=(6, 0),
                          textcoords="offset points", va="center", fontsize=9, fontweight="bold",
                          color=style.for_text(colours[name]), path_effects=style.halo())
        axis.set_yticks(range(len(labels)), labels)
        axis.set_ylim(len(labels) - 0.45, -0.55)
        axis.grid(False, axis="y")
        axis.tick_params(axis="y", length=0)
        axis.set_title(f"{title} ({_units(runs, series)})")
        axis.set_xlabel(label)
    for axis in axes:
        axis.set_xlim(start, end * (end / start) ** 0.26)
        style.log_axis(axis.xaxis, formatter)
    return style.svgs(axes, f"{series} {measure} means",
                      f"Mean {label} of each algorithm on {series}, with its interval")


def _error_curves(experiment, table, series, labels, grid):
    """{label: matrix of units x grid}."""
    def sampled(points, divisor):
        return curves.sample(points, divisor, grid)
    result = {}
    for name in labels:
        rows = pairing.curve_values(experiment, table, series, name, sampled)
        if rows:
            result[name] = numpy.array(list(rows.values()))
    return result


def error_figure(experiment, table, series, colours):
    labels = experiment.algorithms(series)
    horizon = pairing.horizon(table, series)
    grid = curves.log_grid(horizon)
    axes = style.new_panels(2, 4.3, 3.5)
    for axis, (title, runs) in zip(axes, subsets(table)):
        matrices = _error_curves(experiment, runs, series, labels, grid)
        means, top = {}, 0.0
        for name, matrix in matrices.items():
            mean, low, high = bootstrap_band(matrix, exact_ends=True)
            means[name] = mean
            top = max(top, float(mean.max()))
            axis.fill_between(grid, low, high, color=colours[name], alpha=0.16, linewidth=0)
            front = name == experiment.plan["report"]["reference"]
            axis.plot(grid, mean, color=colours[name], linewidth=2.4 if front else 1.6,
                      zorder=3 if front else 2)
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
        axis.set_title(f"{title} ({_units(runs, series)})")
        axis.set_xlabel("iterations")
        axis.set_ylabel("wrong moves")
    return style.svgs(axes, f"{series} error of the interim move",
                      f"Share of wrong moves on {series} against iterations, a curve for each algorithm")


def headline_figure(experiment, table, colours):
    """How many times more than the reference each algorithm needs: the result in one picture."""
    reference = experiment.plan["report"]["reference"]
    measures = [("iterations_normalised", "iterations"), ("cpu_seconds", "time")]
    series = [s for s in experiment.series() if _units(table, s["name"])]
    axes = style.new_panels(len(series), 3.7, 2.7)
    for axis, one in zip(axes, series):
        others = [a for a in experiment.algorithms(one["name"]) if a != reference]
        axis.axvline(1, color=style.REFERENCE, linewidth=1.4)
        axis.set_xscale("log")
        for y, name in enumerate(others):
            for offset, (measure, word) in zip((-0.17, 0.17), measures):
                full = pairing.ratio(table, one["name"], measure, name, reference).full
                if full.n == 0:
                    continue
                face = colours[name] if word == "iterations" else "white"
                axis.plot([full.low, full.high], [y + offset] * 2, color=colours[name],
                          linewidth=1.8, solid_capstyle="butt")
                axis.plot(full.value, y + offset, "o", color=colours[name], markersize=6,
                          markerfacecolor=face, markeredgewidth=1.6)
                axis.annotate(f"{style.ratio_text(full.value, 2)} {word}", (full.high, y + offset),
                              xytext=(6, 0), textcoords="offset points", va="center", fontsize=8.5,
                              color=style.for_text(colours[name]), path_effects=style.halo())
        axis.set_yticks(range(len(others)), others)
        axis.set_ylim(len(others) - 0.5, -0.5)
        axis.grid(False, axis="y")
        axis.tick_params(axis="y", length=0)
        axis.set_title(one["title"])
        axis.set_xlabel(f"times {reference}'s (left of the line: better than {reference})")
    left = min((axis.get_xlim()[0] for axis in axes), default=1.0)
    right = max((axis.get_xlim()[1] for axis in axes), default=1.0)
    for axis in axes:
        axis.set_xlim(left, right * (right / left) ** 0.36)
        style.log_axis(axis.xaxis, style.ratio_text)
    return style.svgs(axes, "ratios to the reference",
                      f"Iterations and time of each algorithm as ratios to {reference}")


def cost_table(experiment, table, series, measure, formatter, colours):
    """Rows: means, medians, ratios to the reference."""
    reference = experiment.plan["report"]["reference"]
    rows = []
    for name in experiment.algorithms(series):
        runs = pairing.of(table, series, name)
        mean = pairing.mean_of(table, series, name, measure)
        won = pairing.mean_of(table[table["root_won"]], series, name, measure)
        undecided = int((~runs["decided"]).sum())
        row = [page.swatch(name, colours[name]), str(len(runs)), str(undecided),
               page.ranged(mean, formatter), page.ranged(won, formatter),
               formatter(float(runs[measure].median())) if len(runs) else "-"]
        if name == reference:
            row += ["1"] * 3
        else:
            paired = pairing.ratio(table, series, measure, name, reference)
            row += [page.ranged(i, style.ratio_text)
                    for i in (paired.common, paired.full, _ratio_of_means(table, series, measure,
                                                                          name, reference))]
        rows.append(row)
    return rows


def cost_headers(reference):
    return ["", "runs", "undecided", "mean", "mean, won roots", "median",
            f"geometric mean\nratio to {reference},\nboth decided",
            "the same,\none decided", "ratio of\nmeans"]


def _ratio_of_means(table, series, measure, subject, base):
    unit = pairing.units_of(table, series)
    pairs = pairing.known(
        pairing.pair_runs(table, series, subject, base, [measure, "decided"]))
    means = pairs.groupby(unit)[[measure + "_s", measure + "_b"]].mean()
    return bootstrap_ratio_of_means(means[measure + "_s"], means[measure + "_b"])


def error_table(experiment, table, series, colours):
    """(headers, rows): the error over won roots after 1, 10, 100, ... iterations, and the area."""
    won = table[table["root_won"]]
    horizon = pairing.horizon(table, series)
    marks = numpy.array([m for m in MARKS if m <= horizon], dtype=float)
    labels = experiment.algorithms(series)
    matrices = _error_curves(experiment, won, series, labels, marks)
    rows = []
    for name, matrix in matrices.items():
        mean, low, high = bootstrap_band(matrix)
        area = numpy.array(list(pairing.curve_values(
            experiment, won, series, name, pairing.error_area(horizon)).values()))
        cells = [page.with_range(f"{m:.3f}", f"{a:.3f}", f"{b:.3f}")
                 for m, a, b in zip(mean, low, high)]
        rows.append([page.swatch(name, colours[name])] + cells + [f"{area.mean():.4f}"])
    heads = [""] + [f"after {m:,.0f}" for m in marks] + ["mean over log-spaced\niterations"]
    return heads, rows


def _ranking(experiment, table, series, measure, formatter):
    """[(algorithm, mean), ...], the least first."""
    means = {a: pairing.mean_of(table, series, a, measure).value
             for a in experiment.algorithms(series)}
    ranked = sorted((a for a in means if means[a] == means[a]), key=means.get)
    return [(a, formatter(means[a])) for a in ranked]


def _series(experiment, table, one, colours, thesis):
    name, reference = one["name"], experiment.plan["report"]["reference"]
    runs = table[table["series"] == name]
    questions = runs[["problem", "goal", "root_won"]].drop_duplicates()
    won = wilson(int(questions["root_won"].sum()), len(questions))
    made = {
        "title": one["title"], "thesis": thesis, "trees": len(questions),
        "won": f"{won.value:.1%} ({won.low:.0%} to {won.high:.0%})",
        "undecided": int((~runs["decided"]).sum()), "divisor_note": _divisor_note(runs),
        "by_iterations": _ranking(experiment, table, name, "iterations_normalised",
                                  style.short_number),
        "by_time": _ranking(experiment, table, name, "cpu_seconds", style.short_time),
        "time": means_figure(experiment, table, name, "cpu_seconds", style.short_time,
                             "CPU time of a run", colours),
        "time_rows": cost_table(experiment, table, name, "cpu_seconds", style.short_time, colours),
        "iterations": means_figure(experiment, table, name, "iterations_normalised",
                                   style.short_number, "iterations of a run", colours),
        "iteration_rows": cost_table(experiment, table, name, "iterations_normalised",
                                     style.short_number, colours),
        "cost_headers": cost_headers(reference), "error": ""}
    if set(runs["key"]) & set(experiment.curves):
        made["error"] = error_figure(experiment, table, name, colours)
        made["error_headers"], made["error_rows"] = error_table(experiment, table, name, colours)
    return made


def _divisor_note(runs):
    divided = runs[runs["iteration_divisor"] > 1]
    if divided.empty:
        return ""
    names = ", ".join(dict.fromkeys(divided["algorithm"]))
    divisor = ", ".join(str(d) for d in sorted(set(divided["iteration_divisor"])))
    return (f"Iterations of {names} are divided by the {divisor} branches (the thesis' "
            "accounting: the others expand a whole family of children at once).")


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = pairing.frame(experiment)
    reference = experiment.plan["report"]["reference"]
    labels = list(dict.fromkeys(a["label"] for a in experiment.plan["algorithms"]))
    colours = style.colours(labels, reference)
    figures = FIGURES + [("", "", "")] * len(experiment.series())
    return page.section(
        "thesis5.html", experiment, claims.judge(experiment, table), CURVE_CLAIMS,
        reference=reference, headline=headline_figure(experiment, table, colours),
        series=[_series(experiment, table, one, colours, thesis)
                for one, thesis in zip(experiment.series(), figures) if _units(table, one["name"])])


def text(experiment):
    """A short table for the terminal."""
    table = pairing.frame(experiment)
    lines = []
    for one in experiment.series():
        if _units(table, one["name"]) == 0:
            continue
        lines.append(f"{one['title']} ({_units(table, one['name'])} problems)")
        lines.append(f"  {'':12} {'iterations':>12} {'time':>10} {'undecided':>10} "
                     f"{'error at 100':>13}")
        for name in experiment.algorithms(one["name"]):
            lines.append("  " + _text_row(experiment, table, one["name"], name))
    return lines + claims.lines(claims.judge(experiment, table))


def _text_row(experiment, table, series, name):
    runs = pairing.of(table, series, name)
    iterations = pairing.mean_of(table, series, name, "iterations_normalised").value
    seconds = pairing.mean_of(table, series, name, "cpu_seconds").value
    undecided = int((~runs["decided"]).sum())
    errors = pairing.curve_values(experiment, table, series, name, lambda points, divisor: float(
        curves.sample(points, divisor, numpy.array([100.0]))[0]))
    error = numpy.mean(list(errors.values())) if errors else math.nan
    return (f"{name:12} {iterations:12,.0f} {style.short_time(seconds):>10} {undecided:10} "
            f"{'-' if math.isnan(error) else format(error, '.3f'):>13}")
