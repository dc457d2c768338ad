"""Files that are written: nothing is left of them by a kill, links are followed, modes are kept, and
pipes and devices take what is whole."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
import unittest

from program import (CHECKER, DECIDED, NO_OUTPUT, PROGRAM, TIMEOUT, UNDECIDED, USAGE,
                     ProgramTest, run, until_signals_are_caught)

HOOK = os.environ.get("PLAYPROOF_KILL_AT_CALL", "")
SANITIZED = float(os.environ.get("PLAYPROOF_SLOWER", "1")) > 1
HEX = ("hex:size=3", "--algorithm", "pn")
LONG = ("hex:size=9", "--algorithm", "ppn:playouts=2000", "--max-memory", "1GiB")
# File systems that lack something.
LACKING = ({}, {"NO_TMPFILE": "1"}, {"NO_LINKAT": "1"})


class OutputTest(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.proof = self.path("proof.cert")

    def path(self, name):
        return os.path.join(self.folder, name)

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, content=b"mine\n", mode=0o644):
        with open(self.path(name), "wb") as file:
            file.write(content)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def names(self):
        return sorted(os.listdir(self.folder))

    def solve(self, *options, status=DECIDED, question=HEX, **more):
        process = run("solve", *question, *options, **more)
        self.assert_status(process, status)
        return process

    def hooked(self, *arguments, **environment):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                              timeout=TIMEOUT, env=os.environ | {"LD_PRELOAD": HOOK} | environment)

    def check(self, path):
        return subprocess.run([CHECKER, path], capture_output=True, text=True, check=False,
                              timeout=TIMEOUT).returncode

    def start(self, *options, **environment):
        """A long search that has opened its files."""
        process = subprocess.Popen([PROGRAM, "solve", *LONG, *options], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=os.environ | environment)
        self.addCleanup(self.end, process)
        until_signals_are_caught(process.pid)
        time.sleep(0.2 if not SANITIZED else 2)
        self.assertIsNone(process.poll())
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()


class LeftBehind(OutputTest):

    def outputs(self):
        return ("--certificate", self.proof, "--svg", self.path("b.svg"))

    def test_by_a_killed_search(self):
        self.end(self.start(*self.outputs()))
        self.assertEqual(self.names(), [])
        self.end(self.start("--certificate", self.proof, "--checkpoint", self.path("run.ckpt")))
        self.assertEqual(self.names(), ["run.ckpt", "run.ckpt.lock"])
        # The next program takes the lock, which is empty, over.
        self.solve("--resume", self.path("run.ckpt"), "--checkpoint", self.path("run.ckpt"),
                   "--max-nodes", "1", question=(), status=UNDECIDED)
        self.assertEqual(self.names(), ["run.ckpt", "run.ckpt.old"])

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, before all other libraries")
    def test_where_every_file_has_a_name(self):
        """The next program takes away what a killed one has left, and nothing else."""
        strange = [self.write("proof.cert." + end) for end in ("a1B2c3", "playproof-backup",
                                                               "playproof-" + "a" * 17, "playproof-" + "A" * 16,
                                                               "playproof-")]
        foreign = self.write("proof.cert.playproof-" + "a" * 16)
        if os.geteuid() == 0:
            os.chown(foreign, 12345, 12345)
            strange.append(foreign)
        link = self.path("proof.cert.playproof-" + "b" * 16)
        os.symlink(strange[0], link)
        kept = {os.path.basename(name) for name in [*strange, link]}
        lacks = {"LD_PRELOAD": HOOK, "NO_TMPFILE": "1"}
        killed = self.start(*self.outputs(), **lacks)
        left = set(self.names()) - kept - {os.path.basename(foreign)}
        self.assertEqual(len(left), 2, left)
        self.end(killed)
        self.assertLessEqual(left, set(self.names()))
        alive = self.start(*self.outputs(), **lacks)  # takes them away, and has two of its own
        self.assertFalse(left & set(self.names()))
        held = set(self.names()) - kept
        self.assertEqual(len(held), 2, held)
        self.solve(*self.outputs())
        self.assertEqual(set(self.names()), kept | held | {"proof.cert", "b.svg"})
        self.end(alive)
        self.solve(*self.outputs())
        self.assertEqual(set(self.names()), kept | {"proof.cert", "b.svg"})

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, before all other libraries")
    def test_at_every_call(self):
        """Whole files at every moment, the old one or the new; what is left the next run removes."""
        for lacking in LACKING:
            for old in (b"", b"old\n"):
                kills = 0
                for call in range(1, 20):
                    with self.subTest(call=call, old=old, **lacking):
                        for name in self.names():
                            os.remove(self.path(name))
                        if old:
                            self.write("proof.cert", old, 0o600)
                        process = self.hooked("solve", *HEX, "--certificate", self.proof,
                                              KILL_AT_CALL=str(call), **lacking)
                        if "proof.cert" not in self.names():
                            self.assertEqual(old, b"")
                        elif self.content("proof.cert") != old:
                            self.assertEqual(self.check(self.proof), 0)
                        self.solve("--certificate", self.proof)
                        self.assertEqual(self.names(), ["proof.cert"])
                        self.assertEqual(self.check(self.proof), 0)
                    if process.returncode != -signal.SIGKILL:
                        self.assertEqual(process.returncode, DECIDED, process.stderr)
                        break
                    kills += 1
                self.assertGreaterEqual(kills, 1)

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, before all other libraries")
    def test_what_a_file_system_lacks_changes_nothing(self):
        self.solve("--certificate", self.proof, "--checkpoint", self.path("a"))
        whole = self.content("proof.cert")
        for lacking in (*LACKING, {"NO_EXCHANGE": "1"}):
            os.chmod(self.proof, 0o640)
            process = self.hooked("solve", *HEX, "--certificate", self.proof, "--checkpoint",
                                  self.path("run.ckpt"), **lacking)
            self.assertEqual(process.returncode, DECIDED, process.stderr)
            self.assertEqual(self.content("proof.cert"), whole)
            self.assertEqual(self.mode("proof.cert"), 0o640)
            self.assertEqual(set(self.names()), {"a", "a.old", "proof.cert", "run.ckpt",
                                                 "run.ckpt.old"})

    def test_a_name_as_long_as_a_name_may_be(self):
        name = self.path("c" * 255)
        for _ in range(2):
            self.solve("--certificate", name)
            self.assertEqual(self.names(), ["c" * 255])
        self.assert_fails(("solve", *HEX, "--certificate", name + "c"), NO_OUTPUT,
                          "File name too long")


class Links(OutputTest):

    def test_what_they_lead_to_is_replaced(self):
        os.mkdir(self.path("far"))
        for name, target in (("absolute", self.path("far/a")), ("relative", "far/b"),
                             ("chain", "relative"), ("same", "c")):
            for exists in (False, True):
                with self.subTest(name=name, exists=exists):
                    link, end = self.path(name), os.path.realpath(self.path(target))
                    if not os.path.lexists(link):
                        os.symlink(target, link)
                    if os.path.exists(end) and not exists:
                        os.remove(end)
                    self.solve("--certificate", link)
                    self.assertEqual(os.readlink(link), target)
                    self.assertFalse(os.path.islink(end))
                    self.assertEqual(self.check(end), 0)
                    self.solve("--svg", link)
                    self.assertEqual(os.readlink(link), target)
                    self.assertIn(b"<svg", self.content(link))
        self.assertEqual(sorted(os.listdir(self.path("far"))), ["a", "b"])

    def test_that_lead_nowhere(self):
        os.symlink("loop", self.path("loop"))
        os.symlink("two", self.path("one"))
        os.symlink("one", self.path("two"))
        for name in ("loop", "one"):
            for option in ("--certificate", "--svg", "--checkpoint"):
                self.assert_fails(("solve", *HEX, option, self.path(name)), NO_OUTPUT,
                                  self.path(name), "Too many levels of symbolic links")
        os.symlink("none/x", self.path("lost"))
        self.assert_fails(("solve", *HEX, "--certificate", self.path("lost")), NO_OUTPUT,
                          self.path("lost"), "No such file")
        self.assertEqual(self.names(), ["loop", "lost", "one", "two"])

    def test_a_page(self):
        self.solve("--certificate", self.proof)
        os.symlink("page.html", self.path("link"))
        for _ in range(2):
            self.assert_status(run("view", self.proof, "--output", self.path("link")), DECIDED)
            self.assertEqual(os.readlink(self.path("link")), "page.html")
            self.assertIn(b"<html", self.content("page.html"))

    def test_a_checkpoint(self):
        """One search, by whichever name: its generations and its lock stand where the link leads."""
        os.mkdir(self.path("far"))
        os.symlink("far/run.ckpt", self.path("link"))
        self.solve("--checkpoint", self.path("link"), "--max-nodes", "20", status=UNDECIDED)
        self.assertEqual(sorted(os.listdir(self.path("far"))), ["run.ckpt", "run.ckpt.old"])
        self.assertEqual(self.names(), ["far", "link"])
        for name in ("far/run.ckpt", "link"):
            self.solve("--resume", self.path(name), "--checkpoint", self.path(name), "--max-nodes",
                       "25", question=(), status=UNDECIDED)
        self.write("far/run.ckpt", b"damaged")
        process = self.solve("--resume", self.path("link"), question=())
        self.assertIn("run.ckpt.old", process.stderr)
        os.remove(self.path("far/run.ckpt"))
        self.solve("--resume", self.path("link"), question=())
        self.assertEqual(os.readlink(self.path("link")), "far/run.ckpt")
        self.start("--checkpoint", self.path("far/run.ckpt"))
        self.assert_fails(("solve", *HEX, "--checkpoint", self.path("link")), NO_OUTPUT,
                          "another program writes it")

    def test_outputs_apart(self):
        os.symlink("b", self.path("a"))
        self.assert_fails(("solve", *HEX, "--certificate", self.path("a"), "--svg", self.path("b")),
                          USAGE, "are one file")
        for end in ("", ".old", ".new", ".lock"):
            self.assert_fails(("solve", *HEX, "--checkpoint", self.path("a"), "--certificate",
                               self.path("b" + end)), USAGE, "are one file")


class Modes(OutputTest):

    def test_are_kept(self):
        for mode in (0o600, 0o640, 0o444, 0o666, 0o755):
            with self.subTest(mode=oct(mode)):
                for name in ("proof.cert", "proof.cert.zst", "b.svg", "page.html", "words"):
                    self.write(name, mode=mode)
                self.solve("--certificate", self.proof, "--svg", self.path("b.svg"))
                self.solve("--certificate", self.proof + ".zst")
                self.assert_status(run("view", self.proof, "--output", self.path("page.html")), 0)
                self.assert_status(run("bench", "playouts", "hex:size=3", "--playouts", "64",
                                       "--dump-words", self.path("words")), 0)
                for name in self.names():
                    self.assertNotEqual(self.content(name), b"mine\n")
                    self.assertEqual(self.mode(name), mode, name)

    def test_of_a_checkpoint(self):
        path = self.path("run.ckpt")
        self.solve("--checkpoint", path, "--max-nodes", "20", status=UNDECIDED)
        for mode in (0o600, 0o640):
            os.chmod(path, mode)
            self.solve("--resume", path, "--checkpoint", path, "--checkpoint-every", "0.000001",
                       "--max-nodes", "25", question=(), status=UNDECIDED)
            self.assertEqual(self.mode("run.ckpt"), mode)
            self.assertEqual(self.mode("run.ckpt.old"), mode)

    def test_of_new_files_are_those_of_the_umask(self):
        for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
            self.solve("--certificate", self.proof, "--svg", self.path("b.svg"), "--checkpoint",
                       self.path("run.ckpt"), preexec_fn=lambda mask=mask: os.umask(mask))
            for name in self.names():
                self.assertEqual(self.mode(name), mode, name)
                os.remove(self.path(name))

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, before all other libraries")
    def test_nothing_is_open_meanwhile(self):
        self.write("proof.cert", mode=0o600)
        self.start("--certificate", self.proof, LD_PRELOAD=HOOK, NO_TMPFILE="1")
        self.assertEqual(len(self.names()), 2)
        for name in self.names():
            self.assertEqual(self.mode(name), 0o600, name)

    @unittest.skipUnless(os.geteuid() == 0, "only root may give files away")
    def test_groups_and_owners(self):
        self.write("proof.cert", mode=0o640)
        os.chown(self.proof, 12345, 23456)
        self.solve("--certificate", self.proof)
        status = os.stat(self.proof)
        self.assertEqual((status.st_uid, status.st_gid, self.mode("proof.cert")),
                         (12345, 23456, 0o640))
        # Who may not give it to that group gives the new one no more than all others have.
        os.chmod(self.folder, 0o777)
        program = shutil.copy(PROGRAM, self.path("playproof"))  # a build in /root is not for others to see
        for mode, now in ((0o664, 0o644), (0o640, 0o600), (0o666, 0o666)):
            os.chmod(self.proof, mode)
            os.chown(self.proof, 0, 0)

            def other():
                os.setgroups([])
                os.setgid(12345)
                os.setuid(12345)
            self.solve("--certificate", self.proof, preexec_fn=other, executable=program)
            self.assertEqual(self.mode("proof.cert"), now)
            self.assertEqual(os.stat(self.proof).st_uid, 12345)


class Streams(OutputTest):

    def setUp(self):
        super().setUp()
        self.pipe = self.path("pipe")
        os.mkfifo(self.pipe)
        self.read = b""

    def reader(self):
        def read():
            with open(self.pipe, "rb") as file:
                self.read = file.read()
        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread

    def through(self, *arguments, status=DECIDED):
        """What a reader of the pipe gets."""
        thread = self.reader()
        process = run(*arguments)
        self.assert_status(process, status)
        thread.join(TIMEOUT)
        self.assertFalse(thread.is_alive())
        self.assertTrue(stat.S_ISFIFO(os.stat(self.pipe).st_mode))
        return self.read

    def test_a_pipe_takes_what_a_file_would(self):
        svg, page, words = map(self.path, ("b.svg", "page.html", "words"))
        self.solve("--certificate", self.proof)
        self.solve("--svg", svg)
        self.assertEqual(self.through("solve", *HEX, "--certificate", self.pipe),
                         self.content("proof.cert"))
        self.assertEqual(self.through("solve", *HEX, "--svg", self.pipe), self.content("b.svg"))
        self.assert_status(run("view", self.proof, "--output", page), DECIDED)
        self.assertEqual(self.through("view", self.proof, "--output", self.pipe),
                         self.content("page.html").replace(b"page.html", b"pipe"))
        bench = ("bench", "playouts", "hex:size=3", "--playouts", "640", "--dump-words")
        self.assert_status(run(*bench, words), DECIDED)
        self.assertEqual(self.through(*bench, self.pipe), self.content("words"))
        # Longer than a pipe holds; over a link, and compressed by its name.
        more = ("solve", "hex:size=4", "--algorithm", "pn:zones=off", "--certificate")
        self.assert_status(run(*more, self.proof), DECIDED)
        self.assertGreater(len(self.content("proof.cert")), 1 << 16)
        os.symlink("pipe", self.path("link.zst"))
        packed = self.through(*more, self.path("link.zst"))
        self.write("packed.zst", packed)
        self.assertEqual(self.check(self.path("packed.zst")), 0)
        self.assertEqual(self.through(*more, self.pipe), self.content("proof.cert"))

    def test_what_is_not_whole_is_not_written(self):
        self.assertEqual(self.through("solve", *LONG, "--max-nodes", "100", "--certificate",
                                      self.pipe, status=UNDECIDED), b"")
        thread = self.reader()
        process = self.start("--certificate", self.pipe)
        self.end(process)
        thread.join(TIMEOUT)
        self.assertEqual(self.read, b"")

    def test_a_reader_is_waited_for(self):
        with subprocess.Popen([PROGRAM, "solve", *HEX, "--certificate", self.pipe],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            with open(self.pipe, "rb") as file:
                self.assertTrue(file.read().startswith(b"playproof-certificate"))
            _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, DECIDED)
        self.assertIn(b"nobody reads", err)
        with subprocess.Popen([PROGRAM, "solve", *HEX, "--certificate", self.pipe],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, NO_OUTPUT, err)
        self.assertTrue(err.endswith(b": a signal came before its reader\n"), err)

    def test_a_reader_that_goes_away(self):
        def read():
            with open(self.pipe, "rb"):
                pass
        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        process = run("solve", "hex:size=4", "--algorithm", "pn", "--certificate", self.pipe)
        thread.join(TIMEOUT)
        self.assert_status(process, NO_OUTPUT)
        self.assertIn("Broken pipe", process.stderr)

    def test_standard_output(self):
        self.solve("--certificate", self.proof)
        proof = self.content("proof.cert").decode()
        answer = self.solve().stdout.splitlines()[0]
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            out = self.solve("--certificate", name).stdout
            self.assertTrue(out.startswith(proof + answer), out)
        command = f"exec 3>&1; '{PROGRAM}' solve {' '.join(HEX)} --certificate /dev/fd/3 > '{self.path('answer')}'"
        process = subprocess.run(["bash", "-c", command], capture_output=True, text=True,
                                 timeout=TIMEOUT, check=True)
        self.assertEqual(process.stdout, proof)
        self.assertTrue(self.content("answer").decode().startswith(answer))
        # A file that stdout goes to would be replaced under it.
        with open(self.path("out"), "wb") as out:
            process = subprocess.run([PROGRAM, "solve", *HEX, "--certificate", "/dev/stdout"],
                                     stdout=out, stderr=subprocess.PIPE, check=False, timeout=TIMEOUT)
        self.assertEqual(process.returncode, USAGE)
        self.assertIn(b"are one file", process.stderr)

    def test_devices(self):
        self.solve("--certificate", "/dev/null", "--svg", "/dev/null")
        for option in ("--certificate", "--svg"):
            process = run("solve", *HEX, option, "/dev/full")
            self.assert_status(process, NO_OUTPUT)
            self.assertIn("/dev/full: cannot write", process.stderr)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_what_is_neither(self):
        place = socket.socket(socket.AF_UNIX)
        self.addCleanup(place.close)
        place.bind(self.path("socket"))
        self.assert_fails(("solve", *HEX, "--certificate", self.path("socket")), NO_OUTPUT,
                          "cannot write to a socket")
        self.assert_fails(("solve", *HEX, "--certificate", self.folder), NO_OUTPUT,
                          "Is a directory")
        for name in (self.pipe, "/dev/null"):
            self.assert_fails(("solve", *HEX, "--checkpoint", name), NO_OUTPUT, name,
                              "take the name of a file")
        with open(self.path("gone"), "wb") as file:
            os.remove(self.path("gone"))
            name = f"/dev/fd/{file.fileno()}"
            process = run("solve", *HEX, "--certificate", name, pass_fds=[file.fileno()])
        self.assert_status(process, NO_OUTPUT)
        self.assertIn("has no name any more", process.stderr)
        self.assertEqual(self.names(), ["pipe", "socket"])

    def test_one_pipe_is_not_read_and_written(self):
        self.assert_fails(("solve", "--resume", self.pipe, "--certificate", self.pipe), USAGE,
                          "are one file")
        self.assert_fails(("solve", *HEX, "--svg", self.pipe, "--certificate", self.pipe), USAGE,
                          "are one file")


if __name__ == "__main__":
    unittest.main()
