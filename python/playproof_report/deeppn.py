"""DeepPN against R, as in figures 3 to 5 of "Deep proof-number search": iterations and nodes
relative to R = 1, and how many cases get better or worse."""

from dataclasses import dataclass

import numpy

from . import claims, counts, page, pairing, style
from .store import read_json

MEASURES = [("iterations", "Iterations"), ("nodes_created", "Nodes")]
NORM_NAMES = {"inv": "inv: 1 − 1/δ", "inv1": "inv1: 1 − 1/(δ+1)"}
NORM_COLOURS = {"inv": "#0072b2", "inv1": "#d55e00"}


@dataclass
class Point:
    """One value of R under one norm against R = 1 of the same norm."""

    r: float
    label: str
    paired: object  # pairing.Paired, with .common and .full
    mean_of_ratios: float  # as the paper draws it: arithmetic, over pairs decided in both
    reduced: int  # cases with less than at R = 1
    increased: int  # cases with more, or undecided where R = 1 was decided
    same: int
    undecided: int


def settings(table):
    """Adds the columns R and norm."""
    parameters = [read_json(text, "parameters") for text in table["parameters"]]
    table = table.assign(R=[float(p["R"]) for p in parameters],
                         norm=[p["norm"] for p in parameters])
    return table


def norms(runs):
    return list(dict.fromkeys(runs["norm"]))


def sweep(table, series, norm, measure):
    """[Point] from R = 1 downwards; empty without a base."""
    runs = table[(table["series"] == series) & (table["norm"] == norm)]
    labels = dict(sorted(set(zip(runs["R"], runs["algorithm"])), reverse=True))
    base = labels.get(1.0)
    if base is None:
        return []
    return [_point(table, series, measure, r, label, base) for r, label in labels.items()]


def _point(table, series, measure, r, label, base):
    pairs = pairing.pair_runs(table, series, label, base, counts.columns(measure) + ["decided"])
    subject, reference = pairs[measure + "_s"], pairs[measure + "_b"]
    lost = pairs["decided_b"] & ~pairs["decided_s"]
    won = pairs["decided_s"] & ~pairs["decided_b"]
    known = pairs["decided_s"] | pairs["decided_b"]
    both = pairs["decided_s"] & pairs["decided_b"]
    ratios = numpy.exp(pairing.log_ratios(pairs, measure))[both]
    return Point(
        r, label, pairing.ratio(table, series, measure, label, base),
        float(ratios.mean()) if len(ratios) else float("nan"),
        reduced=int((known & ~lost & (won | (subject < reference))).sum()),
        increased=int((known & ~won & (lost | (subject > reference))).sum()),
        same=int((both & (subject == reference)).sum()),
        undecided=int((~pairs["decided_s"]).sum()))


def _percent(x, _=None):
    if x != x:
        return "-"
    return f"{100 * x:,.0f} %" if x >= 9.995 else f"{100 * x:.3g} %"


def _r_axis(axis):
    axis.set_xlim(1.02, 0.0)
    axis.set_xticks(numpy.arange(1.0, 0.0, -0.1))
    axis.xaxis.set_major_formatter(lambda r, _: f"{r:.1f}")
    axis.set_xlabel("R: best-first ← → depth-first")


def relative_figure(table, series):
    """Iterations and nodes relative to R = 1."""
    figure, axes = style.new_figure(2, 9.2, 3.5, sharey=True)
    runs = table[table["series"] == series]
    limits = []
    for axis, (measure, title) in zip(axes[0], MEASURES):
        axis.axhline(1, color=style.SOFT, linewidth=0.9)
        drawn = [1.0]
        for norm in norms(runs):
            points = sweep(table, series, norm, measure)
            if not points:
                continue
            colour = NORM_COLOURS.get(norm, style.INK)
            r = [p.r for p in points]
            value = [p.paired.full.value for p in points]
            axis.fill_between(r, [p.paired.full.low for p in points],
                              [p.paired.full.high for p in points], color=colour, alpha=0.15,
                              linewidth=0)
            axis.plot(r, value, color=colour, linewidth=1.8)
            drawn += [v for p in points for v in (p.paired.full.value, p.mean_of_ratios) if v > 0]
            axis.plot(r, [p.mean_of_ratios for p in points], color=colour, linewidth=1.0,
                      linestyle=(0, (3, 2)))
            for point in points:
                axis.plot(point.r, point.paired.full.value, "o", markersize=3.6, color=colour,
                          markerfacecolor="white" if point.undecided else colour)
        axis.set_yscale("log")
        limits.append((min(drawn), max(drawn)))
        axis.set_title(f"{title} relative to R = 1")
        _r_axis(axis)
    low, high = min(a for a, _ in limits), max(b for _, b in limits)
    margin = max((high / low) ** 0.12, 1.15)
    axes[0][0].set_ylim(low / margin, high * margin)  # wide bands may leave the panel
    for axis in axes[0]:
        style.log_axis(axis.yaxis, _percent)
    _name_norms(axes[0][0], table, series)
    figure.subplots_adjust(wspace=0.08)
    return style.svg(figure, f"{series} relative to R = 1")


def _name_norms(axis, table, series):
    """Each norm's name beside its curve: the higher curve's above, the lower one's below, where
    they are farthest apart."""
    curves = {norm: {p.r: p.paired.full.value for p in sweep(table, series, norm, "iterations")}
              for norm in norms(table[table["series"] == series])}
    curves = {norm: points for norm, points in curves.items() if points}
    shared = sorted(set.intersection(*(set(p) for p in curves.values())) - {1.0}) if curves else []
    inner = [r for r in shared if 0.3 <= r <= 0.9] or shared
    if not inner:
        return

    def spread(r):
        values = [points[r] for points in curves.values()]
        return max(values) / min(values)

    at = max(inner, key=spread)
    ranked = sorted(curves, key=lambda norm: curves[norm][at], reverse=True)
    for rank, norm in enumerate(ranked):
        above = rank == 0
        axis.annotate(NORM_NAMES.get(norm, norm), (at, curves[norm][at]),
                      xytext=(0, 9 if above else -9), textcoords="offset points", ha="center",
                      va="bottom" if above else "top", fontsize=9, fontweight="bold",
                      color=NORM_COLOURS.get(norm, style.INK), path_effects=style.halo(), zorder=5)


def cases_figure(table, series):
    """How many cases get better, and how many worse."""
    runs = table[table["series"] == series]
    names = norms(runs)
    figure, axes = style.new_figure(2, 9.2, 2.7, sharey=True)
    for axis, (measure, title) in zip(axes[0], MEASURES):
        for norm in names:
            points = sweep(table, series, norm, measure)[1:]
            colour = NORM_COLOURS.get(norm, style.INK)
            r = [p.r for p in points]
            axis.plot(r, [p.reduced for p in points], color=colour, linewidth=1.8)
            axis.plot(r, [p.increased for p in points], color=colour, linewidth=1.4,
                      linestyle=(0, (3, 2)))
        axis.set_title(title)
        axis.set_ylim(bottom=0)
        axis.yaxis.set_major_locator(style.ticker.MaxNLocator(integer=True))
        _r_axis(axis)
    axes[0][0].plot([], [], color=style.SOFT, linewidth=1.8, label="fewer than at R = 1")
    axes[0][0].plot([], [], color=style.SOFT, linewidth=1.4, linestyle=(0, (3, 2)), label="more")
    axes[0][0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncol=2, frameon=False,
                      fontsize=8.5, borderaxespad=0.2)
    axes[0][0].set_ylabel("cases")
    figure.subplots_adjust(wspace=0.08)
    return style.svg(figure, f"{series} reducing and increasing cases")


def sweep_table(table, series, norm):
    """(name, headers, rows)."""
    rows = []
    iterations = sweep(table, series, norm, "iterations")
    nodes = sweep(table, series, norm, "nodes_created")
    for i, n in zip(iterations, nodes):
        mean = pairing.mean_of(table, series, i.label, "iterations")
        mean_nodes = pairing.mean_of(table, series, i.label, "nodes_created")
        row = [f"{i.r:.2f}", style.short_number(mean.value)]
        row += [_relative(i), _percent(i.mean_of_ratios), f"{i.reduced} / {i.increased}",
                style.short_number(mean_nodes.value), _relative(n), _percent(n.mean_of_ratios),
                f"{n.reduced} / {n.increased}", str(i.undecided)]
        rows.append(row)
    ratios = ["relative,\ngeometric mean", "mean of\nratios", "fewer /\nmore"]
    heads = ["R", "iterations,\nmean", *ratios, "nodes,\nmean", *ratios, "undecided"]
    return NORM_NAMES.get(norm, norm), heads, rows


def _relative(point):
    full = point.paired.full
    bound = "≥ " if point.undecided and point.paired.censored_subject else ""
    return page.with_range(bound + _percent(full.value), _percent(full.low), _percent(full.high))


def _best(table, series, norm):
    points = [p for p in sweep(table, series, norm, "iterations") if p.paired.full.n]
    return min(points, key=lambda p: p.paired.full.value) if points else None


def _best_sentence(best, norm):
    name = NORM_NAMES.get(norm, norm)
    if best is None:
        return ""
    if best.r == 1.0:
        return f"With {name} no R needs fewer iterations than R = 1."
    full = best.paired.full
    return (f"With {name} the best R is {best.r:.2f}: {_percent(full.value)} of the iterations of "
            f"R = 1 (95 % interval {_percent(full.low)} to {_percent(full.high)}; chosen on these "
            "cases, so flattering).")


def _series(table, one):
    name = one["name"]
    runs = table[table["series"] == name]
    return {"title": one["title"], "runs": len(runs), "undecided": int((~runs["decided"]).sum()),
            "cases": len(runs[pairing.unit_columns(runs)].drop_duplicates()),
            "sentence": " ".join(_best_sentence(_best(table, name, norm), norm)
                                 for norm in norms(runs)),
            "relative": relative_figure(table, name), "cases_figure": cases_figure(table, name),
            "tables": [sweep_table(table, name, norm) for norm in norms(runs)]}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = settings(pairing.frame(experiment))
    return page.section("deeppn.html", experiment, claims.judge(experiment, table),
                        series=[_series(table, one)
                                for one in pairing.series_with_runs(experiment, table)])


def text(experiment):
    """A short table for the terminal."""
    table = settings(pairing.frame(experiment))
    lines = []
    for one in experiment.series():
        runs = table[table["series"] == one["name"]]
        lines.append(one["title"])
        for norm in norms(runs):
            best = _best(table, one["name"], norm)
            if best is not None:
                full = best.paired.full
                lines.append(f"  {norm:5} best R = {best.r:.2f}: {_percent(full.value)} of the "
                             f"iterations of R = 1 [{_percent(full.low)}, {_percent(full.high)}]")
    return lines + claims.lines(claims.judge(experiment, table))
