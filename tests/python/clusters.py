"""What the tests of playproof-cluster share: plans, stores, processes, certificates."""

import contextlib
import datetime
import os
import pathlib
import sqlite3
import subprocess
import sys
import time

import psutil

NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"
PROGRAM = pathlib.Path(sys.executable).with_name("playproof-cluster")
VARYING = {"seconds", "cpu_seconds", "started", "finished", "invocation", "version", "revision",
           "compiler", "host", "cpu_model", "peak_bytes"}

PLAN = """\
name = "cluster"
seed = 3
error_curves = true

[limits]
max_nodes = 100_000

[report]
kind = "agreement"

[[series]]
name = "trees"
game = "pgame:branching=2,depth=DEPTH"
trees = { from = 1, to = TREES }
expected = "oracle"

[[algorithm]]
label = "PN"
spec = "pn"

[[algorithm]]
label = "PPN"
spec = "ppn:playouts=10"

[[algorithm]]
label = "df-pn"
spec = "dfpn:leaf=unit"
"""


def rows(store):
    """{key: the row and its curve, but for what varies}. What a killed owner had begun is undone."""
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=rw", uri=True)) as database:
        database.row_factory = sqlite3.Row
        return {row["key"]: {name: row[name] for name in row.keys() if name not in VARYING}
                for row in database.execute("SELECT run.*, points FROM run LEFT JOIN curve ON "
                                            "run_key = key")}


def plan_of(folder, depth=8, trees=4):
    plan = folder / "plan.toml"
    plan.write_text(PLAN.replace("DEPTH", str(depth)).replace("TREES", str(trees)))
    return plan


def endless_plan(folder):
    """Its first run does not end."""
    plan = folder / "endless.toml"
    text = PLAN.replace("DEPTH", "40").replace("TREES", "1").replace("100_000", "4_000_000_000")
    plan.write_text(text.replace("error_curves = true\n", "").replace('expected = "oracle"\n', ""))
    return plan


def command(plan, store, *options):
    own = [] if "--scheduler" in options else ["--workers", "2", "--dashboard", "none"]
    return [str(PROGRAM), "experiment", str(plan), "--store", str(store), *own, *map(str, options)]


def ended(*arguments, status=0, timeout=300):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == status, done.stderr + done.stdout
    return done


def run(plan, store, *options, status=0, timeout=300):
    return ended(*command(plan, store, *options), status=status, timeout=timeout)


def workers_of(process):
    """The processes that make runs."""
    with contextlib.suppress(psutil.Error):
        return [child for child in psutil.Process(process.pid).children(recursive=True)
                if "spawn_main" in " ".join(child.cmdline())]
    return []


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def stored(store):
    with contextlib.suppress(sqlite3.Error):
        if store.exists():  # to write, too: what a killed owner had begun is undone
            with contextlib.closing(sqlite3.connect(f"file:{store}?mode=rw", uri=True)) as database:
                return database.execute("SELECT count(*) FROM run").fetchone()[0]
    return 0


def certificates(folder):
    """An authority, a certificate and its key that it has signed."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    folder.mkdir()
    now = datetime.datetime.now(datetime.timezone.utc)

    def certificate(name, issuer=None, issuer_key=None):
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        made = (x509.CertificateBuilder().subject_name(subject)
                .issuer_name(issuer or subject).public_key(key.public_key())
                .serial_number(x509.random_serial_number())
                .not_valid_before(now - datetime.timedelta(days=1))
                .not_valid_after(now + datetime.timedelta(days=2))
                .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), True)
                .sign(issuer_key or key, hashes.SHA256()))
        (folder / f"{name}.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
        (folder / f"{name}-key.pem").write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        return subject, key

    certificate("side", *certificate("ca"))
    return folder / "ca.pem", folder / "side.pem", folder / "side-key.pem"


@contextlib.contextmanager
def dask(folder, *options, workers=2, before="pass"):
    """A scheduler and workers that others have started, as `dask` does; yields the scheduler file."""
    file = folder / "scheduler.json"
    main = [sys.executable, "-c", f"{before}; from dask.__main__ import main; main()"]
    listening = ["--host", "127.0.0.1"]
    scheduler = [sys.executable, "-m", "dask", "scheduler", "--port", "0", "--no-dashboard",
                 "--scheduler-file", str(file), *listening, *options]
    worker = [*main, "worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard",
              "--no-nanny", *listening, *options]
    with contextlib.ExitStack() as stack:
        def start(words):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       cwd=folder)
            stack.callback(process.wait)
            stack.callback(process.kill)

        start(scheduler)
        wait_for(lambda: file.exists() and file.stat().st_size)
        for _ in range(workers):
            start(worker)
        yield file
