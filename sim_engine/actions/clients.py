"""Actions of clients: producers write, consumers read, and both refresh their metadata."""

from typing import Literal

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import (
    AcksField,
    Broker,
    ClientName,
    Milliseconds,
    Partition,
    Rack,
    RecordCount,
    RecordValues,
    Sequence,
)

DEFAULT_PRODUCER = "p1"
DEFAULT_CONSUMER = "c1"

Isolation = Literal["read_uncommitted", "read_committed"]


class Produce(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer sends records to a partition, one batch and one request for each record.

    The request goes to the leader in the producer's metadata, or to `broker`. A step may have
    several values; an action has exactly one. `idempotent` adds a producer id and a sequence number
    to each batch (KIP-98). `sequence` overrides the producer's next sequence number; it requires a
    single value. `timeout_ms` is how long the leader may wait for acks (default: 30 s).
    """

    row = 6

    to: Partition
    values: RecordValues
    acks: AcksField = "all"
    as_: ClientName = DEFAULT_PRODUCER
    broker: Broker | None = None
    idempotent: bool = False
    sequence: Sequence | None = None
    timeout_ms: Milliseconds | None = None


class Retry(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer retries its oldest request that failed or has no response yet."""

    as_: ClientName


class Refresh(StepStruct, frozen=True, gc=False, kw_only=True):
    """A client refreshes its metadata and learns the current leaders."""

    as_: ClientName


class Transaction(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer begins, commits or aborts a transaction (KIP-98)."""

    as_: ClientName
    do: Literal["begin", "commit", "abort"]


class Consume(StepStruct, frozen=True, gc=False, kw_only=True):
    """A consumer fetches at most `max` records from its position.

    It fetches from the leader in its metadata, or from `broker` (KIP-392). If `rack` is given, the
    leader may redirect it to a follower in that rack. Without `isolation` it uses read_uncommitted.
    """

    partition: Partition
    as_: ClientName = DEFAULT_CONSUMER
    broker: Broker | None = None
    rack: Rack | None = None
    max: RecordCount | None = None
    isolation: Isolation | None = None


Happening = Produce | Retry | Refresh | Transaction | Consume
"""The steps of this module."""

Action = Produce | Retry | Refresh | Transaction | Consume
"""The actions of this module."""
