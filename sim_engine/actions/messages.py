"""What becomes of a message in flight: it arrives, is lost, or is held on its way."""

from typing import Annotated

from msgspec import Meta

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import BrokerOrController, Partition, RecordCount
from sim_engine.identifiers import CONTROLLER, MESSAGE_KINDS, METADATA_RECORD, MessageKind

METADATA = "metadata"
"""What a step may call the metadata log, which the controller alone writes."""

FROM_CONTROLLER = (METADATA, METADATA_RECORD, "leader_and_isr", "stop_replica", "update_metadata")
"""Kinds of which it need not be said where they come from."""


class OneMessage(StepStruct, frozen=True, gc=False, kw_only=True):
    """The oldest message in flight of a kind from one end of a link to the other.

    Without `partition` it may be of any.
    """

    kind: Annotated[
        MessageKind,
        Meta(title="the kind of message", extra={"schema": {"enum": [*MESSAGE_KINDS, METADATA]}}),
    ]
    from_: BrokerOrController = CONTROLLER
    to: BrokerOrController
    partition: Partition | None = None

    @property
    def is_metadata_log(self) -> bool:
        """Whether it is the metadata log that is meant, which a broker reads as a whole."""
        return (self.kind, self.from_) == (METADATA_RECORD, CONTROLLER)


class Deliver(OneMessage, frozen=True, gc=False, kw_only=True):
    """The oldest matching message arrives and is handled.

    `records` hands so many records of the metadata log over in one delivery, held back or not;
    `skip` drops a LeaderAndIsr in favour of the next.
    """

    records: RecordCount | None = None
    skip: bool = False


class Drop(OneMessage, frozen=True, gc=False, kw_only=True):
    """The oldest matching message is lost, and its connection with it."""

    fault = True


class Hold(OneMessage, frozen=True, gc=False, kw_only=True):
    """The oldest matching message stays where it is; the metadata log with what it will gain."""


class Release(OneMessage, frozen=True, gc=False, kw_only=True):
    """The oldest matching held message may arrive again; of the metadata log, everything may."""


Happening = Deliver | Drop | Hold | Release
"""What of these a scenario file may say."""

Action = Deliver | Drop | Hold | Release
"""What of these the engine performs."""
