"""Compares the responses to clients in a step."""

from collections.abc import Iterator

from sim_engine.cluster.state import error_without_replica
from sim_engine.conformance.client_verbs import outcome_of
from sim_engine.conformance.difference import Compared, compared
from sim_engine.conformance.recording import TOPIC
from sim_engine.conformance.replay_state import Replay
from sim_engine.conformance.verbs import Consume
from sim_engine.error_codes import ErrorCode
from sim_engine.protocol.log import read_from


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
