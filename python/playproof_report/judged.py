"""What was judged of stores, kept beside them in a file, so that the papers' short table need not judge again what has
not changed. A store is told by its bytes, the rules by those of the modules that judge; what is not the same in both is
judged anew. bench/judge.py writes the file; `report` only reads it. Standard library only.
"""

import dataclasses
import hashlib
import json
import lzma
import os

from . import written
from .claims import Judgement
from .statistics import Interval

FILE = "judged.json.xz"
# All that a judgement can depend on, stores apart.
RULES = ("choices", "claims", "conditions", "counts", "curves", "deep_dfpn", "opening", "orbits", "pairing", "probes",
         "resampling", "shape", "statistics", "store", "sweeps", "written")
_INTERVAL = ("value", "low", "high", "n")


@dataclasses.dataclass
class Judged:
    """One stored plan."""

    plan: dict
    judgements: list
    planned: int
    runs: int
    warnings: list = dataclasses.field(default_factory=list)
    page: str = ""  # HTML
    instead: list = dataclasses.field(default_factory=list)  # judgements by the other formula, of plans that have both


def of_file(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def rules(folder):
    """Told by the text of the modules, and by when claims were written, which stands beside the stores."""
    here = os.path.dirname(os.path.abspath(__file__))
    texts = [of_file(os.path.join(here, f"{name}.py")) for name in RULES]
    kept = os.path.join(folder, written.FILE)
    texts += [of_file(kept)] if os.path.exists(kept) else []
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def read(folder):
    """{name of a store: {"sha256", "plans"}}; empty without a file, or by other rules."""
    try:
        with lzma.open(os.path.join(folder, FILE), "rt", encoding="utf-8") as file:
            kept = json.load(file)
        return kept["stores"] if kept["rules"] == rules(folder) else {}
    except (OSError, EOFError, lzma.LZMAError, ValueError, KeyError, TypeError):  # then everything is judged
        return {}


def text_of(stores, folder):
    """The file's contents; stores: as read() has them."""
    text = json.dumps({"rules": rules(folder), "stores": stores}, sort_keys=True, ensure_ascii=False)
    return lzma.compress(text.encode(), preset=6)


def known(paths):
    """([Judged] of the stores that are kept as they are, the paths of the others)"""
    folders = {os.path.dirname(path): None for path in paths}
    kept = {folder: read(folder) for folder in folders}
    found, rest = [], []
    for path in paths:
        one = kept[os.path.dirname(path)].get(os.path.basename(path))
        if one and one["sha256"] == of_file(path):
            found += map(_judged, one["plans"])
        else:
            rest.append(path)
    return found, rest


def plain(one):
    """A Judged as plain values."""
    plan = {name: one.plan[name] for name in ("name", "title", "series", "claims")}
    return {"plan": plan, "planned": one.planned, "runs": one.runs, "warnings": one.warnings,
            **{name: [_plain_judgement(j) for j in getattr(one, name)] for name in ("judgements", "instead")}}


def _plain_judgement(judgement):
    values = {one.name: getattr(judgement, one.name) for one in dataclasses.fields(judgement)}
    return {**values, "interval": [getattr(judgement.interval, name) for name in _INTERVAL]}


def _judged(values):
    return Judged(**{**values, **{name: [_judgement(of) for of in values[name]] for name in ("judgements", "instead")}})


def _judgement(of):
    return Judgement(**{**of, "interval": Interval(*of["interval"]), "worst": tuple(of["worst"])})
