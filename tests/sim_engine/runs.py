"""Runs of a few brokers with one topic, and what tests read from them."""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from sim_engine.cluster.state import ClusterState
from sim_engine.events.base import Event
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.narration import RefusedError
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import LeadingState, Replica, leading_state
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.simulation.timeline import Frame, Timeline
from tests.sim_engine.builders import PARTITION

Kind = TypeVar("Kind", bound=Event)

Step = dict[str, Any]

SETTLE: Step = {"settle": {}}


def run(
    *steps: Step,
    brokers: Any = (1, 2, 3),
    replicas: Sequence[int] | None = None,
    partition: dict[str, Any] | None = None,
    partitions: int = 1,
    under: str | None = None,
    **scenario: Any,
) -> "Run":
    """Play steps on brokers 1 to 3 with the partition `t-0` on all of them, led by broker 1.

    `partition` is the initial state of each partition; `scenario` replaces keys of the file.
    """
    about = {"replicas": list(replicas or brokers), **(partition or {})}
    document = {
        "id": "run",
        "kafka": "3.9",
        "brokers": brokers if isinstance(brokers, dict) else list(brokers),
        "topics": [{"name": "t", "partitions": [about] * partitions}],
        "steps": list(steps),
        **scenario,
    }
    return play(read_scenario_document(document), under)


def lesson(name: str, kafka: str | None = None, control: str | None = None) -> "Run":
    """Play a shipped lesson to its end."""
    return play(load_shipped(name), kafka, control)


def play(scenario: Scenario, kafka: str | None = None, control: str | None = None) -> "Run":
    """Play a scenario to its end; a step that is not possible is a frame."""
    timeline = Run(scenario, kafka, control)
    try:
        timeline.run_all()
    except Exception as error:
        error.add_note(f"in {scenario.id} under {timeline.profile.kafka}")
        raise
    return timeline


def down(*brokers: int) -> list[Step]:
    """The brokers crash one after another, and the controller detects each."""
    return [{kind: {"broker": broker}} for broker in brokers for kind in ("crash", "detect")]


class Run(Timeline):
    """A timeline, read at its head. A partition is `t-0` unless a different one is named."""

    @property
    def frame(self) -> Frame:
        return self.frames[self.head]

    @property
    def cluster(self) -> ClusterState:
        return self.frame.cluster

    @property
    def leader(self) -> int:
        """The leader that the controller has registered."""
        return self.registration().leader

    def registration(self, partition: str = PARTITION) -> PartitionRegistration:
        return self.cluster.controller.partition(TopicPartition(partition))

    def replica(self, broker: int) -> Replica:
        return self.cluster.replica(BrokerId(broker), PARTITION)

    def leading(self, broker: int) -> LeadingState:
        return leading_state(self.replica(broker))

    def has_replica(self, broker: int) -> bool:
        return self.cluster.broker(BrokerId(broker)).replica(PARTITION) is not None

    def log(self, broker: int = 1) -> list[str]:
        """The values of a log."""
        return [record.value for record in self.replica(broker).log.records]

    def status(self, name: str) -> str:
        """The status of a property."""
        return self.frame.verdicts[name].status

    def do(self, *steps: Step) -> None:
        """Play steps; each must be possible."""
        for step in steps:
            self.act(self.head, step)

    def refused(self, step: Step) -> RefusedError:
        """The reason why a step is not possible."""
        with pytest.raises(RefusedError) as refused:
            self.act(self.head, step)
        return refused.value

    def events(self) -> list[Event]:
        """The events along the branch of the head."""
        return [one for number in self.path(self.head) for one in self.frames[number].events]

    def told(self, kind: type[Kind]) -> list[Kind]:
        """The events of one class."""
        return [happened for happened in self.events() if isinstance(happened, kind)]

    def variants(self, kind: type[Event]) -> list[str | None]:
        return [happened.variant for happened in self.told(kind)]

    def kinds(self) -> list[type[Event]]:
        return [type(happened) for happened in self.events()]
