"""Bundles of runs: how they are cut, what goes to a worker, and what a worker makes of one.

A task is bytes: a line of JSON (build, plan, seconds, at_once, runs), then a run a line. The answer is bytes
too: a line of JSON (plan; made: seconds a run; error: [status, text], if one is of all runs), then what
became of a run, a line each. It may be shorter than the task: what it lacks is asked again.
"""

import collections
import functools
import json
import threading
import time

from . import _native
from .errors import DataError, Error, UnavailableError

BUNDLE_SECONDS = 0.5
QUEUED = 2  # bundles a worker, besides the one it makes
MOST_BYTES = 64 << 20  # of an answer; a run without a curve takes about 1,500

_local = threading.local()


@functools.lru_cache
def build():
    """What must be the same on both sides: versions of the program's code and of the package."""
    from importlib import metadata

    try:
        package = metadata.version("playproof")
    except metadata.PackageNotFoundError:
        package = _native.version  # run from where it was built
    return f"{_native.version}+{_native.revision}, package {package}"


# ---- on a worker -------------------------------------------------------------------------------


def make_bundle(task):
    """Makes runs until the bundle's time is over; at least one. Raises DataError for what is no task."""
    head, runs = _split_task(task)
    ours = build()
    if head.get("build") != ours:
        return _answer(head, [], [], [UnavailableError.code, f"a worker on {_host()} has playproof {ours}, "
                                      f"but the experiment is run by {head.get('build')}"])
    _check_task(head, runs)
    if not hasattr(_local, "runner"):
        _native.keep_freed_memory()
        _local.runner = _native.Runner()
    memory, abandoned = _memory(head["at_once"]), _abandoned()
    made, seconds = [], []
    begin = before = time.perf_counter()
    for text in runs:
        try:
            made.append(_local.runner.make(text, memory, abandoned).encode())
        except Error as error:
            return _answer(head, made, seconds, [error.code, str(error)])
        now = time.perf_counter()
        seconds.append(now - before)
        before = now
        if now - begin >= 2 * head["seconds"]:
            break
    return _answer(head, made, seconds)


def _split_task(task):
    """(head, texts of the runs)."""
    try:
        head, *runs = bytes(task).split(b"\n")
        head = json.loads(head)
        if not isinstance(head, dict):
            raise ValueError(f"begins with {head!r}")
        return head, [text.decode() for text in runs]
    except (ValueError, TypeError) as reason:
        raise DataError(f"a task for a worker: {reason}") from None


def _check_task(head, runs):
    kinds = {"plan": str, "seconds": (int, float), "at_once": int, "runs": int}
    wrong = [name for name, kind in kinds.items() if not isinstance(head.get(name), kind)]
    if wrong or not 0 < head["seconds"] < float("inf") or head["at_once"] < 1:
        raise DataError(f"a task for a worker: {head}")
    if not 0 < head["runs"] == len(runs):
        raise DataError(f"a task for a worker: {len(runs)} runs, not {head['runs']}")


def _answer(head, made, seconds, error=None):
    head = {"plan": head.get("plan"), "made": seconds, "error": error}
    return b"\n".join([json.dumps(head).encode(), *made])


def read_answer(answer, plan, asked):
    """(what became of the runs, seconds of each, error or None) of a task with so many runs. Raises
    DataError for what is no answer to it."""
    try:
        if not isinstance(answer, (bytes, bytearray)):
            raise ValueError(f"a {type(answer).__name__}, not bytes")
        check_size(len(answer))
        head, *made = bytes(answer).split(b"\n")
        head = json.loads(head)
        found, seconds, error = head["plan"], head["made"], head["error"]
        made = [text.decode() for text in made]
        whole = len(made) == len(seconds) <= asked and all(0 <= s < float("inf") for s in seconds)
        if error is not None:
            status, text = error
            error = (int(status), str(text))
    except DataError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError) as reason:
        raise DataError(f"an answer of a worker: {type(reason).__name__}: {reason}") from None
    if not made and error is None:
        raise DataError("an answer of a worker: it has no rows, and no error that says why")
    if found != plan:
        raise DataError(f"an answer of a worker: of plan {found}, not {plan}")
    if not whole:
        raise DataError(f"an answer of a worker: {len(made)} rows, {len(seconds)} times, {asked} runs")
    return made, seconds, error


def check_size(size):
    """Raises DataError for an answer of so many bytes."""
    if size > MOST_BYTES:
        raise DataError(f"an answer of a worker: {size} bytes, but it may have {MOST_BYTES}")


def _host():
    import socket

    return socket.gethostname()


def _worker():
    from distributed import get_worker

    try:
        return get_worker()
    except ValueError:
        return None  # called by hand


def _memory(at_once):
    """Bytes of one run where the plan sets no limit: the share of this machine, and of the limit that
    Dask holds this worker to."""
    memory = _native.memory_limit() // at_once
    worker = _worker()
    limit = worker and worker.memory_manager.memory_limit
    if limit:
        memory = min(memory, limit // 5 * 4 // worker.state.nthreads)
    return max(memory, 1)


def _abandoned():
    """A function: does nobody want this bundle any more?"""
    worker = _worker()
    if worker is None:
        return lambda: False
    key = worker.get_current_task()

    def abandoned():
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return abandoned


# ---- where the store is ------------------------------------------------------------------------


class Bundles:
    """The runs that are still to be given out, cut by what runs of their kind have taken."""

    def __init__(self, owner, numbers):
        self.owner = owner
        self.kinds = {}  # number -> its kind
        self.means = {}  # kind -> [runs, seconds] of those that came back
        self.waiting = collections.Counter()  # kind -> runs to be given out
        self.suspects = collections.deque()  # runs whose workers ended: they may do so again
        self.numbers = collections.deque()
        for number in numbers:
            self.kinds[number] = kind = owner.kind(number)
            self.waiting[kind] += 1
            self.numbers.append(number)

    def __len__(self):
        return len(self.numbers) + len(self.suspects)

    def seconds_of(self, number):
        """What the run may take; None if none of its kind has come back."""
        runs, seconds = self.means.get(self.kinds[number], (0, 0.0))
        return seconds / runs if runs else None

    def learn(self, number, seconds):
        mean = self.means.setdefault(self.kinds[number], [0, 0.0])
        mean[0] += 1
        mean[1] += seconds

    def give_back(self, numbers):
        """They are given out again, first."""
        self.numbers.extendleft(reversed(numbers))
        for number in numbers:
            self.waiting[self.kinds[number]] += 1

    def suspect(self, numbers):
        """Workers ended while they had these. They are given out at the end, one at a time, so that a run
        that ends its worker takes no other along."""
        self.suspects.extend(numbers)

    def seconds_left(self):
        """Of all that are to be given out; of what nothing is known, half a second a run."""
        def mean(kind):
            runs, seconds = self.means.get(kind, (1, BUNDLE_SECONDS))
            return seconds / runs

        return sum(runs * mean(kind) for kind, runs in self.waiting.items() if runs)

    def take(self, workers):
        """The runs of the next bundle: half a second, less towards the end, one if nothing is known."""
        most = min(BUNDLE_SECONDS, self.seconds_left() / (2 * max(1, workers)))
        taken, seconds = [], 0.0
        while self.numbers:
            next_seconds = self.seconds_of(self.numbers[0])
            if taken and (next_seconds is None or seconds + next_seconds > most):
                break
            taken.append(number := self.numbers.popleft())
            self.waiting[self.kinds[number]] -= 1
            if next_seconds is None:
                break
            seconds += next_seconds
        return taken

    def task(self, numbers, at_once):
        """As make_bundle() takes it."""
        head = {"build": build(), "plan": self.owner.plan_hash, "seconds": BUNDLE_SECONDS,
                "at_once": at_once, "runs": len(numbers)}
        return b"\n".join([json.dumps(head).encode(), self.owner.texts(numbers)])
