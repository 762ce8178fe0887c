"""Checks a random schedule against everything that must be true of any run, and reports the first
violation.

A violated property is a failure only if Kafka guarantees it under the run's circumstances. This
module is the only list of the exceptions and their reasons. Once the faults of a run have ended,
its cluster must reach the state that liveness requires.

It also checks for bugs in the engine, whatever Kafka does: that every state is well formed, and
that every change of a replica's beliefs is reported by an event of the same frame.

A state is well formed if the invariants of its types hold. These are not properties of Kafka that a
version could violate.

Sentences, highlights and statistics are derived only from events. A change without an event is
invisible, and a sentence such as "nothing changes" would be false.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

from msgspec import Struct

from sim_engine.actions import Words
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.events import beliefs_reported_by
from sim_engine.events.base import BELIEFS, NO_BELIEFS, Belief, Beliefs, BrokerEvent, Event
from sim_engine.events.controller import LeaderElected
from sim_engine.events.fetch import LateResponseAccepted, RoundsRepeat
from sim_engine.events.metadata import DepositionMissed
from sim_engine.events.process import DiskLost, PowerLost
from sim_engine.events.run import ActionRefused, DidNotSettle
from sim_engine.exploration.schedules import reached, repair_steps
from sim_engine.exploration.shrink import shrink
from sim_engine.identifiers import NO_LEADER, BrokerId, FrameNumber, TopicPartition
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.narration import RefusedError
from sim_engine.protocol.controller.kind import controller_kind
from sim_engine.protocol.messages import COMMANDS, ZOOKEEPER_COMMANDS, PartitionRegistration
from sim_engine.protocol.replica import FetcherState, LeadingState, Replica
from sim_engine.scenario_reader.document import Scenario
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Frame, Timeline
from sim_engine.versions import Profile

ALWAYS = (
    "LeaderInIsr",
    "OneLeaderPerEpoch",
    "HighWatermarkWithinLog",
    "MonotonicLeaderHighWatermark",
    "EpochsIncrease",
)
"""The properties that no fault may violate in any version, except as listed in
`_broken_by_faults`.
"""

ON_DATA = tuple(name for name in PROPERTY_NAMES if name not in ALWAYS)
"""The properties about records: guaranteed from KIP-320 on, until one of the events
below happens.
"""


class Circumstances(Struct, frozen=True):
    """The events so far in a run that can cause data loss."""

    unclean_election: bool = False
    power_lost: bool = False
    disk_lost: bool = False
    deposition_missed: bool = False
    """Whether a leader has applied several leader changes in one delivery, including another
    broker's leadership, and has not noticed it. Other deliveries of several records do not affect
    the guarantees.
    """
    old_response_applied: bool = False
    """Whether a follower has applied a response from an earlier epoch although another broker was
    leader after it. Up to 3.9.0 and in 4.0.0 this can truncate committed records (KAFKA-18991), and
    in 2.1.0 the response to an epoch lookup can (KAFKA-7786). A response from the epoch immediately
    before is harmless if the same broker was leader in both.
    """
    nobody_eligible: bool = False
    """Whether a partition has had neither an ISR nor an ELR. From KIP-966 on, the controller
    removes a broker that did not stop cleanly from both, also if its log is complete. It then
    elects the last known leader, if it knows one.
    """

    def after(self, frame: Frame) -> "Circumstances":
        """The circumstances after one more frame."""
        kinds = {type(happened) for happened in frame.events}
        return Circumstances(
            self.unclean_election or any(map(_is_unclean_election, frame.events)),
            self.power_lost or PowerLost in kinds,
            self.disk_lost or DiskLost in kinds,
            self.deposition_missed or DepositionMissed in kinds,
            self.old_response_applied or any(map(_is_of_an_older_leadership, frame.events)),
            self.nobody_eligible
            or any(
                not partition.isr and not partition.elr
                for partition in frame.cluster.controller.partitions
            ),
        )

    @property
    def harmless(self) -> bool:
        """Whether nothing has happened that replication does not protect against.

        In the specification of KIP-320, every leader notices that it is deposed. A released broker
        that reads its deposition and its next election in one delivery does not, and still counts
        followers as having records that they have truncated. The specification also discards
        responses from an earlier epoch.
        """
        lost = self.unclean_election or self.power_lost or self.disk_lost
        return not (lost or self.deposition_missed or self.old_response_applied)


def _is_unclean_election(happened: Event) -> bool:
    return isinstance(happened, LeaderElected) and happened.variant == "unclean"


def _is_of_an_older_leadership(happened: Event) -> bool:
    return (
        isinstance(happened, LateResponseAccepted) and happened.leader_epoch > happened.asked_in + 1
    )


def guaranteed(profile: Profile, circumstances: Circumstances) -> frozenset[str]:
    """The properties that this version guarantees in these circumstances."""
    if profile.family not in ("KIP320", "TOF") or not circumstances.harmless:
        return frozenset(ALWAYS) - _broken_by_faults(profile, circumstances)
    # 2.8 under KRaft: a leader that has received the response to its own shrink may propose to add
    # a replica before it reads the record of the shrink. That record has an equal epoch
    # (KAFKA-12803) and discards the pending replica. The high watermark, which the shrink itself
    # did not move (KAFKA-13091), then advances without that replica, while the controller adds it
    # to the ISR.
    reads_log = controller_kind(profile).has_metadata_log
    if reads_log and not profile.rules.partition_change_builder:
        return frozenset(ALWAYS)
    kept = frozenset((*ALWAYS, *ON_DATA))
    # Up to 3.4.0, a consumer that fetches from a follower may read records that the follower is
    # about to truncate (KAFKA-14704).
    if profile.rules.truncation_on_fetch and not profile.rules.diverging_response_is_only_that:
        kept -= {"ConsistentRead"}
    if circumstances.nobody_eligible:
        kept -= {"AckedRecordAtRisk"}
    # A KRaft leader that receives the response to one AlterPartition before it reads its record may
    # propose the next change in between. The record, with an equal partition epoch, then discards
    # the pending change (`Partition.makeLeader` skips only lower epochs). Until the leader reads
    # the next record, it waits for fewer replicas than the controller counts.
    return kept - {"ReplicationQuorumSuperset"} if reads_log else kept


def _broken_by_faults(profile: Profile, circumstances: Circumstances) -> frozenset[str]:
    """The properties other than losses that a version does not guarantee after a loss.

    In versions with epochs up to 2.0.0, a follower without an epoch in common with its leader
    truncates only by the leader's offset. It keeps its records below that offset and appends
    records of older epochs to them.
    """
    finds_the_start = profile.rules.assign_epoch_at_leader
    if profile.has_epochs and not finds_the_start and not circumstances.harmless:
        return frozenset({"EpochsIncrease"})
    return frozenset()


MAY_DIVERGE = ("HW", "KIP101", "KIP279_200")


def find_unsettled(timeline: Timeline) -> tuple[str, str] | None:
    """Return the first part of a repaired run's final state that has not settled: its name, and a
    sentence. None if everything has settled.

    These known exceptions are accepted:

    Up to 2.0.0 replicas may keep different logs forever: neither truncation to the high watermark
    nor a single epoch lookup detects it (KIP-101 scenario 2, KIP-279, KAFKA-7415). A broker that
    exits or hangs because its log is longer than its leader's does so at every start. Under
    ZooKeeper before 2.2 (KIP-380) the controller does not detect a restart within the session, and
    the broker has no role until the controller next writes about its partitions.

    A follower may repeat its requests forever, which the run reports: from 2.0.1 until KAFKA-10706
    if its latest epoch is empty. In 2.1.0 a follower with
    a new epoch stops fetching the partition when a lookup for the old epoch is fenced (KAFKA-7786),
    until it learns an even newer epoch. With eligible leader replicas, a change of
    min.insync.replicas clears them (KAFKA-16540): a partition without an ISR then has no replica
    that can be elected cleanly. Before 1.1 the last replica leaves the ISR if unclean elections are
    enabled (`KafkaController.removeReplicaFromIsr`); if they are disabled afterwards, no replica
    can be elected.
    """
    frame = timeline.frames[timeline.head]
    if any(isinstance(happened, DidNotSettle) for happened in frame.events):
        return DidNotSettle.__name__, "the cluster keeps changing"
    if _may_stay_unsettled(timeline):
        return None
    cluster = frame.cluster
    for broker in cluster.brokers:
        if not broker.running:
            return "broker", f"broker {broker.broker_id} is {broker.process}"
    may_diverge = timeline.profile.family in MAY_DIVERGE
    unsettled = (
        _unsettled_partition(cluster, registration, may_diverge=may_diverge)
        for registration in cluster.controller.partitions
    )
    return next(filter(None, unsettled), None)


def _may_stay_unsettled(timeline: Timeline) -> bool:
    """Whether an exception that concerns the whole cluster applies."""
    cluster = timeline.frames[timeline.head].cluster
    rules = timeline.profile.rules
    replicas = [replica for broker in cluster.brokers for replica in broker.replicas]
    ended = any(broker.process in ("failed", "shutting_down") for broker in cluster.brokers)
    if ended and timeline.profile.out_of_range_exit != "none":
        return True
    idle = any(replica.role == "none" for replica in replicas)
    if idle and cluster.controller_kind.overlooks_restarts(rules):
        return True
    if _repeats(timeline):
        return True
    phases = {replica.fetcher.phase for replica in replicas if replica.fetcher is not None}
    may_give_up = rules.fetch_fencing and not rules.lookup_response_must_be_of_epoch
    return may_give_up and "failed" in phases


def _unsettled_partition(
    cluster: ClusterState, registration: PartitionRegistration, *, may_diverge: bool
) -> tuple[str, str] | None:
    name = registration.partition
    if registration.leader == NO_LEADER:
        uncleanly = cluster.settings_of(name).unclean_leader_election_enable
        candidates = registration.isr or registration.elr
        if not candidates and (cluster.profile.rules.eligible_leader_replicas or not uncleanly):
            return None
        return "leaderless", f"{name} has no leader, ISR {registration.isr}"
    leader = cluster.replica(registration.leader, name)
    if leader.leading is None:
        return "leader", f"broker {registration.leader} does not lead {name}"
    if set(registration.isr) != set(registration.replicas):
        return "isr", f"{name}: ISR {registration.isr} of {registration.replicas}"
    if leader.leading.produces:
        return "produce", f"{name}: a produce request waits"
    if leader.high_watermark != leader.log_end_offset:
        return "high_watermark", f"{name}: {leader.high_watermark} of {leader.log_end_offset}"
    for broker_id in () if may_diverge else registration.replicas:
        if cluster.replica(broker_id, name).log != leader.log:
            return "log", f"{name}: broker {broker_id} has a different log than its leader"
    return None


def _repeats(timeline: Timeline) -> bool:
    """Whether a follower repeats its requests at the end of a run."""
    last = timeline.played_steps[-1].frames if timeline.played_steps else ()
    return any(
        isinstance(happened, RoundsRepeat)
        for number in last
        for happened in timeline.frames[number].events
    )


class Failure(Struct, frozen=True):
    """A failure. Two failures with the same `kind` and `name` count as the same."""

    kind: str
    """One of exception, malformed, unexplained, property, refusal, liveness and replay."""
    name: str
    message: str
    frame: FrameNumber

    def __str__(self) -> str:
        return f"{self.kind} {self.name}, frame {self.frame}: {self.message}"


class ScheduleResult(Struct, frozen=True, kw_only=True):
    """The result of one schedule."""

    failure: Failure | None
    goals: frozenset[str]
    """The coverage goals that were reached."""
    frames: int


class _FailedError(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


def check_schedule(scenario: Scenario) -> ScheduleResult:
    """Run a schedule, end its faults and let it settle, and check every frame.

    Checked: the engine raises no exception; every state is well formed; every change of a replica's
    beliefs has an event; the version's guarantees hold; a refused step changes nothing; in the end
    every replica is in the ISR with the leader's log and no producer is waiting; and replaying the
    same steps creates the same frames.
    """
    run = _Run(scenario)
    failure = None
    try:
        run.do()
    except _FailedError as failed:
        failure = failed.failure
    except LimitReachedError:
        pass
    return ScheduleResult(
        failure=failure, goals=frozenset(run.goals), frames=len(run.timeline.frames)
    )


def shrink_failure(scenario: Scenario, failure: Failure) -> Scenario:
    """Return the shortest scenario found that fails in the same way."""

    def fails(candidate: Scenario) -> bool:
        other = check_schedule(candidate).failure
        return other is not None and (other.kind, other.name) == (failure.kind, failure.name)

    return shrink(scenario, fails)


class _Run:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.timeline = Timeline(scenario)
        self.goals: set[str] = set()
        self._circumstances = Circumstances()
        self._looked_at = 0
        self._look()

    def do(self) -> None:
        for number, step in enumerate(self.scenario.steps):
            if not isinstance(step.step, Words):
                self._guarded(partial(self.timeline.run_step, number, step.step))
        for repair in repair_steps(self.timeline):
            self._guarded(partial(self._try, repair.as_step()))
        unsettled = find_unsettled(self.timeline)
        if unsettled is not None:
            self._fail("liveness", *unsettled)
        self._replay()

    def _try(self, step: dict[str, object]) -> None:
        try:
            self.timeline.act(self.timeline.head, step)
        except RefusedError:
            return

    def _guarded(self, action: Callable[[], object]) -> None:
        before = self.timeline.frames[self.timeline.head].cluster
        try:
            action()
        except (LimitReachedError, _FailedError):
            raise
        except Exception as error:  # every exception is a failure
            self._fail("exception", type(error).__name__, repr(error))
        last = self.timeline.frames[self.timeline.head]
        refused = any(isinstance(happened, ActionRefused) for happened in last.events)
        if refused and last.cluster is not before:
            self._fail("refusal", "changed", "a refused step changed the state")
        self._look()

    def _look(self) -> None:
        """Check every new frame."""
        frames = self.timeline.frames
        for frame in frames[self._looked_at :]:
            before = None if frame.parent is None else frames[frame.parent].cluster
            problem = find_malformed(before, frame.cluster)
            self._looked_at = frame.frame + 1
            if problem is not None:
                self._fail("malformed", "state", problem, frame.frame)
            unexplained = find_unexplained(before, frame)
            if unexplained is not None:
                self._fail("unexplained", "belief", unexplained, frame.frame)
            self._circumstances = self._circumstances.after(frame)
            kept = guaranteed(self.timeline.profile, self._circumstances)
            for name, verdict in frame.verdicts.items():
                if verdict.first_frame == frame.frame and name in kept:
                    self._fail("property", name, str(verdict.evidence), frame.frame)
            self.goals.update(reached(frame))

    def _fail(self, kind: str, name: str, message: str, frame: FrameNumber | None = None) -> None:
        at = self.timeline.head if frame is None else frame
        raise _FailedError(Failure(kind, name, message, at))

    def _replay(self) -> None:
        again = Timeline.replay(
            self.scenario,
            steps=[(done.after, done.step, done.item) for done in self.timeline.played_steps],
        )
        if again.frames != self.timeline.frames:
            self._fail("replay", "frames", "the same steps created different frames")


# --- states and beliefs ---------------------------------------------------------------------------


def find_malformed(before: ClusterState | None, cluster: ClusterState) -> str | None:
    """The first error in a state, or in its transition from the previous state; None if there is
    none.
    """
    return next(_problems(before, cluster), None)


def _problems(before: ClusterState | None, cluster: ClusterState) -> Iterator[str]:
    yield from _messages(cluster)
    yield from _clients(cluster)
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for problem in _replica(cluster, broker, replica):
                yield f"broker {broker.broker_id}, {replica.partition}: {problem}"
    for registration in cluster.controller.partitions:
        for problem in _registration(cluster, registration):
            yield f"controller, {registration.partition}: {problem}"
    if before is not None:
        yield from _goes_on(before, cluster)


def _messages(cluster: ClusterState) -> Iterator[str]:
    ids = [message.id for message in cluster.messages]
    if any(one >= other for one, other in pairwise(ids)):
        yield "messages are not in the order of sending"
    if ids and ids[-1] >= cluster.next_message_id:
        yield "a message has a number that has not been assigned yet"
    for message in cluster.messages:
        for end in (message.sender, message.receiver):
            gone = isinstance(end, int) and not cluster.broker(end).alive
            if gone and message.kind not in ZOOKEEPER_COMMANDS:
                yield f"{message.kind} {message.id} outlived broker {end}"
        if message.kind not in COMMANDS and cluster.is_cut(message.sender, message.receiver):
            yield f"{message.kind} {message.id} is on a link that is cut"


def _clients(cluster: ClusterState) -> Iterator[str]:
    for index, produced in enumerate(cluster.clients.produced):
        if produced.request != index:
            yield f"produce request {index} has number {produced.request}"
        if produced.outcome == "acked" and produced.acked_frame is None:
            yield f"produce request {index} is acknowledged, but has no frame of acknowledgement"


def _replica(cluster: ClusterState, broker: Broker, replica: Replica) -> Iterator[str]:
    log = replica.log
    start, end = log.log_start_offset, log.log_end_offset
    if start < 0:
        yield "the log starts below 0"
    if any(record.offset != start + index for index, record in enumerate(log.records)):
        yield "offsets of the log are not consecutive"
    if not 0 <= replica.flushed <= end:
        yield f"flushed to {replica.flushed}, the log ends at {end}"
    if any(epoch < 0 for epoch, _ in replica.epoch_cache):
        yield "an epoch of the cache is below 0"
    if not broker.alive:
        if replica.loaded or replica.leading or replica.fetcher or replica.following:
            yield "a broker without a process has in-memory state"
        return
    if replica.loaded and not start <= replica.high_watermark <= end:
        yield f"high watermark {replica.high_watermark} is outside {start} to {end}"
    # The epoch file is flushed with every entry, so after a power loss it may be ahead of the log
    # until it is loaded.
    if replica.loaded and any(first > end for _, first in replica.epoch_cache):
        yield f"the epoch cache has offsets beyond {end}"
    if replica.leading is not None and (replica.following or replica.fetcher is not None):
        yield "it is leader and follower"
    if replica.fetcher is not None:
        yield from _fetcher(cluster, broker, replica, replica.fetcher)
    yield from _late_requests(cluster, replica)
    if replica.leading is not None:
        yield from _leading(cluster, replica, replica.leading)
    registered = cluster.controller.partition(replica.partition)
    if replica.leader_epoch > registered.leader_epoch:
        yield f"leader epoch {replica.leader_epoch} is newer than the controller's"


def _fetcher(
    cluster: ClusterState, broker: Broker, replica: Replica, fetcher: FetcherState
) -> Iterator[str]:
    if fetcher.leader == broker.broker_id:
        yield "it follows itself"
    if fetcher.fetch_offset < 0:
        yield f"it fetches from {fetcher.fetch_offset}"
    if fetcher.awaiting is not None:
        yield from _in_flight(cluster, replica, fetcher.leader, fetcher.awaiting)


def _late_requests(cluster: ClusterState, replica: Replica) -> Iterator[str]:
    for late in replica.late_requests:
        yield from _in_flight(cluster, replica, late.leader, late.message_id)
    waits_for = [late.leader for late in replica.late_requests]
    if replica.fetcher is not None and replica.fetcher.awaiting is not None:
        waits_for.append(replica.fetcher.leader)
    if len(waits_for) != len(set(waits_for)):
        yield "it waits for two requests of one leader"


def _in_flight(
    cluster: ClusterState, replica: Replica, leader_id: BrokerId, request: int
) -> Iterator[str]:
    leader = cluster.broker(leader_id).replica(replica.partition)
    parked = () if leader is None or leader.leading is None else leader.leading.parked
    in_flight = sum(
        message.id == request or message.in_reply_to == request
        for message in cluster.messages
        if message.kind not in ("alter_partition_request", "alter_partition_response")
    ) + sum(waiting.message_id == request for waiting in parked)
    if in_flight != 1:
        yield f"it waits for request {request}, which is in flight {in_flight} times"


def _leading(cluster: ClusterState, replica: Replica, leading: LeadingState) -> Iterator[str]:
    remotes = {remote.broker_id for remote in leading.remotes}
    if replica.broker_id in remotes:
        yield "the leader counts itself among its followers"
    if not set(leading.isr) <= {*remotes, replica.broker_id}:
        yield f"its ISR {leading.isr} has brokers that are not replicas"
    if leading.pending_isr is not None and not cluster.profile.rules.alter_partition:
        yield "an ISR change is pending in a version that writes it immediately"
    followers = [waiting.follower for waiting in leading.parked]
    if len(followers) != len(set(followers)):
        yield "two fetches of one follower are parked"
    for delayed in leading.produces:
        if cluster.clients.produced[delayed.request].outcome != "pending":
            yield f"produce request {delayed.request} is waiting although it already has a response"
        if delayed.required_offset > replica.log_end_offset:
            yield f"produce request {delayed.request} waits for records that are not in the log"


def _registration(cluster: ClusterState, registered: PartitionRegistration) -> Iterator[str]:
    if registered.leader != NO_LEADER and registered.leader not in registered.replicas:
        yield f"leader {registered.leader} is not a replica"
    if not set(registered.isr) <= set(registered.replicas):
        yield f"ISR {registered.isr} has brokers that are not replicas"
    if len(set(registered.isr)) != len(registered.isr):
        yield f"ISR {registered.isr} contains a broker twice"


def _goes_on(before: ClusterState, cluster: ClusterState) -> Iterator[str]:
    if cluster.now_ms < before.now_ms:
        yield "time decreased"
    if cluster.next_message_id < before.next_message_id:
        yield "message numbers decreased"
    for was, now in zip(before.controller.partitions, cluster.controller.partitions, strict=True):
        if (now.leader_epoch, now.partition_epoch) != (was.leader_epoch, was.partition_epoch):
            if now.leader_epoch < was.leader_epoch:
                yield f"controller, {now.partition}: the leader epoch decreased"
            if now.partition_epoch < was.partition_epoch:
                yield f"controller, {now.partition}: the partition epoch decreased"
        elif now.isr != was.isr or now.leader != was.leader:
            yield f"controller, {now.partition}: changed without a new epoch"
    for broker_was, broker in zip(before.brokers, cluster.brokers, strict=True):
        same_process = broker.alive and broker.incarnation == broker_was.incarnation
        if same_process and broker.metadata_offset < broker_was.metadata_offset:
            yield f"broker {broker.broker_id}: it reads the metadata log backwards"
    for one, other in zip(before.clients.produced, cluster.clients.produced, strict=False):
        if one.outcome != "pending" and one.outcome != other.outcome:
            yield f"produce request {one.request} was {one.outcome} and is {other.outcome}"


def find_unexplained(before: ClusterState | None, frame: Frame) -> str | None:
    """The first belief that changed in a frame without an event that reports it; None if there is
    none.
    """
    if before is None:
        return None
    return next(_unexplained(before, frame), None)


def _unexplained(before: ClusterState, frame: Frame) -> Iterator[str]:
    for was, now in zip(before.brokers, frame.cluster.brokers, strict=True):
        explained = {name for happened in frame.events for name in _reported(happened, now)}
        for partition in frame.cluster.partitions:
            held, holds = _beliefs(was, partition), _beliefs(now, partition)
            for name in BELIEFS:
                if held[name] != holds[name] and name not in explained:
                    yield (
                        f"broker {now.broker_id}, {partition}: {name} was {held[name]} and is "
                        f"{holds[name]}, but no event reports it"
                    )


def _reported(happened: Event, broker: Broker) -> Beliefs:
    """The beliefs whose change an event reports, if it is about that broker."""
    is_there = isinstance(happened, BrokerEvent) and happened.broker == broker.broker_id
    if not is_there and broker.broker_id not in happened.where().replicas:
        return NO_BELIEFS
    return beliefs_reported_by(happened)


def _beliefs(broker: Broker, partition: TopicPartition) -> dict[Belief, object]:
    """What a broker has and believes about a partition. Requests in flight and the times that a
    leader records for its followers are excluded, because they change in every round of fetches.
    """
    replica = broker.replica(partition)
    if replica is None:
        replica = Replica(partition=partition, broker_id=broker.broker_id)
    leading, fetcher = replica.leading, replica.fetcher
    pending = None if leading is None else leading.pending_isr
    blocked = None if leading is None else leading.blocked_isr
    return {
        "log": replica.log,
        "flushed": replica.flushed,
        "epoch_cache": replica.epoch_cache,
        "checkpoint_high_watermark": replica.checkpoint_high_watermark,
        "checkpoint_recovery_point": replica.checkpoint_recovery_point,
        "loaded": replica.loaded,
        "leader": replica.leader,
        "leader_epoch": replica.leader_epoch,
        "partition_epoch": replica.partition_epoch,
        "role": replica.role,
        "high_watermark": replica.high_watermark,
        "isr": leading and leading.isr,
        "pending_isr": pending and (pending.kind, pending.isr, pending.given_up),
        "blocked_isr": blocked and (blocked.kind, blocked.isr),
        "leader_epoch_start_offset": leading and leading.leader_epoch_start_offset,
        "followers": leading
        and [(remote.broker_id, remote.log_end_offset) for remote in leading.remotes],
        "produces": leading and leading.produces,
        "fetches_from": fetcher and (fetcher.leader, fetcher.leader_epoch),
        "fetch_offset": fetcher and fetcher.fetch_offset,
        "fetch_phase": fetcher and fetcher.phase,
        "has_fetched": fetcher and fetcher.has_fetched,
        "forgot_epoch": fetcher and fetcher.forgot_epoch,
        "diverging_epoch": fetcher and fetcher.diverging_epoch,
    }
