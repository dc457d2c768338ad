"""All experiments together: the page, the short table, the claims for other programs."""

import dataclasses
import difflib
import math

import numpy

from . import agreement, choices, claims, compare, conditions, page, pairing, probes, shape, terminal
from .errors import DATA, USAGE, ReportError

KINDS = {"compare": compare, "agreement": agreement}
OLDER = ("thesis5", "deeppn", "playouts", "depth-first", "table")  # which plans in stores may still name: compare draws them


def kind_of(experiment):
    name = experiment.plan["report"]["kind"]
    name = "compare" if name in OLDER else name
    if name not in KINDS:
        raise ReportError(DATA, f"plan '{experiment.name}': there is no report kind '{name}'; there is: "
                                f"{', '.join(KINDS)}; --kind compare makes the page of any store")
    return KINDS[name]


def prepared(experiments, kind=None, against=None):
    """The experiments as pages and figures show them: every name in signs that can be read, of another kind
    or with another reference than the plans say. Raises ReportError."""
    shown = [_printable(e) for e in experiments]
    for e in shown:
        e.plan["report"].update({"kind": kind} if kind else {})
        if against is not None and e.runs:
            e.plan["report"]["reference"] = _reference(e, against)
            e.plan["series"] = [{**one, "reference": ""} for one in e.plan["series"]]
        kind_of(e)
    return shown


def _printable(experiment):
    """A copy whose control characters are escaped; keys of runs, which nobody sees, stay."""
    runs = [{name: value if name == "key" else _escaped(value, terminal.one_line)
             for name, value in run.items()} for run in experiment.runs]
    shape.check_questions(runs)  # two names may look alike now
    plan = _escaped(experiment.plan, terminal.one_line)
    plan["description"] = terminal.lines(experiment.plan["description"])
    return dataclasses.replace(
        experiment, plan=plan, text=terminal.lines(experiment.text), runs=runs,
        invocations=_escaped(experiment.invocations, terminal.one_line),
        warnings=_escaped(experiment.warnings, terminal.one_line))


def _escaped(value, escape):
    """All texts of plain values."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else escape(value)
    if isinstance(value, dict):
        return {name: _escaped(of, escape) for name, of in value.items()}
    return [_escaped(of, escape) for of in value] if isinstance(value, list) else value


def _reference(experiment, name):
    """The label of the algorithm or choice that was named as the other side of all ratios."""
    labels = list(dict.fromkeys(
        one["label"] for one in [*experiment.plan["algorithms"], *experiment.plan.get("choices", [])]))
    name = terminal.one_line(name)
    if name in labels:
        return name
    near = difflib.get_close_matches(name, labels, 1, 0)
    raise ReportError(USAGE, f"--against: plan '{experiment.name}' has no algorithm '{name}'; it has "
                             f"{', '.join(labels)}" + (f"; nearest: '{near[0]}'" if near else ""))


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
            if kind_of(e) is not agreement:  # compares nobody's counts
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
    return terminal.to_json({"experiments": result})


def _judgement(j):
    interval = j.interval
    return {"id": j.claim["id"], "series": j.series, "formula": j.claim["formula"],
            "own": claims.is_own(j.claim), "statistic": claims.statistic(j.claim), "what": j.what,
            "verdict": j.verdict, "value": terminal.finite(interval.value), "low": terminal.finite(interval.low),
            "high": terminal.finite(interval.high), "n": interval.n, "p": j.p, "holm": j.holm,
            "stands": j.stands, "worst": [terminal.finite(end) for end in j.worst],
            "tipping": terminal.finite(j.tipping), "note": j.note, "help": j.help,
            "earlier": j.earlier, "runs": j.runs}


def _choice(runs, choice, series):
    taken = pairing.of(runs, series, choice["label"])
    logs = choices.log_counts(taken, choice["measure"])
    _, orbits = numpy.unique(taken[choices.ORBIT], return_inverse=True)
    mean = float(pairing.unit_means(orbits, logs).mean()) if len(taken) else math.nan
    return {"label": choice["label"], "series": series, "how": choice["how"],
            "measure": choice["measure"], "geometric_mean": terminal.finite(math.exp(mean)),
            "settings": taken["setting"].tolist()}
