"""What Kafka promises in which circumstances, so that a random schedule may be held to it.

A violated property is a failure only where Kafka guarantees it. What it does not keep, and why, is
said here and nowhere else.
"""

from msgspec import Struct

from sim_engine.events import Event
from sim_engine.events.election import LeaderElected
from sim_engine.events.fetch import LateAnswerTaken
from sim_engine.events.metadata import DepositionMissed
from sim_engine.events.process import DiskLost, PowerLost
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.protocol.controller.kind import controller_kind
from sim_engine.simulation.timeline import Frame
from sim_engine.versions import Profile

ALWAYS = (
    "LeaderInIsr",
    "OneLeaderPerEpoch",
    "HighWatermarkWithinLog",
    "MonotonicLeaderHighWatermark",
    "EpochsIncrease",
)
"""What no fault may break, in any version but for what `_broken_by_faults` says."""

ON_DATA = tuple(name for name in PROPERTY_NAMES if name not in ALWAYS)
"""What is about records: kept from KIP-320 on, until something below happens that breaks it."""


class Circumstances(Struct, frozen=True):
    """What of all that can cost data has happened in a run so far."""

    unclean_election: bool = False
    power_lost: bool = False
    disk_lost: bool = False
    deposition_missed: bool = False
    """Whether a leader has applied several leader changes in one delivery, another broker's
    leadership among them, and never heard of that one. A delivery of several records in which
    nobody was deposed unawares lifts no promise."""
    old_answer_applied: bool = False
    """A follower has done what its leader answered in an epoch after which another one led. Up to
    3.9.0 and in 4.0.0 that can cut what is committed (KAFKA-18991), and in 2.1.0 the answer to a
    lookup can (KAFKA-7786). An answer of the epoch right before is as good as one of now: the same
    broker led in both."""

    def after(self, frame: Frame) -> "Circumstances":
        """The circumstances with one frame more."""
        kinds = {type(happened) for happened in frame.events}
        return Circumstances(
            self.unclean_election or any(map(_is_unclean_election, frame.events)),
            self.power_lost or PowerLost in kinds,
            self.disk_lost or DiskLost in kinds,
            self.deposition_missed or DepositionMissed in kinds,
            self.old_answer_applied or any(map(_is_of_an_older_leadership, frame.events)),
        )

    @property
    def harmless(self) -> bool:
        """Whether nothing has happened against which replication does not protect.

        The model of KIP-320 has every leader notice that it is deposed; a released broker that
        reads of it and of its next election together does not, and counts followers with records
        that they have cut. The model also drops an answer of an earlier epoch.
        """
        lost = self.unclean_election or self.power_lost or self.disk_lost
        return not (lost or self.deposition_missed or self.old_answer_applied)


def _is_unclean_election(happened: Event) -> bool:
    return isinstance(happened, LeaderElected) and happened.variant == "unclean"


def _is_of_an_older_leadership(happened: Event) -> bool:
    return isinstance(happened, LateAnswerTaken) and happened.leader_epoch > happened.asked_in + 1


def promised(profile: Profile, circumstances: Circumstances) -> frozenset[str]:
    """The properties that this version keeps after what has happened."""
    if profile.family not in ("KIP320", "TOF") or not circumstances.harmless:
        return frozenset(ALWAYS) - _broken_by_faults(profile, circumstances)
    # 2.8 under KRaft: a leader that has heard of its own shrink may let somebody join before it
    # reads the record of it. That record, of an equal epoch (KAFKA-12803), drops who is about to
    # join, and the high watermark, which the shrink itself left alone (KAFKA-13091), then moves
    # without him, while the controller takes him into the ISR.
    reads_log = controller_kind(profile).has_metadata_log
    if reads_log and not profile.rules.partition_change_builder:
        return frozenset(ALWAYS)
    kept = frozenset((*ALWAYS, *ON_DATA))
    # Up to 3.4.0 who reads from a follower may be shown what it is about to cut (KAFKA-14704).
    if profile.rules.truncation_on_fetch and not profile.rules.diverging_response_is_only_that:
        kept -= {"ConsistentRead"}
    # A KRaft leader that hears the answer to one AlterPartition before it reads the record of it
    # may propose the next change in between. The record, of an equal partition epoch, then drops
    # what is pending (`Partition.makeLeader` skips only lower ones), and until it reads the next
    # record the leader waits for fewer replicas than the controller counts.
    return kept - {"ReplicationQuorumSuperset"} if reads_log else kept


def _broken_by_faults(profile: Profile, circumstances: Circumstances) -> frozenset[str]:
    """What a version does not keep once a loss has happened, though it is not about losses.

    With epochs and up to 2.0.0 a follower that has no epoch in common with its leader truncates by
    the leader's offset alone. It keeps its records below that, and appends older epochs to them.
    """
    finds_the_start = profile.rules.assign_epoch_at_leader
    if profile.has_epochs and not finds_the_start and not circumstances.harmless:
        return frozenset({"EpochsIncrease"})
    return frozenset()
