"""Position: rules, text and picture."""

import copy
import pickle
import random
import xml.etree.ElementTree

import playproof
import pytest
from playproof import Position

GAMES = ["hex:size=4", "hex:rows=9,columns=8", "othello:size=6", "othello", "connect6:rows=5,columns=5,connect=4,stones=1",
         "connect6:size=19", "nim:heaps=3.4.5", "pgame:branching=3,depth=5,tree=7"]


def test_a_few_moves():
    position = Position("hex:size=3")
    assert (position.text, position.to_move, len(position.moves)) == ("", "first", 9)
    assert not position.finished and position.value is None and position.max_plies_left == 9
    position.play("b2")
    assert (position.text, position.to_move, position.played) == ("b2", "second", ["b2"])
    assert "b2" not in position.moves
    position.undo()
    assert position == Position("hex:size=3") and position.played == []
    won = Position("hex:size=2", "a1 b1 a2")
    assert won.finished and won.value == 1 and won.moves == []


@pytest.mark.parametrize("game", GAMES)
def test_random_games_forth_and_back(game):
    drawn = random.Random(game)
    position = Position(game)
    texts, keys = [position.text], [position.key]
    while not position.finished:
        assert position == Position(position.game, position.text)
        assert hash(position) == hash(Position(game, position.text))
        position.play(drawn.choice(position.moves))
        texts.append(position.text)
        keys.append(position.key)
    assert abs(position.value) <= 64
    assert position.max_plies_left == 0
    while position.played:
        assert (position.text, position.key) == (texts.pop(), keys.pop())
        position.undo()
    assert len(texts) == 1


def test_values_are_those_of_the_positions_file(endgames):
    # The line that a solve of the score prints, played out, ends in that score.
    for text, score in endgames[:5]:
        position = Position("othello", text)
        sign = 1 if position.to_move == "first" else -1
        result = playproof.solve(position, "dfpn", goal="score")
        assert result.score == score
        for move in result.principal_variation:
            position.play(move)
        assert position.value == sign * score


def test_copies_go_their_own_way():
    position = Position("othello:size=4", "")
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position),
                  pickle.loads(pickle.dumps(position))):
        assert other == position
        other.play(other.moves[0])
        assert other != position
    assert position.played == []


def test_positions_of_other_games_differ():
    assert Position("hex:size=3") != Position("hex:size=4")
    assert Position("hex:size=3") != Position("othello")
    assert Position("hex:size=3") != "hex:size=3"


@pytest.mark.parametrize("game", GAMES)
def test_svg_is_well_formed_and_shows_the_stones(game):
    position = Position(game)
    drawn = random.Random(1)
    for _ in range(3):
        position.play(drawn.choice(position.moves))
    best = None if position.finished else position.moves[0]
    root = xml.etree.ElementTree.fromstring(position.svg(best, width=500))
    assert root.attrib["width"] == "500"
    title = root.find("{http://www.w3.org/2000/svg}title").text
    assert title.startswith(position.game)
    if game.startswith("hex"):
        circles = root.findall("{http://www.w3.org/2000/svg}circle")
        assert len(circles) == 3 + 2  # the stones, the last move, the best
    assert position._repr_svg_().startswith("<svg")


def test_svg_marks_the_last_move_of_a_text():
    circle = "{http://www.w3.org/2000/svg}circle"
    for game, text, circles in (("hex:size=3", "b2 a1", 3), ("connect6", ";B[JJ];W[KI]", 3),
                                ("othello:size=4", "OOOXXOXXXOOOXO-- X", 14), ("hex", "", 0)):
        root = xml.etree.ElementTree.fromstring(Position(game, text).svg())
        assert len(root.findall(circle)) == circles  # a stone each, and a ring


def test_errors_say_what_and_where():
    with pytest.raises(playproof.UsageError, match="unknown game 'hexx'.*nearest: 'hex'"):
        Position("hexx")
    with pytest.raises(playproof.DataError, match="expected a cell such as b2, not 'zz', at offset 3"):
        Position("hex:size=3", "b2 zz")
    position = Position("hex:size=2", "a1")
    with pytest.raises(playproof.DataError, match="expected a legal move such as 'b1', not 'a1'"):
        position.play("a1")
    with pytest.raises(playproof.UsageError, match="no move to take back"):
        position.undo()
    with pytest.raises(playproof.UsageError, match="is no move"):
        position.svg("z9")
    with pytest.raises(playproof.UsageError, match="width must be an integer 1..10000, not 0"):
        position.svg(width=0)
    over = Position("hex:size=2", "a1 b1 a2")
    with pytest.raises(playproof.DataError, match="the game is over"):
        over.play("b2")
    assert issubclass(playproof.UsageError, ValueError) and issubclass(playproof.DataError, ValueError)
