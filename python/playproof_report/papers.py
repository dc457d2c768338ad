"""The papers, judged: one row for each table and figure that reports a result.

The list is bench/papers.toml; the verdicts come from the claims of the plans that it names. A row is
reproduced if every judgement of its claims is and nothing of it is missing; not reproduced if every
judgement is that; partly otherwise; not yet if nothing of it was judged. A judgement without data is none:
its data are missing.
"""

import csv
import dataclasses
import io
import os
import re
import textwrap
from dataclasses import dataclass, field

from . import claims, pairing, paper_list, side_by_side, summary, terminal
from .errors import DATA, ReportError

NOT_YET = "not yet"
KINDS = (claims.REPRODUCED, claims.PARTLY, claims.NOT, NOT_YET)
# As the summary line and the chips have them.
WORDS = {claims.REPRODUCED: "reproduced", claims.PARTLY: "partly", claims.NOT: "not",
         NOT_YET: "not yet"}
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
WIDTH = 100  # of the terminal


@dataclass
class Row:
    """A result with what came out here."""

    paper: object
    result: object
    judged: list  # [(plan, Judgement), ...]
    also: list  # the same; they do not count
    missing: list  # texts
    verdict: str = NOT_YET

    @property
    def anchor(self):
        name = self.result.section if self.result.at == paper_list.TEXT else self.result.at
        return slug(f"{self.paper.id} {'text ' if self.result.at == paper_list.TEXT else ''}{name}")

    def counts(self):
        return claims.count([judgement for _, judgement in self.judged])

    def settled(self):
        return [judgement for _, judgement in self.judged if judgement.settled]

    def stand(self):
        """How many of these stand with Holm's correction over their plan."""
        return sum(judgement.stands for judgement in self.settled())


@dataclass
class Judged:
    """One stored plan."""

    plan: dict
    judgements: list
    planned: int
    runs: int
    warnings: list = field(default_factory=list)
    page: str = ""  # HTML


def slug(text):
    """What may stand in an anchor or a file's name."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()


def judge_papers(experiments, papers_path, plans_folder, pages=None):
    """(rows, papers, {plan: Judged}) of stored experiments; with `pages`, the link from a plan's page to
    that of the papers, also those pages."""
    papers, _ = paper_list.read_papers(papers_path)
    plans = paper_list.read_plans(plans_folder)
    planned = {name: dict(plan.wordings) for name, plan in plans.items()}
    for experiment in experiments:
        _add_stored(plans, experiment.plan)
    paper_list.check_names(papers, plans)
    named = {plan for paper in papers for result in paper.results
             for plan in [*result.claims, *result.also, *result.see]}
    wanted = [e for e in experiments if e.runs and e.name in named]
    if not wanted:
        raise ReportError(DATA, "report --papers: no store holds runs of a plan that "
                                f"{papers_path} names: {', '.join(sorted(named))}")
    wanted.sort(key=lambda experiment: -len(experiment.runs))
    found = side_by_side.each(lambda experiment: _judged(experiment, pages), wanted)
    stored = {one.plan["name"]: one for one in found}
    rows = [_row(paper, result, stored, planned) for paper in papers for result in paper.results]
    return rows, papers, stored


def _add_stored(plans, plan):
    """What only a store knows: plans from elsewhere, claims that are no longer in their plan."""
    known = plans.setdefault(plan["name"], paper_list.PlanFile([], {}))
    known.series += [one["name"] for one in plan["series"] if one["name"] not in known.series]
    for claim in plan["claims"]:
        known.claims.setdefault(claim["id"], (claim["series"], claims.is_own(claim)))


def _judged(experiment, pages):
    """In a process of its own."""
    table = pairing.frame(experiment)
    judgements = claims.judge(experiment, table)
    for judgement in judgements:  # an interval's function cannot be sent to another process
        judgement.interval = dataclasses.replace(judgement.interval, p=None)
    html = ""
    if pages is not None:
        summary.warn([experiment])
        html = summary.as_html([experiment], pages)
    return Judged(experiment.plan, judgements, experiment.planned, len(experiment.runs),
                  experiment.warnings, html)


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
    row = Row(paper, result, judged, also, missing)
    row.verdict = verdict([j.verdict for _, j in judged], bool(missing))
    return row


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


def verdict(kinds, incomplete):
    """Of a row, from the verdicts of its claims and whether something of it is missing."""
    judged = [kind for kind in kinds if kind != claims.NO_DATA]
    if not judged:
        return NOT_YET
    if all(kind == claims.NOT for kind in judged):
        return claims.NOT
    whole = all(kind == claims.REPRODUCED for kind in kinds) and not incomplete
    return claims.REPRODUCED if whole else claims.PARTLY


def count(rows):
    return {kind: sum(row.verdict == kind for row in rows) for kind in KINDS}


def line(rows, papers):
    """"55 results of five papers: 1 reproduced, 20 partly, 2 not, 32 not yet"."""
    sources = NUMBERS.get(len(papers), str(len(papers)))
    counts = ", ".join(f"{number} {WORDS[kind]}" for kind, number in count(rows).items())
    return f"{len(rows)} results of {sources} papers: {counts}"


def counts_text(row):
    """"1 of 13 reproduced, 8 partly, 4 not; 3 of 5 settled stand with Holm's correction"."""
    counts = row.counts()
    first = f"{counts[claims.REPRODUCED]} of {len(row.judged)} reproduced"
    more = [f"{counts[kind]} {name}" for kind, name in
            ((claims.PARTLY, "partly"), (claims.NOT, "not"), (claims.NO_DATA, "without data"))
            if counts[kind]]
    text = ", ".join([first, *more])
    settled = len(row.settled())
    return f"{text}; {row.stand()} of {settled} settled stand with Holm's correction" if settled else text


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
    parts = [counts_text(row)] if row.judged else []
    parts += ["missing: " + "; ".join(row.missing)] if row.missing else []
    head = f"  {row.result.name:<{width}}  {WORDS[row.verdict]:<12}"
    return textwrap.wrap("; ".join(parts), WIDTH, initial_indent=head,
                         subsequent_indent=" " * len(head), break_long_words=False)


def _judgement_values(plan, judgement):
    interval = judgement.interval
    return {"plan": plan, "claim": judgement.claim["id"], "series": judgement.series,
            "claim_verdict": judgement.verdict, "ratio": interval.value, "low": interval.low,
            "high": interval.high, "n": interval.n, "claimed_low": judgement.low,
            "claimed_high": judgement.high, "holm": judgement.holm, "what": judgement.what,
            "formula": judgement.claim["formula"],
            "note": judgement.note, "help": judgement.help}


def _finite(value):
    """JSON has no infinity and no NaN."""
    return value if not isinstance(value, float) or abs(value) < float("inf") else None


def _claims_values(judged):
    return [{name: _finite(value) for name, value in _judgement_values(plan, one).items()}
            for plan, one in judged]


def as_json(rows, papers):
    """Every row with its judged claims; null where a number is infinite or none."""
    results = [{
        "id": row.anchor, "paper": row.paper.id, "at": row.result.at, "section": row.result.section,
        "says": row.result.says, "ran": row.result.ran, "verdict": WORDS[row.verdict],
        "missing": row.missing, "differs": row.result.differs,
        "settled": len(row.settled()), "stand": row.stand(),
        "claims": _claims_values(row.judged), "also": _claims_values(row.also)} for row in rows]
    illustrations = [{"paper": paper.id, "at": one.at, "reason": one.reason}
                     for paper in papers for one in paper.illustrations]
    return terminal.to_json({"summary": line(rows, papers), "results": results,
                             "illustrations": illustrations})


ROW_COLUMNS = ("id", "paper", "at", "section", "verdict", "missing")
CLAIM_COLUMNS = ("plan", "claim", "series", "claim_verdict", "ratio", "low", "high", "n",
                 "claimed_low", "claimed_high", "holm", "what", "formula", "note", "help")


def as_csv(rows):
    """One line a judged claim, and one for each row without any."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, [*ROW_COLUMNS, *CLAIM_COLUMNS], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        values = {"id": row.anchor, "paper": row.paper.id, "at": row.result.at,
                  "section": row.result.section, "verdict": WORDS[row.verdict],
                  "missing": "; ".join(row.missing)}
        for plan, judgement in row.judged:
            writer.writerow({**values, **_judgement_values(plan, judgement)})
        if not row.judged:
            writer.writerow(values)
    return buffer.getvalue()


def pages_folder(output):
    """The folder beside the page for the pages of the plans: papers.html -> papers."""
    stem, end = os.path.splitext(output)
    return stem if end.lower() in (".html", ".htm") and stem else output + ".pages"
