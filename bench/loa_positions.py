"""Draws endgames of Lines of Action from games of a simple player, one a line, as `solve` reads them.

usage: python3 bench/loa_positions.py [--count 500] [--seed 1]
Both sides look one ply ahead: of their moves they take one that leaves their own stones close
together and the other side's far apart, now and then any move. A position counts as an endgame so
many plies before one side has joined its stones, that side to move, 5, 7, 9 or 11 by draw; it is
left out if it is decided at a glance, by a win of one ply or of three. Whether it is won nobody
knows. One of each game at most. The draws come from splitmix64, so that a seed gives the same
positions everywhere. tests/data/loa-500.txt has those of seed 1.
"""

import argparse

from draws import Draws

SIZE = 8
NEAR = [[8 * r + c for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)
         if 0 <= r < SIZE and 0 <= c < SIZE and (r, c) != (row, column)]
        for row in range(SIZE) for column in range(SIZE)]


def lines_through():
    """Of each cell its four lines: all cells of a line, in order, and where on it the cell is."""
    found = [[] for _ in range(64)]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for cell in range(64):
            row, column = divmod(cell, SIZE)
            steps = range(-SIZE, SIZE + 1)
            line = [8 * (row + i * down) + column + i * right for i in steps
                    if 0 <= row + i * down < SIZE and 0 <= column + i * right < SIZE]
            found[cell].append((line, line.index(cell)))
    return found


LINES = lines_through()


def start():
    black = frozenset([*range(1, 7), *range(57, 63)])
    white = frozenset([*range(8, 56, 8), *range(15, 63, 8)])
    return black, white


def moves(own, other):
    found = []
    for cell in sorted(own):
        for line, place in LINES[cell]:
            steps = sum(c in own or c in other for c in line)
            for to, between in ((place + steps, line[place + 1:place + steps]),
                                (place - steps, line[max(place - steps, -1) + 1:place])):
                if 0 <= to < len(line) and line[to] not in own and not any(c in other for c in between):
                    found.append((cell, line[to]))
    return found


def play(own, other, move):
    """The two sides after it, the one to move first."""
    return other - {move[1]}, own - {move[0]} | {move[1]}


def connected(stones):
    todo = [next(iter(stones))]
    left = set(stones) - set(todo)
    while todo and left:
        for cell in NEAR[todo.pop()]:
            if cell in left:
                left.remove(cell)
                todo.append(cell)
    return not left


def wins(own, other, plies):
    """Does the side to move join its stones within so many plies, 1 or 3, and not the other's?"""
    for move in moves(own, other):
        theirs, mine = play(own, other, move)
        if connected(mine):
            if not connected(theirs):
                return True
        elif plies > 1 and not connected(theirs) and all(
                connected(next_mine) and not connected(next_theirs) or
                not connected(next_theirs) and wins(next_mine, next_theirs, 1)
                for next_mine, next_theirs in (play(theirs, mine, reply) for reply in moves(theirs, mine))):
            return True
    return False


def spread(stones):
    """How far the stones are from their middle: of each the steps of a king, added."""
    row = sum(cell // 8 for cell in stones) // len(stones)
    column = sum(cell % 8 for cell in stones) // len(stones)
    return sum(max(abs(cell // 8 - row), abs(cell % 8 - column)) for cell in stones)


def game(draws):
    """The positions of a game, the side to move first, and who has joined his stones: 0, who would move next, or 1."""
    own, other = start()
    positions = []
    while len(positions) < 120:
        positions.append((own, other))
        legal = moves(own, other)
        if not legal:
            break
        if draws.below(8) == 0:
            move = legal[draws.below(len(legal))]
        else:
            values = []
            for move in legal:
                theirs, mine = play(own, other, move)
                values.append(3 * spread(mine) - 2 * spread(theirs) + draws.below(6))
            move = legal[values.index(min(values))]
        own, other = play(own, other, move)
        ended = connected(own), connected(other)
        if any(ended):
            return positions, 0 if ended == (True, False) else 1 if ended == (False, True) else None
    return positions, None


def position(draws):
    """One game; None if it has no endgame."""
    positions, winner = game(draws)
    plies = 5 + 2 * draws.below(4)
    if winner is None or len(positions) < plies + 12:
        return None
    # Who won by his own move was to move at the last position, who won by the other's before it.
    at = len(positions) - plies - (winner == 0)
    own, other = positions[at]
    if wins(own, other, 1) or wins(own, other, 3):
        return None
    stones = (own, other) if at % 2 == 0 else (other, own)
    board = "".join("X" if cell in stones[0] else "O" if cell in stones[1] else "-" for cell in range(64))
    return board + " " + "XO"[at % 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draws = Draws(options.seed)
    printed = 0
    while printed < options.count:
        found = position(draws)
        if found:
            print(found)
            printed += 1


if __name__ == "__main__":
    main()
