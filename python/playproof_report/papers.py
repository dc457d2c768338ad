"""The papers, judged: one row for each table and figure that reports a result.

The list is bench/papers.toml; what was found comes from the claims of the plans that it names (findings.py). A row
whose runs are not stored was not run. What is told twice is one row and a link, and counts once; so does a
statement that many judgements are of.
"""

import csv
import dataclasses
import io
import os
import textwrap
from dataclasses import dataclass, field

from . import claims, findings, pairing, paper_list, side_by_side, summary, terminal
from .errors import DATA, ReportError
from .judged import Judged

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
WIDTH = 100  # of the terminal
FORMULAS = ("inv", "inv1")  # of DeepPN's depth, as labels begin: S0's (3), the thesis' (2.3)


@dataclass
class Row:
    """A result with what came out here."""

    paper: object
    result: object
    judged: list  # [(plan, Judgement), ...]
    also: list  # the same; they do not count
    missing: list  # texts
    learnt: str = ""
    first: object = None  # the Row that this one tells again
    instead: list = field(default_factory=list)  # judged, by the formula that the paper itself prints

    @property
    def anchor(self):
        return self.result.anchor(self.paper.id)

    @property
    def finding(self):
        if self.first:
            return self.first.finding
        return findings.finding([judgement.verdict for _, judgement in self.judged])

    @property
    def finding_instead(self):
        return findings.finding([judgement.verdict for _, judgement in self.instead])

    @property
    def conditions(self):
        """Of what is stored."""
        of = (self.first or self).result
        return of.conditions if self.finding else findings.NOT_RUN

    def counts(self):
        return claims.count([judgement for _, judgement in self.judged])

    def settled(self):
        return [judgement for _, judgement in self.judged if judgement.settled]

    def stand(self):
        """How many of these stand with Holm's correction over their plan."""
        return sum(judgement.stands for judgement in self.settled())


def judge_papers(experiments, papers_path, plans_folder, pages=None, kept=()):
    """(rows, papers, {plan: Judged}) of stored experiments, and of what was judged before (kept: [Judged]); with
    `pages`, the link from a plan's page to that of the papers, also those pages."""
    papers, _ = paper_list.read_papers(papers_path)
    plans = paper_list.read_plans(plans_folder)
    planned = {name: dict(plan.wordings) for name, plan in plans.items()}
    for one in [*experiments, *kept]:
        _add_stored(plans, one.plan)
    paper_list.check_names(papers, plans)
    named = {plan for paper in papers for result in paper.results
             for plan in [*result.claims, *result.also, *result.see]}
    wanted = [e for e in experiments if e.runs and e.name in named]
    kept = [one for one in kept if one.runs and one.plan["name"] in named]
    if not wanted and not kept:
        raise ReportError(DATA, "report --papers: no store holds runs of a plan that "
                                f"{papers_path} names: {', '.join(sorted(named))}")
    wanted.sort(key=lambda experiment: -len(experiment.runs))
    found = side_by_side.each(lambda experiment: judge(experiment, pages), wanted)
    stored = {one.plan["name"]: one for one in [*found, *kept]}
    rows = [_row(paper, result, stored, planned) for paper in papers for result in paper.results]
    of_anchors = {row.anchor: row for row in rows}
    for row in rows:
        row.first = of_anchors.get(row.result.same_as)
    return rows, papers, stored


def _add_stored(plans, plan):
    """What only a store knows: plans from elsewhere, claims that are no longer in their plan."""
    known = plans.setdefault(plan["name"], paper_list.PlanFile([], {}))
    known.series += [one["name"] for one in plan["series"] if one["name"] not in known.series]
    for claim in plan["claims"]:
        known.claims.setdefault(claim["id"], (claim["series"], claims.is_own(claim)))


def judge(experiment, pages=None):
    """A Judged. In a process of its own."""
    table = pairing.frame(experiment)
    judgements = claims.judge(experiment, table)
    instead = claims.judge(experiment, table, claims.with_other_labels(experiment, *FORMULAS))
    for judgement in judgements + instead:  # an interval's function cannot be sent to another process
        judgement.interval = dataclasses.replace(judgement.interval, p=None)
    html = ""
    if pages is not None:
        summary.warn([experiment])
        html = summary.as_html([experiment], pages)
    return Judged(experiment.plan, judgements, experiment.planned, len(experiment.runs),
                  experiment.warnings, html, instead)


def _row(paper, result, stored, planned=None):
    """planned: {plan: {claim: as its plan's file has it}}."""
    judged, missing = [], [result.missing] if result.missing else []
    for plan, ids in result.claims.items():
        if plan not in stored:
            missing.append(f"stored runs of {plan} (playproof experiment bench/plans/{plan}.toml)")
            continue
        one = stored[plan]
        found = _of(one, ids, result.series)
        judged += [(plan, j) for j in found]
        later = [claim for claim in ids if not any(j.claim["id"] == claim for j in found)]
        if later:
            missing.append(f"claims that are newer than the stored runs of {plan}: {'; '.join(later)}")
        wordings = (planned or {}).get(plan, {})
        older = {j.claim["id"]: 0 for j in found if _is_older(j.claim, wordings.get(j.claim["id"]))}
        if older:
            missing.append(f"the stored result of {plan} judges an older wording of: {'; '.join(older)}")
        without = [f"{j.claim['id']} ({j.series})" for j in found if j.verdict == claims.NO_DATA]
        if without:
            missing.append(f"pairs of runs that one side decided: {'; '.join(without)}")
        if one.runs < one.planned:
            missing.append(f"{one.planned - one.runs:,} of the {one.planned:,} runs of {plan}")
    also = [(plan, j) for plan, ids in result.also.items() if plan in stored
            for j in _of(stored[plan], ids, [])]
    judgements = {plan: one.judgements for plan, one in stored.items()}
    instead = [(plan, j) for plan, ids in result.claims.items() if plan in stored and result.own_formula
               for j in stored[plan].instead if j.claim["id"] in ids]
    return Row(paper, result, judged, also, missing, findings.learnt(result.learnt, judgements, result.printed),
               instead=instead)


def _is_older(stored, planned):
    """Whether a stored claim's formula or statistic is not that of its plan's file."""
    if planned is None:
        return False
    if stored["formula"].split() != planned["formula"].split():
        return True
    named = {**planned, "measure": stored["measure"]}  # equal formulas, equal measures
    if "share(" in planned["formula"].replace(" ", ""):
        named["statistic"] = claims.SHARE_BELOW  # it need not be named
    return claims.statistic(stored) != claims.statistic(named)


def _of(stored, ids, series):
    return [j for j in stored.judgements if j.claim["id"] in ids
            and (not series or j.series in series)]


def told_once(rows):
    return [row for row in rows if not row.result.same_as]


def count(rows):
    """({conditions: how many rows}, {finding: how many})"""
    mine = told_once(rows)
    return ({kind: sum(row.conditions == kind for row in mine) for kind in findings.CONDITIONS},
            {kind: sum(row.finding == kind for row in mine) for kind in findings.FINDINGS})


def count_judgements(rows):
    """{verdict: how many}: each once, however many rows have it; a statement that counts once by its finding."""
    once = {(plan, j.claim["id"], j.series): j.verdict for row in rows if not row.result.once
            for plan, j in row.judged}
    of_statements = [{findings.HOLDS: claims.REPRODUCED, findings.CONTRADICTED: claims.NOT}.get(
        row.finding, claims.PARTLY) for row in rows if row.result.once and row.finding]
    every = [*once.values(), *of_statements]
    return {kind: every.count(kind) for kind in (claims.REPRODUCED, claims.PARTLY, claims.NOT)}


def line(rows, papers):
    """"62 results of five papers, 6 of them told twice: 34 tested (...): 18 hold, ...; 22 not run"."""
    conditions, found = count(rows)
    twice = len(rows) - len(told_once(rows))
    tested = ", ".join(f"{conditions[kind]} {words}" for kind, words in (
        (findings.SAME, "as the papers did"), (findings.SIZE, "at another size"), (findings.GAME, "in another game"))
        if conditions[kind])
    return (f"{len(rows)} results of {NUMBERS.get(len(papers), str(len(papers)))} papers, {twice} of them told twice: "
            f"{sum(found.values())} tested{f' ({tested})' if tested else ''}, of which {found[findings.HOLDS]} hold, "
            f"{found[findings.CONTRADICTED]} contradicted, {found[findings.MIXED]} mixed, "
            f"{found[findings.OPEN]} open; {conditions[findings.NOT_RUN]} not run")


def counts_text(row):
    """"1 of 13 holds, 8 open, 4 contradicted; 3 of 5 settled stand with Holm's correction"."""
    text = _counts_text(row.judged)
    if row.result.once:
        text = f"one statement, judged {len(row.judged)} times: {text}"
    settled = len(row.settled())
    return f"{text}; {row.stand()} of {settled} settled stand with Holm's correction" if settled else text


def instead_text(row):
    """"with its own formula contradicted, 1 of 12 holds, 11 contradicted"; empty without judgements by that."""
    return f"with its own formula {row.finding_instead}, {_counts_text(row.instead)}" if row.instead else ""


def _counts_text(judged):
    counts = claims.count([judgement for _, judgement in judged])
    yes = counts[claims.REPRODUCED]
    first = f"{yes} of {len(judged)} hold{'s' if yes == 1 else ''}"
    more = [f"{counts[kind]} {name}" for kind, name in
            ((claims.PARTLY, "open"), (claims.NOT, "contradicted"), (claims.NO_DATA, "without data"))
            if counts[kind]]
    return ", ".join([first, *more])


def ran_here(row, stored):
    """[(plan, ["Othello, 12 empty squares: 30 problems", ...]), ...]."""
    used = {}
    for plan, judgement in row.judged + row.also:
        used.setdefault(plan, set()).add(judgement.series)
    return [(plan, [_size(one) for one in stored[plan].plan["series"] if one["name"] in names])
            for plan, names in used.items()]


def _size(series):
    number, times = series["problems"], series["repetitions"]
    text = f"{series['title']}: {number:,} problem{'' if number == 1 else 's'}"
    return text if times == 1 else f"{text}, {times:,} times"


def as_text(rows, papers):
    lines = []
    width = max(len(row.result.name) for row in rows)
    for paper in papers:
        mine = [row for row in rows if row.paper is paper]
        lines += [f"{paper.id}  {paper.title} ({paper.by})"]
        lines += [text for row in mine for text in _text_of(row, width)] or ["  reports no result"]
        lines += [""]
    return "\n".join([*map(terminal.one_line, lines), line(rows, papers), ""])


def _text_of(row, width):
    head = f"  {row.result.name:<{width}}  "
    if row.first:
        return [f"{head}as {row.first.paper.id} {row.first.result.name}"]
    parts = [counts_text(row)] if row.judged else []
    parts += [text for text in (instead_text(row), row.learnt) if text]
    parts += ["missing: " + "; ".join(row.missing)] if row.missing else []
    head += f"{row.conditions:<10}  {row.finding:<12}  "
    return textwrap.wrap("; ".join(parts), WIDTH, initial_indent=head,
                         subsequent_indent=" " * len(head), break_long_words=False)


def _judgement_values(plan, judgement):
    interval = judgement.interval
    return {"plan": plan, "claim": judgement.claim["id"], "series": judgement.series,
            "claim_verdict": judgement.verdict, "ratio": interval.value, "low": interval.low,
            "high": interval.high, "n": interval.n, "claimed_low": judgement.low,
            "claimed_high": judgement.high, "holm": judgement.holm, "what": judgement.what,
            "formula": judgement.claim["formula"],
            "note": judgement.note, "help": judgement.help, "earlier": judgement.earlier, "runs": judgement.runs}


def _claims_values(judged):
    return [{name: terminal.finite(value) for name, value in _judgement_values(plan, one).items()}
            for plan, one in judged]


def as_json(rows, papers):
    """Every row with its judged claims; null where a number is infinite or none."""
    results = [{
        "id": row.anchor, "paper": row.paper.id, "at": row.result.at, "section": row.result.section,
        "says": row.result.says, "ran": row.result.ran, "conditions": row.conditions, "finding": row.finding,
        "learnt": row.learnt, "same_as": row.result.same_as, "once": row.result.once,
        "missing": row.missing, "differs": row.result.differs,
        "settled": len(row.settled()), "stand": row.stand(),
        "own_formula": row.finding_instead, "by_own_formula": _claims_values(row.instead),
        "claims": _claims_values(row.judged), "also": _claims_values(row.also)} for row in rows]
    illustrations = [{"paper": paper.id, "at": one.at, "reason": one.reason}
                     for paper in papers for one in paper.illustrations]
    return terminal.to_json({"summary": line(rows, papers), "results": results,
                             "illustrations": illustrations})


ROW_COLUMNS = ("id", "paper", "at", "section", "same_as", "conditions", "finding", "learnt", "missing")
CLAIM_COLUMNS = ("plan", "claim", "series", "claim_verdict", "ratio", "low", "high", "n",
                 "claimed_low", "claimed_high", "holm", "what", "formula", "note", "help", "earlier", "runs")


def as_csv(rows):
    """One line a judged claim, and one for each row without any."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, [*ROW_COLUMNS, *CLAIM_COLUMNS], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        values = {"id": row.anchor, "paper": row.paper.id, "at": row.result.at,
                  "section": row.result.section, "same_as": row.result.same_as, "conditions": row.conditions,
                  "finding": row.finding, "learnt": row.learnt,
                  "missing": "; ".join(row.missing)}
        for plan, judgement in row.judged:
            judged = _judgement_values(plan, judgement)
            writer.writerow({**values, **{name: terminal.in_csv(value) for name, value in judged.items()}})
        if not row.judged:
            writer.writerow(values)
    return buffer.getvalue()


def pages_folder(output):
    """The folder beside the page for the pages of the plans: papers.html -> papers."""
    stem, end = os.path.splitext(output)
    return stem if end.lower() in (".html", ".htm") and stem else output + ".pages"
