"""The command line behind `playproof report`."""

import argparse
import os
import sys
import traceback

from . import output, terminal
from .errors import DATA, INTERNAL, UNAVAILABLE, USAGE, ReportError
from .files import check_place, write_whole
from .store import read_experiments


def parse(arguments):
    parser = argparse.ArgumentParser(prog="playproof report")
    parser.add_argument("--format", choices=["html", "text", "csv", "json", "claims"], default="html")
    parser.add_argument("--output", metavar="FILE")
    parser.add_argument("--figures", metavar="DIR")
    parser.add_argument("--against", metavar="NAME")
    parser.add_argument("--kind")
    parser.add_argument("--papers", action="store_true")
    parser.add_argument("--ascii", action="store_true")  # the locale does not say UTF-8
    parser.add_argument("stores", metavar="RESULTS", nargs="+")
    return parser.parse_args(arguments)


def need_libraries(drawn=True):
    """drawn: figures are."""
    try:
        if drawn:
            import matplotlib  # noqa: F401
        import jinja2  # noqa: F401
        import numpy  # noqa: F401
        import pandas  # noqa: F401
        import scipy  # noqa: F401
    except ImportError as error:
        raise ReportError(UNAVAILABLE, f"report: {sys.executable} lacks {error.name}; install "
                                       "python3-numpy, python3-scipy, python3-pandas, "
                                       "python3-matplotlib and python3-jinja2, or let "
                                       "PLAYPROOF_PYTHON name a Python that has them") from error


def render(options, experiments):
    """The page, or what stands in its place; None where figures alone are asked for."""
    form = options.format
    if form in ("csv", "json"):
        from . import export
        return export.as_csv(experiments) if form == "csv" else export.as_json(experiments)
    need_libraries(form == "html")
    from . import summary
    if form == "claims":
        output.warn(summary.disagreements(experiments))
        return summary.as_claims(experiments)
    experiments = summary.prepared(experiments, options.kind, options.against)
    warnings = summary.warn(experiments)
    if form == "text":  # says them itself
        return summary.as_text(experiments)
    output.warn(warnings)
    if not options.output:
        return None
    check_place(options.output)  # drawing takes much longer
    return summary.as_html(experiments)


def report_figures(options, experiments):
    """All plots and the tables of ratios, drawn before any is written. Returns what is to be said."""
    need_libraries()
    from . import figures, summary
    output.check_folder(options.figures)
    files, line = figures.made(summary.prepared(experiments, options.kind, options.against))
    paths = {os.path.join(options.figures, name): content for name, content in files.items()}
    output.keep_apart(paths, options.stores)
    output.make_folder(options.figures)
    for path, content in paths.items():
        write_whole(path, content)
    return f"{terminal.one_line(options.figures)}: {line}\n"


def report(options, experiments):
    text = render(options, experiments)
    said = report_figures(options, experiments) if options.figures else ""
    if text is not None:
        write(options, text)
    if options.format == "html":
        output.write_stdout(said, True, options.ascii)
    else:
        sys.stderr.write(said)


def kept_and_read(stores):
    """([Judged], [Experiment]): what is judged already is not read, if no plan is in two stores."""
    from . import judged
    kept, rest = judged.known(stores)
    experiments = read_experiments(rest) if rest else []
    names = [one.plan["name"] for one in [*kept, *experiments]]
    return (kept, experiments) if len(names) == len(set(names)) else ([], read_experiments(stores))


def report_papers(options, kept, experiments):
    """The page of all papers, its plans' pages beside it first, so that no link leads nowhere."""
    from . import paper_list, papers, papers_page
    html = options.format == "html"
    rows, listed, stored = papers.judge_papers(
        experiments, os.path.join(paper_list.BENCH, "papers.toml"),
        os.path.join(paper_list.BENCH, "plans"), papers_page.way_up(options.output) if html else None,
        kept)
    if not html:
        text = (papers.as_text(rows, listed) if options.format == "text" else
                papers.as_csv(rows) if options.format == "csv" else papers.as_json(rows, listed))
        return write(options, text)
    folder = papers.pages_folder(options.output)
    text = papers_page.as_html(rows, listed, stored, os.path.basename(folder))
    pages = {os.path.join(folder, name): stored[plan].page
             for plan, name in papers_page.page_names(stored).items()}
    output.keep_apart([options.output, *pages], options.stores)
    output.make_folder(folder)
    for path, page in [*pages.items(), (options.output, text)]:
        write_whole(path, page)
    return output.write_stdout(papers.line(rows, listed) + "\n", True, options.ascii)


def write(options, text):
    if options.output:
        write_whole(options.output, text)
    else:
        output.write_stdout(text, options.format == "text", options.ascii)


def main(arguments=None):
    options = parse(sys.argv[1:] if arguments is None else arguments)
    with output.telling(options.ascii):
        return _main(options)


def _main(options):
    try:
        if options.format == "html" and not options.output and not options.figures:
            raise ReportError(USAGE, "report: --output FILE is needed for a page")
        if sys.version_info < (3, 9):
            raise ReportError(UNAVAILABLE, "report: Python 3.9 or newer is needed")
        kept = []
        if options.papers:
            need_libraries(options.format == "html")
        if options.papers and options.format != "html":  # pages are drawn from the runs
            kept, experiments = kept_and_read(options.stores)
        else:
            experiments = read_experiments(options.stores)
        if not any(one.runs for one in [*kept, *experiments]):
            raise ReportError(DATA, f"{', '.join(options.stores)}: the store holds no finished run")
        if options.papers:
            report_papers(options, kept, experiments)
        else:
            report(options, experiments)
    except ReportError as error:
        # A trace of ours has lines; what a store says has none.
        parts = str(error).split("\n") if error.status == INTERNAL else [str(error)]
        sys.stderr.write("playproof: " + "\n".join(map(terminal.one_line, parts)) + "\n")
        return error.status
    except MemoryError:
        sys.stderr.write("playproof: report: out of memory\n")
        return INTERNAL
    except Exception:  # a bug of ours: the status says so, the trace says where
        sys.stderr.write(traceback.format_exc() + "playproof: report: internal error\n")
        return INTERNAL
    return 0
