"""Was a claim written before the runs that it is judged by? A store keeps every plan that it was filled by, with the
time of its first use; beside the project's stores stands what git knows: when each claim was committed, and when runs
that were made again later were made first (bench/written.py writes that file). A claim counts as written when the
first of these has it, with this very formula, statistic and series. Standard library only.
"""

import json
import lzma
import os

from . import sweeps

FILE = "written.json.xz"
NEVER = "9999"  # later than every time, which are as 2026-11-25T19:13:14.358Z


def key(claim, series):
    """What makes a claim another one; of a plan's JSON and of its TOML alike."""
    formula = "".join(claim["formula"].split())
    how = ("share below" if formula.startswith("share(") or "<share(" in formula else
           "ratio of means" if "error_" in formula else claim.get("statistic", "geometric mean"))
    return f"{series} | {how} | {formula}"


def keys(plan):
    """Of all claims of a plan as JSON or TOML has it."""
    every = [one["name"] for one in plan.get("series", [])]
    for claim in plan["claims"] if "claims" in plan else sweeps.claims(plan):
        named = claim.get("series", every)
        yield from (key(claim, series) for series in ([named] if isinstance(named, str) else named))


def question(run):
    """What a run that is made again has in common with the first one."""
    return " | ".join(str(run[name]) for name in ("series", "algorithm", "problem", "goal", "repetition"))


def first_times(versions):
    """{key: time of first use}; versions: [(time, plan)]."""
    times = {}
    for time, plan in versions:
        for one in keys(plan):
            times[one] = min(time, times.get(one, NEVER))
    return times


def read(folder):
    """{plan: {"claims": {key: [time, commit]}, "runs": {question: time}}}; empty without such a file."""
    try:
        with lzma.open(os.path.join(folder, FILE), "rt", encoding="utf-8") as file:
            return json.load(file)
    except (OSError, EOFError, lzma.LZMAError, ValueError):
        return {}


class Written:
    """Of one experiment."""

    def __init__(self, experiment):
        kept = read(experiment.folder).get(experiment.name, {"claims": {}, "runs": {}}) if experiment.folder else {
            "claims": {}, "runs": {}}
        self.times = first_times(experiment.versions or [("", experiment.plan)])  # an Experiment that is of no store
        for one, (time, _) in kept["claims"].items():
            self.times[one] = min(time, self.times.get(one, NEVER))
        self.choices = {choice["label"]: choice["labels"] for choice in experiment.plan.get("choices", [])}
        self.started = {}  # {(series, label): [times]}
        for run in experiment.runs:
            time = run.get("started", NEVER)
            self.started.setdefault((run["series"], run["algorithm"]), []).append(
                min(time, kept["runs"].get(question(run), time)) if kept["runs"] else time)

    def earlier(self, claim, series):
        """(how many of the runs that it is judged by were there before the claim, how many these are)"""
        labels = {label for side in (claim["subject"], claim["base"]) for label in self.choices.get(side, [side])}
        times = [time for label in labels for time in self.started.get((series, label), [])]
        written = self.times.get(key(claim, series), NEVER)
        return sum(time < written for time in times), len(times)
