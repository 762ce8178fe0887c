"""What the numbers carry, for the headlines of the charts. No finding without its interval or test.

Each chart has at least one finding: where nothing can be said, that is what it says.
"""

from collections.abc import Mapping, Sequence

from sim_engine import CellSummary, Comparison, Finding, Odds, SurvivalCurve, SurvivalPoint

LEAST_RUNS = 30
"""Cells with fewer exercised runs carry no finding."""


def find(
    axes: Mapping[str, Sequence[str | int | float | bool]],
    cells: Sequence[CellSummary],
    comparisons: Sequence[Comparison],
    survival: Sequence[SurvivalCurve],
    odds: Odds,
) -> tuple[Finding, ...]:
    """The findings of each chart, the most telling first."""
    counted = [cell for cell in cells if cell.exercised >= LEAST_RUNS]
    if not counted:
        return tuple(
            Finding(kind="too_few_runs", about=about, number=float(LEAST_RUNS))
            for about in ("matrix", "survival", "forest")
        )
    return (
        *_of_matrix(axes, counted, comparisons),
        *_of_survival(survival, {cell.cell for cell in counted}),
        *_of_forest(odds),
    )


def _of_matrix(
    axes: Mapping[str, Sequence[str | int | float | bool]],
    cells: Sequence[CellSummary],
    comparisons: Sequence[Comparison],
) -> list[Finding]:
    found: list[Finding] = []
    for axis, values in axes.items():
        for value in values if len(values) > 1 else ():
            having = [cell for cell in cells if cell.settings[axis] == value]
            others = [cell for cell in cells if cell.settings[axis] != value]
            if not having:
                continue
            if all(cell.lost.count == 0 for cell in having) and any(
                cell.lost.count for cell in others
            ):
                found.append(
                    Finding(
                        kind="never_lost",
                        about="matrix",
                        settings={axis: value},
                        cells=tuple(cell.cell for cell in having),
                        number=0.0,
                        high=max(cell.lost.high or 0.0 for cell in having),
                    )
                )
    found.extend(_changes(axes, comparisons))
    return found or [
        Finding(
            kind="no_difference",
            about="matrix",
            axis="kafka",
            cells=tuple(cell.cell for cell in cells),
        )
    ]


def _changes(
    axes: Mapping[str, Sequence[str | int | float | bool]], comparisons: Sequence[Comparison]
) -> list[Finding]:
    """One finding for each step along an axis that changes something, and for an axis without."""
    found: list[Finding] = []
    for axis in axes:
        steps: dict[tuple[object, ...], list[Comparison]] = {}
        for comparison in comparisons:
            if comparison.axis == axis:
                steps.setdefault(comparison.values, []).append(comparison)
        clear = False
        for tests in steps.values():
            for direction in ("fell", "rose"):
                changed = [test for test in tests if test.differs and _direction(test) == direction]
                if changed:
                    clear = True
                    first, second = tests[0].values
                    found.append(
                        Finding(
                            kind="changed",
                            about="matrix",
                            axis=axis,
                            values=(first, second),
                            cells=tuple(cell for test in changed for cell in test.cells),
                            direction="fell" if direction == "fell" else "rose",
                            number=float(len(changed)),
                        )
                    )
        if steps and not clear:
            found.append(
                Finding(
                    kind="no_difference",
                    about="matrix",
                    axis=axis,
                    number=float(sum(map(len, steps.values()))),
                )
            )
    found.sort(key=lambda finding: (finding.kind != "changed", -(finding.number or 0.0)))
    return found


def _direction(test: Comparison) -> str:
    return "fell" if test.only_first > test.only_second else "rose"


def _of_survival(survival: Sequence[SurvivalCurve], counted: set[int]) -> list[Finding]:
    curves = [curve for curve in survival if curve.by == "faults" and curve.cell in counted]
    if not curves:
        return [Finding(kind="too_few_runs", about="survival", number=float(LEAST_RUNS))]
    ends = [(curve, _last_sure(curve)) for curve in curves]
    best = max(ends, key=lambda end: end[1].survival)
    worst = min(ends, key=lambda end: end[1].survival)
    return [
        Finding(
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
    """The last point of a curve before which enough runs were left."""
    return [point for point in curve.points if point.runs_left >= LEAST_RUNS][-1]


def _of_forest(odds: Odds) -> list[Finding]:
    clear = [term for term in odds.terms if term.effect in ("harms", "protects")]
    if not clear:
        return [Finding(kind="no_difference", about="forest")]
    harms = [term for term in clear if term.effect == "harms"][:1]
    protects = [term for term in clear if term.effect == "protects"][-1:]
    return [
        Finding(
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
