"""Messages and the links between brokers and controller."""

from typing import Literal

from msgspec import UNSET, UnsetType, field

from sim_engine.events.base import BrokerEvent, Event, EventSubject, ReplicaEvent
from sim_engine.identifiers import Endpoint, LeaderEpoch, MessageKind, TopicPartition

IgnoredCase = Literal["superseded", "given_up", "another_epoch"]
"""Why a leader ignores an answer to its proposal."""


class MessageEvent(Event, frozen=True, gc=False, kw_only=True):
    """Something done to a message under way; `partition` is null where it is about no single
    one."""

    variant: MessageKind
    partition: TopicPartition | None
    message: MessageKind
    from_: Endpoint = field(name="from")
    to: Endpoint

    def where(self) -> EventSubject:
        """The partition, where the message is about one."""
        return self.evidence or EventSubject(partition=self.partition)


class MessageDropped(MessageEvent, frozen=True, gc=False, kw_only=True):
    """A message is lost with its connection."""

    rule: str | None = "TCP-ORDER"


class MessageHeld(MessageEvent, frozen=True, gc=False, kw_only=True):
    """A message is held back until it is released."""


class MessageReleased(MessageEvent, frozen=True, gc=False, kw_only=True):
    """A message that was held back can arrive."""


class ResponseIgnored(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker ignores a response: its fetch loop started over since it asked, or newer metadata
    has overtaken the answer to its proposal.

    `why` says so in English; the epochs are there where they differ.
    """

    variant: IgnoredCase | None = None
    sources: tuple[str, ...] = ("Partition",)
    message: MessageKind
    why: str | UnsetType = UNSET
    leader_epoch: LeaderEpoch | UnsetType = UNSET
    own_leader_epoch: LeaderEpoch | UnsetType = UNSET


class LinkEvent(Event, frozen=True, gc=False, kw_only=True):
    """Something that happened to the link from one endpoint to another, in that direction."""

    from_: Endpoint = field(name="from")
    to: Endpoint


class LinkCut(LinkEvent, frozen=True, gc=False, kw_only=True):
    """Nothing gets through a link any more."""


class LinkHealed(LinkEvent, frozen=True, gc=False, kw_only=True):
    """A link carries messages again."""


class BrokerSlowed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's messages take `ms` milliseconds longer from now on."""

    ms: int
