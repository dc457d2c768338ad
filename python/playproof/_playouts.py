"""playouts()."""

from __future__ import annotations

from . import _native, _options
from .errors import Interrupted

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy
    from numpy.typing import NDArray

    from ._native import Position

COLUMNS = ("wins", "draws", "losses", "truncated")
"""The columns of playouts(): results for the first player, and games that a bound on their length cut."""


def playouts(game: str, positions: Iterable[str | Position] | str | Position, n: int, seed: int = 1,
             backend: str = "auto", *, threads: int | None = None) -> NDArray[numpy.uint32]:
    """Random games from each position.

    game: 'hex:size=11'. positions: texts, or Positions of that game; one alone may stand for a list.
    n: games from each, 1 .. 2^32 - 1. seed, backend, threads: as in solve().

    Returns a numpy array of uint32, shape (len(positions), 4): wins, draws and losses of the first
    player (Black, X, MAX), which add up to n, and how many of these were cut off (none, unless
    positions can come again). A finished position's games all end with its result. A row is a pure function of seed, position and n
    (games/PLAYOUTS.md): the same on every machine and for every backend but 'scalar' and 'fake', with
    any threads, and equal to what `playproof bench playouts` counts.

    Runs without the interpreter's lock; Ctrl-C raises Interrupted, its result the array with what was
    counted. Raises UsageError (names, ranges), DataError (a position; says which), UnavailableError.
    """
    if isinstance(positions, (str, _native.Position)):
        positions = [positions]
    tallies, interrupted = _native.play(game, positions, _options.whole("n", n, 1, 2**32 - 1),
                                        _options.whole("seed", seed), backend,
                                        _options.threads(threads))
    if interrupted:
        raise Interrupted(tallies)
    return tallies
