"""What `make` installs from a package index are the files that were chosen: others of the same name are refused."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT
from playproof import cluster

FILES = ("requirements", "openspiel")


def wanted(name):
    """The lines of a file of requirements that name a package, whole."""
    text = (ROOT / "tests/python" / name).read_text().replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def named(line):
    """(name, version)."""
    name, version = re.match(r"([\w.-]+)(?:\[[\w,]+\])?==([\w.]+)", line).groups()
    return re.sub(r"[-_.]+", "-", name).lower(), version


def forge(folder, name, version, files=()):
    """A wheel of that name and version that somebody else has made."""
    stem = f"{name.replace('-', '_')}-{version}"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{stem}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{stem}.dist-info/WHEEL",
                       "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{stem}.dist-info/RECORD", "")
        for path, text in files:
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o100755 << 16
            wheel.writestr(entry, text)


@pytest.fixture
def forged(tmp_path):
    """A folder of wheels, and an environment in which pip takes them from there alone."""
    folder = tmp_path / "forged"
    folder.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    return folder, {**kept, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": os.devnull,
                    "XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.mark.parametrize("file", FILES)
def test_every_requirement_has_its_hashes(file):
    """Also of what the packages need in turn."""
    pinned = wanted(f"{file}.txt")
    for line in pinned:
        assert re.fullmatch(r"[\w.-]+==[\w.]+(?: ; [^#]*?)?(?:\s+--hash=sha256:[0-9a-f]{64})+", line), line
    found = {named(line) for line in pinned}
    assert {named(line) for line in wanted(f"{file}.in")} <= found
    assert len(found) > 5
    both = {named(line) for name in FILES for line in wanted(f"{name}.txt")}
    versions = [name for name, _ in both]
    several = {name for name in versions if versions.count(name) > 1}
    apart = {named(line)[0] for name in FILES for line in wanted(f"{name}.txt") if "python_full_version" in line}
    assert several <= apart  # one version of each for a Python


def test_the_build_is_that_of_the_package():
    pinned = set(re.findall(r'"([\w-]+==[\w.]+)"', re.search(
        r"^requires = (.*)$", (ROOT / "pyproject.toml").read_text(), re.M).group(1)))
    assert pinned and pinned <= set(wanted("requirements.in"))


def test_what_users_are_told_to_install_is_there():
    """The package itself is on no index: its extras are a clone's."""
    text = (ROOT / "pyproject.toml").read_text().partition("[project.optional-dependencies]\n")[2].partition("\n\n")[0]
    extras = {name: re.findall(r'"([\w-]+)', packages) for name, packages in re.findall(r"(\w+) = (\[.*\])", text)}
    told = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "python").rglob("*.py")]
    found = [words for file in told for words in re.findall(r"pip install (?:'([^']*)'|(\S+))", file.read_text())]
    found = {quoted or bare for quoted, bare in found}
    assert not [words for words in found if re.match(r"playproof\b", words)]
    assert {".[cluster]", ".[slurm]", ".[mpi]"} <= found
    assert extras.keys() >= {"cluster", "slurm", "mpi"}
    told = shlex.split(cluster.INSTALL)[2:]
    assert [word.partition("[")[0] for word in told] == extras["cluster"]


@pytest.mark.parametrize("file", FILES)
def test_make_python_takes_no_other_files(forged, tmp_path, file):
    folder, environment = forged
    for name, version in {named(line) for line in wanted(f"{file}.txt")}:
        forge(folder, name, version)
    told = subprocess.run(["make", "-n", "python"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    line = next(line for line in told.splitlines() if f"-r tests/python/{file}.txt" in line).split("||")[0]
    words = [sys.executable if word.endswith("/bin/python") else word for word in shlex.split(line)]
    done = subprocess.run([*words, "--target", str(tmp_path / "target")], cwd=ROOT, env=environment,
                          capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "DO NOT MATCH THE HASHES" in done.stderr, done.stdout + done.stderr
    assert not (tmp_path / "target").exists()


def test_the_disassemblers_are_no_other_files(forged, tmp_path):
    folder, environment = forged
    text = (ROOT / "tests/kernels/disassembler.py").read_text()
    packages = re.findall(r'"(\w+)": \("(.+)",$', text, re.M)
    assert len(packages) == 2
    for tool, package in packages:
        forge(folder, *named(package), [(f"nvidia/cu13/bin/{tool}", "#!/bin/sh\n")])
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/nvcc").write_text("#!/bin/sh\n")
    (tmp_path / "bin/nvcc").chmod(0o755)
    environment["PATH"] = f"{tmp_path / 'bin'}:{environment['PATH']}"
    for needed, status in (("", 0), ("1", 1)):
        done = subprocess.run([sys.executable, "-B", str(ROOT / "tests/kernels/disassembler.py")], check=False,
                              capture_output=True, text=True,
                              env={**environment, "PLAYPROOF_NEED_DISASSEMBLER": needed})
        assert [found for tool, _ in packages for found in pathlib.Path(tmp_path / "cache").rglob(tool)] == []
        assert done.returncode == status and done.stderr.count("cannot be installed") == 2, done.stderr
        assert done.stderr.count("DO NOT MATCH THE HASHES") == 2
    assert shutil.which("nvcc", path=environment["PATH"]) == str(tmp_path / "bin/nvcc")
