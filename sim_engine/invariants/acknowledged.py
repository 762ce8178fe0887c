"""What a producer was promised: an acknowledged record is there whoever leads next."""

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from sim_engine.invariants.observation import Host, Observation, PartitionObservation, holds
from sim_engine.invariants.verdicts import Evidence, Finding, record_evidence
from sim_engine.protocol.log.replica_log import Record, record_at


def no_acked_record_lost(observation: Observation) -> Finding:
    """Whoever is elected holds, at its offset, every record acknowledged with acks=all.

    Looked at when a leader is elected and when it takes over, on its log as it is then. Losing what
    was acknowledged with acks=1 is legal. Source: KIP-966's NoCommittedRecordLost; Kafka's promise
    for acks=all.
    """
    for partition in observation.partitions:
        for elected in _newly_elected(partition):
            lost = [
                produced
                for produced in observation.cluster.clients.produced
                if produced.partition == partition.name
                and _is_promised(produced)
                and not _stands_on(produced, elected)
            ]
            if lost:
                return _loss(observation, partition, elected, lost)
    if any(_is_promised(produced) for produced in observation.cluster.clients.produced):
        return "holds"
    return "not_exercised"


def _newly_elected(partition: PartitionObservation) -> tuple[Host, ...]:
    """Whom the controller just elected, and who just began to lead in the controller's epoch."""
    now, was = partition.registration, partition.registration_before
    if was is None or now.leader == NO_LEADER:
        return ()
    chosen = (
        now.leader
        if now.leader_epoch != was.leader_epoch and now.leader != was.leader
        else NO_LEADER
    )
    return tuple(
        host
        for host in partition.hosts
        if host.broker_id == chosen
        or (
            host.replica.leading is not None
            and host.replica.leader_epoch == now.leader_epoch
            and host.replica_before is not None
            and host.replica_before.leading is None
        )
    )


def _is_promised(produced: ProducedRecord) -> bool:
    return produced.outcome == "acked" and produced.acks == "all"


def _stands_on(produced: ProducedRecord, host: Host) -> bool:
    assert produced.id is not None, "what was acknowledged was appended"
    assert produced.offset is not None, "what was acknowledged was appended"
    return holds(host.replica.log, produced.offset, produced.id)


def _loss(
    observation: Observation,
    partition: PartitionObservation,
    elected: Host,
    lost: list[ProducedRecord],
) -> Evidence:
    first = min(lost, key=lambda produced: (produced.acked_frame or 0, produced.request))
    offsets = sorted(produced.offset for produced in lost if produced.offset is not None)
    instead = (record_at(elected.replica.log, offset) for offset in offsets)
    return {
        "partition": partition.name,
        "replicas": [elected.broker_id],
        "offsets": offsets,
        "records": [
            record_evidence(_as_record(observation, produced))
            for produced in sorted(lost, key=lambda produced: (produced.offset, produced.request))
        ],
        "acked_frame": first.acked_frame,
        "broker": first.broker,
        "leader_epoch": partition.registration.leader_epoch,
        "log_end_offset": elected.replica.log_end_offset,
        "found": [record_evidence(record) for record in instead if record is not None],
    }


def _as_record(observation: Observation, produced: ProducedRecord) -> Record:
    """The record as it stands on some log, or last stood; its epoch is unknown where on none."""
    assert produced.id is not None, "what was acknowledged was appended"
    assert produced.offset is not None, "what was acknowledged was appended"
    for cluster in (observation.cluster, observation.before):
        found = None if cluster is None else _find(cluster, produced)
        if found is not None:
            return found
    return Record(produced.offset, None, produced.value, produced.id)


def _find(cluster: ClusterState, produced: ProducedRecord) -> Record | None:
    assert produced.offset is not None, "what was acknowledged was appended"
    for broker in cluster.brokers:
        replica = broker.replica(produced.partition)
        record = None if replica is None else record_at(replica.log, produced.offset)
        if record is not None and record.id == produced.id:
            return record
    return None
