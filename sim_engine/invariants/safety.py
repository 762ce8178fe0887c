"""All properties in display order, and their verdicts on a run so far."""

from collections.abc import Callable

from msgspec import Struct

from sim_engine.cluster.state import ClusterState
from sim_engine.invariants.acknowledged import no_acked_record_lost
from sim_engine.invariants.completeness import (
    eligible_leader_completeness,
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
from sim_engine.invariants.observation import (
    CLIENTS,
    COMMITTED,
    EPOCHS,
    FLUSHED,
    HIGH_WATERMARK,
    ISR,
    LOG,
    REGISTRATION,
    ROLE,
    Observation,
    PartitionObservation,
    change_of,
    observe,
)
from sim_engine.invariants.reads import consistent_read
from sim_engine.invariants.verdicts import PropertyResult, Verdict

Property = Callable[[Observation], PropertyResult]


def _in_every_partition(check: Callable[[PartitionObservation], PropertyResult]) -> Property:
    """Turn a check of one partition into a check of all partitions."""

    def check_all(observation: Observation) -> PropertyResult:
        found: PropertyResult = "not_exercised"
        for partition in observation.partitions:
            in_this = check(partition)
            if isinstance(in_this, dict):
                return in_this
            if in_this == "holds":
                found = "holds"
        return found

    return check_all


class Watched(Struct, frozen=True, gc=False):
    """A property: its name, its check, and the aspects of a state that it depends on.

    A property that held is not checked again while those aspects are unchanged.
    """

    name: str
    check: Property
    reads: int


# The first three matter to users of Kafka; violations of the others explain how those came about.
PROPERTIES: tuple[Watched, ...] = (
    Watched("NoAckedRecordLost", no_acked_record_lost, ROLE | REGISTRATION),
    Watched("LogMatching", _in_every_partition(log_matching), LOG | HIGH_WATERMARK | ROLE),
    Watched("ConsistentRead", consistent_read, CLIENTS),
    Watched("WeakIsr", _in_every_partition(weak_isr), LOG | HIGH_WATERMARK | ROLE | ISR),
    Watched("StrongIsr", _in_every_partition(strong_isr), LOG | COMMITTED | REGISTRATION),
    Watched("LeaderInIsr", _in_every_partition(leader_in_isr), REGISTRATION),
    Watched("OneLeaderPerEpoch", _in_every_partition(one_leader_per_epoch), ROLE),
    Watched(
        "HighWatermarkWithinLog",
        _in_every_partition(high_watermark_within_log),
        LOG | HIGH_WATERMARK | FLUSHED | ROLE,
    ),
    Watched(
        "MonotonicLeaderHighWatermark",
        _in_every_partition(monotonic_leader_high_watermark),
        HIGH_WATERMARK | ROLE,
    ),
    Watched("EpochsIncrease", _in_every_partition(epochs_increase), LOG | EPOCHS),
    Watched(
        "LeaderCompleteness",
        _in_every_partition(leader_completeness),
        LOG | COMMITTED | REGISTRATION | ROLE,
    ),
    Watched(
        "LeaderCandidateCompleteness",
        _in_every_partition(leader_candidate_completeness),
        LOG | COMMITTED | REGISTRATION,
    ),
    Watched(
        "EligibleLeaderCompleteness",
        _in_every_partition(eligible_leader_completeness),
        LOG | COMMITTED | REGISTRATION | ROLE,
    ),
    Watched(
        "ReplicationQuorumSuperset",
        _in_every_partition(replication_quorum_superset),
        REGISTRATION | ROLE | ISR,
    ),
)

PROPERTY_NAMES: tuple[str, ...] = tuple(watched.name for watched in PROPERTIES)

_AT_FIRST: tuple[Verdict, ...] = tuple(
    Verdict(name, "not_exercised", None, {}) for name in PROPERTY_NAMES
)


def evaluate(
    history: History, cluster: ClusterState, frame: int, previous: tuple[Verdict, ...]
) -> tuple[Verdict, ...]:
    """The verdicts after `frame`, one per property, in the order of `PROPERTY_NAMES`.

    `history` is the result of `observe` for this state. `previous` are the verdicts on the frame
    before, empty for frame 0; the same object is returned if nothing changed.
    """
    before = previous or _AT_FIRST
    change = change_of(history, cluster)
    aspects = change.aspects
    if not aspects:
        return before
    observation: Observation | None = None
    verdicts: list[Verdict] | None = None
    for index, watched in enumerate(PROPERTIES):
        verdict = before[index]
        status = verdict.status
        if status == "violated" or (status == "holds" and not watched.reads & aspects):
            continue
        if observation is None:
            observation = observe(history, cluster, change)
        judged = _judged(verdict, watched.check, observation, frame)
        if judged is not verdict:
            if verdicts is None:
                verdicts = list(before)
            verdicts[index] = judged
    return before if verdicts is None else tuple(verdicts)


def _judged(verdict: Verdict, check: Property, observation: Observation, frame: int) -> Verdict:
    result = check(observation)
    if isinstance(result, dict):
        return Verdict(verdict.name, "violated", frame, result)
    if result == "holds" and verdict.status == "not_exercised":
        return Verdict(verdict.name, "holds", None, {})
    return verdict
