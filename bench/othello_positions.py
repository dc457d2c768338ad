"""Draws Othello positions by uniformly random play and prints one a line, as `solve` reads them.

usage: python3 bench/othello_positions.py [--empties 16] [--count 70] [--seed 1]
A game that ends before that many squares are empty is dropped; a side that has to pass, passes. The
draws come from splitmix64, so that a seed gives the same positions everywhere. tests/data has the
set of 16 empty squares with seed 1, with exact values.
"""

import argparse

from draws import Draws

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def start():
    board = {(row, column): "-" for row in range(8) for column in range(8)}
    board.update({(3, 3): "O", (4, 4): "O", (3, 4): "X", (4, 3): "X"})
    return board


def turned(board, mover, square):
    """The squares whose discs a disc of `mover` on `square` turns."""
    if board[square] != "-":
        return []
    found = []
    for down, right in DIRECTIONS:
        line = []
        row, column = square[0] + down, square[1] + right
        while board.get((row, column), "-") not in ("-", mover):
            line.append((row, column))
            row, column = row + down, column + right
        if board.get((row, column)) == mover:
            found += line
    return found


def moves(board, mover):
    return [square for square in sorted(board) if turned(board, mover, square)]


def position(draws, empties):
    """One game; None if it ended too soon."""
    board, mover = start(), "X"
    while True:
        legal = moves(board, mover)
        if not legal:
            mover = "O" if mover == "X" else "X"
            legal = moves(board, mover)
            if not legal:
                return None
        if list(board.values()).count("-") == empties:
            return "".join(board[square] for square in sorted(board)) + " " + mover
        square = legal[draws.below(len(legal))]
        for disc in turned(board, mover, square) + [square]:
            board[disc] = mover
        mover = "O" if mover == "X" else "X"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--empties", type=int, default=16)
    parser.add_argument("--count", type=int, default=70)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draws = Draws(options.seed)
    printed = 0
    while printed < options.count:
        found = position(draws, options.empties)
        if found:
            print(found)
            printed += 1


if __name__ == "__main__":
    main()
