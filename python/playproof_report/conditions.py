"""What runs that are compared had unlike each other, apart from what was decided for them (probes.py): what
their searches know of the game, the engines that have played for them, and how many threads they had."""

from . import pairing, probes
from .shape import read_parameters

# Options by which a search knows more of the game than its rules, and the values with which it does not.
KNOWLEDGE = {"zones": ("off",), "patterns": ("0",), "fill": ("off",), "order": ("natural", "random")}
# What is nothing unless another option has a value: widening goes by what resistance says of the moves.
RESTS_ON = {"widening": (("0",), "order", "resistance")}
OF_GAMES = ("hex",)  # where they have an effect; elsewhere a search may name them and knows no more
NOTHING = "the rules alone"


def knowledge(parameters, game):
    """"zones=on, patterns=64"; NOTHING."""
    named = []
    if game in OF_GAMES:
        named += [f"{name}={parameters[name]}" for name, neutral in KNOWLEDGE.items()
                  if name in parameters and str(parameters[name]) not in neutral]
        named += [f"{name}={parameters[name]}" for name, (neutral, other, value) in RESTS_ON.items()
                  if parameters.get(other) == value and str(parameters.get(name, "0")) not in neutral]
    probe = str(parameters.get("probe", "none"))
    # Endings and second searches are help of another kind, and a number is the places of a table.
    if probe not in ("none", "off", "endings", "pn2") and not probe.replace(".", "").isdigit():
        named.append(f"probe={probe}")
    return ", ".join(named) or NOTHING


def with_conditions(table):
    """The runs with the columns `knowledge`, `engine` (empty where nothing was played) and `workers`."""
    texts = table["parameters"] if "parameters" in table else ["{}"] * len(table)
    games = [game.partition(":")[0] for game in table["game"]]
    read = {(text, game): knowledge(read_parameters(text), game)
            for text, game in set(zip(texts, games))}
    backends = table["backend"] if "backend" in table else ["none"] * len(table)
    engines = ["" if backend == "none" else f"{backend} on {device}"
               for backend, device in zip(backends, table["device"])]
    threads = table["threads"] if "threads" in table else [1] * len(table)
    workers = [f"{number} threads" if number > 1 else "one" for number in threads]
    return table.assign(knowledge=[read[key] for key in zip(texts, games)], engine=engines, workers=workers)


def differ(table, series, subject, base, column):
    """Whether a pair of the two has another value; without an engine nothing was played, which is no
    other engine."""
    pairs = pairing.pair_runs(table, series, subject, base, [column])
    left, right = pairs[column + "_s"], pairs[column + "_b"]
    return bool(((left != right) & (left != "") & (right != "")).any())


def warnings(experiment, table):
    """Sentences for each series on which what the reference or a claim is compared with had other
    conditions. `table`: of with_conditions()."""
    texts = []
    for one in experiment.series():
        name = one["name"]
        reference = experiment.reference(name)
        sides = [(label, reference) for label in experiment.algorithms(name) if label != reference]
        sides += [(c["subject"], c["base"]) for c in experiment.plan["claims"] if name in c["series"]]
        for column, words in (("knowledge", _knowledge), ("engine", _engines), ("workers", _workers)):
            labels = [label for pair in sides if differ(table, name, *pair, column) for label in pair]
            if labels:
                mine = table[(table["series"] == name) & table["algorithm"].isin(labels)]
                texts.append(words(name, mine[mine[column] != ""].groupby(column, sort=False)))
    return texts


def claim_note(table, series, subject, base):
    """What is to be said of a ratio of these two; empty if they know equally much. `table`: of with_conditions()."""
    if not differ(table, series, subject, base, "knowledge"):
        return ""
    sides = (f"{label} has {' or '.join(dict.fromkeys(pairing.of(table, series, label)['knowledge']))}"
             for label in (subject, base))
    return f"unequal knowledge of the game: {'; '.join(sides)}"


def _labels(runs):
    return probes.names(list(dict.fromkeys(runs["algorithm"])))


def _knowledge(series, groups):
    parts = "; ".join(f"{_labels(runs)} with {known}" for known, runs in groups)
    return (f"Unequal knowledge of the game on {series}: {parts}. What these are compared in (iterations, "
            "nodes, time) is not the searches' own work alone.")


def _engines(series, groups):
    parts = "; ".join(f"{engine} for {_labels(runs)}" for engine, runs in groups)
    return (f"Different engines played on {series}: {parts}. Counts do not depend on that, times do.")


def _workers(series, groups):
    parts = "; ".join(f"{_labels(runs)} with {workers}" for workers, runs in groups)
    return (f"Unequal threads on {series}: {parts}. CPU time is that of all threads of a run, wall time is shorter where "
            "several work.")
