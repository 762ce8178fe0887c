"""The names that a part of a scenario may refer to: the brokers, partitions and clients of one
cluster, as far as it has been read.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal

from sim_engine.actions.base import CLIENT_PATTERN, MAX_BROKERS, MAX_RECORDS
from sim_engine.error_texts import Wording, error, literal, noun
from sim_engine.identifiers import CONTROLLER, BrokerId, Endpoint, TopicPartition
from sim_engine.scenario_reader.checker import Node, kind_of
from sim_engine.scenario_reader.document import PartitionSpec
from sim_engine.scenario_reader.log_notation import is_record_value, value_error
from sim_engine.scenario_reader.source import shown
from sim_engine.versions import Profile

NO_BROKER = BrokerId(-1)
"""The value that replaces an invalid broker until the problem is raised."""
NO_PARTITION = TopicPartition("")
"""The same for a partition."""
BROKER_KEY = re.compile("0|[1-9][0-9]{0,9}")
_CLIENT_NAME = re.compile(CLIENT_PATTERN)


class Scope:
    """One cluster, with the names that its parts and steps read so far have added. References to
    names that are not known yet, because their part is invalid, are not checked.

    `earlier_clients` is whether a client in a step must have acted in an earlier step, as in a
    file. A single action over HTTP may follow actions that are not in the document.
    """

    def __init__(self, profile: Profile | None = None, *, earlier_clients: bool = True) -> None:
        self.profile = profile
        self.brokers: Sequence[BrokerId] = ()
        self.partitions: Mapping[TopicPartition, PartitionSpec] = {}
        self.producers: dict[str, None] = {}
        self.consumers: dict[str, None] = {}
        self._earlier_clients = earlier_clients
        self._assigned: dict[TopicPartition, set[BrokerId]] = {}

    @property
    def topics(self) -> list[str]:
        """The names of the topics."""
        return list(dict.fromkeys(name.rpartition("-")[0] for name in self.partitions))

    def assign(self, partition: TopicPartition, replicas: Sequence[BrokerId]) -> None:
        """Record that these brokers may have a replica of the partition from now on."""
        self._assigned.setdefault(partition, set()).update(replicas)

    def know_too_little(self) -> None:
        """Record that a step could not be read: later steps may name a client that it would have
        introduced.
        """
        self._earlier_clients = False

    def replicas(self, partition: TopicPartition) -> tuple[BrokerId, ...]:
        """The brokers that may have a replica of a partition: assigned at the start or
        since then.
        """
        spec = self.partitions.get(partition)
        if spec is None:
            return ()
        known = self._assigned.get(partition, set()) if self._earlier_clients else self.brokers
        since = set(known) - set(spec.replicas)
        return (*spec.replicas, *sorted(since))

    def broker(self, node: Node) -> BrokerId:
        """Check a broker of the cluster; `NO_BROKER` if it is invalid."""
        broker = check_broker(node, self.brokers)
        return NO_BROKER if broker is None else broker

    def endpoint(self, node: Node) -> Endpoint:
        """Check one end of a link; `NO_BROKER` if it is invalid."""
        if node.value == CONTROLLER:
            return CONTROLLER
        if isinstance(node.value, str):
            node.report(error("endpoint_form", given=shown(node.value)))
            return NO_BROKER
        return self.broker(node)

    def partition(self, node: Node) -> TopicPartition:
        """Check a partition of the cluster; empty if it is invalid."""
        name = TopicPartition(node.string(what=noun("a_partition")))
        if isinstance(node.value, str) and self.partitions and name not in self.partitions:
            reason = error("no_partition", name=shown(name), names=tuple(self.partitions))
            node.report(reason, code="unknown_reference")
            return NO_PARTITION
        return name

    def require_client(
        self,
        node: Node,
        name: str,
        clients: Collection[str],
        *,
        what: Literal["client", "producer"],
    ) -> None:
        """Report a client that no earlier step has introduced, if that is required."""
        if not name or not self._earlier_clients or name in clients:
            return
        reason = (
            error("no_client_before", what=noun(what), name=name, names=tuple(clients))
            if clients
            else error("no_client_yet", what=noun(what), name=name)
        )
        node.report(reason, code="unknown_reference")


NAME_CHARACTERS = noun("characters", most=32, of="A-Z a-z 0-9 . _ -")
"""The characters of a rack and of a client's name."""


def check_name(node: Node, *, what: Wording) -> str:
    """Check the name of a client or a rack; empty if it is invalid."""
    return node.matching(_CLIENT_NAME, what=what, right=NAME_CHARACTERS)


def check_values(node: Node, *, least: int = 0) -> tuple[str, ...]:
    """Check the values of records."""
    values: list[str] = []
    for item in node.items(what="values", least=least, most=MAX_RECORDS, limit="records_a_log"):
        values.append(item.string(what=noun("a_value")))
        if isinstance(item.value, str) and not is_record_value(item.value):
            item.report(value_error(item.value))
    return tuple(values)


def check_broker(node: Node, brokers: Sequence[BrokerId]) -> BrokerId | None:
    """Check the id of an existing broker."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int):
        reason = error("not_an_integer", what=noun("a_broker"), given=kind_of(value))
        node.report(reason, code="wrong_type")
        return None
    if brokers and value not in brokers:
        reason = error("no_broker", broker=value, names=_listed(brokers))
        node.report(reason, code="unknown_reference")
        return None
    return BrokerId(value)


def check_replica(node: Node, replicas: Sequence[BrokerId], *, what: Wording) -> BrokerId | None:
    """Check a broker that has a replica of the partition."""
    broker = check_broker(node, ())
    if broker is not None and replicas and broker not in replicas:
        reason = error("not_a_replica", what=what, names=_listed(replicas), broker=broker)
        node.report(reason, code="unknown_reference")
        return None
    return broker


def replicas_of(
    members: Mapping[str, Node], replicas: Sequence[BrokerId], *, what: str
) -> Iterator[tuple[BrokerId, Node]]:
    """Check the keys of a mapping by replica, each before its value is read, so that problems are
    found in the order of the file. A key is text even if it looks like a number.
    """
    for key, member in members.items():
        if BROKER_KEY.fullmatch(key) and (int(key) in replicas or not replicas):
            yield BrokerId(int(key)), member
            continue
        given, names = literal(shown(key)), _listed(replicas)
        reason = error("not_by_replica", what=literal(what), given=given, names=names)
        member.report(reason, code="unknown_reference", at_key=True)


def _listed(brokers: Sequence[BrokerId]) -> tuple[str, ...]:
    return tuple(map(str, brokers))


def read_distinct(
    node: Node, check: Callable[[Node], BrokerId | None], *, what: str, least: int = 1
) -> tuple[BrokerId, ...]:
    """Read a list of at least so many distinct brokers."""
    members: list[BrokerId] = []
    for item in node.items(what=what, least=least, most=MAX_BROKERS):
        broker = check(item)
        if broker in members:
            item.report(error("broker_twice_in", broker=broker, what=literal(what)))
        elif broker is not None:
            members.append(broker)
    return tuple(members)
