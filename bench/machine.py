"""What a measurement ran on, how a program's JSON is read, how a result is written."""

import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
from playproof_report.files import write_whole  # noqa: E402


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


def ask(program, *arguments, stdin="", statuses=(0,)):
    """The JSON that a command prints, with the command in it; it must end with one of `statuses`."""
    return _answer(_start(program, arguments), stdin, statuses)


def ask_together(program, copies, *arguments):
    """The answers of that many processes of one command that run at once."""
    started = [_start(program, arguments) for _ in range(copies)]
    answers = [_answer(one, "") for one in started]
    for answer in answers:
        answer["processes"] = copies
    return answers


def ask_lines(program, *arguments, lines, seconds=None):
    """Yields (line, answer) for each of the lines, which one process is given one by one. After so
    many seconds it is asked to stop: the line that it is at is the last, with what is known of it."""
    with _start(program, [*arguments, "--position", "-"]) as started:
        clock = threading.Timer(seconds or 0, started.send_signal, [signal.SIGINT])
        if seconds:
            clock.start()
        try:
            for line in lines:
                started.stdin.write(line + "\n")
                started.stdin.flush()
                answer = started.stdout.readline()
                if not answer:
                    break
                yield line, json.loads(answer)
        except BrokenPipeError:
            pass
        finally:
            clock.cancel()
        error = started.communicate()[1]
        if started.returncode not in ((0, 2) if seconds or "--max-nodes" in arguments else (0,)):
            raise SystemExit(f"{' '.join(started.args)}: status {started.returncode}\n{error}")


def _start(program, arguments):
    return subprocess.Popen([program, *arguments, "--json"], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _answer(started, stdin, statuses=(0,)):
    out, error = started.communicate(stdin)
    command = " ".join(["playproof", *started.args[1:-1]])
    if started.returncode not in statuses:
        raise SystemExit(f"{command}: status {started.returncode}\n{error}")
    return {**json.loads(out), "command": command}


def write_json(path, value):
    """The file appears whole or not at all."""
    write_whole(path, json.dumps(value, indent=1) + "\n")
