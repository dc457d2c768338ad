"""playproof-cluster: the rows of a local run, whatever is killed; nothing but this machine without TLS."""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import unittest.mock

import playproof
import pytest
from conftest import ROOT
from playproof import _bundles, _native

pytest.importorskip("distributed", reason="Dask is not installed")
import psutil  # noqa: E402  (comes with Dask)
from clusters import (NIGHTLY, PLAN, PROGRAM, certificates, command, dask, endless_plan, ended,  # noqa: E402
                      plan_of, rows, run, stored, wait_for, workers_of)
from playproof import _cluster, cluster  # noqa: E402

SMOKE = ROOT / "tests/programs/smoke.toml"


@pytest.fixture(scope="module")
def long_plan(tmp_path_factory):
    """A plan of some seconds, its rows, and its runs."""
    folder = tmp_path_factory.mktemp("long")
    plan = plan_of(folder, depth=16, trees=120 if NIGHTLY else 60)
    done = playproof.run(plan, folder / "local.db")
    assert done["status"] == 0
    return plan, rows(folder / "local.db"), done["planned"]


# ---- the same rows -----------------------------------------------------------------------------


def three_ways(plan, folder, program):
    program("experiment", str(plan), "--store", str(folder / "local.db"), statuses=(0,))
    for part in (1, 2):
        program("experiment", str(plan), "--store", str(folder / f"part{part}.db"), "--shard",
                f"{part}/2", statuses=(0,))
    program("merge", str(folder / "part1.db"), str(folder / "part2.db"), "--store",
            str(folder / "merged.db"), statuses=(0,))
    done = run(plan, folder / "cluster.db", timeout=3000)
    local = rows(folder / "local.db")
    assert f"{len(local)} of {len(local)} runs" in done.stdout
    assert rows(folder / "merged.db") == local
    assert rows(folder / "cluster.db") == local
    return local


def test_smoke_three_ways(program, tmp_path):
    assert len(three_ways(SMOKE, tmp_path, program)) == 144


def test_curves_three_ways(program, tmp_path):
    local = three_ways(plan_of(tmp_path), tmp_path, program)
    assert len(local) == 12 and all(row["points"] for row in local.values())


@pytest.mark.skipif(not NIGHTLY, reason="minutes: by night")
def test_table_three_ways(program, tmp_path):
    assert len(three_ways(ROOT / "bench/plans/table.toml", tmp_path, program)) > 900


def test_again_runs_what_is_missing(tmp_path):
    plan, store = plan_of(tmp_path), tmp_path / "x.db"
    run(plan, store)
    whole = rows(store)
    assert "(0 now, 12 before)" in run(plan, store).stdout
    with contextlib.closing(sqlite3.connect(store)) as database:
        database.execute("DELETE FROM curve WHERE run_key IN (SELECT key FROM run LIMIT 5)")
        database.execute("DELETE FROM run WHERE key IN (SELECT key FROM run LIMIT 5)")
        database.commit()
    assert "(5 now, 7 before)" in run(plan, store).stdout
    assert rows(store) == whole
    with contextlib.closing(sqlite3.connect(store)) as database:
        made = database.execute("SELECT command, concurrent, finished FROM invocation").fetchall()
    assert len(made) == 3 and all(m[0].startswith("playproof-cluster experiment ") for m in made)
    assert all(m[1] == 2 and m[2] for m in made)


def test_a_run_has_one_thread(tmp_path):
    plan, store = plan_of(tmp_path), tmp_path / "x.db"
    plan.write_text(plan.read_text().replace("error_curves = true", "").replace('"dfpn:leaf=unit"', '"dfpn:leaf=unit"\nworkers = 2'))
    done = run(plan, store, status=65)
    assert "'df-pn': a run has 2 workers, a thread each, and there is one (of playproof-cluster; " in done.stderr
    assert not store.exists()


def test_progress_as_json(tmp_path):
    done = run(plan_of(tmp_path), tmp_path / "x.db", "--progress", "json")
    told = [json.loads(line) for line in done.stderr.splitlines()]
    assert told[-1]["done"] == told[-1]["total"] == 12
    assert set(told[-1]) == {"done", "total", "seconds", "seconds_left", "workers"}
    assert run(plan_of(tmp_path), tmp_path / "y.db").stderr == ""


def test_disagreement_is_status_70(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace("error_curves = true", "").replace('expected = "oracle"', "").replace(
        'game = "pgame:branching=2,depth=DEPTH"', 'game = "hex:size=2"').replace(
        "trees = { from = 1, to = TREES }",
        'positions_file = "p.txt"\ncolumns = ["cell", "value"]\nposition = "{cell}"\n'
        'expected = "{value}"'))
    (tmp_path / "p.txt").write_text("a1 1\na1 -1\n")
    local = ended(os.environ.get("PLAYPROOF", "playproof"), "experiment", str(plan), "--store",
                  str(tmp_path / "l.db"), status=70) if os.environ.get("PLAYPROOF") else None
    done = run(plan, tmp_path / "x.db", status=70)
    assert "DISAGREEMENT" in done.stderr
    if local:
        assert sorted(local.stderr.splitlines()) == sorted(done.stderr.splitlines())


# ---- what is killed ----------------------------------------------------------------------------


def test_killed_owner_leaves_no_worker_and_goes_on(long_plan, tmp_path):
    plan, local, planned = long_plan
    store = tmp_path / "x.db"
    with subprocess.Popen(command(plan, store)) as process:
        wait_for(lambda: stored(store) > 20)
        workers = workers_of(process)
        process.kill()
    assert len(workers) == 2
    assert psutil.wait_procs(workers, timeout=30)[1] == []
    before = stored(store)
    assert 20 < before < planned
    assert f"{before} before)" in run(plan, store).stdout
    assert rows(store) == local


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM] if NIGHTLY else [signal.SIGINT])
def test_a_signal_keeps_what_came_back(long_plan, tmp_path, number):
    plan, local, planned = long_plan
    store = tmp_path / "x.db"
    # As a terminal does: to all of the group.
    with subprocess.Popen(command(plan, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, start_new_session=True) as process:
        wait_for(lambda: stored(store) > 20)
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 75, err
    assert err == ""
    assert 20 < stored(store) < planned and f"{stored(store)} of {planned} runs" in out
    run(plan, store)
    assert rows(store) == local


def test_a_run_that_ends_workers_fails_alone(tmp_path, monkeypatch):
    """Each worker that is given a certain run ends; the others are made."""
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(
        "import os, sys\n"
        "if 'spawn_main' in ' '.join(sys.orig_argv):\n"
        "    import playproof._native as native\n"
        "    class Runner:\n"
        "        def __init__(self): self.real = native_runner()\n"
        "        def make(self, text, *rest):\n"
        "            if 'tree 3' in text and '\"PN\"' in text: os._exit(9)\n"
        "            return self.real.make(text, *rest)\n"
        "    native_runner, native.Runner = native.Runner, Runner\n")
    monkeypatch.setenv("PYTHONPATH", str(hook))
    done = run(plan_of(tmp_path), tmp_path / "x.db", status=70)
    assert "11 of 12 runs" in done.stdout and ", 1 failed" in done.stdout
    # What ends may have words of its own, if it is slow.
    said, = [line for line in done.stderr.splitlines() if line.startswith("playproof")]
    assert "FAILED: run 7 " in said and "tree 3" in said
    monkeypatch.delenv("PYTHONPATH")
    assert "(1 now, 11 before)" in run(plan_of(tmp_path), tmp_path / "x.db").stdout


def test_what_fails_when_all_is_done_changes_nothing(tmp_path, monkeypatch, capsys):
    """Dask closes workers that start at that moment with errors of its own."""
    from playproof import _own

    real = _own.OwnCluster.__exit__

    def fails(self, *reason):
        real(self, *reason)
        raise ValueError("ConnectionPool is closed")

    monkeypatch.setattr(_own.OwnCluster, "__exit__", fails)
    words = command(plan_of(tmp_path), tmp_path / "x.db")[1:]
    assert cluster.main(words) == 0
    told = capsys.readouterr()
    assert "12 of 12 runs" in told.out and told.err == ""


def test_workers_that_never_start_are_status_69(tmp_path, monkeypatch):
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(
        "import os, sys\n"
        "if 'spawn_main' in ' '.join(sys.orig_argv): os._exit(9)\n")
    monkeypatch.setenv("PYTHONPATH", str(hook))
    done = run(plan_of(tmp_path), tmp_path / "x.db", status=69)
    assert re.fullmatch(r"playproof-cluster: no worker starts on this machine: \d+ ended while they did\n",
                        done.stderr), done.stderr
    monkeypatch.delenv("PYTHONPATH")
    assert "12 of 12 runs" in run(plan_of(tmp_path), tmp_path / "x.db").stdout


def test_too_little_memory_is_status_75(tmp_path, monkeypatch):
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(
        "import sys\n"
        "if 'spawn_main' in ' '.join(sys.orig_argv):\n"
        "    import playproof._native as native\n"
        "    native.memory_limit = lambda: 200_000\n")
    monkeypatch.setenv("PYTHONPATH", str(hook))
    plan = plan_of(tmp_path, depth=14)
    text = plan.read_text().replace("error_curves = true", "").replace('expected = "oracle"', "")
    plan.write_text(text)
    done = run(plan, tmp_path / "x.db", status=75)
    assert "need more memory than this machine has for 2 runs at once" in done.stderr
    assert "fewer --workers" in done.stderr
    monkeypatch.delenv("PYTHONPATH")
    assert "12 of 12 runs" in run(plan, tmp_path / "x.db").stdout


# ---- addresses, certificates, versions ---------------------------------------------------------


def speaks_http(address):
    with contextlib.suppress(OSError), socket.create_connection(address, timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return connection.recv(5) == b"HTTP/"
    return False


@pytest.mark.parametrize("dashboard, pages", [("0", 3), ("none", 0)])
def test_pages_there_are_with_a_dashboard_alone(long_plan, tmp_path, dashboard, pages):
    """Of the scheduler and each worker; what else listens is what Dask speaks. All of it listens here alone."""
    plan, _, _ = long_plan
    words = command(plan, tmp_path / "x.db", "--dashboard", dashboard)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        wait_for(lambda: stored(tmp_path / "x.db") > 0)
        found = [connection.laddr for one in [psutil.Process(process.pid), *workers_of(process)]
                 for connection in one.net_connections("inet") if connection.status == psutil.CONN_LISTEN]
        spoken = [speaks_http(tuple(address)) for address in found]
        process.terminate()
    assert (len(found), sum(spoken)) == (5 + pages, pages)  # scheduler, two nannies, two workers
    assert {address.ip for address in found} == {"127.0.0.1"}


REFUSED = [
    (64, "only tls://", "--scheduler", "tcp://10.0.0.1:8786"),
    (64, "only tls://", "--scheduler", "10.0.0.1:8786"),
    (64, "only tls://", "--scheduler", "tcp://example.org:8786"),
    (64, "only tls://", "--scheduler", "tcp://[fe80::1]:8786"),
    (64, "needs --tls-ca", "--scheduler", "tls://10.0.0.1:8786"),
    (64, "must be tcp://", "--scheduler", "10.0.0.1"),
    (64, "must be tcp://", "--scheduler", "tcp://10.0.0.1:99999"),
    (64, "must be tcp://", "--scheduler", "tcp://a@127.0.0.1:87"),
    (64, "must be tcp://", "--scheduler", ""),
    (64, "must begin with", "--scheduler", "ws://127.0.0.1:8786"),
    (64, "must begin with", "--scheduler", "inproc://127.0.0.1:8786"),
    (65, "cannot read the scheduler file", "--scheduler", "none.json"),
    (64, "not with --scheduler", "--scheduler", "tcp://127.0.0.1:1", "--workers", "2"),
    (64, "not with --scheduler", "--scheduler", "tcp://127.0.0.1:1", "--host", "127.0.0.1"),
    (64, "--insecure-scheduler", "--scheduler", "tcp://127.0.0.1:8786"),
    (64, "--insecure-scheduler", "--scheduler", "localhost:8786"),
    (64, "--insecure-scheduler", "--scheduler", "tcp://[::1]:8786"),
    (64, "only tls://", "--scheduler", "tcp://10.0.0.1:8786", "--insecure-scheduler"),
    (64, "needs --tls-ca", "--scheduler", "tls://127.0.0.1:8786", "--insecure-scheduler"),
    (64, "only with --scheduler", "--insecure-scheduler"),
    (64, "not with --tls-ca", "--scheduler", "tls://127.0.0.1:1", "--insecure-scheduler", "--tls-ca", "x.pem"),
    (64, "only TLS", "--host", "0.0.0.0"),
    (64, "only TLS", "--host", "10.0.0.1"),
    (64, "only TLS", "--host", "example.org"),
    (64, "only TLS", "--host", ""),
    (64, "go together", "--tls-ca", "x.pem"),
    (64, "go together", "--tls-cert", "x.pem", "--tls-key", "y.pem"),
    (65, "cannot read file", "--tls-ca", "x.pem", "--tls-cert", "x.pem", "--tls-key", "y.pem"),
    (64, "0..1024", "--workers", "1025"), (64, "0..1024", "--workers", "-1"),
    (64, "0..65535", "--port", "65536"), (64, "0..65535", "--dashboard", "x"),
    (64, "invalid choice", "--progress", "x"), (64, "unrecognized", "--sead", "1"),
    (64, "unrecognized", "--work", "1"), (64, "backend", "--backend", "cpo"),
    (69, "CUDA", "--backend", "cuda"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: " ".join(case[2:]))
def test_refused(case, tmp_path, monkeypatch, capsys):
    status, fragment, *options = case
    if "cuda" in options and playproof.__cuda__:
        pytest.skip("this build has it")
    monkeypatch.chdir(tmp_path)
    plan = plan_of(tmp_path)
    words = ["experiment", str(plan), "--store", "x.db", *options]
    try:
        found = cluster.main(words)
    except SystemExit as end:
        found = end.code
    told = capsys.readouterr()
    assert found == status, told.err
    assert fragment in told.err and told.out == ""
    assert told.err.startswith("playproof-cluster: ") and told.err.count("\n") == 1
    assert not (tmp_path / "x.db").exists()


def test_bad_plans_and_stores(tmp_path, capsys):
    plan = plan_of(tmp_path)
    (tmp_path / "bad.toml").write_text("name = 3")
    for words, status in [(["none.toml", "--store", "x.db"], 65),
                          ([str(tmp_path / "bad.toml"), "--store", "x.db"], 65),
                          ([str(plan), "--store", str(plan)], 64), ([str(plan)], 64), ([], 64),
                          ([str(plan), "--store", ":memory:"], 64),
                          ([str(plan), "--store", str(tmp_path / "none" / "x.db"), "--workers", "0"], 74)]:
        try:
            found = cluster.main(["experiment", *words])
        except SystemExit as end:
            found = end.code
        assert found == status, (words, capsys.readouterr().err)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "x", "{}", "[]", '{"address": 3}', '{"address": null}', "{"])
def test_scheduler_files_that_are_none(tmp_path, text):
    file = tmp_path / "s.json"
    file.write_text(text)
    with pytest.raises(playproof.DataError, match="s.json"):
        _cluster.scheduler_address(str(file), tls=False)


def test_scheduler_files_must_be_as_safe(tmp_path):
    file = tmp_path / "s.json"
    file.write_text('{"address": "tcp://10.1.1.1:8786"}')
    with pytest.raises(playproof.UsageError, match=r"only tls://"):
        _cluster.scheduler_address(str(file), tls=False)
    file.write_text('{"address": "tls://10.1.1.1:8786"}')
    assert _cluster.scheduler_address(str(file), tls=True) == "tls://10.1.1.1:8786"


def test_addresses():
    for text, tls, address in [("127.0.0.1:8786", False, "tcp://127.0.0.1:8786"),
                               ("localhost:1", False, "tcp://localhost:1"),
                               ("tcp://[::1]:80", False, "tcp://[::1]:80"),
                               ("10.0.0.7:8786", True, "tls://10.0.0.7:8786"),
                               ("tls://node-3.cluster:8786", True, "tls://node-3.cluster:8786")]:
        assert _cluster.check_address("a", text, tls) == address
    for text in ("tcp://127.0.0.1:8786", "tcp://10.0.0.1:8786"):
        with pytest.raises(playproof.UsageError, match="must be tls"):
            _cluster.check_address("a", text, True)
    for host, here in [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True),
                       ("0.0.0.0", False), ("::", False), ("10.0.0.1", False), ("127.0.0.1.org", False),
                       ("", False), ("2130706433", False)]:
        assert _cluster.is_here(host) == here, host


def test_a_scheduler_of_others(long_plan, tmp_path):
    plan, local, _ = long_plan
    with dask(tmp_path) as file:
        done = run(plan, tmp_path / "x.db", "--scheduler", file, "--insecure-scheduler", "--progress", "json")
        assert json.loads(done.stderr.splitlines()[-1])["workers"] == 2
        assert rows(tmp_path / "x.db") == local
        address = json.loads(file.read_text())["address"]
        assert run(plan, tmp_path / "x.db", "--scheduler", address, "--insecure-scheduler").stdout.count("(0 now")


@pytest.mark.skipif(not NIGHTLY, reason="most of a minute: by night")
def test_a_lost_scheduler(long_plan, tmp_path):
    plan, local, planned = long_plan
    store = tmp_path / "x.db"
    with dask(tmp_path) as file:
        with subprocess.Popen(command(plan, store, "--scheduler", file, "--insecure-scheduler"), stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as process:
            wait_for(lambda: stored(store) > 20)
            for one in psutil.process_iter(["cmdline"]):
                if str(file) in (one.info["cmdline"] or []) and "scheduler" in one.info["cmdline"]:
                    one.kill()
            out, err = process.communicate(timeout=120)
    assert process.returncode == 69, (process.returncode, out, err)
    assert err == "playproof-cluster: the scheduler is gone; start again to go on\n"
    assert 20 < stored(store) < planned
    run(plan, store)
    assert rows(store) == local


def test_tls_on_both_sides(tmp_path):
    ours, theirs = (certificates(tmp_path / name) for name in ("ours", "theirs"))
    names = ("--tls-ca", "--tls-cert", "--tls-key")
    options = [str(word) for pair in zip(names, ours) for word in pair]
    of_dask = [str(word) for pair in zip(("--tls-ca-file", *names[1:]), ours) for word in pair]
    plan = plan_of(tmp_path)
    run(plan, tmp_path / "own.db", *options)
    with dask(tmp_path, "--protocol", "tls", *of_dask) as file:
        assert json.loads(file.read_text())["address"].startswith("tls://127.0.0.1:")
        run(plan, tmp_path / "x.db", "--scheduler", file, *options)
        assert rows(tmp_path / "x.db") == rows(tmp_path / "own.db")
        strangers = [str(word) for pair in zip(names, theirs) for word in pair]
        done = run(plan, tmp_path / "y.db", "--scheduler", file, *strangers, status=69)
        assert done.stderr.startswith("playproof-cluster: no scheduler")
        run(plan, tmp_path / "y.db", "--scheduler", file, status=64)


def refused_worker(folder, before):
    """What is said where one worker of two does `before` as it starts."""
    with dask(folder, before=before) as file:
        done = run(plan_of(folder), folder / "x.db", "--scheduler", file, "--insecure-scheduler", status=69)
    assert done.stderr.count("\n") == 1 and done.stdout == ""
    assert re.match(r"playproof-cluster: the worker at tcp://127\.0\.0\.1:\d+ ", done.stderr), done.stderr
    assert _bundles.build() in done.stderr
    assert stored(folder / "x.db") == 0
    return done.stderr


def test_other_versions_are_refused_by_name(tmp_path):
    assert "has playproof 9.9.9+other, package 9.9.9, but" in refused_worker(
        tmp_path, "import playproof._bundles as b; b.build = lambda: '9.9.9+other, package 9.9.9'")


@pytest.mark.parametrize("before, why", [
    ("import sys; sys.modules['playproof'] = None", "ModuleNotFoundError"),
    ("import playproof._bundles as b; del b.build", "AttributeError")], ids=["none", "too old"])
def test_workers_without_the_package_are_refused_by_name(tmp_path, before, why):
    told = refused_worker(tmp_path, before)
    assert f"cannot make runs: it has no playproof that can be used ({why}" in told, told


def test_a_worker_that_comes_late_is_refused_by_name(tmp_path, monkeypatch):
    """Dask may give it a bundle before anyone has asked for its version."""
    monkeypatch.setattr(_cluster.Workers, "ask", lambda self, addresses: self.known.update(addresses))
    client, owner = unittest.mock.Mock(), unittest.mock.Mock(begin=lambda _: [])
    client.nthreads.return_value = {"tcp://127.0.0.1:9": 1}
    workers = _cluster.Workers(client, tls=False)
    monkeypatch.undo()
    running = _cluster.Experiment(client, workers, owner, unittest.mock.Mock())
    client.nthreads.return_value["tcp://127.0.0.1:10"] = 1
    client.run.return_value = {"tcp://127.0.0.1:10": ModuleNotFoundError("No module named 'playproof'")}
    with pytest.raises(playproof.UnavailableError, match=r"the worker at tcp://127\.0\.0\.1:10 cannot make runs"):
        running.take_failure([1], False, ModuleNotFoundError("No module named 'playproof'"))


# ---- bundles, tasks, answers -------------------------------------------------------------------


class Owner:
    """As _native.StoreOwner: two kinds of runs."""

    plan_hash = "hash"

    def kind(self, number):
        return "odd" if number % 2 else "even"


def test_bundles_are_half_a_second_and_less_towards_the_end():
    bundles = _bundles.Bundles(Owner(), range(2000))
    assert bundles.take(2) == [0] and bundles.take(2) == [1]  # nothing is known yet
    bundles.learn(0, 0.01)
    assert bundles.take(2) == [2]  # of the odd ones nothing is known
    bundles.learn(1, 0.03)
    assert len(bundles.take(2)) == 24  # 12 of 0.03, 12 of 0.01; one of 0.03 more is too much
    sizes = []
    while len(bundles):
        sizes.append(len(bundles.take(2)))
    assert max(sizes) == 24 and sizes[0] == 24 and sizes[-1] <= 2
    assert sum(sizes) == 2000 - 3 - 24
    bundles.give_back([7, 8])
    assert bundles.numbers[0] == 7 and bundles.seconds_left() == pytest.approx(0.04)
    bundles.suspect([9, 11])
    assert len(bundles) == 4 and bundles.take(1) == [7] and bundles.take(1) == [8] and len(bundles) == 2


@pytest.fixture
def task(tmp_path):
    """An open experiment, its bundles, a task of three of its runs."""
    owner = _native.StoreOwner(str(plan_of(tmp_path)), str(tmp_path / "x.db"), "auto", "test")
    bundles = _bundles.Bundles(owner, owner.begin(1))
    return owner, bundles.task([0, 1, 2], 2)


def test_a_task_is_answered(task):
    owner, text = task
    made, seconds, error = _bundles.read_answer(_bundles.make_bundle(text), owner.plan_hash, 3)
    assert len(made) == len(seconds) == 3 and error is None and all(0 < s < 60 for s in seconds)
    with pytest.raises(playproof.DataError, match="as many runs"):
        owner.take([0, 1], made)
    assert owner.take([0, 1, 2], made) == ["result"] * 3
    with pytest.raises(playproof.DataError, match="key"):
        owner.take([5], made[:1])
    result = owner.end(False)
    assert (result["stored"], result["planned"], result["made"]) == (3, 12, 3)


def test_a_task_that_takes_too_long_is_answered_in_part(task):
    owner, text = task
    head, _, runs = text.partition(b"\n")
    short = json.dumps(json.loads(head) | {"seconds": 1e-9}).encode() + b"\n" + runs
    made, _, _ = _bundles.read_answer(_bundles.make_bundle(short), owner.plan_hash, 3)
    assert len(made) == 1


FAULTS = """
import ctypes, resource, sys
from playproof import _bundles
_bundles.make_bundle(sys.stdin.buffer.read())
c = ctypes.CDLL(None)
c.malloc.restype, c.malloc.argtypes, c.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        block = c.malloc(1 << 20)
        ctypes.memset(block, 1, 1 << 20)
        c.free(block)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
faults()
print(faults())
"""


def test_workers_keep_the_memory_that_searches_free(task):
    """Dask's nanny wants it given back above 64 KiB: then each of a hundred MB is 256 pages that fault."""
    environment = {**os.environ, "MALLOC_TRIM_THRESHOLD_": "65536"}
    done = subprocess.run([sys.executable, "-c", FAULTS], input=task[1], env=environment, stdout=subprocess.PIPE,
                          check=True)
    assert int(done.stdout) < 1000, done.stdout


def test_damaged_tasks_and_answers_are_errors(task):
    owner, text = task
    for cut in [*range(0, text.index(b"\n") + 1), *range(0, len(text), 61)]:
        with pytest.raises(playproof.DataError):
            error = _bundles.read_answer(_bundles.make_bundle(text[:cut]), owner.plan_hash, 3)[2]
            raise playproof.errors.make_error(*error)  # a run that cannot be read is told so
    answer = _bundles.make_bundle(text)
    for cut in range(len(answer)):
        with pytest.raises(playproof.DataError):
            made, _, _ = _bundles.read_answer(answer[:cut], owner.plan_hash, 3)
            owner.take(list(range(len(made))), made)
    for bad in (b"", b"[]", b"3", b"\xff", None, 3, b'{"plan": "x"}', b'{"made": [], "error": null}'):
        with pytest.raises(playproof.DataError):
            _bundles.read_answer(bad, owner.plan_hash, 3)
    with pytest.raises(playproof.DataError, match="of plan"):
        _bundles.read_answer(answer, "another", 3)
    with pytest.raises(playproof.DataError, match="3 rows, 3 times, 2 runs"):
        _bundles.read_answer(answer, owner.plan_hash, 2)
    head, _, runs = text.partition(b"\n")
    for change in ({"seconds": 0}, {"seconds": "x"}, {"at_once": 0}, {"at_once": None}, {"runs": 4},
                   {"plan": 3}):
        with pytest.raises(playproof.DataError):
            _bundles.make_bundle(json.dumps(json.loads(head) | change).encode() + b"\n" + runs)


def test_a_bundle_that_nobody_wants_is_abandoned(tmp_path):
    owner = _native.StoreOwner(str(endless_plan(tmp_path)), str(tmp_path / "x.db"), "auto", "test")
    number = owner.begin(1)[0]
    runner, asked = _native.Runner(), []

    def stopped():
        asked.append(time.monotonic())
        return len(asked) > 1

    begin = time.monotonic()
    assert json.loads(runner.make(owner.texts([number]).decode(), 1 << 30, stopped))["state"] == "stopped"
    assert len(asked) == 2 and time.monotonic() - begin < 5
    with pytest.raises(ZeroDivisionError):
        runner.make(owner.texts([number]).decode(), 1 << 30, lambda: 1 / 0)


def test_the_interpreter_goes_on_while_a_run_is_made(tmp_path):
    owner = _native.StoreOwner(str(endless_plan(tmp_path)), str(tmp_path / "x.db"), "auto", "test")
    number, beats, over = owner.begin(1)[0], [], threading.Event()

    def beat():
        while not over.wait(0.01):
            beats.append(1)

    thread = threading.Thread(target=beat)
    thread.start()
    begin = time.monotonic()
    _native.Runner().make(owner.texts([number]).decode(), 1 << 30, lambda: time.monotonic() - begin > 0.5)
    over.set()
    thread.join()
    assert len(beats) > 10


def test_memory_is_shared():
    assert _bundles._memory(1) == _native.memory_limit() > 1 << 27
    assert _bundles._memory(4) == _native.memory_limit() // 4
    held = unittest.mock.Mock(**{"memory_manager.memory_limit": 1000, "state.nthreads": 1})
    with unittest.mock.patch.object(_bundles, "_worker", lambda: held):
        assert _bundles._memory(1) == 800


def test_dask_does_less_beside_the_runs():
    """What it does all the time, it does as seldom on the workers too; the keys are Dask's own."""
    from dask import config

    for key in cluster.SELDOM:
        assert any(config.get(key, None, config=own) is not None for own in config.defaults), key
    options = cluster.read(["experiment", "p", "--store", "s", "--workers", "1", "--dashboard", "none"])
    with config.set(cluster.SELDOM), _cluster.connected(options) as (client, _):
        client.wait_for_workers(1, timeout=120)
        for key, value in cluster.SELDOM.items():
            assert list(client.run(config.get, key).values()) == [value]


@pytest.mark.usefixtures("program")  # skipped without one
@pytest.mark.skipif(not NIGHTLY, reason="a measurement: by night")
def test_overhead_is_measured():
    told = ended(sys.executable, str(ROOT / "bench/cluster_overhead.py"), os.environ["PLAYPROOF"],
                 "--runs", "20", "40").stdout
    rows = [line.split() for line in told.splitlines()]
    assert [row[:2] for row in rows[1:7]] == [[runs, name] for runs in ("20", "40")
                                              for name in ("runs", "program", "cluster")]
    for alone, *others in (rows[1:4], rows[4:7]):
        assert alone[5:] == ["1.000"] * 3
        assert 0 < float(alone[3])
        for row in (alone, *others):  # all processes take more than the searches in them
            assert float(row[2]) >= float(row[4]) > 0
        for row in others:
            assert len(row) == 8
            assert float(row[5]) == pytest.approx(float(row[2]) / float(alone[2]), rel=0.2)
        assert float(others[1][6]) > 2  # so few runs do not repay the start of Dask
    assert rows[7][:3] == ["one", "more", "run,"]


def test_what_overhead_is():
    spec = importlib.util.spec_from_file_location("cluster_overhead", ROOT / "bench/cluster_overhead.py")
    measured = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(measured)
    # Twice the CPU time for searches that took 1.6 times as long: a quarter more for equal ones.
    assert measured.over((8.0, 3.0, 4.8), (4.0, 2.0, 3.0)) == pytest.approx((2.0, 1.5, 1.25))
    assert measured.over((4.0, 2.0, 3.0), (4.0, 2.0, 3.0)) == (1, 1, 1)


# ---- help --------------------------------------------------------------------------------------


def test_help(capsys):
    for words in (["--help"], ["experiment", "--help"]):
        with pytest.raises(SystemExit) as end:
            cluster.main(words)
        assert end.value.code == 0
    told = capsys.readouterr().out
    assert max(map(len, cluster.FOOTER.splitlines())) <= 80
    for option in ("--scheduler", "--tls-ca", "--host", "Exit status: 0 "):
        assert option in told
    assert shutil.which(str(PROGRAM))
    assert ended(str(PROGRAM), "--version").stdout.strip().startswith(playproof.__version__)
