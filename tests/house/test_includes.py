"""A floor includes only its own files and those of the floors under it; a room likewise."""

import re
import unittest

import source_tree as tree

# Third-party headers by the folders whose files may include them (the standard library and, in
# kernels, the CUDA toolkit apart). Everything else is for src, tests and bench.
LIBRARIES = re.compile(r"^(fmt/|CLI/|nlohmann/|toml\+\+/|sqlite3\.h|xxhash\.h|gtest/|gmock/)")


class Includes(unittest.TestCase):
    def test_direction(self):
        for floor, folder in enumerate(tree.FLOORS):
            allowed = tree.FLOORS[:floor + 1]
            names = tree.cpp_files(folder)
            self.assertTrue(names, f"no C++ files in {folder}/")
            for name in names:
                for included in tree.includes(name)[0]:
                    with self.subTest(file=name, included=included):
                        self.assertIn(included.split("/")[0], allowed)

    def test_rooms_know_only_lower_rooms(self):
        for floor, rooms in tree.rooms().items():
            for name in tree.cpp_files(floor):
                with self.subTest(file=name):
                    self.assertIn(tree.room(name), rooms)
                for included in tree.includes(name)[0]:
                    if included.split("/")[0] != floor:
                        continue
                    with self.subTest(file=name, included=included):
                        self.assertLessEqual(rooms.index(tree.room(included)),
                                             rooms.index(tree.room(name)))

    def test_a_game_knows_no_other_game(self):
        games = tree.games()
        self.assertGreaterEqual(len(games), 4)
        for floor in ("games", "kernels"):
            for name in tree.cpp_files(floor):
                for included in tree.includes(name)[0]:
                    with self.subTest(file=name, included=included):
                        other = tree.room(included)
                        self.assertTrue(tree.room(name) in (other, "") or other not in games)

    def test_a_type_has_one_definition(self):
        # Two of one name are one to the linker, which takes the functions of either.
        where = {}
        for name in tree.cpp_files():
            for kind in tree.cpp_types(tree.read(name)):
                where.setdefault(kind, []).append(name)
        self.assertGreater(len(where), 100)
        for kind, names in where.items():
            with self.subTest(type=kind):
                self.assertEqual(len(names), 1, names)

    def test_a_unit_of_tests_has_its_namespace(self):
        # They are compiled together (PLAYPROOF_UNITY): what one names for itself is not the next one's.
        units = [name for name in tree.cpp_files("tests") if name.endswith("_test.cpp")]
        self.assertGreater(len(units), 100)
        for name in units:
            if name.startswith("tests/thrust/"):  # programs of their own
                continue
            stem = name.split("/")[-1].removesuffix(".cpp")
            with self.subTest(file=name):
                self.assertRegex(tree.read(name), rf"(?m)^namespace (playproof::)?{stem} {{\nnamespace {{$")

    def test_paths_start_at_the_root(self):
        for name in tree.cpp_files():
            for included in tree.includes(name)[0]:
                if name.startswith(("tests/install/", "bench/", "tests/")):
                    continue
                with self.subTest(file=name, included=included):
                    self.assertTrue((tree.ROOT / included).is_file())

    def test_reference_rules_stand_alone(self):
        names = [f for f in tree.cpp_files("games") if f.endswith("/reference.h")]
        self.assertGreaterEqual(len(names), 4)
        for name in names:
            own, other = tree.includes(name)
            with self.subTest(file=name):
                self.assertLessEqual(set(own), {"games/core/game.h", "games/core/reference_text.h", "games/core/reference_words.h"})
                for header in other:  # the standard library: <vector>, <cstdint>
                    self.assertRegex(header, r"^[a-z_]+$")
        self.assertEqual(tree.includes("games/core/game.h")[0], [])

    def test_fmt_stays_out_of_device_code(self):
        # fmt 9 does not compile in a .cu under C++20: it may not be in anything a .cu includes.
        roots = [f for f in tree.cpp_files() if f.endswith((".cu", ".cuh"))]
        roots += tree.cpp_files("kernels")
        roots += [f for f in tree.cpp_files("games") if f.endswith(".h")]
        for root in roots:
            for name in tree.include_closure(root):
                with self.subTest(root=root, file=name):
                    self.assertNotRegex(" ".join(tree.includes(name)[1]), r"\bfmt/")

    def test_libraries_stay_on_the_upper_floors(self):
        for name in tree.cpp_files("games", "kernels", "host"):
            allowed = name.startswith("host/") and name.endswith(".cpp")
            for header in tree.includes(name)[1]:
                with self.subTest(file=name, header=header):
                    self.assertFalse(LIBRARIES.match(header) and not
                                     (allowed and header.startswith(("fmt/", "xxhash"))))

    def test_a_run_is_a_function(self):
        # What a run of an experiment gives is plain values; the store, what is printed and signals
        # are around it. (io/drive.cpp is the loop, which knows of signals for other callers.)
        around = {"src/store/store.h", "src/store/opening.h", "src/experiment/experiment.h",
                  "src/io/output.h", "src/io/interrupt.h"}
        for name in ("src/experiment/run.cpp", "src/experiment/curve.cpp"):
            with self.subTest(file=name):
                self.assertEqual(tree.include_closure(name) & around, set())

    def test_closure_is_followed(self):  # the tests above rest on it
        self.assertIn("games/core/game.h", tree.include_closure("host/solve/solver.h"))


if __name__ == "__main__":
    unittest.main()
