"""Search: a search that is driven step by step."""

from __future__ import annotations

from . import _native, _options
from ._solve import make_request
from .errors import Interrupted

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import pandas

    from ._native import Position, Result


class Search(_native.SearchBase):
    """A search that the caller drives: step() it, look at its tree, go on.

    Takes what solve() takes, but for files: game, algorithm, position, goal, backend, seed, threads,
    batch, pipeline, workers and the limits. One thread at a time may use it.
    """

    def __init__(self, game: str | Position, algorithm: str | None = None,
                 position: str | Position | None = None, goal: str | None = None, *,
                 backend: str = "auto", seed: int | None = None,
                 threads: int | None = None, batch: int | None = None, pipeline: int | None = None,
                 workers: int | None = None, max_nodes: int | None = None,
                 max_seconds: float | None = None, max_memory: int | str | None = None) -> None:
        request, _ = make_request(game, algorithm, position, goal, backend, seed, threads, batch,
                                  pipeline, max_nodes, max_seconds, max_memory, workers)
        super().__init__(request)

    def run(self, seconds: float | None = None, *,
            progress: Callable[[dict[str, Any]], object] | None = None,
            progress_every: float = 0.5) -> Result:
        """Goes on until the search ends, or for so many seconds. Returns a Result.

        progress, Ctrl-C: as in solve(); the search can be gone on with afterwards.
        """
        limit = 0.0 if seconds is None else _options.positive("seconds", seconds)
        every = _options.positive("progress_every", progress_every)
        interrupted = self.run_for(limit, progress, every)
        result = self.result()
        if interrupted:
            raise Interrupted(result)
        return result

    def children(self) -> list[dict[str, Any]]:
        """The rows of tree(1) below the root: the root's children with their numbers."""
        return self.tree(1)[1:]

    def frame(self, depth: int = 1, most: int = 100_000) -> pandas.DataFrame:
        """tree() as a pandas DataFrame, one row a node, with `node` as its index."""
        import pandas

        return pandas.DataFrame(self.tree(depth, most)).set_index("node")
