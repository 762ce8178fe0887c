"""The state of a whole cluster: brokers and what each knows, controller, messages, links, clock,
and the clients with what they sent and read. It is immutable, and unchanged parts are shared
between steps.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.steps import TimerKind
from sim_engine.identifiers import (
    CLOCK_START_MS,
    CONTROLLER,
    FIRST_OFFSET,
    Acks,
    BrokerId,
    Endpoint,
    ErrorCode,
    FrameNumber,
    LeaderEpoch,
    MessageKind,
    Offset,
    TimeMs,
    TopicPartition,
    topic_of,
)
from sim_engine.protocol.controller.kind import ControllerKind, controller_kind
from sim_engine.protocol.controller.state import Controller, PartitionPolicy, Situation
from sim_engine.protocol.leader.requests import ClientRequest, no_replica_error
from sim_engine.protocol.log import Isolation
from sim_engine.protocol.messages import BrokerRegistration, Message, PartitionRegistration
from sim_engine.protocol.replica import BrokerView, PartitionSettings, Replica, without_memory
from sim_engine.versions import Profile

ProduceOutcome = Literal["pending", "acked", "failed", "no_answer"]

Fate = Literal["safe", "at_risk", "lost"]
"""The fate of an acknowledged record; `invariants/fates.py` determines it."""


class ProducedRecord(Struct, frozen=True, gc=False, kw_only=True):
    """One produce request of one record, and its result.

    `id` and `offset` are null if nothing was appended. The frame numbers state when it was sent,
    when it was acknowledged, when its last copy on any broker (up or down) was lost, and since when
    it has its fate. A lost record has no `lost_frame` while a deposed replica still has a copy of
    it.
    """

    request: int
    id: str | None = None
    producer: str
    value: str
    acks: Acks
    partition: TopicPartition
    broker: BrokerId
    offset: Offset | None = None
    outcome: ProduceOutcome = "pending"
    error: str | None = None
    frame: FrameNumber
    acked_frame: FrameNumber | None = None
    lost_frame: FrameNumber | None = None
    fate: Fate | None = None
    """Null before the acknowledgement."""
    fate_frame: FrameNumber | None = None
    timeout_ms: int = 30_000
    retried: bool = False
    producer_id: int | None = None
    """The producer id; null unless the producer is idempotent."""
    sequence: int | None = None
    transaction: int | None = None
    """The number of its producer's transaction, from 1; null outside a transaction."""

    def waits_at(self, broker_id: BrokerId) -> bool:
        """Whether a paused broker still has to handle it."""
        return self.broker == broker_id and self.id is None and self.outcome == "pending"


class ConsumedRecord(Struct, frozen=True, gc=False, kw_only=True):
    """One record that a consumer read."""

    consumer: str
    partition: TopicPartition
    offset: Offset
    value: str
    id: str
    frame: FrameNumber
    broker: BrokerId | None = None
    """The broker that it was read from; null for the leader in the consumer's metadata."""
    isolation: Isolation = "read_uncommitted"
    after_reset: bool = False
    """Whether the consumer's position was reset after its last read."""


class ClientPartition(Struct, frozen=True, gc=False, kw_only=True):
    """What a client knows about one partition.

    `leader` and `leader_epoch` are those in its metadata, null before its first metadata request. A
    consumer reads next at `position`, null until it has read; `position_epoch` is that of the
    record that it read last, and `validated_epoch` the leader epoch under which it last validated
    its position on the leader's log (KIP-320).
    """

    partition: TopicPartition
    leader: BrokerId | None = None
    leader_epoch: LeaderEpoch | None = None
    position: Offset | None = None
    position_epoch: LeaderEpoch | None = None
    validated_epoch: LeaderEpoch | None = None
    was_reset: bool = False
    """Whether its position has been reset since its last read."""
    next_sequence: int = 0
    """The sequence number of an idempotent producer's next batch."""


class Client(Struct, frozen=True, gc=False, kw_only=True):
    """A producer or consumer, and what it knows about partitions, sorted by name.

    An idempotent producer has an id. `transactions` is the number of transactions that it has
    begun, and `writes_to` the partitions of the open one.
    """

    name: str
    kind: Literal["producer", "consumer"]
    partitions: tuple[ClientPartition, ...] = ()
    producer_id: int | None = None
    transactions: int = 0
    in_transaction: bool = False
    writes_to: tuple[TopicPartition, ...] = ()

    def knows(self, partition: TopicPartition) -> ClientPartition:
        """What it knows about a partition; initially nothing."""
        for known in self.partitions:
            if known.partition == partition:
                return known
        return ClientPartition(partition=partition)

    def leader_of(self, partition: TopicPartition) -> BrokerId | None:
        """The leader of a partition in its metadata; None before its first metadata request."""
        return self.knows(partition).leader

    def position_in(self, partition: TopicPartition) -> Offset:
        """The offset that it reads next; initially 0."""
        return self.knows(partition).position or FIRST_OFFSET


def with_known(client: Client, changed: ClientPartition) -> Client:
    """The client with what it knows about one partition replaced."""
    known = {**{known.partition: known for known in client.partitions}, changed.partition: changed}
    return replace(client, partitions=tuple(known[name] for name in sorted(known)))


class Clients(Struct, frozen=True, gc=False, kw_only=True):
    """All clients of a run. `produced` is in order of sending, `consumed` in order of reading."""

    produced: tuple[ProducedRecord, ...] = ()
    consumed: tuple[ConsumedRecord, ...] = ()
    clients: tuple[Client, ...] = ()
    next_record: int = 1
    """The number of the next record appended by a produce."""
    next_producer_id: int = 0
    at_risk: tuple[int, ...] = ()
    """The `request` of each record that is at risk, in order. Their fates are checked after every
    action.
    """

    def find(self, name: str) -> Client | None:
        """The client with this name; None if there is none."""
        return next((client for client in self.clients if client.name == name), None)

    def client(self, name: str) -> Client:
        """The client with this name. Raises `KeyError` if there is none."""
        client = self.find(name)
        if client is None:
            raise KeyError(name)
        return client


Process = Literal["running", "paused", "stopped", "crashed", "shutting_down", "failed"]
RUNNING: tuple[Process, ...] = ("running", "shutting_down")
"""The processes that exist and are not paused."""
ALIVE: tuple[Process, ...] = (*RUNNING, "paused")
"""The processes that exist. A paused one handles nothing."""

ConfigValue = int | bool | str

Configs = tuple[tuple[str, ConfigValue], ...]


class PeriodicTimer(Struct, frozen=True, gc=False, kw_only=True):
    """A periodic timer of a broker's process, and the time at which it fires next."""

    kind: TimerKind
    due_ms: TimeMs
    period_ms: int


class EndingFetcher(Struct, frozen=True, gc=False, kw_only=True):
    """A fetcher thread that is shutting down and waits for the response to its last request."""

    request: int
    """The message id of that request."""
    deadline_ms: TimeMs
    """The time at which it stops waiting (replica.socket.timeout.ms)."""


class IsrChanges(Struct, frozen=True, gc=False, kw_only=True):
    """The ISR changes that a leader wrote to ZooKeeper and has not yet propagated to the controller
    (`isrChangeSet`).
    """

    partitions: tuple[TopicPartition, ...] = ()
    last_change_ms: TimeMs = CLOCK_START_MS
    last_propagation_ms: TimeMs = CLOCK_START_MS


class Broker(Struct, frozen=True, gc=False, kw_only=True):
    """One broker: its process, its replicas, and what it knows about the cluster.

    `contact_lost_ms` is the time of its last contact with the controller, null while they are in
    contact; the session ends one timeout later. `incarnation` increases with every start of the
    process.

    `clean_shutdown` is the marker that a clean shutdown leaves; from 3.7 it contains the broker
    epoch of the process that wrote it. `previous_broker_epoch` is the epoch that a process found
    there when it started, -1 without a marker. The controller uses it to detect an unclean shutdown
    (KIP-966).
    """

    broker_id: BrokerId
    process: Process = "running"
    replicas: tuple[Replica, ...] = ()
    clean_shutdown: bool = False
    clean_shutdown_epoch: int = -1
    previous_broker_epoch: int = -1
    incarnation: int = 0
    broker_epoch: int = -1
    """ZooKeeper: the id of the transaction that created its znode; a later start has a higher one
    (KIP-380).
    """
    controller_epoch: int = 1
    metadata_offset: Offset = FIRST_OFFSET
    known_brokers: tuple[BrokerRegistration, ...] = ()
    known_partitions: tuple[PartitionRegistration, ...] = ()
    """ZooKeeper: the leaders according to the last UpdateMetadata."""
    isr_changes: IsrChanges = IsrChanges()
    timers: tuple[PeriodicTimer, ...] = ()
    checkpoints_high_watermarks: bool = True
    """Whether this process has received a command from the controller. From then on it writes its
    high watermarks to the checkpoint file.
    """
    ending_fetchers: tuple[EndingFetcher, ...] = ()
    """While one of these is waiting, the broker handles no further command of the controller (up to
    1.0).
    """
    broker_session_kept: bool = False
    """Whether this process could not register because an older session of its broker still exists.
    That session ends by its timeout, not with the process.
    """
    contact_lost_ms: TimeMs | None = None
    contact_lost_order: int = 0
    down_since_frame: FrameNumber | None = None
    slow_ms: int = 0
    rack: str | None = None
    configs: Configs = ()
    """Its own settings, which replace those of the cluster."""

    @property
    def alive(self) -> bool:
        """Whether the process exists. A paused process exists but handles nothing."""
        return self.process in ALIVE

    @property
    def running(self) -> bool:
        """Whether the process exists and is not paused."""
        return self.process in RUNNING

    def replica(self, partition: TopicPartition) -> Replica | None:
        """The broker's replica of a partition; None if it has none."""
        for replica in self.replicas:
            if replica.partition == partition:
                return replica
        return None


class ClusterState(Struct, frozen=True, gc=False, kw_only=True):
    """One moment of a run.

    `links_cut` contains directed pairs (from, to); messages are in the order of sending. `settings`
    has one entry for each partition and is derived from the configs.
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
    """Message kinds whose new messages are held, with sender and receiver."""
    clients: Clients = Clients()
    configs: Configs = ()
    topic_configs: tuple[tuple[str, Configs], ...] = ()
    settings: tuple[tuple[TopicPartition, PartitionSettings], ...] = ()
    broker_settings: tuple[tuple[BrokerId, TopicPartition, PartitionSettings], ...] = ()
    """The settings of each partition on the brokers that have settings of their own, derived like
    `settings`.
    """
    session_timeout_ms: int = 18_000
    losses_of_contact: int = 0

    def broker(self, broker_id: BrokerId) -> Broker:
        """The broker with this id. Raises `KeyError` if there is none."""
        for broker in self.brokers:
            if broker.broker_id == broker_id:
                return broker
        raise KeyError(broker_id)

    @property
    def broker_ids(self) -> tuple[BrokerId, ...]:
        """The ids of all brokers, in their order."""
        return tuple([broker.broker_id for broker in self.brokers])

    def process_of(self, broker_id: BrokerId) -> Process:
        """The state of a broker's process. Raises `KeyError` for an unknown id."""
        return self.broker(broker_id).process

    def incarnation_of(self, broker_id: BrokerId) -> int:
        """How often a broker's process has started. Raises `KeyError` for an unknown id."""
        return self.broker(broker_id).incarnation

    def replica(self, broker_id: BrokerId, partition: TopicPartition) -> Replica:
        """A broker's replica of a partition; an empty one without a role if it has none.

        A broker that lost its replica in a reassignment can still receive requests for it.
        """
        replica = self.broker(broker_id).replica(partition)
        return replica or Replica(partition=partition, broker_id=broker_id)

    def settings_of(self, partition: TopicPartition) -> PartitionSettings:
        """The effective settings of a partition, without those of single brokers: what the
        controller reads. Raises `KeyError` for an unknown partition.
        """
        for name, settings in self.settings:
            if name == partition:
                return settings
        raise KeyError(partition)

    def settings_at(self, broker_id: BrokerId, partition: TopicPartition) -> PartitionSettings:
        """The effective settings of a partition on one broker, which may have its own."""
        for own, name, settings in self.broker_settings:
            if own == broker_id and name == partition:
                return settings
        return self.settings_of(partition)

    def view_of(self, replica: Replica) -> BrokerView:
        """What a replica's broker reads when it changes the replica."""
        settings = self.settings_at(replica.broker_id, replica.partition)
        return BrokerView(settings, self.now_ms, active_brokers(self, replica.broker_id))

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """The names of all partitions, in the controller's order."""
        return tuple(partition.partition for partition in self.controller.partitions)

    @property
    def controller_kind(self) -> ControllerKind:
        """Its kind of controller, ZooKeeper or KRaft, which makes the controller's decisions."""
        return controller_kind(self.profile)

    def is_cut(self, sender: Endpoint, receiver: Endpoint) -> bool:
        """Whether the link from one endpoint to another is cut."""
        return (sender, receiver) in self.links_cut

    def reaches_controller(self, broker_id: BrokerId) -> bool:
        """Whether a broker and the controller (under ZooKeeper: ZooKeeper) can reach each other."""
        return not self.is_cut(broker_id, CONTROLLER) and not self.is_cut(CONTROLLER, broker_id)

    def situation(self) -> Situation:
        """What the controller decides on.

        The replication factor of a topic is that of its partition 0, even if other partitions
        differ (`ReplicationControlManager.getTopicEffectiveMinIsr`). If a run does not have that
        partition, it is that of the first one which it has.
        """
        factors: dict[str, int] = {}
        for name, settings in self.settings:
            factors.setdefault(topic_of(name), settings.replication_factor)
        policies = {
            name: PartitionPolicy(
                unclean_leader_election_enable=settings.unclean_leader_election_enable,
                effective_min_insync_replicas=min(
                    settings.min_insync_replicas, factors[topic_of(name)]
                ),
            )
            for name, settings in self.settings
        }
        return Situation(self.controller, self.profile, policies)


def with_broker(cluster: ClusterState, changed: Broker) -> ClusterState:
    """The cluster with the broker of this id replaced."""
    return replace(
        cluster,
        brokers=tuple(
            [
                changed if broker.broker_id == changed.broker_id else broker
                for broker in cluster.brokers
            ]
        ),
    )


def with_replicas(broker: Broker, change: Callable[[Replica], Replica]) -> Broker:
    """The broker with each of its replicas changed."""
    return replace(broker, replicas=tuple(map(change, broker.replicas)))


def without_process(broker: Broker, process: Process, frame: FrameNumber) -> Broker:
    """The broker after its process has ended, in this frame: what it had in memory is lost."""
    return replace(
        with_replicas(broker, without_memory),
        process=process,
        known_brokers=(),
        known_partitions=(),
        isr_changes=IsrChanges(),
        timers=(),
        ending_fetchers=(),
        down_since_frame=frame,
        controller_epoch=0,
        metadata_offset=FIRST_OFFSET,
    )


def with_assigned_replicas(cluster: ClusterState) -> ClusterState:
    """The cluster in which every broker has a replica of each partition assigned to it; new
    replicas are empty. Replicas that are no longer assigned stay until their broker is notified.
    """
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
    """The cluster with the broker's replica of this partition replaced."""
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


def active_brokers(cluster: ClusterState, leader: BrokerId) -> Mapping[BrokerId, int]:
    """The broker epoch of each broker that is neither fenced nor shutting down, according to the
    metadata that the leader has read, or received with UpdateMetadata.
    """
    known = cluster.broker(leader).known_brokers
    return {broker.broker_id: broker.broker_epoch for broker in known if broker.active}


def known_broker_epoch(cluster: ClusterState, leader: BrokerId, fetching: Endpoint) -> int | None:
    """A fetching broker's epoch in the leader's metadata; None if unknown or considered dead."""
    for broker in cluster.broker(leader).known_brokers:
        if broker.broker_id == fetching and broker.live and not broker.fenced:
            return broker.broker_epoch
    return None


def error_without_replica(
    cluster: ClusterState,
    broker_id: BrokerId,
    partition: TopicPartition,
    request: ClientRequest | None = None,
) -> ErrorCode:
    """The error of a running broker that has no replica of a partition; NONE if it has one.

    A broker whose metadata does not contain the partition does not know it. Under ZooKeeper that is
    one that has started and not received UpdateMetadata yet.
    """
    broker = cluster.broker(broker_id)
    if not cluster.controller_kind.has_metadata_log and all(
        registration.partition != partition for registration in broker.known_partitions
    ):
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if broker.replica(partition) is not None:
        return ErrorCode.NONE
    return no_replica_error(cluster.profile.rules, request)


def known_registration(cluster: ClusterState, partition: TopicPartition) -> PartitionRegistration:
    """The registration of a partition (leader, leader epoch) in a metadata response to a client.

    Under ZooKeeper the client asks the running broker whose cache is newest. If none is running,
    and under KRaft, it receives the controller's current state.
    """
    if cluster.controller_kind.has_metadata_log:
        return cluster.controller.partition(partition)
    known = [
        registration
        for broker in cluster.brokers
        if broker.running
        for registration in broker.known_partitions
        if registration.partition == partition
    ]
    if not known:
        return cluster.controller.partition(partition)
    return max(known, key=lambda registration: registration.leader_epoch)
