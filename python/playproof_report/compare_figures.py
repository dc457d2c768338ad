"""The figures of kind compare, a picture for each panel: pages lay them out side by side or stacked."""

import math
import textwrap

from . import style
from .shape import TIMES

WIDEST = 1e6  # ends of intervals beyond it, or below its inverse, say nothing
MOST_SCATTERED = 8  # algorithms against the reference
PANEL = 3.3  # inches
MARKS = {False: "all runs decided", True: "some runs met a limit"}


def ratio_panels(series, measures, found, reference):
    """A picture a measure; found: {measure: {label: pairing.Paired}}. Hollow: some of the runs that it
    rests on met a limit."""
    return [_ratios(series, measure, title, found[measure], reference) for measure, title, _ in measures]


def _ratios(series, measure, title, found, reference):
    figure, ((axis,),) = style.new_figure(1, PANEL, 0.24 * len(found) + 0.75)
    axis.axvline(1, color=style.SOFT, linewidth=0.9)
    axis.set_xscale("log")
    there = {y: paired for y, paired in enumerate(found.values()) if not math.isnan(paired.full.value)}
    for y, paired in there.items():
        _dot(axis, y, paired)
    values = [1.0] + [paired.full.value for paired in there.values()]
    low, high = axis.get_xlim()  # a wide interval runs out of the picture
    axis.set_xlim(max(low, min(values) / 8), min(high, max(values) * 8))
    axis.set_title(title)
    axis.set_xlabel(f"times those of {reference}" if measure not in TIMES else f"times that of {reference}")
    style.log_axis(axis.xaxis, style.ratio_text, room=20)
    axis.grid(axis="y", visible=False)
    axis.set_yticks(range(len(found)), list(found))
    axis.set_ylim(len(found) - 0.4, -0.6)
    words = "; ".join(_ratio_words(label, paired.full) for label, paired in found.items())
    return style.svg(figure, f"{series}: {measure} over {reference}",
                     f"{title} on {series} as ratios to {reference}: {words}.")


def headline(title, paired, solved, best, time):
    """A picture that says what to use: how many times the time of the one to use the others take.
    paired: {label: pairing.Paired, None of the best}; solved: {label: "11/16"}."""
    figure, ((axis,),) = style.new_figure(1, PANEL, 0.25 * len(paired) + 0.85)
    axis.axvline(1, color=style.REFERENCE, linewidth=1.1)
    axis.set_xscale("log")
    values = [1.0] + [one.full.value for one in paired.values() if one and not math.isnan(one.full.value)]
    for y, one in enumerate(paired.values()):
        if one is None:
            axis.plot(1, y, "o", markersize=5.6, color=style.REFERENCE, label="the one to use")
        elif not math.isnan(one.full.value):
            _dot(axis, y, one)
    axis.set_xlim(min(values) / 3, max(values) * 3)
    axis.set_title(textwrap.fill(title, 44))
    axis.set_xlabel(textwrap.fill(f"times the {time} of {best}", 50))
    style.log_axis(axis.xaxis, style.ratio_text, room=20)
    axis.grid(axis="y", visible=False)
    axis.set_yticks(range(len(paired)), [f"{label}, {solved[label]}" for label in paired])
    axis.set_ylim(len(paired) - 0.4, -0.6)
    words = "; ".join(f"{best}, the one to use" if one is None else _ratio_words(label, one.full)
                      for label, one in paired.items())
    return style.svg(figure, f"{title}: what to use", f"Times the {time} of {best} on {title}: {words}.")


def _dot(axis, y, paired):
    """A ratio with its interval; hollow where runs met a limit."""
    interval = paired.full
    if interval.n > 1:
        axis.plot([max(interval.low, 1 / WIDEST), min(interval.high, WIDEST)], [y, y],
                  color=style.INK, linewidth=1.4)
    met = bool(paired.censored_subject + paired.censored_base)
    axis.plot(interval.value, y, "o", markersize=4.2, color=style.INK, label=MARKS[met],
              markerfacecolor="white" if met else style.INK)


def _ratio_words(label, interval):
    if math.isnan(interval.value):
        return f"{label} without data"
    text = f"{label} {style.ratio_text(interval.value)}"
    return text if interval.n < 2 else (f"{text}, interval {style.ratio_text(interval.low)} to "
                                        f"{style.ratio_text(interval.high)}")


def scatter_panels(series, nodes, decided, reference, labels):
    """Nodes of every case, each of `labels` against the reference; all on the same axes."""
    both = nodes[[reference, *labels]].clip(lower=0.5)
    low, high = float(both.min().min()), float(both.max().max())
    if not low <= high:  # no runs at all
        return []
    limits = low / 1.6, max(high * 1.6, low * 4)
    return [_scatter(series, both, decided, reference, label, limits) for label in labels]


def _scatter(series, nodes, decided, reference, label, limits):
    figure, ((axis,),) = style.new_figure(1, 2.9, 2.9)
    axis.plot(limits, limits, color=style.SOFT, linewidth=0.9)
    made = nodes[reference].notna() & nodes[label].notna()
    x, y = nodes[reference][made], nodes[label][made]
    left, right = decided[reference][made], decided[label][made]
    for which, by, look in ((left & right, "both", {"marker": "o", "facecolor": style.INK, "alpha": 0.75}),
                            (left & ~right, f"{reference} alone", {"marker": "^", "facecolor": "white"}),
                            (right & ~left, f"{label} alone", {"marker": ">", "facecolor": "white"}),
                            (~left & ~right, "neither", {"marker": "x", "color": style.SOFT})):
        edge = {} if look["marker"] == "x" else {"edgecolor": style.INK}
        axis.scatter(x[which], y[which], s=16, linewidth=0.8, zorder=3, label=f"solved by {by}" if which.any()
                     else None, **look, **edge)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlim(limits)
    axis.set_ylim(limits)
    axis.set_aspect("equal")
    axis.set_title(label)
    axis.set_xlabel(f"nodes of {reference}")
    axis.set_ylabel(f"nodes of {label}")
    for one in (axis.xaxis, axis.yaxis):
        style.log_axis(one, style.short_number, room=20)
    same = left & right
    return style.svg(
        figure, f"{series}: {label} against {reference}, case by case",
        f"Nodes expanded on {series}, {label} against {reference}, one point for each of {len(x)} cases. "
        f"Of the {int(same.sum())} that both solved {label} expands fewer in "
        f"{int((same & (y < x)).sum())}, more in {int((same & (y > x)).sum())}. Solved by {label} alone "
        f"{int((right & ~left).sum())}, by {reference} alone {int((left & ~right).sum())}, by neither "
        f"{int((~left & ~right).sum())}.")
