"""Intervals, by scipy. Everything here is deterministic: resampling is a function of its seed."""

import functools
import math
import warnings
from dataclasses import dataclass
from types import SimpleNamespace

import numpy
from scipy import special

from .resampling import resampled_means

RESAMPLES = 10_000
LEVEL = 0.95
JACKKNIFE = 1 << 22  # numbers of jackknife samples in memory at a time


@dataclass(frozen=True)
class Interval:
    """A point estimate with its interval; `n` is the number of independent units behind it."""

    value: float
    low: float
    high: float
    n: int


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
    half = t_quantile((1 + level) / 2, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half, n)


def geometric_ratio(log_ratios, level=LEVEL):
    """Geometric mean of ratios, with the t interval of their logarithms."""
    interval = t_interval(log_ratios, level)
    bound = [math.exp(min(x, 700.0)) if not math.isnan(x) else x
             for x in (interval.value, interval.low, interval.high)]
    return Interval(*bound, interval.n)


def wilson(successes, n, level=LEVEL):
    """Wilson's score interval of a share."""
    if n == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    from scipy import stats  # takes a quarter of a second: only for pages that need it
    ends = stats.binomtest(int(successes), n).proportion_ci(level, method="wilson")
    return Interval(successes / n, float(ends.low), float(ends.high), n)


def percentiles(replicates, level=LEVEL, **options):
    return numpy.quantile(replicates, [(1 - level) / 2, (1 + level) / 2], **options)


def bca(columns, statistic, replicates, level=LEVEL):
    """Ends of the bias-corrected and accelerated bootstrap interval (Efron 1987).

    columns: of the data, paired; statistic(*columns, axis); replicates: its values for bootstrap
    samples. Where the correction is not defined: the percentiles.
    """
    from scipy import stats
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        ends = stats.bootstrap(
            columns, statistic, paired=True, vectorized=True, method="BCa", confidence_level=level,
            n_resamples=0, bootstrap_result=SimpleNamespace(bootstrap_distribution=replicates),
            batch=max(1, JACKKNIFE // len(columns[0]))).confidence_interval
    if math.isnan(ends.low) or math.isnan(ends.high):
        ends = percentiles(replicates, level)
    return float(ends[0]), float(ends[1])


def bootstrap_mean(values, level=LEVEL, resamples=RESAMPLES, seed=1):
    """Arithmetic mean with its BCa interval."""
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
        return Interval(mean, mean, mean, n)
    replicates = resampled_means(values[:, None], resamples, seed)[:, 0]
    return Interval(mean, *bca((values,), numpy.mean, replicates, level), n)


def _log_ratio_of_means(above, below, axis):
    return numpy.log(numpy.mean(above, axis=axis)) - numpy.log(numpy.mean(below, axis=axis))


def bootstrap_ratio_of_means(above, below, level=LEVEL, resamples=RESAMPLES, seed=1):
    """mean(above) / mean(below) over the same units, with the paired BCa interval.

    The interval is taken on the logarithm. 0 / x is 0, x / 0 is infinite, 0 / 0 is nan.
    """
    above = numpy.asarray(above, dtype=float)
    below = numpy.asarray(below, dtype=float)
    n = len(above)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0)
    if above.sum() == 0 or below.sum() == 0:
        value = math.nan if above.sum() == below.sum() else 0.0 if above.sum() == 0 else math.inf
        return Interval(value, 0.0, math.inf, n)
    means = resampled_means(numpy.column_stack((above, below)), resamples, seed)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        replicates = numpy.log(means[:, 0]) - numpy.log(means[:, 1])
    value = math.log(above.sum() / below.sum())
    # A sample without any event: no finite end can be vouched for on that side.
    rare = min(numpy.count_nonzero(above), numpy.count_nonzero(below)) < 2
    if rare or not numpy.all(numpy.isfinite(replicates)):
        replicates = numpy.where(numpy.isnan(replicates), value, replicates)
        low, high = percentiles(replicates, level, method="inverted_cdf")
    else:
        low, high = bca((above, below), _log_ratio_of_means, replicates, level)
    return Interval(math.exp(value), math.exp(low), math.exp(high), n)


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
