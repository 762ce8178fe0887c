"""Producers receive the results of their requests, or never get a response."""

from msgspec.structs import replace

from sim_engine.cluster.state import ProducedRecord, with_produced
from sim_engine.error_codes import ErrorCode
from sim_engine.events.producer import ProduceAcknowledged, ProduceFailed, ProduceUnanswered
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.log import last_sequence
from sim_engine.protocol.replica import ProduceResponse, Replica
from sim_engine.simulation.permissions import ChangesClients


def respond_to_producer(work: ChangesClients, response: ProduceResponse, replica: Replica) -> None:
    """Send a producer the result of its request. Later results of the same request are ignored."""
    produced = work.cluster.clients.produced[response.request]
    if produced.outcome != "pending":
        return
    settings = work.cluster.settings_at(replica.broker_id, replica.partition)
    if response.error is ErrorCode.NONE:
        _put_produced(
            work, replace(produced, outcome="acked", acked_frame=work.frame, offset=response.offset)
        )
        work.say(
            ProduceAcknowledged(
                variant="all" if produced.acks == "all" else "1",
                producer=produced.producer,
                value=produced.value,
                partition=produced.partition,
                offset=response.offset,
                acks=produced.acks,
                broker=replica.broker_id,
                high_watermark=replica.high_watermark,
            )
        )
        return
    _put_produced(work, replace(produced, outcome="failed", error=str(response.error)))
    work.say(
        ProduceFailed(
            variant=response.error,
            rule=_produce_rule(response.error),
            sources=("Partition", "ReplicaManager"),
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=replica.broker_id,
            error=response.error,
            isr=replica.leading.isr if replica.leading is not None else (),
            min_insync_replicas=settings.effective_min_insync_replicas,
            producer_id=produced.producer_id,
            sequence=produced.sequence,
            last_sequence=None
            if produced.producer_id is None
            else last_sequence(replica.log, produced.producer_id),
        )
    )


def leave_unanswered(work: ChangesClients, request: int, broker_id: BrokerId) -> None:
    """The connection of a produce request is closed, so its producer never learns the result."""
    produced = work.cluster.clients.produced[request]
    if produced.outcome != "pending":
        return
    _put_produced(work, replace(produced, outcome="no_answer"))
    work.say(
        ProduceUnanswered(
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=broker_id,
        )
    )


def _put_produced(work: ChangesClients, changed: ProducedRecord) -> None:
    work.put_clients(with_produced(work.cluster.clients, changed))


def _produce_rule(error: ErrorCode) -> str | None:
    if error in (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND):
        return "MIN-INSYNC-REPLICAS"
    if error in (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.UNKNOWN_PRODUCER_ID):
        return "KIP-98"
    return "PRODUCE-ACKS"
