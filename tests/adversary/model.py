"""What a call may answer, from its arguments and the files it meets alone: the exit statuses that
the contract allows. Status 70 and death by a signal are never allowed."""

import re
from fractions import Fraction

import rules
import tables as T

DECIDED, UNDECIDED, USAGE, DATA, UNAVAILABLE, NO_OUTPUT, STOPPED = 0, 2, 64, 65, 69, 74, 75
NAME_MAX = 255  # bytes of a name in a folder of Linux
NOT_PROOF, UNREADABLE = 1, 2  # playproof-check
# PARTIAL: a store that may hold nothing yet.
GOOD, PARTIAL, BAD, UNKNOWN, MISSING = "good", "partial", "bad", "unknown", "missing"
LARGEST = 2**64 - 1

# What an argument makes of a call: the statuses that it may end with, and whether it must fail.
FINE = (frozenset(), False)


def must(*statuses):
    return (frozenset(statuses), True)


def may(*statuses):
    return (frozenset(statuses), False)


def state_of(name, files, *ends):
    """The state of a file as one whose names end so: another kind of file is a bad one."""
    state = files.get(name, MISSING)
    return state if state == MISSING or name.endswith(ends) else BAD


def whole(text, least, most):
    """Digits, or "2e6" and "2.5e6", which no zero begins but 0 itself."""
    good = re.fullmatch(r"[0-9]+", text) and least <= int(text) <= most
    power = re.fullmatch(r"(0|[1-9][0-9]*)([.][0-9]+)?[eE][+]?[0-9]{1,2}", text)
    if power:
        number = Fraction(text)
        good = number.denominator == 1 and least <= number <= most
    return FINE if good else must(USAGE)


def positive(text):
    if re.fullmatch(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        return FINE if 0 < float(text) < 1e308 else may(USAGE)
    return may(USAGE) if re.match(r"0[xX]", text) else must(USAGE)


def size(text):
    return FINE if T.is_size(text) else must(USAGE)


def backend(tables, text):
    inner = {"type": "word", "default": "cpu",
             "words": ["auto", "cpu", "scalar", "reference", "cuda", "fake"]}
    entries = {name: {} for name in tables.usable}
    entries["check"] = {
        "of": inner | {"name": "of"}, "against": inner | {"name": "against"},
        "every": {"type": "integer", "default": 50, "min": 1, "max": 10**9, "name": "every"}}
    if text.startswith("latency"):  # its values are drawn by hand
        return may(UNAVAILABLE, USAGE)
    spec = T.read_spec(entries, text)
    if spec is None:
        return must(USAGE)
    used = [spec[1].get("of", spec[0]), spec[1].get("against", "cpu")]
    if "cuda" in used:
        return may(UNAVAILABLE, 70)
    if {"fake", "scalar"} & set(used) and spec[0] == "check":
        return may(70)  # these play other games than the rest, and check says so
    return FINE if all(tables.usable[name] for name in used) else may(UNAVAILABLE)


def algorithm(text, tables, game):
    spec = T.algorithm(tables, text)
    if spec is None:
        return must(USAGE)
    if spec[1].get("leaf") == "quads" and not isinstance(game, rules.Loa):
        return must(USAGE) if game else may(USAGE, DATA)  # they are of Lines of Action alone
    return FINE


def goal(text, game):
    if text in ("win", "draw", "value"):
        return FINE
    score = isinstance(game, rules.Othello)
    if text == "score":
        return FINE if score else must(USAGE)
    match = re.fullmatch(r"score>=(\+?)(-?)([0-9]+)", text)
    if not match or not score or (match.group(1) and match.group(2)):
        return must(USAGE)
    return FINE if int(match.group(3)) <= game.rows * game.columns else must(USAGE)


def finding(text, true):
    """What a decided answer says of a value for the side to move: its verdict, value or score."""
    if text == "score":
        return true
    if text == "value":
        return ["loss", "draw", "win"][(true > 0) - (true < 0) + 1]
    threshold = {"win": 1, "draw": 0}.get(text)
    threshold = int(text[7:]) if threshold is None else threshold
    return "proved" if true >= threshold else "disproved"


def names_a_move(text, found):
    """Must an answer have a best move, if the game is not over? None: undecided."""
    return found is None or text == "score" or found in ("proved", "win", "draw")


def position(text, game):
    """Of a text on the command line; '-' is for whoever calls."""
    if game is None or isinstance(game, rules.Graph) and not game.known:
        return may(USAGE, DATA)
    try:
        if isinstance(game, rules.Connect) and text.lstrip(" \t").startswith(";"):
            return may(DATA)
        state = rules.read(game, text)
    except rules.Bad:
        return must(DATA)
    if isinstance(game, rules.Othello) and state != game.initial():
        return FINE if reachable(game, state) else may(DATA)
    return FINE


def reachable(game, state):
    """Surely accepted: each side has discs, they hang together and the centre is full."""
    n, cells = game.rows, state[0]
    half = n // 2
    centre = {r * n + c for r in (half - 1, half) for c in (half - 1, half)}
    discs = {i for i, c in enumerate(cells) if c != "."}
    if not centre <= discs or len(discs) == 4:
        return False
    group, todo = set(centre), list(centre)
    while todo:
        row, column = divmod(todo.pop(), n)
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                near = (row + dr) * n + column + dc
                if (0 <= row + dr < n and 0 <= column + dc < n and near in discs and
                        near not in group):
                    group.add(near)
                    todo.append(near)
    return group == discs


def batches(text, most=1 << 20):
    parts = [whole(part, 1, most) for part in text.split(",")]
    return next((part for part in parts if part != FINE), FINE)


def answer_format(text, game):
    if text not in T.ANSWERS:
        return must(USAGE)
    if text == "text":
        return FINE
    if game is None:
        return may(USAGE)
    names = {rules.Hex: "hex", rules.Othello: "othello", rules.Connect: "connect6", rules.Loa: "loa"}
    return FINE if names.get(type(game)) in T.ANSWERS[text] else must(USAGE)


def shard(text):
    match = re.fullmatch(r"(-?[0-9]{1,18})/(-?[0-9]{1,18})", text)
    good = match and 1 <= int(match.group(1)) <= int(match.group(2)) <= 10**6
    return FINE if good else must(USAGE)


def kind_of_page(text):
    """Most kinds are not for every plan."""
    if text in ("compare", "agreement"):
        return FINE
    return may(USAGE) if text in T.KINDS else must(USAGE)


def value(kind, text, tables, game, files):
    """What the value of one option allows; `files` maps names to GOOD, BAD, UNKNOWN, MISSING."""
    simple = {
        "seed": lambda: whole(text, 0, LARGEST), "threads": lambda: whole(text, 1, 1024),
        "nodes": lambda: whole(text, 1, LARGEST), "batch": lambda: whole(text, 1, 1 << 20),
        "repeat": lambda: whole(text, 1, 1000), "depth": lambda: whole(text, 0, 100),
        "games": lambda: whole(text, 32, 1 << 20),
        "playouts": lambda: whole(text, 1, 1 << 32), "leaves": lambda: whole(text, 1, 10**7),
        "seconds": lambda: positive(text), "size": lambda: size(text),
        "workers": lambda: whole(text, 1, 256),
        "pipeline": lambda: whole(text, 1, 64), "pipelines": lambda: batches(text, 64),
        "batches": lambda: batches(text), "shard": lambda: shard(text),
        "selfcheck": lambda: whole(text, 0, 3), "backend": lambda: backend(tables, text),
        "goal": lambda: goal(text, game), "position": lambda: position(text, game),
        "algorithm": lambda: algorithm(text, tables, game),
        "progress": lambda: FINE if text in ("auto", "json", "none") else must(USAGE),
        "port": lambda: whole(text or "0", 0, 65535),
        "format": lambda: FINE if text in T.FORMATS else must(USAGE),
        "kind": lambda: kind_of_page(text),
        "answer": lambda: answer_format(text, game),
    }
    if kind in simple:
        return simple[kind]()
    if kind in ("output", "lines", "resume", "checkpoint", "store") and text.startswith("--"):
        return must(USAGE)  # an option in the place of a file
    if kind in ("output", "checkpoint") and files.end(text) is None:
        return must(NO_OUTPUT)  # links in a circle
    if kind == "checkpoint" and files.is_pipe(text):
        return must(NO_OUTPUT)  # there is nothing to replace
    if kind == "engine":
        if text not in T.ENGINES:
            return must(USAGE)
        return may(UNAVAILABLE) if text in ("scalar", "cuda") else FINE
    if kind == "output":
        if "/" in text or text in ("", ".") or len(text.encode()) > NAME_MAX:
            return must(NO_OUTPUT)
        return FINE
    if kind == "lines":
        return must(DATA) if files.get(text, MISSING) == MISSING else may(DATA)
    if kind == "resume":
        state = state_of(text, files, ".ckpt")
        return FINE if state == GOOD else may(DATA) if state == UNKNOWN else must(DATA)
    if kind == "checkpoint":
        if "/" in text or text in ("", ".") or len(text) > 200:
            return may(USAGE, NO_OUTPUT)
        return FINE if state_of(text, files, ".ckpt") in (MISSING, GOOD) else may(USAGE)
    if kind == "store":
        if not text:
            return must(USAGE, DATA)
        state = state_of(text, files, ".db")
        if "/" in text or text == "." or len(text) > 200:
            return may(DATA, NO_OUTPUT)
        return FINE if state in (MISSING, GOOD, PARTIAL) else must(DATA) if state == BAD else may(DATA, 70)
    return may(USAGE, DATA, NO_OUTPUT)  # 'other': nothing is known of its values


def many_positions(options):
    return "--position-file" in [option[0] for option in options] or ["--position", "-"] in options


def search_limits(call, verdicts):
    """A search that nothing limits is decided; every other one may be undecided."""
    names = {option[0] for option in call["options"]}
    limits = names & {"--max-nodes", "--max-seconds", "--max-memory"}
    lines = many_positions(call["options"])
    normal = {DECIDED}
    if limits:
        normal.add(UNDECIDED)
    if lines:
        normal |= {DATA, UNDECIDED}
        # A line may claim a result that is wrong: "a1 1", "3 b2 W", "X +8". Files may say anything.
        if re.search(r"(?m)(\b[BW1]|-1|[+-][0-9]+)\s*$|[;|:]", call.get("stdin", "1")):
            normal.add(70)
        if "--certificate" in names:
            verdicts.append(must(USAGE))
    return normal


def contradictions(command, options, verdicts, part):
    """part: of one search in pieces, so every checkpoint is its own."""
    names = {option[0] for option in options}
    for name in T.NEEDED.get(command, []):
        if name not in names and "--resume" not in names:
            verdicts.append(must(USAGE))
    if command == "solve" and {"--position", "--position-file"} <= names:
        verdicts.append(must(USAGE))
    if command == "solve" and {"--format", "--json"} <= names:
        verdicts.append(must(USAGE))
    if command == "solve" and "--format" in names and "--resume" in names:
        verdicts.append(may(USAGE))  # GAME is needed then
    if command == "solve" and "--keep-table" in names:
        tables = all(o[1].partition(":")[0] in T.WITH_TABLE for o in options
                     if o[0] == "--algorithm" and o[1:])
        verdicts.append(FINE if tables and many_positions(options) else must(USAGE))
    several = any(o[0] == "--pipeline" and o[1:] != ["1"] for o in options)
    if several and any(o[0] == "--algorithm" and o[1:] and
                       o[1].partition(":")[0] in T.WITH_TABLE for o in options):
        verdicts.append(must(USAGE))
    if several and not names & {"--algorithm", "--resume"}:  # it is one with a table then
        verdicts.append(must(USAGE))
    if command == "experiment" and "--store" not in names and "--dry-run" not in names:
        verdicts.append(must(USAGE, DATA))
    if command == "report" and "--output" not in names:
        html = ["--format", "html"] in options or "--format" not in names
        verdicts.append(must(USAGE) if html else FINE)
    if command == "view":
        if ("--output" in names) == ("--serve" in names):
            verdicts.append(must(USAGE))
        if names & {"--max-memory", "--max-search"}:
            verdicts.append(may(USAGE, DATA))  # too little to read it
    if command == "report" and "--kind" in names and any(
            o[0] == "--format" and o[1:] not in (["html"], ["text"]) for o in options):
        verdicts.append(must(USAGE))
    if command == "bench playouts":
        if "--playouts" in names and names & {"--seconds", "--leaves"}:
            verdicts.append(must(USAGE))
        if "--playouts-per-leaf" in names and "--leaves" not in names:
            verdicts.append(must(USAGE))
        fixed = "--playouts" in names or ("--leaves" in names and "--seconds" not in names)
        if names & {"--dump-words", "--batch-words"} and not fixed:
            verdicts.append(must(USAGE))
        verdicts.append(may(USAGE, DATA))  # finished positions; more leaves than there are
    if "--checkpoint" in names and any(o[0] == "--algorithm" and o[1:] and
                                       o[1].partition(":")[0] == "minimax" for o in options):
        verdicts.append(must(USAGE))
    if {"--resume", "--checkpoint"} & names and not part:
        verdicts.append(may(USAGE, DATA))  # the checkpoint of another search


def policies_of_jobs(call, tables, verdicts):
    """Several searchers have one, on threads or in turns; their table may have locks on threads."""
    read = [T.algorithm(tables, o[1]) for o in call["options"] if o[0] == "--algorithm" and o[1:]]
    alone = any(one is not None and (one[1].get("tablelock") == "on" or
                                     one[1].get("policy", "likely") != "likely" and int(one[1]["searchers"]) == 1)
                for one in read)
    if not alone or T.workers_of(call["options"]) > 1:
        return
    resumes = "--resume" in [o[0] for o in call["options"]]  # the file may hold a search that several began
    verdicts.append(may(USAGE) if resumes else must(USAGE, DATA, UNAVAILABLE))


def several_workers(call, game, tables, verdicts):
    """Not every algorithm has them, and none where positions can come again."""
    options = call["options"]
    if T.workers_of(options) < 2:
        return
    read = [T.algorithm(tables, o[1]) for o in options if o[0] == "--algorithm" and o[1:]]
    if rules.repeats(game) or any(one is not None and (one[0] not in T.WITH_WORKERS or int(one[1]["searchers"]) > 1)
                                  for one in read):
        verdicts.append(must(USAGE, DATA, UNAVAILABLE))  # whatever else is wrong comes first
    if on_turns(call, tables) or "--resume" in [o[0] for o in options]:
        verdicts.append(may(USAGE))  # the file may hold one that has not


def pictures(call, game, verdicts):
    """--svg and --board draw one position of a game with a board."""
    names = {option[0] for option in call["options"]}
    drawn = names & {"--svg", "--board"}
    formats = [o[1] for o in call["options"] if o[0] == "--format" and o[1:]]
    if {"--board", "--no-board"} <= names or {"--board", "--json"} <= names:
        verdicts.append(must(USAGE))
    if "--board" in names and any(f != "text" for f in formats):
        verdicts.append(must(USAGE))
    if drawn and many_positions(call["options"]):
        verdicts.append(must(USAGE))
    if drawn and game is None and call["arguments"]:
        verdicts.append(may(USAGE))
    if drawn and isinstance(game, (rules.PGame, rules.Graph)):
        verdicts.append(must(USAGE, DATA, UNAVAILABLE))  # whatever else is wrong comes first
    if drawn and "--resume" in names:
        verdicts.append(may(USAGE))  # of the game in the file


def one_file_twice(call, files):
    """Is a file that is written also one that is read, or another one that is written?"""
    options = {o[0]: o[1] for o in call["options"] if len(o) > 1}
    store = ("", "-wal", "-shm", "-journal")
    ends = {"--checkpoint": ("", ".old", ".new", ".lock"), "--resume": ("", ".old"), "--store": store}
    if call["run"] == "merge":
        ends["--store"] = (*store, ".lock", *(".new" + end for end in store))
    if "--dry-run" in [o[0] for o in call["options"]]:
        options.pop("--store", None)
    if options.get("--resume") == options.get("--checkpoint"):
        options.pop("--resume", None)
    used = [(name in ("--resume", "--position-file"),
             {place + end for place in (options[name], files.end(options[name]) or options[name])
              for end in ends.get(name, ("",))})
            for name in ("--certificate", "--svg", "--checkpoint", "--dump-words", "--output",
                         "--store", "--resume", "--position-file") if name in options]
    if call["run"] in ("report", "experiment", "merge"):
        used += [(True, {word + end for end in (store if call["run"] != "experiment" else ("",))})
                 for word in call["arguments"]]
    if call["run"] == "view":
        used += [(True, {place + end for place in (word, files.end(word) or word)
                         for end in ("", ".old")}) for word in call["arguments"]]
    return any(a & b and not (a_read and b_read)
               for i, (a_read, a) in enumerate(used) for b_read, b in used[i + 1:])


def positionals(call, tables, files, verdicts):
    """Judges what stands without a name; the game's rules, if it is one."""
    command, words = call["run"], call["arguments"]
    if command in ("report", "merge"):
        verdicts += [must(USAGE)] if not words else []
        damaged = may(DATA, 70) if command == "report" else may(DATA)
        for word in words:
            state = state_of(word, files, ".db")
            verdicts.append(must(DATA) if state in (MISSING, BAD) else
                            damaged if state in (UNKNOWN, PARTIAL) else FINE)
        return None
    if command == "view":
        state = state_of(words[0], files, ".cert", ".zst", ".ckpt") if words else MISSING
        verdicts.append(must(USAGE) if len(words) != 1 else must(DATA) if state in (MISSING, BAD)
                        else FINE if state == GOOD else may(DATA))
        return None
    if command == "experiment":
        state = state_of(words[0], files, ".toml") if words else MISSING
        if "--threads" not in [o[0] for o in call["options"]]:
            verdicts.append(may(DATA))  # a plan may want more workers than this machine has cores
        verdicts.append(FINE if state == GOOD else may(DATA, UNAVAILABLE, 70)
                        if state == UNKNOWN else must(DATA))
    if command in ("games", "algorithms") and len(words) == 1:  # one entry alone
        name, colon, _ = words[0].partition(":")
        known = name in getattr(tables, command) or not words[0]
        verdicts.append(must(USAGE) if not known else may(USAGE) if colon else FINE)
        return None
    most = 1 if command in T.TAKES_GAME | {"experiment"} else 0
    resumed = any(option[0] == "--resume" for option in call["options"])
    if len(words) != most and not (resumed and not words):
        verdicts.append(must(USAGE))
    if command not in T.TAKES_GAME or not words:
        return None
    game = T.game(tables, words[0])
    if isinstance(game, rules.Graph):
        state = files.get(words[0].partition("=")[2], MISSING)
        verdicts.append(must(DATA) if state in (MISSING, BAD) else may(DATA) if state == UNKNOWN else FINE)
    if rules.repeats(game):
        verdicts += where_positions_repeat(call, isinstance(game, rules.Loa))
    if game is None or (command == "gtp" and not isinstance(game, rules.Hex)):
        verdicts.append(must(USAGE))
    return game


def where_positions_repeat(call, has_engines):
    """What is only for games in which no position comes again, or for those with engines for playouts."""
    found = []
    if call["run"] == "bench playouts" and not has_engines:
        found.append(must(USAGE, UNAVAILABLE))
    for option in call["options"]:
        if option[0] == "--algorithm" and re.search("leaf=|[ED]=|edge=|gc=", "".join(option[1:])):
            found.append(may(USAGE))  # tables know first numbers 1 and 1 alone, and throw nothing away
        if option[0] == "--backend":
            found.append(may(USAGE, UNAVAILABLE))
        if option[0] in ("--batch", "--pipeline"):
            found.append(may(USAGE))
    return found


def expected(call, tables, files):
    """The statuses that the call may end with."""
    if call["run"] == "check":
        return expected_of_checker(call, tables, files)
    command, verdicts = call["run"], []
    known = tables.options(command)
    game = positionals(call, tables, files, verdicts)
    names = [option[0] for option in call["options"]]
    for option in call["options"]:
        name = option[0]
        if name == "--":
            verdicts.append(may(USAGE, DATA))  # what follows has no names
        elif name not in known:
            # "--json=1" is another way to write a flag.
            verdicts.append(must(USAGE) if name.partition("=")[0] not in known else may(USAGE))
        elif known[name] is None:
            verdicts.append(must(USAGE) if len(option) > 1 else FINE)
        elif len(option) < 2:
            verdicts.append(may(USAGE, DATA, NO_OUTPUT, UNAVAILABLE))  # takes what follows
        elif known[name] == "position" and option[1] == "-" and command in ("solve", "perft"):
            verdicts.append(may(DATA))
        else:
            verdicts.append(value(known[name], option[1], tables, game, files))
        if names.count(name) > 1 and name in known:
            verdicts.append(may(USAGE))
    contradictions(command, call["options"], verdicts, "question" in call)
    policies_of_jobs(call, tables, verdicts)
    if "--workers" in known:
        several_workers(call, game, tables, verdicts)
    if command == "solve":
        pictures(call, game, verdicts)
    if one_file_twice(call, files):
        verdicts.append(may(USAGE) if len(set(names)) < len(names) else must(USAGE))
    normal = {DECIDED}
    if command in ("solve", "bench search"):
        normal = search_limits(call, verdicts)
        if on_turns(call, tables):
            normal.add(UNDECIDED)  # none among the best N says nothing of the others
            lines = game is None or isinstance(game, rules.Connect)  # other games have no turns
            # Nor is there a table to keep, a batch, or another goal than a win.
            verdicts.append(may(USAGE) if lines else must(USAGE))
    return combine(verdicts, normal, call)


def on_turns(call, tables):
    """Is it to search by turns?"""
    read = [T.algorithm(tables, o[1]) for o in call["options"] if o[0] == "--algorithm" and o[1:]]
    return any(one is not None and one[1].get("turns", "stones") != "stones" for one in read)


def is_of_a_table(call):
    return any(o[0] == "--algorithm" and o[1:] and o[1].partition(":")[0] in T.WITH_TABLE
               for o in call["question"]["options"])


def combine(verdicts, normal, call):
    failing = set().union(*(statuses for statuses, _ in verdicts))
    allowed = failing if any(forced for _, forced in verdicts) else failing | normal
    if call.get("forged"):  # of a table not everything can be held against the rules
        allowed = allowed | {DATA, 70 if is_of_a_table(call) else DATA}
    if "kill" in call:
        allowed = allowed | {UNDECIDED, STOPPED, -int(call["kill"][0])}
    fault = call.get("fault", {})
    if "stdout" in fault or "file_size" in fault:
        allowed = allowed | {NO_OUTPUT}
    if "memory" in fault or "allocation" in fault:
        # Out of memory ends with 70 and says so; executor.py asks for the words.
        allowed = allowed | {UNDECIDED, DATA, UNAVAILABLE, 70, NO_OUTPUT, STOPPED}
    return allowed


def expected_of_checker(call, tables, files):
    words, verdicts = call["arguments"], []
    state = state_of(words[0], files, ".cert", ".zst") if words else MISSING
    if len(words) != 1:
        verdicts.append(must(USAGE))
    elif state in (MISSING, BAD):
        verdicts.append(must(UNREADABLE, USAGE))
    elif state == UNKNOWN:
        verdicts.append(may(UNREADABLE, NOT_PROOF, USAGE))
    for option in call["options"]:
        kind = T.CHECK.get(option[0], "unknown")
        if kind == "unknown" or (kind and len(option) < 2):
            verdicts.append(may(USAGE, UNREADABLE))
        elif kind is not None:
            verdicts.append(may(USAGE, NOT_PROOF))
    return combine(verdicts, {DECIDED}, call)
