"""Depth-first proof-number search: settings that search deeper before they turn back, on a grid."""

import numpy
from matplotlib import colors

from . import claims, page, pairing, style
from .counts import log_counts
from .statistics import t_interval
from .store import read_json

MEASURES = [("nodes_created", "Nodes"), ("re_entries", "Re-entries (seesaw)")]
DEEP, WIDE = "Deep df-pn", "1+ε"
COLOURS = {DEEP: style.REFERENCE, WIDE: style.OTHERS[1]}


def settings(table):
    """Adds the columns E and D (NaN unless leaf=deep) and epsilon."""
    parameters = [read_json(text, "parameters") for text in table["parameters"]]
    deep = [p.get("leaf") == "deep" for p in parameters]

    def number(key, mask):
        return [float(p[key]) if m and key in p else numpy.nan for p, m in zip(parameters, mask)]
    return table.assign(E=number("E", deep), D=number("D", deep),
                        epsilon=number("epsilon", [not d for d in deep]))


def own_runs(table, series):
    """Without those that choices repeat."""
    return table[(table["series"] == series) & (table["algorithm"] == table["setting"])]


def relative(table, series, measure, reference):
    """log(measure / measure of the reference): a row a unit, a column a setting; NaN where neither
    was decided, which tells nothing."""
    runs = own_runs(table, series)
    runs = runs.assign(log=log_counts(runs, measure), known=runs["decided"].astype(float))
    wide = runs.pivot_table(index=pairing.PAIR, columns="algorithm", values=["log", "known"],
                            sort=False)
    logs, known = wide["log"], wide["known"]
    ratios = logs.sub(logs[reference], axis=0)
    ratios = ratios.where(known.add(known[reference], axis=0) > 0)
    return ratios.groupby(level=pairing.unit_columns(runs), sort=False).mean()


def grid(table, series, ratios):
    """The mean of the log ratios over D (rows) and E (columns): (Es, Ds, matrix)."""
    runs = own_runs(table, series)
    runs = runs[runs["E"].notna()]
    places = runs.drop_duplicates("algorithm").set_index("algorithm")
    es, ds = sorted(set(places["E"])), sorted(set(places["D"]))
    matrix = numpy.full((len(ds), len(es)), numpy.nan)
    for label, mean in ratios.mean().items():
        if label in places.index:
            matrix[ds.index(places.at[label, "D"]), es.index(places.at[label, "E"])] = mean
    return es, ds, matrix


def epsilon_curve(table, series, ratios):
    """(epsilons, Intervals of the log ratios)."""
    runs = own_runs(table, series)
    runs = runs[runs["epsilon"] > 0]
    places = runs.drop_duplicates("algorithm").sort_values("epsilon")
    return (places["epsilon"].to_numpy(),
            [t_interval(ratios[label].dropna()) for label in places["algorithm"]])


def roughness(rows):
    """Mean absolute difference between neighbours of each row, averaged: of log counts."""
    steps = numpy.abs(numpy.diff(rows, axis=1))
    steps = steps[numpy.isfinite(steps)]
    return float(steps.mean()) if len(steps) else numpy.nan


def climb(cost):
    """Algorithm 1 of the thesis on a table of counts, cost[D - 1][E - 1] (infinite where it was not
    decided): from (2, 2) to the better of the two neighbours with a larger E or D, over a worse one
    if one of its own two neighbours is better than it; ends where both are worse, at the rim, or on
    a flat. Returns (E, D, evaluations)."""
    seen = set()

    def node(e, d):
        if d > len(cost) or e > len(cost[0]):
            return numpy.inf
        seen.add((e, d))
        return cost[d - 1][e - 1]
    e, d, flat = 2, 2, 0
    while flat < 4:
        here = node(e, d)
        right, up = node(e + 1, d), node(e, d + 1)
        e2, d2, value = (e + 1, d, right) if right <= up else (e, d + 1, up)
        if not value <= here and node(e2 + 1, d2) > value and node(e2, d2 + 1) > value:
            break
        if not numpy.isfinite(value):
            break
        flat = flat + 1 if value == here else 0
        e, d = e2, d2
    return e, d, len(seen)


def climbs(table, series, measure="nodes_created"):
    """The hill climbing of each problem: [(problem, E, D, evaluations, count over the best's)]."""
    runs = own_runs(table, series)
    runs = runs[runs["E"].notna()]
    size = int(runs["D"].max()), int(runs["E"].max())
    result = []
    for problem, mine in runs.groupby("problem", sort=False):
        cost = numpy.full(size, numpy.inf)
        for run in mine[mine["decided"]].itertuples():
            cost[int(run.D) - 1][int(run.E) - 1] = getattr(run, measure)
        e, d, evaluations = climb(cost)
        result.append((problem, e, d, evaluations, cost[d - 1][e - 1] / cost.min()))
    return result


def map_figure(table, series, reference):
    figure, axes = style.new_figure(2, 9.4, 3.3)
    for axis, (measure, title) in zip(axes[0], MEASURES):
        es, ds, matrix = grid(table, series, relative(table, series, measure, reference))
        if not numpy.isfinite(matrix).any():
            continue
        reach = max(0.1, float(numpy.nanmax(numpy.abs(matrix))))
        mesh = axis.pcolormesh(es, ds, numpy.exp(matrix), cmap="PuOr_r", shading="nearest",
                               norm=colors.LogNorm(numpy.exp(-reach), numpy.exp(reach)))
        low = numpy.unravel_index(numpy.nanargmin(matrix), matrix.shape)
        axis.plot(es[low[1]], ds[low[0]], "o", markerfacecolor="none", markersize=9,
                  color=style.INK)
        axis.grid(visible=False)
        axis.set_xlabel("E")
        axis.set_title(title)
        bar = figure.colorbar(mesh, ax=axis)
        bar.ax.yaxis.set_major_formatter(lambda x, _: style.ratio_text(x, 2))
        bar.ax.yaxis.set_minor_formatter(lambda x, _: "")
    axes[0][0].set_ylabel("D")
    return style.svg(figure, f"{series} over E and D")


def epsilon_figure(table, series, reference):
    figure, axes = style.new_figure(2, 9.4, 2.8)
    for axis, (measure, title) in zip(axes[0], MEASURES):
        x, found = epsilon_curve(table, series, relative(table, series, measure, reference))
        # An interval without an end, of a single problem, is not drawn.
        ends = numpy.array([(i.value, i.low, i.high) for i in found])
        value, low, high = numpy.exp(numpy.where(numpy.isfinite(ends), ends, numpy.nan)).T
        axis.fill_between(x, low, high, color=COLOURS[WIDE], alpha=0.15, linewidth=0)
        axis.plot(x, value, color=COLOURS[WIDE], linewidth=1.3)
        axis.axhline(1, color=style.SOFT, linewidth=0.8)
        axis.set_yscale("log")
        style.log_axis(axis.yaxis, style.ratio_text)
        axis.set_xlabel("ε")
        axis.set_title(title)
    return style.svg(figure, f"{series} over epsilon")


def ratio_rows(experiment, table, series):
    """The choices and what they reach, over the reference."""
    reference = experiment.plan["report"]["reference"]
    rows = []
    for choice in experiment.plan.get("choices", []):
        if series not in choice["series"]:
            continue
        taken = pairing.of(table, series, choice["label"])
        names = list(dict.fromkeys(taken["setting"]))
        row = [choice["label"],
               ", ".join(names) if len(names) <= 2 else f"{len(names)} settings"]
        for measure, _ in MEASURES:
            full = pairing.ratio(table, series, measure, choice["label"], reference).full
            row.append(page.with_range(*(style.ratio_text(v) for v in
                                         (full.value, full.low, full.high))))
        rows.append(row)
    return rows


def noise_sentence(table, series, reference):
    ratios = relative(table, series, "nodes_created", reference)
    runs = own_runs(table, series)
    along = runs[runs["epsilon"] > 0].drop_duplicates("algorithm").sort_values("epsilon")
    order = list(along["algorithm"])
    wide = roughness(ratios[order].to_numpy()) if len(order) > 1 else numpy.nan
    deep = runs[runs["E"].notna()].drop_duplicates("algorithm")
    steps = []
    for _, row in deep.groupby("D"):
        labels = list(row.sort_values("E")["algorithm"])
        if len(labels) > 1:
            steps.append(roughness(ratios[labels].to_numpy()))
    steps = [step for step in steps if step == step]
    deep_steps = float(numpy.mean(steps)) if steps else numpy.nan
    return (f"From one setting to the next the nodes of a problem change by {_percent(wide)} along "
            f"ε and by {_percent(deep_steps)} along E (mean of |log ratio|).")


def _percent(log):
    return "-" if log != log else f"{100 * (numpy.exp(log) - 1):.1f} %"


def climb_sentence(found):
    if not found:
        return ""
    over = numpy.array([f[4] for f in found])
    over = over[numpy.isfinite(over)]
    exact = int((over < 1 + 1e-12).sum())
    return (f"Hill climbing (the thesis' Algorithm 1, each problem by itself) looks at "
            f"{numpy.mean([f[3] for f in found]):.0f} settings in the mean and ends "
            f"{_percent(float(numpy.log(over).mean()))} above the best of the grid (geometric mean "
            f"over {len(over)} of {len(found)} problems; at the best itself on {exact}).")


def _series(experiment, table, one):
    name, reference = one["name"], experiment.plan["report"]["reference"]
    runs = table[table["series"] == name]
    deep, wide = runs["E"].notna().any(), (runs["epsilon"] > 0).any()
    sentences = [climb_sentence(climbs(table, name)) if deep else "",
                 noise_sentence(table, name, reference) if deep and wide else ""]
    return {"title": one["title"], "runs": len(runs), "undecided": int((~runs["decided"]).sum()),
            "units": len(runs[pairing.unit_columns(runs)].drop_duplicates()),
            "sentences": " ".join(sentences),
            "map": map_figure(table, name, reference) if deep else "",
            "epsilon": epsilon_figure(table, name, reference) if wide else "",
            "rows": ratio_rows(experiment, table, name),
            "headers": ["choice", "settings"] + [f"{title.lower()} over\n{reference}"
                                                 for _, title in MEASURES]}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = settings(pairing.frame(experiment))
    return page.section("depth_first.html", experiment, claims.judge(experiment, table),
                        reference=experiment.plan["report"]["reference"],
                        series=[_series(experiment, table, one)
                                for one in pairing.series_with_runs(experiment, table)])


def text(experiment):
    """A short table for the terminal."""
    table = settings(pairing.frame(experiment))
    lines = []
    for one in experiment.series():
        name = one["name"]
        lines.append(one["title"])
        for choice in experiment.plan.get("choices", []):
            if name in choice["series"]:
                full = pairing.ratio(table, name, "nodes_created", choice["label"],
                                     experiment.plan["report"]["reference"]).full
                lines.append(f"  {choice['label']:24} {style.ratio_text(full.value)} of the nodes "
                             f"[{style.ratio_text(full.low)}, {style.ratio_text(full.high)}]")
    return lines + claims.lines(claims.judge(experiment, table))
