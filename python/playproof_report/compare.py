"""Algorithms against a reference on any game: who solved what, counts and times with paired ratios,
problem by problem."""

import math

from dataclasses import dataclass

import numpy

from . import claims, curve_figures, maps, moves, page, pairing, parameters, style, tuning
from . import compare_figures as figures
from .choices import PAIR
from .compare_figures import WIDEST
from .counts import LEAST, log_counts
from .pairing import simulated
from .statistics import Interval, geometric_ratio

# Nodes expanded are one unit for trees and tables; iterations of a table are its entries, and nodes
# created are entries there and children elsewhere (docs/numbers.md).
COST, LEAVES = "nodes_expanded", "evaluations"  # the first is what is drawn case by case
CPU = ("cpu_seconds", "CPU time", style.short_time)
SIMULATED = ("seconds", "Time on a simulated device", style.short_time)
COUNTS = [("iterations_normalised", "Iterations", style.short_number),
          (LEAVES, "Evaluations", style.short_number), (COST, "Nodes expanded", style.short_number)]
OF_CURVES = [("nodes_created", "Nodes created", style.short_number),  # of one curve: there they are one unit
             ("re_entries", "Re-entries", style.short_number)]
MOST_RIVALS = 4  # named beside the one to use
MOST_NAMED = 9  # curves of one figure that are told apart
FASTEST_NAMED = 3  # of these for their time
MOST_ROWS = 60  # algorithms of one figure, and of all tables of a series
MOST_IN_HEADLINE, FEWER_IN_HEADLINE = 8, 5  # algorithms, the latter where there are more than two pictures
MOST_CASES = 200  # rows of the table of all cases
FEW_CASES = 40  # with which that table is open from the start
MOST_COLUMNS = 8  # algorithms of one such table, and of who solved what
MOST_GROUPS = 12  # rows of who solved what
MOST_IN_GROUP = 6  # cases that one of them names
UNSOLVED, NOT_RUN = 1e15, 1e16  # where such cases stand when they are sorted by their nodes


def measures(table, series):
    """[(column, title, format)], time last: where a simulated device has played all playouts of the series, that at
    its price."""
    return COUNTS + [SIMULATED if simulated(table[table["series"] == series]) else CPU]


def named_time(column):
    """What a time is called within a sentence."""
    return "CPU time" if column == CPU[0] else "time on a simulated device"


def prices(table, series):
    """[(column, title, format)]: the times by which one may choose, of the CPU and, where there is one, at
    the price of a device."""
    return [CPU] + [SIMULATED] * (measures(table, series)[-1] == SIMULATED)


def cases(table, series, cost=COST):
    """Runs of one series by case (problem, goal, repetition) and algorithm: (nodes expanded or another
    cost, decided), two tables in plan order; what was not run is NaN and False."""
    runs = table[table["series"] == series]
    rows = list(dict.fromkeys(zip(*(runs[name] for name in PAIR))))
    labels = list(dict.fromkeys(runs["algorithm"]))
    pivot = runs.set_index(PAIR + ["algorithm"])
    costs, decided = (pivot[name].unstack().reindex(index=rows, columns=labels)
                      for name in (cost, "decided"))
    return costs.astype(float), decided.eq(True)


def solved_within(nodes, decided):
    """{label: ascending nodes of what it solved}: the k-th is the limit with which k are solved."""
    return {label: numpy.sort(nodes[label][decided[label]].to_numpy()) for label in nodes}


def profile(costs, decided, clock=1):
    """Dolan and Moré's performance profile, {label: ascending factors}: of each case that the
    algorithm solved, its nodes (its time, of such a clock) over the least of all that solved it; 0 is 1/2, as
    in all ratios."""
    positive = costs.clip(lower=clock / 2)
    least = positive.where(decided).min(axis=1)
    return {label: numpy.sort((positive[label] / least)[decided[label]].to_numpy())
            for label in costs}


def ratios(table, series, labels, reference, measure):
    """{label: pairing.Paired to the reference}, without the reference; empty if it is not there."""
    return {label: pairing.ratio(table, series, measure, label, reference)
            for label in labels if label != reference and reference in labels}


def means(table, series, labels, measure):
    """{label: Interval: geometric mean over the problems}; undecided runs count what they used."""
    found = {}
    for label in labels:
        logs = log_counts(pairing.of(table, series, label), measure)
        found[label] = geometric_ratio(pairing.unit_means(pairing.units_in(table, series, label), logs))
    return found


def evaluating(table, series):
    """The algorithms that evaluate leaves; the others have a 0 in every run, and no ratio to it."""
    runs = table[table["series"] == series]
    return set(runs["algorithm"][runs[LEAVES] > 0])


def named(nodes, decided, times, reference):
    """Those whose curves get a colour, in plan order: all if they are few, else the reference, and of those
    that solved most some with the least time and for the rest those with fewest nodes."""
    fast = _ranked(times, decided, reference, LEAST["seconds"])[:FASTEST_NAMED + 1]
    more = [label for label in _ranked(nodes, decided, reference) if label not in fast]
    return [label for label in nodes.columns if label in fast + more[:MOST_NAMED - len(fast)]]


def foremost(nodes, decided, reference, most):
    """The reference and those that solved most, with the fewest nodes: at most so many."""
    best = _ranked(nodes, decided, reference)[:most]
    return [label for label in nodes.columns if label in best]


def _ranked(costs, decided, reference, clock=1):
    """The reference, and those that solved most, at the least cost, first."""
    cost = numpy.log(costs.clip(lower=clock / 2)).mean()
    return sorted(costs.columns, key=lambda label: (label != reference, -decided[label].sum(), cost[label]))


def _interval(interval, formatter, mark=""):
    if math.isnan(interval.value):
        return "-"
    if interval.n < 2:  # no spread is known
        return mark + formatter(interval.value)
    return page.with_range(mark + formatter(interval.value),
                           "0" if interval.low < interval.value / WIDEST else
                           formatter(interval.low),
                           "∞" if interval.high > interval.value * WIDEST else
                           formatter(interval.high))


def _solved(nodes, decided, label):
    """"11 of 16", of the runs that were made."""
    return f"{int(decided[label].sum())} of {int(nodes[label].notna().sum())}"


def algorithm_table(nodes, decided, columns, of_means, of_ratios):
    """(headers, rows); columns: of measures(), those that are shown; of_means: {measure: means()},
    without those that have none; of_ratios: {measure: ratios()} of those that have a column for that.
    Iterations stand in the figure alone: a page is not wider."""
    rows = []
    for label in nodes.columns:
        row = [label, _solved(nodes, decided, label)]
        for measure, _, formatter in columns:
            row.append(_interval(of_means[measure][label], formatter) if label in of_means[measure] else "0")
            if measure in of_ratios:
                paired = of_ratios[measure].get(label)
                row.append("-" if paired is None else
                           _interval(paired.full, style.ratio_text, paired.mark))
        rows.append(row)
    heads = ["Algorithm", "solved"]
    for measure, title, _ in columns:
        heads += [f"{title},\ngeometric mean"] + ["over the\nreference"] * (measure in of_ratios)
    return heads, rows


@dataclass
class Advice:
    """The algorithm to use on problems such as these."""

    cases: int  # that all algorithms were run on: of no others is anything said
    label: str = ""  # "": none solved any of them
    solved: int = 0  # as many as any
    equals: int = 0  # other algorithms that solved as many
    seconds: Interval = None  # geometric mean over the problems of which some of these solved a case
    rivals: list = ()  # [(label, Paired of its time to this one's)]: as many solved, slower within doubt only
    short: tuple = ()  # labels that were stopped on a case before the CPU time that this one took for it

    @property
    def refused(self):
        """Who was given less decides less: then there is no ranking."""
        return bool(self.short)


def cut_short(table, series, decided, label):
    """The others that leave a case open which this one decides, and had less CPU time for it. A limit of CPU time is
    looked at between steps: what a search took beyond its own was no advantage."""
    seconds, limits = (cases(table, series, cost)[0].loc[decided.index] for cost in (CPU[0], "max_cpu_seconds"))
    taken = seconds[label].where(~(seconds[label] > limits[label]), limits[label])
    return tuple(other for other in decided if other != label and
                 (decided[label] & ~decided[other] & (seconds[other] < taken)).any())


def given(table, series, labels):
    """A sentence on the CPU time after which undecided runs were stopped; empty where all are decided."""
    runs = table[(table["series"] == series) & ~table["decided"]]
    parts = []
    for label in labels:
        mine = runs["cpu_seconds"][runs["algorithm"] == label]
        if len(mine):
            least, most = style.short_time(mine.min()), style.short_time(mine.max())
            parts.append(f"{label} {least if least == most else f'{least} to {most}'} ({len(mine)})")
    return f"Undecided runs were stopped after this CPU time: {'; '.join(parts)}." if parts else ""


def advice(table, series, nodes, decided, time):
    """Of the algorithms that solved most of what all were run on the one that takes the least time; none where
    another one was stopped before the CPU time that this one took."""
    decided = decided[nodes.notna().all(axis=1)]
    most = int(decided.sum().max()) if len(decided) else 0
    if most == 0:
        return Advice(len(decided))
    best = [label for label in decided if decided[label].sum() == most]
    # Whoever gave up sooner on what none of them solved gains nothing by it.
    known = set(decided.index[decided[best].any(axis=1)])
    mine = numpy.array([case in known for case in zip(*(table[name] for name in PAIR))])
    runs = table[(table["series"] == series).to_numpy() & mine]
    seconds = means(runs, series, best, time)
    first = min(best, key=lambda label: seconds[label].value)
    found = ratios(runs, series, best, first, time)
    rivals = [(label, paired) for label, paired in found.items()
              if paired.full.n < 2 or paired.full.low <= 1 or paired.may_be_less]
    return Advice(len(decided), first, most, len(best) - 1, seconds[first],
                  sorted(rivals, key=lambda rival: rival[1].full.value), cut_short(table, series, decided, first))


def own_algorithms(experiment, labels):
    """Without choices: what these take is another algorithm's run."""
    chosen = {choice["label"] for choice in experiment.plan.get("choices", [])}
    return [label for label in labels if label not in chosen]


def uses(experiment, table):
    """The advice on every series, by every price, for other programs; who was stopped too early for a ranking."""
    made = []
    for one in pairing.series_with_runs(experiment, table):
        nodes, decided = cases(table, one["name"])
        own = own_algorithms(experiment, nodes.columns)
        for time, _, _ in prices(table, one["name"]):
            found = advice(table, one["name"], nodes[own], decided[own], time)
            if found.label:
                made.append({"series": one["name"], "label": found.label, "solved": found.solved,
                             "cases": found.cases, "measure": time,
                             "geometric_mean": found.seconds.value,
                             "rivals": [label for label, _ in found.rivals], "short": list(found.short)})
    return made


def advice_row(title, found, cases_of, formatter):
    """What to use, on which problems, what it takes, and what may be as good."""
    of = f"of {found.cases}" if found.cases == cases_of else f"of the {found.cases} that all were run on"
    if not found.label:
        return [title, "-", f"0 {of}", "-",
                "nothing was solved" if found.cases else "no case was run by all algorithms"]
    if found.refused:
        named = found.short[:MOST_RIVALS]
        rest = f" and {len(found.short) - len(named)} more" if len(found.short) > len(named) else ""
        return [title, "no ranking", f"{found.solved} {of}", "-",
                f"{', '.join(named)}{rest}: stopped before the CPU time that {found.label} took"]
    shown = [f"{label} ({paired.mark}{style.ratio_text(paired.full.value)})"
             for label, paired in found.rivals[:MOST_RIVALS]]
    more = len(found.rivals) - len(shown)
    rest = [f"{more} more"] if more > 0 else []
    others = "; ".join(shown + rest) or ("none" if found.equals else "no other solved as many")
    return [title, found.label, f"{found.solved} {of}", formatter(found.seconds.value), others]


def verdicts(table, series, cases_of):
    """{case: "proved", "disproved", "open" or "contradiction"}: what the runs of each case have found."""
    runs = table[table["series"] == series]
    found = {}
    for case, verdict, decided in zip(zip(*(runs[name] for name in PAIR)), runs["verdict"],
                                      runs["decided"]):
        if decided:
            found.setdefault(case, set()).add(verdict)
    return {case: {0: "open", 1: next(iter(found.get(case, [""])))}.get(
        len(found.get(case, ())), "contradiction") for case in cases_of}


def case_names(index):
    """What each case is called: its problem, with goal and repetition where there are several."""
    several = len({repetition for _, _, repetition in index}) > 1
    goals = len({goal for _, goal, _ in index}) > 1
    return {(problem, goal, repetition): problem + (f", {goal}" if goals else "") + (
        f", {repetition}" if several else "") for problem, goal, repetition in index}


def case_table(nodes, decided, found):
    """(headers, rows); rows: (name, verdict, [(text, number to sort by), ...]). Nodes of every case; what
    was not solved comes after all that was, what was not run last."""
    names, rows = case_names(nodes.index), []
    for case in nodes.index[:MOST_CASES]:
        cells = []
        for label in nodes.columns:
            count, solved = nodes.at[case, label], decided.at[case, label]
            text = style.short_number(count)
            if math.isnan(count):
                cells.append((text, f"{NOT_RUN:.0f}"))
            else:
                cells.append((text if solved else f"> {text}",
                              f"{count if solved else count + UNSOLVED:.0f}"))
        rows.append((names[case], found[case], cells))
    return ["Problem", "Result", *nodes.columns], rows


def case_tables(nodes, decided, found):
    """[(which algorithms, headers, rows)]: case_table() of at most MOST_COLUMNS algorithms each."""
    labels, made = list(nodes.columns), []
    for first in range(0, len(labels), MOST_COLUMNS):
        some = labels[first:first + MOST_COLUMNS]
        which = f", algorithms {first + 1} to {first + len(some)} of {len(labels)}"
        made.append((which if len(some) < len(labels) else "",
                     *case_table(nodes[some], decided[some], found)))
    return made


def solved_by(nodes, decided):
    """[(set of labels, names of the cases that just these solved)], the most cases first. Cases with runs
    that were not made are left out."""
    made = nodes.notna().all(axis=1)
    names, groups = case_names(nodes.index), {}
    for case in nodes.index[made]:
        solvers = frozenset(label for label in nodes.columns if decided.at[case, label])
        groups.setdefault(solvers, []).append(names[case])
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def solved_table(nodes, decided):
    """(headers, rows) of solved_by(): a column an algorithm."""
    groups = solved_by(nodes, decided)
    rows = []
    for solvers, names in groups[:MOST_GROUPS]:
        shown = "; ".join(names[:MOST_IN_GROUP])
        more = len(names) - MOST_IN_GROUP
        rows.append([f"{len(names):,}", *("✓" if label in solvers else "–" for label in nodes.columns),
                     shown + (f" and {more} more" if more > 0 else "")])
    rest = groups[MOST_GROUPS:]
    if rest:
        rows.append([f"{sum(len(names) for _, names in rest):,}", *("" for _ in nodes.columns),
                     f"in {len(rest)} more groups"])
    return ["Cases", *nodes.columns, "Which"], rows


def sentence(nodes, decided, of_ratios, reference):
    """Who solved what, and who needs least. of_ratios: of nodes expanded."""
    made = nodes.notna().all(axis=1)
    everyone = int(decided[made].all(axis=1).sum())
    nobody = int((~decided[made].any(axis=1)).sum())
    counts = decided.sum()
    most = int(counts.max())
    text = f"Solved by every algorithm: {everyone} of {int(made.sum())}, by none: {nobody}. "
    if not made.all():
        text += f"Of {int((~made).sum())} more cases some runs were not made. "
    if most == 0:
        return text.rstrip()
    who = [label for label in nodes.columns if counts[label] == most]
    names = f"{len(who)} of {len(nodes.columns)} algorithms" if len(who) > 4 else ", ".join(who)
    text += f"The most, {most}, by {names}. "
    # A ratio that may be more than it looks says nothing here.
    found = {label: of_ratios[label].full for label in who
             if label in of_ratios and not of_ratios[label].may_be_more}
    fewer = {label: ratio for label, ratio in found.items() if ratio.high < 1}
    if not fewer:
        return text + (f"Of these none expands fewer nodes than {reference} beyond doubt."
                       if of_ratios else "")
    # Others may need fewer still: their ratios leave doubt.
    least = min(fewer, key=lambda label: fewer[label].value)
    ratio, low, high = (style.ratio_text(x) for x in (
        fewer[least].value, fewer[least].low, fewer[least].high))
    text += (f"Of these {least} alone expands fewer nodes than {reference} beyond doubt: "
             if len(fewer) == 1 else
             f"Of these {len(fewer)} expand fewer nodes than {reference} beyond doubt, {least} with the "
             "least ratio: ")
    return text + (f"{of_ratios[least].mark}{ratio} ({low} to {high}; chosen on these problems, so "
                   "flattering).")


def _figures(series, nodes, decided, times, measured, seen, reference):
    """What is drawn of a series: pictures, and the names and looks of the curves."""
    time = measured[-1][0]
    chosen = named(nodes, decided, times, reference)
    others = [label for label in foremost(nodes, decided, reference,
                                          figures.MOST_SCATTERED + 1) if label != reference]
    drawn = ((solved_within(nodes, decided), "Solved with so many nodes expanded", style.short_number),
             (profile(nodes, decided), "Solved with so many times the fewest", style.ratio_text),
             (profile(times, decided, LEAST[time]), f"Solved in so many times the least {named_time(time)}",
              style.ratio_text))
    scattered = (figures.scatter_panels(series, nodes, decided, reference, others)
                 if reference in nodes.columns else [])
    seen_there = {*chosen, *foremost(nodes, decided, reference, MOST_ROWS)}
    return {"solved": [curve_figures.solved_panel(
                series, {label: values for label, values in found.items() if label in seen_there}, len(nodes), chosen,
                reference, title, formatter) for found, title, formatter in drawn],
            "legend": legend(chosen, reference),
            "grey": len(chosen) < len(nodes.columns),
            "scattered": scattered, "all_scattered": len(others) + 1 == len(nodes.columns),
            "ratios": figures.ratio_panels(series, [each for each in measured if seen[each[0]]], seen,
                                           reference)}


def headline(experiment, table):
    """[pictures], one each for the first series on which something was solved: what to use there."""
    series = pairing.series_with_runs(experiment, table)
    most = MOST_IN_HEADLINE if len(series) <= 2 else FEWER_IN_HEADLINE
    pictures = []
    for one in series:
        time = measures(table, one["name"])[-1][0]
        nodes, decided = cases(table, one["name"])
        own = own_algorithms(experiment, nodes.columns)
        best = advice(table, one["name"], nodes[own], decided[own], time)
        use = best.label
        if not use or best.refused or len(own) < 2 or len(pictures) == style.MOST_HEADLINES:
            continue
        found = ratios(table, one["name"], own, use, time)
        order = sorted(found, key=lambda label: (-decided[label].sum(), found[label].full.value))
        pictures.append(figures.headline(
            one["title"], {label: found.get(label) for label in [use, *order[:most - 1]]},
            {label: _solved(nodes, decided, label).replace(" of ", "/") for label in own}, use,
            named_time(time)))
    return pictures


def unranked(experiment, table):
    """(picture, legend) in the headline's place where no series has a ranking: of the first on which something
    was solved, how many cases each algorithm solved within a time. None where nothing was."""
    for one in pairing.series_with_runs(experiment, table):
        time, _, formatter = measures(table, one["name"])[-1]
        nodes, decided = cases(table, one["name"])
        own = own_algorithms(experiment, nodes.columns)
        if len(own) < 2 or not decided[own].any(axis=None):
            continue
        times = cases(table, one["name"], time)[0][own].clip(lower=LEAST[time] / 2)
        reference = experiment.reference(one["name"])
        chosen = named(nodes[own], decided[own], times, reference)
        return (curve_figures.solved_panel(one["name"], solved_within(times, decided[own]), len(nodes), chosen, reference,
                                     f"{one['title']}: solved within so much {named_time(time)}", formatter),
                legend(chosen, reference))
    return None


def legend(chosen, reference):
    """[(label, colour, dashes), ...] of curves."""
    return [(label, look["color"], style.dashes(look["linestyle"]))
            for label, look in curve_figures.looks_of(chosen, reference).items()]


def _divisor_note(runs):
    divided = runs[runs["iteration_divisor"] > 1]
    if divided.empty:
        return ""
    divisor = ", ".join(str(d) for d in sorted(set(divided["iteration_divisor"])))
    return (f"Iterations of {', '.join(dict.fromkeys(divided['algorithm']))} are divided by the {divisor} branches (the "
            "thesis' accounting: the others expand a whole family of children at once).")


def numbers_of(measured):
    """What curves are drawn of: time last."""
    return [*measured[:-1], *OF_CURVES, measured[-1]]


def off_the_maps(labels):
    """The labels whose numbers are drawn as curves."""
    mapped = {label for one in maps.found(labels) for label in one.labels.values()}
    return [label for label in labels if label not in mapped]


def _series(experiment, table, one):
    measured = measures(table, one["name"])
    time = measured[-1][0]
    name, reference = one["name"], experiment.reference(one["name"])
    nodes, decided = cases(table, name)
    own = own_algorithms(experiment, nodes.columns)
    labels = foremost(nodes, decided, reference, MOST_ROWS)
    drawn = [label for label in own if label in labels]
    shown = [each for each in measured if each[0] != COUNTS[0][0]]
    if time != CPU[0]:  # what it took here, beside the device's price
        shown.insert(-1, CPU)
    evaluated = evaluating(table, name)
    of_measure = {measure: [label for label in labels if measure != LEAVES or label in evaluated]
                  for measure, _, _ in measured + [CPU]}
    of_means = {measure: means(table, name, of_measure[measure], measure) for measure, _, _ in shown}
    of_ratios = {measure: ratios(table, name, of_measure[measure], reference, measure)
                 for measure in of_measure}
    listed = foremost(nodes[own], decided[own], reference, MOST_COLUMNS)
    return {"title": one["title"], "cases": len(nodes), "reference": reference,
            "given": given(table, name, drawn), "time": named_time(time), "there": reference in nodes,
            "algorithms": len(nodes.columns), "drawn": len(labels), "divisor": _divisor_note(table[table["series"] == name]),
            "sentence": sentence(nodes[own], decided[own], ratios(table, name, own, reference, COST), reference),
            **_figures(name, nodes[own], decided[own], cases(table, name, time)[0][own], measured, of_ratios, reference),
            "use": [advice_row(one["title"], advice(table, name, nodes[own], decided[own], price),
                               len(nodes), formatter) for price, _, formatter in prices(table, name)],
            "table": algorithm_table(nodes[labels], decided[labels], shown, of_means,
                                     {measure: of_ratios[measure] for measure in (COST, CPU[0], time)}),
            "maps": maps.section(table, name, own, reference),
            "parameters": parameters.section(table, name, off_the_maps(own), numbers_of(measured), reference),
            "tuning": tuning.section(experiment, table, name, reference),
            "moves": moves.section(experiment, table, name),
            "solved_by": solved_table(nodes[listed], decided[listed]),
            "listed": len(listed), "own": len(own), "open": len(nodes) <= FEW_CASES,
            "by_case": case_tables(nodes[drawn], decided[drawn], verdicts(table, name, nodes.index)),
            "shown": min(len(nodes), MOST_CASES)}


def section(experiment):
    """The page's section of one experiment of this kind, as HTML."""
    table = pairing.frame(experiment)
    ranked = headline(experiment, table)
    series = pairing.series_with_runs(experiment, table)
    every = [title for _, title, _ in max((prices(table, one["name"]) for one in series), key=len)]
    made = [_series(experiment, table, one) for one in series]
    return page.section("compare.html", experiment, claims.judge(experiment, table), moves.words_on_claims(experiment),
                        simulated=pairing.simulators(table), prices=every,
                        headline=ranked, unranked=None if ranked else unranked(experiment, table),
                        time=named_time((CPU if len(every) == 1 else SIMULATED)[0]),
                        uses=[[one["use"][number] for one in made if len(one["use"]) > number]
                              for number in range(len(every))], series=made)


def text(experiment):
    """A short table for the terminal."""
    table = pairing.frame(experiment)
    lines = []
    for one in pairing.series_with_runs(experiment, table):
        time = measures(table, one["name"])[-1][0]
        reference = experiment.reference(one["name"])
        nodes, decided = cases(table, one["name"])
        labels = foremost(nodes, decided, reference, MOST_ROWS)
        found = [ratios(table, one["name"], labels, reference, measure) for measure in (COST, time)]
        width = max(map(len, labels))
        lines += [one["title"], f"  {'':{width}} {'solved':>12} {'nodes':>10} "
                                f"{'CPU time' if time == CPU[0] else 'time':>10}   over {reference}"]
        for label in labels:
            cells = [of[label].mark + style.ratio_text(of[label].full.value) if label in of
                     else "-" for of in found]
            solved = _solved(nodes, decided, label)
            lines.append(f"  {label:{width}} {solved:>12} {cells[0]:>10} {cells[1]:>10}")
        if len(labels) < len(nodes.columns):
            lines.append(f"  and {len(nodes.columns) - len(labels)} more, which solved less or expanded more nodes")
        own = own_algorithms(experiment, nodes.columns)
        measured = [COUNTS[0], measures(table, one["name"])[-1]]
        said = [words for number in parameters.numbered(table, one["name"], off_the_maps(own), measured, reference, False)
                for words in parameters.sentences(number, measured)]
        said += [*tuning.sentences(experiment, table, one["name"], reference), moves.text(experiment, table, one["name"])]
        lines += [f"  {words}" for words in said if words]
        for price, title, formatter in prices(table, one["name"]):
            found = advice(table, one["name"], nodes[own], decided[own], price)
            if found.label and len(own) > 1:
                _, use, solved, seconds, others = advice_row("", found, len(nodes), formatter)
                lines.append(f"  no ranking by {title}: {others}" if found.refused else
                             f"  use {use}: {solved} solved, {title} {seconds}; not told apart: {others}")
    return lines + claims.lines(claims.judge(experiment, table))
