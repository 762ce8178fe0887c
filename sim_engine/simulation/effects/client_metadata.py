"""The metadata of clients: the leader and leader epoch of each partition."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.state import Client, known_registration, with_client
from sim_engine.events.producer import ClientMetadataRefreshed
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.simulation.permissions import ChangesClients


def client_named(work: ChangesClients, name: str, kind: Literal["producer", "consumer"]) -> Client:
    """A client; a new one if the name is not in use yet."""
    found = work.cluster.clients.find(name)
    if found is None:
        found = Client(name=name, kind=kind)
        clients = work.cluster.clients
        work.put_clients(replace(clients, clients=(*clients.clients, found)))
    return found


def put_client(work: ChangesClients, changed: Client) -> None:
    """Store a client."""
    work.put_clients(with_client(work.cluster.clients, changed))


def believed_leader(work: ChangesClients, client: Client, partition: TopicPartition) -> BrokerId:
    """The leader that a client sends to. The client refreshes its metadata if it has none, or if
    its connection is closed.
    """
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
    changed = client.leader_of(partition) != registration.leader
    put_client(
        work,
        replace(
            client,
            leaders=with_entry(client.leaders, partition, registration.leader),
            leader_epochs=with_entry(client.leader_epochs, partition, registration.leader_epoch),
        ),
    )
    if asked_for or (changed and not quiet):
        work.say(
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
    """A client's values by partition, with one partition's value replaced."""
    return tuple(sorted({**dict(entries), partition: value}.items()))
