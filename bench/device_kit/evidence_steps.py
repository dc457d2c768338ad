"""The steps of the evidence: three lists of commands. bench/device_kit/evidence.py runs them,
bench/device_kit/import.py reads what they said."""

import collections
import dataclasses
import pathlib

# In order of value, and the seconds that each may take: a machine may be there for a quarter of an
# hour in all, its start included.
PARTS = {"kernels": 200, "fleets": 250, "searches": 240}

# What must be equal in the answers of one group; the rest is time.
TALLIES = ("tally_checksum",)
SEARCH = ("verdict", "iterations", "nodes_created", "evaluations", "playouts", "best_move")
VERDICT = ("verdict",)
FLEET = ("searches", "decided", "nodes_created", "leaves", "playouts")
FLEET_VERDICT = ("searches", "decided")
STORE = ("runs", "digest")

GAMES = {"pgame": "pgame:branching=2,depth=20", "hex": "hex:size=11", "hex 19x19": "hex:size=19",
         "othello": "othello:size=8", "connect6": "connect6:size=19"}
# A board for each other kernel.
OTHERS = {"pgame 3x20": "pgame:branching=3,depth=20", "pgame 8x8": "pgame:branching=8,depth=8",
          **{f"hex {n}x{n}": f"hex:size={n}" for n in (3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18)},
          "hex 5x12": "hex:rows=5,columns=12", "hex 3x19": "hex:rows=3,columns=19",
          "hex 8x14": "hex:rows=8,columns=14", "hex 5x17": "hex:rows=5,columns=17",
          "othello 4": "othello:size=4", "othello 6": "othello:size=6",
          "connect 7x7": "connect6:rows=7,columns=7,connect=4,stones=2",
          "connect 19x19 of 5": "connect6:size=19,connect=5"}
CONNECT = "connect6:rows=4,columns=5,connect=3,stones=1"


@dataclasses.dataclass
class Step:
    """A command, its first word a program of the kit or of the machine."""
    name: str
    argv: list
    limit: float = 60                 # seconds; then it is ended
    kind: str = "log"                 # what import.py makes of its answer
    device: bool = False              # it asks the device, or what stands in for it
    gpu: bool = False                 # nothing can stand in for the device
    same: dict = dataclasses.field(default_factory=dict)  # {group: names of what must be equal}
    stdin: str = ""
    plan: str = ""                    # an experiment's, written to the file {plan}
    statuses: tuple = (0,)            # those that are no failure
    always: bool = False              # of this call's machine, so never remembered


class Sizes:
    """What a real run takes, and what the dry form takes to go through the same steps."""

    def __init__(self, dry, seconds):
        self.seconds = str(seconds if seconds is not None else 0.003 if dry else 1)
        self.warm = "0.01" if dry else "5"
        self.leaves = ("3", "32") if dry else ("4096", "128")
        # All of them at once: more than 48 words an SM, so Othello's kernel of a word a thread.
        self.words = "3" if dry else "16384"
        self.small = ("3", "32") if dry else ("40", "64")
        self.middle = ("3", "64") if dry else ("900", "32")
        self.large = ("4", "32") if dry else ("1100", "32")
        self.profile = ("3", "32") if dry else ("65536", "64")
        self.profiled_words = "3" if dry else "131072"
        self.trees = 5 if dry else 10000
        self.in_flight = (1, 2, 3, 4) if dry else (1, 100, 1000, 10000)
        self.feeders = (1, 2, 3) if dry else (1, 4, 16)
        self.whole = (4, 6) if dry else (10000, 100000)
        self.hex = "hex:size=3" if dry else "hex:size=4"
        self.tests = "Philox.*" if dry else "-Devices.*:*Slow*"
        self.max_nodes = "3000" if dry else "300000"

    def searches(self, in_flight):
        return in_flight if in_flight < 10 else max(100, min(10000, 3 * in_flight))


@dataclasses.dataclass
class Setup:
    engine: str           # of bench playouts
    backend: str          # of searches
    sizes: Sizes
    data: pathlib.Path    # tests/data
    device_tests: list    # of kernels_test
    cases: list           # of device_bench

    def row(self, name):
        lines = (self.data / name).read_text(encoding="utf-8").splitlines()
        return next(line for line in lines if line and not line.startswith("#"))


def playouts(setup, *words, engine=None, size=None):
    size = size or setup.sizes.leaves
    return ["playproof", "bench", "playouts", *words, "--engine", engine or setup.engine,
            "--leaves", size[0], "--playouts-per-leaf", size[1], "--json"]


def roles(setup):
    return (("device", setup.backend), ("host", "cpu"), ("scalar", "scalar"))


def warm_up(setup):
    yield Step("warm-up", ["playproof", "bench", "playouts", "hex:size=11", "--engine",
                           setup.engine, "--seconds", setup.sizes.warm, "--json"], device=True,
               always=True)


def clocks(when):
    yield Step(f"nvidia-smi {when}", ["nvidia-smi", "--query-gpu=name,driver_version,pstate,clocks.sm,"
                                      "clocks.mem,clocks.max.sm,power.draw,temperature.gpu",
                                      "--format=csv"], 20, "facts", gpu=True, always=True)


def tallies(setup, game, words):
    """The same playouts by device and CPU, equal by checksum, in one batch."""
    for who, engine in (("device", None), ("host", "sliced")):
        yield Step(f"tallies {game} {who}",
                   [*playouts(setup, *words, engine=engine), "--batch-words", setup.sizes.words], 30,
                   "tallies", device=engine is None, same={f"tallies {game}": TALLIES})


def rates(setup, game, words):
    for who, engine in (("device", setup.engine), ("host", "sliced")):
        yield Step(f"rate {game} {who}",
                   ["playproof", "bench", "playouts", *words, "--engine", engine, "--seconds",
                    setup.sizes.seconds, "--json"], 20, "rate", device=who == "device")
        yield Step(f"rate {game} leaves {who}",
                   [*playouts(setup, *words, engine=engine), "--seconds", setup.sizes.seconds], 20,
                   "rate", device=who == "device")


def middle_games(setup):
    return {"connect6-61-stones": ("connect6:size=19", "--position",
                                   setup.row("connect6-61-stones.txt"))}


def kernels(setup):
    """Part 1: what the machine is; the checksum of every kernel beside the CPU's; playouts a second."""
    yield Step("nvidia-smi table", ["nvidia-smi"], 20, "facts", gpu=True)
    yield from warm_up(setup)
    games = {**{game: (spec,) for game, spec in GAMES.items()}, **middle_games(setup)}
    for game, words in {**games, **{game: (spec,) for game, spec in OTHERS.items()}}.items():
        yield from tallies(setup, game, words)
    for game, words in games.items():
        yield from rates(setup, game, words)
    yield from clocks("warm")
    for game, spec in GAMES.items():
        for who, engine in (("device", None), ("host", "sliced")):
            for size in ("small", "middle", "large"):
                yield Step(f"few playouts {game} {size} {who}",
                           playouts(setup, spec, engine=engine, size=getattr(setup.sizes, size)),
                           20, "tallies", device=engine is None,
                           same={f"few playouts {game} {size}": TALLIES})
    for game in ("hex 13x13", "hex 14x14", "pgame 8x8", "othello 6"):
        yield from rates(setup, game, (OTHERS[game],))
    yield Step("nvidia-smi", ["nvidia-smi", "-q"], 20, "facts", gpu=True)
    yield Step("nvcc", ["nvcc", "--version"], 20, "facts")
    yield Step("processor", ["lscpu"], 20, "facts")
    yield Step("system", ["uname", "-a"], 20, "facts")
    yield Step("version", ["playproof", "version"], 20, "facts")


def fleets(setup):
    """Part 2: the tests of the device, each in a process of its own; many searches at a time."""
    yield from warm_up(setup)
    for test in setup.device_tests:
        yield Step(f"test {test}", ["kernels_test", f"--gtest_filter={test}"], 60, "test",
                   device=True)
    yield from in_flight(setup)
    yield from experiments(setup)


def searches(setup):
    """Part 3: whole searches on the device beside the cores; a profile a kernel; searches over the device
    and over the CPU, the same counts; what one batch takes; compute-sanitizer."""
    yield from warm_up(setup)
    yield from whole(setup)
    yield from solves(setup)
    yield from profiles(setup)
    for case in setup.cases:
        yield Step(f"device_bench {case}", ["device_bench", "--json", "--case", case, "--seconds",
                                            "0.1"], 30, "device_bench", device=True, gpu=True)
    for case in ("pgame-2x20", "hex-11", "othello-8", "connect6-19"):
        yield Step(f"device_bench ways {case}",
                   ["device_bench", "--json", "--ways", "--case", case, "--seconds", "0.03"], 30, "ways",
                   device=True, gpu=True)
    yield from repeated(setup)
    yield from sanitized(setup)
    yield Step("test engines of the CPU", ["kernels_test", f"--gtest_filter={setup.sizes.tests}",
                                           "--gtest_brief=1"], 180, "test")


def whole(setup):
    """Many searches on 16 cores, over the device leaf by leaf, and on it as a whole: `bench fleet` fails
    where their counts differ."""
    spec = GAMES["pgame"] if setup.sizes.whole[0] > 10 else "pgame:branching=2,depth=8"
    few, many = map(str, setup.sizes.whole)
    for algorithm, count, ways in (("ppn:playouts=10", few, "cores,leaves,whole"), ("pn", few, "cores,whole"),
                                   ("ppn:playouts=10", many, "cores,whole")):
        yield Step(f"whole {algorithm.partition(':')[0]} {count}",
                   ["playproof", "bench", "fleet", spec, "--algorithm", algorithm, "--searches", count,
                    "--ways", ways, "--threads", "16", "--max-nodes", "20000000", "--backend",
                    setup.backend, "--json"], 60, "whole", device=True)


def profiles(setup):
    """Of one launch each. Clocks stay as they are: a profile is of shares and stalls, not of speed."""
    sections = ("SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis",
                "SchedulerStats", "WarpStateStats", "InstructionStats", "LaunchStats", "Occupancy")
    metrics = ("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
               "group:smsp__pcsamp_warp_stall_reasons")
    for game, words in {**{game: (spec,) for game, spec in GAMES.items()}, **middle_games(setup)}.items():
        yield Step(f"profile {game}",
                   ["ncu", "--clock-control", "none", "--kernel-name", "regex:play_", "--launch-count", "1", "--csv",
                    "--metrics", ",".join(metrics),
                    *(word for section in sections for word in ("--section", section)),
                    *playouts(setup, *words, size=setup.sizes.profile), "--batch-words",
                    setup.sizes.profiled_words],
                   30, "profile", device=True, gpu=True)


def sanitized(setup):
    for game, spec in GAMES.items():
        for tool in ("memcheck", "racecheck", "synccheck"):
            for size in ("small", "middle", "large") if tool == "memcheck" else ("small",):
                yield Step(f"{tool} {game} {size}",
                           ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9",
                            *playouts(setup, spec, size=getattr(setup.sizes, size))],
                           45, "sanitizer", device=True, gpu=True)


def solved(setup):
    othello = " ".join(setup.row("othello-12-exact.txt").split()[:2])
    return [("pgame", "pgame:branching=2,depth=20,tree=1", ""), ("hex", setup.sizes.hex, ""),
            ("othello", "othello:size=8", othello), ("connect", CONNECT, "")]


def solves(setup):
    checked = setup.backend.partition(":")[0]
    for game, spec, position in solved(setup):
        words = ["playproof", "solve", spec, "--position", position, "--algorithm",
                 "ppn:playouts=64", "--max-nodes", setup.sizes.max_nodes, "--json", "--backend"]
        yield Step(f"check {game}", [*words, f"check:of={checked},against=cpu,every=1"], 60,
                   "check", device=True, same={f"solve {game}": SEARCH}, statuses=(0, 2))
        for who, backend in roles(setup):
            same = {f"verdict {game}": VERDICT}
            if who != "scalar":  # the baseline plays other playouts
                same[f"solve {game}"] = SEARCH
            yield Step(f"solve {game} {who}", [*words, backend], 60, "solve",
                       device=who == "device", same=same, statuses=(0, 2))


def repeated(setup):
    for game, spec, position in solved(setup):
        for algorithm in ("ppn", "mcpn", "uct"):
            for who, backend in roles(setup):
                yield Step(f"end {game} {algorithm} {who}",
                           ["playproof", "bench", "search", spec, "--position", position,
                            "--algorithm", f"{algorithm}:playouts=64", "--backend", backend,
                            "--repeat", "1", "--max-nodes", setup.sizes.max_nodes, "--json"],
                           40, "end", device=who == "device")


def in_flight(setup):
    """Those with many in flight first: they are what a device is for."""
    sizes = setup.sizes
    cases = [("pgame", "pgame:branching=2,depth=20", "ppn:playouts=10"),
             ("hex", sizes.hex, "ppn:playouts=64,order=random")]
    for many in sorted(sizes.in_flight, reverse=True):
        count = str(sizes.searches(many))
        for game, spec, algorithm in cases:
            for who, backend in roles(setup):
                # The baseline is slow; what it decides is asked once.
                if who == "scalar" and many != sizes.in_flight[1]:
                    continue
                feeding = [n for n in sizes.feeders if n <= many]
                for feeders in feeding if who == "device" else feeding[-1:]:
                    group = f"{game} {count}"
                    same = {f"decided {group}": FLEET_VERDICT}
                    if who != "scalar":
                        same[f"fleet {group}"] = FLEET
                    yield Step(f"fleet {game} {many} in flight {feeders} feeders {who}",
                               ["playproof", "bench", "search", spec, "--algorithm", algorithm,
                                "--backend", backend, "--in-flight", str(many), "--feeders",
                                str(feeders), "--searches", count, "--batch-searches", "1024",
                                "--json"], 30 if many < 1000 else 60, "fleet", device=who == "device", same=same)


def experiments(setup):
    few = setup.sizes.trees < 100
    plans = {
        "pgames": f'name = "pgames"\n[limits]\nmax_nodes = 20000000\n[[series]]\nname = "2x20"\n'
                  f'game = "pgame:branching=2,depth={8 if few else 20}"\n'
                  f'trees = {{ from = 1, to = {setup.sizes.trees} }}\n'
                  '[[algorithm]]\nlabel = "PPN"\nspec = "ppn:playouts=10"\n',
        "connect": f'name = "connect"\n[limits]\nmax_nodes = {setup.sizes.max_nodes}\n[[series]]\n'
                   f'name = "connect"\ngame = "{CONNECT}"\nrepetitions = {1 if few else 10}\n'
                   'positions = ["", "AA", "BA", "CA", "AB", "BB", "CB"]\n'
                   + "".join(f'[[algorithm]]\nlabel = "{a}"\nspec = "{a}:playouts=64"\n'
                             for a in ("ppn", "mcpn", "uct"))}
    for name, plan in plans.items():
        for who, backend in (("device", setup.backend), ("host", "cpu")):
            yield Step(f"experiment {name} {who}",
                       ["playproof", "experiment", "{plan}", "--store", "{store}", "--backend",
                        backend, "--threads", "16", "--progress", "none"],
                       120, "experiment", device=who == "device",
                       same={f"experiment {name}": STORE}, plan=plan)


STEPS = {"kernels": kernels, "fleets": fleets, "searches": searches}


def done(record):
    return "skipped" not in record and "failed" not in record


def values(answer, names):
    """What a comparison looks at: of an answer or of the only row in it."""
    inner = (answer.get("rows") or [{}])[0]
    return {name: answer.get(name, inner.get(name)) for name in names}


def comparisons(records):
    """One record a group of steps whose answers must be equal: `equal` is null of one alone."""
    groups = collections.defaultdict(list)
    for record in records:
        for group, names in record.get("same", {}).items():
            if done(record) and isinstance(record.get("answer"), dict):
                found = values(record["answer"], names)
                # A limit may end one of two searches that play other playouts: no contradiction.
                if found != {"verdict": "unknown"}:
                    groups[group].append((record["step"], found))
    result = []
    for group, members in groups.items():
        first = members[0][1]
        known = all(value is not None or name == "best_move"  # which a disproof has not
                    for name, value in first.items())
        result.append({"comparison": group, "of": [step for step, _ in members],
                       "equal": (known and all(found == first for _, found in members)
                                 if len(members) > 1 else None),
                       "values": [found for _, found in members]})
    return result
