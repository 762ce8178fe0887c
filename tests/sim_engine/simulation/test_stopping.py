"""A broker between its shutdown request and its end."""

import pytest

from sim_engine.actions.steps import BeginShutdown
from sim_engine.events.metadata import (
    BecameFollower,
    FetchingStopped,
    MetadataUnread,
    RoleIgnored,
    StopReplicaIgnored,
)
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.transition import perform
from tests.sim_engine.builders import B1, B2
from tests.sim_engine.kafka_cases.world import World, kinds, outcome_of


def stopping(kafka, control="kraft", *, broker=B1, **settings):
    """Broker 1 is the leader. A broker begins to shut down, and its commands reach every broker."""
    logs = {one: {"log": "a/0"} for one in (1, 2, 3)}
    world = World(kafka, control=control, **{"logs": logs, **settings})
    world.cluster = perform(world.cluster, BeginShutdown(broker=broker), FrameNumber(1)).cluster
    commands = ["metadata_record"] if control == "kraft" else ["leader_and_isr", "stop_replica"]
    return world, [kind for command in commands for kind in kinds(world.deliver_all(command))]


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


@pytest.mark.parametrize(
    ("kafka", "control", "fetches"),
    [
        ("0.8.2", "zookeeper", False),
        ("1.1", "zookeeper", False),
        ("2.5.1", "zookeeper", False),
        ("2.6.0", "zookeeper", True),
        ("3.4.0", "zookeeper", True),
        ("3.4.1", "zookeeper", False),
        ("3.9", "zookeeper", False),
        ("3.3.1", "kraft", True),
        ("3.3.2", "kraft", False),
        ("3.9", "kraft", False),
        ("4.3", "kraft", False),
    ],
)
def test_a_follower_that_shuts_down_stops_fetching(kafka, control, fetches):
    world, happened = stopping(kafka, control, broker=B2)

    assert world.registration().isr == (1, 3)
    assert (world.replica(2).fetcher is not None) is fetches
    assert (FetchingStopped in happened) is not fetches
    if control == "zookeeper":
        assert (StopReplicaIgnored in happened) is fetches


@pytest.mark.parametrize(
    ("kafka", "control", "log_end"),
    [
        ("0.10.2", "zookeeper", 1),
        ("0.11", "zookeeper", 3),
        ("2.8", "zookeeper", 3),
        ("3.9", "zookeeper", 3),
        ("3.9", "kraft", 3),
    ],
)
def test_a_leader_that_shuts_down_becomes_a_follower_that_does_not_fetch(kafka, control, log_end):
    logs = {1: {"log": "a/0 b/0 c/0", "high_watermark": 1}, 2: {"log": "a/0", "high_watermark": 1}}
    world, happened = stopping(kafka, control, logs=logs, replicas=[1, 2])

    assert world.registration().leader == 2
    assert BecameFollower in happened
    assert FetchingStopped in happened
    assert world.replica(1).following
    assert world.replica(1).fetcher is None
    assert world.replica(1).log_end_offset == log_end


def test_a_new_role_starts_no_fetcher_of_a_broker_that_shuts_down():
    world, _ = stopping("3.9", "zookeeper", broker=B2)

    world.do("crash", broker=1)
    world.do("detect", broker=1)

    assert world.replica(2).leader == 3
    assert world.replica(2).fetcher is None
