"""A cluster for one case: its state, the steps of a scenario that change it, and the delivery of
its messages.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState, with_replica
from sim_engine.events.base import Event
from sim_engine.identifiers import BrokerId, Endpoint, FrameNumber, TimeMs, TopicPartition
from sim_engine.protocol.messages import Message, PartitionRegistration, Payload
from sim_engine.protocol.replica import (
    LeadingState,
    RemoteReplica,
    Replica,
    leading_state,
    remote_of,
)
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.simulation.effects.messages import remove, send
from sim_engine.simulation.fetch_rounds import delivery_of
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.timeline import Timeline
from sim_engine.simulation.transition import perform
from sim_engine.simulation.working_copy import WorkingCopy
from tests.sim_engine.builders import change_registered_broker, change_registration

T = TopicPartition("t-0")


class CaseCluster:
    """A cluster of one release, which actions change.

    `partition` is what the scenario file says of `t-0`; more topics come as `topics`.
    """

    def __init__(
        self,
        kafka: str = "3.9",
        *,
        control: str | None = None,
        rules: Mapping[str, bool] | None = None,
        brokers: Sequence[int] | None = None,
        configs: Mapping[str, Any] | None = None,
        topics: Sequence[Mapping[str, Any]] | None = None,
        **partition: Any,
    ) -> None:
        partition.setdefault("replicas", [1, 2, 3])
        ids = set(brokers or ()) or {*partition["replicas"]}
        document: dict[str, Any] = {
            "id": "case",
            "kafka": kafka,
            "brokers": sorted(ids),
            "configs": dict(configs or {}),
            "topics": list(topics or [{"name": "t", "partitions": [partition]}]),
            "rules": dict(rules or {}),
            "steps": [],
        }
        if control is not None:
            document["control"] = control
        self.scenario = read_scenario_document(document)
        self.cluster: ClusterState = Timeline(self.scenario).frames[0].cluster

    # --- reading ---------------------------------------------------------------------------

    def replica(self, broker: int, partition: TopicPartition = T) -> Replica:
        """A broker's replica."""
        return self.cluster.replica(BrokerId(broker), partition)

    def leading(self, broker: int, partition: TopicPartition = T) -> LeadingState:
        """A leader's state."""
        return leading_state(self.replica(broker, partition))

    def remote(self, leader: int, follower: int, partition: TopicPartition = T) -> RemoteReplica:
        """A leader's view of a follower."""
        remote = remote_of(self.leading(leader, partition), BrokerId(follower))
        assert remote is not None, "the leader knows of it"
        return remote

    def registration(self, partition: TopicPartition = T) -> PartitionRegistration:
        """The controller's view."""
        return self.cluster.controller.partition(partition)

    def log(self, broker: int, partition: TopicPartition = T) -> str:
        """A log in the notation of scenario files."""
        return " ".join(
            record.value if record.epoch is None else f"{record.value}/{record.epoch}"
            for record in self.replica(broker, partition).log.records
        )

    def in_flight(self, kind: str) -> list[Message]:
        """The messages of one kind in flight."""
        return [message for message in self.cluster.messages if message.kind == kind]

    @property
    def now_ms(self) -> TimeMs:
        """The clock."""
        return self.cluster.now_ms

    # --- acting -----------------------------------------------------------------------------

    def do(self, kind: str, /, **arguments: Any) -> tuple[Event, ...]:
        """Play one step and return its events; `from_` is the argument `from`."""
        if "from_" in arguments:
            arguments["from"] = arguments.pop("from_")
        step = read_step({kind: arguments}, self.scenario)
        execution = StepExecution(self.cluster, FrameNumber(1), 1_000)
        execute_step(execution, step)
        self.cluster = execution.cluster
        return tuple(
            event for executed in execution.executed for event in executed.transition.events
        )

    def produce(self, *values: str, acks: Any = "all", **arguments: Any) -> tuple[Event, ...]:
        """Produce to `t-0`."""
        arguments.setdefault("to", T)
        return self.do("produce", values=list(values), acks=acks, **arguments)

    def wait(self, ms: int) -> None:
        """Advance the clock, and nothing else."""
        self.cluster = replace(self.cluster, now_ms=self.cluster.now_ms + ms)

    def change(self, broker: int, **fields: Any) -> None:
        """Replace fields of a broker's replica of `t-0`."""
        self.cluster = with_replica(self.cluster, replace(self.replica(broker), **fields))

    def change_registration(self, **fields: Any) -> None:
        """Replace fields of the controller's view of `t-0`; no broker receives them."""
        self.cluster = change_registration(self.cluster, **fields)

    def change_registered_broker(self, broker: int, **fields: Any) -> None:
        """Replace fields of the controller's view of a broker; nothing else happens."""
        self.cluster = change_registered_broker(self.cluster, broker, **fields)

    # --- messages --------------------------------------------------------------------------

    def send(self, sender: Endpoint, receiver: Endpoint, payload: Payload) -> Message:
        """Send a message about `t-0`."""
        work = WorkingCopy(self.cluster, FrameNumber(1))
        number = send(work, sender, receiver, T, payload)
        self.cluster = work.cluster
        return next(message for message in self.cluster.messages if message.id == number)

    def deliver(self, message: Message) -> tuple[Event, ...]:
        """Deliver the oldest message of this kind on this link."""
        done = perform(self.cluster, delivery_of(message), FrameNumber(1))
        self.cluster = done.cluster
        return done.events

    def deliver_all(self, kind: str, to: Endpoint | None = None) -> tuple[Event, ...]:
        """Deliver every message of a kind, in order."""
        events: list[Event] = []
        for message in self.in_flight(kind):
            if to in (None, message.receiver):
                events.extend(self.deliver(message))
        return tuple(events)

    def lose_without_notice(self, message: Message) -> None:
        """Remove a message from the network; its sender keeps waiting."""
        work = WorkingCopy(self.cluster, FrameNumber(1))
        remove(work, message)
        self.cluster = work.cluster
