"""What followers do: they fetch from their leader."""

from typing import Literal

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, Partition, RecordCount


class Fetch(StepStruct, frozen=True, gc=False, kw_only=True):
    """A follower goes on until a fetch of its own was answered without error and applied.

    Without `partition` it is the first that the broker follows; `records` is how many an answer
    carries at most. With `only: truncation` the step ends with the truncation phase. With `drop:
    response` the last answer is lost on its way.
    """

    broker: Broker
    partition: Partition | None = None
    records: RecordCount | None = None
    only: Literal["truncation"] | None = None
    drop: Literal["response"] | None = None


class SendFetch(StepStruct, frozen=True, gc=False, kw_only=True):
    """The next request of a follower's fetch loop goes out, whatever it is."""

    broker: Broker
    partition: Partition | None = None
    records: RecordCount | None = None


Happening = Fetch | SendFetch
"""What of these a scenario file may say."""

Action = SendFetch
"""What of these the engine performs."""
