"""A cluster that records which of its parts are read, and the working copy of an action on it.

The effect of an action depends only on the parts that it reads. The search therefore keeps each
effect under the values of exactly those parts and, wherever they occur again, looks it up. The
functions that perform actions are the engine's own: they receive a `RecordedCluster` in place of a
`ClusterState`, and change it through a `RecordedCopy` in place of a `WorkingCopy`.
"""

from enum import IntEnum
from typing import cast

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, Clients, ClusterState, Configs, Process
from sim_engine.identifiers import (
    BrokerId,
    Endpoint,
    FrameNumber,
    MessageKind,
    TimeMs,
    TopicPartition,
)
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import PartitionSettings, Replica
from sim_engine.simulation.working_copy import MessageMove, WorkingCopy
from sim_engine.versions import Profile

THE_FRAME = FrameNumber(1)
"""The frame of every action: its number makes no difference to what follows."""

FIRST_NEW_ID = 1_000_000_000
"""The ids of the messages that an action sends start here, above all others."""


class Part(IntEnum):
    """A part of the state besides brokers. The value is its place after them."""

    CONTROLLER = 0
    CLIENTS = 1
    NETWORK = 2
    """The links that are cut, and what is held."""
    SETTINGS = 3
    """The configs, and the settings derived from them."""
    MESSAGES = 4


class Reads:
    """What an action has read.

    `places` has the number of each broker that was read (from 0, in their order), that number plus
    the number of brokers if only its process was, with the partitions that it hosts, and
    `2 * brokers + part` for other parts.
    `senders` are the brokers that sent a request: its id depends on their other requests.
    """

    def __init__(self, brokers: int) -> None:
        self.brokers = brokers
        self.places: set[int] = set()
        self.senders: set[BrokerId] = set()

    def add(self, part: Part) -> None:
        """Record that a part was read."""
        self.places.add(2 * self.brokers + part)

    def add_all(self, other: "Reads") -> None:
        """Record that everything was read that another record has."""
        self.places |= other.places
        self.senders |= other.senders

    def add_everything(self) -> None:
        """Record that everything was read."""
        self.places.update(range(self.brokers))
        for part in Part:
            self.add(part)


class RecordedCluster:
    """Stands in for a `ClusterState`: it has the same attributes and is never changed, but a
    working copy makes a new one, with the same record. `base` is the state; reading it leaves no
    record. `added` are the messages that the action has sent since `base.messages` was stored.
    """

    __slots__ = ("added", "base", "next_message_id", "reads")

    def __init__(
        self,
        base: ClusterState,
        reads: Reads,
        added: tuple[Message, ...] = (),
        next_message_id: int = FIRST_NEW_ID,
    ) -> None:
        self.base = base
        self.reads = reads
        self.added = added
        self.next_message_id = next_message_id

    def with_base(self, base: ClusterState) -> "RecordedCluster":
        """The same record for a changed state."""
        return RecordedCluster(base, self.reads, self.added, self.next_message_id)

    @property
    def brokers(self) -> tuple[Broker, ...]:
        """All brokers, which are read by this."""
        self.reads.places.update(range(self.reads.brokers))
        return self.base.brokers

    def broker(self, broker_id: BrokerId) -> Broker:
        """One broker, which is read by this. Raises `KeyError` if there is none."""
        place = self._place_of(broker_id)
        self.reads.places.add(place)
        return self.base.brokers[place]

    @property
    def broker_ids(self) -> tuple[BrokerId, ...]:
        """The ids of all brokers, which no action of a search changes."""
        return self.base.broker_ids

    def process_of(self, broker_id: BrokerId) -> Process:
        """The state of a broker's process; nothing else of it is read."""
        place = self._place_of(broker_id)
        self.reads.places.add(self.reads.brokers + place)
        return self.base.brokers[place].process

    def incarnation_of(self, broker_id: BrokerId) -> int:
        """How often a broker's process has started; nothing else of it is read."""
        place = self._place_of(broker_id)
        self.reads.places.add(self.reads.brokers + place)
        return self.base.brokers[place].incarnation

    def is_hosted(self) -> bool:
        """Whether every assigned replica exists, and the settings are those of as many replicas."""
        self.reads.places.update(range(self.reads.brokers, 2 * self.reads.brokers))
        factors = {name: settings.replication_factor for name, settings in self.settings}
        return all(
            factors[one.partition] == len(one.replicas)
            and all(
                self.base.broker(broker_id).replica(one.partition) is not None
                for broker_id in one.replicas
            )
            for one in self.controller.partitions
        )

    def _place_of(self, broker_id: BrokerId) -> int:
        for place, broker in enumerate(self.base.brokers):
            if broker.broker_id == broker_id:
                return place
        raise KeyError(broker_id)

    @property
    def controller(self) -> Controller:
        """The controller's state."""
        self.reads.add(Part.CONTROLLER)
        return self.base.controller

    @property
    def clients(self) -> Clients:
        """All clients."""
        self.reads.add(Part.CLIENTS)
        return self.base.clients

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages in flight."""
        self.reads.add(Part.MESSAGES)
        return (*self.base.messages, *self.added)

    @property
    def links_cut(self) -> tuple[tuple[Endpoint, Endpoint], ...]:
        """The links that are cut."""
        self.reads.add(Part.NETWORK)
        return self.base.links_cut

    @property
    def network_holds(self) -> tuple[tuple[MessageKind, Endpoint, Endpoint], ...]:
        """What is held."""
        self.reads.add(Part.NETWORK)
        return self.base.network_holds

    @property
    def configs(self) -> Configs:
        """The cluster's settings."""
        self.reads.add(Part.SETTINGS)
        return self.base.configs

    @property
    def topic_configs(self) -> tuple[tuple[str, Configs], ...]:
        """The settings of each topic."""
        self.reads.add(Part.SETTINGS)
        return self.base.topic_configs

    @property
    def settings(self) -> tuple[tuple[TopicPartition, PartitionSettings], ...]:
        """The effective settings of each partition."""
        self.reads.add(Part.SETTINGS)
        return self.base.settings

    @property
    def broker_settings(self) -> tuple[tuple[BrokerId, TopicPartition, PartitionSettings], ...]:
        """The effective settings of brokers that have some of their own."""
        self.reads.add(Part.SETTINGS)
        return self.base.broker_settings

    @property
    def now_ms(self) -> TimeMs:
        """The time, which is kept with the settings: it changes as rarely."""
        self.reads.add(Part.SETTINGS)
        return self.base.now_ms

    @property
    def profile(self) -> Profile:
        """The release, which a search can change only with the settings."""
        return self.base.profile

    # What no action of a search changes.
    seed = property(lambda self: self.base.seed)
    session_timeout_ms = property(lambda self: self.base.session_timeout_ms)

    # As in a `ClusterState`, from the parts above.
    replica = ClusterState.replica
    settings_of = ClusterState.settings_of
    settings_at = ClusterState.settings_at
    view_of = ClusterState.view_of
    partitions = ClusterState.partitions
    controller_kind = ClusterState.controller_kind
    is_cut = ClusterState.is_cut
    reaches_controller = ClusterState.reaches_controller
    situation = ClusterState.situation


class RecordedCopy(WorkingCopy):
    """The working copy of an action on a `RecordedCluster`. It keeps no moves."""

    def __init__(self, cluster: RecordedCluster) -> None:
        super().__init__(cast("ClusterState", cluster), THE_FRAME)
        self.recorded = cluster

    def record_move(self, move: MessageMove) -> None:
        """Forget it."""

    @property
    def _before(self) -> ClusterState:
        return self.recorded.base

    @property
    def _whole(self) -> ClusterState:
        reads = self.recorded.reads
        reads.places.update(range(reads.brokers))
        for part in (Part.CONTROLLER, Part.SETTINGS):
            reads.add(part)
        return self.recorded.base

    def _store(self, cluster: ClusterState) -> None:
        self._record(self.recorded.with_base(cluster))

    def _record(self, recorded: RecordedCluster) -> None:
        self.recorded = recorded
        self._cluster = cast("ClusterState", recorded)

    def put_replica(self, replica: Replica) -> None:
        """Store a replica; its broker is read."""
        self.recorded.broker(replica.broker_id)
        super().put_replica(replica)

    def put_messages(self, messages: tuple[Message, ...]) -> None:
        """Store the messages in flight."""
        recorded = self.recorded
        base = replace(recorded.base, messages=messages)
        self._record(RecordedCluster(base, recorded.reads, (), recorded.next_message_id))

    def add_message(self, message: Message) -> None:
        """Store a new message."""
        recorded = self.recorded
        added = (*recorded.added, message)
        self._record(RecordedCluster(recorded.base, recorded.reads, added, message.id + 1))

    def put_network_holds(
        self, network_holds: tuple[tuple[MessageKind, Endpoint, Endpoint], ...]
    ) -> None:
        """Store what is held; the network is read."""
        self.recorded.reads.add(Part.NETWORK)
        super().put_network_holds(network_holds)

    def put_links_cut(self, links_cut: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
        """Store the links that are cut; the network is read."""
        self.recorded.reads.add(Part.NETWORK)
        super().put_links_cut(links_cut)

    def create_assigned_replicas(self) -> None:
        """Create replicas that are newly assigned, if there are any, and update the settings."""
        if not self.recorded.is_hosted():
            super().create_assigned_replicas()
