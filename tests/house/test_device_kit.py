"""The device kit has every file that its programs need. (`make device-kit` builds and runs it.)"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import source_tree as tree

PACK = tree.ROOT / "bench" / "device_kit" / "pack.sh"
GOOGLETEST = pathlib.Path(os.environ.get("GOOGLETEST_SOURCE", "/usr/src/googletest/googletest"))


@unittest.skipUnless((GOOGLETEST / "src" / "gtest-all.cc").is_file(),
                     "the sources of GoogleTest are not installed")
class DeviceKit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kit = pathlib.Path(folder.name) / "kit"
        subprocess.run([str(PACK), str(self.kit)], check=True, capture_output=True)

    def test_includes_are_packed(self):
        sources = [path for path in self.kit.rglob("*")
                   if path.suffix in (*tree.CPP, ".inc") and "third_party" not in path.parts]
        self.assertGreater(len(sources), 50)
        for path in sources:
            for included in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.M):
                with self.subTest(file=path.name, included=included):
                    self.assertTrue((self.kit / included).is_file()
                                    or (path.parent / included).is_file())

    def test_files_of_the_build_are_packed(self):
        text = (self.kit / "CMakeLists.txt").read_text()
        named = re.findall(r"[\w./-]+/[\w.-]+\.(?:cc|cpp)\b", text)
        self.assertGreaterEqual(len(named), 3)
        for name in named:
            with self.subTest(name=name):
                self.assertTrue((self.kit / name).is_file())
        self.assertTrue(os.access(self.kit / "run.sh", os.X_OK))
        self.assertTrue(os.access(self.kit / "evidence.sh", os.X_OK))

    def test_files_that_tests_read_are_packed(self):
        read = {name for path in (self.kit / "tests").rglob("*.cpp")
                for name in re.findall(r'PLAYPROOF_TEST_DATA\s*"/([^"]+)"', path.read_text())}
        self.assertGreaterEqual(len(read), 2)
        for name in read:
            with self.subTest(name=name):
                self.assertTrue((self.kit / "tests" / "data" / name).is_file())

    def test_a_program_is_packed_with_its_libraries(self):
        program = os.environ.get("PLAYPROOF")
        if not program or not shutil.which("strip"):
            self.skipTest("no program is built, or there is no strip")
        subprocess.run([str(PACK), str(self.kit), program], check=True, capture_output=True)
        packed = self.kit / "bin" / "playproof"
        self.assertLessEqual(packed.stat().st_size, os.stat(program).st_size)
        asked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        for name in re.findall(r"^\s*(\S+\.so\S*) => /", asked, re.M):
            with self.subTest(name=name):
                self.assertTrue((self.kit / "bin" / "lib" / name).is_file()
                                or re.match(r"lib(c|m|dl|rt|pthread)\.so", name))


if __name__ == "__main__":
    unittest.main()
