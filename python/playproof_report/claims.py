"""Claims: what a paper says, as a formula of the plan, judged by an interval.

A formula states that measure(subject) / measure(base) lies in a range (low, high), one side of
which may be open, or that the share of problems with a ratio below a bound does; the claim says how
the ratios of all problems make one (pairing.STATISTICS). Reproduced: the 95 % interval lies wholly
inside. Not reproduced: wholly outside. Partly: else. No data: there is no pair that one of the two
sides decided.
"""

import math
from dataclasses import dataclass

from . import pairing, probes
from .pairing import GEOMETRIC, MEAN_OF, OF_MEANS, SHARE_BELOW, TIE
from .statistics import Interval, bootstrap_ratio_of_means, holm, ratio_of_rises

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT = "not reproduced"
NO_DATA = "no data"
FAMILY_LEVEL = 0.05
FEWEST = 8  # units whose bootstrap interval settles a claim
WHAT = {GEOMETRIC: "geometric mean of paired ratios", OF_MEANS: "ratio of the means",
        MEAN_OF: "arithmetic mean of paired ratios", SHARE_BELOW: "share of the problems"}


@dataclass
class Judgement:
    claim: dict  # as in the plan
    series: str
    verdict: str
    interval: Interval  # of the ratio or share
    low: float
    high: float
    what: str  # how it was formed
    note: str = ""
    help: str = ""  # where the two sides had unequal help (probes.py)
    p: float = 1.0  # of the hypothesis that the verdict rejects; 1 where it rejects none
    holm: float = 1.0  # the same, adjusted for all judgements of the plan that have data

    @property
    def settled(self):
        return self.verdict in (REPRODUCED, NOT)

    @property
    def stands(self):
        """Settled, also with Holm's correction."""
        return self.settled and self.holm <= FAMILY_LEVEL


def position(interval, low, high):
    """Where an interval lies with respect to an open range."""
    if interval.n == 0 or math.isnan(interval.value):
        return NO_DATA
    low, high = low * (1 + TIE), high * (1 - TIE)  # equal, but for rounding, is not inside
    if low < interval.low and interval.high < high:
        return REPRODUCED
    if interval.high <= low or interval.low >= high:
        return NOT
    return PARTLY


def p_value(interval, low, high):
    """Two-sided, of what a verdict rejects: that the true value lies outside the range, if the
    estimate lies inside; that it lies inside, if it is outside. Below 5 % just where the 95 %
    interval lies wholly on one side of each bound. Of values that all are equal there is no spread,
    and a bound that they equal is outside the range."""
    if interval.n == 0 or math.isnan(interval.value):
        return 1.0
    if interval.high - interval.low <= TIE * interval.value:
        return 0.0
    bounds = [x for x in (low, high) if 0 < x < math.inf]
    if low < interval.value < high:
        return max((interval.p(x) for x in bounds), default=1.0)
    return interval.p(low if interval.value <= low else high)


def _with_censoring(paired, low, high):
    """The verdict when some runs are undecided.

    Over the pairs that one side decided, with the other at the count where it stopped, a ratio is a
    lower bound of the true one if only subjects are undecided, an upper bound if only bases are; if
    both are it is no bound, and nothing is settled. A bound can settle a claim in its own direction.
    Of a share both ends must say the same, and miss the range on the same side.
    """
    full = paired.full
    if paired.shares:
        least, most = paired.shares
        if position(least, low, high) == position(most, low, high) == REPRODUCED:
            return REPRODUCED
        return NOT if least.low >= high or most.high <= low else PARTLY
    whole = position(full, low, high)
    if paired.may_be_more and paired.may_be_less:
        return PARTLY
    if paired.may_be_more:
        if math.isinf(high) and whole == REPRODUCED:
            return REPRODUCED
        return NOT if full.low >= high else PARTLY
    if paired.may_be_less:
        if low <= 0 and whole == REPRODUCED:
            return REPRODUCED
        return NOT if full.high <= low else PARTLY
    return whole


def _verdict(paired, low, high):
    """NO_DATA without a pair that one side decided; PARTLY if these are no more than half."""
    if not paired.full.n:
        return NO_DATA
    verdict = _with_censoring(paired, low, high)
    return verdict if paired.known > paired.censored_both else PARTLY


def _pairs(number):
    return f"{number} pair" if number == 1 else f"{number} pairs"


def _notes(claim, paired):
    notes = []
    if paired.missing:
        notes.append(f"{_pairs(paired.missing)} whose stored rows lack this count left out")
    if paired.zeros:
        notes.append(f"{_pairs(paired.zeros)} with a count of 0")
    if paired.censored_both:
        notes.append(f"{_pairs(paired.censored_both)} undecided on both sides: "
                     + ("not shown, judged as below and as not below" if paired.shares
                        and paired.full.n else "no data"))
    if paired.censored_subject or paired.censored_base:
        common = paired.common
        alone = (f"; the {common.n} decided alone: {common.value:.3g} "
                 f"[{common.low:.3g}, {common.high:.3g}]" if common.n else "; none decided on both")
        notes.append(
            f"{_pairs(paired.censored_subject + paired.censored_base)} undecided on one side (only "
            f"{claim['subject']}: {paired.censored_subject}, only {claim['base']}: "
            f"{paired.censored_base}): shown with the counts where they stopped{alone}")
    return "; ".join(notes)


def statistic(claim):
    """How the ratios of all problems make one; older stores do not say."""
    of_errors = claim["measure"].startswith("error_")
    return claim.get("statistic", OF_MEANS if of_errors else GEOMETRIC)


def _judge_counts(table, series, claim):
    below = claim.get("below", 1.0)
    paired = pairing.ratio(table, series, claim["measure"], claim["subject"], claim["base"],
                           statistic(claim), below)
    what = WHAT[statistic(claim)]
    if statistic(claim) == SHARE_BELOW:
        what += " with a ratio below " + f"{below:.3g}"
    low, high = _low(claim), _high(claim)
    p = max(p_value(one, low, high) for one in paired.shares or [paired.full])
    return Judgement(claim, series, _verdict(paired, low, high), paired.full, low, high, what,
                     _notes(claim, paired), p=p)


def _judge_curves(experiment, table, series, claim):
    horizon = claim["horizon"] or pairing.horizon(table, series)
    compare = bootstrap_ratio_of_means
    if claim["measure"] == "error_area":
        function = pairing.error_area(horizon)
        what = f"ratio of mean error areas, iterations 1 to {horizon:,.0f}"
    elif claim["measure"] == "error_rise":
        function = pairing.error_rise()
        what = "ratio of mean total rises of the error"
    else:
        function = pairing.error_on_grid(horizon)
        what = "ratio of total rises of the mean error, as drawn"
        compare = ratio_of_rises
    subject, base = pairing.paired_curve_values(
        experiment, table, series, [claim["subject"], claim["base"]], function)
    interval = compare(subject, base)
    low, high = _low(claim), _high(claim)
    return Judgement(claim, series, position(interval, low, high), interval, low, high, what,
                     p=p_value(interval, low, high))


def _low(claim):
    """A share may be 0, and an open side has it inside."""
    low = claim["low"]
    return -math.inf if statistic(claim) == SHARE_BELOW and low == 0 else low


def _high(claim):
    return math.inf if claim["high"] is None else claim["high"]


def judge(experiment, table):
    """All claims of the plan, one judgement a series."""
    judgements = []
    table = probes.with_probes(table)
    for claim in experiment.plan["claims"]:
        for series in claim["series"]:
            if claim["measure"].startswith("error_"):
                judgement = _judge_curves(experiment, table, series, claim)
            else:
                judgement = _judge_counts(table, series, claim)
            _beware_of_few(judgement)
            judgement.help = probes.claim_note(table, series, claim["subject"], claim["base"])
            judgements.append(judgement)
    _adjust(judgements)
    return judgements


def _beware_of_few(judgement):
    """The bootstrap needs units: with fewer than FEWEST its intervals are far too short."""
    bootstrap = (statistic(judgement.claim) in (OF_MEANS, MEAN_OF)
                 and judgement.claim["measure"] != "error_rise_of_mean")
    if bootstrap and judgement.settled and judgement.interval.n < FEWEST:
        judgement.verdict = PARTLY
        too_few = f"bootstrap intervals of fewer than {FEWEST} settle nothing"
        judgement.note = "; ".join(filter(None, [judgement.note, too_few]))


def _adjust(judgements):
    """Holm's correction for all that have data."""
    family = [j for j in judgements if j.verdict != NO_DATA]
    for judgement in judgements:
        if not judgement.settled:
            judgement.p = 1.0
    for judgement, adjusted in zip(family, holm([j.p for j in family])):
        judgement.holm = adjusted


def holm_sentence(judgements):
    """How many verdicts stand with Holm's correction; empty where no claim is settled."""
    settled = [j for j in judgements if j.settled]
    if not settled:
        return ""
    family = sum(j.verdict != NO_DATA for j in judgements)
    parts = [f"{sum(j.stands for j in group)} of {len(group)} {kind}"
             for kind in (REPRODUCED, NOT)
             for group in [[j for j in settled if j.verdict == kind]] if group]
    return (f"With Holm's correction for all {family} judgements these stand at 5 %: "
            f"{', '.join(parts)}.")


def count(judgements):
    """{verdict: how many}, in the order reproduced, partly, not, no data."""
    return {kind: sum(j.verdict == kind for j in judgements)
            for kind in (REPRODUCED, PARTLY, NOT, NO_DATA)}


def is_own(claim):
    """The project's own claim, which no paper makes; older stores do not say."""
    return claim.get("own", False)


def by_whom(judgements):
    """[("Claims of papers", judgements), ("The project's own claims", ...)], those that are not
    empty; just "Claims" if none is the project's own."""
    papers = [j for j in judgements if not is_own(j.claim)]
    own = [j for j in judgements if is_own(j.claim)]
    named = [("Claims of papers" if own else "Claims", papers), ("The project's own claims", own)]
    return [(name, group) for name, group in named if group]


def lines(judgements):
    """["Claims: 3 reproduced, 1 partly"] for the terminal, a line for each of by_whom(), one of
    holm_sentence(), and one for each judgement of sides with unequal help."""
    found = [f"{name}: " + ", ".join(f"{n} {kind}" for kind, n in count(group).items() if n)
             for name, group in by_whom(judgements)]
    found += ["  " + sentence for sentence in [holm_sentence(judgements)] if sentence]
    return found + [f"  {j.verdict} on {j.series}, but with {j.help}: {j.claim['formula']}"
                    for j in judgements if j.help]
