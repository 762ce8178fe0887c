"""Replays a recording on the engine and compares each step with what was recorded: the responses to
clients, the records that a KRaft controller wrote about the partition, and the state after the
step.

The times at which the controller detects changes of brokers are taken from the recording.
Everything that follows from them is computed by the engine.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import UNSET, Struct, convert, to_builtins
from msgspec.structs import replace

from sim_engine.class_tables import for_class
from sim_engine.cluster.state import Broker, ClusterState, Process, error_without_replica
from sim_engine.conformance import message_replay, verb_replay
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.recording import (
    TOPIC,
    Consume,
    ConsumeResult,
    PartitionRecord,
    RecordedBroker,
    RecordedState,
    Recording,
    Row,
)
from sim_engine.conformance.replay_state import Replay, notice_as_recorded, wait_until_idle
from sim_engine.conformance.verb_replay import outcome_of
from sim_engine.events.base import EventNumber
from sim_engine.events.controller import MetadataRecordsWritten, PartitionChangeRecord
from sim_engine.identifiers import NO_LEADER, BrokerId, ErrorCode, Offset
from sim_engine.kafka_history import Rules
from sim_engine.narration import RefusedError
from sim_engine.protocol.leader.requests import list_offset, read_for_consumer
from sim_engine.protocol.log import aborted_transactions, last_stable_offset
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record
from sim_engine.releases import at_least, number_of
from sim_engine.simulation.step_execution import ExecutedAction, LimitReachedError

Standing = Literal["equal", "differs", "not_held"]
"""`not_held`: the value depends on when the cluster was read, so it is not compared."""


class Compared(Struct, frozen=True, gc=False, kw_only=True):
    """One value that was read on the real cluster. `where` is its path within the step."""

    where: str
    recorded: object
    engine: object
    standing: Standing


class Difference(Struct, frozen=True, kw_only=True):
    """One difference, with both values as JSON. `where` is its path within the step."""

    step: int
    where: str
    expected: EventNumber
    got: EventNumber

    def __str__(self) -> str:
        return (
            f"step {self.step}, {self.where}: recorded {self.expected!r}, the engine has "
            f"{self.got!r}"
        )


def compared(where: str, recorded: object, engine: object, *, held: bool = True) -> Compared:
    """A recorded value with the engine's value, and whether they are equal, different or not
    compared.
    """
    standing: Standing = "not_held"
    if held:
        standing = "equal" if recorded == engine else "differs"
    return Compared(where=where, recorded=recorded, engine=engine, standing=standing)


class Comparison:
    """Collects the values of one step."""

    def __init__(self, recording: Recording, number: int) -> None:
        self.recording = recording
        self.number = number
        self.step = recording.steps[number]
        self.is_isr_unordered = number in recording.file.timing_dependent.isr_in_any_order_at_steps
        self.compared: list[Compared] = []

    def hold(self, where: str, recorded: Struct, *, held: bool = True, **engine: object) -> None:
        """Compare fields of `recorded` with the engine's values, unless they are of the state and
        depend on timing: responses to clients never do. `None` was not read and is skipped.
        """
        timing = self.recording.file.timing_dependent
        is_state = isinstance(recorded, RecordedState | RecordedBroker)
        for name, got in engine.items():
            expected = getattr(recorded, name)
            place = f"{where}/{name}"
            is_timed = name in timing.fields or f"steps/{self.number}/{place}" in timing.places
            if expected is not None:
                self.add(place, expected, got, held=held and not (is_state and is_timed))

    def add(self, where: str, recorded: object, engine: object, *, held: bool = True) -> None:
        """Add one value, which is compared if it is `held`."""
        self.compared.append(compared(where, recorded, engine, held=held))


def created_record(registration: PartitionRegistration) -> PartitionRecord:
    """The record that a KRaft controller writes for a new partition."""
    return PartitionRecord(
        record="PartitionRecord",
        leader=registration.leader,
        isr=list(registration.isr),
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
    )


def written_records(executed: Sequence[ExecutedAction]) -> list[PartitionRecord]:
    """The engine's records about the watched partition in these frames."""
    return [
        _as_recorded(record)
        for one in executed
        for happened in one.transition.events
        if isinstance(happened, MetadataRecordsWritten)
        for record in happened.records
        if isinstance(record, PartitionChangeRecord) and record.partition == TOPIC
    ]


def _as_recorded(record: PartitionChangeRecord) -> PartitionRecord:
    fields = to_builtins(record)
    del fields["partition"]
    return convert(fields, PartitionRecord)


def compare_metadata_records(comparison: Comparison, written: list[PartitionRecord]) -> None:
    """Compare the sequence of PartitionRecord and PartitionChangeRecord.

    Registrations are not compared. Replicas may join the ISR in any order if the recording states
    so, or if the run was made only once, so that nothing shows which steps are races.
    """
    recording, number = comparison.recording, comparison.number
    recorded = comparison.step.partition_records
    if recorded is None:
        return
    saw = recording.steps[number - 1].saw if number else None
    raced = (
        recorded != written
        and (comparison.is_isr_unordered or not recording.repeated)
        and _same_but_for_who_joined_first(None if saw is None else saw.isr, recorded, written)
    )
    comparison.add("metadata_records", recorded, written, held=not raced)


def _same_but_for_who_joined_first(
    before: list[BrokerId] | None, expected: list[PartitionRecord], got: list[PartitionRecord]
) -> bool:
    """Whether two sequences differ only in the order in which replicas joined the ISR.

    Members may differ only while it grows by one at a time in both, from what it was before the
    race to the same members in both. The last one to join may complete a reassignment: the record
    then has the new replicas, and the removed ones leave the ISR.
    """
    if [_without_members(record) for record in expected] != [
        _without_members(record) for record in got
    ]:
        return False
    chains = [
        [_Isr(before), *(_isr_of(record) for record in records if record.isr is not UNSET)]
        for records in (expected, got)
    ]
    return all(
        sorted(recorded.members) == sorted(ours.members)
        or (
            place + 1 < len(chains[0])
            and all(_joins_one_by_one(chain[place - 1 : place + 2]) for chain in chains)
        )
        for place, (recorded, ours) in enumerate(zip(*chains, strict=True))
        if recorded.members is not None and ours.members is not None
    )


class _Isr(Struct, frozen=True):
    """The ISR after a record; `None` if it was not read. `replicas` are those of the record if it
    changes them.
    """

    members: list[BrokerId] | None
    replicas: list[BrokerId] | None = None

    def without_removed(self, members: set[BrokerId]) -> set[BrokerId]:
        """Those of these members that this record does not remove."""
        return members if self.replicas is None else members & {*self.replicas}


def _isr_of(record: PartitionRecord) -> _Isr:
    assert record.isr is not UNSET, "filtered before"
    return _Isr(record.isr, None if record.replicas is UNSET else record.replicas)


def _without_members(record: PartitionRecord) -> PartitionRecord:
    """The record with its ISR reduced to its size: the values that must be equal in order."""
    return record if record.isr is UNSET else replace(record, isr=[len(record.isr)])


def _joins_one_by_one(isrs: Sequence[_Isr]) -> bool:
    """Whether each recorded ISR has one more member than the previous one, apart from those that a
    completed reassignment removes.
    """
    for earlier, later in pairwise(isrs):
        if earlier.members is None or later.members is None:
            continue
        stay = later.without_removed({*earlier.members})
        if not stay < {*later.members} or len(later.members) != len(stay) + 1:
            return False
    return True


CHECKPOINT_SCENARIOS = frozenset({"S15", "S16", "S26"})
"""Scenarios whose checkpoint files are compared at every step; in others only after a clean
shutdown."""

LIST_OFFSETS_ERROR_OF_OLD = str(ErrorCode.LEADER_NOT_AVAILABLE)
"""The error of ListOffsets below version 5, with which `list_offsets_latest` was recorded, instead
of OFFSET_NOT_AVAILABLE (KIP-207).
"""

PROCESS_WORDS: Mapping[Process, str] = {
    "running": "running",
    "shutting_down": "running",
    "paused": "frozen",
    "stopped": "dead",
    "crashed": "dead",
    "failed": "dead",
}


def compare_clients(comparison: Comparison, replay: Replay) -> None:
    """Compare the responses to producers, to a named consumer and to epoch lookups."""
    step = comparison.step
    for index, produced in enumerate(step.responses):
        ours = outcome_of(replay, produced.value)
        comparison.hold(
            f"produced/{index}",
            produced,
            outcome=ours.outcome,
            offset=ours.offset,
            error=ours.error,
        )
    if step.consumed_from is not None and isinstance(step.verb, Consume):
        _compare_consumed(comparison, replay.cluster, step.verb, step.consumed_from)
    for index, (recorded, answer) in enumerate(zip(step.answers, replay.answers, strict=False)):
        where = f"answers/{index}"
        epoch, end = answer.end_offset
        comparison.hold(where, recorded, leader_epoch=epoch, end_offset=end)
        # In a response without an error, the error is null.
        comparison.add(f"{where}/error", recorded.error, _error(answer.error))


def _compare_consumed(
    comparison: Comparison, cluster: ClusterState, verb: Consume, recorded: ConsumeResult
) -> None:
    replica = cluster.replica(verb.broker, TOPIC)
    records = read_for_consumer(replica, verb.offset, isolation=verb.isolation).records
    error = error_without_replica(cluster, verb.broker, TOPIC, "consumer_fetch")
    if error is ErrorCode.NONE and not (
        replica.leading is not None
        or (cluster.profile.rules.follower_reads and replica.role == "follower")
    ):
        error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    if error is ErrorCode.NONE and not (
        replica.log.log_start_offset <= verb.offset <= replica.log_end_offset
    ):
        error = ErrorCode.OFFSET_OUT_OF_RANGE
    comparison.hold(
        "consumed_from",
        recorded,
        records=[[record.offset, record.value] for record in records],
        high_watermark=replica.high_watermark,
        error=_error(error),
    )


def _error(code: ErrorCode) -> str | None:
    return None if code is ErrorCode.NONE else str(code)


def compare_state(
    comparison: Comparison, cluster: ClusterState, moments: tuple[ClusterState, ...] = ()
) -> None:
    """Compare everything after one step, except the responses to clients.

    `moments` are the cluster's states during the step. An unsettled step was read while messages
    were in flight. If the run was made only once, we cannot know which logs that affected, so a log
    matches if it had that content at some moment of the step.
    """
    step = comparison.step
    if step.settled or comparison.recording.repeated:
        moments = ()
    if step.saw is not None:
        _compare_controller(comparison, step.saw, cluster)
        for broker_id, seen in step.saw.brokers.items():
            _compare_broker(comparison, cluster, cluster.broker(broker_id), seen, moments)
        if step.settled:
            _compare_clients_view(comparison, step.saw, cluster)


def _compare_controller(comparison: Comparison, saw: RecordedState, cluster: ClusterState) -> None:
    registration = cluster.controller.partition(TOPIC)
    isr = list(registration.isr)
    # Two replicas may have joined in a race, if the run was made only once and shows no races. From
    # 4.2 the order of the ISR does not depend on who joined first.
    in_any_order = comparison.is_isr_unordered or not (
        comparison.recording.repeated or cluster.profile.rules.proposed_isr_in_hash_order
    )
    if saw.isr is not None and in_any_order:
        saw, isr = replace(saw, isr=sorted(saw.isr)), sorted(isr)
    comparison.hold(
        "saw",
        saw,
        leader=registration.leader,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        isr=isr,
        elr=list(registration.elr),
        last_known_elr=list(registration.last_known_elr),
        leader_recovery_state=int(registration.leader_recovery_state == "RECOVERING"),
        replicas=list(registration.replicas),
        adding_replicas=list(registration.adding_replicas),
        removing_replicas=list(registration.removing_replicas),
        controller_epoch=cluster.controller.controller_epoch,
    )


def _compare_broker(
    comparison: Comparison,
    cluster: ClusterState,
    broker: Broker,
    seen: RecordedBroker,
    moments: tuple[ClusterState, ...],
) -> None:
    where = f"saw/brokers/{broker.broker_id}"
    registered = cluster.controller.broker(broker.broker_id)
    replica = broker.replica(TOPIC)
    comparison.hold(
        where,
        seen,
        process=PROCESS_WORDS[broker.process],
        clean_shutdown=broker.clean_shutdown,
        fenced=registered.fenced,
        in_controlled_shutdown=registered.in_controlled_shutdown,
        fetch_error=_fetch_error(cluster, broker),
    )
    if replica is None:
        comparison.hold(where, seen, log=None)
        return
    logs = (_log(moment.replica(broker.broker_id, TOPIC)) for moment in moments)
    comparison.hold(where, seen, log=next((log for log in logs if log == seen.log), _log(replica)))
    if cluster.profile.has_epochs:
        epochs = [list(entry) for entry in replica.epoch_cache]
        comparison.hold(where, seen, leader_epoch_checkpoint=epochs)
    settled = comparison.step.settled
    if settled:
        comparison.hold(where, seen, live_high_watermark=replica.high_watermark)
    scenario = comparison.recording.file.scenario
    comparison.hold(
        where,
        seen,
        held=broker.process == "stopped" or (settled and scenario in CHECKPOINT_SCENARIOS),
        high_watermark_checkpoint=replica.checkpoint_high_watermark,
        recovery_point_checkpoint=replica.checkpoint_recovery_point,
    )


def _log(replica: Replica) -> list[Row]:
    return [[record.offset, record.epoch, *_content(record)] for record in replica.log.records]


def _fetch_error(cluster: ClusterState, broker: Broker) -> str | None:
    """The error of a fetch at this broker if it hosts no replica; `None` if not compared.

    Under KRaft, a broker accepts connections only after it has registered: until then, there is no
    response.
    """
    registered = cluster.controller.broker(broker.broker_id)
    if not broker.running:
        return None
    if (
        cluster.controller_kind.fences_brokers
        and registered.fenced
        and registered.incarnation != broker.incarnation
    ):
        return "no_response"
    if broker.replica(TOPIC) is not None:
        return None
    return str(error_without_replica(cluster, broker.broker_id, TOPIC, "consumer_fetch"))


def _compare_clients_view(
    comparison: Comparison, saw: RecordedState, cluster: ClusterState
) -> None:
    asked = _asked_replica(cluster)
    rules = cluster.profile.rules
    end, consumed, latest = None, None, None
    if asked is not None:
        # From 2.4, a broker that does not know that it leads serves a fetch of a client that names
        # no leader epoch as a follower (KIP-392).
        if asked.leading is not None or (rules.follower_reads and asked.following):
            end, consumed = asked.high_watermark, _fetched(asked, asked.high_watermark)
        latest = _latest_offset(asked, rules)
    comparison.hold("saw", saw, consumable_end=end, consumed=consumed)
    is_error = isinstance(latest, ErrorCode)
    of_old = LIST_OFFSETS_ERROR_OF_OLD if latest is ErrorCode.OFFSET_NOT_AVAILABLE else str(latest)
    comparison.hold(
        "saw",
        saw,
        list_offsets_latest=of_old if is_error else latest,
        list_offsets_error=str(latest) if is_error else None,
    )
    if asked is not None and asked.leading is not None and saw.last_stable_offset is not None:
        _compare_committed_view(comparison, saw, asked)


def _latest_offset(asked: Replica, rules: Rules) -> Offset | ErrorCode:
    if asked.leading is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return list_offset(asked, "latest", isolation="read_uncommitted", rules=rules)


def _compare_committed_view(comparison: Comparison, saw: RecordedState, leader: Replica) -> None:
    """Compare the records that a read_committed consumer receives; producer ids are those of the
    real cluster.

    A response with records, before 2.4 every response, also lists the aborted transactions behind
    the last of them, as far as the index of the segment does not distinguish them
    (`LocalLog.addAbortedTransactions`): here all, since no segment has 4 KiB.
    """
    stable = last_stable_offset(leader.log, leader.high_watermark)
    start = leader.log.log_start_offset
    lists_all = stable > start or not at_least(number_of(comparison.recording.file.kafka), (2, 4))
    listed_to = leader.log_end_offset if lists_all else start
    aborted = aborted_transactions(leader.log, start, listed_to)
    consumed = read_for_consumer(leader, start, isolation="read_committed").records
    comparison.hold(
        "saw",
        saw,
        last_stable_offset=stable,
        consumable_end_read_committed=stable,
        fetched_read_committed=_fetched(leader, stable),
        aborted_transactions=[[one.producer_id, one.first_offset] for one in aborted],
        consumed_read_committed=[[record.offset, record.value] for record in consumed],
    )


def _fetched(leader: Replica, end: Offset) -> list[Row]:
    """The records that a broker sends below an offset, including markers."""
    return [
        [record.offset, *_content(record)] for record in leader.log.records if record.offset < end
    ]


def _content(record: Record) -> Row:
    """A record's value in the format of recordings; a marker is written as its kind."""
    return [record.value] if record.control is None else [None, record.control]


def _asked_replica(cluster: ClusterState) -> Replica | None:
    """The replica that clients ask: that of the leader according to the controller, which may not
    have read its election yet; None if there is no leader or its broker does not respond.
    """
    leader = cluster.controller.partition(TOPIC).leader
    if leader == NO_LEADER or not cluster.broker(leader).running:
        return None
    return cluster.replica(leader, TOPIC)


VERB_FUNCTIONS: Mapping[type[object], Callable[[Replay, object], None]] = dict(
    (
        for_class(verbs.CreateTopic, verb_replay.create_topic),
        for_class(verbs.Produce, verb_replay.produce),
        for_class(verbs.Answer, verb_replay.answer),
        for_class(verbs.Transaction, verb_replay.transaction),
        for_class(verbs.Consume, verb_replay.consume),
        for_class(verbs.OffsetsForLeaderEpoch, verb_replay.offsets_for_leader_epoch),
        for_class(verbs.Kill, verb_replay.kill),
        for_class(verbs.SessionEnd, verb_replay.session_end),
        for_class(verbs.DeleteFile, verb_replay.delete_file),
        for_class(verbs.PowerLoss, verb_replay.power_loss),
        for_class(verbs.DiskLoss, verb_replay.disk_loss),
        for_class(verbs.Stop, verb_replay.stop),
        for_class(verbs.Start, verb_replay.start),
        for_class(verbs.Freeze, verb_replay.freeze),
        for_class(verbs.Thaw, verb_replay.thaw),
        for_class(verbs.Wait, verb_replay.wait),
        for_class(verbs.Elect, verb_replay.elect),
        for_class(verbs.Reassign, verb_replay.reassign),
        for_class(verbs.Config, verb_replay.change_config),
        for_class(verbs.CutOff, verb_replay.cut_off),
        for_class(verbs.Reconnect, verb_replay.reconnect),
        for_class(verbs.CutLink, verb_replay.cut_link),
        for_class(verbs.HealLink, verb_replay.heal_link),
        for_class(verbs.Network, verb_replay.network),
        for_class(verbs.Fetch, message_replay.fetch),
    )
)
"""The function that replays each verb."""


def conform(recording: Recording) -> list[Difference]:
    """Replay a recording and return every difference, in the order of its steps.

    If the engine refuses an action of the recording, this is the last difference.
    """
    return differences(replay_steps(Replay(recording)))


def differences(steps: Iterable[list[Compared]]) -> list[Difference]:
    """The values of `replay_steps` that differ."""
    return [
        Difference(
            step=number,
            where=one.where,
            expected=to_builtins(one.recorded),
            got=to_builtins(one.engine),
        )
        for number, compared_values in enumerate(steps)
        for one in compared_values
        if one.standing == "differs"
    ]


def replay_steps(replay: Replay) -> Iterator[list[Compared]]:
    """Replay the steps one after another, and yield the recorded values after each with the
    engine's values.

    If the engine refuses an action of the recording, the last step contains only this.
    """
    for number in range(len(replay.recording.steps)):
        try:
            yield _do(replay, number)
        except (RefusedError, LimitReachedError) as error:
            why = error.code if isinstance(error, RefusedError) else error.limit
            yield [
                compared(
                    f"do/{replay.step.name}", "possible on the real cluster", f"refused: {why}"
                )
            ]
            return


def _do(replay: Replay, number: int) -> list[Compared]:
    """Replay one step, let the cluster settle as the real one did, and compare."""
    step = replay.begin(number)
    first_frame = len(replay.execution.executed)
    VERB_FUNCTIONS[type(step.verb)](replay, step.verb)
    for noticed in step.noticed:
        notice_as_recorded(replay, noticed)
    wait_until_idle(replay)
    executed = replay.execution.executed[first_frame:]
    written = written_records(executed)
    if number == 0:
        written.insert(0, created_record(replay.created))
    comparison = Comparison(replay.recording, number)
    compare_clients(comparison, replay)
    compare_metadata_records(comparison, written)
    moments = tuple(one.transition.cluster for one in executed)
    compare_state(comparison, replay.cluster, moments)
    return comparison.compared
