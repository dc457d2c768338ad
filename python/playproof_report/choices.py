"""The setting that one would take, as if it were an algorithm of its own: [[choice]] of a plan.

`best` takes for each problem the setting that was best on that very problem, which flatters; `tuned`
takes for each half of a series' problems the one with the least geometric mean over the other half.
Undecided runs count what they used up to the limit.
"""

import numpy
import pandas

from .counts import log_counts

PAIR = ["problem", "goal", "repetition"]


def with_choices(table, choices):
    """The table with the rows of the chosen settings under the choice's label as `algorithm`;
    column `setting` tells which it was (of other rows: their own label)."""
    table = table.assign(setting=table["algorithm"])
    parts = [table]
    for choice in choices:
        for series in choice["series"]:
            mine = (table["series"] == series) & table["algorithm"].isin(choice["labels"])
            if mine.any():
                taken = HOW[choice["how"]](table[mine], choice)
                parts.append(taken.assign(algorithm=choice["label"]))
    return pandas.concat(parts, ignore_index=True)


def costs(runs, choice):
    """The measure's logarithm: a row a problem, goal and repetition, a column a setting, in the
    plan's order."""
    logs = log_counts(runs, choice["measure"])
    wide = runs.assign(cost=logs).pivot_table(index=PAIR, columns="algorithm", values="cost",
                                              sort=False)
    return wide[[label for label in choice["labels"] if label in wide.columns]]


def best(runs, choice):
    chosen = costs(runs, choice).idxmin(axis=1)
    return _rows(runs, chosen)


def tuned(runs, choice):
    wide = costs(runs, choice)
    problems = list(dict.fromkeys(wide.index.get_level_values("problem")))
    half = numpy.array([problems.index(p) % 2 for p in wide.index.get_level_values("problem")])
    chosen = pandas.Series(index=wide.index, dtype=object)
    for fold in (0, 1):
        others = wide[half != fold]
        if others.empty:  # a single problem has no other half
            others = wide
        chosen[half == fold] = others.mean().idxmin()
    return _rows(runs, chosen)


def _rows(runs, chosen):
    wanted = chosen.rename("algorithm").reset_index()
    return runs.merge(wanted, on=PAIR + ["algorithm"])


HOW = {"best": best, "tuned": tuned}
