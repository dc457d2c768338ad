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
        box = min(_candidates(name, xs, lines[name]),
                  key=lambda b: _cost(b, name, xs, lines, boxes))
        boxes.append(box)
        placed[name] = (box[0], box[1])
    return placed


def _separation(lines, name):
    others = [numpy.abs(lines[name] - line) for other, line in lines.items() if other != name]
    return float(numpy.mean(numpy.min(others, axis=0))) if others else 1.0


def _candidates(name, xs, line):
    """Boxes (left, bottom, right, top) that start or end on the curve, above and below it."""
    width = LETTER_WIDTH * len(name)
    for i in range(0, SAMPLES, 5):
        for left in (xs[i], xs[i] - width):
            for bottom in (line[i] + GAP, line[i] - GAP - HEIGHT, line[i] - HEIGHT / 2):
                shift = GAP if left == xs[i] else -GAP
                yield (left + shift, bottom, left + shift + width, bottom + HEIGHT)


def _cost(box, name, xs, lines, boxes):
    left, bottom, right, top = box
    cost = 0.0
    outside = max(0.0, 0.005 - left) + max(0.0, right - 0.995) + max(0.0, 0.01 - bottom) + max(
        0.0, top - 0.995)
    cost += 1000 * outside + (100 if outside else 0)
    for other in boxes:
        if left < other[2] and other[0] < right and bottom < other[3] and other[1] < top:
            cost += 100
    inside = (xs >= left) & (xs <= right)
    middle = (bottom + top) / 2
    for other, line in lines.items():
        # Steep curves cross a box between two samples: what counts is the range they cover.
        here = line[inside]
        if len(here) == 0:
            continue
        crosses = here.min() < top and here.max() > bottom
        cost += (8 if other == name else 20) * crosses
        if other != name:
            near = float(numpy.min(numpy.abs(here - middle)))
            cost += max(0.0, 0.15 - near) * 20
    return cost
