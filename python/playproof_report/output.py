"""Where a report goes: folders, stdout, stderr (files: files.py). What a terminal gets has gone through
terminal.py."""

import contextlib
import errno
import io
import os
import sys
import warnings

from . import terminal
from .errors import OUTPUT, USAGE, ReportError
from .files import cannot_write


def check_folder(path):
    """Is it known already that files cannot be written to a folder, which may not be there yet?"""
    try:
        _need_writable(path if os.path.lexists(path) else os.path.dirname(os.path.abspath(path)))
    except OSError as error:
        raise cannot_write(path, error) from error


def _need_writable(folder):
    os.stat(os.path.join(folder, ""))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def keep_apart(written, read):
    """A file is never written over a store, by whatever name."""
    for path in written:
        for store in read:
            if os.path.exists(path) and os.path.samefile(path, store):
                raise ReportError(USAGE, f"report: the file {path} and the store {store} are one file")


def make_folder(path):
    try:
        if not os.path.isdir(path):
            os.mkdir(path)
    except OSError as error:
        raise ReportError(OUTPUT, f"{path}: cannot make the folder: {error.strerror}") from error


def write_stdout(text, for_people, plain):
    """for_people: a text to be read, not data; plain: the locale does not say UTF-8. Data are UTF-8 wherever they
    go, but for a terminal."""
    on_terminal = sys.stdout.isatty()
    if on_terminal:
        text = terminal.lines(text)
    if plain and (for_people or on_terminal):
        text = terminal.ascii_of(text)
    try:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Python would try to flush once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise ReportError(OUTPUT, f"stdout: cannot write: {error.strerror}") from error


class _Told(io.TextIOBase):
    """In stderr's place: whatever is said of a run that is made, by whomever."""

    def __init__(self, stream, plain):
        super().__init__()
        self._stream, self._plain = stream, plain

    def write(self, text):
        """What can be written: a full stderr changes no exit status."""
        told = terminal.lines(text)
        try:
            self._stream.write(terminal.ascii_of(told) if self._plain else told)
            self._stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        return len(text)

    def writable(self):
        return True


@contextlib.contextmanager
def telling(plain):
    """Within it all that goes to stderr is escaped, and warnings of libraries look like ours."""
    formerly = warnings.formatwarning
    warnings.formatwarning = lambda message, *_, **__: (
        f"playproof: warning: {terminal.one_line(str(message))}\n")
    try:
        with contextlib.redirect_stderr(_Told(sys.stderr, plain)):
            yield
    finally:
        warnings.formatwarning = formerly


def warn(texts):
    sys.stderr.write("".join(f"playproof: warning: {terminal.one_line(text)}\n" for text in texts))
