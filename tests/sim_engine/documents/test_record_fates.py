"""The fate of an acknowledged record in the document of a frame."""

from sim_engine.documents.frames import frame_document
from sim_engine.documents.state import values_with
from tests.sim_engine.runs import lesson


def test_a_record_says_its_fate_and_since_when():
    timeline = lesson("kip-101-data-loss")
    last = frame_document(timeline, timeline.head)
    first = frame_document(timeline, timeline.frames[1].frame)

    fates = {one.value: (one.fate, one.fate_frame) for one in last.state.clients.produced}
    lost = last.properties["NoAckedRecordLost"].first_frame

    assert fates["m2"] == ("lost", lost)
    assert (values_with(last.state.clients, "lost"), values_with(last.state.clients, "safe")) == (
        ["m2"],
        ["m1"],
    )
    assert [(one.acked_frame, one.fate) for one in first.state.clients.produced] == [(None, None)]
