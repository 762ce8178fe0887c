"""The liveness properties: what a cluster must reach once its faults have stopped.

A state does not violate such a property by itself. Its check returns the evidence that its goal is
*pending* in a state, or "not_exercised" if nothing is pending. The property is violated if a state
with a pending goal does not lead to one in which nothing is pending although everything happens
that can happen (`sim_engine/exploration/continuation.py`). In the specifications, that is a
leads-to (`~>`) under fairness.

No frame has a verdict of these properties, because a run that is not over has not violated them.
"""

from collections.abc import Mapping, Sequence

from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.invariants.observation import (
    CLIENTS,
    REGISTRATION,
    ROLE,
    Observation,
    PartitionObservation,
    in_every_partition,
)
from sim_engine.invariants.safety import CheckedProperty
from sim_engine.invariants.verdicts import PropertyResult, ViolationEvidence
from sim_engine.protocol.controller.state import assignment_of


@in_every_partition
def reassignment_completes(partition: PartitionObservation) -> PropertyResult:
    """Pending: a reassignment is in progress (KIP-455). The specification of KIP-966 calls the
    property EventuallyReassignmentCompletes.
    """
    assignment = assignment_of(partition.registration)
    if not assignment.in_progress:
        return "not_exercised"
    return _evidence(partition, sorted({*assignment.adding, *assignment.removing}))


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
