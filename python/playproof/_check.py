"""check()."""

from __future__ import annotations

from . import _native, _options

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    import os

    from ._native import CheckReport


def check(certificate: bytes | bytearray | memoryview | str | os.PathLike[str], *,
          game: str | None = None, position: str | None = None, goal: str | None = None,
          verdict: str | int | None = None, max_memory: int | str = "256MiB",
          max_search: int | None = None) -> CheckReport:
    """Is it a proof, and of what? The checker playproof-check, which shares no code with the solver.

    certificate: bytes, or the name of a file; compressed ones are seen by themselves.
    game, position, goal, verdict: what it must be a proof of; what is None is not asked. Verdicts are
        'proved' and 'disproved', of the goal 'value' 'win', 'draw' and 'loss', of 'score' the number.
    max_memory: bytes, or '1GiB', of the nodes that live at a time.
    max_search: positions that may be searched for rechecks (None: 1,000,000, and 16 a byte of text).

    Returns a CheckReport, which is true if the certificate is valid. Raises OSError for a file that
    cannot be read, UsageError for what cannot be asked.
    """
    if not isinstance(certificate, (bytes, bytearray, memoryview)):
        with open(certificate, "rb") as file:
            certificate = file.read()
    memory = _options.size("max_memory", max_memory)
    search = 0 if max_search is None else _options.whole("max_search", max_search, 1)
    asked = None if verdict is None else str(verdict)
    return _native.check_bytes(bytes(certificate), game, position, goal, asked, memory, search)
