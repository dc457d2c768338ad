"""Reads bench/papers.toml, the list of what the papers report, and the plans that it names."""

import difflib
import os
import re
from dataclasses import dataclass, field

from . import findings, sweeps
from .errors import DATA, UNAVAILABLE, ReportError

BENCH = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                      "bench"))
ALL = "all"  # claims of papers that a plan has
TEXT = "text"  # `at` of a result that is in no table or figure


@dataclass
class Result:
    """A table, a figure or a sentence that reports a result."""

    at: str
    section: str
    says: str
    ran: str
    claims: dict = field(default_factory=dict)  # plan -> ids; "all" until check_names()
    also: dict = field(default_factory=dict)  # the same; they do not count
    series: list = field(default_factory=list)  # empty: all
    differs: str = ""
    missing: str = ""
    conditions: str = findings.NOT_RUN
    learnt: str = ""  # what was learnt, with the places of its numbers (findings.py)
    once: bool = False  # all judgements are of one statement: they count once
    own_formula: bool = False  # also judged by the formula that the paper itself prints (papers.FORMULAS)
    printed: list = field(default_factory=list)  # pairs of numbers that the paper prints
    same_as: str = ""  # the anchor of the row that is told here again
    see: list = field(default_factory=list)  # plans
    place: str = ""  # file and line

    @property
    def name(self):
        """As messages and the short table have it: "Fig. 3", "section 2.1"."""
        return f"section {self.section}" if self.at == TEXT else self.at

    def anchor(self, paper):
        """Of the row on the page, in the paper with that id."""
        return slug(f"{paper} {f'text {self.section}' if self.at == TEXT else self.at}")


@dataclass
class Illustration:
    at: str
    reason: str
    place: str = ""


@dataclass
class Paper:
    id: str
    title: str
    by: str
    results: list
    illustrations: list


@dataclass
class PlanFile:
    """What a plan has, as far as it matters here."""

    series: list
    claims: dict  # id -> (series, own)
    wordings: dict = field(default_factory=dict)  # id -> the claim, as the file has it


class Reader:
    """One file, with the lines where its tables begin."""

    def __init__(self, path):
        self.path = path
        text = _read(path)
        self.document = _parse(path, text)
        self.lines = {}
        for number, line in enumerate(text.splitlines(), 1):
            header = re.match(r"\[\[([\w.-]+)\]\]", line)
            if header:
                self.lines.setdefault(header.group(1), []).append(number)
        self.taken = {}

    def place(self, header):
        """Of the next table with this header."""
        index = self.taken.get(header, 0)
        self.taken[header] = index + 1
        lines = self.lines.get(header, [])
        return f"{self.path}:{lines[index]}" if index < len(lines) else self.path


def read_papers(path):
    """([Paper, ...], {plan that is set aside: reason}); raises ReportError(DATA) with file and line."""
    reader = Reader(path)
    check(reader.document, {"paper": list}, {"aside": dict}, path)
    expect(all(isinstance(reason, str) for reason in reader.document.get("aside", {}).values()),
            f"{path}: [aside] needs a reason in quotes for each plan")
    papers = [_paper(reader, table) for table in reader.document["paper"]]
    for paper in papers:
        seen = set()
        for entry in paper.results + paper.illustrations:
            name = (entry.at, entry.section if isinstance(entry, Result) and entry.at == TEXT else "")
            expect(name not in seen, f"{entry.place}: {paper.id} has '{entry.at}' twice")
            seen.add(name)
    _check_told_again(papers)
    return papers, reader.document.get("aside", {})


def _check_told_again(papers):
    """A row that is told again names one that is not."""
    first = {result.anchor(paper.id) for paper in papers for result in paper.results if not result.same_as}
    for result in (result for paper in papers for result in paper.results if result.same_as):
        _known(result.same_as, first, f"{result.place}: {result.name} tells again the row", "the rows")


def slug(text):
    """What may stand in an anchor or a file's name."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()


def _paper(reader, table):
    place = reader.place("paper")
    check(table, {"id": str, "title": str, "by": str}, {"result": list, "illustration": list}, place)
    return Paper(table["id"], table["title"], table["by"],
                 [_result(reader, entry) for entry in table.get("result", [])],
                 [_illustration(reader, entry) for entry in table.get("illustration", [])])


def _result(reader, entry):
    place = reader.place("paper.result")
    check(entry, {"at": str, "section": str, "says": str, "ran": str},
           {"claims": dict, "also": dict, "series": list, "differs": str, "missing": str, "see": list,
            "conditions": str, "learnt": str, "once": bool, "own_formula": bool, "printed": list, "same_as": str}, place)
    result = Result(**entry, place=place)
    for plan, ids in [*result.claims.items(), *result.also.items()]:
        expect(ids == ALL or (_texts(ids) and ids and len(set(ids)) == len(ids)),
                f"{place}: the claims of '{plan}' must be a list of different ids, or \"{ALL}\"")
    expect(_texts(result.series) and _texts(result.see), f"{place}: lists of names are expected")
    if result.same_as:
        only = set(entry) - {"at", "section", "says", "ran", "same_as"}
        expect(not only, f"{place}: {result.name} is told again: '{min(only, default='')}' belongs to the first row")
        return result
    expect(result.claims or result.missing,
            f"{place}: {result.name} has no claims: 'missing' must say what was not run")
    expect(result.conditions in findings.CONDITIONS, f"{place}: 'conditions' must be one of "
            f"{', '.join(findings.CONDITIONS)}, not '{result.conditions}'")
    expect(bool(result.claims) == (result.conditions != findings.NOT_RUN),
            f"{place}: {result.name} has {'claims' if result.claims else 'no claims'}, and its conditions are "
            f"'{result.conditions}'")
    expect(bool(result.claims) == bool(result.learnt),
            f"{place}: 'learnt' says in a sentence what came out of the claims")
    expect(all(isinstance(pair, list) and len(pair) == 2 for pair in result.printed),
            f"{place}: 'printed' must be pairs of numbers")
    findings.check(result.learnt, place, result.printed)
    return result


def _illustration(reader, entry):
    place = reader.place("paper.illustration")
    check(entry, {"at": str, "reason": str}, {}, place)
    return Illustration(**entry, place=place)


def _texts(value):
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def read_plans(folder):
    """{name: PlanFile} of the plans in a folder."""
    plans = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.endswith(".toml"):
            path = os.path.join(folder, name)
            document = _parse(path, _read(path))
            try:
                plans[document["name"]] = _plan(document)
            except KeyError as error:
                raise ReportError(DATA, f"{path}: not a plan: {error} is missing") from error
    return plans


def _plan(document):
    series = [one["name"] for one in sweeps.series(document)]
    claims = sweeps.claims(document)
    return PlanFile(series, {claim["id"]: (_series_of(claim, series), sweeps.is_own(claim)) for claim in claims},
                    {claim["id"]: claim for claim in claims})


def _series_of(claim, series):
    named = claim.get("series", series)
    return [named] if isinstance(named, str) else named


def check_names(papers, plans):
    """Lists the claims where "all" stands. Raises ReportError(DATA) if a result names a plan, claim or
    series that is not there, or a claim of the project's own."""
    for result in (result for paper in papers for result in paper.results):
        for plan in [*result.claims, *result.also, *result.see]:
            _known(plan, plans, f"{result.place}: {result.name} names the plan", "the plans")
        for named in (result.claims, result.also):
            for plan, ids in named.items():
                if ids == ALL:
                    named[plan] = _of_papers(plans[plan], "")
                    expect(named[plan], f"{result.place}: the plan '{plan}' has no claim of a paper")
                named[plan] = [one for claim in named[plan] for one in (
                    _of_papers(plans[plan], claim[:-1]) if claim.endswith("*") else []) or [claim]]
                for claim in named[plan]:
                    _check_claim(result, plan, claim, plans[plan].claims)
        for plan, claim, series in findings.named(result.learnt):
            _known(plan, plans, f"{result.place}: {result.name} has a number of the plan", "the plans")
            _known(claim, plans[plan].claims, f"{result.place}: {result.name} has a number of the claim",
                   f"the claims of {plan}")
            judged = plans[plan].claims[claim][0]
            expect(series in judged if series else len(judged) == 1,
                    f"{result.place}: the claim '{claim}' of {plan} is judged on {', '.join(judged)}, not on "
                    f"'{series}'")
        of_plans = [one for plan in result.claims for one in plans[plan].series]
        for series in result.series:
            _known(series, of_plans, f"{result.place}: {result.name} names the series", "the series")


def _of_papers(plan, begin):
    """The claims of papers whose names begin so."""
    return [claim for claim, (_, own) in plan.claims.items() if claim.startswith(begin) and not own]


def _check_claim(result, plan, claim, of_plan):
    _known(claim, of_plan, f"{result.place}: {result.name} names the claim", f"the claims of {plan}")
    series, own = of_plan[claim]
    expect(not own, f"{result.place}: the claim '{claim}' of {plan} is the project's own: no paper "
                     "makes it")
    expect(not result.series or set(series) & set(result.series),
            f"{result.place}: the claim '{claim}' of {plan} is not judged on "
            f"{', '.join(result.series)}, but on {', '.join(series)}")


def _known(name, names, what, where):
    if name not in names:
        nearest = difflib.get_close_matches(name, list(names), 1, 0)
        hint = f"; nearest: '{nearest[0]}'" if nearest else ""
        raise ReportError(DATA, f"{what} '{name}', which is not among {where}{hint}")


def check(table, required, optional, place):
    """The keys of a table and the types of their values."""
    known = {**required, **optional}
    for key, value in table.items():
        _known(key, known, f"{place}: there is the key", "those that belong there")
        expect(isinstance(value, known[key]),
                f"{place}: '{key}' must be a {known[key].__name__}, not {value!r}")
    for key in required:
        expect(key in table, f"{place}: '{key}' is missing")


def expect(condition, message):
    if not condition:
        raise ReportError(DATA, message)


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(DATA, f"{path}: cannot read: {error}") from error


def _parse(path, text):
    try:
        import tomllib
    except ImportError as error:
        raise ReportError(UNAVAILABLE, "report --papers: Python 3.11 or newer is needed; let "
                                       "PLAYPROOF_PYTHON name one") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ReportError(DATA, f"{path}: not TOML: {error}") from error
