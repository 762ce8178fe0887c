"""The base of JSON documents, and types of JSON that code reads by key, for objects whose values
have no declared types."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

from msgspec import Meta, Struct

JsonObject: TypeAlias = dict[str, object]
"""An object of JSON. A value must be checked before it is used as anything but JSON."""

JsonView: TypeAlias = Mapping[str, object]
"""A read-only `JsonObject`: stored or received data, possibly from an older engine."""


PublishedJson: TypeAlias = dict[str, Any]
"""An object in a document whose schema is published. Any: msgspec publishes none for `object`."""

Step = PublishedJson
"""One step, in the syntax of a scenario file: `{"crash": {"broker": 2}}`."""

Int32: TypeAlias = Annotated[int, Meta(le=2**31 - 1)]
"""An integer that is stored in 32 bits, for example in a column of a database."""


class Document(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """An object of a JSON document: exactly these fields.

    Its JSON Schema is generated from the struct. The string below a field is its description in
    OpenAPI and in the page's types (`documents/schemas.py`). A field of type `UnsetType` may be
    absent. If a field can be null, its description states what null means.
    """


Copy = TypeVar("Copy", bound=Struct)


def copied(kind: type[Copy], source: object, **computed: object) -> Copy:
    """A struct of this kind: the computed fields, and for all others the attributes of `source` of
    the same names.

    For documents that have most fields in common with what they describe; the type checker does
    not compare these. Raises `AttributeError` if `source` lacks one.
    """
    names = (name for name in kind.__struct_fields__ if name not in computed)
    return kind(**{name: getattr(source, name) for name in names}, **computed)


def as_mapping(value: object) -> JsonView:
    """A value as an object; an empty one for anything else, such as a step without arguments."""
    return value if isinstance(value, Mapping) else {}


def as_items(value: object) -> tuple[object, ...]:
    """The elements of a list; none for anything else."""
    return tuple(value) if isinstance(value, list | tuple) else ()
