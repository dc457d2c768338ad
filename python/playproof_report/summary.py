"""All experiments together: the page, the short table, the claims for other programs."""

import json
import math

from . import (agreement, choices, claims, compare, deeppn, depth_first, page, pairing, playouts,
               probes, table, thesis5)
from .errors import DATA, ReportError

KINDS = {"compare": compare, "thesis5": thesis5, "deeppn": deeppn, "playouts": playouts,
         "depth-first": depth_first, "table": table, "agreement": agreement}


def kind_of(experiment):
    name = experiment.plan["report"]["kind"]
    if name not in KINDS:
        raise ReportError(DATA, f"the store is damaged: there is no report kind '{name}'")
    return KINDS[name]


def warn(experiments):
    """Adds what the runs themselves say against a comparison; returns that alone."""
    added = []
    for e in experiments:
        if e.runs:
            texts = probes.warnings(e, probes.with_probes(pairing.frame(e)))
            e.warnings += texts
            added += texts
    return added


def as_html(experiments, up=None):
    """Of experiments that warn() has seen; `up`: a link to the page that leads here."""
    experiments = [e for e in experiments if e.runs]
    sections = [(e.name, e.plan["title"], kind_of(e).section(e)) for e in experiments]
    title = "; ".join(e.plan["title"] for e in experiments)
    return page.document(title, sections, up)


def as_text(experiments):
    lines = []
    for e in experiments:
        if not e.runs:
            continue
        lines += [e.plan["title"], ""] + [f"Note: {w}" for w in e.warnings]
        lines += kind_of(e).text(e) + [""]
    return "\n".join(lines)


def as_claims(experiments):
    """JSON: every judgement, and every choice with the settings that it took. What is not finite is
    null."""
    result = []
    for e in experiments:
        runs = pairing.frame(e)
        if runs.empty:
            continue
        result.append({"plan": e.name, "plan_hash": e.hash,
                       "judgements": [_judgement(j) for j in claims.judge(e, runs)],
                       "choices": [_choice(runs, choice, series)
                                   for choice in e.plan.get("choices", [])
                                   for series in choice["series"]]})
    return json.dumps({"experiments": result}, ensure_ascii=False, indent=1) + "\n"


def _finite(x):
    return x if math.isfinite(x) else None


def _judgement(j):
    interval = j.interval
    return {"id": j.claim["id"], "series": j.series, "formula": j.claim["formula"],
            "own": claims.is_own(j.claim), "statistic": claims.statistic(j.claim), "what": j.what,
            "verdict": j.verdict, "value": _finite(interval.value), "low": _finite(interval.low),
            "high": _finite(interval.high), "n": interval.n, "p": j.p, "holm": j.holm,
            "stands": j.stands, "note": j.note, "help": j.help}


def _choice(runs, choice, series):
    taken = pairing.of(runs, series, choice["label"])
    logs = choices.log_counts(taken, choice["measure"])
    mean = float(logs.groupby(taken["problem"]).mean().mean()) if len(taken) else math.nan
    return {"label": choice["label"], "series": series, "how": choice["how"],
            "measure": choice["measure"], "geometric_mean": _finite(math.exp(mean)),
            "settings": taken["setting"].tolist()}
