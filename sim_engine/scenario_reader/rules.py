"""What a scenario must fulfil beyond the types of its fields; and the names that a part of it may
refer to: the brokers, partitions and clients of one cluster, as far as it has been read.

Of a step: the conditions on several of its arguments, from which the published schema is generated
too; and the rules about it in its cluster, which a schema cannot express. Of the start: a release
can only be in states to which some history of it leads. What a controller writes whenever a broker
comes or goes excludes the others; each function names the place in the document and the rule.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from sim_engine.actions import steps
from sim_engine.actions.base import CLIENT_PATTERN, MAX_BROKERS, MAX_RECORDS, StepStruct, specs_of
from sim_engine.configs import effective_configs
from sim_engine.error_texts import Wording, error, literal, noun
from sim_engine.identifiers import (
    CONTROLLER,
    METADATA_RECORD,
    NO_LEADER,
    BrokerId,
    Endpoint,
    TopicPartition,
)
from sim_engine.scenario_reader.checker import Node, kind_of
from sim_engine.scenario_reader.document import PartitionSpec, Scenario, TopicSpec
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


Value = str | int | bool
Arguments = Mapping[str, object]


class When(Struct, frozen=True, gc=False):
    """The condition that an argument is given and, if `values` is set, is one of them; `negated`
    inverts it.
    """

    argument: str
    values: tuple[Value, ...] | None = None
    negated: bool = False

    def holds(self, arguments: Arguments) -> bool:
        """Whether these arguments satisfy the condition."""
        named = self.argument in arguments
        fits = named and (self.values is None or arguments[self.argument] in self.values)
        return fits is not self.negated

    def schema(self) -> dict[str, object]:
        """The condition as a JSON Schema."""
        fits: dict[str, object] = {"required": [self.argument]}
        if self.values is not None:
            fits["properties"] = {self.argument: {"enum": list(self.values)}}
        return {"not": fits} if self.negated else fits


class Condition(Struct, frozen=True, gc=False, kw_only=True):
    """If `when` is true, all other conditions of this struct must be true.

    `needs` must be given and `excludes` must not; `allows` and `forbids` are the allowed and
    forbidden values of an argument; `single` is a list with at most one element. `error` is
    reported at the argument `at`, or at the step; it shows the argument `shown`, if any.
    Without an error, the arguments in `needs` are reported as missing.
    """

    when: When
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    allows: Mapping[str, tuple[Value, ...]] = {}
    forbids: Mapping[str, tuple[Value, ...]] = {}
    single: str | None = None
    at: str | None = None
    error: str | None = None
    shown: str | None = None

    def is_broken(self, arguments: Arguments) -> bool:
        """Whether these arguments violate the condition."""
        return self.when.holds(arguments) and (
            any(name not in arguments for name in self.needs)
            or any(name in arguments for name in self.excludes)
            or any(
                name in arguments and arguments[name] not in of for name, of in self.allows.items()
            )
            or any(name in arguments and arguments[name] in of for name, of in self.forbids.items())
            or _is_long(arguments.get(self.single) if self.single else None)
        )

    def schema(self) -> dict[str, object]:
        """The condition as a JSON Schema."""
        properties: dict[str, object] = {
            **dict.fromkeys(self.excludes, False),
            **{name: {"enum": list(values)} for name, values in self.allows.items()},
            **{name: {"not": {"enum": list(values)}} for name, values in self.forbids.items()},
        }
        if self.single is not None:
            properties[self.single] = {"maxItems": 1}
        then = {"required": list(self.needs)} if self.needs else {}
        return {
            "if": self.when.schema(),
            "then": then | ({"properties": properties} if properties else {}),
        }


def _is_long(value: object) -> bool:
    return isinstance(value, list) and len(value) > 1


_OF_A_BROKER = When("kind", steps.CONTROLLER_TIMER_KINDS, negated=True)

_MESSAGE = (
    Condition(when=When("kind", steps.FROM_CONTROLLER, negated=True), needs=("from",)),
    Condition(
        when=When("kind", (steps.METADATA,)),
        allows={"from": (CONTROLLER,)},
        at="from",
        error="metadata_from_controller",
    ),
    Condition(
        when=When("nth"),
        forbids={"kind": (METADATA_RECORD, steps.METADATA)},
        excludes=("skip",),
        at="nth",
        error="nth_of_one_message",
    ),
)

CONDITIONS: Mapping[type[StepStruct], tuple[Condition, ...]] = {
    steps.Produce: (
        Condition(
            when=When("idempotent", (True,)),
            allows={"acks": ("all", -1)},
            at="idempotent",
            error="idempotence_needs_acks",
            shown="acks",
        ),
        Condition(
            when=When("sequence"),
            needs=("idempotent",),
            allows={"idempotent": (True,)},
            at="sequence",
            error="sequence_needs_idempotence",
        ),
        Condition(
            when=When("sequence"), single="values", at="sequence", error="sequence_needs_one_value"
        ),
    ),
    steps.Consume: (
        Condition(when=When("rack"), excludes=("broker",), at="rack", error="broker_or_rack"),
    ),
    **dict.fromkeys(steps.OneMessage.__subclasses__(), _MESSAGE),
    steps.Deliver: (
        *_MESSAGE,
        Condition(
            when=When("records"),
            allows={"kind": (METADATA_RECORD, steps.METADATA), "from": (CONTROLLER,)},
            at="records",
            error="records_of_metadata",
        ),
        Condition(
            when=When("records"),
            excludes=("partition",),
            at="partition",
            error="metadata_without_partition",
        ),
        Condition(
            when=When("skip", (True,)),
            allows={"kind": ("leader_and_isr",)},
            at="skip",
            error="skip_of_command",
        ),
    ),
    steps.Timer: (
        Condition(when=_OF_A_BROKER, needs=("broker",), error="timer_needs_broker", shown="kind"),
        Condition(
            when=_OF_A_BROKER,
            forbids={"broker": (CONTROLLER,)},
            at="broker",
            error="timer_of_broker",
            shown="kind",
        ),
    ),
    steps.Heal: (
        Condition(when=When("broker"), excludes=("from", "to"), error="heal_of_both"),
        Condition(when=When("broker", negated=True), needs=("from", "to"), error="heal_of_nothing"),
    ),
}
"""Step → its conditions. If several conditions with the same `when` are broken, the first is
reported.
"""


def needed_arguments(kind: type[StepStruct], arguments: Arguments) -> list[str]:
    """The required arguments of a step: those that are always required, and those that other
    arguments require.
    """
    needed = {
        name
        for condition in CONDITIONS.get(kind, ())
        if condition.error is None and condition.when.holds(arguments)
        for name in condition.needs
    }
    return [spec.written for spec in specs_of(kind) if spec.required or spec.written in needed]


def check_together(kind: type[StepStruct], node: Node, arguments: Arguments) -> None:
    """Report the broken conditions on several arguments of the step at `node`."""
    reported: set[When] = set()
    for condition in CONDITIONS.get(kind, ()):
        if condition.error is None or condition.when in reported:
            continue
        if condition.is_broken(arguments):
            reported.add(condition.when)
            given = {} if condition.shown is None else {"given": shown(arguments[condition.shown])}
            reason = error(condition.error, **given)
            if condition.at is None:
                node.report(reason, code="missing" if condition.needs else "wrong_document")
            else:
                node.member(condition.at, None).report(reason)


def check_in_cluster(scope: Scope, step: StepStruct, given: Mapping[str, Node]) -> None:
    """Check a step in its cluster, and record the names that it introduces for later steps. `step`
    is the step as read, in which harmless values replace invalid ones, and `given` its arguments.
    """
    match step:
        case steps.Produce(as_=name) | steps.Transaction(as_=name, do="begin"):
            scope.producers[name] = None
        case steps.Consume(as_=name):
            scope.consumers[name] = None
        case steps.Retry(as_=name) | steps.Transaction(as_=name):
            scope.require_client(given["as"], name, scope.producers, what="producer")
        case steps.Refresh(as_=name):
            clients = [*scope.producers, *scope.consumers]
            scope.require_client(given["as"], name, clients, what="client")
        case (
            steps.Fetch(broker=broker, partition=partition)
            | steps.SendFetch(broker=broker, partition=partition)
        ):
            named = list(scope.partitions) if partition is None else [partition]
            if named and all(named):
                _require_replica(scope, given["broker"], broker, named)
        case steps.PowerLoss(broker=broker, keep=keep):
            for name in keep or {}:
                if scope.replicas(name):
                    _require_replica(scope, given["keep"].member(name, name), broker, [name])
        case (
            steps.OneMessage(from_=one, to=other)
            | steps.Cut(from_=one, to=other)
            | steps.Heal(from_=one, to=other)
        ):
            if one is not None and one == other != NO_BROKER:
                given["to"].report(error("same_ends", given=str(other)))
        case steps.Elect(partition=partition, leader=leader):
            if leader in scope.brokers:
                check_replica(given["leader"], scope.replicas(partition), what=noun("the_leader"))
        case steps.Reassign(partition=partition, replicas=replicas):
            scope.assign(partition, replicas or ())


def _require_replica(
    scope: Scope, node: Node, broker: BrokerId, named: Sequence[TopicPartition]
) -> None:
    """Report a broker that has a replica of none of these partitions."""
    if broker != NO_BROKER and not any(broker in scope.replicas(name) for name in named):
        reason = error("no_replica_of", broker=broker, names=tuple(named))
        node.report(reason, code="unknown_reference")


Impossible = tuple[str, Wording]
"""The JSON Pointer of a value, and why no history leads to it."""


def find_impossible(scenario: Scenario, profile: Profile) -> Iterator[Impossible]:
    """The parts of the initial state to which no history of the release leads.

    The scenario must be valid otherwise: brokers exist, and the ISR contains the leader.
    """
    if profile.control == "zookeeper":
        for broker in scenario.brokers:
            if broker.state == "fenced":
                yield f"/brokers/{broker.id}/state", error("start_fences_no_broker")
    states = scenario.broker_states
    active = {broker for broker, state in states.items() if state == "running"}
    for number, topic in enumerate(scenario.topics):
        least = _min_isr(scenario, topic, profile)
        for index, partition in enumerate(topic.partitions):
            for key, reason in _of_partition(partition, active, profile, least):
                yield f"/topics/{number}/partitions/{index}/{key}", reason


def _min_isr(scenario: Scenario, topic: TopicSpec, profile: Profile) -> int:
    """min.insync.replicas. Kafka limits it to the number of replicas, but a reassignment may have
    changed that number since the ELR was written.
    """
    configs = effective_configs(profile.kafka, profile.control, scenario.configs, topic.configs)
    least = configs["min.insync.replicas"]
    assert isinstance(least, int), "the reader checked the type"
    return least


def _of_partition(
    partition: PartitionSpec, active: set[BrokerId], profile: Profile, min_isr: int
) -> Iterator[Impossible]:
    if partition.first_leader == NO_LEADER:
        yield from _without_leader(partition, active, profile)
    else:
        yield from _with_leader(partition, active, profile)
    yield from _eligible(partition, profile, min_isr)
    yield from _reassigned(partition)


def _with_leader(
    partition: PartitionSpec, active: set[BrokerId], profile: Profile
) -> Iterator[Impossible]:
    """The controller takes the leadership of a broker whose session has ended and, from KIP-841
    on, no such broker returns to an ISR.
    """
    leader, rules = partition.first_leader, profile.rules
    elects_dead = rules.eligible_leader_replicas and not rules.dead_last_known_leader_waits
    if leader not in active and not elects_dead:
        yield "leader", error("start_leader_not_active", broker=leader)
    if rules.fenced_brokers_stay_out:
        for member in partition.in_sync:
            if member not in active and member != leader:
                yield "isr", error("start_isr_member_not_active", broker=member)


def _without_leader(
    partition: PartitionSpec, active: set[BrokerId], profile: Profile
) -> Iterator[Impossible]:
    """An active member of the ISR would be elected, and so would an active eligible leader replica
    if the ISR is empty. The last member stays in the ISR, and only that one, unless there are
    eligible leader replicas or, up to 1.0, unclean election was possible. With them, a cancelled
    reassignment may leave members without sessions.
    """
    isr, rules = partition.in_sync, profile.rules
    for member in isr:
        # One that is being added is elected only when the controller looks next.
        if member in active and member in partition.replicas and member not in partition.adding:
            yield "leader", error("start_would_be_elected", broker=member)
            return
    for member in () if isr else partition.elr:
        if member in active and member in partition.replicas:
            yield "leader", error("start_elr_would_be_elected", broker=member)
            return
    if rules.eligible_leader_replicas:
        return
    if len(isr) > 1:
        yield "isr", error("start_isr_of_several", count=len(isr))
    elif not isr and (profile.control == "kraft" or rules.last_isr_member_always_stays):
        yield "isr", error("start_isr_empty", kafka=profile.kafka)


def _eligible(partition: PartitionSpec, profile: Profile, min_isr: int) -> Iterator[Impossible]:
    """KIP-966: the eligible leader replicas have left an ISR that is smaller than
    min.insync.replicas.
    """
    named = {"elr": partition.elr, "last_known_elr": partition.last_known_elr}
    if not profile.rules.eligible_leader_replicas:
        for key, brokers in named.items():
            if brokers:
                yield key, error("start_without_elr", kafka=profile.kafka)
        return
    for member in partition.elr:
        if member in partition.in_sync:
            yield "elr", error("start_elr_in_isr", broker=member)
    count = len(partition.in_sync)
    if partition.elr and count >= min_isr:
        yield "elr", error("start_elr_with_whole_isr", count=count, least=min_isr)
    if len(partition.last_known_elr) > 1:
        yield "last_known_elr", error("start_last_known_is_one")
    if partition.last_known_elr and partition.first_leader != NO_LEADER:
        yield "last_known_elr", error("start_last_known_with_leader")


def _reassigned(partition: PartitionSpec) -> Iterator[Impossible]:
    if partition.replicas and {*partition.replicas} == {*partition.removing}:
        yield "removing", error("start_removes_all")
