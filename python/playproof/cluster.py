"""playproof-cluster: experiments on many workers, on one machine or many, by Dask.

docs/cluster.md has the tour; `playproof-cluster experiment --help` the options.
"""

import argparse
import logging
import os
import shlex
import sys
import warnings

from .errors import Error, UnavailableError

USAGE, INTERNAL, OUTPUT = 64, 70, 74

# The packages of the extra `cluster` (pyproject.toml): playproof itself is on no index.
INSTALL = "pip install 'dask[distributed]' bokeh cryptography"

MOST_SHOWN = 2000  # characters of a message

# Options of a scheduler of its own, which --scheduler excludes.
OF_ITS_OWN = {"--workers": "workers", "--host": "host", "--port": "port", "--dashboard": "dashboard"}

# What Dask's processes do all the time, less often: with two workers it takes 2 % of a core, not 6 %.
SELDOM = {"distributed.worker.profile.enabled": False,  # of Python alone; searches are not
          "distributed.admin.tick.interval": "500ms", "distributed.admin.system-monitor.interval": "1s"}

FOOTER = """\
Rows are those of `playproof experiment`, but for times. This process commits
them one by one; whatever is killed, the same command goes on with what is
missing. The first SIGINT, SIGTERM or SIGHUP abandons what runs, keeps what came
back and ends with status 75; the second ends at once.

Without --scheduler there are a scheduler and workers of its own on this
machine, one run at a time each, with certificates that are made for them. With
it, workers are those that joined that scheduler (`dask worker`, dask-jobqueue,
dask-mpi), with the same version of this package.

Everything listens at 127.0.0.1 unless --host says otherwise, the dashboard
always. A scheduler of others needs TLS with certificates on both sides:
--tls-ca, --tls-cert and --tls-key. Whoever holds such a certificate can run
code as you. So can every user of this machine through a scheduler without TLS,
which must be at 127.0.0.1 and needs --insecure-scheduler.

Exit status: 0 every run is stored, 64 usage, 65 bad plan, store or
certificates, 69 backend, scheduler or Dask not available, or another version on
a worker, 70 a verdict contradicts a known result (DISAGREEMENT on stderr) or a
run FAILED, 74 store not written, 75 stopped; start again to go on.

Examples:
  playproof-cluster experiment plan.toml --store results.db --workers 8
  playproof-cluster experiment plan.toml --store results.db \\
      --scheduler scheduler.json --tls-ca a.pem --tls-cert c.pem --tls-key k.pem
"""


class Parser(argparse.ArgumentParser):
    """Errors and --help as the program's."""

    def __init__(self, **options):
        super().__init__(add_help=False, allow_abbrev=False, **options)
        self.add_argument("-h", "--help", action="help", help="Print this help message and exit")

    def error(self, message):
        print(f"playproof-cluster: {message}; see --help", file=sys.stderr)
        sys.exit(USAGE)


class Version(argparse.Action):
    """--version; only then the module is needed."""

    def __call__(self, parser, *_):
        from . import _native

        print(f"{_native.version}+{_native.revision}")
        parser.exit()


def integer(least, most):
    def read(text):
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"must be {least}..{most}, not '{text}'")
        return int(text)

    return read


def dashboard(text):
    return text if text == "none" else integer(0, 65535)(text)


def parser():
    program = Parser(prog="playproof-cluster",
                     description="Experiments on many workers, on one machine or many, by Dask.")
    program.add_argument("--version", action=Version, nargs=0, help="Print the version and end")
    commands = program.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    one = commands.add_parser(
        "experiment", help="Runs a plan, or what its store lacks", epilog=FOOTER,
        description="Runs the experiment that a plan describes on many workers.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    one.add_argument("plan", metavar="PLAN", help="The plan, a TOML file")
    one.add_argument("--store", metavar="FILE", required=True, help="The SQLite file, made or continued")
    one.add_argument("--backend", metavar="BACKEND", default="auto",
                     help="What plays the playouts on the workers (default: auto)")
    one.add_argument("--scheduler", metavar="ADDRESS",
                     help="At tls://HOST:PORT, tcp://127.0.0.1:PORT, or a scheduler file (*.json)")
    one.add_argument("--insecure-scheduler", action="store_true",
                     help="Takes one without TLS, at 127.0.0.1: every user of this machine can run code as you")
    one.add_argument("--workers", metavar="N", type=integer(0, 1024),
                     help="Workers of its own (default: one a core)")
    one.add_argument("--host", metavar="ADDRESS", help="Where its own scheduler listens (default: 127.0.0.1)")
    one.add_argument("--port", metavar="PORT", type=integer(0, 65535),
                     help="Of its own scheduler (default: any)")
    one.add_argument("--dashboard", metavar="PORT", type=dashboard,
                     help="Of its own dashboard, at 127.0.0.1; none: no pages at all (default: 8787)")
    one.add_argument("--tls-ca", metavar="FILE", help="The authority that has signed both sides, PEM")
    one.add_argument("--tls-cert", metavar="FILE", help="The certificate of this side, PEM")
    one.add_argument("--tls-key", metavar="FILE", help="Its key, PEM")
    one.add_argument("--progress", metavar="MODE", choices=["auto", "json", "none"], default="auto",
                     help="On stderr: auto, json or none (default: auto)")
    return program


def read(arguments):
    """The options, whole. Exits with status 64."""
    program = parser()
    options = program.parse_args(arguments)
    for name, key in OF_ITS_OWN.items():
        if options.scheduler is not None and getattr(options, key) is not None:
            program.error(f"{name} is of a scheduler of its own: not with --scheduler")
    if options.insecure_scheduler and options.scheduler is None:
        program.error("--insecure-scheduler is of a scheduler of others: only with --scheduler")
    if options.insecure_scheduler and options.tls_ca is not None:
        program.error("--insecure-scheduler is of a scheduler without TLS: not with --tls-ca")
    if options.scheduler is None:
        from . import _native

        defaults = {"workers": _native.all_cores(), "host": "127.0.0.1", "port": 0, "dashboard": 8787}
        for key, value in defaults.items():
            if getattr(options, key) is None:
                setattr(options, key, value)
    return options


def run(arguments):
    options = read(arguments)
    warnings.simplefilter("ignore")  # Dask's; what matters here is an error
    try:
        import dask

        quiet = {"distributed": "critical", "distributed.client": "critical"}
        dask.config.set({"logging": quiet, **SELDOM})
        import distributed  # noqa: F401
    except ImportError as error:
        raise UnavailableError(f"Dask is missing ({error}): {INSTALL}") from None
    for name in ("distributed", "asyncio", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    from ._cluster import experiment

    command = "playproof-cluster " + shlex.join(arguments)
    return experiment(options, command)


def shown(text):
    """A message in one line: it may have texts of others in it, which a terminal could take for orders."""
    text = str(text)
    text = text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def main(arguments=None):
    """The console script. Returns the exit status."""
    try:
        return run(list(sys.argv[1:] if arguments is None else arguments))
    except Error as error:
        print(f"playproof-cluster: {shown(error)}", file=sys.stderr)
        return error.code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OUTPUT
    except Exception as error:
        print(f"playproof-cluster: internal error: {type(error).__name__}: {shown(error)}", file=sys.stderr)
        return INTERNAL


if __name__ == "__main__":
    sys.exit(main())
