"""Kaplan–Meier curves and log-rank tests, computed with scipy from counts of runs.

A run without a loss is censored at the end of its observation. It is not counted as a run that can
never lose a record.
"""

import warnings
from typing import Literal, get_args

import numpy as np
import pandas as pd
from scipy import stats

from analytics.statistics import CONFIDENCE
from sim_engine.campaign.summary import SurvivalCurve, SurvivalPoint

Axis = Literal["faults", "time_ms"]
AXES: tuple[Axis, ...] = get_args(Axis)

MOST_POINTS = 80
"""The largest number of steps in a curve; a longer curve keeps its first and last step and a
regular selection of the others.
"""


def censored_data(counts: pd.DataFrame) -> stats.CensoredData:
    """The observations for scipy, from counts with the columns `at`, `lost` and `count`."""
    at = np.repeat(counts["at"].to_numpy(float), counts["count"].to_numpy(int))
    lost = np.repeat(counts["lost"].to_numpy(bool), counts["count"].to_numpy(int))
    return stats.CensoredData.right_censored(at, ~lost)


def survival_curve(counts: pd.DataFrame, *, cell: int, by: Axis) -> SurvivalCurve:
    """The curve of one cell with pointwise log-log intervals, which stay within 0 and 1."""
    total = int(counts["count"].sum())
    start = SurvivalPoint(at=0.0, survival=1.0, low=1.0, high=1.0, runs_left=total)
    points = [start, *_steps(counts)] if total else [start]
    if len(points) > MOST_POINTS:
        kept = np.unique(np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(int))
        points = [points[index] for index in kept]
    median = next((point.at for point in points if point.survival <= 0.5), None)
    return SurvivalCurve(cell=cell, by=by, points=tuple(points), median=median)


def _steps(counts: pd.DataFrame) -> list[SurvivalPoint]:
    function = stats.ecdf(censored_data(counts)).sf
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # While no run has lost a record, or once all have, the transform has no interval.
        warnings.filterwarnings("ignore", "The confidence interval is undefined", RuntimeWarning)
        interval = function.confidence_interval(CONFIDENCE, method="log-log")
    at, survival = function.quantiles, function.probabilities
    low, high = interval.low.probabilities, interval.high.probabilities
    runs_left = [int(counts.loc[counts["at"] >= moment, "count"].sum()) for moment in at]
    steps: list[SurvivalPoint] = []
    before = 1.0
    for index, moment in enumerate(at):
        rate = float(survival[index])
        is_last = index == len(at) - 1
        if rate == before and not is_last:
            continue
        before = rate
        steps.append(
            SurvivalPoint(
                at=float(moment),
                survival=rate,
                low=_bound(low[index], rate),
                high=_bound(high[index], rate),
                runs_left=runs_left[index],
            )
        )
    return steps


def _bound(value: float, survival: float) -> float:
    return survival if np.isnan(value) else float(min(max(value, 0.0), 1.0))


def log_rank(first: pd.DataFrame, second: pd.DataFrame) -> tuple[float, float]:
    """The statistic and the p-value of two cells; 0 and 1 if neither lost a record, or if each loss
    happened when only one run was left to lose one.
    """
    lost = [int(counts.loc[counts["lost"], "count"].sum()) for counts in (first, second)]
    if not any(lost):
        return 0.0, 1.0
    with np.errstate(invalid="ignore"):
        result = stats.logrank(censored_data(first), censored_data(second))
    if np.isnan(result.statistic):  # the statistic has no variance
        return 0.0, 1.0
    return float(result.statistic), float(result.pvalue)
