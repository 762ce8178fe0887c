"""What a scenario must fulfil beyond the types of its fields.

Of a step: the conditions on several of its arguments, from which the published schema is generated
too; and the rules about it in its cluster, which a schema cannot express. Of the start: a release
can only be in states to which some history of it leads. What a controller writes whenever a broker
comes or goes excludes the others; each function names the place in the document and the rule.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from sim_engine.actions import steps
from sim_engine.actions.base import StepStruct, specs_of
from sim_engine.configs import effective_configs
from sim_engine.error_texts import Wording, error, noun
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, NO_LEADER, BrokerId, TopicPartition
from sim_engine.scenario_reader.checker import Node
from sim_engine.scenario_reader.document import PartitionSpec, Scenario, TopicSpec
from sim_engine.scenario_reader.scope import NO_BROKER, Scope, check_replica
from sim_engine.scenario_reader.source import shown
from sim_engine.versions import Profile

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
