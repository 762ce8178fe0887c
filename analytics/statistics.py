"""Interval estimates of rates and means. Plain Python; no Spark.

Losses are rare, so the interval must be valid for rates near zero. Clopper–Pearson's always has at
least the stated coverage. Wilson's and Wald's do not: with one expected loss they cover 92 % and 63
% instead of 95 %.
"""

import math
from collections.abc import Sequence

from scipy.stats import beta, binomtest, norm
from statsmodels.stats.multitest import multipletests

from sim_engine.campaign.summary import Mean, Proportion

CONFIDENCE = 0.95


def rate_interval(occurrences: int, trials: int) -> tuple[float, float]:
    """The two-sided Clopper–Pearson interval of the rate of at least one independent trial:
    0 <= low <= rate <= high <= 1.

    With no occurrence in n trials, the upper bound is 1 − (α/2)^(1/n), where α = 1 − confidence:
    0.3085 for 0 of 10. Raises ValueError for more occurrences than trials, and without trials.
    """
    if not 0 <= occurrences <= trials or trials == 0:
        raise ValueError(f"{occurrences} occurrences in {trials} trials")
    tail = (1 - CONFIDENCE) / 2
    misses = trials - occurrences
    low = 0.0 if occurrences == 0 else float(beta.ppf(tail, occurrences, misses + 1))
    high = 1.0 if misses == 0 else float(beta.ppf(1 - tail, occurrences + 1, misses))
    return low, high


def estimate_rate(occurrences: int, trials: int) -> Proportion:
    """An observed rate with its interval; all are null without trials. Raises the error of
    `rate_interval` for counts that are impossible.
    """
    if trials == 0 and occurrences == 0:
        return Proportion(count=0, of=0, rate=None, low=None, high=None)
    low, high = rate_interval(occurrences, trials)
    return Proportion(count=occurrences, of=trials, rate=occurrences / trials, low=low, high=high)


def estimate_mean(total: float, squares: float, count: int) -> Mean:
    """The mean of `count` independent values from their sum and the sum of their squares.

    Uses the normal approximation, which needs dozens of values. Without values, all three are 0.
    """
    if count == 0:
        return Mean(mean=0.0, low=0.0, high=0.0)
    mean = total / count
    spread = max(0.0, squares / count - mean * mean) * count / max(1, count - 1)
    half = float(norm.ppf((1 + CONFIDENCE) / 2)) * math.sqrt(spread / count)
    return Mean(mean=mean, low=mean - half, high=mean + half)


def paired_difference(only_first: int, only_second: int) -> float:
    """McNemar's exact p-value, from the numbers of pairs in which the outcome occurred only in the
    first and only in the second of the two.
    """
    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    return float(binomtest(only_first, discordant, 0.5).pvalue)


def estimate_paired_difference(only_first: int, only_second: int, pairs: int) -> Mean:
    """The rate of an outcome in the second of each pair minus that in the first, with its interval.

    Wald's interval after half a pair is added to each of the four outcomes, which covers well for
    few pairs too (Agresti and Min 2005, “Simple improved confidence intervals for comparing matched
    proportions”). Without pairs, the interval is from -1 to 1.
    """
    if pairs == 0:
        return Mean(mean=0.0, low=-1.0, high=1.0)
    first, second, total = only_first + 0.5, only_second + 0.5, pairs + 2
    middle = (second - first) / total
    spread = (first + second) / total - middle * middle
    half = float(norm.ppf((1 + CONFIDENCE) / 2)) * math.sqrt(spread / total)
    observed = (only_second - only_first) / pairs
    return Mean(mean=observed, low=max(-1.0, middle - half), high=min(1.0, middle + half))


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted by Holm's method, in the same order. Rejecting those below 0.05 bounds
    the probability of any false positive by 5 %.
    """
    if not p_values:
        return []
    return [float(p) for p in multipletests(p_values, method="holm")[1]]
