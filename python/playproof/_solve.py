"""solve(), certificate()."""

from __future__ import annotations

from . import _native, _options
from .errors import Error, Interrupted, OutputError, UsageError

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Any

    from ._native import Position, Result, Table

MOST_BATCH = 2**20


def make_request(game, algorithm, position, goal, backend, seed, threads, batch, pipeline, max_nodes,
                 max_seconds, max_memory, workers=None):
    """A Request, and a dict of the parts of the question that were said."""
    said = {}
    if isinstance(game, _native.Position):
        if position is not None:
            raise UsageError("position is given twice: by game, which is a Position, and by position")
        game, position = game.game, game
    if isinstance(position, _native.Position):
        if game is not None and _native.Position(game).game != position.game:
            raise UsageError(f"position is of {position.game}, not of {game}")
        game, position = position.game, position.text
    request = _native.Request()
    if isinstance(game, str):
        request.algorithm = _native.default_algorithm(game)
    for name, value in (("game", game), ("algorithm", algorithm), ("position", position),
                        ("goal", goal)):
        if value is not None:
            setattr(request, name, value)
            said[name] = True
    if seed is not None:
        request.seed = _options.whole("seed", seed)
        said["seed"] = True
    if batch is not None:
        request.batch = _options.whole("batch", batch, 1, MOST_BATCH)
        said["batch"] = True
    if pipeline is not None:
        request.pipeline = _options.whole("pipeline", pipeline, 1, _native.MOST_PIPELINE)
        said["pipeline"] = True
    if workers is not None:
        request.workers = _options.whole("workers", workers, 1, _native.MOST_WORKERS)
        said["workers"] = True
    request.backend = backend
    request.threads = _options.threads(threads)
    if max_nodes is not None:
        request.max_nodes = _options.whole("max_nodes", max_nodes, 1)
    if max_seconds is not None:
        request.max_seconds = _options.positive("max_seconds", max_seconds)
    if max_memory is not None:
        request.max_memory = _options.size("max_memory", max_memory)
    return request, said


def solve(game: str | Position | None = None, algorithm: str | None = None,
          position: str | Position | None = None, goal: str | None = None, *, backend: str = "auto",
          seed: int | None = None, threads: int | None = None, batch: int | None = None,
          pipeline: int | None = None, workers: int | None = None, max_nodes: int | None = None,
          max_seconds: float | None = None, max_memory: int | str | None = None,
          certificate: str | os.PathLike[str] | bool | None = None,
          checkpoint: str | os.PathLike[str] | None = None, checkpoint_every: float = 60.0,
          resume: str | os.PathLike[str] | None = None,
          svg: str | os.PathLike[str] | None = None, selfcheck: int = 0,
          table: Table | None = None, progress: Callable[[dict[str, Any]], object] | None = None,
          progress_every: float = 0.5) -> Result:
    """Can the side to move reach the goal? As `playproof solve`.

    game: 'hex:size=5', or a Position, which brings its position.
    algorithm: 'dfpn', 'ppn:playouts=32', see algorithms(); by default what solves most of the game.
    position: a text, or a Position; by default the initial one.
    goal: 'win' (the default; a draw does not count), 'draw' (it counts), 'score>=N', 'value', 'score'.
    backend: what plays the playouts; see backends(). It changes no count.
    seed: of playouts and of choices among equals (1).
    threads: of the playouts; they change no count (None: one a core).
    batch: leaves expanded at a time; it changes the search (1).
    pipeline: batches of a tree that are out at a time; it changes the search (1).
    workers: threads of the search (dfpn, pds, pnstar, alphabeta); above 1 counts vary (1).
    max_nodes, max_seconds, max_memory (bytes, or '2GiB'): where to stop; the verdict is then 'unknown'.
    certificate: a file to write the proof to (compressed if it ends in .zst), or True to keep it for
        certificate(result).
    checkpoint, checkpoint_every: a file to save the search in, and seconds between two times.
    resume: a checkpoint to go on with; the question need not be said then.
    svg: a file to draw the board in, with the last move and the best one.
    selfcheck: 0 to 3: hold the verdict against certificate (1) and tree (2, 3).
    table: a Table that several searches share.
    progress: called every progress_every seconds with a dict of seconds, iterations, nodes_created,
        playouts and peak_bytes; if it returns False, the search stops.

    Returns a Result. The search runs without the interpreter's lock. Ctrl-C stops it and raises
    Interrupted (a KeyboardInterrupt) with what is known as its result, after a checkpoint was written,
    if there is one. Raises UsageError and DataError (both ValueError), UnavailableError,
    OutputError (an OSError).
    """
    request, said = make_request(game, algorithm, position, goal, backend, seed, threads, batch,
                                 pipeline, max_nodes, max_seconds, max_memory, workers)
    if resume is None and "game" not in said:
        raise UsageError("game is required")
    files = _native.Files()
    files.keep_proof = certificate is True
    if certificate is not None and not isinstance(certificate, bool):
        files.certificate = _options.path(certificate)
    files.checkpoint = _options.path(checkpoint)
    if resume is not None:
        with open(resume, "rb"):  # what cannot be opened is an OSError
            files.resume = _options.path(resume)
    files.svg = _options.path(svg)
    files.checkpoint_seconds = _options.positive("checkpoint_every", checkpoint_every)
    files.self_check = _options.whole("selfcheck", selfcheck, 0, 3)
    every = _options.positive("progress_every", progress_every)
    result = _native.solve_job(request, said, files, table, progress, every)
    if result._interrupted:
        raise Interrupted(result)
    if result._failure is not None:
        error = OutputError(result._failure)
        error.result = result
        raise error
    return result


def certificate(result: Result) -> bytes:
    """The proof behind a decided Result, as the bytes of a certificate (docs/certificate.md).

    Without `certificate=True` nothing of the search is kept: then it is done again, with the same
    counts, and takes as long as the first time. Raises UsageError if the result is not decided.
    """
    if not result.decided:
        raise UsageError("there is no certificate of an undecided question")
    if result._proof is not None:
        return result._proof
    files = _native.Files()
    files.keep_proof = True
    request = _native.request_of(result)
    request.max_seconds = 0.0
    again = _native.solve_job(request, {}, files, None, None, 1.0)
    if again._interrupted:
        raise Interrupted(again)
    if again._proof is None:
        raise Error("the search that had decided stopped earlier this time: " + again.reason)
    return again._proof
