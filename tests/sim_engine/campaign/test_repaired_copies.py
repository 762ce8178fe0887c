"""Lost and repaired copies: a record is lost when all its copies are missing at the same time.

A broker whose disk is lost has no copy until it is back. So the plan of a run alone says whether
its record is lost. How often that is, is known: the mean time to data loss (MTTDL) of λ losses of
each disk and μ repairs, for two copies (3λ + μ) / 2λ², for three that are repaired side by side
(11λ² + 7λμ + 2μ²) / 6λ³.
"""

import math

import pytest
from scipy.stats import binomtest

from sim_engine.campaign.grid import Cell
from sim_engine.campaign.play import Fault, RunKey, draw_plan
from sim_engine.campaign.run import run_cell
from tests.sim_engine.campaign.cells import one_cell

LEAST_P = 0.001


def cell_of(factor: int, *, rate: float, step_ms: int, mean_outage_ms: int, steps: int) -> Cell:
    """One early record, and disks that are lost and replaced."""
    return one_cell(
        kafka="3.9",
        replication_factor=factor,
        configs={"unclean.leader.election.enable": False},
        faults={"disk_loss": {"rate": rate, "duration_ms": mean_outage_ms}},
        steps=steps,
        step_ms=step_ms,
        produce_every=steps,
        consume_every=0,
        in_flight_ms=0,
        shrink=False,
    )


def lost_by_plan(faults: tuple[Fault, ...], factor: int) -> bool:
    """Whether all brokers are down at the same time. A disk lost again is down longer."""
    out_until: dict[int, int] = {}
    for fault in faults:
        (broker,) = fault.brokers
        end = fault.at_ms + fault.duration_ms
        out_until[broker] = max(out_until.get(broker, 0), end)
        if sum(until > fault.at_ms for until in out_until.values()) == factor:
            return True
    return False


def check_each_run(runs: int) -> None:
    """With outages much longer than session timeouts, the engine agrees with the plan."""
    for factor in (2, 3):
        cell = cell_of(factor, rate=0.05, step_ms=10_000, mean_outage_ms=120_000, steps=40)
        said: list[tuple[bool, bool]] = []
        for run in range(10 * runs):
            key = RunKey(campaign=13, cell=0, run=run)
            plan = draw_plan(cell, key)
            sent_ms = next(each.at_ms for each in plan.planned if each.what == "produce")
            if len(said) == runs or (plan.faults and plan.faults[0].at_ms < sent_ms + 5_000):
                continue
            row = run_cell(key, cell)
            said.append((row.lost > 0, lost_by_plan(plan.faults, factor)))

        assert len(said) == runs
        assert {lost for lost, _ in said} == {True, False}
        assert [one for one, other in said if one != other] == []


def test_a_record_is_lost_when_all_its_copies_are_destroyed_together() -> None:
    check_each_run(5)


@pytest.mark.slow
def test_the_same_in_many_runs() -> None:
    check_each_run(150)


@pytest.mark.parametrize(
    ("factor", "seconds"), [(2, 20_000), (3, 100_000)], ids=["two copies", "three copies"]
)
def test_plans_lose_records_as_the_mean_time_to_data_loss_predicts(
    factor: int, seconds: int
) -> None:
    loss, repair = 0.0005, 0.01
    cell = cell_of(factor, rate=0.1, step_ms=200_000, mean_outage_ms=100_000, steps=seconds // 200)
    mean_seconds = {
        2: (3 * loss + repair) / (2 * loss**2),
        3: (11 * loss**2 + 7 * loss * repair + 2 * repair**2) / (6 * loss**3),
    }[factor]

    plans = [draw_plan(cell, RunKey(campaign=14, cell=0, run=run)) for run in range(400)]

    lost = sum(lost_by_plan(plan.faults, factor) for plan in plans)
    expected = 1 - math.exp(-seconds / mean_seconds)
    assert binomtest(lost, len(plans), expected).pvalue > LEAST_P, (lost, expected)
