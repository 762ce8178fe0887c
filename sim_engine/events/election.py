"""Who leads a partition, who may be elected, and why nobody is."""

from typing import Literal

from sim_engine.events.base import Event, PartitionEvent, ReplicaEvent
from sim_engine.identifiers import BrokerId, LeaderEpoch

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
    """The controller elects a leader. `broker` is that leader too; `previous_leader` is -1 where
    there was none. `leader_is` says how that broker really is: the controller elects whom it takes
    for alive."""

    variant: ElectionCase
    leader: BrokerId
    previous_leader: BrokerId
    leader_epoch: LeaderEpoch
    isr: tuple[BrokerId, ...]
    elr: tuple[BrokerId, ...]
    leader_is: Literal["up", "down", "paused", "cut_off"] = "up"


class LeaderLost(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """Nobody leads a partition any more. With eligible leader replicas its ISR may be empty; the
    controller then waits for one of these, or for the last known leader."""

    variant: Literal["elr", "last_known"] | None = None
    rule: str | None = "ELECTION-CLEAN"
    previous_leader: BrokerId
    leader_epoch: LeaderEpoch
    isr: tuple[BrokerId, ...]
    elr: tuple[BrokerId, ...]


class LeaderRecovered(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A leader that was elected uncleanly counts as RECOVERED from now on."""

    rule: str | None = "KIP-704"
    sources: tuple[str, ...] = ("KIP-704",)
    leader: BrokerId


class ElectionNotPossible(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A ZooKeeper controller finds nobody whom it may elect; at a controlled shutdown, nobody else
    than the leader that is about to stop."""

    variant: Literal["shutdown"] | None = None
    rule: str | None = "ELECTION-CLEAN"
    sources: tuple[str, ...] = ("Election",)
    isr: tuple[BrokerId, ...]
    live: tuple[BrokerId, ...]
    leader: BrokerId


class UncleanSettingNotRead(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """Live replicas outside the ISR would be elected if this controller read
    unclean.leader.election.enable; "no_request" where nobody can ask it for an election either."""

    variant: Literal["no_request"] | None = None
    rule: str | None = "KAFKA-12670"
    sources: tuple[str, ...] = ("KAFKA-12670", "ConfigurationControlManager")
    live: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]


class EligibleLeaderReplicasChanged(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """The eligible leader replicas change. `replicas` are those who joined or left them."""

    variant: ElrCase
    rule: str | None = "KIP-966"
    sources: tuple[str, ...] = (
        "KIP-966",
        "PartitionChangeBuilder",
        "ReplicationControlManager",
    )
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    elr: tuple[BrokerId, ...]
    partition_epoch: int


class PreferredLeadersChecked(Event, frozen=True, gc=False, kw_only=True):
    """The controller looks for partitions whose preferred leader could lead and does not."""

    rule: str | None = "ELECTION-PREFERRED"
    sources: tuple[str, ...] = ("KafkaController",)


class UncleanLeadersChecked(Event, frozen=True, gc=False, kw_only=True):
    """The controller looks for partitions without a leader that a replica from outside the ISR may
    lead."""

    rule: str | None = "KAFKA-12670"
    sources: tuple[str, ...] = ("KAFKA-12670", "ReplicationControlManager")
