"""The possible steps of the protocol and its clients: messages, fetches, the controller, clients.

Each offer is a step that makes sense in this state. `choices.py` tries each of them, and gives the
reason if it is not possible now.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import (
    Consume,
    Deliver,
    Detect,
    Drop,
    Elect,
    FailController,
    Fetch,
    Happening,
    Hold,
    Produce,
    Reassign,
    Refresh,
    Release,
    Retry,
    SendFetch,
    Timer,
    Transaction,
)
from sim_engine.actions.steps import DEFAULT_CONSUMER, DEFAULT_PRODUCER
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    NO_LEADER,
    BrokerId,
    Endpoint,
    MessageKind,
)
from sim_engine.protocol.controller.state import assignment_of
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.simulation.fetch_rounds import long_poll, round_changes_something
from sim_engine.simulation.performing.controller import detection_is_awaited, is_unnoticed
from sim_engine.simulation.performing.fetching import why_no_fetch
from sim_engine.simulation.performing.late_metadata import is_metadata_held, waiting_records
from sim_engine.simulation.performing.producers import may_retry
from sim_engine.simulation.performing.transactions import hanging_partitions


class Offer(Struct, frozen=True, gc=False):
    """An offered step: its actor, and its relevance as a rank; the lowest rank comes first.

    `actor` is a broker id as text, `controller`, a client's name, `network` or `time`.
    """

    rank: int
    actor: str
    step: Happening


def offers_of_messages(cluster: ClusterState) -> Iterator[Offer]:
    """Offers about messages in flight, one set for each kind, link and partition: deliver the
    oldest, drop it, hold it or release it; and the end of each long poll
    (`replica.fetch.wait.max.ms`, `DelayedFetch`).

    Messages that the controller sends are not offered to be dropped: a ZooKeeper controller retries
    a command, and a broker continues to read the metadata log where it was. The metadata log is
    held and released as a whole.
    """
    seen: set[tuple[MessageKind, Endpoint, Endpoint, str | None]] = set()
    for message in cluster.messages:
        key = (message.kind, message.sender, message.receiver, message.partition)
        if key in seen:
            continue
        seen.add(key)
        kind, sender, receiver, partition = key
        is_log = kind == METADATA_RECORD
        if message.held and not is_log:
            yield Offer(
                2, "network", Release(kind=kind, from_=sender, to=receiver, partition=partition)
            )
        yield Offer(
            0, "network", Deliver(kind=kind, from_=sender, to=receiver, partition=partition)
        )
        if sender != CONTROLLER:
            yield Offer(
                70, "network", Drop(kind=kind, from_=sender, to=receiver, partition=partition)
            )
        if not message.held and not is_log:
            yield Offer(
                71, "network", Hold(kind=kind, from_=sender, to=receiver, partition=partition)
            )
    yield from _late(cluster)
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for parked in () if replica.leading is None else replica.leading.parked:
                yield Offer(
                    1,
                    str(broker.broker_id),
                    long_poll(broker.broker_id, replica.partition, parked.follower),
                )


def _late(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of late metadata: hold the metadata log as a whole and deliver any number of records,
    or skip a command in favour of the next.
    """
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        waiting = len(waiting_records(cluster, broker_id))
        for records in sorted({2, waiting}) if waiting >= 2 else ():
            yield Offer(2, "network", Deliver(kind=METADATA_RECORD, to=broker_id, records=records))
        if is_metadata_held(cluster, broker_id):
            if waiting:
                yield Offer(2, "network", Deliver(kind=METADATA_RECORD, to=broker_id, records=1))
            yield Offer(2, "network", Release(kind=METADATA_RECORD, to=broker_id))
        elif cluster.controller_kind.has_metadata_log:
            yield Offer(71, "network", Hold(kind=METADATA_RECORD, to=broker_id))
        commands = [
            message
            for message in cluster.messages
            if message.kind == "leader_and_isr" and message.receiver == broker_id
        ]
        if len(commands) >= 2:
            yield Offer(72, "network", Deliver(kind="leader_and_isr", to=broker_id, skip=True))


def offers_of_fetches(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of follower fetches, for each replica with a fetcher: a whole round of request and
    response (`fetch`), and the next request alone (`send_fetch`).

    A round that is possible and would change something visible comes first. The partition is
    omitted if the cluster has only one.
    """
    several = len(cluster.partitions) > 1
    for broker in cluster.brokers:
        for replica in broker.replicas:
            if replica.fetcher is None:
                continue
            partition = replica.partition if several else None
            can = why_no_fetch(cluster, broker.broker_id, replica.partition) is None
            useful = can and round_changes_something(cluster, broker.broker_id, replica.partition)
            actor = str(broker.broker_id)
            yield Offer(
                4 if useful else 30, actor, Fetch(broker=broker.broker_id, partition=partition)
            )
            yield Offer(31, actor, SendFetch(broker=broker.broker_id, partition=partition))


def offers_of_controller(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of the controller: detect a broker's new state, elect a leader of each partition
    (clean, unclean or preferred), reassign its replicas, and fail over.

    A detection that no partition waits for comes after the offers of clients.

    From 3.9, a KRaft cluster with a leaderless partition also offers the check for unclean
    elections (KAFKA-12670).
    """
    leaderless = any(one.leader == NO_LEADER for one in cluster.controller.partitions)
    if leaderless and cluster.profile.rules.unclean_election_by_setting:
        yield Offer(46, CONTROLLER, Timer(kind="unclean_leader_check"))
    for broker in cluster.brokers:
        if is_unnoticed(cluster, broker.broker_id):
            awaited = detection_is_awaited(cluster, broker.broker_id)
            yield Offer(3 if awaited else 24, CONTROLLER, Detect(broker=broker.broker_id))
    yield Offer(55, CONTROLLER, FailController())
    for registration in cluster.controller.partitions:
        name = registration.partition
        leaderless = registration.leader == NO_LEADER
        yield Offer(5 if leaderless else 45, CONTROLLER, Elect(partition=name, kind="clean"))
        yield Offer(6 if leaderless else 46, CONTROLLER, Elect(partition=name, kind="unclean"))
        away = registration.leader != registration.preferred_leader
        yield Offer(25 if away else 47, CONTROLLER, Elect(partition=name, kind="preferred"))
        for target in _targets(cluster, registration):
            yield Offer(49, CONTROLLER, Reassign(partition=name, replicas=target))


def _targets(
    cluster: ClusterState, registration: PartitionRegistration
) -> Iterator[tuple[BrokerId, ...] | None]:
    """The targets of a reassignment: the last replica moved to each broker without one, one
    replica more, one fewer, and the preferred leader moved to the end. During a reassignment:
    the original replicas, which withdraw it, and None, which cancels it.
    """
    assignment = assignment_of(registration)
    now = assignment.target
    if assignment.in_progress:
        yield tuple(sorted(assignment.original)) or now
        yield None
        return
    spare = [broker.broker_id for broker in cluster.brokers if broker.broker_id not in now]
    yield from ((*now[:-1], broker_id) for broker_id in spare)
    if spare:
        yield (*now, spare[0])
    if len(now) > 1:
        yield now[:-1]
        yield (*now[1:], now[0])


def offers_of_clients(cluster: ClusterState) -> Iterator[Offer]:
    """Offers of producers and consumers; p1 and c1 if there are none yet.

    For each partition, the first producer writes the next unused value m1, m2, …, with each acks
    or idempotently (KIP-98), and the first consumer reads: everything below the high watermark,
    committed records (KIP-98), or from each follower (KIP-392). Every client may also retry,
    refresh its metadata, and begin or end a transaction.
    """
    producers = [client.name for client in cluster.clients.clients if client.kind == "producer"]
    consumers = [client.name for client in cluster.clients.clients if client.kind == "consumer"]
    value = _next_value(cluster)
    for partition in cluster.partitions:
        producer = producers[0] if producers else DEFAULT_PRODUCER
        record = Produce(to=partition, values=(value,), as_=producer)
        yield Offer(10, producer, record)
        yield Offer(40, producer, replace(record, acks=1))
        yield Offer(60, producer, replace(record, acks=0))
        yield Offer(43, producer, replace(record, idempotent=True))
        consumer = consumers[0] if consumers else DEFAULT_CONSUMER
        reads = Consume(partition=partition, as_=consumer)
        yield Offer(20, consumer, reads)
        yield Offer(21, consumer, replace(reads, isolation="read_committed"))
        registration = cluster.controller.partition(partition)
        for follower in registration.replicas:
            if follower != registration.leader:
                yield Offer(49, consumer, replace(reads, broker=follower))
    for client in cluster.clients.clients:
        if any(may_retry(client, record) for record in cluster.clients.produced):
            yield Offer(15, client.name, Retry(as_=client.name))
        yield Offer(61, client.name, Refresh(as_=client.name))
    for name in producers or [DEFAULT_PRODUCER]:
        known = cluster.clients.find(name)
        open_now = known is not None and known.in_transaction
        yield Offer(44, name, Transaction(as_=name, do="begin"))
        if open_now:
            yield Offer(19, name, Transaction(as_=name, do="commit"))
        if open_now or (known is not None and hanging_partitions(cluster, known)):
            yield Offer(22, name, Transaction(as_=name, do="abort"))


def _next_value(cluster: ClusterState) -> str:
    taken = {record.value for record in cluster.clients.produced}
    taken |= {
        record.value
        for broker in cluster.brokers
        for replica in broker.replicas
        for record in replica.log.records
    }
    number = 1
    while f"m{number}" in taken:
        number += 1
    return f"m{number}"
