"""solve(): every option, what it says, how it is stopped."""

import os
import re
import signal
import threading
import time

import playproof
import pytest

VARYING = {"seconds", "cpu_seconds", "version", "peak_bytes"}
QUESTIONS = [
    ("hex:size=4", "dfpn", "", "win"), ("hex:size=4", "ppn:playouts=16", "a1", "win"),
    ("hex:size=3", "pn", "b2", "win"), ("othello:size=4", "uct", "", "value"),
    ("othello:size=4", "dfpn", "", "score"), ("othello:size=4", "pn2", "", "score>=3"),
    ("nim:heaps=1.2.3", "minimax", "", "win"), ("pgame:branching=3,depth=6,tree=4", "ews", "0 1", "draw"),
    ("connect6:rows=4,columns=4,connect=4,stones=1", "dfppn", "", "value"),
    ("connect6:rows=4,columns=4,connect=4,stones=1", "dfews", "", "value"),
    ("hex:size=2", "pn", "a1 b1 a2", "win"),
]


def same(a, b):
    return {k: v for k, v in a.items() if k not in VARYING} == {k: v for k, v in b.items()
                                                                if k not in VARYING}


@pytest.mark.parametrize("game, algorithm, position, goal", QUESTIONS)
def test_every_field_of_the_program(program_json, game, algorithm, position, goal):
    result = playproof.solve(game, algorithm, position, goal, seed=3)
    printed = program_json("solve", game, "--algorithm", algorithm, "--position", position, "--goal",
                           goal, "--seed", "3")
    assert list(result.to_dict()) == list(printed)
    assert same(result.to_dict(), printed)


@pytest.mark.parametrize("game, algorithm, position, goal", QUESTIONS)
def test_attributes_are_those_of_the_dict(game, algorithm, position, goal):
    result = playproof.solve(game, algorithm, position, goal)
    for name, value in result.to_dict().items():
        had = getattr(result, name)
        assert (list(had) if isinstance(had, tuple) else had) == value, name
    assert result.decided and result.reason == "decided"
    assert result.verdict in repr(result) or str(result.score) in repr(result) or result.value in repr(
        result)
    assert "\n\ngame        " + result.game in str(result)


def test_workers(program_json, tmp_path):
    right = program_json("solve", "hex:size=4", "--algorithm", "dfpn", "--position", "a1")["verdict"]
    table = playproof.Table()
    for workers in (1, 2, 3):
        proof = tmp_path / f"{workers}.cert"
        result = playproof.solve("hex:size=4", "dfpn", "a1", workers=workers, certificate=proof)
        assert (result.verdict, result.workers, result.to_dict().get("workers", 1)) == (right, workers, workers)
        times = result.worker_times
        assert times == result.to_dict().get("worker_times")
        assert times is None if workers == 1 else len(times["cpu_seconds"]) == workers
        assert playproof.check(proof, game="hex:size=4", position="a1", verdict=right).valid
        assert playproof.check(playproof.certificate(result), game="hex:size=4", verdict=right).valid
        assert playproof.solve("hex:size=4", "dfpn", "a1", workers=workers, table=table).verdict == right
    saved = tmp_path / "run.ckpt"
    playproof.solve("hex:size=4", "dfpn", "a1", workers=2, max_nodes=200, checkpoint=saved)
    assert playproof.solve(resume=saved).workers == 2
    assert playproof.solve(resume=saved, workers=3).verdict == right
    with pytest.raises(playproof.UsageError, match="--workers: pn has one"):
        playproof.solve("hex:size=4", "pn", workers=2)
    for wrong, error in ((0, playproof.UsageError), (257, playproof.UsageError), ("two", TypeError)):
        with pytest.raises(error, match="workers must be"):
            playproof.solve("hex:size=4", "dfpn", workers=wrong)


def test_every_option_of_the_program(program):
    # What a caller of Python has other means for.
    other = {"help": playproof.solve.__doc__, "json": playproof.Result.to_dict, "board": playproof.Position.svg,
             "no-board": playproof.Position.svg, "keep-table": playproof.Table,
             "position-file": playproof.read_positions, "format": playproof.Result.as_text}
    assert all(other.values())
    names = {"checkpoint-every": "checkpoint_every", "progress": "progress"}
    options = set(re.findall(r"--([a-z][a-z-]+)", program("solve", "--help").split("Options:")[-1]
                             if "Options:" in program("solve", "--help") else
                             program("solve", "--help")))
    options &= set(re.findall(r"^ +--([a-z-]+)", program("solve", "--help"), re.M))
    assert {"algorithm", "max-nodes", "selfcheck", "checkpoint"} <= options
    code = playproof.solve.__code__
    known = set(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])
    for option in options - set(other):
        assert names.get(option, option.replace("-", "_")) in known, option


def test_a_pipeline_is_the_programs(program_json):
    asked = {"seed": 2, "batch": 4, "pipeline": 3, "max_nodes": 20_000}
    result = playproof.solve("hex:size=4", "ppn:playouts=8", **asked)
    printed = program_json("solve", "hex:size=4", "--algorithm", "ppn:playouts=8",
                           *(word for name, value in asked.items()
                             for word in ("--" + name.replace("_", "-"), str(value))))
    assert printed["pipeline"] == 3 and same(result.to_dict(), printed)
    assert (result.batch, result.pipeline) == (4, 3)
    search = playproof.Search("hex:size=4", "ppn:playouts=8", **asked)
    while search.step(50):
        pass
    assert search.result().iterations == result.iterations
    with pytest.raises(playproof.UsageError, match="pipeline must be an integer 1..64"):
        playproof.solve("hex:size=4", "ppn", pipeline=65)


def test_the_default_algorithm_is_the_programs(program_json):
    assert same(playproof.solve("hex:size=3").to_dict(), program_json("solve", "hex:size=3"))
    assert playproof.Search("hex:size=3").run().algorithm == playproof.solve("hex:size=3").algorithm


def test_scores(endgames):
    for text, score in endgames[:20]:
        assert playproof.solve("othello", "dfpn", text, "score").score == score


def test_position_objects():
    position = playproof.Position("hex:size=3", "a1")
    position.play("c2")
    a = playproof.solve(position, "pn")
    b = playproof.solve("hex:size=3", "pn", position)
    c = playproof.solve("hex:size=3", "pn", "a1 c2")
    assert a.position == b.position == c.position == "a1 c2"
    assert a.iterations == b.iterations == c.iterations
    with pytest.raises(playproof.UsageError, match="position is of hex:size=3, not of hex:size=4"):
        playproof.solve("hex:size=4", "pn", position)
    with pytest.raises(playproof.UsageError, match="given twice"):
        playproof.solve(position, "pn", "a1")


def test_limits():
    result = playproof.solve("hex:size=5", "pn", max_nodes=5000)
    assert (result.verdict, result.reason, result.decided) == ("unknown", "nodes", False)
    assert result.best_move is not None and result.bounds == (-1, 1)
    begin = time.monotonic()
    result = playproof.solve("hex:size=6", "dfpn:zones=off", max_seconds=0.2)
    assert result.reason == "seconds" and time.monotonic() - begin < 5
    assert playproof.solve("hex:size=5", "pn", max_memory="3MiB").reason == "memory"


def test_options_that_change_no_count_and_those_that_do():
    plain = playproof.solve("hex:size=4", "ppn:playouts=16", "a1")
    assert plain.iterations == playproof.solve("hex:size=4", "ppn:playouts=16", "a1", threads=3,
                                               backend="reference", selfcheck=3).iterations
    assert plain.iterations != playproof.solve("hex:size=4", "ppn:playouts=16", "a1",
                                               seed=2).iterations
    assert plain.iterations != playproof.solve("hex:size=4", "ppn:playouts=16", "a1",
                                               batch=8).iterations


def test_table_is_kept():
    table = playproof.Table()
    moves = playproof.Position("hex:size=4").moves
    with_table = sum(playproof.solve("hex:size=4", "dfpn", move, table=table).iterations
                     for move in moves)
    without = sum(playproof.solve("hex:size=4", "dfpn", move).iterations for move in moves)
    assert with_table < without / 1.2
    with pytest.raises(playproof.UsageError, match="pn"):
        playproof.solve("hex:size=4", "pn", table=table)


def test_picture(tmp_path, program):
    file, printed = tmp_path / "board.svg", tmp_path / "printed.svg"
    result = playproof.solve("hex:size=3", "pn", "b2 a1", svg=file)
    program("solve", "hex:size=3", "--algorithm", "pn", "--position", "b2 a1", "--svg", str(printed))
    assert file.read_text() == printed.read_text()
    assert f"Best move: {result.best_move}." in file.read_text()
    with pytest.raises(playproof.UsageError, match="no board to draw"):
        playproof.solve("nim", "pn", svg=tmp_path / "none.svg")
    with pytest.raises(playproof.OutputError, match="/nowhere/x"):
        playproof.solve("hex:size=3", "pn", svg="/nowhere/x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.svg", "printed.svg"]


def test_checkpoint_and_resume(tmp_path):
    file = tmp_path / "run.ckpt"
    stopped = playproof.solve("othello:size=6", "pn", max_nodes=20000, checkpoint=file)
    assert stopped.reason == "nodes" and file.exists()
    gone_on = playproof.solve(resume=file, max_nodes=60000, certificate=True)
    whole = playproof.solve("othello:size=6", "pn", max_nodes=60000)
    assert same(gone_on.to_dict(), whole.to_dict())
    with pytest.raises(playproof.UsageError, match="hex"):
        playproof.solve("hex:size=4", resume=file)
    file.write_bytes(b"something else")
    (tmp_path / "run.ckpt.old").unlink(missing_ok=True)
    with pytest.raises(playproof.DataError, match="run.ckpt"):
        playproof.solve(resume=file)
    with pytest.raises(FileNotFoundError):
        playproof.solve(resume=tmp_path / "none")


def test_progress_is_told_and_may_stop():
    told = []
    result = playproof.solve("hex:size=6", "pn", progress_every=0.05,
                             progress=lambda p: told.append(p) or len(told) < 3)
    assert result.reason == "stopped" and len(told) == 3
    assert [set(p) for p in told] == [{"seconds", "iterations", "nodes_created", "playouts",
                                       "peak_bytes"}] * 3
    assert told[0]["iterations"] < told[2]["iterations"] <= result.iterations


def test_errors_of_progress_are_raised():
    def fail(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        playproof.solve("hex:size=6", "pn", progress=fail, progress_every=0.05)


@pytest.mark.parametrize("with_checkpoint", [False, True])
def test_interrupt_says_what_is_known(tmp_path, with_checkpoint):
    file = tmp_path / "run.ckpt" if with_checkpoint else None
    threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        playproof.solve("hex:size=6", "pn", checkpoint=file)
    assert time.monotonic() - begin < 5
    assert isinstance(caught.value, playproof.Interrupted)
    assert caught.value.result.verdict == "unknown" and caught.value.result.iterations > 100
    if with_checkpoint:
        more = caught.value.result.nodes_created + 1000
        assert playproof.solve(resume=file, max_nodes=more).nodes_created >= more - 100


def test_the_lock_is_released():
    ticks = 0
    done = threading.Event()

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    playproof.solve("hex:size=6", "pn", max_seconds=0.5, threads=1)
    done.set()
    thread.join()
    assert ticks > 50


def test_searches_in_threads_are_those_of_one():
    alone = [playproof.solve("hex:size=4", "ppn", move).iterations for move in ("a1", "b2", "c3", "d4")]
    found = [None] * 4

    def search(i, move):
        found[i] = playproof.solve("hex:size=4", "ppn", move, threads=1).iterations

    threads = [threading.Thread(target=search, args=a) for a in enumerate(("a1", "b2", "c3", "d4"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_errors():
    solve = playproof.solve
    cases = [
        (lambda: solve(algorithm="pn"), playproof.UsageError, "game is required"),
        (lambda: solve("hex", "pnn"), playproof.UsageError, "unknown algorithm 'pnn'.*nearest: 'pn'"),
        (lambda: solve("hex", "pn:x=1"), playproof.UsageError, "'x'"),
        (lambda: solve("hex", "pn", goal="score"), playproof.UsageError, "score"),
        (lambda: solve("hex", "pn", threads=0), playproof.UsageError, "threads must be an integer 1..1024"),
        (lambda: solve("hex", "pn", batch=0), playproof.UsageError, "batch must be an integer 1..1048576"),
        (lambda: solve("hex", "pn", max_seconds=0), playproof.UsageError, "max_seconds must be"),
        (lambda: solve("hex", "pn", max_memory="2 apples"), playproof.UsageError, "max_memory"),
        (lambda: solve("hex", "pn", selfcheck=4), playproof.UsageError, "selfcheck must be an integer 0..3"),
        (lambda: solve("hex", "pn", "b9"), playproof.DataError, "off the board.*at offset 0"),
        (lambda: solve("hex:size=3", "pn", certificate="/nowhere/x"), playproof.OutputError, "/nowhere/x"),
        (lambda: solve("hex:size=3", "pn", certificate="x", checkpoint="x"), playproof.UsageError,
         "--certificate"),
        (lambda: solve("hex:size=3", "minimax", checkpoint="x.ckpt"), playproof.UsageError, "minimax"),
    ]
    for call, error, text in cases:
        with pytest.raises(error, match=text):
            call()
    with pytest.raises(OSError):
        solve("hex:size=3", "pn", certificate="/nowhere/x")
    assert playproof.UsageError.code == 64 and playproof.OutputError.code == 74
