"""The sweeps of a plan's TOML, as src/experiment/plan_sweep.cpp reads them: one table of a claim, or of a series, stands
for one a value. Standard library only."""

import decimal
import itertools
import re


def _text(value):
    """A number as short as it goes."""
    return value if isinstance(value, str) else repr(int(value) if value == int(value) else value)


def _steps(sweep):
    """["1.00", "0.95", ...], all with as many places."""
    ends = [decimal.Decimal(_text(sweep[name])) for name in ("from", "to", "step")]
    places = max(0, *(-end.as_tuple().exponent for end in ends))
    first, last, step = ends
    return [f"{first + step * i:.{places}f}" for i in range(int((last - first) / step) + 1)]


def _values(sweep):
    """[{key: text}]"""
    keys = [sweep["key"]] if isinstance(sweep["key"], str) else sweep["key"]
    rows = [[one] for one in _steps(sweep)] if "from" in sweep else [
        [one] if len(keys) == 1 else one for one in sweep["values"]]
    return [dict(zip(keys, map(_text, row))) for row in rows]


def _filled(value, values):
    if isinstance(value, list):
        return [_filled(one, values) for one in value]
    return re.sub(r"\{([^{}]*)\}", lambda found: values.get(found[1], found[0]), value) if isinstance(value, str) else value


def expanded(table):
    """The tables that this one stands for: itself without a sweep."""
    sweep = table.get("sweep")
    if not sweep:
        return [table]
    every = [_values(one) for one in ([sweep] if isinstance(sweep, dict) else sweep)]
    rest = {name: value for name, value in table.items() if name != "sweep"}
    return [{name: _filled(value, {k: v for part in parts for k, v in part.items()}) for name, value in rest.items()}
            for parts in itertools.product(*every)]


def series(plan):
    """The series of a plan as TOML has it, whose positions name columns in braces, too."""
    return [series for table in plan.get("series", []) for series in expanded(table)]


def is_own(claim):
    """Whether a claim of a plan's TOML is the project's own: where it does not say, what has no source is."""
    return claim.get("own", "source" not in claim)


def claims(plan):
    """The claims of a plan as TOML has it."""
    return [claim for table in plan.get("claim", []) for claim in expanded(table)]
