"""What the tests of packaging/ share: the programs, and manual pages and completions made of them."""

import contextlib
import functools
import importlib
import io
import os
import pathlib
import re
import subprocess
import sys
import types
from unittest import mock

SOURCE = pathlib.Path(os.environ.get("PLAYPROOF_SOURCE", pathlib.Path(__file__).parents[2])).resolve()
PACKAGING = SOURCE / "packaging"
PROGRAM = os.path.abspath(os.environ.get("PLAYPROOF", "build/playproof"))
CHECKER = os.path.abspath(os.environ.get("PLAYPROOF_CHECK", "build/playproof-check"))
sys.path.insert(0, str(PACKAGING))

# `make nightly` sets it: each shell is asked about all options, by day about a third.
NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"


def make_share(folder):
    """The folder `share`, made as the build makes it."""
    subprocess.run([sys.executable, "-B", PACKAGING / "make_share.py", PROGRAM, CHECKER,
                    SOURCE / "CHANGELOG.md", folder], check=True)
    return pathlib.Path(folder)


def cluster(*arguments):
    """(stdout, stderr) of playproof-cluster, without the module of the package, in this process: it
    starts in no time."""
    package = types.ModuleType("playproof")
    package.__path__ = [str(SOURCE / "python/playproof")]
    out, err = io.StringIO(), io.StringIO()
    with mock.patch.dict(sys.modules, {"playproof": package}), mock.patch.dict(os.environ, COLUMNS="200"), \
            mock.patch.object(sys, "argv", ["-c"]), contextlib.redirect_stdout(out), \
            contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
        importlib.import_module("playproof.cluster").main(list(arguments))
    return out.getvalue(), err.getvalue()


@functools.cache
def output(*arguments):
    """What a program prints; the first argument is its name."""
    if arguments[0] == "playproof-cluster":  # with the headings that the others have
        told = cluster(*arguments[1:])[0]
        return told.replace("\noptions:\n", "\nOptions:\n").replace("  -h, --help", "  -h,--help")
    program = CHECKER if arguments[0] == "playproof-check" else PROGRAM
    return subprocess.run([program, *arguments[1:]], capture_output=True, text=True, check=True).stdout


@functools.cache
def commands():
    """The command lines that have a help, found apart from packaging/program_help.py."""
    found = [["playproof-check"], ["playproof-cluster"], ["playproof-cluster", "experiment"]]
    todo = [["playproof"]]
    while todo:
        path = todo.pop(0)
        found.append(path)
        below = re.search(r"^Subcommands:\n((?:  .*\n)+)", output(*path, "--help"), re.M)
        if below:
            todo += [[*path, name] for name in re.findall(r"^  (\S+)", below.group(1), re.M)
                     if name.strip()]
    return found


def options(path):
    """The long options that the help of a command has at the beginnings of lines."""
    lines = re.findall(r"^  (-\S+)", output(*path, "--help"), re.M)
    return {name for line in lines for name in re.findall(r"--[\w-]+", line)}
