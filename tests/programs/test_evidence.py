"""The evidence of a device, in its dry form: every step, twice, with steps that fail and hang, and
what import.py takes and refuses."""

import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

from program import NIGHTLY, PROGRAM, SOURCE

KIT = pathlib.Path(SOURCE) / "bench" / "device_kit"
PARTS = ("kernels", "fleets", "searches")
NOTHING_TO_ASK = {"no device on this machine", "the dry form has no device"}
ALWAYS = {"warm-up", "nvidia-smi warm"}  # of each call: clocks
SLOWER = float(os.environ.get("PLAYPROOF_SLOWER", "1"))
# Fails for one board and hangs for another.
BROKEN = """#!/bin/sh
case "$*" in
  "bench playouts hex:size=13 --engine sliced --leaves 3 --playouts-per-leaf 32 --json --batch-words 3")
    echo "broken on purpose" >&2; exit 70 ;;
  "bench playouts othello:size=6 --engine sliced --leaves 3 --playouts-per-leaf 32 --json --batch-words 3")
    sleep 100 ;;
esac
exec "{program}" "$@"
"""


class Evidence(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.good = cls.programs("good")
        cls.out = cls.folder / "all"
        cls.first = cls.run_evidence(cls.out, state="all")

    @classmethod
    def programs(cls, name):
        folder = cls.folder / name
        folder.mkdir()
        (folder / "playproof").symlink_to(pathlib.Path(PROGRAM).resolve())
        tests = pathlib.Path(os.environ.get("PLAYPROOF_BUILD", "build")) / "kernels_test"
        if tests.is_file():
            (folder / "kernels_test").symlink_to(tests.resolve())
        return folder

    @classmethod
    def run_evidence(cls, out, *words, state, **environment):
        return subprocess.run(
            [str(KIT / "evidence.sh"), str(out), *words, "--dry"], capture_output=True, text=True,
            check=False, timeout=120 * SLOWER,
            env={**os.environ, "EVIDENCE_BIN": str(cls.good),
                 "EVIDENCE_STATE": str(cls.folder / f"state-{state}"), **environment})

    def forget(self, state, *steps):
        """All but these steps of the first call are remembered there; by night nothing is."""
        if NIGHTLY:
            return
        shutil.copytree(self.folder / "state-all", self.folder / f"state-{state}")
        for path in (self.folder / f"state-{state}").iterdir():
            if json.loads(path.read_text(encoding="utf-8"))["step"].startswith(steps):
                path.unlink()

    def records(self, out, part):
        lines = (out / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
        lines = [json.loads(line) for line in lines]
        return (lines[0]["facts"], {r["step"]: r for r in lines if "step" in r},
                [r for r in lines if "comparison" in r])

    def run_import(self, *words, status=0):
        process = subprocess.run([sys.executable, "-B", str(KIT / "import.py"), *map(str, words)],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(process.returncode, status, process.stderr)
        return process.stdout if status == 0 else process.stderr

    def test_every_step_of_every_part(self):
        self.assertEqual(self.first.returncode, 0, self.first.stdout + self.first.stderr)
        files = list(self.out.iterdir())
        self.assertLessEqual(len(files), 8)
        self.assertLessEqual(max(path.stat().st_size for path in files), 16 << 20)
        for part, count in zip(PARTS, (80, 30, 45)):
            facts, steps, compared = self.records(self.out, part)
            self.assertTrue(facts["dry"])
            self.assertEqual(facts["steps"], len(steps))
            played = [r for r in steps.values() if "skipped" not in r]
            self.assertGreaterEqual(len(played), count)
            self.assertEqual([r["step"] for r in played if "failed" in r], [])
            for record in steps.values():
                self.assertTrue(record.get("skipped", "reason"), record)
            self.assertGreaterEqual(len(compared), 4)
            self.assertEqual([c for c in compared if not c["equal"]], [])
            with tarfile.open(self.out / f"{part}.tgz") as archive:
                self.assertEqual(archive.extractfile(f"{part}/{part}.jsonl").read(),
                                 (self.out / f"{part}.jsonl").read_bytes())
                log = archive.extractfile(f"{part}/{part}.log").read().decode()
                self.assertEqual(len(re.findall("^=== ", log, re.M)), len(steps))
                kept = [name for name in archive.getnames() if "/state/" in name]
            self.assertEqual(len(kept), len([r for r in steps.values() if r["status"] is not None
                                             and r["step"] not in ALWAYS]))

    def test_a_second_call_remembers_everything(self):
        process = self.run_evidence(self.folder / "again", state="all")
        self.assertEqual(process.returncode, 0, process.stderr)
        for part in PARTS:
            before, after = self.records(self.out, part)[1], self.records(
                self.folder / "again", part)[1]
            self.assertEqual(list(before), list(after))
            for name, record in after.items():
                if "skipped" not in record and name not in ALWAYS:
                    self.assertTrue(record.pop("remembered"), name)
                    self.assertEqual(record, before[name])

    def test_goes_on_after_failures_and_tries_them_again(self):
        broken = self.programs("broken")
        (broken / "playproof").unlink()
        (broken / "playproof").write_text(
            BROKEN.format(program=pathlib.Path(PROGRAM).resolve()), encoding="utf-8")
        (broken / "playproof").chmod(0o755)
        out = self.folder / "failed"
        self.forget("failed", "tallies hex 13x13", "tallies othello 6", "tallies connect 7x7")
        process = self.run_evidence(out, "1", state="failed", EVIDENCE_BIN=str(broken),
                                    EVIDENCE_LIMIT=str(SLOWER))
        self.assertEqual(process.returncode, 1)
        _, steps, _ = self.records(out, "kernels")
        failed = {name: r["failed"] for name, r in steps.items() if "failed" in r}
        self.assertEqual(set(failed), {f"tallies {game} {who}" for game in ("hex 13x13", "othello 6")
                                       for who in ("device", "host")})
        self.assertNotIn("remembered", steps["tallies connect 7x7 host"])
        self.assertIn("broken on purpose", failed["tallies hex 13x13 host"])
        self.assertEqual(steps["tallies hex 13x13 host"]["status"], 70)
        self.assertIn("time limit", failed["tallies othello 6 host"])
        self.assertLess(steps["tallies othello 6 host"]["seconds"], 10 * SLOWER)

        process = self.run_evidence(out, "kernels", state="failed")
        self.assertEqual(process.returncode, 0, process.stderr)
        _, steps, _ = self.records(out, "kernels")
        played = {name for name, r in steps.items()
                  if "skipped" not in r and "remembered" not in r}
        self.assertEqual(played - ALWAYS, set(failed))

    def test_steps_that_begin_too_late_say_so(self):
        out = self.folder / "late"
        process = self.run_evidence(out, "3", state="late", EVIDENCE_PART_SECONDS="0")
        self.assertIn("call again", process.stdout)
        steps = self.records(out, "searches")[1].values()
        why = {r.get("skipped", "").split(":")[0] for r in steps} - NOTHING_TO_ASK
        if not (self.good / "kernels_test").exists():  # as in a build with sanitizers
            why.remove("kernels_test is not there or does not start")
        self.assertEqual(why, {"too late"})

    def test_a_test_that_skips_itself_is_not_done(self):
        programs = self.programs("skipping")
        (programs / "kernels_test").unlink(missing_ok=True)
        (programs / "kernels_test").write_text("#!/bin/sh\necho '[  SKIPPED ] Philox.One (0 ms)'\n")
        (programs / "kernels_test").chmod(0o755)
        self.forget("skipped", "test engines of the CPU")
        self.run_evidence(self.folder / "skipped", "3", state="skipped", EVIDENCE_BIN=str(programs))
        step = self.records(self.folder / "skipped", "searches")[1]["test engines of the CPU"]
        self.assertEqual(step["skipped"], "the test has skipped itself")

    def test_dry_tables_have_a_warning_and_are_stored_apart(self):
        self.assertIn("--dry", self.run_import(self.out, status=65))
        text = self.run_import(self.out, "--dry")
        self.assertIn("No number here is a GPU's", text)
        self.assertNotRegex(text, r"\bdevice \|")
        self.assertIn("### Fleets", text)
        self.assertIn("are equal", text)
        results = KIT.parent / "results" / "device"
        self.assertIn("not stored", self.run_import(self.out, "--dry", "--results", results,
                                                    status=65))
        self.run_import(self.out, "--dry", "--results", self.folder / "results")
        stored = next((self.folder / "results").iterdir())
        self.assertTrue(stored.name.endswith("-dry"))
        for part in PARTS:
            self.assertEqual((stored / f"{part}.jsonl").read_bytes(),
                             (self.out / f"{part}.jsonl").read_bytes())
        measures = json.loads((stored / "measures.json").read_text())
        self.assertIn("warning", measures)
        self.page(stored / "measures.json", measures)

    def page(self, path, measures):
        """Every search in flight is a row of the page; its axes have numbers."""
        python, page = os.environ.get("PLAYPROOF_PYTHON", "/usr/bin/python3"), self.folder / "page.html"
        subprocess.run([python, KIT.parent / "page.py", path, "--output", page], check=True,
                       capture_output=True, timeout=300)
        text = page.read_text()
        self.assertIn(measures["warning"].split(".")[0], text)
        self.assertNotIn("mathdefault", text)
        rows = re.findall(r"<tr>.*?</tr>", text.split("Many searches at a time")[-1].split("<h2")[0],
                          re.S)
        shown = [re.findall(r"<td[^>]*>([^<]*)</td>", row)[-7:-5] for row in rows]
        self.assertEqual(sorted(row for row in shown if row), sorted(
            [str(row["feeders"]), str(row["in_flight"])]
            for answer in measures["fleet"] for row in answer["rows"]))

    def changed(self, name, change):
        """A copy of the results, each line of each file changed."""
        out = self.folder / name
        out.mkdir()
        for part in PARTS:
            lines = (self.out / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
            lines = [json.dumps(change(json.loads(line))) for line in lines]
            (out / f"{part}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return out

    def test_what_no_device_played_is_refused(self):
        def on(devices, player):
            def change(line):
                if "facts" in line:
                    line["facts"].update(dry=False, devices=devices)
                answer = line.get("answer")
                if line.get("device") and isinstance(answer, dict) and "device" in answer:
                    answer["device"] = player
                return line
            return change

        device = [{"kind": "cuda", "name": "Pretended 1"}]
        for name, change, reason in (
                ("none", on([], "cpu"), "no device"), ("cpu", on(device, "cpu"), "played by 'cpu'"),
                ("emulated", on([{"kind": "cuda", "name": "emulated"}], "emulated"), "emulated")):
            with self.subTest(name=name):
                self.assertIn(reason, self.run_import(self.changed(name, change), status=65))
        folder = self.folder / "taken"
        self.run_import(self.changed("device", on(device, "Pretended 1")), "--results", folder)
        stored = next(folder.iterdir())
        self.assertTrue(stored.name.endswith("-pretended-1"))
        self.assertNotIn("warning", json.loads((stored / "measures.json").read_text()))

    def test_profiles_are_read(self):
        sys.path.insert(0, str(KIT))
        module = importlib.import_module("import")
        text = ('==PROF== Connected\n{"seconds":1}\n"ID","Kernel Name","Metric Name","Metric Unit",'
                '"Metric Value"\n"0","play, all","Duration","us","1,234.5"\n"0","play","Rule","",""\n'
                '"0","play","smsp__stalled_wait","warp","7"\n')
        self.assertEqual(module.profile(text), {"Duration": "1,234.5 us",
                                                "smsp__stalled_wait": "7 warp"})
        self.assertEqual(module.profile("==ERROR== not allowed\n"), {})

    def test_ways_are_compared(self):
        sys.path.insert(0, str(KIT))
        module = importlib.import_module("import")

        def told(leaves, way, seconds):
            return {"case": "hex-11", "device": "D", "leaves": leaves, "playouts_per_leaf": 32, "way": way,
                    "lone_seconds": seconds, "lone_device_seconds": seconds / 2}

        answer = [told(1, "mapped", 30e-6), told(1, "parameters", 12e-6), told(1, "copied", 20e-6),
                  told(660, "mapped", 30e-6), told(660, "copied", 20e-6)]
        step = {"step": "device_bench ways hex-11", "kind": "ways"}
        lines = module.ways_table([{**step, "answer": answer}])
        self.assertEqual(lines[2:4], ["| hex-11 | 32 | 1 | 30 | 15 | 12 | 6 | 20 | 10 | parameters |",
                                      "| hex-11 | 32 | 660 | 30 | 15 | - | - | 20 | 10 | copied |"])
        nothing = {**step, "answer": {"measured": False, "reason": "the device is emulated"}}
        self.assertEqual(module.ways_table([nothing]), ["nothing", ""])

    def test_damage_is_refused(self):
        out = self.changed("damaged", lambda line: line)
        path = out / "kernels.jsonl"
        text = path.read_text(encoding="utf-8")
        for damaged, reason in ((text[:-20], "kernels.jsonl:"),
                                (text.replace('"tally_checksum": "', '"tally_checksum": "0', 1),
                                 "comparisons"),
                                (text.split("\n", 1)[1], "begin with facts"),
                                (text + " " * (16 << 20), "larger")):
            with self.subTest(reason=reason):
                path.write_text(damaged, encoding="utf-8")
                self.assertIn(reason, self.run_import(out, "--dry", status=65))


if __name__ == "__main__":
    unittest.main()
