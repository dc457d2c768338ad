"""Algorithms against a reference on any game: who solved what, counts and times with paired ratios,
problem by problem."""

import math

import numpy

from . import claims, page, pairing, style
from .choices import PAIR
from .counts import log_counts
from .statistics import geometric_ratio

# Nodes expanded are one unit for trees and tables; iterations of a table are its entries, and nodes
# created are entries there and children elsewhere (docs/numbers.md).
COST, TIME = "nodes_expanded", "cpu_seconds"  # the first is what is drawn case by case
MEASURES = [("iterations", "Iterations", style.short_number),
            (COST, "Nodes expanded", style.short_number), (TIME, "CPU time", style.short_time)]
MOST_NAMED = 9  # curves of one figure that are told apart
MOST_ROWS = 60  # algorithms of one figure
MOST_CASES = 200  # rows of the table of all cases
WIDEST = 1e6  # ends of intervals beyond it, or below its inverse, say nothing


def cases(table, series):
    """Runs of one series by case (problem, goal, repetition) and algorithm: (nodes expanded,
    decided), two tables in plan order; what was not run is NaN and False."""
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
    """{label: pairing.Paired to the reference}, without the reference; empty if it is not there."""
    return {label: pairing.ratio(table, series, measure, label, reference)
            for label in labels if label != reference and reference in labels}


def bound(paired):
    """What the ratio of runs that met limits is of the true one: "≥", "≤", "~" (neither), ""."""
    return {(False, False): "", (True, False): "≥ ", (False, True): "≤ ", (True, True): "~ "}[
        (paired.may_be_more, paired.may_be_less)]


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
    return foremost(nodes, decided, reference, MOST_NAMED)


def foremost(nodes, decided, reference, most):
    """The reference and those that solved most, with the fewest nodes: at most so many."""
    cost = numpy.log(nodes.clip(lower=0.5)).mean()
    best = sorted(nodes.columns, key=lambda label: (label != reference, -decided[label].sum(),
                                                    cost[label]))[:most]
    return [label for label in nodes.columns if label in best]


def ratio_figure(series, found, reference):
    """found: {measure: ratios()}. Hollow: some of the runs that it rests on met a limit."""
    labels = list(found[COST])
    figure, axes = style.new_figure(len(MEASURES), 9.6, 0.21 * len(labels) + 0.9, sharey=True)
    for axis, (measure, title, _) in zip(axes[0], MEASURES):
        axis.axvline(1, color=style.SOFT, linewidth=0.9)
        axis.set_xscale("log")
        there = {y: found[measure][label] for y, label in enumerate(labels)
                 if not math.isnan(found[measure][label].full.value)}
        for y, paired in there.items():
            interval = paired.full
            if interval.n > 1:
                axis.plot([max(interval.low, 1 / WIDEST), min(interval.high, WIDEST)], [y, y],
                          color=style.INK, linewidth=1.4)
            axis.plot(interval.value, y, "o", markersize=4.2, color=style.INK, markerfacecolor=(
                "white" if paired.censored_subject + paired.censored_base else style.INK))
        values = [1.0] + [paired.full.value for paired in there.values()]
        low, high = axis.get_xlim()  # a wide interval runs out of the picture
        axis.set_xlim(max(low, min(values) / 8), min(high, max(values) * 8))
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
    drawn = ((solved_within(nodes, decided), "Solved with so many nodes expanded", style.short_number),
             (profile(nodes, decided), "Solved with so many times the fewest",
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


def _interval(interval, formatter, mark=""):
    if math.isnan(interval.value):
        return "-"
    if interval.n < 2:  # no spread is known
        return mark + formatter(interval.value)
    return page.with_range(mark + formatter(interval.value),
                           "0" if interval.low < 1 / WIDEST else formatter(interval.low),
                           "∞" if interval.high > interval.value * WIDEST else
                           formatter(interval.high))


def _solved(nodes, decided, label):
    """"11 of 16", of the runs that were made."""
    return f"{int(decided[label].sum())} of {int(nodes[label].notna().sum())}"


def algorithm_table(nodes, decided, of_means, of_ratios):
    """(headers, rows); of_means, of_ratios: {measure: means() or ratios()}. Iterations stand in the
    figure alone: a page is not wider."""
    shown = [each for each in MEASURES if each[0] in of_means]
    rows = []
    for label in nodes.columns:
        row = [label, _solved(nodes, decided, label)]
        for measure, _, formatter in shown:
            row.append(_interval(of_means[measure][label], formatter))
            paired = of_ratios[measure].get(label)
            row.append("-" if paired is None else
                       _interval(paired.full, style.ratio_text, bound(paired)))
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
    """Who solved what, and who needs least. of_ratios: of nodes expanded."""
    made = nodes.notna().all(axis=1)
    everyone = int(decided[made].all(axis=1).sum())
    nobody = int((~decided[made].any(axis=1)).sum())
    counts = decided.sum()
    most = int(counts.max())
    text = f"Solved by every algorithm: {everyone} of {int(made.sum())}, by none: {nobody}. "
    if not made.all():
        text += f"Of {int((~made).sum())} more cases some runs were not made. "
    if most == 0:
        return text.rstrip()
    who = [label for label in nodes.columns if counts[label] == most]
    names = f"{len(who)} of {len(nodes.columns)} algorithms" if len(who) > 4 else ", ".join(who)
    text += f"The most, {most}, by {names}. "
    # A ratio that may be more than it looks says nothing here.
    found = {label: of_ratios[label].full for label in who
             if label in of_ratios and not of_ratios[label].may_be_more}
    fewer = {label: ratio for label, ratio in found.items() if ratio.high < 1}
    if not fewer:
        return text + (f"Of these none expands fewer nodes than {reference} beyond doubt."
                       if of_ratios else "")
    least = min(fewer, key=lambda label: fewer[label].value)
    low, high = (style.ratio_text(x) for x in (fewer[least].low, fewer[least].high))
    return text + (f"Of these {least} expands the fewest nodes, "
                   f"{bound(of_ratios[least])}{style.ratio_text(fewer[least].value)} of {reference} "
                   f"({low} to {high}; chosen on these problems, so flattering).")


def _series(experiment, table, one):
    name, reference = one["name"], experiment.plan["report"]["reference"]
    nodes, decided = cases(table, name)
    # What a choice takes is another algorithm's run.
    chosen = {choice["label"] for choice in experiment.plan.get("choices", [])}
    own = [label for label in nodes.columns if label not in chosen]
    drawn = foremost(nodes, decided, reference, MOST_ROWS)
    labels = list(nodes.columns)
    of_means = {measure: means(table, name, labels, measure) for measure in (COST, TIME)}
    of_ratios = {measure: ratios(table, name, labels, reference, measure)
                 for measure, _, _ in MEASURES}
    seen = {measure: {label: found[label] for label in drawn if label in found}
            for measure, found in of_ratios.items()}
    return {"title": one["title"], "cases": len(nodes), "reference": reference,
            "there": reference in labels, "algorithms": len(labels), "drawn": len(drawn),
            "sentence": sentence(nodes[own], decided[own],
                                 {label: of_ratios[COST][label] for label in own
                                  if label in of_ratios[COST]}, reference),
            "solved": solved_figure(name, nodes[own], decided[own], reference),
            "ratios": ratio_figure(name, seen, reference) if seen[COST] else None,
            "table": algorithm_table(nodes, decided, of_means, of_ratios),
            "by_case": case_table(nodes[own], decided[own]), "shown": min(len(nodes), MOST_CASES)}


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
        found = [ratios(table, one["name"], labels, reference, measure) for measure in (COST, TIME)]
        width = max(map(len, labels))
        lines += [one["title"], f"  {'':{width}} {'solved':>12} {'nodes':>10} {'CPU time':>10}"
                                f"   over {reference}"]
        for label in labels:
            cells = [bound(of[label]) + style.ratio_text(of[label].full.value) if label in of
                     else "-" for of in found]
            solved = _solved(nodes, decided, label)
            lines.append(f"  {label:{width}} {solved:>12} {cells[0]:>10} {cells[1]:>10}")
    return lines + claims.lines(claims.judge(experiment, table))
