"""The controller: which brokers it considers alive, what it writes to KRaft's metadata log, which
replicas it assigns, and which of them it elects as leader, or why none.
"""

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from sim_engine.events.base import (
    BrokerEvent,
    Case,
    Event,
    PartitionEvent,
    Rank,
    ReplicaEvent,
    by_variant,
    dot,
    request,
)
from sim_engine.events.process import BrokerBooted
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset, TopicPartition


class _Record(Struct, frozen=True, gc=False, tag=True, tag_field="record"):
    pass


class RegisterBrokerRecord(_Record, frozen=True, kw_only=True):
    """A broker is registered."""

    broker: BrokerId
    fenced: bool


class BrokerRegistrationChangeRecord(_Record, frozen=True, kw_only=True):
    """A broker is fenced or unfenced, or begins a controlled shutdown."""

    broker: BrokerId
    fenced: bool | UnsetType = UNSET
    in_controlled_shutdown: bool | UnsetType = UNSET


class PartitionChangeRecord(_Record, frozen=True, kw_only=True):
    """A partition changes. The epochs are those after the change."""

    partition: TopicPartition
    isr: tuple[BrokerId, ...] | UnsetType = UNSET
    elr: tuple[BrokerId, ...] | UnsetType = UNSET
    last_known_elr: tuple[BrokerId, ...] | UnsetType = UNSET
    leader_recovery_state: int | UnsetType = UNSET
    """0 is RECOVERED, 1 RECOVERING."""
    leader: BrokerId | UnsetType = UNSET
    replicas: tuple[BrokerId, ...] | UnsetType = UNSET
    removing: tuple[BrokerId, ...] | UnsetType = UNSET
    adding: tuple[BrokerId, ...] | UnsetType = UNSET
    leader_epoch: LeaderEpoch
    partition_epoch: int


class FeatureLevelRecord(_Record, frozen=True, kw_only=True):
    """A feature level of the cluster changes. The level is a number."""

    name: str
    feature_level: int


class ClearElrRecord(_Record, frozen=True, kw_only=True):
    """The eligible leader replicas of a topic are cleared, or of all topics if it is null."""

    topic: str | None


MetadataRecord: TypeAlias = (
    RegisterBrokerRecord
    | BrokerRegistrationChangeRecord
    | PartitionChangeRecord
    | FeatureLevelRecord
    | ClearElrRecord
)


class ControllerElected(Event, frozen=True, gc=False, kw_only=True):
    """Another broker becomes the ZooKeeper controller. `before` is the previous controller epoch;
    `live` are the brokers that it considers alive."""

    rank = Rank.CONTROLLER_ELECTION
    drawn = dot("takesOver", "accent", at="controller")

    rule: str | None = "CONTROLLER-EPOCH"
    sources: tuple[str, ...] = ("KafkaController",)
    before: int
    controller_epoch: int
    live: tuple[BrokerId, ...]


class SessionExpired(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's ZooKeeper session ends, and the controller considers the broker dead."""

    rank = Rank.LIVENESS
    overtaken_by = (BrokerBooted, "broker")
    drawn = dot("sessionEnds", "warn", at="controller")

    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("KafkaController",)


class BrokerJoined(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A ZooKeeper controller detects a new registration and sends the broker its leaderships and
    followerships."""

    rank = Rank.REGISTRATION
    drawn = request("registers", to="controller")

    sources: tuple[str, ...] = ("KafkaController",)


class HeartbeatReceived(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """The controller or, for the variant, ZooKeeper receives a broker's heartbeat."""

    drawn = request("heartbeat", to="controller")

    variant: Literal["zookeeper"] | None = None
    sources: tuple[str, ...] = ("BrokerHeartbeatManager",)


class BrokerRegistered(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller registers a broker under a new broker epoch.

    `previous_broker_epoch` is the epoch that the broker read from its clean-shutdown marker, -1
    without one. `registered_broker_epoch` is the epoch that the controller had for it.
    """

    rank = Rank.REGISTRATION
    drawn = request("registers", to="controller")

    variant: Literal["clean_shutdown", "unclean_shutdown"] | None = None
    sources: tuple[str, ...] = ("ClusterControlManager",)
    broker_epoch: int
    previous_broker_epoch: int
    registered_broker_epoch: int


class BrokerFenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller fences a broker: its heartbeat timed out, or its controlled shutdown is
    complete."""

    rank = Rank.LIVENESS
    overtaken_by = (BrokerBooted, "broker")
    drawn = dot("fences", "warn", at="controller")

    variant: Literal["shutdown"] | None = None
    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("BrokerHeartbeatManager", "ReplicationControlManager")


class BrokerUnfenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller unfences a broker that has caught up with the metadata log.

    Variant "again": the broker's heartbeats had stopped arriving. It may not have read the latest
    records yet, because only its own registration matters.
    """

    rank = Rank.REGISTRATION
    drawn = request("unfences", to="controller")

    variant: Literal["again"] | None = None
    sources: tuple[str, ...] = ("BrokerHeartbeatManager",)


class MetadataRecordsWritten(Event, frozen=True, gc=False, kw_only=True):
    """A KRaft controller writes records to the metadata log. The log now ends at `offset`."""

    sources: tuple[str, ...] = ("ReplicationControlManager", "ClusterControlManager")
    offset: Offset
    count: int
    records: tuple[MetadataRecord, ...]


class ControllerFailed(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller fails with an exception and writes nothing: it considered `replica`, which
    is not among the partition's `replicas`, as its leader.

    It did so while it handled the registration of `broker`, a heartbeat that would unfence it, or
    an election (`broker` is null). The next controller has the same state and fails again.
    """

    rank = Rank.CONTROLLER_SURPRISE
    drawn = dot("failsWithException", "bad", at="controller")

    variant: Literal["registration", "unfencing", "election"]
    rule: str | None = "LAST-KNOWN-LEADER-KEPT"
    sources: tuple[str, ...] = ("PartitionChangeBuilder", "ReplicationControlManager")
    broker: BrokerId | None
    replica: BrokerId
    replicas: tuple[BrokerId, ...]


ReassignmentCase = Literal[
    "adding", "removing", "reordering", "replaced", "kept", "never_completes"
]


class ReassignmentStarted(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A reassignment begins, from the replicas `before` to those of `target`. It may only add or
    only remove replicas.

    Variant "reordering": a ZooKeeper controller up to 2.3 only changes their order, and waits until
    all of them are in the ISR; each return of one writes a new leader epoch. "replaced": it
    replaces the one in progress, and the replicas in `stopped` are no longer replicas. "kept": a
    KRaft controller keeps the added or removed replicas of the one in progress, so `target` may
    differ from the replicas `asked`. "never_completes": as a result, it waits for a replica that it
    also removes.
    """

    rank = Rank.INTERVENTION
    drawn = dot("assigns", at="controller", values={"replicas": "target"})
    cases = by_variant(
        kept=Case(rank=Rank.CONTROLLER_SURPRISE),
        never_completes=Case(rank=Rank.CONTROLLER_SURPRISE),
    )

    variant: ReassignmentCase | None = None
    rule: str | None = "REASSIGNMENT"
    before: tuple[BrokerId, ...]
    asked: tuple[BrokerId, ...]
    target: tuple[BrokerId, ...]
    adding: tuple[BrokerId, ...]
    removing: tuple[BrokerId, ...]
    stopped: tuple[BrokerId, ...]


class ReassignmentCancelled(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A reassignment is cancelled: the partition keeps the `replicas` that were not being added,
    and those in `stopped` are removed.

    Variant "unclean": only added replicas were in the ISR, so the ISR is now the first of the
    others, whose log may lack committed records.
    """

    rank = Rank.INTERVENTION
    drawn = dot("assigns", "warn", at="controller")
    cases = by_variant(unclean=Case(rank=Rank.CONTROLLER_SURPRISE))

    variant: Literal["unclean"] | None = None
    rule: str | None = "REASSIGNMENT"
    before: tuple[BrokerId, ...]
    replicas: tuple[BrokerId, ...]
    stopped: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]


class ReassignmentRepeated(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A reassignment that changes nothing succeeds: the partition already has the replicas `asked`,
    or is being reassigned to them.

    Variant "epoch": a ZooKeeper controller still sends every replica a new leader epoch (from 2.4).
    "kept": a KRaft controller keeps the reassignment in progress, which leads to the replicas in
    `target` instead.
    """

    rank = Rank.INTERVENTION

    variant: Literal["epoch", "kept"] | None = None
    rule: str | None = "REASSIGNMENT"
    asked: tuple[BrokerId, ...]
    target: tuple[BrokerId, ...]
    leader_epoch: LeaderEpoch


class ReassignmentDropped(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A new ZooKeeper controller does not continue a reassignment (up to 2.3): the partition keeps
    all its replicas.

    Variant "dead": a target replica is not live (up to 0.10.0). Otherwise the target replicas are
    already the assigned ones, whether or not they are in the ISR.
    """

    rank = Rank.INTERVENTION

    variant: Literal["dead"] | None = None
    rule: str | None = "KAFKA-4214"
    sources: tuple[str, ...] = ("KafkaController",)
    target: tuple[BrokerId, ...]
    replicas: tuple[BrokerId, ...]


class ReassignmentCompleted(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A reassignment is complete."""

    rank = Rank.INTERVENTION
    drawn = dot("assigns", at="controller")

    rule: str | None = "REASSIGNMENT"
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    leader: BrokerId
    leader_epoch: LeaderEpoch


class ReplicasReordered(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A partition's replicas are reordered. The first one is the preferred leader."""

    rank = Rank.ASSIGNMENT
    drawn = dot("assigns", at="controller")

    replicas: tuple[BrokerId, ...]
    leader_epoch: LeaderEpoch


class ProtocolLevelChanged(Event, frozen=True, gc=False, kw_only=True):
    """The protocol level is raised or lowered. Variant "only": no modelled rule changes.

    `name` is the setting. `opened` are the rules that apply from now on, `closed` those that no
    longer apply.
    """

    rank = Rank.INTERVENTION
    drawn = dot("changesLevel", at="controller")

    variant: Literal["raised", "raised_only", "lowered", "lowered_only"]
    rule: str | None = "PROTOCOL-LEVEL"
    sources: tuple[str, ...] = ("MetadataVersion",)
    name: str
    before: str
    level: str
    opened: tuple[str, ...]
    closed: tuple[str, ...]


class ConfigChanged(Event, frozen=True, gc=False, kw_only=True):
    """A setting changes, for one topic, for one broker or for the whole cluster (both are null)."""

    rank = Rank.INTERVENTION
    drawn = dot("setsConfig", at="controller")

    variant: Literal["topic", "broker"] | None = None
    name: str
    value: bool | int | str
    topic: str | None
    broker: BrokerId | None = None


ElectionCase = Literal[
    "clean",
    "returned",
    "preferred",
    "unclean",
    "elr",
    "last_known_leader",
    "shutdown",
    "reassigned",
]
"""How a partition gets its leader."""

ElrCase = Literal["joined", "cleared", "unclean_shutdown", "config"]
"""Why the eligible leader replicas change."""


class LeaderElected(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """The controller elects a leader. `broker` is the same as the leader; `previous_leader` is -1
    if there was none. `leader_is` is the actual state of the new leader, because the controller may
    elect a broker that it wrongly considers alive; "fenced" if it knows that the broker is not."""

    rank = Rank.ELECTION
    mark = "election"
    drawn = dot("electedLeader", "accent", at="controller")
    cases = by_variant(unclean=Case(drawn=dot("electedLeader", "bad", at="controller")))

    variant: ElectionCase
    leader: BrokerId
    previous_leader: BrokerId
    leader_epoch: LeaderEpoch
    isr: tuple[BrokerId, ...]
    elr: tuple[BrokerId, ...]
    leader_is: Literal["up", "down", "paused", "cut_off", "fenced"] = "up"


class LeaderLost(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A partition loses its leader. With eligible leader replicas the ISR may be empty; the
    controller then waits for one of them, or for the last known leader."""

    rank = Rank.NO_LEADER
    mark = "election"
    drawn = dot("nobodyLeads", "bad", at="controller")

    variant: Literal["elr", "last_known"] | None = None
    rule: str | None = "ELECTION-CLEAN"
    previous_leader: BrokerId
    leader_epoch: LeaderEpoch
    isr: tuple[BrokerId, ...]
    elr: tuple[BrokerId, ...]


class LeaderRecovered(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A leader that was elected uncleanly reports that it has recovered: RECOVERING becomes
    RECOVERED."""

    rule: str | None = "KIP-704"
    sources: tuple[str, ...] = ("KIP-704",)
    leader: BrokerId


class ElectionNotPossible(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A ZooKeeper controller finds no replica to elect; during a controlled shutdown, none other
    than the leader that is stopping."""

    rank = Rank.NO_ELECTION
    implied_by = (LeaderLost,)
    drawn = dot("notElected", "bad", at="controller")

    variant: Literal["shutdown"] | None = None
    rule: str | None = "ELECTION-CLEAN"
    sources: tuple[str, ...] = ("Election",)
    isr: tuple[BrokerId, ...]
    live: tuple[BrokerId, ...]
    leader: BrokerId


class UncleanSettingNotRead(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """Live replicas outside the ISR would be elected if this controller read
    unclean.leader.election.enable. Variant "no_request": an administrator cannot request an unclean
    election either."""

    rank = Rank.NO_ELECTION

    variant: Literal["no_request"] | None = None
    rule: str | None = "KAFKA-12670"
    sources: tuple[str, ...] = ("KAFKA-12670", "ConfigurationControlManager")
    live: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]


class EligibleLeaderReplicasChanged(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """The eligible leader replicas change. `replicas` are those that joined or left."""

    rank = Rank.ISR
    drawn = dot("elrChanges", at="controller")

    variant: ElrCase
    rule: str | None = "KIP-966"
    sources: tuple[str, ...] = ("KIP-966", "PartitionChangeBuilder", "ReplicationControlManager")
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    elr: tuple[BrokerId, ...]
    partition_epoch: int


class PreferredLeadersChecked(Event, frozen=True, gc=False, kw_only=True):
    """The controller checks for partitions whose preferred leader is available but not the leader.

    Variant "reassigning": it elects none, because a partition is being reassigned (up to 3.3).
    """

    variant: Literal["reassigning"] | None = None
    rule: str | None = "ELECTION-PREFERRED"
    sources: tuple[str, ...] = ("KafkaController",)


class UncleanLeadersChecked(Event, frozen=True, gc=False, kw_only=True):
    """The controller checks for leaderless partitions that allow an unclean election."""

    rule: str | None = "KAFKA-12670"
    sources: tuple[str, ...] = ("KAFKA-12670", "ReplicationControlManager")
