"""Draws sequences of calls: mostly legal, some with one thing wrong, all of them cheap."""

import random
import re
import signal

import plans
import rules
import tables as T

SMALL = ["hex:size=2", "hex:size=3", "hex:rows=2,columns=3", "hex:rows=3,columns=2",
         "othello:size=4", "connect6:rows=3,columns=3,connect=3,stones=1",
         "connect6:rows=2,columns=3,connect=3,stones=2", "connect6:size=2,connect=2,stones=3",
         "pgame:branching=2,depth=6,tree=3", "pgame:branching=3,depth=5",
         "pgame:branching=5,depth=3,tree=4294967295", "pgame:branching=2,depth=1,tree=0"]
BIG = ["hex", "hex:size=19", "hex:size=8", "hex:rows=9,columns=2", "othello", "othello:size=6",
       "connect6", "connect6:size=8,connect=8,stones=8", "connect6:rows=19,columns=2,connect=5",
       "pgame", "pgame:branching=64,depth=64", "pgame:branching=64,depth=2,tree=9", "loa", "loa:size=5,both=mover",
       "loa:size=4,repetition=none"]
WRONG_NAMES = ["", ":", "hexx", "hex:", "hex:size", "hex:size=", "hex:size=20", "hex:size=1",
               "hex:size=3,size=3", "hex:size=3,rows=3,columns=3", "hex:rows=3", "HEX", "hex:size=-3",
               "hex:size=3,", "hex:,", "hex:=3", "hex:size=3=3", "hex:size=99999999999999999999",
               "othello:size=5", "pgame:depth=0", "pgame:tree=-1", "pgame:branching=65",
               "connect6:size=3,connect=4", "connect6:stones=0", "hex:size= 3", "hex:size=3 ",
               "h\xe9x", "\xff", "hex:size=3\xff", "a" * 5000, "hex:" + "size=3," * 500, "pn", "%s%n"]
WRONG_NUMBERS = ["", "-1", "x", "1e9", "0x10", "18446744073709551616", " 1", "1 ", "1.5", "\xff",
                 "9" * 300, "+1", "nan", "--", "1,000", "\u00b2"]
NUMBERS = ["0", "1", "2", "3", "7", "31", "32", "33", "64", "1000", "18446744073709551615"]
ENDING = "-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--"
DIALOGUES = {
    "gtp": ["name", "1 version", "list_commands", "known_command x", "boardsize 3", "boardsize 2 4",
            "clear_board", "play black a1", "play white b2", "play b a2", "play w a1", "undo",
            "showboard", "play white swap-pieces", "play white swap-sides", "play black resign",
            "genmove black", "genmove w", "reg_genmove b", "final_score", "hexgui-analyze_commands",
            "playproof-solve b", "playproof-solve w", "playproof-solve", "playproof-status",
            "playproof-stop", "playproof-proof-numbers", "playproof-zone", "playproof-line",
            "playproof-winrates b", "playproof-winrates", "playproof-seconds 0.001", "quit", "#",
            "# interrupt", "5", "genmove", "boardsize 1", "play black"],
    "nboard": ["nboard 2", "set depth 6", "set depth 1", "set depth 99", "set depth x", "set depth",
               "set game (;GM[Othello]TY[4];)", "set game", "set game (;",
               "set game (;GM[Othello]TY[8]B[F5]W[F6];)", "move F5", "move b1//1", "move PA", "go",
               "hint 1", "hint 3", "hint x", "ping 1", "ping", "learn", "analyze", "quit", "set",
               "set game (;GM[Othello]TY[4]BO[4 OOOX XOXX XOOO XO-- *];)", "set contempt 1", "move"],
    "cassio": ["ENGINE-PROTOCOL " + words for words in
               ("init", "get-version", "stop", "get-search-infos", "new-position", "empty-hash", "quit",
                "", "what", "endgame-search", "midgame-search x -64 64 4 100",
                f"endgame-search {ENDING}X -64 64 100", f"endgame-search {ENDING} O -1 1 100",
                f"endgame-search {ENDING}X 64 -64 100", f"endgame-search {ENDING}? -64 64 100")] +
              ["", "ready?"],
    "connect6-engine": ["name", "new black", "new white", "new", "black JJ", "white KIJI", "black JJ\nwhite KIJI",
                        "white II", "black XX", "move LHHH", "move", "move JJ", "next", "next\nnext", "depth 3",
                        "depth x", "vcf", "unvcf", "quit", "white KI JI", "black jj"]}
RECORDS = ["# a comment", "2 a1 W", "a1b2", "a1 swap-pieces b2", "a1 1", "(;GM[11]SZ[2];B[a1])",
           "(;GM[11]SZ[3]AB[a1]AW[b2]", "b1a1", "OOOXXOXXXOOOXO.. X +8", "AABB", "AABB | B | 1 | CC",
           "OOOXXOXXXOOOXO-- X; C4:+8;", "(;GM[Othello]TY[4]B[b1];)", ");]", "(;GM[2]SZ[4];B[ba])"]
# What stores of others may have, and ours have not: what could change results, other tables, values.
FOREIGN = [
    "CREATE TRIGGER x AFTER INSERT ON run BEGIN UPDATE run SET verdict = 'proved', expected = NULL; END",
    "CREATE TRIGGER x BEFORE INSERT ON run BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER x AFTER UPDATE ON plan BEGIN INSERT INTO invocation SELECT * FROM invocation; END",
    "CREATE VIEW x AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n",
    "ALTER TABLE run RENAME TO x; CREATE VIEW run AS SELECT * FROM x",
    "ALTER TABLE curve RENAME TO x; CREATE TABLE curve (run_key TEXT PRIMARY KEY, points BLOB NOT NULL)",
    "CREATE TABLE x (y)", "CREATE INDEX x ON run (verdict)", "CREATE UNIQUE INDEX x ON run (key, verdict)", "ANALYZE",
    "ALTER TABLE run ADD COLUMN x INTEGER", "ALTER TABLE plan RENAME COLUMN text TO x", "DROP TABLE invocation",
    "PRAGMA user_version = 77", "PRAGMA application_id = 1", "PRAGMA writable_schema = ON; UPDATE sqlite_master SET "
    "sql = replace(sql, 'NOT NULL', 'NOT NULL CHECK (1)') WHERE name = 'run'",
    "UPDATE run SET iteration_divisor = 0", "UPDATE run SET verdict = 'x'", "UPDATE run SET outcome = ''",
    "UPDATE run SET iterations = -1", "UPDATE run SET seconds = 9e999", "UPDATE plan SET json = '[' || json || ']'",
    "UPDATE plan SET json = replace(hex(zeroblob(20000)), '0', '[')", "UPDATE plan SET json = ''",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '')"]
UNSAFE = r"history=none|merge=dcg|loops=(none|dfpnr)"  # may be wrong, or never end
NAMES = ["a.cert", "b.cert.zst", "r.db", "s.db", "plan.toml", "lines.txt", "words.bin"]


def endless(step):
    """Does nothing end the call soon? Legal, and no business of a tester."""
    values = {o[0]: o[1] for o in step.get("options", []) if len(o) > 1}
    number = re.fullmatch(r"([0-9.]+)(e-?[0-9]+)?", values.get(seconds_of(step), ""))
    short = number is not None and values_of(number.group()) <= 1
    if step.get("run") in ("bench playouts", *DIALOGUES):
        return number is not None and not short
    if step.get("run") not in ("solve", "bench search") or set(step["arguments"]) & set(SMALL):
        return False
    nodes = values.get("--max-nodes", "x")
    few = re.fullmatch("[0-9]+", nodes) and int(nodes) <= 3000
    return not few and not short


def seconds_of(step):
    return "--seconds" if step.get("run") in ("bench playouts", *DIALOGUES) else "--max-seconds"


def values_of(text):
    try:
        return float(text)
    except ValueError:
        return 0  # refused at once


class Draw:

    def __init__(self, tables, seed, gentle=False):
        """gentle: without signals and faults."""
        self.tables, self.gentle = tables, gentle
        self.random = random.Random(seed)
        self.chance = self.random.random
        self.pick = self.random.choice
        self.graph = None  # the game of all searches of this sequence
        self.least_threads = 1  # that the plan of this sequence takes
        self.repeats = False  # in the game of this call a position can come again
        self.has_turns = False  # searches of this game may go by turns

    def sequence(self):
        """A list of steps (executor.py)."""
        kind = self.random.choices(
            ["calls", "certificate", "experiment", "lines", "repeat", "resume", "graphs"],
            [42, 16, 12, 7, 6, 9, 8])[0]
        return getattr(self, kind)()

    # ---- kinds of sequences --------------------------------------------------------------------

    def calls(self):
        outputs = ["a.cert", "b.cert.zst", "board.svg", "words.bin", "p.html"]
        return self.places(self.pick(outputs)) + [self.any_call()
                                                  for _ in range(self.random.randint(1, 4))]

    def places(self, name, pipes=True):
        """Now and then the name is no file: a link to one that is not there, to itself, a pipe."""
        if self.chance() > 0.2:
            return []
        if pipes and self.chance() < 0.3:
            return [{"pipe": name}]
        to = name if self.chance() < 0.1 else "far-" + name
        steps = [{"link": name, "to": to}]
        if to != name and self.chance() < 0.2:
            steps.append({"link": to, "to": "further-" + name})
        return steps

    def any_call(self):
        command = self.random.choices(
            ["solve", "perft", "bench playouts", "bench search", "experiment", "report", "games",
             "algorithms", "devices", "version", "check", "view", "gtp", "nboard", "cassio",
             "connect6-engine", "merge"],
            [50, 12, 10, 6, 3, 2, 1, 1, 1, 1, 3, 3, 3, 3, 2, 2, 2])[0]
        if command in DIALOGUES:
            call = self.dialogue(command)
        elif command in T.TAKES_GAME:
            call = self.search(command)
        elif command == "check":
            call = {"run": "check", "arguments": [self.pick(NAMES)], "options": []}
        elif command == "view":
            call = self.view(self.pick(NAMES))
        else:
            arguments = [self.pick(NAMES)] if command in ("experiment", "report", "merge") else []
            options = [["--dry-run"]] if command == "experiment" else []
            if command == "merge":
                options = [["--store", self.pick(["r.db", "s.db", "x.db"])]]
            if command == "report":
                options = [["--format", "csv"]] + ([["--kind", "compare"]] if self.chance() < 0.1 else [])
            call = {"run": command, "arguments": arguments, "options": options}
        return self.disturbed(call)

    def dialogue(self, command):
        """Commands of a window, some of them nonsense; no end of thinking is waited for long."""
        lines = [self.pick(DIALOGUES[command]) if self.chance() < 0.9 else self.nonsense()
                 for _ in range(self.random.randint(0, 12))]
        if command == "connect6-engine":
            return {"run": command, "arguments": [], "options": [["--work", self.pick(["1", "1000"])]],
                    "stdin": "\n".join(lines) + self.pick(["", "\n"]), "seconds": 4}
        options = [["--threads", "2"]]
        if command != "cassio":
            options += [["--seconds", "0.01"], ["--playouts", "32"]]
        if self.chance() < 0.3:
            options.append(["--algorithm", self.pick(["pn", "dfpn:leaf=unit", "ppn:playouts=4"])])
        if self.chance() < 0.3:
            options.append(["--workers", self.pick(["1", "2", "3"])])
        if command == "gtp" and self.chance() < 0.3:
            options.append(["--swap"])
        sizes = ["hex:size=2", "hex:size=3", "hex:rows=2,columns=3", "hex:size=4"]
        return {"run": command, "arguments": [self.pick(sizes)] if command == "gtp" else [],
                "options": options, "stdin": "\n".join(lines) + self.pick(["", "\n"]), "seconds": 4}

    def graphs(self):
        """A drawn graph, sometimes one with a letter changed, and searches of it."""
        number = self.random.randrange(10**6)
        text, name = rules.Graph(f"{number}.graph").file_text(), f"{number}.graph"
        state = "good"
        if self.chance() < 0.15:
            at = self.random.randrange(len(text))
            text, name, state = text[:at] + self.pick("n0 \n#:,=\xff\0") + text[at + 1:], "other.graph", "unknown"
        self.graph = "graph:file=" + (name if self.chance() < 0.97 else "none.graph")
        steps = getattr(self, self.pick(["calls", "certificate", "repeat", "resume"]))()
        return [{"write": name, "text": text, "is": state}] + [step for step in steps if step.get("run") != "view"]

    def certificate(self):
        """Write one, damage or kill on the way, check it with and without questions."""
        name = self.pick(["a.cert", "b.cert.zst"])
        steps = self.places(name)
        for _ in range(self.random.randint(1, 2)):
            call = self.search("solve", small=self.chance() < 0.8)
            call["options"] = [o for o in call["options"] if o[0] not in
                               ("--position-file", "--certificate")] + [["--certificate", name]]
            steps.append(self.disturbed(call) if self.chance() < 0.4 else call)
            if self.chance() < 0.4:
                steps.append(self.damage(name))
            steps.append(self.check(name, call))
            if self.chance() < 0.4:
                steps.append(self.disturbed(self.view(name)))
        return steps

    def view(self, name):
        """A page; now and then with --serve besides, which must be refused: alone it does not end."""
        call = {"run": "view", "arguments": [name],
                "options": [["--output", self.pick(["p.html", "p.html", name])]]}
        if self.chance() < 0.15:
            call["options"].append(["--serve", self.pick(["0", "8080", "65536"])])
        self.common(call, ["--max-memory"])
        return call

    def check(self, name, call):
        options = []
        if self.chance() < 0.5:
            position = next((o[1:] for o in call["options"] if o[0] == "--position"), [""])
            asked = [["--game", *call["arguments"]], ["--position", *position],
                     ["--goal", self.pick(["win", "draw", "value", "score>=1", "go"])],
                     ["--verdict", self.pick(["proved", "disproved", "win", "3", "\xff"])],
                     ["--json"], ["--nothing"]]
            options = self.random.sample(asked, self.random.randint(1, 3))
        return {"run": "check", "arguments": [name], "options": options}

    def experiment(self):
        """A plan, run in parts, killed and damaged on the way, then to its end; a report."""
        text, runs, good = plans.draw(self.random)
        self.least_threads = plans.most_workers(text) if good else 1
        steps = [{"write": "plan.toml", "text": text, "is": "good" if good else "bad"}]
        if good:
            steps[0]["runs"] = runs
        store = self.pick(["r.db", "r.db", "s.db"])
        for _ in range(self.random.randint(0, 2)):
            call = self.run_plan(store)
            if self.chance() < 0.6 and not self.gentle:
                call["kill"] = [int(self.pick([signal.SIGTERM, signal.SIGKILL, signal.SIGINT])),
                                round(self.random.uniform(0, 0.05), 4)]
            steps.append(self.disturbed(call) if self.chance() < 0.2 else call)
        if self.chance() < 0.2:
            steps.append(self.damage(self.pick([store, "plan.toml"])))
        steps += [self.run_plan(store), self.run_plan("t.db")]
        if self.chance() < 0.4:
            steps += self.merges(store)
        if self.chance() < 0.25:
            return steps + self.foreign(store)
        form = self.pick(["csv", "json"]) if self.chance() < 0.95 else self.pick(["text", "html"])
        report = {"run": "report", "arguments": [store], "options": [["--format", form]],
                  "seconds": 5, "bytes": 512 << 20}
        if self.chance() < 0.3 or form == "html":
            report["options"].append(["--output", "report.out"])
        if form in ("text", "html") and self.chance() < 0.7:
            report["options"].append(["--kind", self.pick(T.KINDS)])
        return steps + ([report] if self.chance() < 0.12 else [])

    def merges(self, store):
        """The stores of a plan into another or a new one, killed and starved on the way."""
        steps = []
        if self.chance() < 0.2:
            steps.append(self.damage(self.pick([store, "t.db"])))
        for _ in range(self.random.randint(1, 3)):
            call = {"run": "merge", "arguments": self.pick([[store, "t.db"], ["t.db"], [store]]),
                    "options": [["--store", self.pick(["m.db", "m.db", "t.db", "s.db"])]],
                    "seconds": 2}
            if self.chance() < 0.4 and not self.gentle:
                call = self.kill(call)
            steps.append(self.disturbed(call) if self.chance() < 0.2 else call)
        return steps + [self.run_plan("m.db")]

    def foreign(self, store):
        """Somebody else's store, with something that is not of ours: whoever reads or writes it refuses it."""
        steps = [{"alter": store, "sql": self.pick(FOREIGN)}, self.run_plan(store)]
        for sources, into in self.random.sample([([store], "x.db"), (["t.db", store], "x.db"), (["t.db"], store)], 2):
            steps.append({"run": "merge", "arguments": sources, "options": [["--store", into]], "seconds": 2})
        return steps

    def run_plan(self, store):
        options = [["--store", store], ["--threads", str(self.random.randint(self.least_threads, 4))]]
        if self.chance() < 0.2:
            options.append(["--shard", self.pick(["1/2", "2/2", "3/7", "0/2", "1/0", "x", "2/1"])])
        if self.chance() < 0.2:
            options.append(["--backend", self.pick(["cpu", "reference", "auto", "cpo"])])
        return {"run": "experiment", "arguments": ["plan.toml"], "options": options, "seconds": 5}

    def lines(self):
        """Positions by the line, some of them nonsense."""
        game = self.pick(SMALL)
        texts = []
        for _ in range(self.random.randint(0, 6)):
            texts.append(self.position(game) if self.chance() < 0.6 else
                         self.pick(RECORDS) if self.chance() < 0.5 else self.nonsense())
        text = self.pick(["\n", "\n", "\r\n"]).join(texts) + self.pick(["", "\n"])
        call = self.search("solve", small=True)
        call["arguments"] = [game]
        call["options"] = [o for o in call["options"]
                           if o[0] not in ("--position", "--goal", "--certificate", "--svg",
                                           "--board")]
        if self.chance() < 0.4:
            name = self.pick(sorted(T.WITH_TABLE))
            options = ["leaf=unit", "playouts=4", "leaf=unit,table=1KiB"]
            if name == "dfppn":
                options = ["playouts=4", "playouts=4,table=1KiB"]
            algorithm = name + ":" + self.pick(options)
            call["options"] = [o for o in call["options"]
                               if o[0] not in ("--algorithm", "--pipeline")]
            call["options"] += [["--algorithm", algorithm], ["--keep-table"]]
        if self.chance() < 0.5:
            call["stdin"] = text
            call["options"].append(["--position", "-"])
            return [self.disturbed(call) if self.chance() < 0.2 else call]
        call["options"].append(["--position-file", "lines.txt"])
        return [{"write": "lines.txt", "text": text, "is": "unknown"}, call]

    def repeat(self):
        """The same call twice: the same counts. Then with other threads, by another engine."""
        call = self.search(self.pick(["solve", "bench playouts"]), small=self.chance() < 0.5)
        call["options"] = [o for o in call["options"] if o[0] not in
                           ("--json", "--seconds", "--max-seconds", "--threads",
                            "--board")] + [["--json"]]
        if call["run"] == "bench playouts":
            call["options"] = [["--playouts", str(self.random.randint(1, 500))], ["--json"]]
        return [call | {"twice": True},
                call | {"options": call["options"] + [["--threads", self.pick("1238")]]}]

    def resume(self):
        """A search, and the same in pieces: limited, killed, damaged, resumed."""
        call = self.search("solve", small=self.chance() < 0.5)
        call["options"] = [o for o in call["options"] if o[0] not in
                           ("--json", "--max-seconds", "--max-memory", "--certificate", "--board")]
        call["options"] += [["--json"]]
        certificate = self.pick(["a.cert", "b.cert.zst"])
        if self.chance() < 0.4:
            call["options"].append(["--certificate", certificate])
        self.several_batches(call)
        limit = next((int(o[1]) for o in call["options"] if o[0] == "--max-nodes"), 2000)
        # Of earlier claims a file is believed, and may be made up to say what it likes.
        forges = not any(o[0] == "--goal" and o[1] in ("value", "score") for o in call["options"])
        call["parts"] = [self.part(limit, forges) for _ in range(self.random.randint(1, 4))]
        steps = self.places("run.ckpt", pipes=False) + self.places(certificate)
        return steps + [call] + ([self.view("run.ckpt")] if self.chance() < 0.5 else [])

    def several_batches(self, call):
        """In every other tree search: what a file says of leaves under way is there only then."""
        algorithm = next(o[1] for o in call["options"] if o[0] == "--algorithm")
        if algorithm.partition(":")[0] in T.WITH_TABLE or self.chance() < 0.5:
            return
        call["options"] = [o for o in call["options"] if o[0] not in ("--batch", "--pipeline")]
        call["options"] += [["--batch", self.pick(["1", "2", "3", "5", "8"])],
                            ["--pipeline", self.pick(["2", "3", "4", "7"])]]

    def part(self, limit, forges):
        part = {}
        if self.chance() < 0.5:
            part["nodes"] = self.random.randint(1, max(1, limit))
        if not self.gentle and self.chance() < 0.5:
            part |= {"kill": self.kill({})["kill"]}
        elif not self.gentle and self.chance() < 0.3:
            part |= {"fault": self.fault({"run": "solve"})["fault"]}
        if self.chance() < 0.2:
            part["damage"] = self.damage("")
        if forges and self.chance() < 0.2:
            part["damage"] = {"how": "forge", "at": self.chance(), "bit": self.random.randint(0, 7)}
        if self.chance() < 0.3:
            part["options"] = [["--progress", "json"]]
        return part | {"repeat": self.chance() < 0.5}

    # ---- arguments -----------------------------------------------------------------------------

    def search(self, command, small=None):
        """A legal call of a command that takes a game."""
        small = self.chance() < 0.6 if small is None else small
        game = self.graph or self.pick(SMALL if small else BIG)
        small = small and not self.graph  # it may never end
        self.repeats = game.startswith(("graph", "loa"))
        self.has_turns = game.startswith("connect6")
        options = []
        if self.chance() < 0.6:
            options.append(["--position", self.position(game)])
        call = {"run": command, "arguments": [game], "options": options}
        getattr(self, "options_of_" + command.replace(" ", "_"))(call, small)
        if self.chance() < 0.7:
            options.append(["--json"])
        if command == "solve" and self.chance() < (0.02 if ["--json"] in options else 0.4):
            options.append(["--format", self.pick(["text", "obf", "ggf", "sgf", "sgf", "png"])])
        self.random.shuffle(options)
        return call

    def options_of_solve(self, call, small):
        options, game = call["options"], call["arguments"][0]
        most_children = 361 if not small and ("19" in game or game == "connect6") else 64
        algorithm, playouts = self.algorithm(most_children)
        options.append(["--algorithm", algorithm])
        searched = options[-1]
        backend = "reference" if self.chance() < 0.1 else None
        if backend is None and self.chance() < 0.2:
            backend = self.pick(["auto", "cpu", "fake", "cuda", "scalar", "check:every=1",
                                 "check:of=reference,against=cpu,every=2", "latency:of=cpu,us=1"])
        if backend:
            options.append(["--backend", backend])
        if self.chance() < 0.5:
            goals = ["win", "draw", "value"] + (["score", "score>=0", "score>=-3", "score>=+2",
                                                "score>=-16"]
                                               if game.startswith("othello") else [])
            options.append(["--goal", self.pick(goals)])
        slow = backend is not None and ("reference" in backend or "check" in backend)
        while playouts and 1 / self.affordable(game, playouts, slow, small) > 50:
            # One node would take longer than a call may.
            searched[1], playouts = self.algorithm(most_children)
        nodes = self.nodes(game, playouts, slow, small)
        if not small and re.search("connections|resistance|widening=0*[.]?0*[1-9]", searched[1]):
            nodes = min(nodes, 100)  # an H-search of 19x19 takes some 30 ms
        if not small and re.search("probe=vc[ds]t|turns=", searched[1]):
            nodes = min(nodes, 20)  # so many pairs of stones may take a tenth of a second
        if nodes or self.chance() < 0.3:
            options.append(["--max-nodes", str(nodes or self.random.randint(1, 3000))])
        self.common(call, ["--seed", "--threads", "--max-memory", "--max-seconds"])
        if call["run"] == "solve":
            self.common(call, ["--batch", "--progress", "--selfcheck"])
            if searched[1].partition(":")[0] not in T.WITH_TABLE:
                self.common(call, ["--pipeline"])
            if searched[1].partition(":")[0] in T.WITH_WORKERS or self.chance() < 0.1:
                self.common(call, ["--workers"])
            if T.workers_of(options) > 1 and "policy=" not in searched[1] and self.chance() < 0.5:
                policies = self.tables.algorithms["dfpn"]["policy"]["words"]
                more = self.pick([*policies, "depth,jobdepth=1", "depth,jobdepth=3"])
                if "jobdepth=" in searched[1]:
                    more = self.pick(policies)
                searched[1] += ("," if ":" in searched[1] else ":") + "policy=" + more
            if T.workers_of(options) > 1 and "tablelock=" not in searched[1] and self.chance() < 0.3:
                searched[1] += ("," if ":" in searched[1] else ":") + "tablelock=on"
            if self.chance() < 0.15:
                options.append(["--certificate", self.pick(["a.cert", "b.cert.zst"])])
            if self.chance() < 0.1:
                options.append(["--svg", "board.svg"])
            if self.chance() < 0.1:
                options.append([self.pick(["--board", "--no-board"])])

    @staticmethod
    def affordable(game, playouts, slow, small):
        """How many nodes keep the call cheap: a share of one, where one takes long."""
        plies = 10 if small else 400 if "19" in game or game == "connect6" else 64
        return 0.1 / (playouts * plies * (2000e-9 if slow else 20e-9))

    def nodes(self, game, playouts, slow, small):
        """A limit that keeps the call cheap; 0: none is needed."""
        most = int(self.affordable(game, playouts, slow, small)) if playouts else 3000
        if small and (not playouts or most > 20000):
            return 0
        return max(1, min(3000, most))

    def options_of_bench_search(self, call, small):
        self.options_of_solve(call, small)
        call["options"] += [["--repeat", self.pick(["1", "2"])]]
        if self.chance() < 0.4:
            call["options"].append(["--batch", self.pick(["1", "1,8", "64,2,1"])])
        tables = any(o[0] == "--algorithm" and o[1].partition(":")[0] in T.WITH_TABLE
                     for o in call["options"])
        if self.chance() < 0.2 and not tables:
            call["options"].append(["--pipeline", self.pick(["1", "2", "1,3"])])
        call["seconds"] = 4

    def options_of_bench_playouts(self, call, _small):
        options = call["options"]
        form = self.pick(["playouts", "seconds", "leaves"])
        engine = self.pick(["cpu", "sliced", "reference", "scalar", "cuda", None])
        most = 100 if engine == "reference" else 5000
        if form == "seconds":
            options.append(["--seconds", "0.01"])
        elif form == "playouts":
            options.append(["--playouts", str(self.random.randint(1, most))])
        else:
            options += [["--leaves", self.pick(["1", "2", "9", "10000000"])]]
            if call["arguments"][0] not in SMALL:
                options[-1][1] = "3"
            options.append(["--playouts-per-leaf", self.pick(["1", "31", "64"])])
        if engine:
            options.append(["--engine", engine])
        if form != "seconds" and self.chance() < 0.2:
            options.append(["--dump-words", "words.bin"])
        if form != "seconds" and self.chance() < 0.2:
            options.append(["--batch-words", self.pick(["1", "7", "1048576"])])
        self.common(call, ["--seed", "--threads"])
        call["seconds"] = 2

    def options_of_perft(self, call, small):
        call["options"].append(["--depth", str(self.random.randint(0, 4 if small else 1))])
        if self.chance() < 0.3:
            call["options"].append(["--reference"])

    def common(self, call, names):
        values = {"--seed": NUMBERS, "--threads": ["1", "2", "3", "16"],
                  "--max-memory": ["1", "1000", "64KiB", "1MiB", "2GiB"],
                  "--max-seconds": ["1e-9", "0.001", "0.05", "1000000"],
                  "--batch": ["1", "2", "8", "64", "1048576"],
                  "--pipeline": ["1", "2", "3", "64"], "--workers": ["1", "2", "3", "5"],
                  "--progress": ["auto", "json", "none"], "--selfcheck": ["0", "1", "2", "3"]}
        for name in names:
            if name in self.tables.has[call["run"]] and self.chance() < 0.15:
                call["options"].append([name, self.pick(values[name])])

    def algorithm(self, most_children=64):
        """A text from the option tables, and the playouts that a node of it takes: where nodes are
        calls, all children of one are played."""
        name = self.pick(sorted(self.tables.algorithms))
        options = self.tables.algorithms[name]
        chosen = self.random.sample(sorted(options), self.random.randint(0, len(options)))
        given = {option: self.value_of(options[option]) for option in chosen}
        if given.get("searchers", "1") == "1" and self.chance() < 0.9:  # who has a policy of jobs is one of several
            given.pop("policy", None)
        if self.chance() < 0.9:  # what says something of a few searches alone is refused in the others
            given.pop("tablelock", None)
            if given.get("policy") != "depth":
                given.pop("jobdepth", None)
        if self.chance() < 0.9:  # turns go with few options, and not with most games
            if not self.has_turns:
                given.pop("turns", None)
            if given.get("turns", "stones") == "stones":
                given.pop("replies", None)
            else:
                given = {option: value for option, value in given.items() if option in T.ON_TURNS}
        given = [option + "=" + value for option, value in given.items()]
        text = name + (":" + ",".join(given) if given else "")
        if self.repeats and re.search(UNSAFE, text):
            return self.algorithm(most_children)
        read = T.algorithm(self.tables, text)
        if read is None:
            return text, 1
        children = most_children if name in T.WITH_TABLE else 1
        return text, children * int(read[1].get("playouts", 0))

    def value_of(self, option):
        """Of the range, with its ends; now and then just outside."""
        if option["type"] == "word":
            return self.pick(option["words"])
        if option["name"] == "turns":
            return self.pick(["stones", "all", "1", "5", "1000", "0", "1001", "", "all5"])
        if option["type"] == "text":
            return self.pick(["1", "1KiB", "64KiB", "1MiB", "256MiB", "0", "", "1 KiB", "7TiB"])
        least, most = option["min"], option["max"]
        if self.chance() < 0.03:
            return str(self.pick([least - 1, most + 1, "", "x"]))
        if option["type"] == "integer":
            return str(self.pick([least, min(most, least + 1), 10, 31, 32, 33,
                                  most if self.chance() < 0.1 else least]))
        near = [least, most, (least + most) / 2, self.random.uniform(least, min(most, 3))]
        return repr(float(self.pick(near)))

    def position(self, game):
        """A position that play leads to; sometimes the initial or a finished one."""
        found = T.game(self.tables, game)
        if isinstance(found, rules.Graph):
            return self.pick([*found.names, ""])
        state, moves = found.initial(), []
        for _ in range(self.pick([0, 1, 2, 3, 5, 8, 13, 99]) if found.initial() else 0):
            if found.finished(state) or len(moves) > 20:
                break
            moves.append(self.pick(found.moves(state)))
            state = found.play(state, moves[-1])
        if isinstance(found, (rules.Othello, rules.Loa)):
            return found.text_of(state)
        text = " ".join(found.text(move) for move in moves)
        return text + self.pick(["", "", "", " ", "\t"]) if self.chance() < 0.2 else text

    def nonsense(self):
        size = self.pick([0, 1, 3, 30, 300])
        alphabet = self.pick(["abc123 ", "\x00\xff\x80 a1", "XO- ", "-;B[J]W", "0123456789 "])
        return "".join(self.pick(alphabet) for _ in range(size))

    # ---- what goes wrong -----------------------------------------------------------------------

    def disturbed(self, call):
        """The call with an argument spoilt, a signal or a fault, in one case of three."""
        if self.chance() < 0.65:
            return call
        spoilers = [self.spoil_value, self.spoil_value, self.spoil_options]
        call = self.pick(spoilers + ([] if self.gentle else [self.kill, self.fault]))(call)
        if call["run"] == "view" and "--output" not in [o[0] for o in call["options"]]:
            call["options"] = [o for o in call["options"] if o[0] != "--serve"]
        if endless(call):
            limit = seconds_of(call)
            call["options"] = [o for o in call["options"] if o[0] != limit] + [[limit, "0.05"]]
        return call

    def spoil_value(self, call):
        named = [o for o in call["options"] if len(o) > 1]
        if call["arguments"] and (not named or self.chance() < 0.25):
            call["arguments"] = [self.pick(WRONG_NAMES)]
        elif named:
            option = self.pick(named)
            wrong = {"--algorithm": WRONG_NAMES, "--backend": WRONG_NAMES,
                     "--position": [self.nonsense().replace("\0", "?")],
                     "--certificate": ["none/a.cert", ".", ""],
                     "--svg": ["none/b.svg", ".", "", "--json"], "--dump-words": ["none/w", "."],
                     "--goal": ["lose", "score>=", "score>=99", "score>=x", "", "WIN", "\xff"]}
            option[1] = self.pick(wrong.get(option[0], WRONG_NUMBERS))
        return call

    def spoil_options(self, call):
        options = call["options"]
        change = self.pick(["drop", "double", "unknown", "bare", "extra", "contract"])
        if change == "drop" and options:
            options.remove(self.pick(options))
        elif change == "double" and options:
            options.append(list(self.pick(options)))
        elif change == "bare" and options:
            del self.pick(options)[1:]
        elif change == "extra":
            call["arguments"] = call["arguments"] + ["extra"]
        elif change == "contract" and call["run"] in T.COMMANDS:
            has = self.tables.has[call["run"]]
            lacking = sorted(set(T.COMMANDS[call["run"]]) - has)
            options.append([self.pick(lacking or ["--nothing"]), "1"])
        else:
            options.append([self.pick(["--nothing", "-x", "--sead", "--json=1", "--", "--=3"])])
        return call

    def kill(self, call):
        number = self.pick([signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
        return call | {"kill": [int(number), round(self.random.uniform(0, 0.02), 4)]}

    def fault(self, call):
        if call["run"] == "report":
            return call | {"fault": {"stdout": "full"}}  # Python itself does not start with less
        fault = self.pick([{"stdout": "full"}, {"file_size": self.pick([0, 1, 100, 4096])},
                           {"memory": self.tables.least_memory + (self.pick([0, 8, 24, 40, 104]) << 20)},
                           {"allocation": int(10 ** self.random.uniform(0, 4)),
                            "times": self.pick([1, 1000000])}])
        return call | {"fault": fault}

    def damage(self, name):
        return {"damage": name, "how": self.pick(["flip", "flip", "cut", "zero", "append", "empty"]),
                "at": round(self.chance(), 6), "bit": self.random.randint(0, 7)}
