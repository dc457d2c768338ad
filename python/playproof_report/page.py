"""The page: plain HTML with its style inside, nothing fetched. Tables that can be sorted have a script of a
few lines, without which they can be read as well.

The HTML is in templates/, by Jinja2, which escapes whatever is not markup of a template or a
figure: what stores and plans say is text.
"""

import math
import os
import re
import zlib

import jinja2
from markupsafe import Markup

from . import claims, pairing, probes
from .counts import ZERO_RULE
from .style import ratio_text, share_text

CHIPS = {claims.REPRODUCED: ("yes", "✓ reproduced"), claims.PARTLY: ("partly", "◐ partly"),
         claims.NOT: ("no", "✗ not"), claims.NO_DATA: ("none", "no data")}
PLOT_WIDTH = 190  # of the small drawing of an interval
MOST_SPECS = 24  # that are listed with every parameter

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(os.path.join(os.path.dirname(__file__), "templates")),
    autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
PARTS = ENVIRONMENT.get_template("parts.html").module
READABLE = 0.74  # of its own size: letters of 9 points, about 9 pixels


def least_width(svgs):
    """Pixels that each of some pictures needs so that its letters can be read."""
    points = [float(re.search(r'width="([0-9.]+)pt"', svg).group(1)) for svg in svgs]
    return round(READABLE * max(points) * 96 / 72)


ENVIRONMENT.globals.update(parts=PARTS, zero_rule=ZERO_RULE, least=least_width)

# Cells of tables.
swatch, with_range = PARTS.swatch, PARTS.with_range


def ranged(interval, formatter, mark=""):
    """A cell: a value and the ends of its interval, each as the formatter has it."""
    return with_range(mark + formatter(interval.value), formatter(interval.low), formatter(interval.high))


def document(title, sections, up=None):
    """sections: [(anchor, heading, HTML), ...]; one experiment each. up: (link, text) to the page
    that leads here."""
    return ENVIRONMENT.get_template("page.html").render(
        title=title, sections=sections, up=up,
        sortable=any('class="sortable"' in content for _, _, content in sections))


def section(template, experiment, judgements=None, more="", **values):
    """The page's section of one experiment: a template of its kind with what all kinds show."""
    values.setdefault("tallies", claims_tallies(judgements or []))
    return Markup(ENVIRONMENT.get_template(template).render(
        plan=experiment.plan, warnings=experiment.warnings,
        agreement=agreement_sentence(experiment.runs),
        claims=claims_section(judgements or [], more, experiment.name), helped=helped(experiment),
        made_how=made_how(experiment), **values))


def claims_tallies(judgements):
    """[[(number, what), ...], ...] for each of claims.by_whom()."""
    tallies = []
    for name, group in claims.by_whom(judgements):
        counts = claims.count(group)
        cells = [(counts[claims.REPRODUCED], f"{name.lower()} reproduced"),
                 (counts[claims.PARTLY], "partly"), (counts[claims.NOT], "not reproduced")]
        if counts[claims.NO_DATA]:
            cells.append((counts[claims.NO_DATA], "without data"))
        tallies.append(cells)
    return tallies


def claims_section(judgements, more="", plan=""):
    """The claims with how they are judged; `more`: what this kind of page adds to that."""
    if not judgements:
        return ""
    return PARTS.claims_section(claims_table(judgements, plan), ZERO_RULE,
                                claims.holm_sentence(judgements), more)


def _scale(judgement, reach):
    """(where a value lies in a small drawing of an interval, the least and the greatest value that
    it shows, the value of its dashed line): on a log axis, of shares on a plain one."""
    if claims.statistic(judgement.claim) == claims.SHARE_BELOW:
        return lambda share: PLOT_WIDTH / 2 + (share - 0.5) * (PLOT_WIDTH - 12), 0.0, 1.0, 0.5
    return (lambda ratio: PLOT_WIDTH / 2 + math.log(ratio) / math.log(reach) * (
        PLOT_WIDTH / 2 - 6)), 1 / reach, reach, 1.0


def claim_anchor(plan, claim_id):
    """Where a claim stands on the page of its plan."""
    return f"claim-{zlib.crc32(f'{plan} {claim_id}'.encode()):08x}"


def _interval_plot(judgement, reach):
    """Where the lines of the small drawing are; ratios from 1/reach to reach."""
    height = 22
    at, least, most, middle = _scale(judgement, reach)

    def x(value):
        return at(min(max(value, least), most))

    interval = judgement.interval
    low, high = judgement.low, judgement.high
    plot = {"width": PLOT_WIDTH, "height": height, "middle": height / 2,
            "value": None, "left": f"{x(low):.1f}", "claimed": f"{x(high) - x(low):.1f}",
            "one": f"{x(middle):.1f}", "text": "no data"}
    if interval.n and not math.isnan(interval.value):
        plot.update({name: f"{x(getattr(interval, name)):.1f}" for name in ("value", "low", "high")})
        plot["text"] = (f"{interval.value:.3g}, 95 % interval {interval.low:.3g} to "
                        f"{interval.high:.3g}")
    return plot


def statistic_texts(judgement):
    """(The value and the ends of its interval as text, how the value was formed if not as usual)."""
    interval = judgement.interval
    share = claims.statistic(judgement.claim) == claims.SHARE_BELOW
    show = share_text if share else ratio_text
    usual = judgement.what == claims.WHAT[claims.GEOMETRIC]
    return ([show(v) for v in (interval.value, interval.low, interval.high)],
            "" if usual else judgement.what)


def holm_text(judgement):
    """(mark, adjusted p-value) of a verdict that is settled by itself."""
    if not judgement.settled:
        return None
    p = judgement.holm
    return ("✓" if judgement.stands else "–",
            "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}")


def claims_table(judgements, plan=""):
    """Every claim with its verdict, ratio and interval; one line a series."""
    values = [abs(math.log(v)) for j in judgements
              if claims.statistic(j.claim) != claims.SHARE_BELOW
              for v in (j.interval.value, j.interval.low, j.interval.high)
              if v == v and 0 < v < math.inf]
    reach = min(max(math.exp(max(values, default=1.0)) * 1.15, 2.0), 30.0)
    rows = []
    for j in judgements:
        same = [other for other in judgements if other.claim is j.claim]
        ratio, what = statistic_texts(j)
        rows.append({"claim": j.claim, "anchor": claim_anchor(plan, j.claim["id"]),
                     "own": claims.is_own(j.claim), "series": j.series,
                     "lines": len(same) if j is same[0] else 0, "chip": CHIPS[j.verdict],
                     "note": j.note, "help": j.help, "written": claims.written_note(j), "plot": _interval_plot(j, reach),
                     "n": j.interval.n, "ratio": ratio, "what": what,
                     "holm": holm_text(j)})
    return PARTS.claims_table(rows, f"{reach:.3g}")


def helped(experiment):
    """What probes decided, if they decided anything."""
    rows = probes.rows(probes.with_probes(pairing.plain_frame(experiment)))
    return PARTS.helped(probes.HEADERS, rows) if rows else ""


def agreement_sentence(runs):
    """How the verdicts compare with what is known."""
    decided = [run for run in runs if run["verdict"] != "unknown"]
    checked = [run for run in decided if run["expected"] is not None]
    wrong = [run for run in checked if run["verdict"] != run["expected"]]
    return PARTS.agreement(f"{len(runs):,}", f"{len(decided):,}", f"{len(checked):,}", wrong)


def _limits(plan):
    """Of a run, and of the algorithms that have others; older plans do not say theirs."""
    def words(of):
        parts = [f"{of['max_nodes']:,} nodes"] if of.get("max_nodes") else []
        parts += [f"{of['max_memory']:,} bytes"] if of.get("max_memory") else []
        parts += [f"{of['max_cpu_seconds']:g} s of CPU time"] if of.get("max_cpu_seconds") else []
        return ", ".join(parts)
    own = {one["label"]: words(one) for one in plan["algorithms"] if one.get("max_nodes")}
    others = [f"{label} {said}" for label, said in own.items() if said != words(plan)]
    others += [f"on {one['name']} {words(one)}" for one in plan["series"] if words(one)]
    return f"{words(plan)} a run" + (f"; but {'; '.join(others)}" if others else "")


def _facts(experiment):
    """[(name, value), ...]."""
    runs, plan = experiment.runs, experiment.plan

    def all_of(key):
        return ", ".join(sorted({str(run[key]) for run in runs}))

    made = experiment.invocations
    return [("Program", f"playproof {all_of('version')}, revision {all_of('revision')}"),
            ("Compiler", all_of("compiler")),
            ("Build", ", ".join(sorted({i["build_type"] for i in made}))),
            ("Machine", f"{all_of('cpu_model')} ({all_of('host')})"),
            ("Cores, runs at once", "; ".join(sorted(
                {f"{i['cores']}, {i['concurrent']}" for i in made}))),
            ("Playouts by", f"{all_of('backend')} on {all_of('device')}"),
            ("Limits", _limits(plan)),
            ("Seeds", f"plan seed {plan['seed']}; the seed of a run is mixed from it, the game, the "
                      "position, the goal and the repetition, never from the algorithm"),
            ("Plan", f"{experiment.name}, hash {experiment.hash}"),
            ("First run, last run", f"{min(run['started'] for run in runs)}, "
                                    f"{max(run['finished'] for run in runs)}" if runs else "-"),
            ("Commands", PARTS.code(list(dict.fromkeys(i["command"] for i in made))))]


def made_how(experiment):
    """What one needs to make the numbers again."""
    specs = sorted({(run["series"], run["algorithm"], run["spec"] + (
        f" --workers {run['threads']}" if run["threads"] > 1 else "")) for run in experiment.runs})
    rows = [(series, algorithm, PARTS.code([spec])) for series, algorithm, spec in specs]
    return PARTS.made_how(_facts(experiment), rows if len(rows) <= MOST_SPECS else [],
                          experiment.text)
