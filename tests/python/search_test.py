"""Search: step by step."""

import os
import signal
import threading

import playproof
import pytest

ALGORITHMS = [entry["name"] for entry in playproof.algorithms() 
              if entry["name"] != "minimax" and "game" not in entry]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_steps_end_as_a_solve_does(algorithm):
    whole = playproof.solve("othello:size=4", algorithm, goal="win")
    search = playproof.Search("othello:size=4", algorithm, goal="win")
    assert search.reason == "running"
    while search.step(7):
        assert search.result().verdict == "unknown"
    assert search.reason == "decided" and search.result().verdict == whole.verdict
    assert search.result().iterations == whole.iterations


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_tree(algorithm):
    search = playproof.Search("hex:size=3", algorithm, "b2")
    search.step(30)
    position = playproof.Position("hex:size=3", "b2")
    rows = search.tree(3)
    assert rows[0]["parent"] is None and rows[0]["move"] == "" and rows[0]["or_node"]
    assert [row["node"] for row in rows] == list(range(len(rows)))
    assert [row["depth"] for row in rows] == sorted(row["depth"] for row in rows)
    numbers = set()
    for row in rows[1:]:
        parent = rows[row["parent"]]
        assert row["depth"] == parent["depth"] + 1 and parent["expanded"]
        at, way = row, []
        while at["parent"] is not None:
            way.append(at["move"])
            at = rows[at["parent"]]
        walked = position.copy()
        for move in reversed(way):
            walked.play(move)  # every move is legal
        assert row["or_node"] == (walked.to_move == position.to_move)
        assert row["lower"] <= row["upper"]
        assert row["verdict"] == ("proved" if row["lower"] > 0 else "disproved" if row["upper"] < 1
                                  else "unknown")
        numbers |= set(row) - {"node", "parent", "depth", "move", "or_node", "expanded", "verdict",
                               "lower", "upper"}
    assert numbers & {"pn", "p", "visits", "work_to_win"}
    assert search.tree(0) == rows[:1]
    assert search.children() == [row for row in rows if row["depth"] == 1]
    assert len(search.tree(3, most=4)) <= 4


def test_numbers_of_a_tree_are_those_of_proof_number_search():
    search = playproof.Search("hex:size=3", "pn")
    search.step(50)
    root, *children = search.tree(1)
    # At the root the attacker is to move: its proof number is the least of the children's, its
    # disproof number their sum (saturated only beyond any number here).
    assert root["pn"] == min(row["pn"] for row in children)
    assert root["dn"] == sum(row["dn"] for row in children)


def test_frame():
    pytest.importorskip("pandas", reason="pandas is not installed")
    search = playproof.Search("hex:size=3", "ppn")
    search.step(40)
    frame = search.frame(2)
    assert list(frame["move"]) == [row["move"] for row in search.tree(2)]
    assert frame["p"].between(0, 1).all()


def test_run_can_be_gone_on_with():
    search = playproof.Search("hex:size=6", "pn", max_nodes=10_000_000)
    first = search.run(0.02)
    assert first.reason == "running"
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(playproof.Interrupted) as caught:
        playproof.Search("hex:size=6", "pn").run()
    assert caught.value.result.iterations > 0
    last = search.run()
    assert last.reason == "nodes"
    assert last.iterations == playproof.solve("hex:size=6", "pn", max_nodes=10_000_000).iterations


@pytest.mark.parametrize("algorithm", ["dfpn", "dfpn:playouts=8,table=2KiB", "pds", "alphabeta"])
def test_workers(algorithm):
    for cell in playproof.Position("hex:size=3").moves:
        right = playproof.solve("hex:size=3", "minimax", cell).verdict
        search = playproof.Search("hex:size=3", algorithm, cell, workers=3)
        while search.step(20):
            assert search.tree(1)[0]["verdict"] == "unknown"
        result = search.result()
        assert (result.verdict, result.workers) == (right, 3)
    search = playproof.Search("hex:size=8", "dfpn", workers=2, max_nodes=3000)
    assert search.run(0.02).reason in ("running", "nodes")
    assert search.run().reason == "nodes" and search.result().iterations == 3000
    with pytest.raises(playproof.UsageError, match="--workers: pn has one"):
        playproof.Search("hex:size=3", "pn", workers=2)
    with pytest.raises(playproof.UsageError, match="workers must be an integer 1..256, not 0"):
        playproof.Search("hex:size=3", "dfpn", workers=0)


def test_interim_moves_and_errors():
    search = playproof.Search("hex:size=4", "ppn")
    search.step(10)
    assert set(search.interim_moves()) <= set(playproof.Position("hex:size=4").moves)
    with pytest.raises(playproof.UsageError, match="minimax"):
        playproof.Search("nim", "minimax").tree()
    with pytest.raises(playproof.UsageError, match="depth must be"):
        search.tree(2000)
    with pytest.raises(playproof.UsageError, match="unknown algorithm"):
        playproof.Search("hex", "none")
    over = playproof.Search("hex:size=2", "pn", "a1 b1 a2")
    assert over.tree(2)[0]["verdict"] == "disproved" and not over.step()
