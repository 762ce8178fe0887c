"""What clients know of the cluster: who leads each partition, and in which epoch."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.clients import Client, with_client
from sim_engine.cluster.knowledge import known_registration
from sim_engine.events.producer import ClientMetadataRefreshed
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.simulation.turn import Turn


def client_named(turn: Turn, name: str, kind: Literal["producer", "consumer"]) -> Client:
    """A client; a new one if the name is not in use yet."""
    found = turn.cluster.clients.find(name)
    if found is None:
        found = Client(name=name, kind=kind)
        clients = turn.cluster.clients
        turn.put_clients(replace(clients, clients=(*clients.clients, found)))
    return found


def put_client(turn: Turn, changed: Client) -> None:
    """Take over a client as it is now."""
    turn.put_clients(with_client(turn.cluster.clients, changed))


def believed_leader(turn: Turn, client: Client, partition: TopicPartition) -> BrokerId:
    """Who a client sends to: it asks again where it never asked, or its connection is gone."""
    believed = client.leader_of(partition)
    if believed is None or believed == NO_LEADER or not turn.cluster.broker(believed).alive:
        return refresh_metadata(turn, client.name, partition, quiet=believed is None)
    return believed


def refresh_metadata(
    turn: Turn,
    name: str,
    partition: TopicPartition,
    *,
    quiet: bool = False,
    asked_for: bool = False,
) -> BrokerId:
    """A client asks who leads a partition; give the answer.

    A change is said, unless `quiet`; what was `asked_for` is said in any case.
    """
    client = turn.cluster.clients.client(name)
    registration = known_registration(turn.cluster, partition)
    changed = client.leader_of(partition) != registration.leader
    put_client(
        turn,
        replace(
            client,
            leaders=with_entry(client.leaders, partition, registration.leader),
            leader_epochs=with_entry(client.leader_epochs, partition, registration.leader_epoch),
        ),
    )
    if asked_for or (changed and not quiet):
        turn.say(
            ClientMetadataRefreshed(
                client=name,
                partition=partition,
                leader=registration.leader,
            )
        )
    return registration.leader


def with_entry(
    entries: tuple[tuple[TopicPartition, int], ...], partition: TopicPartition, value: int
) -> tuple[tuple[TopicPartition, int], ...]:
    """What a client keeps of each partition, with one partition's value replaced."""
    return tuple(sorted({**dict(entries), partition: value}.items()))
