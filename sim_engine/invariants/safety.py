"""All properties in display order, and their verdicts on a run so far.

The liveness properties: what a cluster must reach once its faults have stopped.

A state does not violate such a property by itself. Its check returns the evidence that its goal is
*pending* in a state, or "not_exercised" if nothing is pending. The property is violated if a state
with a pending goal does not lead to one in which nothing is pending although everything happens
that can happen (`sim_engine/exploration/targets.py`). In the specifications, that is a leads-to
(`~>`) under fairness.

No frame has a verdict of these properties, because a run that is not over has not violated them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER, BrokerId, FrameNumber
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
    FETCHED,
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
    Property,
    PropertyDocument,
    PropertyResult,
    Verdicts,
    ViolationEvidence,
    change_of,
    in_every_partition,
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
from sim_engine.protocol.controller.state import assignment_of


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
    compares: bool = False
    """Whether its check reads the state before the last action, too."""
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
    CheckedProperty("LogMatching", log_matching, LOG | HIGH_WATERMARK | ROLE | FETCHED, "outcome"),
    CheckedProperty("ConsistentRead", consistent_read, CLIENTS, "outcome", compares=True),
    CheckedProperty(
        "AckedRecordAtRisk",
        acked_record_at_risk,
        CLIENTS,
        "recovers",
        evidence_reads=CLIENTS | REGISTRATION | LOG,
    ),
    CheckedProperty("WeakIsr", weak_isr, LOG | HIGH_WATERMARK | ROLE | ISR),
    CheckedProperty("StrongIsr", strong_isr, LOG | COMMITTED | REGISTRATION),
    CheckedProperty("LeaderInIsr", leader_in_isr, REGISTRATION),
    CheckedProperty("OneLeaderPerEpoch", one_leader_per_epoch, ROLE),
    CheckedProperty(
        "HighWatermarkWithinLog", high_watermark_within_log, LOG | HIGH_WATERMARK | FLUSHED | ROLE
    ),
    CheckedProperty(
        "MonotonicLeaderHighWatermark",
        monotonic_leader_high_watermark,
        HIGH_WATERMARK | ROLE,
        of_the_step=True,
        compares=True,
    ),
    CheckedProperty("EpochsIncrease", epochs_increase, LOG | EPOCHS, compares=True),
    CheckedProperty(
        "LeaderCompleteness", leader_completeness, LOG | COMMITTED | REGISTRATION | ROLE
    ),
    CheckedProperty(
        "LeaderCandidateCompleteness", leader_candidate_completeness, LOG | COMMITTED | REGISTRATION
    ),
    CheckedProperty(
        "EligibleLeaderCompleteness",
        eligible_leader_completeness,
        LOG | COMMITTED | REGISTRATION | ROLE,
    ),
    CheckedProperty(
        "ReplicationQuorumSuperset", replication_quorum_superset, REGISTRATION | ROLE | ISR
    ),
)

PROPERTIES_BY_NAME: Mapping[str, CheckedProperty] = {
    watched.name: watched for watched in PROPERTIES
}
PROPERTY_NAMES: tuple[str, ...] = tuple(watched.name for watched in PROPERTIES)

_OF_A_STEP = tuple(watched.name for watched in PROPERTIES if watched.of_the_step)

_AT_FIRST: Verdicts = dict.fromkeys(
    PROPERTY_NAMES,
    PropertyDocument(status="not_exercised", first_frame=None, evidence={}, until_frame=None),
)


def evaluate(
    history: History, cluster: ClusterState, frame: FrameNumber, previous: Verdicts
) -> Verdicts:
    """The verdicts after `frame`, one per property, in the order of `PROPERTY_NAMES`.

    `history` is the result of `observe` for this state. `previous` are the verdicts on the frame
    before, empty for frame 0; the same object is returned if nothing changed. A property that was
    exercised once stays exercised.
    """
    before = previous or _AT_FIRST
    change = change_of(history, cluster)
    if not change.aspects and not any(before[name].is_violated_now for name in _OF_A_STEP):
        return before
    look = _Look(history, cluster, change, frame)
    verdicts: dict[str, PropertyDocument] | None = None
    aspects = change.aspects
    for watched, was in zip(PROPERTIES, before.values(), strict=True):
        # The fast path: it applies to nearly all properties in nearly every frame.
        if was.status == "holds" and not watched.reads & aspects:
            continue
        now = look.judge(watched, was)
        if now is not was:
            verdicts = verdicts or {**before}
            verdicts[watched.name] = now
    return verdicts or before


class _Look:
    """The frame being checked. The observations are computed when a property needs them."""

    def __init__(
        self, history: History, cluster: ClusterState, change: ChangedAspects, frame: FrameNumber
    ) -> None:
        self._history = history
        self._cluster = cluster
        self._change = change
        self._frame = frame

    def judge(self, watched: CheckedProperty, verdict: PropertyDocument) -> PropertyDocument:
        if verdict.first_frame is not None:
            if verdict.until_frame is None:
                return self._judge_violated(watched, verdict)
            if not watched.reads & self._change.aspects:
                return verdict
        result = watched.check(self._changed)
        if isinstance(result, dict):
            if verdict.first_frame is None:
                return replace(verdict, status="violated", first_frame=self._frame, evidence=result)
            evidence = result if watched.kind == "recovers" else verdict.evidence
            return replace(verdict, status="violated", evidence=evidence, until_frame=None)
        if result == "holds" and verdict.status == "not_exercised":
            return replace(verdict, status="holds")
        return verdict

    def _judge_violated(
        self, watched: CheckedProperty, verdict: PropertyDocument
    ) -> PropertyDocument:
        if watched.kind == "outcome":
            return self._with_later(watched, verdict)
        aspects = watched.evidence_reads or watched.reads
        if not watched.of_the_step and not aspects & self._change.aspects:
            return verdict
        # The changed partition may be correct while another one is not, so all are checked.
        for observation in (self._changed, self._whole):
            result = watched.check(observation)
            if not isinstance(result, dict):
                continue
            if watched.kind == "protocol" or result == verdict.evidence:
                return verdict
            return replace(verdict, evidence=result)
        status = "holds" if watched.kind == "recovers" else verdict.status
        return replace(verdict, status=status, until_frame=self._frame)

    def _with_later(self, watched: CheckedProperty, verdict: PropertyDocument) -> PropertyDocument:
        if watched.evidence_after is None or not watched.reads & self._change.aspects:
            return verdict
        evidence = watched.evidence_after(verdict.evidence, self._changed)
        return verdict if evidence is verdict.evidence else replace(verdict, evidence=evidence)

    @cached_property
    def _changed(self) -> Observation:
        return observation_of(self._history, self._cluster, self._change)

    @cached_property
    def _whole(self) -> Observation:
        """An observation of every partition, without the previous state."""
        return observation_of(
            replace(self._history, before=None),
            self._cluster,
            ChangedAspects(frozenset(self._cluster.partitions), EVERYTHING),
        )


# --- liveness -------------------------------------------------------------------------------------


@in_every_partition
def reassignment_completes(partition: PartitionObservation) -> PropertyResult:
    """Pending: a reassignment is in progress (KIP-455). The specification of KIP-966 calls the
    property EventuallyReassignmentCompletes.
    """
    assignment = assignment_of(partition.registration)
    if not assignment.in_progress:
        return "not_exercised"
    moved = {*assignment.adding, *assignment.removing}
    awaited = {*assignment.target} - {*partition.registration.isr}
    return _evidence(partition, sorted(moved or awaited))


@in_every_partition
def leader_elected(partition: PartitionObservation) -> PropertyResult:
    """Pending: no live broker leads, although the controller may elect one: the ISR or, with
    KIP-966, the ELR has a member, or any replica may be elected uncleanly.
    """
    registration = partition.registration
    eligible = {*registration.isr, *registration.elr}
    if partition.cluster.settings_of(partition.name).unclean_leader_election_enable:
        eligible |= {*registration.replicas}
    if partition.leader is not None or not eligible:
        return "not_exercised"
    return _evidence(partition, sorted(eligible))


@in_every_partition
def isr_is_whole(partition: PartitionObservation) -> PropertyResult:
    """Pending: the partition is under-replicated: its leader's replicas are not all in the ISR
    (`Partition.isUnderReplicated`).
    """
    registration = partition.registration
    missing = sorted({*registration.replicas} - {*registration.isr})
    if registration.leader == NO_LEADER or not missing:
        return "not_exercised"
    return _evidence(partition, missing)


def write_is_accepted_or_rejected(observation: Observation) -> PropertyResult:
    """Pending: a producer waits for the response to a record. The specification of KIP-966 calls
    the property EventuallyWriteIsAcceptedOrRejected.
    """
    for record in observation.cluster.clients.produced:
        if record.outcome == "pending" and record.acks != 0:
            return {
                "partition": record.partition,
                "replicas": [record.broker],
                "offsets": [] if record.offset is None else [record.offset],
                "records": [],
                "acked_frame": None,
            }
    return "not_exercised"


def _evidence(partition: PartitionObservation, replicas: Sequence[BrokerId]) -> ViolationEvidence:
    registration = partition.registration
    return {
        "partition": partition.name,
        "replicas": list(replicas),
        "offsets": [],
        "records": [],
        "acked_frame": None,
        "leader": registration.leader,
        "leader_epoch": registration.leader_epoch,
        "isr": list(registration.isr),
        "elr": list(registration.elr),
    }


LIVENESS: tuple[CheckedProperty, ...] = (
    CheckedProperty("EventuallyReassignmentCompletes", reassignment_completes, REGISTRATION),
    CheckedProperty("EventuallyLeaderElected", leader_elected, REGISTRATION | ROLE),
    CheckedProperty("EventuallyIsrRecovers", isr_is_whole, REGISTRATION),
    CheckedProperty("EventuallyWriteIsAcceptedOrRejected", write_is_accepted_or_rejected, CLIENTS),
)
LIVENESS_BY_NAME: Mapping[str, CheckedProperty] = {one.name: one for one in LIVENESS}
LIVENESS_NAMES: tuple[str, ...] = tuple(LIVENESS_BY_NAME)
