"""run(), read_store(): plans and stores."""

import os
import signal
import threading

import playproof
import pytest
from conftest import ROOT

pandas = pytest.importorskip("pandas", reason="pandas is not installed")



def test_smoke_is_what_the_program_stores(program, tmp_path):
    plan = ROOT / "tests/programs/smoke.toml"
    told = []
    done = playproof.run(plan, tmp_path / "ours.db", threads=2, progress=told.append,
                         progress_every=0.01)
    program("experiment", str(plan), "--store", str(tmp_path / "theirs.db"))
    assert done["status"] == 0 and done["stored"] == done["planned"] == done["made"]
    assert done["summary"].startswith("smoke: ")
    assert told and told[-1]["done"] <= told[-1]["total"] == done["planned"]
    ours, theirs = (playproof.read_store(tmp_path / name) for name in ("ours.db", "theirs.db"))
    assert len(ours) == done["planned"]
    varying = {"seconds", "cpu_seconds", "peak_bytes", "started", "finished", "invocation", "threads",
               "version", "revision"}
    same = [column for column in ours.columns if column not in varying]
    pandas.testing.assert_frame_equal(ours[same], theirs[same])
    again = playproof.run(plan, tmp_path / "ours.db")
    assert again["made"] == 0 and again["stored"] == done["stored"]


def test_shards_make_the_whole(tmp_path):
    plan = ROOT / "tests/programs/smoke.toml"
    stores = [tmp_path / f"{i}.db" for i in (1, 2)]
    made = [playproof.run(plan, store, shard=(i, 2))["made"] for i, store in enumerate(stores, 1)]
    frame = playproof.read_store(*stores)
    assert len(frame) == sum(made) and min(made) > 0
    assert frame.attrs["warnings"] == [] or all(isinstance(w, str) for w in frame.attrs["warnings"])


def test_interrupt_keeps_what_is_stored(tmp_path):
    plan = ROOT / "bench/plans/pgame-thesis.toml"
    threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(playproof.Interrupted) as caught:
        playproof.run(plan, tmp_path / "x.db")
    assert caught.value.result["status"] == 75
    assert caught.value.result["stored"] < caught.value.result["planned"]


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        playproof.run(tmp_path / "none.toml", tmp_path / "x.db")
    with pytest.raises(FileNotFoundError):
        playproof.read_store(tmp_path / "none.db")
    bad = tmp_path / "bad.toml"
    for deep in ("a." * 80_000 + "a = 1", "[" + "a." * 80_000 + "a]"):  # a level takes stack
        bad.write_text(deep)
        with pytest.raises(playproof.DataError, match=r"bad.toml:1: .* at most 64 deep"):
            playproof.run(bad, tmp_path / "x.db")
    bad.write_text("name = 'x'\nsead = 3\n")
    with pytest.raises(playproof.DataError, match=r"bad.toml:\d+") as caught:
        playproof.run(bad, tmp_path / "x.db")
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{bad}: {len([x for x in lines[1:] if x[0] != ' '])} errors"
    assert f"{bad}:2: plan: unknown key 'sead'; nearest: 'seed'" in lines
    with pytest.raises(playproof.DataError, match="result store"):
        playproof.read_store(bad)
    with pytest.raises(playproof.UsageError, match="shard"):
        playproof.run(bad, tmp_path / "x.db", shard=(3, 2))
    with pytest.raises(playproof.UsageError, match="store"):
        playproof.run(bad, bad)
