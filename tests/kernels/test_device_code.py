"""What ptxas says of the kernels, against tests/golden/device-resources.txt: registers, stack and
spilled bytes of each on each architecture of the build. Needs a build with CUDA, no device.

With PLAYPROOF_WRITE_GOLDEN=1 the table is written instead of compared."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("PLAYPROOF_SOURCE", pathlib.Path(__file__).parents[2]))
CACHE = pathlib.Path(os.environ.get("PLAYPROOF_BUILD", ROOT / "build")) / "CMakeCache.txt"
TABLE = ROOT / "tests" / "golden" / "device-resources.txt"
SOURCES = sorted(path for pattern in ("*/playouts.cu", "pgame/values.cu")
                 for path in (ROOT / "kernels").glob(pattern))
FUNCTIONS = sorted(name for path in SOURCES
                   for name in re.findall(r"^struct (\w+) {", path.read_text(), re.M))
HEAD = """\
# What the kernels need, by ptxas -v of nvcc {}: written by tests/kernels/test_device_code.py.
# kernel | architecture | registers | stack bytes | spilled bytes
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
    return sorted(set(re.findall(r"\d+", cached("CMAKE_CUDA_ARCHITECTURES") or "90")))


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
    found = re.findall(r"\d((?:[A-Za-z]+Core)|play_[a-z]+)(?:I((?:Li\d+E)+)E)?", mangled)
    name, numbers = found[-1]
    arguments = ",".join(re.findall(r"Li(\d+)E", numbers))
    return f"{name}<{arguments}>" if arguments else name


def resources(source):
    """{(kernel, architecture): (registers, stack bytes, spilled bytes)} of a file."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            [nvcc(), "-std=c++20", "-O3", f"-I{ROOT}", "-fatbin", "-Xptxas", "-v",
             *(f"-gencode=arch=compute_{a},code=sm_{a}" for a in architectures()), str(source),
             "-o", f"{folder}/kernels.fatbin"],
            capture_output=True, text=True, check=True).stderr
    found = {}
    for mangled, architecture, stack, stored, loaded, registers in re.findall(
            r"Compiling entry function '(\S+)' for 'sm_(\d+)'.*?(\d+) bytes stack frame, (\d+) bytes"
            r" spill stores, (\d+) bytes spill.*?Used (\d+) registers", said, re.S):
        name = kernel_name(mangled)
        if name:
            found[name, architecture] = (int(registers), int(stack), int(stored) + int(loaded))
    return found


def measured():
    """The same of all kernels of the build."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {key: used for found in pool.map(resources, SOURCES) for key, used in found.items()}


def table():
    """(release, {(kernel, architecture): resources}) of the golden file."""
    text = TABLE.read_text()
    rows = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, architecture, *numbers = [cell.strip() for cell in line.split("|")]
            rows[name, architecture] = tuple(int(n) for n in numbers)
    return re.search(r"of nvcc ([^:]+):", text).group(1), rows


def write_table(rows):
    lines = [" | ".join([*key, *map(str, used)]) for key, used in sorted(rows.items())]
    TABLE.write_text(HEAD.format(release()) + "\n".join(lines) + "\n")


class Names(unittest.TestCase):
    def test_of_kernels(self):
        start = "_ZN9playproof10play_wordsINS_54_GLOBAL__N__d8519df2_15_hex_playouts_cu_9ef7df83_2071"
        end = "EEvT_NS_11DeviceBatchINS4_4GameEEE"
        self.assertEqual(kernel_name(start + "27HexCoreILi6ELi14EEE" + end), "HexCore<6,14>")
        self.assertEqual(kernel_name(start + "212HexLargeCoreILi1EEE" + end), "HexLargeCore<1>")
        self.assertIsNone(kernel_name("_ZN3cub17CUB_300001_SM_9006detail11EmptyKernelIvEEvv"))
        start = "_ZN9playproof58_GLOBAL__N__452da84a_19_connect_playouts_cu_1dd42517_19800"
        self.assertEqual(kernel_name(start + "12play_connectILi6EEEvNS_7ConnectIXT_EE5RulesEPKNS_12"
                                     "ConnectLinesEjNS_11DeviceBatchIS3_EE"), "play_connect<6>")
        self.assertEqual(kernel_name(start + "10play_pgameENS_5PGame5RulesENS_11DeviceBatchIS1_EEj"),
                         "play_pgame")

    def test_of_kernels_of_thrust(self):
        start = ("_ZN3cub17CUB_300001_SM_9006detail9transform16transform_kernelINS2_10policy_hubILb1EN4"
                 "cuda3std3__45tupleIJN6thrust23THRUST_300001_SM_900_NS17counting_iteratorImNSA_11use_"
                 "defaultESC_SC_EEEEEE10policy1000E")
        end = ("N9playproof48_GLOBAL__N__1dfa2282_15_pgame_values_cu_278e55dd7ChildOfENSA_6detail15"
               "normal_iteratorINSA_10device_ptrIdEEEEJSD_EEEvT0_iT1_T2_DpNS2_10kernel_argIT3_EE")
        self.assertEqual(kernel_name(start + "l" + end), "thrust ChildOf 64")
        self.assertEqual(kernel_name(start + "i" + end), "thrust ChildOf 32")
        self.assertLessEqual({"ChildOf", "ValueOf", "Best"}, set(FUNCTIONS))


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


@unittest.skipUnless(nvcc(), "this build has no CUDA")
class DeviceCode(unittest.TestCase):
    def test_kernels_need_what_the_table_says(self):
        found = measured()
        if os.environ.get("PLAYPROOF_WRITE_GOLDEN"):
            write_table(found)
        of_release, rows = table()
        wanted = {key: used for key, used in rows.items() if key[1] in architectures()}
        if not wanted:
            self.skipTest(f"no architecture of the table among {architectures()}")
        known = {architecture for _, architecture in wanted}
        found = {key: used for key, used in found.items() if key[1] in known}
        if of_release != release():  # another Thrust has other kernels
            found, wanted = ({key: used for key, used in rows.items() if key[0][:6] != "thrust"}
                             for rows in (found, wanted))
        self.assertEqual(found.keys(), wanted.keys())
        for key, used in found.items():
            with self.subTest(kernel=key):
                self.assertEqual(used[1:], wanted[key][1:])
                if of_release == release():  # another compiler may deal registers otherwise
                    self.assertEqual(used[0], wanted[key][0])


if __name__ == "__main__":
    unittest.main()
