"""Settings of Deep df-pn (leaf=deep), and the hill climbing over them."""

import numpy

from .shape import number as of_option, read_parameters

CAP = 2.0 ** 46  # where numbers of unsolved leaves stop (kPhiDeltaCap, kernels/numbers/phi_delta.h)


def settings(table):
    """Adds the columns E and D (NaN unless leaf=deep) and epsilon."""
    parameters = [read_parameters(text) for text in table["parameters"]]
    deep = [p.get("leaf") == "deep" for p in parameters]

    def number(key, mask):
        return [of_option(p, key) if m and key in p else numpy.nan for p, m in zip(parameters, mask)]
    return table.assign(E=number("E", deep), D=number("D", deep),
                        epsilon=number("epsilon", [not d for d in deep]))


def climb(cost):
    """Algorithm 1 of Song's thesis (section 3.3.6) on {(E, D): count} of those that were decided: from
    (2, 2) to the better of the two neighbours with a larger E or D, over a worse one if one of its own
    two neighbours is better than it; ends where both are worse, at the rim, or on a flat. Returns
    (E, D, evaluations)."""
    seen = set()

    def node(e, d):
        if (e, d) in cost:
            seen.add((e, d))
        return cost.get((e, d), numpy.inf)
    e, d, flat = 2, 2, 0
    while flat < 4:
        here = node(e, d)
        right, up = node(e + 1, d), node(e, d + 1)
        e2, d2, value = (e + 1, d, right) if right <= up else (e, d + 1, up)
        if not value <= here and node(e2 + 1, d2) > value and node(e2, d2 + 1) > value:
            break
        if not numpy.isfinite(value):
            break
        flat = flat + 1 if value == here else 0
        e, d = e2, d2
    return e, d, len(seen)


def costs_of(runs, measure):
    """climb()'s cost of one problem's runs, which have columns E and D; undecided ones are infinite."""
    return {(int(run.E), int(run.D)): float(getattr(run, measure)) if run.decided else numpy.inf
            for run in runs[runs["E"].notna()].itertuples()}


def saturated(e, d):
    """Whether the leaves below the root have numbers at the cap: then no second-best child bounds the
    first, thresholds are infinite, and what is entered is searched to its end."""
    return e > 1 and (d - 1) * numpy.log2(e) >= numpy.log2(CAP)
