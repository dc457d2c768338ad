"""playproof-cluster while its processes are killed at random moments: the rows of a local run."""

import contextlib
import random
import signal
import subprocess
import time

import playproof
import pytest
from conftest import ROOT

pytest.importorskip("distributed", reason="Dask is not installed")
import psutil  # noqa: E402  (comes with Dask)
from clusters import NIGHTLY, command, plan_of, rows, stored, wait_for, workers_of  # noqa: E402

BY_NIGHT = pytest.mark.skipif(not NIGHTLY, reason="minutes: by night")


def local_run(plan, store):
    """(its rows, its seconds)."""
    begin = time.monotonic()
    assert playproof.run(plan, store, threads=2)["status"] == 0
    return rows(store), time.monotonic() - begin


class Killer:
    """Runs a plan again and again until it is done, and kills at the moments that a seed draws."""

    def __init__(self, seed, workers, owners, mean):
        self.draw, self.mean = random.Random(seed), mean  # seconds between two kills
        self.left = ["worker"] * workers + ["owner"] * owners
        self.draw.shuffle(self.left)
        self.killed = {"worker": 0, "owner": 0}

    def run(self, plan, store, local):
        """Until nothing is missing; what is stored when the owner is killed is right already."""
        while self.start(plan, store) == -signal.SIGKILL:
            found = rows(store) if stored(store) else {}
            assert found.items() <= local.items()
        assert rows(store) == local

    def start(self, plan, store):
        """The exit status."""
        with subprocess.Popen(command(plan, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            there = wait_for(lambda: workers_of(process) or process.poll() is not None)
            while self.left and process.poll() is None:
                time.sleep(self.draw.uniform(0, 2 * self.mean))
                there = workers_of(process) or there
                self.kill(process)
            out, err = process.communicate(timeout=3000)
        if process.returncode == -signal.SIGKILL:
            assert psutil.wait_procs(there, timeout=60)[1] == []  # no worker outlives it
        else:
            assert process.returncode == 0 and err == "", err + out
        return process.returncode

    def kill(self, process):
        """What is next; nothing if it has ended meanwhile, or has no worker at the moment."""
        victims = [process] if self.left[0] == "owner" else workers_of(process)
        with contextlib.suppress(psutil.NoSuchProcess, IndexError):
            victim = psutil.Process(self.draw.choice(victims).pid)
            victim.kill()
            self.killed[self.left.pop(0)] += 1


def test_workers_and_owner_killed(tmp_path):
    plan = plan_of(tmp_path, depth=16, trees=120)
    local, _ = local_run(plan, tmp_path / "local.db")
    number = {"worker": 3, "owner": 2} if NIGHTLY else {"worker": 1, "owner": 1}
    killer = Killer(seed=1, workers=number["worker"], owners=number["owner"], mean=0.5)
    killer.run(plan, tmp_path / "x.db", local)
    assert killer.killed == number


@BY_NIGHT
def test_table_while_workers_and_owner_are_killed(tmp_path):
    """Twenty workers and five owners, spread over about half of the time that the runs take."""
    plan = ROOT / "bench/plans/table.toml"
    local, seconds = local_run(plan, tmp_path / "local.db")
    assert len(local) > 900
    killer = Killer(seed=1, workers=20, owners=5, mean=seconds / 50)
    killer.run(plan, tmp_path / "x.db", local)
    assert killer.killed == {"worker": 20, "owner": 5}


@BY_NIGHT
def test_smoke_while_workers_and_owner_are_killed(tmp_path):
    """It is over in a second: one after the other, each time with another store, also while they start."""
    plan = ROOT / "tests/programs/smoke.toml"
    local, _ = local_run(plan, tmp_path / "local.db")
    assert len(local) == 144
    killer = Killer(seed=2, workers=20, owners=5, mean=0.4)
    for number in range(100):
        if killer.left:
            killer.run(plan, tmp_path / f"{number}.db", local)
    assert killer.killed == {"worker": 20, "owner": 5}
