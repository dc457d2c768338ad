"""What the compiler makes of whole searches (kernels/*/searches*.cu), against
tests/golden/search-resources.txt: registers, stack and spilled bytes, as ptxas said when the build
assembled them; and that no product is fused with a sum, which would give other bits than the CPU.
Needs a build with CUDA, no device.

With PLAYPROOF_WRITE_GOLDEN=1 the table is written instead of compared."""

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
FUSED = frozenset(["FFMA", "DFMA", "HFMA2"])


def kernel_name(mangled):
    """PGame, Ppn; None of other kernels."""
    found = re.search(r"search_treesINS_(\d+)(\w+)", mangled)
    if not found:
        return None
    game, rest = found[2][:int(found[1])], found[2][int(found[1]):]
    words, length, scheme = re.match(r"(?:ILi(\d+)EE)?ENS_(\d+)(\w+)", rest).groups()
    return f"{game}<{words}>, {scheme[:int(length)]}" if words else f"{game}, {scheme[:int(length)]}"


def cubin_of(source, architecture):
    folder = device_code.CACHE.parent / "tests" / "kernels"
    return folder / source.relative_to(device_code.ROOT).with_suffix(f".{architecture}.cubin")


def code_of(source, architecture):
    """{kernel: instructions} of a unit."""
    tool = disassembler.find(device_code.nvcc())
    kernels = instructions.disassemble(tool, cubin_of(source, architecture))[1]
    return {kernel_name(mangled): code for mangled, code in kernels.items() if kernel_name(mangled)}


def measured(architecture):
    """{(kernel, architecture): (registers, stack, spilled, instructions)}"""
    found = {}
    for source in SOURCES:
        said = cubin_of(source, architecture)
        text = said.with_name(said.name + ".txt").read_text()
        code = code_of(source, architecture)
        for mangled, compiled, stack, stored, loaded, registers in re.findall(
                r"Compiling entry function '(\S+)' for 'sm_(\d+)'.*?(\d+) bytes stack frame, (\d+)"
                r" bytes spill stores, (\d+) bytes spill.*?Used (\d+) registers", text, re.S):
            name = kernel_name(mangled)
            found[name, compiled] = (int(registers), int(stack), int(stored) + int(loaded),
                                     len(code[name]))
    return found


def table():
    """(release, {(kernel, architecture): numbers})"""
    text = TABLE.read_text()
    rows = [[cell.strip() for cell in line.split("|")]
            for line in text.splitlines() if line and not line.startswith("#")]
    return (re.search(r"of nvcc ([^:]+):", text).group(1),
            {(row[0], row[1]): tuple(map(int, row[2:])) for row in rows})


class Table(unittest.TestCase):
    def test_says_that_nothing_is_spilled(self):
        rows = table()[1]
        self.assertGreaterEqual(len(rows), 25)
        for kernel, (registers, _, spilled, _) in rows.items():
            with self.subTest(kernel=kernel):
                self.assertEqual(spilled, 0)
                self.assertLessEqual(registers, 128)  # 16 warps an SM

    def test_names(self):
        start = "_ZN9playproof12search_treesINS_"
        self.assertEqual(kernel_name(start + "5PGameENS_3PpnEEEvNT_5RulesE"), "PGame, Ppn")
        self.assertEqual(kernel_name(start + "7ConnectILi1EEENS_6DeepPnEEEvNT_5RulesE"),
                         "Connect<1>, DeepPn")
        self.assertIsNone(kernel_name("_ZN9playproof10play_pgameENS_5PGame5RulesE"))


@unittest.skipUnless(device_code.nvcc(), "this build has no CUDA")
class SearchCode(unittest.TestCase):
    def setUp(self):
        if "90" not in device_code.architectures():
            self.skipTest("no architecture of the table")
        if not disassembler.find(device_code.nvcc()):
            self.assertFalse(disassembler.NEEDED, disassembler.WHY_NOT)
            self.skipTest(disassembler.WHY_NOT)

    def test_needs_what_the_table_says(self):
        found = measured("90")
        if os.environ.get("PLAYPROOF_WRITE_GOLDEN"):
            lines = (" | ".join([*key, *map(str, row)]) + "\n" for key, row in sorted(found.items()))
            TABLE.write_text(HEAD.format(device_code.release()) + "".join(lines))
        of_release, wanted = table()
        self.assertEqual(found.keys(), wanted.keys())
        for key, row in found.items():
            with self.subTest(kernel=key):
                self.assertEqual(row[2], 0)
                if of_release == device_code.release():
                    self.assertEqual(row, wanted[key])

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
