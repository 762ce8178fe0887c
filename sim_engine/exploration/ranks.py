"""Numbers that only grow and are only compared: broker epochs, offsets of the metadata log, and
partition epochs (under ZooKeeper: the versions of znodes).

Each write of the controller increases them, so that no state would ever be reached twice. In the
states of a search, each number is its rank among those that it is compared with: the epochs of one
broker, with the offsets up to which that broker has read, or those of one partition. The order is
kept. The next number is above all others: the controller has the greatest of them or, for the
epochs of brokers under ZooKeeper, the broker itself.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar, cast

from msgspec.structs import replace

from sim_engine.cluster.state import Broker
from sim_engine.exploration.values import Values
from sim_engine.identifiers import BrokerId, Offset, TopicPartition
from sim_engine.protocol.controller.state import Controller
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    AlterPartitionResponse,
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
