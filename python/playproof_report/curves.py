"""Error of the interim move over a run: step functions of the iteration.

A curve is a list of change points (iteration, error) that begins at iteration 0; iterations are
counted as the plan says (`divisor`: branches, for algorithms that add one node an iteration).
"""

import math

import numpy


def sample(points, divisor, grid):
    """The error after each number of iterations in `grid`."""
    iterations = numpy.array([p[0] for p in points], dtype=float) / divisor
    errors = numpy.array([p[1] for p in points], dtype=float)
    at = numpy.searchsorted(iterations, grid, side="right") - 1
    return errors[numpy.maximum(at, 0)]


def area(points, divisor, horizon):
    """Mean error over log-spaced iterations from 1 to `horizon`.

    The integral of the error over the logarithm of the iteration, exact (the curve is a step
    function), divided by log(horizon): each factor of ten counts the same.
    """
    total = 0.0
    for index, (iteration, error) in enumerate(points):
        begin = min(max(iteration / divisor, 1.0), horizon)
        last = index + 1 == len(points)
        end = horizon if last else min(max(points[index + 1][0] / divisor, 1.0), horizon)
        total += error * (math.log(end) - math.log(begin))
    return total / math.log(horizon)


def rise(points):
    """By how much the error went up over the whole run, all rises added."""
    return sum(max(0.0, after[1] - before[1]) for before, after in zip(points, points[1:]))


POINTS = 240  # at which curves are drawn


def log_grid(horizon, points=POINTS):
    """Iterations from 1 to horizon, evenly spaced on a log axis."""
    return numpy.exp(numpy.linspace(0.0, math.log(max(horizon, 2.0)), points))
