"""Another user of this machine, for the tests of what such a one must not reach."""

import json
import os
import pwd
import subprocess
import sys

import pytest

ROOT_ALONE = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user for a while")


def unused_uid():
    used = {one.pw_uid for one in pwd.getpwall()}
    return next(uid for uid in range(54321, 64000) if uid not in used)


STRANGER = unused_uid()

# What the stranger imports comes from folders that may be closed to it: so it is imported first.
PRELUDE = """\
import asyncio, json, os, pathlib, socket, ssl, sys, urllib.error, urllib.request
import distributed
from distributed import Client, Security
certificate = Security.temporary()
os.setgroups([])
os.setgid(UID)
os.setuid(UID)
assert os.getuid() == os.geteuid() == UID
"""


def as_stranger(code, *arguments, timeout=120):
    """What the code prints, as JSON. Its sys.argv[1:] are the arguments."""
    text = PRELUDE.replace("UID", str(STRANGER)) + code
    done = subprocess.run([sys.executable, "-c", text, *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


MODULES = ["playproof", "distributed", "dask", "tornado", "psutil", "multiprocessing", "numpy", "bokeh", "tblib",
           "msgpack", "zict", "cloudpickle", "locket", "yaml", "toolz", "signal", "json", "logging"]


def plant_modules(folder, marker):
    """A folder of the stranger's that everybody may write. Whoever imports a module from there says so in the
    marker."""
    folder.mkdir(parents=True)
    for name in MODULES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(
            f"import os\nwith open({str(marker)!r}, 'a') as file:\n    file.write(f'{name} as {{os.getuid()}}\\n')\n"
            "raise ImportError('shadowed')\n")
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, STRANGER, STRANGER)
    folder.chmod(0o777)
