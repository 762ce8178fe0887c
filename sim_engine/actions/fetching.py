"""Actions of followers: they fetch from their leader."""

from typing import Literal

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, Partition, RecordCount


class Fetch(StepStruct, frozen=True, gc=False, kw_only=True):
    """A follower runs its fetch loop until it has applied a fetch response without an error.

    `partition` defaults to the first one that the broker follows. `records` limits the records in a
    response. With `only: truncation` the step ends after the truncation phase. With `drop:
    response` the last response is lost in flight.
    """

    row = 5

    broker: Broker
    partition: Partition | None = None
    records: RecordCount | None = None
    only: Literal["truncation"] | None = None
    drop: Literal["response"] | None = None


class SendFetch(StepStruct, frozen=True, gc=False, kw_only=True):
    """A follower sends the next request of its fetch loop, of whatever kind."""

    broker: Broker
    partition: Partition | None = None
    records: RecordCount | None = None


Happening = Fetch | SendFetch
"""The steps of this module."""

Action = SendFetch
"""The actions of this module."""
