"""The Dockerfile and the Apptainer definition: their form, their shell, and that what they copy is
there. Nothing is built. hadolint reads the Dockerfile too, where it is (`.ci/lint`)."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import share

INSTRUCTIONS = {"FROM", "ARG", "RUN", "COPY", "WORKDIR", "ENTRYPOINT", "ENV", "LABEL", "USER"}
HEADERS = {"Bootstrap", "From", "Stage"}
SECTIONS = {"%files", "%post", "%runscript", "%test", "%help", "%environment", "%labels"}


def instructions(text):
    """[(instruction, rest)] of a Dockerfile; continued lines are joined."""
    text = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ")
    found = [line.split(None, 1) for line in text.split("\n") if line.strip()]
    bad = [words for words in found if words[0] not in INSTRUCTIONS or len(words) != 2]
    if bad:
        raise ValueError(f"no instruction: {bad[0]}")
    return [(word, " ".join(rest.split())) for word, rest in found]


def stages(text):
    """[(headers, {section with its arguments: lines})] of an Apptainer definition."""
    found, section = [], None
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"(\w+): (\S+)$", line)
        if line.startswith("#") or (not line and section is None):
            continue
        if header:
            if header.group(1) not in HEADERS:
                raise ValueError(f"line {number}: no header '{header.group(1)}'")
            if header.group(1) == "Bootstrap":
                found.append(({}, {}))
            section = None
            found[-1][0][header.group(1)] = header.group(2)
        elif line.startswith("%"):
            if line.split()[0] not in SECTIONS:
                raise ValueError(f"line {number}: no section '{line}'")
            section = found[-1][1].setdefault(line, [])
        elif line and section is None:
            raise ValueError(f"line {number}: outside of a section: '{line}'")
        else:
            section.append(line)
    return found


def syntax(shell, script):
    return subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False).stderr


def makes(script):
    return re.findall(r"\bmake ([a-z-]+)", script)


class Containers(unittest.TestCase):
    def setUp(self):
        self.docker = (share.PACKAGING / "Dockerfile").read_text(encoding="utf-8")
        self.apptainer = (share.PACKAGING / "playproof.def").read_text(encoding="utf-8")
        self.targets = re.findall(r"^([a-z-]+):", (share.SOURCE / "Makefile").read_text(encoding="utf-8"), re.M)

    def test_dockerfile(self):
        found = instructions(self.docker)
        names = [word for word, _ in found]
        self.assertEqual((names[0], names[-1], names.count("FROM")), ("FROM", "ENTRYPOINT", 2))
        self.assertEqual(json.loads(found[-1][1]), ["playproof"])
        stage_names, made = [], []
        for word, rest in found:
            with self.subTest(instruction=f"{word} {rest}"):
                if word == "FROM":
                    stage_names += re.findall(r" AS (\w+)$", rest)
                elif word == "RUN":
                    self.assertEqual(syntax("sh", rest), "")
                    made += makes(rest)
                elif word == "COPY" and rest.startswith("--from="):
                    self.assertIn(rest.split()[0].removeprefix("--from="), stage_names)
                elif word == "COPY":
                    for source in rest.split()[:-1]:
                        self.assertTrue((share.SOURCE / source).exists())
        self.assertTrue(made)
        self.assertLessEqual(set(made), set(self.targets))

    def test_apptainer(self):
        found = stages(self.apptainer)
        self.assertEqual([headers["Stage"] for headers, _ in found], ["build", "final"])
        made = []
        for headers, sections in found:
            self.assertEqual(set(headers), HEADERS)
            for section, lines in sections.items():
                with self.subTest(stage=headers["Stage"], section=section):
                    if section in ("%post", "%runscript", "%test"):
                        self.assertEqual(syntax("sh", "\n".join(lines)), "")
                        made += makes("\n".join(lines))
                    if section == "%files":
                        for line in filter(None, lines):
                            self.assertTrue((share.SOURCE / line.split()[0]).exists())
                    if section.startswith("%files from"):
                        self.assertIn(section.split()[-1], [h["Stage"] for h, _ in found])
        self.assertTrue(made)
        self.assertLessEqual(set(made), set(self.targets))

    def test_both_are_made_from_the_same_system(self):
        images = set(re.findall(r"^FROM (\S+)", self.docker, re.M))
        self.assertEqual(images, set(re.findall(r"^From: (\S+)", self.apptainer, re.M)))

    def test_what_the_images_try_works_here(self):
        script = "\n".join(stages(self.apptainer)[1][1]["%test"])
        run = next(rest for word, rest in reversed(instructions(self.docker)) if word == "RUN")
        with tempfile.TemporaryDirectory() as folder:
            for name, program in (("playproof", share.PROGRAM), ("playproof-check", share.CHECKER)):
                os.symlink(program, os.path.join(folder, name))
            environment = os.environ | {"PATH": folder + os.pathsep + os.environ["PATH"]}
            script = script.replace("/tmp/", folder + "/")
            for tried in (script, run.split(" && ")[-1]):
                self.assertIn("playproof", tried)
                subprocess.run(["sh", "-e"], input=tried, text=True, check=True, env=environment,
                               stdout=subprocess.DEVNULL)

    def test_what_is_wrong_is_found(self):
        for bad in ("RUNN make\n", "RUN\n", "make deb\n"):
            with self.subTest(bad=bad), self.assertRaises(ValueError):
                instructions(self.docker + bad)
        for bad in ("%posts\n", "Boot: docker\n"):
            with self.subTest(bad=bad), self.assertRaises(ValueError):
                stages(self.apptainer + bad)
        self.assertNotEqual(syntax("sh", "if true; do"), "")

    def test_hadolint(self):
        program = shutil.which("hadolint") or shutil.which(
            "hadolint", path=share.SOURCE / "build-python" / "venv" / "bin")
        if not program:
            self.skipTest("no hadolint here (`make python` has it)")

        def findings(text):
            return subprocess.run([program, "-"], input=text, capture_output=True, text=True, check=False).stdout

        self.assertEqual(findings(self.docker), "")
        self.assertIn("DL3008", findings(self.docker.replace("# hadolint ignore", "# ")))


if __name__ == "__main__":
    unittest.main()
