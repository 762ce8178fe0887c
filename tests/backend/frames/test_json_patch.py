from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backend.frames.json_patch import applied, difference
from backend.frames.packing import KEYFRAME_EVERY, packed, unpacked, whole

_values = st.recursive(
    st.none() | st.integers(-3, 3) | st.sampled_from(["", "a", "a/b", "~", "~1", "m1"]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["a", "b", "a/b", "~", "0"]), inner, max_size=4)
    ),
    max_leaves=25,
)


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
        {"op": "add", "path": "/log/2", "value": "m3"},
        {"op": "remove", "path": "/in_flight/0"},
    ]


def test_frames_are_whole_at_the_start_and_now_and_again_and_come_back_as_they_were():
    frames = [{"frame": n, "state": {"n": n, "log": list(range(n))}} for n in range(60)]

    entries = packed(frames)

    key_frames = [entry["frame"] for entry in entries if "state" in entry]
    assert key_frames == [0, KEYFRAME_EVERY]
    assert all(("state" in entry) != ("patch" in entry) for entry in entries)
    assert list(unpacked(entries)) == frames
    assert [whole(entries, position) for position in range(60)] == frames
    assert packed(frames, full=True) == frames
