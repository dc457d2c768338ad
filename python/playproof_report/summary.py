"""All experiments together: the page and the short table."""

from . import agreement, deeppn, depth_first, page, playouts, thesis5

KINDS = {"thesis5": thesis5, "deeppn": deeppn, "playouts": playouts, "depth-first": depth_first,
         "agreement": agreement}


def as_html(experiments):
    experiments = [e for e in experiments if e.runs]
    sections = [(e.name, e.plan["title"], KINDS[e.plan["report"]["kind"]].section(e))
                for e in experiments]
    title = "; ".join(e.plan["title"] for e in experiments)
    return page.document(title, sections)


def as_text(experiments):
    lines = []
    for e in experiments:
        if not e.runs:
            continue
        lines += [e.plan["title"], ""] + [f"Note: {w}" for w in e.warnings]
        lines += KINDS[e.plan["report"]["kind"]].text(e) + [""]
    return "\n".join(lines)
