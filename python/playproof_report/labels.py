"""Finds places for the names of curves: beside their curve, away from the others."""

import numpy

# Sizes as shares of the axes, for a panel of about 4.3 x 3 inches and 9 point bold letters.
LETTER_WIDTH = 0.021
HEIGHT = 0.055
GAP = 0.018
SAMPLES = 400


def place(curves):
    """{name: (xs, ys)} in shares of the axes, xs ascending -> {name: (x, y)} of the lower left
    corner of each name. Names whose curve is near few others come first."""
    xs = numpy.linspace(0.0, 1.0, SAMPLES)
    lines = {name: numpy.interp(xs, x, y) for name, (x, y) in curves.items()}
    placed = {}
    boxes = []
    for name in sorted(lines, key=lambda n: -_separation(lines, n)):
        candidates = _candidates(name, xs, lines[name])
        box = candidates[numpy.argmin(_costs(candidates, name, xs, lines, boxes))]
        boxes.append(box)
        placed[name] = (float(box[0]), float(box[1]))
    return placed


def _separation(lines, name):
    others = [numpy.abs(lines[name] - line) for other, line in lines.items() if other != name]
    return float(numpy.mean(numpy.min(others, axis=0))) if others else 1.0


def _candidates(name, xs, line):
    """Boxes (left, bottom, right, top) that start or end on the curve, above and below it: a row each."""
    width = LETTER_WIDTH * len(name)
    x, y = xs[::5, None, None], line[::5, None, None]
    left = numpy.concatenate([x + GAP, x - width - GAP], axis=1)
    bottom = numpy.concatenate([y + GAP, y - GAP - HEIGHT, y - HEIGHT / 2], axis=2)
    left, bottom = (ends.ravel() for ends in numpy.broadcast_arrays(left, bottom))
    return numpy.stack([left, bottom, left + width, bottom + HEIGHT], axis=1)


def _costs(candidates, name, xs, lines, boxes):
    """How bad each candidate is beside the lines and the boxes of other names."""
    left, bottom, right, top = candidates.T
    outside = sum(numpy.maximum(0.0, beyond) for beyond in (0.005 - left, right - 0.995, 0.01 - bottom, top - 0.995))
    costs = 1000 * outside + 100 * (outside > 0)
    for other in boxes:
        costs += 100 * ((left < other[2]) & (other[0] < right) & (bottom < other[3]) & (other[1] < top))
    first, end = numpy.searchsorted(xs, left), numpy.searchsorted(xs, right, side="right")
    samples = first[:, None] + numpy.arange(max(1, int((end - first).max())))
    inside = samples < end[:, None]
    samples = numpy.minimum(samples, SAMPLES - 1)
    middle = (bottom + top) / 2
    for other, line in lines.items():
        # Steep curves cross a box between two samples: what counts is the range they cover.
        here = line[samples]
        least = numpy.where(inside, here, numpy.inf).min(axis=1)
        most = numpy.where(inside, here, -numpy.inf).max(axis=1)
        costs += (8 if other == name else 20) * ((least < top) & (most > bottom))
        if other != name:
            near = numpy.where(inside, numpy.abs(here - middle[:, None]), numpy.inf).min(axis=1)
            costs += 20 * numpy.maximum(0.0, 0.15 - near)
    return costs
