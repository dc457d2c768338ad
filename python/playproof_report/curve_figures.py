"""Every line of the figures: staircases of what is solved, and values with their bands against a number."""

import textwrap

import numpy

from . import style

WITHOUT = (0, (3, 2))  # the line of what has no such number
FAR = 16  # from the least to the largest number: more is drawn on a logarithmic axis


def curve(axis, x, intervals, look, hollow=(), band=True):
    """A line through the values of intervals, their ends as a band. hollow: where the mark is; without, there are no
    marks. What has no interval is left out."""
    there = [i for i, interval in enumerate(intervals) if interval is not None and numpy.isfinite(interval.value)]
    x, drawn = [x[i] for i in there], [intervals[i] for i in there]
    if band:  # an interval without an end, of a single problem, is not drawn
        ends = numpy.array([(i.low, i.high) if i.n > 1 else (numpy.nan, numpy.nan) for i in drawn]).reshape(-1, 2)
        axis.fill_between(x, ends[:, 0], ends[:, 1], color=look["color"], alpha=0.13, linewidth=0)
    axis.plot(x, [i.value for i in drawn], linewidth=1.7, **look)
    for i, place, interval in zip(there, x, drawn) if len(hollow) else ():
        axis.plot(place, interval.value, "o", markersize=3.4, color=look["color"],
                  markerfacecolor="white" if hollow[i] else look["color"])


def level(axis, interval, look):
    """The line of what has no such number."""
    if interval is not None and numpy.isfinite(interval.value):
        axis.axhline(interval.value, color=look["color"], linewidth=1.2, linestyle=WITHOUT)


def number_axis(axis, title, seen):
    """seen: the numbers of all curves, ascending."""
    if seen[0] > 0 and seen[-1] >= FAR * seen[0]:
        axis.set_xscale("log", base=4 if seen[-1] >= FAR**2 * seen[0] else 2)
        axis.minorticks_off()
    axis.xaxis.set_major_formatter(lambda x, _: f"{x:,.6g}")
    axis.set_xlabel(title)


# ---- staircases ----------------------------------------------------------------------------------


def _steps(axis, values, total, end, **look):
    """The share of all cases at or below each value."""
    if len(values):
        shares = numpy.arange(1, len(values) + 1) / total
        axis.step([values[0], *values, end], [0, *shares, shares[-1]], where="post", **look)


def looks_of(chosen, reference):
    """{label: look}: the reference has the strongest colour."""
    first = [reference] * (reference in chosen)
    return style.looks(first + [label for label in chosen if label != reference])


def solved_panel(series, found, cases, chosen, reference, title, formatter):
    """found: {label: ascending values}; those that are not chosen are grey."""
    looks = looks_of(chosen, reference)
    figure, ((axis,),) = style.new_figure(1, 4.4, 3.3)
    end = max((values[-1] for values in found.values() if len(values)), default=1.0)
    for label in sorted(found, key=lambda label: label in chosen):  # those in colour on top
        look = {"linewidth": 1.7, "label": label, **looks[label]} if label in chosen else {
            "linewidth": 0.8, "color": "#bdbdb8", "label": style.OTHERS_NAME}
        _steps(axis, found[label], cases, end, **look)
    axis.set_xscale("log")
    axis.set_ylim(-0.02, 1.04)
    axis.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    axis.set_title(textwrap.fill(title, 44))  # a longer line widens the picture, and all in it shrinks
    style.log_axis(axis.xaxis, formatter)
    words = "; ".join(_solved_words(label, found[label], formatter) for label in chosen)
    return style.svg(figure, f"{series}: {title}",
                     f"{title}, share of the {cases} cases on {series}: {words}.")


def _solved_words(label, values, formatter):
    if not len(values):
        return f"{label} none"
    half = values[(len(values) - 1) // 2]
    return f"{label} {len(values)}, half of these at {formatter(half)}, all at {formatter(values[-1])}"


# ---- against a number that labels end in: one is a parameters.Numbered ------------------------------


def _against(axis, one, looks, interval, hollow=lambda point: point.undecided, band=True):
    """interval: of a Point, nothing where it has none; hollow: None draws no marks."""
    for name, points in one.of.items():
        drawn = [interval(point) for point in points]
        if one.is_line(name):
            level(axis, drawn[0], looks[name])
        else:
            curve(axis, [point.value for point in points], drawn, looks[name],
                  [hollow(point) for point in points] if hollow else (), band)
    number_axis(axis, one.title, one.numbers)


def numbered(series, one, looks, measured):
    """[pictures]: each measure, and the share solved where not everything was."""
    axes = style.new_panels(len(measured) + one.open, 3.4, 3.0)
    for axis, (measure, title, formatter) in zip(axes, measured):
        _against(axis, one, looks, lambda point, measure=measure: point.means.get(measure))
        axis.set_title(title)
        axis.set_yscale("log")
        style.log_axis(axis.yaxis, formatter)
    if one.open:  # intervals that are not all alike
        _against(axes[-1], one, looks, lambda point: point.solved, band=False)
        axes[-1].set_title("Share solved")
        axes[-1].set_ylim(-0.03, 1.03)
    return style.svgs(axes, f"{series} against {one.key}", f"{series} against {one.title}, a curve for each name")


def relative(series, one, looks, measure, title):
    """[pictures] of a measure over that of the base: each way to average, and how many cases get better and worse."""
    axes = style.new_panels(len(one.averages) + 1, 2.9, 2.6)
    for axis, (statistic, words) in zip(axes, one.averages.items()):
        axis.axhline(1, color=style.SOFT, linewidth=0.9)
        _against(axis, one, looks, lambda point, statistic=statistic: point.ratio(measure, statistic))
        axis.set_yscale("log")
        axis.set_title(f"{title}, {words}")
    _same_height(axes[:-1], one, measure)
    for name, points in one.of.items():
        points = [point for point in points if measure in point.over and not one.is_line(name)]
        for count, stroke in (("fewer", looks[name]["linestyle"]), ("more", (0, (1, 1.5)))):
            axes[-1].plot([point.value for point in points], [getattr(point.over[measure], count) for point in points],
                          color=looks[name]["color"], linewidth=1.5, linestyle=stroke)
    axes[-1].set_title(f"{title}: fewer, more (··)")
    axes[-1].set_ylim(bottom=0)
    axes[-1].yaxis.set_major_locator(style.ticker.MaxNLocator(integer=True))
    number_axis(axes[-1], one.title, one.numbers)
    return style.svgs(axes, f"{series} over {one.base_words}, {title.lower()} against {one.key}",
                      f"{series} over {one.base_words}, against {one.title}")


def _same_height(axes, one, measure):
    drawn = [1.0, *(ratio.value for points in one.of.values() for point in points
                    for ratio in [point.ratio(measure, statistic) for statistic in one.averages]
                    if ratio is not None and 0 < ratio.value < numpy.inf)]
    margin = max((max(drawn) / min(drawn)) ** 0.12, 1.15)
    for axis in axes:
        axis.set_ylim(min(drawn) / margin, max(drawn) * margin)  # wide bands may leave the panel
        style.log_axis(axis.yaxis, style.ratio_text)


def small(series, one, looks, drawn, size):
    """[pictures]: what experiments of `size` runs would have given. drawn: {title: {name: [Interval]}}."""
    axes = style.new_panels(len(drawn), 4.3, 3.0)
    for axis, (title, of) in zip(axes, drawn.items()):
        axis.axhline(1, color=style.SOFT, linewidth=0.9)
        for name, intervals in of.items():
            curve(axis, [point.value for point in one.of[name]], intervals, looks[name])
        axis.set_yscale("log")
        axis.set_title(f"{title}: ratio of the means of {size} runs")
        number_axis(axis, one.title, one.numbers)
    limits = [axis.get_ylim() for axis in axes]
    for axis in axes:
        axis.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
        style.log_axis(axis.yaxis, style.ratio_text)
    return style.svgs(axes, f"{series} in experiments of {size} runs",
                      f"Ratios to {one.base_words} on {series} that experiments of {size} runs would have given")


def legend(one, looks):
    """[(label, colour, dashes)]"""
    return [(name, looks[name]["color"], style.dashes(WITHOUT if one.is_line(name) else looks[name]["linestyle"]))
            for name in one.of]
