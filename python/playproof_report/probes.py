"""Help: what probes decided in place of the search.

A probe (an exact ending, a search of its own) decides a leaf at which another search would have gone
on. So counts and times compare two searches alone only where both had the same help. A run had help if
its parameters name a probe and the probe decided a leaf; two runs had unequal help if their probes
differ and one of them decided anything.
"""

import math

import pandas

from . import pairing
from .shape import read_parameters

# Counters of leaves that a probe decided (docs/numbers.md). One that a store lacks counts nothing.
DECIDED = ["endings"]
DEFAULT_ENDINGS = "12"  # of probe=endings
NONE = "no probe"
DEPTH_FIRST = ("dfpn", "pds", "pnstar", "dfppn", "dfews", "alphabeta")
MOST_NAMES = 3  # of algorithms in a sentence
MOST_ROWS = 24  # of algorithms in the table, one each


def offered(parameters):
    """The probes that a run may ask, as its parameters say: "endings=12"; NONE. What stands at its
    neutral default is not among them: depth-first searches have endings=, trees probe=."""
    probe = parameters.get("probe", "")
    if probe in ("none", "off"):
        return NONE
    if _number(probe) is not None:  # not given; a number is the places of a table, formerly
        probe = ""
    named = [f"probe={probe}"] if probe not in ("", "endings") else []
    endings = parameters.get("endings", DEFAULT_ENDINGS if probe == "endings" else "0")
    if _number(endings) != 0:
        named.append(f"endings={endings}")
    return ", ".join(named) or NONE


def _number(text):
    """0 of what is not there, None of what is no number."""
    try:
        return float(text or 0)
    except ValueError:
        return None


def with_probes(table):
    """The runs with the columns `probes`, as offered() has them, `helped` (leaves that probes
    decided; NaN: not recorded) and `leaves` (of a tree: all that were made and not expanded; of a
    depth-first search: the positions that it took up, expanded or decided)."""
    def column(name):
        empty = pandas.Series(math.nan, index=table.index)
        return table[name].astype(float) if name in table else empty

    texts = table["parameters"] if "parameters" in table else ["{}"] * len(table)
    read = {text: offered(read_parameters(text)) for text in set(texts)}
    helped = pandas.concat([column(name) for name in DECIDED], axis=1).sum(axis=1, min_count=1)
    probes = [read[text] for text in texts]
    expanded = column("nodes_expanded").fillna(0)
    specs = table["spec"] if "spec" in table else pandas.Series("dfpn", index=table.index)
    depth_first = specs.str.split(":").str[0].isin(DEPTH_FIRST)
    leaves = (helped.fillna(0) + expanded).where(depth_first, column("nodes_created") - expanded)
    return table.assign(probes=probes, helped=helped, leaves=leaves)


def share(runs):
    """Of all leaves of the runs, how many probes decided; None where no run says so."""
    leaves = float(runs["leaves"].sum())
    return None if runs["helped"].isna().all() else float(runs["helped"].sum()) / max(leaves, 1.0)


def share_text(part):
    if part is None:
        return "not recorded"
    if part == 0:
        return "none"
    return "under 0.1 %" if part < 0.001 else f"{100 * part:.3g} %"


def unequal(table, series, subject, base):
    """Of with_probes(): the pairs of two algorithms with unequal help, and all their pairs."""
    pairs = pairing.pair_runs(table, series, subject, base, ["probes", "helped"])
    differ = ((pairs["probes_s"] != pairs["probes_b"])
              & ((pairs["helped_s"] > 0) | (pairs["helped_b"] > 0)))
    return int(differ.sum()), len(pairs)


def claim_note(table, series, subject, base):
    """What is to be said of a ratio of these two; empty if their help was equal."""
    differ, pairs = unequal(table, series, subject, base)
    if not differ:
        return ""
    sides = "; ".join(_side(label, pairing.of(table, series, label)) for label in (subject, base))
    part = "" if differ == pairs else f" in {differ} of {pairs} pairs"
    return f"unequal help{part}: {sides}"


def _side(label, runs):
    probes = ", ".join(dict.fromkeys(runs["probes"]))
    if probes == NONE:
        return f"{label} had {NONE}"
    return f"of {label}'s leaves {probes} decided {share_text(share(runs))}"


def warnings(experiment, table):
    """One sentence for each series whose algorithms, compared with the plan's reference or by a
    claim, had unequal help."""
    if not (table["helped"] > 0).any():  # no pair needs a look, and plans have many
        return []
    texts = []
    for one in experiment.series():
        name = one["name"]
        sides = [(c["subject"], c["base"]) for c in experiment.plan["claims"]
                 if name in c["series"]]
        if experiment.plan["report"]["kind"] != "agreement":  # compares nobody's counts
            reference = experiment.reference(name)
            sides += [(label, reference) for label in experiment.algorithms(name)
                      if label != reference]
        compared = [label for pair in sides if unequal(table, name, *pair)[0] for label in pair]
        if compared:
            texts.append(_warning(table, name, list(dict.fromkeys(compared))))
    return texts


def _warning(table, series, labels):
    mine = table[table["series"] == series]
    mine = mine[mine["algorithm"].isin(labels)]
    parts = []
    for probes, runs in mine.groupby("probes", sort=False):
        of = names(list(dict.fromkeys(runs["algorithm"])))
        parts.append(f"{of} had {NONE}" if probes == NONE else
                     f"{probes} decided {share_text(share(runs))} of the leaves of {of}")
    return (f"Unequal help on {series}: {'; '.join(parts)}. What these are compared in (iterations, "
            "nodes, time) is not the searches' own work alone.")


def names(labels):
    shown = ", ".join(labels[:MOST_NAMES])
    more = len(labels) - MOST_NAMES
    return shown + (f" and {more} more" if more > 0 else "")


HEADERS = ["Series", "Algorithm", "Probes", "leaves that\na probe decided", "of leaves"]


def rows(table):
    """For HEADERS: every algorithm on every series where a probe decided something; algorithms with
    the same probes in one row if they are very many."""
    helped = table.groupby("series")["helped"].transform("sum") > 0
    mine = table[helped]
    columns = ["series", "algorithm", "probes"]
    if len(mine[columns].drop_duplicates()) > MOST_ROWS:
        columns = ["series", "probes"]
    found = []
    for _, runs in mine.groupby(columns, sort=False):
        first = runs.iloc[0]
        leaves = None if runs["helped"].isna().all() else f"{runs['leaves'].sum():,.0f}"
        found.append([first["series"], names(list(dict.fromkeys(runs["algorithm"]))),
                      first["probes"], share_text(share(runs)), leaves or "-"])
    return found
