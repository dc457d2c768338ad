"""What a count of 0 is in a ratio.

Ratios are taken on logarithms, and 0 has none. It enters as half of the least that its measure can
be: less than every other count, and equal to itself.
"""

import numpy

CLOCK = 1e-6  # seconds; what is shorter is noise
LEAST = {"seconds": CLOCK, "cpu_seconds": CLOCK}  # of other measures: 1
ZERO_RULE = (
    "A count of 0 enters ratios as 1/2 (an iteration that is divided by branches as half of its share, "
    "a time as half a microsecond): less than every other count, equal to itself.")


def least(runs, measure, suffix=""):
    """The least that a run can have of a measure, 0 apart. `runs`: a table, or pairing.Pairs."""
    if measure == "iterations_normalised":
        return 1.0 / runs["iteration_divisor" + suffix].astype(float)
    return LEAST.get(measure, 1.0)


def positive(runs, measure, suffix=""):
    """The counts of the column measure + suffix as an array of numbers above 0; NaN where there is none."""
    values = numpy.asarray(runs[measure + suffix], dtype=float)
    return numpy.where(values != 0, values, least(runs, measure, suffix) / 2)


def log_counts(runs, measure, suffix=""):
    return numpy.log(positive(runs, measure, suffix))


def columns(measure):
    """The columns that log_counts() reads."""
    return list(dict.fromkeys([measure, "iteration_divisor"]))
