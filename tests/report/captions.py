"""Every caption "Figure N" and "Table N" of the five sources (S0 to S4 of docs/readings.md), as their texts
have them."""


def _figures(*names):
    return ["Fig. " + str(name) for name in names]


def _chapter(chapter, last):
    return _figures(*(f"{chapter}-{number}" for number in range(1, last + 1)))


CAPTIONS = {
    "S0": _figures(*range(1, 7)),
    "S1": _figures(*range(1, 5)) + ["Table 1", "Table 2"],
    "S2": _figures(*range(1, 10)),
    "S3": _chapter(2, 13) + _chapter(3, 13) + _chapter(4, 10) + _chapter(5, 12) + _chapter(6, 6)
          + ["Table 3.1", "Table 3.2", "Table 3.3"],
    "S4": [],
}
UNNUMBERED = {"S4": ["Tree sample"]}
