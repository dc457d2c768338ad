"""Texts as a terminal may show them: what it could take for orders is escaped, and where the locale does not
say UTF-8 what is not ASCII is spelt out. All that goes to a terminal comes through here; files keep what
they are given, but JSON has escapes of its own."""

import json
import math
import re

from .style import ENDLESS

# C0 and C1 controls, DEL, the other ends of lines that Unicode has, and bytes of a name that are no text.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# What JSON need not escape, and a terminal should not get.
_OF_JSON = re.compile("[\x7f-\x9f\u2028\u2029]")
# Signs of our own in ASCII; of others their number.
_SPELT = {"×": "x", "÷": "/", "≥": ">=", "≤": "<=", "∞": "inf", "µ": "u", "ε": "epsilon", "δ": "delta",
          "θ": "theta", "φ": "phi", "−": "-", "–": "-", "—": "-", "…": "...", "’": "'", "“": '"', "”": '"',
          "²": "2", "✓": "+", "←": "<-", "→": "->", "\xa0": " "}
_NOT_ASCII = re.compile("[^\x00-\x7f]")


def one_line(text):
    """Control characters and ends of lines as \\xNN or \\uNNNN; all else as it is."""
    return _CONTROL.sub(lambda found: _escape(ord(found.group())), text)


def lines(text):
    """The same, but ends of lines stay."""
    return "\n".join(map(one_line, text.split("\n")))


def ascii_of(text):
    """For a locale that does not say UTF-8."""
    return _NOT_ASCII.sub(lambda found: _SPELT.get(found.group()) or _escape(ord(found.group())), text)


def to_json(value):
    """The text of a JSON file; its values are the same, its control characters escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return _OF_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"


def finite(value):
    """None for what JSON has no number for: NaN, infinity, the exponential of an infinite end."""
    return None if isinstance(value, float) and not abs(value) <= ENDLESS else value


def in_csv(value):
    """A number in a table of lines: empty for NaN, and `inf` for the exponential of an infinite end, too."""
    if not isinstance(value, float):
        return value
    return "" if math.isnan(value) else repr(float(value)) if value <= ENDLESS else "inf"


def _escape(code):
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8, as Python keeps it
        code -= 0xDC00
    return (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
