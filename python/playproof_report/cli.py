"""The command line behind `playproof report`."""

import argparse
import os
import sys
import traceback

from .errors import DATA, INTERNAL, OUTPUT, UNAVAILABLE, USAGE, ReportError
from .files import check_place, write_whole
from .store import read_experiments
from .terminal import one_line


def parse(arguments):
    parser = argparse.ArgumentParser(prog="playproof report")
    parser.add_argument("--format", choices=["html", "text", "csv", "json", "claims"], default="html")
    parser.add_argument("--output", metavar="FILE")
    parser.add_argument("--kind")
    parser.add_argument("--papers", action="store_true")
    parser.add_argument("stores", metavar="RESULTS", nargs="+")
    return parser.parse_args(arguments)


def need_libraries():
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


def render(options, experiments):
    form = options.format
    if form in ("csv", "json"):
        from . import export
        return export.as_csv(experiments) if form == "csv" else export.as_json(experiments)
    need_libraries()
    from . import summary
    if form == "claims":
        write_warnings(summary.disagreements(experiments))
        return summary.as_claims(experiments)
    if options.kind:
        summary.use_kind(experiments, options.kind)
    summary.check_kinds(experiments, USAGE if options.kind else DATA)
    warnings = summary.warn(experiments)
    if form == "text":  # says them itself
        return summary.as_text(experiments)
    write_warnings(warnings)
    check_place(options.output)  # drawing takes much longer
    return summary.as_html(experiments)


def write_warnings(texts):
    write_stderr("".join(f"playproof: warning: {one_line(text)}\n" for text in texts))


def report_papers(options, experiments):
    """The page of all papers, its plans' pages beside it first, so that no link leads nowhere."""
    need_libraries()
    from . import paper_list, papers, papers_page
    html = options.format == "html"
    rows, listed, stored = papers.judge_papers(
        experiments, os.path.join(paper_list.BENCH, "papers.toml"),
        os.path.join(paper_list.BENCH, "plans"), papers_page.way_up(options.output) if html else None)
    if not html:
        text = (papers.as_text(rows, listed) if options.format == "text" else
                papers.as_csv(rows) if options.format == "csv" else papers.as_json(rows, listed))
        return write(options.output, text)
    folder = papers.pages_folder(options.output)
    text = papers_page.as_html(rows, listed, stored, os.path.basename(folder))
    pages = {os.path.join(folder, name): stored[plan].page
             for plan, name in papers_page.page_names(stored).items()}
    keep_apart([options.output, *pages], options.stores)
    make_folder(folder)
    for path, page in [*pages.items(), (options.output, text)]:
        write_whole(path, page)
    return write_stdout(papers.line(rows, listed) + "\n")


def keep_apart(written, read):
    """A page is never written over a store, by whatever name."""
    for path in written:
        for store in read:
            if os.path.exists(path) and os.path.samefile(path, store):
                raise ReportError(USAGE, f"report: the page {path} and the store {store} are one file")


def make_folder(path):
    try:
        if not os.path.isdir(path):
            os.mkdir(path)
    except OSError as error:
        raise ReportError(OUTPUT, f"{path}: cannot make the folder: {error.strerror}") from error


def write(path, text):
    if path:
        write_whole(path, text)
    else:
        write_stdout(text)


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
        if options.papers:
            report_papers(options, experiments)
        else:
            write(options.output, render(options, experiments))
    except ReportError as error:
        # A trace of ours has lines; what a store says has none.
        parts = str(error).split("\n") if error.status == INTERNAL else [str(error)]
        write_stderr("playproof: " + "\n".join(map(one_line, parts)) + "\n")
        return error.status
    except MemoryError:
        write_stderr("playproof: report: out of memory\n")
        return INTERNAL
    except Exception:  # a bug of ours: the status says so, the trace says where
        write_stderr(traceback.format_exc() + "playproof: report: internal error\n")
        return INTERNAL
    return 0
