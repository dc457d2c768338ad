"""Verdicts against known results: agreement, contradiction, undecided."""

from . import page, pairing, style
from .statistics import wilson

AGREE, UNKNOWN, CONTRADICT = "#009e73", "#c9c9c4", "#d55e00"


def tally(runs):
    """(agree, unknown, contradict, decided without a known result)."""
    decided = runs["decided"]
    known = runs["expected"].notna()
    right = decided & known & (runs["verdict"] == runs["expected"])
    wrong = decided & known & (runs["verdict"] != runs["expected"])
    return int(right.sum()), int((~decided).sum()), int(wrong.sum()), int((decided & ~known).sum())


def figure(experiment, table):
    """One bar an algorithm and series."""
    series = [s for s in experiment.series() if (table["series"] == s["name"]).any()]
    labels = list(dict.fromkeys(table["algorithm"]))
    drawing, axes = style.new_figure(len(series), 9.6, 0.27 * len(labels) + 0.9)
    for axis, one in zip(axes[0], series):
        runs = table[table["series"] == one["name"]]
        for y, name in enumerate(labels):
            mine = runs[runs["algorithm"] == name]
            if mine.empty:
                continue
            right, unknown, wrong, unchecked = tally(mine)
            left = 0.0
            for count, colour in ((right + unchecked, AGREE), (unknown, UNKNOWN),
                                  (wrong, CONTRADICT)):
                axis.barh(y, count / len(mine), left=left, color=colour, height=0.72, linewidth=0)
                left += count / len(mine)
            words = [f"{right} of {len(mine)}"] + ([f"{unknown} ?"] if unknown else []) + (
                [f"{wrong} WRONG"] if wrong else [])
            axis.annotate(", ".join(words), (0.02, y), va="center", fontsize=7.5, color="black",
                          fontweight="bold")
        axis.set_yticks(range(len(labels)), labels if axis is axes[0][0] else [""] * len(labels))
        axis.set_ylim(len(labels) - 0.45, -0.55)
        axis.set_xlim(0, 1)
        axis.set_xticks([])
        axis.grid(False)
        axis.tick_params(axis="y", length=0)
        for spine in axis.spines.values():
            spine.set_visible(False)
        axis.set_title(one["name"])
    drawing.subplots_adjust(wspace=0.07)
    return style.svg(drawing, "agreement with known results",
                     "Of each algorithm on each series: how many runs agree with the known result, "
                     "contradict it or are undecided")


def _rows(experiment, table):
    rows = []
    for one in experiment.series():
        for goal in one["goals"]:
            for name in experiment.algorithms(one["name"]):
                runs = pairing.of(table, one["name"], name)
                runs = runs[runs["goal"] == goal]
                if runs.empty:
                    continue
                right, unknown, wrong, _ = tally(runs)
                share = wilson(unknown, len(runs))
                rows.append([
                    one["name"], goal, name, len(runs), right, wrong, unknown,
                    f"{share.low:.0%} – {share.high:.0%}",
                    style.short_number(float(runs["nodes_created"].median())),
                    style.short_number(float(runs["nodes_created"].max())),
                    style.short_time(float(runs["cpu_seconds"].mean()))])
    return rows


HEADERS = ["Series", "Goal", "Algorithm", "runs", "agree", "contradict", "undecided",
           "true share,\n95 % (Wilson)", "nodes,\nmedian", "nodes,\nmost", "time,\nmean"]


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = pairing.frame(experiment)
    right, unknown, wrong, _ = tally(table)
    return page.section(
        "agreement.html", experiment, figure=figure(experiment, table), headers=HEADERS,
        rows=_rows(experiment, table),
        tallies=[[(f"{right:,}", "verdicts agree with the known result"), (wrong, "contradict it"),
                  (unknown, "undecided within the limits")]])


def text(experiment):
    """A short table for the terminal."""
    table = pairing.frame(experiment)
    lines = [f"  {'':22} {'runs':>6} {'agree':>6} {'contradict':>11} {'undecided':>10}"]
    for name in dict.fromkeys(table["algorithm"]):
        runs = table[table["algorithm"] == name]
        right, unknown, wrong, _ = tally(runs)
        lines.append(f"  {name:22} {len(runs):6} {right:6} {wrong:11} {unknown:10}")
    return lines
