"""Everything that a machine with a GPU can say about the kernels and the searches, in three parts.

usage: evidence.sh OUT [PART ...] [--dry]

PART is 1 or kernels, 2 or fleets, 3 or searches, in order of value; without one: all three. They take at
most 200, 250 and 240 seconds, and each is complete in itself: OUT gets PART.jsonl (facts, then one line a
step: command, status, seconds, answer; then what was compared), PART.log, and at the end PART.tgz, which
takes the log and holds all that is remembered: steps that ended well, outside OUT. The next call takes them over, goes
on with those that are missing, and then tries again what failed. Each step has a time limit; what cannot
run here is skipped, with the reason. A second process holds the device meanwhile, so that its driver
starts once. Exit status: 0, or 1 if a step failed or a comparison did.

--dry goes through the same steps on the CPU, at sizes that take seconds; no number of it is a GPU's.
Needs python3 and nothing but its standard library. Also from the environment: EVIDENCE_ENGINE (cuda),
EVIDENCE_BACKEND (cuda), EVIDENCE_SECONDS (a rate is measured), EVIDENCE_BIN (programs; the kit's, in a
checkout build/), EVIDENCE_STATE, EVIDENCE_PART_SECONDS (of each part, instead of the above),
EVIDENCE_LIMIT (the most a step takes).
"""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

import evidence_steps

HERE = pathlib.Path(__file__).resolve().parent
ROOT = next((p for p in (HERE, *HERE.parents) if (p / "tests" / "data").is_dir()), HERE)
PROGRAMS = ("playproof", "kernels_test", "device_bench")
MOST_OUTPUT = 1 << 18   # bytes of a step's text that are kept, its beginning and its end
MOST_FILE = 12 << 20    # a file of OUT; 16 MiB is what comes back from a machine on loan
LEAST_SECONDS = 5       # a step is not begun with less than this left
TOO_LATE = "too late: the part's time is over"
FORMAT = 1
TEXTS = ("facts", "sanitizer", "profile")  # kinds of steps whose text is the answer
# What differs between two runs of one experiment: times, places, who played.
VARYING = {"invocation", "peak_bytes", "seconds", "cpu_seconds", "version", "revision", "compiler",
           "host", "cpu_model", "started", "finished", "backend", "device", "threads"}


def options_of(words):
    environment = os.environ.get
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", metavar="OUT", type=pathlib.Path)
    parser.add_argument("parts", metavar="PART", nargs="*", help="1, 2, 3 or a name; all")
    parser.add_argument("--dry", action="store_true", help="on the CPU, at small sizes")
    options = parser.parse_args(words)
    names = {str(i): name for i, name in enumerate(evidence_steps.PARTS, 1)}
    options.parts = [names.get(part, part) for part in options.parts] or list(names.values())
    unknown = sorted(set(options.parts) - set(evidence_steps.PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there is: 1, 2, 3, "
                     f"{', '.join(evidence_steps.PARTS)}")
    options.engine = environment("EVIDENCE_ENGINE", "sliced" if options.dry else "cuda")
    options.backend = environment("EVIDENCE_BACKEND", "cpu" if options.dry else "cuda")
    options.seconds = environment("EVIDENCE_SECONDS")
    seconds = environment("EVIDENCE_PART_SECONDS")
    options.part_seconds = {name: float(seconds or most) for name, most in evidence_steps.PARTS.items()}
    options.limit = float(environment("EVIDENCE_LIMIT", "inf"))
    cache = pathlib.Path(environment("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    state = environment("EVIDENCE_STATE", cache / "playproof" / "evidence")
    options.state = pathlib.Path(state).resolve()
    folder = environment("EVIDENCE_BIN")
    options.bin = pathlib.Path(folder).resolve() if folder else None
    return options


# -- one command ----------------------------------------------------------------------------------

def bounded(path):
    """The text of a file; of a long one the beginning and the end."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        data = file.read(MOST_OUTPUT // 2 if size > MOST_OUTPUT else MOST_OUTPUT)
        if size > MOST_OUTPUT:
            file.seek(size - MOST_OUTPUT // 2)
            data += b"\n[... cut ...]\n" + file.read()
    return data.decode("utf-8", "replace")


def end(process):
    """The whole group: a test may have children. What a driver holds may not die at once."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2)


def execute(argv, limit, folder, environment, stdin=""):
    """(status, seconds, stdout, stderr); the status is None if the time limit ended it."""
    paths = [folder / "stdin", folder / "stdout", folder / "stderr"]
    paths[0].write_text(stdin, encoding="utf-8")
    begin = time.monotonic()
    with open(paths[0], "rb") as stdin_file, open(paths[1], "wb") as out, \
            open(paths[2], "wb") as err:
        try:
            process = subprocess.Popen(argv, stdin=stdin_file, stdout=out, stderr=err, cwd=ROOT,
                                       env=environment, start_new_session=True)
        except OSError as error:
            return 127, 0.0, "", str(error)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.poll() is None:
                end(process)
    return status, time.monotonic() - begin, bounded(paths[1]), bounded(paths[2])


def read_answer(text):
    """The JSON of an output: an object, or a list if there is one a line; None if it is text. What
    tools print around it (compute-sanitizer, ncu) is passed over."""
    found = []
    for line in text.splitlines():
        if line.startswith(("{", "[")):
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
    return found[0] if len(found) == 1 else found or None


def read_store(path):
    """What an experiment's store holds, without what may differ between two runs of it."""
    import sqlite3  # not on every machine  # pylint: disable=import-outside-toplevel
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    rows = [dict(row) for row in database.execute("SELECT * FROM run ORDER BY key")]
    database.close()
    text = json.dumps([{k: v for k, v in row.items() if k not in VARYING} for row in rows],
                      sort_keys=True)
    return {"runs": len(rows), "decided": sum(row["verdict"] != "unknown" for row in rows),
            "nodes_created": sum(row["nodes_created"] for row in rows),
            "playouts": sum(row["playouts"] for row in rows),
            "backend": ", ".join(sorted({row["backend"] for row in rows})),
            "device": ", ".join(sorted({row["device"] for row in rows})),
            "digest": hashlib.sha256(text.encode()).hexdigest()}


# -- the machine and its programs -----------------------------------------------------------------

class Machine:
    """What is here: programs of the kit, tools, devices."""

    def __init__(self, options, deadline):
        self.options, self.deadline = options, deadline
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="playproof-evidence-"))
        self.log = []
        self.programs = self.find_programs()
        self.devices = self.find_devices()
        self.version = (self.ask("playproof", "version").splitlines() or [""])[0]
        emulated = any("emulated" in d.get("name", "") for d in self.devices)
        other = options.engine != "cuda" or options.backend.partition(":")[0] != "cuda"
        self.dry = options.dry or other or emulated

    def environment(self, program):
        result = dict(os.environ)
        libraries = self.programs.get("playproof")
        if libraries and program in ("playproof", "compute-sanitizer", "ncu"):
            folder = libraries.parent / "lib"
            if folder.is_dir():
                result["LD_LIBRARY_PATH"] = os.pathsep.join(
                    [str(folder), *filter(None, [result.get("LD_LIBRARY_PATH")])])
        return result

    def ask(self, program, *words):
        path = self.programs.get(program)
        if not path:
            return ""
        return execute([str(path), *words], 60, self.scratch, self.environment(program))[2]

    def find_devices(self):
        if "playproof" in self.programs:
            found = read_answer(self.ask("playproof", "devices", "--json")) or []
            return [d for d in found if isinstance(d, dict) and d.get("kind") != "cpu"]
        # It may not start on another system; tests and bench, built there, can still run.
        words = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        status, _, out, _ = execute(words, 20, self.scratch, dict(os.environ))
        names = out.splitlines() if status == 0 else []
        return [{"kind": "cuda", "name": name.strip()} for name in names]

    def find_programs(self):
        """Those of the kit, or of EVIDENCE_BIN; tests and bench are built if they do not start."""
        folders = [self.options.bin or next(p for p in (ROOT / "bin", ROOT / "build")
                                            if p.is_dir() or p.name == "build")]
        if not self.options.bin:
            folders.append(self.options.state / "build")
            if not self.starts(folders) and (ROOT / "third_party").is_dir():
                self.build(folders[-1])
        found = {}
        for name in PROGRAMS:
            for folder in folders:
                if self.started(folder / name):
                    found[name] = folder / name
        return found

    def started(self, path):
        words = {"playproof": "version", "kernels_test": "--gtest_list_tests",
                 "device_bench": "--list"}[path.name]
        if not path.is_file():
            return False
        self.programs = {path.name: path}  # for its libraries
        status, _, _, error = execute([str(path), words], 60, self.scratch,
                                      self.environment(path.name))
        if status != 0:
            self.log.append(f"{path.name} does not start here: {error.strip()[-500:]}")
        return status == 0

    def starts(self, folders):
        return all(any(self.started(folder / name) for folder in folders)
                   for name in PROGRAMS[1:])

    def build(self, folder):
        for words in (["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release"],
                      ["cmake", "--build", str(folder), "-j", str(os.cpu_count()), "--target",
                       *PROGRAMS[1:]]):
            left = self.deadline - time.monotonic() - 60  # facts and some tests at least
            status, seconds, out, error = execute(words, max(left, 1), self.scratch,
                                                  dict(os.environ))
            self.log.append(f"{' '.join(words)}: status {status}, {seconds:.0f} s\n"
                            + (out + error)[-20000:])
            if status != 0:
                return

    @contextlib.contextmanager
    def held(self):
        """While a process beside the steps has the first device open, if there is one."""
        program = self.programs.get("device_bench")
        if not program or not self.devices:
            yield
            return
        with subprocess.Popen([str(program), "--hold"], stdin=subprocess.PIPE, cwd=ROOT,
                              env=self.environment("device_bench"), start_new_session=True) as process:
            try:
                yield
            finally:
                process.stdin.close()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                if process.poll() is None:
                    end(process)

    def device_tests(self):
        """One step a test: one that hangs costs the others nothing."""
        tests, suite = [], ""
        for line in self.ask("kernels_test", "--gtest_list_tests").splitlines():
            if not line.startswith(" "):
                suite = line.strip()
            elif suite == "Devices.":
                tests.append(suite + line.split("#")[0].strip())
        return tests or ["Devices.*"]

    def setup(self):
        seconds = self.options.seconds
        return evidence_steps.Setup(
            self.options.engine, self.options.backend,
            evidence_steps.Sizes(self.options.dry, float(seconds) if seconds else None),
            ROOT / "tests" / "data", self.device_tests(),
            self.ask("device_bench", "--list").split() or ["all"])

    def facts(self):
        return {"format": FORMAT, "dry": self.dry, "engine": self.options.engine,
                "backend": self.options.backend, "version": self.version,
                "devices": self.devices, "cores": os.cpu_count(), "processor": processor(),
                "date": time.strftime("%Y-%m-%d", time.gmtime())}

    def reason_to_skip(self, step):
        """Why a step cannot run here; None if it can."""
        if step.device and not self.devices and (step.gpu or not self.dry):
            return "no device on this machine"
        if step.gpu and self.dry and step.device:
            return "the dry form has no device"
        for name in PROGRAMS:
            if name in step.argv and name not in self.programs:
                return f"{name} is not there or does not start"
        if step.argv[0] not in PROGRAMS and not shutil.which(step.argv[0]):
            return f"{step.argv[0]} is not on this machine"
        return None

    def run(self, step, limit):
        plan, store = self.scratch / "plan.toml", self.scratch / "store.db"
        for old in self.scratch.glob("store.db*"):
            old.unlink()
        plan.write_text(step.plan, encoding="utf-8")
        places = {"{plan}": str(plan), "{store}": str(store)}
        argv = [str(self.programs.get(word, places.get(word, word))) for word in step.argv]
        status, seconds, out, error = execute(argv, limit, self.scratch,
                                              self.environment(step.argv[0]), step.stdin)
        answer = read_answer(out)
        if step.plan and status == 0:
            try:
                answer = {**read_store(store), "seconds": seconds}
            except Exception as problem:  # pylint: disable=broad-except
                error += f"the store was not read: {problem}\n"
        return status, seconds, answer, out, error


def processor():
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return ""


# -- a part ---------------------------------------------------------------------------------------

class Part:
    """One part: its steps, what is remembered of them, its files."""

    def __init__(self, name, machine, deadline):
        self.name, self.machine, self.deadline = name, machine, deadline
        self.options = machine.options
        self.facts = machine.facts()
        self.steps = list(evidence_steps.STEPS[name](machine.setup()))
        self.records = {}

    def memory(self, step):
        """Where a step is remembered: another program, machine or command is another step."""
        key = [FORMAT, step.name, step.argv, step.plan, self.options.seconds,
               *(self.facts[k] for k in ("version", "engine", "backend", "dry", "devices"))]
        text = json.dumps(key, sort_keys=True)
        return self.options.state / (hashlib.sha256(text.encode()).hexdigest()[:24] + ".json")

    def remembered(self, step):
        if step.always:
            return None
        try:
            return json.loads(self.memory(step).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def run(self):
        begin = time.monotonic()
        again = []
        for step in self.steps:
            known = self.remembered(step)
            if known and evidence_steps.done(known):
                self.records[step.name] = {**known, "remembered": True}
            elif known:
                again.append(step)
        for step in [s for s in self.steps if s.name not in self.records and s not in again] + again:
            self.records[step.name] = self.play(step)
            self.write()
        self.facts["seconds"] = round(time.monotonic() - begin, 1)
        well = self.write()
        print(self.summary(), flush=True)
        return well

    def summary(self):
        records = self.records.values()
        late = sum(TOO_LATE == record.get("skipped") for record in records)
        done = sum(map(evidence_steps.done, records))
        skipped = sum("skipped" in record for record in records)
        return (f"{self.name}: {done} of {len(self.steps)} steps done, "
                f"{len(self.steps) - done - skipped} failed, {skipped} skipped"
                + (f", {late} of them for time: call again" if late else ""))

    def play(self, step):
        record = {"step": step.name, "kind": step.kind, "device": step.device,
                  "command": step.argv, "same": step.same, "status": None, "seconds": 0.0}
        reason = self.machine.reason_to_skip(step)
        left = self.deadline - time.monotonic()
        if not reason and left < min(step.limit, LEAST_SECONDS):
            reason = TOO_LATE
        if reason:
            return {**record, "skipped": reason}
        limit = min(step.limit, self.options.limit, left)
        status, seconds, answer, out, error = self.machine.run(step, limit)
        record.update(status=status, seconds=round(seconds, 3), limit=round(limit, 1))
        if status is None:
            record["failed"] = f"its time limit of {limit:.1f} s ended it"
        elif status == 0 and "[  SKIPPED ]" in out:
            record["skipped"] = "the test has skipped itself"
        elif status not in step.statuses:
            record["failed"] = (error.strip() or out.strip())[-2000:]
        record["answer"] = answer
        record["text"] = (out if answer is None or step.gpu else "") + error
        # A step that the end of the part cut short was not given its time: it is new again.
        if status is not None or limit == min(step.limit, self.options.limit):
            write_whole(self.memory(step), json.dumps(record))
        print(f"{self.name}: {step.name}: "
              f"{'time limit' if status is None else f'status {status}'}, {seconds:.1f} s",
              flush=True)
        return record

    def pack(self):
        """Both files and what is remembered in one, for a machine from which few come back."""
        path = self.options.out / f"{self.name}.tgz"
        new = path.with_name(path.name + ".new")
        with tarfile.open(new, "w:gz") as archive:
            for kind in ("jsonl", "log"):
                archive.add(self.options.out / f"{self.name}.{kind}", f"{self.name}/{self.name}.{kind}")
            for memory in [self.memory(step) for step in self.steps if not step.always]:
                if memory.is_file():
                    archive.add(memory, f"{self.name}/state/{memory.name}")
        new.replace(path)
        (self.options.out / f"{self.name}.log").unlink()

    def write(self):
        """Both files, as they are now: whatever ends this script leaves what was done."""
        records = [self.records[s.name] for s in self.steps if s.name in self.records]
        compared = evidence_steps.comparisons(records)
        lines = [json.dumps({"facts": {**self.facts, "part": self.name,
                                       "steps": len(self.steps)}})]
        for record in records:
            lines.append(json.dumps({k: v for k, v in record.items()
                                     if k != "text" or record["kind"] in TEXTS}))
        lines += [json.dumps(one) for one in compared]
        write_whole(self.options.out / f"{self.name}.jsonl", fit(lines))
        log = list(self.machine.log)
        for record in records:
            state = record.get("skipped") or record.get("failed") or "done"
            log.append(f"=== {record['step']} ({record['seconds']} s): {state.splitlines()[0]}\n"
                       f"{' '.join(record['command'])}\n{record.get('text', '')}")
        write_whole(self.options.out / f"{self.name}.log", fit(log))
        return (all("failed" not in record for record in records)
                and all(one["equal"] is not False for one in compared))


def fit(lines):
    """The lines that fit into a file, and a last one that says so if some do not."""
    size, kept = 0, []
    for line in lines:
        size += len(line.encode()) + 1
        if size > MOST_FILE:
            kept.append(json.dumps({"cut": f"{len(lines) - len(kept)} more do not fit"}))
            break
        kept.append(line)
    return "\n".join(kept) + "\n"


def write_whole(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def main():
    options = options_of(sys.argv[1:])
    options.out.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what runs is ended then, too
    # Where the toolkit lies if nobody says so.
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
    well = True
    begin = time.monotonic()
    # Its time, also that of a build, is the first part's.
    machine = Machine(options, begin + options.part_seconds[options.parts[0]])
    try:
        with machine.held():
            for name in options.parts:
                part = Part(name, machine, begin + options.part_seconds[name])
                well &= part.run()
                part.pack()
                begin = time.monotonic()
    finally:
        shutil.rmtree(machine.scratch, ignore_errors=True)
    if machine.dry:
        print("a dry run: none of these numbers is a GPU's")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
