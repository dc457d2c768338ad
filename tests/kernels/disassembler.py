"""NVIDIA's tools that read what nvcc has made: the ones beside nvcc, or the packages of them that PyPI has. cuobjdump
takes cubins out of an object, nvdisasm disassembles them.

usage: disassembler.py        installs the packages for this user if nvcc is here without them

Where that does not work, tests that need them are skipped, or fail with
PLAYPROOF_NEED_DISASSEMBLER=1."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Tool: its package, and the hashes of its files for x86_64 and aarch64.
PACKAGES = {
    "nvdisasm": ("nvidia-cuda-nvdisasm==13.2.86",
                 "sha256:53606e719ecae07a2335f95902d5a1393a0cc1c317499ee7ffcf628a44385f2c",
                 "sha256:d02c627f7aecfcac4dd5e923e94adeaa6607c5fdae8df750b01ad948d38941d3"),
    "cuobjdump": ("nvidia-cuda-cuobjdump==13.2.86",
                  "sha256:d332c2ffe78e703ca0a3894be927f83124244e2acf0d792b8c12b4362d44d837",
                  "sha256:9a025b92d5faca837f69841317760df9b27f3871bfa089d80cc428399743fd56")}
NEEDED = bool(os.environ.get("PLAYPROOF_NEED_DISASSEMBLER"))
WHY_NOT = (f"no {' or no '.join(PACKAGES)}: neither beside nvcc nor "
           f"{', '.join(package for package, *_ in PACKAGES.values())} (make disassembler)")


def folder(package):
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "playproof" / package


def find(tool, nvcc):
    """The path of a tool, or None. Of the two the package goes first: its version is known."""
    beside = [pathlib.Path(os.path.realpath(nvcc)).parent / tool] if nvcc else []
    for path in [*sorted(folder(PACKAGES[tool][0]).glob(f"nvidia/*/bin/{tool}")), *beside]:
        if os.access(path, os.X_OK):
            return path
    return None


def tools(nvcc):
    """(nvdisasm, cuobjdump), or None if one is missing."""
    found = tuple(find(tool, nvcc) for tool in PACKAGES)
    return found if all(found) else None


def install(package, *hashes):
    """Only a file with one of the hashes: it is run."""
    made = folder(f"{package}.{os.getpid()}")
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:  # pip takes hashes in a file alone
            requirements.write(" ".join([package, *(f"--hash={each}" for each in hashes)]) + "\n")
            requirements.flush()
            subprocess.run([sys.executable, "-m", "pip", "install", "-qq", "--retries=1", "--no-deps",
                            "--only-binary=:all:", "--require-hashes", "--target", str(made),
                            "-r", requirements.name], check=True)
        made.rename(folder(package))
    except OSError:  # another process was faster
        pass
    finally:
        shutil.rmtree(made, ignore_errors=True)


def main():
    nvcc = shutil.which("nvcc")
    for tool, (package, *hashes) in PACKAGES.items():
        if not nvcc or find(tool, nvcc):
            continue
        print(f"installing: {package} in {folder(package)}")
        try:
            install(package, *hashes)
        except subprocess.CalledProcessError as error:
            print(f"{package} cannot be installed: {error}", file=sys.stderr)
    if nvcc and NEEDED and not tools(nvcc):
        sys.exit(WHY_NOT)


if __name__ == "__main__":
    main()
