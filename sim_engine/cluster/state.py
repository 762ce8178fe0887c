"""The state of a whole cluster: immutable, and shared between one step and the next."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.time import TimerKind
from sim_engine.cluster.clients import Clients
from sim_engine.identifiers import (
    CLOCK_START_MS,
    CONTROLLER,
    FIRST_OFFSET,
    BrokerId,
    Endpoint,
    FrameNumber,
    MessageKind,
    Offset,
    TimeMs,
    TopicPartition,
    topic_of,
)
from sim_engine.protocol.controller.kind import ControllerKind, controller_kind
from sim_engine.protocol.controller.state import Controller, PartitionPolicy, Policies
from sim_engine.protocol.messages import Message
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.versions import Profile

Process = Literal["running", "paused", "stopped", "crashed", "shutting_down", "failed"]
ConfigValue = int | bool | str
Configs = tuple[tuple[str, ConfigValue], ...]


class PeriodicTimer(Struct, frozen=True, gc=False, kw_only=True):
    """A timer of a broker's process, and when it fires next."""

    kind: TimerKind
    due_ms: TimeMs
    period_ms: int


class EndingFetcher(Struct, frozen=True, gc=False, kw_only=True):
    """A fetcher thread that is being shut down, and waits for the answer to its last request."""

    request: int
    """The message id of that request."""
    deadline_ms: TimeMs
    """When it gives up waiting (replica.socket.timeout.ms)."""


class IsrChanges(Struct, frozen=True, gc=False, kw_only=True):
    """What a leader wrote to ZooKeeper and has yet to tell the controller (`isrChangeSet`)."""

    partitions: tuple[TopicPartition, ...] = ()
    last_change_ms: TimeMs = CLOCK_START_MS
    last_propagation_ms: TimeMs = CLOCK_START_MS


class Broker(Struct, frozen=True, gc=False, kw_only=True):
    """One broker: its process, its replicas, and what it knows of the cluster.

    `contact_lost_ms` is when the controller last heard of it, null while it does; the session ends
    one timeout later. `incarnation` grows with every start of the process.

    `clean_shutdown` is the marker that a clean stop leaves; from 3.7 it holds the broker epoch of
    the process that wrote it. `previous_broker_epoch` is what a process found there as it started,
    -1 without a marker: the controller tells an unclean stop by it (KIP-966).
    """

    broker_id: BrokerId
    process: Process = "running"
    replicas: tuple[Replica, ...] = ()
    clean_shutdown: bool = False
    clean_shutdown_epoch: int = -1
    previous_broker_epoch: int = -1
    incarnation: int = 0
    broker_epoch: int = -1
    """ZooKeeper: the transaction that made its znode; a later start has a higher one (KIP-380)."""
    controller_epoch: int = 1
    metadata_offset: Offset = FIRST_OFFSET
    known_brokers: tuple[BrokerRegistration, ...] = ()
    known_partitions: tuple[PartitionRegistration, ...] = ()
    """ZooKeeper: who leads what, as the last UpdateMetadata said."""
    isr_changes: IsrChanges = IsrChanges()
    timers: tuple[PeriodicTimer, ...] = ()
    checkpoints_high_watermarks: bool = True
    """Whether the controller has told this process anything yet: from then on it writes its high
    watermarks to their file."""
    ending_fetchers: tuple[EndingFetcher, ...] = ()
    """While one of these waits, no further command of the controller is handled (up to 1.0)."""
    session_kept: bool = False
    """Whether this process could not register because an older session of its broker lives on;
    that session ends in its time, not with the process."""
    contact_lost_ms: TimeMs | None = None
    contact_lost_order: int = 0
    down_since_frame: FrameNumber | None = None
    slow_ms: int = 0
    rack: str | None = None

    @property
    def alive(self) -> bool:
        """Whether its process exists; a paused one does and hears nothing."""
        return self.process in ("running", "paused", "shutting_down")

    @property
    def running(self) -> bool:
        """Whether its process does anything."""
        return self.process in ("running", "shutting_down")

    def replica(self, partition: TopicPartition) -> Replica | None:
        """Its replica of a partition, where it is assigned one."""
        for replica in self.replicas:
            if replica.partition == partition:
                return replica
        return None


class ClusterState(Struct, frozen=True, gc=False, kw_only=True):
    """One moment of a run.

    `links_cut` holds directed pairs (from, to); messages are in the order of sending. `settings`
    has one entry a partition and follows the configs.
    """

    profile: Profile
    seed: int
    now_ms: TimeMs
    brokers: tuple[Broker, ...]
    controller: Controller
    messages: tuple[Message, ...] = ()
    next_message_id: int = 1
    links_cut: tuple[tuple[Endpoint, Endpoint], ...] = ()
    network_holds: tuple[tuple[MessageKind, Endpoint, Endpoint], ...] = ()
    """Message kinds that are held as they are sent, with sender and receiver."""
    clients: Clients = Clients()
    configs: Configs = ()
    topic_configs: tuple[tuple[str, Configs], ...] = ()
    settings: tuple[tuple[TopicPartition, PartitionSettings], ...] = ()
    session_timeout_ms: int = 18_000
    losses_of_contact: int = 0

    def broker(self, broker_id: BrokerId) -> Broker:
        """A broker of this cluster."""
        for broker in self.brokers:
            if broker.broker_id == broker_id:
                return broker
        raise KeyError(broker_id)

    def replica(self, broker_id: BrokerId, partition: TopicPartition) -> Replica:
        """A broker's replica of a partition; an empty one without a role where it has none.

        A broker that lost its replica to a reassignment may still be asked for it.
        """
        replica = self.broker(broker_id).replica(partition)
        return replica or Replica(partition=partition, broker_id=broker_id)

    def settings_of(self, partition: TopicPartition) -> PartitionSettings:
        """The settings in force for a partition."""
        for name, settings in self.settings:
            if name == partition:
                return settings
        raise KeyError(partition)

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """The names of all partitions, in the controller's order."""
        return tuple(partition.partition for partition in self.controller.partitions)

    @property
    def controller_kind(self) -> ControllerKind:
        """What its controller is and how it decides, under ZooKeeper or KRaft."""
        return controller_kind(self.profile)

    def is_cut(self, sender: Endpoint, receiver: Endpoint) -> bool:
        """Whether nothing gets from one endpoint to another."""
        return (sender, receiver) in self.links_cut

    def reaches_controller(self, broker_id: BrokerId) -> bool:
        """Whether a broker and the controller (with ZooKeeper: ZooKeeper) hear each other."""
        return not self.is_cut(broker_id, CONTROLLER) and not self.is_cut(CONTROLLER, broker_id)

    def policies(self) -> Policies:
        """What the controller reads of each partition's settings.

        The replication factor of a topic is that of its partition 0, whatever another one has
        (`ReplicationControlManager.getTopicEffectiveMinIsr`).
        """
        factors = {name: settings.replication_factor for name, settings in self.settings}
        return {
            name: PartitionPolicy(
                unclean_leader_election_enable=settings.unclean_leader_election_enable,
                effective_min_insync_replicas=min(
                    settings.min_insync_replicas, factors[TopicPartition(f"{topic_of(name)}-0")]
                ),
            )
            for name, settings in self.settings
        }


def with_broker(cluster: ClusterState, changed: Broker) -> ClusterState:
    """The cluster with one broker replaced."""
    return replace(
        cluster,
        brokers=tuple(
            [
                changed if broker.broker_id == changed.broker_id else broker
                for broker in cluster.brokers
            ]
        ),
    )


def with_assigned_replicas(cluster: ClusterState) -> ClusterState:
    """The cluster in which every broker has a replica, empty where it is new, of each partition
    that it is assigned. Replicas that are not assigned any more stay until their broker is told."""
    order = {name: index for index, name in enumerate(cluster.partitions)}
    for registration in cluster.controller.partitions:
        for broker_id in registration.replicas:
            broker = cluster.broker(broker_id)
            if broker.replica(registration.partition) is None:
                new = Replica(partition=registration.partition, broker_id=broker_id)
                replicas = sorted((*broker.replicas, new), key=lambda kept: order[kept.partition])
                cluster = with_broker(cluster, replace(broker, replicas=tuple(replicas)))
    return cluster


def with_replica(cluster: ClusterState, changed: Replica) -> ClusterState:
    """The cluster with one replica replaced."""
    broker = cluster.broker(changed.broker_id)
    return with_broker(
        cluster,
        replace(
            broker,
            replicas=tuple(
                [
                    changed if replica.partition == changed.partition else replica
                    for replica in broker.replicas
                ]
            ),
        ),
    )
