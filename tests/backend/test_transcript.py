"""A frame in one sentence."""

from backend.frames.narration import headline, violated_titles
from sim_engine import FrameNumber, StoredEvent, StoredFrame, StoredProperty

HEARD: StoredEvent = {"kind": "HeartbeatReceived", "numbers": {"broker": 2}, "evidence": {}}
RESUMED: StoredEvent = {"kind": "BrokerResumed", "numbers": {"broker": 1}, "evidence": {}}


def frame_with(*events: StoredEvent) -> StoredFrame:
    return {
        "frame": FrameNumber(1),
        "parent": FrameNumber(0),
        "depth": 1,
        "item": None,
        "events": events,
        "properties": {},
    }


def test_a_frame_is_described_by_its_headline_event() -> None:
    frame = frame_with(HEARD, RESUMED)
    frame["headline"] = 1

    assert headline(frame, "en") == "Broker 1 resumes where it was paused."


def test_a_frame_stored_without_a_headline_has_it_first() -> None:
    assert headline(frame_with(RESUMED, HEARD), "en") == "Broker 1 resumes where it was paused."


def test_what_is_violated_now_is_named_and_what_is_mended_is_not() -> None:
    properties: dict[str, StoredProperty] = {
        "StrongIsr": {
            "status": "violated",
            "first_frame": FrameNumber(3),
            "until_frame": FrameNumber(5),
        },
        "WeakIsr": {"status": "violated", "first_frame": FrameNumber(3), "until_frame": None},
    }

    assert violated_titles(properties, "en") == (
        "A replica in the leader’s ISR lacks a committed record"
    )


def test_a_frame_stored_before_it_told_what_is_mended_names_all_that_was_violated() -> None:
    properties: dict[str, StoredProperty] = {
        "LogMatching": {"status": "violated", "first_frame": FrameNumber(3)}
    }

    assert violated_titles(properties, "en") == "Logs differ below the high watermark"
