"""What the compiler makes of whole searches (kernels/*/searches*.cu), against
tests/golden/search-resources.txt: registers, stack and spilled bytes, as ptxas said when the library was
compiled; and that no product is fused with a sum, which would give other bits than the CPU.
Needs a build with CUDA, no device.

With PLAYPROOF_WRITE_GOLDEN=1 the table is written instead of compared."""

import functools
import os
import re
import unittest

import disassembler
import instructions
import test_device_code as device_code

TABLE = device_code.ROOT / "tests" / "golden" / "search-resources.txt"
SOURCES = sorted((device_code.ROOT / "kernels").glob("*/searches*.cu"))
HEAD = """\
# What whole searches need, by ptxas -v of nvcc {}: written by tests/kernels/test_search_code.py.
# game, scheme | architecture | registers | stack bytes | spilled bytes | instructions
"""
LOCKSTEP = TABLE.with_name("search-lockstep.txt")
BOUND = device_code.BOUND
COUNTS_HEAD = """
# Instructions of an iteration of P-games with 2 branches and 20 plies, PPN with 10 playouts: of a thread, of a warp for
# its 32 trees, and how busy the lanes of the latter are (in PPN they play for each other). Of two ways both count; how
# often loops run is in search-lockstep.txt.
# game, scheme | architecture | of a thread | of a warp | % busy
"""
# What hardly ever happens, or is not asked for: numbers out of a double's range, curves, orders, more memory, a tree
# that begins or has ended.
NEVER = (r"add_wide\(|precedes_wide\(|widen\(\);|wide_(none|any)_|wide_result\(|WideDouble",
         r"look_at_root\(\);", r"held_child\(", r"shuffle_moves\(", r"grow\(round, search\)",
         r"search\.(begin|resume|pause|result)\(", r"atomicAdd\(round\.next", r"play_lanes<(1|kFew)>",
         r"go\(random_word\(")
FUSED = frozenset(["FFMA", "DFMA", "HFMA2"])


def kernel_name(mangled):
    """PGame, Ppn; None of other kernels."""
    found = re.search(r"search_treesINS_(\d+)(\w+)", mangled)
    if not found:
        return None
    game, rest = found[2][:int(found[1])], found[2][int(found[1]):]
    words, rest = re.match(r"(?:ILi(\d+)EE)?ENS_(\w+)", rest).groups()
    scheme, rest = first_name(rest)
    if scheme == "Deepest":
        scheme = f"Deepest<{first_name(rest.removeprefix('INS_'))[0]}>"
    return f"{game}<{words}>, {scheme}" if words else f"{game}, {scheme}"


def first_name(mangled):
    """(a name, what is after it); of tables: EwsBy<TalliedNumbers> is Ews."""
    length, rest = re.match(r"(\d+)(\w+)", mangled).groups()
    return rest[:int(length)].removesuffix("By"), rest[int(length):]


def some():
    """Every third kernel of the table: of each game and each scheme one; and those that iterations() are of."""
    return {*(kernel for kernel, _ in sorted(table()[1])[::3]), *(f"PGame, {scheme}" for scheme in loops())}


@functools.lru_cache(maxsize=None)
def code_of(source, architecture):
    """{kernel: instructions} of a unit; by day of some()."""
    names = None if instructions.EVERY else some()
    kernels = instructions.disassemble(
        disassembler.tools(device_code.nvcc()), device_code.object_of(source),
        lambda mangled: (name := kernel_name(mangled)) and (names is None or name in names))[architecture]
    return {kernel_name(mangled): code for mangled, code in kernels.items()}


def loops():
    """{scheme: (those of a thread, those of a warp)}, an iteration: steps down, nodes backed up, of these with
    bounds, portions of playouts, their plies, their blocks of random bits."""
    rows = [line.split(" | ") for line in LOCKSTEP.read_text().splitlines() if not line.startswith("#")]
    return {row[0]: (tuple(map(float, row[1:7])), tuple(map(float, row[7:]))) for row in rows}


def iteration(of, scheme):
    """With 2 branches: all leaves of a warp are played in one go. What may ask for more memory is a loop."""
    steps, updates, bounds, portions, plies, blocks = of
    inside = ((r"descend\(\);", (1, steps, 2)), (r"expand\(\);", (1, 2)))
    often = ((r"back_up_bounds\(|\.decides\(|\.proves\(|Bounds::both\(|node\.decided = true", bounds / updates),)
    if scheme == "Pn":
        inside += ((r"back_up\(\);", (1, updates, 2)),)
    else:
        inside += ((r"back_up\(\);", (updates, 2)), (r"play_portions\(", (1, portions, plies / portions, 0)),
                   (r"place_of\(", (1,)), (r"\.play\(rules, search,", (1, 2)))
        often += ((r"ahead_ = random_block\(", blocks / plies),)
    return instructions.Unit("iteration", depth=1, never=NEVER, loops=inside, often=often)


def iterations():
    """{(kernel, architecture): (instructions of a thread, of a warp, % busy)}"""
    found = {}
    code = code_of(device_code.ROOT / "kernels" / "pgame" / "searches.cu", "90")
    for scheme, both in loops().items():
        thread, warp = (instructions.count(code[f"PGame, {scheme}"], iteration(of, scheme))[0] for of in both)
        found[f"PGame, {scheme}", "90"] = (thread, warp, round(100 * thread / warp))
    return found


def measured(architecture):
    """{(kernel, architecture): (registers, stack, spilled, instructions, or None where they are not counted)}"""
    found = {}
    for source in SOURCES:
        code = code_of(source, architecture)
        for (mangled, compiled), used in device_code.resources(source).items():
            name = kernel_name(mangled)
            if compiled == architecture:
                found[name, compiled] = (*used, len(code[name]) if name in code else None)
    return found


def table():
    """(release, {(kernel, architecture): resources}, {(kernel, architecture): those of an iteration})"""
    text = TABLE.read_text()
    rows = [[cell.strip() for cell in line.split("|")]
            for line in text.splitlines() if line and not line.startswith("#")]
    numbers = [((row[0], row[1]), tuple(map(int, row[2:]))) for row in rows]
    return (re.search(r"of nvcc ([^:]+):", text).group(1), {key: row for key, row in numbers if len(row) == 4},
            {key: row for key, row in numbers if len(row) == 3})


class Table(unittest.TestCase):
    def test_says_that_nothing_is_spilled(self):
        rows = table()[1]
        self.assertGreaterEqual(len(rows), 40)
        for kernel, (registers, _, spilled, _) in rows.items():
            with self.subTest(kernel=kernel):
                self.assertEqual(spilled, 0)
                self.assertLessEqual(registers, 128)  # 16 warps an SM

    def test_says_how_an_iteration_is_bounded(self):
        """`bench fleet` computes with these; lanes idle where trees are of unequal depth."""
        iterations_of = table()[2]
        for scheme, text in re.findall(r"^constexpr double k(\w+)Turn = (\d+);", BOUND.read_text(), re.M):
            with self.subTest(scheme=scheme):
                _, warp, busy = iterations_of[f"PGame, {scheme}", "90"]
                self.assertEqual(int(text), warp)
                self.assertGreaterEqual(busy, 60)
        self.assertEqual(len(iterations_of), 2)

    def test_names(self):
        start = "_ZN9playproof12search_treesINS_"
        self.assertEqual(kernel_name(start + "5PGameENS_3PpnEEEvNT_5RulesE"), "PGame, Ppn")
        self.assertEqual(kernel_name(start + "7ConnectILi1EEENS_6DeepPnEEEvNT_5RulesE"),
                         "Connect<1>, DeepPn")
        self.assertEqual(kernel_name(start + "3HexILi1EEENS_5EwsByINS_14TalliedNumbersEEEEEvNT_5RulesE"),
                         "Hex<1>, Ews")
        self.assertEqual(kernel_name(start + "3NimENS_7DeepestINS_2PnEEEEEvNT_5RulesE"), "Nim, Deepest<Pn>")
        self.assertEqual(kernel_name(start + "3NimENS_7DeepestINS_11PlayoutPnByINS_14TalliedNumbersEEEEEvNT_5RulesE"),
                         "Nim, Deepest<PlayoutPn>")
        self.assertIsNone(kernel_name("_ZN9playproof10play_pgameENS_5PGame5RulesE"))


@unittest.skipUnless(device_code.nvcc(), "this build has no CUDA")
class SearchCode(unittest.TestCase):
    def setUp(self):
        if "90" not in device_code.architectures():
            self.skipTest("no architecture of the table")
        if not disassembler.tools(device_code.nvcc()):
            self.assertFalse(disassembler.NEEDED, disassembler.WHY_NOT)
            self.skipTest(disassembler.WHY_NOT)

    def test_needs_what_the_table_says(self):
        found = measured("90")
        if os.environ.get("PLAYPROOF_WRITE_GOLDEN"):
            lines = ["".join(" | ".join([*key, *map(str, row)]) + "\n" for key, row in sorted(of.items()))
                     for of in (found, iterations())]
            TABLE.write_text(HEAD.format(device_code.release()) + lines[0] + COUNTS_HEAD + lines[1])
        of_release, wanted, counted = table()
        if of_release == device_code.release():
            self.assertEqual(iterations(), counted)
        self.assertEqual(found.keys(), wanted.keys())
        counted = {key for key, row in found.items() if row[3] is not None}
        if instructions.EVERY:
            self.assertEqual(counted, found.keys())
        for part in (0, 1):
            self.assertEqual({key[0].split(", ")[part] for key in counted}, {key[0].split(", ")[part] for key in found})
        for key, row in found.items():
            with self.subTest(kernel=key):
                self.assertEqual(row[2], 0)
                if of_release == device_code.release():
                    known = 3 + (key in counted)
                    self.assertEqual(row[:known], wanted[key][:known])

    def test_nothing_is_fused(self):
        # A division is made of fused steps, which round its result as IEEE 754 says: those stand in
        # lines that divide, or in the compiler's own function, which no branch leads to.
        for source in SOURCES:
            for kernel, code in code_of(source, "90").items():
                with self.subTest(kernel=kernel):
                    reached = instructions.loop_depths(code).keys()
                    code = [i for i in code if i.address in reached]
                    products = {i.opcode.split(".")[0] for i in code}
                    fused = {i.lines[:1] for i in code if i.opcode.split(".")[0] in FUSED}
                    wrong = [lines for lines in fused if not re.search(r" / ", "".join(lines))]
                    self.assertEqual(wrong, [])
                    if kernel.endswith("Ppn"):
                        self.assertLessEqual({"DMUL", "DADD"}, products)


if __name__ == "__main__":
    unittest.main()
