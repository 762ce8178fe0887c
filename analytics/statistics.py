"""Interval estimates for how often something happens. Plain Python; no Spark.

Losses are rare, so the interval must be valid for rates near zero. Clopper–Pearson's always has at
least the stated coverage. Wilson's and Wald's do not: with one expected loss they cover 92 % and
63 % in place of 95 %.
"""

from dataclasses import dataclass

from scipy.stats import beta

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class RateEstimate:
    """An observed rate and the interval that covers the true one; 0 <= low <= rate <= high <= 1."""

    rate: float
    low: float
    high: float


def estimate_rate(
    occurrences: int, trials: int, *, confidence: float = CONFIDENCE
) -> RateEstimate | None:
    """The rate of independent trials with its two-sided Clopper–Pearson interval.

    None without trials. With no occurrence in n trials, the upper bound is 1 − (α/2)^(1/n), where
    α = 1 − confidence: 0.3085 for 0 of 10.
    """
    if not 0 <= occurrences <= trials:
        raise ValueError(f"{occurrences} occurrences in {trials} trials")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
    if trials == 0:
        return None
    tail = (1 - confidence) / 2
    misses = trials - occurrences
    low = 0.0 if occurrences == 0 else float(beta.ppf(tail, occurrences, misses + 1))
    high = 1.0 if misses == 0 else float(beta.ppf(1 - tail, occurrences + 1, misses))
    return RateEstimate(occurrences / trials, low, high)
