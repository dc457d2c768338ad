"""`solve --certificate` and `playproof-check`: files, statuses, what is asked and answered."""

import json
import os
import re
import resource
import subprocess
import tempfile
import tomllib
import unittest

from program import (BAD_DATA, CHECKER, DATA, DECIDED, NIGHTLY, NO_OUTPUT, SOURCE, UNDECIDED, USAGE,
                     ProgramTest, run)

NOT_PROOF, UNREADABLE = 1, 2
OTHELLO = "X--O--OXXX--O-XX-XOXXOO---XOXOOX-OXXXOXOOOOXXOXOXOOOOOOOXXXXXXXO X"


def check(*arguments, **options):
    return subprocess.run([CHECKER, *arguments], capture_output=True, text=True, timeout=120,
                          check=False, **options)


class CertificateTest(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "proof.cert")

    def solve(self, *arguments, path=None):
        answer = self.json("solve", *arguments, "--certificate", path or self.path)
        self.assertEqual(answer["certificate"], path or self.path)
        return answer

    def check_json(self, *arguments, status=0):
        process = check(*arguments, "--json")
        self.assertEqual(process.returncode, status, process.stderr)
        return json.loads(process.stdout)


class Certificates(CertificateTest):

    def test_says_what_it_proves(self):
        answer = self.solve("hex:size=3", "--algorithm", "pn", "--position", "a1")
        proof = self.check_json(self.path, "--game", "hex:size=3", "--position", "a1", "--goal",
                                "win", "--verdict", answer["verdict"])
        self.assertEqual(list(proof), [
            "valid", "game", "position", "goal", "attacker", "verdict", "best_move", "listed",
            "finished", "rechecked", "brute_forced", "most_live"])
        self.assertIs(proof["valid"], True)
        self.assertEqual(proof["game"], "hex:rows=3,columns=3")
        self.assertEqual(proof["position"], "a1")
        self.assertEqual(proof["attacker"], "second")
        self.assertEqual(proof["verdict"], answer["verdict"])
        self.assertEqual(proof["best_move"], answer["best_move"])
        self.assertGreater(proof["listed"], proof["finished"])
        text = check(self.path)
        self.assertEqual(text.returncode, 0)
        self.assertRegex(text.stdout, r"^valid +true\ngame +hex:rows=3,columns=3\n")

    def test_score_and_value_have_two_claims(self):
        answer = self.solve("othello", "--algorithm", "pn", "--goal", "score", "--position",
                            OTHELLO)
        proof = self.check_json(self.path, "--goal", "score", "--verdict", str(answer["score"]))
        self.assertEqual(proof["verdict"], "14")
        with open(self.path, encoding="ascii") as file:
            claims = [line.strip() for line in file if line.startswith("claim")]
        self.assertEqual(claims, ["claim >=14 proved", "claim >=15 disproved"])
        self.assertEqual(check(self.path, "--verdict", "proved").returncode, 0)
        self.assertEqual(check(self.path, "--verdict", "15").returncode, NOT_PROOF)

    def test_best_move_is_that_of_the_lower_bound(self):
        # d4 wins by 8, c4 by 2 (x to move); O, to move in the second, loses whatever it does.
        for position, goal, best in (("OOOXXOXXXOOOXO-- X", "score", "d4"),
                                     ("OOOXXOXXXOOOXO-- X", "score>=3", "d4"),
                                     ("OOOXXOXXXOOOXO-- X", "score>=9", None),
                                     ("OOOXXOXXXOOXXO-X O", "value", None),
                                     ("OOOXXOXXXOOXXO-X O", "score", "--"),
                                     ("OOOXXOXXXOOXXO-X O", "score>=-16", None)):
            for algorithm in ("pn", "uct", "dfpn", "minimax"):
                with self.subTest(position=position, goal=goal, algorithm=algorithm):
                    answer = self.solve("othello:size=4", "--algorithm", algorithm, "--goal", goal,
                                        "--position", position, "--selfcheck", "1")
                    proof = self.check_json(self.path, "--goal", goal)
                    self.assertEqual(proof["best_move"], best)
                    trivial = goal == "score>=-16"  # any move will do, and none needs a proof
                    self.assertEqual(answer["best_move"], "--" if trivial else best)
        self.assertRegex(check(self.path).stdout, r"\nbest_move +-\n")

    def test_compressed_is_smaller_and_says_the_same(self):
        self.solve("hex:size=4", "--algorithm", "ppn:playouts=32,zones=off")
        packed = self.path + ".zst"
        self.solve("hex:size=4", "--algorithm", "ppn:playouts=32,zones=off", path=packed)
        self.assertLess(os.path.getsize(packed), os.path.getsize(self.path) / 3)
        self.assertEqual(self.check_json(packed), self.check_json(self.path))

    def test_refuses_what_was_not_asked(self):
        self.solve("hex:size=3", "--algorithm", "pn")
        for option, value in [("--game", "hex:size=4"), ("--position", "a1"), ("--goal", "draw"),
                              ("--verdict", "disproved")]:
            with self.subTest(option=option):
                process = check(self.path, option, value)
                self.assertEqual(process.returncode, NOT_PROOF)
                self.assertEqual(process.stdout, "")
                self.assertRegex(process.stderr, r"^playproof-check: .*proof\.cert:\d+: ")

    def test_usage(self):
        self.solve("hex:size=2", "--algorithm", "pn")
        for arguments in [[], [self.path, self.path], [self.path, "--goals", "win"],
                          [self.path, "--goal"], [self.path, "--goal", "score"],
                          [self.path, "--game", "go"], [self.path, "--position", "zz"]]:
            with self.subTest(arguments=arguments):
                process = check(*arguments)
                self.assertEqual(process.returncode, USAGE, process.stderr)
                self.assertEqual(process.stdout, "")
        self.assertEqual(check("--help").returncode, 0)

    def test_no_file_and_no_certificate(self):
        self.assertEqual(check(self.path).returncode, UNREADABLE)
        self.assertEqual(check(self.folder).returncode, UNREADABLE)
        self.assertEqual(check(os.path.join(DATA, "othello-perft.txt")).returncode, UNREADABLE)
        proof = self.check_json(os.path.join(DATA, "hex-openings.txt"), status=UNREADABLE)
        self.assertEqual(list(proof), ["valid", "status", "line", "error"])
        self.assertEqual(proof["line"], 1)

    def test_full_output_is_an_error(self):
        self.solve("hex:size=2", "--algorithm", "pn")
        with open("/dev/full", "w", encoding="ascii") as full:
            process = subprocess.run([CHECKER, self.path], stdout=full, stderr=subprocess.PIPE,
                                     check=False)
        self.assertEqual(process.returncode, NO_OUTPUT)


class Slow(CertificateTest):
    """Files made to be slow; counts are in tests/certificates/bounds_test.cpp."""

    def test_ids_of_one_bucket(self):
        # Multiples of two numbers of buckets of the standard hash table: a minute, if ids are hashed.
        head = ("playproof-certificate 1\ngame hex:rows=2,columns=2\nrules 1\nposition\ngoal win\n"
                "attacker first\nclaim >=1 proved\n")
        with open(self.path, "w", encoding="ascii") as file:
            file.write(head)
            file.writelines(f"leaf {85229 * 172933 * i} WBB.\n" for i in range(1, 160001))
        seconds = int(6 * float(os.environ.get("PLAYPROOF_SLOWER", "1")))
        process = check(self.path, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_CPU, (seconds, seconds)))
        self.assertEqual(process.returncode, UNREADABLE, process.stderr)
        self.assertIn(":160008: the file ends before its checksum", process.stderr)

    def test_memory_has_a_limit(self):
        self.solve("hex:size=3", "--algorithm", "pn")
        self.assertEqual(check(self.path, "--max-memory", "1").returncode, 0)
        for option in ("--max-memory", "--max-search"):
            for number in ("0", "01", "-1", "x", "", "99999999999999999999"):
                process = check(self.path, option, number)
                self.assertEqual(process.returncode, USAGE, process.stderr)
                self.assertIn(option + " must be a whole number", process.stderr)

    def test_search_has_a_limit(self):
        self.solve("othello", "--algorithm", "dfpn", "--position", OTHELLO)
        self.assertEqual(check(self.path).returncode, 0)
        process = check(self.path, "--max-search", "1")
        self.assertEqual(process.returncode, UNREADABLE)
        self.assertIn("--max-search allows more", process.stderr)

    def test_raw_bytes_stay_out_of_messages(self):
        for name in (b"\x1b[31m.cert", b"\xff\xfe.cert"):
            path = os.path.join(self.folder.encode(), name)
            for content in (None, b"\x1b[31m \xff\n"):
                if content is not None:
                    with open(path, "wb") as file:
                        file.write(content)
                process = subprocess.run([CHECKER, path, "--json"], capture_output=True,
                                         timeout=120, check=False)
                self.assertEqual(process.returncode, UNREADABLE)
                self.assertTrue(process.stderr.strip().decode("ascii").isprintable())
                if content is not None:
                    json.loads(process.stdout)


class DamagedCompression(CertificateTest):

    def setUp(self):
        super().setUp()
        self.path += ".zst"
        self.solve("hex:size=2", "--algorithm", "pn")
        with open(self.path, "rb") as file:
            self.good = file.read()

    def status_of(self, data):
        with open(self.path, "wb") as file:
            file.write(data)
        return check(self.path).returncode

    def test_cut_anywhere(self):
        self.assertEqual(self.status_of(self.good), 0)
        for size in range(0, len(self.good), 1 if NIGHTLY else 3):
            self.assertEqual(self.status_of(self.good[:size]), UNREADABLE, size)

    def test_bits(self):
        # Where zstd itself finds the same bytes in it, the certificate is not damaged (the size
        # of the window, unused bits).
        harmless = 0
        for bit in range(0, 8 * len(self.good), 3 if NIGHTLY else 9):
            data = bytearray(self.good)
            data[bit // 8] ^= 1 << bit % 8
            status = self.status_of(bytes(data))
            self.assertIn(status, (0, UNREADABLE), bit)
            harmless += status == 0
        self.assertLess(harmless, 12)

    def test_something_follows(self):
        for tail in (b"\0", b"x", self.good, b"\x28\xb5\x2f\xfd"):
            self.assertEqual(self.status_of(self.good + tail), UNREADABLE)

    def test_large_window_is_refused(self):
        # Frame header: magic, descriptor 0, window byte for 2 GiB; then an empty last block.
        self.assertEqual(self.status_of(b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00"), UNREADABLE)


class Files(CertificateTest):
    """A certificate appears whole or not at all."""

    def test_undecided_writes_nothing(self):
        for goal in ("win", "value"):
            process = run("solve", "hex:size=5", "--algorithm", "pn", "--max-nodes", "100",
                          "--goal", goal, "--certificate", self.path, "--json")
            self.assert_status(process, UNDECIDED)
            self.assertIsNone(json.loads(process.stdout)["certificate"])
            self.assertIn("proof.cert: not written", process.stderr)
            self.assertEqual(os.listdir(self.folder), [])

    def test_undecided_leaves_the_old_one(self):
        self.solve("hex:size=2", "--algorithm", "pn")
        run("solve", "hex:size=5", "--algorithm", "pn", "--max-nodes", "100", "--certificate",
            self.path)
        self.assertEqual(self.check_json(self.path)["game"], "hex:rows=2,columns=2")

    def test_cannot_be_written(self):
        for path in (os.path.join(self.folder, "no", "such.cert"), self.folder):
            self.assert_fails(["solve", "hex:size=2", "--algorithm", "pn", "--certificate", path],
                              NO_OUTPUT, path)

    def test_disk_full(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        for path in (self.path, self.path + ".zst"):
            process = run("solve", "hex:size=4", "--algorithm", "pn:zones=off", "--certificate", path,
                          preexec_fn=limit)
            # SIGXFSZ ends a program that does not expect it; then a temporary file may stay.
            self.assertNotEqual(process.returncode, 0)
            self.assertFalse(os.path.exists(path))

    def test_one_position_only(self):
        self.assert_fails(["solve", "hex:size=2", "--algorithm", "pn", "--position", "-",
                           "--certificate", self.path], USAGE, "--certificate", stdin="a1\n")

    def test_text_names_the_file(self):
        process = run("solve", "hex:size=2", "--algorithm", "pn", "--certificate", self.path)
        self.assert_status(process, DECIDED)
        self.assertIn(f"certificate {self.path}\n", process.stdout)

    def test_counts_do_not_change(self):
        search = ("othello", "--algorithm", "ppn", "--goal", "score", "--position", OTHELLO)
        process = run("solve", *search, "--json")
        self.assert_status(process, DECIDED)
        plain = json.loads(process.stdout)
        written = self.solve(*search)
        for answer in (plain, written):
            for key in ("seconds", "cpu_seconds", "certificate"):
                answer.pop(key)
        self.assertEqual(plain, written)

    def test_bad_position_is_still_bad_data(self):
        self.assert_fails(["solve", "hex:size=2", "--algorithm", "pn", "--position", "zz",
                           "--certificate", self.path], BAD_DATA, "zz")
        self.assertEqual(os.listdir(self.folder), [])


class Experiments(CertificateTest):
    """Every verdict of the smoke plan has a certificate."""

    def test_smoke_plan(self):
        with open(os.path.join(SOURCE, "tests", "programs", "smoke.toml"), "rb") as file:
            plan = tomllib.load(file)
        checked = 0
        for series in plan["series"]:
            for tree in range(series["trees"]["from"], series["trees"]["to"] + 1):
                for algorithm in plan["algorithm"]:
                    game = f"{series['game']},tree={tree}"
                    answer = self.solve(game, "--algorithm", algorithm["spec"], "--seed", str(tree))
                    proof = self.check_json(self.path, "--game", game, "--position", "", "--goal",
                                            answer["goal"], "--verdict", answer["verdict"])
                    self.assertEqual(proof["brute_forced"], 0)
                    checked += 1
        self.assertEqual(checked, 96)


class Page(CertificateTest):
    """The examples of docs/certificate.md."""

    def test_examples_are_valid(self):
        with open(os.path.join(SOURCE, "docs", "certificate.md"), encoding="utf-8") as file:
            page = file.read()
        examples = re.findall(r"^```certificate\n(.*?)^```$", page, re.M | re.S)
        self.assertGreaterEqual(len(examples), 3)
        kinds = set()
        for example in examples:
            with open(self.path, "w", encoding="ascii") as file:
                file.write(example)
            process = check(self.path)
            self.assertEqual(process.returncode, 0, process.stderr + example)
            kinds |= {line.split()[0] for line in example.splitlines()}
        grammar = re.search(r"^```grammar\n(.*?)^```$", page, re.M | re.S).group(1)
        words = set(re.findall(r'"([a-z-]+)(?: 1)?"', grammar)) - {"first", "second", "proved",
                                                                  "disproved", "rules"}
        self.assertLessEqual(words, kinds | {"rules"}, "kinds of lines without an example")


if __name__ == "__main__":
    unittest.main()
