"""What every JSON document is made of: immutable structs whose fields say what they hold.

A document is built once, encoded, and the source of its own JSON Schema: a field's description
stands in OpenAPI and in the page's types. A field of type `UnsetType` may be absent; null is a
value, and the field says what it means.
"""

from msgspec import Struct

from sim_engine.json_types import JsonObject

Step = JsonObject
"""One step as a scenario file writes it: `{"crash": {"broker": 2}}`."""


class Document(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """A mapping of a JSON document: these fields and no others."""
