"""The package itself: quick to import, typed, complete."""

import ast
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

import playproof
import pytest
from conftest import ROOT

FOLDER = pathlib.Path(playproof.__file__).parent


def test_import_is_quick_and_brings_nothing_heavy():
    code = ("import time; t = time.perf_counter(); import playproof; s = time.perf_counter() - t\n"
            "import sys; print(s, *sorted(m for m in sys.modules if '.' not in m))")
    seconds = []
    for _ in range(7):
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        took, *modules = shown.stdout.split()
        seconds.append(float(took))
        assert not {"numpy", "pandas", "matplotlib", "pyspiel", "playproof_report"} & set(modules)
    assert min(seconds) < 0.05


def test_stub_has_every_name():
    stub = ast.parse((FOLDER / "_native.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    for name in ("Position", "Result", "Table", "CheckReport", "SearchBase"):
        members = {n.name for n in classes[name].body if isinstance(n, ast.FunctionDef)}
        public = {n for n in vars(getattr(playproof._native, name)) if not n.startswith("_")}
        assert public <= members, name
    assert (FOLDER / "py.typed").exists()


@pytest.mark.parametrize("name", playproof.__all__)
def test_every_name_is_there_and_documented(name):
    thing = getattr(playproof, name)
    if callable(thing):
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_") and callable(value):
                    assert value.__doc__, f"{name}.{member}"


def test_versions():
    assert importlib.metadata.version("playproof") == playproof.__version__
    assert isinstance(playproof.__cuda__, bool)


def test_the_wheel():
    # What `make python` has installed: with PLAYPROOF_NEED_WHEEL it must be one for other machines, too.
    wheels = list((ROOT / "build-python/dist").glob("playproof-*.whl"))
    if not os.environ.get("PLAYPROOF_NEED_WHEEL") and not any("manylinux" in w.name for w in wheels):
        pytest.skip("no wheel that auditwheel has repaired")
    assert len(wheels) == 1
    assert re.fullmatch(r"playproof-[\d.]+-cp\d+-cp\d+-(manylinux_\d+_\d+_\w+\.?)+\.whl", wheels[0].name)
    tags = importlib.metadata.distribution("playproof").read_text("WHEEL")
    assert "manylinux" in tags  # it is the one that is tried here
    if not playproof.__cuda__:  # kernels are not in the promise
        assert wheels[0].stat().st_size < 8_000_000


def test_catalogues(program_json):
    for ours, command in ((playproof.games, "games"), (playproof.algorithms, "algorithms")):
        assert ours() == program_json(command)
    assert {"auto", "cpu", "reference", "cuda"} <= {entry["name"] for entry in playproof.backends()}
