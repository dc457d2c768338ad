"""The page of the papers, with links to the pages of the plans beside it."""

import os
import urllib.parse

from . import claims, findings, page, paper_list, papers

CHIPS = {findings.HOLDS: ("yes", "✓ holds"), findings.CONTRADICTED: ("no", "✗ contradicted"),
         findings.MIXED: ("partly", "◐ mixed"), findings.OPEN: ("open", "? open"), "": ("none", "○ not run")}
TITLE = "The papers, judged"


def page_names(stored):
    """{plan: name of its page's file}."""
    names = {}
    for plan in stored:
        name, number = paper_list.slug(plan) or "plan", 2
        while name + ".html" in names.values():
            name, number = f"{paper_list.slug(plan)}-{number}", number + 1
        names[plan] = name + ".html"
    return names


def way_up(output):
    """The link from a plan's page to that of the papers."""
    return "../" + urllib.parse.quote(os.path.basename(output)), TITLE


def as_html(rows, all_papers, stored, folder):
    links = {plan: urllib.parse.quote(f"{folder}/{name}") for plan, name in page_names(stored).items()}
    conditions, found = papers.count(rows)
    judged = papers.count_judgements(rows)
    content = page.ENVIRONMENT.get_template("papers.html").render(
        line=papers.line(rows, all_papers),
        tally=[(found[kind], kind) for kind in findings.FINDINGS] + [(conditions[findings.NOT_RUN], "not run")],
        tallied=(sum(judged.values()), *judged.values()),
        kinds=[(kind, words.partition(" ")[2]) for kind, words in CHIPS.values()],
        papers=[_paper(paper, rows, stored, links) for paper in all_papers],
        plans=[_plan(plan, one, links[plan]) for plan, one in sorted(stored.items())])
    return page.document(TITLE, [("papers", TITLE, page.Markup(content))])


def _paper(paper, rows, stored, links):
    mine = [row for row in rows if row.paper is paper]
    once = papers.told_once(mine)
    counts = [(*CHIPS[kind], sum(row.finding == kind for row in once)) for kind in CHIPS]
    return {"paper": paper, "rows": [_row(row, stored, links) for row in mine],
            "counts": [(chip, number, words.partition(" ")[2]) for chip, words, number in counts if number]}


def _row(row, stored, links):
    return {"anchor": row.anchor, "chip": CHIPS[row.finding], "first": row.first,
            "conditions": row.conditions, "finding": row.finding, "learnt": row.learnt,
            "name": "text" if row.result.at == "text" else row.result.at, "result": row.result,
            "missing": row.missing, "counts": papers.counts_text(row) if row.judged else "",
            "ours": [(plan, links[plan], sizes) for plan, sizes in papers.ran_here(row, stored)],
            "see": [(plan, links[plan]) for plan in row.result.see if plan in links],
            "claims": [_claim(plan, judgement, links[plan]) for plan, judgement in row.judged],
            "instead": [_claim(plan, judgement, links[plan]) for plan, judgement in row.instead],
            "chip_instead": CHIPS[row.finding_instead], "counts_instead": papers.instead_text(row).partition(", ")[2],
            "also": [_claim(plan, judgement, links[plan]) for plan, judgement in row.also]}


def _claim(plan, judgement, link):
    (value, low, high), what = page.statistic_texts(judgement)
    return {"plan": plan, "claim": judgement.claim, "series": judgement.series,
            "chip": page.CHIPS[judgement.verdict], "n": judgement.interval.n,
            "help": "; ".join(filter(None, (claims.written_note(judgement), judgement.help))),
            "link": f"{link}#{page.claim_anchor(plan, judgement.claim['id'])}",
            "data": judgement.verdict != claims.NO_DATA, "value": value, "what": what,
            "range": [low.rstrip("×"), high.rstrip("×")], "holm": page.holm_text(judgement)}


def _plan(plan, one, link):
    return {"name": plan, "title": one.plan["title"], "link": link, "runs": one.runs,
            "planned": one.planned, "warnings": one.warnings}
