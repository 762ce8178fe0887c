"""The parts of a state that make a difference to what can follow, given the rules of the release,
the property that is sought, and what is left of the budget; and a counterexample, played again with
the parts that make none.

Everything else is replaced by one value, so that states that differ only in it are equal. Each
replacement names the places at which the engine reads what is replaced, and why none of them can be
reached, or why its result is the same. A new entry of the budget that reaches such a place belongs
into `Relevance.needs_of`.

What a search reports does not depend on whether that is right: a counterexample is reported only if
the engine itself, with the checks of a run, comes to the violation.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import Final

from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Deliver, Drop, Fetch, Happening
from sim_engine.cluster.state import (
    Broker,
    Clients,
    ClusterState,
    IsrChanges,
    ProducedRecord,
    ProduceOutcome,
)
from sim_engine.exploration.alphabet import BUDGET_NAMES
from sim_engine.exploration.moves import hangs
from sim_engine.exploration.recorded import THE_FRAME
from sim_engine.identifiers import (
    FIRST_EPOCH,
    FIRST_OFFSET,
    NEVER_MS,
    UNDEFINED_OFFSET,
    BrokerId,
    ErrorCode,
    FrameNumber,
)
from sim_engine.invariants.observation import CLIENTS, FETCHED, FLUSHED, Verdicts, observe
from sim_engine.invariants.safety import CheckedProperty, evaluate
from sim_engine.narration import RefusedError
from sim_engine.protocol import messages
from sim_engine.protocol.messages import ZOOKEEPER_COMMANDS, Answer, Message
from sim_engine.protocol.replica import FetcherState, LeadingState, RemoteReplica, Replica
from sim_engine.simulation.fetch_rounds import delivery_of
from sim_engine.simulation.performing.messages import is_awaited, matching, why_undeliverable
from sim_engine.simulation.performing.timers import isr_changes_are_due
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.timeline import Frame

ASKED: Final = 1
"""A client may still ask: send a record, read, or refresh its metadata."""
ENDS: Final = 2
"""A process may still end without writing its files."""
FAILS_OVER: Final = 4
"""Another broker may become the controller, or has."""
RETRIES: Final = 8
"""A producer may send a record again."""
LEAVES: Final = 16
"""A process that is not shutting down may still end."""
ANYTHING: Final = 31

_ENTRIES = {
    ASKED: (steps.Produce, steps.Consume, steps.Retry, steps.Refresh),
    ENDS: (steps.Crash, steps.PowerLoss, steps.DiskLoss, steps.Shutdown),
    LEAVES: (steps.Crash, steps.PowerLoss, steps.DiskLoss, steps.Shutdown),
    FAILS_OVER: (steps.FailController,),
    RETRIES: (steps.Retry,),
}

_RETRIED_ERRORS = frozenset(ErrorCode) - {
    ErrorCode.NONE,
    ErrorCode.OFFSET_OUT_OF_RANGE,
    ErrorCode.FENCED_LEADER_EPOCH,
}


class Relevance:
    """What makes a difference in one search, which begins with `left` of a budget.

    `timed` if time may pass, `composed` if a fetch is a whole round, and an election begins with
    the detection of failed brokers, `continued` if time passes after a search.
    """

    def __init__(
        self,
        start: ClusterState,
        watched: CheckedProperty,
        left: Sequence[int] | None,
        *,
        timed: bool,
        composed: bool,
        continued: bool = False,
    ) -> None:
        rules = start.profile.rules
        self._start, self._rules = start, rules
        self._timed, self._composed = timed, composed
        self._may_wait = timed or continued
        self._by_log = start.controller_kind.has_metadata_log
        self._reads_clients = bool(watched.reads & CLIENTS)
        self._reads_flushed = bool(watched.reads & FLUSHED)
        self._reads_fetched = bool(watched.reads & FETCHED)
        self._always = 0
        ends = start.profile.out_of_range_exit
        may_exit = ends != "none" and (
            left is None
            or bool(left[BUDGET_NAMES.index(name_of(steps.Config))])
            or not all(settings.unclean_leader_election_enable for _, settings in start.settings)
            or bool(start.broker_settings)
        )
        if self._may_wait:
            self._always = ANYTHING
        elif may_exit:
            # A broker with a longer log than its leader ends, or shuts down and hangs; in the
            # releases in which it halts, without writing its files.
            self._always = ENDS | LEAVES if ends == "halt" else LEAVES
        self._reads_known_brokers = (
            self._by_log
            or rules.fenced_brokers_stay_out
            or rules.outsiders_must_be_eligible
            or rules.stale_broker_epoch_refused
            or rules.alter_partition
        )
        self._indexes = {
            need: tuple(BUDGET_NAMES.index(name_of(kind)) for kind in kinds)
            for need, kinds in _ENTRIES.items()
        }
        if start.controller.controller_epoch != 1 or self.needs_of(left) & FAILS_OVER:
            # Commands of a former controller may be in flight.
            self._always |= FAILS_OVER

    def needs_of(self, left: Sequence[int] | None) -> int:
        """What may still happen with what is left of a budget, as a sum of needs; without a budget,
        anything.
        """
        if left is None:
            return ANYTHING
        return self._always | sum(
            need for need, indexes in self._indexes.items() if any(left[index] for index in indexes)
        )

    # --- brokers -------------------------------------------------------------------------------

    def broker(self, broker: Broker, needs: int) -> Broker:
        """A broker with one value for everything that makes no difference.

        - `contact_lost_order` decides only the order of detections in an election that is a whole
          step.
        - ISR changes that cannot be due, because no time passes, are never sent.
        - Without UpdateMetadata's brokers in any rule (ISR, high watermark, broker epochs), nothing
          reads `known_brokers`.
        - Only clients read the leaders in `known_partitions`; brokers read whether a partition is
          in it (`error_without_replica`).
        - The epoch of the only controller there has been is never too old.
        - The epochs of a clean shutdown are read only with eligible leader replicas, and
          `clean_shutdown_epoch` only if there is a marker.
        - What is on disk is read by the start of a process and a loss of power. An exit or a
          shutdown writes all of it again (`stop_cleanly`).
        """
        on_disk = broker.alive and not needs & ENDS and not self._reads_flushed
        return replace(
            broker,
            timers=broker.timers if self._timed else (),
            down_since_frame=None,
            contact_lost_ms=self._lost_ms(broker),
            contact_lost_order=self._lost_order(broker),
            broker_epoch=-1 if self._by_log else broker.broker_epoch,
            previous_broker_epoch=(
                broker.previous_broker_epoch if self._rules.eligible_leader_replicas else -1
            ),
            clean_shutdown=broker.clean_shutdown and not on_disk,
            clean_shutdown_epoch=(
                broker.clean_shutdown_epoch
                if broker.clean_shutdown and self._rules.eligible_leader_replicas
                else -1
            ),
            controller_epoch=broker.controller_epoch if needs & FAILS_OVER else 1,
            isr_changes=self._isr_changes(broker.isr_changes),
            known_brokers=(
                _without_incarnations(broker.known_brokers) if self._reads_known_brokers else ()
            ),
            known_partitions=(
                tuple(map(_for_clients, broker.known_partitions))
                if needs & ASKED
                else tuple(map(_named, broker.known_partitions))
            ),
            checkpoints_high_watermarks=(
                on_disk or not broker.alive or broker.checkpoints_high_watermarks
            ),
            replicas=tuple(
                [self._replica(replica, needs, on_disk=on_disk) for replica in broker.replicas]
            ),
        )

    def _lost_ms(self, broker: Broker) -> int | None:
        lost_ms = broker.contact_lost_ms
        return lost_ms if lost_ms is None or self._timed else self._start.now_ms

    def _lost_order(self, broker: Broker) -> int:
        matters = self._timed or self._composed
        return broker.contact_lost_order if matters and broker.contact_lost_ms is not None else 0

    def _isr_changes(self, changes: IsrChanges) -> IsrChanges:
        now_ms = self._start.now_ms
        now = IsrChanges(last_change_ms=now_ms, last_propagation_ms=now_ms)
        if self._may_wait or isr_changes_are_due(
            replace(changes, partitions=self._start.partitions), now_ms
        ):
            return changes
        return now

    def _replica(self, replica: Replica, needs: int, *, on_disk: bool) -> Replica:
        leading, fetcher = replica.leading, replica.fetcher
        changed = replace(
            replica,
            # Under ZooKeeper only the leader reads the version of the znode, to write it.
            partition_epoch=(
                replica.partition_epoch if self._by_log or leading is not None else -1
            ),
            leading=leading and self._leading(leading, replica, needs),
            fetcher=fetcher and self._fetcher(fetcher, replica),
        )
        if not on_disk:
            return changed
        return replace(
            changed,
            flushed=replica.log_end_offset,
            checkpoint_high_watermark=replica.high_watermark,
            checkpoint_recovery_point=None,
        )

    def _leading(self, leading: LeadingState, replica: Replica, needs: int) -> LeadingState:
        """A leader's state; the requests that wait there decide only what clients are told."""
        told = self._reads_clients or needs & RETRIES
        return replace(
            leading,
            remotes=tuple([self._remote(one, replica, needs) for one in leading.remotes]),
            produces=leading.produces if told else (),
        )

    def _remote(self, remote: RemoteReplica, replica: Replica, needs: int) -> RemoteReplica:
        """A leader's state of a follower.

        - A follower that is caught up now stays so while no time passes, and the end of the log at
          its last fetch is read only to find when it was caught up.
        - Of the high watermark that was sent, only whether it is lower than the leader's matters.
        - Only consumers read where the follower's log starts.
        """
        rules = self._rules
        caught_up = not self._may_wait and remote.last_caught_up_time_ms == self._start.now_ms
        if rules.lag_by_time_only and (caught_up or not rules.caught_up_as_of_previous_fetch):
            remote = replace(
                remote, last_fetch_leader_log_end_offset=FIRST_OFFSET, last_fetch_time_ms=NEVER_MS
            )
        is_behind = remote.last_sent_high_watermark < replica.high_watermark
        hears = rules.wake_followers_on_high_watermark and not is_behind
        return replace(
            remote,
            last_sent_high_watermark=replica.high_watermark if hears else FIRST_OFFSET,
            log_start_offset=remote.log_start_offset if needs & ASKED else UNDEFINED_OFFSET,
        )

    def _fetcher(self, fetcher: FetcherState, replica: Replica) -> FetcherState:
        """A follower's fetch loop.

        - `has_fetched` is read by LogMatching, by the rule of the forgotten epoch and, in a whole
          round, to find that a further one changes nothing.
        - A backoff ends with the next request; besides, only the response to an earlier request
          reads it, and clocks.
        - A loop that has reconciled its log reads its fallback only if it may diverge later, or if
          the response to an earlier request may arrive.
        """
        rules = self._rules
        keeps_fetched = (
            self._reads_fetched
            or self._may_wait
            or self._composed
            or rules.empty_first_response_forgets_epoch
        )
        may_be_late = bool(replica.late_requests)
        keeps_fallback = fetcher.phase == "truncating" or rules.truncation_on_fetch or may_be_late
        return replace(
            fetcher,
            has_fetched=fetcher.has_fetched and keeps_fetched,
            delayed_until_ms=fetcher.delayed_until_ms if self._may_wait or may_be_late else None,
            truncation_fallback=fetcher.truncation_fallback if keeps_fallback else FIRST_OFFSET,
        )

    # --- clients -------------------------------------------------------------------------------

    def clients(self, clients: Clients, needs: int) -> Clients:
        """The clients with one value for everything that makes no difference.

        If nothing is asked any more, their metadata is not read, and if no request waits at a
        broker, those that were sent are not read, unless the property reads them.
        """
        if self._reads_clients:
            return replace(
                clients,
                produced=tuple(map(_without_frames, clients.produced)),
                consumed=tuple(replace(one, frame=THE_FRAME) for one in clients.consumed),
            )
        told = bool(needs & RETRIES)
        produced = tuple([_whether_handled(record, told=told) for record in clients.produced])
        waits = any(one.id is None and one.outcome == "pending" for one in produced)
        if not needs & ASKED and not waits:
            return Clients()
        return replace(
            clients, at_risk=(), produced=tuple(map(_without_frames, produced)), consumed=()
        )

    # --- messages ------------------------------------------------------------------------------

    def message(self, message: messages.Message, needs: int) -> messages.Message:
        """A message with one value for everything that makes no difference.

        A follower treats all errors but two alike, and reads nothing else of such a response. The
        ends of the leader's log and the requested offset are only reported, as are the states that
        a command replaces and the records of the metadata log, whose results a message has.
        """
        payload = message.payload
        match payload:
            case messages.FetchResponse():
                payload = replace(
                    payload,
                    fetch_offset=FIRST_OFFSET,
                    log_start_offset=FIRST_OFFSET,
                    log_end_offset=UNDEFINED_OFFSET,
                )
                if payload.error is not ErrorCode.NONE:
                    payload = replace(payload, high_watermark=UNDEFINED_OFFSET)
                payload = replace(payload, error=_as_handled(payload.error))
            case messages.OffsetsForLeaderEpochResponse() | messages.ListOffsetsResponse():
                payload = replace(payload, error=_as_handled(payload.error))
            case messages.MetadataRecords():
                payload = replace(
                    payload,
                    brokers=_without_incarnations(payload.brokers),
                    records=(),
                    passed_over=(),
                )
            case messages.LeaderAndIsr():
                payload = replace(payload, passed_over=())
            case messages.UpdateMetadata():
                known = _without_incarnations(payload.brokers) if self._reads_known_brokers else ()
                kept = _for_clients if needs & ASKED else _named
                payload = replace(
                    payload, brokers=known, partitions=tuple(map(kept, payload.partitions))
                )
        return message if payload is message.payload else replace(message, payload=payload)

    def is_dead(self, message: messages.Message, receiver: Broker, needs: int) -> bool:
        """Whether the delivery of a message to its receiver, now and later, changes nothing: the
        response to a request for which nothing waits, and an UpdateMetadata with nothing that
        matters, if the process that knows its partitions stays.

        Of a dead AlterPartitionResponse, its place may matter: see `separates`.
        """
        payload = message.payload
        if message.held:
            return False
        if isinstance(payload, messages.FollowerResponse | messages.AlterPartitionResponse):
            return not waits_for(receiver, message)
        if not isinstance(payload, messages.UpdateMetadata) or self._reads_known_brokers:
            return False
        known = {registration.partition for registration in receiver.known_partitions}
        return (
            not needs & (ASKED | LEAVES | FAILS_OVER)
            and (receiver.process in ("running", "paused") or hangs(receiver))
            and all(registration.partition in known for registration in payload.partitions)
        )


def waits_for(broker: Broker, message: messages.Message) -> bool:
    """Whether a broker does something with a response: a fetch loop waits for it, a fetcher that is
    shutting down, or a leader with a pending ISR change.
    """
    request, partition = message.in_reply_to, message.partition
    if partition is None or request is None:
        return True
    replica = broker.replica(partition)
    if isinstance(message.payload, messages.AlterPartitionResponse):
        pending = None if replica is None else replica.pending_isr
        return pending is not None and pending.request == request
    if any(ending.request == request for ending in broker.ending_fetchers):
        return True
    return replica is not None and is_awaited(replica, request)


def separates(message: messages.Message, before: messages.Message) -> bool:
    """Whether a dead message keeps the controller from merging its next one with the one before it
    (`publish`, `tell_metadata`), so that its place matters.
    """
    payload = before.payload
    return (
        isinstance(message.payload, messages.AlterPartitionResponse)
        and before.receiver == message.receiver
        and (
            isinstance(payload, messages.UpdateMetadata)
            or (isinstance(payload, messages.MetadataRecords) and not payload.partitions)
        )
    )


def _as_handled(error: ErrorCode) -> ErrorCode:
    return ErrorCode.NOT_LEADER_OR_FOLLOWER if error in _RETRIED_ERRORS else error


def _for_clients(known: messages.PartitionRegistration) -> messages.PartitionRegistration:
    return replace(_named(known), leader=known.leader, leader_epoch=known.leader_epoch)


def _named(known: messages.PartitionRegistration) -> messages.PartitionRegistration:
    return messages.PartitionRegistration(
        partition=known.partition, replicas=(), isr=(), leader_epoch=FIRST_EPOCH, partition_epoch=-1
    )


def _without_incarnations(
    known: tuple[messages.BrokerRegistration, ...],
) -> tuple[messages.BrokerRegistration, ...]:
    if not any(broker.incarnation for broker in known):
        return known
    return tuple(replace(broker, incarnation=0) for broker in known)


def _whether_handled(record: ProducedRecord, *, told: bool) -> ProducedRecord:
    """A record without its fate and, unless `told`, without what its producer was told: it was
    handled, or still waits at a broker.
    """
    waits = record.id is None and record.outcome == "pending"
    handled: ProduceOutcome = "pending" if waits or record.id is not None else "failed"
    return replace(
        record,
        outcome=record.outcome if told else handled,
        error=None,
        acked_frame=record.acked_frame if told else None,
        lost_frame=None,
        fate=None,
        fate_frame=None,
    )


def _without_frames(record: ProducedRecord) -> ProducedRecord:
    return replace(
        record,
        frame=THE_FRAME,
        acked_frame=_whether(record.acked_frame),
        lost_frame=_whether(record.lost_frame),
        fate_frame=_whether(record.fate_frame),
    )


def _whether(frame: FrameNumber | None) -> FrameNumber | None:
    return None if frame is None else THE_FRAME


_UNLIMITED = 1 << 30


def confirmed_steps(
    start: Frame, steps: Iterable[Happening], is_sought: Callable[[Verdicts, ClusterState], bool]
) -> tuple[Happening, ...] | None:
    """The steps as a run plays them after a frame; None if a run does not come to what is sought
    with them, or refuses one of them.

    Responses that nobody waits for are no part of a search's states, but in a run they are before
    later ones of their kind. Their deliveries are added, and a loss passes over them.
    """
    played: list[Happening] = []
    frame, is_found = start, is_sought(start.verdicts, start.cluster)
    try:
        for step in steps:
            for one in in_a_run(step, frame.cluster):
                frames = _frames_of(one, frame)
                is_found = is_found or any(is_sought(one.verdicts, one.cluster) for one in frames)
                frame = frames[-1]
                played.append(one)
    except RefusedError:
        return None
    return tuple(played) if is_found else None


def _frames_of(step: Happening, before: Frame) -> list[Frame]:
    """The given frame and those that a step adds, with what properties read of them. Raises
    `RefusedError` if the step is not possible.
    """
    execution = StepExecution(before.cluster, FrameNumber(before.frame + 1), _UNLIMITED)
    execute_step(execution, step)
    frames = [before]
    for executed in execution.executed:
        was, now = frames[-1], executed.transition.cluster
        number = FrameNumber(was.frame + 1)
        history = observe(was.history, was.cluster, now, number)
        verdicts = evaluate(history, now, number, was.verdicts)
        frames.append(replace(was, frame=number, cluster=now, history=history, verdicts=verdicts))
    # As in a run, the last frame has the changes that were made without one.
    frames[-1] = replace(frames[-1], cluster=execution.cluster)
    return frames


def in_a_run(step: Happening, cluster: ClusterState) -> list[Happening]:
    """A step of a search as a run plays it."""
    if isinstance(step, Fetch):
        return [*map(delivery_of, _unawaited_at(step.broker, cluster)), step]
    if not isinstance(step, Deliver | Drop):
        return [step]
    if step.kind in ZOOKEEPER_COMMANDS:
        return [*map(delivery_of, _updates_before(step, cluster)), step]
    before = list(takewhile(partial(is_unawaited, cluster), matching(cluster, step)))
    if isinstance(step, Drop):
        return [replace(step, nth=len(before) + 1) if before else step]
    return [*map(delivery_of, before), step]


def _unawaited_at(broker_id: BrokerId, cluster: ClusterState) -> Iterator[Message]:
    """The responses that nobody waits for and that arrive at a broker before all others of their
    kind.
    """
    arriving = [one for one in cluster.messages if one.receiver == broker_id and not one.held]
    for delivery in dict.fromkeys(map(delivery_of, arriving)):
        yield from takewhile(partial(is_unawaited, cluster), matching(cluster, delivery))


def _updates_before(step: Deliver | Drop, cluster: ClusterState) -> list[Message]:
    """Each UpdateMetadata that precedes a different command in the queue of a broker: a search
    leaves it out if it makes no difference.
    """
    commands = matching(cluster, step)
    possible = any(why_undeliverable(cluster, command) is None for command in commands)
    if possible or not commands or step.kind == "update_metadata":
        return []
    queue = [
        message
        for message in cluster.messages
        if message.receiver == step.to
        and message.kind in ZOOKEEPER_COMMANDS
        and message.controller_epoch == commands[0].controller_epoch
    ]
    return list(takewhile(lambda message: message.kind == "update_metadata", queue))


def is_unawaited(cluster: ClusterState, message: Message) -> bool:
    """Whether a message is a response that nobody waits for and whose place does not matter."""
    return (
        isinstance(message.payload, Answer)
        and not message.held
        and not waits_for(cluster.broker(message.receiving_broker), message)
        and not any(
            other.id < message.id and separates(message, other) for other in cluster.messages
        )
    )
