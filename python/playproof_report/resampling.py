"""Bootstrap samples. The program makes them, `playproof bench bootstrap --serve` (kernels/bootstrap.h):
one process for a whole report, asked for one matrix after the other."""

import atexit
import functools
import os
import subprocess

import numpy

from .errors import INTERNAL, UNAVAILABLE, ReportError


class Sampler:
    """The running program."""

    def __init__(self, program):
        try:
            # Unbuffered: a failed write leaves nothing behind that closing would write once more.
            self._process = subprocess.Popen(
                [program, "bench", "bootstrap", "--serve"], bufsize=0, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise ReportError(UNAVAILABLE, f"report: cannot start '{program}' for the bootstrap: "
                                           f"{error.strerror}") from error

    def means(self, matrix, samples, seed):
        """Column means of bootstrap samples of the rows: (samples, columns)."""
        units, columns = matrix.shape
        request = f"{units} {columns} {samples} {seed}\n".encode() + matrix.tobytes()
        means = numpy.empty((samples, columns))
        try:
            self._write(memoryview(request))
            self._read(memoryview(means).cast("B"))
        except (OSError, EOFError) as error:
            raise ReportError(INTERNAL, "report: the bootstrap failed: " + self._said()) from error
        return means

    def _write(self, data):
        while data:
            data = data[self._process.stdin.write(data):]

    def _read(self, room):
        while room:
            count = self._process.stdout.readinto(room)
            if not count:
                raise EOFError
            room = room[count:]

    def _said(self):
        """Ends the program; its last words, or its exit status."""
        _, said = self._process.communicate()
        lines = said.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit status {self._process.returncode}"

    def close(self):
        self._process.communicate()


@functools.lru_cache(maxsize=None)
def _sampler(program):
    sampler = Sampler(program)
    atexit.register(sampler.close)
    return sampler


def resampled_means(matrix, samples, seed):
    """Column means of `samples` bootstrap samples of the rows of (units, columns). The samples of
    matrices with as many rows draw the same rows."""
    program = os.environ.get("PLAYPROOF")
    if not program:
        raise ReportError(UNAVAILABLE, "report: PLAYPROOF must name the program playproof, as "
                                       "`playproof report` sees to")
    return _sampler(program).means(numpy.ascontiguousarray(matrix, dtype=float), samples, seed)
