"""The guarantee to producers, about records acknowledged with acks=all."""

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER, Offset, TopicPartition
from sim_engine.invariants.fates import brokers_that_hold, clean_candidates
from sim_engine.invariants.observation import Observation
from sim_engine.invariants.verdicts import (
    PropertyResult,
    RecordEvidence,
    ViolationEvidence,
    record_evidence,
)
from sim_engine.protocol.log import record_at
from sim_engine.records import Record


def no_acked_record_lost(observation: Observation) -> PropertyResult:
    """No record that was acknowledged with acks=all is lost.

    It is lost when no replica has it any more, running or down, or when another record is committed
    at its offset. Losing a record that was acknowledged with acks=1 is allowed. Source: KIP-966's
    NoCommittedRecordLost; Kafka's guarantee for acks=all.
    """
    return _none_of(observation, _lost(observation.cluster))


def with_later_losses(evidence: ViolationEvidence, observation: Observation) -> ViolationEvidence:
    """The evidence of the first loss, with the records that were lost since; the same object if
    none was. The replicas and the leader are those of the first loss.
    """
    elsewhere = evidence.get("elsewhere", {})
    named = {evidence["partition"]: evidence["records"], **elsewhere}
    known = {(partition, one["id"]) for partition, records in named.items() for one in records}
    later = [one for one in _lost(observation.cluster) if (one.partition, one.id) not in known]
    if not later:
        return evidence
    added = _by_partition(observation, later)
    records = _in_order([*evidence["records"], *added.pop(evidence["partition"], [])])
    acked = [one.acked_frame for one in later if one.partition == evidence["partition"]]
    grown: ViolationEvidence = {
        **evidence,
        "records": records,
        "offsets": _offsets(records),
        "acked_frame": min(
            (frame for frame in (evidence["acked_frame"], *acked) if frame is not None),
            default=None,
        ),
    }
    if elsewhere or added:
        grown["elsewhere"] = {
            partition: _in_order([*elsewhere.get(partition, []), *added.get(partition, [])])
            for partition in sorted({*elsewhere, *added})
        }
    return grown


def acked_record_at_risk(observation: Observation) -> PropertyResult:
    """No record that was acknowledged with acks=all is at risk.

    It is at risk while the leader according to the controller does not have it at its offset. If
    there is no leader, it is at risk while no replica that could be elected cleanly has it: no
    member of the controller's ISR or, with KIP-966, its ELR, up or down. Another election can end
    this.
    """
    clients = observation.cluster.clients
    at_risk = [clients.produced[request] for request in clients.at_risk]
    return _none_of(observation, [produced for produced in at_risk if produced.acks == "all"])


def _lost(cluster: ClusterState) -> list[ProducedRecord]:
    return [
        record
        for record in cluster.clients.produced
        if record.fate == "lost" and record.acks == "all"
    ]


def _none_of(observation: Observation, found: list[ProducedRecord]) -> PropertyResult:
    if found:
        return _evidence(observation, found)
    produced = observation.cluster.clients.produced
    is_promised = any(record.acks == "all" and record.outcome == "acked" for record in produced)
    return "holds" if is_promised else "not_exercised"


def _evidence(observation: Observation, found: list[ProducedRecord]) -> ViolationEvidence:
    """The evidence: the records of the first partition among these and the replicas that lack them,
    and the records of the other partitions.
    """
    partition = found[0].partition
    here = [produced for produced in found if produced.partition == partition]
    elsewhere = _by_partition(observation, found)
    records = elsewhere.pop(partition)
    offsets = _offsets(records)
    cluster = observation.cluster
    registration = cluster.controller.partition(partition)
    leads = registration.leader != NO_LEADER
    lacking = (registration.leader,) if leads else clean_candidates(registration)
    evidence: ViolationEvidence = {
        "partition": partition,
        "replicas": list(lacking),
        "offsets": offsets,
        "records": records,
        "acked_frame": min(
            (produced.acked_frame for produced in here if produced.acked_frame is not None),
            default=None,
        ),
        "broker": min(here, key=lambda produced: (produced.offset, produced.request)).broker,
        "leader": registration.leader,
        "leader_epoch": registration.leader_epoch,
        "found": [],
        "holders": sorted(
            {broker for produced in here for broker in brokers_that_hold(cluster, produced)}
        ),
    }
    if elsewhere:
        evidence["elsewhere"] = elsewhere
    if leads:
        log = cluster.replica(registration.leader, partition).log
        instead = (record_at(log, offset) for offset in offsets)
        evidence["log_end_offset"] = log.log_end_offset
        evidence["found"] = [record_evidence(record) for record in instead if record is not None]
    return evidence


def _by_partition(
    observation: Observation, found: list[ProducedRecord]
) -> dict[TopicPartition, list[RecordEvidence]]:
    """The records by partition, in the order of their offsets. A retry is the same record."""
    unique = {(produced.partition, produced.id): produced for produced in found}.values()
    return {
        partition: _in_order(
            [
                record_evidence(_as_record(observation, produced))
                for produced in unique
                if produced.partition == partition
            ]
        )
        for partition in sorted({produced.partition for produced in unique})
    }


def _in_order(records: list[RecordEvidence]) -> list[RecordEvidence]:
    return sorted(records, key=lambda record: record["offset"])


def _offsets(records: list[RecordEvidence]) -> list[Offset]:
    return sorted({record["offset"] for record in records})


def _as_record(observation: Observation, produced: ProducedRecord) -> Record:
    """The record as it is, or last was, in some log; epoch `None` if it never was in one."""
    assert produced.id is not None, "an acknowledged record was appended"
    assert produced.offset is not None, "an acknowledged record was appended"
    for cluster in (observation.cluster, observation.before):
        found = None if cluster is None else _find(cluster, produced)
        if found is not None:
            return found
    return Record(produced.offset, None, produced.value, produced.id)


def _find(cluster: ClusterState, produced: ProducedRecord) -> Record | None:
    assert produced.offset is not None, "an acknowledged record was appended"
    for broker in cluster.brokers:
        replica = broker.replica(produced.partition)
        record = None if replica is None else record_at(replica.log, produced.offset)
        if record is not None and record.id == produced.id:
            return record
    return None
