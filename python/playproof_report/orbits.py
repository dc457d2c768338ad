"""Which positions are one problem, turned or reflected.

Images of a position under the symmetries of its game (games/*/identity.h) are one question with one answer:
a search that knows the symmetry does the same work on each. So they are one unit of the statistics. The rules
stand here a second time, for what stores hold are texts; tests/report/test_orbits.py asks the program whether
both mean the same. Standard library only.
"""

import functools
import re

UNREAD = None  # of a text that says no position: it is like no other


def first_of_orbit(problems):
    """{problem: the first problem of its orbit}; problems: [(name, game, position)]."""
    first, found = {}, {}
    for name, game, position in problems:
        found.setdefault(name, first.setdefault(orbit(game, position), name))
    return found


@functools.lru_cache(maxsize=1 << 16)
def orbit(game, position):
    """The same value for images of one position, and for no other two."""
    name, options = _options(game)
    images = IMAGES[name](options, position) if name in IMAGES else UNREAD
    return game, position if images is UNREAD else min(images)


def _options(game):
    """("hex", {"size": "4"})"""
    name, _, rest = game.partition(":")
    return name, dict(option.partition("=")[::2] for option in rest.split(",") if option)


def _board(options, size):
    """(rows, columns); size: without any option."""
    texts = [options.get(side, options.get("size", size)) for side in ("rows", "columns")]
    return tuple(int(text) if text.isdigit() else 0 for text in texts)


def _turned(rows, columns, cells, images):
    """The texts of a board after each symmetry; cells: row by row. images: numbers whose bits say which way:
    1 turns the rows about, 2 the columns, 4 exchanges both, on square boards."""
    board = [cells[row * columns:(row + 1) * columns] for row in range(rows)]
    for which in images:
        made = board[::-1] if which & 1 else board
        made = [row[::-1] for row in made] if which & 2 else made
        made = zip(*made) if which & 4 else made
        yield "".join("".join(row) for row in made)


def _all(rows, columns):
    return range(8 if rows == columns else 4)


def _hex(options, position):
    """The half turn leaves each player's edges where they are; no other symmetry does."""
    rows, columns = _board(options, "5")
    cells, mover = ["-"] * (rows * columns), 0
    for word in position.split():
        if word in (":B", ":W"):
            mover = ":B :W".split().index(word)
            continue
        if word != "--" and not _place(cells, rows, columns, re.fullmatch(r"([a-s])([1-9]\d?)", word), mover):
            return UNREAD
        mover = 1 - mover
    return [f"{text} {mover}" for text in _turned(rows, columns, cells, (0, 3))]


def _place(cells, rows, columns, named, player):
    """Puts a stone where a letter and a number, or two letters, say; whether that is a free cell."""
    if not named:
        return False
    column, row = (int(part) - 1 if part.isdigit() else ord(part.lower()) - ord("a")
                   for part in named.groups())
    there = column < columns and row < rows and cells[row * columns + column] == "-"
    if there:
        cells[row * columns + column] = "BW"[player]
    return there


def _connect(options, position):
    """The rules know no direction. The first turn is one stone, each later one `stones`."""
    rows, columns = _board(options, "19")
    stones, cells = options.get("stones", "2"), ["-"] * (rows * columns)
    if not stones.isdigit() or stones == "0":
        return UNREAD
    for number, word in enumerate(re.sub(r";[BW]\[([A-S]{2})\]", r" \1 ", position).split()):
        turn = (number + int(stones) - 1) // int(stones)
        if not _place(cells, rows, columns, re.fullmatch("([A-S])([A-S])", word), turn % 2):
            return UNREAD
    return list(_turned(rows, columns, cells, _all(rows, columns)))


def _othello(options, position):
    """The rules know no direction."""
    rows, columns = _board(options, "8")
    named = re.fullmatch(r"([-XO]+)\s+([XO])\s*", position)
    if not named or len(named[1]) != rows * columns:
        return UNREAD
    return [f"{text} {named[2]}" for text in _turned(rows, columns, named[1], _all(rows, columns))]


# Other games have none, or none that a search uses.
IMAGES = {"hex": _hex, "connect6": _connect, "othello": _othello}
