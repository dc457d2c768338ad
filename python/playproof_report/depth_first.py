"""Depth-first proof-number search: settings that search deeper before they turn back, on a grid."""

from dataclasses import dataclass

import numpy
from matplotlib import colors, patches

from . import choices, claims, deep_dfpn, page, pairing, style
from .counts import log_counts
from .statistics import geometric_ratio, t_interval

MEASURES = [("nodes_created", "Nodes"), ("re_entries", "Re-entries (seesaw)")]
DEEP, WIDE = "Deep df-pn", "1+ε"
CAP = 2.0 ** 46  # where numbers of unsolved leaves stop (kPhiDeltaCap, kernels/numbers/phi_delta.h)
COLOURS = {DEEP: style.REFERENCE, WIDE: style.OTHERS[1]}


def unfit(experiment, table):
    """Why the page is not for these runs, or nothing."""
    reference = experiment.plan["report"]["reference"]
    for one in pairing.series_with_runs(experiment, table):
        if pairing.of(table, one["name"], reference).empty:
            return (f"it compares with the reference, and '{reference}' has no runs on series "
                    f"'{one['name']}'")
    table = deep_dfpn.settings(table)
    if not (table["E"].notna() | (table["epsilon"] > 0)).any():
        return "it draws leaf=deep and epsilon= of depth-first searches, and no algorithm has them"
    return ""


def own_runs(table, series):
    """Without those that choices repeat."""
    return pairing.without_choices(table[table["series"] == series])


def relative(table, series, measure, reference):
    """log(measure / measure of the reference): a row a unit, a column a setting; NaN where neither
    was decided, which tells nothing."""
    runs = own_runs(table, series)
    runs = runs.assign(log=log_counts(runs, measure), known=runs["decided"].astype(float))
    wide = runs.pivot_table(index=choices.CASE, columns="algorithm", values=["log", "known"],
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


def climbs(table, series, measure="nodes_created"):
    """The hill climbing of each problem: [(problem, E, D, evaluations, count over the best's)]."""
    runs = own_runs(table, series)
    runs = runs[runs["E"].notna()]
    result = []
    for problem, mine in runs.groupby("problem", sort=False):
        cost = deep_dfpn.costs_of(mine, measure)
        if (2, 2) not in cost:
            continue  # where it begins
        e, d, evaluations = deep_dfpn.climb(cost)
        result.append((problem, e, d, evaluations, cost[e, d] / min(cost.values())))
    return result


def saturated(e, d):
    """Whether the leaves below the root have numbers at the cap: then no second-best child bounds the
    first, thresholds are infinite, and what is entered is searched to its end."""
    return e > 1 and (d - 1) * numpy.log2(e) >= numpy.log2(CAP)


def _edges(centres):
    """Of cells as pcolormesh draws them around their centres."""
    middle = (numpy.array(centres[1:]) + numpy.array(centres[:-1])) / 2
    if len(middle) == 0:
        return numpy.array([centres[0] - 0.5, centres[0] + 0.5])
    return numpy.concatenate(([2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]))


def _hatch(axis, es, ds):
    """Over the settings that are saturated()."""
    right, up = _edges(es), _edges(ds)
    any_there = False
    for j, d in enumerate(ds):
        first = next((i for i, e in enumerate(es) if saturated(e, d)), None)
        if first is None:
            continue
        axis.add_patch(patches.Rectangle(
            (right[first], up[j]), right[-1] - right[first], up[j + 1] - up[j], fill=False,
            hatch="/////", linewidth=0, edgecolor=style.SOFT))
        any_there = True
    if any_there:
        axis.legend(handles=[patches.Patch(facecolor="white", hatch="/////", edgecolor=style.SOFT,
                                           label="E^(D−1) ≥ 2^46: at the cap")],
                    loc="upper left", bbox_to_anchor=(0, -0.14), fontsize=7.5, frameon=False)


def map_figure(table, series, reference):
    axes = style.new_panels(2, 4.4, 3.3)
    for axis, (measure, title) in zip(axes, MEASURES):
        axis.set_title(title)
        _map(axis, table, series, measure, reference)
    return style.svgs(axes, f"{series} over E and D",
                      f"Ratios to {reference} on {series}, a map over E and D")


def _map(axis, table, series, measure, reference):
    es, ds, matrix = grid(table, series, relative(table, series, measure, reference))
    if not numpy.isfinite(matrix).any():
        return
    reach = max(0.1, float(numpy.nanmax(numpy.abs(matrix))))
    mesh = axis.pcolormesh(es, ds, numpy.exp(matrix), cmap="PuOr_r", shading="nearest",
                           norm=colors.LogNorm(numpy.exp(-reach), numpy.exp(reach)))
    low = numpy.unravel_index(numpy.nanargmin(matrix), matrix.shape)
    axis.plot(es[low[1]], ds[low[0]], "o", markerfacecolor="none", markersize=9, color=style.INK)
    _hatch(axis, es, ds)
    axis.grid(visible=False)
    axis.set_xlabel("E")
    axis.set_ylabel("D")
    bar = axis.figure.colorbar(mesh, ax=axis)
    bar.ax.yaxis.set_major_formatter(lambda x, _: style.ratio_text(x, 2))
    bar.ax.yaxis.set_minor_formatter(lambda x, _: "")


def headline(table, series, reference):
    """[pictures]: the nodes over those of the reference on the first series, over E and D where there are
    such settings, else against epsilon."""
    shown = series[:style.MOST_HEADLINES]
    axes = style.new_panels(len(shown), 4.4, 3.3)
    for axis, one in zip(axes, shown):
        runs = table[table["series"] == one["name"]]
        (_map if runs["E"].notna().any() else _epsilons)(axis, table, one["name"], "nodes_created", reference)
        axis.set_title(one["title"])
    return style.svgs(axes, "nodes over the reference's", f"Nodes over those of {reference}")


def epsilon_figure(table, series, reference):
    axes = style.new_panels(2, 4.3, 2.8)
    for axis, (measure, title) in zip(axes, MEASURES):
        _epsilons(axis, table, series, measure, reference)
        axis.set_title(title)
    return style.svgs(axes, f"{series} over epsilon",
                      f"Ratios to {reference} on {series}, against epsilon")


def _epsilons(axis, table, series, measure, reference):
    x, found = epsilon_curve(table, series, relative(table, series, measure, reference))
    # An interval without an end, of a single problem, is not drawn.
    ends = numpy.array([(i.value, i.low, i.high) for i in found]).reshape(-1, 3)
    value, low, high = numpy.exp(numpy.where(numpy.isfinite(ends), ends, numpy.nan)).T
    axis.fill_between(x, low, high, color=COLOURS[WIDE], alpha=0.15, linewidth=0)
    axis.plot(x, value, color=COLOURS[WIDE], linewidth=1.3)
    axis.axhline(1, color=style.SOFT, linewidth=0.8)
    axis.set_yscale("log")
    style.log_axis(axis.yaxis, style.ratio_text)
    axis.set_xlabel("ε")


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
            row.append(page.ranged(full, style.ratio_text))
        rows.append(row)
    return rows


# ---- tuned on other problems: how much the split decides ----------------------------------------


@dataclass
class Tuned:
    """A family of settings against another, or against the reference, each tuned on problems that are
    not judged: the ratio of its measure, geometric mean over the problems."""

    name: str
    splits: object  # the ratio of each of choices.SPLITS random halves
    halves: float  # of every other problem, one such split
    left_out: object  # Interval: leave one out

    @property
    def place(self):
        """The share of the splits that have a ratio at least as large as `halves`."""
        return float((self.splits >= self.halves * (1 - 1e-12)).mean())


def families(experiment, series):
    """{settings: a choice of them} of the choices that look at other problems."""
    found = {}
    for choice in experiment.plan.get("choices", []):
        if series in choice["series"] and choice["how"] not in (choices.BEST, choices.CLIMBING):
            found.setdefault(tuple(choice["labels"]), choice)
    return found


def tunings(experiment, table, series):
    """[Tuned]: each family over the reference, and over each later one."""
    runs = own_runs(table, series)
    reference = experiment.plan["report"]["reference"]
    of = list(families(experiment, series).values())
    found = []
    for number, choice in enumerate(of):
        measure = choice["measure"]
        alone = {"labels": [reference], "measure": measure}
        base = choices.costs(runs, alone)[reference]
        found.append(_tuned(runs, choice, measure, f"{_family(choice)} over {reference}",
                            lambda how, logs=base: logs))
        for other in of[number + 1:]:
            found.append(_tuned(runs, choice, measure, f"{_family(choice)} over {_family(other)}",
                                lambda how, other=other: _tuned_logs(runs, other, measure, how)))
    return found


def _family(choice):
    """Its label without the word for the way to choose."""
    return choice["label"].removesuffix(" tuned").removesuffix(" " + choice["how"])


def _tuned_logs(runs, choice, measure, how):
    if how == choices.REPEATED:
        return choices.split_logs(runs, choice, measure)
    return choices.logs_of(runs, choice, measure, how)


def _tuned(runs, choice, measure, name, base):
    """base(how): the logarithms of the other side."""
    unit = pairing.unit_columns(runs)

    def ratios(how):
        return _tuned_logs(runs, choice, measure, how) - base(how)

    of_units = ratios(choices.LEAVE_ONE_OUT).groupby(level=unit, sort=False).mean()
    return Tuned(name, numpy.exp(ratios(choices.REPEATED).T.groupby(level=unit).mean().mean()
                                 ).to_numpy(),
                 float(numpy.exp(ratios(choices.TUNED).groupby(level=unit).mean().mean())),
                 geometric_ratio(of_units))


def splits_figure(series, found):
    axes = style.new_panels(len(found), 3.1, 2.3)
    for axis, tuned in zip(axes, found):
        logs = numpy.log(tuned.splits)
        reach = max(0.02, float(numpy.abs(logs).max()), abs(numpy.log(tuned.halves)),
                    abs(numpy.log(tuned.left_out.value)))
        low, high = min(logs.min(), -0.1 * reach), max(logs.max(), 0.1 * reach)
        axis.hist(tuned.splits, bins=numpy.exp(numpy.linspace(low, high, 41)), color="#b9c7d6")
        axis.axvline(1, color=style.SOFT, linewidth=0.8)
        axis.axvline(tuned.halves, color=COLOURS[WIDE], linewidth=1.6, linestyle=(0, (3, 2)),
                     label="every other problem")
        axis.axvline(tuned.left_out.value, color=style.REFERENCE, linewidth=1.6, label="leave one out")
        axis.axvspan(tuned.left_out.low, tuned.left_out.high, color=style.REFERENCE, alpha=0.1,
                     linewidth=0)
        axis.set_xscale("log")
        axis.set_yticks([])
        axis.set_title(tuned.name)
        style.log_axis(axis.xaxis, style.ratio_text)
    return style.svgs(axes, f"{series}: tuned on random halves",
                      f"How the ratios on {series} vary from split to split, when settings are tuned on one "
                      "half of the problems")


SPLIT_LEGEND = [("every other problem", COLOURS[WIDE], style.dashes((0, (3, 2)))),
                ("leave one out", style.REFERENCE, "")]


SPLIT_HEADERS = ["nodes, tuned on other problems", "every other\nproblem", "splits with\nas much or more",
                 "random halves,\nmedian, 95 % of them", "leave one out,\n95 % interval"]


def split_rows(found):
    rows = []
    for tuned in found:
        low, middle, high = numpy.quantile(tuned.splits, (0.025, 0.5, 0.975))
        rows.append([tuned.name, style.ratio_text(tuned.halves), style.share_text(tuned.place),
                     page.with_range(*(style.ratio_text(v) for v in (middle, low, high))),
                     page.ranged(tuned.left_out, style.ratio_text)])
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
    found = tunings(experiment, table, name)
    sentences = [climb_sentence(climbs(table, name)) if deep else "",
                 noise_sentence(table, name, reference) if deep and wide else ""]
    return {**pairing.counted(table, one),
            "sentences": " ".join(sentences),
            "map": map_figure(table, name, reference) if deep else "",
            "epsilon": epsilon_figure(table, name, reference) if wide else "",
            "rows": ratio_rows(experiment, table, name),
            "splits": splits_figure(name, found) if found else "",
            "split_rows": split_rows(found), "split_headers": SPLIT_HEADERS, "split_legend": SPLIT_LEGEND,
            "headers": ["choice", "settings"] + [f"{title.lower()} over\n{reference}"
                                                 for _, title in MEASURES]}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = deep_dfpn.settings(pairing.frame(experiment))
    reference = experiment.plan["report"]["reference"]
    series = pairing.series_with_runs(experiment, table)
    return page.section("depth_first.html", experiment, claims.judge(experiment, table),
                        reference=reference, headline=headline(table, series, reference),
                        series=[_series(experiment, table, one) for one in series])


def text(experiment):
    """A short table for the terminal."""
    table = deep_dfpn.settings(pairing.frame(experiment))
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
        lines += [f"  {t.name}, tuned: leave one out {style.ratio_text(t.left_out.value)} "
                  f"[{style.ratio_text(t.left_out.low)}, {style.ratio_text(t.left_out.high)}], "
                  f"random halves {style.ratio_text(float(numpy.median(t.splits)))}, every other "
                  f"problem {style.ratio_text(t.halves)} ({style.share_text(t.place)} of the halves "
                  "have as much or more)" for t in tunings(experiment, table, name)]
    return lines + claims.lines(claims.judge(experiment, table))
