"""The commands of playproof-cluster, which is Python: from its argparse, without the package around it, which
need not be built."""

import argparse
import importlib
import pathlib
import sys
import types

from program_help import Command, Option, paragraphs

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "python" / "playproof"


def program():
    """The module playproof.cluster: of the package only what it imports is read."""
    kept = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "playproof"}
    for name in kept:
        del sys.modules[name]
    package = types.ModuleType("playproof")
    package.__path__ = [str(PACKAGE)]
    sys.modules["playproof"] = package
    try:
        return importlib.import_module("playproof.cluster")
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "playproof"]:
            del sys.modules[name]
        sys.modules.update(kept)


def option_of(action, excludes):
    names = action.option_strings or [action.metavar or action.dest.upper()]
    takes = "" if action.nargs == 0 or not action.option_strings else action.metavar or action.dest.upper()
    return Option(names, takes, action.required, False, False, excludes, action.help or "")


def command_of(path, parser, excludes):
    command = Command(path, [parser.description.rstrip(".") + "."], "", [], [],
                      paragraphs((parser.epilog or "").split("\n"), joined="\n"))
    for action in parser._actions:  # pylint: disable=protected-access
        if isinstance(action, argparse._SubParsersAction):  # pylint: disable=protected-access
            command.commands = [(each.dest, each.help)
                                for each in action._choices_actions]  # pylint: disable=protected-access
            below = action.choices
        else:
            named = [name for name in action.option_strings if name in excludes]
            command.options.append(option_of(action, [other for name in named for other in excludes[name]]))
    return [command, *(inner for name, _ in command.commands
                       for inner in command_of([*path, name], below[name], excludes))]


def commands():
    """The program and all below it, as program_help has those of the others."""
    module = program()
    excludes = {name: ["--scheduler"] for name in module.OF_ITS_OWN}
    excludes["--scheduler"] = list(module.OF_ITS_OWN)
    return command_of(["playproof-cluster"], module.parser(), excludes)
