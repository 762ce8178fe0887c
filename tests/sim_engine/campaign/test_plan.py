from sim_engine.campaign.play import Fault, Plan, RunKey, draw_plan
from tests.sim_engine.campaign.cells import cells_of, one_cell

KEY = RunKey(campaign=7, cell=0, run=4)
OTHER_CELL = RunKey(campaign=7, cell=1, run=4)


def moments(plan: Plan) -> list[tuple[str, int, int]]:
    return [(fault.kind, fault.at_ms, fault.duration_ms) for fault in plan.faults]


def test_a_run_meets_the_same_faults_and_sends_the_same_records_in_every_cell() -> None:
    old, new = cells_of(kafka=["0.10.2", "4.1"])

    assert draw_plan(old, KEY) == draw_plan(new, OTHER_CELL)


def test_cells_that_are_not_paired_share_no_fault() -> None:
    old, new = cells_of(kafka=["0.10.2", "4.1"], paired=False, faults={"crash": 0.1})

    shared = set(moments(draw_plan(old, KEY))) & set(moments(draw_plan(new, OTHER_CELL)))

    assert not shared


def test_another_replica_brings_its_own_faults_and_leaves_those_of_the_others() -> None:
    three, four = cells_of(replication_factor=[3, 4], faults={"crash": 0.05, "pause": 0.05})

    of_three = draw_plan(three, KEY).faults
    of_four = draw_plan(four, OTHER_CELL).faults

    assert [_what(fault) for fault in of_four if 4 not in fault.brokers] == [
        _what(fault) for fault in of_three
    ]
    assert any(4 in fault.brokers for fault in of_four)


def test_twice_the_rate_brings_the_same_faults_in_half_the_time() -> None:
    once, twice = cells_of(faults={"crash": [0.05, 0.1]}, steps=400)

    slow = [fault.at_ms for fault in draw_plan(once, KEY).faults if fault.brokers == (1,)]
    fast = [fault.at_ms for fault in draw_plan(twice, OTHER_CELL).faults if fault.brokers == (1,)]

    assert len(fast) > len(slow)
    assert all(abs(late - 2 * early) <= 2 for late, early in zip(slow, fast, strict=False))


def test_faults_occur_at_their_rate() -> None:
    cell = one_cell(faults={"crash": 0.02}, replication_factor=2, steps=100)

    counts = [
        len(draw_plan(cell, RunKey(campaign=1, cell=0, run=run)).faults) for run in range(500)
    ]

    # Poisson with mean 0.02 × 2 × 100 = 4: the standard error of the mean is 0.09.
    assert abs(sum(counts) / len(counts) - 4) < 0.4


def test_brokers_of_a_rack_lose_power_together() -> None:
    cell = one_cell(faults={"rack_power_loss": 0.1}, racks=2, replication_factor=3)

    befallen = {fault.brokers for fault in draw_plan(cell, KEY).faults}

    assert befallen == {(1, 3), (2,)}


def test_a_plan_without_some_faults_keeps_the_others_and_every_record() -> None:
    plan = draw_plan(one_cell(faults={"crash": 0.1}), KEY)

    others = frozenset(fault.number for fault in plan.faults) - {0}
    less = plan.with_only(others, since=0, until_ms=plan.horizon_ms)

    kept = {each.number for each in less.planned if each.what == "begin"}
    assert kept == {fault.number for fault in plan.faults} - {0}
    assert _records(less) == _records(plan)


def test_a_record_is_in_flight_when_a_fault_begins() -> None:
    cell = one_cell(faults={"crash": 0.05}, in_flight_ms=10, produce_every=40)
    plan = draw_plan(cell, KEY)

    sent = [each.at_ms for each in plan.planned if each.what == "produce"]

    assert plan.faults
    for fault in plan.faults:
        assert any(fault.at_ms - 10 < at_ms <= fault.at_ms for at_ms in sent)


def _what(fault: Fault) -> tuple[str, int, int, tuple[int, ...]]:
    return fault.kind, fault.at_ms, fault.duration_ms, fault.brokers


def _records(plan: Plan) -> list[int]:
    return [each.at_ms for each in plan.planned if each.what == "produce"]


def test_a_plan_that_ends_earlier_keeps_what_was_planned_until_then_and_its_beginning() -> None:
    plan = draw_plan(one_cell(faults={"crash": 0.1}), KEY)
    since = len(plan.planned) // 4
    until_ms = plan.planned[len(plan.planned) // 2].at_ms

    ended = plan.with_only(frozenset(), since=since, until_ms=until_ms)

    assert ended.planned[:since] == plan.planned[:since]
    assert {each.what for each in ended.planned[since:]} <= {"produce", "consume"}
    assert ended.planned[-1].at_ms <= until_ms == ended.horizon_ms < plan.horizon_ms
