"""Every verdict of a result store a third time, in little: the rules of bench/plans/README.md by scipy's own intervals,
with nothing of the report or of recompute.py. `arbiter.py STORE CLAIMS` prints what CLAIMS, of `playproof report STORE
--format claims`, judges otherwise. Samples and splits are drawn otherwise here: a verdict by such an interval may
differ where it ends within a twentieth of a bound.
"""

import functools
import json
import lzma
import math
import re
import sqlite3
import struct
import sys
from collections import defaultdict

import numpy as np
from scipy import stats

SAMPLES, SPLITS, LONGER, TIE, EDGE = 2000, 200, 1000, 1e-12, 0.05
DRAWN = "ratio of means", "mean of ratios"


def seen(game, position):
    """The least of the boards that a position's is, seen from all sides which its rules do not tell apart."""
    name, _, rest = game.partition(":")
    options = dict(one.split("=") for one in rest.split(",") if one)
    board = np.full([int(options.get(side, options.get("size", 8))) for side in ("rows", "columns")], "-")
    words, more = position.split(), 0
    if name == "othello":
        board.flat, more = list(words[0]), words[1]
    elif name == "hex":
        for word in words:
            if word[0] != ":" and word != "--":
                board[int(word[1:]) - 1, ord(word[0]) - 97] = "BW"[more]
            more = {":B": 0, ":W": 1}.get(word, 1 - more)
    elif name == "connect6":
        for number, word in enumerate(re.findall("[A-Z]{2}", position)):  # a record has them in brackets
            board[ord(word[1]) - 65, ord(word[0]) - 65] = "BW"[math.ceil(number / int(options.get("stones", 2))) % 2]
    else:
        return game, position
    ways = [board, board[::-1, ::-1]] + ([] if name == "hex" else [board[::-1], board[:, ::-1]])
    ways += [way.T for way in ways if name != "hex" and way.T.shape == way.shape]
    return game, more, min("".join(way.ravel()) for way in ways)


def load(path):
    """(plan, {series: {label: {(orbit, goal, repetition, problem): run}}}, {key: curve})"""
    store = sqlite3.connect(":memory:")
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        store.deserialize(file.read())
    store.row_factory = sqlite3.Row
    mark, plan = store.execute("SELECT hash, json FROM plan ORDER BY last_used DESC LIMIT 1").fetchone()
    runs = [dict(row) for row in store.execute(
        "SELECT run.* FROM run JOIN plan_run USING (key) WHERE plan_hash = ? ORDER BY ordinal", (mark,))]
    curves = {key: np.array([*struct.iter_unpack("<qd", x)]).T for key, x in store.execute("SELECT * FROM curve")}
    device = {series: {run["device"] for run in runs if run["playouts"] and run["series"] == series} == {"simulated"}
              for series in {run["series"] for run in runs}}
    orbits, found = {}, defaultdict(lambda: defaultdict(dict))
    for run in runs:
        run["decided"] = run["verdict"] != "unknown"
        run["seconds"] = run["cpu_seconds"] if device[run["series"]] and not run["playouts"] else run["seconds"]
        orbit = orbits.setdefault((run["series"], seen(run["game"], run["position"])), len(orbits))
        found[run["series"]][run["algorithm"]][orbit, run["goal"], run["repetition"], run["problem"]] = run
    return json.loads(plan), found, curves


def log(run, measure):
    """Of a count, a 0 being half of the least that there can be; NaN where the row lacks it."""
    least = {"iterations_normalised": 1 / run["iteration_divisor"], "seconds": 1e-6, "cpu_seconds": 1e-6}
    return math.nan if run[measure] is None else math.log(run[measure] or least.get(measure, 1) / 2)


def climb(cost, place=(2, 2), flat=0):
    """Where Algorithm 1 of the thesis ends; cost: {(E, D): count of a decided run}"""
    def better(at):
        return min((cost.get(one, math.inf), one[1], one) for one in ((at[0] + 1, at[1]), (at[0], at[1] + 1)))
    here, (least, _, there) = cost.get(place, math.inf), better(place)
    if flat == 4 or least == math.inf or least > here and better(there)[0] > least:
        return place
    return climb(cost, there, flat + 1 if least == here else 0)


def chosen(choice, of):
    """{key: {label: share}}: which settings a choice takes."""
    labels, how = [label for label in choice["labels"] if label in of], choice["how"]
    keys = list(of[labels[0]])
    cost = np.array([[log(of[label][key], choice["measure"]) for label in labels] for key in keys])
    at = np.unique([key[0] for key in keys], return_inverse=True)[1]  # orbits are numbered in the plan's order
    if how == "hill climbing":
        place = {label: tuple(int(re.search(rf"[:,]{name}=(\d+)", of[label][keys[0]]["spec"])[1]) for name in "ED")
                 for label in labels}
        ends = [climb({place[label]: x for label, x in zip(labels, row) if of[label][key]["decided"]})
                for key, row in zip(keys, cost)]
        return {key: {next(label for label in labels if place[label] == end): 1} for key, end in zip(keys, ends)}

    def least(mask):
        return labels[np.mean(cost[mask if mask.any() else ~mask], axis=0).argmin()]
    if how == "best":
        return {key: {labels[row.argmin()]: 1} for key, row in zip(keys, cost)}
    if how == "leave one out":
        return {key: {least(at != mine): 1} for key, mine in zip(keys, at)}
    draw, found, number = np.random.default_rng(7), {key: defaultdict(float) for key in keys}, at.max() + 1
    halves = [np.arange(number) % 2 == 1] if how == "tuned" else [
        draw.permutation(number) < number // 2 for _ in range(SPLITS)]
    for half in halves:
        by = least(half[at]), least(~half[at])  # what each half's problems say to the other
        for key, mine in zip(keys, half[at]):
            found[key][by[int(mine)]] += 1 / len(halves)
    return found


def side(plan, of, label, measure):
    """{key: (log of the count, whether it was decided)}"""
    parts = {key: {label: 1} for key in of.get(label, ())}
    for choice in plan.get("choices", []):
        parts = chosen(choice, of) if choice["label"] == label else parts
    return {key: (sum(share * log(of[name][key], measure) for name, share in some.items()),
                  all(of[name][key]["decided"] for name in some)) for key, some in parts.items()}


def of_logs(logs):
    """(low, high), as logarithms, as all intervals here."""
    if len(logs) == 1 or not np.ptp(logs):
        return (-math.inf, math.inf) if len(logs) == 1 else (logs[0], logs[0])
    return stats.t.interval(0.95, len(logs) - 1, np.mean(logs), stats.sem(logs))


def of_means(above, below, widened_as_log):
    """Of the ratio of two means, by scipy's BCa, its ends moved away by Student's quantile over the normal one."""
    def statistic(a, b, axis=-1):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = a.mean(axis=axis) / b.mean(axis=axis)
            return np.log(ratio) if widened_as_log else ratio
    if len(above) == 1 or not above.any() or not below.any():
        return -math.inf, math.inf
    if below.all() and not np.ptp(above / below):
        return (math.log(above[0] / below[0]),) * 2
    rare, value = min(map(np.count_nonzero, (above, below))) < 2, statistic(above, below)
    made = stats.bootstrap((above, below), statistic, paired=True, n_resamples=SAMPLES, random_state=3, vectorized=True,
                           method="percentile" if rare else "BCa")
    ends, draws = made.confidence_interval, made.bootstrap_distribution
    if rare or not np.isfinite(draws).all():
        ends = np.sort(np.where(np.isnan(draws), value, draws))[[SAMPLES // 40, -SAMPLES // 40]]
    wider = stats.t.ppf(0.975, len(above) - 1) / stats.norm.ppf(0.975)
    ends = [value + (end - value) * wider for end in ends]
    return ends if widened_as_log else [math.log(end) if end > 0 else -math.inf for end in ends]


def units(values, unit):
    """The averages over what is one problem: a row each."""
    groups = defaultdict(list)
    for key, value in values.items():
        groups[key[:unit]].append(value)
    return np.array([np.mean(groups[key], axis=0) for key in sorted(groups)])


def estimate(how, pairs, unit):
    """(low, high) of a statistic; pairs: {key: (log above, log below)}"""
    if how == "geometric mean":
        return of_logs(units({key: a - b for key, (a, b) in pairs.items()}, unit))
    if how == "mean of ratios":
        ratios = units({key: math.exp(a - b) for key, (a, b) in pairs.items()}, unit)
        return of_means(ratios, np.ones(len(ratios)), False)
    counts = {key: [math.exp(x) * (x > -0.5) for x in pair] for key, pair in pairs.items()}
    return of_means(*units(counts, unit).T, True)


def where(least, most, claim):
    """What two intervals, between which all that there can be lies, say of a claim."""
    low = math.log(claim["low"]) if claim["low"] else None
    high = math.log(claim["high"]) if claim["high"] is not None else math.inf
    if (low is None or low + TIE < least[0]) and most[1] < high - TIE:
        return "reproduced"
    return "not reproduced" if least[0] >= high - TIE or low is not None and most[1] <= low + TIE else "partly"


def of_counts(plan, of, claim, unit):
    """(verdict, [least and most interval])"""
    how, verdicts = claim.get("statistic", "geometric mean"), set()
    above, below = (side(plan, of, claim[name], claim["measure"]) for name in ("subject", "base"))
    both = {key: (*above[key], *below[key]) for key in above if key in below}
    both = {key: pair for key, pair in both.items() if not math.isnan(pair[0] + pair[2])}
    pairs = {key: pair for key, pair in both.items() if pair[1] or pair[3]}
    if how == "share below" and pairs:
        small = units({key: a - b for key, (a, _, b, _) in both.items()}, unit) < math.log(claim["below"]) - TIE
        grows, shrinks = (units({key: not pair[at] for key, pair in both.items()}, unit) > 0 for at in (1, 3))
        ends = [[math.log(x) if x else -math.inf for x in stats.binomtest(int(sum(one)), len(small)).proportion_ci(
            method="wilson")] for one in (small & ~grows, small | shrinks)]
        verdicts = {where(*ends, claim)}
    elif pairs:
        for longer in (0, math.log(LONGER)):  # undecided runs, those of the base and those of the subject
            ends = [estimate(how, {key: (a + longer * up * (not done), b + longer * (not up) * (not too))
                                   for key, (a, done, b, too) in pairs.items()}, unit) for up in (False, True)]
            verdicts.add(where(*ends, claim))
    few = how in DRAWN and len({key[:unit] for key in pairs}) < 8
    settled = len(verdicts) == 1 and not few and 2 * len(pairs) > len(both)
    return (verdicts.pop() if settled else "partly", ends) if pairs else ("no data", [])


def of_errors(of, curves, claim, unit):
    """The same of the errors of moves of the moment."""
    end = claim["horizon"] or max(2, *(run["iterations_normalised"] for mine in of.values() for run in mine.values()))

    def rises(errors):
        return np.diff(errors).clip(0).sum(axis=-1)

    def value(run):
        at, errors = curves[run["key"]][0] / run["iteration_divisor"], curves[run["key"]][1]
        if claim["measure"] == "error_area":
            return errors @ np.diff(np.log(np.append(at, end).clip(1, end))) / math.log(end)
        grid = np.searchsorted(at, np.geomspace(1, end, 240) * (1 + 1e-15), side="right") - 1
        return rises(errors) if claim["measure"] == "error_rise" else errors[grid.clip(0)]
    above, below = (units({key: value(run) for key, run in of[claim[name]].items()}, unit)
                    for name in ("subject", "base"))
    if claim["measure"] != "error_rise_of_mean":
        found = of_means(above, below, True)
        return "partly" if len(above) < 8 else where(found, found, claim), [found]
    whole = math.log(rises(above.sum(axis=0)) / rises(below.sum(axis=0)))
    with np.errstate(divide="ignore", invalid="ignore"):  # without one curve there may be no rise: an end is NaN
        left = np.log(rises(above.sum(axis=0) - above) / rises(below.sum(axis=0) - below))
        found = of_logs(whole + (len(left) - 1) * (left.mean() - left))
    return where(found, found, claim), [found]


@functools.lru_cache(maxsize=2)
def all_judged(path):
    """[(claim, series, verdict, whether it hangs on chance and is near, ends)] of a store."""
    plan, found, curves = load(path)
    judged = []
    split = {choice["label"] for choice in plan.get("choices", []) if choice["how"] == "repeated splits"}
    for claim, series in ((claim, series) for claim in plan["claims"] for series in claim["series"]):
        of, errors = found[series], claim["measure"][:6] == "error_"
        unit = 2 if len({key[:2] for mine in of.values() for key in mine}) > 1 else 3
        verdict, ends = of_errors(of, curves, claim, unit) if errors else of_counts(plan, of, claim, unit)
        chance = errors or claim.get("statistic") in DRAWN or split & {claim["subject"], claim["base"]}
        near = chance and any(abs(end - math.log(bound)) < EDGE for one in ends for end in one
                              for bound in (claim["low"], claim["high"]) if bound)
        judged.append((claim, series, verdict, near, ends))
    return judged


def differences(path, exported):
    """What of one experiment's export is judged otherwise here; empty: nothing."""
    theirs, wrong = {(one["id"], one["series"]): one["verdict"] for one in exported["judgements"]}, []
    for claim, series, verdict, near, ends in all_judged(path):
        other = theirs.pop((claim["id"], series), "")
        wrong += [] if verdict == other or near else [f"{claim['id']} on {series}: {verdict}, not {other}; {ends}"]
    return wrong + [f"{one} on {series}: not in the plan" for one, series in theirs]


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as exported_claims:
        otherwise = differences(sys.argv[1], *json.load(exported_claims)["experiments"])
    print("\n".join(otherwise) or "judged the same")
    sys.exit(bool(otherwise))
