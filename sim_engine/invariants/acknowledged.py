"""The guarantee to producers, about records acknowledged with acks=all."""

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from sim_engine.invariants.fates import brokers_that_hold, clean_candidates
from sim_engine.invariants.observation import Observation
from sim_engine.invariants.verdicts import PropertyResult, ViolationEvidence, record_evidence
from sim_engine.protocol.log.replica_log import record_at
from sim_engine.records import Record


def no_acked_record_lost(observation: Observation) -> PropertyResult:
    """No record that was acknowledged with acks=all is lost.

    It is lost when no replica has it any more, running or down, or when another record is committed
    at its offset. Losing a record that was acknowledged with acks=1 is allowed. Source: KIP-966's
    NoCommittedRecordLost; Kafka's guarantee for acks=all.
    """
    produced = observation.cluster.clients.produced
    lost = [record for record in produced if record.fate == "lost" and record.acks == "all"]
    return _none_of(observation, lost)


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


def _none_of(observation: Observation, found: list[ProducedRecord]) -> PropertyResult:
    if found:
        return _evidence(observation, found)
    produced = observation.cluster.clients.produced
    is_promised = any(record.acks == "all" and record.outcome == "acked" for record in produced)
    return "holds" if is_promised else "not_exercised"


def _evidence(observation: Observation, found: list[ProducedRecord]) -> ViolationEvidence:
    """The evidence: the records of the first partition among these, and the replicas that lack
    them.
    """
    partition = found[0].partition
    here = sorted(
        {produced.id: produced for produced in found if produced.partition == partition}.values(),
        key=lambda produced: (produced.offset, produced.request),
    )
    cluster = observation.cluster
    registration = cluster.controller.partition(partition)
    leads = registration.leader != NO_LEADER
    lacking = (registration.leader,) if leads else clean_candidates(registration)
    offsets = [produced.offset for produced in here if produced.offset is not None]
    evidence: ViolationEvidence = {
        "partition": partition,
        "replicas": list(lacking),
        "offsets": offsets,
        "records": [record_evidence(_as_record(observation, produced)) for produced in here],
        "acked_frame": min(
            (produced.acked_frame for produced in here if produced.acked_frame is not None),
            default=None,
        ),
        "broker": here[0].broker,
        "leader": registration.leader,
        "leader_epoch": registration.leader_epoch,
        "found": [],
        "holders": sorted(
            {broker for produced in here for broker in brokers_that_hold(cluster, produced)}
        ),
    }
    if leads:
        log = cluster.replica(registration.leader, partition).log
        instead = (record_at(log, offset) for offset in offsets)
        evidence["log_end_offset"] = log.log_end_offset
        evidence["found"] = [record_evidence(record) for record in instead if record is not None]
    return evidence


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
