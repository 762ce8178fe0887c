"""What a step must fulfil beyond the types of its arguments: the conditions on several arguments of
a step, from which the published schema is generated too; and the rules about a step in its cluster,
which a schema cannot express.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from sim_engine.actions import steps
from sim_engine.actions.base import StepStruct, specs_of
from sim_engine.error_texts.wording import error, noun
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId, TopicPartition
from sim_engine.scenario_reader.checker import Node
from sim_engine.scenario_reader.scope import NO_BROKER, Scope, check_replica
from sim_engine.scenario_reader.source import shown

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
