"""Asks the brokers of a cluster, and keeps what they refuse: for each kind of answer once, with the
names that it is about.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import TypeVar

from kafka.errors import for_code
from kafka.protocol.admin import DescribeQuorumRequest
from kafka.protocol.api_message import ApiMessage

from backend.cluster_connection.connection import Address, Connection
from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import ClientSettings
from sim_engine.cluster_import.parsed_state import TEXTS, ParsedState, Partition
from sim_engine.error_texts import Wording
from sim_engine.identifiers import BrokerId

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
Replica = tuple[Partition, BrokerId]
_MOST_NAMES = 8
_CONTROLLER_S = 5.0
_MOVES = frozenset(
    {
        "FencedLeaderEpochError",
        "LeaderNotAvailableError",
        "NotLeaderForPartitionError",
        "ReplicaNotAvailableError",
        "UnknownLeaderEpochError",
        "UnknownTopicOrPartitionError",
    }
)
"""Errors of a cluster that has just changed."""


@dataclass
class Brokers:
    """The brokers of a cluster, and connections to those that were needed."""

    client: ClientSettings
    first: Connection
    """The connection to the broker that was named."""
    addresses: dict[BrokerId, Address] = field(default_factory=dict)
    controller: BrokerId | None = None
    """The broker that answers what only the controller knows; null if none is named."""
    opened: dict[BrokerId | None, asyncio.Task[Connection]] = field(default_factory=dict)

    async def to(self, broker: BrokerId | None) -> Connection:
        """The connection to a broker, opened once; null means a second one to the broker that was
        named, for requests that can take long. Raises `ConnectionFailedError`.
        """
        address = self.first.address if broker is None else self.addresses.get(broker)
        if address is None:
            raise ConnectionFailedError(f"broker {broker} is not running")
        if broker not in self.opened:
            self.opened[broker] = asyncio.create_task(Connection.open(address, self.client))
        return await asyncio.shield(self.opened[broker])

    async def close(self) -> None:
        """Close every connection."""
        for task in self.opened.values():
            task.cancel()
        opened = await asyncio.gather(*self.opened.values(), return_exceptions=True)
        for connection in (self.first, *opened):
            if isinstance(connection, Connection):
                await connection.close()


class Asking:
    """One pass over a cluster. `about` is the kind of an answer: the texts `asked_…` and
    `without_…` are its names.
    """

    def __init__(self, brokers: Brokers, parsed: ParsedState) -> None:
        self.brokers = brokers
        self.parsed = parsed
        self.moved: set[Partition] = set()
        """Partitions that are elsewhere than the cluster said before."""
        self._refused: dict[tuple[str, str], dict[str, None]] = {}
        """Kind and reason → names."""
        self._not_offered: set[str] = set()
        self._unreachable: dict[BrokerId, str] = {}

    async def first(self, about: str, request: ApiMessage) -> ApiMessage | None:
        """Ask the broker that was named; as `answer`."""
        return await self.answer(about, self.brokers.first, request)

    async def controller(self, about: str, request: ApiMessage) -> ApiMessage | None:
        """Ask the controller, for a few seconds; as `answer`. Under KRaft, any broker passes the
        request on, and waits as long as there is no controller.
        """
        is_kraft = self.brokers.first.offers(DescribeQuorumRequest) is not None
        broker = None if is_kraft else self.brokers.controller
        return await self.broker(about, broker, request, _CONTROLLER_S)

    async def broker(
        self, about: str, broker: BrokerId | None, request: ApiMessage, most_s: float = inf
    ) -> ApiMessage | None:
        """Ask a broker; as `answer`."""
        try:
            connection = await self.brokers.to(broker)
        except ConnectionFailedError as error:
            if broker is not None:
                self.not_reached(broker, error)
            return None
        return await self.answer(about, connection, request, most_s)

    async def answer(
        self, about: str, connection: Connection, request: ApiMessage, most_s: float = inf
    ) -> ApiMessage | None:
        """The response to a request; null if there is none, and then the reason is kept."""
        if connection.offers(type(request)) is None:
            self._not_offered.add(about)
            return None
        try:
            return await connection.ask(request, most_s)
        except ConnectionFailedError as error:
            self._refused.setdefault((about, str(error)), {})
            return None

    def not_reached(self, broker: BrokerId, error: ConnectionFailedError) -> None:
        """Keep why a broker was not reached."""
        self._unreachable[broker] = str(error)

    async def each(
        self,
        replicas: Iterable[Replica],
        ask: Callable[[BrokerId, list[Partition]], Awaitable[None]],
    ) -> None:
        """Call `ask` for all brokers at the same time, each with its partitions."""
        by_broker = grouped((broker, name) for name, broker in replicas)
        await asyncio.gather(*(ask(broker, names) for broker, names in by_broker.items()))

    def is_good(self, about: str, code: int, name: object = "") -> bool:
        """Whether an answer has no error; otherwise the error is kept, with the name that the
        answer is about.
        """
        if code == 0:
            return True
        error = for_code(code)
        if error.__name__ in _MOVES and isinstance(name, Partition):
            self.moved.add(name)
        else:
            names = self._refused.setdefault((about, error.message or error.__name__), {})
            if name != "":
                names[str(name)] = None
        return False

    def report(self) -> None:
        """Add to the assumptions what was refused."""
        for (about, reason), names in sorted(self._refused.items()):
            self.parsed.assume(
                "refused",
                what=Wording(f"asked_{about}", file=TEXTS),
                unknown=Wording(f"without_{about}", file=TEXTS),
                names=shortened(names),
                count=len(names),
                reason=reason,
            )
        for about in sorted(self._not_offered):
            self.parsed.assume(
                "not_offered",
                what=Wording(f"asked_{about}", file=TEXTS),
                unknown=Wording(f"without_{about}", file=TEXTS),
            )
        for broker, reason in sorted(self._unreachable.items()):
            self.parsed.assume("unreachable", broker=broker, reason=reason)


def by_topic(
    partitions: Iterable[Partition],
    topic: Callable[[str, list[ApiMessage]], ApiMessage],
    partition: Callable[[Partition], ApiMessage],
) -> list[ApiMessage]:
    """Partitions in the form of requests: grouped by topic."""
    groups = grouped((name.topic, partition(name)) for name in partitions)
    return [topic(name, of_topic) for name, of_topic in groups.items()]


def partitions_of(response: ApiMessage | None) -> Iterator[tuple[str, ApiMessage]]:
    """The partitions of a response that groups them by topic, with the topic's name."""
    for topic in () if response is None else response.topics:
        name = next(
            getattr(topic, field)
            for field in ("name", "topic", "topic_name")
            if hasattr(topic, field)
        )
        for one in topic.partitions:
            yield name, one


def grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    """The values of each key, both in their order."""
    groups: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def shortened(names: Iterable[object]) -> list[str]:
    """The first names in order, and how many there are beyond."""
    listed = sorted(map(str, names))
    rest = len(listed) - _MOST_NAMES
    return listed if rest <= 0 else [*listed[:_MOST_NAMES], f"… +{rest}"]
