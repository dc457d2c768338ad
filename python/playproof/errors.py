"""Errors as exceptions. Each has the program's message, which names the input, says what would be right
and ends with the place, and the program's exit status as `code`."""


class Error(Exception):
    """Whatever playproof refuses or cannot do."""

    code = 70
    """The exit status of the program for such an error."""
    result: object = None
    """What was known all the same: a Result, or None."""


class UsageError(Error, ValueError):
    """An unknown name, key or option, or a value out of range."""

    code = 64


class DataError(Error, ValueError):
    """A position, plan, store, certificate or checkpoint that is none."""

    code = 65


class UnavailableError(Error, RuntimeError):
    """A backend that this build or this machine does not have."""

    code = 69


class InternalError(Error, RuntimeError):
    """A broken invariant: a bug of playproof."""

    code = 70


class OutputError(Error, OSError):
    """A file that cannot be written."""

    code = 74


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what was known when it came as `result`: a Result, an array, or a dict."""

    def __init__(self, result):
        super().__init__("interrupted; .result has what is known")
        self.result = result


_CLASSES = {c.code: c for c in (UsageError, DataError, UnavailableError, InternalError, OutputError)}


def make_error(code, text):
    """The exception of an exit status."""
    return _CLASSES.get(code, InternalError)(text)
