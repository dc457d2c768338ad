"""What pages of kind compare say against a number that labels end in: "PPN n=16", "inv R=0.40", "16 places table=64KiB",
"1+eps 0.05". What stands before it is the name of a curve."""

import math
import re
from dataclasses import dataclass, field

import numpy

from . import counts, curve_figures, page, pairing, resampling, style
from .pairing import GEOMETRIC, MEAN_OF, OF_MEANS
from .statistics import Interval, geometric_ratio, wilson

LABEL = re.compile(r"(?:(.*\S) )?(?:([A-Za-z]\w*)=)?(\d{1,15}(?:\.\d{1,15})?)(KiB|MiB|GiB)?")
KIB = {None: 1, "KiB": 1, "MiB": 2**10, "GiB": 2**20}
FEWEST = 3  # values of a number that make a curve
MOST_LINES = 3  # algorithms without the number that are drawn beside curves of other names
RELATIVE = {"iterations_normalised": "Iterations", "nodes_created": "Nodes created", "re_entries": "Re-entries"}
IN_ONE_WAY = "re_entries"  # which no paper averages otherwise than by position
AVERAGES = {GEOMETRIC: "geometric mean", OF_MEANS: "ratio of the means", MEAN_OF: "mean of the ratios"}
SMALL = 10  # runs of an experiment of a paper's, as DeepPN's on Hex
SMALL_SAMPLES = 10_000


@dataclass
class Over:
    """One measure of an algorithm over that of its base."""

    of: dict  # {statistic: pairing.Paired}
    fewer: int  # cases with less, or decided where the base was not
    more: int


@dataclass
class Point:
    """One algorithm, over the problems of a series."""

    value: float  # of the number; NaN: it has none
    label: str
    means: dict  # {measure: Interval: geometric mean}, without those that are 0 in every run
    steps: dict  # {measure: Interval of the paired ratio to the next smaller value, or None}
    solved: object  # Interval: share of the problems
    undecided: int
    arithmetic: dict = field(default_factory=dict)  # {measure of RELATIVE: mean}
    over: dict = field(default_factory=dict)  # {measure of RELATIVE: Over}

    def ratio(self, measure, statistic=GEOMETRIC):
        """The Interval, or None."""
        return self.over[measure].of[statistic].full if measure in self.over else None


@dataclass
class Numbered:
    """The curves of one number on a series."""

    key: str
    unit: str  # of its values: "KiB" or nothing
    reference: str  # what each curve is compared with: at its number, where it has that, itself
    at: float  # that number; NaN: the reference has none
    of: dict = field(default_factory=dict)  # {name: [Point]}, values ascending; a single one without: a line

    @property
    def title(self):
        return f"{self.key}, {self.unit}" if self.unit else self.key

    @property
    def averages(self):
        """Against the reference's own number in every way that papers average, else by the geometric mean alone."""
        return {GEOMETRIC: AVERAGES[GEOMETRIC]} if math.isnan(self.at) else AVERAGES

    @property
    def base_words(self):
        return self.reference if math.isnan(self.at) else f"{self.key} = {self.at:,.6g}"

    @property
    def numbers(self):
        return sorted({point.value for points in self.of.values() for point in points if not math.isnan(point.value)})

    @property
    def open(self):
        return any(point.undecided for points in self.of.values() for point in points)

    @property
    def from_an_end(self):
        """Whether the numbers lead away from the reference's: then that is what a plan asks."""
        return math.isnan(self.at) or self.at in (self.numbers[0], self.numbers[-1])

    def is_line(self, name):
        return math.isnan(self.of[name][0].value)

    def relative(self):
        """{measure: title} of those that there are ratios of."""
        return {measure: title for measure, title in RELATIVE.items()
                if any(measure in point.over for points in self.of.values() for point in points)}


def split(label):
    """(name, key, value, unit) of a label that ends in a number; (label, "", NaN, "") of others. A number without a key
    has what stands before it as one."""
    found = LABEL.fullmatch(label)
    if not found or not (found[2] or (found[1] or " ")[-1].isalnum()):
        return label, "", math.nan, ""
    name, key, digits, unit = found.groups()
    return (name or "") if key else "", key or name, float(digits) * KIB[unit], "KiB" if unit else ""


def numbered(table, series, labels, measured, reference, every_way=True):
    """[Numbered] of a series, in the order of the labels; measured: [(column, title, format)]; every_way: all averages,
    which take longest."""
    parts = {label: split(label) for label in labels}
    names = {}  # {(key, unit): {name: [label]}}
    for label, (name, key, _, unit) in parts.items():
        if key:
            names.setdefault((key, unit), {}).setdefault(name, []).append(label)
    found = []
    for (key, unit), of in names.items():
        if max(map(len, of.values())) < FEWEST:
            continue
        bare = [label for label, part in parts.items() if not part[1]]
        lines = [label for label in bare if label in of or len(bare) <= MOST_LINES]
        its = split(reference)
        one = Numbered(key, unit, reference, its[2] if its[1] == key else math.nan)
        for name, mine in {**{name or key: mine for name, mine in of.items()}, **{
                (f"{label}, no {key}" if label in of else label): [label] for label in lines}}.items():
            mine = sorted(mine, key=lambda label: parts[label][2])
            base = next((label for label in mine if parts[label][2] == one.at), reference)
            one.of[name] = [_point(table, series, label, before, parts[label][2], measured, base,
                                   one.averages if every_way else [GEOMETRIC])
                            for before, label in zip([None, *mine], mine)]
        found.append(one)
    return found


def _point(table, series, label, before, value, measured, base, averages):
    runs = pairing.of(table, series, label)
    units = pairing.units_in(table, series, label)
    means = {measure: geometric_ratio(pairing.unit_means(units, counts.log_counts(runs, measure)))
             for measure, _, _ in measured if (runs[measure].astype(float) > 0).any()}
    steps = {measure: pairing.ratio(table, series, measure, label, before).full if before else None
             for measure in means}
    solved = pairing.unit_means(units, runs["decided"])
    there = [measure for measure in RELATIVE if measure in means and (measure != IN_ONE_WAY or len(averages) == 1)] \
        if len(pairing.of(table, series, base)) else []
    return Point(value, label, means, steps, wilson(float(solved.sum()), len(solved)), int((~runs["decided"]).sum()),
                 {measure: float(pairing.unit_means(units, runs[measure]).mean()) for measure in there},
                 {measure: _over(table, series, measure, label, base, averages) for measure in there})


def _over(table, series, measure, label, base, averages):
    pairs = pairing.known(pairing.pair_runs(table, series, label, base, [measure, "decided"]))
    mine, other = (numpy.where(pairs["decided" + side], pairs.counts(measure + side), math.inf) for side in ("_s", "_b"))
    return Over({statistic: pairing.ratio(table, series, measure, label, base, statistic) for statistic in averages},
                fewer=int((mine < other).sum()), more=int((mine > other).sum()))


def section(table, series, labels, measured, reference):
    """What the template draws of a series, a dictionary for each number."""
    made = []
    for one in numbered(table, series, labels, measured, reference):
        looks = style.looks(one.of)
        counted = [each for each in measured if any(each[0] in p.means for points in one.of.values() for p in points)]
        made.append({"key": one.title, "figure": curve_figures.numbered(series, one, looks, counted),
                     "legend": curve_figures.legend(one, looks), "base": one.base_words, "from_an_end": one.from_an_end,
                     "tables": [values(name, points, one, counted) for name, points in one.of.items()],
                     "sentences": sentences(one, counted),
                     "relative": [curve_figures.relative(series, one, looks, measure, title)
                                  for measure, title in one.relative().items()],
                     "relative_tables": [relative_table(name, points, one) for name, points in one.of.items()
                                         if one.relative()],
                     "small": _small(table, series, one, looks)})
    return made


# ---- words and tables ----------------------------------------------------------------------------


def sentences(one, measured):
    """What the curves say, one each that says something."""
    return [text for text in (sentence(name, points, one, measured) for name, points in one.of.items()) if text]


def _first(value):
    return "-" if math.isnan(value) else f"{value:,.6g}"


def values(name, points, one, measured):
    """(name, headers, rows): means, and ratios to the line above."""
    rows = []
    for point in points:
        row = [_first(point.value)]
        for measure, _, formatter in measured:
            row.append(page.ranged(point.means[measure], formatter) if measure in point.means else "0")
            step = point.steps.get(measure)
            row.append("-" if step is None else page.ranged(step, style.ratio_text))
        rows.append([*row, f"{100 * point.solved.value:.0f} %", str(point.undecided)])
    heads = [one.title]
    for _, title, _ in measured:
        heads += [f"{title if title == 'CPU time' else title.lower()},\ngeometric mean", "over the\nline above"]
    return name, [*heads, "share\nsolved", "undecided"], rows


def relative_table(name, points, one):
    """(name, headers, rows): means, and ratios to the base in every way."""
    measures, rows = one.relative(), []
    for point in points:
        row = [_first(point.value)]
        for measure in measures:
            over = point.over.get(measure)
            row += ["0", *["-"] * (len(one.averages) + 1)] if over is None else [
                style.short_number(point.arithmetic[measure]),
                *(page.ranged(over.of[statistic].full, style.ratio_text, over.of[statistic].mark)
                  for statistic in one.averages), f"{over.fewer} / {over.more}"]
        rows.append([*row, str(point.undecided)])
    ways = {GEOMETRIC: "geometric\nmean", OF_MEANS: "ratio of\nmeans", MEAN_OF: "mean of\nratios"}
    heads = [head for title in measures.values()
             for head in (f"{title.lower()},\nmean", *(ways[statistic] for statistic in one.averages), "fewer /\nmore")]
    return name, [one.title, *heads, "undecided"], rows


def last_gain(points, measure):
    """The largest value that is better than the next smaller one beyond doubt, and before which no step was in doubt: more
    stop helping there. None if the first step already was."""
    best = None
    for point in points[1:]:
        if not point.steps[measure].high < 1:
            break
        best = point
    return best


def sentence(name, points, one, measured):
    """What a curve says; empty of a line."""
    if len(points) < FEWEST:
        return ""
    (first, words, first_format), (time, title, formatter) = measured[0], measured[-1]
    parts = []
    gain = last_gain(points, first)
    if gain is not None:
        parts.append(f"a larger {one.key} saves {words.lower()} up to {gain.value:,.6g} "
                     f"({first_format(points[0].means[first].value)} with {points[0].value:,.6g}, "
                     f"{first_format(gain.means[first].value)} with {gain.value:,.6g})")
    best = best_of(points, first)
    if best is not None:
        ratio = best.ratio(first)
        parts.append(f"the fewest {words.lower()} are with {best.value:,.6g}: {best.over[first].of[GEOMETRIC].mark}"
                     f"{style.ratio_text(ratio.value)} of those of {one.base_words} ({style.ratio_text(ratio.low)} to "
                     f"{style.ratio_text(ratio.high)}; chosen on these cases, so flattering)")
    best = min(points, key=lambda point: point.means[time].value)
    words = title if title == "CPU time" else title[0].lower() + title[1:]
    parts.append(f"the least {words} is {formatter(best.means[time].value)} with {best.value:,.6g}")
    enough = [point.value for point in points if not point.undecided]
    if any(point.undecided for point in points):
        parts.append(f"everything is solved from {min(enough):,.6g} on" if enough == [
            point.value for point in points[len(points) - len(enough):]] and enough else
            f"{one.key} decides what is solved: {points[0].solved.value:.0%} with {points[0].value:,.6g}, "
            f"{points[-1].solved.value:.0%} with {points[-1].value:,.6g}")
    return f"{name}: {'; '.join(parts)}."


def best_of(points, measure):
    """The point with the least ratio to the base, if any is below 1."""
    there = [point for point in points if point.ratio(measure) is not None and point.ratio(measure).value < 1]
    return min(there, key=lambda point: point.ratio(measure).value, default=None)


# ---- experiments of a few runs -------------------------------------------------------------------


def small_experiments(table, series, label, base, measure):
    """The ratios of the means that experiments of SMALL runs each would have given, drawn from the runs that there are."""
    pairs = pairing.known(pairing.pair_runs(table, series, label, base, [measure, "decided"]))
    drawn = numpy.stack([pairs.counts(measure + "_s"), pairs.counts(measure + "_b")], axis=1)
    if len(drawn) == 0:
        return numpy.array([math.nan])
    means = resampling.smaller_samples(drawn, SMALL_SAMPLES, SMALL, seed=1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return means[:, 0] / means[:, 1]


def _range(table, series, label, base, measure):
    """The Interval of the median that holds 95 % of them."""
    low, middle, high = numpy.quantile(small_experiments(table, series, label, base, measure), (0.025, 0.5, 0.975))
    return Interval(float(middle), float(low), float(high), SMALL)


def _small(table, series, one, looks):
    """{"figure", "sentence"} where a series is one question many times; nothing elsewhere."""
    runs = table[table["series"] == series]
    measures = {measure: title for measure, title in one.relative().items() if measure != IN_ONE_WAY}
    if math.isnan(one.at) or not measures or not pairing.one_question(runs):
        return {}
    bases = {name: next((point.label for point in points if point.value == one.at), one.reference)
             for name, points in one.of.items() if not one.is_line(name)}
    drawn = {title: {name: [_range(table, series, point.label, base, measure) for point in one.of[name]]
                     for name, base in bases.items()} for measure, title in measures.items()}
    return {"figure": curve_figures.small(series, one, looks, drawn, SMALL),
            "sentence": small_sentence(one, next(iter(measures)), next(iter(drawn.values())))}


def small_sentence(one, measure, drawn):
    """For the number that looks best, and which such experiments would leave in doubt, of the first curve. drawn:
    {name: [Interval]}."""
    for name, intervals in drawn.items():
        best, others = best_of(one.of[name], measure), [
            (point, i) for point, i in zip(one.of[name], intervals) if point.value != one.at]
        if best is None:
            continue
        interval = next(i for point, i in others if point is best)
        doubtful = [f"{point.value:,.6g}" for point, i in others if i.low < 1 < i.high]
        rest = (f" They leave in doubt whether {one.key} = {', '.join(doubtful)} is better or worse than {one.base_words}."
                if doubtful else "")
        means = [f"{paired.mark}{style.ratio_text(paired.full.value)} as {AVERAGES[statistic]}"
                 for statistic, paired in best.over[measure].of.items()]
        noise = ("; whether it is better or worse is within the noise of such an experiment"
                 if interval.low < 1 < interval.high else "")
        return (f"At {best.label} the {RELATIVE[measure].lower()} are {', '.join(means)} of those of {one.base_words}. Of "
                f"experiments with {SMALL} runs each, drawn from these {best.over[measure].of[GEOMETRIC].known}, 95 % have "
                f"a ratio of the means between {style.ratio_text(interval.low)} and "
                f"{style.ratio_text(interval.high)}{noise}.{rest}")
    return ""
