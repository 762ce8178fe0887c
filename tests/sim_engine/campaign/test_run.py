import itertools

import pytest

from sim_engine.campaign.grid import Cell
from sim_engine.campaign.play import Plan, RunKey, draw_plan
from sim_engine.campaign.run import _play, run_cell, run_scenario, shortest_example
from sim_engine.scenario_reader.reader import read_scenario_document
from tests.sim_engine.campaign.cells import one_cell, rows_of
from tests.sim_engine.runs import play

BUSY = {"crash": 0.05, "pause": 0.03, "isolate": 0.03, "shutdown": 0.02, "slow": 0.02}
SHORT: dict[str, object] = {"steps": 20, "produce_every": 4}


@pytest.mark.parametrize(("kafka", "acks"), [("0.10.2", 1), ("2.1", "all"), ("4.1", 0)])
def test_a_run_and_its_scenario_make_the_same_frames(kafka: str, acks: object) -> None:
    cell = one_cell(kafka=kafka, acks=acks, faults={**BUSY, "late_metadata": 0.05}, **SHORT)
    for run in range(2):
        key = RunKey(campaign=3, cell=0, run=run)

        row = run_cell(key, cell)
        timeline = play(run_scenario(key, cell))

        acked = [
            record
            for record in timeline.frames[-1].cluster.clients.produced
            if record.outcome == "acked"
        ]
        assert row.frames == len(timeline.frames)
        assert row.acked == len({record.id for record in acked})
        assert row.lost == len({record.id for record in acked if record.fate == "lost"})


def test_a_row_is_reproduced_alone_and_no_two_runs_are_alike() -> None:
    cell = one_cell(faults=BUSY, **SHORT)

    rows = rows_of(cell, 4)

    assert run_cell(RunKey(campaign=1, cell=0, run=3), cell) == rows[3]
    assert len({row.digest for row in rows}) == len(rows)


def test_without_faults_nothing_is_lost_and_the_run_is_not_exercised() -> None:
    (row,) = rows_of(one_cell(faults={}, steps=8, produce_every=2), 1)

    assert (row.acked, row.produced, row.lost, row.at_risk) == (4, 4, 0, 0)
    assert not row.exercised
    assert row.unavailable_ms == row.unreadable_ms == row.elections == 0
    assert sum(row.lag_histogram) == 4
    assert row.uncommitted == 0


def test_a_power_loss_of_all_loses_what_was_not_written_back_and_a_flush_keeps_it() -> None:
    """One rack, so one power loss clears every page cache."""
    grid: dict[str, object] = {
        "faults": {"rack_power_loss": 0.2},
        "steps": 20,
        "writeback_ms": 30_000,
    }

    (unflushed,) = rows_of(one_cell(**grid), 1)
    (flushed,) = rows_of(one_cell(**grid, configs={"log.flush.interval.messages": 1}), 1)

    assert unflushed.lost > 0
    assert unflushed.cause == "power_loss"
    assert unflushed.smallest == ("rack_power_loss",)
    assert unflushed.faults_before_loss == 1
    assert flushed.lost == 0
    assert flushed.faults == unflushed.faults


def test_what_was_written_back_survives_a_power_loss() -> None:
    grid: dict[str, object] = {"faults": {"rack_power_loss": 0.2}, "steps": 20, "in_flight_ms": 0}

    (kept,) = rows_of(one_cell(**grid, writeback_ms=0), 1)

    assert kept.fault_count > 0
    assert kept.lost == 0


def test_acks_of_the_leader_alone_are_named_as_the_cause() -> None:
    cell = one_cell(acks=1, faults={"crash": {"rate": 0.1, "duration_ms": 20_000}}, steps=20)

    causes = {row.cause for row in rows_of(cell, 3) if row.lost}

    assert causes == {"leader_only"}


def test_no_fault_of_the_smallest_set_can_be_left_out() -> None:
    cell = one_cell(acks=1, faults={"crash": 0.1, "pause": 0.03}, steps=15)
    row = next(row for row in rows_of(cell, 5) if row.lost)
    plan = draw_plan(cell, RunKey(campaign=1, cell=0, run=row.seed))
    assert row.smallest is not None
    size = len(row.smallest)

    numbers = [fault.number for fault in plan.faults]
    losing = [
        kept
        for kept in itertools.combinations(numbers, size)
        if sorted(plan.faults[number].kind for number in kept) == list(row.smallest)
        and _loses(cell, plan, set(kept))
    ]

    assert losing, "the kinds that the row names lose a record"
    assert not any(_loses(cell, plan, set(losing[0]) - {number}) for number in losing[0])


def test_the_shortest_example_loses_for_the_same_cause() -> None:
    cell = one_cell(faults={"rack_power_loss": 0.2, "slow": 0.1}, steps=12)
    key = RunKey(campaign=1, cell=0, run=0)

    example = shortest_example(key, cell)

    assert example is not None
    assert example.cause == "power_loss"
    assert example.faults == ("rack_power_loss",)
    assert example.steps == 5, "produce, run, and three brokers without power"
    assert len(example.scenario["brokers"]) == 3
    timeline = play(read_scenario_document(example.scenario))
    assert any(record.fate == "lost" for record in timeline.frames[-1].cluster.clients.produced)


def test_a_run_that_loses_nothing_has_no_example() -> None:
    assert shortest_example(RunKey(campaign=1, cell=0, run=0), one_cell(faults={})) is None


def test_time_without_a_leader_counts_as_unavailable_and_unreadable() -> None:
    """One replica: while it is down, there is no leader."""
    cell = one_cell(
        replication_factor=1,
        faults={"crash": {"rate": 0.05, "duration_ms": 5_000}},
        steps=60,
        in_flight_ms=0,
    )
    (row,) = rows_of(cell, 1)
    plan = draw_plan(cell, RunKey(campaign=1, cell=0, run=0))

    down_ms = 0
    up_at_ms = 0
    for fault in plan.faults:
        if fault.at_ms < up_at_ms:
            continue
        up_at_ms = fault.at_ms + fault.duration_ms
        down_ms += min(up_at_ms, plan.horizon_ms) - fault.at_ms
    assert row.fault_count > 0
    assert row.unreadable_ms == row.unavailable_ms
    # The controller notices a restart immediately; messages take a few milliseconds.
    assert 0 <= row.unreadable_ms - down_ms <= 100 * row.fault_count


def test_too_few_in_sync_replicas_are_unavailable_for_writes_only() -> None:
    cell = one_cell(
        replication_factor=2,
        configs={"min.insync.replicas": 2},
        faults={"crash": {"rate": 0.1, "duration_ms": 30_000}},
        steps=60,
    )

    rows = rows_of(cell, 2)

    assert sum(row.unavailable_ms for row in rows) > sum(row.unreadable_ms for row in rows)


def _loses(cell: Cell, plan: Plan, kept: set[int]) -> bool:
    only = plan.with_only(frozenset(kept), since=0, until_ms=plan.horizon_ms)
    _, measures = _play(cell, only)
    return measures.losses.first is not None
