"""What the tests share: the program to compare with, if PLAYPROOF names one."""

import json
import os
import pathlib
import signal
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def ctrl_c():
    """As from a terminal: what runs in the background may have been started with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def program():
    """Runs the program: program("solve", ...) is its standard output."""
    path = os.environ.get("PLAYPROOF")
    if not path or not os.path.exists(path):
        pytest.skip("PLAYPROOF names no program to compare with")

    def run(*arguments, statuses=(0, 2)):
        done = subprocess.run([os.path.abspath(path), *arguments], capture_output=True, text=True,
                              check=False)
        assert done.returncode in statuses, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def program_json(program):
    return lambda *arguments: json.loads(program(*arguments, "--json"))


def _of_othello(name):
    """(position, score) of each line of a file of solved positions."""
    lines = (ROOT / "tests/data" / name).read_text().splitlines()
    words = [line.split() for line in lines if line[:1] in "XO-" and line]
    return [(f"{board} {side}", int(score)) for board, side, score in words]


@pytest.fixture(scope="session")
def endgames():
    """Othello positions with 12 empty squares, and by how much the side to move wins."""
    return _of_othello("othello-12-exact.txt")
