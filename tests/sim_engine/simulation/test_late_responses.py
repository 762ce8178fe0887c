"""Responses to requests of an earlier fetch loop: the fetcher thread still waits for them."""

import pytest

from sim_engine.events.fetch import LateResponseAccepted, LateResponseDiscarded
from sim_engine.events.log import RecordLost
from sim_engine.events.network import ResponseIgnored
from sim_engine.exploration.schedule_check import Circumstances, guaranteed
from sim_engine.narration import RefusedError
from sim_engine.versions import resolve_profile
from tests.sim_engine.kafka_cases.world import World, kinds
from tests.sim_engine.runs import lesson

ANOTHER = {"name": "q", "partitions": [{"replicas": [1, 2]}]}


def answered(world, message="fetch"):
    """Broker 2's next request reaches broker 1; the response is in flight."""
    world.do("send_fetch", broker=2, partition="t-0")
    world.do("deliver", **{"kind": f"{message}_request", "from": 2, "to": 1, "partition": "t-0"})


def arrives(world, message="fetch"):
    """The response of broker 1 arrives at broker 2."""
    about = {"kind": f"{message}_response", "from": 1, "to": 2, "partition": "t-0"}
    return world.do("deliver", **about)


def with_records(kafka, *, another=True, **about):
    """Broker 2 has asked broker 1 for records, in epoch 0, and knows of epochs since."""
    logs = {1: {"log": "a/0 b/0", "high_watermark": 1}, 2: {"log": "a/0", "high_watermark": 1}}
    topics = [{"name": "t", "partitions": [{"replicas": [1, 2, 3], "logs": logs}]}]
    world = World(kafka, topics=[*topics, *([ANOTHER] if another else [])], **about)
    answered(world)
    return world


@pytest.mark.parametrize(
    ("kafka", "log"),
    [
        ("2.8.0", "a/0 b/0"),
        ("3.5.2", "a/0 b/0"),
        ("3.9.0", "a/0 b/0"),
        ("3.9.1", "a/0"),
        ("4.0.0", "a/0 b/0"),
        ("4.0.1", "a/0"),
        ("4.1.0", "a/0"),
    ],
)
def test_a_fetch_of_an_old_epoch_is_applied_up_to_3_9_0_and_in_4_0_0(kafka, log):
    world = with_records(kafka)
    world.tell(2, leader_epoch=1, partition_epoch=1)

    happened = arrives(world)

    assert world.log(2) == log
    assert type(happened[0]) is (
        LateResponseAccepted if log == "a/0 b/0" else LateResponseDiscarded
    )


@pytest.mark.parametrize(("kafka", "log"), [("2.1.0", "a/0"), ("2.1.1", "a/0 x/0")])
def test_a_lookup_of_an_old_epoch_cuts_up_to_2_1_0(kafka, log):
    logs = {1: {"log": "a/0"}, 2: {"log": "a/0 x/0"}}
    world = World(kafka, leader_epoch=1, logs=logs)
    answered(world, "offsets_for_leader_epoch")
    world.tell(2, leader_epoch=3, partition_epoch=2)

    arrives(world, "offsets_for_leader_epoch")

    assert world.log(2) == log


@pytest.mark.parametrize(("kafka", "phase"), [("2.1.0", "failed"), ("2.1.1", "truncating")])
def test_a_lookup_fenced_for_an_old_epoch_stops_the_partition_in_2_1_0(kafka, phase):
    """Found by random schedule 1055 of 2.1.0; KAFKA-7786 reports it."""
    world = World(kafka, logs={1: {"log": "a/0"}, 2: {"log": "a/0"}})
    world.do("send_fetch", broker=2)
    world.tell(1, leader_epoch=1, partition_epoch=1)
    world.deliver_all("offsets_for_leader_epoch_request")
    world.tell(2, leader_epoch=1, partition_epoch=1)

    arrives(world, "offsets_for_leader_epoch")
    fetcher = world.replica(2).fetcher

    assert fetcher is not None
    assert fetcher.phase == phase


def test_an_answer_from_another_offset_is_dropped_in_every_release():
    world = with_records("3.9.0")
    world.tell(2, leader=3, leader_epoch=1, partition_epoch=1)
    world.change(2, log=world.replica(1).log)
    world.tell(2, leader=1, leader_epoch=2, partition_epoch=2)

    assert kinds(arrives(world)) == [ResponseIgnored]


@pytest.mark.parametrize(
    ("another", "kind"), [(True, LateResponseAccepted), (False, ResponseIgnored)]
)
def test_a_fetcher_thread_ends_with_its_last_partition(another, kind):
    world = with_records("3.9.0", another=another)
    world.tell(2, leader=3, leader_epoch=1, partition_epoch=1)
    world.tell(2, leader=1, leader_epoch=2, partition_epoch=2)

    assert type(arrives(world)[0]) is kind


def test_a_thread_asks_for_nothing_more_while_an_old_request_is_under_way():
    world = with_records("3.9.1")
    world.tell(2, leader_epoch=1, partition_epoch=1)

    with pytest.raises(RefusedError, match="request_in_flight"):
        world.do("send_fetch", broker=2, partition="t-0")
    arrives(world)
    world.do("send_fetch", broker=2, partition="t-0")

    assert len(world.in_flight("fetch_request")) == 1


def test_a_lost_connection_ends_the_wait_for_an_old_answer():
    world = with_records("3.9.1")
    world.tell(2, leader_epoch=1, partition_epoch=1)

    world.do("drop", **{"kind": "fetch_response", "from": 1, "to": 2, "partition": "t-0"})
    world.do("send_fetch", broker=2, partition="t-0")

    assert world.replica(2).late_requests == ()


def test_who_has_a_newer_epoch_than_the_fenced_request_waits_and_goes_on():
    """`onPartitionFenced`: only a request of the present epoch fails the partition."""
    world = World("3.9.0", logs={1: {"log": "a/0"}, 2: {"log": "a/0"}})
    world.do("send_fetch", broker=2, partition="t-0")
    world.tell(1, leader_epoch=1, partition_epoch=1)
    world.tell(2, leader_epoch=1, partition_epoch=1)
    world.do("deliver", **{"kind": "fetch_request", "from": 2, "to": 1, "partition": "t-0"})

    arrives(world)
    fetcher = world.replica(2).fetcher

    assert fetcher is not None
    assert fetcher.phase == "fetching"
    assert fetcher.delayed_until_ms == world.now_ms + 1_000


@pytest.mark.parametrize(("kafka", "kept"), [("3.9.0", False), ("3.9.1", True)])
def test_what_a_follower_does_with_an_answer_of_an_older_leadership_ends_the_promises(kafka, kept):
    timeline = lesson("late-answer-of-an-old-epoch", kafka=kafka)
    circumstances = Circumstances()
    happened = [event for frame in timeline.frames for event in frame.events]
    for frame in timeline.frames:
        circumstances = circumstances.after(frame)

    promises = guaranteed(resolve_profile(kafka), circumstances)

    assert ("NoAckedRecordLost" in promises) is kept
    assert (
        any((type(event), event.variant) == (RecordLost, "acked") for event in happened) is not kept
    )
