"""Actions of producers (produce, retry, transactions) and the metadata refresh of any client.

The transaction coordinator (KIP-98) is not modelled as a process: the action that ends a
transaction makes its decision and writes its markers. If a marker cannot be written now, ending is
refused: the coordinator would keep retrying, which is the same step later.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.actions.steps import Produce, Refresh, Retry, Transaction
from sim_engine.class_tables import for_class
from sim_engine.cluster.state import (
    Client,
    ClusterState,
    ProducedRecord,
    error_without_replica,
    with_known,
)
from sim_engine.events.base import EventSubject
from sim_engine.events.clients import (
    MarkerWritten,
    ProduceFailed,
    ProduceWaiting,
    RecordProduced,
    TransactionBegun,
    TransactionEnded,
)
from sim_engine.identifiers import (
    NO_LEADER,
    UNDEFINED_OFFSET,
    BrokerId,
    ErrorCode,
    TimeMs,
    TopicPartition,
)
from sim_engine.narration import RefusedError
from sim_engine.protocol.leader.produce import append_marker, handle_produce
from sim_engine.protocol.log import Producing, list_transactions
from sim_engine.protocol.replica import ProduceResponse
from sim_engine.records import Marker
from sim_engine.simulation.effects.brokers import apply_outcome
from sim_engine.simulation.effects.messages import (
    believed_leader,
    client_named,
    leave_unanswered,
    refresh_metadata,
    respond_to_producer,
)
from sim_engine.simulation.working_copy import AppliesOutcomes, ChangesClients

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
            work.put_client(replace(client, writes_to=(*client.writes_to, action.to)))
    _produce(work, action, client.transactions if client.in_transaction else None)


def with_producer_id(work: ChangesClients, client: Client) -> Client:
    """The producer with a producer id, which it requests once (InitProducerId, KIP-98)."""
    if not work.cluster.profile.rules.idempotent_producers:
        raise RefusedError("no_idempotence", rule="KIP-98", kafka=work.cluster.profile.kafka)
    if client.producer_id is not None:
        return client
    clients = work.cluster.clients
    client = replace(client, producer_id=clients.next_producer_id)
    work.put_clients(replace(clients, next_producer_id=clients.next_producer_id + 1))
    work.put_client(client)
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
    work.put_produced(replace(oldest, retried=True))
    again = Produce(
        as_=name,
        values=(oldest.value,),
        to=oldest.partition,
        acks=oldest.acks,
        timeout_ms=oldest.timeout_ms,
        idempotent=oldest.producer_id is not None,
        sequence=oldest.sequence,
    )
    _produce(work, again, oldest.transaction)


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


def _produce(work: AppliesOutcomes, action: Produce, transaction: int | None) -> None:
    client = client_named(work, action.as_, "producer")
    target, sequence = action.broker, action.sequence
    if target is None:
        target = believed_leader(work, client, action.to)
    idempotent = action.idempotent or transaction is not None
    if idempotent and target != NO_LEADER:
        # A batch gets its sequence when it is sent, not while there is no leader to send it to.
        sequence = _take_sequence(work, client.name, action.to, sequence)
    clients = work.cluster.clients
    produced = ProducedRecord(
        request=len(clients.produced),
        producer=client.name,
        value=action.values[0],
        acks=action.acks,
        partition=action.to,
        broker=target,
        frame=work.frame,
        timeout_ms=DEFAULT_TIMEOUT_MS if action.timeout_ms is None else action.timeout_ms,
        producer_id=client.producer_id if idempotent else None,
        sequence=sequence,
        transaction=transaction,
    )
    work.put_clients(replace(clients, produced=(*clients.produced, produced)))
    if target == NO_LEADER:
        _fail_without_leader(work, produced)
        return
    broker = work.cluster.broker(target)
    if broker.process == "paused" or _isr_write_is_blocked(work.cluster, produced):
        work.say(
            ProduceWaiting(
                variant="isr_write" if broker.running else None,
                producer=produced.producer,
                value=produced.value,
                partition=produced.partition,
                broker=target,
            )
        )
    elif broker.running:
        _handle_produce(work, produced)
    else:
        leave_unanswered(work, produced.request, target)


def _take_sequence(
    work: ChangesClients, name: str, partition: TopicPartition, own: int | None
) -> int:
    """The sequence number of a batch: its own, or the producer's next, which is then consumed."""
    client = work.cluster.clients.client(name)
    known = client.knows(partition)
    following = known.next_sequence
    if own is not None and own != following:
        return own
    work.put_client(with_known(client, replace(known, next_sequence=following + 1)))
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
        work.cluster.view_of(replica),
        value=produced.value,
        record_id=record_id,
        acks=acks,
        request=produced.request,
        deadline_ms=TimeMs(work.cluster.now_ms + produced.timeout_ms),
        producing=_producing(produced),
    )
    if outcome.duplicate is not None:
        # The log already has the batch, so the request is about that record.
        known = outcome.duplicate
        produced = replace(produced, id=known.id, offset=known.offset)
        work.put_produced(produced)
    appended = outcome.replica.log_end_offset > replica.log_end_offset
    if appended:
        clients = work.cluster.clients
        sent = replace(
            produced,
            id=record_id,
            offset=replica.log_end_offset,
            outcome="no_answer" if acks == 0 else "pending",
        )
        work.put_clients(replace(clients, next_record=clients.next_record + 1))
        work.put_produced(sent)
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
                    partition=partition, replicas=(target,), offsets=(replica.log_end_offset,)
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
    work.put_produced(failed)
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


def transaction(work: AppliesOutcomes, action: Transaction) -> None:
    """Begin, commit or abort a transaction."""
    if action.do == "begin":
        _begin(work, action.as_)
    else:
        _end(work, action.as_, action.do)


def _begin(work: ChangesClients, name: str) -> None:
    client = with_producer_id(work, client_named(work, name, "producer"))
    if client.in_transaction:
        raise RefusedError("transaction_open", rule="KIP-98", producer=name)
    work.put_client(
        replace(client, in_transaction=True, transactions=client.transactions + 1, writes_to=())
    )
    work.say(TransactionBegun(producer=name, producer_id=client.producer_id))


def _end(work: AppliesOutcomes, name: str, marker: Marker) -> None:
    client = work.cluster.clients.find(name)
    if client is None or not client.in_transaction:
        hanging = () if client is None else hanging_partitions(work.cluster, client)
        if client is None or not hanging or marker != "abort":
            raise RefusedError("no_transaction", rule="KIP-98", producer=name)
        _abort_hanging(work, client, hanging)
        return
    if marker == "commit":
        _require_responses(work.cluster, client)
    for partition in client.writes_to:
        _write_marker(work, client, partition, marker)
    work.put_client(replace(client, in_transaction=False, writes_to=()))
    work.say(
        TransactionEnded(
            variant=marker if client.writes_to else "empty",
            producer=name,
            producer_id=client.producer_id,
            partitions=client.writes_to,
        )
    )


def hanging_partitions(cluster: ClusterState, client: Client) -> tuple[TopicPartition, ...]:
    """The partitions whose leaders' logs have an open transaction of a producer that has none: the
    marker that ended it was lost. Empty in releases in which an administrator cannot abort it.
    """
    if client.in_transaction or not cluster.profile.rules.abort_by_administrator:
        return ()
    return tuple(
        registration.partition
        for registration in cluster.controller.partitions
        if registration.leader != NO_LEADER
        and any(
            open_one.producer_id == client.producer_id and open_one.marker is None
            for open_one in list_transactions(
                cluster.replica(registration.leader, registration.partition).log
            )
        )
    )


def _abort_hanging(
    work: AppliesOutcomes, client: Client, partitions: tuple[TopicPartition, ...]
) -> None:
    """An administrator aborts a transaction in each partition whose log shows it as open
    (`Admin.abortTransaction`, KIP-664).
    """
    for partition in partitions:
        _write_marker(work, client, partition, "abort")
    work.say(
        TransactionEnded(
            variant="hanging",
            rule="KIP-664",
            sources=("KIP-664",),
            producer=client.name,
            producer_id=client.producer_id,
            partitions=partitions,
        )
    )


def _require_responses(cluster: ClusterState, client: Client) -> None:
    """Refuse a commit unless each record of the transaction has been acknowledged."""
    unanswered = [
        produced.value
        for produced in cluster.clients.produced
        if produced.transaction == client.transactions and may_retry(client, produced)
    ]
    if unanswered:
        raise RefusedError(
            "transaction_unanswered", rule="KIP-98", producer=client.name, values=unanswered
        )


def _write_marker(
    work: AppliesOutcomes, client: Client, partition: TopicPartition, marker: Marker
) -> None:
    leader = work.cluster.controller.partition(partition).leader
    if leader == NO_LEADER:
        raise RefusedError("no_leader", rule="KIP-98", partition=partition)
    broker = work.cluster.broker(leader)
    if not broker.running:
        raise RefusedError("receiver_down", rule="KIP-98", broker=leader, state=broker.process)
    replica = work.cluster.replica(leader, partition)
    settings = work.cluster.settings_at(leader, partition)
    if replica.leading is None:
        raise RefusedError("leader_not_told", rule="KIP-98", broker=leader, partition=partition)
    if len(replica.leading.isr) < settings.effective_min_insync_replicas:
        raise RefusedError(
            "marker_needs_isr",
            rule="MIN-INSYNC-REPLICAS",
            partition=partition,
            isr=list(replica.leading.isr),
            min_insync_replicas=settings.effective_min_insync_replicas,
        )
    if len(replica.log.records) >= MOST_RECORDS_IN_A_LOG:
        raise RefusedError("log_full", partition=partition, limit=MOST_RECORDS_IN_A_LOG)
    assert client.producer_id is not None, "a transaction has begun"
    clients = work.cluster.clients
    work.put_clients(replace(clients, next_record=clients.next_record + 1))
    offset = replica.log_end_offset
    outcome = append_marker(
        replica,
        marker,
        work.cluster.view_of(replica),
        producer_id=client.producer_id,
        producer_epoch=0,
        record_id=f"r{clients.next_record}",
    )
    work.say(
        MarkerWritten(
            variant=marker,
            producer=client.name,
            producer_id=client.producer_id,
            partition=partition,
            broker=leader,
            offset=offset,
            log_end_offset=outcome.replica.log_end_offset,
            subject=EventSubject(partition=partition, replicas=(leader,), offsets=(offset,)),
        )
    )
    apply_outcome(work, outcome)


PERFORMED = (
    for_class(Produce, produce),
    for_class(Retry, retry),
    for_class(Refresh, refresh),
    for_class(Transaction, transaction),
)
