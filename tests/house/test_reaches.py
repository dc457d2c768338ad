"""Which long stages of .ci/run a change reaches (.ci/reaches): files of every kind, what has threads or is compiled
for a device, and what nobody knows."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import source_tree as tree

REACHES = tree.ROOT / ".ci" / "reaches"
STAGES = {"python", "cuda-off", "deb", "cuda-emulated", "sanitize", "tsan"}
COMPILED = {"python", "cuda-off", "sanitize"}
EXAMPLES = {
    "docs/hex.md": set(), "README.md": set(), "CONTRIBUTING.md": set(), ".clang-tidy": set(), ".ci/lint": set(),
    "tests/report/test_figures.py": set(), "tests/programs/test_solve.py": {"cuda-off"},
    "python/playproof/__init__.py": {"python"}, "src/python/solve.cpp": {"python"}, "CHANGELOG.md": {"deb"},
    "packaging/debian/check.sh": {"deb"}, "packaging/site/build.py": set(), "bench/speed.py": set(),
    "bench/plans/table.toml": {"python", "deb"}, "tests/host/pn2_test.cpp": {"sanitize"},
    "tests/fuzz/store.cpp": {"sanitize"}, "tests/kernels/device_test.cpp": {"cuda-off", "cuda-emulated"},
    "src/formats/hex.cpp": COMPILED, "host/tree/tree.h": COMPILED, "host/playouts/fleet.cpp": STAGES - {"deb"},
    "kernels/hex/playouts_1.cu": COMPILED | {"cuda-emulated"}, "games/hex/rules.h": COMPILED | {"cuda-emulated"},
    "host/drive/driver.h": COMPILED | {"tsan"}, "src/experiment/record.cpp": COMPILED | {"tsan"},
    "tests/host/fleet_test.cpp": STAGES - {"python", "deb"}, "tests/host/support.cpp": STAGES - {"python", "deb"},
    "CMakeLists.txt": STAGES, "host/CMakeLists.txt": STAGES, "src/cmake/Games.cmake": STAGES, "Makefile": STAGES,
    ".ci/run": STAGES, ".ci/reaches": STAGES, "CMakePresets.json": STAGES,
    "something/new.xyz": STAGES, "tests/something/new.py": STAGES, "new.txt": STAGES}


class Reaches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.git("init", "-q", "-b", "main")
        self.commit("2020-01-01T00:00:00")

    def git(self, *arguments, date="2020-01-01T00:00:00"):
        environment = {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date, "PATH": os.environ["PATH"],
                       "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.folder,
                       env=environment, check=True, capture_output=True)

    def commit(self, date):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "m", date=date)

    def write(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        return path

    def said(self, *arguments):
        """{stage: (reached, why)}"""
        lines = subprocess.run([str(REACHES), *arguments], cwd=self.folder, check=True, capture_output=True,
                               text=True).stdout.splitlines()
        found = {stage: (reached, why) for stage, reached, why in (line.split("\t") for line in lines)}
        self.assertEqual((set(found), len(lines)), (STAGES, len(STAGES)))
        self.assertLessEqual({reached for reached, _ in found.values()}, {"yes", "no"})
        return found

    def reached(self, *arguments):
        return {stage for stage, (reached, _) in self.said(*arguments).items() if reached == "yes"}

    def test_several_files_and_why(self):
        self.write("docs/a.md")
        self.assertEqual(self.reached("HEAD"), set())
        self.write("host/tree/a.h")
        self.write("src/python/a.cpp")
        self.write("src/store/a.cpp")
        said = self.said("HEAD")
        self.assertEqual(said["sanitize"], ("yes", "host/tree/a.h"))
        self.assertEqual(said["tsan"], ("yes", "src/store/a.cpp"))
        self.assertEqual(said["deb"][0], "no")
        self.assertIn("nothing that changed since", said["deb"][1])
        self.write("new.txt")
        self.assertEqual(self.said("HEAD")["deb"], ("yes", "new.txt, which .ci/reaches does not know"))

    def test_base(self):
        self.assertEqual(self.reached(), STAGES)  # nothing to compare with
        self.write("docs/a.md")
        self.commit("2020-01-03T00:00:00")
        self.assertEqual(self.reached(), set())  # since a day ago
        self.write("tests/fuzz/a.cpp")
        self.commit("2020-01-03T01:00:00")
        self.assertEqual(self.reached(), {"sanitize"})
        (self.folder / "tests/fuzz/a.cpp").unlink()
        self.assertEqual(self.reached("HEAD"), {"sanitize"})  # gone is changed
        self.assertEqual(self.reached("all"), STAGES)
        self.assertEqual(self.reached("no-such-commit"), STAGES)


class Rules(unittest.TestCase):
    """The files of this tree."""

    @classmethod
    def setUpClass(cls):
        source = {"__name__": "reaches", "__file__": str(REACHES)}
        exec(compile(REACHES.read_text(), str(REACHES), "exec"), source)  # pylint: disable=exec-used
        cls.stages_of = staticmethod(source["stages_of"])

    def test_a_change_of_one_file(self):
        for name, stages in EXAMPLES.items():
            with self.subTest(name=name):
                found = self.stages_of(name)
                self.assertEqual(STAGES if found is None else set(found), stages)

    def test_every_file_is_known(self):
        self.assertEqual([name for name in tree.files() if self.stages_of(name) is None], [])

    def test_what_has_threads_reaches_their_sanitizer(self):
        uses = re.compile(r"^#include <(thread|atomic|mutex|shared_mutex|condition_variable|future)>", re.M)
        found = [name for name in tree.files() if re.match(r"(host|src)/(?!python/).*\.(cpp|h)$", name)
                 and uses.search(tree.read(name))]
        self.assertGreater(len(found), 4)
        self.assertEqual([name for name in found if "tsan" not in self.stages_of(name)], [])

    def test_code_reaches_the_sanitizers_and_that_of_devices_its_emulation(self):
        for name in tree.files():
            if re.search(r"^(games|host|kernels|src/(?!python/)).*\.(cpp|h|inc|cu|cuh)$", name):
                self.assertIn("sanitize", self.stages_of(name), name)
            if re.match(r"(games|kernels|tests/(kernels|emulated))/.*\.(cpp|h|cu|cuh)$", name):
                self.assertIn("cuda-emulated", self.stages_of(name), name)

    def test_the_stages_of_the_run(self):
        run = tree.read(".ci/run")
        self.assertEqual(set(re.findall(r"^ *stage_if_reached ([\w-]+) ", run, re.M)), STAGES)


if __name__ == "__main__":
    unittest.main()
