"""What clients learn: the leader and leader epoch of each partition, and the results of produce
requests, or that there never is one.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.state import Client, known_registration, with_known
from sim_engine.events.clients import (
    ClientMetadataRefreshed,
    ProduceAcknowledged,
    ProduceFailed,
    ProduceUnanswered,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, ErrorCode, TopicPartition
from sim_engine.protocol.log import last_sequence
from sim_engine.protocol.replica import ProduceResponse, Replica
from sim_engine.simulation.working_copy import ChangesClients


def client_named(work: ChangesClients, name: str, kind: Literal["producer", "consumer"]) -> Client:
    """A client; a new one if the name is not in use yet."""
    client = work.cluster.clients.find(name)
    if client is None:
        client = Client(name=name, kind=kind)
        clients = work.cluster.clients
        work.put_clients(replace(clients, clients=(*clients.clients, client)))
    return client


def believed_leader(work: ChangesClients, client: Client, partition: TopicPartition) -> BrokerId:
    """The leader that a client sends to, with new metadata if it has none or is disconnected."""
    believed = client.leader_of(partition)
    if believed is None or believed == NO_LEADER or not work.cluster.broker(believed).alive:
        return refresh_metadata(work, client.name, partition, quiet=believed is None)
    return believed


def refresh_metadata(
    work: ChangesClients,
    name: str,
    partition: TopicPartition,
    *,
    quiet: bool = False,
    asked_for: bool = False,
) -> BrokerId:
    """Refresh a client's metadata of a partition and return it.

    A change creates an event, unless `quiet`; a refresh that was `asked_for` always creates one.
    """
    client = work.cluster.clients.client(name)
    registration = known_registration(work.cluster, partition)
    leader, epoch = registration.leader, registration.leader_epoch
    known = client.knows(partition)
    work.put_client(with_known(client, replace(known, leader=leader, leader_epoch=epoch)))
    if asked_for or (known.leader != leader and not quiet):
        work.say(ClientMetadataRefreshed(client=name, partition=partition, leader=leader))
    return leader


def respond_to_producer(work: ChangesClients, response: ProduceResponse, replica: Replica) -> None:
    """Send a producer the result of its request. Later results of the same request are ignored."""
    produced = work.cluster.clients.produced[response.request]
    if produced.outcome != "pending":
        return
    settings = work.cluster.settings_at(replica.broker_id, replica.partition)
    if response.error is ErrorCode.NONE:
        work.put_produced(
            replace(produced, outcome="acked", acked_frame=work.frame, offset=response.offset)
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
    work.put_produced(replace(produced, outcome="failed", error=str(response.error)))
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
    work.put_produced(replace(produced, outcome="no_answer"))
    work.say(
        ProduceUnanswered(
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=broker_id,
        )
    )


def _produce_rule(error: ErrorCode) -> str | None:
    if error in (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND):
        return "MIN-INSYNC-REPLICAS"
    if error in (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.UNKNOWN_PRODUCER_ID):
        return "KIP-98"
    return "PRODUCE-ACKS"
