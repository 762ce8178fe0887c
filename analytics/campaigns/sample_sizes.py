"""Computes how many runs a campaign needs, before it is run."""

import math
from collections.abc import Sequence
from functools import lru_cache

from scipy.stats import norm

from analytics.statistics import CONFIDENCE, estimate_rate

RATES = (0.1, 0.01, 0.001)
"""The loss rates in the plan."""

PRECISION = 0.2
"""The half-width of an interval, as a fraction of the rate."""

POWER = 0.8
"""The power: the probability that an existing difference is found."""


def upper_bound(runs: int) -> float:
    """The upper bound of the loss rate after `runs` exercised runs without a loss."""
    estimate = estimate_rate(0, runs)
    assert estimate is not None, "there are runs"
    return estimate.high


def half_width(rate: float, runs: int) -> float:
    """The half-width of the interval of a rate observed in `runs` runs, as a fraction of
    the rate.
    """
    estimate = estimate_rate(round(rate * runs), runs)
    assert estimate is not None, "there are runs"
    return (estimate.high - estimate.low) / 2 / rate


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


def plan_lines(cells: int, runs: int, tests: int, costs: Sequence[float], cores: int) -> list[str]:
    """The plan as lines for a terminal. `costs` are the ms per run of each cell."""
    seconds = sum(costs) * runs / 1_000 / max(1, cores)
    lines = [
        f"{cells:,} cells × {runs:,} runs = {cells * runs:,} runs",
        f"one run takes {min(costs):.0f} to {max(costs):.0f} ms; about {seconds / 60:,.1f} min"
        f" on {cores} cores",
        f"no loss in {runs:,} exercised runs means: at most {upper_bound(runs):.4%}",
        f"{tests:,} comparisons of cells that differ in one setting",
        "",
        "loss rate   interval after these runs   runs per cell for ±20 %   runs per cell to"
        " detect a halving",
    ]
    for rate in RATES:
        width = half_width(rate, runs) if rate * runs >= 0.5 else math.inf
        shown = f"± {width:.0%}" if math.isfinite(width) else "too few runs"
        needed = runs_for_precision(rate)
        halved = runs_for_difference(rate, rate / 2, tests)
        lines.append(f"{rate:>9.1%}   {shown:>25}   {needed:>23,}   {halved:>33,}")
    return lines
