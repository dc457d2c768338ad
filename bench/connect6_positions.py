"""Draws positions of Connect6 for the plans connect6-deep, connect6-deep-coarse and connect6-turns, one a line, as `solve` reads them.

usage: python3 bench/connect6_positions.py build/playproof [--drawn 0] [--opening 10] [--middle 5] [--useless 1] [--calls 600]
           [--re-entries 1] [--seed 1]
Openings of four moves: seven stones near the centre. Middle games: games of a simple player, who completes a line,
hits the other side's threats, and else goes where most is to be made or stopped, with some noise. Last come openings
whose first two White stones are useless, far from everything. Kept are those that df-pn with the best five turns wins
for the side to move, though not by double threats alone, with 100 to 600 searches by double threats, at most 100,000
positions in these, and at least once to a node that it had gone to before; at most one of a game. Columns: moves, kind,
side to move, searches by double threats, the thesis' node number, its seesaw number. tests/data/connect6-deep.txt has
those of seed 1, and before them two openings with more seesaw: --opening 2 --middle 0 --useless 0 --calls 800
--re-entries 10. With --drawn openings come first that nobody chose among, stones alone: tests/data/connect6-drawn.txt has
100 of seed 2 (--drawn 100 --opening 0 --middle 0 --useless 0 --seed 2), for the plan connect6-turns.
"""

import argparse
import json
import subprocess

from draws import Draws

SIZE = 19
CONNECT = 6
SEARCH = "dfpn:turns=5,leaf=unit,increment=1,epsilon=0,replies=lazy,vcdtturns=8,vcdtwork=100000"
FEWEST_CALLS = 100
MOST_POSITIONS = 100_000
BATCH = 20  # positions of a call of the program
WORTH = (0, 1, 3, 8, 20, 30)  # of a live line with so many stones, to whoever has them


def all_windows():
    found = []
    for row in range(SIZE):
        for column in range(SIZE):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(CONNECT)]
                if all(0 <= r < SIZE and 0 <= c < SIZE for r, c in cells):
                    found.append(tuple(r * SIZE + c for r, c in cells))
    return found


WINDOWS = all_windows()
THROUGH = [[window for window in WINDOWS if cell in window] for cell in range(SIZE * SIZE)]

NEAR = [[row * SIZE + column for row in range(max(r - 2, 0), min(r + 3, SIZE))
         for column in range(max(c - 2, 0), min(c + 3, SIZE))] for r in range(SIZE) for c in range(SIZE)]


def text(game):
    """[(cell, player), ...] as a list of moves."""
    return "".join(f";{'BW'[player]}[{chr(65 + cell % SIZE)}{chr(65 + cell // SIZE)}]" for cell, player in game)


def player_of(stones):
    """Who lays the next one: one stone, then two each."""
    return (stones + 1) // 2 % 2


def near(draws, stones, reach):
    """An empty cell at most so far, in rows and columns, from one of the stones, by draw."""
    while True:
        row, column = divmod(stones[draws.below(len(stones))], SIZE)
        row, column = row + draws.below(2 * reach + 1) - reach, column + draws.below(2 * reach + 1) - reach
        if 0 <= row < SIZE and 0 <= column < SIZE and row * SIZE + column not in stones:
            return row * SIZE + column


CENTRE = SIZE * SIZE // 2


def opening(draws):
    cells = [CENTRE]
    while len(cells) < 7:
        cells.append(near(draws, [CENTRE] if draws.below(2) else cells, 2))
        if cells.count(cells[-1]) > 1:
            cells.pop()
    return [(cell, player_of(i)) for i, cell in enumerate(cells)]


def useless(draws):
    """The first two White stones lie in corners; the others are near the centre."""
    corners = [row * SIZE + column for row in (0, SIZE - 1) for column in (0, SIZE - 1)]
    cells = [CENTRE, corners.pop(draws.below(4)), corners.pop(draws.below(3))]
    while len(cells) < 7:
        cell = near(draws, [CENTRE], 3)
        if cell not in cells:
            cells.append(cell)
    return [(cell, player_of(i)) for i, cell in enumerate(cells)]


def worth(board, player, cell):
    sum_of = 0
    for window in THROUGH[cell]:
        of = [sum(board[c] == side for c in window) for side in (0, 1)]
        if of[1 - player] == 0:
            sum_of += WORTH[min(of[player], 5)]
        elif of[player] == 0:
            sum_of += WORTH[min(of[1 - player], 5)]
    return sum_of


def stone(draws, board, player):
    """Where the simple player lays a stone."""
    cells = sorted({cell for taken in range(SIZE * SIZE) if board[taken] is not None
                    for cell in NEAR[taken] if board[cell] is None})

    def of(side, count):
        return [window for window in WINDOWS
                if sum(board[c] == side for c in window) >= count and all(board[c] in (side, None) for c in window)]
    own, others = of(player, CONNECT - 2), of(1 - player, CONNECT - 2)
    if own or others:
        near_them = {c for window in own or others for c in window if board[c] is None}
        cells = [cell for cell in cells if cell in near_them]
    values = [(worth(board, player, cell) + draws.below(12), -cell) for cell in cells]
    return -max(values)[1]


def middle_game(draws):
    """A position after six to nine moves; None if a line was completed before."""
    board = [None] * (SIZE * SIZE)
    game = opening(draws)[:3]
    for cell, player in game:
        board[cell] = player
    stones = 11 + 2 * draws.below(4)
    while len(game) < stones:
        player = player_of(len(game))
        cell = stone(draws, board, player)
        game.append((cell, player))
        board[cell] = player
        if any(all(board[c] == player for c in window) for window in THROUGH[cell]):
            return None
    return game


def answers(options, positions):
    command = [options.program, "solve", "connect6", "--algorithm", SEARCH, "--position", "-", "--threads", "1",
               "--max-nodes", str(options.calls), "--json"]
    done = subprocess.run(command, check=False, input="".join(text(one) + "\n" for one in positions), text=True,
                          stdout=subprocess.PIPE)
    if done.returncode not in (0, 2):
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def positions(options, draw, draws, count):
    """So many that are kept, in the order in which they are drawn, each with its answer."""
    def is_kept(answer):
        return (answer["verdict"] == "proved" and FEWEST_CALLS <= answer["nodes_created"] and
                answer["nodes_expanded"] <= MOST_POSITIONS and
                answer["counters"]["re_entries"] >= options.re_entries)
    found = []
    while len(found) < count:
        drawn = [one for one in (draw(draws) for _ in range(BATCH)) if one]
        found += [pair for pair in zip(drawn, answers(options, drawn)) if is_kept(pair[1])]
    return found[:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--drawn", type=int, default=0, metavar="COUNT")
    parser.add_argument("--opening", type=int, default=10, metavar="COUNT")
    parser.add_argument("--middle", type=int, default=5, metavar="COUNT")
    parser.add_argument("--useless", type=int, default=1, metavar="COUNT")
    parser.add_argument("--calls", type=int, default=600, help="searches by double threats, at most")
    parser.add_argument("--re-entries", type=int, default=1, help="at least")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draws = Draws(options.seed)
    for _ in range(options.drawn):
        print(text(opening(draws)))
    for kind, draw in (("opening", opening), ("middle", middle_game), ("useless", useless)):
        for game, answer in positions(options, draw, draws, vars(options)[kind]):
            counters = answer["counters"]
            print(text(game), kind, "BW"[player_of(len(game))], answer["nodes_created"], answer["nodes_expanded"],
                  counters["re_entries"], flush=True)


if __name__ == "__main__":
    main()
