"""All properties in display order, and their verdicts on a run so far."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants.clients import (
    acked_record_at_risk,
    consistent_read,
    no_acked_record_lost,
    with_later_losses,
)
from sim_engine.invariants.observation import (
    CLIENTS,
    COMMITTED,
    EPOCHS,
    EVERYTHING,
    FLUSHED,
    HIGH_WATERMARK,
    ISR,
    LOG,
    REGISTRATION,
    ROLE,
    ChangedAspects,
    History,
    Observation,
    PartitionObservation,
    change_of,
    observation_of,
)
from sim_engine.invariants.replication import (
    eligible_leader_completeness,
    epochs_increase,
    high_watermark_within_log,
    leader_candidate_completeness,
    leader_completeness,
    leader_in_isr,
    log_matching,
    monotonic_leader_high_watermark,
    one_leader_per_epoch,
    replication_quorum_superset,
    strong_isr,
    weak_isr,
)
from sim_engine.invariants.verdicts import PropertyResult, Verdict, ViolationEvidence

Property = Callable[[Observation], PropertyResult]


def _in_every_partition(check: Callable[[PartitionObservation], PropertyResult]) -> Property:
    """Turn a check of one partition into a check of all partitions."""

    def check_all(observation: Observation) -> PropertyResult:
        result: PropertyResult = "not_exercised"
        for partition in observation.partitions:
            in_this = check(partition)
            if isinstance(in_this, dict):
                return in_this
            if in_this == "holds":
                result = "holds"
        return result

    return check_all


class CheckedProperty(Struct, frozen=True, gc=False):
    """A property: its name, its check, and the aspects of a state that it depends on.

    A property that held is not checked again while those aspects are unchanged. A property about an
    outcome, such as a loss, stays violated and is not checked again; its evidence may grow. A
    property that recovers returns to "holds". All others stay violated, and `until_frame` is the
    first frame in which the state no longer violates them.
    """

    name: str
    check: Property
    reads: int
    kind: Literal["outcome", "recovers", "protocol"] = "protocol"
    of_the_step: bool = False
    """Whether it is about a transition between two states, so that it is violated only in that
    frame.
    """
    evidence_reads: int = 0
    """The aspects that its evidence depends on while it is violated, if there are more."""
    evidence_after: Callable[[ViolationEvidence, Observation], ViolationEvidence] | None = None
    """For an outcome: the evidence with what happened later; the same object if nothing did."""


# The first three matter to users of Kafka; violations of the others explain their causes.
PROPERTIES: tuple[CheckedProperty, ...] = (
    CheckedProperty(
        "NoAckedRecordLost",
        no_acked_record_lost,
        CLIENTS,
        "outcome",
        evidence_after=with_later_losses,
    ),
    CheckedProperty(
        "LogMatching", _in_every_partition(log_matching), LOG | HIGH_WATERMARK | ROLE, "outcome"
    ),
    CheckedProperty("ConsistentRead", consistent_read, CLIENTS, "outcome"),
    CheckedProperty(
        "AckedRecordAtRisk",
        acked_record_at_risk,
        CLIENTS,
        "recovers",
        evidence_reads=CLIENTS | REGISTRATION | LOG,
    ),
    CheckedProperty("WeakIsr", _in_every_partition(weak_isr), LOG | HIGH_WATERMARK | ROLE | ISR),
    CheckedProperty("StrongIsr", _in_every_partition(strong_isr), LOG | COMMITTED | REGISTRATION),
    CheckedProperty("LeaderInIsr", _in_every_partition(leader_in_isr), REGISTRATION),
    CheckedProperty("OneLeaderPerEpoch", _in_every_partition(one_leader_per_epoch), ROLE),
    CheckedProperty(
        "HighWatermarkWithinLog",
        _in_every_partition(high_watermark_within_log),
        LOG | HIGH_WATERMARK | FLUSHED | ROLE,
    ),
    CheckedProperty(
        "MonotonicLeaderHighWatermark",
        _in_every_partition(monotonic_leader_high_watermark),
        HIGH_WATERMARK | ROLE,
        of_the_step=True,
    ),
    CheckedProperty("EpochsIncrease", _in_every_partition(epochs_increase), LOG | EPOCHS),
    CheckedProperty(
        "LeaderCompleteness",
        _in_every_partition(leader_completeness),
        LOG | COMMITTED | REGISTRATION | ROLE,
    ),
    CheckedProperty(
        "LeaderCandidateCompleteness",
        _in_every_partition(leader_candidate_completeness),
        LOG | COMMITTED | REGISTRATION,
    ),
    CheckedProperty(
        "EligibleLeaderCompleteness",
        _in_every_partition(eligible_leader_completeness),
        LOG | COMMITTED | REGISTRATION | ROLE,
    ),
    CheckedProperty(
        "ReplicationQuorumSuperset",
        _in_every_partition(replication_quorum_superset),
        REGISTRATION | ROLE | ISR,
    ),
)

PROPERTY_NAMES: tuple[str, ...] = tuple(watched.name for watched in PROPERTIES)

_OF_A_STEP = tuple(index for index, watched in enumerate(PROPERTIES) if watched.of_the_step)

_AT_FIRST: tuple[Verdict, ...] = tuple(
    Verdict(name, "not_exercised", None, {}) for name in PROPERTY_NAMES
)


def evaluate(
    history: History, cluster: ClusterState, frame: FrameNumber, previous: tuple[Verdict, ...]
) -> tuple[Verdict, ...]:
    """The verdicts after `frame`, one per property, in the order of `PROPERTY_NAMES`.

    `history` is the result of `observe` for this state. `previous` are the verdicts on the frame
    before, empty for frame 0; the same object is returned if nothing changed.
    """
    before = previous or _AT_FIRST
    change = change_of(history, cluster)
    if not change.aspects and not _is_over(before):
        return before
    look = _Look(history, cluster, change, frame)
    verdicts: list[Verdict] | None = None
    aspects = change.aspects
    for index, watched in enumerate(PROPERTIES):
        was = before[index]
        # The fast path: it applies to nearly all properties in nearly every frame.
        if was.status == "holds" and not watched.reads & aspects:
            continue
        now = look.judge(watched, was)
        if now is not was:
            verdicts = verdicts or list(before)
            verdicts[index] = now
    return before if verdicts is None else tuple(verdicts)


def _is_over(verdicts: tuple[Verdict, ...]) -> bool:
    """Whether a property that is about one step was violated by the step before."""
    return any(verdicts[index].is_violated_now for index in _OF_A_STEP)


class _Look:
    """The frame being checked. The observation is computed when the first property needs it."""

    def __init__(
        self, history: History, cluster: ClusterState, change: ChangedAspects, frame: FrameNumber
    ) -> None:
        self._history = history
        self._cluster = cluster
        self._change = change
        self._frame = frame
        self._changed: Observation | None = None
        self._whole: Observation | None = None

    def judge(self, watched: CheckedProperty, verdict: Verdict) -> Verdict:
        if verdict.first_frame is not None:
            if verdict.until_frame is None:
                return self._judge_violated(watched, verdict)
            if not watched.reads & self._change.aspects:
                return verdict
        result = watched.check(self._observe_changed())
        if isinstance(result, dict):
            if verdict.first_frame is None:
                return Verdict(verdict.name, "violated", self._frame, result)
            evidence = result if watched.kind == "recovers" else verdict.evidence
            return replace(verdict, status="violated", evidence=evidence, until_frame=None)
        if result == "holds" and verdict.status == "not_exercised":
            return Verdict(verdict.name, "holds", None, {})
        return verdict

    def _judge_violated(self, watched: CheckedProperty, verdict: Verdict) -> Verdict:
        if watched.kind == "outcome":
            return self._with_later(watched, verdict)
        aspects = watched.evidence_reads or watched.reads
        if not watched.of_the_step and not aspects & self._change.aspects:
            return verdict
        # The changed partition may be correct while another one is not, so all are checked.
        for observation in (self._observe_changed(), self._observe_whole()):
            result = watched.check(observation)
            if not isinstance(result, dict):
                continue
            if watched.kind == "protocol" or result == verdict.evidence:
                return verdict
            return replace(verdict, evidence=result)
        status = "holds" if watched.kind == "recovers" else verdict.status
        return replace(verdict, status=status, until_frame=self._frame)

    def _with_later(self, watched: CheckedProperty, verdict: Verdict) -> Verdict:
        if watched.evidence_after is None or not watched.reads & self._change.aspects:
            return verdict
        evidence = watched.evidence_after(verdict.evidence, self._observe_changed())
        return verdict if evidence is verdict.evidence else replace(verdict, evidence=evidence)

    def _observe_changed(self) -> Observation:
        if self._changed is None:
            self._changed = observation_of(self._history, self._cluster, self._change)
        return self._changed

    def _observe_whole(self) -> Observation:
        """An observation of every partition, without the previous state."""
        if self._whole is None:
            self._whole = observation_of(
                replace(self._history, before=None),
                self._cluster,
                ChangedAspects(frozenset(self._cluster.partitions), EVERYTHING),
            )
        return self._whole
