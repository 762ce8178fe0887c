"""Which replicas must have the committed records: ISR members, leaders and possible leaders."""

from collections.abc import Iterable

from sim_engine.identifiers import BrokerId
from sim_engine.invariants.observation import PartitionObservation, lacking_records
from sim_engine.invariants.verdicts import (
    PropertyResult,
    ViolationEvidence,
    acked_frame_of,
    record_evidence,
)
from sim_engine.records import Record


def weak_isr(partition: PartitionObservation) -> PropertyResult:
    """Every member of a leader's ISR has all records below that leader's high watermark.

    This covers every broker that believes it is the leader, and the ISR as that broker knows it.
    Members that are down are checked too, by what is on their disks. Source: WeakIsr of the KIP-320
    specification, in which every leader learns that it was deposed. A leader that reads of its
    deposition and of its next election in one delivery does not, so any release can violate this.
    """
    exercised = False
    for leader in partition.hosts:
        leading = leader.replica.leading
        if leading is None or not leader.broker.alive:
            continue
        if leader.replica.high_watermark <= leader.replica.log.log_start_offset:
            continue
        exercised = True
        incomplete: list[tuple[BrokerId, tuple[Record, ...]]] = []
        for member in partition.hosts:
            if member.broker_id == leader.broker_id or member.broker_id not in leading.isr:
                continue
            lacking = lacking_records(
                member.replica.log, leader.replica.log, leader.replica.high_watermark
            )
            if lacking:
                incomplete.append((member.broker_id, lacking))
        if incomplete:
            return _incomplete(partition, incomplete) | {
                "broker": leader.broker_id,
                "leader_epoch": leader.replica.leader_epoch,
                "high_watermark": leader.replica.high_watermark,
                "isr": list(leading.isr),
            }
    return "holds" if exercised else "not_exercised"


def strong_isr(partition: PartitionObservation) -> PropertyResult:
    """Every member of the controller's ISR, up or down, has every committed record.

    Otherwise one clean election can lose a committed record. Source: StrongIsr of the KIP-320
    specification, with the same exception as WeakIsr.
    """
    return _complete(partition, partition.registration.isr)


def leader_completeness(partition: PartitionObservation) -> PropertyResult:
    """The current leader has every committed record.

    Source: LeaderCompletenessProperty of the KIP-966 specification.
    """
    if partition.leader is None:
        return "not_exercised"
    return _complete(partition, (partition.leader.broker_id,))


def leader_candidate_completeness(partition: PartitionObservation) -> PropertyResult:
    """Every replica that a clean election could choose now has every committed record.

    The candidates are the members of the controller's ISR that it may elect or, if the ISR is
    empty, those of the ELR (KIP-966). Source: LeaderCandidateCompletenessProperty of the KIP-966
    specification.
    """
    registration = partition.registration
    return _complete(
        partition,
        [
            broker_id
            for broker_id in registration.isr or registration.elr
            if broker_id in partition.active and broker_id in registration.replicas
        ],
    )


def eligible_leader_completeness(partition: PartitionObservation) -> PropertyResult:
    """Every member of the ISR and of the ELR has every committed record, up or down.

    Two kinds of brokers are not checked. The controller removes a broker that did not shut down
    cleanly when it registers, and cannot elect it before that. A broker whose replica was removed
    may stay in the ELR (`PartitionChangeBuilder.maybePopulateTargetElr` does not check the new
    replicas), but only replicas are elected. Not exercised without eligible leader replicas.
    Source: KIP-966; this is why its high watermark waits for min.insync.replicas.
    """
    if not partition.profile.rules.eligible_leader_replicas:
        return "not_exercised"
    registration = partition.registration
    eligible = [
        broker_id
        for broker_id in (*registration.isr, *registration.elr)
        if broker_id in registration.replicas
        and broker_id not in partition.struck_off_as_they_register
    ]
    found = _complete(partition, eligible)
    return found | {"elr": list(registration.elr)} if isinstance(found, dict) else found


def _complete(partition: PartitionObservation, members: Iterable[BrokerId]) -> PropertyResult:
    if not partition.committed.records:
        return "not_exercised"
    incomplete = [
        (broker_id, lacking)
        for broker_id in members
        if (host := partition.host(broker_id)) is not None and (lacking := partition.lacking(host))
    ]
    if not incomplete:
        return "holds"
    return _incomplete(partition, incomplete) | {
        "leader": partition.registration.leader,
        "leader_epoch": partition.registration.leader_epoch,
        "high_watermark": partition.committed.log_end_offset,
        "isr": list(partition.registration.isr),
    }


def _incomplete(
    partition: PartitionObservation, incomplete: list[tuple[BrokerId, tuple[Record, ...]]]
) -> ViolationEvidence:
    """The brokers that lack a record, and every record that at least one of them lacks."""
    by_offset = {record.offset: record for _, lacking in incomplete for record in lacking}
    records = [by_offset[offset] for offset in sorted(by_offset)]
    return {
        "partition": partition.name,
        "replicas": [broker_id for broker_id, _ in incomplete],
        "offsets": [record.offset for record in records],
        "records": [record_evidence(record) for record in records],
        "acked_frame": acked_frame_of(records, partition.produced),
    }
