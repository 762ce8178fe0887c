import math

import pandas as pd
import pytest

from analytics.campaigns.survival import log_rank, survival_curve


def counts(*rows: tuple[float, bool, int]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["at", "lost", "count"])


# Remission times of leukemia patients (Freireich et al., 1963), the textbook example.
TREATED = counts(
    *((at, True, n) for at, n in ((6, 3), (7, 1), (10, 1), (13, 1), (16, 1), (22, 1), (23, 1))),
    *((at, False, n) for at, n in ((6, 1), (9, 1), (10, 1), (11, 1), (17, 1), (19, 1), (20, 1))),
    *((at, False, n) for at, n in ((25, 1), (32, 2), (34, 1), (35, 1))),
)
CONTROL = counts(
    *((at, True, n) for at, n in ((1, 2), (2, 2), (3, 1), (4, 2), (5, 2), (8, 4), (11, 2))),
    *((at, True, n) for at, n in ((12, 2), (15, 1), (17, 1), (22, 1), (23, 1))),
)


def test_the_curve_is_that_of_the_textbook() -> None:
    curve = survival_curve(TREATED, cell=0, by="faults")

    survival = {point.at: point.survival for point in curve.points}
    assert survival[0] == 1
    assert survival[6] == pytest.approx(0.8571, abs=1e-4)
    assert survival[10] == pytest.approx(0.7529, abs=1e-4)
    assert survival[23] == pytest.approx(0.4482, abs=1e-4)
    assert {point.at: point.runs_left for point in curve.points}[10] == 15
    assert curve.median == 23


def test_its_interval_is_the_log_log_one() -> None:
    point = next(p for p in survival_curve(TREATED, cell=0, by="faults").points if p.at == 10)

    # Greenwood: the variance of ln(-ln S).
    greenwood = 3 / (21 * 18) + 1 / (17 * 16) + 1 / (15 * 14)
    spread = 1.959964 * math.sqrt(greenwood) / abs(math.log(point.survival))
    assert point.low == pytest.approx(point.survival ** math.exp(spread), abs=1e-5)
    assert point.high == pytest.approx(point.survival ** math.exp(-spread), abs=1e-5)


def test_the_log_rank_test_is_that_of_the_textbook() -> None:
    statistic, p = log_rank(TREATED, CONTROL)

    assert statistic**2 == pytest.approx(16.79, abs=0.01)
    assert p == pytest.approx(4.17e-5, rel=0.01)


def test_without_a_loss_the_curve_stays_at_one_to_its_last_run() -> None:
    curve = survival_curve(counts((3, False, 5), (9, False, 2)), cell=0, by="faults")

    assert [(point.at, point.survival) for point in curve.points] == [(0, 1), (9, 1)]
    assert curve.median is None
    assert log_rank(counts((3, False, 5)), counts((4, False, 5))) == (0, 1)


def test_losses_of_the_last_run_alone_are_no_evidence_of_a_difference() -> None:
    assert log_rank(counts((9, True, 1)), counts((3, False, 5))) == (0, 1)
