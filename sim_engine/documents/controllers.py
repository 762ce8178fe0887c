"""The controller's state: partitions, brokers and, under ZooKeeper, the znodes."""

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.documents.document import Document
from sim_engine.documents.replicas import BrokerState, broker_state
from sim_engine.identifiers import (
    CONTROLLER,
    BrokerId,
    Endpoint,
    FrameNumber,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.protocol.messages import (
    COMMANDS,
    IsrChangeNotification,
    LeaderRecoveryState,
    PartitionRegistration,
)
from sim_engine.versions import Control

ZnodeFields = dict[str, int | tuple[int | TopicPartition, ...] | None]
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
    return PartitionDocument(
        leader=registration.leader,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        isr=registration.isr,
        elr=registration.elr,
        last_known_elr=registration.last_known_elr,
        leader_recovery_state=registration.leader_recovery_state,
        replicas=registration.replicas,
        adding_replicas=registration.adding_replicas,
        removing_replicas=registration.removing_replicas,
        preferred_leader=registration.preferred_leader,
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
