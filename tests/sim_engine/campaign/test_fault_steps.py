"""A planned fault begins and ends with steps that fit the cluster at that moment."""

import pytest

from sim_engine.actions.steps import Cut, Deliver, Heal, Hold, PowerLoss, Release, Slow
from sim_engine.campaign.grid import FAULT_TYPES
from sim_engine.campaign.play import Fault, beginning, ending
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, Offset
from sim_engine.simulation.performing.messages import waiting_records
from tests.sim_engine.builders import B1, B2, PARTITION, change_replica, cluster
from tests.sim_engine.runs import run


def fault(kind: str, choice: int = 0) -> Fault:
    return Fault(number=1, kind=kind, at_ms=0, duration_ms=1_000, brokers=(B1,), choice=choice)


def steps_of(of: Fault, state: ClusterState, *written_back: str) -> list[object]:
    return [*beginning(of, state, latency_ms=20, written_back=set(written_back))]


@pytest.mark.parametrize(
    ("written_back", "kept"), [((), 1), (("m1",), 1), (("m1", "m2"), 2), (("m3",), 1)]
)
def test_a_power_loss_keeps_what_was_flushed_or_written_back(
    written_back: tuple[str, ...], kept: int
) -> None:
    state = change_replica(cluster({1: "m1 m2 m3"}), 1, flushed=1)

    assert steps_of(fault("power_loss"), state, *written_back) == [
        PowerLoss(broker=B1, keep={PARTITION: Offset(kept)})
    ]


@pytest.mark.parametrize(
    ("choice", "link"), [(0, (B2, B1)), (1, (B1, B2)), (5, (B1, CONTROLLER)), (4, (CONTROLLER, B1))]
)
def test_a_cut_link_is_restored_in_the_same_direction(
    choice: int, link: tuple[object, object]
) -> None:
    of, state = fault("cut", choice=choice), cluster()

    (cut,) = steps_of(of, state)
    (heal,) = ending(of, state, latency_ms=20)

    assert isinstance(cut, Cut)
    assert isinstance(heal, Heal)
    assert (cut.from_, cut.to) == (heal.from_, heal.to) == link


def test_a_slow_broker_keeps_the_latency_of_the_run() -> None:
    of, state = fault("slow"), cluster()

    assert steps_of(of, state) == [Slow(broker=B1, ms=of.slow_ms + 20)]
    assert [*ending(of, state, latency_ms=20)] == [Slow(broker=B1, ms=20)]


def test_held_metadata_is_read_in_one_delivery() -> None:
    of = fault("late_metadata")
    held = Hold(kind=METADATA_RECORD, from_=CONTROLLER, to=B1)
    kinds = ("crash", "detect", "start", "detect")
    waiting = run(held.as_step(), *({kind: {"broker": 3}} for kind in kinds)).cluster

    assert steps_of(of, cluster()) == [held]
    assert [type(step) for step in ending(of, cluster(), latency_ms=20)] == [Release]
    records = len(waiting_records(waiting, B1))
    assert records > 1
    assert [*ending(of, waiting, latency_ms=20)] == [
        Deliver(kind=METADATA_RECORD, from_=CONTROLLER, to=B1, records=records),
        Release(kind=METADATA_RECORD, from_=CONTROLLER, to=B1),
    ]


@pytest.mark.parametrize("kind", [name for name, of in FAULT_TYPES.items() if of.is_outage])
def test_an_outage_ends_with_a_restart_and_no_other_step(kind: str) -> None:
    assert [*ending(fault(kind), cluster(), latency_ms=20)] == []
