"""The base of every JSON document: immutable structs with described fields.

A document's JSON Schema is generated from its struct. The string below a field is its description
in OpenAPI and in the page's types (`schemas.py`). A field of type `UnsetType` may be absent.
If a field can be null, its description states what null means.
"""

from msgspec import Struct

from sim_engine.json_types import PublishedJson

Step = PublishedJson
"""One step, in the syntax of a scenario file: `{"crash": {"broker": 2}}`."""


class Document(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """An object of a JSON document: exactly these fields."""
