"""Actions of producers: produce and retry; and the metadata refresh of any client."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.actions import Produce, Refresh, Retry
from sim_engine.cluster.state import (
    Client,
    ClusterState,
    ProducedRecord,
    eligible_for_isr,
    error_without_replica,
    with_produced,
)
from sim_engine.error_codes import ErrorCode
from sim_engine.events import EventSubject
from sim_engine.events.producer import ProduceFailed, ProduceWaiting, RecordProduced
from sim_engine.identifiers import (
    NO_LEADER,
    UNDEFINED_OFFSET,
    Acks,
    BrokerId,
    TimeMs,
    TopicPartition,
)
from sim_engine.protocol.leader.produce import handle_produce
from sim_engine.protocol.log import Producing
from sim_engine.protocol.replica import ProduceResponse
from sim_engine.simulation.effects.client_metadata import (
    believed_leader,
    client_named,
    put_client,
    refresh_metadata,
    with_entry,
)
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.effects.produce_responses import (
    leave_unanswered,
    respond_to_producer,
)
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import AppliesOutcomes, ChangesClients
from sim_engine.simulation.refusal import RefusedError

DEFAULT_TIMEOUT_MS = 30_000
MOST_RECORDS_IN_A_LOG = 1_000


def produce(work: AppliesOutcomes, action: Produce) -> None:
    """Send one record to the leader in the producer's metadata, or to a named broker.

    In a transaction, or with `idempotent`, the producer's batches have a producer id and a sequence
    number (KIP-98).
    """
    name, acks = action.as_, action.acks
    client = client_named(work, name, "producer")
    if client.in_transaction and acks != "all":
        raise RefusedError("transaction_needs_acks_all", rule="KIP-98", producer=name, acks=acks)
    if action.idempotent or client.in_transaction:
        client = with_producer_id(work, client)
        if client.in_transaction and action.to not in client.writes_to:
            put_client(work, replace(client, writes_to=(*client.writes_to, action.to)))
    _produce(
        work,
        producer=name,
        value=action.values[0],
        partition=action.to,
        acks=acks,
        broker=action.broker,
        timeout_ms=DEFAULT_TIMEOUT_MS if action.timeout_ms is None else action.timeout_ms,
        idempotent=action.idempotent or client.in_transaction,
        sequence=action.sequence,
        transaction=client.transactions if client.in_transaction else None,
    )


def with_producer_id(work: ChangesClients, client: Client) -> Client:
    """The producer with a producer id, which it requests once (InitProducerId, KIP-98)."""
    if not work.cluster.profile.rules.idempotent_producers:
        raise RefusedError("no_idempotence", rule="KIP-98", kafka=work.cluster.profile.kafka)
    if client.producer_id is not None:
        return client
    clients = work.cluster.clients
    client = replace(client, producer_id=clients.next_producer_id)
    work.put_clients(replace(clients, next_producer_id=clients.next_producer_id + 1))
    put_client(work, client)
    return client


def retry(work: AppliesOutcomes, action: Retry) -> None:
    """Send the producer's oldest unanswered or failed request again, as a new request.

    An idempotent producer resends the batch with the same sequence number. Records of a finished
    transaction are not sent again.
    """
    name = action.as_
    clients = work.cluster.clients
    client = clients.find(name)
    if client is None:
        raise RefusedError("no_producer", producer=name)
    waiting = [produced for produced in clients.produced if may_retry(client, produced)]
    if not waiting:
        raise RefusedError("nothing_to_retry", producer=name)
    oldest = waiting[0]
    work.put_clients(with_produced(clients, replace(oldest, retried=True)))
    _produce(
        work,
        producer=name,
        value=oldest.value,
        partition=oldest.partition,
        acks=oldest.acks,
        broker=None,
        timeout_ms=oldest.timeout_ms,
        idempotent=oldest.producer_id is not None,
        sequence=oldest.sequence,
        transaction=oldest.transaction,
    )


def may_retry(client: Client, produced: ProducedRecord) -> bool:
    """Whether a producer may send a request again."""
    return (
        produced.producer == client.name
        and produced.outcome != "acked"
        and not produced.retried
        and (
            produced.transaction is None
            or (client.in_transaction and produced.transaction == client.transactions)
        )
    )


def _produce(
    work: AppliesOutcomes,
    *,
    producer: str,
    value: str,
    partition: TopicPartition,
    acks: Acks,
    broker: BrokerId | None,
    timeout_ms: int,
    idempotent: bool,
    sequence: int | None,
    transaction: int | None,
) -> None:
    client = client_named(work, producer, "producer")
    target = broker if broker is not None else believed_leader(work, client, partition)
    if idempotent and target != NO_LEADER:
        # A batch gets its sequence when it is sent, not while there is no leader to send it to.
        sequence = _take_sequence(work, producer, partition, sequence)
    clients = work.cluster.clients
    request = len(clients.produced)
    produced = ProducedRecord(
        request=request,
        id=None,
        producer=producer,
        value=value,
        acks=acks,
        partition=partition,
        broker=target,
        offset=None,
        outcome="pending",
        error=None,
        frame=work.frame,
        timeout_ms=timeout_ms,
        producer_id=client.producer_id if idempotent else None,
        sequence=sequence,
        transaction=transaction,
    )
    work.put_clients(replace(clients, produced=(*clients.produced, produced)))
    if target == NO_LEADER:
        _fail_without_leader(work, produced)
        return
    if work.cluster.broker(target).process == "paused" or _isr_write_is_blocked(
        work.cluster, produced
    ):
        work.say(
            ProduceWaiting(
                variant="isr_write" if work.cluster.broker(target).running else None,
                producer=producer,
                value=value,
                partition=partition,
                broker=target,
            )
        )
        return
    if not work.cluster.broker(target).running:
        leave_unanswered(work, request, target)
        return
    _handle_produce(work, produced)


def _take_sequence(
    work: ChangesClients, name: str, partition: TopicPartition, given: int | None
) -> int:
    """The sequence number of a batch: its own, or the producer's next, which is then consumed."""
    client = work.cluster.clients.client(name)
    following = client.next_sequence(partition)
    if given is not None and given != following:
        return given
    put_client(
        work,
        replace(client, sequences=with_entry(client.sequences, partition, following + 1)),
    )
    return following


def handle_waiting_produces(work: AppliesOutcomes, broker_id: BrokerId) -> None:
    """Handle the requests that arrived while a broker was paused, or while its partition was locked
    waiting for ZooKeeper, in sending order.
    """
    if not work.cluster.broker(broker_id).running:
        return
    for produced in work.cluster.clients.produced:
        if produced.waits_at(broker_id) and not _isr_write_is_blocked(work.cluster, produced):
            _handle_produce(work, produced)


def _isr_write_is_blocked(cluster: ClusterState, produced: ProducedRecord) -> bool:
    replica = cluster.broker(produced.broker).replica(produced.partition)
    leading = None if replica is None else replica.leading
    return leading is not None and leading.blocked_isr is not None


def _handle_produce(work: AppliesOutcomes, produced: ProducedRecord) -> None:
    """Handle a produce request at the broker that it was sent to."""
    partition, target, acks = produced.partition, produced.broker, produced.acks
    replica = work.cluster.replica(target, partition)
    error = error_without_replica(work.cluster, target, partition)
    if error is not ErrorCode.NONE:
        respond_to_producer(
            work,
            ProduceResponse(request=produced.request, error=error, offset=UNDEFINED_OFFSET),
            replica,
        )
        refresh_metadata(work, produced.producer, partition)
        return
    if len(replica.log.records) >= MOST_RECORDS_IN_A_LOG:
        raise RefusedError("log_full", partition=partition, limit=MOST_RECORDS_IN_A_LOG)
    record_id = f"r{work.cluster.clients.next_record}"
    outcome = handle_produce(
        replica,
        value=produced.value,
        record_id=record_id,
        acks=acks,
        request=produced.request,
        deadline_ms=TimeMs(work.cluster.now_ms + produced.timeout_ms),
        settings=work.cluster.settings_at(target, partition),
        now_ms=work.cluster.now_ms,
        eligible=eligible_for_isr(work.cluster, target),
        producing=_producing(produced),
    )
    if outcome.duplicate is not None:
        # The log already has the batch, so the request is about that record.
        known = outcome.duplicate
        produced = replace(produced, id=known.id, offset=known.offset)
        work.put_clients(with_produced(work.cluster.clients, produced))
    appended = outcome.replica.log_end_offset > replica.log_end_offset
    if appended:
        clients = work.cluster.clients
        sent = replace(
            produced,
            id=record_id,
            offset=replica.log_end_offset,
            outcome="no_answer" if acks == 0 else "pending",
        )
        work.put_clients(with_produced(replace(clients, next_record=clients.next_record + 1), sent))
        work.say(
            RecordProduced(
                variant=_how_produced(produced),
                producer=produced.producer,
                value=produced.value,
                partition=partition,
                broker=target,
                offset=replica.log_end_offset,
                leader_epoch=replica.leader_epoch,
                acks=acks,
                log_end_offset=outcome.replica.log_end_offset,
                producer_id=produced.producer_id,
                sequence=produced.sequence,
                subject=EventSubject(
                    partition=partition,
                    replicas=(target,),
                    offsets=(replica.log_end_offset,),
                ),
            )
        )
    apply_outcome(work, outcome)
    if any(
        response.error is ErrorCode.NOT_LEADER_OR_FOLLOWER for response in outcome.produce_responses
    ):
        refresh_metadata(work, produced.producer, partition)


def _producing(produced: ProducedRecord) -> Producing | None:
    """The fields of an idempotent producer's batch. Producer epochs are always 0 here."""
    if produced.producer_id is None:
        return None
    assert produced.sequence is not None, "what is sent has a sequence"
    return Producing(
        producer_id=produced.producer_id,
        producer_epoch=0,
        sequence=produced.sequence,
        transactional=produced.transaction is not None,
    )


def _how_produced(produced: ProducedRecord) -> Literal["idempotent", "transactional"] | None:
    if produced.producer_id is None:
        return None
    return "idempotent" if produced.transaction is None else "transactional"


def _fail_without_leader(work: ChangesClients, produced: ProducedRecord) -> None:
    error = ErrorCode.LEADER_NOT_AVAILABLE
    failed = replace(produced, outcome="failed", error=str(error))
    work.put_clients(with_produced(work.cluster.clients, failed))
    work.say(
        ProduceFailed(
            variant=error,
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=NO_LEADER,
            error=error,
        )
    )


def refresh(work: ChangesClients, action: Refresh) -> None:
    """A client refreshes its metadata and learns the current leaders."""
    name = action.as_
    client = work.cluster.clients.find(name)
    if client is None:
        raise RefusedError("no_producer", producer=name)
    for partition in work.cluster.partitions:
        refresh_metadata(work, name, partition, asked_for=True)


PERFORMED: tuple[Entry, ...] = (
    performs(Produce, produce),
    performs(Retry, retry),
    performs(Refresh, refresh),
)
