"""What a property looks at: the partitions that the last action touched, before and after.

Everything that an action leaves alone is the same object in both states, so an unchanged partition
is found by identity and not looked at again.
"""

from msgspec import Struct

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import BrokerId, Offset
from sim_engine.invariants.history import History, legitimate_leader
from sim_engine.protocol.log import Record, ReplicaLog, read_from, record_at
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.versions import Profile


class Host(Struct, frozen=True, kw_only=True):
    """A broker with its replica of one partition, as they are and as they were.

    What they were is null in frame 0. `lacking` holds the committed records that its disk does not.
    """

    broker: Broker
    replica: Replica
    broker_before: Broker | None
    replica_before: Replica | None
    lacking: tuple[Record, ...]

    @property
    def broker_id(self) -> BrokerId:
        """Who it is."""
        return self.broker.broker_id


class PartitionMoment(Struct, frozen=True, kw_only=True):
    """One partition in one frame: the controller's view, every replica, and what is committed."""

    profile: Profile
    registration: PartitionRegistration
    registration_before: PartitionRegistration | None
    hosts: tuple[Host, ...]
    committed: ReplicaLog
    leader: Host | None
    """The legitimate leader: whom the controller calls leader, alive and leading in that epoch."""
    active: frozenset[BrokerId]
    """Whom the controller may elect."""
    produced: tuple[ProducedRecord, ...]

    @property
    def name(self) -> str:
        """The partition's name, `t-0`."""
        return self.registration.partition

    def host(self, broker_id: BrokerId) -> Host | None:
        """A broker with its replica, where it is assigned one."""
        return next((host for host in self.hosts if host.broker_id == broker_id), None)


class Moment(Struct, frozen=True, kw_only=True):
    """One frame as the properties see it. `partitions` holds those that could have changed."""

    cluster: ClusterState
    before: ClusterState | None
    partitions: tuple[PartitionMoment, ...]


def moment_of(history: History, cluster: ClusterState) -> Moment | None:
    """What there is to look at; `None` where the last action changed nothing that matters."""
    before = history.before
    changed = _changed_partitions(before, cluster)
    if not changed and before is not None and before.clients is cluster.clients:
        return None
    return Moment(
        cluster=cluster,
        before=before,
        partitions=tuple(
            _partition_moment(
                before,
                cluster,
                index,
                registration,
                history.committed[index],
            )
            for index, registration in enumerate(cluster.controller.partitions)
            if registration.partition in changed
        ),
    )


def lacking_records(log: ReplicaLog, of: ReplicaLog, up_to: Offset) -> tuple[Record, ...]:
    """The records of another log below an offset that this log does not hold at their offsets.

    What lies below this log's start is not missed: retention took it.
    """
    start = max(log.log_start_offset, of.log_start_offset)
    wanted = read_from(of, start, up_to=up_to)
    if wanted == read_from(log, start, up_to=up_to):
        return ()
    return tuple(record for record in wanted if not holds(log, record.offset, record.id))


def holds(log: ReplicaLog, offset: Offset, record_id: str) -> bool:
    """Whether this very record stands at that offset."""
    found = record_at(log, offset)
    return found is not None and found.id == record_id


def _changed_partitions(before: ClusterState | None, cluster: ClusterState) -> frozenset[str]:
    if before is None or before.controller.brokers is not cluster.controller.brokers:
        return frozenset(cluster.partitions)
    changed: set[str] = set()
    if before.controller is not cluster.controller:
        changed.update(
            now.partition
            for was, now in zip(
                before.controller.partitions, cluster.controller.partitions, strict=True
            )
            if was is not now
        )
    for was, now in zip(before.brokers, cluster.brokers, strict=True):
        if was is now:
            continue
        # A process that ends or begins changes what its replicas are, whoever wrote them.
        all_of_it = was.process != now.process or was.incarnation != now.incarnation
        if len(was.replicas) != len(now.replicas):
            return frozenset(cluster.partitions)
        changed.update(
            replica.partition
            for replica_was, replica in zip(was.replicas, now.replicas, strict=True)
            if all_of_it or (replica_was is not replica and _differ(replica_was, replica))
        )
    return frozenset(changed)


def _differ(was: Replica, now: Replica) -> bool:
    """Whether a property could tell the two apart; none looks at times, beliefs of others and,
    of a fetcher, more than whether it has fetched."""
    return (
        was.log is not now.log
        or was.high_watermark != now.high_watermark
        or was.leader_epoch != now.leader_epoch
        or was.flushed != now.flushed
        or was.epoch_cache is not now.epoch_cache
        or was.loaded != now.loaded
        or was.following != now.following
        or _has_fetched(was) != _has_fetched(now)
        or (
            was.leading is not now.leading
            and (
                was.leading is None
                or now.leading is None
                or was.leading.isr is not now.leading.isr
                or was.leading.pending_isr is not now.leading.pending_isr
            )
        )
    )


def _has_fetched(replica: Replica) -> bool:
    return replica.fetcher is not None and replica.fetcher.has_fetched


def _partition_moment(
    before: ClusterState | None,
    cluster: ClusterState,
    index: int,
    registration: PartitionRegistration,
    committed: ReplicaLog,
) -> PartitionMoment:
    hosts: list[Host] = []
    for position, broker in enumerate(cluster.brokers):
        replica = broker.replica(registration.partition)
        if replica is None:
            continue
        broker_before = None if before is None else before.brokers[position]
        hosts.append(
            Host(
                broker=broker,
                replica=replica,
                broker_before=broker_before,
                replica_before=(
                    None if broker_before is None else broker_before.replica(registration.partition)
                ),
                lacking=lacking_records(replica.log, committed, committed.log_end_offset),
            )
        )
    leads = legitimate_leader(cluster, registration) is not None
    return PartitionMoment(
        profile=cluster.profile,
        registration=registration,
        registration_before=None if before is None else before.controller.partitions[index],
        hosts=tuple(hosts),
        committed=committed,
        leader=(
            next(host for host in hosts if host.broker_id == registration.leader) if leads else None
        ),
        active=cluster.controller.active_brokers(),
        produced=cluster.clients.produced,
    )
