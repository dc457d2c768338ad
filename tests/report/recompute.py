"""Every judgement and choice of a result store, computed again: by another program than the report, with nothing of it
(numpy, scipy, sqlite3). `recompute.py STORE CLAIMS` holds CLAIMS, of `playproof report STORE --format claims`, against
it. Bootstrap intervals have other samples here: those agree within a tolerance."""

import collections
import functools
import html.parser
import json
import lzma
import math
import os
import re
import sqlite3
import struct
import sys
import tempfile

import numpy as np
from scipy import stats

SAMPLES = 4000
TIE = 1e-12  # equal but for rounding
FEWEST = 8  # units from which a bootstrap settles anything
LONGER = 1000  # times as long as they ran undecided runs can have taken


@functools.lru_cache(maxsize=None)
def turned(game, position):
    """One text for all boards that are the same to the rules of a game; of P-games the position itself."""
    name, _, rest = game.partition(":")
    options = dict(one.split("=") for one in rest.split(",") if one)
    rows, columns = (int(options.get(side, options.get("size", 0))) for side in ("rows", "columns"))
    board, more = np.zeros((rows, columns), dtype=np.int8), ""
    if name == "othello":
        discs, more = position.split()
        board = np.array(["-XO".index(c) for c in discs], dtype=np.int8).reshape(rows, columns)
    elif name == "hex":
        words, player = position.split(), 1
        for word in words:
            if word[0] == ":":
                player = 1 + ":W".startswith(word)
                continue
            if word != "--":
                board[int(word[1:]) - 1, "abcdefghijklmnopqrs".index(word[0])] = player
            player = 3 - player
        more = str(player)
    elif name == "connect6":
        for number, word in enumerate(re.findall("[A-Z]{2}", position)):  # of a record, or words
            turn = math.ceil(number / int(options.get("stones", 2)))
            board[ord(word[1]) - ord("A"), ord(word[0]) - ord("A")] = 1 + turn % 2
    else:
        return game + " " + position
    ways = [np.rot90(board, 2)] if name == "hex" else [np.rot90(one, quarter) for one in (board, board[::-1])
                                                       for quarter in range(4)]
    return f"{game} {max(one.tobytes() for one in (board, *ways) if one.shape == board.shape)} {more}"


@functools.lru_cache(maxsize=2)
def load(path):
    """(plan, {(series, algorithm): {(orbit, goal, repetition, problem): run}}, {key: curve}); who asks again gets the
    same ones. Orbit: the first problem of the series whose board is this one's, turned or reflected."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file, \
            tempfile.NamedTemporaryFile() as copy:
        copy.write(file.read())
        copy.flush()
        base = sqlite3.connect(copy.name)
        base.row_factory = sqlite3.Row
        plan = base.execute("SELECT * FROM plan ORDER BY last_used DESC").fetchone()
        runs, first = collections.defaultdict(dict), {}
        for run in map(dict, base.execute("SELECT run.* FROM run JOIN plan_run USING (key) "
                                          "WHERE plan_hash = ? ORDER BY ordinal", (plan["hash"],))):
            orbit = first.setdefault((run["series"], turned(run["game"], run["position"])), run["problem"])
            runs[run["series"], run["algorithm"]][orbit, run["goal"], run["repetition"], run["problem"]] = run
        every = [run for mine in runs.values() for run in mine.values()]
        for series in {run["series"] for run in every}:
            mine = [run for run in every if run["series"] == series]
            if {run["device"] for run in mine if run["playouts"]} == {"simulated"}:
                for run in mine:  # what plays nothing takes its CPU time
                    run["seconds"] = run["seconds"] if run["playouts"] else run["cpu_seconds"]
        curves = {key: np.array(list(struct.iter_unpack("<qd", points))) for key, points in
                  base.execute("SELECT run_key, points FROM curve")}
        versions = [(row["first_used"], json.loads(row["json"])) for row in base.execute(
            "SELECT first_used, json FROM plan WHERE name = ?", (plan["name"],))]
    return {**json.loads(plan["json"]), "versions": versions, "kept": kept_of(path, plan["name"])}, dict(runs), curves


def kept_of(path, plan):
    """What stands beside a store of when its claims were written and its runs were made first."""
    beside = os.path.join(os.path.dirname(path), "written.json.xz")
    if not os.path.exists(beside):
        return {"claims": {}, "runs": {}}
    with lzma.open(beside, "rt", encoding="utf-8") as file:
        return json.load(file).get(plan, {"claims": {}, "runs": {}})


def same_claim(one, other):
    """Whether two plans claim the same, texts apart."""
    return all(one.get(name, "geometric mean") == other.get(name, "geometric mean") for name in ("statistic",)) and \
        one["formula"].split() == other["formula"].split()


def earlier(plan, runs, claim, series):
    """(how many of the runs that judge a claim were there when it was written, how many judge it)"""
    times = [time for time, version in plan["versions"] for one in version["claims"]
             if series in one["series"] and same_claim(one, claim)]
    times += [time for name, (time, _) in plan["kept"]["claims"].items()
              if name.startswith(series + " | ") and name.split(" | ")[2] == "".join(claim["formula"].split())
              and claim.get("statistic", name.split(" | ")[1]) == name.split(" | ")[1]]
    labels = {claim["subject"], claim["base"]}
    for choice in plan.get("choices", []):
        if choice["label"] in labels:
            labels = labels - {choice["label"]} | set(choice["labels"])
    made = [min(run["started"], plan["kept"]["runs"].get(
                f"{series} | {label} | {run['problem']} | {run['goal']} | {run['repetition']}", run["started"]))
            for label in labels for run in runs.get((series, label), {}).values()]
    return sum(time < min(times) for time in made), len(made)


def count(run, m):
    zero = {"seconds": 1e-6, "cpu_seconds": 1e-6, "iterations_normalised": 1 / run["iteration_divisor"]}
    return None if run[m] is None else run[m] or zero.get(m, 1) / 2


def averaged(values, length):
    groups = collections.defaultdict(list)
    for key, value in values.items():
        groups[key[:length]].append(value)
    return np.array([np.mean(groups[key], axis=0) for key in sorted(groups)])


def of_series(runs, series):
    """{label: {key: run}}, in the order of the plan."""
    return {label: mine for (s, label), mine in runs.items() if s == series}


def unit_of(of):
    """How much of a key names a unit: the orbit and goal, or also the repetition where there is one orbit."""
    return 2 if len({key[:2] for mine in of.values() for key in mine}) > 1 else 3


# ---- choices: {(orbit, goal, repetition, problem): [(share, run, label)]} -------------------------------


def deep_setting(run):
    """(E, D)"""
    return tuple(int(re.search(rf"[:,]{name}=(\d+)", run["spec"])[1]) for name in "ED")


def climb(cost):
    """(where Algorithm 1 of the thesis ends, how many settings it looked at); cost: {(E, D): count or infinity}"""
    looked, place, flat = set(), (2, 2), 0

    def at(e, d):
        looked.update({(e, d)} & set(cost))
        return cost.get((e, d), math.inf)

    def neighbours(e, d):
        return (e + 1, d), (e, d + 1)
    while flat < 4:
        here, (right, up) = at(*place), (at(*one) for one in neighbours(*place))
        after, best = neighbours(*place)[int(up < right)], min(right, up)
        if best == math.inf or best > here and all(at(*one) > best for one in neighbours(*after)):
            break
        place, flat = after, flat + 1 if best == here else 0
    return place, len(looked)


def matrix_of(of, labels, m):
    """(keys, logarithms of the counts: a row a key, a column a label)"""
    keys = list(of[labels[0]])
    return keys, np.array([[math.log(count(of[label][key], m)) for label in labels] for key in keys])


def picks(keys, cost, how):
    """Columns that other problems choose: a row a split, in it one for each key."""
    problems = list(dict.fromkeys(key[0] for key in keys))
    problem = np.array([problems.index(key[0]) for key in keys])

    def least(mask):
        return int(np.argmin(np.mean(cost[mask if mask.any() else ~mask], axis=0)))

    if how == "leave one out":
        return np.array([[least(problem != n) for n in problem]])
    if how == "tuned":
        return np.array([[least(problem % 2 != n % 2) for n in problem]])
    random, total, found = np.random.RandomState(1), len(problems), []
    for _ in range(1000):
        half = np.zeros(total, dtype=int)
        half[random.permutation(total)[:total // 2]] = 1
        by = [least(half[problem] != mine) for mine in (0, 1)]
        found.append([by[half[n]] for n in problem])
    return np.array(found)


def choose(choice, runs, series):
    of = of_series(runs, series)
    labels, how = [label for label in choice["labels"] if label in of], choice["how"]
    keys, cost = matrix_of(of, labels, choice["measure"])
    if how == "best":
        taken = np.argmin(cost, axis=1)[None]
    elif how == "hill climbing":
        counts = np.array([[x if of[label][key]["verdict"] != "unknown" else math.inf for label, x in zip(labels, row)]
                           for key, row in zip(keys, cost)])  # their order is all that counts
        places = [[deep_setting(of[label][key]) for label in labels] for key in keys]
        taken = np.array([[at.index(climb(dict(zip(at, row)))[0]) for at, row in zip(places, counts)]])
    else:
        taken = picks(keys, cost, how)
    return {key: [(float(np.mean(mine == i)), of[labels[i]][key], labels[i]) for i in sorted(set(mine))]
            for key, mine in zip(keys, taken.T)}


def side(plan, runs, series, label, m):
    """{(orbit, goal, repetition, problem): (log of the count, the count, decided)}; no row without a count."""
    taken = {key: [(1.0, run, label)] for key, run in runs.get((series, label), {}).items()}
    for choice in plan.get("choices", []):
        if choice["label"] == label:
            kept = choice.setdefault("taken", {})  # by other claims
            taken = kept[series] = kept.get(series) or choose(choice, runs, series)
    found = {}
    for key, parts in taken.items():
        if all(run[m] is not None for _, run, _ in parts):
            log = sum(share * math.log(count(run, m)) for share, run, _ in parts)
            found[key] = (log, parts[0][1][m] if len(parts) == 1 else math.exp(log),
                          all(run["verdict"] != "unknown" for _, run, _ in parts))
    return found


# ---- (value, low, high, p(x)) of a statistic -----------------------------------------------------


def of_logs(logs):
    n, mean = len(logs), float(np.mean(logs))
    error = np.std(logs, ddof=1) / math.sqrt(n) if n > 1 else math.inf
    half = stats.t.ppf(0.975, n - 1) * error if n > 1 else math.inf

    def p(x):
        if error == 0:
            return float(math.log(x) == mean)
        return 2 * stats.t.sf(abs(mean - math.log(x)) / error, n - 1) if n > 1 else 1.0
    return math.exp(mean), math.exp(min(mean - half, 700)), math.exp(min(mean + half, 700)), p


def of_share(k, n):
    z, share = stats.norm.ppf(0.975), k / n
    middle = (share + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / 4 / n / n)
    return share, max(middle - half, 0.0), min(middle + half, 1.0), lambda x: 2 * stats.norm.sf(
        abs(share - x) / math.sqrt(x * (1 - x) / n))


def ratio_of_means(above, below):
    return above.mean(axis=-1) / below.mean(axis=-1)


@functools.lru_cache(maxsize=8)
def drawn_rows(n):
    return np.random.default_rng(11).integers(n, size=(SAMPLES, n))


def of_bootstrap(columns, statistic):
    """BCa, of statistic(*columns) over their last axis, its ends moved from the value by what Student's
    quantile is over the normal one; p is the level at which the interval just ends at x."""
    value, n = float(statistic(*columns)), len(columns[0])
    if n == 1:
        return value, 0.0, math.inf, lambda x: 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        draws = np.array(statistic(*(c[drawn_rows(n)] for c in columns)))
    rare = len(columns) == 2 and min(np.count_nonzero(c) for c in columns) < 2
    if rare or not np.all(np.isfinite(draws) & (draws > 0)):  # plain percentiles
        draws[np.isnan(draws)] = value

        def raw(p):
            return np.quantile(draws, p, method="inverted_cdf")
    else:
        left = np.log([statistic(*(np.delete(c, i) for c in columns)) for i in range(n)]) \
            if len(columns) == 2 else np.array([statistic(np.delete(columns[0], i)) for i in range(n)])
        away = left.mean() - left
        if not np.any(np.abs(away) > 1e-14):
            return value, value, value, lambda x: float(x == value)
        below = (np.mean(draws < value) + np.mean(draws <= value)) / 2
        bias, skew = stats.norm.ppf(below), (away ** 3).sum() / 6 / (away ** 2).sum() ** 1.5

        def raw(p):
            z = bias + stats.norm.ppf(p)
            return np.quantile(draws, stats.norm.cdf(bias + z / (1 - skew * z)))

    def end(p):  # far from 1/2 on either side; one or many
        wide = stats.t.ppf(p, n - 1) / stats.norm.ppf(p)
        with np.errstate(divide="ignore", over="ignore"):
            if len(columns) == 2:  # on the scale of logarithms
                return np.exp(np.log(value) + (np.log(raw(p)) - np.log(value)) * wide)
        return value + (raw(p) - value) * wide

    @functools.cache
    def all_ends():
        levels = np.geomspace(2 / SAMPLES, 0.999, 300)
        return levels, end(levels / 2), end(1 - levels / 2)

    def p(x):
        levels, low, high = all_ends()
        outside = (x <= low) | (x >= high)
        return float(levels[np.argmax(outside)]) if outside.any() else 1.0
    return value, end(0.025), end(0.975), p


def of_pairs(pairs, claim, unit):
    """pairs: {key: (log above, log below, count above, count below)}; (value, low, high, p, n)"""
    logs = averaged({key: a - b for key, (a, b, _, _) in pairs.items()}, unit)
    how, n = claim.get("statistic", "geometric mean"), len(logs)
    if n == 0:
        return math.nan, math.nan, math.nan, None, 0
    if how == "geometric mean":
        return (*of_logs(logs), n)
    if how == "share below":
        return (*of_share(int(np.sum(logs < math.log(claim["below"]) - TIE)), n), n)
    if how == "mean of ratios":
        ratios = averaged({key: math.exp(a - b) for key, (a, b, _, _) in pairs.items()}, unit)
        return (*of_bootstrap([ratios], lambda r: r.mean(axis=-1)), n)
    both = averaged({key: (c, d) for key, (_, _, c, d) in pairs.items()}, unit)
    return (*of_bootstrap([both[:, 0], both[:, 1]], ratio_of_means), n)


# ---- claims --------------------------------------------------------------------------------------


def place(interval, low, high):
    """reproduced, not reproduced or partly, with the p-value of what that rejects."""
    value, left, right, p, _ = interval
    inner = [x for x in (low, high) if 0 < x < math.inf]
    certain = right - left <= TIE * value
    if low * (1 + TIE) < left and right < high * (1 - TIE):
        return "reproduced", 0.0 if certain else max(p(x) for x in inner)
    if right <= low * (1 + TIE) or left >= high * (1 - TIE):
        return "not reproduced", 0.0 if certain else p(low if value <= low else high)
    return "partly", 1.0


def place_share(pairs, sides, claim, unit, low, high):
    """As place(), of what the share can be at least and at most: a count can only grow, so only that can
    change on which side a problem is."""
    least = most = 0
    units = {key[:unit] for key in pairs}
    for mine in units:
        keys = [key for key in pairs if key[:unit] == mine]
        small = np.mean([pairs[key][0] - pairs[key][1] for key in keys]) < math.log(claim["below"]) - TIE
        least += small and all(sides[0][key][2] for key in keys)
        most += small or not all(sides[1][key][2] for key in keys)
    ends = [(*of_share(k, len(units)), len(units)) for k in (least, most)]
    (first, p), (second, q) = (place(one, low, high) for one in ends)
    if first == second == "reproduced":
        return first, max(p, q)
    if ends[0][1] >= high or ends[1][2] <= low:
        return "not reproduced", max(p, q)
    return "partly", 1.0


class Censored(tuple):
    """An interval with what undecided runs can make of it: the ends in the worst case, and whether its verdict is the
    same with a factor (None: it has none)."""

    def __new__(cls, interval, worst, stays):
        made = super().__new__(cls, interval)
        made.worst, made.stays = worst, stays
        return made


def longer(pairs, keys, which, factor):
    """The pairs, the runs of one side at these keys taking so many times what they took; which: 0 above, 1 below."""
    more = {key: list(pairs[key]) for key in keys}
    for one in more.values():
        one[which] += math.log(factor)
        one[2 + which] = math.exp(one[which])
    return {**pairs, **more}


def place_between(least, most, low, high):
    """As place(), of whatever lies between two estimates."""
    if place(most, low, high)[0] == "not reproduced" and most[0] <= low:
        return place(most, low, high)
    if place(least, low, high)[0] == "not reproduced" and least[0] >= high:
        return place(least, low, high)
    if low * (1 + TIE) < least[1] and most[2] < high * (1 - TIE):
        return "reproduced", max([one[3](x) for one, x in ((least, low), (most, high)) if 0 < x < math.inf and
                                  one[2] - one[1] > TIE * one[0]], default=0.0)
    return "partly", 1.0


def censoring_differs(mine, theirs):
    """What an export says otherwise of the worst case and of where it tips; mine: the interval."""
    how = theirs["statistic"]
    if not isinstance(mine, Censored):
        return ["undecided runs"] if theirs["worst"] or theirs["tipping"] is not None else []
    ends = 1e-6 if how == "geometric mean" else 0.35
    wrong = [] if all(map(close, mine.worst, theirs["worst"], (ends, ends))) else ["the worst case"]
    tipping, slack = theirs["tipping"], 1.03 if how == "geometric mean" else 1.5
    if mine.stays is None:
        return wrong + (["where it tips"] if tipping not in (1, None) else [])
    farthest = 1e30 if how == "geometric mean" else 1e6
    right = mine.stays(farthest) if tipping is None else mine.stays(max(1, tipping / slack)) and not mine.stays(
        tipping * slack)
    return wrong if right else wrong + ["where it tips"]


def judge_counts(plan, runs, claim, series, unit):
    share = claim.get("statistic") == "share below"
    low = -math.inf if claim.get("statistic") in ("share below", "mean of ratios") and claim["low"] == 0 else claim["low"]
    high = math.inf if claim["high"] is None else claim["high"]
    above, below = (side(plan, runs, series, claim[name], claim["measure"]) for name in ("subject", "base"))
    shared = {key: (above[key][0], below[key][0], above[key][1], below[key][1]) for key in above
              if key in below}
    pairs = {key: x for key, x in shared.items() if above[key][2] or below[key][2]}
    full = of_pairs(pairs, claim, unit)
    if not pairs:
        return full, "no data", 1.0
    verdict, p = place(full, low, high)
    grow, shrink = ([key for key in pairs if not one[key][2]] for one in (above, below))
    if share:
        verdict, p = place_share(shared, (above, below), claim, unit, low, high)
    elif grow or shrink:
        def ends(factor):
            return [of_pairs(longer(pairs, keys, which, factor), claim, unit) if keys else full
                    for which, keys in ((1, shrink), (0, grow))]

        @functools.cache
        def stays(factor, first=verdict):
            return place_between(*ends(factor), low, high)[0] == first
        worst = ends(LONGER)
        full = Censored(full, (worst[0][1], worst[1][2]), stays if verdict != "partly" else None)
        far, p = place_between(*worst, low, high)
        verdict = verdict if far == verdict else "partly"
    few = claim.get("statistic") in ("ratio of means", "mean of ratios") and full[4] < FEWEST
    verdict = verdict if 2 * len(pairs) > len(shared) and not few else "partly"
    return full, verdict, p if verdict != "partly" else 1.0


def judge_errors(runs, curves, claim, series, unit):
    horizon = claim["horizon"] or max(2.0, max(run["iterations_normalised"] for (s, _), mine in runs.items()
                                               if s == series for run in mine.values()))
    grid = np.exp(np.linspace(0, math.log(horizon), 240))

    def of(run):
        at, error = curves[run["key"]][:, 0] / run["iteration_divisor"], curves[run["key"]][:, 1]
        if claim["measure"] == "error_area":
            steps = np.diff(np.log(np.append(at, horizon).clip(1, horizon)))
            return (error * steps).sum() / math.log(horizon)
        if claim["measure"] == "error_rise":
            return np.diff(error).clip(0).sum()
        return np.array([error[at <= x][-1] if at[0] <= x else error[0] for x in grid])

    above, below = (averaged({key: of(run) for key, run in runs[series, claim[name]].items()
                              if run["key"] in curves}, unit) for name in ("subject", "base"))
    if claim["measure"] != "error_rise_of_mean":
        found = of_bootstrap([above, below], ratio_of_means)
    else:
        def rise(rows):
            return np.diff(rows.mean(axis=0)).clip(0).sum()
        left, right = (np.array([rise(np.delete(one, i, 0)) for i in range(len(one))])
                       for one in (above, below))
        value = np.divide(rise(above), rise(below))
        found = value, 0.0, math.inf, lambda x: 1.0
        if 0 < value < math.inf and left.all() and right.all():
            logs = np.log(left / right)
            found = of_logs(math.log(value) + (len(above) - 1) * (logs.mean() - logs))
    found = (*found, len(above))
    verdict, p = place(found, claim["low"], math.inf if claim["high"] is None else claim["high"])
    if claim["measure"] != "error_rise_of_mean" and len(above) < FEWEST:
        verdict, p = "partly", 1.0
    return found, verdict, p


# ---- what to use ---------------------------------------------------------------------------------


def use(plan, runs, series, time):
    """(label, cases solved, geometric mean of the time, labels that are not told apart from it, labels that were stopped
    on a case that it solves before the CPU time that it took)"""
    chosen = {choice["label"] for choice in plan["choices"]}
    of = {label: mine for (s, label), mine in runs.items() if s == series and label not in chosen}
    every = set.intersection(*map(set, of.values()))
    solved = {label: sum(mine[key]["verdict"] != "unknown" for key in every) for label, mine in of.items()}
    best = [label for label in solved if solved[label] == max(solved.values())]
    every = {key for key in every if any(of[label][key]["verdict"] != "unknown" for label in best)}
    unit = unit_of(of)
    logs = {label: {key: math.log(count(of[label][key], time)) for key in every} for label in best}
    first = min(best, key=lambda label: np.mean(averaged(logs[label], unit)))
    rivals = set()
    for label in set(best) - {first}:
        known = [key for key in every if {of[label][key]["verdict"], of[first][key]["verdict"]} != {"unknown"}]
        x = averaged({key: logs[label][key] - logs[first][key] for key in known}, unit)
        far = len(x) > 1 and x.mean() > stats.t.ppf(0.975, len(x) - 1) * x.std(ddof=1) / math.sqrt(len(x))
        if not far or any(of[first][key]["verdict"] == "unknown" for key in known):
            rivals.add(label)
    short = {label for label in of for key in set(of[label]) & set(of[first])
             if of[label][key]["verdict"] == "unknown" != of[first][key]["verdict"]
             and of[label][key]["cpu_seconds"] < min(of[first][key]["cpu_seconds"],
                                                     of[first][key].get("max_cpu_seconds") or math.inf)}
    return first, solved[first], math.exp(np.mean(averaged(logs[first], unit))), rivals, short


# ---- the table of a page that compares algorithms ------------------------------------------------


class Tables(html.parser.HTMLParser):
    """The tables of a page: [(caption, [[text of a cell]])]; a line break in a cell is a line break."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.inside = [], ""
        self.feed("".join(re.findall(r"<table\b.*?</table>", page, re.DOTALL)))  # pictures are most of it

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append(["", []])
        elif tag == "tr" and self.tables:
            self.tables[-1][1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][1][-1].append("")
        elif tag == "br" and self.inside in ("th", "td"):
            self.tables[-1][1][-1][-1] += "\n"
        self.inside = tag if tag in ("caption", "th", "td") else self.inside

    def handle_endtag(self, tag):
        self.inside = "" if tag == self.inside else self.inside

    def handle_data(self, data):
        if self.inside == "caption":
            self.tables[-1][0] += data
        elif self.inside:
            self.tables[-1][1][-1][-1] += data


def number(text):
    """Of "1,234", "1.23k", "1.2 ms", "0.5×", "38.2 %"; what is no number is none."""
    found = re.fullmatch(r"([\d,.e+-]+)\s*(\S*)", text)
    if not found:
        return math.nan
    digits, unit = found.groups()
    return float(digits.replace(",", "")) * {"": 1, "×": 1, "%": 0.01, "k": 1e3, "M": 1e6, "G": 1e9, "µs": 1e-6,
                                             "ms": 1e-3, "s": 1}[unit]


def shown(cell, mark, value, low, high, drawn=0.0051):
    """Whether a cell says that, with its three digits; ends a millionfold off may be 0 and infinity. drawn: how
    far the ends may be off."""
    lines = cell.split("\n")
    ends = lines[1].split(" – ") if len(lines) > 1 else []
    if low == 0 and high > 1e300:  # of one unit
        return lines[0].startswith(mark) and not ends and close(number(lines[0][len(mark):]), value, 0.0051)
    if not lines[0].startswith(mark) or len(ends) != 2:
        return False
    low, high = 0 if ends[0] == "0" and low < value / 1e6 else low, high
    high = math.inf if ends[1] == "∞" and high > value * 1e6 else high
    texts = (lines[0][len(mark):], value, 0.0051), (ends[0], low, drawn), (ends[1], high, drawn)
    return all(text == "∞" if x == math.inf else close(number(text), x, off) for text, x, off in texts)


MOST_ROWS = 60  # algorithms of one table
COLUMNS = {"Evaluations": "evaluations", "Nodes expanded": "nodes_expanded", "CPU time": "cpu_seconds",
           "Time on a simulated device": "seconds"}


def pairs_of(mine, base):
    """(the keys whose runs are not both undecided, what undecided runs make of a ratio: a bound or neither)"""
    known = [key for key in mine if key in base and {mine[key]["verdict"], base[key]["verdict"]} != {"unknown"}]
    mark = "".join(sign for sign, of in (("≥ ", mine), ("≤ ", base))
                   if any(of[key]["verdict"] == "unknown" for key in known))
    return known, mark if len(mark) < 4 else "~ "


def rows_of(runs, series, reference, heads):
    """{label: [what each column has to say]} of a table with these heads."""
    for label in (label for s, label in runs if s == series):
        mine, base = runs[series, label], runs.get((series, reference), {})
        unit = unit_of(of_series(runs, series))
        said, m = [f"{sum(run['verdict'] != 'unknown' for run in mine.values())} of {len(mine)}"], None
        for head in heads[2:]:
            m = COLUMNS.get(head.split(",\n")[0], m)
            if not any(run[m] for run in mine.values()):
                said.append("0")
                continue
            if head != "over the\nreference":
                said.append(("", *of_logs(averaged({
                    key: math.log(count(run, m)) for key, run in mine.items()}, unit))[:3]))
                continue
            known, mark = pairs_of(mine, base)
            if label == reference or not known:
                said.append("-")
                continue
            said.append((mark, *of_logs(averaged({
                key: math.log(count(mine[key], m) / count(base[key], m)) for key in known}, unit))[:3]))
        yield label, said


def with_choices(plan, runs, series):
    """The runs, and what each choice takes on a series as if it were an algorithm."""
    found = dict(runs)
    for choice in plan["choices"]:
        if series in choice["series"]:
            taken = {m: side(plan, runs, series, choice["label"], m) for m in COLUMNS.values()}
            found[series, choice["label"]] = {key: {
                "verdict": "decided" if decided else "unknown", "iteration_divisor": 1,
                **{m: taken[m][key][1] for m in taken if key in taken[m]}}
                for key, (_, _, decided) in taken["nodes_expanded"].items()}
    return found


@functools.lru_cache(maxsize=64)
def rows_found(path, series, heads):
    """rows_of() a series of a store, as far as a table has them."""
    plan, runs, _ = load(path)
    runs, reference = with_choices(plan, runs, series), reference_of(plan, series)
    listed = foremost(runs, series, reference)
    return {label: said for label, said in rows_of(runs, series, reference, heads) if label in listed}


def foremost(runs, series, reference):
    """At most MOST_ROWS: the reference, and those that solved most, with the fewest nodes."""
    ranks = {label: (label != reference, -sum(run["verdict"] != "unknown" for run in mine.values()),
                     np.mean([math.log(count(run, "nodes_expanded")) for run in mine.values()]))
             for label, mine in of_series(runs, series).items()}
    return sorted(ranks, key=ranks.get)[:MOST_ROWS]


def reference_of(plan, series):
    """What the others are compared with on a series; older plans have one for all."""
    own = [one.get("reference") for one in plan["series"] if one["name"] == series]
    return own[0] or plan["report"]["reference"]


def page_differences(path, page):
    """What the tables of algorithms on a page of kind compare say otherwise; empty: nothing."""
    plan, _, _ = load(path)
    tables = [rows for caption, rows in Tables(page).tables if caption.startswith("Means count undecided")]
    wrong = [] if len(tables) == len(plan["series"]) else ["the number of series"]
    for series, rows in zip(plan["series"], tables):
        expected = rows_found(path, series["name"], tuple(rows[0]))
        wrong += [f"algorithms on {series['name']}"] if [row[0] for row in rows[1:]] != list(expected) else []
        for label, *cells in rows[1:]:
            for head, cell, mine in zip(rows[0][1:], cells, expected.get(label, ())):
                if cell != mine if isinstance(mine, str) else not shown(cell, *mine):
                    wrong.append(f"{label} on {series['name']}, {' '.join(head.split())}: {cell!r}, not {mine}")
    return wrong


# ---- the tables of curves against R of DeepPN, over R = 1 ------------------------------------------


def swept(mine, base, unit):
    """What a row says of a search and one with R = 1: text, number, or mark, interval and how far its ends may be off."""
    known, mark = pairs_of(mine, base)
    for m in ("iterations", "nodes_created"):
        pairs = {key: tuple(f(count(run, m)) for f in (math.log, float) for run in (mine[key], base[key]))
                 for key in known}
        yield float(averaged({key: float(run[m]) for key, run in mine.items()}, unit).mean())
        for how in ("geometric mean", "ratio of means", "mean of ratios"):
            value, low, high, *_ = of_pairs(pairs, {"statistic": how}, unit)
            tail = 0.03 * math.log(high / low) if 0 < low < high < math.inf else 0  # drawn ends spread with it
            yield (mark, value, low, high, 0.0051 if how == "geometric mean" else 0.1 + tail) if pairs else "-"
        used = [[math.inf if of[key]["verdict"] == "unknown" else of[key][m] for of in (mine, base)] for key in known]
        yield f"{sum(a < b for a, b in used)} / {sum(a > b for a, b in used)}"
    yield str(sum(run["verdict"] == "unknown" for run in mine.values()))


@functools.lru_cache(maxsize=2)
def sweep_of(path, series):
    """({(norm, R), of a search without R (label, None): runs}, {norm: those with R = 1})"""
    of, bases = {}, {}
    for label, mine in of_series(load(path)[1], series).items():
        given = json.loads(next(iter(mine.values()))["parameters"])
        of[(given["norm"], float(given["R"])) if "R" in given else (label, None)] = mine
        if float(given.get("R", 0)) == 1:
            bases[given["norm"]] = mine
    return of, bases


@functools.cache
def row_found(path, series, norm, first):
    """[what each column has to say] of the row that begins so in the table of a norm, or of a search without R."""
    of, bases = sweep_of(path, series)
    return list(swept(of[norm, None if first == "-" else float(first)], bases.get(norm, next(iter(bases.values()))),
                      unit_of(bases)))


def sweep_differences(path, page):
    """What the tables of curves over R = 1 say otherwise; empty: nothing."""
    plan, runs, _ = load(path)
    wrong, rows_seen = [], 0
    for caption, (heads, *rows) in (table for table in Tables(page).tables if table[1]):
        if heads[1:2] != ["iterations,\nmean"]:
            continue
        series, name = next((one["name"], caption[len(one["title"]) + 2:]) for one in plan["series"]
                            if caption.startswith(one["title"] + ": "))
        for first, *cells in rows:
            rows_seen += 1
            expected = row_found(path, series, name.rpartition(" over ")[0], first)
            for head, cell, mine in zip(heads[1:], cells, expected, strict=True):
                right = cell == mine if isinstance(mine, str) else shown(cell, *mine) if isinstance(mine, tuple) else \
                    close(number(cell), mine, 0.0051)
                if not right:
                    wrong.append(f"{first} ({name}) on {series}, {' '.join(head.split())}: {cell!r}, not {mine}")
    return wrong if rows_seen == len(runs) else [*wrong, f"{rows_seen} rows, not {len(runs)}"]


# ---- comparison ----------------------------------------------------------------------------------


def close(a, b, tolerance):
    a, b = (math.inf if x is None or not abs(x) <= 1e300 else x for x in (a, b))
    return a == b or abs(a - b) <= tolerance * min(max(abs(a), abs(b)), 1e300) + 1e-12


def compare(claim, series, mine, theirs):
    """What differs of one judgement. mine: ((value, low, high, p(x), n), verdict, p)"""
    (value, low, high, _, n), verdict, p = mine
    how = claim.get("statistic", "ratio of means" if claim["measure"][:6] == "error_" else "geometric mean")
    exact = how in ("geometric mean", "share below") or claim["measure"] == "error_rise_of_mean"
    if (claim["id"], series, n) != (theirs["id"], theirs["series"], theirs["n"]):
        yield "another claim, or n"
    ends = (low, theirs["low"]), (high, theirs["high"])
    if n and not (close(value, theirs["value"], 1e-7) and all(close(a, b, 1e-7 if exact else 0.1) for a, b in ends)):
        yield f"{value, low, high}, not {theirs['value'], theirs['low'], theirs['high']}"
    # A bootstrap interval that ends at a bound may end on either side of it.
    edge = not exact and any(close(end, x, 0.05) for end in (low, high) for x in (claim["low"], claim["high"]) if x)
    if verdict != theirs["verdict"] and not edge:
        yield f"{verdict}, not {theirs['verdict']}"
    if abs(p - theirs["p"]) > (1e-7 if exact else 0.03) and not edge:
        yield f"p = {p}, not {theirs['p']}"


def holm(judged):
    """From the least p on, while p (m - rank) stays at 5 %: what should stand and does not, or the other way round."""
    family = sorted((j for j in judged if j["verdict"] != "no data"), key=lambda j: j["p"])
    going = True
    for rank, j in enumerate(family):
        going = going and j["p"] * (len(family) - rank) <= 0.05
        if j["stands"] != (going and j["verdict"] in ("reproduced", "not reproduced")):
            yield f"{j['id']} on {j['series']}: Holm"


@functools.lru_cache(maxsize=2)
def all_judged(path):
    """[(claim, series, its judgement, what is older)] of a store; the exports held against it are many."""
    plan, runs, curves = load(path)
    found = []
    for claim in plan["claims"]:
        for series in claim["series"]:
            unit = unit_of(of_series(runs, series))
            mine = judge_errors(runs, curves, claim, series, unit) if claim["measure"][:6] == "error_" \
                else judge_counts(plan, runs, claim, series, unit)
            found.append((claim, series, mine, earlier(plan, runs, claim, series)))
    return found


@functools.lru_cache(maxsize=64)
def chosen_by(path, label, series):
    """(settings, geometric mean) of a choice."""
    plan, runs, _ = load(path)
    choice = next(c for c in plan["choices"] if c["label"] == label)
    most = [max(parts, key=lambda part: part[0])[2] for parts in choose(choice, runs, series).values()]
    logs = averaged({key: log for key, (log, _, _) in side(plan, runs, series, label, choice["measure"]).items()}, 1)
    return sorted(most), math.exp(np.mean(logs))


@functools.lru_cache(maxsize=64)
def to_use(path, series, measure):
    plan, runs, _ = load(path)
    return use(plan, runs, series, measure)


def differences(path, exported):
    """What of one experiment's export is not found again; empty: nothing."""
    wrong, tested = list(holm(exported["judgements"])), iter(exported["judgements"])
    for claim, series, mine, older in all_judged(path):
        wrong += [f"{claim['id']} on {series}: {what}"
                  for theirs in [next(tested)]
                  for what in [*compare(claim, series, mine, theirs), *censoring_differs(mine[0], theirs),
                               *(["written when"] if older != (theirs["earlier"], theirs["runs"]) else [])]]
    for theirs in exported["choices"]:
        settings, mean = chosen_by(path, theirs["label"], theirs["series"])
        if settings != sorted(theirs["settings"]) or not close(mean, theirs["geometric_mean"], 1e-7):
            wrong.append(f"choice {theirs['label']} on {theirs['series']}")
    for theirs in exported["use"]:
        label, solved, mean, *sets = to_use(path, theirs["series"], theirs["measure"])
        said = [theirs["label"], theirs["solved"], set(theirs["rivals"]), set(theirs["short"])]
        if said != [label, solved, *sets] or not close(mean, theirs["geometric_mean"], 1e-7):
            wrong.append(f"what to use on {theirs['series']}")
    return wrong


def main(store, exported):
    with open(exported, encoding="utf-8") as file:
        experiment, = json.load(file)["experiments"]
    wrong = differences(store, experiment)
    print("\n".join(wrong) or f"{store}: {len(experiment['judgements'])} judgements and "
          f"{len(experiment['choices'])} choices found again")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
