"""Conditions on several arguments of one step, declared once.

The reader reports the broken conditions, and the published schema is generated from the same
declarations. A schema cannot express conditions that need the cluster or compare two values; those
are in `step_rules`.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from sim_engine.actions import Consume, Deliver, Heal, OneMessage, Produce, StepStruct, Timer
from sim_engine.actions.messages import FROM_CONTROLLER, METADATA
from sim_engine.actions.time import CONTROLLER_TIMER_KINDS
from sim_engine.error_texts import ErrorCode
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD

Value = str | int | bool
Given = Mapping[str, object]


class When(Struct, frozen=True, gc=False):
    """The condition that an argument is given and, if `values` is set, is one of them; `negated`
    inverts it.
    """

    argument: str
    values: tuple[Value, ...] | None = None
    negated: bool = False

    def holds(self, given: Given) -> bool:
        """Whether these arguments satisfy the condition."""
        named = self.argument in given
        fits = named and (self.values is None or given[self.argument] in self.values)
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
    error: ErrorCode | None = None
    shown: str | None = None

    def is_broken(self, given: Given) -> bool:
        """Whether these arguments violate the condition."""
        return self.when.holds(given) and (
            any(name not in given for name in self.needs)
            or any(name in given for name in self.excludes)
            or any(name in given and given[name] not in of for name, of in self.allows.items())
            or any(name in given and given[name] in of for name, of in self.forbids.items())
            or _is_long(given.get(self.single) if self.single else None)
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
            when=When("sequence"),
            single="values",
            at="sequence",
            error="sequence_needs_one_value",
        ),
    ),
    Consume: (
        Condition(
            when=When("rack"),
            excludes=("broker",),
            at="rack",
            error="broker_or_rack",
        ),
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
        Condition(
            when=When("broker"),
            excludes=("from", "to"),
            error="heal_of_both",
        ),
        Condition(
            when=When("broker", negated=True),
            needs=("from", "to"),
            error="heal_of_nothing",
        ),
    ),
}
"""Step → its conditions. If several conditions with the same `when` are broken, the first is
reported.
"""


def broken_conditions(kind: type[StepStruct], given: Given) -> Iterator[Condition]:
    """The conditions to report for a step with these arguments."""
    reported: set[When] = set()
    for condition in CONDITIONS.get(kind, ()):
        if condition.error is None or condition.when in reported:
            continue
        if condition.is_broken(given):
            reported.add(condition.when)
            yield condition


def also_needed(kind: type[StepStruct], given: Given) -> set[str]:
    """The arguments that a step needs because of others, and that are reported as missing."""
    return {
        name
        for condition in CONDITIONS.get(kind, ())
        if condition.error is None and condition.when.holds(given)
        for name in condition.needs
    }
