"""Compares a step with what was recorded on the real cluster: the responses to clients, the records
that a KRaft controller wrote about the partition, and the state after the step."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import UNSET, Struct, convert, to_builtins
from msgspec.structs import replace

from sim_engine.cluster.state import Broker, ClusterState, Process, error_without_replica
from sim_engine.conformance.recording import (
    TOPIC,
    Consume,
    PartitionRecord,
    RecordedBroker,
    RecordedState,
    RecordedStep,
    Recording,
    Row,
)
from sim_engine.conformance.replay_state import Replay
from sim_engine.conformance.verb_replay import outcome_of
from sim_engine.events import EventNumber
from sim_engine.events.controller import MetadataRecordsWritten
from sim_engine.events.metadata_records import PartitionChangeRecord
from sim_engine.identifiers import NO_LEADER, BrokerId, ErrorCode, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.requests import list_offset, read_for_consumer
from sim_engine.protocol.log import aborted_transactions, last_stable_offset, read_from
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record
from sim_engine.simulation.step_execution import ExecutedAction

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


def difference(step: int, one: Compared) -> Difference:
    """A `Difference` between the two values at a place, as JSON."""
    return Difference(
        step=step, where=one.where, expected=to_builtins(one.recorded), got=to_builtins(one.engine)
    )


def compare_clients(replay: Replay) -> Iterator[Compared]:
    """Compare the responses to producers, to a named consumer and to epoch lookups."""
    yield from _compare_produced(replay)
    yield from _compare_consumed(replay)
    yield from _compare_epoch_ends(replay)


def _compare_produced(replay: Replay) -> Iterator[Compared]:
    for index, recorded in enumerate(replay.step.produced):
        ours = outcome_of(replay, recorded.value)
        for name, expected, got in (
            ("outcome", recorded.outcome, ours.outcome),
            ("offset", recorded.offset, ours.offset),
            ("error", recorded.error, ours.error),
        ):
            if expected is not None:
                yield compared(f"produced/{index}/{name}", expected, got)


def _compare_consumed(replay: Replay) -> Iterator[Compared]:
    recorded, verb = replay.step.consumed_from, replay.step.verb
    if recorded is None or not isinstance(verb, Consume):
        return
    replica = replay.cluster.replica(verb.broker, TOPIC)
    records = read_from(replica.log, verb.offset, up_to=replica.high_watermark)
    error = error_without_replica(replay.cluster, verb.broker, TOPIC, "consumer_fetch")
    if error is ErrorCode.NONE and not (
        replica.leading is not None
        or (replay.cluster.profile.rules.follower_reads and replica.role == "follower")
    ):
        error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    for name, expected, got in (
        ("records", recorded.records, [[record.offset, record.value] for record in records]),
        ("high_watermark", recorded.high_watermark, replica.high_watermark),
        ("error", recorded.error, None if error is ErrorCode.NONE else str(error)),
    ):
        if expected is not None:
            yield compared(f"consumed_from/{name}", expected, got)


def _compare_epoch_ends(replay: Replay) -> Iterator[Compared]:
    for index, (recorded, ours) in enumerate(
        zip(replay.step.answers, replay.answers, strict=False)
    ):
        epoch, end = ours.end_offset
        error = None if ours.error is ErrorCode.NONE else str(ours.error)
        for name, expected, got in (
            ("leader_epoch", recorded.leader_epoch, epoch),
            ("end_offset", recorded.end_offset, end),
            ("error", recorded.error, error),
        ):
            # In a response without an error, the error is null.
            is_read = name == "error" or expected is not None
            if is_read:
                yield compared(f"answers/{index}/{name}", expected, got)


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


def compare_metadata_records(
    recording: Recording, number: int, written: list[PartitionRecord]
) -> Iterator[Compared]:
    """Compare the sequence of PartitionRecord and PartitionChangeRecord.

    Registrations are not compared. Replicas may join the ISR in any order if the recording states
    so, or if the run was made only once, so that nothing shows which steps are races.
    """
    recorded = recording.steps[number].metadata_records
    if recorded is None:
        return
    may_race = number in recording.unordered_isr_steps or not recording.repeated
    raced = may_race and _same_but_for_who_joined_first(
        _isr_before(recording, number), recorded, written
    )
    yield compared("metadata_records", recorded, written, held=recorded == written or not raced)


def _isr_before(recording: Recording, number: int) -> list[BrokerId] | None:
    """The ISR recorded before a step; `None` if it was not read."""
    saw = recording.steps[number - 1].saw if number else None
    return None if saw is None else saw.isr


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


class Comparison:
    """Collects the values of one step. `None` in a recording was not read and is skipped."""

    def __init__(self, recording: Recording, number: int) -> None:
        self.recording = recording
        self.number = number
        self.compared: list[Compared] = []

    def hold(self, where: str, expected: object, got: object, *, held: bool = True) -> None:
        """Compare one value, unless it was not read or depends on timing."""
        if expected is None:
            return
        held = (
            held
            and f"steps/{self.number}/{where}" not in self.recording.untimed_places
            and where.rpartition("/")[2] not in self.recording.unheld_fields
        )
        self.compared.append(compared(where, expected, got, held=held))


def compare_state(
    recording: Recording, number: int, cluster: ClusterState, moments: tuple[ClusterState, ...] = ()
) -> list[Compared]:
    """Compare everything after one step, except the responses to clients.

    `moments` are the cluster's states during the step. An unsettled step was read while messages
    were in flight. If the run was made only once, we cannot know which logs that affected, so a log
    matches if it had that content at some moment of the step.
    """
    step = recording.steps[number]
    if step.settled or recording.repeated:
        moments = ()
    comparison = Comparison(recording, number)
    if step.saw is not None:
        _compare_controller(comparison, step.saw, cluster)
        for broker_id, seen in step.saw.brokers.items():
            broker = cluster.broker(broker_id)
            _compare_broker(comparison, step, cluster, broker, seen, moments)
        if step.settled:
            _compare_clients_view(comparison, step.saw, cluster)
    return comparison.compared


def _compare_controller(comparison: Comparison, saw: RecordedState, cluster: ClusterState) -> None:
    registration = cluster.controller.partition(TOPIC)
    comparison.hold("saw/leader", saw.leader, registration.leader)
    comparison.hold("saw/leader_epoch", saw.leader_epoch, registration.leader_epoch)
    comparison.hold("saw/partition_epoch", saw.partition_epoch, registration.partition_epoch)
    isr = list(registration.isr)
    if saw.isr is not None and _joined_in_any_order(comparison, cluster.profile.rules):
        comparison.hold("saw/isr", sorted(saw.isr), sorted(isr))
    else:
        comparison.hold("saw/isr", saw.isr, isr)
    comparison.hold("saw/elr", saw.elr, list(registration.elr))
    comparison.hold("saw/last_known_elr", saw.last_known_elr, list(registration.last_known_elr))
    comparison.hold(
        "saw/leader_recovery_state",
        saw.leader_recovery_state,
        1 if registration.leader_recovery_state == "RECOVERING" else 0,
    )
    comparison.hold("saw/replicas", saw.replicas, list(registration.replicas))
    comparison.hold("saw/adding_replicas", saw.adding_replicas, list(registration.adding_replicas))
    comparison.hold(
        "saw/removing_replicas", saw.removing_replicas, list(registration.removing_replicas)
    )
    comparison.hold(
        "saw/controller_epoch", saw.controller_epoch, cluster.controller.controller_epoch
    )


def _joined_in_any_order(comparison: Comparison, rules: Rules) -> bool:
    """Whether the order of the ISR may come from a race of two replicas that joined: the recording
    states so or, if the run was made only once, it may be. From 4.2 the order does not depend on
    who joined first.
    """
    if comparison.number in comparison.recording.unordered_isr_steps:
        return True
    return not comparison.recording.repeated and not rules.proposed_isr_in_hash_order


def _compare_broker(
    comparison: Comparison,
    step: RecordedStep,
    cluster: ClusterState,
    broker: Broker,
    seen: RecordedBroker,
    moments: tuple[ClusterState, ...],
) -> None:
    where = f"saw/brokers/{broker.broker_id}"
    comparison.hold(f"{where}/process", seen.process, PROCESS_WORDS[broker.process])
    comparison.hold(f"{where}/clean_shutdown", seen.clean_shutdown, broker.clean_shutdown)
    registered = cluster.controller.broker(broker.broker_id)
    comparison.hold(f"{where}/fenced", seen.fenced, registered.fenced)
    comparison.hold(
        f"{where}/in_controlled_shutdown",
        seen.in_controlled_shutdown,
        registered.in_controlled_shutdown,
    )
    replica = broker.replica(TOPIC)
    comparison.hold(f"{where}/fetch_error", seen.fetch_error, _fetch_error(cluster, broker))
    if replica is None:
        comparison.hold(f"{where}/log", seen.log, None)
        return
    has_epochs = cluster.profile.has_epochs
    comparison.hold(
        f"{where}/log",
        seen.log,
        next(
            (
                log
                for log in (_log(moment.replica(broker.broker_id, TOPIC)) for moment in moments)
                if log == seen.log
            ),
            _log(replica),
        ),
    )
    if has_epochs:
        comparison.hold(
            f"{where}/leader_epoch_checkpoint",
            seen.leader_epoch_checkpoint,
            [list(entry) for entry in replica.epoch_cache],
        )
    if step.settled:
        comparison.hold(
            f"{where}/live_high_watermark", seen.live_high_watermark, replica.high_watermark
        )
    _compare_files(
        comparison,
        where,
        seen,
        replica,
        held=_holds_timed_files(comparison.recording, step, broker),
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


def _holds_timed_files(recording: Recording, step: RecordedStep, broker: Broker) -> bool:
    if recording.scenario_number in CHECKPOINT_SCENARIOS and step.settled:
        return True
    return broker.process == "stopped"


def _compare_files(
    comparison: Comparison, where: str, seen: RecordedBroker, replica: Replica, *, held: bool
) -> None:
    comparison.hold(
        f"{where}/high_watermark_checkpoint",
        seen.high_watermark_checkpoint,
        replica.checkpoint_high_watermark,
        held=held,
    )
    comparison.hold(
        f"{where}/recovery_point_checkpoint",
        seen.recovery_point_checkpoint,
        replica.checkpoint_recovery_point,
        held=held,
    )


def _compare_clients_view(
    comparison: Comparison, saw: RecordedState, cluster: ClusterState
) -> None:
    asked = _asked_replica(cluster)
    rules = cluster.profile.rules
    served = asked is not None and (asked.leading is not None or _serves_as_follower(asked, rules))
    if asked is None or not served:
        comparison.hold("saw/consumable_end", saw.consumable_end, None)
        comparison.hold("saw/consumed", saw.consumed, None)
    else:
        comparison.hold("saw/consumable_end", saw.consumable_end, asked.high_watermark)
        comparison.hold("saw/consumed", saw.consumed, _fetched(asked, asked.high_watermark))
    latest = None if asked is None else _latest_offset(asked, rules)
    _compare_list_offsets(comparison, saw, latest)
    if asked is not None and asked.leading is not None and saw.last_stable_offset is not None:
        _compare_committed_view(comparison, saw, asked)


def _serves_as_follower(replica: Replica, rules: Rules) -> bool:
    """Whether a broker that does not know that it leads serves a fetch of a client that names no
    leader epoch: from 2.4 it does so as a follower (KIP-392).
    """
    return rules.follower_reads and replica.following


def _latest_offset(asked: Replica, rules: Rules) -> Offset | ErrorCode:
    if asked.leading is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return list_offset(asked, "latest", isolation="read_uncommitted", rules=rules)


def _compare_list_offsets(
    comparison: Comparison, saw: RecordedState, latest: Offset | ErrorCode | None
) -> None:
    """Compare the latest offset with the recorded one, which old recordings have in place of the
    error.
    """
    is_error = isinstance(latest, ErrorCode)
    of_old = LIST_OFFSETS_ERROR_OF_OLD if latest is ErrorCode.OFFSET_NOT_AVAILABLE else str(latest)
    comparison.hold(
        "saw/list_offsets_latest", saw.list_offsets_latest, of_old if is_error else latest
    )
    comparison.hold(
        "saw/list_offsets_error", saw.list_offsets_error, str(latest) if is_error else None
    )


def _compare_committed_view(comparison: Comparison, saw: RecordedState, leader: Replica) -> None:
    """Compare the records that a read_committed consumer receives; producer ids are those of the
    real cluster.
    """
    stable = last_stable_offset(leader.log, leader.high_watermark)
    start = leader.log.log_start_offset
    comparison.hold("saw/last_stable_offset", saw.last_stable_offset, stable)
    comparison.hold("saw/consumable_end_read_committed", saw.consumable_end_read_committed, stable)
    comparison.hold(
        "saw/fetched_read_committed", saw.fetched_read_committed, _fetched(leader, stable)
    )
    comparison.hold(
        "saw/aborted_transactions",
        saw.aborted_transactions,
        [
            [transaction.producer_id, transaction.first_offset]
            for transaction in aborted_transactions(leader.log, start, stable)
        ],
    )
    comparison.hold(
        "saw/consumed_read_committed",
        saw.consumed_read_committed,
        [
            [record.offset, record.value]
            for record in read_for_consumer(leader, start, isolation="read_committed").records
        ],
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
