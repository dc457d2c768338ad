"""playouts(): bit for bit those of games/PLAYOUTS.md and of the program."""

import os
import signal
import struct
import threading

import numpy
import playproof
import pytest
from conftest import ROOT


def known_answers():
    for line in (ROOT / "tests/data/playout-known-answers.txt").read_text().splitlines():
        parts = [part.strip() for part in line.split("|")]
        if parts[0] == "tally" and parts[4] == "0":
            yield parts[1], parts[2], int(parts[3]), int(parts[5]), [int(n) for n in parts[6].split()]


def test_known_answers():
    cases = list(known_answers())
    assert len(cases) >= 5
    for game, position, seed, n, tally in cases:
        for backend in ("cpu", "reference"):
            counted = playproof.playouts(game, [position], n, seed, backend)
            assert counted.tolist() == [tally + [0]], (game, position, backend)


@pytest.mark.parametrize("game", ["hex:size=11", "hex:size=4", "othello", "connect6:rows=5,columns=5,connect=4,stones=1",
                                  "pgame:branching=4,depth=9,tree=3", "nim"])
def test_backends_threads_and_order_change_nothing(game):
    position = playproof.Position(game)
    positions = [position.copy()]
    while not position.finished:
        position.play(position.moves[len(position.moves) // 2])
        positions.append(position.copy())
    counted = playproof.playouts(game, positions, 1000, seed=5, threads=1)
    assert counted.dtype == numpy.uint32 and counted.shape == (len(positions), 4)
    assert (counted.sum(axis=1) == 1000).all() and (counted[:, 3] == 0).all()
    assert counted.flags.c_contiguous and counted.flags.writeable
    texts = [p.text for p in positions]
    for threads in (2, 3):
        assert (playproof.playouts(game, texts, 1000, 5, threads=threads) == counted).all()
    assert (playproof.playouts(game, positions[::-1], 1000, 5) == counted[::-1]).all()
    assert (playproof.playouts(game, positions, 1000, 5, "reference") == counted).all()
    end = 0 if position.value > 0 else 1 if position.value == 0 else 2
    assert counted[-1].tolist() == [1000 * (end == i) for i in range(4)]


def test_many_playouts_of_one_position_are_the_programs(program, tmp_path):
    # The program writes the counts of every word of 32 playouts.
    file = tmp_path / "words"
    n = 1_000_003
    program("bench", "playouts", "hex:size=7", "--position", "d4", "--playouts", str(n), "--seed", "9",
            "--dump-words", str(file))
    words = list(struct.iter_unpack("<4I", file.read_bytes()))
    sums = [sum(word[i] for word in words) for i in (1, 2, 3)]
    counted = playproof.playouts("hex:size=7", "d4", n, seed=9)
    assert counted.tolist() == [sums + [0]]
    assert sum(sums) == n


def test_seeds_differ():
    one, two = (playproof.playouts("hex:size=9", [""], 10_000, seed=s) for s in (1, 2))
    assert (one != two).any()


def test_interrupt_gives_what_was_counted():
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(playproof.Interrupted) as caught:
        playproof.playouts("hex:size=13", ["", "g7", "a1"], 2**32 - 1, threads=2)
    counted = caught.value.result
    assert counted.shape == (3, 4) and 0 < counted[0].sum() < 2**32 - 1 and counted[2].sum() == 0


def test_no_positions():
    assert playproof.playouts("hex:size=9", [], 10).shape == (0, 4)


def test_errors():
    with pytest.raises(playproof.DataError, match="position 1: hex position: cell 'z9' is off"):
        playproof.playouts("hex:size=3", ["a1", "z9"], 10)
    with pytest.raises(playproof.UsageError, match="n must be an integer 1..4294967295, not 0"):
        playproof.playouts("hex:size=3", [""], 0)
    with pytest.raises(playproof.UsageError, match="seed must be an integer 0.."):
        playproof.playouts("hex:size=3", [""], 1, seed=-1)
    with pytest.raises(TypeError, match="n must be an integer, not float"):
        playproof.playouts("hex:size=3", [""], 1.5)
    with pytest.raises(playproof.UsageError, match="unknown backend 'gpu'"):
        playproof.playouts("hex:size=3", [""], 1, backend="gpu")
    with pytest.raises(playproof.UsageError, match="position 0 is of hex:size=4, not of hex:size=3"):
        playproof.playouts("hex:size=3", [playproof.Position("hex:size=4")], 1)
    if not playproof.__cuda__:
        with pytest.raises(playproof.UnavailableError, match="cuda"):
            playproof.playouts("hex:size=3", [""], 1, backend="cuda")
