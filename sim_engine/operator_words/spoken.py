"""Which log lines the events of a moment print, and the values in them.

A line that a release does not print is left out by the catalogue. An event is known by its class;
what it does not say is read from the states around it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar, cast

from msgspec import Struct, UnsetType

from sim_engine.cluster.state import ClusterState
from sim_engine.events import clients, controller, fetch, log, metadata, process
from sim_engine.events.base import BrokerEvent, Event
from sim_engine.events.isr import (
    IsrChangeRejected,
    IsrCommitted,
    IsrExpanded,
    IsrShrinkProposed,
    IsrShrunk,
)
from sim_engine.identifiers import (
    CLOCK_START_MS,
    NO_LEADER,
    BrokerId,
    ErrorCode,
    TopicPartition,
    topic_of,
)
from sim_engine.operator_words.log_lines import Printed, form_of, printed
from sim_engine.operator_words.metrics import Moment
from sim_engine.protocol.messages import PartitionRegistration, without
from sim_engine.protocol.replica import LeadingState, remote_of
from sim_engine.releases import at_least

Values = dict[str, object]


class Line(Struct, frozen=True, kw_only=True):
    """One printed log line, and where it is printed."""

    id: str
    who: str
    """A broker's id, a client's name, or "controller"."""
    partition: TopicPartition | None
    """The partition that it is about; null for a broker or the whole cluster."""
    form: Printed


class _Spoken(Struct, frozen=True):
    """A line before it has the form of a release."""

    id: str
    values: Values
    partition: TopicPartition | None = None


def log_lines(moment: Moment) -> Iterator[Line]:
    """The log lines that a moment prints, in the order of its events."""
    profile = moment.after.profile
    for happened in moment.events:
        for spoken in _spoken(moment, happened):
            form = printed(spoken.id, profile, spoken.values)
            if form is not None:
                yield Line(
                    id=spoken.id,
                    who=_who(form, spoken.values),
                    partition=spoken.partition,
                    form=form,
                )


def _who(form: Printed, values: Values) -> str:
    if form.component == "controller":
        return "controller"
    return str(values["broker" if form.component == "broker" else "client"])


def _spoken(moment: Moment, happened: Event) -> Iterator[_Spoken]:
    speak = _SPEAKERS.get(type(happened))
    return iter(()) if speak is None else speak(moment, happened)


def _about(partition: TopicPartition, **values: object) -> Values:
    topic = topic_of(partition)
    number = partition.removeprefix(f"{topic}-")
    return {"partition": partition, "topic": topic, "number": number, **values}


def _listed(brokers: Iterable[object]) -> str:
    return ",".join(map(str, brokers))


def _spaced(brokers: Iterable[object]) -> str:
    return ", ".join(map(str, brokers))


def _some(leader: BrokerId) -> str:
    return "None" if leader == NO_LEADER else f"Some({leader})"


# --- a leader and its ISR ----------------------------------------------------------------------


def _isr_shrinks(moment: Moment, happened: IsrShrinkProposed) -> Iterator[_Spoken]:
    before = moment.before.replica(happened.broker, happened.partition).leading
    yield _shrinking(moment, happened, () if before is None else before.isr)


def _isr_shrunk(moment: Moment, happened: IsrShrunk) -> Iterator[_Spoken]:
    """A leader that writes its ISR itself (up to 2.7): first it says what it will write."""
    if happened.variant == "leader" and not moment.before.profile.rules.alter_partition:
        before = moment.before.replica(happened.broker, happened.partition).leading
        yield _shrinking(moment, happened, () if before is None else before.isr)
        yield _written(moment, happened)


def _shrinking(
    moment: Moment, happened: IsrShrinkProposed | IsrShrunk, before: tuple[BrokerId, ...]
) -> _Spoken:
    leader = moment.before.replica(happened.broker, happened.partition)
    values = _about(
        happened.partition,
        broker=happened.broker,
        before=_listed(before),
        isr=_listed(happened.isr),
        high_watermark=leader.high_watermark,
        end_offset=leader.log_end_offset,
        out_of_sync=" ".join(_outsiders(leader.leading, happened.replicas, timed=False)),
        out_of_sync_since=" ".join(_outsiders(leader.leading, happened.replicas, timed=True)),
    )
    return _Spoken("isr-shrinks", values, happened.partition)


def _outsiders(
    leading: LeadingState | None, replicas: Iterable[BrokerId], *, timed: bool
) -> Iterator[str]:
    for broker_id in replicas:
        remote = None if leading is None else remote_of(leading, broker_id)
        end = "unknown" if remote is None else remote.log_end_offset
        since = 0 if remote is None else max(0, remote.last_caught_up_time_ms - CLOCK_START_MS)
        caught_up = f", lastCaughtUpTimeMs: {since}" if timed else ""
        yield f"(brokerId: {broker_id}, endOffset: {end}{caught_up})"


def _isr_expanded(moment: Moment, happened: IsrExpanded) -> Iterator[_Spoken]:
    if not moment.before.profile.rules.alter_partition:
        values = _about(
            happened.partition,
            broker=happened.broker,
            before=_listed(without(happened.isr, happened.replica)),
            isr=_listed(happened.isr),
        )
        yield _Spoken("isr-expands", values, happened.partition)
        yield _written(moment, happened)


def _written(moment: Moment, happened: IsrExpanded | IsrShrunk) -> _Spoken:
    """From 2.8 a leader prints the same line, whether it or the controller has written the ISR."""
    own = form_of("isr-written", moment.after.profile) is not None
    return _Spoken(
        "isr-written" if own else "isr-updated",
        _isr_values(moment.after, happened.broker, happened.partition, happened.isr)
        | {"version": happened.partition_epoch},
        happened.partition,
    )


def _isr_committed(moment: Moment, happened: IsrCommitted) -> Iterator[_Spoken]:
    values = _isr_values(moment.after, happened.broker, happened.partition, happened.isr)
    values["version"] = happened.partition_epoch
    yield _Spoken("isr-updated", values, happened.partition)


def _isr_values(
    cluster: ClusterState, broker: BrokerId, partition: TopicPartition, isr: tuple[BrokerId, ...]
) -> Values:
    required = cluster.settings_at(broker, partition).effective_min_insync_replicas
    return _about(
        partition,
        broker=broker,
        isr=_listed(isr),
        under_min_isr="(under-min-isr)" if len(isr) < required else "",
    )


def _isr_rejected(moment: Moment, happened: IsrChangeRejected) -> Iterator[_Spoken]:
    """Without a variant the controller, or ZooKeeper, rejects it; the leader hears it later."""
    leader = moment.before.replica(happened.broker, happened.partition)
    values = _about(happened.partition, broker=happened.broker, error=happened.error)
    if not moment.before.profile.rules.alter_partition:
        values["version"] = leader.partition_epoch
        yield _Spoken("isr-not-written", values, happened.partition)
    elif happened.variant is not None:
        if happened.error in (ErrorCode.INELIGIBLE_REPLICA, ErrorCode.OPERATION_NOT_ATTEMPTED):
            yield _Spoken("isr-rejected", values, happened.partition)
    elif happened.error is ErrorCode.INVALID_UPDATE_VERSION:
        registration = moment.before.controller.partition(happened.partition)
        values |= {"version": registration.partition_epoch, "sent_version": leader.partition_epoch}
        yield _Spoken("alter-partition-outdated", values, happened.partition)
    elif happened.error is ErrorCode.INELIGIBLE_REPLICA:
        pending = leader.pending_isr
        active = moment.before.controller.active_brokers()
        proposed = () if pending is None else pending.isr
        values["ineligible"] = _spaced(one for one in proposed if one not in active)
        yield _Spoken("alter-partition-ineligible", values, happened.partition)


def _produce_failed(moment: Moment, happened: clients.ProduceFailed) -> Iterator[_Spoken]:
    error = str(happened.error)
    renamed = not at_least(moment.before.profile.version, _NOT_LEADER_RENAMED)
    if renamed and happened.error is ErrorCode.NOT_LEADER_OR_FOLLOWER:
        error = "NOT_LEADER_FOR_PARTITION"
    values = _about(happened.partition, broker=happened.broker, client=happened.producer)
    isr, required = happened.isr, happened.min_insync_replicas
    if (
        happened.error is ErrorCode.NOT_ENOUGH_REPLICAS
        and not isinstance(isr, UnsetType)
        and not isinstance(required, UnsetType)
    ):
        refused = {"isr": _spaced(isr), "count": len(isr), "required": required}
        yield _Spoken("append-refused", values | refused, happened.partition)
    if happened.error in _RETRIABLE:
        values |= {"error": error, "exception": _exception(error)}
        yield _Spoken("produce-retried", values, happened.partition)
        if happened.error is ErrorCode.NOT_LEADER_OR_FOLLOWER:
            yield _Spoken("produce-metadata-invalid", values, happened.partition)


_NOT_LEADER_RENAMED = (2, 6)
"""KAFKA-10223: NOT_LEADER_FOR_PARTITION is called NOT_LEADER_OR_FOLLOWER."""
_RETRIABLE = (
    ErrorCode.NOT_ENOUGH_REPLICAS,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
)


def _exception(error: str) -> str:
    return "".join(word.capitalize() for word in error.split("_")) + "Exception"


# --- roles -------------------------------------------------------------------------------------


def _became_leader(moment: Moment, happened: metadata.BecameLeader) -> Iterator[_Spoken]:
    before = moment.before.replica(happened.broker, happened.partition)
    after = moment.after.replica(happened.broker, happened.partition)
    isr = () if after.leading is None else after.leading.isr
    registration = moment.after.controller.partition(happened.partition)
    values = _isr_values(moment.after, happened.broker, happened.partition, isr)
    values |= {
        "epoch": happened.leader_epoch,
        "offset": happened.log_end_offset,
        "high_watermark": happened.high_watermark,
        "version": after.partition_epoch,
        "adding": _listed(registration.adding_replicas),
        "removing": _listed(registration.removing_replicas),
        "previous_leader": _some(before.leader),
        "previous_epoch": before.leader_epoch,
    }
    yield _Spoken("leader-starts", values, happened.partition)


def _became_follower(moment: Moment, happened: metadata.BecameFollower) -> Iterator[_Spoken]:
    before = moment.before.replica(happened.broker, happened.partition)
    after = moment.after.replica(happened.broker, happened.partition)
    values = _about(
        happened.partition,
        broker=happened.broker,
        leader=happened.leader,
        epoch=happened.leader_epoch,
        offset=after.log_end_offset,
        high_watermark=after.high_watermark,
        version=after.partition_epoch,
        previous_leader=_some(before.leader),
        previous_epoch=before.leader_epoch,
    )
    yield _Spoken("follower-starts", values, happened.partition)


# --- a follower and its log --------------------------------------------------------------------


def _truncation_values(moment: Moment, happened: log.Truncation, log_end_offset: int) -> Values:
    """The values of a truncation; `completed` is false while further lookups follow it."""
    fetcher = moment.before.replica(happened.broker, happened.partition).fetcher
    answered = (happened.leader_epoch_answered, happened.diverging_epoch)
    values = _about(
        happened.partition,
        broker=happened.broker,
        leader="…" if fetcher is None else fetcher.leader,
        to=happened.to,
        high_watermark=moment.before.replica(happened.broker, happened.partition).high_watermark,
        completed=str(isinstance(happened.next_epoch, UnsetType)).lower(),
    )
    values["from"] = log_end_offset
    values["answered_epoch"] = next((e for e in answered if not isinstance(e, UnsetType)), "…")
    if not isinstance(happened.leader_end_offset, UnsetType):
        values["answered_offset"] = happened.leader_end_offset
    return values


_BY_CASE: Mapping[str, tuple[str, ...]] = {
    "kip_279": ("truncation-planned",),
    "kip_279_again": ("epoch-unknown-to-follower", "truncation-planned"),
    "kip_279_alone": ("epoch-below-followers", "truncation-planned"),
    "on_fetch": ("truncation-planned",),
    "on_fetch_again": ("epoch-unknown-to-follower", "truncation-planned"),
    "on_fetch_alone": ("epoch-below-followers", "truncation-planned"),
    "undefined": ("epoch-unknown-to-leader", "truncation-planned"),
    "no_answer": ("epoch-unknown-to-leader",),
    "no_epochs": ("truncation-to-high-watermark",),
}
"""What a follower prints before it truncates, by the case of the rule that decides."""


def _truncated(moment: Moment, happened: log.LogTruncated) -> Iterator[_Spoken]:
    values = _truncation_values(moment, happened, happened.before)
    for line in _BY_CASE.get(happened.variant, ()):
        yield _Spoken(line, values, happened.partition)
    if happened.variant == "out_of_range":
        yield _Spoken("fetch-offset-reset", values, happened.partition)
    if happened.variant == "full":
        yield _Spoken("fetch-offset-reset-to-start", values, happened.partition)
    elif happened.to < cast(int, values["high_watermark"]) and happened.variant != "out_of_range":
        yield _Spoken("truncated-below-high-watermark", values, happened.partition)
    if happened.variant != "full":
        yield _Spoken("log-truncated", values, happened.partition)
    if happened.variant in ("out_of_range", "full"):
        yield _Spoken("fetch-offset-out-of-range", values, happened.partition)


def _not_truncated(moment: Moment, happened: log.TruncationNotNeeded) -> Iterator[_Spoken]:
    values = _truncation_values(moment, happened, happened.log_end_offset)
    if happened.variant == "kip_101":
        yield _Spoken("no-truncation-needed", values, happened.partition)
    for line in _BY_CASE.get(happened.variant, ()):
        yield _Spoken(line, values, happened.partition)


def _exits(moment: Moment, happened: process.LongerThanLeader) -> Iterator[_Spoken]:
    fetcher = moment.before.replica(happened.broker, happened.partition).fetcher
    values = _about(
        happened.partition,
        broker=happened.broker,
        leader="…" if fetcher is None else fetcher.leader,
        to=happened.leader_log_end_offset,
    )
    values["from"] = happened.log_end_offset
    yield _Spoken("truncation-not-allowed", values, happened.partition)


def _partition_failed(moment: Moment, happened: fetch.PartitionFailed) -> Iterator[_Spoken]:
    replica = moment.before.replica(happened.broker, happened.partition)
    values = _about(
        happened.partition,
        broker=happened.broker,
        leader="…" if replica.fetcher is None else replica.fetcher.leader,
        epoch=replica.leader_epoch,
    )
    if happened.error is ErrorCode.FENCED_LEADER_EPOCH:
        yield _Spoken("leader-epoch-fenced", values, happened.partition)
    yield _Spoken("partition-failed", values, happened.partition)


# --- a broker that starts or stops -------------------------------------------------------------


def _loaded(moment: Moment, happened: log.LogLoaded) -> Iterator[_Spoken]:
    """The line about all logs of a broker is printed with the first of them."""
    of_broker = [
        one
        for one in moment.events
        if isinstance(one, log.LogLoaded) and one.broker == happened.broker
    ]
    clean = happened.variant == "clean"
    if of_broker[0] is happened:
        line = "recovery-skipped" if clean else "recovery-attempted"
        yield _Spoken(line, {"broker": happened.broker, "count": len(of_broker)})
    if not clean:
        values = _about(happened.partition, broker=happened.broker)
        yield _Spoken("segment-recovered", values, happened.partition)


def _of_broker(line: str) -> Callable[[Moment, BrokerEvent], Iterator[_Spoken]]:
    """A line whose only value is the broker."""

    def speak(_moment: Moment, happened: BrokerEvent) -> Iterator[_Spoken]:
        yield _Spoken(line, {"broker": happened.broker})

    return speak


def _shutdown_started(moment: Moment, happened: process.ShutdownStarted) -> Iterator[_Spoken]:
    yield _Spoken("shutdown-started", {"broker": happened.broker})
    leads = any(one.leader == happened.broker for one in moment.before.controller.partitions)
    if leads:
        yield _Spoken("shutdown-granted", {"broker": happened.broker})


def _registered(moment: Moment, happened: controller.BrokerRegistered) -> Iterator[_Spoken]:
    values: Values = {"broker": happened.broker, "broker_epoch": happened.broker_epoch}
    if happened.registered_broker_epoch != -1:
        yield _Spoken("incarnation-registered", values)
    yield _Spoken("broker-registered", values)


def _unfenced(moment: Moment, happened: controller.BrokerUnfenced) -> Iterator[_Spoken]:
    epoch = moment.after.controller.broker(happened.broker).broker_epoch
    yield _Spoken("unfencing-granted", {"broker": happened.broker, "broker_epoch": epoch})
    if happened.variant is None:
        yield _Spoken("broker-unfenced", {"broker": happened.broker})


# --- the controller ----------------------------------------------------------------------------


def _fenced(moment: Moment, happened: controller.BrokerFenced) -> Iterator[_Spoken]:
    if happened.variant is None:
        epoch = moment.before.controller.broker(happened.broker).broker_epoch
        yield _Spoken("broker-fenced", {"broker": happened.broker, "broker_epoch": epoch})


def _live(cluster: ClusterState) -> str:
    return _listed(broker.broker_id for broker in cluster.controller.brokers if broker.live)


def _session_expired(moment: Moment, happened: controller.SessionExpired) -> Iterator[_Spoken]:
    gone = happened.broker
    yield _Spoken(
        "live-brokers-changed", {"added": "", "deleted": gone, "live": _live(moment.after)}
    )
    yield _Spoken("broker-failure", {"broker": gone})


def _joined(moment: Moment, happened: controller.BrokerJoined) -> Iterator[_Spoken]:
    new = happened.broker
    yield _Spoken(
        "live-brokers-changed", {"added": new, "deleted": "", "live": _live(moment.after)}
    )
    yield _Spoken("broker-startup", {"broker": new})


def _controller_elected(
    _moment: Moment, happened: controller.ControllerElected
) -> Iterator[_Spoken]:
    yield _Spoken("controller-elected", {"controller_epoch": happened.controller_epoch})


def _election_values(moment: Moment, partition: TopicPartition) -> Values:
    before = moment.before.controller.partition(partition)
    after = moment.after.controller.partition(partition)
    return _about(
        partition,
        partition_name=partition,
        before_list=_spaced(before.isr),
        previous_leader=before.leader,
        live=_live(moment.after),
        version=after.partition_epoch,
        recovery_state=after.leader_recovery_state,
        controller_epoch=moment.after.controller.controller_epoch,
    )


def _leader_elected(moment: Moment, happened: controller.LeaderElected) -> Iterator[_Spoken]:
    values = _election_values(moment, happened.partition)
    values |= {
        "leader": happened.leader,
        "epoch": happened.leader_epoch,
        "isr": _spaced(happened.isr),
        "isr_list": _spaced(happened.isr),
    }
    onto_live = happened.variant in ("preferred", "shutdown", "reassigned")
    values["from"] = "OnlinePartition" if onto_live else "OfflinePartition"
    for line in _BY_ELECTION.get(happened.variant, ()):
        yield _Spoken(line, values, happened.partition)
    yield _Spoken("partition-changed", values, happened.partition)


_BY_ELECTION: Mapping[str, tuple[str, ...]] = {
    "unclean": ("unclean-election-chosen", "unclean-election", "unclean-change"),
    "last_known_leader": ("unclean-election", "unclean-change"),
    "elr": ("elr-election",),
    "preferred": ("preferred-leader-elected",),
}


def _not_elected(moment: Moment, happened: controller.ElectionNotPossible) -> Iterator[_Spoken]:
    if happened.variant is None:
        values = _election_values(moment, happened.partition)
        values |= {"isr": _listed(happened.isr), "live": _spaced(happened.live)}
        yield _Spoken("election-failed", values, happened.partition)


def _reassigned(
    _moment: Moment, happened: controller.ReassignmentStarted | controller.ReassignmentCancelled
) -> Iterator[_Spoken]:
    yield _Spoken("reassignment-altered", _about(happened.partition), happened.partition)


def _reassignment_completed(
    moment: Moment, happened: controller.ReassignmentCompleted
) -> Iterator[_Spoken]:
    before: PartitionRegistration = moment.before.controller.partition(happened.partition)
    values = _about(happened.partition, leader=before.leader)
    yield _Spoken("reassignment-completed", values, happened.partition)


# --- clients -----------------------------------------------------------------------------------


def _consumer_out_of_range(
    _moment: Moment, happened: clients.ConsumerOutOfRange
) -> Iterator[_Spoken]:
    if not isinstance(happened.reset_to, UnsetType):
        values = _about(
            happened.partition,
            client=happened.consumer,
            offset=happened.offset,
            to=happened.reset_to,
        )
        yield _Spoken("consumer-out-of-range", values, happened.partition)
        yield _Spoken("consumer-position-reset", values, happened.partition)


def _consumer_truncation(
    _moment: Moment, happened: clients.ConsumerTruncationDetected
) -> Iterator[_Spoken]:
    values = _about(
        happened.partition,
        client=happened.consumer,
        offset=happened.offset,
        epoch=happened.epoch,
        to=happened.end_offset,
    )
    yield _Spoken("consumer-truncation", values, happened.partition)


Kind = TypeVar("Kind", bound=Event)
_Speaker = Callable[[Moment, Event], Iterator[_Spoken]]


def _for(
    kind: type[Kind], speak: Callable[[Moment, Kind], Iterator[_Spoken]]
) -> tuple[type[Event], _Speaker]:
    """A table entry; the type checker compares the class with the function's argument."""
    return kind, cast(_Speaker, speak)


_SPEAKERS: Mapping[type[Event], _Speaker] = dict(
    (
        _for(IsrShrinkProposed, _isr_shrinks),
        _for(IsrShrunk, _isr_shrunk),
        _for(IsrExpanded, _isr_expanded),
        _for(IsrCommitted, _isr_committed),
        _for(IsrChangeRejected, _isr_rejected),
        _for(clients.ProduceFailed, _produce_failed),
        _for(metadata.BecameLeader, _became_leader),
        _for(metadata.BecameFollower, _became_follower),
        _for(log.LogTruncated, _truncated),
        _for(log.TruncationNotNeeded, _not_truncated),
        _for(process.BrokerExited, _exits),
        _for(process.BrokerHalted, _exits),
        _for(process.BrokerHung, _exits),
        _for(fetch.PartitionFailed, _partition_failed),
        _for(log.LogLoaded, _loaded),
        _for(process.RegistrationRefused, _of_broker("registration-refused")),
        _for(process.ShutdownStarted, _shutdown_started),
        _for(controller.BrokerRegistered, _registered),
        _for(controller.BrokerUnfenced, _unfenced),
        _for(controller.BrokerFenced, _fenced),
        _for(controller.SessionExpired, _session_expired),
        _for(controller.BrokerJoined, _joined),
        _for(controller.ControllerElected, _controller_elected),
        _for(controller.LeaderElected, _leader_elected),
        _for(controller.ElectionNotPossible, _not_elected),
        _for(controller.ReassignmentStarted, _reassigned),
        _for(controller.ReassignmentCancelled, _reassigned),
        _for(controller.ReassignmentCompleted, _reassignment_completed),
        _for(clients.ConsumerOutOfRange, _consumer_out_of_range),
        _for(clients.ConsumerTruncationDetected, _consumer_truncation),
    )
)
