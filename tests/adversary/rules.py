"""A third set of rules, in Python: which positions are legal, and who wins small ones.

Shares nothing with the program under test. A state is an immutable value; values are for the first
player. Othello counts discs, empty squares go to the winner.
"""

import random
import re

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


class Bad(Exception):
    """Not a position."""


def mix(x):
    x = (x + GOLDEN) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class PGame:
    """State: (hash, sum, ply)."""

    def __init__(self, branching, depth, tree):
        self.branching, self.depth, self.tree = branching, depth, tree

    def initial(self):
        return (mix(self.tree), 0, 0)

    def finished(self, state):
        return state[2] >= self.depth

    def value(self, state):
        return (state[1] > 0) - (state[1] < 0)

    def first_to_move(self, state):
        return state[2] % 2 == 0

    def moves(self, _state):
        return list(range(self.branching))

    def play(self, state, move):
        code = mix((state[0] + (move + 1) * GOLDEN) & MASK)
        edge = code >> 57
        return (code, state[1] + (edge if state[2] % 2 == 0 else -edge), state[2] + 1)

    def text(self, move):
        return str(move)

    def read_move(self, word):
        if not re.fullmatch(r"0|[1-9][0-9]{0,9}", word) or int(word) >= self.branching:
            raise Bad
        return int(word)


class Board:
    """State: (cells as text, stones). Cells '.', 'X' (first player), 'O'."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns

    def initial(self):
        return ("." * (self.rows * self.columns), 0)

    def moves(self, state):
        return [i for i, c in enumerate(state[0]) if c == "."]

    def play(self, state, move):
        cells, count = state
        stone = "X" if self.first_to_move(state) else "O"
        return (cells[:move] + stone + cells[move + 1:], count + 1)

    def cell(self, column, row):
        if column >= self.columns or row >= self.rows:
            raise Bad
        return row * self.columns + column

    def at(self, cells, row, column):
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return cells[row * self.columns + column] if inside else ""


class Hex(Board):

    def first_to_move(self, state):
        return state[1] % 2 == 0

    def joined(self, cells, stone):
        """Black, X, joins the first row and the last; White the first column and the last."""
        black = stone == "X"
        start = ([(0, c) for c in range(self.columns)] if black else
                 [(r, 0) for r in range(self.rows)])
        todo = [p for p in start if self.at(cells, *p) == stone]
        seen = set(todo)
        while todo:
            row, column = todo.pop()
            if (row == self.rows - 1) if black else (column == self.columns - 1):
                return True
            for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
                near = (row + dr, column + dc)
                if near not in seen and self.at(cells, *near) == stone:
                    seen.add(near)
                    todo.append(near)
        return False

    def value(self, state):
        return 1 if self.joined(state[0], "X") else -1

    def finished(self, state):
        return self.joined(state[0], "X") or self.joined(state[0], "O")

    def text(self, move):
        return "abcdefghijklmnopqrs"[move % self.columns] + str(move // self.columns + 1)

    def read_move(self, word):
        if not re.fullmatch(r"[a-zA-Z][1-9][0-9]?", word):
            raise Bad
        return self.cell(ord(word[0].lower()) - ord("a"), int(word[1:]) - 1)


class Connect(Board):

    def __init__(self, rows, columns, connect, stones):
        super().__init__(rows, columns)
        self.connect, self.stones = connect, stones
        self.lines = self.all_lines()

    def first_to_move(self, state):
        return state[1] == 0 or (state[1] - 1) // self.stones % 2 == 1

    def all_lines(self):
        lines = []
        for row in range(self.rows):
            for column in range(self.columns):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    ends = (row + (self.connect - 1) * dr, column + (self.connect - 1) * dc)
                    if ends[0] < self.rows and 0 <= ends[1] < self.columns:
                        lines.append([(row + i * dr) * self.columns + column + i * dc
                                      for i in range(self.connect)])
        return lines

    def line(self, cells, stone):
        for line in self.lines:
            for cell in line:
                if cells[cell] != stone:
                    break
            else:
                return True
        return False

    def value(self, state):
        return self.line(state[0], "X") - self.line(state[0], "O")

    def finished(self, state):
        return "." not in state[0] or self.value(state) != 0

    def text(self, move):
        return chr(65 + move % self.columns) + chr(65 + move // self.columns)

    def read_move(self, word):
        if not re.fullmatch(r"[a-zA-Z]{2}", word):
            raise Bad
        column, row = (ord(c.upper()) - 65 for c in word)
        return self.cell(column, row)


class Othello(Board):
    """State: (cells, 'X' or 'O' to move)."""

    PASS = -1

    def __init__(self, size):
        super().__init__(size, size)

    def initial(self):
        n, half = self.rows, self.rows // 2
        cells = ["."] * (n * n)
        cells[(half - 1) * n + half - 1] = cells[half * n + half] = "O"
        cells[(half - 1) * n + half] = cells[half * n + half - 1] = "X"
        return ("".join(cells), "X")

    def first_to_move(self, state):
        return state[1] == "X"

    def flips(self, cells, stone, move):
        row, column = divmod(move, self.columns)
        found = []
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                line, r, c = [], row + dr, column + dc
                while (dr or dc) and self.at(cells, r, c) not in ("", ".", stone):
                    line.append(r * self.columns + c)
                    r, c = r + dr, c + dc
                if self.at(cells, r, c) == stone:
                    found += line
        return found

    def places(self, cells, stone):
        return [i for i, c in enumerate(cells) if c == "." and self.flips(cells, stone, i)]

    def finished(self, state):
        return not self.places(state[0], "X") and not self.places(state[0], "O")

    def moves(self, state):
        return self.places(*state) or [self.PASS]

    def play(self, state, move):
        cells, stone = list(state[0]), state[1]
        if move != self.PASS:
            for i in [move, *self.flips(state[0], stone, move)]:
                cells[i] = stone
        return ("".join(cells), "O" if stone == "X" else "X")

    def value(self, state):
        black, white, empty = (state[0].count(c) for c in "XO.")
        if black == white:
            return 0
        return black - white + (empty if black > white else -empty)

    def read_move(self, word):
        if word == "--":
            return self.PASS
        if not re.fullmatch(r"[a-h][1-8]", word):
            raise Bad
        return self.cell(ord(word[0]) - ord("a"), int(word[1]) - 1)

    def text_of(self, state):
        return state[0].replace(".", "-") + " " + state[1]


class Graph:
    """A drawn graph of a few nodes, where positions come again, by the name of its file: NUMBER.graph. Of other
    names nothing is known. State: (node, those before it in ascending order, whether the first player moved there);
    where only play without end counts, what was before does not matter."""

    RULES = ["infinite win", "infinite draw", "infinite loss", "second draw", "third draw", "repeater loses"]
    VALUES = {"win": 1, "draw": 0, "loss": -1, "true": 1, "false": -1, "7": 7, "-64": -64}

    def __init__(self, file):
        number = re.fullmatch(r"([0-9]+)[.]graph", file)
        self.known = number is not None
        drawn = random.Random(number.group(1) if number else "")
        self.rule = drawn.choice(self.RULES)
        size = drawn.randint(2, 7)
        self.names = [f"n{i}" for i in range(size)]
        self.ends, self.firsts, self.edges = {}, [], []
        for i in range(size):
            self.firsts.append(drawn.random() < 0.5)
            self.edges.append(drawn.sample(range(size), drawn.randint(1, min(3, size))))
            if i and drawn.random() < 0.3:
                self.ends[i] = drawn.choice(list(self.VALUES))
        self.start = drawn.randrange(size)

    def file_text(self):
        lines = [f"rule: {self.rule}", f"start: {self.names[self.start]}  # drawn"]
        for i, name in enumerate(self.names):
            to = " ".join(self.names[j] for j in self.edges[i])
            lines.append(f"{name} {self.ends[i]}" if i in self.ends else
                         f"{name} {'first' if self.firsts[i] else 'second'} {to}")
        return "\n".join(lines) + "\n"

    def counts_paths(self):
        return not self.rule.startswith("infinite")

    def initial(self):
        return (self.start, (), False)

    def node(self, name):
        if name not in self.names:
            raise Bad
        return (self.names.index(name), (), False)

    def repeated(self, state):
        return state[1].count(state[0]) >= (2 if self.rule == "third draw" else 1)

    def finished(self, state):
        return state[0] in self.ends or self.repeated(state)

    def value(self, state):
        if self.repeated(state):
            return 0 if self.rule != "repeater loses" else -1 if state[2] else 1
        return self.VALUES[self.ends[state[0]]]

    def first_to_move(self, state):
        return self.firsts[state[0]] or state[0] in self.ends

    def moves(self, state):
        return list(range(len(self.edges[state[0]])))

    def play(self, state, move):
        before = tuple(sorted((*state[1], state[0]))) if self.counts_paths() else ()
        return (self.edges[state[0]][move], before, self.counts_paths() and self.first_to_move(state))

    def text(self, move):
        return str(move + 1)

    def read_move(self, word):
        if not re.fullmatch(r"[1-9][0-9]{0,2}", word):
            raise Bad
        return int(word) - 1

    def values_without_end(self):
        """By as many rounds as there are nodes, of which each looks one move further ahead."""
        endless = {"win": 1, "draw": 0, "loss": -1}[self.rule.split()[1]]
        states = [(i, (), False) for i in range(len(self.names))]
        known = dict.fromkeys(states, endless)
        for _ in states:
            known = {at: self.value(at) if self.finished(at) else
                     (max if self.first_to_move(at) else min)(known[self.play(at, m)] for m in self.moves(at))
                     for at in states}
        return known


def node_of(state):
    """The state without what was before: positions of other games never come again."""
    return state[0] if isinstance(state[1], tuple) else state


class Loa(Board):
    """Lines of Action. State: (cells, 'X' or 'O' to move). A move is a pair of cells."""

    def __init__(self, size, mover_wins):
        super().__init__(size, size)
        self.mover_wins = mover_wins

    def initial(self):
        n = self.rows
        cells = ["."] * (n * n)
        for i in range(1, n - 1):
            cells[i] = cells[(n - 1) * n + i] = "X"
            cells[i * n] = cells[i * n + n - 1] = "O"
        return ("".join(cells), "X")

    def first_to_move(self, state):
        return state[1] == "X"

    def connected(self, cells, stone):
        left = {divmod(i, self.columns) for i, c in enumerate(cells) if c == stone}
        todo = [left.pop()]
        while todo:
            row, column = todo.pop()
            near = {(r, c) for r, c in left if abs(r - row) < 2 and abs(c - column) < 2}
            left -= near
            todo += near
        return not left

    def moves(self, state):
        cells, stone = state
        found = []
        for start in (i for i, c in enumerate(cells) if c == stone):
            row, column = divmod(start, self.columns)
            for dr, dc in ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)):
                line = [self.at(cells, row + i * dr, column + i * dc)
                        for i in range(-self.rows, self.rows + 1)]
                steps = sum(c in ("X", "O") for c in line)
                ahead = line[self.rows + 1:self.rows + 1 + steps]
                if ahead[-1] not in ("", stone) and set(ahead[:-1]) <= {".", stone}:
                    found.append((start, (row + steps * dr) * self.columns + column + steps * dc))
        return sorted(found)

    def play(self, state, move):
        cells, stone = list(state[0]), state[1]
        cells[move[0]], cells[move[1]] = ".", stone
        return ("".join(cells), "O" if stone == "X" else "X")

    def finished(self, state):
        return self.connected(state[0], "X") or self.connected(state[0], "O") or not self.moves(state)

    def value(self, state):
        black, white = (self.connected(state[0], stone) for stone in "XO")
        if black != white:
            return 1 if black else -1
        return 0 if black and not self.mover_wins else -1 if state[1] == "X" else 1

    def text(self, move):
        return "-".join(chr(97 + cell % self.columns) + str(cell // self.columns + 1) for cell in move)

    def read_move(self, word):
        if not re.fullmatch(r"[a-hA-H][1-8][-x][a-hA-H][1-8]", word):
            raise Bad
        return tuple(self.cell(ord(point[0].lower()) - ord("a"), int(point[1]) - 1) for point in (word[:2], word[3:]))

    def text_of(self, state):
        return state[0].replace(".", "-") + " " + state[1]


def read_loa(game, text):
    """A board, or moves from the initial position, which must be legal."""
    words = re.split(r"[ \t]+", text.strip(" \t\r\n"))
    if words[0][:1] not in ("X", "O", "-"):
        state = game.initial()
        for word in words if words != [""] else []:
            if game.finished(state) or game.read_move(word) not in game.moves(state):
                raise Bad
            state = game.play(state, game.read_move(word))
        return state
    counts = [words[0].count(stone) for stone in "XO"]
    if (len(words) != 2 or not re.fullmatch(rf"[XO-]{{{game.rows ** 2}}}", words[0]) or words[1] not in ("X", "O") or
            min(counts) < 1 or max(counts) > 2 * game.rows - 4):
        raise Bad
    return (words[0].replace("-", "."), words[1])


def play_out(game, text):
    """The state after the moves of a text (all games whose text is no board)."""
    state = game.initial()
    for word in re.split(r"[ \t]+", text.strip(" \t\r\n") if text.strip(" \t\r\n") else ""):
        if not word:
            continue
        if game.finished(state):
            raise Bad
        move = game.read_move(word)
        if isinstance(game, Board) and state[0][move] != ".":
            raise Bad
        state = game.play(state, move)
    return state


def read_othello(game, text):
    """Only what is wrong in its form is refused: whether play leads there is not asked."""
    text = text.rstrip(" \t\r\n").lstrip(" \t")
    if not text:
        return game.initial()
    match = re.fullmatch(rf"([XO-]{{{game.rows * game.rows}}})[ \t]+([XO])", text)
    if not match:
        raise Bad
    return (match.group(1).replace("-", "."), match.group(2))


def read(game, text):
    if isinstance(game, Graph):
        if not game.known:
            raise Bad
        return game.node(text.strip(" \t")) if text.strip(" \t") else game.initial()
    own = {Othello: read_othello, Loa: read_loa}
    return own.get(type(game), play_out)(game, text)


def repeats(game):
    """Can a position come again?"""
    return isinstance(game, (Graph, Loa))


class TooMuch(Exception):
    """More positions than were allowed."""


def values(game, state, most=3000):
    """The value for the first player of this position and of all that play can reach from it, or
    None if there are more than `most` of them, or they can come again."""
    known = {}
    if isinstance(game, Loa):
        return None
    if isinstance(game, Graph) and not game.counts_paths():
        return game.values_without_end()

    def search(at):
        if at in known:
            return known[at]
        if len(known) >= most:
            raise TooMuch
        known[at] = 0  # counted; no state comes again
        if game.finished(at):
            best = game.value(at)
        else:
            below = [search(game.play(at, move)) for move in game.moves(at)]
            best = max(below) if game.first_to_move(at) else min(below)
        known[at] = best
        return best

    try:
        search(state)
    except (TooMuch, RecursionError):
        return None
    return known


def perft(game, state, depth, most=3000):
    """Leaves at `depth` plies, or None if there are more than `most` positions on the way."""
    level, leaves = {state: 1}, 0
    for _ in range(depth):
        below = {}
        for at, ways in level.items():
            if game.finished(at):
                leaves += ways
                continue
            for move in game.moves(at):
                next_state = game.play(at, move)
                below[next_state] = below.get(next_state, 0) + ways
            if len(below) > most:
                return None
        level = below
    return leaves + sum(level.values())
