import pandas as pd
import pytest

from analytics.campaigns.comparisons import Value, comparisons, pairs_of
from analytics.statistics import (
    adjust_p_values,
    estimate_mean,
    estimate_paired_difference,
    paired_difference,
)

AXES: dict[str, list[Value]] = {
    "kafka": ["2.1", "2.8", "3.9"],
    "control": ["zookeeper", "kraft"],
    "acks": ["all", 1],
}
SETTINGS: list[dict[str, Value]] = [
    {"kafka": kafka, "control": "kraft" if kafka == "3.9" else "zookeeper", "acks": acks}
    for kafka in AXES["kafka"]
    for acks in AXES["acks"]
]


def test_cells_are_compared_with_their_neighbours_along_each_axis() -> None:
    found = [(pair.axis, pair.first, pair.second) for pair in pairs_of(AXES, SETTINGS)]

    assert found == [
        ("kafka", 0, 2),
        ("kafka", 2, 4),
        ("kafka", 1, 3),
        ("kafka", 3, 5),
        ("acks", 0, 1),
        ("acks", 2, 3),
        ("acks", 4, 5),
    ]


def test_mcnemars_test_counts_the_seeds_that_lost_in_one_alone() -> None:
    # 1 of 10: twice the binomial tail, 2 × (1 + 10) / 2^10.
    assert paired_difference(1, 9) == pytest.approx(22 / 1024)
    assert paired_difference(0, 0) == 1


def test_p_values_are_adjusted_by_holm() -> None:
    assert adjust_p_values([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjust_p_values([]) == []


def test_a_mean_has_the_normal_interval() -> None:
    # 1, 2, 3, 4: mean 2.5, standard deviation 1.29, standard error 0.645.
    estimate = estimate_mean(10, 30, 4)

    assert estimate.mean == 2.5
    assert estimate.low == pytest.approx(2.5 - 1.959964 * 0.645497, abs=1e-5)
    assert estimate_mean(0, 0, 0).mean == 0


def test_a_comparison_has_its_counts_and_a_seed_to_look_at() -> None:
    pair = pairs_of(AXES, SETTINGS)[0]
    counts = pd.DataFrame(
        [
            (0, 2, True, True, 5, 1),
            (0, 2, True, False, 20, 7),
            (0, 2, False, True, 2, 4),
            (0, 2, False, False, 73, 0),
        ],
        columns=["first", "second", "lost_first", "lost_second", "seeds", "seed"],
    )

    (found,) = comparisons([pair], counts)

    assert (found.pairs, found.both, found.only_first, found.only_second) == (100, 5, 20, 2)
    assert found.example_seed == 4
    assert found.differs
    assert found.p_adjusted == found.p < 0.001
    assert found.decided
    assert found.difference.mean == -0.18
    assert found.difference.low < -0.18 < found.difference.high < 0


def test_pairs_without_runs_differ_in_nothing() -> None:
    empty = pd.DataFrame(columns=["first", "second", "lost_first", "lost_second", "seeds", "seed"])

    found = comparisons(pairs_of(AXES, SETTINGS), empty)

    assert len(found) == 7
    assert not any(comparison.differs or comparison.decided for comparison in found)


def test_a_difference_has_the_adjusted_interval_of_pairs() -> None:
    # (16.5 − 10.5) / 101 ± 1.96 × sqrt((27 / 101 − 0.0594²) / 101)
    found = estimate_paired_difference(10, 16, 99)

    assert found.mean == pytest.approx(6 / 99)
    assert (found.low, found.high) == pytest.approx((-0.04077, 0.15958), abs=1e-4)


@pytest.mark.parametrize(("pairs", "decided"), [(99, False), (2_000, True)])
def test_runs_that_do_not_exclude_a_difference_give_no_verdict(pairs: int, decided: bool) -> None:
    pair = pairs_of(AXES, SETTINGS)[0]
    counts = pd.DataFrame(
        [
            (0, 2, True, False, 10, 7),
            (0, 2, False, True, 16, 4),
            (0, 2, False, False, pairs - 26, 0),
        ],
        columns=["first", "second", "lost_first", "lost_second", "seeds", "seed"],
    )

    (found,) = comparisons([pair], counts)

    assert not found.differs
    assert found.decided is decided
