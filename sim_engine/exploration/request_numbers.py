"""The numbers of requests in the states of a search: each sender's lowest that are free.

A response, a parked fetch and whoever waits refer to a request by its number. Other messages have
none.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.messages import FOLLOWER_REQUESTS, Answer, Message
from sim_engine.protocol.replica import Replica

REQUESTS = (*FOLLOWER_REQUESTS, "alter_partition_request")
"""The messages that others refer to by their numbers."""

_UNNUMBERED = 500_000_000
"""While an action is performed, messages without a number have numbers from here on."""


def lowest_numbers(cluster: ClusterState) -> dict[int, int]:
    """New numbers of all requests, in the order of their own."""
    asked: dict[BrokerId, set[int]] = {}
    for sender, number in _requests(cluster):
        asked.setdefault(sender, set()).add(number)
    return {
        number: _number(sender, rank)
        for sender, numbers in asked.items()
        for rank, number in enumerate(sorted(numbers), 1)
    }


def _number(sender: BrokerId, rank: int) -> int:
    """The number of a broker's request: different from those of other brokers."""
    return 1_000 * (sender + 1) + rank


def first_number(sender: BrokerId, used: set[int]) -> int:
    """The lowest number of a broker's requests that is not among those in use."""
    rank = 1
    while _number(sender, rank) in used:
        rank += 1
    return _number(sender, rank)


def _requests(cluster: ClusterState) -> Iterator[tuple[BrokerId, int]]:
    """Each request whose number occurs in a cluster: its sender and the number."""
    for message in cluster.messages:
        if message.in_reply_to is not None:
            yield message.receiving_broker, message.in_reply_to
        elif message.kind in REQUESTS:
            yield message.sending_broker, message.id
    for broker in cluster.brokers:
        yield from numbers_at(broker)


def numbers_at(broker: Broker) -> Iterator[tuple[BrokerId, int]]:
    """Each request that a broker waits for, or whose response waits there: its sender and the
    number.
    """
    broker_id = broker.broker_id
    for ending in broker.ending_fetchers:
        yield broker_id, ending.request
    for replica in broker.replicas:
        if replica.fetcher is not None and replica.fetcher.awaiting is not None:
            yield broker_id, replica.fetcher.awaiting
        for late in replica.late_requests:
            yield broker_id, late.message_id
        for parked in replica.parked:
            yield parked.follower, parked.message_id
        pending = replica.pending_isr
        if pending is not None and pending.request is not None:
            yield broker_id, pending.request


def numbers_in_use(cluster: ClusterState, sender: BrokerId) -> Iterator[int]:
    """The numbers of a broker's requests that occur in a cluster."""
    return (number for by, number in _requests(cluster) if by == sender)


def with_some_number(message: Message, place: int) -> Message:
    """The message at a place of those in flight. If it is not a request, it has a number, too, for
    functions that compare them.
    """
    return message if message.kind in REQUESTS else replace(message, id=_UNNUMBERED + place)


def with_number(message: Message, numbers: dict[int, int]) -> Message:
    """A message with new numbers (old → new) for the request that it is or responds to; 0 if it is
    not a request.
    """
    if message.kind in REQUESTS:
        number = numbers.get(message.id, message.id)
        return message if number == message.id else replace(message, id=number)
    payload = message.payload
    if isinstance(payload, Answer):
        asked = numbers.get(payload.in_reply_to, payload.in_reply_to)
        if asked != payload.in_reply_to:
            payload = replace(payload, in_reply_to=asked)
    return replace(message, id=0, payload=payload)


def renumbered(broker: Broker, numbers: dict[int, int]) -> Broker:
    """A broker with new numbers (old → new) for the requests that it knows."""
    if not numbers or not any(number in numbers for _, number in numbers_at(broker)):
        return broker
    return replace(
        broker,
        ending_fetchers=tuple(
            replace(one, request=numbers.get(one.request, one.request))
            for one in broker.ending_fetchers
        ),
        replicas=tuple(_renumbered_replica(replica, numbers) for replica in broker.replicas),
    )


def _renumbered_replica(replica: Replica, numbers: dict[int, int]) -> Replica:
    fetcher, leading = replica.fetcher, replica.leading
    if fetcher is not None and fetcher.awaiting in numbers:
        fetcher = replace(fetcher, awaiting=numbers[fetcher.awaiting])
    if leading is not None:
        pending = leading.pending_isr
        if pending is not None and pending.request in numbers:
            pending = replace(pending, request=numbers[pending.request])
        parked = tuple(
            replace(one, message=with_number(one.message, numbers)) for one in leading.parked
        )
        leading = replace(leading, pending_isr=pending, parked=parked)
    late = tuple(
        replace(one, message_id=numbers.get(one.message_id, one.message_id))
        for one in replica.late_requests
    )
    return replace(replica, fetcher=fetcher, leading=leading, late_requests=late)
