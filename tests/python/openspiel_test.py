"""playproof.openspiel, against the package itself: its rules, its random games, its bots."""

import random

import playproof
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (no wheel for this Python?)")
from playproof import openspiel

GAMES = ["hex(board_size=4)", "hex(num_rows=3,num_cols=5)", "othello",
         "nim(is_misere=false,pile_sizes=1;3;5)"]


@pytest.mark.parametrize("name", GAMES)
def test_random_games_move_by_move(name):
    drawn = random.Random(name)
    for _ in range(5):
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal():
            position = openspiel.position(state)
            assert (position.to_move == "first") == (state.current_player() == 0)
            actions = [openspiel.action(state, move) for move in position.moves]
            assert sorted(actions) == sorted(state.legal_actions())
            move = drawn.choice(position.moves)
            state.apply_action(openspiel.action(state, move))
            position.play(move)
            assert position == openspiel.position(state) or position.finished
        position = openspiel.position(state)
        assert position.finished
        assert (position.value > 0) - (position.value < 0) == state.returns()[0]


def test_lines_of_action_move_by_move():
    """Moves and ends of 10,000 positions of random games. Where the stones lie as they did before the game is a draw
    there; a position here has no past."""
    drawn = random.Random(8)
    seen = draws = 0
    while seen < 10_000:
        state = pyspiel.load_game("lines_of_action").new_initial_state()
        position = openspiel.position(state)
        assert position == playproof.Position("loa:repetition=second,both=mover")
        boards = {str(position).split()[0]}
        while not state.is_terminal():
            assert (position.to_move == "first") == (state.current_player() == 0)
            assert not position.finished
            theirs = [state.action_to_string(a).replace("x", "-") for a in state.legal_actions()]
            assert sorted(theirs) == sorted(position.moves)
            state.apply_action(openspiel.action(state, drawn.choice(position.moves)))
            position = openspiel.position(state)
            seen += 1
            board = str(position).split()[0]
            if state.is_terminal() and board in boards:
                assert state.returns() == [0.0, 0.0]
                draws += 1
                break
            boards.add(board)
        else:
            assert position.finished
            assert (position.value > 0) - (position.value < 0) == state.returns()[0] != 0.0
    assert draws > 0


def test_bot_plays_lines_of_action():
    game = pyspiel.load_game("lines_of_action")
    bots = [openspiel.Bot(player=0, algorithm="dfpn", max_nodes=2_000), pyspiel.make_uniform_random_bot(1, 5)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
    assert sum(returns) == 0.0
    # An end that is one move away is found.
    state = game.new_initial_state()
    for move in "d1-b3 h5-g4 b1-b4 g4-g1 b4-e7 a3-c1 b3-e6 h3-f1".split():
        state.apply_action(openspiel.action(state, move))
    state.apply_action(bots[0].step(state))
    assert state.returns() == [1.0, -1.0]


def exact(state):
    """The value for player 0 by OpenSpiel's rules alone."""
    if state.is_terminal():
        return state.returns()[0]
    best = max if state.current_player() == 0 else min
    return best(exact(state.child(action)) for action in state.legal_actions())


@pytest.mark.parametrize("name", ["hex(board_size=3)", "nim(is_misere=false,pile_sizes=1;2;3)"])
def test_values_are_exact(name):
    drawn = random.Random(7)
    for _ in range(6):
        state = pyspiel.load_game(name).new_initial_state()
        for _ in range(2):
            state.apply_action(drawn.choice(state.legal_actions()))
        values = openspiel.values(state)
        assert values == {a: exact(state.child(a)) for a in state.legal_actions()}
        assert openspiel.value(state) == exact(state)


def test_values_of_othello_endgames():
    drawn = random.Random(3)
    state = pyspiel.load_game("othello").new_initial_state()
    while not state.is_terminal() and str(state).count("-") > 7:
        state.apply_action(drawn.choice(state.legal_actions()))
    assert openspiel.value(state) == exact(state)


def test_bot_wins_what_is_won():
    game = pyspiel.load_game("hex(board_size=4)")
    drawn = random.Random(11)
    bot = openspiel.Bot(player=0, algorithm="dfpn", max_nodes=100_000)
    for _ in range(5):
        state = game.new_initial_state()
        bot.restart_at(state)
        while not state.is_terminal():
            if state.current_player() == 0:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(drawn.choice(state.legal_actions()))
        assert state.returns() == [1.0, -1.0]


def test_bot_against_a_bot_of_openspiel():
    game = pyspiel.load_game("hex(board_size=4)")
    bots = [openspiel.Bot(player=0), pyspiel.make_uniform_random_bot(1, 5)]
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 1) == [1.0, -1.0]
    state = game.new_initial_state()
    policy, action = bots[0].step_with_policy(state)
    assert sum(p for _, p in policy) == 1.0 and dict(policy)[action] == 1.0


def test_errors():
    for name in ("tic_tac_toe", "hex(board_size=4,swap=true)", "nim(is_misere=true)"):
        with pytest.raises(playproof.UsageError, match="no game of playproof"):
            openspiel.position(pyspiel.load_game(name).new_initial_state())
    state = pyspiel.load_game("hex(board_size=4)").new_initial_state()
    with pytest.raises(playproof.UsageError, match="no legal move"):
        openspiel.action(state, "z9")
    with pytest.raises(playproof.UsageError, match="no values of lines_of_action"):
        openspiel.values(pyspiel.load_game("lines_of_action").new_initial_state())
