"""A producer begins, commits or aborts a transaction (KIP-98).

The transaction coordinator is not modelled as a process: the action that ends a transaction makes
its decision and writes its markers. If a marker cannot be written now, ending is refused: the
coordinator would keep retrying, which is the same step later.
"""

from msgspec.structs import replace

from sim_engine.actions import Transaction
from sim_engine.cluster.state import Client, ClusterState, eligible_for_isr
from sim_engine.events import EventSubject
from sim_engine.events.producer import MarkerWritten, TransactionBegun, TransactionEnded
from sim_engine.identifiers import NO_LEADER, TopicPartition
from sim_engine.protocol.leader.produce import append_marker
from sim_engine.protocol.log import list_transactions
from sim_engine.records import Marker
from sim_engine.simulation.effects.client_metadata import client_named, put_client
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.performing.producers import (
    MOST_RECORDS_IN_A_LOG,
    may_retry,
    with_producer_id,
)
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import AppliesOutcomes, ChangesClients
from sim_engine.simulation.refusal import RefusedError


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
    put_client(
        work,
        replace(client, in_transaction=True, transactions=client.transactions + 1, writes_to=()),
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
    put_client(work, replace(client, in_transaction=False, writes_to=()))
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
        producer_id=client.producer_id,
        producer_epoch=0,
        record_id=f"r{clients.next_record}",
        settings=settings,
        now_ms=work.cluster.now_ms,
        eligible=eligible_for_isr(work.cluster, leader),
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


PERFORMED: tuple[Entry, ...] = (performs(Transaction, transaction),)
