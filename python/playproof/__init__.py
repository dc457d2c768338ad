"""Solves two-player games: playouts guide, proofs decide.

    >>> import playproof
    >>> playproof.solve("hex:size=4", "dfpn").verdict
    'proved'

Position: rules, text and picture of a game's positions. read_positions(): files of them, also of other
programs. solve(): who wins? Search: a search step by step. certificate(), check(): the proof of a result,
and the checker that shares no code with the solver.
playouts(): random games by the million, as a numpy array. run(), read_store(): experiments.
games(), algorithms(), backends(): what there is. playproof.openspiel: adapters to OpenSpiel.
docs/python.md has the tour.
"""

from . import errors
from ._check import check
from ._experiment import read_store, run
from ._native import CheckReport, Position, Record, Result, Table, algorithms, backends, games
from ._native import cuda as __cuda__
from ._native import revision as __revision__
from ._native import version as __version__
from ._playouts import COLUMNS, playouts
from ._records import read_positions
from ._search import Search
from ._solve import certificate, solve
from .errors import (DataError, Error, InternalError, Interrupted, OutputError, UnavailableError,
                     UsageError)

__all__ = [
    "COLUMNS", "CheckReport", "DataError", "Error", "InternalError", "Interrupted", "OutputError",
    "Position", "Record", "Result", "Search", "Table", "UnavailableError", "UsageError", "__cuda__",
    "__revision__", "__version__", "algorithms", "backends", "certificate", "check", "errors", "games",
    "playouts", "read_positions", "read_store", "run", "solve",
]
