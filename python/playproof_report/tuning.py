"""Choices of a plan: what they take and reach, how much the split decides that they look at, and what hill climbing finds."""

import itertools
from dataclasses import dataclass

import numpy

from . import choices, deep_dfpn, maps, page, pairing, style
from .maps import MEASURES
from .parameters import split
from .statistics import geometric_ratio

EVERY_OTHER, LEFT_OUT = style.OTHERS[1], style.REFERENCE  # colours
LEGEND = [("every other problem", EVERY_OTHER, style.dashes((0, (3, 2)))), ("leave one out", LEFT_OUT, "")]
HEADERS = ["tuned on other problems", "every other\nproblem", "splits with\nas much or more",
           "random halves,\nmedian, 95 % of them", "leave one out,\n95 % interval"]


@dataclass
class Tuned:
    """A family of settings against another, or against the reference, each tuned on problems that are not judged: the
    ratio of its measure, geometric mean over the problems."""

    name: str
    splits: object  # the ratio of each of choices.SPLITS random halves
    halves: float  # of every other problem, one such split
    left_out: object  # Interval: leave one out

    @property
    def place(self):
        """The share of the splits that have a ratio at least as large as `halves`."""
        return float((self.splits >= self.halves * (1 - 1e-12)).mean())


def _of_series(experiment, series):
    return [choice for choice in experiment.plan.get("choices", []) if series in choice["series"]]


def section(experiment, table, series, reference):
    """What the template draws of a series; nothing without choices."""
    made = _of_series(experiment, series)
    if not made:
        return {}
    found = tunings(experiment, table, series, reference)
    return {"headers": ["choice", "settings"] + [f"{title.lower()} over\n{reference}" for _, title in MEASURES],
            "rows": [_row(table, series, choice, reference) for choice in made],
            "sentence": " ".join(filter(None, [climb_sentence(climbs(table, series)) if any(
                choice["how"] == choices.CLIMBING for choice in made) else "",
                                               step_sentence(experiment, table, series, reference)])),
            "splits": splits_figure(series, found) if found else [], "legend": LEGEND,
            "split_headers": HEADERS, "split_rows": split_rows(found)}


def _row(table, series, choice, reference):
    names = list(dict.fromkeys(pairing.of(table, series, choice["label"])["setting"]))
    return [choice["label"], ", ".join(names) if len(names) <= 2 else f"{len(names)} settings",
            *(page.ranged(pairing.ratio(table, series, measure, choice["label"], reference).full, style.ratio_text)
              for measure, _ in MEASURES)]


# ---- tuned on other problems: how much the split decides ----------------------------------------


def families(experiment, series):
    """[a choice for each set of settings, and measure, that some choice looks at on other problems]"""
    found = {}
    for choice in _of_series(experiment, series):
        if choice["how"] not in (choices.BEST, choices.CLIMBING):
            found.setdefault((tuple(choice["labels"]), choice["measure"]), choice)
    return list(found.values())


def tunings(experiment, table, series, reference):
    """[Tuned]: each family that has runs over the reference, and over each later one by the same measure."""
    runs = pairing.without_choices(table[table["series"] == series])
    there = set(runs["algorithm"])
    of, found = [choice for choice in families(experiment, series) if there.intersection(choice["labels"])], []
    for number, choice in enumerate(of if reference in there else []):
        measure = choice["measure"]
        base = choices.costs(runs, {"labels": [reference], "measure": measure})[reference]
        found.append(_tuned(runs, choice, measure, f"{_family(choice)} over {reference}{_by(measure)}", lambda how, logs=base: logs))
        for other in [later for later in of[number + 1:] if later["measure"] == measure]:
            found.append(_tuned(runs, choice, measure, f"{_family(choice)} over {_family(other)}{_by(measure)}",
                                lambda how, other=other: _tuned_logs(runs, other, measure, how)))
    return found


def _family(choice):
    """Its label without the word for the way to choose."""
    return choice["label"].removesuffix(" tuned").removesuffix(" " + choice["how"])


def _by(measure):
    """Nodes created are not named: nearly all choices look at them."""
    return "" if measure == "nodes_created" else f", {measure.replace('_', ' ')}"


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
    return Tuned(name, numpy.exp(ratios(choices.REPEATED).T.groupby(level=unit).mean().mean()).to_numpy(),
                 float(numpy.exp(ratios(choices.TUNED).groupby(level=unit).mean().mean())), geometric_ratio(of_units))


def splits_figure(series, found):
    axes = style.new_panels(len(found), 3.1, 2.3)
    for axis, tuned in zip(axes, found):
        logs = numpy.log(tuned.splits)
        reach = max(0.02, float(numpy.abs(logs).max()), abs(numpy.log(tuned.halves)),
                    abs(numpy.log(tuned.left_out.value)))
        low, high = min(logs.min(), -0.1 * reach), max(logs.max(), 0.1 * reach)
        axis.hist(tuned.splits, bins=numpy.exp(numpy.linspace(low, high, 41)), color="#b9c7d6")
        axis.axvline(1, color=style.SOFT, linewidth=0.8)
        axis.axvline(tuned.halves, color=EVERY_OTHER, linewidth=1.6, linestyle=(0, (3, 2)), label=LEGEND[0][0])
        axis.axvline(tuned.left_out.value, color=LEFT_OUT, linewidth=1.6, label=LEGEND[1][0])
        axis.axvspan(tuned.left_out.low, tuned.left_out.high, color=LEFT_OUT, alpha=0.1, linewidth=0)
        axis.set_xscale("log")
        axis.set_yticks([])
        axis.set_title(tuned.name)
        style.log_axis(axis.xaxis, style.ratio_text)
    return style.svgs(axes, f"{series}: tuned on random halves",
                      f"How the ratios on {series} vary from split to split, when settings are tuned on one "
                      "half of the problems")


def split_rows(found):
    rows = []
    for tuned in found:
        low, middle, high = numpy.quantile(tuned.splits, (0.025, 0.5, 0.975))
        rows.append([tuned.name, style.ratio_text(tuned.halves), style.share_text(tuned.place),
                     page.with_range(*(style.ratio_text(v) for v in (middle, low, high))),
                     page.ranged(tuned.left_out, style.ratio_text)])
    return rows


def sentences(experiment, table, series, reference):
    """For the terminal: what each choice and each tuned family reaches."""
    found = []
    for choice in _of_series(experiment, series):
        full = pairing.ratio(table, series, "nodes_created", choice["label"], reference).full
        found.append(f"{choice['label']}: {style.ratio_text(full.value)} of the nodes of {reference} "
                     f"[{style.ratio_text(full.low)}, {style.ratio_text(full.high)}]")
    return found + [
        f"{t.name}, tuned: leave one out {style.ratio_text(t.left_out.value)} [{style.ratio_text(t.left_out.low)}, "
        f"{style.ratio_text(t.left_out.high)}], random halves {style.ratio_text(float(numpy.median(t.splits)))}, every "
        f"other problem {style.ratio_text(t.halves)} ({style.share_text(t.place)} of the halves have as much or more)"
        for t in tunings(experiment, table, series, reference)]


# ---- how rough the ground is, and where one climbs to ---------------------------------------------


def roughness(rows):
    """Mean absolute difference between neighbours of each row, averaged: of log counts."""
    steps = numpy.abs(numpy.diff(rows, axis=1))
    steps = steps[numpy.isfinite(steps)]
    return float(steps.mean()) if len(steps) else numpy.nan


def step_sentence(experiment, table, series, reference):
    """By how much the nodes of a problem change from one setting of a family to the next, along its first number."""
    if pairing.of(table, series, reference).empty:
        return ""
    ratios, parts = maps.relative(table, series, "nodes_created", reference), []
    for labels in dict.fromkeys(tuple(choice["labels"]) for choice in families(experiment, series)):
        places = sorted((_numbers(label)[1:], _numbers(label)[:1], label)
                        for label in labels if label in ratios and _numbers(label))
        steps = [roughness(ratios[[label for _, _, label in row]].to_numpy())
                 for _, row in itertools.groupby(places, key=lambda place: place[0])]
        steps = [step for step in steps if step == step]
        if steps:
            parts.append(f"{_percent(float(numpy.mean(steps)))} along {places[0][1][0][0]}")
    return (f"From one setting to the next the nodes of a problem change by {' and by '.join(parts)} (mean of |log ratio|)."
            if parts else "")


def _numbers(label):
    """[(key, value)] of all numbers that a label ends in, the first one first."""
    name, key, value, _ = split(label)
    return (_numbers(name) if name else []) + [(key, value)] if key else []


def _percent(log):
    return "-" if log != log else f"{100 * (numpy.exp(log) - 1):.1f} %"


def climbs(table, series, measure="nodes_created"):
    """The hill climbing of each problem: [(problem, E, D, evaluations, count over the best's)]."""
    runs = deep_dfpn.settings(pairing.without_choices(table[table["series"] == series]))
    result = []
    for problem, mine in runs[runs["E"].notna()].groupby("problem", sort=False):
        cost = deep_dfpn.costs_of(mine, measure)
        if (2, 2) not in cost:
            continue  # where it begins
        e, d, evaluations = deep_dfpn.climb(cost)
        result.append((problem, e, d, evaluations, cost[e, d] / min(cost.values())))
    return result


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
