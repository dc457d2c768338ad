"""Verdicts against known results, and against each other: agreement, contradiction, undecided."""

from . import page, pairing, probes, style
from .statistics import wilson

AGREE, UNCHECKED, UNKNOWN, CONTRADICT = "#009e73", "#8ecae6", "#c9c9c4", "#d55e00"


def contradicting(runs):
    """Which runs contradict the known result, a truth value each."""
    return (runs["verdict"] != "unknown") & runs["expected"].notna() & (runs["verdict"] != runs["expected"])


def tally(runs):
    """(agree, unknown, contradict, decided without a known result)."""
    decided = runs["decided"]
    known = runs["expected"].notna()
    right = decided & known & (runs["verdict"] == runs["expected"])
    wrong = contradicting(runs)
    return int(right.sum()), int((~decided).sum()), int(wrong.sum()), int((decided & ~known).sum())


POSITION = ["series", "problem", "game", "position"]
QUESTION = [*POSITION, "goal"]  # of which there is one answer
MOST_NAMED = 3  # questions


def least(goal):
    """The value that reaches a goal; who reaches it reaches every lower one."""
    return {"win": 1, "draw": 0}[goal] if goal in ("win", "draw") else int(goal.removeprefix("score>="))


def across_goals(decided):
    """Sentences on the positions of which a goal is proved and a lower one disproved."""
    answers = decided.drop_duplicates([*QUESTION, "verdict"])
    answers = answers.assign(least=answers["goal"].map(least))
    texts = []
    for (series, problem, _, _), mine in answers.groupby(POSITION, sort=False):
        proved, disproved = (mine[mine["verdict"] == verdict] for verdict in ("proved", "disproved"))
        if proved.empty or disproved.empty or set(proved["goal"]) & set(disproved["goal"]):
            continue
        high, low = proved.loc[proved["least"].idxmax()], disproved.loc[disproved["least"].idxmin()]
        if high["least"] > low["least"]:
            texts.append(f"Contradictory verdicts on {series}, {problem}: {high['goal']} proved by "
                         f"{high['algorithm']}, {low['goal']} disproved by {low['algorithm']}. One of them "
                         "is wrong.")
    return texts


def disagreements(runs):
    """Sentences on the runs that contradict the known result; `runs`: without those of choices."""
    wrong = runs[contradicting(runs)]
    texts = [f"Disagreement on {run.series}, {run.problem}, {run.goal}: {run.verdict} by {run.algorithm}, known "
             f"is {run.expected}. One of them is wrong." for run in wrong.head(MOST_NAMED).itertuples()]
    more = len(wrong) - MOST_NAMED
    return texts + ([f"{more:,} more runs contradict the known result."] if more > 0 else [])


def contradictions(runs):
    """Sentences on the questions that were answered in two ways, whatever is known of them. Repetitions
    ask the same; `runs`: without those of choices."""
    decided = runs[runs["verdict"] != "unknown"]
    texts = []
    for (series, problem, _, _, goal), mine in decided.groupby(QUESTION, sort=False):
        if mine["verdict"].nunique() < 2:
            continue
        sides = ", ".join(f"{verdict} by {probes.names(list(dict.fromkeys(of['algorithm'])))}"
                          for verdict, of in mine.groupby("verdict", sort=False))
        texts.append(f"Contradictory verdicts on {series}, {problem}, {goal}: {sides}. One of them is "
                     "wrong.")
    texts += across_goals(decided)
    more = len(texts) - MOST_NAMED
    return texts[:MOST_NAMED] + ([f"Contradictory verdicts on {more:,} more of the questions."]
                                 if more > 0 else [])


def figure(experiment, table):
    """A picture a series, a bar an algorithm."""
    series = [s for s in experiment.series() if (table["series"] == s["name"]).any()]
    labels = list(dict.fromkeys(table["algorithm"]))
    axes = style.new_panels(len(series), 2.8, 0.27 * len(labels) + 0.9)
    for axis, one in zip(axes, series):
        runs = table[table["series"] == one["name"]]
        for y, name in enumerate(labels):
            mine = runs[runs["algorithm"] == name]
            if mine.empty:
                continue
            right, unknown, wrong, unchecked = tally(mine)
            left = 0.0
            for count, colour in ((right, AGREE), (unchecked, UNCHECKED), (unknown, UNKNOWN),
                                  (wrong, CONTRADICT)):
                if count == 0:
                    continue
                axis.barh(y, count / len(mine), left=left, color=colour, height=0.72, linewidth=0)
                left += count / len(mine)
            words = [f"{right} of {len(mine)}"] + [
                f"{count} {word}" for count, word in ((unchecked, "unchecked"), (unknown, "?"),
                                                      (wrong, "WRONG")) if count]
            axis.annotate(", ".join(words), (0.02, y), va="center", fontsize=7.5, color="black",
                          fontweight="bold")
        axis.set_yticks(range(len(labels)), labels)
        axis.set_ylim(len(labels) - 0.45, -0.55)
        axis.set_xlim(0, 1)
        axis.set_xticks([])
        axis.grid(False)
        axis.tick_params(axis="y", length=0)
        for spine in axis.spines.values():
            spine.set_visible(False)
        axis.set_title(one["name"])
    return style.svgs(axes, "agreement with known results",
                      "How many runs of each algorithm agree with the known result, contradict it, are "
                      "undecided or have no known result to check them by")


def _rows(experiment, table, any_unchecked):
    rows = []
    for one in experiment.series():
        for goal in one["goals"]:
            for name in experiment.algorithms(one["name"]):
                runs = pairing.of(table, one["name"], name)
                runs = runs[runs["goal"] == goal]
                if runs.empty:
                    continue
                right, unknown, wrong, unchecked = tally(runs)
                share = wilson(unknown, len(runs))
                rows.append([
                    one["name"], goal, name, len(runs), right, wrong,
                    *([unchecked] if any_unchecked else []), unknown,
                    f"{share.low:.0%} – {share.high:.0%}",
                    style.short_number(float(runs["nodes_created"].median())),
                    style.short_number(float(runs["nodes_created"].max())),
                    style.short_time(float(runs["cpu_seconds"].mean()))])
    return rows


def _headers(any_unchecked):
    return ["Series", "Goal", "Algorithm", "runs", "agree", "contradict",
            *(["unchecked"] if any_unchecked else []), "undecided",
            "true share,\n95 % (Wilson)", "nodes,\nmedian", "nodes,\nmost", "time,\nmean"]


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = pairing.without_choices(pairing.frame(experiment))
    right, unknown, wrong, unchecked = tally(table)
    tallies = [(f"{right:,}", "verdicts agree with the known result"), (wrong, "contradict it"),
               (unknown, "undecided within the limits")]
    if unchecked:
        tallies.append((f"{unchecked:,}", "decided, but no result is known"))
    return page.section(
        "agreement.html", experiment, figure=figure(experiment, table), unchecked=unchecked,
        headers=_headers(unchecked > 0), rows=_rows(experiment, table, unchecked > 0),
        tallies=[tallies])


def text(experiment):
    """A short table for the terminal."""
    table = pairing.without_choices(pairing.frame(experiment))
    any_unchecked = tally(table)[3] > 0
    head = f"  {'':22} {'runs':>6} {'agree':>6} {'contradict':>11} {'undecided':>10}"
    lines = [head + f" {'unchecked':>10}" * any_unchecked]
    for name in dict.fromkeys(table["algorithm"]):
        runs = table[table["algorithm"] == name]
        right, unknown, wrong, unchecked = tally(runs)
        lines.append(f"  {name:22} {len(runs):6} {right:6} {wrong:11} {unknown:10}"
                     + f" {unchecked:10}" * any_unchecked)
    return lines
