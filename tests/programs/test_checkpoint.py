"""`solve --checkpoint`, `--resume`, `--selfcheck`: files, statuses, what is refused."""

import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from program import (BAD_DATA, DECIDED, NIGHTLY, NO_OUTPUT, PROGRAM, TABLES, TIMEOUT, UNDECIDED, USAGE,
                     ProgramTest, run)

INTERNAL = 70
STOPPED = 75
ALGORITHMS = ["pn", "pn:ties=path", "pn2", "pn2:evaluate=immediate", "deeppn", "mcpn", "ppn", "ews",
              "mcts", "uct", "uct:reward=sign", "dfpn", "pds", "pnstar", "dfppn", "dfews",
              "alphabeta:endings=0"]
LONG = ("hex:size=9", "--algorithm", "ppn:playouts=2000", "--max-memory", "1GiB")
TIMES = ("seconds", "cpu_seconds")


def crc64_of(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0xc96c5795d7870f42 if byte & 1 else 0)
    return byte


CRC64 = [crc64_of(byte) for byte in range(256)]


def crc64(data):
    """CRC-64/XZ."""
    crc = 0xffffffffffffffff
    for byte in data:
        crc = crc >> 8 ^ CRC64[(crc ^ byte) & 255]
    return crc ^ 0xffffffffffffffff


def resealed(content, change, kind=b"STAT"):
    """A checkpoint of one chunk of state whose state (or question) was changed, with the right
    checksum."""
    parts, at, number = [content[:23]], 23, 0
    while at < len(content):
        length = int.from_bytes(content[at + 4:at + 8], "little")
        payload = content[at + 8:at + 8 + length]
        if content[at:at + 4] == kind:
            payload = change(payload)
        head = content[at:at + 4] + len(payload).to_bytes(4, "little")
        crc = crc64(number.to_bytes(8, "little") + head + payload)
        parts += [head, payload, crc.to_bytes(8, "little")]
        at, number = at + 16 + length, number + 1
    return b"".join(parts)


def bounds(*values):
    return b"".join(value.to_bytes(4, "little", signed=True) for value in values)


def bounds_of(content):
    """What is known of a score, from the head of the state."""
    at = content.index(b"STAT") + 8
    return [int.from_bytes(content[i:i + 4], "little", signed=True) for i in (at, at + 4)]


class CheckpointTest(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "run.ckpt")

    def answer(self, *arguments, statuses=(DECIDED, UNDECIDED)):
        process = run("solve", *arguments, "--json")
        self.assertIn(process.returncode, statuses, process.stderr)
        answer = json.loads(process.stdout)
        return {key: value for key, value in answer.items() if key not in TIMES}

    def content(self, path=None):
        with open(path or self.path, "rb") as file:
            return file.read()

    def write(self, content, path=None):
        with open(path or self.path, "wb") as file:
            file.write(content)

    def started(self, *question, **options):
        return subprocess.Popen([PROGRAM, "solve", *question, "--checkpoint", self.path],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def wait_for(self, path):
        end = time.monotonic() + 30
        while not os.path.exists(path) and time.monotonic() < end:
            time.sleep(0.01)

    def small(self, *more, status=UNDECIDED):
        """A small checkpoint of a search that a limit ended."""
        process = run("solve", "hex:size=4", "--algorithm", "pn", "--max-nodes", "500",
                      "--checkpoint", self.path, *more)
        self.assert_status(process, status)


class Resuming(CheckpointTest):

    def test_a_larger_limit_goes_on(self):
        for number, algorithm in enumerate(ALGORITHMS):
            for goal in ("win", "value") if NIGHTLY else (("win", "value")[number % 2],):
                with self.subTest(algorithm=algorithm, goal=goal):
                    path = os.path.join(self.folder, algorithm + goal)
                    question = ("othello:size=4", "--algorithm", algorithm, "--goal", goal)
                    whole = self.answer(*question)
                    for limit in ("300", "900", "2000"):
                        more = ("--resume", path) if os.path.exists(path) else question
                        part = self.answer(*more, "--max-nodes", limit, "--checkpoint", path)
                        self.assertLessEqual(part["nodes_created"], int(limit))
                    self.assertEqual(self.answer("--resume", path), whole)

    def test_a_decided_search_can_be_asked_again(self):
        certificate = os.path.join(self.folder, "a.cert")
        question = ("hex:size=3", "--algorithm", "uct")
        whole = self.answer(*question, "--checkpoint", self.path, "--certificate", certificate)
        proof = self.content(certificate)
        os.remove(certificate)
        again = self.answer("--resume", self.path, "--certificate", certificate)
        self.assertEqual(again, whole)
        self.assertEqual(self.content(certificate), proof)

    def test_a_signal_saves_and_says_75(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.started(*LONG, "--json", "--checkpoint-every", "0.05", text=True) as process:
                self.wait_for(self.path + ".old")  # the beginning: the search has come further
                process.send_signal(number)
                out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, STOPPED, err)
            stopped = json.loads(out)
            self.assertGreater(stopped["iterations"], 0)
            again = self.answer("--resume", self.path, "--max-nodes", "1")
            for key in ("iterations", "nodes_created", "playouts", "best_move"):
                self.assertEqual(again[key], stopped[key])
            os.remove(self.path)
            os.remove(self.path + ".old")

    def test_the_second_signal_ends_at_once(self):
        endless = ("hex:size=9", "--algorithm", "ppn:playouts=1000000", "--backend", "reference", "--batch", "100000")
        with self.started(*endless) as process:
            self.wait_for(self.path)
            time.sleep(0.3)  # until the batch is in flight
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            self.assertIsNone(process.poll(), "the batch in flight is finished first")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=10)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.answer("--resume", self.path, "--max-nodes", "1")  # from its beginning

    def test_saves_now_and_then(self):
        with self.started(*LONG, "--checkpoint-every", "0.03") as process:
            files, end = set(), time.monotonic() + 30
            while len(files) < 4 and time.monotonic() < end:
                if os.path.exists(self.path):
                    files.add(os.stat(self.path).st_mtime_ns)
                time.sleep(0.01)
            process.kill()
        self.assertGreaterEqual(len(files), 4)

    def test_limits_threads_and_backend_may_differ(self):
        question = ("hex:size=5", "--algorithm", "ppn:playouts=10")
        whole = self.answer(*question, "--max-nodes", "4000")
        self.answer(*question, "--max-nodes", "900", "--checkpoint", self.path, "--threads", "1")
        rest = self.answer("--resume", self.path, "--max-nodes", "4000", "--threads", "2",
                           "--backend", "reference", "--max-memory", "1GiB")
        self.assertEqual(rest.pop("backend"), "reference")
        whole.pop("backend")
        self.assertEqual(rest, whole)

    def test_batches_that_are_out_are_saved(self):
        question = ("hex:size=5", "--algorithm", "ppn:playouts=10", "--batch", "3", "--pipeline", "4")
        whole = self.answer(*question, "--max-nodes", "4000", "--selfcheck", "3")
        self.assertEqual(whole["pipeline"], 4)
        self.answer(*question, "--max-nodes", "900", "--checkpoint", self.path)
        for limit in ("901", "2000"):
            self.answer("--resume", self.path, "--checkpoint", self.path, "--max-nodes", limit)
        rest = self.answer("--resume", self.path, "--max-nodes", "4000", "--threads", "2",
                           "--backend", "reference", "--selfcheck", "3", "--pipeline", "4")
        self.assertEqual(rest.pop("backend"), "reference")
        whole.pop("backend")
        self.assertEqual(rest, whole)
        self.assert_fails(("solve", "--resume", self.path, "--pipeline", "2"), USAGE,
                          "--pipeline is '4' there, not '2'")

    def test_the_question_says_nothing_of_one_batch(self):
        self.small()
        one = self.content()
        question = one[one.index(b"QEST") + 8:]
        length = int.from_bytes(one[one.index(b"QEST") + 4:one.index(b"QEST") + 8], "little")
        self.assertEqual(question[length - 4:length], (1).to_bytes(4, "little"))  # the batch
        os.remove(self.path + ".old")
        for pipeline in (1, 65):
            self.write(resealed(one, lambda text, p=pipeline: text + p.to_bytes(4, "little"),
                                kind=b"QEST"))
            self.assert_fails(("solve", "--resume", self.path), BAD_DATA, "pipeline")

    def test_any_number_of_workers_goes_on(self):
        question = ("hex:size=5", "--position", "e1 d2", "--algorithm", "dfpn")
        right = self.answer(*question)["verdict"]
        self.answer(*question, "--max-nodes", "900", "--checkpoint", self.path)
        two = self.answer("--resume", self.path, "--checkpoint", self.path, "--max-nodes", "2000", "--workers", "2")
        self.assertEqual(two["workers"], 2)
        as_before = self.answer("--resume", self.path, "--checkpoint", self.path, "--max-nodes", "3000")
        self.assertEqual(as_before["workers"], 2)
        one = self.answer("--resume", self.path, "--checkpoint", self.path, "--max-nodes", "5000", "--workers", "1")
        self.assertNotIn("workers", one)
        self.assertEqual(one["nodes_created"], 5000)
        rest = self.answer("--resume", self.path, "--workers", "3", "--selfcheck", "2")
        self.assertEqual((rest["workers"], rest["verdict"]), (3, right))

    def test_other_playouts_are_another_search(self):
        self.answer("hex:size=4", "--algorithm", "ppn", "--max-nodes", "500", "--checkpoint",
                    self.path)
        for backend in ("fake", "scalar", "latency:of=scalar"):
            self.assert_fails(("solve", "--resume", self.path, "--backend", backend), USAGE,
                              "--backend is 'cpu' there", backend)

    def test_the_question_may_be_repeated(self):
        self.small("--position", "b2", "--seed", "7", "--goal", "value")
        same = ("hex:rows=4,columns=4", "--position", " b2 ", "--algorithm", "pn:leaf=unit",
                "--goal", "value", "--seed", "7", "--batch", "1", "--pipeline", "1", "--resume",
                self.path)
        self.assertEqual(self.answer(*same), self.answer("--resume", self.path))
        for index, word, name in ((0, "hex:size=5", "GAME"), (2, "b3", "--position"),
                                  (4, "pn:leaf=mobility", "--algorithm"), (6, "win", "--goal"),
                                  (8, "8", "--seed"), (10, "2", "--batch"), (12, "3", "--pipeline")):
            other = list(same)
            other[index] = word
            with self.subTest(other=name):
                self.assert_fails(("solve", *other), USAGE, self.path, name + " is",
                                  word.split("pn:")[-1])

    def test_a_file_from_before_there_were_zones(self):
        """Its algorithm does not speak of them: they are off, whatever the default is now."""
        def of_then(question):
            end = question.index(b",zones=off") + len(b",zones=off")
            begin = question.index(b"pn:") - 8
            name = question[begin + 8:end - len(b",zones=off")]
            return question[:begin] + len(name).to_bytes(8, "little") + name + question[end:]

        question = ("hex:size=4", "--algorithm", "pn:zones=off")
        self.answer(*question, "--max-nodes", "500", "--checkpoint", self.path)
        self.write(resealed(self.content(), of_then, kind=b"QEST"))
        self.assertNotIn(b"zones", self.content())
        os.remove(self.path + ".old")
        whole = self.answer(*question, "--max-nodes", "9000")
        self.assertIn("zones=off", whole["algorithm"])
        more = ("--resume", self.path, "--max-nodes", "9000")
        for again in ((), question[1:]):
            self.assertEqual(self.answer(*more, *again), whole)
        self.assert_fails(("solve", *more, "--algorithm", "pn"), USAGE, "--algorithm is",
                          "zones=off' there", "zones=on'")

    def test_the_question_of_a_fresh_search_is_required(self):
        self.assert_fails(("solve",), USAGE, "GAME is required")


class Damage(CheckpointTest):

    def test_leaves_under_way_that_somebody_made_up(self):
        """Behind the tree of a search with several batches out, with all checksums right."""
        refused = 0
        for algorithm in ("ppn:playouts=2", "pn:leaf=playouts,playouts=2", "mcpn:playouts=2",
                          "ews:playouts=2", "mcts:playouts=2", "uct:playouts=2"):
            for batch, pipeline in (("1", "4"), ("3", "2")):
                run("solve", "hex:size=3", "--algorithm", algorithm, "--seed", "3", "--batch", batch,
                    "--pipeline", pipeline, "--max-nodes", "40", "--checkpoint", self.path)
                content = self.content()
                for end in (".old", ""):
                    os.remove(self.path + end)
                for at in range(1, 90, 1 if NIGHTLY else 7):
                    for more in (1, 255) if NIGHTLY else ((1, 255)[at % 2],):
                        self.write(resealed(content, lambda s, i=at, n=more: s[:-i] + bytes(
                            [(s[-i] + n) % 256]) + s[len(s) - i + 1:]))
                        process = run("solve", "--resume", self.path, "--json")
                        self.assertIn(process.returncode, (DECIDED, BAD_DATA), process.stderr)
                        refused += process.returncode == BAD_DATA
                        if process.returncode == DECIDED:
                            self.assertEqual(json.loads(process.stdout)["verdict"], "proved")
                        else:
                            self.assertRegex(process.stderr, ", at offset [0-9]+")
        self.assertGreater(refused, 300 if NIGHTLY else 60)

    def test_two_generations(self):
        self.small()
        self.answer("--resume", self.path, "--max-nodes", "900", "--checkpoint", self.path)
        newer, older = self.content(), self.content(self.path + ".old")
        self.assertNotEqual(newer, older)
        whole = self.answer("--resume", self.path, "--max-nodes", "5000")
        self.write(newer[:-5])
        process = run("solve", "--resume", self.path, "--max-nodes", "5000", "--json")
        self.assert_status(process, UNDECIDED)
        self.assertIn(f"{self.path}: damaged", process.stderr)
        self.assertIn(f"going on from {self.path}.old", process.stderr)
        answer = json.loads(process.stdout)
        self.assertEqual({k: v for k, v in answer.items() if k not in TIMES}, whole)
        os.remove(self.path)
        self.assertIn("going on from", run("solve", "--resume", self.path).stderr)
        self.write(newer[:1000])
        self.write(older[:900], self.path + ".old")
        self.assert_fails(("solve", "--resume", self.path), BAD_DATA, self.path + ": damaged",
                          self.path + ".old: damaged", "at offset")

    def test_damaged_anywhere(self):
        self.small()
        content = self.content()
        os.remove(self.path + ".old")
        wide = 1 if NIGHTLY else 3
        for at in [*range(0, 200, 7 * wide), *range(200, len(content), len(content) // 40 * wide)]:
            for damaged in (content[:at], content[:at] + bytes([content[at] ^ 4]) + content[at + 1:]):
                self.write(damaged)
                self.assert_fails(("solve", "--resume", self.path), BAD_DATA, self.path,
                                  "at offset")

    def test_forged_states_are_refused(self):
        self.small()
        os.remove(self.path + ".old")
        content = self.content()
        self.assertEqual(resealed(content, lambda state: state), content)
        refused = 0
        for at in range(26, 1500, 97):  # nodes
            forged = resealed(content, lambda s, i=at: s[:i] + bytes([s[i] ^ 0x41]) + s[i + 1:])
            self.write(forged)
            process = run("solve", "--resume", self.path, "--max-nodes", "500")
            self.assertIn(process.returncode, (BAD_DATA, USAGE, UNDECIDED), process.stderr)
            refused += process.returncode == BAD_DATA
        self.assertGreater(refused, 10)

    def test_forged_results_of_earlier_claims(self):
        """What contradicts a later claim is found out; with proofs, everything is."""
        question = ("othello:size=4", "--position", "--O-XOO-XXO-XX-- O", "--algorithm", "pn",
                    "--goal", "score")
        refused = [0, 0]
        for more in ((), ("--selfcheck", "1")):
            for nodes in range(20, 125, 8):
                path = os.path.join(self.folder, f"{nodes}{len(more)}")
                run("solve", *question, *more, "--max-nodes", str(nodes), "--checkpoint", path)
                content = self.content(path)
                least, most = bounds_of(content)
                if least + 1 >= most or (least, most) == (-16, 16):
                    continue  # nothing is decided yet, or everything
                os.remove(path + ".old")
                self.write(resealed(content, lambda state, to=most - 1: bounds(to) + state[4:]), path)
                process = run("solve", "--resume", path, *more, "--json")
                if more or process.returncode != DECIDED:
                    self.assertIn(process.returncode, (BAD_DATA, INTERNAL), process.stdout)
                    self.assertEqual(process.stdout, "")
                    refused[len(more) // 2] += 1
        self.assertGreater(min(refused), 3)

    def test_what_is_no_checkpoint(self):
        missing = os.path.join(self.folder, "none")
        self.assert_fails(("solve", "--resume", missing), BAD_DATA, missing, "No such file")
        self.assert_fails(("solve", "--resume", self.folder), BAD_DATA, self.folder)
        for content in (b"", b"hello\n" * 100, bytes(1000), b"\xff" * 50, b"playproof-checkpoint 9\n",
                        b"playproof-checkpoint 1\nQEST", b"playproof-checkpoint 2\nQEST"):
            self.write(content)
            self.assert_fails(("solve", "--resume", self.path), BAD_DATA, self.path)


class Writing(CheckpointTest):

    def test_other_files_are_not_overwritten(self):
        self.write(b"my thesis")
        self.assert_fails(("solve", "hex:size=3", "--algorithm", "pn", "--checkpoint", self.path),
                          USAGE, self.path, "not overwritten")
        self.assertEqual(self.content(), b"my thesis")

    def test_an_earlier_search_is_warned_of(self):
        self.small()
        process = run("solve", "hex:size=3", "--algorithm", "pn", "--checkpoint", self.path)
        self.assert_status(process, DECIDED)
        self.assertIn("--resume", process.stderr)

    def test_where_nothing_can_be_written(self):
        for path in ("/dev/full", self.folder, os.path.join(self.folder, "none", "run.ckpt")):
            self.assert_fails(("solve", "hex:size=3", "--algorithm", "pn", "--checkpoint", path),
                              NO_OUTPUT, path)

    def limited(self, size, *arguments):
        """Runs where no file may grow beyond `size` bytes."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return run(*arguments, preexec_fn=limit)

    def test_disk_full_keeps_the_last_one(self):
        self.small()
        before = self.content()
        process = self.limited(60000, "solve", "--resume", self.path, "--checkpoint", self.path,
                               "--max-nodes", "50000")
        self.assert_status(process, NO_OUTPUT)
        self.assertIn(f"{self.path}: cannot write file", process.stderr)
        self.assertEqual(self.content(), before)
        self.assertEqual(self.content(self.path + ".old")[:21], b"playproof-checkpoint ")
        self.assertFalse(os.path.exists(self.path + ".new"))
        self.answer("--resume", self.path, "--max-nodes", "2000")

    def test_disk_full_does_not_hide_a_verdict(self):
        process = self.limited(5000, "solve", "hex:size=3", "--algorithm", "pn", "--json",
                               "--checkpoint", self.path)
        self.assert_status(process, NO_OUTPUT)
        self.assertEqual(json.loads(process.stdout)["verdict"], "proved")
        self.assertIn("cannot write file", process.stderr)

    def test_too_little_memory(self):
        self.small()
        self.assert_fails(("solve", "--resume", self.path, "--max-memory", "4KiB"), USAGE,
                          "--max-memory")

    def test_memory_limit_keeps_the_last_one(self):
        for algorithm in ("ppn:playouts=4", "uct:playouts=4"):
            path = os.path.join(self.folder, algorithm)
            question = ("hex:size=7", "--algorithm", algorithm)
            self.answer(*question, "--max-memory", "200KiB", "--checkpoint", path,
                        "--checkpoint-every", "0.0001")
            self.assertEqual(self.answer("--resume", path, "--max-nodes", "20000"),
                             self.answer(*question, "--max-nodes", "20000"))

    def test_what_has_no_checkpoints(self):
        self.assert_fails(("solve", "hex:size=3", "--algorithm", "minimax", "--checkpoint",
                           self.path), USAGE, "minimax")
        self.assertFalse(os.path.exists(self.path))
        for option in ("--checkpoint", "--resume"):
            self.assert_fails(("solve", "hex", "--algorithm", "pn", "--position", "-", option,
                               self.path), USAGE, option)


class TwoPrograms(CheckpointTest):

    def test_one_writes_and_others_may_read(self):
        with self.started(*LONG) as process:
            self.wait_for(self.path)
            before = self.content()
            for more in ((), ("--resume", self.path)):
                question = () if more else ("hex:size=3", "--algorithm", "pn")
                self.assert_fails(("solve", *question, *more, "--checkpoint", self.path), NO_OUTPUT,
                                  self.path, "another program writes it")
            self.assertEqual(self.content(), before)
            self.answer("--resume", self.path, "--max-nodes", "1")
            self.answer("--resume", self.path, "--max-nodes", "1", "--checkpoint",
                        self.path + "2")
            self.assertIsNone(process.poll())
            process.kill()
        # The lock of a killed program is free, and what it left behind goes away.
        self.assertTrue(os.path.exists(self.path + ".lock"))
        self.answer("--resume", self.path, "--max-nodes", "1", "--checkpoint", self.path)
        self.assertFalse(os.path.exists(self.path + ".lock"))

    def test_of_many_at_once_each_is_whole_or_refused(self):
        question = ("hex:size=4", "--algorithm", "pn", "--position", "b2")
        whole = self.answer(*question)
        statuses = []
        for _ in range(2):
            started = [self.started(*question, "--json", "--checkpoint-every", "0.02", text=True) for _ in range(3)]
            for process in started:
                out, err = process.communicate(timeout=TIMEOUT)
                statuses.append(process.returncode)
                if process.returncode == DECIDED:
                    answer = {k: v for k, v in json.loads(out).items() if k not in TIMES}
                    self.assertEqual(answer, whole)
                else:
                    self.assertEqual(process.returncode, NO_OUTPUT, err)
                    self.assertIn("another program writes it", err)
            self.assertEqual(self.answer("--resume", self.path), whole)
        self.assertIn(DECIDED, statuses)
        self.assertEqual(sorted(os.listdir(self.folder)), ["run.ckpt", "run.ckpt.old"])

    def test_a_lock_that_cannot_be_made(self):
        os.symlink("/nowhere/at/all", self.path + ".lock")
        self.assert_fails(("solve", "hex:size=3", "--algorithm", "pn", "--checkpoint", self.path),
                          NO_OUTPUT, self.path + ".lock")


class SelfCheck(CheckpointTest):

    def test_no_level_changes_an_answer(self):
        for number, algorithm in enumerate(["minimax", *ALGORITHMS]):
            for turn, (game, position, goal) in enumerate((("hex:size=3", "a1", "win"),
                                                           ("othello:size=4", "", "score>=3"),
                                                           ("othello:size=4", "-XXX-XXXOOXX-OX- X", "score"),
                                                           ("connect6:rows=3,columns=3,connect=3", ";B[BB]", "value"),
                                                           ("pgame:branching=3,depth=5,tree=2", "1", "value"))):
                if not NIGHTLY and (number + turn) % 3:
                    continue
                answers = [self.answer(game, "--position", position, "--goal", goal,
                                       "--algorithm", algorithm, "--selfcheck", str(level))
                           for level in range(4)]
                for answer in answers[1:]:
                    self.assertEqual(answer, answers[0])

    def test_undecided(self):
        for number, algorithm in enumerate(["minimax", *ALGORITHMS]):
            for turn, (batch, pipeline) in enumerate((("1", "1"), ("8", "1"), ("5", "3"))):
                if not NIGHTLY and turn == number % 3:
                    continue
                if pipeline != "1" and algorithm.partition(":")[0] in TABLES:
                    continue
                self.answer("hex:size=6", "--algorithm", algorithm, "--max-nodes", "3000" if NIGHTLY else "600",
                            "--batch", batch, "--pipeline", pipeline, "--selfcheck", "3",
                            statuses=(UNDECIDED,))

    def test_levels(self):
        for level in ("4", "-1", "all"):
            self.assert_fails(("solve", "hex:size=3", "--algorithm", "pn", f"--selfcheck={level}"),
                              USAGE, "--selfcheck must be an integer 0..3")

    def test_with_a_checkpoint_without_proofs(self):
        question = ("othello:size=4", "--algorithm", "pn", "--goal", "value")
        self.answer(*question, "--max-nodes", "500", "--checkpoint", self.path)
        self.assert_fails(("solve", "--resume", self.path, "--selfcheck", "1"), USAGE,
                          "--certificate and --selfcheck")
        shutil.rmtree(self.folder)
        os.mkdir(self.folder)
        self.answer(*question, "--max-nodes", "500", "--checkpoint", self.path, "--selfcheck", "1")
        self.assertEqual(self.answer("--resume", self.path, "--selfcheck", "3"),
                         self.answer(*question))


if __name__ == "__main__":
    unittest.main()
