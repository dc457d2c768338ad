"""NVIDIA's disassembler: the one beside nvcc, or the package of it that PyPI has.

usage: disassembler.py        installs the package for this user if nvcc is here without one

Where that does not work, tests that need it are skipped, or fail with
PLAYPROOF_NEED_DISASSEMBLER=1."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PACKAGE = "nvidia-cuda-nvdisasm==13.2.86"
HASHES = ("sha256:53606e719ecae07a2335f95902d5a1393a0cc1c317499ee7ffcf628a44385f2c",  # x86_64
          "sha256:d02c627f7aecfcac4dd5e923e94adeaa6607c5fdae8df750b01ad948d38941d3")  # aarch64
NEEDED = bool(os.environ.get("PLAYPROOF_NEED_DISASSEMBLER"))
WHY_NOT = f"no nvdisasm: neither beside nvcc nor {PACKAGE} (make disassembler)"


def folder():
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "playproof" / PACKAGE


def find(nvcc):
    """The path of nvdisasm, or None. Of the two the package goes first: its version is known."""
    beside = [pathlib.Path(os.path.realpath(nvcc)).parent / "nvdisasm"] if nvcc else []
    for path in [*sorted(folder().glob("nvidia/*/bin/nvdisasm")), *beside]:
        if os.access(path, os.X_OK):
            return path
    return None


def install():
    """Only a file with one of the hashes: it is run."""
    made = folder().with_name(f"{PACKAGE}.{os.getpid()}")
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:  # pip takes hashes in a file alone
            requirements.write(" ".join([PACKAGE, *(f"--hash={each}" for each in HASHES)]) + "\n")
            requirements.flush()
            subprocess.run([sys.executable, "-m", "pip", "install", "-qq", "--retries=1", "--no-deps",
                            "--only-binary=:all:", "--require-hashes", "--target", str(made),
                            "-r", requirements.name], check=True)
        made.rename(folder())
    except OSError:  # another process was faster
        pass
    finally:
        shutil.rmtree(made, ignore_errors=True)


def main():
    nvcc = shutil.which("nvcc")
    if not nvcc or find(nvcc):
        return
    print(f"installing: {PACKAGE} in {folder()}")
    try:
        install()
    except subprocess.CalledProcessError as error:
        print(f"{PACKAGE} cannot be installed: {error}", file=sys.stderr)
    if NEEDED and not find(nvcc):
        sys.exit(WHY_NOT)


if __name__ == "__main__":
    main()
