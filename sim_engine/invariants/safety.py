"""Every property, in the order in which they are shown, and the verdicts on a run so far."""

from collections.abc import Callable

from sim_engine.cluster.state import ClusterState
from sim_engine.invariants.acknowledged import no_acked_record_lost
from sim_engine.invariants.completeness import (
    leader_candidate_completeness,
    leader_completeness,
    strong_isr,
    weak_isr,
)
from sim_engine.invariants.history import History
from sim_engine.invariants.leadership import (
    leader_in_isr,
    one_leader_per_epoch,
    replication_quorum_superset,
)
from sim_engine.invariants.logs import (
    epochs_increase,
    high_watermark_within_log,
    log_matching,
    monotonic_leader_high_watermark,
)
from sim_engine.invariants.moment import Moment, PartitionMoment, moment_of
from sim_engine.invariants.reads import consistent_read
from sim_engine.invariants.verdicts import Finding, Verdict

Property = Callable[[Moment], Finding]


def _in_every_partition(check: Callable[[PartitionMoment], Finding]) -> Property:
    """The property that holds where it holds in each partition."""

    def check_all(moment: Moment) -> Finding:
        found: Finding = "not_exercised"
        for partition in moment.partitions:
            in_this = check(partition)
            if isinstance(in_this, dict):
                return in_this
            if in_this == "holds":
                found = "holds"
        return found

    return check_all


# The first three are what users of Kafka care about; a violation of another explains how they came.
PROPERTIES: tuple[tuple[str, Property], ...] = (
    ("NoAckedRecordLost", no_acked_record_lost),
    ("LogMatching", _in_every_partition(log_matching)),
    ("ConsistentRead", consistent_read),
    ("WeakIsr", _in_every_partition(weak_isr)),
    ("StrongIsr", _in_every_partition(strong_isr)),
    ("LeaderInIsr", _in_every_partition(leader_in_isr)),
    ("OneLeaderPerEpoch", _in_every_partition(one_leader_per_epoch)),
    ("HighWatermarkWithinLog", _in_every_partition(high_watermark_within_log)),
    ("MonotonicLeaderHighWatermark", _in_every_partition(monotonic_leader_high_watermark)),
    ("EpochsIncrease", _in_every_partition(epochs_increase)),
    ("LeaderCompleteness", _in_every_partition(leader_completeness)),
    ("LeaderCandidateCompleteness", _in_every_partition(leader_candidate_completeness)),
    ("ReplicationQuorumSuperset", _in_every_partition(replication_quorum_superset)),
)

PROPERTY_NAMES: tuple[str, ...] = tuple(name for name, _ in PROPERTIES)

_AT_FIRST: tuple[Verdict, ...] = tuple(
    Verdict(name, "not_exercised", None, {}) for name in PROPERTY_NAMES
)


def evaluate(
    history: History, cluster: ClusterState, frame: int, previous: tuple[Verdict, ...]
) -> tuple[Verdict, ...]:
    """The verdicts after `frame`, one a property, in the order of `PROPERTY_NAMES`.

    `history` is what `observe` gave for this very state. `previous` are the verdicts on the frame
    before, none for frame 0; where nothing is to be said anew they come back as they are.
    """
    before = previous or _AT_FIRST
    moment = moment_of(history, cluster)
    if moment is None:
        return before
    verdicts = tuple(
        _judged(verdict, check, moment, frame)
        for verdict, (_, check) in zip(before, PROPERTIES, strict=True)
    )
    if all(new is old for new, old in zip(verdicts, before, strict=True)):
        return before
    return verdicts


def _judged(verdict: Verdict, check: Property, moment: Moment, frame: int) -> Verdict:
    if verdict.status == "violated":
        return verdict
    finding = check(moment)
    if isinstance(finding, dict):
        return Verdict(verdict.name, "violated", frame, finding)
    if finding == "holds" and verdict.status == "not_exercised":
        return Verdict(verdict.name, "holds", None, {})
    return verdict
