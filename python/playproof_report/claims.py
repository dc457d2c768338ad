"""Claims: what a paper says, as a formula of the plan, judged by an interval.

A formula states that measure(subject) / measure(base) lies in a range (low, high), one side of
which may be open, or that the share of problems with a ratio below a bound does; the claim says how
the ratios of all problems make one (pairing.STATISTICS). Reproduced: the 95 % interval lies wholly
inside. Not reproduced: wholly outside. Partly: else. No data: there is no pair that one of the two
sides decided.

An undecided run would have taken longer than it did, nobody knows how much. Its ratios are judged in the worst case:
a verdict counts where it would be the same for all that undecided runs can have taken, up to LONGER times what they
used. The tipping factor is where the verdict would change, so that a reader with another idea of what is possible can
judge by that.
"""

import math
from dataclasses import dataclass

from . import conditions, pairing, probes, written
from .pairing import GEOMETRIC, MEAN_OF, OF_MEANS, SHARE_BELOW, TIE
from .statistics import Interval, bootstrap_ratio_of_means, holm, ratio_of_rises

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT = "not reproduced"
NO_DATA = "no data"
FAMILY_LEVEL = 0.05
FEWEST = 8  # units whose bootstrap interval settles a claim
LONGER = 1000.0  # times what it used: an undecided run has not taken more
# From here on no factor matters, by what a statistic can bear.
FARTHEST = {GEOMETRIC: 1e30, OF_MEANS: 1e6, MEAN_OF: 1e6}
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
    help: str = ""  # where the two sides had unequal help (probes.py, conditions.py)
    p: float = 1.0  # of the hypothesis that the verdict rejects; 1 where it rejects none
    holm: float = 1.0  # the same, adjusted for all judgements of the plan that have data
    worst: tuple = ()  # with undecided runs: the ends of the interval in the worst case
    earlier: int = 0  # of the runs that it is judged by: those that were there before the claim was written
    runs: int = 0  # how many these are
    tipping: float = math.nan  # ... and how many times longer they would change the verdict that `interval` alone has;
    # infinite: no factor would

    @property
    def settled(self):
        return self.verdict in (REPRODUCED, NOT)

    @property
    def after_the_fact(self):
        """What some runs made likely may have become the claim (written.py)."""
        return self.earlier > 0

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
    return p_of_bounds(interval, interval, low, high)


def p_of_bounds(least, most, low, high):
    """The same of a value that lies between two estimates: each bound of the range by the one that is nearer."""
    if least.n == 0 or math.isnan(least.value) or math.isnan(most.value):
        return 1.0
    if most.value <= low:
        return _p(most, low)
    if least.value >= high:
        return _p(least, high)
    return max(_p(least, low), _p(most, high))


def _p(interval, x):
    """Of a bound; an open side rejects nothing."""
    if not 0 < x < math.inf or interval.high - interval.low <= TIE * interval.value:
        return 0.0
    return interval.p(x)


def worst(paired, factor):
    """The interval of all that the estimate can be where undecided runs took up to `factor` times what they used."""
    least, most = paired.bounds(factor)
    return Interval(paired.full.value, least.low, most.high, paired.full.n)


def tipping_factor(paired, low, high, farthest):
    """How many times longer undecided runs must have been for another verdict than that of the estimate; 1 if that
    settles nothing, infinite if no factor would do."""
    first = position(worst(paired, 1.0), low, high)

    def stays(factor):
        return position(worst(paired, factor), low, high) == first

    if first not in (REPRODUCED, NOT):
        return 1.0
    if stays(farthest):
        return math.inf
    least, most = 1.0, farthest
    while most > 1.02 * least:
        middle = math.sqrt(least * most)
        least, most = (middle, most) if stays(middle) else (least, middle)
    return least


def _verdict(paired, low, high, tipping):
    """NO_DATA without a pair that one side decided; PARTLY if these are no more than half, or if undecided runs can
    have taken so long that the verdict changes."""
    if not paired.full.n:
        return NO_DATA
    if paired.known <= paired.censored_both or tipping < LONGER:
        return PARTLY
    return position(worst(paired, 1.0), low, high)


def _pairs(number):
    return f"{number} pair" if number == 1 else f"{number} pairs"


def _times(factor):
    return "no matter how long" if math.isinf(factor) else f"up to {factor:.2g} times as long"


def _tipping_note(paired, low, high, tipping):
    """What undecided runs could still change; nothing if their pairs settle nothing as they are."""
    if math.isnan(tipping) or tipping == 1:
        return ""
    first = position(worst(paired, 1.0), low, high)
    if tipping >= LONGER:
        return f"; {first} had they taken {_times(tipping)}"
    return f"; {first} only had they taken {_times(tipping)}, where {LONGER:,.0f} times is allowed for"


def _notes(claim, paired, tipping_note):
    notes = []
    if paired.missing:
        notes.append(f"{_pairs(paired.missing)} whose stored rows lack this count left out")
    if paired.zeros:
        notes.append(f"{_pairs(paired.zeros)} with a count of 0")
    if paired.censored_both:
        notes.append(f"{_pairs(paired.censored_both)} undecided on both sides: "
                     + ("not shown, judged as below and as not below" if statistic(claim) == SHARE_BELOW
                        and paired.full.n else "no data"))
    if paired.one_sided:
        common = paired.common
        alone = (f"; the {common.n} decided alone: {common.value:.3g} "
                 f"[{common.low:.3g}, {common.high:.3g}]" if common.n else "; none decided on both")
        notes.append(
            f"{_pairs(paired.one_sided)} undecided on one side (only "
            f"{claim['subject']}: {paired.censored_subject}, only {claim['base']}: "
            f"{paired.censored_base}): shown with the counts where they stopped{alone}{tipping_note}")
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
    if statistic(claim) == SHARE_BELOW:  # its bounds hold however long anything takes
        verdict = _verdict(paired, low, high, math.inf)
        return Judgement(claim, series, verdict, paired.full, low, high, what, _notes(claim, paired, ""),
                         p=p_of_bounds(*paired.bounds(LONGER), low, high))
    tipping = (tipping_factor(paired, low, high, FARTHEST[statistic(claim)]) if paired.one_sided
               else math.nan)
    verdict = _verdict(paired, low, high, tipping)
    made = Judgement(claim, series, verdict, paired.full, low, high, what,
                     _notes(claim, paired, _tipping_note(paired, low, high, tipping)),
                     p=p_of_bounds(*paired.bounds(LONGER), low, high), tipping=tipping)
    if paired.one_sided:
        ends = worst(paired, LONGER)
        made.worst = ends.low, ends.high
    return made


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
    """A share may be 0, and the interval of a mean of ratios may end below it: an open side has that inside."""
    low = claim["low"]
    return -math.inf if statistic(claim) in (SHARE_BELOW, MEAN_OF) and low == 0 else low


def _high(claim):
    return math.inf if claim["high"] is None else claim["high"]


def with_other_labels(experiment, old, new):
    """The claims of the plan of which every label that begins with one word begins with another one, where there are
    such algorithms: what a paper says, by another formula than it was first judged with."""
    def renamed(label):
        return new + label[len(old):] if label.startswith(old + " ") else label

    made = []
    for claim in experiment.plan["claims"]:
        sides = {name: renamed(claim[name]) for name in ("subject", "base")}
        series = [one for one in claim["series"] if set(sides.values()) <= set(experiment.algorithms(one))]
        if series and sides != {name: claim[name] for name in sides}:
            made.append({**claim, **sides, "series": series,
                         "formula": claim["formula"].replace(f"{old} ", f"{new} ")})
    return made


def judge(experiment, table, of=None):
    """All claims of the plan, or others, one judgement a series."""
    judgements, history = [], written.Written(experiment)
    table = conditions.with_conditions(probes.with_probes(table))
    for claim in experiment.plan["claims"] if of is None else of:
        for series in claim["series"]:
            if claim["measure"].startswith("error_"):
                judgement = _judge_curves(experiment, table, series, claim)
            else:
                judgement = _judge_counts(table, series, claim)
            _beware_of_few(judgement)
            judgement.help = "; ".join(filter(None, (note(table, series, claim["subject"], claim["base"])
                                                     for note in (probes.claim_note, conditions.claim_note))))
            judgement.earlier, judgement.runs = history.earlier(claim, series)
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


def written_sentence(judgements):
    """How many claims were written when runs that judge them were there; empty where none was."""
    late = sum(j.after_the_fact for j in judgements)
    return (f"{late} of {len(judgements)} judgements are of claims that were written after some of the runs that judge "
            "them.") if late else ""


def written_note(judgement):
    """Of one of these; empty of others."""
    if not judgement.after_the_fact:
        return ""
    return ("written after the runs" if judgement.earlier == judgement.runs else
            f"written after {judgement.earlier:,} of its {judgement.runs:,} runs")


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
    """["Claims: 3 reproduced, 1 partly"] for the terminal, a line for each of by_whom(), those of
    holm_sentence() and written_sentence(), and one for each judgement of sides with unequal help."""
    found = [f"{name}: " + ", ".join(f"{n} {kind}" for kind, n in count(group).items() if n)
             for name, group in by_whom(judgements)]
    found += ["  " + sentence for sentence in (holm_sentence(judgements), written_sentence(judgements)) if sentence]
    return found + [f"  {j.verdict} on {j.series}, but with {j.help}: {j.claim['formula']}"
                    for j in judgements if j.help]
