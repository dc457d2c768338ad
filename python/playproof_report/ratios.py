"""The table of ratios: every algorithm of a series against one of them, measure by measure, paired by position,
with what was decided on which side.

A ratio is the geometric mean over the problems (one of all that are images of each other) of the paired ratios, with the t
interval of their logarithms (pairing.py). An undecided run is neither dropped nor taken for what it is not: over the pairs
that at least one side decided it enters with what it used up to its limit, and the ratio is a bound of the
true one; over those that both sides decided it is that of the easier problems. The table has both.
"""

import csv
import io
from dataclasses import dataclass

from . import compare, latex, pairing, terminal
from .pairing import Paired

BOUNDS = {(False, False): "exact", (True, False): "at least", (False, True): "at most",
          (True, True): "neither"}
SIGNS = {"exact": "", "at least": r"$\ge$\,", "at most": r"$\le$\,", "neither": r"$\sim$\,", "": ""}


@dataclass
class Row:
    """One algorithm against another by one measure."""

    plan: str
    series: str
    title: str  # of the series
    problems: str  # how many
    measure: str
    measured: str  # what the measure is called
    algorithm: str
    against: str
    solved: tuple  # (decided, made) runs of the algorithm
    against_solved: tuple
    paired: Paired

    @property
    def both(self):
        return self.paired.known - self.paired.censored_subject - self.paired.censored_base

    @property
    def bound(self):
        """What the ratio over all pairs is of the true one; "" without a pair that tells anything."""
        return BOUNDS[self.paired.may_be_more, self.paired.may_be_less] if self.paired.full.n else ""


def tables(experiment):
    """[(series, [Row])], in plan order; no rows where the other side has no runs."""
    table = pairing.frame(experiment)
    return [(one["name"], _rows(experiment, table, one, experiment.reference(one["name"])))
            for one in pairing.series_with_runs(experiment, table)]


def _rows(experiment, table, one, reference):
    name = one["name"]
    runs = table[table["series"] == name]
    labels = list(dict.fromkeys(runs["algorithm"]))
    if reference not in labels:
        return []
    evaluating = compare.evaluating(table, name)
    decided = {label: (int(mine["decided"].sum()), len(mine))
               for label, mine in runs.groupby("algorithm", sort=False)}
    problems = pairing.problems_text(pairing.without_choices(runs))
    rows = []
    for measure, title, _ in compare.measures(table, name):
        of = [label for label in labels if measure != compare.LEAVES or label in evaluating]
        for label, paired in compare.ratios(table, name, of, reference, measure).items():
            rows.append(Row(experiment.name, name, one["title"], problems, measure, title, label,
                            reference, decided[label], decided[reference], paired))
    return rows


# ---- CSV -------------------------------------------------------------------------------------------


def _values(row):
    paired, full, common = row.paired, row.paired.full, row.paired.common
    return {
        "plan": row.plan, "series": row.series, "measure": row.measure, "algorithm": row.algorithm,
        "against": row.against, "ratio": terminal.in_csv(full.value), "low": terminal.in_csv(full.low),
        "high": terminal.in_csv(full.high), "problems": full.n, "bound": row.bound,
        "ratio_both": terminal.in_csv(common.value), "low_both": terminal.in_csv(common.low),
        "high_both": terminal.in_csv(common.high), "problems_both": common.n,
        "pairs": paired.known + paired.censored_both + paired.missing, "decided_by_both": row.both,
        "by_algorithm_alone": paired.censored_base, "by_against_alone": paired.censored_subject,
        "by_neither": paired.censored_both, "without_count": paired.missing, "with_0": paired.zeros,
        "solved": row.solved[0], "runs": row.solved[1], "against_solved": row.against_solved[0],
        "against_runs": row.against_solved[1]}


def as_csv(rows):
    """One line an algorithm and measure. ratio, low, high: over the pairs that at least one side decided;
    bound says what undecided runs make of it. ..._both: over those that both decided."""
    buffer = io.StringIO()
    values = [_values(row) for row in rows]
    writer = csv.DictWriter(buffer, list(values[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(values)
    return buffer.getvalue()


# ---- LaTeX -----------------------------------------------------------------------------------------

CENSORED = (
    "An undecided run enters with what it used up to its limit, so that the true ratio is at least or at most",
    "what is shown, or on either side (~); pairs that neither side decided are left out. Second lines: over",
    "the pairs that both sides decided.")


def as_latex(rows):
    """A tabular of booktabs: an algorithm a row, a ratio with its 95 % interval a measure."""
    first = rows[0]
    measures = {row.measure: row.measured for row in rows}
    of = {(row.algorithm, row.measure): row for row in rows}
    algorithms = list(dict.fromkeys(row.algorithm for row in rows))
    said = [f"Ratios to {first.against} on {first.title} ({first.problems}), plan {first.plan}: geometric "
            "means of the paired", "ratios over the problems, with the t interval (95 %) of their logarithms."]
    lines = [f"% {line}" for line in [*said, *CENSORED, r"Needs \usepackage{booktabs}."]]
    lines += [r"\begin{tabular}{lr" + "rrrr" + "rl" * len(measures) + "}", r"\toprule"]
    groups = ["", "", r"\multicolumn{4}{c}{Pairs decided by}",
              *(rf"\multicolumn{{2}}{{c}}{{{latex.text(title)}}}" for title in measures.values())]
    rules = ["3-6"] + [f"{7 + 2 * number}-{8 + 2 * number}" for number in range(len(measures))]
    lines += [_line(groups), "".join(rf"\cmidrule(lr){{{rule}}}" for rule in rules),
              _line(["Algorithm", "Solved", "both", "it alone", "ref.~alone", "neither",
                     *(["ratio", r"95\,\% interval"] * len(measures))]), r"\midrule"]
    lines.append(_line([f"{latex.text(first.against)} (reference)", _share(first.against_solved),
                        "", "", "", "", *(["1", ""] * len(measures))]))
    for name in algorithms:
        mine = [of.get((name, measure)) for measure in measures]
        lines += _lines_of(name, mine)
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _lines_of(name, mine):
    """One line, and a second where runs are undecided on one side; mine: [Row or None], a measure each."""
    row = next(one for one in mine if one is not None)
    paired = row.paired
    cells = [latex.text(name), _share(row.solved), str(row.both), str(paired.censored_base),
             str(paired.censored_subject), str(paired.censored_both)]
    lines = [_line(cells + [cell for one in mine for cell in _ratio_cells(one)])]
    if row.both and paired.censored_subject + paired.censored_base:
        lines.append(_line([r"\quad decided by both", "", "", "", "", ""]
                           + [cell for one in mine for cell in _both_cells(one)]))
    return lines


def _share(solved):
    return f"{solved[0]}/{solved[1]}"


def _ratio_cells(row):
    if row is None or not row.paired.full.n:
        return ["--", ""]
    return [SIGNS[row.bound] + latex.number(row.paired.full.value), _ends(row.paired.full)]


def _both_cells(row):
    if row is None or not row.paired.common.n:
        return ["--", ""]
    return [latex.number(row.paired.common.value), _ends(row.paired.common)]


def _ends(interval):
    """Nothing of one problem: no spread is known."""
    return "" if interval.n < 2 else f"[{latex.number(interval.low)}, {latex.number(interval.high)}]"


def _line(cells):
    return " & ".join(cells) + r" \\"
