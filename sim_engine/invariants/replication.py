"""Properties of replicas: which must have the committed records, the order and the bounds of their
logs, that logs match, and who leads.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, islice, pairwise

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset, offsets_between
from sim_engine.invariants.observation import (
    Host,
    PartitionObservation,
    PropertyResult,
    ViolationEvidence,
    in_every_partition,
    lacking_records,
    record_evidence,
)
from sim_engine.protocol.log import read_from, record_at
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record


@in_every_partition
def leader_in_isr(partition: PartitionObservation) -> PropertyResult:
    """The controller's leader is in the controller's ISR.

    Not exercised without a leader. Source: LeaderInIsr of the KIP-320 specification.
    """
    registration = partition.registration
    if registration.leader == NO_LEADER or registration.leader in registration.isr:
        return "holds"
    return _violated(partition, [registration.leader]) | {
        "leader_epoch": registration.leader_epoch,
        "isr": list(registration.isr),
    }


@in_every_partition
def one_leader_per_epoch(partition: PartitionObservation) -> PropertyResult:
    """No two live brokers are leader of a partition in the same leader epoch.

    Leaders of different epochs may exist at the same time; the older one has been deposed. Source:
    KIP-320, fencing by leader epoch.
    """
    leaders: dict[LeaderEpoch, BrokerId] = {}
    for host in partition.hosts:
        if host.replica.leading is None or not host.broker.alive:
            continue
        epoch = host.replica.leader_epoch
        if epoch in leaders:
            return _violated(partition, [leaders[epoch], host.broker_id]) | {"leader_epoch": epoch}
        leaders[epoch] = host.broker_id
    return "holds"


@in_every_partition
def replication_quorum_superset(partition: PartitionObservation) -> PropertyResult:
    """The maximal ISR of the current leader contains the controller's ISR.

    Otherwise the high watermark could pass a replica that may be elected cleanly. Source:
    ReplicationQuorumSupersetProperty of the KIP-966 specification; KIP-497.
    """
    if partition.leader is None:
        return "not_exercised"
    leading = partition.leader.replica.leading
    assert leading is not None, "the legitimate leader has the state of a leader"
    outside = [
        broker_id
        for broker_id in partition.registration.isr
        if broker_id not in leading.maximal_isr
    ]
    if not outside:
        return "holds"
    return _violated(partition, outside) | {
        "broker": partition.leader.broker_id,
        "leader_epoch": partition.registration.leader_epoch,
        "isr": list(partition.registration.isr),
        "maximal_isr": list(leading.maximal_isr),
    }


@in_every_partition
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


@in_every_partition
def strong_isr(partition: PartitionObservation) -> PropertyResult:
    """Every member of the controller's ISR, up or down, has every committed record.

    Otherwise one clean election can lose a committed record. Source: StrongIsr of the KIP-320
    specification, with the same exception as WeakIsr.
    """
    return _complete(partition, partition.registration.isr)


@in_every_partition
def leader_completeness(partition: PartitionObservation) -> PropertyResult:
    """The current leader has every committed record.

    Source: LeaderCompletenessProperty of the KIP-966 specification.
    """
    if partition.leader is None:
        return "not_exercised"
    return _complete(partition, (partition.leader.broker_id,))


@in_every_partition
def leader_candidate_completeness(partition: PartitionObservation) -> PropertyResult:
    """Every replica that a clean election could choose now has every committed record.

    The candidates are the members of the controller's ISR that it may elect or, if the ISR is
    empty, those of the ELR (KIP-966). Source: LeaderCandidateCompletenessProperty of the KIP-966
    specification.
    """
    registration = partition.registration
    active = partition.cluster.controller.active_brokers()
    return _complete(
        partition,
        [
            broker_id
            for broker_id in registration.isr or registration.elr
            if broker_id in active and broker_id in registration.replicas
        ],
    )


@in_every_partition
def eligible_leader_completeness(partition: PartitionObservation) -> PropertyResult:
    """Every member of the ISR and of the ELR has every committed record, up or down.

    Two kinds of brokers are not checked. The controller removes a broker that did not shut down
    cleanly when it registers, and cannot elect it before that. A broker whose replica was removed
    may stay in the ELR (`PartitionChangeBuilder.maybePopulateTargetElr` does not check the new
    replicas), but only replicas are elected. Not exercised without eligible leader replicas.
    Source: KIP-966; this is why its high watermark waits for min.insync.replicas.
    """
    if not partition.cluster.profile.rules.eligible_leader_replicas:
        return "not_exercised"
    registration = partition.registration
    eligible = [
        broker_id
        for broker_id in (*registration.isr, *registration.elr)
        if broker_id in registration.replicas and not _is_struck_off(partition.cluster, broker_id)
    ]
    result = _complete(partition, eligible)
    return result | {"elr": list(registration.elr)} if isinstance(result, dict) else result


def _is_struck_off(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker cannot report the broker epoch of a clean shutdown when it returns."""
    broker, registered = cluster.broker(broker_id), cluster.controller.broker(broker_id)
    if broker.alive and broker.incarnation == registered.incarnation:
        return False
    if broker.alive:
        return broker.previous_broker_epoch != registered.broker_epoch
    return not broker.clean_shutdown or broker.clean_shutdown_epoch != registered.broker_epoch


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
    return _violated(partition, [broker_id for broker_id, _ in incomplete], records)


def _violated(
    partition: PartitionObservation,
    replicas: list[BrokerId],
    records: Sequence[Record] = (),
    offsets: list[Offset] | None = None,
) -> ViolationEvidence:
    """The evidence that every violation has. `offsets` are those of the records unless given."""
    ids = {record.id for record in records}
    acked = [
        request.acked_frame
        for request in partition.cluster.clients.produced
        if request.id in ids and request.acked_frame is not None
    ]
    return {
        "partition": partition.name,
        "replicas": replicas,
        "offsets": sorted({record.offset for record in records}) if offsets is None else offsets,
        "records": [record_evidence(record) for record in records],
        "acked_frame": min(acked, default=None),
    }


@in_every_partition
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
            return _violated(partition, [one.broker_id, other.broker_id], differing) | {
                "high_watermarks": [one.replica.high_watermark, other.replica.high_watermark]
            }
    return "holds"


def _has_compared(replica: Replica) -> bool:
    leads = replica.leading is not None
    return leads or (replica.fetcher is not None and replica.fetcher.has_fetched)


def _differing(one: Replica, other: Replica) -> list[Record]:
    """The records of both logs at the offsets at which they differ, in pairs."""
    start = max(one.log.log_start_offset, other.log.log_start_offset)
    end = min(one.high_watermark, other.high_watermark)
    if read_from(one.log, start, up_to=end) == read_from(other.log, start, up_to=end):
        return []
    pairs = (
        (record_at(one.log, offset), record_at(other.log, offset))
        for offset in offsets_between(start, end)
    )
    return [
        record
        for left, right in pairs
        if left is not None and right is not None and left.id != right.id
        for record in (left, right)
    ]


@in_every_partition
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
            at = [replica.high_watermark]
            return _violated(partition, [host.broker_id], offsets=at) | {
                "log_start_offset": start,
                "high_watermark": replica.high_watermark,
                "log_end_offset": end,
                "flushed": replica.flushed,
            }
    return "holds" if exercised else "not_exercised"


@in_every_partition
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
            offsets = [was.high_watermark, now.high_watermark]
            return _violated(partition, [host.broker_id], uncovered, offsets) | {
                "leader_epoch": now.leader_epoch
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


@in_every_partition
def epochs_increase(partition: PartitionObservation) -> PropertyResult:
    """Epochs never decrease along a log, and an epoch cache increases in both columns.

    Up to 2.0.0 two epochs of a cache may start at the same offset. Source: KIP-101; KAFKA-7415
    made the starts increase strictly (`LeaderEpochFileCache.assign`).
    """
    if not partition.cluster.profile.has_epochs:
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
            return _violated(partition, [host.broker_id], [record]) | {
                "epochs": [highest, record.epoch]
            }
        highest = record.epoch
    return None


def _cache_out_of_order(partition: PartitionObservation, host: Host) -> ViolationEvidence | None:
    strictly = partition.cluster.profile.rules.assign_epoch_at_leader
    for (epoch, start), (next_epoch, next_start) in pairwise(host.replica.epoch_cache):
        starts_in_order = start < next_start if strictly else start <= next_start
        if epoch >= next_epoch or not starts_in_order:
            offsets = [Offset(start), Offset(next_start)]
            return _violated(partition, [host.broker_id], offsets=offsets) | {
                "epochs": [epoch, next_epoch],
                "epoch_cache": [list(entry) for entry in host.replica.epoch_cache],
            }
    return None
