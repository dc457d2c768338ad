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


def _judge_counts(table, series, claim):
    paired = pairing.ratio(table, series, claim["measure"], claim["subject"], claim["base"])
    verdict = position(paired.common, claim["low"], _high(claim))
    notes = []
    censored = paired.censored_subject + paired.censored_base + paired.censored_both
    if censored:
        full = paired.full
        notes.append(
            f"{censored} pairs undecided (only {claim['subject']}: {paired.censored_subject}, only "
            f"{claim['base']}: {paired.censored_base}, both: {paired.censored_both}); with them at "
            f"the count where they stopped {full.value:.3g} [{full.low:.3g}, {full.high:.3g}]")
        if position(full, claim["low"], _high(claim)) != verdict:
            verdict = PARTLY if verdict != NO_DATA else NO_DATA
    if paired.excluded:
        notes.append(f"{paired.excluded} pairs with a count of 0 left out")
    return verdict, paired.common, "geometric mean of paired ratios", "; ".join(notes)


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
