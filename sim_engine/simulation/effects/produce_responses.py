"""Producers receive the results of their requests, or never get a response."""

from msgspec.structs import replace

from sim_engine.cluster.clients import ProducedRecord, with_produced
from sim_engine.error_codes import ErrorCode
from sim_engine.events.producer import ProduceAcknowledged, ProduceFailed, ProduceUnanswered
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.log.producer_state import last_sequence
from sim_engine.protocol.outcome import ProduceAnswer
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.turn import Turn


def answer_producer(turn: Turn, answer: ProduceAnswer, replica: Replica) -> None:
    """Send a producer the result of its request. Later results of the same request are ignored."""
    produced = turn.cluster.clients.produced[answer.request]
    if produced.outcome != "pending":
        return
    settings = turn.cluster.settings_of(replica.partition)
    if answer.error is ErrorCode.NONE:
        _put_produced(
            turn, replace(produced, outcome="acked", acked_frame=turn.frame, offset=answer.offset)
        )
        turn.say(
            ProduceAcknowledged(
                variant="all" if produced.acks == "all" else "1",
                producer=produced.producer,
                value=produced.value,
                partition=produced.partition,
                offset=answer.offset,
                acks=produced.acks,
                broker=replica.broker_id,
                high_watermark=replica.high_watermark,
            )
        )
        return
    _put_produced(turn, replace(produced, outcome="failed", error=str(answer.error)))
    turn.say(
        ProduceFailed(
            variant=answer.error,
            rule=_produce_rule(answer.error),
            sources=("Partition", "ReplicaManager"),
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=replica.broker_id,
            error=answer.error,
            isr=replica.leading.isr if replica.leading is not None else (),
            min_insync_replicas=settings.effective_min_insync_replicas,
            producer_id=produced.producer_id,
            sequence=produced.sequence,
            last_sequence=None
            if produced.producer_id is None
            else last_sequence(replica.log, produced.producer_id),
        )
    )


def leave_unanswered(turn: Turn, request: int, broker_id: BrokerId) -> None:
    """The connection of a produce request is gone: its producer will never know."""
    produced = turn.cluster.clients.produced[request]
    if produced.outcome != "pending":
        return
    _put_produced(turn, replace(produced, outcome="no_answer"))
    turn.say(
        ProduceUnanswered(
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=broker_id,
        )
    )


def _put_produced(turn: Turn, changed: ProducedRecord) -> None:
    turn.put_clients(with_produced(turn.cluster.clients, changed))


def _produce_rule(error: ErrorCode) -> str | None:
    if error in (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND):
        return "MIN-INSYNC-REPLICAS"
    if error in (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.UNKNOWN_PRODUCER_ID):
        return "KIP-98"
    return "PRODUCE-ACKS"
