"""Runs of producers and consumers, with the records that they produced and read."""

from typing import Any

from sim_engine import Timeline, read_scenario_document
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event
from sim_engine.events.run import ActionRefused
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.timeline import Frame
from tests.sim_engine.builders import PARTITION

PRODUCE = {"to": "t-0", "values": ["m1"], "as": "p1"}
READ = {"partition": "t-0", "as": "c1"}
SETTLE: dict[str, Any] = {"settle": {}}


def ran(
    *steps: dict[str, Any],
    kafka: str = "3.9",
    brokers: int = 2,
    rules: dict[str, bool] | None = None,
    partition: dict[str, Any] | None = None,
    configs: dict[str, Any] | None = None,
) -> Timeline:
    """A run of brokers 1, 2, … with one partition on all of them, led by broker 1."""
    ids = list(range(1, brokers + 1))
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "clients",
                "kafka": kafka,
                "brokers": ids,
                "rules": rules or {},
                "configs": configs or {},
                "topics": [{"name": "t", "partitions": [{"replicas": ids} | (partition or {})]}],
                "steps": list(steps),
            }
        )
    )
    timeline.run_all()
    return timeline


def last(timeline: Timeline) -> Frame:
    return timeline.frames[timeline.head]


def cluster_of(timeline: Timeline) -> ClusterState:
    return last(timeline).cluster


def values(timeline: Timeline, broker: int = 1) -> list[str]:
    return [
        record.value
        for record in cluster_of(timeline).replica(BrokerId(broker), PARTITION).log.records
    ]


def produced(timeline: Timeline) -> list[tuple[str, int | None, str | None]]:
    return [(one.outcome, one.offset, one.error) for one in cluster_of(timeline).clients.produced]


def read(timeline: Timeline, name: str = "c1") -> list[str]:
    return [one.value for one in cluster_of(timeline).clients.consumed if one.consumer == name]


def kinds(timeline: Timeline) -> list[type[Event] | tuple[type[Event], str]]:
    return [
        (type(happened), happened.variant) if happened.variant else type(happened)
        for frame in timeline.frames
        for happened in frame.events
    ]


def refusals(timeline: Timeline) -> list[str | None]:
    return [
        happened.variant
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, ActionRefused)
    ]


def status(timeline: Timeline, name: str) -> str:
    return last(timeline).verdicts[name].status


def position_of(timeline: Timeline, consumer: str = "c1") -> int:
    found = cluster_of(timeline).clients.find(consumer)
    assert found is not None, f"{consumer} has read"
    return found.position_in(PARTITION)


UNCLEAN = {"unclean.leader.election.enable": True}
