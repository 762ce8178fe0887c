"""JSON as it is read by key, where a published schema says its shape."""

from collections.abc import Mapping
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""An object of JSON of which a reader or a schema has said what its keys hold: a scenario, a step,
a JSON Schema. Whoever takes values from it relies on that. Everything else is typed."""

JsonView: TypeAlias = Mapping[str, Any]
"""A `JsonObject` to read only: what was stored or sent, perhaps by an older engine."""
