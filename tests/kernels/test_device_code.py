"""What ptxas says of the kernels: nothing spilled, no stack, no more registers than they need to keep
the device busy. Needs a build with CUDA, no device."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("PLAYPROOF_SOURCE", pathlib.Path(__file__).parents[2]))
CACHE = pathlib.Path(os.environ.get("PLAYPROOF_BUILD", ROOT / "build")) / "CMakeCache.txt"
REGISTERS = {"pgame_playouts.cu": 80}  # at most: three quarters of the warps of an SM


def nvcc():
    """The compiler of the build, or None if it has no CUDA."""
    cache = CACHE.read_text() if CACHE.is_file() else ""
    found = re.search(r"^CMAKE_CUDA_COMPILER:\w+=(/.+)$", cache, re.M)
    off = re.search(r"^PLAYPROOF_CUDA:\w+=off$", cache, re.M | re.I)
    return found.group(1) if found and not off else None


def resources(source):
    """(registers, stack bytes, spilled bytes) of each kernel in a file."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            [nvcc(), "-std=c++20", "-O3", f"-I{ROOT}", "-arch=sm_90", "-cubin", "-Xptxas", "-v",
             str(source), "-o", f"{folder}/kernel.cubin"],
            capture_output=True, text=True, check=True).stderr
    frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill", said)
    used = re.findall(r"Used (\d+) registers", said)
    return [(int(r), int(f[0]), int(f[1]) + int(f[2])) for r, f in zip(used, frames, strict=True)]


@unittest.skipUnless(nvcc(), "this build has no CUDA")
class DeviceCode(unittest.TestCase):
    def test_kernels_fit_into_registers(self):
        for source in sorted((ROOT / "kernels").glob("*.cu")):
            kernels = source.read_text().count("__global__")
            if kernels == 0:
                continue
            with self.subTest(source=source.name):
                found = resources(source)
                self.assertEqual(len(found), kernels)
                for registers, stack, spilled in found:
                    self.assertEqual((stack, spilled), (0, 0))
                    self.assertLessEqual(registers, REGISTERS[source.name])

    def test_every_limit_is_of_a_file(self):
        for name in REGISTERS:
            self.assertTrue((ROOT / "kernels" / name).is_file(), name)


if __name__ == "__main__":
    unittest.main()
