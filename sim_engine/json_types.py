"""Types of JSON that code reads by key, for objects whose values have no declared types."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta

JsonObject: TypeAlias = dict[str, object]
"""An object of JSON. A value must be checked before it is used as anything but JSON."""

JsonView: TypeAlias = Mapping[str, object]
"""A read-only `JsonObject`: stored or received data, possibly from an older engine."""


PublishedJson: TypeAlias = dict[str, Any]
"""An object in a document whose schema is published. Any: msgspec publishes none for `object`."""

Int32: TypeAlias = Annotated[int, Meta(le=2**31 - 1)]
"""An integer that is stored in 32 bits, for example in a column of a database."""


def as_mapping(value: object) -> JsonView:
    """A value as an object; an empty one for anything else, such as a step without arguments."""
    return value if isinstance(value, Mapping) else {}


def as_items(value: object) -> tuple[object, ...]:
    """The elements of a list; none for anything else."""
    return tuple(value) if isinstance(value, list | tuple) else ()
