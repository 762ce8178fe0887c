"""A KRaft broker between its shutdown request and its end."""

import pytest

from sim_engine.actions.steps import BeginShutdown
from sim_engine.events.metadata import BecameFollower, MetadataUnread, RoleIgnored
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.transition import perform
from tests.sim_engine.builders import B1
from tests.sim_engine.kafka_cases.world import World, kinds, outcome_of


def stopping(kafka, control="kraft"):
    """Broker 1 is the leader and begins to shut down; all metadata records reach it."""
    world = World(kafka, control=control, logs={broker: {"log": "a/0"} for broker in (1, 2, 3)})
    world.cluster = perform(world.cluster, BeginShutdown(broker=B1), FrameNumber(1)).cluster
    kind = "metadata_record" if control == "kraft" else "leader_and_isr"
    return world, kinds(world.deliver_all(kind))


@pytest.mark.parametrize(
    ("kafka", "control", "outcome"),
    [
        ("2.8.2", "kraft", "acked"),
        ("3.2.3", "kraft", "acked"),
        ("3.3.1", "kraft", "acked"),
        ("3.3.2", "kraft", "failed"),
        ("3.9", "kraft", "failed"),
        ("3.2.3", "zookeeper", "failed"),
        ("3.3.1", "zookeeper", "failed"),
    ],
)
def test_a_stopping_kraft_broker_leads_on_up_to_3_3_1(kafka, control, outcome):
    """Broker 2 is the leader by then, so records that broker 1 accepts with acks=1 are lost."""
    world, _ = stopping(kafka, control)

    world.produce("x", acks=1, broker=1)

    assert world.registration().leader == 2
    assert outcome_of(world, "x")[0] == outcome


@pytest.mark.parametrize(
    ("kafka", "said", "reads"),
    [
        ("3.2.3", MetadataUnread, False),
        ("3.3.1", RoleIgnored, True),
        ("3.3.2", BecameFollower, True),
    ],
)
def test_what_a_stopping_kraft_broker_takes_of_the_metadata(kafka, said, reads):
    world, happened = stopping(kafka)
    newest = world.cluster.controller.metadata_offset

    assert said in happened
    assert (world.cluster.broker(1).metadata_offset == newest) is reads
