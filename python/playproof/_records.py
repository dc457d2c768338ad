"""read_positions()."""

from __future__ import annotations

from . import _native, _options

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    import os

    from ._native import Record


def read_positions(game: str, path: str | os.PathLike[str]) -> list[Record]:
    """The positions of a file, in every format that `playproof solve --position-file` reads
    (docs/formats.md): positions by the line, lists of moves, OBF, SGF, GGF, and results that the file knows.

    game: which game is meant; a name alone ('hex') reads boards of every size.
    path: the file.

    Returns a list of Record. Raises OSError for a file that cannot be opened, UsageError for a game that
    there is not, DataError for the first record that is none, with file, line and offset.
    """
    with open(path, "rb"):  # what cannot be opened is an OSError
        pass
    return _native.read_records(game, _options.path(path))
