"""What a property looks at: the partitions that the last action touched, before and after.

Everything that an action leaves alone is the same object in both states, so an unchanged partition
is found by identity and not looked at again. Of a changed one the aspects tell what has changed,
so that a property is asked again only after a change that it could see.
"""

from msgspec import Struct

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import BrokerId, Offset
from sim_engine.invariants.history import History, legitimate_leader
from sim_engine.protocol.log.replica_log import Record, ReplicaLog, read_from, record_at
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.versions import Profile

LOG = 1
"""The records of a replica."""
HIGH_WATERMARK = 2
FLUSHED = 4
EPOCHS = 8
"""The epoch cache of a replica."""
ROLE = 16
"""Who leads and who follows, in which epoch, with which process, and whether it has fetched."""
ISR = 32
"""The ISR as a leader believes it, with what is pending."""
REGISTRATION = 64
"""What the controller holds of the partition."""
COMMITTED = 128
"""The ghost state: something was committed that was not before."""
CLIENTS = 256
EVERYTHING = 511


class Host(Struct, frozen=True, gc=False, kw_only=True):
    """A broker with its replica of one partition, as they are and as they were.

    What they were is null in frame 0.
    """

    broker: Broker
    replica: Replica
    broker_before: Broker | None
    replica_before: Replica | None

    @property
    def broker_id(self) -> BrokerId:
        """Who it is."""
        return self.broker.broker_id


class PartitionObservation(Struct, frozen=True, gc=False, kw_only=True):
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
    struck_off_as_they_register: frozenset[BrokerId]
    """Who cannot name the broker epoch of a clean stop to the controller when it comes back."""
    produced: tuple[ProducedRecord, ...]
    known_lacking: dict[BrokerId, tuple[Record, ...]]
    """What `lacking` has found so far."""

    @property
    def name(self) -> str:
        """The partition's name, `t-0`."""
        return self.registration.partition

    def host(self, broker_id: BrokerId) -> Host | None:
        """A broker with its replica, where it is assigned one."""
        for host in self.hosts:
            if host.broker.broker_id == broker_id:
                return host
        return None

    def lacking(self, host: Host) -> tuple[Record, ...]:
        """The committed records that a host's disk does not hold."""
        broker_id = host.broker.broker_id
        if broker_id not in self.known_lacking:
            self.known_lacking[broker_id] = lacking_records(
                host.replica.log, self.committed, self.committed.log_end_offset
            )
        return self.known_lacking[broker_id]


class Observation(Struct, frozen=True, gc=False, kw_only=True):
    """One frame as the properties see it. `partitions` holds those that could have changed."""

    cluster: ClusterState
    before: ClusterState | None
    partitions: tuple[PartitionObservation, ...]


class Change(Struct, frozen=True, gc=False):
    """Which partitions the last action touched, and in which aspects."""

    partitions: frozenset[str]
    aspects: int


def change_of(history: History, cluster: ClusterState) -> Change:
    """What the last action changed of all that a property could look at."""
    before = history.before
    if before is None or before.controller.brokers is not cluster.controller.brokers:
        return Change(frozenset(cluster.partitions), EVERYTHING)
    clients = 0 if before.clients is cluster.clients else CLIENTS
    if before.brokers is cluster.brokers and before.controller is cluster.controller:
        return Change(frozenset(), clients)
    return _changed_partitions(before, cluster, clients | (COMMITTED if history.has_grown else 0))


def observe(history: History, cluster: ClusterState, change: Change) -> Observation:
    """The moment after a change, with the partitions that it touched."""
    before = history.before
    return Observation(
        cluster=cluster,
        before=before,
        partitions=tuple(
            [
                _partition_moment(before, cluster, index, registration, history.committed[index])
                for index, registration in enumerate(cluster.controller.partitions)
                if registration.partition in change.partitions
            ]
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


def _changed_partitions(before: ClusterState, cluster: ClusterState, aspects: int) -> Change:
    changed: set[str] = set()
    if before.controller is not cluster.controller:
        for registered_was, registered in zip(
            before.controller.partitions, cluster.controller.partitions, strict=True
        ):
            if registered_was is not registered:
                changed.add(registered.partition)
                aspects |= REGISTRATION
    for was, now in zip(before.brokers, cluster.brokers, strict=True):
        if was is now:
            continue
        if len(was.replicas) != len(now.replicas):
            return Change(frozenset(cluster.partitions), EVERYTHING)
        # A process that ends or begins changes what its replicas are, whoever wrote them.
        all_of_it = was.process != now.process or was.incarnation != now.incarnation
        for replica_was, replica in zip(was.replicas, now.replicas, strict=True):
            if all_of_it:
                difference = EVERYTHING
            elif replica_was is replica:
                continue
            else:
                difference = _difference(replica_was, replica)
            if difference:
                changed.add(replica.partition)
                aspects |= difference
    return Change(frozenset(changed), aspects)


def _difference(was: Replica, now: Replica) -> int:
    """In which aspects a property could tell the two apart; none looks at times, beliefs of others
    and, of a fetcher, more than whether it has fetched."""
    difference = 0
    if was.log is not now.log:
        difference |= LOG
    if was.high_watermark != now.high_watermark:
        difference |= HIGH_WATERMARK
    if was.flushed != now.flushed:
        difference |= FLUSHED
    if was.epoch_cache is not now.epoch_cache:
        difference |= EPOCHS
    if (
        was.leader_epoch != now.leader_epoch
        or was.loaded != now.loaded
        or was.following != now.following
        or _has_fetched(was) != _has_fetched(now)
    ):
        difference |= ROLE
    leading_was, leading = was.leading, now.leading
    if leading_was is not leading:
        if leading_was is None or leading is None:
            difference |= ROLE | ISR
        elif (
            leading_was.isr is not leading.isr or leading_was.pending_isr is not leading.pending_isr
        ):
            difference |= ISR
    return difference


def _has_fetched(replica: Replica) -> bool:
    return replica.fetcher is not None and replica.fetcher.has_fetched


def _partition_moment(
    before: ClusterState | None,
    cluster: ClusterState,
    index: int,
    registration: PartitionRegistration,
    committed: ReplicaLog,
) -> PartitionObservation:
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
            )
        )
    leads = legitimate_leader(cluster, registration) is not None
    return PartitionObservation(
        profile=cluster.profile,
        registration=registration,
        registration_before=None if before is None else before.controller.partitions[index],
        hosts=tuple(hosts),
        committed=committed,
        leader=(
            next(host for host in hosts if host.broker_id == registration.leader) if leads else None
        ),
        active=cluster.controller.active_brokers(),
        struck_off_as_they_register=frozenset(
            host.broker_id for host in hosts if _is_struck_off(cluster, host.broker)
        ),
        produced=cluster.clients.produced,
        known_lacking={},
    )


def _is_struck_off(cluster: ClusterState, broker: Broker) -> bool:
    registered = cluster.controller.broker(broker.broker_id)
    if broker.alive and broker.incarnation == registered.incarnation:
        return False
    if broker.alive:
        return broker.previous_broker_epoch != registered.broker_epoch
    return not broker.clean_shutdown or broker.clean_shutdown_epoch != registered.broker_epoch
