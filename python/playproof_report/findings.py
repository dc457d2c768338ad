"""What a result of a paper came to: under which conditions it was tested, what was found, and one sentence of what
was learnt, whose numbers are filled in from the stores.

A finding is of the judgements of the row's claims: it holds if more than half of those with data are reproduced and
none is refuted (contradicted: the other way round), is mixed if some are reproduced and some refuted, and else open.
"""

import math
import re

from . import claims, style
from .errors import DATA, ReportError

SAME, SIZE, GAME, NOT_RUN = "same", "other size", "other game", "not run"
CONDITIONS = (SAME, SIZE, GAME, NOT_RUN)  # the paper's, its game at another size, another game; nothing was run
HOLDS, CONTRADICTED, MIXED, OPEN = "holds", "contradicted", "mixed", "open"
FINDINGS = (HOLDS, CONTRADICTED, MIXED, OPEN)

# "{plan|claim|series}", the series where the claim has several; with "=" the value without its interval.
_NUMBER = re.compile(r"\{(=?)([^{}|]+)\|([^{}|]+)(?:\|([^{}|]+))?\}")
_PRINTED = re.compile(r"\{printed (less|pairs|p)\}")


def finding(verdicts):
    """Of the verdicts of claims; "" if none has data."""
    known = [verdict for verdict in verdicts if verdict != claims.NO_DATA]
    yes, no = (known.count(kind) for kind in (claims.REPRODUCED, claims.NOT))
    if yes and no:
        return MIXED
    if 2 * yes > len(known):
        return HOLDS
    if 2 * no > len(known):
        return CONTRADICTED
    return OPEN if known else ""


def named(sentence):
    """[(plan, claim, series or "")] whose numbers a sentence has."""
    return [(plan, claim, series or "") for _, plan, claim, series in _NUMBER.findall(sentence)]


def check(sentence, place, has_printed):
    """Raises ReportError(DATA) for braces that name nothing."""
    rest = _NUMBER.sub("", sentence)
    rest = _PRINTED.sub("", rest) if has_printed else rest
    if "{" in rest or "}" in rest:
        raise ReportError(DATA, f"{place}: 'learnt' has braces that name no number: {rest}")


def learnt(sentence, judgements, printed):
    """The sentence with its numbers; "" if a store has not all of them. judgements: {plan: [Judgement]}; printed: the
    pairs of numbers that the paper itself prints."""
    found = {}
    for plan, claim, series in named(sentence):
        mine = [j for j in judgements.get(plan, ()) if j.claim["id"] == claim and series in ("", j.series)]
        if len(mine) != 1 or mine[0].verdict == claims.NO_DATA:
            return ""
        found[plan, claim, series] = mine[0]
    signs = sign_test(printed) if printed else {}
    text = _NUMBER.sub(lambda m: number(found[m[2], m[3], m[4] or ""], bool(m[1])), sentence)
    return _PRINTED.sub(lambda m: signs[m[1]], text)


def number(judgement, alone):
    share = claims.statistic(judgement.claim) == claims.SHARE_BELOW
    interval = judgement.interval
    value, low, high = ((style.share_text if share else style.ratio_text)(x).rstrip("×")
                        for x in (interval.value, interval.low, interval.high))
    return value if alone else f"{value} ({low} to {high})"


def sign_test(printed):
    """Of pairs, the first less than the second: how many of how many, and the exact two-sided p-value."""
    pairs = [(a, b) for a, b in printed if a != b]
    less = sum(a < b for a, b in pairs)
    tail = sum(math.comb(len(pairs), k) for k in range(min(less, len(pairs) - less) + 1))
    return {"less": str(less), "pairs": str(len(pairs)), "p": f"{min(1.0, 2 * tail / 2 ** len(pairs)):.2g}"}
