"""Leader elections: which replica is elected, which ones are eligible, and why no leader is
elected.
"""

from typing import Literal

from sim_engine.events.base import Event, PartitionEvent, ReplicaEvent
from sim_engine.events.telling import Case, Rank, by_variant, dot
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
