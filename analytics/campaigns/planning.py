"""How many runs a campaign needs, before it is run."""

import math
from collections.abc import Sequence
from functools import lru_cache

from scipy.stats import norm

from analytics.statistics import CONFIDENCE, estimate_rate

RATES = (0.1, 0.01, 0.001)
"""Loss rates for which a plan is made."""

PRECISION = 0.2
"""The half-width of an interval, as a part of the rate."""

POWER = 0.8
"""How likely a difference that is there should be found."""


def upper_bound(runs: int) -> float:
    """What can be said after no loss in so many exercised runs: the rate is at most this."""
    estimate = estimate_rate(0, runs)
    assert estimate is not None, "there are runs"
    return estimate.high


def half_width(rate: float, runs: int) -> float:
    """Half the interval where a rate is observed in so many runs, as a part of that rate."""
    estimate = estimate_rate(round(rate * runs), runs)
    assert estimate is not None, "there are runs"
    return (estimate.high - estimate.low) / 2 / rate


@lru_cache
def runs_for_precision(rate: float) -> int:
    """The runs that a cell needs for an interval of ± `PRECISION` of its rate."""
    low, high = 1, 1
    while half_width(rate, high) > PRECISION:
        low, high = high, high * 2
    while high - low > max(1, high // 1_000):
        middle = (low + high) // 2
        low, high = (middle, high) if half_width(rate, middle) > PRECISION else (low, middle)
    return high


def runs_for_difference(first: float, second: float, tests: int) -> int:
    """The seeds with which McNemar's test finds a change between two rates, among so many tests.

    Where the second cell loses only what the first loses too, as with common faults; the tests are
    adjusted by Bonferroni, which asks a little more than Holm.
    """
    discordant = abs(first - second)
    assert discordant > 0, "the rates differ"
    alpha = (1 - CONFIDENCE) / max(1, tests)
    quantiles = float(norm.ppf(1 - alpha / 2)) + float(norm.ppf(POWER)) * math.sqrt(
        1 - min(discordant, 0.999)
    )
    return math.ceil(quantiles**2 / discordant)


def plan_lines(cells: int, runs: int, tests: int, costs: Sequence[float], cores: int) -> list[str]:
    """The plan in lines for a terminal. `costs` are ms a run of each cell."""
    seconds = sum(costs) * runs / 1_000 / max(1, cores)
    lines = [
        f"{cells:,} cells × {runs:,} runs = {cells * runs:,} runs",
        f"one run takes {min(costs):.0f} to {max(costs):.0f} ms; about {seconds / 60:,.1f} min"
        f" on {cores} cores",
        f"no loss in {runs:,} exercised runs means: at most {upper_bound(runs):.4%}",
        f"{tests:,} comparisons of cells that differ in one setting",
        "",
        "loss rate   interval after these runs   runs a cell for ±20 %   runs a cell to see it"
        " halved",
    ]
    for rate in RATES:
        width = half_width(rate, runs) if rate * runs >= 0.5 else math.inf
        shown = f"± {width:.0%}" if math.isfinite(width) else "too few to say"
        needed = runs_for_precision(rate)
        halved = runs_for_difference(rate, rate / 2, tests)
        lines.append(f"{rate:>9.1%}   {shown:>26}   {needed:>21,}   {halved:>27,}")
    return lines
