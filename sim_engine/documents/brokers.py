"""The documents of replicas and of the controller's state. A replica's has its log, what is on its
disk, and what its broker believes. The controller's has partitions, brokers and, under ZooKeeper,
the znodes."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.budget import go_on
from sim_engine.cluster.state import Broker, ClusterState, Process
from sim_engine.identifiers import (
    CLOCK_START_MS,
    CONTROLLER,
    NO_LEADER,
    BrokerId,
    Endpoint,
    FrameNumber,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.json_types import Document, copied
from sim_engine.protocol.controller.state import Assignment, assignment_of
from sim_engine.protocol.leader.isr import lag_time_ms
from sim_engine.protocol.log import Transaction, list_transactions, stable_end
from sim_engine.protocol.messages import (
    COMMANDS,
    IsrChangeNotification,
    LeaderRecoveryState,
    PartitionRegistration,
)
from sim_engine.protocol.replica import FetcherPhase, FetcherState, LeadingState, Replica, Role
from sim_engine.records import Marker, Record
from sim_engine.versions import Control

BrokerState = Process | Literal["fenced"]
"""The state of a broker's process. Under KRaft, a running broker may be fenced."""

ShownPhase = Literal["truncating", "fetching", "resetting", "failed"]
_SHOWN_PHASES: Mapping[FetcherPhase, ShownPhase] = {
    "truncating": "truncating",
    "fetching": "fetching",
    "resetting_latest": "resetting",
    "resetting_earliest": "resetting",
    "failed": "failed",
}


class LogRecordDocument(Document, frozen=True, kw_only=True):
    """One record of a log. Fields that only idempotent producers write are absent from other
    records."""

    offset: Offset
    epoch: int | None
    """The leader epoch of its batch. Null before 0.11, whose message format has none."""
    value: str
    id: str
    """The record's identity. A retry that creates a duplicate creates a record with a new id."""
    producer_id: int | UnsetType = UNSET
    """The id of the idempotent producer that sent it."""
    sequence: int | UnsetType = UNSET
    """Its sequence number. A control record has none."""
    transactional: Literal[True] | UnsetType = UNSET
    """Present if it belongs to a transaction."""
    control: Marker | UnsetType = UNSET
    """Present on a control record, which ends a transaction and is not delivered to consumers: the
    result of the transaction."""


class TransactionDocument(Document, frozen=True, kw_only=True):
    """One transaction in a replica's log."""

    producer_id: int
    """The id of the producer that wrote it."""
    first_offset: Offset
    """The offset of its first record."""
    last_offset: Offset
    """The offset of its last record in this log; after it ended, the offset of its marker."""
    outcome: Literal["open", "committed", "aborted"]
    """Open while this log has no marker of it. Consumers with read_committed see the marker only
    below the high watermark."""


class CheckpointsDocument(Document, frozen=True, kw_only=True):
    """The contents of the broker's checkpoint files. Null if the file is missing, for example after
    a disk loss."""

    high_watermark: Offset | None
    """The offset in replication-offset-checkpoint."""
    recovery_point: Offset | None
    """The offset in recovery-point-offset-checkpoint."""


class FollowerDocument(Document, frozen=True, kw_only=True):
    """What a leader knows about one follower."""

    log_end_offset: Offset | None
    """Null until it has fetched from this leader."""
    last_caught_up_ms: int | None
    """When it was last caught up, in ms since the start of the run; null: never."""
    behind_ms: int | None
    """The time in ms since it was last caught up, as its leader measures it. Above
    replica.lag.time.max.ms the leader removes it from the ISR. Null: it was never caught up."""


class PendingIsrDocument(Document, frozen=True, kw_only=True):
    """An ISR change that the leader has proposed and the controller has not decided yet."""

    kind: Literal["expand", "shrink"]
    isr: tuple[int, ...]
    """The proposed ISR."""


class FetcherDocument(Document, frozen=True, kw_only=True):
    """A follower's fetch loop for one partition."""

    leader: BrokerId
    """The broker that it fetches from."""
    state: ShownPhase
    fetch_offset: Offset
    """The offset of its next fetch."""
    leader_epoch: LeaderEpoch
    """The leader epoch that it follows."""
    delayed_until_ms: int | None
    """The end of its backoff, in ms since the start of the run; null if it is not backing off."""


class ReplicaDocument(Document, frozen=True, kw_only=True):
    """One replica, as its broker has it. While the broker is down: what is on its disk."""

    broker_state: BrokerState
    role: Role
    """Its role, as its broker believes; none while it is down."""
    leader: BrokerId
    """The leader, as its broker believes; -1: none."""
    leader_epoch: LeaderEpoch | None
    """Null while it has no role."""
    partition_epoch: int | None
    """Null while it has no role."""
    log: tuple[LogRecordDocument, ...]
    """All records, by ascending offset."""
    log_start_offset: Offset
    """The first offset of the log."""
    log_end_offset: Offset
    """The offset of the next record (LEO)."""
    high_watermark: Offset | None
    """Records below this offset are committed, as far as this replica knows. Null while it has no
    role: then only the broker's files exist."""
    last_stable_offset: int | None
    """The first offset of the oldest open transaction below the high watermark; without one, the
    high watermark. Null while it has no role."""
    transactions: tuple[TransactionDocument, ...] | UnsetType = UNSET
    """The transactions that wrote to this log, in the order of their first records. Absent if there
    are none."""
    epoch_cache: tuple[tuple[int, int], ...] | None
    """[leader epoch, start offset] pairs; null before 0.11."""
    checkpoints: CheckpointsDocument
    flushed: Offset
    """Records below this offset are on disk."""
    followers: dict[str, FollowerDocument]
    """Broker id → what it knows about that follower; empty unless it is the leader."""
    isr: tuple[int, ...] | None
    """The ISR, as this leader believes; null unless it is the leader."""
    maximal_isr: tuple[int, ...] | None
    """The ISR and the replicas that are about to join: the high watermark waits for all of them
    (KIP-497). Null unless it is the leader."""
    pending_isr: PendingIsrDocument | None
    """Null unless an ISR change is pending."""
    leader_epoch_start_offset: int | None
    """Its log end offset when it became leader; null unless it is the leader."""
    fetcher: FetcherDocument | None
    """Null unless it is a follower."""
    in_isr: bool
    """Whether it is in the ISR, according to the controller."""
    diverging_offsets: tuple[int, ...]
    """The offsets at which its log and the log of the leader (according to the controller) have
    different records."""


def since_start(time_ms: int) -> int | None:
    """A time in ms since the start of the run; null if the time means "never"."""
    return None if time_ms == 0 else time_ms - CLOCK_START_MS


def broker_state(cluster: ClusterState, broker_id: BrokerId) -> BrokerState:
    """The state of the broker's process, or `fenced`."""
    broker = cluster.broker(broker_id)
    fenced = cluster.controller.broker(broker_id).fenced
    return "fenced" if broker.process == "running" and fenced else broker.process


def record_document(record: Record) -> LogRecordDocument:
    """The document of one record."""
    return LogRecordDocument(
        offset=record.offset,
        epoch=record.epoch,
        value=record.value,
        id=record.id,
        producer_id=UNSET if record.producer_id is None else record.producer_id,
        sequence=UNSET if record.sequence is None else record.sequence,
        transactional=True if record.transactional else UNSET,
        control=UNSET if record.control is None else record.control,
    )


def replica_document(
    cluster: ClusterState, registration: PartitionRegistration, broker_id: BrokerId
) -> ReplicaDocument:
    """The document of one replica of a partition."""
    go_on()
    replica = cluster.replica(broker_id, registration.partition)
    has_role = cluster.broker(broker_id).alive and replica.role != "none"
    high_watermark = replica.high_watermark if has_role else None
    leading = replica.leading
    transactions = list_transactions(replica.log)
    return ReplicaDocument(
        broker_state=broker_state(cluster, broker_id),
        role=replica.role,
        leader=replica.leader if has_role else NO_LEADER,
        leader_epoch=replica.leader_epoch if has_role else None,
        partition_epoch=replica.partition_epoch if has_role else None,
        log=tuple(record_document(record) for record in replica.log.records),
        log_start_offset=replica.log.log_start_offset,
        log_end_offset=replica.log_end_offset,
        high_watermark=high_watermark,
        last_stable_offset=(
            None if high_watermark is None else stable_end(transactions, high_watermark)
        ),
        transactions=tuple(_transaction(one) for one in transactions) or UNSET,
        epoch_cache=replica.epoch_cache if cluster.profile.has_epochs else None,
        checkpoints=CheckpointsDocument(
            high_watermark=replica.checkpoint_high_watermark,
            recovery_point=replica.checkpoint_recovery_point,
        ),
        flushed=replica.flushed,
        followers={} if leading is None else _followers(cluster, replica, leading),
        isr=None if leading is None else leading.isr,
        maximal_isr=None if leading is None else leading.maximal_isr,
        pending_isr=(
            None
            if leading is None or leading.pending_isr is None
            else PendingIsrDocument(kind=leading.pending_isr.kind, isr=leading.pending_isr.isr)
        ),
        leader_epoch_start_offset=None if leading is None else leading.leader_epoch_start_offset,
        fetcher=None if replica.fetcher is None else _fetcher(replica.fetcher),
        in_isr=broker_id in registration.isr,
        diverging_offsets=_diverging(cluster, registration, replica),
    )


def _transaction(transaction: Transaction) -> TransactionDocument:
    marker = transaction.marker
    ended: Literal["committed", "aborted"] = (
        "aborted" if marker is not None and marker.control == "abort" else "committed"
    )
    return TransactionDocument(
        producer_id=transaction.producer_id,
        first_offset=transaction.first_offset,
        last_offset=transaction.last_offset,
        outcome="open" if marker is None else ended,
    )


def _followers(
    cluster: ClusterState, leader: Replica, leading: LeadingState
) -> dict[str, FollowerDocument]:
    view = cluster.view_of(leader)
    return {
        str(remote.broker_id): FollowerDocument(
            log_end_offset=None if remote.log_end_offset < 0 else remote.log_end_offset,
            last_caught_up_ms=since_start(remote.last_caught_up_time_ms),
            behind_ms=lag_time_ms(remote, leader.log_end_offset, view),
        )
        for remote in leading.remotes
    }


def _fetcher(fetcher: FetcherState) -> FetcherDocument:
    return FetcherDocument(
        leader=fetcher.leader,
        state=_SHOWN_PHASES[fetcher.phase],
        fetch_offset=fetcher.fetch_offset,
        leader_epoch=fetcher.leader_epoch,
        delayed_until_ms=(
            None if fetcher.delayed_until_ms is None else since_start(fetcher.delayed_until_ms)
        ),
    )


def _diverging(
    cluster: ClusterState, registration: PartitionRegistration, replica: Replica
) -> tuple[int, ...]:
    """The offsets at which this log and the leader's have different records."""
    if registration.leader in (NO_LEADER, replica.broker_id):
        return ()
    leader_log = cluster.replica(registration.leader, registration.partition).log
    if replica.log.records == leader_log.records:  # fast, because the records are the same objects
        return ()
    theirs = {record.offset: record.id for record in leader_log.records}
    return tuple(
        record.offset
        for record in replica.log.records
        if theirs.get(record.offset, record.id) != record.id
    )


ZnodeFields = dict[
    str, int | tuple[int | TopicPartition, ...] | dict[str, str | tuple[int, ...]] | None
]
ZnodeValue = int | tuple[int, ...] | ZnodeFields


class PartitionDocument(Document, frozen=True, kw_only=True):
    """A partition according to the controller."""

    leader: BrokerId
    """A broker's id; -1 if there is no leader."""
    leader_epoch: LeaderEpoch
    partition_epoch: int
    """ZooKeeper: the version of its znode."""
    isr: tuple[int, ...]
    """The in-sync replicas."""
    elr: tuple[int, ...]
    """The eligible leader replicas (KIP-966)."""
    last_known_elr: tuple[int, ...]
    leader_recovery_state: LeaderRecoveryState
    """RECOVERING after an unclean election, until the leader has recovered (KIP-704)."""
    replicas: tuple[BrokerId, ...]
    """The assigned replicas, in order."""
    adding_replicas: tuple[int, ...]
    """The replicas that a reassignment adds; empty if none is in progress."""
    removing_replicas: tuple[int, ...]
    """The replicas that a reassignment removes; empty if none is in progress."""
    preferred_leader: int
    """The preferred leader: the first of `replicas`."""
    osr: tuple[int, ...]
    """The out-of-sync replicas: assigned, but not in the ISR."""
    min_insync_replicas: int
    """The effective min.insync.replicas in this version: how many replicas must be in sync to
    accept acks=all."""
    under_min_isr: bool
    """Whether fewer replicas are in sync (Kafka's metric UnderMinIsrPartitionCount)."""


class BrokerDocument(Document, frozen=True, kw_only=True):
    """A broker: its process, and what the controller knows about it."""

    state: BrokerState
    registered: bool
    """Whether it is registered; under ZooKeeper, whether its znode exists."""
    fenced: bool | None
    """Null under ZooKeeper, which does not fence brokers."""
    in_controlled_shutdown: bool | None
    """Whether the controller knows that it is shutting down; null under ZooKeeper."""
    broker_epoch: int | None
    """Null if it never registered."""
    metadata_offset: Offset | None
    """How far it has read the metadata log; null under ZooKeeper and while it is down."""
    noticed: bool
    """Whether the controller has detected the broker's current state."""
    down_since_frame: FrameNumber | None
    """The frame in which its process ended; null while it is running."""
    clean_shutdown: bool
    """Whether its disk has a clean-shutdown marker."""
    rack: str | None
    """broker.rack; null if it is not set."""
    cut_from: tuple[Endpoint, ...]
    """The brokers that its messages do not reach."""
    isr_changes: tuple[TopicPartition, ...] | None
    """The partitions whose ISR it has changed in ZooKeeper and not yet announced under
    /isr_change_notification (`isrChangeSet`). Null in versions without announcements."""


class ZnodeDocument(Document, frozen=True, kw_only=True):
    """One znode."""

    path: str
    value: ZnodeValue
    """Its content. A field is null if it is not simulated: which broker is the controller."""
    version: int | None
    """The znode's version; null if Kafka does not update this znode conditionally."""


class ControllerDocument(Document, frozen=True, kw_only=True):
    """The controller. The KRaft quorum is modelled as one controller."""

    kind: Control
    controller_epoch: int
    metadata_offset: Offset | None
    """The end of the metadata log; null under ZooKeeper."""
    live_brokers: tuple[int, ...]
    """Registered and not fenced, by ascending id."""
    behind: dict[str, int]
    """Broker id → the number of the controller's messages that it has not applied."""
    znodes: tuple[ZnodeDocument, ...] | None
    """The contents of ZooKeeper; null under KRaft."""
    cut_from: tuple[Endpoint, ...]
    """The brokers that the controller's messages do not reach."""


def partition_document(
    cluster: ClusterState, registration: PartitionRegistration
) -> PartitionDocument:
    """The document of a partition, according to the controller."""
    needed = cluster.settings_at(
        registration.leader, registration.partition
    ).effective_min_insync_replicas
    return copied(
        PartitionDocument,
        registration,
        osr=tuple(each for each in registration.replicas if each not in registration.isr),
        min_insync_replicas=needed,
        under_min_isr=len(registration.isr) < needed,
    )


def broker_document(cluster: ClusterState, broker: Broker) -> BrokerDocument:
    """The document of one broker."""
    kind = cluster.controller_kind
    registered = cluster.controller.broker(broker.broker_id)
    seen_as_up = registered.live and not registered.fenced
    return BrokerDocument(
        state=broker_state(cluster, broker.broker_id),
        registered=registered.live,
        fenced=registered.fenced if kind.fences_brokers else None,
        in_controlled_shutdown=registered.in_controlled_shutdown if kind.fences_brokers else None,
        broker_epoch=registered.broker_epoch if registered.broker_epoch >= 0 else None,
        metadata_offset=broker.metadata_offset if kind.has_metadata_log and broker.alive else None,
        noticed=seen_as_up == (broker.running and cluster.reaches_controller(broker.broker_id)),
        down_since_frame=broker.down_since_frame,
        clean_shutdown=broker.clean_shutdown,
        rack=broker.rack,
        cut_from=_cut_from(cluster, broker.broker_id),
        isr_changes=(
            broker.isr_changes.partitions
            if kind.learns_isr_changes_by_notification(cluster.profile.rules)
            else None
        ),
    )


def _cut_from(cluster: ClusterState, endpoint: Endpoint) -> tuple[Endpoint, ...]:
    return tuple(receiver for sender, receiver in cluster.links_cut if sender == endpoint)


def controller_document(cluster: ClusterState) -> ControllerDocument:
    """The document of the controller, including its changes that no broker has applied yet."""
    controller = cluster.controller
    kind = cluster.controller_kind
    behind: dict[str, int] = {}
    for message in cluster.messages:
        told = message.sender == CONTROLLER and message.kind in COMMANDS
        if told and message.kind != "update_metadata":
            behind[str(message.receiver)] = behind.get(str(message.receiver), 0) + 1
    return ControllerDocument(
        kind=cluster.profile.control,
        controller_epoch=controller.controller_epoch,
        metadata_offset=controller.metadata_offset if kind.has_metadata_log else None,
        live_brokers=tuple(
            sorted(
                broker.broker_id
                for broker in controller.brokers
                if broker.live and not broker.fenced
            )
        ),
        behind=behind,
        znodes=_znodes(cluster) if kind.registers_in_znodes else None,
        cut_from=_cut_from(cluster, CONTROLLER),
    )


def _znodes(cluster: ClusterState) -> tuple[ZnodeDocument, ...]:
    """The contents of ZooKeeper by path. `version` is set for znodes that Kafka updates
    conditionally (`TopicPartitionStateZNode`, `ControllerEpochZNode`, `BrokerIdsZNode`)."""
    controller = cluster.controller
    listed = [
        # The controller is simulated apart from the brokers (`ControllerZNode`).
        ZnodeDocument(path="/controller", value={"version": 1, "brokerid": None}, version=None),
        ZnodeDocument(path="/controller_epoch", value=controller.controller_epoch, version=None),
        ZnodeDocument(
            path="/brokers/ids",
            value=tuple(sorted(broker.broker_id for broker in controller.brokers if broker.live)),
            version=None,
        ),
    ]
    listed.extend(_topic_znodes(cluster))
    for registration in controller.partitions:
        topic, _, number = registration.partition.rpartition("-")
        state: ZnodeFields = {
            "controller_epoch": controller.controller_epoch,
            "leader": registration.leader,
            "leader_epoch": registration.leader_epoch,
            "isr": registration.isr,
        }
        if cluster.profile.rules.leader_recovery_state:
            state["leader_recovery_state"] = int(registration.leader_recovery_state == "RECOVERING")
        listed.append(
            ZnodeDocument(
                path=f"/brokers/topics/{topic}/partitions/{number}/state",
                value=state,
                version=registration.partition_epoch,
            )
        )
    if cluster.controller_kind.learns_isr_changes_by_notification(cluster.profile.rules):
        listed.append(_announced_isr_changes(cluster))
    return tuple(listed)


def _topic_znodes(cluster: ClusterState) -> list[ZnodeDocument]:
    """The assignment of every topic (`TopicZNode`), the configs that it overrides
    (`ConfigEntityZNode`), and, where the assignment does not have them, the targets of the
    reassignments in progress (`ReassignPartitionsZNode`). Without the fields that the engine has no
    values for (format versions, topic ids).
    """
    configs = dict(cluster.topic_configs)
    topics: dict[str, dict[str, Assignment]] = {}
    for registration in cluster.controller.partitions:
        topic, _, number = registration.partition.rpartition("-")
        topics.setdefault(topic, {})[number] = assignment_of(registration)
    listed: list[ZnodeDocument] = []
    targets: dict[str, str | tuple[int, ...]] = {}
    for topic, assigned in topics.items():
        moving = {number: each for number, each in assigned.items() if each.in_progress}
        value: ZnodeFields = {
            "partitions": {number: each.replicas for number, each in assigned.items()}
        }
        if cluster.profile.rules.reassignment_can_be_replaced:
            value["adding_replicas"] = {number: each.adding for number, each in moving.items()}
            value["removing_replicas"] = {number: each.removing for number, each in moving.items()}
        else:
            targets |= {f"{topic}-{number}": each.target for number, each in moving.items()}
        overridden: dict[str, str | tuple[int, ...]] = {
            name: str(setting).lower() if isinstance(setting, bool) else str(setting)
            for name, setting in configs.get(topic, ())
        }
        listed += [
            ZnodeDocument(path=f"/brokers/topics/{topic}", value=value, version=None),
            ZnodeDocument(
                path=f"/config/topics/{topic}", value={"config": overridden}, version=None
            ),
        ]
    if targets:
        listed.append(
            ZnodeDocument(
                path="/admin/reassign_partitions", value={"partitions": targets}, version=None
            )
        )
    return listed


def _announced_isr_changes(cluster: ClusterState) -> ZnodeDocument:
    """The notifications that leaders have written and the controller has not yet read and deleted
    (`IsrChangeNotificationHandler`)."""
    return ZnodeDocument(
        path="/isr_change_notification",
        value={
            f"isr_change_{message.id:010d}": message.payload.partitions
            for message in cluster.messages
            if isinstance(message.payload, IsrChangeNotification)
        },
        version=None,
    )
