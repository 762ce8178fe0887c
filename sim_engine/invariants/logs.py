"""Properties of logs: their order, their bounds, and that they match."""

from itertools import combinations, islice, pairwise

from sim_engine.identifiers import LeaderEpoch, offsets_between
from sim_engine.invariants.observation import Host, PartitionObservation
from sim_engine.invariants.verdicts import (
    PropertyResult,
    ViolationEvidence,
    acked_frame_of,
    record_evidence,
)
from sim_engine.protocol.log import read_from, record_at
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record


def log_matching(partition: PartitionObservation) -> PropertyResult:
    """Two live replicas have the same record at every offset below both high watermarks.

    A follower is included once it has applied a response from its current leadership. Until then it
    has not compared its log with its leader's, and may still truncate.
    Source: LogMatchingProperty of the KIP-966 specification; KIP-101, scenario 2.
    """
    live = [
        host
        for host in partition.hosts
        if host.replica.high_watermark > 0 and host.broker.alive and _has_compared(host.replica)
    ]
    if len(live) < 2:
        return "not_exercised"
    for one, other in combinations(live, 2):
        differing = _differing(one.replica, other.replica)
        if differing:
            return _divergence(partition, one, other, differing)
    return "holds"


def _has_compared(replica: Replica) -> bool:
    leads = replica.leading is not None
    return leads or (replica.fetcher is not None and replica.fetcher.has_fetched)


def _differing(one: Replica, other: Replica) -> list[tuple[Record | None, Record | None]]:
    start = max(one.log.log_start_offset, other.log.log_start_offset)
    end = min(one.high_watermark, other.high_watermark)
    if read_from(one.log, start, up_to=end) == read_from(other.log, start, up_to=end):
        return []
    pairs = (
        (record_at(one.log, offset), record_at(other.log, offset))
        for offset in offsets_between(start, end)
    )
    return [
        (left, right)
        for left, right in pairs
        if left is not None and right is not None and left.id != right.id
    ]


def _divergence(
    partition: PartitionObservation,
    one: Host,
    other: Host,
    differing: list[tuple[Record | None, Record | None]],
) -> ViolationEvidence:
    records = [record for pair in differing for record in pair if record is not None]
    return {
        "partition": partition.name,
        "replicas": [one.broker_id, other.broker_id],
        "offsets": sorted({record.offset for record in records}),
        "records": [record_evidence(record) for record in records],
        "acked_frame": acked_frame_of(records, partition.produced),
        "high_watermarks": [one.replica.high_watermark, other.replica.high_watermark],
    }


def high_watermark_within_log(partition: PartitionObservation) -> PropertyResult:
    """Log start <= high watermark <= log end, and the flushed offset is within the log.

    Source: `UnifiedLog` limits the high watermark to the log's start and end.
    """
    exercised = False
    for host in partition.hosts:
        replica = host.replica
        if not host.broker.alive or not replica.loaded:
            continue
        exercised = True
        start, end = replica.log.log_start_offset, replica.log.log_end_offset
        if not start <= replica.high_watermark <= end or replica.flushed > end:
            return {
                "partition": partition.name,
                "replicas": [host.broker_id],
                "offsets": [replica.high_watermark],
                "records": [],
                "acked_frame": None,
                "log_start_offset": start,
                "high_watermark": replica.high_watermark,
                "log_end_offset": end,
                "flushed": replica.flushed,
            }
    return "holds" if exercised else "not_exercised"


def monotonic_leader_high_watermark(partition: PartitionObservation) -> PropertyResult:
    """A leader's high watermark never decreases within one leader epoch.

    A follower's may decrease, and a new leader's may be lower than its predecessor's. Source:
    `Partition.maybeIncrementLeaderHW` only increases it.
    """
    exercised = False
    for host in partition.hosts:
        now, was = host.replica, host.replica_before
        if was is None or was.leading is None or not _leads_on(host, was):
            continue
        if was.high_watermark <= was.log.log_start_offset:
            continue
        exercised = True
        if now.high_watermark < was.high_watermark:
            uncovered = read_from(was.log, now.high_watermark, up_to=was.high_watermark)
            return {
                "partition": partition.name,
                "replicas": [host.broker_id],
                "offsets": [was.high_watermark, now.high_watermark],
                "records": [record_evidence(record) for record in uncovered],
                "acked_frame": acked_frame_of(uncovered, partition.produced),
                "leader_epoch": now.leader_epoch,
            }
    return "holds" if exercised else "not_exercised"


def _leads_on(host: Host, was: Replica) -> bool:
    return (
        host.broker.alive
        and host.replica.leading is not None
        and host.replica.leader_epoch == was.leader_epoch
        and host.broker_before is not None
        and host.broker.incarnation == host.broker_before.incarnation
    )


def epochs_increase(partition: PartitionObservation) -> PropertyResult:
    """Epochs never decrease along a log, and an epoch cache increases in both columns.

    Up to 2.0.0 two epochs of a cache may start at the same offset. Source: KIP-101; KAFKA-7415
    made the starts increase strictly (`LeaderEpochFileCache.assign`).
    """
    if not partition.profile.has_epochs:
        return "not_exercised"
    exercised = False
    for host in partition.hosts:
        now, was = host.replica, host.replica_before
        if was is not None and now.log is was.log and now.epoch_cache is was.epoch_cache:
            continue
        if not now.log.records and not now.epoch_cache:
            continue
        exercised = True
        evidence = _log_out_of_order(partition, host) or _cache_out_of_order(partition, host)
        if evidence is not None:
            return evidence
    return "holds" if exercised else "not_exercised"


def _log_out_of_order(partition: PartitionObservation, host: Host) -> ViolationEvidence | None:
    records = host.replica.log.records
    was = () if host.replica_before is None else host.replica_before.log.records
    # A prefix that was in order and has not changed is still in order.
    in_order = len(was) - 1 if was and records[: len(was)] == was else 0
    while in_order > 0 and records[in_order].epoch is None:
        in_order -= 1
    highest: LeaderEpoch | None = None
    for record in islice(records, in_order, None):
        if record.epoch is None:
            continue
        if highest is not None and record.epoch < highest:
            return {
                "partition": partition.name,
                "replicas": [host.broker_id],
                "offsets": [record.offset],
                "records": [record_evidence(record)],
                "acked_frame": acked_frame_of([record], partition.produced),
                "epochs": [highest, record.epoch],
            }
        highest = record.epoch
    return None


def _cache_out_of_order(partition: PartitionObservation, host: Host) -> ViolationEvidence | None:
    strictly = partition.profile.rules.assign_epoch_at_leader
    for (epoch, start), (next_epoch, next_start) in pairwise(host.replica.epoch_cache):
        starts_in_order = start < next_start if strictly else start <= next_start
        if epoch >= next_epoch or not starts_in_order:
            return {
                "partition": partition.name,
                "replicas": [host.broker_id],
                "offsets": [start, next_start],
                "records": [],
                "acked_frame": None,
                "epochs": [epoch, next_epoch],
                "epoch_cache": [list(entry) for entry in host.replica.epoch_cache],
            }
    return None
