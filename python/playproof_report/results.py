"""The page of stored results, bench/results/README.md: for each question of bench/questions.toml an answer, a figure
and a small table, whose numbers are those of the judged stores. bench/judge.py writes it.
"""

import csv
import glob
import json
import math
import os
import re

from . import claims, findings, orbits, paper_list, style
from .errors import DATA, ReportError

QUESTIONS = os.path.join(paper_list.BENCH, "questions.toml")
FIGURES = "figures"
LATE = " †"
IN_TABLE = 3  # rows; the figure has all of them
MARKS = {claims.REPRODUCED: ("o", style.OTHERS[2], "as predicted"),
         claims.PARTLY: ("D", style.OTHERS[4], "open"),
         claims.NOT: ("X", style.REFERENCE, "not as predicted")}
CAME_OUT = {claims.REPRODUCED: "reproduced", claims.PARTLY: "partly", claims.NOT: "not", claims.NO_DATA: "no data"}
# In an answer: of the first moves of a size of Hex how many there are, how many are decided, and which are not.
_OPENINGS = re.compile(r"\{hex-(\d+): (decided|all|open)\}")
WIDTH, ROW, MARGIN = 5.0, 0.4, 0.75  # of a figure, in inches


def read(path=QUESTIONS):
    """The questions as the file has them. Raises ReportError(DATA) where one is not as it must be."""
    reader = paper_list.Reader(path)
    paper_list.check(reader.document, {"question": list}, {}, path)
    questions = []
    for table in reader.document["question"]:
        place = reader.place("question")
        paper_list.check(table, {"title": str, "name": str, "plans": list, "answer": str, "rows": list}, {}, place)
        paper_list.expect(all(isinstance(row, list) and len(row) == 2 and all(isinstance(x, str) for x in row)
                              for row in table["rows"]), f"{place}: a row is [words, \"plan|claim\"]")
        findings.check(_OPENINGS.sub("", table["answer"]), place, False)
        questions.append({**table, "place": place})
    return questions


def rows_of(question, stored):
    """[(words, [Judgement])]"""
    found = []
    for words, name in question["rows"]:
        plan, _, claim = name.partition("|")
        claim, _, series = claim.partition("|")
        mine = [j for j in stored[plan].judgements if j.claim["id"] == claim and series in ("", j.series)] \
            if plan in stored else []
        if not mine:
            raise ReportError(DATA, f"{question['place']}: no stored judgement is named '{name}'")
        found.append((words, mine))
    return found


def measured(judgement):
    """"0.51 (0.38 to 0.68)"; "-" without data."""
    return "-" if judgement.verdict == claims.NO_DATA else findings.number(judgement, False)


def predicted(judgement):
    """"< 0.7", "> 2", "0.4 to 0.6" """
    low, high = judgement.low, judgement.high
    if low <= 0 or math.isinf(high):
        return f"< {high:.3g}" if low <= 0 else f"> {low:.3g}"
    return f"{low:.4g} to {high:.4g}"


def outcome(judgements):
    """"2 reproduced, 1 partly", or the one verdict that all have."""
    counts = claims.count(judgements)
    kinds = [(CAME_OUT[kind], number) for kind, number in counts.items() if number]
    return kinds[0][0] if len(kinds) == 1 else ", ".join(f"{number} {word}" for word, number in kinds)


def _table(rows):
    yield "| | measured, with its 95 % interval | predicted | came out |"
    yield "| --- | --- | --- | --- |"
    for words, mine in rows[:IN_TABLE]:
        numbers = "; ".join(f"{j.series} {measured(j)}" for j in mine)
        late = LATE if any(j.after_the_fact for j in mine) else ""
        yield f"| {words} | {numbers} | {predicted(mine[0])} | {outcome(mine)}{late} |"


def openings(folder, size):
    """{"decided", "all", "open"} of the first moves of Hex of a size, half turns as one, as hex-SIZE*.json beside the
    stores has them: what bench/hex.py writes, or one answer of `solve`."""
    game, found = f"hex:size={size}", {}
    for path in sorted(glob.glob(os.path.join(folder, f"hex-{size}*.json"))):
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        answer = record.get("answer")
        rows = [(answer["position"], answer["verdict"] != "unknown")] if answer else [
            (row["opening"], row["winner"] is not None) for one in record["openings"] for row in one["rows"]]
        for cell, decided in rows:
            found.setdefault(orbits.orbit(game, cell), [cell, False])[1] |= decided
    cells = [f"{chr(ord('a') + column)}{row + 1}" for column in range(size) for row in range(size)]
    every = {orbits.orbit(game, cell): cell for cell in cells[::-1]}
    left = [cell for orbit, cell in every.items() if not found.get(orbit, [cell, False])[1]]
    return {"decided": str(len(every) - len(left)), "all": str(len(every)), "open": ", ".join(sorted(left))}


def answered(question, stored, folder):
    """The answer with its numbers. Raises ReportError(DATA) where a store has not all of them."""
    judgements = {plan: one.judgements for plan, one in stored.items()}
    answer = findings.learnt(question["answer"], judgements, [])
    if not answer:
        raise ReportError(DATA, f"{question['place']}: the answer has a number that no store has")
    return _OPENINGS.sub(lambda found: openings(folder, int(found[1]))[found[2]], answer)


def _section(question, stored, folder):
    rows = rows_of(question, stored)
    answer = answered(question, stored, folder)
    plans = ", ".join(f"[{plan}](../plans/{plan}.toml)" for plan in question["plans"])
    runs = sum(stored[plan].runs for plan in question["plans"])
    yield from (f"## {question['title']}", "", f"{answer} ({plans}; {runs:,} runs)<br>")
    yield from (f"![{question['title']} Ratios with their intervals, and what was predicted]"
                f"({FIGURES}/{question['name']}.svg)", "")
    yield from (*_table(rows), "")


def certified(path):
    """(how many plans, decided runs, nodes of the longest proof) of bench/results/certified.csv, whose rows bench/certify.py
    prints."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if not row["decided"] == row["certified"] == row["valid"]:
            raise ReportError(DATA, f"{path}: not every decided run of {row['plan']} has a valid certificate")
    return len(rows), sum(int(row["decided"]) for row in rows), max(int(row["nodes"]) for row in rows)


def files(folder, judged):
    """{path: text} of the page and its figures. judged: [Judged] of the stores in the folder."""
    questions, stored = read(), {one.plan["name"]: one for one in judged}
    made = {os.path.join(folder, FIGURES, question["name"] + ".svg"): figure(question, stored)
            for question in questions}
    return {**made, os.path.join(folder, "README.md"): page(
        questions, stored, certified(os.path.join(folder, "certified.csv")), folder)}


def page(questions, stored, proofs, folder):
    """The page's text. stored: {plan: Judged}; proofs: of certified(); folder: where records of openings are."""
    every = [j for one in stored.values() for j in one.judgements]
    counts = claims.count(every)
    plans, proven, longest = proofs
    lines = ["# Stored results", "",
             f"{sum(one.runs for one in stored.values()):,} runs of {len(stored)} [plans](../plans/README.md), with all "
             "their counters, in the stores beside this page, which bench/judge.py writes from them. "
             f"Of {len(every)} judgements {counts[claims.REPRODUCED]} are reproduced, {counts[claims.PARTLY]} partly, "
             f"{counts[claims.NOT]} not reproduced ({sum(j.stands for j in every)} stand with Holm's correction), "
             f"{counts[claims.NO_DATA]} without data. All that a plan says: `playproof report "
             "bench/results/STORE --output report.html`; what it means for the papers: `playproof report --papers "
             "--output papers.html`.", "",
             "A number is the first side's count over the second's, the geometric mean of pairs unless its plan says "
             "otherwise; an undecided run counts for what it used, and a verdict stands only if no time up to "
             "1,000 times that would change it. Images under a symmetry are one problem. † marks claims that were written "
             f"after some of the runs that judge them, as {sum(j.after_the_fact for j in every)} were.", ""]
    for question in questions:
        lines += _section(question, stored, folder)
    lines += [f"Certificates: all {proven:,} decided runs of {plans} plans, some of which are joined now, were solved again, "
              f"with the counts of their store, and `playproof-check` accepted each proof, the longest of {longest:,} nodes "
              "([certified.csv](certified.csv)). The files that no plan made are told in [bench](../README.md)."]
    return "\n".join(lines) + "\n"


def figure(question, stored):
    """SVG text: each judgement of the rows with its interval and, as a band, what was predicted."""
    rows = [(f"{words}, {j.series}" if len(mine) > 1 else words, j)
            for words, mine in rows_of(question, stored) for j in mine if j.verdict != claims.NO_DATA]
    plot, axes = style.new_figure(1, WIDTH, MARGIN + ROW * len(rows))
    axis = axes[0][0]
    ends = [x for _, j in rows for x in (j.interval.value, *_bounds(j)) if 0 < x < math.inf]
    left, right = min(ends) / 1.6, max(ends) * 1.6
    axis.set_xscale("log")
    axis.set_xlim(left, right)
    axis.set_ylim(len(rows) - 0.35, -0.75)
    for y, (words, j) in enumerate(rows):
        low, high = _bounds(j)
        axis.fill_betweenx([y - 0.18, y + 0.18], max(low, left), min(high, right), color=style.GRID, linewidth=0)
        mark, colour, kind = MARKS[j.verdict]
        axis.plot([max(j.interval.low, left), min(j.interval.high, right)], [y, y], color=colour, linewidth=1.6)
        axis.plot(min(max(j.interval.value, left), right), y, mark, color=colour, markersize=5, label=kind)
        axis.annotate(f"{words}: {findings.number(j, True)}", (0, y - 0.24), xycoords=("axes fraction", "data"),
                      fontsize=8, va="bottom",
                      bbox={"facecolor": style.PAPER, "linewidth": 0, "pad": 0.6})
    if left < 1 < right:
        axis.axvline(1, color=style.SOFT, linewidth=0.8)
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
    style.log_axis(axis.xaxis, lambda x: f"{x:g}")
    axis.grid(visible=False)
    handles = {text: handle for handle, text in zip(*axis.get_legend_handles_labels())}
    band = style.pyplot.Rectangle((0, 0), 1, 1, color=style.GRID)
    plot.legend([*handles.values(), band], [*handles, "predicted"], loc="upper left", ncol=4, fontsize=8,
                bbox_to_anchor=(0.1, 0.05), frameon=False, handlelength=1.2, columnspacing=1.2)
    return style.svg(plot, question["name"], question["title"], style.PAPER) + "\n"


def _bounds(judgement):
    return judgement.low, judgement.high
