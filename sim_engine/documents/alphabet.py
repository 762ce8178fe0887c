"""JSON Schemas of the names of steps, and of the values of each event.

Documents contain steps and events by name. These schemas list the names, so that code that uses one
can be checked. A share that an older engine created can contain other names.
"""

from inspect import cleandoc
from typing import get_type_hints

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import fields

from sim_engine.actions import STEP_NAMED
from sim_engine.documents.schema import describe_documents
from sim_engine.events import EVENTS, Event
from sim_engine.events.base import COMMON_FIELDS
from sim_engine.events.run import ActionRefused, RefusalNumbers
from sim_engine.scenario_reader.schema import Schema


def alphabet_schemas(ref_template: str) -> dict[str, Schema]:
    """Return `StepName`, `EventNumbers` and the schemas that they refer to, by name.

    `EventNumbers` has one property for each event: the object of its values. `ref_template` is the
    address of a schema: "#/components/schemas/{name}".
    """
    numbers = [_numbers_of(kind) for kind in EVENTS.values()]
    _, described = describe_documents(numbers, ref_template=ref_template)
    by_event = {kind.__name__: described.pop(kind.__name__) for kind in numbers}
    for name, schema in by_event.items():
        schema["description"] = cleandoc(EVENTS[name].__doc__ or "")
    step_name = {
        "type": "string",
        "enum": list(STEP_NAMED),
        "description": "The name of a step of a scenario file.",
    }
    event_numbers = {
        "type": "object",
        "description": "The numbers of each event, by its `kind`.",
        "properties": by_event,
        "required": list(by_event),
        "additionalProperties": False,
    }
    return {**described, "StepName": step_name, "EventNumbers": event_numbers}


def _numbers_of(kind: type[Event]) -> type[msgspec.Struct]:
    """A struct of an event's values, with the event's name."""
    declared = _of_refusals() if kind is ActionRefused else _of_fields(kind)
    return msgspec.defstruct(kind.__name__, declared, kw_only=True, forbid_unknown_fields=True)


def _of_fields(kind: type[Event]) -> list[tuple[str, object] | tuple[str, object, object]]:
    return [
        (field.encode_name, field.type)
        if field.required
        else (field.encode_name, field.type, field.default)
        for field in fields(kind)
        if field.name not in COMMON_FIELDS
    ]


def _of_refusals() -> list[tuple[str, object] | tuple[str, object, object]]:
    """The values of a refusal: those of its reason, the reason itself, and the rule."""
    of_the_reason = get_type_hints(RefusalNumbers)
    return [
        ("reason", str),
        ("reason_code", str),
        ("rule", str | None),
        *((name, hint | UnsetType, UNSET) for name, hint in of_the_reason.items()),
    ]
