"""What a change of the rules does to every judgement: a line each, before and after, with why.

usage: python3 bench/verdicts.py BEFORE.json AFTER.json --output verdicts.csv

Both are of `playproof report STORES --format claims`, of the same stores by two versions of the program; for
bench/results/verdicts.csv the first is 49602b7, by which images of a position were problems of their own and one undecided
run left a claim open (it reads no store of version 4). Prints how many judgements have which verdict, and the lines of
those that changed.
"""

import argparse
import collections
import csv
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
from playproof_report import terminal  # noqa: E402

SIDES = ("before", "after")
NEW = "new"  # a judgement that only one side has
COLUMNS = ("plan", "claim", "series", *(f"{side} {name}" for side in SIDES for name in (
    "verdict", "value", "low", "high", "n", "p", "stands")), "why")


def read(path):
    """{(plan, claim, series): judgement}"""
    with open(path, encoding="utf-8") as file:
        return {(one["plan"], j["id"], j["series"]): j
                for one in json.load(file)["experiments"] for j in one["judgements"]}


def shown(value):
    """Three digits; "-" of what is not finite."""
    return "-" if value is None else f"{value:.3g}"


def why(before, after):
    """What differs between two judgements of one claim, in words; empty if nothing that matters does."""
    reasons = []
    if before["n"] != after["n"]:
        reasons.append(f"{before['n']} problems are {after['n']} without images of each other")
    if before["formula"] != after["formula"]:
        reasons.append("the claim has another formula")
    if before["verdict"] != after["verdict"] and after.get("worst") and not before.get("worst"):
        reasons.append("undecided runs would change it " + (
            "by no factor" if after["tipping"] is None else f"had they taken {after['tipping']:.2g} times as long"))
    if not reasons and before["verdict"] != after["verdict"]:
        reasons.append("another rule")
    if not reasons and before["stands"] != after["stands"]:
        reasons.append("other p-values in its family (Holm)")
    return "; ".join(reasons)


def row(key, before, after):
    values = dict(zip(COLUMNS, key))
    for side, one in zip(SIDES, (before, after)):
        for name in ("value", "low", "high", "p"):
            values[f"{side} {name}"] = shown(one[name]) if one else ""
        for name in ("verdict", "n", "stands"):
            values[f"{side} {name}"] = one[name] if one else ""
    values["why"] = why(before, after) if before and after else NEW if after else "no longer judged"
    return values


def rows(before, after):
    """Of every judgement that one side has, in the order of the second."""
    keys = list(dict.fromkeys([*after, *before]))
    return [row(key, before.get(key), after.get(key)) for key in keys]


def changed(one):
    return any(one[f"before {name}"] != one[f"after {name}"] for name in ("verdict", "stands"))


def counts(judged):
    """"258 reproduced (143 stand), ..." """
    found = collections.Counter(j["verdict"] for j in judged.values())
    stand = collections.Counter(j["verdict"] for j in judged.values() if j["stands"])
    return ", ".join(f"{found[verdict]} {verdict}" + (f" ({stand[verdict]} stand)" if stand[verdict] else "")
                     for verdict in sorted(found))


def line(one):
    sides = ["{} {} [{}, {}] n={}{}".format(
        *(one[f"{side} {name}"] for name in ("verdict", "value", "low", "high", "n")),
        " stands" if one[f"{side} stands"] else "") for side in SIDES]
    return f"{one['plan']}: {one['claim']} on {one['series']}: {sides[0]} -> {sides[1]}: {one['why']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    both = read(options.before), read(options.after)
    found = rows(*both)
    with open(options.output, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    for side, judged in zip(SIDES, both):
        print(f"{side}: {len(judged)} judgements: {counts(judged)}")
    for one in filter(changed, found):
        print(terminal.one_line(line(one)))


if __name__ == "__main__":
    main()
