"""A frame in one sentence."""

from typing import Any

from backend.shares.transcript import headline

HEARD = {"kind": "HeartbeatReceived", "numbers": {"broker": 2}}
RESUMED = {"kind": "BrokerResumed", "numbers": {"broker": 1}}


def test_a_frame_is_told_by_the_event_that_it_names() -> None:
    frame: dict[str, Any] = {"events": [HEARD, RESUMED], "headline": 1}

    assert headline(frame, "en") == "Broker 1 resumes where it was paused."


def test_a_frame_stored_without_a_headline_has_it_first() -> None:
    assert headline({"events": [RESUMED, HEARD]}, "en") == "Broker 1 resumes where it was paused."
