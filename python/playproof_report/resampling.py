"""Bootstrap samples (Efron 1979): means of units drawn with replacement, by numpy.

What is drawn is a function of the seed and the number of units, on every machine and with every
version of numpy: the numbers of its RandomState are frozen.
"""

import functools

import numpy

BLOCK = 1 << 22  # counts in memory at a time
KEPT = 1 << 24  # for one number of units: 32 MiB as small integers


def _counts(random, samples, units, size=None):
    """How often each sample of `size` (as many as there are) draws each unit: (samples, units)."""
    draws = random.randint(units, size=(samples, size or units))
    draws += units * numpy.arange(samples)[:, None]
    counts = numpy.bincount(draws.ravel(), minlength=samples * units)
    return counts.reshape(samples, units).astype(float)


def _blocks(samples, units, seed):
    random = numpy.random.RandomState(seed)
    most = max(1, BLOCK // units)
    for first in range(0, samples, most):
        yield _counts(random, min(most, samples - first), units)


@functools.lru_cache(maxsize=8)
def _kept(samples, units, seed):
    """The blocks of samples that a page asks for again and again."""
    return list(_blocks(samples, units, seed))


@functools.lru_cache(maxsize=4)  # all units of a series, and those that were decided
def _small(samples, units, seed):
    return [counts.astype(numpy.uint16) for counts in _blocks(samples, units, seed)]


def _kept_large(samples, units, seed):
    small = units <= numpy.iinfo(numpy.uint16).max  # no sample draws one more often
    return (counts.astype(float) for counts in (_small if small else _blocks)(samples, units, seed))


def resampled_means(matrix, samples, seed):
    """Column means of `samples` bootstrap samples of the rows of (units, columns). The samples of
    matrices with as many rows draw the same rows."""
    units = len(matrix)
    blocks = _blocks if samples * units > KEPT else (
        _kept if samples * units <= BLOCK else _kept_large)
    return numpy.concatenate([counts @ matrix for counts in blocks(samples, units, seed)]) / units


def smaller_samples(matrix, samples, size, seed):
    """The same of samples of `size` rows each: what experiments of that size would have given."""
    counts = _counts(numpy.random.RandomState(seed), samples, len(matrix), size)
    return counts @ matrix / size
