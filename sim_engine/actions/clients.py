"""What clients do: producers write, consumers read, both ask who leads."""

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
    """A producer sends records to a partition, each in a batch and a request of its own.

    They go to the leader that it believes in, or to `broker`. As a step it may have several values;
    as an action it has one. `idempotent` gives its batches a producer id and a sequence (KIP-98);
    `sequence` is that of the one value, where it is not the producer's next. `timeout_ms` is how
    long it waits for acks, 30 s where it is not said.
    """

    to: Partition
    values: RecordValues
    acks: AcksField = "all"
    as_: ClientName = DEFAULT_PRODUCER
    broker: Broker | None = None
    idempotent: bool = False
    sequence: Sequence | None = None
    timeout_ms: Milliseconds | None = None


class Retry(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer sends its oldest unanswered or failed request once more."""

    as_: ClientName


class Refresh(StepStruct, frozen=True, gc=False, kw_only=True):
    """A client asks again who leads."""

    as_: ClientName


class Transaction(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer begins, commits or aborts a transaction (KIP-98)."""

    as_: ClientName
    do: Literal["begin", "commit", "abort"]


class Consume(StepStruct, frozen=True, gc=False, kw_only=True):
    """A consumer reads on from its position, `max` records at most.

    It asks the leader that it believes in, or `broker` (KIP-392); from a `rack` the leader may send
    it to a follower there. Without `isolation` it reads uncommitted records too.
    """

    partition: Partition
    as_: ClientName = DEFAULT_CONSUMER
    broker: Broker | None = None
    rack: Rack | None = None
    max: RecordCount | None = None
    isolation: Isolation | None = None


Happening = Produce | Retry | Refresh | Transaction | Consume
"""What of these a scenario file may say."""

Action = Produce | Retry | Refresh | Transaction | Consume
"""What of these the engine performs."""
