"""Clopper–Pearson compared with published values, its definition, and its guaranteed coverage."""

import math
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.statistics import estimate_rate, rate_interval
from sim_engine.campaign.summary import Proportion


@pytest.mark.parametrize(
    ("occurrences", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.0025, 0.4450),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
        (1, 1, 0.025, 1.0),
        (0, 1, 0.0, 0.975),
        (3, 1000, 0.000619, 0.008742),
        (0, 1000, 0.0, 0.003682),
    ],
)
def test_the_interval_is_the_published_one(
    occurrences: int, trials: int, low: float, high: float
) -> None:
    found = estimate_rate(occurrences, trials)

    assert (found.count, found.of, found.rate) == (occurrences, trials, occurrences / trials)
    assert found.low == pytest.approx(low, abs=5e-5 if trials <= 10 else 5e-7)
    assert found.high == pytest.approx(high, abs=5e-5 if trials <= 10 else 5e-7)


def test_nothing_tried_gives_no_estimate() -> None:
    assert estimate_rate(0, 0) == Proportion(count=0, of=0, rate=None, low=None, high=None)


@pytest.mark.parametrize("trials", [1, 10, 1000, 1_000_000])
def test_no_occurrence_still_has_the_upper_end_in_closed_form(trials: int) -> None:
    _, high = rate_interval(0, trials)

    assert high == pytest.approx(1 - 0.025 ** (1 / trials), rel=1e-9)


@pytest.mark.parametrize(("occurrences", "trials"), [(-1, 10), (11, 10), (1, 0)])
def test_impossible_counts_are_refused(occurrences: int, trials: int) -> None:
    with pytest.raises(ValueError, match="occurrences"):
        estimate_rate(occurrences, trials)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_each_end_is_where_the_observation_becomes_too_unlikely(counts: tuple[int, int]) -> None:
    occurrences, trials = counts

    low, high = rate_interval(occurrences, trials)

    assert 0 <= low <= occurrences / trials <= high <= 1
    if occurrences > 0:
        at_least = sum(mass(k, trials, low) for k in range(occurrences, trials + 1))
        assert at_least == pytest.approx(0.025, rel=1e-6)
    if occurrences < trials:
        at_most = sum(mass(k, trials, high) for k in range(occurrences + 1))
        assert at_most == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("trials", [10, 100, 1000])
@pytest.mark.parametrize("expected_losses", [0.1, 1, 5])
def test_the_interval_covers_the_true_rate_with_the_stated_probability(
    trials: int, expected_losses: float
) -> None:
    true_rate = expected_losses / trials

    covered = sum(
        mass(k, trials, true_rate)
        for k in range(min(trials, 60) + 1)
        for low, high in [rate_interval(k, trials)]
        if low <= true_rate <= high
    )

    assert covered >= 0.95


def mass(occurrences: int, trials: int, rate: float) -> float:
    """The binomial probability, from its definition."""
    if rate in (0.0, 1.0):
        return float(occurrences == trials * rate)
    return comb(trials, occurrences) * math.exp(
        occurrences * math.log(rate) + (trials - occurrences) * math.log1p(-rate)
    )
