"""Draws figures as style.py says, which hands on all of this: matplotlib takes long to import."""

import contextlib
import io
from dataclasses import dataclass

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as pyplot  # noqa: E402 (the backend is chosen first)
from markupsafe import Markup, escape  # noqa: E402
from matplotlib import patheffects, ticker  # noqa: E402

from . import fonts  # noqa: E402
from .style import GRID, INK, OTHERS_NAME, SOFT  # noqa: E402

XML = '<?xml version="1.0" encoding="utf-8"?>'

matplotlib.rcParams.update({
    "svg.fonttype": "none",
    "svg.hashsalt": "playproof",
    "pdf.fonttype": 42,  # letters as letters: publishers refuse Type 3
    "text.parse_math": False,  # labels of plans are text, dollars too
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titley": 1.0,  # nothing is at the top of any axes that a title would have to make way for
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
})


def halo(width=2.5):
    """Keeps text readable where it crosses lines."""
    return [patheffects.withStroke(linewidth=width, foreground="white")]


class _Different(ticker.Formatter):
    """Labels of ticks; of those that would read alike the first."""

    def __init__(self, formatter):
        super().__init__()
        self.formatter = formatter

    def __call__(self, x, _=None):
        return self.formatter(x)

    def format_ticks(self, values):
        texts = [self.formatter(x) for x in values]
        return [text if text not in texts[:i] else "" for i, text in enumerate(texts)]


def log_axis(axis, formatter, room=300):
    """Labels at 1, 10, 100, ..., at 2 and 5 too over less than `room`, at 3 over less than 100, and at
    other round numbers where not two of these are within the axis' ends, which have to be set. No
    small ticks between them, which take longer than all else of a picture."""
    axis.set_major_formatter(_Different(formatter))
    low, high = sorted(axis.get_view_interval())
    span = high / max(low, 1e-300)
    if span < 5:
        axis.set_major_locator(ticker.MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    elif span < max(room, 100):
        axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0) if span < room else (1.0, 3.0)))
    else:
        axis.set_major_locator(ticker.LogLocator(numticks=5))
    axis.set_minor_locator(ticker.NullLocator())


def new_figure(columns, width, height, rows=1, **options):
    return pyplot.subplots(rows, columns, figsize=(width, height), squeeze=False, **options)


def new_panels(count, width, height):
    """[axes]: a picture for each panel, which pages lay out side by side or stacked."""
    return [new_figure(1, width, height)[1][0][0] for _ in range(count)]


@dataclass
class Drawn:
    """A figure as files of its own: with its legend, which pages have below their figures."""

    label: str
    svg: str
    pdf: bytes


_kept = None  # where all figures that are drawn go, if somebody keeps them
_alone = False  # they go nowhere else


@contextlib.contextmanager
def keeping(alone=False):
    """[Drawn]: of all figures that are drawn within. `alone`: what stands on a page of them is empty."""
    global _kept, _alone
    formerly, _kept, _alone = (_kept, _alone), [], alone
    try:
        yield _kept
    finally:
        _kept, _alone = formerly


def svg(figure, label, alt="", paper="none"):
    """The figure as inline SVG text; `alt`, or else `label`, is read to those who do not see it. No two
    figures of a page have the same label. `paper`: the colour behind it, where a page has none of its own."""
    text = '<svg width="0pt"></svg>' if _alone else _saved_svg(figure, label, paper)
    if _kept is not None:
        _kept.append(_drawn(figure, label, alt or label))
    pyplot.close(figure)
    return Markup(text.replace("<svg ", f'<svg role="img" aria-label="{escape(alt or label)}" ', 1))


def _saved_svg(figure, label, paper="none"):
    """From "<svg" on. The same figure gives the same bytes."""
    buffer = io.StringIO()
    matplotlib.rcParams["svg.hashsalt"] = label  # ids must differ between figures of one page
    figure.savefig(buffer, format="svg", bbox_inches="tight", pad_inches=0.06, facecolor=paper,
                   metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg"):]


def _drawn(figure, label, alt):
    _add_legend(figure)
    text = _saved_svg(figure, label)
    end = text.index(">") + 1
    text = (f"{XML}\n{text[:end]}\n <title>{escape(label)}</title>\n <desc>{escape(alt)}</desc>{text[end:]}")
    buffer = io.BytesIO()
    with fonts.from_part(text):
        figure.savefig(buffer, format="pdf", bbox_inches="tight", pad_inches=0.06,
                       metadata={"Title": label, "Subject": alt, "CreationDate": None, "Creator": None,
                                 "Producer": None})
    return Drawn(label, text, buffer.getvalue())


def _add_legend(figure):
    """Of all that has a label, below the axes: nothing is hidden by it."""
    found = {}
    for axis in figure.axes:
        handles, labels = axis.get_legend_handles_labels()
        found.update({label: handle for handle, label in zip(handles, labels) if label not in found})
    if OTHERS_NAME in found:
        found[OTHERS_NAME] = found.pop(OTHERS_NAME)  # last
    if found:
        below = figure.get_tightbbox(None).y0 / figure.get_figheight()
        # So many beside each other as are about as wide as the figure.
        columns = max(1, min(len(found), int(figure.get_figwidth() * 14 / (max(map(len, found)) + 6))))
        figure.legend(found.values(), found.keys(), loc="upper left", bbox_to_anchor=(0, below),
                      ncol=columns, fontsize=8, frameon=False, handlelength=2.4, columnspacing=1.6)


def svgs(axes, label, alt):
    """The pictures of new_panels(); what is read of each ends with its title."""
    return [svg(axis.figure, f"{label} {number}", f"{alt}: {axis.get_title(loc='left')}")
            for number, axis in enumerate(axes, 1)]
