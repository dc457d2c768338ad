"""The command line behind `playproof report`."""

import argparse
import os
import sys
import tempfile
import traceback

from .errors import DATA, INTERNAL, OUTPUT, UNAVAILABLE, USAGE, ReportError
from .store import read_experiments


def parse(arguments):
    parser = argparse.ArgumentParser(prog="playproof report")
    parser.add_argument("--format", choices=["html", "text", "csv", "json", "claims"], default="html")
    parser.add_argument("--output", metavar="FILE")
    parser.add_argument("stores", metavar="RESULTS", nargs="+")
    return parser.parse_args(arguments)


def render(kind, experiments):
    if kind in ("csv", "json"):
        from . import export
        return export.as_csv(experiments) if kind == "csv" else export.as_json(experiments)
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
        import numpy  # noqa: F401
        import pandas  # noqa: F401
        import scipy  # noqa: F401
    except ImportError as error:
        raise ReportError(UNAVAILABLE, f"report: {sys.executable} lacks {error.name}; install "
                                       "python3-numpy, python3-scipy, python3-pandas, "
                                       "python3-matplotlib and python3-jinja2, or let "
                                       "PLAYPROOF_PYTHON name a Python that has them") from error
    from . import summary
    if kind == "claims":
        return summary.as_claims(experiments)
    warnings = summary.warn(experiments)
    if kind == "text":  # says them itself
        return summary.as_text(experiments)
    write_stderr("".join(f"playproof: warning: {text}\n" for text in warnings))
    return summary.as_html(experiments)


def write_whole(path, text):
    """The file appears whole or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    temporary = None
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError("it is not a regular file")
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", dir=folder,
                                         prefix=os.path.basename(path) + ".",
                                         delete=False) as file:
            temporary = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
        temporary = None
        directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        raise ReportError(OUTPUT, f"{path}: cannot write: {error.strerror or error}") from error
    finally:
        if temporary is not None:
            os.unlink(temporary)


def write_stdout(text):
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Python would try to flush once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise ReportError(OUTPUT, f"stdout: cannot write: {error.strerror}") from error


def write_stderr(text):
    """What can be written: a full stderr changes no exit status."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def main(arguments=None):
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        if options.format == "html" and not options.output:
            raise ReportError(USAGE, "report: --output FILE is needed for a page")
        if sys.version_info < (3, 9):
            raise ReportError(UNAVAILABLE, "report: Python 3.9 or newer is needed")
        experiments = read_experiments(options.stores)
        if not any(experiment.runs for experiment in experiments):
            raise ReportError(DATA, f"{', '.join(options.stores)}: the store holds no finished run")
        text = render(options.format, experiments)
        if options.output:
            write_whole(options.output, text)
        else:
            write_stdout(text)
    except ReportError as error:
        write_stderr(f"playproof: {error}\n")
        return error.status
    except MemoryError:
        write_stderr("playproof: report: out of memory\n")
        return INTERNAL
    except Exception:  # a bug of ours: the status says so, the trace says where
        write_stderr(traceback.format_exc() + "playproof: report: internal error\n")
        return INTERNAL
    return 0
