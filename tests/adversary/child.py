"""Runs one child with limits, and says how it ended and what it took."""

import os
import resource
import select
import signal
import subprocess
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


def limits_of(fault):
    """What the child sets on itself before it starts."""

    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
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
