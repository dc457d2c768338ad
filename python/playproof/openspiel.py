"""Adapters to OpenSpiel (https://github.com/google-deepmind/open_spiel): its states as positions, a solver
as its Bot, and exact values as an oracle. Needs the package open_spiel ("pyspiel").

    >>> import pyspiel
    >>> from playproof import openspiel
    >>> state = pyspiel.load_game("hex(board_size=4)").new_initial_state()
    >>> openspiel.values(state)[state.string_to_action("b2")]
    1.0

Games that both know: hex (also num_rows, num_cols; without swap), othello, nim (is_misere=false),
lines_of_action. Of the last there are positions, moves and bots, and no values: OpenSpiel ends it as a draw as
soon as the stones lie as they did before, whoever is to move, which depends on the moves before a state.
"""

import pyspiel

from . import _native
from ._solve import solve
from .errors import UsageError


def _refuse(state):
    raise UsageError(f"there is no game of playproof for {state.get_game()}; there is hex without "
                     "swap, othello, nim with is_misere=false and lines_of_action")


def _hex(state, parameters):
    if parameters.get("swap"):
        _refuse(state)
    size = parameters.get("board_size", 11)
    rows = parameters.get("num_rows", size)
    columns = parameters.get("num_cols", size)
    moves = [f"{chr(ord('a') + action % columns)}{action // columns + 1}" for action in state.history()]
    return _native.Position(f"hex:rows={rows},columns={columns}", " ".join(moves))


def _othello(state, _parameters):
    # Actions are squares from a1 by rows, and 64 to pass; the board shows x for Black, as ours does.
    rows = [line.split()[1:9] for line in str(state).splitlines() if line[:1].isdigit()]
    board = "".join(cell.upper() for row in rows for cell in row)
    if state.is_terminal():  # who would be to move does not matter any more
        return _native.Position("othello", board + " X")
    return _native.Position("othello", f"{board} {'XO'[state.current_player()]}")


def _nim(state, parameters):
    if parameters.get("is_misere", True):
        _refuse(state)
    heaps = [int(heap) for heap in str(parameters.get("pile_sizes", "1;3;5;7")).split(";")]
    position = _native.Position("nim:heaps=" + ".".join(map(str, heaps)))
    for action in state.history():
        position.play(_nim_move(action, len(heaps)))
    return position


def _nim_move(action, heaps):
    # Action (taken - 1) * heaps + heap.
    return f"{chr(ord('a') + action % heaps)}{action // heaps + 1}"


def _lines_of_action(state, _parameters):
    # The board from row 8 down; x is Black. A move that connects both sides wins there.
    rows = [line[1:9] for line in str(state).splitlines() if line[:1].isdigit()]
    board = "".join(reversed(rows)).upper().replace(".", "-")
    return _native.Position("loa:repetition=second,both=mover", f"{board} {'XO'[len(state.history()) % 2]}")


_GAMES = {"hex": _hex, "othello": _othello, "nim": _nim, "lines_of_action": _lines_of_action}


def _name(state):
    return state.get_game().get_type().short_name


def position(state):
    """The Position of an OpenSpiel state. Raises UsageError if playproof lacks its game."""
    game = state.get_game()
    reader = _GAMES.get(_name(state))
    if reader is None:
        _refuse(state)
    return reader(state, game.get_parameters())


def action(state, move):
    """The OpenSpiel action of a move of position(state). Raises UsageError if it is none there."""
    if _name(state) not in _GAMES:
        _refuse(state)
    if _name(state) == "nim":
        heaps = len(str(state.get_game().get_parameters().get("pile_sizes", "1;3;5;7")).split(";"))
        wanted = {_nim_move(a, heaps): a for a in state.legal_actions()}
    elif move == "--":
        wanted = {"--": state.legal_actions()[0]}  # a pass is the only move there
    else:
        # A capture of lines_of_action is c1xa3 there.
        wanted = {state.action_to_string(state.current_player(), a).replace("x", "-"): a for a in state.legal_actions()}
    if move not in wanted:
        raise UsageError(f"'{move}' is no legal move in {state}")
    return wanted[move]


_WORDS = {"win": 1.0, "draw": 0.0, "loss": -1.0}


def value(state, algorithm=None, **limits):
    """The exact value of a state for player 0, as state.returns()[0] would be at its end: 1, 0 or -1; of
    Hex and Nim the first player's win. None if a limit of solve() (max_nodes ...) came first."""
    if state.is_terminal():
        return state.returns()[0]
    if _name(state) == "lines_of_action":
        raise UsageError("no values of lines_of_action: what repeats what came before a state is a draw there")
    place = position(state)
    sign = 1.0 if place.to_move == "first" else -1.0
    found = solve(place, algorithm, goal="value", **limits).value
    return None if found is None else sign * _WORDS[found]


def values(state, algorithm=None, **limits):
    """{action: value(state after it)} of every legal action: an oracle for what has learned to play."""
    return {a: value(state.child(a), algorithm, **limits) for a in state.legal_actions()}


class Bot(pyspiel.Bot):
    """Plays what playproof finds. Decided positions it plays without an error; where a limit of solve()
    comes first, what looks best.

    player: 0 or 1. algorithm, limits (max_nodes, max_seconds, threads ...): as for solve(); by default
    it searches up to 100,000 nodes a move.
    """

    def __init__(self, player=0, algorithm="ppn", **limits):
        super().__init__()
        self.player = player
        self.algorithm = algorithm
        self.limits = limits or {"max_nodes": 100_000}
        self.result = None  # of the last move

    def player_id(self):
        return self.player

    def restart_at(self, state):
        """Every move is searched for anew."""

    def provides_policy(self):
        return True

    def step(self, state):
        """The action that it plays."""
        self.result = solve(position(state), self.algorithm, goal="value", **self.limits)
        if self.result.best_move is None:  # every move loses
            return state.legal_actions()[0]
        return action(state, self.result.best_move)

    def step_with_policy(self, state):
        """([(action, probability)], action): all on the one that it plays."""
        chosen = self.step(state)
        return [(a, float(a == chosen)) for a in state.legal_actions()], chosen
