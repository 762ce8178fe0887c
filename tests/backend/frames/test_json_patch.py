from itertools import pairwise, permutations
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.frames.json_patch import PatchOperation, applied, difference
from backend.frames.packing import KEYFRAME_EVERY, packed, unpacked, whole
from sim_engine.documents.brokers import LogRecordDocument
from sim_engine.documents.frames import frame_document
from sim_engine.events.controller import (
    FeatureLevelRecord,
    PartitionChangeRecord,
    RegisterBrokerRecord,
)
from sim_engine.identifiers import FIRST_OFFSET, BrokerId, FrameNumber, LeaderEpoch, TopicPartition
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline

_values = st.recursive(
    st.none() | st.integers(-3, 3) | st.sampled_from(["", "a", "a/b", "~", "~1", "m1"]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["a", "b", "a/b", "~", "0"]), inner, max_size=4)
    ),
    max_leaves=25,
)


def as_json(value: Any) -> Any:
    """The document that a reader of the JSON gets."""
    return msgspec.json.decode(msgspec.json.encode(value))


@given(_values, _values)
def test_a_difference_applied_to_the_one_gives_the_other(before: Any, after: Any):
    assert applied(before, difference(before, after)) == after


@given(_values)
def test_what_did_not_change_is_not_in_the_difference(value: Any):
    assert difference(value, value) == []


def test_a_record_more_and_a_message_less_are_one_operation_each():
    before = {"log": ["m1", "m2"], "in_flight": [{"id": 1}, {"id": 2}]}
    after = {"log": ["m1", "m2", "m3"], "in_flight": [{"id": 2}]}

    assert difference(before, after) == [
        PatchOperation(op="add", path="/log/2", value="m3"),
        PatchOperation(op="remove", path="/in_flight/0"),
    ]


def test_structs_differ_as_what_is_written_of_them_does():
    shipped = load_shipped("transactions")
    timeline = Timeline(shipped)
    timeline.run_all()
    states = [
        frame_document(timeline, FrameNumber(number)).state
        for number in range(len(timeline.frames))
    ]

    for before, after in pairwise(states):
        assert as_json(difference(before, after)) == as_json(
            difference(as_json(before), as_json(after))
        )


def test_a_field_that_appears_or_disappears_is_added_or_removed():
    without = LogRecordDocument(offset=FIRST_OFFSET, epoch=0, value="m1", id="r1")
    with_it = replace(without, producer_id=7)

    assert difference(without, with_it) == [PatchOperation(op="add", path="/producer_id", value=7)]
    assert difference(with_it, without) == [PatchOperation(op="remove", path="/producer_id")]


def test_another_kind_of_record_replaces_the_whole():
    shorter = FeatureLevelRecord(name="kraft.version", feature_level=1)
    registered = RegisterBrokerRecord(broker=BrokerId(1), fenced=True)
    longer = PartitionChangeRecord(
        partition=TopicPartition("t-0"), leader_epoch=LeaderEpoch(1), partition_epoch=2
    )

    for before, after in permutations((shorter, registered, longer), 2):
        changes = difference({"records": [before]}, {"records": [after]})

        assert changes == [PatchOperation(op="replace", path="/records/0", value=after)]


def test_frames_are_whole_at_the_start_and_now_and_again_and_come_back_as_they_were():
    timeline = Timeline(load_shipped("kip-101-data-loss"))
    timeline.run_all()
    once = [frame_document(timeline, FrameNumber(number)) for number in range(len(timeline.frames))]
    frames = [*once, *once, *once]
    assert len(frames) > KEYFRAME_EVERY

    entries = as_json(packed(frames))

    key_frames = [position for position, entry in enumerate(entries) if "state" in entry]
    assert key_frames == list(range(0, len(frames), KEYFRAME_EVERY))
    assert all(("state" in entry) != ("patch" in entry) for entry in entries)
    assert list(unpacked(entries)) == as_json(frames)
    assert [whole(entries, position) for position in range(len(frames))] == as_json(frames)
