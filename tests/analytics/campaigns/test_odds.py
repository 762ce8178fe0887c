from collections import Counter

import numpy as np
import pandas as pd
import pytest

from analytics.campaigns.comparisons import Value
from analytics.campaigns.odds import odds_of_loss
from sim_engine.campaign.summary import Odds, OddsTerm

SETTINGS: list[dict[str, Value]] = [{"kafka": "2.1", "acks": "all"}, {"kafka": "2.1", "acks": 1}]
AXES: dict[str, list[Value]] = {"kafka": ["2.1"], "acks": ["all", 1]}


def runs(*groups: tuple[int, bool, bool, int]) -> pd.DataFrame:
    """Runs by cell, crash, loss and number. All seeds differ."""
    rows = [(cell, crash, lost) for cell, crash, lost, count in groups for _ in range(count)]
    data = pd.DataFrame(rows, columns=["cell", "crash", "lost"])
    data["seed"] = np.arange(len(data))
    return data


def term(odds: Odds, name: str) -> OddsTerm:
    return next(each for each in odds.terms if each.name == name)


def test_the_odds_ratio_of_one_fault_is_that_of_its_table() -> None:
    table = runs(
        (0, True, True, 30), (0, True, False, 70), (0, False, True, 10), (0, False, False, 90)
    )

    found = term(odds_of_loss(table, kinds=["crash"], axes=AXES, settings=SETTINGS), "crash")

    assert found.odds_ratio == pytest.approx((30 / 70) / (10 / 90))
    # Woolf's interval, which a regression with one term has; the cluster's n/(n-1) is 1.005.
    spread = 1.959964 * (1 / 30 + 1 / 70 + 1 / 10 + 1 / 90) ** 0.5
    assert found.low == pytest.approx(found.odds_ratio * np.exp(-spread), rel=0.01)
    assert found.high == pytest.approx(found.odds_ratio * np.exp(spread), rel=0.01)
    assert (found.effect, found.runs, found.lost) == ("harms", 100, 30)


def test_a_setting_is_compared_with_the_first_of_its_axis_all_else_equal() -> None:
    table = runs(
        (0, True, True, 20), (0, True, False, 80), (0, False, True, 5), (0, False, False, 95),
        (1, True, True, 50), (1, True, False, 50), (1, False, True, 20), (1, False, False, 80),
    )  # fmt: skip

    odds = odds_of_loss(table, kinds=["crash"], axes=AXES, settings=SETTINGS)

    acks = term(odds, "acks")
    assert (acks.value, acks.reference, acks.effect) == (1, "all", "harms")
    # Each stratum has 4.0 and 4.75.
    assert 4.0 < (acks.odds_ratio or 0) < 4.75
    assert [each.name for each in odds.terms] == ["acks", "crash"]


def test_what_never_lost_has_no_estimate_and_disturbs_no_other() -> None:
    table = runs(
        (0, True, True, 30), (0, True, False, 70), (0, False, True, 10), (0, False, False, 90),
        (1, True, False, 50), (1, False, False, 50),
    )  # fmt: skip

    odds = odds_of_loss(table, kinds=["crash"], axes=AXES, settings=SETTINGS)

    assert term(odds, "acks").odds_ratio is None
    assert term(odds, "acks").reason == "never_lost"
    assert term(odds, "acks").effect == "unknown"
    assert term(odds, "crash").odds_ratio == pytest.approx((30 / 70) / (10 / 90))


@pytest.mark.parametrize("happened", [True, False])
def test_what_is_the_same_in_every_run_cannot_be_compared(happened: bool) -> None:
    table = runs((0, happened, True, 30), (0, happened, False, 70), (1, happened, False, 100))

    odds = odds_of_loss(table, kinds=["crash"], axes=AXES, settings=SETTINGS)

    assert (term(odds, "crash").odds_ratio, term(odds, "crash").reason) == (None, "constant")


def test_equal_runs_of_one_seed_count_once() -> None:
    once = runs(
        (0, True, True, 15), (0, True, False, 35), (0, False, True, 5), (0, False, False, 45)
    )
    often = pd.concat([once] * 9, ignore_index=True)

    one = term(odds_of_loss(once, kinds=["crash"], axes=AXES, settings=SETTINGS), "crash")
    nine = term(odds_of_loss(often, kinds=["crash"], axes=AXES, settings=SETTINGS), "crash")

    assert nine.low == pytest.approx(one.low, rel=0.02)
    assert nine.high == pytest.approx(one.high, rel=0.02)


def test_a_setting_determined_by_others_has_no_estimate_and_states_why() -> None:
    settings: list[dict[str, Value]] = [
        {"kafka": kafka, "control": "zookeeper" if kafka == "2.1" else "kraft"}
        for kafka in ("2.1", "3.9", "4.1")
    ]
    axes: dict[str, list[Value]] = {
        "kafka": ["2.1", "3.9", "4.1"],
        "control": ["zookeeper", "kraft"],
    }
    table = runs(*((cell, False, lost, 20) for cell in (0, 1, 2) for lost in (True, False)))

    odds = odds_of_loss(table, kinds=[], axes=axes, settings=settings)

    assert (term(odds, "control").reason, term(odds, "control").effect) == ("determined", "unknown")
    assert term(odds, "kafka").odds_ratio == pytest.approx(1)


def test_terms_that_predict_losses_without_exception_have_no_ratio_and_disturb_no_other() -> None:
    decided = runs((0, True, True, 30), (0, False, False, 70))
    open_runs = runs((1, True, True, 30), (1, True, False, 70))
    table = pd.concat([decided, open_runs], ignore_index=True)
    table["seed"] = np.arange(len(table))
    table["pause"] = np.arange(len(table)) % 3 == 0

    odds = odds_of_loss(table, kinds=["crash", "pause"], axes=AXES, settings=SETTINGS)

    assert [(term(odds, name).reason, term(odds, name).effect) for name in ("crash", "acks")] == [
        ("separated", "unknown")
    ] * 2
    # As in the open runs alone.
    alone = odds_of_loss(
        table[table["cell"] == 1], kinds=["crash", "pause"], axes={}, settings=SETTINGS
    )
    assert term(odds, "pause").odds_ratio == pytest.approx(term(alone, "pause").odds_ratio)
    assert term(odds, "pause").reason is None


def test_with_fewer_seeds_than_terms_nothing_is_estimated() -> None:
    table = runs((0, True, True, 1), (0, True, False, 1), (0, False, True, 1), (0, False, False, 1))
    table["seed"] = [1, 1, 2, 2]

    found = term(odds_of_loss(table, kinds=["crash"], axes=AXES, settings=SETTINGS), "crash")

    assert (found.odds_ratio, found.reason) == (None, "few_runs")


def test_small_campaigns_have_finite_estimates_and_no_warnings() -> None:
    axes: dict[str, list[Value]] = {"kafka": ["2.1", "3.9"], "acks": ["all", 1]}
    settings: list[dict[str, Value]] = [
        {"kafka": kafka, "acks": acks} for kafka in axes["kafka"] for acks in axes["acks"]
    ]
    kinds = ["crash", "pause", "power_loss"]
    reasons: Counter[str | None] = Counter()
    for number in range(65):  # as many as have every reason
        chance = np.random.default_rng(number)
        count = int(chance.integers(4, 40))
        table = pd.DataFrame({"cell": chance.integers(0, 4, count), "seed": np.arange(count) // 2})
        for kind in kinds:
            table[kind] = chance.random(count) < chance.random()
        table["lost"] = chance.random(count) < 0.1 + 0.5 * (table["crash"] & (table["cell"] > 1))

        # Here, warnings are errors.
        odds = odds_of_loss(table, kinds=kinds, axes=axes, settings=settings)

        for one in odds.terms:
            reasons[one.reason] += 1
            assert one.odds_ratio is None or 1e-3 < one.odds_ratio < 1e3
            assert one.high is None or np.isfinite(one.high)
    assert reasons.keys() >= {None, "separated", "never_lost", "constant", "determined", "few_runs"}
