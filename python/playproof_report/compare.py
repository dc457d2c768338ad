"""Algorithms against a reference on any game: who solved what, counts and times with paired ratios,
problem by problem."""

import math

import numpy

from . import claims, page, pairing, style
from .choices import PAIR
from .counts import log_counts
from .playouts import MEASURES
from .statistics import geometric_ratio

COST, TIME = "nodes_created", "cpu_seconds"  # the first is what is drawn case by case
MOST_NAMED = 9  # curves of one figure that are told apart
MOST_CASES = 200  # rows of the table of all cases


def cases(table, series):
    """Runs of one series by case (problem, goal, repetition) and algorithm: (nodes, decided), two
    tables in plan order; what was not run is NaN and False."""
    runs = table[table["series"] == series]
    rows = list(dict.fromkeys(zip(*(runs[name] for name in PAIR))))
    labels = list(dict.fromkeys(runs["algorithm"]))
    pivot = runs.set_index(PAIR + ["algorithm"])
    nodes, decided = (pivot[name].unstack().reindex(index=rows, columns=labels)
                      for name in (COST, "decided"))
    return nodes.astype(float), decided.eq(True)


def solved_within(nodes, decided):
    """{label: ascending nodes of what it solved}: the k-th is the limit with which k are solved."""
    return {label: numpy.sort(nodes[label][decided[label]].to_numpy()) for label in nodes}


def profile(nodes, decided):
    """Dolan and Moré's performance profile, {label: ascending factors}: of each case that the
    algorithm solved, its nodes over the least of all that solved it."""
    least = nodes.where(decided).min(axis=1)
    return {label: numpy.sort((nodes[label] / least)[decided[label]].to_numpy())
            for label in nodes}


def ratios(table, series, labels, reference, measure):
    """{label: Interval of the paired ratio to the reference}, without the reference."""
    return {label: pairing.ratio(table, series, measure, label, reference).full
            for label in labels if label != reference}


def means(table, series, labels, measure):
    """{label: Interval: geometric mean over the problems}; undecided runs count what they used."""
    unit = pairing.units_of(table, series)
    found = {}
    for label in labels:
        runs = pairing.of(table, series, label)
        found[label] = geometric_ratio(pairing.unit_means(runs, log_counts(runs, measure), unit))
    return found


def named(nodes, decided, reference):
    """Those whose curves get a colour, in plan order: all if they are few, else the reference and
    those that solved most, with fewest nodes."""
    if len(nodes.columns) <= MOST_NAMED:
        return list(nodes.columns)
    cost = numpy.log(nodes.clip(lower=0.5)).mean()
    best = sorted(nodes.columns, key=lambda label: (label != reference, -decided[label].sum(),
                                                    cost[label]))[:MOST_NAMED - 1]
    return [label for label in nodes.columns if label in best]


def ratio_figure(series, found, partly, reference):
    """found: {measure: ratios()}; partly: labels with undecided runs, whose marks are hollow."""
    labels = list(found[COST])
    figure, axes = style.new_figure(len(MEASURES), 9.6, 0.21 * len(labels) + 0.9, sharey=True)
    for axis, (measure, title, _) in zip(axes[0], MEASURES):
        axis.axvline(1, color=style.SOFT, linewidth=0.9)
        for y, label in enumerate(labels):
            interval = found[measure][label]
            if math.isnan(interval.value):
                continue
            axis.plot([interval.low, interval.high], [y, y], color=style.INK, linewidth=1.4)
            axis.plot(interval.value, y, "o", markersize=4.2, color=style.INK,
                      markerfacecolor="white" if label in partly else style.INK)
        axis.set_xscale("log")
        axis.set_title(title)
        style.log_axis(axis.xaxis, style.ratio_text)
        if numpy.divide(*reversed(axis.get_xlim())) > 20:  # no room for 2 and 5 between the tens
            axis.xaxis.set_major_locator(style.ticker.LogLocator())
        axis.grid(axis="y", visible=False)
    axes[0][0].set_yticks(range(len(labels)), labels)
    axes[0][0].set_ylim(len(labels) - 0.4, -0.6)
    figure.subplots_adjust(wspace=0.09)
    return style.svg(figure, f"{series}: ratios to {reference}")


def _steps(axis, values, total, end, **look):
    """A staircase: the share of all cases at or below each value."""
    if len(values):
        shares = numpy.arange(1, len(values) + 1) / total
        axis.step([values[0], *values, end], [0, *shares, shares[-1]], where="post", **look)


def solved_figure(series, nodes, decided, reference):
    """Left the share solved within so many nodes, right the performance profile."""
    chosen = named(nodes, decided, reference)
    looks = style.looks([reference] * (reference in chosen) + [
        label for label in chosen if label != reference])
    figure, axes = style.new_figure(2, 9.6, 3.5, sharey=True)
    drawn = ((solved_within(nodes, decided), "Solved within so many nodes", style.short_number),
             (profile(nodes, decided), "Solved within so many times the least nodes",
              style.ratio_text))
    for axis, (found, title, formatter) in zip(axes[0], drawn):
        end = max((values[-1] for values in found.values() if len(values)), default=1.0)
        for label in sorted(found, key=lambda label: label in chosen):  # those in colour on top
            look = {"linewidth": 1.7, "label": label, **looks[label]} if label in chosen else {
                "linewidth": 0.8, "color": "#bdbdb8"}
            _steps(axis, found[label], len(nodes), end, **look)
        axis.set_xscale("log")
        axis.set_ylim(-0.02, 1.04)
        axis.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
        axis.set_title(title)
        style.log_axis(axis.xaxis, formatter)
    handles = dict(zip(*reversed(axes[0][0].get_legend_handles_labels())))
    figure.subplots_adjust(wspace=0.08, bottom=0.27)
    if handles:
        order = [label for label in chosen if label in handles]
        figure.legend([handles[label] for label in order], order, loc="lower center", ncol=3,
                      frameon=False, fontsize=8.5)
    return style.svg(figure, f"{series}: share solved")


def _interval(interval, formatter):
    return "-" if math.isnan(interval.value) else page.with_range(
        *(formatter(x) for x in (interval.value, interval.low, interval.high)))


def algorithm_table(labels, decided, of_means, of_ratios):
    """(headers, rows); of_means, of_ratios: {measure: means() or ratios()}. Iterations stand in the
    figure alone: a page is not wider."""
    shown = [each for each in MEASURES if each[0] in of_means]
    rows = []
    for label in labels:
        row = [label, f"{int(decided[label].sum())} of {len(decided)}"]
        for measure, _, formatter in shown:
            row.append(_interval(of_means[measure][label], formatter))
            ratio = of_ratios[measure].get(label)
            row.append("-" if ratio is None else _interval(ratio, style.ratio_text))
        rows.append(row)
    heads = ["Algorithm", "solved"]
    for _, title, _ in shown:
        heads += [f"{title},\ngeometric mean", "over the\nreference"]
    return heads, rows


def case_table(nodes, decided):
    """(headers, rows): nodes of every case; what was not solved with the nodes that it used."""
    several = len({repetition for _, _, repetition in nodes.index}) > 1
    goals = len({goal for _, goal, _ in nodes.index}) > 1
    rows = []
    for case in nodes.index[:MOST_CASES]:
        problem, goal, repetition = case
        name = problem + (f", {goal}" if goals else "") + (f", {repetition}" if several else "")
        cells = []
        for label in nodes.columns:
            count, solved = nodes.at[case, label], decided.at[case, label]
            text = style.short_number(count)
            cells.append(text if solved or math.isnan(count) else f"> {text}")
        rows.append([name, *cells])
    return ["Problem", *nodes.columns], rows


def sentence(nodes, decided, of_ratios, reference):
    """Who solved what, and who needs least."""
    counts = decided.sum()
    everyone, nobody = int(decided.all(axis=1).sum()), int((~decided.any(axis=1)).sum())
    most = int(counts.max())
    who = [label for label in nodes.columns if counts[label] == most]
    text = (f"Solved by every algorithm: {everyone} of {len(nodes)}, by none: {nobody}. "
            f"The most, {most}, by ")
    text += (f"{len(who)} of {len(nodes.columns)} algorithms. "
             if len(who) > 4 else ", ".join(who) + ". ")
    found = {label: of_ratios[label] for label in who
             if label in of_ratios and not math.isnan(of_ratios[label].value)}
    if not found:
        return text
    least = min(found, key=lambda label: found[label].value)
    ratio = found[least]
    low, high = (style.ratio_text(x) for x in (ratio.low, ratio.high))
    if ratio.value >= 1:
        return text + f"Of these none needs fewer nodes than {reference}."
    return text + (f"Of these {least} needs the fewest nodes, {style.ratio_text(ratio.value)} of "
                   f"{reference} ({low} to {high}; chosen on these problems, so flattering).")


def _series(experiment, table, one):
    name, reference = one["name"], experiment.plan["report"]["reference"]
    nodes, decided = cases(table, name)
    labels = list(nodes.columns)
    of_means = {measure: means(table, name, labels, measure) for measure in (COST, TIME)}
    there = reference in labels
    of_ratios = {measure: ratios(table, name, labels, reference, measure) if there else {}
                 for measure, _, _ in MEASURES}
    partly = {label for label in labels if not decided[label].all()} | (
        set(labels) if there and not decided[reference].all() else set())
    return {"title": one["title"], "cases": len(nodes), "reference": reference,
            "sentence": sentence(nodes, decided, of_ratios[COST], reference),
            "solved": solved_figure(name, nodes, decided, reference),
            "ratios": ratio_figure(name, of_ratios, partly, reference) if of_ratios[COST] else None,
            "table": algorithm_table(labels, decided, of_means, of_ratios),
            "by_case": case_table(nodes, decided), "shown": min(len(nodes), MOST_CASES)}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = pairing.frame(experiment)
    return page.section("compare.html", experiment, claims.judge(experiment, table),
                        series=[_series(experiment, table, one)
                                for one in pairing.series_with_runs(experiment, table)])


def text(experiment):
    """A short table for the terminal."""
    table = pairing.frame(experiment)
    reference = experiment.plan["report"]["reference"]
    lines = []
    for one in pairing.series_with_runs(experiment, table):
        nodes, decided = cases(table, one["name"])
        labels = list(nodes.columns)
        found = {measure: ratios(table, one["name"], labels, reference, measure)
                 if reference in labels else {} for measure in (COST, TIME)}
        width = max(map(len, labels))
        lines += [one["title"], f"  {'':{width}} {'solved':>12} {'nodes':>9} {'CPU time':>9}"
                                f"   over {reference}"]
        for label in labels:
            cells = [style.ratio_text(found[measure][label].value) if label in found[measure]
                     else "-" for measure in found]
            solved = f"{int(decided[label].sum())} of {len(nodes)}"
            lines.append(f"  {label:{width}} {solved:>12} {cells[0]:>9} {cells[1]:>9}")
    return lines + claims.lines(claims.judge(experiment, table))
