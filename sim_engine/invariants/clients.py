"""Properties that clients rely on: a record acknowledged with acks=all is kept, and consumers see a
single history, without gaps.
"""

from typing import Literal

from sim_engine.cluster.state import Client, Clients, ClusterState, ConsumedRecord, ProducedRecord
from sim_engine.identifiers import (
    FIRST_OFFSET,
    NO_LEADER,
    BrokerId,
    Offset,
    TopicPartition,
    offset_after,
    offsets_between,
)
from sim_engine.invariants.fates import brokers_that_hold, clean_candidates
from sim_engine.invariants.observation import (
    Observation,
    PropertyResult,
    RecordEvidence,
    ViolationEvidence,
    record_evidence,
)
from sim_engine.protocol.log import ReplicaLog, hidden_offsets, record_at
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


def _none_of(observation: Observation, records: list[ProducedRecord]) -> PropertyResult:
    if records:
        return _loss_evidence(observation, records)
    produced = observation.cluster.clients.produced
    is_promised = any(record.acks == "all" and record.outcome == "acked" for record in produced)
    return "holds" if is_promised else "not_exercised"


def _loss_evidence(observation: Observation, unsafe: list[ProducedRecord]) -> ViolationEvidence:
    """The evidence: the records of the first partition among these and the replicas that lack them,
    and the records of the other partitions.
    """
    partition = unsafe[0].partition
    here = [produced for produced in unsafe if produced.partition == partition]
    elsewhere = _by_partition(observation, unsafe)
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
    observation: Observation, records: list[ProducedRecord]
) -> dict[TopicPartition, list[RecordEvidence]]:
    """The records by partition, in the order of their offsets. A retry is the same record."""
    unique = {(produced.partition, produced.id): produced for produced in records}.values()
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
    for cluster in filter(None, (observation.cluster, observation.before)):
        found = _in_some_log(cluster, produced.partition, produced.offset, produced.id)
        if found is not None:
            return found
    return Record(produced.offset, None, produced.value, produced.id)


def _in_some_log(
    cluster: ClusterState, partition: TopicPartition, offset: Offset, record_id: str
) -> Record | None:
    """The record with this id at its offset in the log of any broker."""
    replicas = (broker.replica(partition) for broker in cluster.brokers)
    found = (record_at(replica.log, offset) for replica in replicas if replica is not None)
    return next((one for one in found if one is not None and one.id == record_id), None)


def consistent_read(observation: Observation) -> PropertyResult:
    """No consumer reads a different record at the same offset, or silently skips one.

    It may skip transaction markers and, with read_committed, records of aborted transactions.

    A consumer skips records if its next read is past its position. It also skips one if the record
    before its position was replaced and it continues, because it never sees the replacement. A
    reset after an out-of-range response is not silent. Source: ConsistentReadProperty of the
    KIP-966 specification; KIP-320's motivation.
    """
    clients = observation.cluster.clients
    if not clients.consumed:
        return "not_exercised"
    before = Clients() if observation.before is None else observation.before.clients
    if clients.consumed is before.consumed:
        return "holds"
    earlier = len(before.consumed)
    for index in range(earlier, len(clients.consumed)):
        evidence = _contradiction(
            observation, before, clients.consumed[:index], clients.consumed[index]
        )
        if evidence is not None:
            return evidence
    return "holds"


def record_instead(cluster: ClusterState, read: ConsumedRecord) -> Record | None:
    """The different record that the leader according to the controller has at the offset of a read.

    None if it has the record that was read, or none at that offset, or if there is no leader.
    """
    leader = cluster.controller.partition(read.partition).leader
    if leader == NO_LEADER:
        return None
    return _different(cluster.replica(leader, read.partition).log, read)


def _contradiction(
    observation: Observation,
    before: Clients,
    earlier: tuple[ConsumedRecord, ...],
    read: ConsumedRecord,
) -> ViolationEvidence | None:
    own = [
        past
        for past in earlier
        if past.consumer == read.consumer and past.partition == read.partition
    ]
    for past in own:
        if past.offset == read.offset and past.id != read.id:
            return _evidence("reread", observation, [past, read], [read.offset])
    position = _position(before.find(read.consumer), own, len(before.consumed), earlier, read)
    log = _log_read(observation, read)
    missed = _not_hidden(log, read, position)
    if missed:
        return _evidence("gap", observation, [*own[-1:], read], missed)
    if (
        own
        and own[-1].offset < read.offset
        and not read.after_reset
        and not _not_hidden(log, read, offset_after(own[-1].offset))
        and _different(log, own[-1]) is not None
    ):
        return _evidence("replaced", observation, [own[-1], read], _replaced(log, own))
    return None


def _position(
    client: Client | None,
    own: list[ConsumedRecord],
    consumed_before: int,
    earlier: tuple[ConsumedRecord, ...],
    read: ConsumedRecord,
) -> Offset:
    """The position before this read: after an earlier read of the same action, or before it."""
    if own and any(past is own[-1] for past in earlier[consumed_before:]):
        return offset_after(own[-1].offset)
    return FIRST_OFFSET if client is None else client.position_in(read.partition)


def _not_hidden(log: ReplicaLog | None, read: ConsumedRecord, start: Offset) -> list[Offset]:
    """The skipped offsets from `start` that had a record visible to the consumer."""
    if start >= read.offset:
        return []
    hidden = frozenset() if log is None else hidden_offsets(log, start, read.offset, read.isolation)
    return [offset for offset in offsets_between(start, read.offset) if offset not in hidden]


def _broker_read(observation: Observation, read: ConsumedRecord) -> BrokerId | None:
    if read.broker is not None:
        return read.broker
    client = observation.cluster.clients.find(read.consumer)
    leader = None if client is None else client.leader_of(read.partition)
    return None if leader == NO_LEADER else leader


def _log_read(observation: Observation, read: ConsumedRecord) -> ReplicaLog | None:
    broker = _broker_read(observation, read)
    if broker is None:
        return None
    replica = observation.cluster.broker(broker).replica(read.partition)
    return None if replica is None else replica.log


def _different(log: ReplicaLog | None, read: ConsumedRecord) -> Record | None:
    """The record at the offset of a read, if it is not the one that was read."""
    stands = None if log is None else record_at(log, read.offset)
    return None if stands is None or stands.id == read.id else stands


def _replaced(log: ReplicaLog | None, own: list[ConsumedRecord]) -> list[Offset]:
    """The offsets whose record differs from the one that this consumer last read there."""
    last_read = {past.offset: past for past in own}
    return [
        offset for offset, read in sorted(last_read.items()) if _different(log, read) is not None
    ]


def _evidence(
    how: Literal["reread", "gap", "replaced"],
    observation: Observation,
    reads: list[ConsumedRecord],
    offsets: list[Offset],
) -> ViolationEvidence:
    """`how` is "reread", "gap" or "replaced". `records` has the consumer's reads, followed,
    for "replaced", by the leader's records at those offsets."""
    last = reads[-1]
    broker = _broker_read(observation, last)
    log = _log_read(observation, last)
    standing = (
        [record_at(log, offset) for offset in offsets]
        if how == "replaced" and log is not None
        else []
    )
    return {
        "partition": last.partition,
        "replicas": [] if broker is None else [broker],
        "offsets": offsets,
        "records": [
            *(_read_evidence(observation, read) for read in reads),
            *(record_evidence(record) for record in standing if record is not None),
        ],
        "acked_frame": None,
        "how": how,
        "consumer": last.consumer,
        "frames": [read.frame for read in reads],
    }


def _read_evidence(observation: Observation, read: ConsumedRecord) -> RecordEvidence:
    """A record that was read; its epoch is `None` if no log has it any more."""
    found = _in_some_log(observation.cluster, read.partition, read.offset, read.id)
    return record_evidence(found or Record(read.offset, None, read.value, read.id))
