"""How figures look: one colour an algorithm, few lines, words beside what they name."""

import contextlib
import io
from dataclasses import dataclass

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as pyplot  # noqa: E402 (the backend is chosen first)
from markupsafe import Markup, escape  # noqa: E402
from matplotlib import patheffects, ticker  # noqa: E402

INK = "#222222"
SOFT = "#6b6b6b"
GRID = "#e4e4e0"
PAPER = "#fffffd"  # of the page's style, and of figures on a dark page
# Okabe and Ito's colours, which people with any common colour blindness can tell apart. The
# reference of a report gets the strongest.
REFERENCE = "#d55e00"
OTHERS = ["#333333", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#7a7a7a"]
# For curves that no reference is among, one after the other.
CURVES = [REFERENCE] + OTHERS[1:] + OTHERS[:1]
MOST_HEADLINES = 6  # pictures that answer a title: one a series
OTHERS_NAME = "others"  # of curves that are not told apart, in grey
STROKES = ["-", (0, (4, 1.5)), (0, (1, 1.2))]
XML = '<?xml version="1.0" encoding="utf-8"?>'
ENDLESS = 1e300  # what is more is the exponential of an end that is infinite


def looks(names):
    """{name: colour and line style}, all different up to 24 names."""
    return {name: {"color": CURVES[i % len(CURVES)],
                   "linestyle": STROKES[i // len(CURVES) % len(STROKES)]}
            for i, name in enumerate(names)}


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


def colours(labels, reference):
    """{label: colour}; the same labels always get the same colours."""
    others = [label for label in labels if label != reference]
    result = {label: OTHERS[i % len(OTHERS)] for i, label in enumerate(others)}
    result[reference] = REFERENCE
    return result


def halo(width=2.5):
    """Keeps text readable where it crosses lines."""
    return [patheffects.withStroke(linewidth=width, foreground="white")]


def short_number(x):
    """12, 3.4k, 1.2M: at most three digits."""
    if x != x:
        return "-"
    if x > ENDLESS:
        return "∞"
    for limit, divisor, unit in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(x) >= limit * 0.9995:
            return f"{x / divisor:.3g}{unit}"
    if abs(x) >= 1000:
        return f"{x:,.0f}"
    return f"{x:.3g}"


def short_time(seconds):
    """420 µs, 3.1 ms, 2.4 s."""
    if seconds != seconds:
        return "-"
    if seconds > ENDLESS:
        return "∞"
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if seconds < limit * 0.9995:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def ratio_text(x, digits=3):
    """0.031×, 2.41×, 110×."""
    if x != x:
        return "-"
    return "∞" if x > ENDLESS else f"{x:.{digits}g}×" if x < 100 else f"{x:,.0f}×"


def share_text(x):
    """62 %."""
    return "-" if x != x else f"{100 * x:.3g} %"


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


def dashes(stroke):
    """A line style as SVG has it."""
    return "" if stroke == "-" else " ".join(f"{2 * length:g}" for length in stroke[1])


def luminance(colour):
    """Relative luminance of "#rrggbb" (WCAG 2)."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """From 1 to 21; texts need 4.5."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def for_text(colour, paper=PAPER):
    """The colour, darker where a text in it could not be read."""
    parts = [int(colour[i:i + 2], 16) for i in (1, 3, 5)]
    for percent in range(100, 0, -2):
        darker = "#" + "".join(f"{part * percent // 100:02x}" for part in parts)
        if contrast(darker, paper) >= 4.5:
            return darker
    return INK


@dataclass
class Drawn:
    """A figure as files of its own: with its legend, which pages have below their figures."""

    label: str
    svg: str
    pdf: bytes


_kept = None  # where all figures that are drawn go, if somebody keeps them


@contextlib.contextmanager
def keeping():
    """[Drawn]: of all figures that are drawn within."""
    global _kept
    formerly, _kept = _kept, []
    try:
        yield _kept
    finally:
        _kept = formerly


def svg(figure, label, alt="", paper="none"):
    """The figure as inline SVG text; `alt`, or else `label`, is read to those who do not see it. No two
    figures of a page have the same label. `paper`: the colour behind it, where a page has none of its own."""
    text = _saved_svg(figure, label, paper)
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
