"""What is lost with a dropped response to a fetch."""

from typing import Any

from sim_engine import FrameNumber, Timeline, event_sentence, load_shipped
from sim_engine.events.network import MessageDropped
from tests.sim_engine.builders import told
from tests.sim_engine.story.test_steps import PRODUCE, played

FETCH: tuple[dict[str, Any], ...] = (
    {"send_fetch": {"broker": 2, "partition": "t-0"}},
    {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}},
)
LONG_POLL = {"timer": {"broker": 1, "kind": "long_poll", "partition": "t-0", "follower": 2}}
DROP: dict[str, Any] = {"drop": {"kind": "fetch_response", "from": 1, "to": 2}}


def said_of_the_drop(timeline: Timeline) -> tuple[str, str]:
    (dropped,) = told(timeline, MessageDropped)
    said = event_sentence(dropped.kind, dropped.variant, dropped.numbers(), "en")
    return dropped.variant, said


def test_with_records_both_they_and_the_high_watermark_are_lost():
    variant, said = said_of_the_drop(played(PRODUCE, *FETCH, DROP))

    assert variant == "fetch_response"
    assert "broker 2 receives neither the records nor the high watermark in it" in said


def test_without_records_only_the_high_watermark_is_lost():
    variant, said = said_of_the_drop(played(*FETCH, LONG_POLL, DROP))

    assert variant == "fetch_response_empty"
    assert "broker 2 does not receive the high watermark in it" in said
    assert "records" not in said


def test_a_leader_has_not_recorded_a_fetch_that_diverges():
    timeline = Timeline(load_shipped("late-answer-of-an-old-epoch"))
    timeline.run_all()
    diverging = FrameNumber(2)

    dropped = timeline.act(diverging, {"drop": {"kind": "fetch_response", "from": 1, "to": 3}})

    (event,) = timeline.frames[dropped.head].events
    said = event_sentence(event.kind, event.variant, event.numbers(), "en")
    assert event.variant == "fetch_response_without_effect"
    assert said == (
        "Broker 1’s response to broker 3’s fetch is lost. The fetch had no effect, and broker 3 "
        "will retry."
    )
