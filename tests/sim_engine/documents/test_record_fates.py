"""The fate of an acknowledged record, also in documents that were stored before fates existed."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from sim_engine import FrameDocument, Timeline, fate_of, frame_document, load_shipped, values_with
from sim_engine.invariants.verdicts import ViolationEvidence


@pytest.fixture
def last() -> FrameDocument:
    """The end of a run in which m2 is lost and m1 is safe."""
    timeline = Timeline(load_shipped("kip-101-data-loss"))
    timeline.run_all()
    return frame_document(timeline, timeline.head)


def as_stored_before_fates(frame: FrameDocument, evidence: ViolationEvidence) -> FrameDocument:
    """The same with another evidence of the loss, and with a copy of each record left."""
    lost = frame.properties["NoAckedRecordLost"]
    clients = frame.state.clients
    produced = tuple(
        replace(record, fate=UNSET, fate_frame=UNSET, lost_frame=None)
        for record in clients.produced
    )
    return replace(
        frame,
        state=replace(frame.state, clients=replace(clients, produced=produced)),
        properties={**frame.properties, "NoAckedRecordLost": replace(lost, evidence=evidence)},
    )


def fates(frame: FrameDocument) -> dict[str, object]:
    return {one.value: fate_of(frame, one) for one in frame.state.clients.produced}


def test_a_fate_is_read_from_the_record(last: FrameDocument):
    lost = last.properties["NoAckedRecordLost"].first_frame

    assert fates(last)["m2"] == ("lost", lost)
    assert (values_with(last, "lost"), values_with(last, "safe")) == (["m2"], ["m1"])


def test_an_older_record_is_lost_if_the_violation_names_it(last: FrameDocument):
    lost = last.properties["NoAckedRecordLost"]

    older = as_stored_before_fates(last, lost.evidence)

    assert fates(older) == {"m1": ("safe", None), "m2": ("lost", lost.first_frame)}


def test_an_older_record_is_safe_if_none_names_it_and_a_copy_is_left(last: FrameDocument):
    assert fates(as_stored_before_fates(last, {})) == {"m1": ("safe", None), "m2": ("safe", None)}


def test_a_record_that_nobody_acknowledged_has_none(last: FrameDocument):
    record = replace(last.state.clients.produced[0], acked_frame=None)

    assert fate_of(last, record) is None
