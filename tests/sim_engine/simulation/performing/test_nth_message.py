"""One of several messages of the same kind on the same link, selected by its position."""

from sim_engine.actions import Deliver
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.performing.messages import matching
from tests.sim_engine.simulation.late_metadata_runs import (
    COMMAND_TO_1,
    act,
    refusal_of,
    two_commands_queued,
)

SECOND = {**COMMAND_TO_1, "nth": 2}


def in_flight(timeline):
    """The ids of the commands to broker 1, oldest first, and whether they are held."""
    cluster = timeline.frames[timeline.head].cluster
    found = matching(cluster, Deliver(kind="leader_and_isr", to=BrokerId(1)))
    return {message.id: message.held for message in found}


def test_the_second_of_two_commands_is_dropped_and_the_first_stays():
    timeline = two_commands_queued()
    first, _ = in_flight(timeline)

    act(timeline, {"drop": SECOND})

    assert list(in_flight(timeline)) == [first]


def test_one_message_is_held_and_released_whether_the_other_is_or_not():
    timeline = two_commands_queued()
    first, second = in_flight(timeline)
    assert in_flight(timeline)[first]

    act(timeline, {"hold": SECOND})
    assert in_flight(timeline) == {first: True, second: True}
    assert refusal_of(timeline, {"hold": SECOND}).code == "message_held"
    act(timeline, {"release": SECOND})

    assert in_flight(timeline) == {first: True, second: False}


def test_a_message_is_not_delivered_before_those_that_it_cannot_overtake():
    timeline = two_commands_queued()

    assert refusal_of(timeline, {"deliver": SECOND}).rule == "TCP-ORDER"
    assert refusal_of(timeline, {"deliver": {**COMMAND_TO_1, "nth": 3}}).code == "too_few_messages"
