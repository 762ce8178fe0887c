"""What an argument of a step may be: its type, its range and its words, said once.

The reader of scenario files checks these and the published JSON Schema says them. `role` is for
what only a cluster can tell: whether there is such a broker, partition or client.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from sim_engine.configs import INT_MAX
from sim_engine.identifiers import CONTROLLER, BrokerId, Endpoint, Offset

MAX_BROKERS = 9
MAX_BROKER_ID = 1000
MAX_RECORDS = 1000
MAX_MS = 24 * 60 * 60 * 1000
MAX_OFFSET = 10**9

Role = Literal[
    "acks", "broker", "client", "endpoint", "kept", "partition", "rack", "replicas", "values"
]


def _role(role: Role, **schema: Any) -> dict[str, Any]:
    """`schema` is what the published schema says beside, or instead of, what the type says."""
    return {"role": role, "schema": schema}


_CLIENT_PATTERN = "^[A-Za-z0-9._-]{1,32}$"

Broker = Annotated[BrokerId, Meta(ge=0, le=MAX_BROKER_ID, extra=_role("broker"))]

_BROKER_SCHEMA: Mapping[str, Any] = {"type": "integer", "minimum": 0, "maximum": MAX_BROKER_ID}

BrokerOrController = Annotated[
    Endpoint,
    Meta(extra=_role("endpoint", anyOf=[_BROKER_SCHEMA, {"const": CONTROLLER}])),
]
"""One end of a link: a broker, or `controller`."""

Partition = Annotated[str, Meta(pattern="-[0-9]+$", extra=_role("partition"))]
"""A partition as `<topic>-<number>`."""

ClientName = Annotated[
    str, Meta(pattern=_CLIENT_PATTERN, title="a client's name", extra=_role("client"))
]
Rack = Annotated[str, Meta(pattern=_CLIENT_PATTERN, extra=_role("rack"))]

Acks = Literal["all", 0, 1]
AcksField = Annotated[Acks, Meta(extra=_role("acks", enum=["all", 0, 1, -1]))]
"""`all`, 1 or 0; a file may write -1 for `all`, as Kafka's producers do."""

RecordValue = Annotated[str, Meta(pattern=r"^[^\s/*]{1,32}$")]
RecordValues = Annotated[
    tuple[RecordValue, ...], Meta(min_length=1, max_length=MAX_RECORDS, extra=_role("values"))
]
SomeValues = Annotated[tuple[RecordValue, ...], Meta(max_length=MAX_RECORDS, extra=_role("values"))]
"""As `RecordValues`, but there may be none."""

RecordCount = Annotated[int, Meta(ge=1, le=MAX_RECORDS)]
Sequence = Annotated[int, Meta(ge=0, le=INT_MAX)]
LeaderEpochField = Annotated[int, Meta(ge=0, le=INT_MAX)]
LogOffset = Annotated[Offset, Meta(ge=0, le=MAX_OFFSET)]
Milliseconds = Annotated[int, Meta(ge=1, le=MAX_MS)]
MillisecondsOrNone = Annotated[int, Meta(ge=0, le=MAX_MS)]

Replicas = Annotated[
    tuple[Broker, ...],
    Meta(
        min_length=1,
        max_length=MAX_BROKERS,
        extra=_role("replicas", uniqueItems=True),
    ),
]
KeptOffsets = Annotated[Mapping[str, LogOffset], Meta(extra=_role("kept"))]
"""The log end offset that each of some partitions comes down to."""
