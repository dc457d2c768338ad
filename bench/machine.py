"""What a measurement ran on, how a program's JSON is read, how a result is written."""

import json
import os
import pathlib
import platform
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
from playproof_report.cli import write_whole  # noqa: E402


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def facts(program):
    version = subprocess.run([program, "version"], check=True, capture_output=True, text=True)
    devices = subprocess.run([program, "devices", "--json"], check=True, capture_output=True,
                             text=True)
    return {"version": version.stdout.splitlines()[0], "processor": processor(),
            "cores": os.cpu_count(), "devices": json.loads(devices.stdout),
            "date": time.strftime("%Y-%m-%d")}


def ask(program, *arguments, stdin=""):
    """The JSON that a command prints, with the command in it."""
    done = subprocess.run([program, *arguments, "--json"], check=False, capture_output=True,
                          text=True, input=stdin)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(done.args)}: status {done.returncode}\n{done.stderr}")
    answer = json.loads(done.stdout)
    answer["command"] = " ".join(["playproof", *arguments])
    return answer


def write_json(path, value):
    """The file appears whole or not at all."""
    write_whole(path, json.dumps(value, indent=1) + "\n")
