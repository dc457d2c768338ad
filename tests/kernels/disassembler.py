"""NVIDIA's disassembler: the one beside nvcc, or the package of it that PyPI has.

usage: disassembler.py        installs the package for this user if nvcc is here without one

Where that does not work, tests that need it are skipped, or fail with
PLAYPROOF_NEED_DISASSEMBLER=1."""

import os
import pathlib
import shutil
import subprocess
import sys

PACKAGE = "nvidia-cuda-nvdisasm==13.2.86"
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
    made = folder().with_name(f"{PACKAGE}.{os.getpid()}")
    try:
        subprocess.run([sys.executable, "-m", "pip", "install", "-qq", "--retries=1", "--no-deps",
                        "--only-binary=:all:", "--target", str(made), PACKAGE], check=True)
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
