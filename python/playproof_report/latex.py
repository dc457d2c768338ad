"""Texts and numbers as LaTeX has them, also for pdfLaTeX."""

import math
import re
import unicodedata

from . import terminal

# Signs that mean something to TeX, or that its oldest fonts show as others.
_SIGNS = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_",
          "%": r"\%", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
          ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\texttt{\char34}", "`": r"\textasciigrave{}",
          "[": "{[}", "]": "{]}", "*": "{*}",  # after \\ they would be its argument
          "×": r"$\times$", "÷": r"$\div$", "≥": r"$\ge$", "≤": r"$\le$", "∞": r"$\infty$", "−": r"$-$",
          "–": r"\textendash{}", "—": r"\textemdash{}", "…": r"\dots{}", "’": "'", "“": "``", "”": "''", "²": r"$^2$",
          "√": r"$\surd$", "→": r"$\to$", "←": r"$\leftarrow$", "·": r"$\cdot$", "µ": r"$\mu$", "ε": r"$\epsilon$",
          "\xa0": "~"}
_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi " \
         "psi omega".split()


def text(value):
    """The text itself, whatever is in it. Letters with accents stay as they are; of signs that pdfLaTeX does not
    know their number."""
    return re.sub("-(?=-)", "-{}", "".join(map(_sign, terminal.one_line(value))))


def _sign(sign):
    if sign in _SIGNS:
        return _SIGNS[sign]
    if sign.isascii() or unicodedata.name(sign, "").startswith("LATIN ") and ord(sign) < 0x180:
        return sign
    name = unicodedata.name(sign, "").lower()
    words = name.replace("lamda", "lambda").split()
    if words[:3] == ["greek", "small", "letter"] and words[3:] and words[3] in _GREEK and len(words) == 4:
        return rf"$\{words[3]}$"
    if words[:3] == ["greek", "capital", "letter"] and len(words) == 4 and words[3] in (
            "gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega"):
        return rf"$\{words[3].capitalize()}$"
    return rf"\textless{{}}U+{ord(sign):04X}\textgreater{{}}"


def number(value):
    """Three digits, as pages have them; very small and very large ones as powers of ten."""
    if math.isnan(value):
        return "--"
    if math.isinf(value) or value > 1e300:
        return r"$\infty$"
    if value == 0:
        return "0"
    if 1e-3 <= value < 1e5:
        return f"{value:.3g}" if value < 100 else f"{value:,.0f}".replace(",", "{,}")
    digits, power = f"{value:.2e}".split("e")
    return rf"${digits} \cdot 10^{{{int(power)}}}$"
