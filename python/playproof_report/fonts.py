"""Fonts of PDF files. Each file has of a font what its figure shows; to find that in all of a font, with its thousands
of letters, takes longer than all else of a figure. What is found in a part of it that is made once is the same."""

import contextlib
import io

# What figures show but for names in other scripts: Latin, Greek, dashes and quotes, arrows, signs of mathematics.
PART = frozenset("\n").union(map(chr, [
    *range(0x20, 0x7f), *range(0xa0, 0x180), *range(0x384, 0x400), *range(0x2010, 0x2040), *range(0x2070, 0x20a0),
    *range(0x2190, 0x2194), 0x2212, 0x221e, 0x2248, *range(0x2260, 0x2266), 0x25d0, 0x2713]))
_parts = {}  # of fonts, by file and font in it: the bytes of a font that has PART alone


@contextlib.contextmanager
def from_part(shown):
    """Within it a PDF is made of a figure that shows these letters."""
    from fontTools import subset
    whole = subset.load_font

    def load(file, options, *more, **named):
        name = file, options.font_number
        if name not in _parts:
            font = whole(file, options)
            taker = subset.Subsetter(options)
            taker.populate(text="".join(sorted(PART)))
            taker.subset(font)
            made = io.BytesIO()
            font.save(made, reorderTables=False)
            font.close()
            _parts[name] = made.getvalue()
        return whole(io.BytesIO(_parts[name]), options, *more, **named)

    subset.load_font = load if PART.issuperset(shown) else whole
    try:
        yield
    finally:
        subset.load_font = whole
