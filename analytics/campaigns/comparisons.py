"""Selects the cells to compare: pairs that differ in one setting, by neighbouring values of it."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
from msgspec import Struct
from msgspec.structs import replace

from analytics.statistics import (
    CONFIDENCE,
    adjust_p_values,
    estimate_paired_difference,
    paired_difference,
)
from sim_engine.campaign.summary import Comparison

MATTERS = 0.05
"""A difference of two rates up to which they are called the same. An interval that contains a
larger one does not show that there is no difference.
"""

Value = str | int | float | bool

FOLLOWS_RELEASE = "control"
"""If the grid names no controller, it changes with the release and is not a separate setting."""


class Pair(Struct, frozen=True, kw_only=True):
    """Two cells that differ in one axis, in the order of its values."""

    axis: str
    first: int
    second: int
    values: tuple[Value, Value]


def pairs_of(
    axes: Mapping[str, Sequence[Value]], settings: Sequence[Mapping[str, Value]]
) -> list[Pair]:
    """Every pair of cells to compare."""
    return [pair for axis in axes for pair in _along(axis, axes, settings)]


def _along(
    axis: str, axes: Mapping[str, Sequence[Value]], settings: Sequence[Mapping[str, Value]]
) -> Iterator[Pair]:
    values = list(axes[axis])
    ignored = {axis, FOLLOWS_RELEASE} if axis == "kafka" else {axis}
    lines: dict[tuple[Value, ...], list[int]] = {}
    for cell, point in enumerate(settings):
        others = tuple(value for name, value in point.items() if name not in ignored)
        lines.setdefault(others, []).append(cell)
    for line in lines.values():
        ordered = sorted(line, key=lambda cell: values.index(settings[cell][axis]))
        for first, second in itertools.pairwise(ordered):
            before, after = settings[first][axis], settings[second][axis]
            if before != after:
                yield Pair(axis=axis, first=first, second=second, values=(before, after))


def comparisons(pairs: Sequence[Pair], counts: pd.DataFrame) -> tuple[Comparison, ...]:
    """McNemar's test of each pair, from the counts of `row_counts.pair_counts`. The p-values are
    adjusted over all pairs.
    """
    grouped = dict(list(counts.groupby(["first", "second"])))
    made = [_compare(pair, grouped.get((pair.first, pair.second))) for pair in pairs]
    adjusted = adjust_p_values([comparison.p for comparison in made])
    return tuple(
        replace(
            comparison,
            p_adjusted=p,
            differs=p < 1 - CONFIDENCE,
            decided=p < 1 - CONFIDENCE or comparison.decided,
        )
        for comparison, p in zip(made, adjusted, strict=True)
    )


def _compare(pair: Pair, counts: pd.DataFrame | None) -> Comparison:
    outcomes: dict[tuple[bool, bool], int] = {}
    seeds: list[int] = []
    for row in () if counts is None else counts.itertuples():
        outcome = (bool(row.lost_first), bool(row.lost_second))
        outcomes[outcome] = int(row.seeds)
        if outcome[0] != outcome[1]:
            seeds.append(int(row.seed))
    only_first = outcomes.get((True, False), 0)
    only_second = outcomes.get((False, True), 0)
    p = paired_difference(only_first, only_second)
    pairs = sum(outcomes.values())
    difference = estimate_paired_difference(only_first, only_second, pairs)
    return Comparison(
        axis=pair.axis,
        cells=(pair.first, pair.second),
        values=pair.values,
        pairs=pairs,
        both=outcomes.get((True, True), 0),
        only_first=only_first,
        only_second=only_second,
        p=p,
        p_adjusted=p,
        differs=False,
        difference=difference,
        decided=max(-difference.low, difference.high) <= MATTERS,
        example_seed=min(seeds, default=None),
    )
