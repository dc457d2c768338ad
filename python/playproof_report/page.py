"""The page: plain HTML with its style inside; no scripts, nothing fetched."""

import html
import math

from . import claims
from .counts import ZERO_RULE
from .style import SOFT, ratio_text

STYLE = """
:root { --ink: #222; --soft: #6b6b6b; --line: #e4e4e0; --paper: #fffffd; --warm: #d55e00; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; }
main { max-width: 1020px; margin: 0 auto; padding: 36px 28px 80px; }
h1 { font-size: 27px; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 52px 0 6px; padding-top: 14px; border-top: 2px solid var(--ink); }
h3 { font-size: 15px; margin: 30px 0 4px; }
p { max-width: 74ch; margin: 6px 0 10px; }
.lead { font-size: 17px; }
.soft, figcaption, .note { color: var(--soft); font-size: 13px; }
figure { margin: 18px 0 26px; }
figure svg { display: block; width: 100%; height: auto; max-height: 900px; }
figcaption { max-width: 86ch; margin-top: 4px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; margin: 10px 0 18px; }
th, td { text-align: right; padding: 4px 10px; border-bottom: 1px solid var(--line);
  vertical-align: top; font-variant-numeric: tabular-nums; white-space: nowrap; }
th { font-weight: 600; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
th.left, td.left { text-align: left; white-space: normal; }
table.wide { width: 100%; }
td.claim { max-width: 430px; } td.claim code { font-size: 11.5px; }
.wrap { display: inline-block; max-width: 220px; white-space: normal; }
td .range { color: var(--soft); }
.swatch { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 6px; }
.name { white-space: nowrap; }
.chip { display: inline-block; min-width: 112px; padding: 0 8px; border-radius: 9px;
  text-align: center; font-size: 12px; font-weight: 600; white-space: nowrap; }
.yes { background: #d8eee6; color: #00533d; } .partly { background: #f7ebc8; color: #6b4d00; }
.no { background: #f9ddd0; color: #8a2f00; } .none { background: #eee; color: #555; }
.tally { display: flex; gap: 26px; flex-wrap: wrap; margin: 18px 0 6px; }
.tally div { line-height: 1.15; } .tally b { display: block; font-size: 30px; }
.tally span { color: var(--soft); font-size: 13px; }
.warning { border-left: 4px solid var(--warm); padding: 6px 12px; background: #fdf1ea;
  margin: 10px 0; max-width: 80ch; }
details { margin: 10px 0; } summary { cursor: pointer; font-weight: 600; }
pre { background: #f6f6f2; padding: 12px 14px; overflow-x: auto; font-size: 12px;
  line-height: 1.4; }
nav { margin: 14px 0 0; font-size: 14px; } nav a { margin-right: 18px; }
a { color: #0072b2; }
@media print { main { max-width: none; padding: 0; } h2 { break-after: avoid; }
  figure, tr { break-inside: avoid; } }
"""

CHIPS = {claims.REPRODUCED: ("yes", "✓ reproduced"), claims.PARTLY: ("partly", "◐ partly"),
         claims.NOT: ("no", "✗ not"), claims.NO_DATA: ("none", "no data")}

HOW_JUDGED = (
    "Each claim is a formula in the plan, written before the runs. Those marked as the project's own "
    "are made by no paper. The ratio of the two sides is estimated over pairs (same problem, same "
    "seed). <b>Reproduced</b>: the 95 % interval lies wholly in the claimed range (shaded; points at "
    "its rim lie beyond); <b>not</b>: wholly outside; <b>partly</b>: else. Counts and times: geometric "
    "mean of the ratios, t interval of the mean log ratio. " + ZERO_RULE + " A run that is undecided "
    "counts what it used up to the limit; what that leaves open is never called reproduced. A pair "
    "that is undecided on both sides tells nothing and is left out; where no more than half of the "
    "pairs are left the verdict is at most partly, where none is left there is no data.")


def escape(text):
    return html.escape(str(text))


def paragraph(text, kind=""):
    attribute = f' class="{kind}"' if kind else ""
    return f"<p{attribute}>{text}</p>"


def figure(svg, caption):
    return f"<figure>{svg}<figcaption>{caption}</figcaption></figure>"


def swatch(label, colour):
    return (f'<span class="name"><span class="swatch" style="background:{colour}"></span>'
            f"{escape(label)}</span>")


def with_range(value, low, high):
    """A value with its interval below it in a softer colour."""
    return f'{value}<br><span class="range">{low} – {high}</span>'


def table(headers, rows, left=(0,)):
    """Cells are HTML already. `left`: columns that are aligned to the left."""
    def cells(kind, row):
        return "".join(f'<{kind}{" class=left" if i in left else ""}>{cell}</{kind}>'
                       for i, cell in enumerate(row))
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return (f'<div class="scroll"><table><thead><tr>{cells("th", headers)}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def chip(verdict):
    kind, text = CHIPS[verdict]
    return f'<span class="chip {kind}">{text}</span>'


def tally(counts):
    """Big numbers side by side: [(number, what), ...]."""
    cells = "".join(f"<div><b>{escape(number)}</b><span>{escape(what)}</span></div>"
                    for number, what in counts)
    return f'<div class="tally">{cells}</div>'


def claims_tally(judgements):
    parts = []
    for name, group in claims.by_whom(judgements):
        counts = claims.count(group)
        cells = [(counts[claims.REPRODUCED], f"{name.lower()} reproduced"),
                 (counts[claims.PARTLY], "partly"), (counts[claims.NOT], "not reproduced")]
        if counts[claims.NO_DATA]:
            cells.append((counts[claims.NO_DATA], "without data"))
        parts.append(tally(cells))
    return "".join(parts)


def claims_section(judgements, more=""):
    """The claims with how they are judged; `more`: what this kind of page adds to that."""
    if not judgements:
        return ""
    return "".join(["<h2>Claims</h2>", paragraph(HOW_JUDGED + more), claims_table(judgements)])


def experiment_section(experiment, judgements, parts):
    """What the pages of experiments without a form of their own begin and end with, around theirs."""
    head = [paragraph(escape(experiment.plan["description"]), "soft"), warnings(experiment),
            claims_tally(judgements) if judgements else "", agreement_sentence(experiment.runs)]
    return "".join(head + parts + [claims_section(judgements)] + ["<h2>How this was made</h2>", made_how(experiment)])


def interval_plot(judgement, reach):
    """A small drawing of an interval on a log axis from 1/reach to reach: the claimed side shaded,
    1 as a line."""
    width, height = 190, 22

    def x(ratio):
        ratio = min(max(ratio, 1 / reach), reach)
        return width / 2 + math.log(ratio) / math.log(reach) * (width / 2 - 6)

    interval = judgement.interval
    low, high = judgement.low or 1 / reach, min(judgement.high, reach)
    parts = [f'<rect x="{x(low):.1f}" y="0" width="{x(high) - x(low):.1f}" height="{height}" '
             'fill="#d8eee6"/>',
             f'<line x1="{x(1):.1f}" x2="{x(1):.1f}" y1="0" y2="{height}" stroke="{SOFT}" '
             'stroke-width="0.8" stroke-dasharray="2 2"/>']
    if interval.n and not math.isnan(interval.value):
        middle = height / 2
        parts.append(f'<line x1="{x(interval.low):.1f}" x2="{x(interval.high):.1f}" y1="{middle}" '
                     f'y2="{middle}" stroke="#222" stroke-width="2"/>')
        parts.append(f'<circle cx="{x(interval.value):.1f}" cy="{middle}" r="3.6" fill="#222"/>')
    text = (f"{interval.value:.3g}, 95 % interval {interval.low:.3g} to {interval.high:.3g}"
            if interval.n else "no data")
    return (f'<svg role="img" aria-label="{text}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">{"".join(parts)}</svg>')


def claims_table(judgements):
    """Every claim with its verdict, ratio and interval; one line a series."""
    values = [abs(math.log(v)) for j in judgements
              for v in (j.interval.value, j.interval.low, j.interval.high)
              if v == v and 0 < v < math.inf]
    reach = min(max(math.exp(max(values, default=1.0)) * 1.15, 2.0), 30.0)
    lines = []
    for j in judgements:
        same = [other for other in judgements if other.claim is j.claim]
        cells = ""
        if j is same[0]:
            own = '<b>The project\'s own claim.</b> ' if claims.is_own(j.claim) else ""
            cells = (f'<td class="left claim" rowspan="{len(same)}">{escape(j.claim["text"])}<br>'
                     f'<span class="note">{own}{escape(j.claim["source"])}<br>'
                     f'<code>{escape(j.claim["formula"])}</code></span></td>')
        note = f'<br><span class="note wrap">{escape(j.note)}</span>' if j.note else ""
        ratio = with_range(ratio_text(j.interval.value), ratio_text(j.interval.low),
                           ratio_text(j.interval.high))
        cells += (f'<td class="left">{escape(j.series)}</td><td class="left">{chip(j.verdict)}{note}'
                  f"</td><td>{interval_plot(j, reach)}</td><td>{ratio}</td>"
                  f"<td>{j.interval.n}</td>")
        lines.append(f"<tr>{cells}</tr>")
    heads = ["Claim", "Series", "", f"Ratio, 1/{reach:.3g} to {reach:.3g}", "95 % interval", "n"]
    head = "".join(f'<th class="left">{h}</th>' if i < 3 else f"<th>{h}</th>"
                   for i, h in enumerate(heads))
    return (f'<div class="scroll"><table class="wide"><thead><tr>{head}</tr></thead>'
            f'<tbody>{"".join(lines)}</tbody></table></div>')


def agreement_sentence(runs):
    """How the verdicts compare with what is known."""
    decided = [run for run in runs if run["verdict"] != "unknown"]
    checked = [run for run in decided if run["expected"] is not None]
    wrong = [run for run in checked if run["verdict"] != run["expected"]]
    text = (f"{len(runs):,} runs, {len(decided):,} decided; {len(checked):,} verdicts could be "
            f"checked, {len(wrong)} contradict the known result.")
    if not wrong:
        return paragraph(text)
    lines = "".join(f"<li>{escape(run['series'])}, {escape(run['problem'])}, {escape(run['goal'])}, "
                    f"{escape(run['algorithm'])}: {run['verdict']}, expected {run['expected']}</li>"
                    for run in wrong[:50])
    return f'<div class="warning"><b>Disagreement.</b> {text}<ul>{lines}</ul></div>'


def made_how(experiment):
    """What one needs to make the numbers again."""
    runs = experiment.runs
    plan = experiment.plan

    def all_of(key):
        return escape(", ".join(sorted({str(run[key]) for run in runs})))

    facts = [("Program", f"playproof {all_of('version')}, revision {all_of('revision')}"),
             ("Compiler", all_of("compiler")),
             ("Build", escape(", ".join(sorted({i["build_type"] for i in experiment.invocations})))),
             ("Machine", f"{all_of('cpu_model')} ({all_of('host')})"),
             ("Cores, runs at once", escape("; ".join(sorted(
                 {f"{i['cores']}, {i['concurrent']}" for i in experiment.invocations})))),
             ("Playouts by", f"{all_of('backend')} on {all_of('device')}"),
             ("Limits", f"{plan['max_nodes']:,} nodes a run" + (
                 f", {plan['max_memory']:,} bytes" if plan["max_memory"] else "")),
             ("Seeds", f"plan seed {plan['seed']}; the seed of a run is mixed from it, the game, the "
                       "position, the goal and the repetition, never from the algorithm"),
             ("Plan", f"{escape(experiment.name)}, hash {experiment.hash}"),
             ("First run, last run", f"{min(run['started'] for run in runs)}, "
                                     f"{max(run['finished'] for run in runs)}" if runs else "-"),
             ("Commands", "<br>".join(f"<code>{escape(c)}</code>" for c in dict.fromkeys(
                 i["command"] for i in experiment.invocations)))]
    rows = [[f"<b>{name}</b>", value] for name, value in facts]
    names = sorted({(run["series"], run["algorithm"], run["spec"]) for run in runs})
    if len(names) > 24:
        specs = ""
    else:
        specs = table(["Series", "Algorithm", "Every parameter"], [
            [escape(s), escape(a), f"<code>{escape(c)}</code>"] for s, a, c in names],
            left=(0, 1, 2))
    return (table(["", ""], rows, left=(0, 1)) + specs
            + paragraph("<code>playproof report --format csv</code> exports every run with all "
                        "parameters and counters; <code>--format json</code> adds the error curves.",
                        "soft")
            + f"<details><summary>The plan</summary><pre>{escape(experiment.text)}</pre></details>")


def warnings(experiment):
    return "".join(f'<div class="warning">{escape(text)}</div>' for text in experiment.warnings)


def document(title, sections):
    """sections: [(anchor, heading, HTML), ...]; one experiment each."""
    links = ""
    if len(sections) > 1:
        links = "<nav>" + "".join(f'<a href="#{anchor}">{escape(heading)}</a>'
                                  for anchor, heading, _ in sections) + "</nav>"
    body = "".join(f'<section id="{anchor}"><h1>{escape(heading)}</h1>{text}</section>'
                   for anchor, heading, text in sections)
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
            f"<body><main>{links}{body}</main></body></html>\n")
