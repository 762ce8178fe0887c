"""A frame in one sentence."""

from typing import Any

from backend.frames.narration import violated_titles
from backend.shares.transcript import headline

HEARD = {"kind": "HeartbeatReceived", "numbers": {"broker": 2}}
RESUMED = {"kind": "BrokerResumed", "numbers": {"broker": 1}}


def test_a_frame_is_told_by_the_event_that_it_names() -> None:
    frame: dict[str, Any] = {"events": [HEARD, RESUMED], "headline": 1}

    assert headline(frame, "en") == "Broker 1 resumes where it was paused."


def test_a_frame_stored_without_a_headline_has_it_first() -> None:
    assert headline({"events": [RESUMED, HEARD]}, "en") == "Broker 1 resumes where it was paused."


def test_what_is_violated_now_is_named_and_what_is_mended_is_not() -> None:
    properties = {
        "StrongIsr": {"status": "violated", "first_frame": 3, "until_frame": 5},
        "WeakIsr": {"status": "violated", "first_frame": 3, "until_frame": None},
    }

    assert violated_titles(properties, "en") == (
        "A replica in the leader’s ISR lacks a committed record"
    )


def test_a_frame_stored_before_it_told_what_is_mended_names_all_that_was_violated() -> None:
    properties = {"LogMatching": {"status": "violated", "first_frame": 3, "evidence": {}}}

    assert violated_titles(properties, "en") == "Logs differ below the high watermark"
