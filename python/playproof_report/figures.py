"""What a paper needs of a report, as files: every plot as SVG and PDF, the tables of ratios as CSV and LaTeX."""

import re
import zlib

from . import ratios, style, summary

LONGEST = 100  # letters of a name, without its end


def made(experiments):
    """({name of a file: its content}, a line for the terminal). `experiments`: of summary.prepared()."""
    files, tables, against, without = {}, 0, [], []
    figures = 0
    for e in experiments:
        if not e.runs:
            continue
        with style.keeping(alone=True) as drawn:
            summary.kind_of(e).section(e)
        for one in drawn:
            name = _name(files, f"{e.name} {one.label}", ".svg")
            files[name + ".svg"], files[name + ".pdf"] = one.svg, one.pdf
        figures += len(drawn)
        for series, rows in ratios.tables(e):
            if not rows:
                without.append(series)
                continue
            name = _name(files, f"{e.name} {series} ratios", ".csv")
            files[name + ".csv"] = ratios.as_csv(rows)
            files[name + ".tex"] = ratios.as_latex(rows)
            tables += 1
            against.append(e.reference(series))
    line = f"{figures} {'figure' if figures == 1 else 'figures'} (SVG, PDF)"
    if tables:
        to = ", ".join(dict.fromkeys(against))
        line += f", {tables} {'table' if tables == 1 else 'tables'} of ratios to {to} (CSV, LaTeX)"
    if without:
        line += f"; no ratios on {', '.join(without)}: there the other side has no runs"
    return files, line


def _name(taken, text, end):
    """What a text may be called as a file; no other file of these has it."""
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "plan"
    if len(name) > LONGEST:
        name = f"{name[:LONGEST - 9]}-{zlib.crc32(text.encode()):08x}"
    plain, number = name, 2
    while name + end in taken:
        name, number = f"{plain}-{number}", number + 1
    return name
