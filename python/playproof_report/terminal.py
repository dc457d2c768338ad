"""Texts of stores as a terminal may show them: what it could take for orders is escaped."""

import re

# C0 and C1 controls, DEL, and the other ends of lines that Unicode has.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text):
    """Control characters and ends of lines as \\xNN or \\uNNNN; all else as it is."""
    return _CONTROL.sub(lambda found: _escape(ord(found.group())), text)


def _escape(code):
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
