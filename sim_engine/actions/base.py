"""What every step and action has: a name, a JSON form, and arguments; and the types of a scenario
file's fields, with their ranges and descriptions.

A struct declares each field once: a step its arguments, `scenario_reader.document` the rest of the
file. The reader enforces the declarations, the published JSON Schema states them, and the writer
follows them. `role` marks what can be checked only against a cluster: whether the broker, partition
or client exists.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    ClassVar,
    Literal,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, astuple, fields, replace

from sim_engine.configs import INT_MAX
from sim_engine.identifiers import (
    CONTROLLER,
    BrokerId,
    Endpoint,
    LeaderEpoch,
    Offset,
    TopicPartition,
    topic_of,
)
from sim_engine.json_types import JsonObject


class StepStruct(Struct, frozen=True, gc=False, kw_only=True, rename=lambda name: name.rstrip("_")):
    """One kind of step or action.

    Its name in a scenario file is the class name in snake case, and its arguments are its fields;
    `as_` and `from_` stand for the reserved words `as` and `from`. An argument that was not given
    is null (false for a switch) and is omitted from the JSON form.
    """

    fault: ClassVar[bool] = False
    """Whether this is a fault. Shares count their faults."""
    affects: ClassVar[Literal["process", "machine"] | None] = None
    """What the fault affects: `process` requires a running broker, `machine` is possible at any
    time. None: the search for a violation does not inject it. The search tries all others on every
    broker.
    """
    row: ClassVar[int | None] = None
    """The position of its button on a broker's row, the lowest first. None: it has no button."""

    def step(self) -> "StepStruct":
        """The scenario step that this action is, or is part of."""
        return self

    def arguments(self) -> JsonObject:
        """The arguments as JSON. Arguments that were not given are omitted."""
        arguments: JsonObject = {}
        for (written, default), value in zip(
            _written_fields(type(self)), astuple(self), strict=True
        ):
            if value is not default or default not in (None, False):
                arguments[written] = _as_json(value)
        return arguments

    def as_step(self) -> JsonObject:
        """The step in the syntax of a scenario file: `{"crash": {"broker": 2}}`."""
        step = self.step()
        return {name_of(type(step)): step.arguments()}


@cache
def name_of(kind: type[object]) -> str:
    """The name of a step or action class in JSON: `power_loss` for `PowerLoss`."""
    return re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


@cache
def _written_fields(kind: type[StepStruct]) -> tuple[tuple[str, object], ...]:
    return tuple((field.encode_name, field.default) for field in fields(kind))


def _as_json(value: object) -> object:
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in value.items()}
    return value


MAX_BROKERS = 9

MAX_BROKER_ID = 1000

MAX_RECORDS = 1000

MAX_MS = 24 * 60 * 60 * 1000

MAX_OFFSET = 10**9

Role = Literal[
    "acks", "broker", "client", "endpoint", "kept", "partition", "rack", "replicas", "values"
]


def _role(role: Role, **schema: object) -> dict[str, object]:
    """The metadata of a reference to the cluster. `schema` is merged into the published schema of
    the type and overrides it.
    """
    return {"role": role, "schema": schema}


def part(name: str, *, sparse: bool = False, **schema: object) -> dict[str, object]:
    """The metadata of a field with a syntax of its own: see `FieldSpec.part`."""
    return {"part": name, "sparse": sparse, "schema": schema}


CLIENT_PATTERN = "^[A-Za-z0-9._-]{1,32}$"

Broker = Annotated[BrokerId, Meta(ge=0, le=MAX_BROKER_ID, extra=_role("broker"))]

_BROKER_SCHEMA: Mapping[str, object] = {"type": "integer", "minimum": 0, "maximum": MAX_BROKER_ID}

BrokerOrController = Annotated[
    Endpoint, Meta(extra=_role("endpoint", anyOf=[_BROKER_SCHEMA, {"const": CONTROLLER}]))
]
"""One end of a link: a broker, or `controller`."""

TimerOf = Annotated[
    Endpoint, Meta(extra=_role("endpoint", anyOf=[_BROKER_SCHEMA, {"const": CONTROLLER}]))
]
"""The owner of a timer: a broker or the controller."""

Partition = Annotated[TopicPartition, Meta(pattern="-[0-9]+$", extra=_role("partition"))]
"""A partition as `<topic>-<number>`."""

ClientName = Annotated[str, Meta(pattern=CLIENT_PATTERN, extra=_role("client"))]

Rack = Annotated[str, Meta(pattern=CLIENT_PATTERN, extra=_role("rack"))]

Acks = Literal["all", 0, 1]

AcksField = Annotated[Acks, Meta(extra=_role("acks", enum=["all", 0, 1, -1]))]
"""`all`, 1 or 0; a file may write -1 for `all`, as Kafka's producers do."""

RecordValue = Annotated[str, Meta(pattern=r"^[^\s/*]{1,32}$")]

RecordValues = Annotated[
    tuple[RecordValue, ...], Meta(min_length=1, max_length=MAX_RECORDS, extra=_role("values"))
]

SomeValues = Annotated[tuple[RecordValue, ...], Meta(max_length=MAX_RECORDS, extra=_role("values"))]
"""Like `RecordValues`, but may be empty."""

Ordinal = Annotated[int, Meta(ge=1, le=MAX_RECORDS)]
"""A position, counted from 1."""

RecordCount = Annotated[int, Meta(ge=1, le=MAX_RECORDS)]

Sequence = Annotated[int, Meta(ge=0, le=INT_MAX)]

LeaderEpochField = Annotated[LeaderEpoch, Meta(ge=0, le=INT_MAX)]

LogOffset = Annotated[Offset, Meta(ge=0, le=MAX_OFFSET)]

Milliseconds = Annotated[int, Meta(ge=1, le=MAX_MS, extra={"limit": "step_milliseconds"})]

MillisecondsOrNone = Annotated[int, Meta(ge=0, le=MAX_MS, extra={"limit": "step_milliseconds"})]

Replicas = Annotated[
    tuple[Broker, ...],
    Meta(min_length=1, max_length=MAX_BROKERS, extra=_role("replicas", uniqueItems=True)),
]

SomeBrokers = Annotated[tuple[Broker, ...], Meta(max_length=MAX_BROKERS, extra=part("members"))]
"""Brokers, possibly none. The order has no meaning."""

KeptOffsets = Annotated[Mapping[TopicPartition, LogOffset], Meta(extra=_role("kept"))]
"""Partition → the log end offset that survives."""


T = TypeVar("T")

_NULL = "may be null"
OrNull = Annotated[T | None, _NULL]
"""An optional field that a file may also set to null. The others have to be left out instead."""


class FieldSpec(Struct, frozen=True, kw_only=True):
    """One field, as its struct declares it.

    `name` is the field's name in Python and `written` its key in a file. `kind` is its type without
    annotations, and `noun` its name in error messages, if that is not its key. `part` names a part
    of the format that has a syntax of its own; the reader, the schema and the writer list the parts
    that their general rules do not cover. `limit` is the name of its upper limit; a `sparse` field
    is not written if it is empty. `items` describes the elements of a list or the values of a
    mapping; null otherwise.
    """

    name: str
    written: str
    required: bool
    kind: object
    default: object = NODEFAULT
    nullable: bool = False
    noun: str | None = None
    role: Role | None = None
    part: str | None = None
    limit: str | None = None
    sparse: bool = False
    choices: tuple[str | int, ...] = ()
    lowest: int = 0
    highest: int = INT_MAX
    least: int = 0
    most: int | None = None
    pattern: str | None = None
    description: str | None = None
    items: "FieldSpec | None" = None
    schema: Mapping[str, object] = {}


@cache
def specs_of(kind: type[Struct]) -> tuple[FieldSpec, ...]:
    """The fields that a struct declares, in their order."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        _spec(
            hints[field.name],
            field.name,
            field.encode_name,
            required=field.required,
            default=_default(field),
        )
        for field in fields(kind)
    )


def _default(field: FieldInfo) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _spec(
    hint: object, name: str, written: str, *, required: bool, default: object = NODEFAULT
) -> FieldSpec:
    is_nullable = required
    if get_origin(hint) is Annotated and _NULL in get_args(hint):
        is_nullable, hint = True, get_args(hint)[0]
    optional = get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)
    if optional:
        (hint,) = (choice for choice in get_args(hint) if choice is not NoneType)
    kind, *metas = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    meta = metas[0] if metas else Meta()
    extra = meta.extra or {}
    if isinstance(kind, NewType):
        kind = kind.__supertype__
    origin = get_origin(kind)
    inner = 0 if origin is tuple else 1 if origin in (Mapping, dict) else None
    return FieldSpec(
        name=name,
        written=written,
        required=required,
        kind=origin or kind,
        default=default,
        nullable=optional and is_nullable,
        noun=extra.get("noun"),
        role=extra.get("role"),
        part=extra.get("part"),
        limit=extra.get("limit"),
        sparse=extra.get("sparse", False),
        choices=get_args(kind) if origin is Literal else (),
        lowest=0 if meta.ge is None else int(meta.ge),
        highest=INT_MAX if meta.le is None else int(meta.le),
        least=meta.min_length or 0,
        most=meta.max_length,
        pattern=meta.pattern,
        description=next((one.description for one in metas if one.description), None),
        items=None if inner is None else _spec(get_args(kind)[inner], name, written, required=True),
        schema=extra.get("schema", {}),
    )


_Step = TypeVar("_Step", bound=Struct)


def renamed(step: _Step, before: TopicPartition, after: TopicPartition) -> _Step:
    """The same step; one that is about neither the partition nor its topic is returned as it is."""
    changed: dict[str, object] = {}
    for field in fields(step):
        value = getattr(step, field.name)
        if isinstance(value, Mapping) and before in value:
            changed[field.name] = {after if key == before else key: of for key, of in value.items()}
        elif value == before:
            changed[field.name] = after
        elif field.name == "topic" and value == topic_of(before):
            changed[field.name] = topic_of(after)
    return replace(step, **changed) if changed else step
