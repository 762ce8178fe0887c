"""Kafka's guarantees and their circumstances, against which random schedules are checked.

A violated property is a failure only if Kafka guarantees it. This module is the only list of the
exceptions and their reasons.
"""

from msgspec import Struct

from sim_engine.events import Event
from sim_engine.events.election import LeaderElected
from sim_engine.events.fetch import LateResponseAccepted
from sim_engine.events.metadata import DepositionMissed
from sim_engine.events.process import DiskLost, PowerLost
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.protocol.controller.kind import controller_kind
from sim_engine.simulation.frames import Frame
from sim_engine.versions import Profile

ALWAYS = (
    "LeaderInIsr",
    "OneLeaderPerEpoch",
    "HighWatermarkWithinLog",
    "MonotonicLeaderHighWatermark",
    "EpochsIncrease",
)
"""The properties that no fault may violate in any version, except as listed in
`_broken_by_faults`.
"""

ON_DATA = tuple(name for name in PROPERTY_NAMES if name not in ALWAYS)
"""The properties about records: guaranteed from KIP-320 on, until one of the events
below happens.
"""


class Circumstances(Struct, frozen=True):
    """The events so far in a run that can cause data loss."""

    unclean_election: bool = False
    power_lost: bool = False
    disk_lost: bool = False
    deposition_missed: bool = False
    """Whether a leader has applied several leader changes in one delivery, including another
    broker's leadership, and has not noticed it. Other deliveries of several records do not affect
    the guarantees.
    """
    old_response_applied: bool = False
    """Whether a follower has applied a response from an earlier epoch although another broker was
    leader after it. Up to 3.9.0 and in 4.0.0 this can truncate committed records (KAFKA-18991), and
    in 2.1.0 the response to an epoch lookup can (KAFKA-7786). A response from the epoch immediately
    before is harmless if the same broker was leader in both.
    """
    nobody_eligible: bool = False
    """Whether a partition has had neither an ISR nor an ELR. From KIP-966 on, the controller
    removes a broker that did not stop cleanly from both, also if its log is complete. It then
    elects the last known leader, if it knows one.
    """

    def after(self, frame: Frame) -> "Circumstances":
        """The circumstances after one more frame."""
        kinds = {type(happened) for happened in frame.events}
        return Circumstances(
            self.unclean_election or any(map(_is_unclean_election, frame.events)),
            self.power_lost or PowerLost in kinds,
            self.disk_lost or DiskLost in kinds,
            self.deposition_missed or DepositionMissed in kinds,
            self.old_response_applied or any(map(_is_of_an_older_leadership, frame.events)),
            self.nobody_eligible
            or any(
                not partition.isr and not partition.elr
                for partition in frame.cluster.controller.partitions
            ),
        )

    @property
    def harmless(self) -> bool:
        """Whether nothing has happened that replication does not protect against.

        In the specification of KIP-320, every leader notices that it is deposed. A released broker
        that reads its deposition and its next election in one delivery does not, and still counts
        followers as having records that they have truncated. The specification also discards
        responses from an earlier epoch.
        """
        lost = self.unclean_election or self.power_lost or self.disk_lost
        return not (lost or self.deposition_missed or self.old_response_applied)


def _is_unclean_election(happened: Event) -> bool:
    return isinstance(happened, LeaderElected) and happened.variant == "unclean"


def _is_of_an_older_leadership(happened: Event) -> bool:
    return (
        isinstance(happened, LateResponseAccepted) and happened.leader_epoch > happened.asked_in + 1
    )


def guaranteed(profile: Profile, circumstances: Circumstances) -> frozenset[str]:
    """The properties that this version guarantees in these circumstances."""
    if profile.family not in ("KIP320", "TOF") or not circumstances.harmless:
        return frozenset(ALWAYS) - _broken_by_faults(profile, circumstances)
    # 2.8 under KRaft: a leader that has received the response to its own shrink may propose to add
    # a replica before it reads the record of the shrink. That record has an equal epoch
    # (KAFKA-12803) and discards the pending replica. The high watermark, which the shrink itself
    # did not move (KAFKA-13091), then advances without that replica, while the controller adds it
    # to the ISR.
    reads_log = controller_kind(profile).has_metadata_log
    if reads_log and not profile.rules.partition_change_builder:
        return frozenset(ALWAYS)
    kept = frozenset((*ALWAYS, *ON_DATA))
    # Up to 3.4.0, a consumer that fetches from a follower may read records that the follower is
    # about to truncate (KAFKA-14704).
    if profile.rules.truncation_on_fetch and not profile.rules.diverging_response_is_only_that:
        kept -= {"ConsistentRead"}
    if circumstances.nobody_eligible:
        kept -= {"AckedRecordAtRisk"}
    # A KRaft leader that receives the response to one AlterPartition before it reads its record may
    # propose the next change in between. The record, with an equal partition epoch, then discards
    # the pending change (`Partition.makeLeader` skips only lower epochs). Until the leader reads
    # the next record, it waits for fewer replicas than the controller counts.
    return kept - {"ReplicationQuorumSuperset"} if reads_log else kept


def _broken_by_faults(profile: Profile, circumstances: Circumstances) -> frozenset[str]:
    """The properties other than losses that a version does not guarantee after a loss.

    In versions with epochs up to 2.0.0, a follower without an epoch in common with its leader
    truncates only by the leader's offset. It keeps its records below that offset and appends
    records of older epochs to them.
    """
    finds_the_start = profile.rules.assign_epoch_at_leader
    if profile.has_epochs and not finds_the_start and not circumstances.harmless:
        return frozenset({"EpochsIncrease"})
    return frozenset()
