"""Certificates by hand, and what the tests of `view` read of certificates and pages."""

import json
import re

# Replies that lead to cards at once, which no search of ours writes.
BY_HAND = """playproof-certificate 2
game hex:rows=2,columns=2
rules 1
position b1
goal win
attacker second
claim >=1 disproved
card-leaf 1 .BB.
card-one 2 .B-. a2 1
card-leaf 3 .B.B
card-one 4 .B.- b2 3
all 5 .B.. a1 2 a2 4 b2 2
root 5
"""


# Bounds below other nodes, which no search of ours writes, either.
ABOVE_BOUNDS = """playproof-certificate 2
game othello:size=4
rules 1
position
goal score>=-16
attacker first
claim >=-16 proved
bound 1 OX---OX--XO-----:X
bound 2 -XO--XO--XO-----:X
bound 3 -X---XX-OOO-----:X
all 4 -X---XX--XO-----:O a1 1 c1 2 a3 3
one 5 -----OX--XO-----:X b1 4
root 5
"""


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page,
                                re.S).group(1))


def lines_of(text):
    """{line: (words, claim)} of the nodes of a certificate, and {(claim, id): line}."""
    nodes, places, claim = {}, {}, -1
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(" ")
        if words[0] == "claim":
            claim += 1
        elif claim >= 0 and words[0] not in ("free", "root", "checksum"):
            nodes[number] = (words, claim)
            places[claim, words[1]] = number
    return nodes, places


def joined(cells, rows, columns, stone):
    """Do these stones join their edges in Hex? X top and bottom, O left and right."""
    own = {i for i, c in enumerate(cells) if c == stone}

    def at_edge(i, end):
        row, column = divmod(i, columns)
        return row == end * (rows - 1) if stone == "X" else column == end * (columns - 1)

    seen = todo = {i for i in own if at_edge(i, 0)}
    while todo:
        near = {(i // columns + r) * columns + i % columns + c for i in todo
                for r, c in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
                if 0 <= i // columns + r < rows and 0 <= i % columns + c < columns}
        todo = (near & own) - seen
        seen = seen | todo
    return any(at_edge(i, 1) for i in seen)


def without_conditions(words):
    return words[:words.index("if", 3)] if "if" in words[3:] else words


def below_of(words):
    """The ids that a line names, by docs/certificate.md."""
    kind = words[0]
    if kind in ("one", "all"):
        return without_conditions(words)[4::2]
    if kind == "race-turn":
        return words[5 + int(words[2])::2]
    if kind == "card-fill":
        return words[3:4]
    first = {"card-one": 4, "card-all": 3, "card-link": 3, "link-and": 6, "link-or": 5}.get(kind)
    return [word for word in words[first:] if word != "-"] if first else []


def numbers_in(value):
    """The lines that a node of the page leads to: lists that begin with number, number, kind."""
    if not isinstance(value, list):
        return []
    if len(value) >= 3 and isinstance(value[0], int) and isinstance(value[2], str):
        return [value[0]]
    return [number for item in value for number in numbers_in(item)]


def crc64(content):
    """CRC-64/XZ."""
    table = list(range(256))
    for _ in range(8):
        table = [crc >> 1 ^ (0xc96c5795d7870f42 if crc & 1 else 0) for crc in table]
    crc = 2**64 - 1
    for byte in content:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return crc ^ 2**64 - 1


def sealed(text):
    """A certificate with its last line."""
    return (text + f"checksum {crc64(text.encode()):016x}\n").encode()
