"""One broker's replica of one partition: its settings, its state, the result of its transitions,
and how its log is loaded, extended and truncated.

The fields of `Replica` above the comment line are on disk and survive the process. Those below it
are in the process's memory, and are lost when it ends. Every transition returns an `Outcome`.
"""

from collections.abc import Mapping
from typing import Literal, TypedDict

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.events.base import Event, EventSubject
from sim_engine.events.log import EpochAssigned
from sim_engine.identifiers import (
    FIRST_OFFSET,
    NEVER_MS,
    NO_LEADER,
    UNDEFINED_EPOCH,
    UNDEFINED_OFFSET,
    BrokerId,
    ErrorCode,
    LeaderEpoch,
    Offset,
    TimeMs,
    TopicPartition,
)
from sim_engine.kafka_history import Rules
from sim_engine.protocol.log import (
    EpochEndOffset,
    EpochEntries,
    ReplicaLog,
    append,
    assign,
    cut_to,
    latest_epoch,
    truncate_from_end,
)
from sim_engine.protocol.messages import FetchRequest, Message, Send
from sim_engine.records import Record
from sim_engine.versions import Profile


class PartitionSettings(Struct, frozen=True, gc=False, kw_only=True):
    """One partition's effective configuration. Names are Kafka's, with underscores; times in ms."""

    profile: Profile
    replication_factor: int
    min_insync_replicas: int
    unclean_leader_election_enable: bool
    replica_lag_time_max_ms: int
    replica_lag_max_messages: int
    """Used only without KIP-16, which removed it (0.9)."""
    replica_fetch_wait_max_ms: int
    replica_fetch_backoff_ms: int
    flush_messages: int | None
    """Flush after this many records; null: never flush, and rely on replication and the
    page cache.
    """

    @property
    def effective_min_insync_replicas(self) -> int:
        """min.insync.replicas, from 3.7 limited to the replication factor
        (`UnifiedLog`/`Partition`, KAFKA-15583).
        """
        if self.profile.rules.min_isr_gates_high_watermark:
            return min(self.min_insync_replicas, self.replication_factor)
        return self.min_insync_replicas


class BrokerView(Struct, frozen=True, gc=False):
    """What a broker reads when it changes a replica: the partition's settings on this broker, the
    time, and the broker epoch of each broker that is neither fenced nor shutting down, according to
    its metadata.
    """

    settings: PartitionSettings
    now_ms: TimeMs
    active: Mapping[BrokerId, int]

    @property
    def rules(self) -> Rules:
        """The release's rules."""
        return self.settings.profile.rules


Role = Literal["leader", "follower", "none"]

FetcherPhase = Literal["truncating", "fetching", "resetting_latest", "resetting_earliest", "failed"]


class RemoteReplica(Struct, frozen=True, gc=False, kw_only=True):
    """A leader's state of one follower (Kafka: `ReplicaState`).

    Times are 0 for "never"; `log_end_offset` is -1 until the follower has fetched from this leader.
    """

    broker_id: BrokerId
    log_start_offset: Offset = UNDEFINED_OFFSET
    log_end_offset: Offset = UNDEFINED_OFFSET
    last_fetch_leader_log_end_offset: Offset = FIRST_OFFSET
    last_fetch_time_ms: TimeMs = NEVER_MS
    last_caught_up_time_ms: TimeMs = NEVER_MS
    last_sent_high_watermark: Offset = FIRST_OFFSET
    """The high watermark read for its latest fetch; used only by KIP-392's eager wake-up."""
    broker_epoch: int | None = None
    """The epoch in its latest fetch."""


def may_join_isr(remote: RemoteReplica, view: BrokerView) -> bool:
    """Whether the leader's metadata allows a replica to join (`Partition.isReplicaIsrEligible`).

    Its broker must be neither fenced nor shutting down (KIP-841). From 3.5, under KRaft, its latest
    fetch must also have come from the process that is registered now (KIP-903); an epoch of -1 is
    not compared.
    """
    registered = view.active.get(remote.broker_id)
    if registered is None:
        return False
    return not view.rules.broker_epoch_in_isr or remote.broker_epoch in (-1, registered)


class PendingIsr(Struct, frozen=True, gc=False, kw_only=True):
    """A pending ISR change (`PendingExpandIsr`, `PendingShrinkIsr`).

    `request` is the id of the AlterPartition request; null if that was lost and must be sent again.
    `given_up` means that the controller's response ended the request without a decision, so the
    change stays pending until newer metadata arrives.
    """

    kind: Literal["expand", "shrink"]
    isr: tuple[BrokerId, ...]
    replicas: tuple[BrokerId, ...]
    """The replicas that would join or leave."""
    request: int | None = None
    given_up: bool = False


class ParkedFetch(Struct, frozen=True, gc=False, kw_only=True):
    """A fetch that found no records and is parked at the leader (`DelayedFetch`).

    `message` is the request as it arrived; `deadline_ms` is when its wait ends.
    """

    message: Message
    deadline_ms: TimeMs

    @property
    def message_id(self) -> int:
        """The id of the fetch request."""
        return self.message.id

    @property
    def follower(self) -> BrokerId:
        """The follower that waits for the response."""
        return self.message.sending_broker

    @property
    def request(self) -> FetchRequest:
        """The fetch request."""
        assert isinstance(self.message.payload, FetchRequest), "a parked request is a fetch"
        return self.message.payload


class DelayedProduce(Struct, frozen=True, gc=False, kw_only=True):
    """An acks=all request that waits for the high watermark to reach `required_offset`."""

    request: int
    required_offset: Offset
    deadline_ms: TimeMs


class LeadingState(Struct, frozen=True, gc=False, kw_only=True):
    """A broker's state while it believes that it is the leader."""

    leader_epoch_start_offset: Offset
    isr: tuple[BrokerId, ...]
    pending_isr: PendingIsr | None = None
    blocked_isr: PendingIsr | None = None
    """An ISR change that this leader is waiting to write to ZooKeeper, which is unreachable.
    Meanwhile the partition is locked, and the leader appends nothing (recorded on 0.10.2.2 and
    2.0.1).
    """
    remotes: tuple[RemoteReplica, ...] = ()
    parked: tuple[ParkedFetch, ...] = ()
    produces: tuple[DelayedProduce, ...] = ()

    @property
    def changes_isr(self) -> bool:
        """Whether an ISR change is in progress. There is never more than one."""
        return self.pending_isr is not None or self.blocked_isr is not None

    @property
    def maximal_isr(self) -> tuple[BrokerId, ...]:
        """The ISR and the joining replicas; while a shrink is pending, the larger set (KIP-497)."""
        if self.pending_isr is not None and self.pending_isr.kind == "expand":
            return self.pending_isr.isr
        return self.isr


class FetcherState(Struct, frozen=True, gc=False, kw_only=True):
    """A follower's fetch loop for one partition (Kafka: `PartitionFetchState`)."""

    leader: BrokerId
    leader_epoch: LeaderEpoch
    phase: FetcherPhase
    fetch_offset: Offset
    truncation_fallback: Offset
    """The truncation point for an undefined response: its high watermark when it became
    a follower.
    """
    has_fetched: bool = False
    """Whether the loop has applied a response from the current leadership, and has therefore
    reconciled its log.
    """
    forgot_epoch: bool = False
    """Whether the loop's fetches omit the latest epoch: from 3.5.1 to 3.6, if its first response
    had no records, until it receives some (KAFKA-15080, fixed by KAFKA-15510).
    """
    awaiting: int | None = None
    """The message id of the request in flight; null if there is none."""
    delayed_until_ms: TimeMs | None = None
    diverging_epoch: EpochEndOffset | None = None
    """The leader's point of divergence, until the log is truncated: up to 3.4.0 the response's high
    watermark is adopted first (KAFKA-14704).
    """


class LateRequest(Struct, frozen=True, gc=False, kw_only=True):
    """A request that was in flight when its fetch loop ended, although its fetcher thread still
    exists: the broker follows the same leader again, or follows it for another partition.

    A thread has one request in flight. Until the response arrives, it sends no other request to
    that leader.
    """

    leader: BrokerId
    message_id: int
    leader_epoch: LeaderEpoch
    """The follower's leader epoch when it sent the request."""
    fetch_offset: Offset


class Place(TypedDict):
    """The broker and the partition of an event."""

    broker: BrokerId
    partition: TopicPartition


class Replica(Struct, frozen=True, gc=False, kw_only=True):
    """One broker's copy of a partition, with the role that it has in the running process.

    Invariant: log start <= high watermark <= log end, flushed <= log end.
    """

    partition: TopicPartition
    broker_id: BrokerId
    log: ReplicaLog = ReplicaLog()
    flushed: Offset = FIRST_OFFSET
    epoch_cache: EpochEntries = ()
    checkpoint_high_watermark: Offset | None = None
    checkpoint_recovery_point: Offset | None = None

    # --- memory of the process ---
    loaded: bool = False
    """Whether a running process has opened this log."""
    leader: BrokerId = NO_LEADER
    leader_epoch: LeaderEpoch = UNDEFINED_EPOCH
    partition_epoch: int = -1
    high_watermark: Offset = FIRST_OFFSET
    leading: LeadingState | None = None
    fetcher: FetcherState | None = None
    late_requests: tuple[LateRequest, ...] = ()
    """At most one for each leader that it followed before."""
    following: bool = False

    @property
    def role(self) -> Role:
        """The role of the running process for this partition."""
        if self.leading is not None:
            return "leader"
        return "follower" if self.following else "none"

    @property
    def parked(self) -> tuple[ParkedFetch, ...]:
        """The fetches that are parked here; none unless it is the leader."""
        return () if self.leading is None else self.leading.parked

    @property
    def produces(self) -> tuple[DelayedProduce, ...]:
        """The produce requests that wait here; none unless it is the leader."""
        return () if self.leading is None else self.leading.produces

    @property
    def pending_isr(self) -> PendingIsr | None:
        """Its pending ISR change; None if there is none or it is not the leader."""
        return None if self.leading is None else self.leading.pending_isr

    @property
    def log_end_offset(self) -> Offset:
        """The offset of the next record (LEO, exclusive)."""
        return self.log.log_end_offset

    @property
    def latest_epoch(self) -> LeaderEpoch:
        """The latest epoch in the cache; -1 if there is none."""
        return latest_epoch(self.epoch_cache)

    def place(self) -> Place:
        """Its broker and its partition, which every event of a replica has."""
        return {"broker": self.broker_id, "partition": self.partition}


def without_memory(replica: Replica) -> Replica:
    """The replica after its process has ended: only the page cache and the files survive."""
    return replace(
        replica,
        loaded=False,
        leader=NO_LEADER,
        leader_epoch=-1,
        partition_epoch=-1,
        high_watermark=0,
        leading=None,
        fetcher=None,
        late_requests=(),
        following=False,
    )


def late_requests_of(replica: Replica) -> tuple[LateRequest, ...]:
    """The requests that stay in flight if the replica's fetch loop ends now."""
    fetcher = replica.fetcher
    if fetcher is None or fetcher.awaiting is None:
        return replica.late_requests
    return (
        *replica.late_requests,
        LateRequest(
            leader=fetcher.leader,
            message_id=fetcher.awaiting,
            leader_epoch=fetcher.leader_epoch,
            fetch_offset=fetcher.fetch_offset,
        ),
    )


def late_request(replica: Replica, message_id: int) -> LateRequest | None:
    """The request of an earlier fetch loop with this message id; None if there is none."""
    return next((late for late in replica.late_requests if late.message_id == message_id), None)


def late_request_to(replica: Replica, leader: BrokerId) -> LateRequest | None:
    """The request of an earlier fetch loop that waits for this leader; None if there is none."""
    return next((late for late in replica.late_requests if late.leader == leader), None)


def load_log(replica: Replica, *, recover: bool, rules: Rules) -> Replica:
    """Load the log, as a starting broker does (`LogLoader`).

    The high watermark is read from its checkpoint, limited to the log; nothing is truncated to it.
    The epoch file is trimmed to the log even after a clean shutdown: an epoch without records is
    removed by any restart (recorded on 2.8.2). Recovery after an unclean shutdown also adds the
    epochs of batches that are missing from the file.
    """
    end = replica.log_end_offset
    checkpointed = replica.checkpoint_high_watermark or 0
    return replace(
        replica,
        loaded=True,
        epoch_cache=(
            _loaded_epochs(replica, recover=recover, rules=rules)
            if rules.epoch_truncation
            else replica.epoch_cache
        ),
        checkpoint_recovery_point=(
            None
            if replica.checkpoint_recovery_point is None
            else min(replica.checkpoint_recovery_point, end)
        ),
        high_watermark=max(replica.log.log_start_offset, min(checkpointed, end)),
    )


def _loaded_epochs(replica: Replica, *, recover: bool, rules: Rules) -> EpochEntries:
    """The epoch file trimmed to the log; recovery reads every batch (`LogSegment.recover`)."""
    entries = truncate_from_end(replica.epoch_cache, replica.log_end_offset)
    if not recover:
        return entries
    for record in replica.log.records:
        if record.epoch is not None and record.epoch > latest_epoch(entries):
            entries = assign(entries, record.epoch, record.offset, rules)
    return entries


def truncate_to(
    replica: Replica, offset: Offset, rules: Rules
) -> tuple[Replica, tuple[Record, ...], EpochEntries]:
    """Truncate the log to end at `offset`. Returns the new replica, and the removed records and
    epoch entries.

    Kafka: `UnifiedLog.truncateTo`. At or beyond the log's end no record is removed, but from 2.6
    the entries of epochs without records are removed.
    """
    end = replica.log_end_offset
    if offset >= end:
        if not rules.trim_epochs_on_no_op_truncation:
            return replica, (), ()
        kept_epochs = truncate_from_end(replica.epoch_cache, end)
        return (
            replace(replica, epoch_cache=kept_epochs),
            (),
            replica.epoch_cache[len(kept_epochs) :],
        )
    log, removed = cut_to(replica.log, offset)
    kept_epochs = truncate_from_end(replica.epoch_cache, offset)
    flushed = min(replica.flushed, offset)
    return (
        replace(
            replica,
            log=log,
            flushed=flushed,
            epoch_cache=kept_epochs,
            high_watermark=min(replica.high_watermark, offset),
            checkpoint_recovery_point=min(replica.checkpoint_recovery_point or 0, flushed),
        ),
        removed,
        replica.epoch_cache[len(kept_epochs) :],
    )


def flush_after_append(replica: Replica, flush_messages: int | None) -> Replica:
    """Flush the log to its end if the number of unflushed records has reached `flush_messages`
    (`log.flush.interval.messages`); null never flushes.
    """
    if flush_messages is None or replica.log_end_offset - replica.flushed < flush_messages:
        return replica
    return replace(replica, flushed=replica.log_end_offset)


def leading_state(replica: Replica) -> LeadingState:
    """The leader state of a replica that leads. Any other replica has none (asserted)."""
    assert replica.leading is not None, "the replica is the leader"
    return replica.leading


def remote_of(leading: LeadingState, broker_id: BrokerId) -> RemoteReplica | None:
    """The leader's state of one follower; None if that broker is not in the assignment."""
    for remote in leading.remotes:
        if remote.broker_id == broker_id:
            return remote
    return None


class ProduceResponse(Struct, frozen=True, gc=False, kw_only=True):
    """The leader's response to one produce request."""

    request: int
    error: ErrorCode = ErrorCode.NONE
    offset: Offset = UNDEFINED_OFFSET


def records_subject(replica: Replica, records: tuple[Record, ...]) -> EventSubject:
    """The subject of an event about records of a replica's log."""
    return EventSubject(
        partition=replica.partition,
        replicas=(replica.broker_id,),
        offsets=tuple(record.offset for record in records),
        records=records,
    )


ProcessEnd = Literal["exit", "halt", "hang"]
"""How a broker's process terminates by itself: `exit` shuts down cleanly, `halt` ends without a
clean shutdown, `hang` begins to shut down and never finishes.
"""


class Outcome(Struct, frozen=True, gc=False, kw_only=True):
    """The result of a transition of a replica.

    A caller stores `replica` first; then it takes `events`, `sends`, `produce_responses`,
    `isr_write` and `process_ends`, in this order.
    """

    replica: Replica
    """The replica after the transition."""
    sends: tuple[Send, ...] = ()
    """Messages to other brokers, in sending order."""
    produce_responses: tuple[ProduceResponse, ...] = ()
    """Responses to produce requests, both waiting and new ones."""
    events: tuple[Event, ...] = ()
    """The events, in causal order."""
    isr_write: PendingIsr | None = None
    """An ISR change that the leader makes now: under ZooKeeper a conditional write of the
    partition's state znode, with KIP-497 a request to the controller.
    """
    process_ends: ProcessEnd | None = None
    duplicate: Record | None = None
    """The original record of an idempotent producer's duplicate batch."""

    def then(self, following: "Outcome") -> "Outcome":
        """This outcome and one that followed it, in order. At most one of them has an ISR change,
        the end of the process, or a duplicate.
        """
        assert self.isr_write is None or following.isr_write is None, "one ISR change"
        assert self.process_ends is None or following.process_ends is None, "a process ends once"
        assert self.duplicate is None or following.duplicate is None, "one duplicate batch"
        return Outcome(
            replica=following.replica,
            sends=self.sends + following.sends,
            produce_responses=self.produce_responses + following.produce_responses,
            events=self.events + following.events,
            isr_write=self.isr_write or following.isr_write,
            process_ends=self.process_ends or following.process_ends,
            duplicate=self.duplicate or following.duplicate,
        )


def step_down_responses(replica: Replica) -> tuple[ProduceResponse, ...]:
    """NOT_LEADER_OR_FOLLOWER for the produce requests that wait at a leader that steps down."""
    return tuple(
        ProduceResponse(request=waiting.request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER)
        for waiting in replica.produces
    )


def append_records(replica: Replica, records: tuple[Record, ...], view: BrokerView) -> Outcome:
    """Append records to a replica's log and add the epoch of each batch to the epoch cache
    (KIP-101).

    The offsets of `records` must continue the log. The log is flushed if
    log.flush.interval.messages requires it. The outcome has one event for each epoch added to the
    cache, and no messages.
    """
    events: list[Event] = []
    epoch_cache = replica.epoch_cache
    for record in records:
        if record.epoch is None:
            continue
        assigned = assign(epoch_cache, record.epoch, record.offset, view.rules)
        if assigned != epoch_cache:
            events.append(_epoch_assigned(replica, record.epoch, record.offset, "append"))
        epoch_cache = assigned
    replica = replace(replica, log=append(replica.log, *records), epoch_cache=epoch_cache)
    return Outcome(
        replica=flush_after_append(replica, view.settings.flush_messages), events=tuple(events)
    )


def assign_epoch_of_refused(replica: Replica, view: BrokerView) -> Outcome:
    """A leader adds the epoch of a batch to its epoch cache before it compares the batch with what
    it remembers of the producer (`Log.append`). So a batch that is not appended, a duplicate or one
    out of sequence, leaves an entry too: up to 2.0.0, where the leader has none since its election.
    """
    epoch, start = replica.leader_epoch, replica.log_end_offset
    assigned = assign(replica.epoch_cache, epoch, start, view.rules)
    if assigned == replica.epoch_cache:
        return Outcome(replica=replica)
    happened = _epoch_assigned(replica, epoch, start, "not_appended")
    return Outcome(replica=replace(replica, epoch_cache=assigned), events=(happened,))


def _epoch_assigned(
    replica: Replica, epoch: LeaderEpoch, start: Offset, variant: Literal["append", "not_appended"]
) -> EpochAssigned:
    return EpochAssigned(
        variant=variant,
        rule="KIP-101",
        sources=("KIP-101", "LeaderEpochFileCache"),
        **replica.place(),
        epoch=epoch,
        start_offset=start,
    )
