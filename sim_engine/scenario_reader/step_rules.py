"""What a step must fulfil beyond the types of its arguments.

Three parts: the names that a step may use, which are those of one cluster so far; the conditions on
several arguments of a step, from which the published schema is generated too; and the rules about a
step in its cluster, which a schema cannot express, with the names that the step introduces for
later steps. A rule receives the step as read, in which harmless values replace invalid ones, and
the arguments as given.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from sim_engine.actions import (
    Consume,
    Cut,
    Deliver,
    Drop,
    Elect,
    Fetch,
    Heal,
    Hold,
    OneMessage,
    PowerLoss,
    Produce,
    Reassign,
    Refresh,
    Release,
    Retry,
    SendFetch,
    StepStruct,
    Timer,
    Transaction,
)
from sim_engine.actions.base import CLIENT_PATTERN, MAX_RECORDS, specs_of
from sim_engine.actions.steps import CONTROLLER_TIMER_KINDS, FROM_CONTROLLER, METADATA
from sim_engine.class_tables import for_class
from sim_engine.error_texts import Wording, error, noun
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId, Endpoint, TopicPartition
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.document import PartitionSpec
from sim_engine.scenario_reader.fields import NAME_CHARACTERS, check_broker, check_replica
from sim_engine.scenario_reader.log_notation import is_record_value, value_error
from sim_engine.scenario_reader.source import pointer, shown
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
        spec = self.partitions.get(partition)
        if spec is None:
            return ()
        known = self._assigned.get(partition, set()) if self._earlier_clients else self.brokers
        since = set(known) - set(spec.replicas)
        return (*spec.replicas, *sorted(since))

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
            value, where, _CLIENT_NAME, what=noun("a_client_name"), right=NAME_CHARACTERS
        )

    def require_client(
        self, name: str, where: str, clients: Sequence[str], *, what: Literal["client", "producer"]
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


_OF_A_BROKER = When("kind", CONTROLLER_TIMER_KINDS, negated=True)

_MESSAGE = (
    Condition(when=When("kind", FROM_CONTROLLER, negated=True), needs=("from",)),
    Condition(
        when=When("kind", (METADATA,)),
        allows={"from": (CONTROLLER,)},
        at="from",
        error="metadata_from_controller",
    ),
    Condition(
        when=When("nth"),
        forbids={"kind": (METADATA_RECORD, METADATA)},
        excludes=("skip",),
        at="nth",
        error="nth_of_one_message",
    ),
)

CONDITIONS: Mapping[type[StepStruct], tuple[Condition, ...]] = {
    Produce: (
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
    Consume: (
        Condition(when=When("rack"), excludes=("broker",), at="rack", error="broker_or_rack"),
    ),
    **dict.fromkeys(OneMessage.__subclasses__(), _MESSAGE),
    Deliver: (
        *_MESSAGE,
        Condition(
            when=When("records"),
            allows={"kind": (METADATA_RECORD, METADATA), "from": (CONTROLLER,)},
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
    Timer: (
        Condition(when=_OF_A_BROKER, needs=("broker",), error="timer_needs_broker", shown="kind"),
        Condition(
            when=_OF_A_BROKER,
            forbids={"broker": (CONTROLLER,)},
            at="broker",
            error="timer_of_broker",
            shown="kind",
        ),
    ),
    Heal: (
        Condition(when=When("broker"), excludes=("from", "to"), error="heal_of_both"),
        Condition(when=When("broker", negated=True), needs=("from", "to"), error="heal_of_nothing"),
    ),
}
"""Step → its conditions. If several conditions with the same `when` are broken, the first is
reported.
"""


def broken_conditions(kind: type[StepStruct], arguments: Arguments) -> Iterator[Condition]:
    """The conditions to report for a step with these arguments."""
    reported: set[When] = set()
    for condition in CONDITIONS.get(kind, ()):
        if condition.error is None or condition.when in reported:
            continue
        if condition.is_broken(arguments):
            reported.add(condition.when)
            yield condition


def also_needed(kind: type[StepStruct], arguments: Arguments) -> set[str]:
    """The arguments that a step needs because of others, and that are reported as missing."""
    return {
        name
        for condition in CONDITIONS.get(kind, ())
        if condition.error is None and condition.when.holds(arguments)
        for name in condition.needs
    }


def needed_arguments(kind: type[StepStruct], value: object) -> Sequence[str]:
    """The required arguments of a step: those that are always required, and those that other
    arguments require.
    """
    arguments = value if isinstance(value, dict) else {}
    needed = also_needed(kind, arguments)
    return [spec.written for spec in specs_of(kind) if spec.required or spec.written in needed]


def check_together(
    checker: Checker, kind: type[StepStruct], arguments: Arguments, where: str
) -> None:
    """Report the broken conditions on several arguments."""
    for condition in broken_conditions(kind, arguments):
        checker.report(
            where if condition.at is None else pointer(where, condition.at),
            _error_of(condition, arguments),
            code="missing" if condition.needs and condition.at is None else "wrong_document",
        )


def _error_of(condition: Condition, arguments: Arguments) -> Wording:
    assert condition.error is not None, "without an error, an argument is missing"
    if condition.shown is None:
        return error(condition.error)
    return error(condition.error, given=shown(arguments[condition.shown]))


def spelled_out(kind: type[StepStruct], arguments: Arguments) -> Arguments:
    """The arguments with the metadata log under its canonical name."""
    if not issubclass(kind, OneMessage) or arguments.get("kind") != METADATA:
        return arguments
    return {**arguments, "kind": METADATA_RECORD}


# --- clients ---------------------------------------------------------------------------------


def _produce(scope: StepScope, step: Produce, arguments: Arguments, where: str) -> None:
    if step.as_ not in scope.producers:
        scope.producers.append(step.as_)


def _retry(scope: StepScope, step: Retry, arguments: Arguments, where: str) -> None:
    scope.require_client(step.as_, pointer(where, "as"), scope.producers, what="producer")


def _refresh(scope: StepScope, step: Refresh, arguments: Arguments, where: str) -> None:
    clients = [*scope.producers, *scope.consumers]
    scope.require_client(step.as_, pointer(where, "as"), clients, what="client")


def _transaction(scope: StepScope, step: Transaction, arguments: Arguments, where: str) -> None:
    if step.do != "begin":
        scope.require_client(step.as_, pointer(where, "as"), scope.producers, what="producer")
    elif step.as_ not in scope.producers:
        scope.producers.append(step.as_)


def _consume(scope: StepScope, step: Consume, arguments: Arguments, where: str) -> None:
    if step.as_ not in scope.consumers:
        scope.consumers.append(step.as_)


# --- followers, messages and timers ----------------------------------------------------------


def _fetch(scope: StepScope, step: Fetch | SendFetch, arguments: Arguments, where: str) -> None:
    named = list(scope.partitions) if step.partition is None else [step.partition]
    if step.broker == NO_BROKER or not all(named):
        return
    if named and not any(step.broker in scope.replicas(name) for name in named):
        scope.checker.report(
            pointer(where, "broker"),
            error("no_replica_of", broker=step.broker, names=tuple(named)),
            code="unknown_reference",
        )


def _link(
    scope: StepScope, step: OneMessage | Cut | Heal, arguments: Arguments, where: str
) -> None:
    if step.from_ is not None and step.from_ == step.to and step.to != NO_BROKER:
        reason = error("same_ends", given=str(step.to))
        scope.checker.report(pointer(where, "to"), reason)


# --- brokers and the controller --------------------------------------------------------------


def _power_loss(scope: StepScope, step: PowerLoss, arguments: Arguments, where: str) -> None:
    for name in step.keep or {}:
        replicas = scope.replicas(name)
        if step.broker != NO_BROKER and replicas and step.broker not in replicas:
            scope.checker.report(
                pointer(pointer(where, "keep"), name),
                error("no_replica_of", broker=step.broker, names=name),
                code="unknown_reference",
            )


def _elect(scope: StepScope, step: Elect, arguments: Arguments, where: str) -> None:
    if step.leader in scope.brokers:
        check_replica(
            scope.checker,
            step.leader,
            pointer(where, "leader"),
            scope.replicas(step.partition),
            what=noun("the_leader"),
        )


def _reassign(scope: StepScope, step: Reassign, arguments: Arguments, where: str) -> None:
    if step.replicas is not None:
        scope.assign(step.partition, step.replicas)


RULES: Mapping[type[object], Callable[[StepScope, object, Arguments, str], None]] = dict(
    (
        for_class(Produce, _produce),
        for_class(Retry, _retry),
        for_class(Refresh, _refresh),
        for_class(Transaction, _transaction),
        for_class(Consume, _consume),
        for_class(Fetch, _fetch),
        for_class(SendFetch, _fetch),
        for_class(Deliver, _link),
        for_class(Drop, _link),
        for_class(Hold, _link),
        for_class(Release, _link),
        for_class(PowerLoss, _power_loss),
        for_class(Cut, _link),
        for_class(Heal, _link),
        for_class(Elect, _elect),
        for_class(Reassign, _reassign),
    )
)
"""The steps that are checked against the cluster, or that later checks depend on."""
