"""The arguments of a verb in a recording."""

from msgspec import NODEFAULT, to_builtins
from msgspec.structs import FieldInfo, fields

from backend.recording.plan import Retry
from sim_engine.conformance import recording as verbs


def arguments_of(verb: verbs.Verb | Retry) -> dict[str, object]:
    """The verb's arguments as a file has them, without those that have their default."""
    arguments: dict[str, object] = to_builtins(verb)
    if isinstance(verb, verbs.Wait) and verb.until is not None:
        arguments["until"] = {"fenced": verb.until.fenced}
    return {
        one.encode_name: arguments[one.encode_name]
        for one in fields(verb)
        if one.required or arguments[one.encode_name] != _default(one)
    }


def _default(field: FieldInfo) -> object:
    if field.default_factory is NODEFAULT:
        return field.default
    return field.default_factory()
