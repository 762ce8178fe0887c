"""What makes the states of a search canonical: each value is kept once, and stands in states as a
small integer; numbers that only grow are replaced by their ranks; and requests have the lowest
numbers that are free.

Ranks replace numbers that only grow and are only compared: broker epochs, offsets of the metadata
log, and partition epochs (under ZooKeeper: the versions of znodes).

Each write of the controller increases them, so that no state would ever be reached twice. In the
states of a search, each number is its rank among those that it is compared with: the epochs of one
broker, with the offsets up to which that broker has read, or those of one partition. The order is
kept. The next number is above all others: the controller has the greatest of them or, for the
epochs of brokers under ZooKeeper, the broker itself.

The number of a request is its sender's lowest that is free. A response, a parked fetch and whoever
waits refer to a request by its number. Other messages have none.
"""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import BrokerId, Offset, TopicPartition
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.messages import (
    FOLLOWER_REQUESTS,
    AlterPartitionRequest,
    AlterPartitionResponse,
    Answer,
    BrokerRegistration,
    FetchRequest,
    LeaderAndIsr,
    Message,
    MetadataRecords,
    PartitionRegistration,
    Payload,
    StopReplica,
    UpdateMetadata,
)
from sim_engine.protocol.replica import LeadingState, Replica

Value = TypeVar("Value", bound=Hashable)


class Values(Generic[Value]):
    """Values, each kept once, and their integers."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}
        self._values: list[Value] = []

    def number(self, value: Value) -> int:
        """The integer of a value."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self._values)
            self._values.append(value)
        return number

    def __getitem__(self, number: int) -> Value:
        return self._values[number]


# --- ranks ----------------------------------------------------------------------------------------


METADATA_OFFSET = Offset(1_000_000)
"""The end of the metadata log in every state: above all ranks."""


class Number(NamedTuple):
    """A number, and the broker or the partition whose epoch it is.

    A `bound` is not an epoch but an offset up to which the broker has read.
    """

    of: BrokerId | TopicPartition
    value: int
    bound: bool = False


Renumber = Callable[[Number], int]
"""The new value of a number."""

Part = TypeVar("Part", bound=Broker | Controller | Message)


class Ranking:
    """The ranks, from 1, of all numbers that occur in a state.

    `is_identity` if each number is its rank already.
    """

    def __init__(self, numbers: Iterable[Number]) -> None:
        every = set(numbers)
        self._values: dict[object, list[int]] = {}
        for number in sorted((one for one in every if not one.bound), key=lambda one: one.value):
            self._values.setdefault(number.of, []).append(number.value)
        self.is_identity = all(self.rank(number) == number.value for number in every)

    def rank(self, number: Number) -> int:
        """The rank of a number; of a bound, that of the greatest epoch up to it, or 0."""
        return bisect_right(self._values.get(number.of, []), number.value)


def numbers_in(part: Broker | Controller | Message) -> frozenset[Number]:
    """The numbers in a part of a state."""
    found: set[Number] = set()

    def note(number: Number) -> int:
        found.add(number)
        return number.value

    with_new_numbers(part, note)
    return frozenset(found)


def with_new_numbers(part: Part, new: Renumber) -> Part:
    """A part with other numbers. Those below 0 stand for none, and stay."""

    def changed(number: Number) -> int:
        return new(number) if number.value >= 0 else number.value

    changed_part: Broker | Controller | Message
    match part:
        case Broker():
            changed_part = _broker(part, changed)
        case Controller():
            changed_part = replace(
                part,
                brokers=_brokers(part.brokers, changed),
                partitions=_partitions(part.partitions, changed),
            )
        case Message():
            changed_part = replace(part, payload=_payload(part, changed))
    return cast("Part", changed_part)


def _broker(broker: Broker, new: Renumber) -> Broker:
    broker_id = broker.broker_id
    return replace(
        broker,
        broker_epoch=new(Number(broker_id, broker.broker_epoch)),
        previous_broker_epoch=new(Number(broker_id, broker.previous_broker_epoch)),
        clean_shutdown_epoch=new(Number(broker_id, broker.clean_shutdown_epoch)),
        metadata_offset=new(Number(broker_id, broker.metadata_offset, bound=True)),
        known_brokers=_brokers(broker.known_brokers, new),
        replicas=tuple([_replica(replica, new) for replica in broker.replicas]),
    )


def _replica(replica: Replica, new: Renumber) -> Replica:
    leading = replica.leading
    return replace(
        replica,
        partition_epoch=new(Number(replica.partition, replica.partition_epoch)),
        leading=leading and _leading(leading, new),
    )


def _leading(leading: LeadingState, new: Renumber) -> LeadingState:
    return replace(
        leading,
        remotes=tuple(
            [
                replace(remote, broker_epoch=_known(remote.broker_id, remote.broker_epoch, new))
                for remote in leading.remotes
            ]
        ),
        parked=tuple(
            [
                replace(parked, message=with_new_numbers(parked.message, new))
                for parked in leading.parked
            ]
        ),
    )


def _known(broker_id: BrokerId, epoch: int | None, new: Renumber) -> int | None:
    return None if epoch is None else new(Number(broker_id, epoch))


def _brokers(
    known: tuple[BrokerRegistration, ...], new: Renumber
) -> tuple[BrokerRegistration, ...]:
    return tuple(
        [replace(one, broker_epoch=new(Number(one.broker_id, one.broker_epoch))) for one in known]
    )


def _partitions(
    known: tuple[PartitionRegistration, ...], new: Renumber
) -> tuple[PartitionRegistration, ...]:
    return tuple(
        [
            replace(one, partition_epoch=new(Number(one.partition, one.partition_epoch)))
            for one in known
        ]
    )


def _payload(message: Message, new: Renumber) -> Payload:
    payload = message.payload
    match payload:
        case FetchRequest():
            epoch = _known(message.sending_broker, payload.broker_epoch, new)
            return replace(payload, broker_epoch=epoch)
        case StopReplica():
            epoch = _known(message.receiving_broker, payload.broker_epoch, new)
            return replace(payload, broker_epoch=epoch)
        case LeaderAndIsr() | UpdateMetadata():
            changed = replace(
                payload,
                broker_epoch=_known(message.receiving_broker, payload.broker_epoch, new),
                partitions=_partitions(payload.partitions, new),
            )
            if isinstance(changed, UpdateMetadata):
                return replace(changed, brokers=_brokers(changed.brokers, new))
            return changed
        case MetadataRecords():
            return replace(
                payload,
                offset=new(Number(message.receiving_broker, payload.offset, bound=True)),
                partitions=_partitions(payload.partitions, new),
                brokers=_brokers(payload.brokers, new),
            )
        case AlterPartitionRequest():
            epochs = payload.broker_epochs
            return replace(
                payload,
                partition_epoch=new(Number(message.only_partition, payload.partition_epoch)),
                broker_epoch=_known(message.sending_broker, payload.broker_epoch, new),
                broker_epochs=epochs
                and tuple(
                    [
                        new(Number(member, epoch))
                        for member, epoch in zip(payload.new_isr, epochs, strict=True)
                    ]
                ),
            )
        case AlterPartitionResponse() if payload.registration is not None:
            (registration,) = _partitions((payload.registration,), new)
            return replace(payload, registration=registration)
        case _:
            return payload


class Epochs:
    """The numbers in the parts of states that are only compared, and the parts with their ranks."""

    def __init__(
        self, brokers: Values[Broker], controllers: Values[Controller], messages: Values[Message]
    ) -> None:
        self._brokers, self._controllers, self._messages = brokers, controllers, messages
        self._sets: Values[frozenset[Number]] = Values()
        self._of_broker: dict[int, int] = {}
        self._of_controller: dict[int, int] = {}
        self._of_message: dict[int, int] = {}
        self._rankings: dict[tuple[int, ...], _Ranked | None] = {}
        self._by_numbers: dict[frozenset[Number], _Ranked | None] = {}

    def ranked(
        self,
        numbers: list[int],
        count: int,
        controller: int,
        messages: tuple[int, ...],
        message_number: Callable[[Message], int],
    ) -> tuple[int, ...]:
        """Replace epochs by their ranks: in place, those of the brokers and the controller; the
        messages with theirs.
        """
        of_broker, of_message = self._of_broker, self._of_message
        try:
            key = (
                self._of_controller[numbers[controller]],
                *[of_broker[number] for number in numbers[:count]],
                *[of_message[number] for number in messages],
            )
        except KeyError:
            self._note(numbers[:count], numbers[controller], messages)
            return self.ranked(numbers, count, controller, messages, message_number)
        if key not in self._rankings:
            self._rankings[key] = self._ranking(key)
        ranking = self._rankings[key]
        if ranking is None:
            return messages
        for place in range(count):
            numbers[place] = ranking.broker(self._brokers, numbers[place])
        numbers[controller] = ranking.controller(self._controllers, numbers[controller])
        return tuple(
            [ranking.message(self._messages, number, message_number) for number in messages]
        )

    def _note(self, brokers: Sequence[int], controller: int, messages: Sequence[int]) -> None:
        for number in brokers:
            self._of_broker[number] = self._sets.number(numbers_in(self._brokers[number]))
        found = numbers_in(self._controllers[controller])
        self._of_controller[controller] = self._sets.number(found)
        for number in messages:
            self._of_message[number] = self._sets.number(numbers_in(self._messages[number]))

    def _ranking(self, key: tuple[int, ...]) -> "_Ranked | None":
        numbers = frozenset[Number]().union(*[self._sets[one] for one in key])
        if numbers not in self._by_numbers:
            ranking = Ranking(numbers)
            self._by_numbers[numbers] = None if ranking.is_identity else _Ranked(ranking)
        return self._by_numbers[numbers]


class _Ranked:
    """Parts with the ranks of one ranking."""

    def __init__(self, ranking: Ranking) -> None:
        self._rank = ranking.rank
        self._brokers: dict[int, int] = {}
        self._controllers: dict[int, int] = {}
        self._messages: dict[int, int] = {}

    def broker(self, values: Values[Broker], number: int) -> int:
        """The number of a broker with ranks."""
        known = self._brokers.get(number)
        if known is None:
            known = values.number(with_new_numbers(values[number], self._rank))
            self._brokers[number] = known
        return known

    def controller(self, values: Values[Controller], number: int) -> int:
        """The number of a controller with ranks."""
        known = self._controllers.get(number)
        if known is None:
            known = values.number(with_new_numbers(values[number], self._rank))
            self._controllers[number] = known
        return known

    def message(
        self, values: Values[Message], number: int, message_number: Callable[[Message], int]
    ) -> int:
        """The number of a message with ranks."""
        known = self._messages.get(number)
        if known is None:
            known = message_number(with_new_numbers(values[number], self._rank))
            self._messages[number] = known
        return known


# --- numbers of requests --------------------------------------------------------------------------


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
