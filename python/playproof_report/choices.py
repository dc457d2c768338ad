"""The setting that one would take, as if it were an algorithm of its own: [[choice]] of a plan.

`best` takes for each problem the setting that was best on that very problem, which flatters. The
next three never look at it, nor at its images (orbits.py): `leave one out` takes the setting with the least geometric mean over all other
problems of the series; `tuned` for each half of them (every other one) the best over the other half;
`repeated splits` does that for SPLITS random halves. Undecided runs count what they used up to the
limit. `hill climbing` looks at a part of the settings of Deep df-pn on that very problem, and counts
what it ends at, not what it takes.
"""

import warnings

import numpy
import pandas

from . import deep_dfpn
from .counts import log_counts

PAIR = ["problem", "goal", "repetition"]
ORBIT = "orbit"  # the column that says which problems are one
CASE = [ORBIT, *PAIR]
SPLITS = 1000  # of the problems into random halves
SEED = 1
BEST, TUNED, LEAVE_ONE_OUT, REPEATED = "best", "tuned", "leave one out", "repeated splits"
CLIMBING = "hill climbing"
# What a run counts; of these repeated splits take means.
COUNTED = [
    "iterations", "iterations_normalised", "nodes_created", "nodes_expanded", "evaluations",
    "playouts", "max_depth", "node_visits", "re_entries", "branch_switches", "root_switches",
    "shallow_switches", "endings", "ending_nodes", "table_lookups", "table_hits",
    "table_useful_hits", "table_stored", "table_replaced", "table_discarded", "peak_bytes", "seconds",
    "cpu_seconds"]


def with_choices(table, choices):
    """The table with the rows of the chosen settings under the choice's label as `algorithm`;
    column `setting` tells which it was, or which most often (of other rows: their own label)."""
    table = table.assign(setting=table["algorithm"])
    parts = [table]
    for choice in choices:
        for series in choice["series"]:
            mine = (table["series"] == series) & table["algorithm"].isin(choice["labels"])
            if mine.any():
                taken = _taken(table[mine], choice)
                parts.append(taken.assign(algorithm=choice["label"]))
    return pandas.concat(parts, ignore_index=True)


def costs(runs, choice):
    """The measure's logarithm: a row a problem, goal and repetition, a column a setting, in the
    plan's order."""
    return _wide(runs, choice["labels"], log_counts(runs, choice["measure"]))


def _wide(runs, labels, values):
    wide = runs.assign(cost=values).pivot_table(index=CASE, columns="algorithm", values="cost",
                                                sort=False)
    return wide[[label for label in labels if label in wide.columns]]


def _taken(runs, choice):
    wide = costs(runs, choice)
    if choice["how"] == REPEATED:
        return _averaged(runs, wide, repeated_splits(wide))
    if choice["how"] == CLIMBING:
        return _rows(runs, climbed(runs, choice["measure"]))
    chosen = wide.columns.to_numpy()[HOW[choice["how"]](wide)]
    return _rows(runs, pandas.Series(chosen, index=wide.index))


# ---- which settings: numbers of columns of costs(), one a row --------------------------------------


def best(wide):
    return _least(wide.to_numpy())


def leave_one_out(wide):
    problems = _problems(wide)
    return chosen_by(wide, problems[:, None] != problems[None, :])


def tuned(wide):
    half = _problems(wide) % 2
    return chosen_by(wide, half[:, None] != half[None, :])


def repeated_splits(wide):
    """(SPLITS, rows). Series with as many problems are split alike."""
    problems = _problems(wide)
    count = problems.max() + 1
    random = numpy.random.RandomState(SEED)  # its numbers are frozen
    chosen = numpy.empty((SPLITS, len(problems)), dtype=int)
    for split in range(SPLITS):
        side = numpy.zeros(count, dtype=int)
        side[random.permutation(count)[:count // 2]] = 1
        half = side[problems]
        for mine in (0, 1):
            chosen[split, half == mine] = chosen_by(wide, (half != mine)[None, :])[0]
    return chosen


def climbed(runs, measure):
    """The label where deep_dfpn.climb() ends, for each problem, goal and repetition."""
    runs = deep_dfpn.settings(runs)
    found = {}
    for key, mine in runs.groupby(CASE, sort=False):
        e, d, _ = deep_dfpn.climb(deep_dfpn.costs_of(mine, measure))
        found[key] = next(iter(mine["algorithm"][(mine["E"] == e) & (mine["D"] == d)]), None)
    return pandas.Series(found).dropna().rename_axis(CASE)


def chosen_by(wide, looked_at):
    """For each row of the mask (choices, rows of wide): the setting with the least mean over those
    rows; over all of them where the mask has none (a single problem has no other)."""
    values = wide.to_numpy()
    looked_at = looked_at | ~looked_at.any(axis=1, keepdims=True)
    mean = numpy.nanmean if numpy.isnan(values).any() else numpy.mean
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a setting without runs
        # Row by row: settings that are equal have equal means then, and the first is taken.
        return _least(numpy.array([mean(values[mask], axis=0) for mask in looked_at]))


def _least(values):
    """The first least of each row; what is NaN has no run."""
    return numpy.argmin(numpy.where(numpy.isnan(values), numpy.inf, values), axis=1)


def _problems(wide):
    """The number of each row's orbit, in the plan's order."""
    return pandas.factorize(wide.index.get_level_values(ORBIT))[0]


HOW = {BEST: best, TUNED: tuned, LEAVE_ONE_OUT: leave_one_out}


# ---- their runs --------------------------------------------------------------------------------


def _rows(runs, chosen):
    wanted = chosen.rename("algorithm").reset_index()
    return runs.merge(wanted, on=CASE + ["algorithm"])


def _averaged(runs, wide, chosen):
    """A row a problem, goal and repetition: the run that most splits chose, with the geometric means
    of the counts over all splits; undecided unless the runs of all of them have its verdict."""
    shares = numpy.stack([(chosen == column).mean(axis=0) for column in range(wide.shape[1])], axis=1)
    most = wide.columns.to_numpy()[shares.argmax(axis=1)]
    rows = _rows(runs, pandas.Series(most, index=wide.index))
    order = wide.index
    rows = rows.set_index(CASE).loc[order].reset_index()
    for measure in COUNTED:
        if measure in runs:
            logs = _wide(runs, list(wide.columns), log_counts(runs, measure))
            rows[measure] = numpy.exp(_mean(logs.reindex(order, columns=wide.columns), shares))
    for column, unknown in (("verdict", "unknown"), ("decided", False)):
        if column in rows:
            agreed = _all_agree(runs, rows, wide, shares, column)
            rows[column] = rows[column].where(agreed, unknown)
    return rows


def _mean(logs, shares):
    """Over the settings; NaN where a chosen one has no count."""
    values = logs.to_numpy()
    return numpy.where(shares > 0, shares * values, 0.0).sum(axis=1)


def _all_agree(runs, rows, wide, shares, column):
    codes, _ = pandas.factorize(runs[column])
    found = _wide(runs, list(wide.columns), codes.astype(float)).reindex(
        wide.index, columns=wide.columns).to_numpy()
    own = found[numpy.arange(len(found)), shares.argmax(axis=1)]
    return ((shares == 0) | (found == own[:, None])).all(axis=1)


# ---- how much the split decides ------------------------------------------------------------------


def split_logs(runs, choice, measure):
    """The measure's logarithm under `repeated splits`, over the rows of costs(): (SPLITS, rows)."""
    wide = costs(runs, choice)
    logs = _wide(runs, list(wide.columns), log_counts(runs, measure)).reindex(
        wide.index, columns=wide.columns).to_numpy()
    return pandas.DataFrame(logs[numpy.arange(len(logs)), repeated_splits(wide)],
                            columns=wide.index)


def logs_of(runs, choice, measure, how):
    """The same of another way to choose: one number a row."""
    wide = costs(runs, choice)
    logs = _wide(runs, list(wide.columns), log_counts(runs, measure)).reindex(
        wide.index, columns=wide.columns).to_numpy()
    return pandas.Series(logs[numpy.arange(len(logs)), HOW[how](wide)], index=wide.index)
