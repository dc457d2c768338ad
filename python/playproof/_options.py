"""What callers say, read before it is handed on."""

import operator
import os

from . import _native
from .errors import UsageError

MOST = 2**64 - 1
MOST_THREADS = 1024


def whole(name, value, least=0, most=MOST):
    """An integer in a range. Raises TypeError, UsageError."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise UsageError(f"{name} must be an integer {least}..{most}, not {number}")
    return number


def positive(name, value):
    """A number greater than 0. Raises TypeError, UsageError."""
    try:
        number = float(value)
    except TypeError:
        raise TypeError(f"{name} must be a number, not {type(value).__name__}") from None
    if not 0 < number < float("inf"):
        raise UsageError(f"{name} must be a number greater than 0, not {value}")
    return number


def size(name, value):
    """Bytes: an integer, or a text such as '2GiB'. Raises TypeError, UsageError."""
    if isinstance(value, str):
        return _native.size_in_bytes(name, value)
    return whole(name, value, 1)


def threads(value):
    """Threads; None is one a core."""
    return _native.all_cores() if value is None else whole("threads", value, 1, MOST_THREADS)


def path(value):
    """The name of a file, as the C library takes it."""
    return None if value is None else os.fspath(value)
