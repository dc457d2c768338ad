"""All experiments together: the page, the short table, the claims for other programs."""

import json
import math

from . import (agreement, choices, claims, compare, conditions, deeppn, depth_first, page, pairing,
               playouts, probes, table, terminal, thesis5)
from .errors import DATA, ReportError

KINDS = {"compare": compare, "thesis5": thesis5, "deeppn": deeppn, "playouts": playouts,
         "depth-first": depth_first, "table": table, "agreement": agreement}


ALWAYS = "compare"  # fits every plan


def kind_of(experiment):
    name = experiment.plan["report"]["kind"]
    if name not in KINDS:
        raise ReportError(DATA, f"plan '{experiment.name}': there is no report kind '{name}'; there is: "
                                f"{', '.join(KINDS)}; --kind {ALWAYS} fits every plan")
    return KINDS[name]


def use_kind(experiments, kind):
    """Instead of what the plans say."""
    for e in experiments:
        e.plan["report"]["kind"] = kind


def check_kinds(experiments, status=DATA):
    """Raises ReportError(status) if the page of a plan's kind is not for what the plan has run. A kind
    that is for some plans only has a function unfit(experiment, table): why not, or nothing."""
    for e in experiments:
        kind = kind_of(e)
        why_not = kind.unfit(e, pairing.frame(e)) if e.runs and hasattr(kind, "unfit") else ""
        if why_not:
            raise ReportError(status, f"plan '{e.name}': the report kind "
                                      f"'{e.plan['report']['kind']}' does not fit: {why_not}; --kind "
                                      f"{ALWAYS} fits every plan")


def warn(experiments):
    """Adds what the runs themselves say against each other or against a comparison; returns that
    alone."""
    added = []
    for e in experiments:
        if e.runs:
            runs = pairing.frame(e)
            plain = pairing.plain_frame(e)
            texts = agreement.disagreements(plain) + agreement.contradictions(plain)
            texts += probes.warnings(e, probes.with_probes(runs))
            if kind_of(e) is compare:
                texts += conditions.warnings(e, conditions.with_conditions(runs))
            e.warnings += texts
            added += texts
    return added


def disagreements(experiments):
    """Sentences on all runs that contradict a known result."""
    return [text for e in experiments if e.runs for text in agreement.disagreements(pairing.plain_frame(e))]


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
    return "\n".join(map(terminal.one_line, lines))


def as_claims(experiments):
    """JSON: every judgement, every choice with the settings that it took, and what pages of kind compare
    say is to be used; the runs that contradict a known result, without those of choices, which are the same
    runs. What is not finite is null."""
    result = []
    for e in experiments:
        runs = pairing.frame(e)
        if runs.empty:
            continue
        plain = pairing.plain_frame(e)
        wrong = plain[agreement.contradicting(plain)]
        result.append({"plan": e.name, "plan_hash": e.hash,
                       "disagreements": wrong[[*agreement.QUESTION, "algorithm", "verdict",
                                               "expected"]].to_dict("records"),
                       "judgements": [_judgement(j) for j in claims.judge(e, runs)],
                       "choices": [_choice(runs, choice, series)
                                   for choice in e.plan.get("choices", [])
                                   for series in choice["series"]],
                       "use": compare.uses(e, runs) if kind_of(e) is compare else []})
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
