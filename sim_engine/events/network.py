"""Messages, and the links between brokers and the controller."""

from typing import Literal

from msgspec import UNSET, UnsetType, field

from sim_engine.events.base import (
    BrokerEvent,
    Case,
    Event,
    EventSubject,
    Rank,
    ReplicaEvent,
    by_variant,
    dot,
    special,
)
from sim_engine.identifiers import Endpoint, LeaderEpoch, MessageKind, TopicPartition

IgnoredCase = Literal["superseded", "given_up", "another_epoch"]
"""Why a leader ignores the response to its proposal."""


DroppedCase = Literal["fetch_response_empty", "fetch_response_without_effect", "unawaited"]
"""A dropped response to a fetch: it has no records, or it reports an error or a divergence, so that
the leader has not recorded the fetch. "unawaited": a fetch, or the response to it, for which its
follower no longer waits.
"""


class MessageEvent(Event, frozen=True, gc=False, kw_only=True):
    """An event of a message in flight. `partition` is null if the message is not about exactly
    one."""

    partition: TopicPartition | None
    message: MessageKind
    from_: Endpoint = field(name="from")
    to: Endpoint

    def where(self) -> EventSubject:
        """The partition, if the message is about one."""
        return self.subject or EventSubject(partition=self.partition)


class MessageDropped(MessageEvent, frozen=True, gc=False, kw_only=True):
    """A message is lost, and its connection is closed. The variant is its kind, or distinguishes
    the responses to fetches."""

    rank = Rank.MISSED
    mark = "fault"

    variant: MessageKind | DroppedCase
    rule: str | None = "TCP-ORDER"


class MessageHeld(MessageEvent, frozen=True, gc=False, kw_only=True):
    """A message is held until it is released."""

    rank = Rank.DETAIL

    variant: MessageKind


class MessageReleased(MessageEvent, frozen=True, gc=False, kw_only=True):
    """A held message is released and can be delivered."""

    rank = Rank.DETAIL

    variant: MessageKind


class ResponseIgnored(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker ignores a response: its fetch loop has restarted since the request, or newer
    metadata has overtaken the response to its proposal.

    `why` is the reason in English. The epochs are present if they differ.
    """

    rank = Rank.ROUTINE
    drawn = dot("ignores", "warn")
    cases = by_variant(
        given_up=Case(reports=frozenset({"pending_isr"})),
        another_epoch=Case(reports=frozenset({"pending_isr"})),
    )

    variant: IgnoredCase | None = None
    sources: tuple[str, ...] = ("Partition",)
    message: MessageKind
    why: str | UnsetType = UNSET
    leader_epoch: LeaderEpoch | UnsetType = UNSET
    own_leader_epoch: LeaderEpoch | UnsetType = UNSET


class LinkEvent(Event, frozen=True, gc=False, kw_only=True):
    """An event of one direction of a link."""

    from_: Endpoint = field(name="from")
    to: Endpoint


class LinkCut(LinkEvent, frozen=True, gc=False, kw_only=True):
    """A link is cut."""

    rank = Rank.INTERVENTION
    mark = "fault"
    drawn = special("link", "cutsLink", "bad")


class LinkHealed(LinkEvent, frozen=True, gc=False, kw_only=True):
    """A link is restored."""

    rank = Rank.INTERVENTION
    drawn = special("link", "healsLink")


class BrokerSlowed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """Every message that a broker sends or receives is delayed by `ms` milliseconds from now on."""

    rank = Rank.INTERVENTION
    drawn = dot("slows", "warn")

    ms: int
