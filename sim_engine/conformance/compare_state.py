"""Compares the engine's state after a step with what was recorded on the real cluster."""

from collections.abc import Mapping

from sim_engine.cluster.state import Broker, ClusterState, Process, error_without_replica
from sim_engine.conformance.difference import Compared, compared
from sim_engine.conformance.recording import TOPIC, RecordedStep, Recording
from sim_engine.conformance.recording_file import RecordedBroker, RecordedState, Row
from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import NO_LEADER, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.requests import list_offset, read_for_consumer
from sim_engine.protocol.log import aborted_transactions, last_stable_offset
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record

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
    recording: Recording,
    number: int,
    cluster: ClusterState,
    moments: tuple[ClusterState, ...] = (),
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
        "saw/fetched_read_committed",
        saw.fetched_read_committed,
        _fetched(leader, stable),
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
