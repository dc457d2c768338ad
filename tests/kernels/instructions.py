"""Counts the instructions of a kernel that one unit of work takes.

The disassembly says of every instruction from which line of the sources it comes and through which
calls, and its branches say which loops it is in. How often a loop runs is not in the code: a Unit
says so of loops that it names by the text of a line, mostly a call. Each instruction counts as often
as the loops around it run; of two ways both count, unless the unit says `never` of one, or how `often`. What the
warp would do if its lanes had parted is not counted: they do not."""

import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import tempfile

# Of the pipe for integers and logic; multiplications (and what is made of them) have their own.
ALU = frozenset("LOP3 PLOP3 SHF SHL SHR IADD3 IADD VIADD ISETP SEL PRMT LEA IMNMX VIMNMX MOV BMSK SGXT "
                "IABS LOP P2R R2P".split())
# Disassembling takes seconds an object: by day the code of some kernels is counted, by night that of all.
EVERY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0" or "PLAYPROOF_WRITE_GOLDEN" in os.environ
ROOT = pathlib.Path(os.environ.get("PLAYPROOF_SOURCE", pathlib.Path(__file__).parents[2]))
COUNTS = ["issued", "ALU", "LOP3", "SHFL", "LDS/STS", "LDG"]


@dataclasses.dataclass(frozen=True)
class Instruction:
    address: int
    opcode: str
    target: int  # of a branch, or None
    falls: bool  # the next instruction may follow
    lines: tuple  # source lines, innermost call first


@dataclasses.dataclass(frozen=True)
class Unit:
    """`within`: the line of which it is a part. `depth`: loops around all of it. `loops`: (line,
    times), the first that fits says how often the loops inside run, from the outermost on; 1 is
    for all others. `often`: (line, times) of what is passed by at times, on each run of the loops around
    it. `share`: divides the sum. Lines are regular expressions."""

    name: str
    within: str = ""
    depth: int = 0
    loops: tuple = ()
    never: tuple = ()
    often: tuple = ()
    share: float = 1


def here(path, root):
    """The file of `root` that a path of the compiler's means; others as they are. An object may come from a
    compiler's cache that another checkout has filled: it names that one's files."""
    parts = pathlib.PurePath(os.path.normpath(path)).parts
    tails = (root.joinpath(*parts[n:]) for n in range(1, len(parts) - 1))
    return next((tail for tail in tails if tail.is_file()), pathlib.Path(path))


@functools.lru_cache(maxsize=None)
def source(path):
    file = here(path, ROOT)
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


@functools.lru_cache(maxsize=None)
def line_text(path, number):
    lines = source(path)
    return lines[number - 1].strip() if number <= len(lines) else ""


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def disassemble(tools, compiled, wanted):
    """{architecture: {mangled name: [Instruction]}} of the kernels of an object whose mangled names are wanted. Tools:
    (nvdisasm, cuobjdump)."""
    nvdisasm, cuobjdump = tools
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([cuobjdump, "-xelf", "all", compiled.resolve()], cwd=folder, stdout=subprocess.DEVNULL,
                       check=True)
        for cubin in pathlib.Path(folder).iterdir():
            symbols = re.findall(r"^ *(\d+): .* FUNC .* (_\S+)$", output("readelf", "-sW", cubin), re.M)
            numbers = [number for number, mangled in symbols if wanted(mangled)]
            if not numbers:
                continue
            said = output(nvdisasm, "-c", "-gi", "-fun", ",".join(numbers), cubin)
            architecture = re.search(r"\.target\s+sm_(\d+)", said).group(1)
            parts = re.split(r"^//-+ \.text\.(\S+) -+$", said, flags=re.M)
            found.setdefault(architecture, {}).update(zip(parts[1::2], map(parse, parts[2::2])))
    return found


def parse(text):
    labels = {}
    found = []
    lines = []
    fresh = True  # the next line comment begins a new place
    for line in text.splitlines():
        if comment := re.match(r'\s*//## File "([^"]+)", line (\d+)', line):
            lines = ([] if fresh else lines) + [line_text(comment[1], int(comment[2]))]
            fresh = False
        elif label := re.match(r"(\.L\w+):", line):
            labels[label[1]] = len(found)
        elif code := re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(@\S+\s+)?([A-Z]\S*)(.*);", line):
            fresh = True
            found.append((int(code[1], 16), code[3], code[2], code[4], tuple(lines)))
    addresses = [row[0] for row in found] + [None]
    code = []
    for address, opcode, guard, operands, lines in found:
        name = opcode.split(".")[0]
        label = re.search(r"`\((\.L\w+)\)", operands)
        # BRA.DIV goes where lanes that have parted are waited for. A CALL to a label never comes back.
        jumps = label and name in ("BRA", "CALL") and ".DIV" not in opcode
        falls = bool(guard) or ".DIV" in opcode or not (jumps or name in ("EXIT", "RET"))
        code.append(Instruction(address, opcode, addresses[labels[label[1]]] if jumps else None,
                                falls, lines))
    return code


def blocks_of(code):
    """Basic blocks as (instructions, numbers of the blocks that may follow)."""
    starts = {code[0].address} | {i.target for i in code if i.target is not None}
    blocks = []
    for before, now in zip([None, *code], code):
        if now.address in starts or before.target is not None or not before.falls:
            blocks.append([])
        blocks[-1].append(now)
    number = {block[0].address: n for n, block in enumerate(blocks)}
    found = []
    for n, block in enumerate(blocks):
        last = block[-1]
        after = {number[last.target]} if last.target is not None else set()
        found.append((block, after | ({n + 1} if last.falls and n + 1 < len(blocks) else set())))
    return found


def loop_depths(code):
    """{address: number of loops around it} of all instructions that are ever reached."""
    blocks = blocks_of(code)
    reached, open_ = {0}, [0]
    while open_:
        new = blocks[open_.pop()][1] - reached
        reached |= new
        open_ += new
    before = {n: [b for b in reached if n in blocks[b][1]] for n in reached}
    dominators = {n: set(reached) for n in reached} | {0: {0}}
    changed = True
    while changed:
        changed = False
        for n in sorted(reached - {0}):
            new = {n} | set.intersection(*(dominators[b] for b in before[n]))
            changed |= new != dominators[n]
            dominators[n] = new
    loops = {}  # first block: all blocks
    for n in reached:
        for head in blocks[n][1] & dominators[n]:
            body, open_ = loops.setdefault(head, {head}), [n]
            while open_:
                block = open_.pop()
                if block not in body:
                    body.add(block)
                    open_ += before[block]
    return {i.address: sum(n in body for body in loops.values())
            for n in reached for i in blocks[n][0]}


@functools.lru_cache(maxsize=None)
def in_lines(lines, pattern):
    return not pattern or any(re.search(pattern, line) for line in lines)


def comes_from(instruction, pattern):
    return in_lines(instruction.lines, pattern)


def unknown(code, unit):
    """What the unit says of lines that no instruction comes from; `never` may be right so."""
    return [pattern for pattern in (unit.within, *(pattern for pattern, _ in unit.loops + unit.often))
            if not any(comes_from(instruction, pattern) for instruction in code)]


def unrolled(code, unit, depths):
    """The lines whose loops are not there: the compiler has unrolled or peeled one, and what was in
    it would count too seldom."""
    wrong = []
    for pattern, runs in unit.loops:
        deepest = max((depths.get(i.address, -1) for i in code if comes_from(i, pattern)), default=-1)
        if deepest < unit.depth + len(runs):
            wrong.append(pattern)
    return wrong


def times(unit, instruction, depth):
    """How often an instruction counts."""
    inside = depth - unit.depth
    if (inside < 0 or not comes_from(instruction, unit.within) or
            any(comes_from(instruction, pattern) for pattern in unit.never)):
        return 0
    runs = next((runs for pattern, runs in unit.loops if comes_from(instruction, pattern)), ())
    product = next((share for pattern, share in unit.often if comes_from(instruction, pattern)), 1)
    for run in runs[:inside]:
        product *= run
    return product


def count(code, unit):
    """COUNTS of one unit, rounded."""
    if wrong := unknown(code, unit):
        raise ValueError(f"no instruction of the kernel comes from a line like {wrong}")
    depths = loop_depths(code)
    if wrong := unrolled(code, unit, depths):
        raise ValueError(f"no instruction is in all the loops of a line like {wrong}")
    sums = [0.0] * len(COUNTS)
    for instruction in code:
        often = times(unit, instruction, depths.get(instruction.address, -1))
        name = instruction.opcode.split(".")[0]
        kinds = [True, name in ALU, name == "LOP3", name == "SHFL", name in ("LDS", "STS"),
                 name == "LDG"]
        sums = [s + often * kind for s, kind in zip(sums, kinds)]
    return tuple(round(s / unit.share) for s in sums)
