"""What the compiler makes of the kernels, against tests/golden/device-resources.txt, on each
architecture of the build: registers, stack and spilled bytes of each, as ptxas said when the library was
compiled (ptxas_says.sh); the instructions that a unit of its work takes (device_units.py), by nvdisasm of the
library's own objects. Needs a build with CUDA, no device.

With PLAYPROOF_WRITE_GOLDEN=1 the tables are written instead of compared."""

import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import device_units
import disassembler
import instructions

ROOT = instructions.ROOT
CACHE = pathlib.Path(os.environ.get("PLAYPROOF_BUILD", ROOT / "build")) / "CMakeCache.txt"
TABLE = ROOT / "tests" / "golden" / "device-resources.txt"
BOUND = ROOT / "src" / "bench" / "device_bound.cpp"
SOURCES = sorted(path for pattern in ("*/playouts*.cu", "pgame/values.cu", "device/device_launch.cu")
                 for path in (ROOT / "kernels").glob(pattern))
FUNCTIONS = sorted(name for path in SOURCES
                   for name in re.findall(r"^struct (\w+) {", path.read_text(), re.M))
HEAD = """\
# What the kernels need, by ptxas -v of nvcc {}: written by tests/kernels/test_device_code.py.
# kernel | architecture | registers | stack bytes | spilled bytes
"""
COUNTS_HEAD = f"""
# Instructions that a unit of work takes, by nvdisasm; tests/kernels/device_units.py says what the units are.
# kernel | architecture | unit | {' | '.join(instructions.COUNTS)}
"""


def cached(name):
    """A value of the build's CMake cache, or None."""
    text = CACHE.read_text() if CACHE.is_file() else ""
    found = re.search(rf"^{name}:\w+=(.*)$", text, re.M)
    return found.group(1) if found else None


def nvcc():
    """The compiler of the build, or None if it has no CUDA."""
    path = cached("CMAKE_CUDA_COMPILER")
    off = (cached("PLAYPROOF_CUDA") or "").lower() == "off"
    return path if path and path.startswith("/") and not off else None


def release():
    said = subprocess.run([nvcc(), "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"release (\S+),", said).group(1)


def architectures():
    """Those of which there is code, not PTX alone."""
    return sorted(set(re.findall(r"\d+(?!\d|-virtual)", cached("CMAKE_CUDA_ARCHITECTURES") or "90")))


def thrust_name(mangled):
    """thrust ChildOf 64: what a kernel of Thrust's runs of ours, and the bits of its index; None
    if it runs nothing of ours."""
    ours = [name for name in FUNCTIONS if f"{len(name)}{name}E" in mangled]
    index = re.search(r"(?:policy\d+E|TileStateIa)([il])", mangled)
    bits = {"i": " 32", "l": " 64"}[index.group(1)] if index else ""
    return "thrust " + " ".join(ours) + bits if ours else None


def kernel_name(mangled):
    """HexCore<6,11>; None for kernels without anything of ours (CUB's)."""
    if not mangled.startswith("_ZN9playproof"):
        return thrust_name(mangled)
    found = re.findall(r"\d((?:[A-Za-z]+Core)|(?:play|unpack)_[a-z]+)(?:I((?:L[im]\d+E)+)E)?", mangled)
    name, numbers = found[-1]
    arguments = ",".join(re.findall(r"L[im](\d+)E", numbers))
    return f"{name}<{arguments}>" if arguments else name


def object_of(source):
    """The library's object of a file."""
    made = (CACHE.parent / "kernels" / "CMakeFiles" / "playproof_kernels.dir" /
            source.relative_to(ROOT / "kernels").with_suffix(".cu.o"))
    if not made.is_file():
        raise FileNotFoundError(f"{made} is not there: build playproof_kernels first")
    return made


def resources_said(said):
    """{(mangled name, architecture): (registers, stack bytes, spilled bytes)}"""
    return {(mangled, compiled): (int(registers), int(stack), int(stored) + int(loaded))
            for mangled, compiled, stack, stored, loaded, registers in re.findall(
                r"Compiling entry function '(\S+)' for 'sm_(\d+)'.*?(\d+) bytes stack frame, (\d+) bytes"
                r" spill stores, (\d+) bytes spill.*?Used (\d+) registers", said, re.S)}


def resources(source):
    """The same of a file, as ptxas said when the library was compiled."""
    return resources_said(object_of(source).with_suffix(".o.txt").read_text())


def counts(source):
    """{(kernel, architecture, unit): counts} of a file; by day of its first kernel, its last and every third before."""
    names = sorted({kernel_name(mangled) or "" for mangled, _ in resources(source)})
    names = [name for name in names if device_units.units(name)]
    some = names if instructions.EVERY else [*names[:1], *names[::-3]]
    found = instructions.disassemble(disassembler.tools(nvcc()), object_of(source),
                                     lambda mangled: kernel_name(mangled) in some)
    return {(name, architecture, unit.name): instructions.count(code, unit)
            for architecture, kernels in found.items()
            for name, code in ((kernel_name(mangled), code) for mangled, code in kernels.items())
            for unit in device_units.units(name)}


def measure(source):
    """{(kernel, architecture): (registers, stack bytes, spilled bytes)} of a file, and counts() if there is a
    disassembler."""
    found = {(kernel_name(mangled), architecture): used
             for (mangled, architecture), used in resources(source).items() if kernel_name(mangled)}
    return found, counts(source) if disassembler.tools(nvcc()) else {}


@functools.lru_cache(maxsize=None)
def measured():
    """The same of all kernels of the build."""
    found, counted = {}, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for some in pool.map(measure, SOURCES):
            found.update(some[0])
            counted.update(some[1])
    return found, counted


def table():
    """(release, {(kernel, architecture): resources}, {(kernel, architecture, unit): counts}) of the
    golden file."""
    text = TABLE.read_text()
    rows, counted = {}, {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if line and not line.startswith("#"):
            numbers = [int(n) for n in cells if n.isdigit()]
            if len(cells) == 5:
                rows[tuple(cells[:2])] = tuple(numbers[1:])
            else:
                counted[tuple(cells[:3])] = tuple(numbers[1:])
    return re.search(r"of nvcc ([^:]+):", text).group(1), rows, counted


def write_table(rows, counted):
    def lines(of):
        return "".join(" | ".join([*key, *map(str, values)]) + "\n" for key, values in sorted(of.items()))

    TABLE.write_text(HEAD.format(release()) + lines(rows) + COUNTS_HEAD + lines(counted))


class Names(unittest.TestCase):
    def test_of_kernels(self):
        start = "_ZN9playproof10play_wordsINS_54_GLOBAL__N__d8519df2_15_hex_playouts_cu_9ef7df83_2071"
        end = "EEvT_NS_11DeviceBatchINS4_4GameEEE"
        self.assertEqual(kernel_name(start + "27HexCoreILi6ELi14EEE" + end), "HexCore<6,14>")
        self.assertEqual(kernel_name(start + "210SomeCoreILi1EEE" + end), "SomeCore<1>")
        self.assertIsNone(kernel_name("_ZN3cub17CUB_300001_SM_9006detail11EmptyKernelIvEEvv"))
        start = "_ZN9playproof58_GLOBAL__N__452da84a_19_connect_playouts_cu_1dd42517_19800"
        self.assertEqual(kernel_name(start + "12play_connectILi6EEEvNS_7ConnectIXT_EE5RulesEPKNS_12"
                                     "ConnectLinesEjNS_11DeviceBatchIS3_EE"), "play_connect<6>")
        self.assertEqual(kernel_name(start + "10play_pgameENS_5PGame5RulesENS_11DeviceBatchIS1_EEj"),
                         "play_pgame")
        start = "_ZN9playproof56_GLOBAL__N__0bd0e8c1_16_device_launch_cu_8bb26157_1"
        self.assertEqual(kernel_name(start + "17unpack_parametersILm2000EEEvNS0_7PartsOfIXT_EEEPNS0_7SixteenEj"),
                         "unpack_parameters<2000>")

    def test_of_kernels_of_thrust(self):
        start = ("_ZN3cub17CUB_300001_SM_9006detail9transform16transform_kernelINS2_10policy_hubILb1EN4"
                 "cuda3std3__45tupleIJN6thrust23THRUST_300001_SM_900_NS17counting_iteratorImNSA_11use_"
                 "defaultESC_SC_EEEEEE10policy1000E")
        end = ("N9playproof48_GLOBAL__N__1dfa2282_15_pgame_values_cu_278e55dd7ChildOfENSA_6detail15"
               "normal_iteratorINSA_10device_ptrIdEEEEJSD_EEEvT0_iT1_T2_DpNS2_10kernel_argIT3_EE")
        self.assertEqual(kernel_name(start + "l" + end), "thrust ChildOf 64")
        self.assertEqual(kernel_name(start + "i" + end), "thrust ChildOf 32")
        self.assertLessEqual({"ChildOf", "ValueOf", "Best"}, set(FUNCTIONS))


class Instructions(unittest.TestCase):
    """How they are counted, on code made up for it: a loop in a loop, a way around two lines, and
    what lanes do that have parted."""

    CODE = """
\t//## File "{file}", line 1
        /*0000*/                   MOV R1, R2 ;
.L_x_1:
\t//## File "{file}", line 4 inlined at "{file}", line 2
\t//## File "{file}", line 2
        /*0010*/                   LOP3.LUT R1, R1, R2, RZ, 0xc0, !PT ;
.L_x_2:
        /*0020*/                   LDS R3, [R1] ;
        /*0030*/                   BRA.DIV UR4, `(.L_x_4) ;
        /*0040*/                   SHFL.IDX PT, R50, R37, R46, 0x1f ;
.L_x_5:
        /*0050*/              @!P0 BRA P1, `(.L_x_2) ;
        /*0060*/               @P0 CALL.REL.NOINC `(.L_x_3) ;
        /*0070*/                   BRA `(.L_x_1) ;
.L_x_3:
\t//## File "{file}", line 3
        /*0080*/                   LDG.E R1, desc[UR4][R2.64] ;
        /*0090*/                   IMAD R1, R1, R2, R3 ;
        /*00a0*/                   EXIT ;
.L_x_4:
        /*00b0*/                   CALL.REL.NOINC `($__internal_0_$__cuda_sm70_shflsync_idx_p) ;
        /*00c0*/                   BRA `(.L_x_5) ;
.L_x_6:
        /*00d0*/                   BRA `(.L_x_6);
"""

    def setUp(self):
        with tempfile.NamedTemporaryFile("w", suffix=".h") as file:
            file.write("begin(n);\nwork<1>(n);\nend(n);\nx &= y;\n")
            file.flush()
            self.code = instructions.parse(self.CODE.format(file=file.name))

    def count(self, **unit):
        return instructions.count(self.code, instructions.Unit("unit", **unit))

    def test_loops(self):
        depths = instructions.loop_depths(self.code)
        self.assertEqual([depths.get(i.address) for i in self.code],
                         [0, 1, 2, 2, 2, 2, 1, 1, 0, 0, 0, None, None, None])

    def test_lines(self):
        self.assertEqual([i.lines for i in self.code[:2]], [("begin(n);",), ("x &= y;", "work<1>(n);")])

    def test_files_of_another_checkout_are_ours(self):
        ours = ROOT / "kernels" / "loa" / "playouts.cu"
        self.assertEqual(instructions.here("/other/build/../kernels/loa/playouts.cu", ROOT), ours)
        self.assertEqual(instructions.here("../kernels/loa/playouts.cu", ROOT), ours)
        for path in ("/cuda/include/cub/playouts.cu", "/other/playouts.cu"):
            self.assertEqual(instructions.here(path, ROOT), pathlib.Path(path))

    def test_units(self):
        self.assertEqual(self.count(), (11, 2, 1, 1, 1, 1))
        self.assertEqual(self.count(loops=((r"work<1>\(", (5, 3)),)), (79, 6, 5, 15, 15, 1))
        self.assertEqual(self.count(loops=((r"begin", ()), (r"x &=", (2,)))), (18, 3, 2, 2, 2, 1))
        self.assertEqual(self.count(depth=1, loops=((r"work", (3,)),)), (15, 1, 1, 3, 3, 0))
        self.assertEqual(self.count(never=(r"^end",)), (8, 2, 1, 1, 1, 0))
        self.assertEqual(self.count(within=r"^end", share=3), (1, 0, 0, 0, 0, 0))
        self.assertEqual(self.count(depth=1, loops=((r"work", (3,)),), often=((r"x &=", 4),)),
                         (60, 4, 4, 12, 12, 0))
        with self.assertRaisesRegex(ValueError, "work<2>"):
            self.count(loops=((r"work<2>\(", (5,)),))
        with self.assertRaisesRegex(ValueError, "work<3>"):
            self.count(often=((r"work<3>\(", 0.5),))
        with self.assertRaisesRegex(ValueError, "in all the loops of a line like .*end"):
            self.count(loops=((r"^end", (5,)),))


class Launcher(unittest.TestCase):
    """ptxas_says.sh, of a compiler that says and does what it is told."""

    SAID = """ptxas info    : Compiling entry function '_Z1kPi' for 'sm_90'
ptxas info    : Function properties for _Z1kPi
    64 bytes stack frame, 144 bytes spill stores, 84 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers
"""

    def run_in(self, folder, status):
        said = self.SAID + "k.cu(1): warning: unused\nptxas warning : slow\n"
        compiler = 'printf %s "$0" >&2; touch k.o; exit ' + str(status)
        return subprocess.run([ROOT / "tests" / "kernels" / "ptxas_says.sh", "sh", "-c", compiler, said, "-o", "k.o"],
                              cwd=folder, capture_output=True, text=True, check=False)

    def test_keeps_what_ptxas_says(self):
        with tempfile.TemporaryDirectory() as folder:
            for status, files in ((0, ["k.o", "k.o.txt"]), (2, ["k.o"])):
                done = self.run_in(folder, status)
                self.assertEqual(done.returncode, status)
                self.assertEqual(done.stderr, "k.cu(1): warning: unused\nptxas warning : slow\n")
                self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), files)
                if status == 0:
                    said = (pathlib.Path(folder) / "k.o.txt").read_text()
                    self.assertEqual(resources_said(said), {("_Z1kPi", "90"): (32, 64, 228)})


class Table(unittest.TestCase):
    def test_says_that_nothing_is_spilled(self):
        rows = table()[1]
        self.assertGreaterEqual(len(rows), 2 * 25)  # both architectures, also in other builds
        for key, (registers, stack, spilled) in rows.items():
            with self.subTest(kernel=key):
                # A thread that searches a subtree has its path there: 64 positions.
                path = 64 * 16 + 32 if key[0].startswith("thrust ValueOf ") else 0
                self.assertLessEqual(stack, path)
                self.assertEqual(spilled, 0)
                self.assertLessEqual(registers, 255)


    def test_bounds_are_the_counts(self):
        counted = table()[2]
        constants = re.findall(r"^constexpr double k\w+ = (\d+); +// (\S+), (.+)$", BOUND.read_text(), re.M)
        self.assertEqual(len(constants), 5)
        alu = instructions.COUNTS.index("ALU")
        for value, kernel, unit in constants:
            with self.subTest(kernel=kernel, unit=unit):
                self.assertEqual(int(value), counted[kernel, "90", unit][alu])


@unittest.skipUnless(nvcc(), "this build has no CUDA")
class DeviceCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.environ.get("PLAYPROOF_WRITE_GOLDEN"):
            write_table(*measured())

    def known(self, rows):
        """Those of the architectures that the build and the golden file have."""
        known = {key[1] for key in table()[1]} & set(architectures())
        if not known:
            self.skipTest(f"no architecture of the table among {architectures()}")
        return {key: used for key, used in rows.items() if key[1] in known}

    def test_kernels_need_what_the_table_says(self):
        of_release, wanted, _ = table()
        found, wanted = self.known(measured()[0]), self.known(wanted)
        if of_release != release():  # another Thrust has other kernels
            found, wanted = ({key: used for key, used in rows.items() if key[0][:6] != "thrust"}
                             for rows in (found, wanted))
        self.assertEqual(found.keys(), wanted.keys())
        for key, used in found.items():
            with self.subTest(kernel=key):
                self.assertEqual(used[1:], wanted[key][1:])
                if of_release == release():  # another compiler may deal registers otherwise
                    self.assertEqual(used[0], wanted[key][0])

    def test_units_of_work_take_the_instructions_that_the_table_says(self):
        of_release, _, wanted = table()
        if of_release != release():
            self.skipTest(f"the table is of nvcc {of_release}, not {release()}")
        if not disassembler.tools(nvcc()):
            self.assertFalse(disassembler.NEEDED, disassembler.WHY_NOT)
            self.skipTest(disassembler.WHY_NOT)
        found, wanted = self.known(measured()[1]), self.known(wanted)
        of = [{key[:2] if instructions.EVERY else (key[0].split("<")[0], key[1]) for key in keys}
              for keys in (found, self.known(table()[1]))]
        self.assertEqual(of[0], {key for key in of[1] if key[0][:6] not in ("thrust", "unpack")})
        kernels = {key[:2] for key in found}
        self.assertEqual(found.keys(), {key for key in wanted if key[:2] in kernels})
        for key, counted in found.items():
            with self.subTest(unit=key):
                self.assertEqual(counted, wanted[key])


if __name__ == "__main__":
    unittest.main()
