"""Ratios to the reference over two numbers that labels end in, where both have many values: "Deep E=3 D=4"."""

import math
from dataclasses import dataclass

import numpy

from . import choices, deep_dfpn, pairing, style
from .counts import log_counts
from .parameters import split

FEWEST = 5  # values of each number; what has fewer are curves (parameters.py)
MEASURES = [("nodes_created", "Nodes"), ("re_entries", "Re-entries (seesaw)")]


@dataclass
class Map:
    """The labels of a grid."""

    name: str
    keys: tuple  # of the numbers to the right and upwards
    labels: dict  # {(x, y): label}

    @property
    def sides(self):
        return [sorted({place[i] for place in self.labels}) for i in (0, 1)]


def found(labels):
    """[Map]"""
    grids = {}
    for label in labels:
        name, up, y, _ = split(label)
        start, right, x, _ = split(name) if up and name else ("", "", math.nan, "")
        if right:
            grids.setdefault((start, right, up), {})[x, y] = label
    every = [Map(start, (right, up), of) for (start, right, up), of in grids.items()]
    return [one for one in every if min(map(len, one.sides)) >= FEWEST]


def relative(table, series, measure, reference):
    """log(measure / measure of the reference): a row a unit, a column a setting; NaN where neither was decided, which
    tells nothing."""
    runs = pairing.without_choices(table[table["series"] == series])
    runs = runs.assign(log=log_counts(runs, measure), known=runs["decided"].astype(float))
    wide = runs.pivot_table(index=choices.CASE, columns="algorithm", values=["log", "known"], sort=False)
    logs, known = wide["log"], wide["known"]
    ratios = logs.sub(logs[reference], axis=0)
    ratios = ratios.where(known.add(known[reference], axis=0) > 0)
    return ratios.groupby(level=pairing.unit_columns(runs), sort=False).mean()


def section(table, series, labels, reference):
    """[{"name", "figure"}], one for each Map."""
    if reference not in labels:
        return []
    return [{"name": f"{' and '.join(one.keys)}{f', {one.name}' if one.name else ''}",
             "figure": figure(table, series, one, reference)} for one in found(labels)]


def figure(table, series, one, reference):
    axes = style.new_panels(len(MEASURES), 4.4, 3.3)
    for axis, (measure, title) in zip(axes, MEASURES):
        axis.set_title(title)
        _draw(axis, one, relative(table, series, measure, reference).mean())
    words = " and ".join(one.keys)
    return style.svgs(axes, f"{series} over {words} {one.name}",
                      f"Ratios to {reference} on {series}, a map over {words}")


def _draw(axis, one, means):
    """means: of the log ratio, by label."""
    from matplotlib.colors import LogNorm
    xs, ys = one.sides
    matrix = numpy.array([[means.get(one.labels.get((x, y)), math.nan) for x in xs] for y in ys])
    if not numpy.isfinite(matrix).any():
        return
    reach = max(0.1, float(numpy.nanmax(numpy.abs(matrix))))
    mesh = axis.pcolormesh(xs, ys, numpy.exp(matrix), cmap="PuOr_r", shading="nearest",
                           norm=LogNorm(numpy.exp(-reach), numpy.exp(reach)))
    low = numpy.unravel_index(numpy.nanargmin(matrix), matrix.shape)
    axis.plot(xs[low[1]], ys[low[0]], "o", markerfacecolor="none", markersize=9, color=style.INK)
    if one.keys == ("E", "D"):
        _hatch(axis, xs, ys)
    axis.grid(visible=False)
    axis.set_xlabel(one.keys[0])
    axis.set_ylabel(one.keys[1])
    bar = axis.figure.colorbar(mesh, ax=axis)
    bar.ax.yaxis.set_major_formatter(lambda x, _: style.ratio_text(x, 2))
    bar.ax.yaxis.set_minor_formatter(lambda x, _: "")


def _edges(centres):
    """Of cells as pcolormesh draws them around their centres."""
    middle = (numpy.array(centres[1:]) + numpy.array(centres[:-1])) / 2
    return numpy.concatenate(([2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]))


def _hatch(axis, es, ds):
    """Over the settings of Deep df-pn whose numbers are at their cap."""
    from matplotlib.patches import Patch, Rectangle
    right, up = _edges(es), _edges(ds)
    capped = [(j, next((i for i, e in enumerate(es) if deep_dfpn.saturated(e, d)), None)) for j, d in enumerate(ds)]
    for j, first in capped:
        if first is not None:
            axis.add_patch(Rectangle(
                (right[first], up[j]), right[-1] - right[first], up[j + 1] - up[j], fill=False,
                hatch="/////", linewidth=0, edgecolor=style.SOFT))
    if any(first is not None for _, first in capped):
        axis.legend(handles=[Patch(facecolor="white", hatch="/////", edgecolor=style.SOFT,
                                   label="E^(D−1) ≥ 2^46: at the cap")],
                    loc="upper left", bbox_to_anchor=(0, -0.14), fontsize=7.5, frameon=False)
