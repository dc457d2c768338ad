"""The known answers of games/PLAYOUTS.md, computed once more from that page alone: rules, random
words and playouts are written out here and share nothing with the C++ engines."""

import os
import pathlib
import unittest

ROOT = pathlib.Path(os.environ.get("PLAYPROOF_SOURCE", pathlib.Path(__file__).parents[2]))
M32, M64 = 2**32 - 1, 2**64 - 1
GROUP_WORDS = {"hex": 4, "connect6": 16}
GAMMA = 0x9e3779b97f4a7c15


def mix(x):
    x = (x + GAMMA) & M64
    x = ((x ^ x >> 30) * 0xbf58476d1ce4e5b9) & M64
    x = ((x ^ x >> 27) * 0x94d049bb133111eb) & M64
    return x ^ x >> 31


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & M32, (a >> 32) ^ c[3] ^ k[1], a & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


class Words:
    """Random words of one word or group, by number."""

    def __init__(self, seed, stream, which):
        self.key = (seed & M32, seed >> 32)
        self.counter = (stream & M32, stream >> 32, which)
        self.blocks = {}

    def __getitem__(self, i):
        if i // 4 not in self.blocks:
            self.blocks[i // 4] = philox(self.counter + (i // 4,), self.key)
        return self.blocks[i // 4][i % 4]


class Lane:
    """Where one playout finds its random bits."""

    def __init__(self, words, group, lane):
        self.words, self.group, self.lane = words, group, lane

    def bit(self, i):
        return self.words[i] >> self.lane & 1


def board_key(colours, cells):
    words = 1 if cells <= 64 else 6
    total, i = 0, 0
    for colour in colours:
        number = sum(1 << c for c in colour)
        for w in range(words):
            i += 1
            total += mix(((number >> 64 * w & M64) + i * 0xd1b54a32d192ed03) & M64)
    return mix(total & M64)


class PGame:
    def __init__(self, options, position):
        self.B, self.depth = options["branching"], options["depth"]
        self.leaf = (mix(options["tree"]), 0, 0)  # hash, sum, ply
        for branch in position.split():
            self.leaf = self.child(self.leaf, int(branch))
        self.stream = self.leaf[0]

    @staticmethod
    def child(node, i):
        h = mix((node[0] + (i + 1) * GAMMA) & M64)
        return h, node[1] + (h >> 57 if node[2] % 2 == 0 else -(h >> 57)), node[2] + 1

    def playout(self, lane):
        node, m, t = self.leaf, self.B.bit_length() - 1, 0
        while node[2] < self.depth:
            if self.B == 1 << m:
                branch = 0
                for j in range(m):
                    branch = 2 * branch + lane.bit(t * m + j)
            else:
                branch = lane.words[32 * t + lane.lane] * self.B >> 32
            node, t = self.child(node, branch), t + 1
        return node[1]


class Board:
    """Rows, columns and the stones of a position given as a move list."""

    def __init__(self, options):
        self.rows = options.get("rows", options.get("size"))
        self.columns = options.get("columns", options.get("size"))
        self.stones = ([], [])

    def empty(self):
        taken = set(self.stones[0] + self.stones[1])
        return [c for c in range(self.rows * self.columns) if c not in taken]

    def key(self):
        return board_key(self.stones, self.rows * self.columns)

    def neighbour(self, cell, down, right):
        row, column = cell // self.columns + down, cell % self.columns + right
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if inside else None


class Hex(Board):
    def __init__(self, options, position):
        super().__init__(options)
        self.mover = 0
        for word in position.split():
            if word in (":B", ":W"):
                self.mover = ":B :W".split().index(word)
                continue
            if word != "--":
                cell = (int(word[1:]) - 1) * self.columns + ord(word[0]) - ord("a")
                self.stones[self.mover].append(cell)
            self.mover = 1 - self.mover
        self.stream = self.key()
        if self.mover != sum(map(len, self.stones)) % 2:
            self.stream = mix(self.stream + 1 & M64)

    def playout(self, lane):
        empty = self.empty()
        m = len(empty)
        movers = [lane.bit(e) for e in range(m)]
        wrong, i = sum(movers) - (m + 1) // 2, 0
        while wrong:
            h = lane.group[i // 2] >> 16 * (i % 2) & 0xffff
            i += 1
            if h * m % 65536 < 65536 % m:
                continue
            c = h * m >> 16
            if (wrong > 0) == bool(movers[c]):
                movers[c] ^= 1
                wrong += 1 if movers[c] else -1
        black = self.stones[0] + [c for c, b in zip(empty, movers) if b == (self.mover == 0)]
        return 1 if self.top_to_bottom(set(black)) else -1

    def top_to_bottom(self, black):
        todo = [c for c in range(self.columns) if c in black]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            if cell // self.columns == self.rows - 1:
                return True
            for step in (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1):
                near = self.neighbour(cell, *step)
                if near in black and near not in seen:
                    seen.add(near)
                    todo.append(near)
        return False


class Othello(Board):
    def __init__(self, options, position):
        super().__init__(options)
        n = self.rows
        low = (n // 2 - 1) * (n + 1)
        squares = {low: "O", low + n + 1: "O", low + 1: "X", low + n: "X"}
        text = "".join(squares.get(c, "-") for c in range(n * n)) + " X"
        text = position or text
        self.leaf = text[:n * n]
        self.mover = text[-1]
        for c, square in enumerate(self.leaf):
            if square != "-":
                self.stones["XO".index(square)].append(c)
        self.stream = mix((self.key() + (self.mover == "O")) & M64)

    def turned(self, board, cell, colour):
        if board[cell] != "-":
            return []
        found = []
        for down in -1, 0, 1:
            for right in -1, 0, 1:
                line, at = [], self.neighbour(cell, down, right)
                while (down or right) and at is not None and board[at] not in ("-", colour):
                    line.append(at)
                    at = self.neighbour(at, down, right)
                if at is not None and board[at] == colour:
                    found += line
        return found

    def playout(self, lane):
        board, mover, t, passes = list(self.leaf), self.mover, 0, 0
        while passes < 2:
            moves = [(c, f) for c in range(len(board)) for f in [self.turned(board, c, mover)] if f]
            passes = 0 if moves else passes + 1
            if moves:
                r = 0
                for j in range(24):
                    r = 2 * r + lane.bit(24 * t + j)
                cell, flipped = moves[len(moves) * r >> 24]
                for c in [cell] + flipped:
                    board[c] = mover
            mover, t = "X" if mover == "O" else "O", t + 1
        return board.count("X") - board.count("O")


class Connect(Board):
    def __init__(self, options, position):
        super().__init__(options)
        self.k, self.p = options.get("connect", 6), options.get("stones", 2)
        self.before = len(position.split())
        for number, move in enumerate(position.split()):
            cell = (ord(move[1]) - ord("A")) * self.columns + ord(move[0]) - ord("A")
            self.stones[self.turn(number) % 2].append(cell)
        self.stream = self.key()

    def turn(self, number):
        """The turn that stone `number` of the game belongs to."""
        return (number + self.p - 1) // self.p

    def order(self, group):
        cells, at = self.empty(), 0
        for i in range(len(cells) - 1):
            n = len(cells) - i
            while group[at] * n % 2**32 < 2**32 % n:
                at += 1
            j = group[at] * n >> 32
            at += 1
            cells[i], cells[i + j] = cells[i + j], cells[i]
        return cells

    def playout(self, lane):
        order = self.order(lane.group)
        turns = {}
        for i in range(len(order)):
            turns.setdefault(self.turn(self.before + i), []).append(i)
        numbers, pair = sorted(turns), 0
        for first, second in zip(numbers[::2], numbers[1::2]):
            for a, b in zip(turns[first], turns[second]):
                if lane.bit(pair):
                    order[a], order[b] = order[b], order[a]
                pair += 1
        stones = [set(s) for s in self.stones]
        for i, cell in enumerate(order):
            player = self.turn(self.before + i) % 2
            stones[player].add(cell)
            if self.has_line(stones[player], cell):
                return 1 - 2 * player
        return 0

    def has_line(self, own, cell):
        for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
            length = 1
            for sign in 1, -1:
                at = self.neighbour(cell, sign * down, sign * right)
                while at in own:
                    length += 1
                    at = self.neighbour(at, sign * down, sign * right)
            if length >= self.k:
                return True
        return False


class Loa(Board):
    WAYS = (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)

    def __init__(self, options, position):
        super().__init__(options)
        n = self.rows
        self.mover_wins = options.get("both") == "mover"
        edge = range(1, n - 1)
        cells = {c: "X" for i in edge for c in (i, n * n - n + i)} | {c: "O" for i in edge for c in (n * i, n * i + n - 1)}
        text = position or "".join(cells.get(c, "-") for c in range(n * n)) + " X"
        self.leaf, self.mover = text[:n * n], text[-1]
        for c, stone in enumerate(self.leaf):
            if stone != "-":
                self.stones["XO".index(stone)].append(8 * (c // n) + c % n)
        self.stream = mix(board_key(self.stones, 64) + (self.mover == "O") & M64)

    def target(self, board, cell, way):
        """Where a stone comes to, or None."""
        line = [cell]
        for sign in 1, -1:
            at = self.neighbour(cell, sign * way[0], sign * way[1])
            while at is not None:
                line.append(at)
                at = self.neighbour(at, sign * way[0], sign * way[1])
        own, steps = board[cell], sum(board[c] != "-" for c in line)
        to = self.neighbour(cell, steps * way[0], steps * way[1])
        over = [self.neighbour(cell, i * way[0], i * way[1]) for i in range(1, steps)]
        free = to is not None and board[to] != own and all(board[c] in ("-", own) for c in over)
        return to if free else None

    def connected(self, board, stone):
        left = {c for c, s in enumerate(board) if s == stone}
        todo = [left.pop()]
        while todo:
            cell = todo.pop()
            near = left & {self.neighbour(cell, *way) for way in self.WAYS}
            left -= near
            todo += near
        return not left

    def over(self, board, mover):
        """The result, or None; `mover` would move next."""
        black, white = (self.connected(board, stone) for stone in "XO")
        moved = -1 if mover == "X" else 1
        if black and white:
            return moved if self.mover_wins else 0
        if black or white:
            return 1 if black else -1
        stones = [c for c, s in enumerate(board) if s == mover]
        stuck = all(self.target(board, c, way) is None for c in stones for way in self.WAYS)
        return moved if stuck else None

    def playout(self, lane):
        board, mover, at = list(self.leaf), self.mover, 0
        for _ in range(1000):
            if self.over(board, mover) is not None:
                break
            stones, to = [c for c, s in enumerate(board) if s == mover], None
            while to is None:
                word = lane.words[4 * (32 * (at // 16) + lane.lane) + at % 16 // 4]
                product = (word >> 8 * (at % 4) & 255) * len(stones)
                at += 1
                if product % 32 >= 32 % len(stones):
                    cell, way = stones[product // 256], self.WAYS[product // 32 % 8]
                    to = self.target(board, cell, way)
            board[cell], board[to] = "-", mover
            mover = "X" if mover == "O" else "O"
        return self.over(board, mover) or 0


GAMES = {"loa": Loa, "pgame": PGame, "hex": Hex, "othello": Othello, "connect6": Connect}


def leaf(game, position):
    name, _, options = game.partition(":")
    values = dict(option.split("=") for option in options.split(","))
    return GAMES[name]({k: int(v) if v.isdigit() else v for k, v in values.items()}, position)


def results(game, position, seed, first, playouts):
    at, found = leaf(game, position), []
    words, groups = {}, {}
    size = GROUP_WORDS.get(game.partition(":")[0], 1)
    for i in range(first, first + playouts):
        word, group = i // 32, i // 32 // size
        words.setdefault(word, Words(seed, at.stream, word))
        groups.setdefault(group, Words(seed, at.stream, 1 << 31 | group))
        found.append(at.playout(Lane(words[word], groups[group], i % 32)))
    return found


def answer(fields):
    game, position, seed = fields[1], fields[2], int(fields[3])
    if fields[0] == "tally":
        found = results(game, position, seed, int(fields[4]), int(fields[5]))
        return [f"{sum(r > 0 for r in found)} {found.count(0)} {sum(r < 0 for r in found)}"]
    found = results(game, position, seed, 32 * int(fields[4]), 32)
    return [f"{sum(1 << i for i, r in enumerate(found) if keep(r)):08x}"
            for keep in (lambda r: r > 0, lambda r: r == 0)]


class KnownAnswers(unittest.TestCase):
    def test_philox(self):
        page = (ROOT / "games/PLAYOUTS.md").read_text(encoding="utf-8")
        for counter, key in (([0] * 4, [0] * 2), ([M32] * 4, [M32] * 2),
                             ([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
                              [0xa4093822, 0x299f31d0])):
            self.assertIn(" ".join(f"{w:08x}" for w in philox(counter, key)), page)

    def test_answers(self):
        page = (ROOT / "games/PLAYOUTS.md").read_text(encoding="utf-8").splitlines()
        lines = (ROOT / "tests/data/playout-known-answers.txt").read_text().splitlines()[1:]
        self.assertGreater(len(lines), 20)
        for line in lines:
            with self.subTest(line=line):
                self.assertIn("    " + line, page)
                fields = [field.strip() for field in line.split("|")]
                answers = answer(fields)
                self.assertEqual(answers, fields[-len(answers):])


if __name__ == "__main__":
    unittest.main()
