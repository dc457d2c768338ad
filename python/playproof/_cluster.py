"""An experiment on many workers: Dask carries, retries and shows; this process owns the store."""

import contextlib
import gc
import ipaddress
import json
import os
import queue
import re
import signal
import sys
import threading
import time
import uuid

from . import _bundles, _native, _private
from .errors import DataError, Error, UnavailableError, UsageError, make_error

LOOK = 0.2  # seconds between looks at signals and workers
GATHER = 30  # seconds until an answer that does not come is given up
GONE = (OSError, TimeoutError, RuntimeError, AttributeError)  # what Dask raises without a scheduler
LOST = object()  # in place of an answer
MOST_LOST = 20  # workers that end one after the other while they start


# ---- addresses ---------------------------------------------------------------------------------


def is_here(host):
    """Is it an address that no other machine reaches?"""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def split_address(text):
    """(scheme, host, port) of tcp://127.0.0.1:8786; the scheme may lack. Raises UsageError."""
    match = re.fullmatch(r"(?:(\w+)://)?(\[[0-9a-fA-F:.%]+\]|[^\[\]:/@\s]+):([0-9]{1,5})", text)
    if not match or not 0 < int(match.group(3)) < 65536:
        raise UsageError(f"a scheduler's address must be tcp://HOST:PORT or tls://HOST:PORT, not '{text}'")
    scheme, host, port = match.groups()
    if scheme not in (None, "tcp", "tls"):
        raise UsageError(f"a scheduler's address must begin with tcp:// or tls://, not '{scheme}://'")
    return scheme, host.strip("[]"), int(port)


def check_address(what, text, tls):
    """The address, with its scheme. Raises UsageError unless it is of this machine or has TLS."""
    scheme, host, port = split_address(text)
    scheme = scheme or ("tls" if tls else "tcp")
    if scheme == "tls" and not tls:
        raise UsageError(f"{what} {text}: tls:// needs --tls-ca, --tls-cert and --tls-key")
    if scheme == "tcp" and tls:
        raise UsageError(f"{what} {text}: with --tls-ca, --tls-cert and --tls-key it must be tls://")
    if scheme == "tcp" and not is_here(host):
        raise UsageError(f"{what} {text}: only tls:// may leave this machine, with --tls-ca, --tls-cert "
                         "and --tls-key here and on the other side")
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def scheduler_address(text, tls, insecure=False):
    """Of an address, or of the file that `dask scheduler --scheduler-file` writes. Raises UsageError, DataError;
    also for one without TLS, unless that is what is wanted (insecure)."""
    what, address = named_address(text)
    address = check_address(what, address, tls)
    if not tls and not insecure:
        raise UsageError(f"{what} {address}: every user of this machine can run code as you through a scheduler "
                         "without TLS: --tls-ca, --tls-cert and --tls-key, here and on the other side, or "
                         "--insecure-scheduler")
    return address


def named_address(text):
    """(what it is called in messages, an address)."""
    if not text.endswith(".json") and not os.path.isfile(text):
        return "--scheduler", text
    try:
        with open(text, encoding="utf-8") as file:
            address = json.load(file)["address"]
            if not isinstance(address, str):
                raise ValueError("its address is no text")
    except OSError as error:
        raise DataError(f"{text}: cannot read the scheduler file: {error.strerror}") from None
    except (ValueError, TypeError, KeyError) as error:
        raise DataError(f"{text}: not a scheduler file: {error!r}") from None
    return f"{text}:", address


# ---- Dask --------------------------------------------------------------------------------------


def security(options):
    """What Dask takes; None without TLS. Raises UsageError, DataError."""
    from distributed import Security

    files = {"--tls-ca": options.tls_ca, "--tls-cert": options.tls_cert, "--tls-key": options.tls_key}
    given = [name for name, file in files.items() if file is not None]
    if not given:
        return None
    if len(given) < len(files):
        raise UsageError(f"--tls-ca, --tls-cert and --tls-key go together; there is {', '.join(given)}")
    for name, file in files.items():
        try:
            with open(file, "rb"):
                pass
        except OSError as error:
            raise DataError(f"{name} {file}: cannot read file: {error.strerror}") from None
    pairs = {f"tls_{side}_{what}": file for side in ("client", "scheduler", "worker")
             for what, file in (("cert", options.tls_cert), ("key", options.tls_key))}
    return Security(tls_ca_file=options.tls_ca, require_encryption=True, **pairs)


def _end(own):
    """What fails now changes nothing of what is stored, and workers end with this process."""
    with contextlib.suppress(Exception):
        own.__exit__(None, None, None)


@contextlib.contextmanager
def connected(options):
    """(A client of the scheduler that the options name, None), or (of one of its own, its OwnCluster)."""
    from distributed import Client

    tls, own = security(options), None
    with contextlib.ExitStack() as stack:
        if options.scheduler is None:
            if not is_here(options.host) and not tls:
                raise UsageError(f"--host {options.host}: only TLS may leave this machine: --tls-ca, --tls-cert "
                                 "and --tls-key are needed")
            from . import _own

            tls = tls or _private.one_time_security()
            folder = stack.enter_context(_private.folder())
            where = own = _own.cluster(options, tls, folder).__enter__()
            stack.callback(_end, own)
        else:
            where = scheduler_address(options.scheduler, tls, options.insecure_scheduler)
        try:
            client = stack.enter_context(Client(where, security=tls, set_as_default=False,
                                                name="playproof-cluster"))
        except OSError as error:
            raise UnavailableError(f"no scheduler at {where}: {error}") from None
        yield client, own


class Workers:
    """Who is there: threads, and how many of them share a machine at most. own: the OwnCluster, if they are of
    this process."""

    def __init__(self, client, tls, own=None):
        self.client, self.tls, self.own = client, tls, own
        self.threads = self.at_once = 0
        self.looked = 0.0
        self.known = set()  # addresses of workers that have our version
        self.look()

    def look(self):
        """Once a second. Raises UsageError for a worker that others could listen to, UnavailableError for
        one that cannot make our runs."""
        if time.monotonic() - self.looked >= 1:
            self.look_now()

    def look_now(self):
        self.looked = time.monotonic()
        machines = {}
        try:
            threads = self.client.nthreads()
        except GONE:
            return  # it is gone: stay_connected() waits for it
        for address, count in threads.items():
            check_address("a worker at", address, self.tls)
            host = split_address(address)[1]
            machines[host] = machines.get(host, 0) + count
        self.ask(set(threads) - self.known)
        self.known &= set(threads)
        self.threads = sum(machines.values())
        self.at_once = max(machines.values(), default=1)
        if self.own is not None:
            self.keep_own()

    def keep_own(self):
        """Raises UnavailableError if they end whenever they start."""
        if self.threads:
            self.own.lost = 0
        elif self.own.lost > MOST_LOST:
            raise UnavailableError(f"no worker starts on this machine: {self.own.lost} ended while they did")
        self.own.replace_lost()

    def ask(self, addresses):
        """Which version do they have? A worker without the package would end with its first bundle."""
        if not addresses:
            return
        builds = self.client.run(_bundles.build, workers=list(addresses), on_error="return")
        for address, build in builds.items():
            if isinstance(build, (OSError, TimeoutError)):
                continue  # it has ended
            if isinstance(build, BaseException):
                # What a worker cannot even read, Dask tells as an Exception with the error's name in its text.
                kind = "" if type(build) is Exception else f"{type(build).__name__}: "
                raise UnavailableError(f"the worker at {address} cannot make runs: it has no playproof that can "
                                       f"be used ({kind}{build}), but the experiment is run by "
                                       f"{_bundles.build()}")
            if build != _bundles.build():
                raise UnavailableError(f"the worker at {address} has playproof {build}, but the experiment is "
                                       f"run by {_bundles.build()}")
            self.known.add(address)


# ---- the loop ----------------------------------------------------------------------------------


class Experiment:
    """Gives out bundles, takes rows, until nothing is left or somebody wants it to stop."""

    def __init__(self, client, workers, owner, progress):
        self.client, self.workers, self.owner, self.progress = client, workers, owner, progress
        missing = owner.begin(max(1, workers.threads))
        self.bundles = _bundles.Bundles(owner, missing)
        self.progress.total = len(missing)
        self.flying = {}  # future -> the numbers of its runs, and whether nothing else flies
        self.back = queue.SimpleQueue()  # futures that came back
        self.name = f"runs-{uuid.uuid4().hex[:8]}"
        self.given = 0

    def run(self, stop):
        """`stop`: an Event. True if all is done."""
        while (len(self.bundles) or self.flying) and not stop.is_set():
            if not self.stay_connected(stop):
                break
            self.workers.look()
            self.give_out()
            self.progress.tell(self.workers.threads)
            with contextlib.suppress(queue.Empty):
                self.take(self.back.get(timeout=LOOK))
        done = not stop.is_set()
        while True:  # what came back meanwhile
            try:
                self.take(self.back.get_nowait())
            except queue.Empty:
                break
        self.progress.tell(self.workers.threads, last=True)
        self.client.cancel(list(self.flying))
        return done

    def stay_connected(self, stop):
        """False if it is to stop. A scheduler that comes back has forgotten all: it is given out again."""
        while self.client.status == "connecting" and not stop.is_set():
            time.sleep(LOOK)
        if self.client.status not in ("running", "connecting"):
            raise UnavailableError("the scheduler is gone; start again to go on")
        return not stop.is_set()

    def give_out(self):
        most = (1 + _bundles.QUEUED) * self.workers.threads
        while len(self.flying) < most and self.bundles.numbers:
            self.submit(self.bundles.take(self.workers.threads))
        if not self.flying and self.bundles.suspects:
            self.submit([self.bundles.suspects.popleft()], alone=True)

    def submit(self, numbers, alone=False):
        self.given += 1
        future = self.client.submit(_bundles.make_bundle, self.bundles.task(numbers, self.workers.at_once),
                                    pure=False, key=f"{self.name}-{self.given}")
        self.flying[future] = numbers, alone
        future.add_done_callback(self.back.put)

    def take(self, future):
        numbers, alone = self.flying.pop(future)
        if future.status == "error":
            self.take_failure(numbers, alone, future.exception())
            return
        try:
            self.take_answer(future, numbers)
        except DataError as error:
            raise DataError(f"{error} ({self.who_made(future)})") from None
        finally:
            future.release()

    def take_answer(self, future, numbers):
        answer = self.answer(future)
        if answer is LOST:
            self.bundles.give_back(numbers)
            return
        made, seconds, error = _bundles.read_answer(answer, self.owner.plan_hash, len(numbers))
        states = self.owner.take(numbers[:len(made)], made)
        self.progress.done += states.count("result")
        again = numbers[len(made):]
        for number, state, taken in zip(numbers, states, seconds):
            self.bundles.learn(number, taken)
            if state == "stopped":  # by a scheduler that thought better of it
                again.append(number)
        if error is not None:
            raise make_error(*error)
        self.bundles.give_back(again)

    def answer(self, future):
        """LOST if its worker has ended since. Raises DataError for one that is too large, before it is
        fetched."""
        from distributed import CancelledError

        if future.status != "finished":
            return LOST
        try:
            _bundles.check_size(self.client.nbytes([future.key], summary=False)[future.key])
            return future.result(timeout=GATHER)
        except (*GONE, CancelledError, KeyError):
            return LOST

    def who_made(self, future):
        """For messages."""
        try:
            return "the worker at " + " or ".join(self.client.who_has([future])[future.key])
        except (*GONE, KeyError):
            return "a worker that has ended since"

    def take_failure(self, numbers, alone, failure):
        """Workers that end take their bundle along; what a run does to them is of this run alone."""
        from distributed import KilledWorker

        if isinstance(failure, Error):
            raise failure
        if not isinstance(failure, KilledWorker):
            self.workers.look_now()  # is it one that came a moment ago? Then this says which
            raise UnavailableError(f"a worker cannot make runs: {type(failure).__name__}: {failure}")
        if alone:
            self.owner.fail(numbers[0], f"{failure.allowed_failures + 1} workers ended while they made it")
        else:
            self.bundles.suspect(numbers)


class Progress:
    """Of all workers together, on stderr."""

    def __init__(self, mode):
        self.mode = mode
        if mode == "auto":
            self.mode = "line" if sys.stderr.isatty() else "none"
        self.total = self.done = 0
        self.begin = time.monotonic()
        self.next = 0.5

    def show_dashboard(self, link):
        if self.mode != "none":
            text = json.dumps({"dashboard": link}) if self.mode == "json" else f"dashboard: {link}"
            print(text, file=sys.stderr, flush=True)

    def tell(self, workers, last=False):
        seconds = time.monotonic() - self.begin
        if self.mode == "none" or (seconds < self.next and not last):
            return
        self.next = seconds + 0.5
        left = seconds / self.done * (self.total - self.done) if self.done else None
        if self.mode == "json":
            text = json.dumps({"done": self.done, "total": self.total, "seconds": round(seconds, 3),
                               "seconds_left": left and round(left, 3), "workers": workers}) + "\n"
        elif last:
            text = "\r\x1b[K"
        else:
            about = "" if left is None else f"  about {left:.0f} s left"
            text = f"\r{self.done} of {self.total} runs  {seconds:.0f} s{about}  {workers} workers\x1b[K"
        sys.stderr.write(text)
        sys.stderr.flush()


@contextlib.contextmanager
def signals():
    """An Event that the first SIGINT, SIGTERM or SIGHUP sets; the second ends the process at once."""
    stop = threading.Event()

    def wanted(*_):
        for number in before:
            signal.signal(number, at_once)
        stop.set()

    def at_once(number, _):
        _private.remove_all()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    if before[signal.SIGHUP] == signal.SIG_IGN:  # nohup
        del before[signal.SIGHUP]
    for number in before:
        signal.signal(number, wanted)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def experiment(options, command):
    """The exit status. Prints the summary."""
    owner = _native.StoreOwner(options.plan, options.store, options.backend, command)
    progress = Progress(options.progress)
    with signals() as stop, connected(options) as (client, own):
        tls = own is not None or options.tls_ca is not None
        check_address("the scheduler at", client.scheduler_info(n_workers=0)["address"], tls)
        if own is not None and options.dashboard != "none":
            progress.show_dashboard(own.page)
        running = Experiment(client, Workers(client, tls, own), owner, progress)
        gc.collect()
        gc.freeze()  # the runs stay to the end: looking through them again and again finds nothing
        try:
            done = running.run(stop)
        finally:
            gc.unfreeze()
        result = owner.end(not done)
    print(result["summary"], flush=True)
    return result["status"]
