"""A ZooKeeper controller's command that is never delivered."""

import pytest

from sim_engine.events.metadata import CommandSkipped, DepositionMissed
from tests.sim_engine.builders import told
from tests.sim_engine.simulation.late_metadata_runs import (
    COMMAND_TO_1,
    act,
    deposed_unread,
    outcome_of,
    refusal_of,
    two_commands_queued,
)


@pytest.mark.parametrize("kafka", ["2.1", "2.4", "2.8", "3.9"])
def test_a_leader_that_misses_the_command_in_between_continues(kafka):
    timeline = two_commands_queued(kafka)

    act(timeline, {"deliver": {**COMMAND_TO_1, "skip": True}})
    act(timeline, {"settle": {}})

    assert [one.leader for one in told(timeline, CommandSkipped)] == [2]
    (missed,) = told(timeline, DepositionMissed)
    assert (missed.leader_epoch_before, missed.leader_epoch) == (0, 2)
    assert outcome_of(timeline, "m1") == ("acked", None)


def test_with_both_commands_the_produce_fails():
    timeline = two_commands_queued()

    act(timeline, {"release": COMMAND_TO_1})
    act(timeline, {"settle": {}})

    assert outcome_of(timeline, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")


def test_a_command_without_a_later_one_about_its_partition_is_not_skipped():
    timeline = two_commands_queued()
    act(timeline, {"deliver": {**COMMAND_TO_1, "skip": True}})

    refused = refusal_of(timeline, {"deliver": {**COMMAND_TO_1, "skip": True}})

    assert refused.code == "nothing_in_its_place"
    assert told(timeline, DepositionMissed) == []


def test_under_kraft_there_is_no_command_to_skip():
    refused = refusal_of(deposed_unread(), {"deliver": {**COMMAND_TO_1, "skip": True}})

    assert refused.code == "no_such_message"
