"""The conclusions that the numbers support, for the headlines of the charts.

Every conclusion is supported by an interval or a test.

Each chart has at least one: if nothing can be concluded, it states that.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from analytics.campaigns.comparisons import Value
from sim_engine.campaign.summary import (
    Averages,
    CellSummary,
    Comparison,
    Headline,
    Odds,
    SurvivalCurve,
    SurvivalPoint,
)

LEAST_RUNS = 30
"""Cells with fewer exercised runs support no conclusion."""


def headlines_of(
    axes: Mapping[str, Sequence[Value]],
    cells: Sequence[CellSummary],
    comparisons: Sequence[Comparison],
    survival: Sequence[SurvivalCurve],
    odds: Odds,
) -> tuple[Headline, ...]:
    """The conclusions for each chart, the most important first."""
    counted = [cell for cell in cells if cell.exercised >= LEAST_RUNS]
    if not counted:
        return tuple(
            Headline(kind="too_few_runs", about=about, number=float(LEAST_RUNS))
            for about in ("matrix", "survival", "forest")
        )
    return (
        *_of_matrix(axes, counted, comparisons),
        *_of_survival(survival, {cell.cell for cell in counted}),
        *_of_forest(odds),
    )


def _of_matrix(
    axes: Mapping[str, Sequence[Value]],
    cells: Sequence[CellSummary],
    comparisons: Sequence[Comparison],
) -> list[Headline]:
    if not any(cell.lost.count for cell in cells):
        return [_never_lost({}, cells)]
    headlines: list[Headline] = []
    for axis, values in axes.items():
        for value in values if len(values) > 1 else ():
            having = [cell for cell in cells if cell.settings[axis] == value]
            others = [cell for cell in cells if cell.settings[axis] != value]
            if not having:
                continue
            if all(cell.lost.count == 0 for cell in having) and any(
                cell.lost.count for cell in others
            ):
                headlines.append(_never_lost({axis: value}, having))
    headlines.extend(_changes(axes, {cell.cell: cell for cell in cells}, comparisons))
    return headlines or [
        Headline(
            kind="undecided",
            about="matrix",
            axis="kafka",
            cells=tuple(cell.cell for cell in cells),
            number=0.0,
            high=1.0,
        )
    ]


def _never_lost(settings: Mapping[str, Value], cells: Sequence[CellSummary]) -> Headline:
    return Headline(
        kind="never_lost",
        about="matrix",
        settings=settings,
        cells=tuple(cell.cell for cell in cells),
        number=0.0,
        high=max(cell.lost.high or 0.0 for cell in cells),
    )


def _changes(
    axes: Mapping[str, Sequence[Value]],
    cells: Mapping[int, CellSummary],
    comparisons: Sequence[Comparison],
) -> list[Headline]:
    """One conclusion for each step along an axis that changes something, or one for the whole axis
    if none does. Cells with too few runs are left out.
    """
    headlines: list[Headline] = []
    for axis in axes:
        steps: dict[tuple[object, ...], list[Comparison]] = {}
        for comparison in comparisons:
            if comparison.axis == axis and cells.keys() >= set(comparison.cells):
                steps.setdefault(comparison.values, []).append(comparison)
        clear = False
        for tests in steps.values():
            for direction in ("fell", "rose"):
                changed = [test for test in tests if test.differs and _direction(test) == direction]
                if changed:
                    clear = True
                    first, second = tests[0].values
                    headlines.append(
                        Headline(
                            kind="changed",
                            about="matrix",
                            axis=axis,
                            values=(first, second),
                            cells=tuple(cell for test in changed for cell in test.cells),
                            direction="fell" if direction == "fell" else "rose",
                            number=float(len(changed)),
                            averages=(
                                _averages([cells[test.cells[0]] for test in changed]),
                                _averages([cells[test.cells[1]] for test in changed]),
                            ),
                        )
                    )
        if steps and not clear:
            every = [test for tests in steps.values() for test in tests]
            headlines.append(
                Headline(
                    kind="no_difference" if all(test.decided for test in every) else "undecided",
                    about="matrix",
                    axis=axis,
                    number=float(len(every)),
                    high=max(max(-test.difference.low, test.difference.high) for test in every),
                )
            )
    headlines.sort(key=lambda headline: (headline.kind != "changed", -(headline.number or 0.0)))
    return headlines


def _averages(cells: Sequence[CellSummary]) -> Averages:
    return Averages(
        faults=fmean(cell.faults.mean for cell in cells),
        writable=1 - fmean(cell.unavailable.mean for cell in cells),
        acked=fmean(cell.acked.mean for cell in cells),
        lost_of_acked=fmean(cell.lost_of_acked or 0.0 for cell in cells),
    )


def _direction(test: Comparison) -> str:
    return "fell" if test.only_first > test.only_second else "rose"


def _of_survival(survival: Sequence[SurvivalCurve], counted: set[int]) -> list[Headline]:
    curves = [curve for curve in survival if curve.by == "faults" and curve.cell in counted]
    # A curve without a step while enough runs were left supports no more than its start.
    ends = [(curve, end) for curve in curves if (end := _last_sure(curve)).at > 0]
    if not ends:
        return [Headline(kind="too_few_runs", about="survival", number=float(LEAST_RUNS))]
    best = max(ends, key=lambda end: end[1].survival)
    worst = min(ends, key=lambda end: end[1].survival)
    return [
        Headline(
            kind="survival",
            about="survival",
            cells=(curve.cell,),
            values=(end.at,),
            number=end.survival,
            low=end.low,
            high=end.high,
        )
        for curve, end in (best, worst)
    ]


def _last_sure(curve: SurvivalCurve) -> SurvivalPoint:
    """The last point of a curve at which enough runs were still under observation."""
    return [point for point in curve.points if point.runs_left >= LEAST_RUNS][-1]


def _of_forest(odds: Odds) -> list[Headline]:
    clear = [term for term in odds.terms if term.effect in ("harms", "protects")]
    if not clear:
        return [Headline(kind="no_difference", about="forest")]
    harms = [term for term in clear if term.effect == "harms"][:1]
    protects = [term for term in clear if term.effect == "protects"][-1:]
    return [
        Headline(
            kind="odds",
            about="forest",
            name=term.name,
            values=() if term.value is None else (term.value,),
            direction="rose" if term.effect == "harms" else "fell",
            number=term.odds_ratio,
            low=term.low,
            high=term.high,
        )
        for term in (*harms, *protects)
    ]
