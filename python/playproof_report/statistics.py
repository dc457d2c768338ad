"""Intervals and p-values, by scipy. Everything here is deterministic: resampling is a function of its seed."""

import functools
import math
from dataclasses import dataclass, field
from typing import Callable

import numpy
from scipy import special

from .resampling import resampled_means

RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A point estimate with its interval; `n` is the number of independent units behind it.

    p(x) is the two-sided p-value of the hypothesis that the true value is x: 1 less the level at
    which the interval would just hold x.
    """

    value: float
    low: float
    high: float
    n: int
    p: Callable[[float], float] = field(default=lambda x: 1.0, compare=False, repr=False)


@functools.lru_cache(maxsize=None)
def t_quantile(p, df):
    """Of Student's t distribution."""
    return float(special.stdtrit(df, p))


def t_interval(values, level=LEVEL):
    """Mean of independent values with Student's interval; infinitely wide for one value."""
    values = numpy.asarray(values, dtype=float)
    n = len(values)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0)
    mean = float(values.mean())
    if n == 1:
        return Interval(mean, -math.inf, math.inf, 1)
    error = float(values.std(ddof=1)) / math.sqrt(n)

    def p(x):
        if error == 0:
            return _certain(mean, x)
        return 2 * float(special.stdtr(n - 1, -abs(mean - x) / error))

    half = t_quantile((1 + level) / 2, n - 1) * error
    return Interval(mean, mean - half, mean + half, n, p)


def _certain(value, x):
    """The p-value of x beside an estimate without spread."""
    return 1.0 if x == value else 0.0


def _exp(x):
    """Without overflow."""
    return x if math.isnan(x) else math.exp(min(x, 700.0))


def geometric_ratio(log_ratios, level=LEVEL):
    """Geometric mean of ratios, with the t interval of their logarithms."""
    interval = t_interval(log_ratios, level)
    bound = [_exp(x) for x in (interval.value, interval.low, interval.high)]
    return Interval(*bound, interval.n, lambda x: interval.p(math.log(x)))


def wilson(successes, n, level=LEVEL):
    """Wilson's score interval of a share. Of units that are part of one each, `successes` is no whole number."""
    if n == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    share, z = successes / n, float(special.ndtri((1 + level) / 2))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))

    def p(x):
        error = math.sqrt(x * (1 - x) / n)  # as if x were true: Wilson's
        if error == 0:
            return _certain(share, x)
        return 2 * float(special.ndtr(-abs(share - x) / error))

    return Interval(share, 0.0 if successes == 0 else middle - half, 1.0 if successes == n else middle + half, n, p)


def percentiles(replicates, level=LEVEL, **options):
    return numpy.quantile(replicates, [(1 - level) / 2, (1 + level) / 2], **options)


def _bias_and_acceleration(left_out, value, replicates):
    """(z0, a) of Efron 1987; None where they are not defined."""
    below = (numpy.count_nonzero(replicates < value) + numpy.count_nonzero(replicates <= value)) / 2
    away = left_out.mean() - left_out
    squares = float((away ** 2).sum())
    if squares == 0 or not 0 < below < len(replicates):
        return None
    return (float(special.ndtri(below / len(replicates))),
            float((away ** 3).sum()) / (6 * squares ** 1.5))


def bca_ends(left_out, value, replicates, p):
    """Ends of the bias-corrected and accelerated bootstrap interval (Efron 1987) of level 1 - p.

    value: of the statistic; left_out: its values with one unit left out; replicates: those for
    bootstrap samples. Where the correction is not defined: the percentiles.
    """
    constants = _bias_and_acceleration(left_out, value, replicates)
    if constants is None:
        return percentiles(replicates, 1 - p)
    bias, acceleration = constants
    z = bias + special.ndtri([p / 2, 1 - p / 2])
    return numpy.quantile(replicates, special.ndtr(bias + z / (1 - acceleration * z)))


def widening(n, p):
    """The quantile of Student's t for n units over the normal one: bootstrap samples of few units vary
    too little, as if their spread were known."""
    return float(special.stdtrit(n - 1, p / 2) / special.ndtri(p / 2))


def _widened(ends, value, n):
    """ends(p), each moved away from the value."""
    return lambda p: [float(value + (end - value) * widening(n, p)) for end in ends(p)]


def _level_that_stops(ends, x, floor, pivot):
    """The p-value of x: the p at which the interval of ends(p) just stops to hold x inside, no less
    than `floor`; above `pivot` just where the interval of p = pivot holds it."""
    def inside(p):
        low, high = ends(p)
        return low < x < high
    low, high = (pivot, 1.0) if inside(pivot) else (floor, pivot)
    if low == floor and not inside(floor):
        return floor
    for _ in range(24):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if inside(middle) else (low, middle)
    return high


def _bootstrap_interval(ends, value, replicates, n, level, scale=lambda x: x, inverse=lambda x: x):
    """Of value and ends(p) on a scale whose inverse is `inverse`, widened for few units."""
    p = round(1 - level, 12)  # of 0.95 just 0.05
    ends = _widened(ends, value, n)
    floor = 2 / len(replicates)  # so many samples cannot tell less
    return Interval(inverse(value), *(inverse(end) for end in ends(p)), n,
                    lambda x: _level_that_stops(ends, scale(x), floor, p))


def holm(p_values):
    """Holm's adjusted p-values (1979), in the order of the given ones: a hypothesis is rejected with
    all of them at a level if its own is not above that."""
    adjusted = [1.0] * len(p_values)
    reached = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = reached
    return adjusted


def bootstrap_mean(values, level=LEVEL, resamples=RESAMPLES, seed=1):
    """Arithmetic mean with its BCa interval, with the widening() for few units."""
    values = numpy.asarray(values, dtype=float)
    if len(values) == 0:
        return Interval(math.nan, math.nan, math.nan, 0)
    return _bootstrap_mean(values.tobytes(), level, resamples, seed)


@functools.lru_cache(maxsize=None)
def _bootstrap_mean(data, level, resamples, seed):
    """bootstrap_mean of the bytes of an array: a page needs the same one several times."""
    values = numpy.frombuffer(data)
    n = len(values)
    mean = float(values.mean())
    if n == 1 or numpy.all(values == values[0]):
        return Interval(mean, mean, mean, n, lambda x: _certain(mean, x))
    replicates = resampled_means(values[:, None], resamples, seed)[:, 0]
    left_out = _means_left_out(values)
    return _bootstrap_interval(lambda p: bca_ends(left_out, mean, replicates, p), mean, replicates, n,
                               level)


def _means_left_out(values):
    """Without each row in turn."""
    return (values.sum(axis=0) - values) / (len(values) - 1)


def bootstrap_ratio_of_means(above, below, level=LEVEL, resamples=RESAMPLES, seed=1):
    """mean(above) / mean(below) over the same units, with the paired BCa interval.

    The interval is taken on the logarithm, with the widening() for few units; it is infinitely wide
    for one unit. 0 / x is 0, x / 0 is infinite, 0 / 0 is nan.
    """
    above = numpy.asarray(above, dtype=float)
    below = numpy.asarray(below, dtype=float)
    n = len(above)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0)
    if above.sum() == 0 or below.sum() == 0:
        value = math.nan if above.sum() == below.sum() else 0.0 if above.sum() == 0 else math.inf
        return Interval(value, 0.0, math.inf, n)
    if n == 1:
        return Interval(float(above[0] / below[0]), 0.0, math.inf, 1)
    means = resampled_means(numpy.column_stack((above, below)), resamples, seed)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        replicates = numpy.log(means[:, 0]) - numpy.log(means[:, 1])
    value = math.log(above.sum() / below.sum())
    # A sample without any event: no finite end can be vouched for on that side.
    rare = min(numpy.count_nonzero(above), numpy.count_nonzero(below)) < 2
    if rare or not numpy.all(numpy.isfinite(replicates)):
        replicates = numpy.where(numpy.isnan(replicates), value, replicates)
        def ends(p):
            return percentiles(replicates, 1 - p, method="inverted_cdf")
    else:
        left_out = numpy.log(_means_left_out(above)) - numpy.log(_means_left_out(below))

        def ends(p):
            return bca_ends(left_out, value, replicates, p)
    return _bootstrap_interval(ends, value, replicates, n, level, math.log, _exp)


def _rises(steps):
    """Of curves, one a row, given by their steps: all rises, added."""
    return numpy.maximum(steps, 0).sum(axis=1)


def ratio_of_rises(above, below, level=LEVEL):
    """How much the mean of the curves of (units, points) rises, all its rises added, over the same of
    the other side, with Tukey's jackknife interval (t) of the logarithm.

    Not a bootstrap: the mean of a sample that draws some curves twice waves more than that of all.
    0 / x is 0, x / 0 is infinite, 0 / 0 is nan; the interval is infinitely wide for one unit.
    """
    steps = [numpy.diff(numpy.asarray(side, dtype=float), axis=1) for side in (above, below)]
    n = len(steps[0])
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0)
    rise = [float(_rises(side.mean(axis=0)[None])[0]) for side in steps]
    left_out = [_rises(_means_left_out(side)) for side in steps] if n > 1 else [rise, rise]
    if n == 1 or min(rise) == 0 or numpy.min(left_out) == 0:
        value = rise[0] / rise[1] if rise[1] else math.inf if rise[0] else math.nan
        return Interval(value, 0.0, math.inf, n)
    # Pseudo-values about the estimate, which is not corrected for bias: mean and spread as Tukey's.
    logs = numpy.log(left_out[0]) - numpy.log(left_out[1])
    value = math.log(rise[0] / rise[1])
    return geometric_ratio(value + (n - 1) * (logs.mean() - logs), level)


def bootstrap_band(matrix, level=LEVEL, resamples=2000, seed=1, exact_ends=False):
    """Column means of (units, points) with a pointwise percentile band over the units.

    Where all units agree on 0 or 1 resampling sees no spread; there Wilson's interval is taken,
    unless `exact_ends`.
    """
    matrix = numpy.asarray(matrix, dtype=float)
    n = len(matrix)
    mean = matrix.mean(axis=0)
    replicates = resampled_means(matrix, resamples, seed)
    low, high = percentiles(replicates, level, axis=0)
    if exact_ends:
        return mean, low, high
    none, all_ = wilson(0, n, level), wilson(n, n, level)
    high = numpy.where(mean == 0, none.high, high)
    low = numpy.where(mean == 1, all_.low, low)
    return mean, low, high
