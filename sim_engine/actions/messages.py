"""Actions on a message in flight: it is delivered, lost, held or released."""

from typing import Annotated

from msgspec import Meta

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import BrokerOrController, Ordinal, Partition, RecordCount
from sim_engine.identifiers import CONTROLLER, MESSAGE_KINDS, METADATA_RECORD, MessageKind

METADATA = "metadata"
"""The names of the metadata log in a step. Only the controller writes it."""

FROM_CONTROLLER = (METADATA, METADATA_RECORD, "leader_and_isr", "stop_replica", "update_metadata")
"""The kinds for which `from` may be omitted."""


class OneMessage(StepStruct, frozen=True, gc=False, kw_only=True):
    """Selects the oldest message in flight of one kind, in one direction of a link.

    Without `partition`, messages of every partition match. `nth` selects exactly one of the
    matching messages, held or not; the oldest is 1. It is not allowed for the metadata log, which
    is read as a whole, or with `skip`.
    """

    kind: Annotated[
        MessageKind,
        Meta(extra={"noun": "message_kind", "schema": {"enum": [*MESSAGE_KINDS, METADATA]}}),
    ]
    from_: BrokerOrController = CONTROLLER
    to: BrokerOrController
    partition: Partition | None = None
    nth: Ordinal | None = None

    @property
    def is_metadata_log(self) -> bool:
        """Whether this selects the metadata log, which a broker reads as a whole."""
        return (self.kind, self.from_) == (METADATA_RECORD, CONTROLLER)


class Deliver(OneMessage, frozen=True, gc=False, kw_only=True):
    """Delivers the oldest matching message, and the receiver handles it.

    `records` delivers that many records of the metadata log at once, whether held or not. `skip`
    replaces a LeaderAndIsr by the next one.
    """

    records: RecordCount | None = None
    skip: bool = False


class Drop(OneMessage, frozen=True, gc=False, kw_only=True):
    """Drops the oldest matching message and closes its connection."""

    fault = True


class Hold(OneMessage, frozen=True, gc=False, kw_only=True):
    """Holds the oldest matching message. For the metadata log, this includes records written
    later."""


class Release(OneMessage, frozen=True, gc=False, kw_only=True):
    """Releases the oldest matching held message. For the metadata log, releases everything."""


Happening = Deliver | Drop | Hold | Release
"""The steps of this module."""

Action = Deliver | Drop | Hold | Release
"""The actions of this module."""
