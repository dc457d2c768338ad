"""Every kernel that is compiled is compared, playouts with the engine `reference` and whole searches
with the CPU's: those that EmulatedKernels and EmulatedSearches launch are all that the program has,
instances of templates included. Skipped in other builds."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("PLAYPROOF_BUILD", "build"))
SOURCE = pathlib.Path(os.environ.get("PLAYPROOF_SOURCE", "."))
TESTS = BUILD / "emulated_test"


def names():
    """Of functions that are kernels."""
    found = set()
    for path in [*SOURCE.glob("kernels/**/*.cu"), *SOURCE.glob("kernels/**/*.cuh")]:
        for text in re.split(r"\b__global__\b", path.read_text())[1:]:
            text = re.sub(r"__launch_bounds__\((?:[^()]|\([^()]*\))*\)", "", text)
            found.add(re.match(r"\s*void\s+(\w+)\(", text)[1])
    return found


def compiled(of):
    """The kernels in the program, by address: instances of these functions."""
    symbols = subprocess.run(["nm", "-C", TESTS], capture_output=True, text=True, check=True).stdout
    kernels = {}
    for address, text in re.findall(r"^([0-9a-f]+) [tTwW] (.*)$", symbols, re.MULTILINE):
        match = re.match(r"(?:void )?playproof::(?:(?:\(anonymous namespace\)|\w+)::)?(\w+)(?:<.*>)?\(", text)
        if match and match[1] in of:
            kernels[int(address, 16)] = text
    return kernels


@unittest.skipUnless(TESTS.exists(), "no emulated device in this build")
class Instances(unittest.TestCase):

    def test_all_are_compared(self):
        kernels = compiled(names())
        self.assertEqual({re.search(r"(\w+)(?:<.*>)?\(", text.replace("(anonymous namespace)::", ""))[1]
                          for text in kernels.values()}, names())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "launched")
            subprocess.run([TESTS, "--gtest_filter=EmulatedKernels.*:EmulatedSearches.*"], check=True, capture_output=True,
                           env=dict(os.environ, PLAYPROOF_LAUNCHED=str(path)))
            launched = {int(line, 16) for line in path.read_text().split()}
        self.assertLessEqual(launched, set(kernels))
        self.assertEqual([text for address, text in kernels.items() if address not in launched], [])


if __name__ == "__main__":
    unittest.main()
