"""What the program says of itself: games, algorithms, backends with their options, and the options
that each command has. Draws and predictions both come from here, so they follow the program."""

import json
import re
import subprocess

import child
import rules

# The options of the contract, by command: value kinds as model.py and draw.py know them (None: a
# flag). What the program does not have yet must be refused as unknown.
SEARCH = {"--algorithm": "algorithm", "--goal": "goal", "--backend": "backend", "--seed": "seed",
          "--threads": "threads", "--max-nodes": "nodes", "--max-seconds": "seconds",
          "--max-memory": "size", "--position": "position", "--json": None}
COMMANDS = {
    "solve": SEARCH | {"--position-file": "lines", "--batch": "batch", "--pipeline": "pipeline",
                       "--workers": "workers",
                       "--certificate": "output",
                       "--progress": "progress", "--checkpoint": "checkpoint",
                       "--checkpoint-every": "seconds", "--resume": "resume",
                       "--selfcheck": "selfcheck", "--keep-table": None, "--svg": "output",
                       "--board": None, "--no-board": None, "--format": "answer"},
    "bench search": SEARCH | {"--batch": "batches", "--pipeline": "pipelines", "--repeat": "repeat"},
    "bench playouts": {"--position": "position", "--engine": "engine", "--seconds": "seconds",
                       "--playouts": "playouts", "--seed": "seed", "--leaves": "leaves",
                       "--playouts-per-leaf": "playouts", "--batch-words": "playouts", "--dump-words": "output",
                       "--threads": "threads", "--json": None},
    "perft": {"--position": "position", "--depth": "depth", "--reference": None, "--json": None},
    "experiment": {"--store": "store", "--backend": "backend", "--threads": "threads",
                   "--shard": "shard", "--dry-run": None, "--progress": "progress"},
    "view": {"--output": "output", "--serve": "port", "--max-memory": "size",
             "--max-search": "nodes"},
    "merge": {"--store": "store"},
    "report": {"--output": "output", "--format": "format", "--kind": "kind"},
    "gtp": {"--seconds": "seconds", "--algorithm": "algorithm", "--playouts": "games",
            "--backend": "backend", "--seed": "seed", "--threads": "threads", "--workers": "workers",
            "--max-memory": "size", "--swap": None},
    "nboard": {"--seconds": "seconds", "--algorithm": "algorithm", "--playouts": "games",
               "--backend": "backend", "--seed": "seed", "--threads": "threads", "--workers": "workers",
               "--max-memory": "size"},
    "cassio": {"--algorithm": "algorithm", "--backend": "backend", "--seed": "seed",
               "--threads": "threads", "--workers": "workers", "--max-memory": "size"},
    "connect6-engine": {"--work": "nodes"},
    "games": {"--json": None}, "algorithms": {"--json": None}, "devices": {"--json": None},
    "version": {"--json": None},
}
CHECK = {"--game": "game", "--position": "position", "--goal": "goal", "--verdict": "verdict",
         "--json": None}
WITH_TABLE = {"alphabeta", "dfews", "dfpn", "dfppn", "pds", "pnstar"}
WITH_WORKERS = {"alphabeta", "dfpn", "pds", "pnstar"}
NEEDED = {"bench search": ["--algorithm"], "perft": ["--depth"], "merge": ["--store"]}
TAKES_GAME = {"solve", "bench search", "bench playouts", "perft", "gtp"}
ENGINES = ["reference", "cpu", "scalar", "sliced", "cuda"]
FORMATS = ["html", "text", "csv", "json", "claims"]
KINDS = ["compare", "agreement"]
ANSWERS = {"text": None, "obf": ["othello"], "ggf": ["othello"], "sgf": ["hex", "othello", "loa", "connect6"]}


class Tables:

    def __init__(self, program):
        self.games = self.ask(program, "games")
        self.algorithms = self.ask(program, "algorithms")  # those that search every game
        version = json.loads(self.output(program, "version", "--json"))
        self.usable = {b["name"]: b["usable"] for b in version["backends"]}
        self.least_memory = child.least_memory(program)
        self.has = {}
        for command in COMMANDS:
            text = self.output(program, *command.split(), "--help")
            self.has[command] = set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", text, re.M)) - {"--help"}

    @staticmethod
    def output(program, *arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60,
                              check=True).stdout

    def ask(self, program, what):
        return {e["name"]: {o["name"]: o for o in e["options"]}
                for e in json.loads(self.output(program, what, "--json")) if "game" not in e}

    def options(self, command):
        """{name: kind} of what the command has; options that the contract lacks count as 'other'."""
        known = COMMANDS[command]
        return {name: known.get(name, "other") for name in sorted(self.has[command])}


def workers_of(options):
    """How many threads a search is to have, as far as that is a number."""
    said = [o[1] for o in options if o[0] == "--workers" and len(o) > 1]
    return int(said[-1]) if said and re.fullmatch("[0-9]{1,3}", said[-1]) else 1


def is_size(text):
    match = re.fullmatch(r"([0-9]+)(B|KiB|MiB|GiB|TiB)?", text)
    shift = {"KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}.get(match and match.group(2), 0)
    return match is not None and 0 < int(match.group(1)) <= 1 << (62 - shift)


def in_range(option, text):
    """Is it a value of this option of the tables?"""
    if option["type"] == "word":
        return text in option["words"]
    if option["type"] == "integer":
        return (re.fullmatch(r"-?[0-9]+", text) is not None and
                option["min"] <= int(text) <= option["max"])
    if option["type"] == "real":
        number = r"-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
        return (re.fullmatch(number, text) is not None and
                option["min"] <= float(text) <= option["max"])
    if option["name"] == "turns":
        return text in ("stones", "all") or (re.fullmatch(r"[0-9]{1,9}", text) is not None and
                                             1 <= int(text) <= 1000)
    return option["name"] != "table" or is_size(text)


def read_spec(entries, text):
    """(name, values) of 'name:key=value,...' by one of the tables; None if it is wrong."""
    name, colon, rest = text.partition(":")
    if name not in entries:
        return None
    values = {o["name"]: str(o["default"]) for o in entries[name].values()
              if o["default"] is not None}
    given = set()
    for item in rest.split(",") if colon else []:
        key, equals, value = item.partition("=")
        if re.fullmatch(r"-?(0|[1-9][0-9]*)", value):  # maybe the old name of an option
            key = next((o["name"] for o in entries[name].values() if o.get("formerly") == key), key)
        if not equals or key in given or key not in entries[name]:
            return None
        if not in_range(entries[name][key], value):
            return None
        given.add(key)
        values[key] = value
    for option in entries[name].values():  # one word for values of others, which go before it
        if option["name"] in given and "presets" in option:
            preset = option["presets"][values.pop(option["name"])]
            values.update((key, value) for key, value in preset.items() if key not in given)
            given |= set(preset)
    return name, values, given


def algorithm(tables, text):
    """(name, values), or None: what reads like a spec may still contradict itself."""
    spec = read_spec(tables.algorithms, text)
    if spec is None:
        return None
    name, values, given = spec
    if name == "pn" and values["ties"] == "deepest":
        if "stop" in given and values["stop"] not in ("none", "allis"):
            return None
    if name == "pn" and values["merge"] != "none" and values["leaf"] in ("playouts", "both"):
        return None
    if name in ("mcpn", "ppn", "dfppn") and "theta" in given:
        if float(values["theta"]) >= 1 / (2 * int(values["playouts"])):
            return None
    if "widening" in values:
        ordered = values["order"] == "resistance"
        if float(values["widening"]) > 0 and not ordered and "order" in given:
            return None
        if (ordered or float(values["widening"]) > 0) and "probe" not in given:
            values["probe"] = "connections"
        if ordered and values["probe"] != "connections":
            return None
        if float(values["widening"]) > 0 and values["probe"] != "connections":
            return None
    if values.get("zones") == "off" and "zones" in given:
        if (values.get("probe") in ("bridges", "connections", "templates") or values.get("fill", "off") != "off"
                or int(values.get("patterns", 0)) > 0):
            return None
    if "turns" in values and not goes_with_turns(tables.algorithms[name], values, given):
        return None
    if name == "dfpn" and int(values["increment"]) != 1 and float(values["epsilon"]) > 0:
        return None
    if int(values.get("jobdepth", 2)) != 2 and values["policy"] != "depth":
        return None
    return name, values


ON_TURNS = {"ties", "leaf", "playouts", "form", "A", "S", "E", "D", "R", "norm", "rule", "theta", "turns", "replies",
            "increment", "epsilon", "deepen", "bracket", "vcdtturns", "vcdtwork", "probe", "order"}
OF_LEAVES = {"playouts": "playouts", "form": "playouts", "A": "playouts", "S": "playouts", "E": "deep", "D": "deep"}
OF_RATES = {"form", "A", "S"}  # and so with leaf=lines


def goes_with_turns(options, values, given):
    """Is nothing given beside turns that says nothing there, nor what needs them without?"""
    def is_off(name):
        off = {"zones": "off", "ask": "created"}.get(name, options[name]["default"])
        if options[name]["type"] in ("integer", "real"):
            return off is not None and float(values[name]) == float(off)
        return values[name] == off
    if values["turns"] == "stones":
        return is_off("replies") and values.get("leaf") != "lines" and values["order"] != "zones"
    if values["order"] == "random":
        return False
    singles = values.get("probe") == "vcst"
    if "probe" in values and not singles and not is_off("probe"):
        return False
    if singles and (int(values["singles"]) == 0 or int(values["vcstwork"]) > 10 ** 7):
        return False
    if "leaf" in options:
        leaf = values["leaf"] if "leaf" in given else "deep" if given & {"E", "D"} and "E" in options else "unit"
        if leaf not in ("unit", "deep", "playouts", "lines"):
            return False
        idle = {key for key, of in OF_LEAVES.items() if leaf != of and not (leaf == "lines" and key in OF_RATES)}
        if any(not ("leaf" in given and is_off(key)) for key in idle & given):
            return False
    if values.get("ties") == "deepest" or int(values.get("increment", 1)) == 0:
        return False
    told = ON_TURNS | ({"singles", "vcstwork"} if singles else set())
    return all(is_off(name) for name in given - told if name in values)


def game(tables, text):
    """The rules of the game in Python, or None."""
    spec = read_spec(tables.games, text)
    if spec is None:
        return None
    name, values, given = spec
    if name == "graph":
        return rules.Graph(values["file"])
    if name == "othello":
        return rules.Othello(int(values["size"]))
    if name == "loa":
        return rules.Loa(int(values["size"]), values["both"] == "mover")
    if name == "pgame":
        return rules.PGame(*(int(values[key]) for key in ("branching", "depth", "tree")))
    if "size" in given and given & {"rows", "columns"}:
        return None
    if len(given & {"rows", "columns"}) == 1:
        return None
    rows, columns = (int(values.get(key, values["size"])) for key in ("rows", "columns"))
    if name == "hex":
        return rules.Hex(rows, columns)
    connect, stones = int(values["connect"]), int(values["stones"])
    return rules.Connect(rows, columns, connect, stones) if connect <= max(rows, columns) else None
