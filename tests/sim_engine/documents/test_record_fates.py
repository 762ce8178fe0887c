"""The fate of an acknowledged record in the document of a frame."""

from sim_engine import Timeline, frame_document, load_shipped, values_with


def test_a_record_says_its_fate_and_since_when():
    timeline = Timeline(load_shipped("kip-101-data-loss"))
    timeline.run_all()
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
