"""Replays the verbs of clients: producers, consumers and clients that look up leader epochs."""

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Produce as SendRecords
from sim_engine.actions import Transaction as ChangeTransaction
from sim_engine.cluster.state import ClusterState, error_without_replica
from sim_engine.conformance.recording import TOPIC
from sim_engine.conformance.replay_state import (
    NOT_SENT,
    SOON_MS,
    Replay,
    leader_of,
    pass_time_until,
)
from sim_engine.conformance.verbs import (
    Answer,
    Consume,
    OffsetsForLeaderEpoch,
    Produce,
    Transaction,
)
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId, Offset
from sim_engine.protocol.leader.requests import handle_offsets_for_leader_epoch
from sim_engine.protocol.messages import (
    Message,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.simulation.refusal import RefusedError

# --- producers -----------------------------------------------------------------------------------


def produce(replay: Replay, verb: Produce) -> None:
    """Send each value in a separate request, after the response to the previous one."""
    for value in verb.values:
        target = leader_of(replay) if verb.broker is None else verb.broker
        if target == NO_LEADER:
            replay.requests.append((value, NOT_SENT))
            continue
        request = len(replay.cluster.clients.produced)
        replay.requests.append((value, request))
        replay.execution.act(_sent_by(replay, verb, value, target))
        replay.asked_ms[request] = replay.cluster.now_ms
        if verb.wait:
            _await_response(replay, request)


def _sent_by(replay: Replay, verb: Produce, value: str, target: BrokerId) -> SendRecords:
    """The producer of a value: the plain, the idempotent or the transactional one.

    If a later step resends a batch with a producer id, that producer also sent it originally.
    """
    plain = SendRecords(
        to=TOPIC,
        values=(value,),
        acks="all" if verb.acks == -1 else verb.acks,
        as_="client",
        broker=target,
        timeout_ms=verb.timeout_ms,
    )
    sequence = verb.sequence
    if sequence is None:
        sequence = _sequences_by_value(replay).get(value)
    if sequence is None:
        return plain
    if verb.transactional:
        return replace(plain, as_="transactional", sequence=sequence)
    return replace(plain, as_="idempotent", idempotent=True, sequence=sequence)


def _sequences_by_value(replay: Replay) -> dict[str, int]:
    return {
        value: step.verb.producer_id_epoch_sequence[2]
        for step in replay.recording.steps
        if isinstance(step.verb, Produce) and step.verb.producer_id_epoch_sequence is not None
        for value in step.verb.values
    }


def _await_response(replay: Replay, request: int) -> None:
    """Wait for the response to a request.

    A step that was read immediately ends before a slow response arrives.
    """
    timeout_ms = replay.cluster.clients.produced[request].timeout_ms
    pass_time_until(
        replay,
        lambda: replay.cluster.clients.produced[request].outcome != "pending",
        at_most_ms=timeout_ms if replay.step.settled else SOON_MS,
    )


def answer(replay: Replay, verb: Answer) -> None:
    """Receive the response to an earlier request."""
    request = _request_of(replay, verb.value)
    if request != NOT_SENT:
        _await_response(replay, request)


class ProduceOutcome(Struct, frozen=True):
    """The outcome of one value, as its producer knows it."""

    outcome: str
    offset: Offset | None = None
    error: str | None = None


def outcome_of(replay: Replay, value: str) -> ProduceOutcome:
    """The outcome of the last request with a value, as its producer knows it now."""
    request = _request_of(replay, value)
    if request == NOT_SENT:
        return ProduceOutcome("not_sent")
    produced = replay.cluster.clients.produced[request]
    outcome: str = produced.outcome
    if outcome == "pending" and replay.cluster.now_ms >= (
        replay.asked_ms[request] + produced.timeout_ms
    ):
        # The real producer timed out after the same time.
        outcome = "no_answer"
    return ProduceOutcome(outcome, produced.offset, produced.error)


def _request_of(replay: Replay, value: str) -> int:
    return next(request for sent, request in reversed(replay.requests) if sent == value)


def transaction(replay: Replay, verb: Transaction) -> None:
    """Begin a transaction with its first partition, or end it."""
    if verb.add_partition:
        replay.execution.act(ChangeTransaction(as_="transactional", do="begin"))
        return
    assert verb.end is not None, "the reader checked"
    replay.execution.act(ChangeTransaction(as_="transactional", do=verb.end))


# --- readers -------------------------------------------------------------------------------------


def consume(replay: Replay, verb: Consume) -> None:
    """Do nothing: `consumed_from` is compared with the records that a consumer would read at the
    broker.
    """


def offsets_for_leader_epoch(replay: Replay, verb: OffsetsForLeaderEpoch) -> None:
    """Request the end offsets of leader epochs from a broker, as a client. `answers` is compared
    with the response.
    """
    broker = replay.cluster.broker(verb.broker)
    if not broker.running:
        raise RefusedError("broker_not_running", broker=verb.broker, state=broker.process)
    replay.answers = [
        _epoch_end(
            replay.cluster,
            verb.broker,
            OffsetsForLeaderEpochRequest(
                leader_epoch=recorded.asked, current_leader_epoch=verb.current_leader_epoch
            ),
        )
        for recorded in replay.step.answers
    ]


def _epoch_end(
    cluster: ClusterState, broker_id: BrokerId, request: OffsetsForLeaderEpochRequest
) -> OffsetsForLeaderEpochResponse:
    """A broker's response, from the same function as for followers. It changes no state."""
    asks = Message(
        id=0,
        sender=CONTROLLER,
        receiver=broker_id,
        partition=TOPIC,
        payload=request,
        sent_ms=cluster.now_ms,
    )
    outcome = handle_offsets_for_leader_epoch(
        cluster.replica(broker_id, TOPIC),
        asks,
        request,
        settings=cluster.settings_at(broker_id, TOPIC),
        missing=error_without_replica(cluster, broker_id, TOPIC, "epoch_lookup"),
    )
    response = outcome.sends[0].payload
    assert isinstance(response, OffsetsForLeaderEpochResponse), "the response to that request"
    return response
