"""Claims: what a paper says, as a formula of the plan, judged by an interval.

A formula states that measure(subject) / measure(base) lies in a range (low, high), one side of
which may be open. Reproduced: the 95 % interval lies wholly inside. Not reproduced: wholly outside.
Partly: else.
"""

import math
from dataclasses import dataclass

from . import pairing
from .statistics import Interval, bootstrap_ratio_of_means

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT = "not reproduced"
NO_DATA = "no data"
COUNTED = "geometric mean of paired ratios"


@dataclass
class Judgement:
    claim: dict  # as in the plan
    series: str
    verdict: str
    interval: Interval  # of the ratio
    low: float
    high: float
    what: str  # how the ratio was formed
    note: str = ""


def position(interval, low, high):
    """Where an interval lies with respect to an open range."""
    if interval.n == 0 or math.isnan(interval.value):
        return NO_DATA
    if low < interval.low and interval.high < high:
        return REPRODUCED
    if interval.high <= low or interval.low >= high:
        return NOT
    return PARTLY


def _with_censoring(paired, low, high):
    """The verdict when some runs are undecided.

    Over all pairs, with undecided runs at the count where they stopped, the ratio is a lower bound
    of the true one if only subjects are undecided, an upper bound if only bases are. A bound can
    settle a claim in its own direction. Else both the common pairs and all pairs must agree.
    """
    full = paired.full
    whole = position(full, low, high)
    if paired.censored_both or (paired.censored_subject and paired.censored_base):
        return whole if whole == position(paired.common, low, high) else PARTLY
    if paired.censored_subject:
        if math.isinf(high) and whole == REPRODUCED:
            return REPRODUCED
        return NOT if full.low >= high else PARTLY
    if low == 0 and whole == REPRODUCED:
        return REPRODUCED
    return NOT if full.high <= low else PARTLY


def _judge_counts(table, series, claim):
    paired = pairing.ratio(table, series, claim["measure"], claim["subject"], claim["base"])
    low, high = claim["low"], _high(claim)
    notes = []
    if paired.excluded:
        notes.append(f"{paired.excluded} pairs with a count of 0 left out")
    censored = paired.censored_subject + paired.censored_base + paired.censored_both
    if not censored or not paired.full.n:
        return position(paired.common, low, high), paired.common, COUNTED, "; ".join(notes)
    common = paired.common
    notes.append(
        f"{censored} pairs undecided (only {claim['subject']}: {paired.censored_subject}, only "
        f"{claim['base']}: {paired.censored_base}, both: {paired.censored_both}): shown with the "
        f"counts where they stopped; the {common.n} decided alone: {common.value:.3g} "
        f"[{common.low:.3g}, {common.high:.3g}]")
    return _with_censoring(paired, low, high), paired.full, COUNTED, "; ".join(notes)


def _judge_curves(experiment, table, series, claim):
    if claim["measure"] == "error_area":
        horizon = claim["horizon"] or pairing.horizon(table, series)
        function = pairing.error_area(horizon)
        what = f"ratio of mean error areas, iterations 1 to {horizon:,.0f}"
    else:
        function = pairing.error_rise()
        what = "ratio of mean total rises of the error"
    subject, base = pairing.paired_curve_values(
        experiment, table, series, [claim["subject"], claim["base"]], function)
    interval = bootstrap_ratio_of_means(subject, base)
    return position(interval, claim["low"], _high(claim)), interval, what, ""


def _high(claim):
    return math.inf if claim["high"] is None else claim["high"]


def judge(experiment, table):
    """All claims of the plan, one judgement a series."""
    judgements = []
    for claim in experiment.plan["claims"]:
        for series in claim["series"]:
            if claim["measure"].startswith("error_"):
                verdict, interval, what, note = _judge_curves(experiment, table, series, claim)
            else:
                verdict, interval, what, note = _judge_counts(table, series, claim)
            judgements.append(Judgement(claim, series, verdict, interval, claim["low"],
                                        _high(claim), what, note))
    return judgements


def count(judgements):
    """{verdict: how many}, in the order reproduced, partly, not, no data."""
    return {kind: sum(j.verdict == kind for j in judgements)
            for kind in (REPRODUCED, PARTLY, NOT, NO_DATA)}


def line(judgements):
    """["Claims: 3 reproduced, 1 partly"] for the terminal; [] without claims."""
    if not judgements:
        return []
    return ["Claims: " + ", ".join(f"{n} {kind}" for kind, n in count(judgements).items() if n)]
