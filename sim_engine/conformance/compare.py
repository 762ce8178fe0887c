"""Compares the engine's state after a step with what was recorded on the real cluster."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.conformance.recording import TOPIC, RecordedStep, Recording
from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import NO_LEADER, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.consumer_reads import list_offset, read_for_consumer
from sim_engine.protocol.log.producer_state import aborted_transactions, last_stable_offset
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record

CHECKPOINT_SCENARIOS = frozenset({"S15", "S16", "S26"})
"""Scenarios whose checkpoint files are compared at every step; in others only after a clean
shutdown."""

LIST_OFFSETS_ERROR_OF_OLD = str(ErrorCode.LEADER_NOT_AVAILABLE)
"""The error of ListOffsets below version 5, which recorded `list_offsets_latest`, in place of
OFFSET_NOT_AVAILABLE (KIP-207)."""

PROCESS_WORDS = {
    "running": "running",
    "shutting_down": "running",
    "paused": "frozen",
    "stopped": "dead",
    "crashed": "dead",
    "failed": "dead",
}


class Difference(Struct, frozen=True, kw_only=True):
    """One value that differs between the recording and the engine."""

    step: int
    where: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        return (
            f"step {self.step}, {self.where}: recorded {self.expected!r}, the engine has "
            f"{self.got!r}"
        )


class Comparison:
    """Collects the differences of one step. `None` in a recording was not read and is skipped."""

    def __init__(self, recording: Recording, number: int) -> None:
        self.recording = recording
        self.number = number
        self.differences: list[Difference] = []

    def hold(self, where: str, expected: Any, got: Any) -> None:
        """Compare one value, unless it was not read or depends on timing."""
        if expected is None or expected == got:
            return
        if f"steps/{self.number}/{where}" in self.recording.untimed_places:
            return
        if where.rpartition("/")[2] in self.recording.unheld_fields:
            return
        self.differences.append(
            Difference(step=self.number, where=where, expected=expected, got=got)
        )


def compare_step(
    recording: Recording,
    number: int,
    step: RecordedStep,
    cluster: ClusterState,
    moments: tuple[ClusterState, ...] = (),
) -> list[Difference]:
    """Compare everything after one step, except the responses to clients.

    `moments` are the cluster's states during the step. An unsettled step was read while messages
    were in flight. If the run was made only once, we cannot know which logs that affected, so a log
    matches if it had that content at some moment of the step.
    """
    if step.settled or recording.repeated:
        moments = ()
    comparison = Comparison(recording, number)
    if step.saw is not None:
        _compare_controller(comparison, step, cluster)
        for name, seen in step.saw["brokers"].items():
            _compare_broker(comparison, step, cluster, cluster.broker(int(name)), seen, moments)
        if step.settled:
            _compare_clients_view(comparison, step.saw, cluster)
    return comparison.differences


def _compare_controller(comparison: Comparison, step: RecordedStep, cluster: ClusterState) -> None:
    saw = step.saw
    assert saw is not None, "the caller checked"
    registration = cluster.controller.partition(TOPIC)
    comparison.hold("saw/leader", saw["leader"], registration.leader)
    comparison.hold("saw/leader_epoch", saw["leader_epoch"], registration.leader_epoch)
    comparison.hold("saw/partition_epoch", saw["partition_epoch"], registration.partition_epoch)
    isr = list(registration.isr)
    if comparison.number in comparison.recording.unordered_isr_steps:
        comparison.hold("saw/isr", sorted(saw["isr"]), sorted(isr))
    else:
        comparison.hold("saw/isr", saw["isr"], isr)
    comparison.hold("saw/elr", saw.get("elr"), list(registration.elr))
    comparison.hold(
        "saw/last_known_elr", saw.get("last_known_elr"), list(registration.last_known_elr)
    )
    comparison.hold(
        "saw/leader_recovery_state",
        saw.get("leader_recovery_state"),
        1 if registration.leader_recovery_state == "RECOVERING" else 0,
    )
    comparison.hold("saw/replicas", saw.get("replicas"), list(registration.replicas))
    comparison.hold(
        "saw/adding_replicas", saw.get("adding_replicas"), list(registration.adding_replicas)
    )
    comparison.hold(
        "saw/removing_replicas", saw.get("removing_replicas"), list(registration.removing_replicas)
    )
    comparison.hold(
        "saw/controller_epoch", saw.get("controller_epoch"), cluster.controller.controller_epoch
    )


def _compare_broker(
    comparison: Comparison,
    step: RecordedStep,
    cluster: ClusterState,
    broker: Broker,
    seen: dict[str, Any],
    moments: tuple[ClusterState, ...],
) -> None:
    where = f"saw/brokers/{broker.broker_id}"
    comparison.hold(f"{where}/process", seen["process"], PROCESS_WORDS[broker.process])
    comparison.hold(f"{where}/clean_shutdown", seen["clean_shutdown"], broker.clean_shutdown)
    registered = cluster.controller.broker(broker.broker_id)
    comparison.hold(f"{where}/fenced", seen.get("fenced"), registered.fenced)
    comparison.hold(
        f"{where}/in_controlled_shutdown",
        seen.get("in_controlled_shutdown"),
        registered.in_controlled_shutdown,
    )
    replica = broker.replica(TOPIC)
    comparison.hold(f"{where}/fetch_error", seen.get("fetch_error"), _fetch_error(broker))
    if replica is None:
        comparison.hold(f"{where}/log", seen["log"], None)
        return
    has_epochs = cluster.profile.has_epochs
    comparison.hold(
        f"{where}/log",
        seen["log"],
        next(
            (
                log
                for log in (_log(moment.replica(broker.broker_id, TOPIC)) for moment in moments)
                if log == seen["log"]
            ),
            _log(replica),
        ),
    )
    if has_epochs:
        comparison.hold(
            f"{where}/leader_epoch_checkpoint",
            seen["leader_epoch_checkpoint"],
            [list(entry) for entry in replica.epoch_cache],
        )
    if step.settled:
        comparison.hold(
            f"{where}/live_high_watermark", seen.get("live_high_watermark"), replica.high_watermark
        )
    if _holds_timed_files(comparison.recording, step, broker):
        _compare_files(comparison, where, seen, replica)


def _log(replica: Replica) -> list[list[Any]]:
    return [[record.offset, record.epoch, *_content(record)] for record in replica.log.records]


def _fetch_error(broker: Broker) -> str | None:
    """The error of a fetch at this broker if it hosts no replica; `None` if not compared."""
    if not broker.running or broker.replica(TOPIC) is not None:
        return None
    return str(ErrorCode.NOT_LEADER_OR_FOLLOWER)


def _holds_timed_files(recording: Recording, step: RecordedStep, broker: Broker) -> bool:
    if recording.scenario_number in CHECKPOINT_SCENARIOS and step.settled:
        return True
    return broker.process == "stopped"


def _compare_files(
    comparison: Comparison, where: str, seen: dict[str, Any], replica: Replica
) -> None:
    comparison.hold(
        f"{where}/high_watermark_checkpoint",
        seen["high_watermark_checkpoint"],
        replica.checkpoint_high_watermark,
    )
    comparison.hold(
        f"{where}/recovery_point_checkpoint",
        seen["recovery_point_checkpoint"],
        replica.checkpoint_recovery_point,
    )


def _compare_clients_view(
    comparison: Comparison, saw: dict[str, Any], cluster: ClusterState
) -> None:
    leader = leading_replica(cluster)
    if leader is None:
        for name in ("consumable_end", "consumed", "list_offsets_latest", "list_offsets_error"):
            comparison.hold(f"saw/{name}", saw.get(name), None)
        return
    comparison.hold("saw/consumable_end", saw["consumable_end"], leader.high_watermark)
    comparison.hold(
        "saw/consumed",
        saw["consumed"],
        _fetched(leader, leader.high_watermark),
    )
    _compare_list_offsets(comparison, saw, leader, cluster.profile.rules)
    if "last_stable_offset" in saw:
        _compare_committed_view(comparison, saw, leader)


def _compare_list_offsets(
    comparison: Comparison, saw: dict[str, Any], leader: Replica, rules: Rules
) -> None:
    latest = list_offset(leader, "latest", isolation="read_uncommitted", rules=rules)
    is_error = isinstance(latest, ErrorCode)
    comparison.hold(
        "saw/list_offsets_latest",
        saw.get("list_offsets_latest"),
        LIST_OFFSETS_ERROR_OF_OLD if is_error else latest,
    )
    comparison.hold(
        "saw/list_offsets_error", saw.get("list_offsets_error"), str(latest) if is_error else None
    )


def _compare_committed_view(comparison: Comparison, saw: dict[str, Any], leader: Replica) -> None:
    """Compare what a consumer with read_committed gets; producer ids are the real cluster's."""
    stable = last_stable_offset(leader.log, leader.high_watermark)
    start = leader.log.log_start_offset
    comparison.hold("saw/last_stable_offset", saw["last_stable_offset"], stable)
    comparison.hold(
        "saw/consumable_end_read_committed", saw.get("consumable_end_read_committed"), stable
    )
    comparison.hold(
        "saw/fetched_read_committed",
        saw.get("fetched_read_committed"),
        _fetched(leader, stable),
    )
    comparison.hold(
        "saw/aborted_transactions",
        saw.get("aborted_transactions"),
        [
            [transaction.producer_id, transaction.first_offset]
            for transaction in aborted_transactions(leader.log, start, stable)
        ],
    )
    comparison.hold(
        "saw/consumed_read_committed",
        saw.get("consumed_read_committed"),
        [
            [record.offset, record.value]
            for record in read_for_consumer(leader, start, isolation="read_committed").records
        ],
    )


def _fetched(leader: Replica, end: Offset) -> list[list[Any]]:
    """The records that a broker sends below an offset, including markers."""
    return [
        [record.offset, *_content(record)] for record in leader.log.records if record.offset < end
    ]


def _content(record: Record) -> tuple[str | None, ...]:
    """A record's value in the format of recordings; a marker is written as its kind."""
    return (record.value,) if record.control is None else (None, record.control)


def leading_replica(cluster: ClusterState) -> Replica | None:
    """The replica a client reads from: the leader, if it runs and knows that it leads."""
    leader = cluster.controller.partition(TOPIC).leader
    if leader == NO_LEADER or not cluster.broker(leader).running:
        return None
    replica = cluster.replica(leader, TOPIC)
    return replica if replica.leading is not None else None


def compare_metadata_records(
    recording: Recording, number: int, step: RecordedStep, written: list[dict[str, Any]]
) -> Iterator[Difference]:
    """Compare the sequence of PartitionRecord and PartitionChangeRecord. Registrations are not
    compared, and replicas may join the ISR in any order if the recording says so."""
    if step.metadata_records is None:
        return
    recorded = [_partition_fields(record) for record in step.metadata_records]
    ours = [_partition_fields(record) for record in written]
    expected = [record for record in recorded if record is not None]
    got = [record for record in ours if record is not None]
    if number in recording.unordered_isr_steps and _same_but_for_who_joined_first(
        _isr_before(recording, number), expected, got
    ):
        return
    if expected != got:
        yield Difference(step=number, where="metadata_records", expected=expected, got=got)


def _isr_before(recording: Recording, number: int) -> list[int] | None:
    """The ISR recorded before a step; `None` if it was not read."""
    saw = recording.steps[number - 1].saw if number else None
    return None if saw is None else saw["isr"]


def _same_but_for_who_joined_first(
    before: list[int] | None, expected: list[dict[str, Any]], got: list[dict[str, Any]]
) -> bool:
    """Whether two sequences differ only in the order in which replicas joined the ISR.

    Members may differ only while it grows by one at a time in both, from what it was before the
    race to the same members in both.
    """
    if [_without_isr(record) for record in expected] != [_without_isr(record) for record in got]:
        return False
    chains = [
        [before, *(record["isr"] for record in records if record.get("isr") is not None)]
        for records in (expected, got)
    ]
    return all(
        sorted(recorded) == sorted(ours)
        or (
            place + 1 < len(chains[0])
            and all(_joins_one_by_one(chain[place - 1 : place + 2]) for chain in chains)
        )
        for place, (recorded, ours) in enumerate(zip(*chains, strict=True))
        if recorded is not None and ours is not None
    )


def _without_isr(record: dict[str, Any]) -> dict[str, Any]:
    """The record with its ISR reduced to its size: the values that must be equal in order."""
    isr = record.get("isr")
    return {**record, "isr": None if isr is None else len(isr)}


def _joins_one_by_one(isrs: Sequence[list[int] | None]) -> bool:
    """Whether each ISR has one more member than the previous one, where it was read."""
    return all(
        earlier is None
        or later is None
        or (len(later) == len(earlier) + 1 and set(earlier) < set(later))
        for earlier, later in pairwise(isrs)
    )


def _partition_fields(record: dict[str, Any]) -> dict[str, Any] | None:
    if record["record"] not in ("PartitionRecord", "PartitionChangeRecord"):
        return None
    return {name: value for name, value in record.items() if name not in ("version", "partition")}
