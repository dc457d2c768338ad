"""Runs one child with limits, and says how it ended and what it took."""

import functools
import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

HARD_SECONDS = float(os.environ.get("PLAYPROOF_HARD_SECONDS", "20"))  # a child that still runs then hangs

# Of a build with sanitizers: slower by this, and its address space cannot be limited.
SLOWER = float(os.environ.get("PLAYPROOF_SLOWER", "1"))
SANITIZED = SLOWER > 1


@dataclass
class Ended:
    status: int  # exit status; minus the signal
    out: bytes
    err: bytes
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    hung: bool


resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # children inherit it


def limits_of(fault):
    """What the child sets on itself before it starts; None if that is nothing: it starts faster."""
    if not {"file_size", "memory"} & set(fault):
        return None

    def apply():
        if "file_size" in fault:
            resource.setrlimit(resource.RLIMIT_FSIZE, (fault["file_size"], fault["file_size"]))
        if "memory" in fault and not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (fault["memory"], fault["memory"]))

    return apply


def environment(fault):
    env = dict(os.environ)
    hook = os.environ.get("PLAYPROOF_FAIL_ALLOCATION")
    if "allocation" in fault and hook and not SANITIZED:
        env |= {"LD_PRELOAD": hook, "FAIL_ALLOCATION": str(fault["allocation"]),
                "FAIL_ALLOCATIONS": str(fault.get("times", 1))}
    return env


def wait(process, kill, began):
    """Waits for the end; True if it had to be ended. Sends the signal of `kill` on the way."""
    descriptor = os.pidfd_open(process.pid)
    try:
        if kill:
            number, after = kill
            if not select.select([descriptor], [], [], after)[0]:
                os.kill(process.pid, number)
        left = began + HARD_SECONDS * SLOWER - time.monotonic()
        if select.select([descriptor], [], [], max(0, left))[0]:
            return False
        os.kill(process.pid, signal.SIGKILL)
        return True
    finally:
        os.close(descriptor)


def run(command, folder, stdin=b"", kill=None, fault=None):
    """The Ended of the command, run in `folder`."""
    fault = fault or {}
    with (open(os.path.join(folder, ".in"), "w+b") as given,
          open(os.path.join(folder, ".out"), "w+b") as out,
          open(os.path.join(folder, ".err"), "w+b") as err):
        given.write(stdin)
        given.seek(0)
        began = time.monotonic()
        stdout = open("/dev/full", "wb") if fault.get("stdout") == "full" else out
        # pylint: disable-next=consider-using-with,subprocess-popen-preexec-fn
        process = subprocess.Popen(command, cwd=folder, stdin=given, stdout=stdout, stderr=err,
                                   env=environment(fault), preexec_fn=limits_of(fault))
        hung = wait(process, kill, began)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        if stdout is not out:
            stdout.close()
        out.seek(0)
        err.seek(0)
        return Ended(process.returncode, out.read(), err.read(), seconds,
                     usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, hung)


@functools.cache
def least_memory(program):
    """The least address space, in bytes, in which the program surely comes to its main. In less the
    kernel, the loader or a constructor of a library ends it, by whatever signal: that of the CUDA
    runtime writes through the null pointer that it was given for memory."""
    low, high = 0, os.path.getsize(program) + (64 << 20)
    if SANITIZED:
        return high
    with tempfile.TemporaryDirectory() as folder:
        while high - low > 64 << 10:
            middle = (low + high) // 2
            ended = run([program, "version"], folder, fault={"memory": middle})
            low, high = (low, middle) if ended.status in (0, 70) else (middle, high)
    return high + (1 << 20)  # no two starts are laid out alike
