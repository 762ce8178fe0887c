"""The metrics of brokers and controllers about replication: name, releases and source; and their
values in a state of a cluster, by Kafka's own rules.

Every entry was compared with the sources of the releases at both ends of its periods. A metric that
a release does not have is not shown for it.

A metric about partitions is computed by the broker that leads them, from what it believes: a
partition without a leader is in none of them, and one with two leaders is counted twice. A broker
whose process does not run, or is paused, reports nothing. A note says why a metric does not show a
partition's trouble, although an operator might look there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from sim_engine.cluster.state import ClusterState
from sim_engine.events.base import Event
from sim_engine.events.controller import BrokerJoined, LeaderElected, SessionExpired
from sim_engine.events.isr import IsrChangeRejected, IsrCommitted, IsrExpanded, IsrShrunk
from sim_engine.identifiers import NO_LEADER, BrokerId, FrameNumber, TopicPartition
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica, leading_state
from sim_engine.releases import at_least, number_of
from sim_engine.versions import Control, Profile

Reporter = Literal["leader", "follower", "broker", "controller"]
"""The brokers that report a metric: each running broker, about the partitions that it leads or
follows, or about itself; or only the active controller.
"""

_SERVER = "kafka.server:type=ReplicaManager,name={}"
_FETCHERS = "kafka.server:type=ReplicaFetcherManager,name={},clientId=Replica"
_CONTROLLER = "kafka.controller:type=KafkaController,name={}"
_STATS = "kafka.controller:type=ControllerStats,name={}"


class Period(Struct, frozen=True):
    """Releases from the first one up to, but excluding, the second; null: there is no end."""

    since: str
    until: str | None = None
    control: Control | None = None
    """The only controller; null for both."""

    def contains(self, profile: Profile) -> bool:
        """Whether a cluster with this profile is in the period."""
        return (
            self.control in (None, profile.control)
            and at_least(profile.version, number_of(self.since))
            and (self.until is None or not at_least(profile.version, number_of(self.until)))
        )


class Metric(Struct, frozen=True, kw_only=True):
    """A metric, by its name in JMX."""

    name: str
    pattern: str
    """Its name in JMX, with a placeholder for `name`."""
    reporter: Reporter
    counts: Literal["now", "run"] = "now"
    """A gauge of the state, or a meter whose attribute `Count` counts from the process's start."""
    sources: tuple[tuple[str, Period], ...]
    """The Kafka class that computes it, in each period in which the metric exists."""

    @property
    def bean(self) -> str:
        """Its complete name in JMX."""
        return self.pattern.format(self.name)

    def source(self, profile: Profile) -> str | None:
        """The class that computes it in this release; None if the release does not have it."""
        found = (source for source, period in self.sources if period.contains(profile))
        return next(found, None)


def _always(source: str, since: str) -> tuple[tuple[str, Period], ...]:
    return ((source, Period(since)),)


def _zookeeper(since: str, until: str = "4.0") -> tuple[str, Period]:
    return "KafkaController", Period(since, until, "zookeeper")


def _kraft(source: str, since: str) -> tuple[str, Period]:
    return source, Period(since, control="kraft")


# One line describes one metric.
# fmt: off
_ALL = (
    Metric(name="UnderReplicatedPartitions", pattern=_SERVER, reporter="leader", sources=_always("Partition", "0.8")),
    Metric(name="UnderMinIsrPartitionCount", pattern=_SERVER, reporter="leader", sources=_always("Partition", "1.0")),
    Metric(name="AtMinIsrPartitionCount", pattern=_SERVER, reporter="leader", sources=_always("Partition", "2.3")),
    Metric(name="ReassigningPartitions", pattern=_SERVER, reporter="leader", sources=_always("Partition", "2.5")),
    Metric(name="MaxLag", pattern=_FETCHERS, reporter="follower", sources=_always("AbstractFetcherThread", "0.8")),
    Metric(name="FailedPartitionsCount", pattern=_FETCHERS, reporter="follower", sources=_always("AbstractFetcherThread", "2.3")),
    Metric(name="OfflineReplicaCount", pattern=_SERVER, reporter="broker", sources=_always("ReplicaManager", "1.0")),
    Metric(name="OfflineLogDirectoryCount", pattern="kafka.log:type=LogManager,name={}", reporter="broker", sources=_always("LogManager", "1.0")),
    Metric(name="IsrShrinksPerSec", pattern=_SERVER, reporter="leader", counts="run", sources=_always("Partition", "0.8")),
    Metric(name="IsrExpandsPerSec", pattern=_SERVER, reporter="leader", counts="run", sources=_always("Partition", "0.8")),
    Metric(name="FailedIsrUpdatesPerSec", pattern=_SERVER, reporter="leader", counts="run", sources=_always("Partition", "0.11")),
    Metric(name="OfflinePartitionsCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("0.8"), _kraft("ReplicationControlManager", "3.0"))),
    Metric(name="PreferredReplicaImbalanceCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("0.8.1"), _kraft("ReplicationControlManager", "3.0"))),
    Metric(name="ActiveControllerCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("0.8"), _kraft("QuorumController", "2.8"))),
    # Under ZooKeeper it is always 0: a broker is registered or not.
    Metric(name="FencedBrokerCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("3.1"), _kraft("ClusterControlManager", "3.1"))),
    Metric(name="ActiveBrokerCount", pattern=_CONTROLLER, reporter="controller", sources=(_zookeeper("3.1"), _kraft("ClusterControlManager", "3.1"))),
    Metric(name="ControlledShutdownBrokerCount", pattern=_CONTROLLER, reporter="controller", sources=(_kraft("ClusterControlManager", "4.1"),)),
    # A KRaft controller counts unclean elections only since KAFKA-12670 made them possible.
    Metric(name="UncleanLeaderElectionsPerSec", pattern=_STATS, reporter="controller", counts="run", sources=(_zookeeper("0.8"), _kraft("PartitionChangeBuilder", "3.9"))),
    Metric(name="ElectionFromEligibleLeaderReplicasPerSec", pattern=_STATS, reporter="controller", counts="run", sources=(_kraft("PartitionChangeBuilder", "4.1"),)),
    # The name is older than its meaning: the timer of the controller's state BrokerChange.
    Metric(name="LeaderElectionRateAndTimeMs", pattern=_STATS, reporter="controller", counts="run", sources=(_zookeeper("0.8"),)),
)
# fmt: on

METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ALL}
"""Every metric by its name: first those about partitions, then those of the controller."""


@lru_cache(maxsize=256)
def metrics_of(profile: Profile) -> tuple[tuple[Metric, str], ...]:
    """The metrics of a release, each with the class that computes it."""
    found = ((metric, metric.source(profile)) for metric in METRICS.values())
    return tuple((metric, source) for metric, source in found if source is not None)


class Moment(Struct, frozen=True, gc=False):
    """What happened in one frame, and the states before and after it."""

    before: ClusterState
    after: ClusterState
    events: tuple[Event, ...]
    frame: FrameNumber | None = None
    """Its number; null outside a run."""


class Reading(Struct, frozen=True, kw_only=True):
    """A metric as a cluster reports it."""

    metric: Metric
    source: str
    """The Kafka class that computes it in this release."""
    values: tuple[tuple[BrokerId | None, int], ...]
    """The value on each broker that reports it, sorted by id; null for the controller."""
    partitions: frozenset[TopicPartition] = frozenset()
    """The partitions that are counted in it, for a metric that counts partitions."""

    @property
    def total(self) -> int:
        """The sum of what all brokers report."""
        return sum(value for _, value in self.values)


def read_metrics(
    cluster: ClusterState,
    partitions: Iterable[TopicPartition],
    history: Iterable[Moment] | None = None,
) -> tuple[Reading, ...]:
    """Every metric of the cluster's release, counted over some partitions.

    `history` are the moments of the run up to this state; without it, there are no metrics that
    count events.
    """
    chosen = frozenset(partitions)
    counted = None if history is None else _count_events(cluster, chosen, history)
    return tuple(
        reading
        for metric, source in metrics_of(cluster.profile)
        for reading in _readings(cluster, chosen, counted, metric, source)
    )


def _readings(
    cluster: ClusterState,
    chosen: frozenset[TopicPartition],
    counted: "_Counted | None",
    metric: Metric,
    source: str,
) -> Iterator[Reading]:
    if metric.counts == "run":
        if counted is not None:
            yield _read_counter(cluster, counted, metric, source)
        return
    if metric.name in _OF_CONTROLLER:
        value, partitions = _OF_CONTROLLER[metric.name](cluster, chosen)
        yield Reading(metric=metric, source=source, values=((None, value),), partitions=partitions)
        return
    found: dict[BrokerId | None, int] = {}
    counts: set[TopicPartition] = set()
    for broker in cluster.brokers:
        if broker.running:
            values = {
                replica.partition: _of_replica(cluster, metric, replica)
                for replica in broker.replicas
                if replica.partition in chosen
            }
            found[broker.broker_id] = (max if metric.name == "MaxLag" else sum)(
                [0, *values.values()]
            )
            counts |= {name for name, value in values.items() if value}
    yield Reading(
        metric=metric, source=source, values=tuple(found.items()), partitions=frozenset(counts)
    )


def _of_replica(cluster: ClusterState, metric: Metric, replica: Replica) -> int:
    if metric.reporter == "leader":
        return replica.leading is not None and int(_OF_LEADER[metric.name](cluster, replica))
    return _OF_FOLLOWER[metric.name](cluster, replica) if replica.fetcher is not None else 0


# --- of a leader, about a partition that it leads ----------------------------------------------


def _is_under_replicated(cluster: ClusterState, leader: Replica) -> bool:
    """`Partition.isUnderReplicated`: fewer ISR members than assigned replicas. From 2.5 the
    replicas that a reassignment adds are left out.
    """
    leading = leading_state(leader)
    assigned = {remote.broker_id for remote in leading.remotes} | {leader.broker_id}
    if _counts_originals(cluster):
        assigned -= set(_registration(cluster, leader).adding_replicas)
    return len(leading.isr) < len(assigned)


def _is_under_min_isr(cluster: ClusterState, leader: Replica) -> bool:
    """`Partition.isUnderMinIsr`. From 3.7 min.insync.replicas is limited to the replicas."""
    return len(leading_state(leader).isr) < _min_isr(cluster, leader)


def _is_at_min_isr(cluster: ClusterState, leader: Replica) -> bool:
    """`Partition.isAtMinIsr`: one member less, and acks=all is refused."""
    return len(leading_state(leader).isr) == _min_isr(cluster, leader)


def _is_reassigning(cluster: ClusterState, leader: Replica) -> bool:
    registration = _registration(cluster, leader)
    return bool(registration.adding_replicas or registration.removing_replicas)


def _min_isr(cluster: ClusterState, leader: Replica) -> int:
    return cluster.settings_at(leader.broker_id, leader.partition).effective_min_insync_replicas


def _counts_originals(cluster: ClusterState) -> bool:
    """Whether the metric of reassignments exists: `OngoingReassignmentState` came with it (2.5)."""
    return any(metric.name == "ReassigningPartitions" for metric, _ in metrics_of(cluster.profile))


def _registration(cluster: ClusterState, replica: Replica) -> PartitionRegistration:
    return cluster.controller.partition(replica.partition)


_OF_LEADER: Mapping[str, Callable[[ClusterState, Replica], bool]] = {
    "UnderReplicatedPartitions": _is_under_replicated,
    "UnderMinIsrPartitionCount": _is_under_min_isr,
    "AtMinIsrPartitionCount": _is_at_min_isr,
    "ReassigningPartitions": _is_reassigning,
}


# --- of a follower, and of any broker ----------------------------------------------------------


def _lag(cluster: ClusterState, follower: Replica) -> int:
    """`FetcherLagMetrics`: the distance to the leader's high watermark, not to its log end."""
    fetcher = follower.fetcher
    if fetcher is None or fetcher.phase == "failed" or not fetcher.has_fetched:
        return 0
    leader = cluster.replica(fetcher.leader, follower.partition)
    return max(0, leader.high_watermark - follower.log_end_offset)


def _has_failed(_cluster: ClusterState, follower: Replica) -> int:
    return int(follower.fetcher is not None and follower.fetcher.phase == "failed")


def _in_failed_directory(_cluster: ClusterState, _replica: Replica) -> int:
    """A broker whose only log directory fails does not run: the engine has one for each broker."""
    return 0


_OF_FOLLOWER: Mapping[str, Callable[[ClusterState, Replica], int]] = {
    "MaxLag": _lag,
    "FailedPartitionsCount": _has_failed,
    "OfflineReplicaCount": _in_failed_directory,
    "OfflineLogDirectoryCount": _in_failed_directory,
}


# --- of the controller -------------------------------------------------------------------------

_Counts = tuple[int, frozenset[TopicPartition]]


def _partitions_with(
    cluster: ClusterState,
    chosen: frozenset[TopicPartition],
    counts: Callable[[PartitionRegistration], bool],
) -> _Counts:
    found = frozenset(
        [one.partition for one in cluster.controller.partitions if counts(one)]
    ).intersection(chosen)
    return len(found), found


def _offline(cluster: ClusterState, chosen: frozenset[TopicPartition]) -> _Counts:
    return _partitions_with(cluster, chosen, lambda one: one.leader == NO_LEADER)


def _not_preferred(cluster: ClusterState, chosen: frozenset[TopicPartition]) -> _Counts:
    """A partition without a leader is led by no preferred leader either."""
    return _partitions_with(cluster, chosen, lambda one: one.leader != one.preferred_leader)


def _brokers_with(
    counts: Callable[[bool, bool, bool], bool],
) -> Callable[[ClusterState, frozenset[TopicPartition]], _Counts]:
    def count(cluster: ClusterState, _chosen: frozenset[TopicPartition]) -> _Counts:
        found = [
            counts(broker.live, broker.fenced, broker.in_controlled_shutdown)
            for broker in cluster.controller.brokers
        ]
        return sum(found), frozenset()

    return count


_OF_CONTROLLER: Mapping[str, Callable[[ClusterState, frozenset[TopicPartition]], _Counts]] = {
    "OfflinePartitionsCount": _offline,
    "PreferredReplicaImbalanceCount": _not_preferred,
    "ActiveControllerCount": lambda _cluster, _chosen: (1, frozenset()),
    "FencedBrokerCount": _brokers_with(lambda live, fenced, _stopping: live and fenced),
    "ActiveBrokerCount": _brokers_with(lambda live, fenced, _stopping: live and not fenced),
    "ControlledShutdownBrokerCount": _brokers_with(lambda live, _fenced, stops: live and stops),
}


# --- meters: the events of the run -------------------------------------------------------------

_Counted = Mapping[tuple[str, BrokerId | None], int]
"""The number of events by metric, and by broker; null for the controller."""


def _read_counter(
    cluster: ClusterState, counted: "_Counted", metric: Metric, source: str
) -> Reading:
    reporters: list[BrokerId | None] = [
        broker.broker_id for broker in cluster.brokers if broker.running
    ]
    if metric.reporter == "controller":
        reporters = [None]
    values = tuple((broker, counted.get((metric.name, broker), 0)) for broker in reporters)
    return Reading(metric=metric, source=source, values=values)


def _count_events(
    cluster: ClusterState, chosen: frozenset[TopicPartition], history: Iterable[Moment]
) -> "_Counted":
    """Count since each broker's last start: a meter begins at 0 with its process."""
    counted: dict[tuple[str, BrokerId | None], int] = {}
    incarnations: dict[BrokerId, int] = {}
    for moment in history:
        for broker in moment.before.brokers:
            if incarnations.setdefault(broker.broker_id, broker.incarnation) != broker.incarnation:
                incarnations[broker.broker_id] = broker.incarnation
                _forget(counted, broker.broker_id)
        for happened in moment.events:
            for key in _counted_by(moment.before, chosen, happened):
                counted[key] = counted.get(key, 0) + 1
    for broker in cluster.brokers:
        if incarnations.get(broker.broker_id, broker.incarnation) != broker.incarnation:
            _forget(counted, broker.broker_id)
    return counted


def _forget(counted: dict[tuple[str, BrokerId | None], int], broker_id: BrokerId) -> None:
    for key in [key for key in counted if key[1] == broker_id]:
        del counted[key]


def _counted_by(
    before: ClusterState, chosen: frozenset[TopicPartition], happened: Event
) -> Iterator[tuple[str, BrokerId | None]]:
    match happened:
        case SessionExpired() | BrokerJoined():
            yield "LeaderElectionRateAndTimeMs", None
        case LeaderElected() if happened.partition in chosen:
            # The last known leader is elected uncleanly, too: it is in neither ISR nor ELR.
            if happened.variant in ("unclean", "last_known_leader"):
                yield "UncleanLeaderElectionsPerSec", None
            elif happened.variant == "elr":
                yield "ElectionFromEligibleLeaderReplicasPerSec", None
        case IsrCommitted() if happened.partition in chosen:
            pending = before.replica(happened.broker, happened.partition).pending_isr
            expands = pending is not None and pending.kind == "expand"
            yield "IsrExpandsPerSec" if expands else "IsrShrinksPerSec", happened.broker
        case IsrExpanded() if happened.partition in chosen and not _proposes(before):
            yield "IsrExpandsPerSec", happened.broker
        case IsrShrunk(variant="leader") if happened.partition in chosen and not _proposes(before):
            yield "IsrShrinksPerSec", happened.broker
        case IsrChangeRejected() if happened.partition in chosen and (
            happened.variant is not None or not _proposes(before)
        ):
            yield "FailedIsrUpdatesPerSec", happened.broker


def _proposes(cluster: ClusterState) -> bool:
    """Whether a leader asks the controller for an ISR (KIP-497) instead of writing it itself."""
    return cluster.profile.rules.alter_partition


# --- notes ----------------------------------------------------------------------------------------


NoteCode = str
"""The name of a message `note-…` of `languages/*/operator_words.ftl`."""


class Note(Struct, frozen=True, kw_only=True):
    """A reason, with the values of its text."""

    code: NoteCode
    brokers: tuple[BrokerId, ...] = ()


def why_not_in(
    cluster: ClusterState, partition: PartitionRegistration, reading: Reading
) -> Note | None:
    """Why a metric does not show what is wrong with a partition. None if it shows it, if nothing
    is wrong, or if the metric is about something else.
    """
    if partition.partition in reading.partitions:
        return None
    reason = _REASONS.get(reading.metric.name)
    return None if reason is None else reason(cluster, partition)


def has_trouble(cluster: ClusterState, partition: PartitionRegistration) -> bool:
    """Whether a partition has no leader, a replica that is down or outside the ISR, or a leader
    that the controller has replaced.
    """
    leaders = [
        broker.broker_id
        for broker in cluster.brokers
        for replica in broker.replicas
        if replica.partition == partition.partition and replica.leading is not None
    ]
    return (
        leaders != [partition.leader]
        or bool(_down(cluster, partition))
        or len(partition.isr) < len(partition.replicas)
    )


def _down(cluster: ClusterState, partition: PartitionRegistration) -> tuple[BrokerId, ...]:
    return tuple(sorted(one for one in partition.replicas if not cluster.broker(one).alive))


def _of_leader(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    leader = partition.leader
    if leader == NO_LEADER:
        return Note(code="no-leader")
    if not cluster.broker(leader).running:
        return Note(code="leader-silent", brokers=(leader,))
    if cluster.replica(leader, partition.partition).leading is None:
        return Note(code="leader-unaware", brokers=(leader,))
    return None


def _of_under_replicated(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    note = _of_leader(cluster, partition)
    still = tuple(one for one in _down(cluster, partition) if one in partition.isr)
    if note is None and still:
        return Note(code="still-in-isr", brokers=still)
    return note


def _of_offline(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    leader = partition.leader
    if leader != NO_LEADER and not cluster.broker(leader).running:
        return Note(code="unnoticed", brokers=(leader,))
    return None


def _of_directories(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    down = _down(cluster, partition)
    return Note(code="directories-only", brokers=down) if down else None


def _of_brokers(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    unnoticed = tuple(
        one for one in _down(cluster, partition) if cluster.controller.broker(one).active
    )
    return Note(code="session-lasts", brokers=unnoticed) if unnoticed else None


def _of_lag(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    down = tuple(one for one in _down(cluster, partition) if one != partition.leader)
    if down:
        return Note(code="follower-silent", brokers=down)
    if partition.leader == NO_LEADER:
        return Note(code="no-leader-to-fetch-from")
    leader = cluster.replica(partition.leader, partition.partition)
    replicas = [cluster.replica(one, partition.partition) for one in partition.replicas]
    behind = [one for one in replicas if one.log_end_offset < leader.log_end_offset]
    waiting = [one for one in behind if one.fetcher is None or not one.fetcher.has_fetched]
    if waiting:
        brokers = tuple(one.broker_id for one in waiting)
        return Note(code="follower-not-fetching", brokers=brokers)
    brokers = tuple(one.broker_id for one in behind)
    return Note(code="lag-to-high-watermark", brokers=brokers) if brokers else None


_REASONS: Mapping[str, Callable[[ClusterState, PartitionRegistration], Note | None]] = {
    "UnderReplicatedPartitions": _of_under_replicated,
    "UnderMinIsrPartitionCount": _of_leader,
    "MaxLag": _of_lag,
    "OfflineReplicaCount": _of_directories,
    "OfflinePartitionsCount": _of_offline,
    "FencedBrokerCount": _of_brokers,
    "ActiveBrokerCount": _of_brokers,
}
