"""What is written is never a file that is read, or another one that is written."""

import os
import subprocess
import unittest

from experiments import PLAN, ExperimentTest, query
from program import BAD_DATA, DECIDED, PROGRAM, TIMEOUT, USAGE, run

HEX = ("hex:size=3", "--algorithm", "pn")


class FilesApart(ExperimentTest):

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def names_of(self, name):
        """One file by other names: through its folder, a link to the folder, links to itself."""
        os.makedirs(self.path("folder"), exist_ok=True)
        names = [self.path(name), os.path.join(self.folder, ".", name),
                 os.path.join(self.folder, "folder", "..", name)]
        for kind, link in (("symbolic", os.symlink), ("hard", os.link)):
            if kind == "hard" and not os.path.exists(self.path(name)):
                continue
            other = self.path(f"folder/{kind}-{name}")
            if not os.path.lexists(other):
                link(self.path(name), other)
            names.append(other)
        if not os.path.lexists(self.path("way")):
            os.symlink(self.folder, self.path("way"))
        return [*names, os.path.join(self.folder, "way", name)]

    def refused(self, arguments, *kept, **options):
        """Status 64, and the files are as they were."""
        before = {name: self.content(name) for name in kept}
        process = run(*arguments, **options)
        self.assert_status(process, USAGE)
        self.assertIn("are one file", process.stderr)
        for name, content in before.items():
            self.assertEqual(self.content(name), content, arguments)

    def store(self, name="q.db"):
        self.experiment(self.write(PLAN), self.path(name))
        return self.path(name)

    def test_report_over_a_store(self):
        one, two = self.store("q.db"), self.store("p.db")
        for output in self.names_of("q.db"):
            for form in ("html", "text", "csv", "json"):
                self.refused(("report", one, "--format", form, "--output", output), "q.db")
            self.refused(("report", two, one, "--output", output), "q.db", "p.db")
        for end in ("-wal", "-shm", "-journal"):
            self.refused(("report", one, "--output", one + end), "q.db")
            self.assertFalse(os.path.exists(one + end))
        self.assert_status(run("report", one, "--format", "csv", "--output", self.path("q.csv")), 0)

    def test_report_over_what_a_link_leads_to(self):
        """SQLite keeps its journals beside the file, not beside the link."""
        self.store("q.db")
        os.symlink(self.path("q.db"), self.path("soft.db"))
        for end in ("", "-wal", "-shm", "-journal"):
            self.refused(("report", self.path("soft.db"), "--format", "csv", "--output",
                          self.path("q.db" + end)), "q.db")

    def test_experiment_over_its_inputs(self):
        self.write("a1 W\nb2 B\n", "data.txt")
        plan = self.write(PLAN.replace("pgame:branching=2,depth=8", "hex:size=3").replace(
            "trees = { from = 1, to = 4 }", 'positions_file = "data.txt"\n'
            'columns = ["cell", "winner"]\nposition = "{cell}"').replace(
                'normalise = "branching"\n', ""))
        for name in ("plan.toml", "data.txt"):
            for store in self.names_of(name):
                self.refused(("experiment", plan, "--store", store), name)
        self.experiment(plan, self.path("r.db"))

    def test_store_that_is_no_file(self):
        plan = self.write(PLAN)
        for store in (":memory:", "file:memory?mode=memory", "file:x.db", "file::memory:", ""):
            self.assert_fails(("experiment", plan, "--store", store), USAGE, "--store")
            self.assert_fails(("report", store, "--format", "csv"), BAD_DATA,
                              "cannot read the result store")
        for store in ("./:memory:", "./file:x.db"):
            process = subprocess.run([PROGRAM, "experiment", plan, "--store", store],
                                     cwd=self.folder, capture_output=True, text=True, check=False,
                                     timeout=TIMEOUT)
            self.assert_status(process, 0)
            self.assertEqual(query(self.path(store), "SELECT count(*) FROM run"), [(8,)])

    def test_certificate_and_checkpoint(self):
        path = self.path("run.ckpt")
        solve = ("solve", *HEX, "--checkpoint", path, "--certificate")
        for end in ("", ".old", ".new", ".lock"):
            for name in self.names_of("run.ckpt" + end):  # none of them is there
                self.refused((*solve, name))
                self.assertFalse(os.path.exists(name), name)
        self.assert_status(run("solve", *HEX, "--checkpoint", path), DECIDED)
        for end in ("", ".old"):
            for name in self.names_of("run.ckpt" + end):
                self.refused((*solve, name), "run.ckpt", "run.ckpt.old")
        # Another file of such a name is none of them.
        self.assert_status(run(*solve, path + ".cert"), DECIDED)

    def test_what_is_resumed(self):
        path = self.path("run.ckpt")
        self.assert_status(run("solve", *HEX, "--checkpoint", path), DECIDED)
        saved = ("run.ckpt", "run.ckpt.old")
        for end in ("", ".old"):
            for name in self.names_of("run.ckpt" + end):
                self.refused(("solve", "--resume", path, "--certificate", name), *saved)
        # The checkpoint of one search over the generations of another.
        os.rename(path, self.path("a"))
        os.rename(path + ".old", self.path("b"))
        self.refused(("solve", "--resume", self.path("b.old"), "--checkpoint", self.path("b")), "b")
        self.refused(("solve", "--resume", self.path("a"), "--checkpoint", self.path("a.old")), "a")
        os.symlink(self.path("a"), self.path("c"))
        self.refused(("solve", "--resume", self.path("a"), "--checkpoint", self.path("c")), "a")
        # One file for both goes on, however it is written.
        for name in (self.path("a"), os.path.join(self.folder, ".", "a")):
            process = run("solve", "--resume", self.path("a"), "--checkpoint", name)
            self.assert_status(process, DECIDED)
            self.assertNotIn("earlier search", process.stderr)

    def test_standard_streams(self):
        self.write("a1\nb2\n", "lines.txt")
        path = self.path("lines.txt")
        append = f">> '{path}'"
        for command in (f"solve hex:size=3 --algorithm pn --position-file '{path}' {append}",
                        f"solve hex:size=3 --algorithm pn --position - < '{path}' {append}",
                        f"perft hex:size=3 --depth 1 --position - < '{path}' {append}",
                        f"bench search hex:size=3 --algorithm pn --position - < '{path}' {append}",
                        f"solve hex:size=3 --algorithm pn --certificate '{path}' {append}",
                        f"solve hex:size=3 --algorithm pn --certificate '{path}' 2{append}",
                        "bench playouts hex:size=3 --playouts 64 --dump-words "
                        f"'{path}' {append}"):
            with self.subTest(command=command):
                process = subprocess.run(["sh", "-c", f'ulimit -f 100; "$0" {command}', PROGRAM],
                                         text=True, capture_output=True, check=False,
                                         timeout=TIMEOUT)
                self.assertEqual(process.returncode, USAGE, process.stderr)
                self.assertEqual(self.content("lines.txt").split(b"playproof")[0], b"a1\nb2\n")
                self.write("a1\nb2\n", "lines.txt")
        # A log of both streams beside the files is no contradiction.
        log = self.path("log")
        process = subprocess.run(
            ["sh", "-c", f'"$0" solve hex:size=3 --algorithm pn --certificate "$1" > {log} 2>&1',
             PROGRAM, self.path("a.cert")], check=False, timeout=TIMEOUT)
        self.assertEqual(process.returncode, DECIDED)


if __name__ == "__main__":
    unittest.main()
