"""Search: a search that is driven step by step."""

from . import _native, _options
from ._solve import make_request
from .errors import Interrupted, UsageError


class Search(_native.SearchBase):
    """A search that the caller drives: step() it, look at its tree, go on.

    Takes what solve() takes, but for files: game, algorithm, position, goal, backend, seed, threads,
    batch and the limits. One thread at a time may use it.
    """

    def __init__(self, game, algorithm, position=None, goal=None, *, backend="auto", seed=None,
                 threads=None, batch=None, max_nodes=None, max_seconds=None, max_memory=None):
        request, said = make_request(game, algorithm, position, goal, backend, seed, threads, batch,
                                     max_nodes, max_seconds, max_memory)
        if "algorithm" not in said:
            raise UsageError("algorithm is required")
        super().__init__(request)

    def run(self, seconds=None, *, progress=None, progress_every=0.5):
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

    def children(self):
        """The rows of tree(1) below the root: the root's children with their numbers."""
        return self.tree(1)[1:]

    def frame(self, depth=1, most=100_000):
        """tree() as a pandas DataFrame, one row a node, with `node` as its index."""
        import pandas

        return pandas.DataFrame(self.tree(depth, most)).set_index("node")
