"""Which numbers belong together.

Runs are paired by problem, goal and repetition: they share the seed and everything but the
algorithm. The unit of the statistics is the orbit of a problem under the symmetry of its game (with its goal):
the images of a position are one question (orbits.py). Its problems and their repetitions are averaged first.
Where a series has a single orbit, the repetitions are the units.
"""

import math
import weakref
from dataclasses import dataclass

import numpy
import pandas

from . import counts, curves, orbits
from .choices import ORBIT, PAIR, with_choices
from .statistics import (Interval, bootstrap_mean, bootstrap_ratio_of_means, geometric_ratio, wilson)


def plain_frame(experiment):
    """All runs as a table."""
    return pandas.DataFrame(experiment.runs)


def simulated(table):
    """The backends, if all that was played was played by simulated devices."""
    played = table[table["playouts"] > 0]
    if played.empty or not played["device"].eq("simulated").all():
        return []
    return sorted(set(played["backend"]))


def simulators(table):
    """The backends of all series at a simulated device's price."""
    return sorted({backend for _, runs in table.groupby("series", sort=False) for backend in simulated(runs)})


def frame(experiment):
    """The same, with `decided`, `root_won` (the question is proved) and `orbit` (the first problem of the series
    that is an image of this one) added, and those of the plan's choices. Of a series at a simulated device's price a
    search that plays nothing takes its CPU time: other work on the machine is not to count against it."""
    table = plain_frame(experiment)
    if table.empty:
        return table
    priced = {name for name, runs in table.groupby("series", sort=False) if simulated(runs)}
    table["seconds"] = table["seconds"].where((table["playouts"] > 0) | ~table["series"].isin(priced),
                                              table["cpu_seconds"])
    table["decided"] = table["verdict"] != "unknown"
    known = table["expected"].where(table["expected"].notna(),
                                    table["verdict"].where(table["decided"]))
    question = [table["series"], table["problem"], table["goal"]]
    known = known.groupby(question).transform("first")
    table["root_won"] = known == "proved"
    table[ORBIT] = _orbits(table)
    return with_choices(table, experiment.plan.get("choices", []))


def _orbits(table):
    """Of each run, as orbits.first_of_orbit() names it among the problems of its series."""
    columns = ["series", "problem", "game", "position"]
    of = {series: orbits.first_of_orbit(zip(*(mine[name] for name in columns[1:])))
          for series, mine in table[columns].drop_duplicates().groupby("series", sort=False)}
    return [of[series][problem] for series, problem in zip(table["series"], table["problem"])]


def without_choices(table):
    """Of frame(): the runs alone, each once."""
    return table[table["algorithm"] == table["setting"]]


def unit_columns(runs):
    """The columns that name a unit in the runs of one series."""
    several = any(runs[column].nunique() > 1 for column in UNIT)
    return UNIT if several else REPEATED


def one_question(runs):
    """Whether the units of one series are repetitions."""
    return unit_columns(runs) == REPEATED


def count_units(runs):
    return len(runs[unit_columns(runs)].drop_duplicates()) if len(runs) else 0


def problems_text(runs):
    """"16 problems (8 up to symmetry)", of one series; of one problem its repetitions."""
    units = count_units(runs)
    number = len(runs[PAIR[:2]].drop_duplicates())
    if number <= units or one_question(runs):
        return f"{units} problems"
    return f"{number} problems ({units} up to symmetry)"


def counted(table, one):
    """What the section of a series begins with: its title, and how many runs and units it has."""
    runs = without_choices(table[table["series"] == one["name"]])
    return {"title": one["title"], "runs": len(runs), "undecided": int((~runs["decided"]).sum()),
            "units": count_units(runs), "problems": problems_text(runs)}


class _Index:
    """Where the runs of each series and algorithm stand in a table, whose rows do not change, and numbers for what
    names their units and pairs."""

    _of_tables = {}

    def __init__(self, table):
        self.table = weakref.ref(table, lambda _, key=id(table): _Index._of_tables.pop(key, None))
        self.places = table.groupby(["series", "algorithm"], sort=False).indices
        self.columns = {}  # series -> unit_columns()
        self.numbers = {}  # series, columns -> of each row of the table which value these have in it, in order

    @classmethod
    def of(cls, table):
        index = cls._of_tables.get(id(table))
        if index is None or index.table() is not table:
            index = cls._of_tables[id(table)] = cls(table)
        return index

    def rows(self, series, algorithm):
        return self.places.get((series, algorithm), numpy.array([], dtype=int))

    def unit_columns(self, series):
        if series not in self.columns:
            table = self.table()
            mine = table["series"] == series
            self.columns[series] = unit_columns({name: table[name][mine] for name in UNIT})
        return self.columns[series]

    def numbers_of(self, series, columns):
        key = series, *columns
        if key not in self.numbers:
            table = self.table()
            mine = numpy.flatnonzero(table["series"] == series)
            numbers = numpy.zeros(len(table), dtype=int)
            numbers[mine] = table[columns].take(mine).groupby(columns).ngroup()
            self.numbers[key] = numbers
        return self.numbers[key]

    def unit_numbers(self, series):
        return self.numbers_of(series, self.unit_columns(series))


def units_of(table, series):
    """unit_columns() of a series, without a copy of all its columns."""
    return _Index.of(table).unit_columns(series)


def units_in(table, series, algorithm):
    """A number for the unit of each run of of(): smaller where its name comes before."""
    index = _Index.of(table)
    return index.unit_numbers(series)[index.rows(series, algorithm)]


def series_with_runs(experiment, table):
    """The plan's series that have runs."""
    return [one for one in experiment.series() if (table["series"] == one["name"]).any()]


def of(table, series, algorithm):
    return table.take(_Index.of(table).rows(series, algorithm))


UNIT = [ORBIT, "goal"]
REPEATED = [*UNIT, "repetition"]
GEOMETRIC, OF_MEANS = "geometric mean", "ratio of means"
MEAN_OF, SHARE_BELOW = "mean of ratios", "share below"
STATISTICS = (GEOMETRIC, OF_MEANS, MEAN_OF, SHARE_BELOW)
TIE = 1e-12  # logarithms of equal ratios differ by less: rounding


@dataclass
class Paired:
    """One statistic of one measure of two algorithms, paired. A pair that neither side decided tells
    nothing of their ratio: it is in none of the two estimates."""

    common: object  # Interval where both decided
    full: object  # the same where one side did, its other at the count where it stopped
    known: int  # pairs in `full`
    censored_subject: int  # of these: only the subject is undecided
    censored_base: int
    censored_both: int  # pairs without data
    zeros: int  # pairs in `full` with a count of 0 (counts.py)
    missing: int  # pairs whose rows, of an older store, lack the count
    may_be_more: bool  # `full` is a lower bound of the true one, as far as undecided runs go
    may_be_less: bool  # ... an upper bound; both: it is neither
    bounds: object = None  # bounds(factor): (the least, the most) that the estimate over all decided runs can be, where
    # each undecided one would have taken up to `factor` times what it used; a share has bounds without any factor

    @property
    def mark(self):
        """What the ratio of runs that met limits is of the true one: "≥", "≤", "~" (neither), nothing."""
        return {(False, False): "", (True, False): "≥ ", (False, True): "≤ ", (True, True): "~ "}[
            (self.may_be_more, self.may_be_less)]

    @property
    def one_sided(self):
        """Pairs in `full` with an undecided side."""
        return self.censored_subject + self.censored_base


class Pairs:
    """Runs of two algorithms side by side, as arrays: the columns of one end in _s, of the other in _b. `units`: a
    number for the unit of each pair, smaller where its name comes before."""

    def __init__(self, units, columns):
        self.units, self.columns = units, columns

    def __len__(self):
        return len(self.units)

    def __getitem__(self, name):
        return self.columns[name]

    def counts(self, name):
        """A column as numbers, NaN where there is none."""
        return self.columns[name].astype(float)

    def those(self, which):
        return Pairs(self.units[which], {name: values[which] for name, values in self.columns.items()})

    def having(self, name, values):
        """The same but for one column."""
        return Pairs(self.units, {**self.columns, name: values})


def pair_runs(table, series, subject, base, columns):
    """The Pairs of two algorithms on a series."""
    index = _Index.of(table)
    left, right = index.rows(series, subject), index.rows(series, base)
    names = index.numbers_of(series, [ORBIT, *PAIR])
    if not numpy.array_equal(names[left], names[right]):  # plans list them so
        both = pandas.DataFrame({"name": names[left], "s": left}).merge(
            pandas.DataFrame({"name": names[right], "b": right}), on="name")
        left, right = both["s"].to_numpy(), both["b"].to_numpy()
    values = {name: table[name].to_numpy() for name in columns}
    return Pairs(index.unit_numbers(series)[left], {
        name + side: values[name][rows] for side, rows in (("_s", left), ("_b", right)) for name in columns})


def known(pairs):
    """Those of pair_runs() with `decided` that at least one side decided."""
    return pairs.those(pairs["decided_s"] | pairs["decided_b"])


def log_ratios(pairs, measure):
    """Of the subject's count to the base's, pair by pair."""
    return counts.log_counts(pairs, measure, "_s") - counts.log_counts(pairs, measure, "_b")


def ratio(table, series, measure, subject, base, statistic=GEOMETRIC, below=1.0):
    """The paired ratio measure(subject) / measure(base) on one series; `below`: of SHARE_BELOW."""
    pairs = pair_runs(table, series, subject, base, counts.columns(measure) + ["decided"])
    there = ~(numpy.isnan(pairs.counts(measure + "_s")) | numpy.isnan(pairs.counts(measure + "_b")))
    counted = pairs.those(there)
    usable = known(counted)
    both = usable["decided_s"] & usable["decided_b"]
    more, less = bool((~usable["decided_s"]).any()), bool((~usable["decided_b"]).any())
    full = estimate(usable, measure, statistic, below)

    def bounds(factor):
        if statistic == SHARE_BELOW:
            return _shares(counted, measure, below)
        return tuple(estimate(_longer(usable, measure, side, factor), measure, statistic, below)
                     if undecided else full for side, undecided in (("_b", less), ("_s", more)))

    return Paired(
        common=full if both.all() else estimate(usable.those(both), measure, statistic, below),
        full=full,
        known=len(usable),
        censored_subject=int((~usable["decided_s"]).sum()),
        censored_base=int((~usable["decided_b"]).sum()),
        censored_both=int(there.sum()) - len(usable),
        zeros=int(((usable[measure + "_s"] == 0) | (usable[measure + "_b"] == 0)).sum()),
        missing=int((~there).sum()), may_be_more=more, may_be_less=less, bounds=bounds)


def _longer(pairs, measure, side, factor):
    """The pairs if the undecided runs of one side had taken so many times what they used."""
    longer = counts.positive(pairs, measure, side) * factor
    return pairs.having(measure + side, numpy.where(pairs["decided" + side], pairs.counts(measure + side), longer))


def estimate(pairs, measure, statistic, below=1.0):
    """A statistic of pair_runs(), over the units."""
    if statistic == OF_MEANS:
        return bootstrap_ratio_of_means(*(unit_means(pairs.units, pairs[measure + side]) for side in ("_s", "_b")))
    logs = log_ratios(pairs, measure)
    if statistic == MEAN_OF:
        mean = bootstrap_mean(unit_means(pairs.units, numpy.exp(logs)))
        return mean if mean.n != 1 else Interval(mean.value, 0.0, math.inf, 1)  # no spread is known
    logs = unit_means(pairs.units, logs)
    if statistic == SHARE_BELOW:
        return wilson(int(_is_below(logs, below).sum()), len(logs))
    return geometric_ratio(logs)


def _is_below(logs, below):
    """Of ratios by their logarithms. Equal is not below, however it is rounded."""
    return logs < math.log(below) - TIE


def _shares(pairs, measure, below):
    """The least and the largest share below that there can be where all runs were decided, as
    intervals. A count can only grow, so a unit is open where that could change its side; where a
    pair is undecided on both sides its ratio can become anything."""
    if len(pairs) == 0:
        return wilson(0, 0), wilson(0, 0)
    small = _is_below(unit_means(pairs.units, log_ratios(pairs, measure)), below)
    open_subject, open_base = ~pairs["decided_s"], ~pairs["decided_b"]
    grows, shrinks = (unit_means(pairs.units, side) > 0
                      for side in (open_subject, open_base))
    least, most = small & ~grows, small | shrinks
    return wilson(int(least.sum()), len(small)), wilson(int(most.sum()), len(small))


def unit_means(units, values):
    """Values averaged over the runs of each unit, in the order of its numbers; what is NaN counts for nothing."""
    values = numpy.asarray(values, dtype=float)
    there = ~numpy.isnan(values)
    numbers, weights = units[there], values[there]
    size = int(units.max()) + 1 if len(units) else 0
    with numpy.errstate(invalid="ignore"):
        means = numpy.bincount(numbers, weights, size) / numpy.bincount(numbers, minlength=size)
    return means[numpy.bincount(units, minlength=size) > 0]


def mean_of(table, series, algorithm, measure):
    """Arithmetic mean over the units, with a bootstrap interval."""
    runs = of(table, series, algorithm)
    return bootstrap_mean(unit_means(units_in(table, series, algorithm), runs[measure]))


def horizon(table, series):
    """The largest number of normalised iterations of any run of the series: by then every decided
    search has settled."""
    runs = table[table["series"] == series]
    return max(2.0, float(runs["iterations_normalised"].max()))


def curve_values(experiment, table, series, algorithm, function):
    """function(points, divisor) of every run that has a curve, averaged per unit.

    `function` may return a number or an array; the result has one row a unit, ordered by name, so
    that the rows of two algorithms belong together.
    """
    runs = of(table, series, algorithm)
    runs = runs[runs["key"].isin(experiment.curves)]
    unit = units_of(table, series)
    rows = {}
    for key, divisor, *names in zip(runs["key"], runs["iteration_divisor"], *(runs[column] for column in unit)):
        rows.setdefault(tuple(names), []).append(function(experiment.curves[key], divisor))
    return {key: numpy.mean(values, axis=0) for key, values in sorted(rows.items())}


def paired_curve_values(experiment, table, series, labels, function):
    """curve_values of several algorithms on the units that all of them have, as arrays."""
    values = [curve_values(experiment, table, series, label, function) for label in labels]
    shared = sorted(set.intersection(*(set(v) for v in values)))
    return [numpy.array([v[key] for key in shared]) for v in values]


def error_area(limit):
    return lambda points, divisor: curves.area(points, divisor, limit)


def error_rise():
    return lambda points, divisor: curves.rise(points)


def error_on_grid(limit):
    """As pages draw it: the mean of such rows is their curve."""
    grid = curves.log_grid(limit)
    return lambda points, divisor: curves.sample(points, divisor, grid)
