"""The tables and sentences of result pages, computed again with nothing of the report: kinds thesis5, playouts,
table, depth-first and agreement. Those of kinds compare and deeppn are in recompute.py."""

import collections
import functools
import html
import json
import math
import re
from typing import Callable, NamedTuple

import numpy as np

from recompute import (Tables, averaged, climb, count, deep_setting, load, matrix_of, number, of_bootstrap, of_logs,
                       of_series, of_share, picks, side, unit_of)

DRAWN = 0.15  # how far ends from other bootstrap samples may lie apart, of their distance from the value
LEVELS = 0.02, 0.09  # or at which levels an interval that has 5 % may end there: of few values samples have few means
NOTHING = (math.nan, math.nan, math.nan)


class Cell(NamedTuple):
    """What a cell has to say: a number, and the ends of its interval if it has one."""

    value: float
    low: float | None = None
    high: float | None = None
    off: tuple = (0.0, 0.0)  # by how much other bootstrap samples may move the ends
    step: float | None = None  # of the last digit; none: of the third, or of a whole number
    p: Callable | None = None  # at which level the interval would just end at a number


def near(text, x, step=None, off=0.0):
    """Whether a text says x to its last digit; off: how far it may be beside that."""
    if text == "-" or math.isnan(x):
        return text == "-" and math.isnan(x)
    if text == "∞" or abs(x) > 1e300:
        return text == "∞" and x > 1e300
    value = number(text)
    if value and step is None:
        whole = re.match(r"-?([\d,]*)", text)[1].replace(",", "")
        step = 10.0 ** (math.floor(math.log10(abs(value)) + 1e-9) - max(3, len(whole)) + 1)
    return abs(value - x) <= (step or 0) * 0.500001 + off + 1e-300


def ends_at(text, mine, end, off):
    """Whether the text is that end of the interval."""
    if near(text, end, mine.step, off):
        return True
    x = number(text)
    return mine.p is not None and (x - mine.value) * (end - mine.value) > 0 and LEVELS[0] < mine.p(x) < LEVELS[1]


def says(cell, mine):
    """mine: a Cell, or the text itself."""
    if isinstance(mine, str):
        return cell == mine
    value, *ends = re.split(r"\n| – ", cell)
    if len(ends) != (0 if mine.low is None else 2) or ends and "\n" not in cell:
        return False
    return near(value, mine.value, mine.step) and all(
        ends_at(text, mine, end, off) for text, end, off in zip(ends, mine[1:3], mine.off))


def rows_differ(where, heads, rows, expected):
    """What rows say otherwise than expected: [[cell]], each beginning with the name of its row."""
    if [row[0] for row in rows] != [row[0] for row in expected]:
        yield f"{where}: rows {[row[0] for row in rows]}, not {[row[0] for row in expected]}"
        return
    for (label, *cells), (_, *right) in zip(rows, expected):
        if len(cells) != len(right) or len(cells) != len(heads) - 1:
            yield f"{where}, {label}: {len(cells)} cells"
            continue
        for head, cell, mine in zip(heads[1:], cells, right):
            if not says(cell, mine):
                yield f"{where}, {label}, {' '.join(head.split())}: {cell!r}, not {mine}"


def tables_differ(page, expected):
    """expected: {caption: (heads, rows)}, of tables that each have to be there once."""
    tables = collections.defaultdict(list)
    for caption, rows in Tables(page).tables:
        tables[caption].append(rows)
    wrong = []
    for caption, (heads, rows) in expected.items():
        if len(tables[caption]) != 1 or tables[caption][0][0] != heads:
            wrong.append(f"{caption}: another table")
            continue
        wrong += rows_differ(caption, heads, tables[caption][0][1:], rows)
    return wrong


def sentences_differ(where, texts, expected):
    """expected: [(pattern, [Cell or text of each of its groups])]"""
    wrong = [] if len(texts) == len(expected) else [f"{where}: {len(texts)} sentences, not {len(expected)}"]
    for text, (pattern, right) in zip(texts, expected):
        found = re.fullmatch(pattern, text)
        if not found or not all(map(says, found.groups(), right)):
            wrong.append(f"{where}: {text!r}, not {right}")
    return wrong


# ---- runs of a series ------------------------------------------------------------------------------


def units_in(of):
    unit = unit_of(of)
    return len({key[:unit] for mine in of.values() for key in mine})


def problems_in(of):
    """"16 problems (8 up to symmetry)"; of one problem its repetitions."""
    units, problems = units_in(of), len({(key[3], key[1]) for mine in of.values() for key in mine})
    turned = f" ({units} up to symmetry)" if unit_of(of) == 2 and units < problems else ""
    return f"{problems if turned else units} problems{turned}"


def undecided(mine):
    return sum(run["verdict"] == "unknown" for run in mine.values())


def simulated(runs):
    return {run["device"] for mine in runs.values() for run in mine.values() if run["playouts"]} == {"simulated"}


def interval(found):
    return Cell(*found[:3])


def drawn(found):
    """The same of of_bootstrap()."""
    value, low, high = found[:3]
    off = tuple(DRAWN * abs(end - value) if math.isfinite(end) else 0.0 for end in (low, high))
    return Cell(value, low, high, off, p=found[3] if len(found) > 3 else None)


def mean_log(mine, m, unit):
    """Geometric mean over the units."""
    return interval(of_logs(averaged({key: math.log(count(run, m)) for key, run in mine.items()}, unit)))


def paired(mine, base, m, unit, fewest=1):
    """Geometric mean of the ratios where at least so many sides are decided."""
    logs = {key: math.log(count(run, m) / count(base[key], m)) for key, run in mine.items() if key in base and
            (run["verdict"] != "unknown") + (base[key]["verdict"] != "unknown") >= fewest}
    return interval(of_logs(averaged(logs, unit)) if logs else NOTHING)


# ---- kind thesis5 ----------------------------------------------------------------------------------


def won_questions(of):
    """Those whose root is won: as is known, else as the first run that decides it says."""
    known = {}
    for mine in of.values():
        for key, run in mine.items():
            verdict = run["expected"] or run["verdict"]
            if verdict != "unknown":
                known.setdefault(key[:2], verdict)
    return {question for question, verdict in known.items() if verdict == "proved"}


def plain_mean(values):
    """Mean over the units with its bootstrap interval."""
    if not len(values):
        return Cell(*NOTHING)
    if len(values) == 1:
        return Cell(*[float(values[0])] * 3)
    return drawn(of_bootstrap([values], lambda rows: rows.mean(axis=-1)))


def means_of(of, won, m):
    """{label: (mean over all, over those with a won root)}"""
    root_won = {label: {key: run for key, run in mine.items() if key[:2] in won} for label, mine in of.items()}

    def mean(mine, unit):
        return plain_mean(averaged({key: float(run[m]) for key, run in mine.items()}, unit))
    return {label: (mean(of[label], unit_of(of)), mean(root_won[label], unit_of(root_won))) for label in of}


def cost_table(of, won, m, reference):
    unit, means, base, rows = unit_of(of), means_of(of, won, m), of[reference], []
    for label, mine in of.items():
        row = [label, str(len(mine)), str(undecided(mine)), *means[label],
               Cell(float(np.median([run[m] for run in mine.values()])))]
        if label == reference:
            rows.append(row + ["1"] * 3)
            continue
        both = {key: (float(run[m]), float(base[key][m])) for key, run in mine.items()
                if key in base and {run["verdict"], base[key]["verdict"]} != {"unknown"}}
        ratio = NOTHING
        if both:
            above, below = averaged(both, unit).T
            ratio = of_bootstrap([above, below], lambda a, b: a.mean(axis=-1) / b.mean(axis=-1))
        rows.append(row + [paired(mine, base, m, unit, 2), paired(mine, base, m, unit),
                           drawn(ratio)])
    heads = ["", "runs", "undecided", "mean", "mean, won roots", "median",
             f"geometric mean\nratio to {reference},\nboth decided", "the same,\none decided", "ratio of\nmeans"]
    return heads, rows


def error_at(points, divisor, x):
    return points[points[:, 0] / divisor <= x][-1, 1]


def error_area(points, divisor, horizon):
    steps = np.diff(np.log(np.append(points[:, 0] / divisor, horizon).clip(1, horizon)))
    return (points[:, 1] * steps).sum() / math.log(horizon)


def share_of_wrong(rows):
    """Mean of a column of errors, with the percentiles of bootstrap samples; Wilson's end where all agree. Beyond
    an end 1 to 4 % of 2,000 samples may lie where 2.5 % of all do, and the means of few trees are few."""
    n, value = len(rows), float(np.mean(rows))
    draws = np.asarray(rows)[np.random.default_rng(13).integers(n, size=(20_000, n))].mean(axis=1)
    low, *lows, high, first, last = np.quantile(draws, (0.025, 0.01, 0.04, 0.975, 0.96, 0.99))
    off = max(abs(low - x) for x in lows), max(high - first, last - high)
    if value in (0, 1):
        low, high = of_share(round(value * n), n)[1:3] if value else (0.0, of_share(0, n)[2])
    return Cell(value, float(low), float(high), off, 0.001)


def error_table(of, curves, won, runs_of_all):
    """runs_of_all: whose iterations say how far the errors are drawn."""
    horizon = max(2.0, max(run["iterations_normalised"] for run in runs_of_all))
    marks = [mark for mark in (1, 10, 100, 1000, 10_000, 100_000) if mark <= horizon]
    root_won = {label: {key: run for key, run in mine.items() if key[:2] in won} for label, mine in of.items()}
    unit, rows = unit_of(root_won), []
    for label, mine in root_won.items():
        known = {key: (curves[run["key"]], run["iteration_divisor"]) for key, run in mine.items()
                 if run["key"] in curves}
        if known:
            areas = averaged({key: error_area(*curve, horizon) for key, curve in known.items()}, unit)
            errors = averaged({key: [error_at(*curve, mark) for mark in marks] for key, curve in known.items()}, unit)
            rows.append([label, *map(share_of_wrong, errors.T), Cell(float(areas.mean()), step=0.0001)])
    return ["", *(f"after {mark:,}" for mark in marks), "mean over log-spaced\niterations"], rows


WON = re.compile(r"<h2>([^<]+)</h2>\s*<p>(\d+) trees; the root is won in ([\d.]+%) \((\d+%) to (\d+%)\)\.([^<]*)</p>")
RANKS = re.compile(r"<p>([^<]+), means:<br>iterations: (.*?)<br>time: (.*?)</p>")


def thesis_sentences(one, of, won, page):
    """What is won, and who needs how much, the least first."""
    title, questions = one["title"], {key[:2] for mine in of.values() for key in mine}
    open_runs = sum(map(undecided, of.values()))
    share, low, high, _ = of_share(len(won), len(questions))
    right = [str(len(questions)), Cell(share, step=0.001), Cell(low, step=0.01), Cell(high, step=0.01)]
    found = [said for said in WON.findall(page) if html.unescape(said[0]) == title]
    if len(found) != 1 or not all(map(says, found[0][1:5], right)) or (
            "All runs were decided." in found[0][5]) != (open_runs == 0):
        yield f"{title}: {found}, not {right}, {open_runs} undecided"
    ranks = [said[1:] for said in RANKS.findall(page) if html.unescape(said[0]) == title]
    if len(ranks) != 1:
        yield f"{title}: {len(ranks)} rankings"
        return
    unit = unit_of(of)
    for m, text in zip(("iterations_normalised", "cpu_seconds"), ranks[0]):
        said = [(html.unescape(label), mean)
                for label, mean in re.findall(r"<b>([^<]+)</b> ([^<&]+?)(?= &lt; |$)", text)]
        means = {label: float(averaged({key: float(run[m]) for key, run in mine.items()}, unit).mean())
                 for label, mine in of.items()}
        order = sorted(means, key=means.get)
        if [label for label, _ in said] != order:
            yield f"{title}, ranking by {m}: {said}, not {order}"
            continue
        for label, mean in said:
            if not near(mean, means[label]):
                yield f"{title}, ranking by {m}: {label} {mean}, not {means[label]}"


@functools.lru_cache(maxsize=2)
def thesis_found(path):
    """({caption: table}, [(series of the plan, its runs, won questions)])"""
    plan, runs, curves = load(path)
    expected, series = {}, []
    for one in plan["series"]:
        of, title = of_series(runs, one["name"]), one["title"]
        if not of:
            continue
        won, every = won_questions(of), [run for mine in of.values() for run in mine.values()]
        for m, name in (("cpu_seconds", "search time"), ("iterations_normalised", "iterations")):
            expected[f"{title}: {name}"] = cost_table(of, won, m, plan["report"]["reference"])
        if any(run["key"] in curves for run in every):
            expected[f"{title}: error of the selected move"] = error_table(of, curves, won, every)
        series.append((one, of, won))
    return expected, series


def thesis_differences(path, page):
    """What a page of kind thesis5 says otherwise in its tables and rankings; empty: nothing."""
    expected, series = thesis_found(path)
    wrong = [what for of in series for what in thesis_sentences(*of, page)]
    return wrong + tables_differ(page, expected)


# ---- kind playouts ---------------------------------------------------------------------------------


def playouts_a_leaf(mine):
    """As the runs played; where none had to, as their parameters say."""
    runs = list(mine.values())
    played, leaves = (sum(run[m] for run in runs) for m in ("playouts", "evaluations"))
    if played:
        return round(played / leaves)
    given = json.loads(runs[0]["parameters"])
    return int(given.get("playouts", 0)) if given.get("leaf", "playouts") in ("playouts", "both") else 0


def families_of(of):
    """{family: [(playouts a leaf, label)], the fewest first}"""
    families = collections.defaultdict(list)
    for label, mine in of.items():
        families[label.partition(" n=")[0]].append((playouts_a_leaf(mine), label))
    return {family: sorted(points) for family, points in families.items()}


def playouts_table(of, points, measures):
    unit, before, rows = unit_of(of), None, []
    for n, label in points:
        row = [f"{n:,}"]
        for m, _ in measures:
            row += [mean_log(of[label], m, unit), paired(of[label], of[before], m, unit) if before else "-"]
        rows.append(row + [str(undecided(of[label]))])
        before = label
    heads = [head for _, name in measures for head in (f"{name},\ngeometric mean", "over the\nline above")]
    return ["playouts\na leaf", *heads, "undecided"], rows


def playouts_sentence(family, rows, time):
    """rows: of the table, whose first and second cells are of the iterations, the fifth the time. ((pattern, what
    its groups say), as of sentences_differ())"""
    first, counts = re.escape(family) + ": ", [Cell(row[1].value) for row in rows]
    if len(rows) == 1:
        return first + rf"(\S+) iterations, (\S+ \S+) of {time}\.", [counts[0], Cell(rows[0][5].value)]
    gains = 0
    while gains + 1 < len(rows) and rows[gains + 1][2].high < 1:
        gains += 1
    fastest = min(rows, key=lambda row: row[5].value)
    least = (rf"the least {time} is (\S+ \S+) with (\S+) \(chosen on these problems, so flattering\)\.",
             [Cell(fastest[5].value), fastest[0]])
    if gains == 0:
        return first + "more playouts save no iterations beyond doubt; " + least[0], least[1]
    first += r"more playouts save iterations up to (\S+) a leaf \((\S+) with (\S+), (\S+) with (\S+)\); "
    return first + least[0], [rows[gains][0], counts[0], rows[0][0], counts[gains], rows[gains][0], *least[1]]


COUNTED = re.compile(r"<h2>([^<]+)</h2>\s*<p>([^<,]+), (\d+) of (\d+) runs undecided within the node limit\.</p>")
ANSWERS = re.compile(r"<p>([^<]+)</p>\s*(?:<ul>(.*?)</ul>)?", re.DOTALL)


def counted_differs(title, of, page):
    """(differences, the sentences that answer below the first plot, as one text, and as a list) of the sentence that
    says how many problems and runs there are."""
    right = tuple(map(str, (problems_in(of), sum(map(undecided, of.values())), sum(map(len, of.values())))))
    found = [said for said in COUNTED.findall(page) if html.unescape(said[0]) == title]
    if len(found) != 1:
        return [f"{title}: {len(found)} sections"], "", []
    wrong = [] if found[0][1:4] == right else [f"{title}: {found[0][1:4]}, not {right}"]
    texts, lists = [], []
    for said, items in ANSWERS.findall(page):
        begins, _, rest = html.unescape(said).partition(f"{title}:")
        if begins == "" and rest:
            texts.append(rest.strip())
        elif begins == "" and items:
            lists.append([html.unescape(item) for item in re.findall(r"<li>(.*?)</li>", items)])
    if len(texts) + len(lists) > 1:
        wrong.append(f"{title}: {len(texts) + len(lists)} answers")
    return wrong, " ".join(texts), [item for items in lists for item in items]


@functools.lru_cache(maxsize=2)
def playouts_found(path):
    """({caption: table}, [(title, runs, sentences)])"""
    plan, runs, _ = load(path)
    device = simulated(runs)
    time = "time on a simulated device" if device else "CPU time"
    measures = [("iterations", "iterations"), ("nodes_created", "nodes"),
                ("seconds" if device else "cpu_seconds", time)]
    expected, series = {}, []
    for one in plan["series"]:
        of, title = of_series(runs, one["name"]), one["title"]
        if not of:
            continue
        tables = {family: playouts_table(of, points, measures) for family, points in families_of(of).items()}
        expected.update({f"{title}: {family}": table for family, table in tables.items()})
        series.append((title, of, [playouts_sentence(family, rows, time) for family, (_, rows) in tables.items()]))
    return expected, series


def playouts_differences(path, page):
    """What a page of kind playouts says otherwise; empty: nothing."""
    expected, series = playouts_found(path)
    wrong = []
    for title, of, sentences in series:
        differ, _, items = counted_differs(title, of, page)
        wrong += differ + sentences_differ(title, items, sentences)
    return wrong + tables_differ(page, expected)


# ---- kind table ------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=2)
def table_found(path):
    """({caption: table}, {title: (its problems, its answer)})"""
    plan, runs, _ = load(path)
    reference, expected, sentences = plan["report"]["reference"], {}, {}
    for one in plan["series"]:
        of, title = of_series(runs, one["name"]), one["title"]
        if not of:
            continue
        unit, families = unit_of(of), collections.defaultdict(list)
        for label, mine in of.items():
            given = json.loads(next(iter(mine.values()))["parameters"])
            size, power = re.fullmatch(r"(\d+)([KMG])iB", given["table"]).groups()
            families[label.partition(" table=")[0]].append((int(size) << 10 * " KMG".index(power), label))
        rows, least = [], []
        for family, points in families.items():
            enough = [size for size, label in points if not undecided(of[label])]
            least.append(f"{family} " + (f"{min(enough) // 1024:,} KiB" if enough else "none of these"))
            for size, label in sorted(points):
                mine = of[label]
                rows.append([family, f"{size // 1024:,}", Cell(float(np.mean(averaged({key: run["verdict"] != "unknown" for key, run in mine.items()}, unit))), step=0.01),
                             mean_log(mine, "nodes_created", unit),
                             paired(mine, of.get(reference, {}), "nodes_created", unit)])
        expected[f"{title}: share solved and nodes by size of the table"] = (
            ["replacement", "table,\nKiB", "solved", "nodes,\ngeometric mean", f"over\n{reference}"], rows)
        sentences[title] = (f"{problems_in(of)}.",
                            f"{title}: The smallest table with which every problem was solved: {'; '.join(least)}.")
    return expected, sentences


def table_differences(path, page):
    """What a page of kind table says otherwise; empty: nothing."""
    expected, sentences = table_found(path)
    text = html.unescape(page)
    wrong = []
    for title, (problems, answer) in sentences.items():
        if not re.search(rf"<h2>{re.escape(title)}</h2>\s*<p>{re.escape(problems)}</p>", text):
            wrong.append(f"{title}: not {problems!r}")
        if text.count(f"<p>{answer}</p>") != 1:
            wrong.append(f"{title}: not {answer!r}")
    return wrong + tables_differ(page, expected)


# ---- kind depth-first ------------------------------------------------------------------------------


def tuned_logs(of, choice, m, how):
    """{(orbit, goal, repetition, problem): [logarithm of m, a split each]}"""
    labels = [label for label in choice["labels"] if label in of]
    keys, cost = matrix_of(of, labels, choice["measure"])
    found = picks(keys, cost, how)
    logs = matrix_of(of, labels, m)[1]
    return {key: logs[row, found[:, row]] for row, key in enumerate(keys)}


def tuned_row(of, choice, other, reference):
    """Of a family of settings, over another or over the reference."""
    m = choice["measure"]

    def name(one):
        return one["label"].removesuffix(" tuned").removesuffix(" " + one["how"])

    def ratios(how):
        above = tuned_logs(of, choice, m, how)
        below = tuned_logs(of, other, m, how) if other else {
            key: math.log(count(run, m)) for key, run in of[reference].items()}
        return averaged({key: above[key] - below[key] for key in above}, unit_of(of))
    halves, splits = (np.exp(ratios(how).mean(axis=0)) for how in ("tuned", "repeated splits"))
    low, middle, high = np.quantile(splits, (0.025, 0.5, 0.975))
    return [f"{name(choice)} over {name(other) if other else reference}", Cell(float(halves[0])),
            Cell(float(np.mean(splits >= halves[0] * (1 - 1e-12)))), Cell(float(middle), float(low), float(high)),
            interval(of_logs(ratios("leave one out")[:, 0]))]


def tuned_table(plan, of, series):
    """Each family of settings that some choice tunes on other problems."""
    families = {}
    for choice in plan["choices"]:
        if series in choice["series"] and choice["how"] not in ("best", "hill climbing"):
            families.setdefault(tuple(choice["labels"]), choice)
    tuned = list(families.values())
    rows = [tuned_row(of, choice, other, plan["report"]["reference"]) for number, choice in enumerate(tuned)
            for other in (None, *tuned[number + 1:])]
    return ["nodes, tuned on other problems", "every other\nproblem", "splits with\nas much or more",
            "random halves,\nmedian, 95 % of them", "leave one out,\n95 % interval"], rows


def choices_table(plan, runs, series):
    reference, rows = plan["report"]["reference"], []
    unit = unit_of(of_series(runs, series))
    for choice in plan["choices"]:
        if series not in choice["series"]:
            continue
        row = [choice["label"], ""]
        for m in ("nodes_created", "re_entries"):
            above, below = (side(plan, runs, series, label, m) for label in (choice["label"], reference))
            logs = {key: log - below[key][0] for key, (log, _, decided) in above.items()
                    if key in below and (decided or below[key][2])}
            row.append(interval(of_logs(averaged(logs, unit)) if logs else NOTHING))
        parts = choice["taken"][series].values()
        names = list(dict.fromkeys(max(of, key=lambda part: part[0])[2] for of in parts))
        row[1] = ", ".join(names) if len(names) <= 2 else f"{len(names)} settings"
        rows.append(row)
    return ["choice", "settings", *(f"{name} over\n{reference}" for name in ("nodes", "re-entries (seesaw)"))], rows


def settings_of(of):
    """({label: (E, D)}, {label: epsilon above 0})"""
    deep, wide = {}, {}
    for label, mine in of.items():
        run = next(iter(mine.values()))
        given = json.loads(run["parameters"])
        if given.get("leaf") == "deep":
            deep[label] = deep_setting(run)
        elif float(given.get("epsilon", 0)) > 0:
            wide[label] = float(given["epsilon"])
    return deep, wide


def climbing_sentence(of, deep):
    ends, looked, problems = [], [], list(dict.fromkeys(key[3] for mine in of.values() for key in mine))
    for problem in problems:
        cost = {place: run["nodes_created"] if run["verdict"] != "unknown" else math.inf
                for label, place in deep.items() for key, run in of[label].items() if key[3] == problem}
        if (2, 2) in cost:
            place, some = climb(cost)
            looked.append(some)
            ends.append(cost[place] / min(cost.values()))
    over = np.array([end for end in ends if end < math.inf])
    mean = float(np.exp(np.log(over).mean())) if len(over) else math.nan
    return (r"Hill climbing \(the thesis' Algorithm 1, each problem by itself\) looks at (\d+) settings in the mean "
            r"and ends (\S+ %|-) above the best of the grid \(geometric mean over (\d+) of (\d+) problems; at the best "
            r"itself on (\d+)\)\.",
            [f"{np.mean(looked):.0f}", Cell(mean - 1, step=0.001), str(len(over)),
             str(len(ends)), str(int(np.sum(over < 1 + 1e-12)))])


def step_sentence(of, deep, wide, reference):
    """From one setting to the next, of the ratios to the reference, where either side is decided."""
    unit, base = unit_of(of), of[reference]
    units = sorted({key[:unit] for key in base})

    def row(label):
        known = collections.defaultdict(list)
        for key, run in of[label].items():
            if {run["verdict"], base[key]["verdict"]} != {"unknown"}:
                known[key[:unit]].append(math.log(count(run, "nodes_created") / count(base[key], "nodes_created")))
        return [np.mean(known[one]) if known[one] else math.nan for one in units]

    def roughness(labels):
        steps = np.abs(np.diff([row(label) for label in labels], axis=0))
        steps = steps[np.isfinite(steps)]
        return float(np.mean(steps)) if len(steps) else math.nan
    along_e = []
    for d in {d for _, d in deep.values()}:
        labels = sorted((label for label in deep if deep[label][1] == d), key=deep.get)
        if len(labels) > 1:
            along_e.append(roughness(labels))
    return (r"From one setting to the next the nodes of a problem change by (\S+ %) along ε and by (\S+ %) along E "
            r"\(mean of \|log ratio\|\)\.", [Cell(math.exp(log) - 1, step=0.001) for log in (
                roughness(sorted(wide, key=wide.get)), float(np.nanmean(along_e)))])


@functools.lru_cache(maxsize=2)
def depth_first_found(path):
    """({caption: table}, [(title, runs, sentences)])"""
    plan, runs, _ = load(path)
    expected, series = {}, []
    for one in plan["series"]:
        of, name, title = of_series(runs, one["name"]), one["name"], one["title"]
        if not of:
            continue
        deep, wide = settings_of(of)
        for caption, table in (("what the choices take, and what that reaches", choices_table(plan, runs, name)),
                               ("tuned on other problems", tuned_table(plan, of, name))):
            if table[1]:
                expected[f"{title}: {caption}"] = table
        sentences = [climbing_sentence(of, deep)] if deep else []
        sentences += [step_sentence(of, deep, wide, plan["report"]["reference"])] if deep and wide else []
        series.append((title, of, sentences))
    return expected, series


def depth_first_differences(path, page):
    """What a page of kind depth-first says otherwise; empty: nothing."""
    expected, series = depth_first_found(path)
    wrong = []
    for title, of, sentences in series:
        differ, text, _ = counted_differs(title, of, page)
        wrong += differ + sentences_differ(title, re.findall(r"\S.*?(?<=[).])\.(?= [A-Z]|$)", text), sentences)
    return wrong + tables_differ(page, expected)


# ---- kind agreement --------------------------------------------------------------------------------


def agreement_of(mine):
    """(agree, contradict, decided without a known result, undecided)"""
    kinds = collections.Counter(
        "undecided" if run["verdict"] == "unknown" else "unchecked" if run["expected"] is None else
        "agree" if run["verdict"] == run["expected"] else "contradict" for run in mine)
    return [kinds[kind] for kind in ("agree", "contradict", "unchecked", "undecided")]


def agreement_row(name, mine, unchecked):
    counts = agreement_of(mine)
    _, low, high, _ = of_share(counts[3], len(mine))
    shown = counts if unchecked else [counts[0], counts[1], counts[3]]
    nodes = [run["nodes_created"] for run in mine]
    return [*name, str(len(mine)), *map(str, shown), f"{low:.0%} – {high:.0%}", Cell(float(np.median(nodes))),
            Cell(float(max(nodes))), Cell(float(np.mean([run["cpu_seconds"] for run in mine])))]


def agreement_differences(path, page):
    """What a page of kind agreement says otherwise; empty: nothing."""
    plan, runs, _ = load(path)
    every = agreement_of(run for mine in runs.values() for run in mine.values())
    rows = []
    for one in plan["series"]:
        of = of_series(runs, one["name"])
        for goal in one["goals"]:
            for label, mine in of.items():
                with_goal = [run for key, run in mine.items() if key[1] == goal]
                if with_goal:
                    rows.append(agreement_row([one["name"], goal, label], with_goal, every[2]))
    heads = ["Series", "Goal", "Algorithm", "runs", "agree", "contradict", *(["unchecked"] if every[2] else []),
             "undecided", "true share,\n95 % (Wilson)", "nodes,\nmedian", "nodes,\nmost", "time,\nmean"]
    said = re.findall(r"<div><b>([^<]+)</b><span>([^<]+)</span></div>", page)
    right = [(f"{every[0]:,}", "verdicts agree with the known result"), (str(every[1]), "contradict it"),
             (str(every[3]), "undecided within the limits")]
    right += [(f"{every[2]:,}", "decided, but no result is known")] if every[2] else []
    wrong = [] if said == right else [f"{said}, not {right}"]
    return wrong + tables_differ(page, {"Agreement with known results, by series, goal and algorithm": (heads, rows)})
