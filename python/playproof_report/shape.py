"""What the plans, the rows and the curves of a store must be like: what is not so the program does not
write, and no page can be made of it. Standard library only."""

import functools
import json
import math
import re

from .errors import DATA, ReportError

MOST = 2**53  # of whatever is counted; as a float it is exact
MOST_SECONDS = 1e12
MOST_ITEMS = 100_000  # of a list in a plan
MOST_DIGITS = 40
TIE = 1e-9  # relative, of a quotient that is stored rounded

GOAL = re.compile(r"win|draw|score>=-?[0-9]{1,6}")
VERDICTS = ("proved", "disproved", "unknown")
# What a run counts; a table of version 1 lacks the last ones.
COUNTERS = (
    "iterations", "nodes_created", "nodes_expanded", "evaluations", "playouts", "max_depth",
    "node_visits", "re_entries", "branch_switches", "root_switches", "peak_bytes", "shallow_switches",
    "endings", "ending_nodes", "table_lookups", "table_hits", "table_useful_hits", "table_stored",
    "table_replaced", "table_discarded")
# Those that have no column: in the JSON of `counters`, which rows before version 4 lack.
WITHOUT_COLUMN = ("second_searches", "second_decided", "zone_solved", "pattern_hits", "bridges", "connections")
TIMES = ("seconds", "cpu_seconds")
MEASURES = (*COUNTERS, *WITHOUT_COLUMN, "iterations_normalised", *TIMES)
ERRORS = ("error_area", "error_rise", "error_rise_of_mean")
_COUNTS = (*COUNTERS, "batch", "threads", "max_nodes", "max_memory")
STATISTICS = ("geometric mean", "ratio of means", "mean of ratios", "share below")
WAYS = ("tuned", "best", "leave one out", "repeated splits", "hill climbing")


def damaged(what):
    return ReportError(DATA, f"the store is damaged: {what}")


def shown(value):
    """A value within a sentence, not all of a long one."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


# ---- JSON ------------------------------------------------------------------------------------------


class _Object(dict):
    """A name that is not there is damage too."""

    def __missing__(self, name):
        raise damaged(f"its JSON has no '{name}' where it must")


def _whole(digits):
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _no_number(word):
    raise ValueError(f"{word} is no number")


def read_json(text, what):
    """Raises ReportError(DATA): the store holds what the program does not write."""
    try:
        value = json.loads(text, object_hook=_Object, parse_int=_whole, parse_constant=_no_number)
        if "\\u" in text:  # half a character is none, and no file can hold it
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise damaged(f"{what} has half a character") from None
    except ValueError as error:
        raise damaged(f"{what} is not JSON: {error}") from error
    except RecursionError:
        raise damaged(f"{what} is JSON within JSON within JSON, too deep to be read") from None
    return value


@functools.lru_cache(maxsize=4096)
def read_parameters(text):
    """{option: value as a text, or a number}; not to be changed."""
    found = read_json(text, "parameters")
    _match(found, {"*": OPTION}, "parameters")
    return found


def number(parameters, name, most=float(MOST)):
    """The value of an option as a number from -most to most. Raises ReportError(DATA)."""
    try:
        value = float(parameters[name])
    except ValueError:
        value = math.nan
    if not -most <= value <= most:
        raise damaged(f"the option '{name}' is '{shown(parameters[name])}' where a number must be")
    return value


# ---- plans -----------------------------------------------------------------------------------------


def _is_text(value):
    return isinstance(value, str)


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value):
    return (_is_whole(value) or isinstance(value, float)) and math.isfinite(value)


def one_of(words):
    return (f"one of {', '.join(words)}", lambda value: value in words if _is_text(value) else False)


TEXT = ("a text", _is_text)
OPTION = ("a text or a number", lambda value: _is_text(value) or _is_number(value))
FLAG = ("true or false", lambda value: isinstance(value, bool))
COUNT = ("a whole number from 0 to 2^53", lambda value: _is_whole(value) and 0 <= value <= MOST)
SEED = ("a whole number from 0 to 2^63", lambda value: _is_whole(value) and 0 <= value < 2**63)
BOUND = ("a number that is not negative", lambda value: _is_number(value) and 0 <= value < 1e300)
FACTOR = ("a number above 0", lambda value: _is_number(value) and 1e-300 < value < 1e300)
MAY_BE_BOUND = ("a number that is not negative, or null",
                lambda value: value is None or BOUND[1](value))
HORIZON = ("a whole number from 2, or null",
           lambda value: value is None or (_is_whole(value) and 2 <= value <= MOST))
A_GOAL = ("win, draw or score>=N", lambda value: _is_text(value) and bool(GOAL.fullmatch(value)))

# A name with a question mark may be lacking: older programs did not write it. Other names are let be.
PLAN = {
    "name": TEXT, "title": TEXT, "description": TEXT, "seed": SEED, "max_nodes": COUNT,
    "max_memory": COUNT, "report": {"kind": TEXT, "reference": TEXT},
    "series": [{"name": TEXT, "title": TEXT, "goals": [A_GOAL], "problems": COUNT,
                "repetitions": COUNT, "seed?": SEED, "reference?": TEXT}],
    "algorithms": [{"label": TEXT, "spec": TEXT, "series": [TEXT]}],
    "choices?": [{"label": TEXT, "labels": [TEXT], "how": one_of(WAYS), "measure": one_of(MEASURES),
                  "series": [TEXT]}],
    "claims": [{"id": TEXT, "text": TEXT, "source": TEXT, "own?": FLAG, "series": [TEXT],
                "formula": TEXT, "measure": one_of((*MEASURES, *ERRORS)), "subject": TEXT,
                "base": TEXT, "low": BOUND, "high": MAY_BE_BOUND, "below?": FACTOR,
                "horizon": HORIZON, "statistic?": one_of(STATISTICS)}],
}


def read_plan(text, name):
    """The plan as JSON (src/experiment/plan.cpp, Plan::json)."""
    what = f"plan '{name}'"
    plan = read_json(text, what)
    _match(plan, PLAN, what)
    for names in ([one["name"] for one in plan["series"]],
                  [f"{one['label']} on {series}" for one in [*plan["algorithms"], *plan.get("choices", [])]
                   for series in one["series"]],
                  [one["id"] for one in plan["claims"]]):
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise damaged(f"{what} has '{twice}' twice")
    return plan


def _match(value, form, place):
    """form: (words, test), a list of one form, or {name: form}, where "*" stands for all names."""
    if isinstance(form, dict):
        if not isinstance(value, dict):
            raise damaged(f"{place} is {shown(value)} where an object must be")
        for name, of in (dict.fromkeys(value, form["*"]) if "*" in form else form).items():
            plain = name if "*" in form else name.rstrip("?")
            if plain in value or plain == name:
                _match(value[plain], of, f"{place}: {plain}")
    elif isinstance(form, list):
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            raise damaged(f"{place} is {shown(value)} where a list must be")
        for number_, item in enumerate(value, 1):
            _match(item, form[0], f"{place} {number_}")
    else:
        words, fits = form
        if not fits(value):
            raise damaged(f"{place} is {shown(value)}, and must be {words}")


# ---- rows ------------------------------------------------------------------------------------------


def add_counters(run):
    """To a row the counts that have no column; None where it has not told them. Raises ReportError(DATA) where the JSON
    says otherwise than the columns."""
    told = run.get("counters")
    found = read_json(told, f"counters of run '{run['key']}'") if told is not None else {}
    _match(found, {"*": COUNT}, f"counters of run '{run['key']}'")
    for name in COUNTERS:
        if name in found and run.get(name) is not None and found[name] != run[name]:
            raise damaged(f"{name} of run '{run['key']}' is {run[name]}, and {found[name]} in its counters")
    run.update({name: dict.get(found, name) for name in WITHOUT_COLUMN})


def check_run(run):
    """A row of `run` whose values have the types of their columns (opening.py)."""
    for name in _COUNTS:
        value = run.get(name)
        if value is not None and not 0 <= value <= MOST:
            raise _of_run(run, name, COUNT[0])
    limit = run.get("max_cpu_seconds")
    if limit is not None and not 0 < limit <= MOST_SECONDS:
        raise _of_run(run, "max_cpu_seconds", "a time from 0 to 10^12 seconds")
    for name in ("iteration_divisor", "repetition"):
        if not 1 <= run[name] <= MOST:
            raise _of_run(run, name, "a whole number from 1 to 2^53")
    for name in TIMES:
        if not 0 <= run[name] <= MOST_SECONDS:
            raise _of_run(run, name, "a time from 0 to 10^12 seconds")
    normalised = run["iterations"] / run["iteration_divisor"]
    if not abs(run["iterations_normalised"] - normalised) <= TIE * normalised:
        raise _of_run(run, "iterations_normalised", f"{normalised:g}, iterations by divisor")
    if run["verdict"] not in VERDICTS:
        raise _of_run(run, "verdict", f"one of {', '.join(VERDICTS)}")
    if run["expected"] not in (*VERDICTS[:2], None):
        raise _of_run(run, "expected", f"one of {', '.join(VERDICTS[:2])}, or NULL")
    if not GOAL.fullmatch(run["goal"]):
        raise _of_run(run, "goal", A_GOAL[0])
    read_parameters(run["parameters"])


def _of_run(run, name, words):
    return damaged(f"{name} of run '{run['key']}' is {shown(run[name])}, and must be {words}")


def check_questions(runs):
    """No two runs are answers of one algorithm to one question."""
    asked = set()
    for run in runs:
        question = tuple(run[name] for name in ("series", "algorithm", "problem", "goal", "repetition"))
        if question in asked:
            raise damaged(f"run '{run['key']}' has the question of another run of its algorithm")
        asked.add(question)


def check_curve(key, points):
    """Change points: iterations go up, errors are shares."""
    before = -1
    for iteration, error in points:
        if not (before < iteration <= MOST and 0 <= error <= 1):
            raise damaged(f"the error curve of run '{key}' has the error {error:g} at iteration {iteration:,} "
                          f"after {before:,}")
        before = iteration
