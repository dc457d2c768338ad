"""clang-tidy is asked about every unit that changed and, for every header that did, about a unit that includes
it (.ci/affected)."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import source_tree as tree

AFFECTED = tree.ROOT / ".ci" / "affected"
FILES = {"games/a.h": "", "games/b.h": '#include "games/a.h"\n', "games/a.cpp": '#include "games/a.h"\n',
         "host/c.cpp": "#include <vector>\n#include \"games/b.h\"\n", "tests/support.h": "",
         "tests/d.cpp": '#include "support.h"\n', "host/e.cpp": "", ".clang-tidy": "Checks: x\n"}
EVERY = ["games/a.cpp", "host/c.cpp", "host/e.cpp", "tests/d.cpp"]


class Affected(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.git("init", "-q", "-b", "main")
        for name, text in FILES.items():
            self.write(name, text)
        self.commit("2020-01-01T00:00:00")

    def git(self, *arguments, date="2020-01-01T00:00:00"):
        environment = {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date, "PATH": os.environ["PATH"],
                       "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                              cwd=self.folder, env=environment, check=True, capture_output=True,
                              text=True).stdout

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, date):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "m", date=date)

    def affected(self, *base):
        return subprocess.run([str(AFFECTED), *base], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout.splitlines()

    def test_units_that_include_what_changed(self):
        self.write("games/b.h", '#include "games/a.h"\nint b;\n')
        self.assertEqual(self.affected("HEAD"), ["host/c.cpp"])  # not committed
        self.commit("2020-01-02T00:00:00")
        self.assertEqual(self.affected("HEAD"), [])
        self.assertEqual(self.affected("HEAD~1"), ["host/c.cpp"])
        self.write("games/a.h", "int a;\n")
        self.assertEqual(self.affected("HEAD"), ["games/a.cpp"])  # reads less than host/c.cpp
        self.write("games/b.h", '#include "games/a.h"\nint bb;\n')
        self.assertEqual(self.affected("HEAD"), ["host/c.cpp"])  # both headers
        self.write("games/a.cpp", '#include "games/a.h"\nint aa;\n')
        self.assertEqual(self.affected("HEAD"), ["games/a.cpp", "host/c.cpp"])
        self.write("games/b.h", FILES["games/b.h"] + "int b;\n")
        self.assertEqual(self.affected("HEAD"), ["games/a.cpp"])  # which changed, and reads the header

    def test_headers_beside_a_unit_and_those_that_are_gone_or_new(self):
        self.write("tests/support.h", "int s;\n")
        self.assertEqual(self.affected("HEAD"), ["tests/d.cpp"])
        (self.folder / "tests/support.h").unlink()
        self.assertEqual(self.affected("HEAD"), ["tests/d.cpp"])
        self.write("host/new.cpp", "")
        self.assertEqual(self.affected("HEAD"), ["host/new.cpp", "tests/d.cpp"])

    def test_other_checks_mean_every_unit(self):
        self.write(".clang-tidy", "Checks: y\n")
        self.assertEqual(self.affected("HEAD"), EVERY)

    def test_base(self):
        self.assertEqual(self.affected(), EVERY)  # nothing to compare with
        self.write("host/e.cpp", "int e;\n")
        self.commit("2020-01-03T00:00:00")
        self.assertEqual(self.affected(), ["host/e.cpp"])  # a day ago it was not there
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.write("tests/d.cpp", "int d;\n")
        self.commit("2020-01-03T01:00:00")
        self.assertEqual(self.affected(), ["tests/d.cpp"])
        self.assertEqual(self.affected("0" * 40), EVERY)

class Make(unittest.TestCase):
    def told(self, *arguments):
        """What `make lint` would call."""
        environment = {"PATH": os.environ["PATH"]}  # not what a make above says
        lines = subprocess.run(["make", "-n", "lint", "JOBS=2", *arguments], cwd=tree.ROOT, env=environment,
                               check=True, capture_output=True, text=True).stdout.splitlines()
        call, = (line.split() for line in lines if line.startswith(".ci/lint"))
        return call

    def test_what_is_read(self):
        """LINT is a word that make itself has a value for."""
        self.assertEqual(self.told(), [".ci/lint", "build", "2"])
        self.assertEqual(self.told("LINT=all"), [".ci/lint", "build", "2", "all"])


if __name__ == "__main__":
    unittest.main()
