"""How figures look: one colour an algorithm, few lines, words beside what they name. drawing.py draws them."""

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
ENDLESS = 1e300  # what is more is the exponential of an end that is infinite


def looks(names):
    """{name: colour and line style}, all different up to 24 names."""
    return {name: {"color": CURVES[i % len(CURVES)],
                   "linestyle": STROKES[i // len(CURVES) % len(STROKES)]}
            for i, name in enumerate(names)}


def colours(labels, reference):
    """{label: colour}; the same labels always get the same colours."""
    others = [label for label in labels if label != reference]
    result = {label: OTHERS[i % len(OTHERS)] for i, label in enumerate(others)}
    result[reference] = REFERENCE
    return result


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


def __getattr__(name):
    """What draws; matplotlib is not imported before: that takes a third of the time of a short table."""
    if name.startswith("_"):
        raise AttributeError(name)
    from . import drawing
    return getattr(drawing, name)
