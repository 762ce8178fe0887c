"""Computes how many runs a campaign needs, before it is run."""

import math
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from scipy.stats import norm

from analytics.statistics import CONFIDENCE, rate_interval

RATES = (0.1, 0.01, 0.001)
"""The loss rates in the plan."""

PRECISION = 0.2
"""The half-width of an interval, as a fraction of the rate."""

POWER = 0.8
"""The power: the probability that an existing difference is found."""


def upper_bound(runs: int) -> float:
    """The upper bound of the loss rate after `runs` exercised runs without a loss."""
    return rate_interval(0, runs)[1]


def half_width(rate: float, runs: int) -> float:
    """The half-width of the interval of a rate observed in `runs` runs, as a fraction of
    the rate.
    """
    low, high = rate_interval(round(rate * runs), runs)
    return (high - low) / 2 / rate


@lru_cache
def runs_for_precision(rate: float) -> int:
    """The number of runs that a cell needs for an interval of ± `PRECISION` of its rate."""
    low, high = 1, 1
    while half_width(rate, high) > PRECISION:
        low, high = high, high * 2
    while high - low > max(1, high // 1_000):
        middle = (low + high) // 2
        low, high = (middle, high) if half_width(rate, middle) > PRECISION else (low, middle)
    return high


def runs_for_difference(first: float, second: float, tests: int) -> int:
    """The number of seeds with which McNemar's test finds a change between two rates, among `tests`
    tests.

    Assumes that the second cell loses records only in runs in which the first does too, as with
    common faults. The tests are adjusted by Bonferroni, which is slightly stricter than Holm.
    """
    discordant = abs(first - second)
    assert discordant > 0, "the rates differ"
    alpha = (1 - CONFIDENCE) / max(1, tests)
    quantiles = float(norm.ppf(1 - alpha / 2)) + float(norm.ppf(POWER)) * math.sqrt(
        1 - min(discordant, 0.999)
    )
    return math.ceil(quantiles**2 / discordant)


class SampleSizes(Struct, frozen=True, kw_only=True):
    """What one loss rate needs. `half_width` is that of the interval after the planned runs, as a
    fraction of the rate; None if they are too few. The others are numbers of runs of each cell.
    """

    rate: float
    half_width: float | None
    runs_for_precision: int
    runs_to_detect_halving: int


class CampaignPlan(Struct, frozen=True, kw_only=True):
    """What a campaign would cost and could show. `comparisons` is the number of pairs of cells that
    differ in one setting; `no_loss_at_most` the upper bound of the loss rate of a cell whose runs
    all are exercised and lose nothing.
    """

    cells: int
    runs_per_cell: int
    runs: int
    fastest_run_ms: float
    slowest_run_ms: float
    cores: int
    seconds: float
    no_loss_at_most: float
    comparisons: int
    rates: tuple[SampleSizes, ...]


def plan_campaign(runs: int, tests: int, costs: Sequence[float], cores: int) -> CampaignPlan:
    """The plan of `runs` runs of each cell. `costs` are the ms per run of each cell."""
    return CampaignPlan(
        cells=len(costs),
        runs_per_cell=runs,
        runs=len(costs) * runs,
        fastest_run_ms=min(costs),
        slowest_run_ms=max(costs),
        cores=cores,
        seconds=sum(costs) * runs / 1_000 / max(1, cores),
        no_loss_at_most=upper_bound(runs),
        comparisons=tests,
        rates=tuple(
            SampleSizes(
                rate=rate,
                half_width=half_width(rate, runs) if rate * runs >= 0.5 else None,
                runs_for_precision=runs_for_precision(rate),
                runs_to_detect_halving=runs_for_difference(rate, rate / 2, tests),
            )
            for rate in RATES
        ),
    )


def plan_lines(plan: CampaignPlan) -> list[str]:
    """The plan as lines for a terminal."""
    lines = [
        f"{plan.cells:,} cells × {plan.runs_per_cell:,} runs = {plan.runs:,} runs",
        f"one run takes {plan.fastest_run_ms:.0f} to {plan.slowest_run_ms:.0f} ms;"
        f" about {plan.seconds / 60:,.1f} min on {plan.cores} cores",
        f"no loss in {plan.runs_per_cell:,} exercised runs means:"
        f" at most {plan.no_loss_at_most:.4%}",
        f"{plan.comparisons:,} comparisons of cells that differ in one setting",
        "",
        "loss rate   interval after these runs   runs per cell for ±20 %   runs per cell to"
        " detect a halving",
    ]
    for one in plan.rates:
        shown = "too few runs" if one.half_width is None else f"± {one.half_width:.0%}"
        lines.append(
            f"{one.rate:>9.1%}   {shown:>25}   {one.runs_for_precision:>23,}"
            f"   {one.runs_to_detect_halving:>33,}"
        )
    return lines
