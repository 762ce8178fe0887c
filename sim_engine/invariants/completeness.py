"""Who must hold what is committed: members of the ISR, leaders, and whoever may lead next."""

from collections.abc import Iterable

from sim_engine.identifiers import BrokerId
from sim_engine.invariants.observation import PartitionObservation, lacking_records
from sim_engine.invariants.verdicts import Evidence, Finding, acked_frame_of, record_evidence
from sim_engine.protocol.log.replica_log import Record


def weak_isr(partition: PartitionObservation) -> Finding:
    """What the high watermark of whoever believes to lead covers is on every ISR member it knows.

    Members count up or down, by what is on their disks. Source: WeakIsr of the KIP-320
    specification, under which every leader learns that it is deposed; one that reads of it and of
    its next election in one delivery does not, and then this may fall in any release.
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


def strong_isr(partition: PartitionObservation) -> Finding:
    """Every member of the controller's ISR, up or down, has every committed record.

    Where one has not, one clean election loses it. Source: StrongIsr of the KIP-320 specification,
    with the same exception as WeakIsr.
    """
    return _complete(partition, partition.registration.isr)


def leader_completeness(partition: PartitionObservation) -> Finding:
    """The current leader has every committed record.

    Source: LeaderCompletenessProperty of the KIP-966 specification.
    """
    if partition.leader is None:
        return "not_exercised"
    return _complete(partition, (partition.leader.broker_id,))


def leader_candidate_completeness(partition: PartitionObservation) -> Finding:
    """Whoever could be elected cleanly now has every committed record.

    Candidates are the members of the controller's ISR that it may elect, and where the ISR is empty
    those of the ELR (KIP-966). Source:
    LeaderCandidateCompletenessProperty of the KIP-966 specification.
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


def eligible_leader_completeness(partition: PartitionObservation) -> Finding:
    """Every member of the ISR and of the ELR has every committed record, up or down.

    A broker that the controller strikes off as it registers, because it did not stop cleanly, is
    not asked: it cannot be elected before. Nor is one whose replica was taken away: its name may
    stay in the ELR (`PartitionChangeBuilder.maybePopulateTargetElr` does not look at the new
    replicas), and only replicas are elected. Without eligible leader replicas there is nothing to
    hold. Source: KIP-966, whose high watermark waits for min.insync.replicas for this.
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


def _complete(partition: PartitionObservation, members: Iterable[BrokerId]) -> Finding:
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
) -> Evidence:
    """Who lacks something, and everything that one of them lacks."""
    by_offset = {record.offset: record for _, lacking in incomplete for record in lacking}
    records = [by_offset[offset] for offset in sorted(by_offset)]
    return {
        "partition": partition.name,
        "replicas": [broker_id for broker_id, _ in incomplete],
        "offsets": [record.offset for record in records],
        "records": [record_evidence(record) for record in records],
        "acked_frame": acked_frame_of(records, partition.produced),
    }
