"""Runs a sequence of steps in a folder of its own and holds every answer against the model.

A step is a dict with one of
  run      a call: the command ("solve", "bench playouts", ..., "check" for playproof-check), with
           arguments, options, and if wanted stdin, kill = [signal, seconds], fault = {stdout,
           file_size, memory, allocation}, twice = true; parts = [{nodes, kill, fault, damage,
           options, repeat}, ...]: the search once more in pieces, each going on from the
           checkpoint of the one before
  write    a file: its name, with text (one character a byte) and is = good, bad or unknown
  alter    a store: its name, with sql that makes it another one than ours
  damage   a file: its name, with how (flip, cut, zero, append, empty, forge: of a checkpoint, with
           the right checksum) and at = 0..1
  link     a symbolic link: its name, with to; or pipe: the name of one, which calls find a reader at
Files are named relative to the folder.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import tempfile
from xml.etree import ElementTree

import child
import model
import places
import rules
import tables as T
from model import BAD, GOOD, PARTIAL, UNKNOWN

COUNTS = ["verdict", "value", "score", "iterations", "nodes_created", "nodes_expanded",
          "evaluations", "playouts", "max_depth", "best_move", "principal_variation",
          "tally_checksum", "leaves"]
CHECKPOINT = "run.ckpt"
EXTRA_SECONDS = 3  # beyond the work that was asked for: one node by the reference rules may take 2
FREE_BYTES = 256 << 20  # that any call may take


def several_searchers(call):
    """Their tree of jobs is not saved, so that a resumed search has other counts; those on threads always have."""
    return T.workers_of(call["options"]) > 1 or any(
        o[0] == "--algorithm" and re.search("searchers=0*([2-9]|1[0-9])", o[1]) for o in call["options"])


class Failure(Exception):
    """An answer that the model forbids: rule is its short name."""

    def __init__(self, rule, text):
        super().__init__(text)
        self.rule = rule


class Executor:

    def __init__(self, program, checker, tables):
        self.program, self.checker, self.tables = program, checker, tables
        self.truths = {}  # (game, position) -> rules, state and all values below it, or None
        # Memory is enough for these files, and syncing them costs nothing there.
        self.place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

    def run(self, steps, afterwards=(), seen=None):
        """The Failure of the sequence, with .step, or None. `afterwards` are steps too, left out where
        files and what the model knows of them are in one of the states `seen`: they were run there
        before."""
        self.folder = tempfile.mkdtemp(prefix="adversary-", dir=self.place)
        self.files = places.Files()  # name -> GOOD, BAD, UNKNOWN
        self.forged = False  # what is resumed was made up
        self.plans = {}    # name of a good plan -> number of runs
        self.verdicts = {}  # (game, position, goal) -> verdict, value or score
        self.rows = {}     # key of a run -> its counts
        self.calls = 0
        number = 0
        try:
            for number, step in enumerate(steps):
                self.step(step)
            state = self.state()
            if seen is None or state not in seen:
                for number, step in enumerate(afterwards, len(steps)):
                    self.step(step)
            if seen is not None:
                seen.add(state)
            return None
        except Failure as failure:
            failure.step = number
            return failure
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def state(self):
        """What calls that follow can depend on."""
        found = []
        for folder, _, names in sorted(os.walk(self.folder)):
            for name in sorted(names):
                if not os.path.isfile(os.path.join(folder, name)):
                    continue
                with open(os.path.join(folder, name), "rb") as file:
                    found.append((folder[len(self.folder):], name, file.read()))
        return hashlib.sha256(repr((found, self.files, self.plans)).encode()).digest()

    def path(self, name):
        return os.path.join(self.folder, os.fsdecode(name.encode("latin-1")))

    def step(self, step):
        if "write" in step:
            with open(self.path(step["write"]), "wb") as file:
                file.write(step["text"].encode("latin-1"))
            self.files[step["write"]] = step["is"]
            self.plans.pop(step["write"], None)
            if "runs" in step:
                self.plans[step["write"]] = step["runs"]
        elif "alter" in step:
            self.alter(step)
        elif "damage" in step:
            self.damage(step)
        elif "link" in step or "pipe" in step:
            self.make_place(step)
        else:
            first = self.call(step)
            if step.get("twice") and "kill" not in step:
                second = self.call(step)
                if "kill" not in step and "fault" not in step:
                    self.same(step, first, second)
            if "parts" in step and not {"kill", "fault"} & set(step):
                self.in_parts(step, first)

    def make_place(self, step):
        name = step.get("link", step.get("pipe"))
        if os.path.lexists(self.path(name)):
            return
        if "link" in step:
            os.symlink(step["to"], self.path(name))
            self.files.links[name] = step["to"]
        else:
            os.mkfifo(self.path(name))
            self.files.pipes.add(name)

    # ---- a search in pieces --------------------------------------------------------------------

    def in_parts(self, step, whole):
        """Killed, limited, damaged and resumed: verdict, counts and proof of the whole run."""
        if whole[0] not in (model.DECIDED, model.UNDECIDED) or whole[1] is None:
            return
        proof = self.proof(step)
        for part in step["parts"]:
            self.call(self.part_of(step, part))
            if "damage" in part:
                self.damage(part["damage"] | {"damage": CHECKPOINT})
        last = self.part_of(step, {"repeat": True})
        joined = self.call(last)
        if joined[0] == model.DATA and self.files.get(CHECKPOINT) == UNKNOWN:
            return  # both generations are damaged
        if joined[0] == model.USAGE:
            return  # the model knows which algorithms have no checkpoints
        if joined[0] == model.NO_OUTPUT and self.files.end(CHECKPOINT) is None:
            return  # links in a circle
        if self.forged or several_searchers(step):
            return  # another way, to the same verdict
        if joined != whole:
            raise Failure("resume", f"{step}: {whole}, in parts {joined}")
        if self.proof(step) != proof:
            raise Failure("resume", f"{step}: another certificate")

    def part_of(self, step, part):
        """The call that begins the search or goes on with it."""
        resumes = os.path.exists(self.path(CHECKPOINT))
        options = [o for o in step["options"] if not ("nodes" in part and o[0] == "--max-nodes")]
        arguments = step["arguments"]
        if resumes and not part.get("repeat"):
            arguments = []
            options = [o for o in options if o[0] not in
                       ("--algorithm", "--position", "--goal", "--seed", "--batch", "--pipeline")]
        options = options + part.get("options", []) + [["--checkpoint", CHECKPOINT],
                                                       ["--checkpoint-every", "0.0001"]]
        if "nodes" in part:
            options.append(["--max-nodes", str(part["nodes"])])
        if resumes:
            options.append(["--resume", CHECKPOINT])
        if self.forged:
            part = part | {"forged": True}
        return {"run": "solve", "arguments": arguments, "options": options, "question": step} | {k: part[k] for k in ("kill", "fault", "forged") if k in part}

    def proof(self, step):
        name = self.option(step, "--certificate")
        if not name or not os.path.isfile(self.path(name)):
            return None
        with open(self.path(name), "rb") as file:
            return file.read()

    def damage(self, step):
        name = step["damage"]
        if not os.path.isfile(self.path(name)):
            return
        with open(self.path(name), "rb") as file:
            old = file.read()
        at = int(step["at"] * max(0, len(old) - 1))
        new = {"flip": lambda: old[:at] + bytes([old[at] ^ (1 << step.get("bit", 0))]) +
               old[at + 1:] if old else b"",
               "cut": lambda: old[:at], "zero": lambda: old[:at] + bytes(len(old) - at),
               "append": lambda: old + bytes([at % 256, 10]), "empty": lambda: b"",
               "forge": lambda: places.forged(old, step["at"], step.get("bit", 0)) or old}[step["how"]]()
        if new == old:
            return
        self.forged = self.forged or step["how"] == "forge"
        with open(self.path(name), "wb") as file:
            file.write(new)
        # A bit of a compressed file may mean nothing: the text behind it is the same (and held to
        # be by tests/certificates/damage_test.cpp).
        certificate = ".cert" in name and (step["how"] != "flip" or not name.endswith(".zst"))
        self.files[name] = BAD if certificate and self.files.get(name) == GOOD else UNKNOWN
        self.plans.pop(name, None)

    def alter(self, step):
        """Of a store that may hold nothing yet, or where the SQL meets no row, nothing is changed."""
        name = step["alter"]
        if not os.path.isfile(self.path(name)) or self.files.get(name) not in (GOOD, PARTIAL):
            return
        with contextlib.closing(sqlite3.connect(self.path(name))) as database:
            def described():
                return [database.execute(f"PRAGMA {word}").fetchall() for word in ("user_version", "application_id")] + \
                    database.execute("SELECT * FROM sqlite_master").fetchall()
            try:
                before = described()
                with contextlib.suppress(sqlite3.Error):  # there is no such table
                    database.executescript(step["sql"])
                changed = database.total_changes > 0 or described() != before
            except sqlite3.Error:  # killed before it was a store
                changed = False
            if changed:
                self.files[name] = BAD

    # ---- one call ------------------------------------------------------------------------------

    def command(self, call):
        words = [self.checker] if call["run"] == "check" else [self.program, *call["run"].split()]
        options = [word for option in call["options"] for word in option]
        return [w.encode("latin-1") for w in words + call["arguments"] + options]

    def call(self, call):
        if any(self.files.is_pipe(name) for name in self.reads(call)):
            return None, None  # it would wait for ever
        allowed = model.expected(call, self.tables, self.files)
        before = self.listing()
        pipes = {o[1] for o in call["options"] if len(o) > 1 and self.files.is_pipe(o[1])}
        with places.Readers({name: self.path(name) for name in pipes}) as readers:
            ended = child.run(self.command(call), self.folder,
                              call.get("stdin", "").encode("latin-1"), call.get("kill"),
                              call.get("fault"))
        self.calls += 1
        for name in pipes:
            self.check_piped(call, ended, name, readers.read[name])
        self.check_places(call, ended)
        self.check_end(call, ended, allowed)
        self.check_streams(call, ended)
        self.check_cost(call, ended)
        self.check_files(call, ended, before)
        return self.learn(call, ended, before)

    def reads(self, call):
        files = call["run"] in ("check", "view", "experiment", "report", "merge")
        names = call["arguments"] if files else []
        return [*names, *(o[1] for o in call["options"] if len(o) > 1 and o[0] == "--resume")]

    def check_places(self, call, ended):
        """Links lead where they led, and pipes are pipes."""
        for name, to in self.files.links.items():
            if not os.path.islink(self.path(name)) or os.readlink(self.path(name)) != to:
                self.fail("place", call, ended, f"{name} is no link to {to} any more")
        for name in self.files.pipes:
            if not stat.S_ISFIFO(os.lstat(self.path(name)).st_mode):
                self.fail("place", call, ended, f"{name} is no pipe any more")

    def check_piped(self, call, ended, name, content):
        """What came through a pipe is whole, or nothing came."""
        if ended.status < 0:
            return
        if self.option(call, "--certificate") == name:
            if not content and ended.status == model.DECIDED:
                self.fail("certificate", call, ended, "nothing came through the pipe")
            if content:
                piped = ".piped" + name[name.rindex("."):]
                with open(self.path(piped), "wb") as file:
                    file.write(content)
                check = {"run": "check", "arguments": [piped], "options": []}
                checked = child.run(self.command(check), self.folder)
                if checked.status != 0:
                    self.fail("certificate", check, checked, "the certificate is refused")
        if self.option(call, "--svg") == name and (content or ended.status == model.DECIDED):
            self.check_xml(call, ended, content)

    def fail(self, rule, call, ended, text):
        shown = (f"{text}\n  {' '.join(map(repr, self.command(call)))}\n  status {ended.status}, "
                 f"{ended.seconds:.2f} s, {ended.cpu_seconds:.2f} s of CPU, "
                 f"{ended.peak_bytes >> 20} MiB\n  stdout: {ended.out[:400]!r}\n"
                 f"  stderr: {ended.err[:400]!r}")
        raise Failure(rule, shown)

    def check_end(self, call, ended, allowed):
        if ended.hung:
            self.fail("hang", call, ended, "it did not end")
        if ended.status < 0 and ended.status not in allowed:
            self.fail("signal", call, ended, f"ended by {signal.Signals(-ended.status).name}")
        if b"Sanitizer" in ended.err or b"runtime error:" in ended.err:
            self.fail("sanitizer", call, ended, "a sanitizer reported")
        if ended.status not in allowed:
            self.fail("status", call, ended, f"allowed: {sorted(allowed)}")
        starved = {"memory", "allocation"} & set(call.get("fault", {}))
        if ended.status == 70 and starved:
            if not re.search(rb"memory|Cannot allocate|temporarily unavailable", ended.err):
                self.fail("starved", call, ended, "status 70 without saying that memory ran out")

    def check_streams(self, call, ended):
        if ended.status < 0:
            return
        lines = "--position-file" in str(call["options"]) or ["--position", "-"] in call["options"]
        failed = ended.status >= 64 or (call["run"] == "check" and ended.status > 0)
        failed = failed and ended.status != model.STOPPED  # says how far it came, on stdout
        name = b"playproof-check: " if call["run"] == "check" else b"playproof: "
        json_asked = self.asks_json(call)
        if failed and not call.get("fault"):
            if not ended.err.startswith(name):
                self.fail("stderr", call, ended, "a failure must say why")
            report = call["run"] == "check" and json_asked and ended.status in (1, 2)
            if ended.out and not lines and not report and ended.status != 70:
                self.fail("stdout", call, ended, "a failed call prints nothing on stdout")
        if ended.out and json_asked and not call.get("fault"):
            try:
                for line in ended.out.decode("utf-8").splitlines():
                    json.loads(line)
            except ValueError as error:
                self.fail("json", call, ended, f"not JSON: {error}")
        if not failed and json_asked and not ended.out and "kill" not in call and not lines:
            self.fail("json", call, ended, "no answer")

    def asks_json(self, call):
        """--json, and no option without its value before it that takes it for one."""
        options = call["options"]
        known = self.tables.options(call["run"]) if call["run"] in T.COMMANDS else T.CHECK
        return any(option == ["--json"] and
                   (i == 0 or len(options[i - 1]) > 1 or known.get(options[i - 1][0]) is None)
                   for i, option in enumerate(options))

    def check_cost(self, call, ended):
        asked = call.get("seconds", 0.5) * child.SLOWER + EXTRA_SECONDS * child.SLOWER
        if ended.cpu_seconds > asked:
            self.fail("slow", call, ended, f"more than {asked:.2f} s of CPU")
        free = FREE_BYTES + call.get("bytes", 0)
        if ended.peak_bytes > free and not child.SANITIZED:
            self.fail("memory", call, ended, f"more than {free >> 20} MiB")

    def listing(self):
        found = {}
        for name in os.listdir(os.fsencode(self.folder)):
            name = name.decode("latin-1")
            path = self.path(name)  # what a link leads to is found under its own name
            if name[0] != "." and os.path.isfile(path) and not os.path.islink(path):
                with open(self.path(name), "rb") as file:
                    found[name] = file.read()
        return found

    def check_files(self, call, ended, before):
        """Files are whole or not there; a failed call loses none."""
        after = self.listing()
        written = {o[1] for o in call["options"] if len(o) > 1 and
                   o[0] in ("--certificate", "--svg", "--dump-words", "--output", "--store")}
        saved = {o[1] + end for o in call["options"] if o[0] == "--checkpoint" and len(o) > 1
                 for end in ("", ".old")}
        journal = {w + end for w in written | set(call["arguments"])
                   for end in ("-wal", "-shm", "-journal")}
        written |= {self.files.end(name) for name in written}
        saved |= {self.files.end(o[1]) + end for o in call["options"] if o[0] == "--checkpoint" and
                  len(o) > 1 and self.files.end(o[1]) for end in ("", ".old")}
        for name in set(after) - set(before) - written - journal - saved:
            # Without memory to unwind, a lock stays behind as after a kill: empty, and free.
            starved = name.endswith(".lock") and ended.status == 70 and "fault" in call
            # A kill leaves locks, a store or a checkpoint at the moment when it changes names, and
            # what is about to take the place of another file, which is whole.
            moment = name.endswith((".lock", ".new")) or ".db" in name or (
                ".playproof-" in name and name.partition(".playproof-")[0] in before and after[name])
            if not (ended.status < 0 and moment) and not starved:
                self.fail("left", call, ended, f"left {name} behind")
        for name, content in before.items():
            kept = after.get(name) == content
            # 74 of stdout comes after the file is there.
            expected = name in written and (ended.status in (0, 70, 75) or ended.status < 0 or
                                            b"stdout: cannot write" in ended.err or "fault" in call)
            # A picture is drawn of an open question too.
            expected = expected or (name == self.option(call, "--svg") and ended.status == 2)
            expected = expected or (name in saved and name in after and
                                    ended.status not in (model.USAGE, model.DATA))
            # What a killed call left is the next one's to take away.
            store = name.endswith((".db", "-wal", "-shm", "-journal", ".new", ".lock"))
            if not kept and not expected and not store:
                self.fail("lost", call, ended, f"{name} is not what it was")

    # ---- what an answer says -------------------------------------------------------------------

    def option(self, call, name, default=None):
        values = [o[1] for o in call["options"] if o[0] == name and len(o) > 1]
        return values[-1] if values else default

    def learn(self, call, ended, before):
        """Files and verdicts that the call has made; returns its counts."""
        good = ended.status in (0, 2) and "fault" not in call
        if call["run"] == "experiment":
            self.learn_store(call, ended)
        if call["run"] == "merge":
            self.learn_merge(call, ended, before)
        if call["run"] == "solve":
            self.check_picture(call, ended, before)
            self.learn_checkpoint(call, ended)
            self.learn_certificate(call, ended, before)
        answer = None
        if good and self.asks_json(call) and call["run"] == "solve":
            for line in ended.out.splitlines():
                self.learn_verdict(call, ended, json.loads(line))
        if good and self.asks_json(call) and ended.out.count(b"\n") == 1:
            answer = json.loads(ended.out)
            if call["run"] == "perft":
                self.check_perft(call, ended, answer)
        return (ended.status, {k: answer[k] for k in COUNTS if k in answer}
                if isinstance(answer, dict) else None)

    def learn_verdict(self, call, ended, answer):
        goal = answer["goal"]
        found = answer.get("value") or answer.get("score", answer["verdict"])
        if found in (None, "unknown"):
            self.check_moves(call, ended, answer, None)
            return
        key = (answer["game"], answer["position"], goal)
        if self.verdicts.setdefault(key, found) != found:
            self.fail("verdict", call, ended, f"{found} now, {self.verdicts[key]} before")
        true = self.truth(answer["game"], answer["position"])
        if true is not None and found != model.finding(goal, true):
            self.fail("verdict", call, ended,
                      f"{found}, but trying everything says {model.finding(goal, true)}")
        self.check_moves(call, ended, answer, found)

    def check_moves(self, call, ended, answer, found):
        """The best move and the line, played out: legal, to the end of the game, and with every
        move what was found stays so. Of an undecided search (found is None): legal."""
        known = self.known(answer["game"], answer["position"])
        if known is None:
            return
        game, state, values = known
        best, line = answer["best_move"], answer["principal_variation"]
        first = game.first_to_move(state)
        if (best is not None) != (not game.finished(state) and
                                  model.names_a_move(answer["goal"], found)):
            self.fail("move", call, ended, f"the best move is {best}")
        if best is not None and line[:1] != [best] and (line or found is not None):
            self.fail("move", call, ended, f"the line does not begin with {best}")
        before = set()  # a line ends, too, where a node of a graph comes again
        for word in line or [best] * (best is not None):
            before.add(rules.node_of(state))
            try:
                move = game.read_move(word)
            except rules.Bad:
                move = None
            if game.finished(state) or move not in game.moves(state):
                self.fail("move", call, ended, f"{word} is not legal")
            state = game.play(state, move)
            value = values[state] if values else game.value(state) if game.finished(state) else None
            if found is not None and value is not None:
                led = model.finding(answer["goal"], value if first else -value)
                if led != found:
                    self.fail("move", call, ended, f"{word} leads to {led}")
        if found is not None and not game.finished(state) and rules.node_of(state) not in before:
            self.fail("move", call, ended, "the line stops before the end")

    def known(self, game, position):
        """(rules, state, values of all that it leads to: None if too many), None if it is in
        another form of text."""
        key = (game, position)
        if key not in self.truths:
            found = T.game(self.tables, game)
            try:
                state = rules.read(found, position)
                self.truths[key] = (found, state, rules.values(found, state))
            except rules.Bad:
                self.truths[key] = None
        return self.truths[key]

    def truth(self, game, position):
        """The value for the side to move, or None."""
        known = self.known(game, position)
        if known is None or known[2] is None:
            return None
        value = known[2][known[1]]
        return value if known[0].first_to_move(known[1]) else -value

    def check_perft(self, call, ended, answer):
        game = T.game(self.tables, answer["game"])
        try:
            state = rules.read(game, answer["position"])
        except rules.Bad:
            return
        right = rules.perft(game, state, answer["depth"])
        if right is not None and right != answer["leaves"]:
            self.fail("perft", call, ended, f"{answer['leaves']} leaves, not {right}")

    def learn_checkpoint(self, call, ended):
        """Whatever ended the program: what stands there can be resumed."""
        name = self.option(call, "--checkpoint")
        if not name or "/" in name or not os.path.isfile(self.path(name)):
            return
        if self.files.get(name) is None or ended.status in (0, 2, model.STOPPED):
            self.files[name] = GOOD

    def check_picture(self, call, ended, before):
        """Whatever ended the program: a new picture is a whole one."""
        name = self.option(call, "--svg")
        if self.files.is_pipe(name):
            return
        if not name or "/" in name or not os.path.isfile(self.path(name)):
            if name and ended.status in (model.DECIDED, model.UNDECIDED):
                self.fail("picture", call, ended, "there is none")
            return
        with open(self.path(name), "rb") as file:
            content = file.read()
        if content != before.get(self.files.end(name)):
            self.check_xml(call, ended, content)

    def check_xml(self, call, ended, content):
        try:
            names = [part.tag.rpartition("}")[2] for part in ElementTree.fromstring(content)]
        except ElementTree.ParseError as error:
            self.fail("picture", call, ended, f"not XML: {error}")
        if names[:2] != ["title", "desc"]:
            self.fail("picture", call, ended, f"it begins with {names[:2]}")

    def learn_certificate(self, call, ended, before):
        name = self.option(call, "--certificate")
        if not name or not os.path.isfile(self.path(name)) or "/" in name:
            return
        with open(self.path(name), "rb") as file:
            fresh = file.read() != before.get(self.files.end(name))  # also by a call that was killed then
        if ended.status == 0 or fresh:
            self.files[name] = GOOD
            asked = []
            question = call.get("question", call)
            position = self.option(question, "--position", "")
            if ended.status == 0 and not position.lstrip().startswith(";"):
                asked = ["--game", question["arguments"][0], "--position", position, "--goal",
                         self.option(question, "--goal", "win").replace("+", "")]
            check = {"run": "check", "arguments": [name], "options": [[a] for a in asked]}
            checked = child.run(self.command(check), self.folder)
            if checked.status != 0:
                self.fail("certificate", check, checked, "the certificate is refused")

    def learn_store(self, call, ended):
        name = self.option(call, "--store")
        if not name or "/" in name or not os.path.isfile(self.path(name)):
            return
        state = self.files.get(name, GOOD)
        if state not in (GOOD, PARTIAL):
            return
        self.files[name] = GOOD if ended.status == 0 else PARTIAL
        try:
            rows = self.read_store(name)
        except sqlite3.Error as error:
            if "no such table" in str(error) and ended.status != 0:
                return  # killed before there was anything
            self.fail("store", call, ended, f"the store is damaged: {error}")
        if not rows:
            self.files[name] = PARTIAL  # a shard may have no run
        for key, *counts in rows:
            if " workers=" in key:
                continue  # of several they are others when they are made again
            if self.rows.setdefault(key, counts) != counts:
                self.fail("repeat", call, ended, f"{key}: {counts}, before {self.rows[key]}")
        plan = call["arguments"][0] if call["arguments"] else ""
        whole = self.option(call, "--shard", "1/1") == "1/1" and plan in self.plans
        if ended.status == 0 and whole and len(rows) < self.plans[plan]:
            self.fail("store", call, ended, f"{len(rows)} runs of {self.plans[plan]}")

    def learn_merge(self, call, ended, before):
        """All rows of the sources, or the store as it was."""
        name = self.option(call, "--store")
        for source in set(call["arguments"]) & set(before):
            if self.listing().get(source) != before[source] and source != name:
                self.fail("lost", call, ended, f"{source} is not what it was")
        if not name or "/" in name or not os.path.isfile(self.path(name)):
            return
        if ended.status != 0 and name in before:
            if ended.status < 0 and self.files.get(name) == GOOD:
                self.files[name] = PARTIAL  # its journal has what is to be undone
            return
        self.files[name] = GOOD
        rows = {key: counts for key, *counts in self.read_store(name)}
        wanted = {}
        for source in call["arguments"] if ended.status == 0 else ():
            wanted |= {key: counts for key, *counts in self.read_store(source)}
        if any(key not in rows or (rows[key] != counts and " workers=" not in key) for key, counts in wanted.items()):
            self.fail("merge", call, ended, f"{len(rows)} runs, of {len(wanted)} in its sources")
        if not rows:
            self.files[name] = PARTIAL

    def read_store(self, name):
        """The runs, from a copy with its log: reading must not repair what the program meets."""
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            for end in ("", "-wal", "-journal"):
                if os.path.exists(self.path(name + end)):
                    shutil.copy(self.path(name + end), os.path.join(folder, "copy.db" + end))
            database = sqlite3.connect(os.path.join(folder, "copy.db"))
            try:
                if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                    raise sqlite3.Error("the integrity check fails")
                return database.execute(
                    "SELECT key, outcome, verdict, iterations, nodes_created, nodes_expanded, "
                    "playouts, max_depth FROM run").fetchall()
            finally:
                database.close()

    def same(self, call, first, second):
        if "--max-seconds" in str(call["options"]) or "--seconds" in str(call["options"]):
            return
        if T.workers_of(call["options"]) > 1:
            return  # the verdict is held against the truth; who is where, is the machine's
        if first != second:
            raise Failure("repeat", f"{call}: {first}, then {second}")
