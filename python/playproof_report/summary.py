"""All experiments together: the page and the short table."""

from . import agreement, deeppn, depth_first, page, pairing, playouts, probes, table, thesis5
from .errors import DATA, ReportError

KINDS = {"thesis5": thesis5, "deeppn": deeppn, "playouts": playouts, "depth-first": depth_first,
         "table": table, "agreement": agreement}


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
