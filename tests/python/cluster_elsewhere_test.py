"""The schedulers and workers of others that docs/cluster.md shows, by the lines that stand there."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import playproof
import pytest
from conftest import ROOT

pytest.importorskip("distributed", reason="Dask is not installed")
import psutil  # noqa: E402  (comes with Dask)
from clusters import certificates, plan_of, rows, wait_for  # noqa: E402
from strangers import plant_modules  # noqa: E402

HERE = {"10.0.0.1": "127.0.0.1", '"ib0"': '"lo"', "--interface ib0": "--interface lo", ":8787": ":0",
        "--nworkers 16": "--nworkers 2", "jobs=32": "jobs=2", "-n 33": "-n 3"}

SBATCH = """\
#!/bin/sh
[ $# = 1 ] && grep -q '^#SBATCH --mem=4G$' "$1" && grep -q '^#SBATCH -t 24:00:00$' "$1" || exit 1
cp "$1" job.$$
setsid bash job.$$ >job.$$.out 2>&1 &
echo $! >>jobs
echo "Submitted batch job $!"
"""
SCANCEL = """\
#!/bin/sh
echo $1 >>cancelled
kill -- -$1
(for _ in $(seq 100); do kill -0 -- -$1 2>/dev/null || exit 0; sleep 0.1; done; kill -KILL -- -$1) >/dev/null 2>&1 &
"""


def blocks(heading):
    """The indented parts of a section of docs/cluster.md, with what is different here."""
    section = (ROOT / "docs/cluster.md").read_text().partition(f"# {heading}\n")[2].partition("\n#")[0]
    found = re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", section, re.M)
    text = ["".join(re.sub(r"(?m)^    ", "", block)) for block in found]
    for there, here in HERE.items():
        text = [part.replace(there, here) for part in text]
    return text


def test_blocks():
    assert [len(blocks(heading)) for heading in ("Many machines", "Slurm", "mpirun")] == [1, 1, 1]
    told = "".join(sum((blocks(heading) for heading in ("Many machines", "Slurm", "mpirun")), []))
    for here in HERE.values():
        assert here in told
    assert not re.search(r"10\.0\.0|ib0|8787", told)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """With the files that the lines name; programs are those of this Python."""
    certificates(tmp_path / "made")
    for made, named in (("ca.pem", "ca.pem"), ("side.pem", "cert.pem"), ("side-key.pem", "key.pem")):
        shutil.copy(tmp_path / "made" / made, tmp_path / named)
    plan_of(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    # Somebody else has made the folder that Dask takes without being told another one.
    shared = pathlib.Path(tempfile.mkdtemp(prefix="shared-"))
    shared.chmod(0o1777)
    plant_modules(shared / "dask-scratch-space", tmp_path / "marker")
    monkeypatch.setenv("TMPDIR", str(shared))
    yield tmp_path
    shutil.rmtree(shared)
    assert not (tmp_path / "marker").exists(), (tmp_path / "marker").read_text()


def processes_of(session):
    """Those that are left of whatever it started, its jobs too."""
    jobs = session.folder / "jobs"
    sessions = {session.pid, *map(int, jobs.read_text().split() if jobs.exists() else [])}
    found = []
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getsid(one.pid) in sessions and one.status() != psutil.STATUS_ZOMBIE:
                found.append(one)
    return found


def listening(session):
    """The addresses of TCP at which they listen."""
    found = set()
    for one in processes_of(session):
        with contextlib.suppress(psutil.Error):
            found |= {c.laddr.ip for c in one.net_connections("inet") if c.status == psutil.CONN_LISTEN}
    return found


def run_lines(folder, words):
    """Runs a program made of the lines, in a session of its own, whose output is in "said"; the addresses at
    which it listened."""
    seen = set()
    with open(folder / "said", "w+") as said, \
            subprocess.Popen(words, cwd=folder, stdout=said, stderr=subprocess.STDOUT,
                             start_new_session=True) as process:
        process.folder = folder
        try:
            end = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < end:
                seen |= listening(process)
                time.sleep(0.2)
            said.seek(0)
            told = said.read()
            assert process.returncode == 0, told
            assert "cluster: 12 of 12 runs in results.db (12 now, 0 before)" in told
            wait_for(lambda: not processes_of(process), 30)
        finally:
            for one in processes_of(process):
                with contextlib.suppress(psutil.Error):
                    one.kill()
    assert (folder / "scratch/dask-scratch-space").is_dir()
    assert playproof.run(folder / "plan.toml", folder / "local.db")["status"] == 0
    assert len(rows(folder / "results.db")) == 12 and rows(folder / "results.db") == rows(folder / "local.db")
    return seen


def test_by_hand(folder):
    variable, scheduler, worker, experiment = re.findall(r"(?m)^(?:export|dask|playproof)(?:.*\\\n)*.*\n",
                                                         blocks("Many machines")[0])
    # One worker may have done all before the other has come up, and Dask waits for one that is told to end at that
    # moment, as for one whose scheduler ends at the same time: so both come up first and end before it.
    lines = (f"{variable}{scheduler.rstrip()} &\nuntil [ -s scheduler.json ]; do sleep 0.1; done\n"
             f"{worker.split('#')[0].rstrip()} &\n"
             'until [ "$(grep -c "Registered to:" said)" = 2 ]; do sleep 0.1; done\n'
             f"{experiment}status=$?; kill %2; wait %2; kill %1; wait; exit $status")
    assert run_lines(folder, ["bash", "-c", lines]) == {"127.0.0.1"}


def test_slurm(folder):
    pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (folder / "jobs.py").write_text(blocks("Slurm")[0])
    assert run_lines(folder, [sys.executable, "jobs.py"]) == {"127.0.0.1"}
    jobs = (folder / "jobs").read_text().split()
    assert len(jobs) == 2 and sorted((folder / "cancelled").read_text().split()) == sorted(jobs)


def test_mpirun(folder, monkeypatch):
    pytest.importorskip("dask_mpi", reason="dask-mpi is not installed")
    if not shutil.which("mpirun"):
        pytest.skip("there is no mpirun")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"):
        monkeypatch.setenv(name, "1")
    configuration, lines = blocks("mpirun")[0].split("\n\n")
    (folder / ".config/dask").mkdir(parents=True)
    (folder / ".config/dask/tls.yaml").write_text(configuration)
    assert "127.0.0.1" in run_lines(folder, ["bash", "-c", lines + "wait"])  # Open MPI listens elsewhere too
