"""What a step may name: the brokers, partitions, topics and clients of one cluster so far."""

import re
from collections.abc import Mapping, Sequence

from sim_engine.actions.fields import CLIENT_PATTERN, MAX_RECORDS
from sim_engine.identifiers import CONTROLLER, BrokerId, Endpoint, TopicPartition
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.cluster_layout import check_broker
from sim_engine.scenario_reader.document import PartitionSpec
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.starting_logs import VALUE_RULE, is_record_value
from sim_engine.versions import Profile

NO_BROKER = BrokerId(-1)
"""What stands for a broker that is wrong, until the problem is told."""
NO_PARTITION = TopicPartition("")
"""The same of a partition."""

_CLIENT_NAME = re.compile(CLIENT_PATTERN)


class StepScope:
    """One cluster, and what the steps that were read so far have added to it.

    `earlier_clients` is whether a client that a step names must have acted in an earlier step, as
    in a file; a single action over HTTP may follow others that the document does not know.
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
        """From now on these brokers may have a replica of the partition."""
        self._assigned.setdefault(partition, set()).update(replicas)

    def know_too_little(self) -> None:
        """A step could not be read: later ones may name a client that it would have introduced."""
        self._earlier_clients = False

    def replicas(self, partition: TopicPartition) -> tuple[BrokerId, ...]:
        """Who may have a replica of a partition by now: assigned at the start, or since."""
        found = self.partitions.get(partition)
        if found is None:
            return ()
        known = self._assigned.get(partition, set()) if self._earlier_clients else self.brokers
        since = set(known) - set(found.replicas)
        return (*found.replicas, *sorted(since))

    def broker(self, value: object, where: str) -> BrokerId:
        """A broker of the cluster; `NO_BROKER` where it is wrong."""
        broker = check_broker(self.checker, value, where, self.brokers)
        return NO_BROKER if broker is None else broker

    def endpoint(self, value: object, where: str) -> Endpoint:
        """One end of a link; `NO_BROKER` where it is wrong."""
        if value == CONTROLLER:
            return CONTROLLER
        if isinstance(value, str):
            self.checker.report(
                where, f"an endpoint is a broker or {CONTROLLER}, not {shown(value)}"
            )
            return NO_BROKER
        return self.broker(value, where)

    def partition(self, value: object, where: str) -> TopicPartition:
        """A partition of the cluster; empty where it is wrong."""
        name = TopicPartition(self.checker.string(value, where, what="a partition"))
        if isinstance(value, str) and self.partitions and name not in self.partitions:
            known = ", ".join(self.partitions)
            self.checker.report(
                where,
                f"there is no partition {shown(name)}; partitions are {known}",
                code="unknown_reference",
            )
            return NO_PARTITION
        return name

    def client(self, value: object, where: str) -> str:
        """A name that a client may have; empty where it is wrong."""
        return self.checker.matching(
            value,
            where,
            _CLIENT_NAME,
            what="a client's name",
            right="1 to 32 of A-Z a-z 0-9 . _ -",
        )

    def require_client(self, name: str, where: str, clients: Sequence[str], *, what: str) -> None:
        """Report a client of whom no earlier step has told, where that matters."""
        if not name or not self._earlier_clients or name in clients:
            return
        known = f"known {what}s: {', '.join(clients)}" if clients else "none exists yet"
        self.checker.report(
            where,
            f"no {what} {name} exists before this step; {known}",
            code="unknown_reference",
        )

    def values(self, value: object, where: str, *, least: int = 0) -> tuple[str, ...]:
        """What records carry."""
        values: list[str] = []
        for index, item in enumerate(
            self.checker.items(
                value, where, what="values", least=least, most=MAX_RECORDS, limit="records_a_log"
            )
        ):
            inner = pointer(where, index)
            text = self.checker.string(item, inner, what="a value")
            if isinstance(item, str) and not is_record_value(text):
                self.checker.report(
                    inner, f"a value must be {VALUE_RULE}, not {shown(text) or 'empty'}"
                )
            values.append(text)
        return tuple(values)
