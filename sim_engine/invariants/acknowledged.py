"""The guarantee to producers: every later leader has each acknowledged record."""

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from sim_engine.invariants.observation import Host, Observation, PartitionObservation, holds
from sim_engine.invariants.verdicts import PropertyResult, ViolationEvidence, record_evidence
from sim_engine.protocol.log.replica_log import record_at
from sim_engine.records import Record


def no_acked_record_lost(observation: Observation) -> PropertyResult:
    """Every elected leader has, at its offset, each record acknowledged with acks=all.

    Checked on the leader's log when it is elected and when it takes over. Losing a record that was
    acknowledged with acks=1 is allowed. Source: KIP-966's NoCommittedRecordLost; Kafka's guarantee
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
    """The leader just elected, and any that just took over in the controller's epoch."""
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
    assert produced.id is not None, "an acknowledged record was appended"
    assert produced.offset is not None, "an acknowledged record was appended"
    return holds(host.replica.log, produced.offset, produced.id)


def _loss(
    observation: Observation,
    partition: PartitionObservation,
    elected: Host,
    lost: list[ProducedRecord],
) -> ViolationEvidence:
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
