"""The names that a step may use: the brokers, partitions, topics and clients of one
cluster so far.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from sim_engine.actions.fields import CLIENT_PATTERN, MAX_RECORDS
from sim_engine.error_texts import error, noun
from sim_engine.identifiers import CONTROLLER, BrokerId, Endpoint, TopicPartition
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.cluster_layout import NAME_CHARACTERS, check_broker
from sim_engine.scenario_reader.document import PartitionSpec
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.starting_logs import is_record_value, value_error
from sim_engine.versions import Profile

NO_BROKER = BrokerId(-1)
"""The value that replaces an invalid broker until the problem is raised."""
NO_PARTITION = TopicPartition("")
"""The same for a partition."""

_CLIENT_NAME = re.compile(CLIENT_PATTERN)


class StepScope:
    """One cluster, with the names that the steps read so far have added.

    `earlier_clients` is whether a client in a step must have acted in an earlier step, as in a
    file. A single action over HTTP may follow actions that are not in the document.
    """

    def __init__(
        self,
        checker: Checker,
        *,
        brokers: Sequence[BrokerId],
        partitions: Mapping[TopicPartition, PartitionSpec],
        profile: Profile | None,
        topics: Sequence[str],
        earlier_clients: bool = True,
    ) -> None:
        self.checker = checker
        self.brokers = brokers
        self.partitions = partitions
        self.profile = profile
        self.topics = topics
        self.producers: list[str] = []
        self.consumers: list[str] = []
        self._earlier_clients = earlier_clients
        self._assigned: dict[TopicPartition, set[BrokerId]] = {}

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
        found = self.partitions.get(partition)
        if found is None:
            return ()
        known = self._assigned.get(partition, set()) if self._earlier_clients else self.brokers
        since = set(known) - set(found.replicas)
        return (*found.replicas, *sorted(since))

    def broker(self, value: object, where: str) -> BrokerId:
        """Check a broker of the cluster; `NO_BROKER` if it is invalid."""
        broker = check_broker(self.checker, value, where, self.brokers)
        return NO_BROKER if broker is None else broker

    def endpoint(self, value: object, where: str) -> Endpoint:
        """Check one end of a link; `NO_BROKER` if it is invalid."""
        if value == CONTROLLER:
            return CONTROLLER
        if isinstance(value, str):
            self.checker.report(where, error("endpoint_form", given=shown(value)))
            return NO_BROKER
        return self.broker(value, where)

    def partition(self, value: object, where: str) -> TopicPartition:
        """Check a partition of the cluster; empty if it is invalid."""
        name = TopicPartition(self.checker.string(value, where, what=noun("a_partition")))
        if isinstance(value, str) and self.partitions and name not in self.partitions:
            known = tuple(self.partitions)
            self.checker.report(
                where,
                error("no_partition", name=shown(name), names=known),
                code="unknown_reference",
            )
            return NO_PARTITION
        return name

    def client(self, value: object, where: str) -> str:
        """Check the name of a client; empty if it is invalid."""
        return self.checker.matching(
            value,
            where,
            _CLIENT_NAME,
            what=noun("a_client_name"),
            right=NAME_CHARACTERS,
        )

    def require_client(
        self,
        name: str,
        where: str,
        clients: Sequence[str],
        *,
        what: Literal["client", "producer"],
    ) -> None:
        """Report a client that no earlier step has introduced, if that is required."""
        if not name or not self._earlier_clients or name in clients:
            return
        if clients:
            known = tuple(clients)
            reason = error("no_client_before", what=noun(what), name=name, names=known)
        else:
            reason = error("no_client_yet", what=noun(what), name=name)
        self.checker.report(where, reason, code="unknown_reference")

    def values(self, value: object, where: str, *, least: int = 0) -> tuple[str, ...]:
        """Check the values of records."""
        values: list[str] = []
        for index, item in enumerate(
            self.checker.items(
                value, where, what="values", least=least, most=MAX_RECORDS, limit="records_a_log"
            )
        ):
            inner = pointer(where, index)
            text = self.checker.string(item, inner, what=noun("a_value"))
            if isinstance(item, str) and not is_record_value(text):
                self.checker.report(inner, value_error(text))
            values.append(text)
        return tuple(values)
