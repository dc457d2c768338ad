"""read_positions() and Result.as_text(): what the program reads by --position-file and writes by --format."""

import json
import os
import subprocess

import playproof
import pytest
from conftest import ROOT

FEW = ("--max-nodes", "40")
FILES = [("hex", "hex-openings.txt"), ("hex:size=5", "hex-5x5-8-stones.txt"), ("othello", "othello-12-exact.txt"),
         ("othello", "othello-8-random.txt"), ("connect6", "connect6-vcdt-win.txt"),
         ("connect6", "connect-small.txt"), ("connect6", "connect6-61-stones.txt")]
OBF = "---------------------------OX------OXX-----O-------------------- X; C4:+2; c3:-4; % said\n"
TEXTS = {  # in the formats of docs/formats.md, with several lines and games
    "hex": "\ufeff# boards\n3 a1 W\nb2c3\n5 d4 b2 1\n\n(;FF[4]GM[11]SZ[3];B[b2](;W[a1](;B[c1])(;B[c2]))(;W[a2]))\n"
           "(;GM[11]SZ[3];B[a2];W[swap-pieces];B[c1];\nW[b2])(;GM[11]SZ[4:3];B[dc])\n",
    "othello": OBF + "f5d6c3 +4  # moves\nf5f6\n"
               "(;GM[Othello]PB[a]TY[4]BO[4 -----O*--*O----- *]B[b1//1];)\n(;GM[2]SZ[8];B[f5];W[fd])\n",
    "connect6": "JJ KIJH | B | 1 | IIHH\n3 4 3 black-win 2101\n(;GM[4]SZ[19]RU[Connect6];B[jj];W[kijh])\n",
}


def printed(program, game, path, *options):
    return [json.loads(line) for line in program("solve", game, "--algorithm", "pn", "--position-file", str(path),
                                                 "--json", *options, statuses=(0, 2, 70)).splitlines()]


def compare_with_program(game, path, program, goal):
    answers = printed(program, game, path, "--goal", goal, *FEW)
    records = playproof.read_positions(game, path)
    assert len(records) == len(answers) > 0
    for record, answer in zip(records, answers):
        assert (record.game, record.text) == (answer["game"], answer["position"])
        searched = answer.get("searched_position", record.text)
        assert record.position == playproof.Position(record.game, searched)
        assert record.mirrored == answer.get("mirrored", False)
        result = playproof.solve(record.position, "pn", goal=goal, max_nodes=40)
        assert (result.best_move and record.move(result.best_move)) == answer["best_move"]
        assert (result.verdict, result.iterations) == (answer["verdict"], answer["iterations"])
        said = record.compare(result) or {}
        assert ("expected" in answer) == bool(said)
        if said:
            assert (said["expected"], said["agrees"]) == (answer["expected"], answer["agrees"])
            assert bool(said["why"]) == (said["agrees"] is False)
    return records


@pytest.mark.parametrize("game, name", FILES)
def test_files_are_read_as_the_program_reads_them(program, tmp_path, game, name):
    lines = (ROOT / "tests/data" / name).read_text().splitlines(keepends=True)
    path = tmp_path / name
    path.write_text("".join(lines[:60]))
    compare_with_program(game, path, program, "value" if game != "othello" else "score")


@pytest.mark.parametrize("game", TEXTS)
@pytest.mark.parametrize("goal", ["win", "value"])
def test_every_format(program, tmp_path, game, goal):
    path = tmp_path / "positions"
    path.write_text(TEXTS[game])
    records = compare_with_program(game, path, program, goal)
    lines = [record.line for record in records]
    assert lines == sorted(lines)
    if game == "hex":  # where a game begins
        assert lines == [2, 3, 4, 6, 7, 8]  # the blank one is none


def test_what_files_know(tmp_path):
    path = tmp_path / "positions"
    path.write_text(TEXTS["othello"])
    obf, moves, bare, _, _ = playproof.read_positions("othello", path)
    assert (obf.expected, obf.scores, moves.expected, bare.expected) == (2, {"c4": 2, "c3": -4}, 4, None)
    assert bare.scores == {} and "line 3" in repr(bare)
    path.write_text("3 a1 W\na1 b2 1\nb2 B\nc3\n")
    assert [r.expected for r in playproof.read_positions("hex:size=3", path)] == ["win", "win", "loss", None]
    assert [r.expected for r in playproof.read_positions("connect6", ROOT / "tests/data/connect-small.txt")][:2] == [
        "win", "win"]


def test_what_does_not_agree(tmp_path):
    path = tmp_path / "positions"
    path.write_text("b2 W\n")
    record, = playproof.read_positions("hex:size=3", path)
    assert record.compare(playproof.solve(record.position, "pn")) == {
        "expected": "proved", "agrees": False, "why": "the record says proved, the search disproved"}
    with pytest.raises(playproof.UsageError, match="of another position"):
        record.compare(playproof.solve("hex:size=3", "pn", "a1"))


def test_errors_are_the_programs(tmp_path):
    program = os.environ.get("PLAYPROOF")
    path = tmp_path / "positions"
    for game, text in (("hex:size=3", "b2\n\nzz\n"), ("hex", "3 a1 W\n4 e5\n"), ("hex", "hi\n(;GM[11]SZ[3];B[a1]"),
                       ("othello", "f5d6\nf5f5\n"), ("hex:size=3", "(;GM[11]SZ[4];B[a1])\n"),
                       ("hex", "(;GM[11]SZ[99];B[a1])\n"), ("othello", "(;GM[2]SZ[8];B[f5]\n;W[a1])\n")):
        path.write_text(text)
        with pytest.raises(playproof.DataError) as caught:
            playproof.read_positions(game, path)
        assert str(caught.value).startswith(f"{path}:")
        if program and os.path.exists(program):
            said = subprocess.run([os.path.abspath(program), "solve", game, "--algorithm", "pn", "--json",
                                   "--position-file", path, *FEW], capture_output=True, text=True, check=False)
            assert said.stderr.splitlines()[0] == f"playproof: {caught.value}"
    with pytest.raises(FileNotFoundError):
        playproof.read_positions("hex", tmp_path / "none")
    with pytest.raises(playproof.UsageError, match="unknown game 'hexx'"):
        playproof.read_positions("hexx", path)


ANSWERS = [("othello:size=4", "", "score", ("obf", "ggf", "sgf", "text")), ("hex:size=3", "b2", "win", ("sgf",)),
           ("othello:size=4", "", "win", ("obf", "ggf", "sgf")),
           ("connect6:rows=3,columns=4,connect=3,stones=1", "", "value", ("sgf",))]


@pytest.mark.parametrize("game, position, goal, formats", ANSWERS)
def test_answers_are_written_as_the_program_writes_them(program, tmp_path, game, position, goal, formats):
    asked = ("solve", game, "--algorithm", "pn", "--position", position, "--goal", goal)
    result = playproof.solve(game, "pn", position, goal)
    for name in formats:
        text = result.as_text(name)
        if name == "text":
            assert text == str(result) and text.splitlines()[0] == program(*asked, "--no-board").splitlines()[0]
            continue
        assert text + "\n" == program(*asked, "--format", name)
        path = tmp_path / name
        path.write_text(text)
        record, = playproof.read_positions(game, path)
        assert record.position == playproof.Position(game, position)
        assert record.expected == (result.score if name == "obf" and goal == "score" else None)


def test_what_was_mirrored_is_written_as_it_was(program, tmp_path):
    path = tmp_path / "mirrored.sgf"
    path.write_text("(;GM[11]SZ[3];B[a2];W[swap-pieces];B[c1];W[b2])")
    record, = playproof.read_positions("hex", path)
    result = playproof.solve(record.position, "pn")
    text = result.as_text("sgf", mirrored=record.mirrored)
    assert record.mirrored and text != result.as_text("sgf")
    assert text + "\n" == program("solve", "hex", "--algorithm", "pn", "--position-file", str(path), "--format", "sgf")


def test_formats_that_there_are_not():
    hexes = playproof.solve("hex:size=2", "pn")
    for name, text in (("obf", "--format obf is of othello, not of hex"), ("png", "must be one of text, obf")):
        with pytest.raises(playproof.UsageError, match=text):
            hexes.as_text(name)
