"""What other users of this machine cannot do to playproof-cluster, tried as another user."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import playproof
import pytest

pytest.importorskip("distributed", reason="Dask is not installed")
import psutil  # noqa: E402  (comes with Dask)
from clusters import NIGHTLY, command, dask, endless_plan, plan_of, rows, run, wait_for, workers_of  # noqa: E402
from distributed import rpc  # noqa: E402
from playproof import _cluster, _private, cluster  # noqa: E402
from strangers import ROOT_ALONE, STRANGER, as_stranger, plant_modules  # noqa: E402


@pytest.fixture
def shared(monkeypatch):
    """A folder for temporary files that all users share, as /tmp is."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="shared-"))
    folder.chmod(0o1777)
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    shutil.rmtree(folder)


@contextlib.contextmanager
def own_cluster(*options):
    """Of this process, with two workers: (client, OwnCluster)."""
    words = ["experiment", "p", "--store", "s", "--workers", "2", *options]
    with _cluster.connected(cluster.read(words)) as (client, own):
        client.wait_for_workers(2, timeout=120)
        yield client, own


def family(pid):
    return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]


def ports_of(pid):
    """Those at which the process and what it has started listen."""
    found = []
    for one in family(pid):
        with contextlib.suppress(psutil.Error):
            found += [c.laddr.port for c in one.net_connections("inet") if c.status == psutil.CONN_LISTEN]
    return sorted(found)


# ---- ports -------------------------------------------------------------------------------------

ASK = """\
def without_certificate(port):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
        with context.wrap_socket(plain) as connection:
            return len(connection.recv(1)) > 0  # Dask greets whom it lets in

async def asked(address, arguments):
    async with distributed.rpc(address, connection_args=arguments, timeout=5) as there:
        return (await asyncio.wait_for(there.identity(), 20))["type"]

def attempt(what):
    try:
        return what()
    except Exception as error:
        return None

found = {}
for port in map(int, sys.argv[1:]):
    found[port] = [attempt(lambda: asyncio.run(asked(f"tcp://127.0.0.1:{port}", {}))),
                   attempt(lambda: asyncio.run(asked(f"tls://127.0.0.1:{port}",
                                                     certificate.get_connection_args("client")))),
                   attempt(lambda: without_certificate(port)) or None]
print(json.dumps(found))
"""


async def type_at(port, tls):
    arguments = tls.get_connection_args("client")
    scheme = "tls" if arguments["require_encryption"] else "tcp"
    async with rpc(f"{scheme}://127.0.0.1:{port}", connection_args=arguments) as there:
        return (await there.identity())["type"].removeprefix("Pageless")


@ROOT_ALONE
def test_only_the_one_time_certificate_opens_a_port():
    """Of scheduler, nannies, workers: not without TLS, not with another certificate, not without one."""
    with own_cluster("--dashboard", "none") as (client, _):
        ports = ports_of(os.getpid())
        types = [client.sync(type_at, port, client.security) for port in ports]
        assert sorted(types) == ["Nanny", "Nanny", "Scheduler", "Worker", "Worker"]
        assert as_stranger(ASK, *ports) == {str(port): [None, None, None] for port in ports}
        assert client.run_on_scheduler(os.getpid) == os.getpid()  # who has it is trusted fully


RUN_CODE = """\
found = {}
for port in map(int, sys.argv[1:]):
    for scheme, tls in (("tcp", None), ("tls", certificate)):
        try:
            with Client(f"{scheme}://127.0.0.1:{port}", security=tls, timeout=5) as client:
                found[f"{scheme} {port}"] = client.run_on_scheduler(os.getuid)
        except Exception:
            pass
print(json.dumps(found))
"""


@ROOT_ALONE
def test_nobody_else_runs_code_as_the_owner_of_the_store(tmp_path):
    with subprocess.Popen(command(endless_plan(tmp_path), tmp_path / "x.db")) as process:
        try:
            wait_for(lambda: len(workers_of(process)) == 2 and len(ports_of(process.pid)) == 5)
            assert as_stranger(RUN_CODE, *ports_of(process.pid)) == {}
        finally:
            process.terminate()


# ---- pages -------------------------------------------------------------------------------------

PAGES = ["/", "/status", "/info/main/workers.html", "/info/main/logs.html", "/json/counts.json", "/json/identity.json",
         "/individual-plots.json", "/sitemap.json", "/health", "/metrics", "/statics/css/base.css",
         "/static/js/bokeh.min.js", "/status/ws", "/status/autoload.js", "/proxy/80/127.0.0.1/status", "//status",
         "/x/../status", "/0123456789abcdef/status"]

LOOK = """\
found = {}
for address in sys.argv[1:]:
    try:
        with urllib.request.urlopen(address, timeout=10) as page:
            found[address] = [page.status, page.url, page.read().decode("latin-1")]
    except urllib.error.HTTPError as error:
        found[address] = [error.code, error.headers.get("Location"), error.read().decode("latin-1")]
    except OSError:
        pass
print(json.dumps(found))
"""


@ROOT_ALONE
def test_pages_are_for_who_was_told_their_address():
    with own_cluster("--dashboard", "0") as (client, own):
        page = re.fullmatch(r"(http://127\.0\.0\.1:(\d+))/([0-9a-f]{32})/status", own.page)
        assert page
        with urllib.request.urlopen(own.page, timeout=30) as shown:
            assert b"Dask" in shown.read()
        with urllib.request.urlopen(f"{page[1]}/{page[3]}/info/main/workers.html", timeout=30) as shown:
            text = shown.read().decode()
        assert all(address in text for address in client.nthreads())
        ports = [int(page[2]), *(worker["services"]["dashboard"] for worker in
                                 client.scheduler_info(n_workers=-1)["workers"].values())]
        assert len(set(ports)) == 3
        found = as_stranger(LOOK, *(f"http://127.0.0.1:{port}{path}" for port in ports for path in PAGES))
        assert len(found) == len(ports) * len(PAGES)
        for address, (status, location, text) in found.items():
            assert (status, location) == (404, None), address
            assert page[3] not in text and len(text) < 200, address


def test_the_page_is_alive():
    """What it draws comes through a web socket, under the same path."""
    pytest.importorskip("bokeh", reason="bokeh is not installed")
    from bokeh.client import pull_session

    with own_cluster("--dashboard", "0") as (_, own):
        session = pull_session(url=own.page)
        assert session.document.roots
        session.close()


SHOUT = """\
import concurrent.futures
def shout(port):
    for text in (b"GET /\\x1b]0;x\\x07 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n", b"\\x1b[2J" * 1000,
                 b"\\x16\\x03\\x01\\x1b[2J" * 1000):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(text)
            connection.settimeout(0.5)
            try:
                connection.recv(1000)
            except OSError:
                pass
with concurrent.futures.ThreadPoolExecutor(8) as all_at_once:
    list(all_at_once.map(shout, map(int, sys.argv[1:])))
print("null")
"""


@ROOT_ALONE
def test_others_write_nothing_on_the_terminal(tmp_path):
    with running(tmp_path, "--dashboard", "0") as process:
        wait_for(lambda: len(ports_of(process.pid)) == 8)
        as_stranger(SHOUT, *ports_of(process.pid))
        process.terminate()
        assert process.communicate(timeout=60)[1] == "" and process.returncode == 75


# ---- files, command lines, environment ---------------------------------------------------------

LISTED = """\
found = []
for folder in sys.argv[1:]:
    try:
        found.append(sorted(os.listdir(folder)))
    except PermissionError:
        found.append(None)
print(json.dumps(found))
"""


def files_below(folder):
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


@contextlib.contextmanager
def running(folder, *options):
    """playproof-cluster at a run without end, as if nothing had been started by nohup."""
    words = command(endless_plan(folder), folder / "x.db", *options)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)) as process:
        try:
            wait_for(lambda: len(workers_of(process)) == 2)
            yield process
        finally:
            process.kill()


@ROOT_ALONE
def test_no_secret_is_to_be_seen(shared, tmp_path):
    with running(tmp_path, "--progress", "json", "--dashboard", "0") as process:
        token = json.loads(process.stderr.readline())["dashboard"].split("/")[-2]
        assert re.fullmatch("[0-9a-f]{32}", token)
        wait_for(lambda: len(ports_of(process.pid)) == 8)
        found = list(shared.iterdir())
        assert len(found) == 1 and found[0].name.startswith("playproof-cluster-")
        assert stat.S_IMODE(found[0].stat().st_mode) == 0o700 and found[0].stat().st_uid == os.getuid()
        assert as_stranger(LISTED, shared, found[0]) == [[found[0].name], None]
        for path in files_below(shared):
            text = path.read_bytes()
            assert b"PRIVATE KEY" not in text and token.encode() not in text, path
        for one in family(process.pid):
            seen = " ".join(one.cmdline()) + " ".join(f"{k}={v}" for k, v in one.environ().items())
            assert "PRIVATE" not in seen and "BEGIN CERT" not in seen and token not in seen


ENDED = {"two": ([signal.SIGTERM] * 2, {75, -signal.SIGTERM}), "SIGHUP": ([signal.SIGHUP], {75}),
         "SIGTERM": ([signal.SIGTERM], {75}), "SIGINT": ([signal.SIGINT], {75})}


@pytest.mark.parametrize("name", list(ENDED)[:4 if NIGHTLY else 2])
def test_nothing_is_left_behind(shared, tmp_path, name):
    signals, statuses = ENDED[name]
    with running(tmp_path) as process:
        assert len(list(shared.iterdir())) == 1
        workers = workers_of(process)
        for number in signals:
            process.send_signal(number)
            time.sleep(0.05)
        assert process.wait(60) in statuses
        assert psutil.wait_procs(workers, timeout=30)[1] == []
        assert list(shared.iterdir()) == []


def test_the_end_of_a_terminal_is_ignored_where_it_was():
    """By nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _cluster.signals():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) not in (signal.SIG_IGN, signal.SIG_DFL)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_the_second_signal_ends_at_once(shared, tmp_path):
    """Also while Dask waits for what does not come."""
    with running(tmp_path) as process, contextlib.ExitStack() as suspended:
        workers = workers_of(process)
        for worker in workers:
            worker.suspend()
            suspended.callback(worker.resume)
        process.terminate()
        time.sleep(0.5)
        assert process.poll() is None
        process.terminate()
        assert process.wait(5) == -signal.SIGTERM
        assert list(shared.iterdir()) == []
    assert psutil.wait_procs(workers, timeout=60)[1] == []  # as soon as they can


def test_what_a_killed_process_left_goes_with_the_next(shared, tmp_path):
    with running(tmp_path) as process:
        process.kill()
        process.wait()
    assert len(list(shared.iterdir())) == 1
    with running(tmp_path) as process:
        there = wait_for(lambda: [path for path in shared.iterdir() if (path / "lock").exists()])
        run(plan_of(tmp_path), tmp_path / "y.db")  # a neighbour
        assert list(shared.iterdir()) == there  # that of who is there
    assert len(there) == 1


@ROOT_ALONE
def test_folders_of_others_stay(shared, tmp_path):
    for name in ("playproof-cluster-theirs", "playproof-cluster-open"):
        (shared / name).mkdir()
        (shared / name / "lock").touch()
    (shared / "playproof-cluster-open").chmod(0o777)
    (shared / "playproof-cluster-theirs").chmod(0o700)
    os.chown(shared / "playproof-cluster-theirs", STRANGER, STRANGER)
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/lock").touch()
    (shared / "playproof-cluster-link").symlink_to(tmp_path / "precious")
    before = sorted(shared.iterdir())
    run(plan_of(tmp_path), tmp_path / "x.db")
    assert sorted(shared.iterdir()) == before and (tmp_path / "precious/lock").exists()


def test_a_folder_for_temporary_files_that_protects_nothing(shared, tmp_path):
    shared.chmod(0o777)
    done = run(plan_of(tmp_path), tmp_path / "x.db", status=64)
    assert re.match(rf"playproof-cluster: {shared}: every user may rename .*sticky bit", done.stderr), done.stderr
    assert list(shared.iterdir()) == []


# ---- modules of others -------------------------------------------------------------------------

@ROOT_ALONE
@pytest.mark.parametrize("name", ["dask-scratch-space-0", "dask-scratch-space"][:2 if NIGHTLY else 1])
def test_modules_in_a_scratch_folder_of_another_user(shared, tmp_path, name):
    plant_modules(shared / name, tmp_path / "marker")
    if name.endswith("-0"):  # the name that Dask takes if the first may not be written
        (shared / "dask-scratch-space").mkdir(mode=0o555)
    run(plan_of(tmp_path), tmp_path / "x.db")
    assert not (tmp_path / "marker").exists(), (tmp_path / "marker").read_text()
    assert playproof.run(tmp_path / "plan.toml", tmp_path / "local.db")["status"] == 0
    assert rows(tmp_path / "x.db") == rows(tmp_path / "local.db")


@ROOT_ALONE
@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no PYTHONSAFEPATH: refused")
def test_modules_where_it_is_started(shared, tmp_path):
    """The interpreters of the workers would take multiprocessing from there."""
    plant_modules(shared / "here", tmp_path / "marker")
    words = command(plan_of(tmp_path), tmp_path / "x.db")
    done = subprocess.run(words, cwd=shared / "here", capture_output=True, text=True, timeout=120, check=False)
    assert not (tmp_path / "marker").exists(), (tmp_path / "marker").read_text()
    assert done.returncode == 0, done.stderr


@ROOT_ALONE
def test_old_pythons_are_not_started_among_modules_of_others(shared, tmp_path, monkeypatch):
    monkeypatch.setattr(_private.sys, "version_info", (3, 10, 13))
    for folder, mode, owner in (("open", 0o777, 0), ("theirs", 0o755, STRANGER)):
        (shared / folder).mkdir()
        (shared / folder).chmod(mode)
        os.chown(shared / folder, owner, owner)
        monkeypatch.chdir(shared / folder)
        with pytest.raises(playproof.UsageError, match="in a folder of your own"), _private.folder():
            pass
    monkeypatch.chdir(tmp_path)
    with _private.folder() as made:
        assert os.path.isdir(made)


# ---- schedulers of others ----------------------------------------------------------------------

def test_a_scheduler_without_tls_must_be_wanted(tmp_path):
    with dask(tmp_path) as file:
        address = json.loads(file.read_text())["address"]
        for where in (file, address):
            done = run(plan_of(tmp_path), tmp_path / "x.db", "--scheduler", where, status=64)
            assert "every user of this machine can run code as you" in done.stderr
            assert "--insecure-scheduler" in done.stderr and done.stderr.count("\n") == 1
        assert not (tmp_path / "x.db").exists()
        run(plan_of(tmp_path), tmp_path / "x.db", "--scheduler", file, "--insecure-scheduler")
    assert len(rows(tmp_path / "x.db")) == 12
