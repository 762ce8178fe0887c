"""Followers' fetches that are parked at the leader until there are records to send.

`DelayedFetch` and the purgatory of fetches in Kafka.
"""

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import FetchParked, LongPollExpired
from sim_engine.identifiers import BrokerId, TimeMs
from sim_engine.protocol.leader.fetch_responses import (
    records_for,
    rejected,
    unreadable,
    why_unreadable,
    with_records,
)
from sim_engine.protocol.leader.leader_state import epoch_error, leading_state, remote_of
from sim_engine.protocol.messages import Message, Send
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import ParkedFetch, Replica
from sim_engine.protocol.settings import PartitionSettings


def park(
    replica: Replica, message: Message, *, settings: PartitionSettings, now_ms: TimeMs
) -> tuple[Replica, Event]:
    """Park a fetch that found no records, for at most replica.fetch.wait.max.ms.

    An older parked fetch of the same follower belongs to a loop that has ended, and is dropped.
    """
    leading = leading_state(replica)
    wait_ms = settings.replica_fetch_wait_max_ms
    parked = ParkedFetch(message=message, deadline_ms=TimeMs(now_ms + wait_ms))
    others = tuple(waiting for waiting in leading.parked if waiting.follower != parked.follower)
    return (
        replace(replica, leading=replace(leading, parked=(*others, parked))),
        FetchParked(
            broker=replica.broker_id,
            partition=replica.partition,
            follower=parked.follower,
            fetch_offset=parked.request.fetch_offset,
            wait_ms=wait_ms,
        ),
    )


def has_news(replica: Replica, follower: BrokerId) -> bool:
    """Whether the high watermark is higher than the last one sent to the follower (KIP-392)."""
    remote = remote_of(leading_state(replica), follower)
    return remote is not None and remote.last_sent_high_watermark < replica.high_watermark


def wake_followers(outcome: Outcome, *, settings: PartitionSettings) -> Outcome:
    """Respond to parked fetches as soon as the high watermark advances.

    Only in 2.4 and 2.5 (KIP-392). Followers fetched so much more often that 2.6 reverted it
    (KAFKA-9952). In all other releases the outcome is returned unchanged.
    """
    if not settings.profile.rules.wake_followers_on_high_watermark:
        return outcome
    woken = complete_parked_fetches(outcome.replica, settings=settings)
    return replace(
        outcome,
        replica=woken.replica,
        sends=(*outcome.sends, *woken.sends),
        events=(*outcome.events, *woken.events),
    )


def complete_parked_fetches(
    replica: Replica, *, settings: PartitionSettings, expire: BrokerId | None = None
) -> Outcome:
    """Respond to the parked fetches that can be completed (`DelayedFetch.tryComplete`).

    The reasons: new records, a wrong leader epoch, a divergence, the loss of leadership, and in 2.4
    a high watermark that the follower has not received. If `expire` names a follower whose wait has
    ended, only its fetch is checked. The log is read again, so the response contains the current
    high watermark.
    """
    if replica.leading is None or not replica.leading.parked:
        return Outcome(replica=replica)
    still: list[ParkedFetch] = []
    sends: list[Send] = []
    events: list[Event] = []
    for parked in replica.leading.parked:
        response = None
        if expire is None or expire == parked.follower:
            response = _response_to(
                replica, parked, settings=settings, is_expired=expire is not None
            )
        if response is None:
            still.append(parked)
            continue
        sends.extend(response.sends)
        events.extend(response.events)
    return Outcome(
        replica=replace(replica, leading=replace(replica.leading, parked=tuple(still))),
        sends=tuple(sends),
        events=tuple(events),
    )


def _response_to(
    replica: Replica, parked: ParkedFetch, *, settings: PartitionSettings, is_expired: bool
) -> Outcome | None:
    """The response to a parked fetch; None if it stays parked."""
    rules = settings.profile.rules
    message, request = parked.message, parked.request
    error = epoch_error(replica, request.current_leader_epoch)
    if error is not ErrorCode.NONE:
        return rejected(replica, message, request, error)
    why = why_unreadable(replica, request, rules)
    if why is not None:
        return unreadable(replica, message, request, why)
    records = records_for(replica, request)
    hears = rules.wake_followers_on_high_watermark and has_news(replica, parked.follower)
    if not (records or is_expired or hears):
        return None
    response = with_records(replica, message, request, records, replica.high_watermark)
    if records or not is_expired:
        return response
    expired = LongPollExpired(
        broker=replica.broker_id,
        partition=replica.partition,
        follower=parked.follower,
        high_watermark=replica.high_watermark,
    )
    return replace(response, events=(expired,))
