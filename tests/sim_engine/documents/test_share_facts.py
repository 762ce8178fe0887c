"""The cause of a loss as a fact of a share: as it is played, and from its stored frames."""

import pytest

from sim_engine.documents.shares import facts_document
from sim_engine.invariants.fates import LOSS_CAUSES
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.runs import play

DISK_LOSS = read_scenario_document(
    {
        "scenario": 1,
        "id": "disk-loss",
        "title": {"en": "A disk loss"},
        "kafka": "3.9",
        "brokers": [1, 2],
        "topics": [{"name": "t", "partitions": [{"replicas": [1]}]}],
        "steps": [{"produce": {"to": "t-0", "values": ["m1"]}}, {"disk_loss": {"broker": 1}}],
    }
)
LOSING = {
    "power_loss": load_shipped("whole-cluster-power-loss"),
    "disk_loss": DISK_LOSS,
    "unclean_election": load_shipped("unclean-election"),
    "missed_metadata": load_shipped("missed-deposition"),
    "leader_only": load_shipped("acks-1-loses-on-failover"),
    "protocol_rule": load_shipped("leader-flaps-lose-a-record"),
}


def played(scenario: Scenario) -> Timeline:
    return play(scenario)


@pytest.mark.parametrize("cause", LOSS_CAUSES)
def test_the_cause_of_each_loss_is_a_fact_of_the_share(cause: str) -> None:
    timeline = played(LOSING[cause])

    facts = facts_document(timeline, timeline.frames[-1].frame)

    assert facts.lost_all + facts.lost_1 > 0
    assert facts.loss_cause == cause


def test_a_share_that_lost_nothing_has_no_cause() -> None:
    timeline = played(load_shipped("whole-cluster-power-loss-flushed"))

    facts = facts_document(timeline, timeline.frames[-1].frame)

    assert facts.acked_all > 0
    assert facts.faults["power_loss"] > 0
    assert facts.lost_all + facts.lost_1 == 0
    assert facts.loss_cause is None


def test_a_branch_before_the_loss_has_no_cause() -> None:
    timeline = played(DISK_LOSS)
    before = timeline.frames[1].frame
    part = timeline.replayed(before, kafka="3.9", control=timeline.profile.control)

    assert facts_document(part, before).loss_cause is None
