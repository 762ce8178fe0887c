"""Events: declared fields, found by walking the classes."""

import msgspec
import pytest

from sim_engine.events import EVENTS
from sim_engine.events.base import Event, EventSubject
from sim_engine.events.fetch import FetchRejected
from sim_engine.events.isr import IsrChecked
from sim_engine.events.log import LogFlushed
from sim_engine.events.network import LinkCut
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import FIRST_OFFSET, ErrorCode, LeaderEpoch, Offset, TopicPartition
from sim_engine.narration import RefusedError
from tests.sim_engine.builders import B1, B2, PARTITION
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import play

FLUSHED = LogFlushed(broker=B1, partition=PARTITION, before=FIRST_OFFSET, flushed=Offset(2))


def test_a_field_that_is_missing_or_unheard_of_is_a_type_error():
    with pytest.raises(TypeError):
        LogFlushed(broker=B1, partition=PARTITION, before=FIRST_OFFSET)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        LogFlushed(broker=B1, partition=PARTITION, before=FIRST_OFFSET, flushd=2)  # type: ignore[call-arg]


def test_its_class_names_it_and_its_own_fields_are_its_numbers():
    assert FLUSHED.kind == "LogFlushed"
    assert FLUSHED.numbers() == {"broker": 1, "partition": "t-0", "before": 0, "flushed": 2}
    assert (FLUSHED.rule, FLUSHED.sources) == ("POWER-LOSS", ("LogManager",))


def test_a_link_has_two_ends_by_the_names_of_scenario_files():
    assert LinkCut(from_=B1, to="controller").numbers() == {"from": 1, "to": "controller"}


def test_a_number_that_is_not_given_is_left_out_and_null_is_not():
    rejected = FetchRejected(
        variant="FENCED_LEADER_EPOCH",
        broker=B1,
        partition=PARTITION,
        follower=B2,
        error=ErrorCode.FENCED_LEADER_EPOCH,
        request_epoch=None,
        leader_epoch=LeaderEpoch(1),
    )

    assert rejected.numbers() == {
        "broker": 1,
        "partition": "t-0",
        "follower": 2,
        "error": "FENCED_LEADER_EPOCH",
        "request_epoch": None,
        "leader_epoch": 1,
    }


def test_the_place_of_an_event_is_its_own_unless_it_names_another():
    elsewhere = EventSubject(partition=TopicPartition("t-1"), offsets=(Offset(3),))

    assert FLUSHED.where() == EventSubject(partition=PARTITION, replicas=(B1,))
    assert LinkCut(from_=B1, to=B2).where() == EventSubject()
    assert LinkCut(from_=B1, to=B2, subject=elsewhere).where() == elsewhere
    assert IsrChecked(variant="nothing_led", broker=B1).where() == EventSubject()
    assert IsrChecked(broker=B1, partition=PARTITION).where().replicas == (1,)


def test_a_refusal_carries_what_its_reason_is_made_of():
    refused = RefusedError("link_cut", rule="TCP-ORDER", link=(B1, B2)).as_event()

    assert refused.variant == "link_cut"
    assert refused.numbers() == {
        "from": 1,
        "to": 2,
        "reason": "the link from 1 to 2 is cut",
        "reason_code": "link_cut",
        "rule": "TCP-ORDER",
    }


def test_every_class_that_nothing_derives_from_is_an_event():
    assert Event not in EVENTS.values()
    assert all(not kind.__subclasses__() for kind in EVENTS.values())
    assert all(kind.__name__ == name and kind.__doc__ for name, kind in EVENTS.items())
    assert {"LogTruncated", "FetchSent", "LeaderElected", "ActionRefused"} <= EVENTS.keys()


def test_every_event_has_values_of_the_types_that_its_class_declares():
    seen: dict[str, int] = {}
    for timeline in (*lessons_played(), *map(play, map(random_schedule, range(20)))):
        for happened in (happened for frame in timeline.frames for happened in frame.events):
            seen[happened.kind] = seen.get(happened.kind, 0) + 1
            if seen[happened.kind] <= 10:
                written = msgspec.json.encode(happened)
                assert msgspec.json.decode(written, type=type(happened)) == happened

    assert len(seen) > 80
