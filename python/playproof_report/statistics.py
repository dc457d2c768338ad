"""Intervals. Everything here is deterministic: resampling is a function of its seed."""

import functools
import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy

from .resampling import resampled_means

RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A point estimate with its interval; `n` is the number of independent units behind it."""

    value: float
    low: float
    high: float
    n: int


def incomplete_beta(a, b, x):
    """The regularised incomplete beta function I_x(a, b), by Lentz' continued fraction."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta(b, a, 1 - x)
    log_front = (math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x)
                 + b * math.log1p(-x))
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    fraction = d
    for m in range(1, 1000):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / c
            c = c if abs(c) > tiny else tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) * fraction / a


def t_cdf(t, df):
    """Student's t distribution."""
    tail = incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2
    return 1 - tail if t > 0 else tail


def t_quantile(p, df):
    if not 0 < p < 1:
        raise ValueError("p must be between 0 and 1")
    if p < 0.5:
        return -t_quantile(1 - p, df)
    low, high = 0.0, 1.0
    while t_cdf(high, df) < p:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if t_cdf(middle, df) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


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
    """Wilson's score interval of a share; `successes` may be an expectation, not whole."""
    if n == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(p, max(0.0, centre - half), min(1.0, centre + half), n)


def bca(value, jackknife, replicates, level=LEVEL):
    """Ends of the bias-corrected and accelerated bootstrap interval (Efron 1987).

    value: of all data; jackknife: with one unit left out each; replicates: of the resamples.
    """
    normal = NormalDist()
    below = numpy.mean(replicates < value) + numpy.mean(replicates == value) / 2
    below = min(max(below, 0.5 / len(replicates)), 1 - 0.5 / len(replicates))
    bias = normal.inv_cdf(below)
    centred = numpy.mean(jackknife) - jackknife
    spread = float(numpy.sum(centred ** 2)) ** 1.5
    acceleration = float(numpy.sum(centred ** 3)) / (6 * spread) if spread > 0 else 0.0
    ends = []
    for p in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal.inv_cdf(p)
        adjusted = normal.cdf(bias + z / (1 - acceleration * z))
        ends.append(float(numpy.quantile(replicates, adjusted)))
    return ends[0], ends[1]


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
    jackknife = (values.sum() - values) / (n - 1)
    return Interval(mean, *bca(mean, jackknife, replicates, level), n)


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
        jackknife = numpy.log(above.sum() - above) - numpy.log(below.sum() - below)
    value = math.log(above.sum() / below.sum())
    if not (numpy.all(numpy.isfinite(replicates)) and numpy.all(numpy.isfinite(jackknife))):
        # A resample without any event: no finite end can be vouched for on that side.
        replicates = numpy.where(numpy.isnan(replicates), value, replicates)
        low, high = numpy.quantile(replicates, [(1 - level) / 2, (1 + level) / 2],
                                   method="inverted_cdf")
    else:
        low, high = bca(value, jackknife, replicates, level)
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
    low, high = numpy.quantile(replicates, [(1 - level) / 2, (1 + level) / 2], axis=0)
    if exact_ends:
        return mean, low, high
    none, all_ = wilson(0, n, level), wilson(n, n, level)
    high = numpy.where(mean == 0, none.high, high)
    low = numpy.where(mean == 1, all_.low, low)
    return mean, low, high
