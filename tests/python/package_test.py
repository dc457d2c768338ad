"""The package itself: quick to import, typed, complete."""

import ast
import importlib.metadata
import pathlib
import subprocess
import sys

import playproof
import pytest

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


def test_catalogues(program_json):
    for ours, command in ((playproof.games, "games"), (playproof.algorithms, "algorithms")):
        assert ours() == program_json(command)
    assert {"auto", "cpu", "reference", "cuda"} <= {entry["name"] for entry in playproof.backends()}
