"""Replays what happens to messages between two brokers: rounds of fetches, and messages that are
held, released and dropped.
"""

from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.recording import API_MESSAGES
from sim_engine.conformance.replay_state import Replay
from sim_engine.identifiers import NEVER_MS, BrokerId, MessageKind, TimeMs, TopicPartition
from sim_engine.narration import RefusedError
from sim_engine.protocol.messages import Message
from sim_engine.simulation.clock import settle
from sim_engine.simulation.fetch_rounds import delivery_of, is_parked, long_poll
from sim_engine.simulation.performing.messages import why_undeliverable

Route = tuple[MessageKind, BrokerId, BrokerId]
"""Messages of one kind from one broker to another."""
_Act = steps.Deliver | steps.Drop | steps.Hold | steps.Release


def fetch(replay: Replay, verb: verbs.Fetch) -> None:
    """Deliver exactly `rounds` held fetch requests. A cut link loses their responses."""
    for remaining in range(verb.rounds, 0, -1):
        settle(replay.execution, notices=False)
        _send_if_idle(replay, verb)
        is_held = remaining == 1 and verb.response == "held"
        for request in _one_request(replay, verb):
            _act_on(replay, steps.Release, request)
            _act_on(replay, steps.Deliver, request)
            assert request.partition is not None, "a fetch is of one partition"
            _end_wait(replay, verb, request.partition)
            if not replay.cluster.is_cut(verb.from_, verb.broker):
                response = _oldest(
                    replay, ("fetch_response", verb.from_, verb.broker), request.partition
                )
                _act_on(replay, steps.Hold if is_held else steps.Deliver, response)


def route_of(verb: verbs.Network, what: verbs.Frames) -> Route:
    """The selected messages. `from` and `to` are the follower and the leader, for requests and
    responses.
    """
    assert verb.api is not None, "the reader checked"
    assert verb.from_ is not None, "the reader checked"
    assert verb.to is not None, "the reader checked"
    request, response = API_MESSAGES[verb.api]
    if what == "request":
        return request, verb.from_, verb.to
    return response, verb.to, verb.from_


def _goes(message: Message, route: Route) -> bool:
    return (message.kind, message.sender, message.receiver) == route


def hold(replay: Replay, route: Route) -> None:
    """Hold messages from now on. A fetch that is parked at the leader expires, and its response is
    applied.
    """
    settle(replay.execution, notices=False)
    cluster = replay.cluster
    replay.put(replace(cluster, network_holds=(*cluster.network_holds, route)))


def release(replay: Replay, route: Route) -> None:
    """Hold these messages no longer. They are delivered as time passes."""
    cluster = replay.cluster
    replay.put(
        replace(
            cluster,
            network_holds=tuple(held for held in cluster.network_holds if held != route),
            messages=tuple(
                replace(message, held=False) if _goes(message, route) else message
                for message in cluster.messages
            ),
        )
    )


def drop(replay: Replay, route: Route) -> None:
    """Drop those of these messages that are held."""
    for message in replay.cluster.messages:
        if _goes(message, route) and message.held:
            _act_on(replay, steps.Drop, message)


def _send_if_idle(replay: Replay, verb: verbs.Fetch) -> None:
    """Let a follower send the request of a round that changes nothing, for example over a link that
    loses the response: the engine does not play such a round by itself.
    """
    route: Route = ("fetch_request", verb.broker, verb.from_)
    if any(_goes(message, route) for message in replay.cluster.messages):
        return
    for replica in replay.cluster.broker(verb.broker).replicas:
        fetcher = replica.fetcher
        if fetcher is not None and fetcher.leader == verb.from_ and fetcher.awaiting is None:
            sends = steps.SendFetch(broker=verb.broker, partition=replica.partition)
            replay.execution.act(sends)
            return


def _one_request(replay: Replay, verb: verbs.Fetch) -> list[Message]:
    """What a follower's oldest request contains. The engine has a message for each partition; real
    followers ask for all that they fetch when they send, which is when the response before came.
    """
    route: Route = ("fetch_request", verb.broker, verb.from_)
    sent_ms = max(_oldest(replay, route).sent_ms, _last_response_ms(replay, verb))
    return [one for one in replay.cluster.messages if _goes(one, route) and one.sent_ms <= sent_ms]


def _last_response_ms(replay: Replay, verb: verbs.Fetch) -> TimeMs:
    """When the follower last had a response of the leader."""
    for done in reversed(replay.execution.executed):
        act = done.action
        if isinstance(act, steps.Deliver) and (act.kind, act.from_, act.to) == (
            "fetch_response", verb.from_, verb.broker
        ):  # fmt: skip
            return done.transition.cluster.now_ms
    return NEVER_MS


def _end_wait(replay: Replay, verb: verbs.Fetch, partition: TopicPartition) -> None:
    """Let a parked fetch expire. Until then the controller has responded to an ISR change that the
    fetch led to: the response has the high watermark after it.
    """
    if not is_parked(replay.cluster, verb.broker, verb.from_, partition):
        return
    while (message := _next_of_isr_change(replay)) is not None:
        replay.execution.act(delivery_of(message))
    if is_parked(replay.cluster, verb.broker, verb.from_, partition):
        replay.execution.act(long_poll(verb.from_, partition, verb.broker))


def _next_of_isr_change(replay: Replay) -> Message | None:
    for message in replay.cluster.messages:
        is_meant = message.kind in ("alter_partition_request", "alter_partition_response")
        if is_meant and why_undeliverable(replay.cluster, message) is None:
            return message
    return None


def _oldest(replay: Replay, route: Route, partition: TopicPartition | None = None) -> Message:
    for message in replay.cluster.messages:
        if _goes(message, route) and partition in (None, message.partition):
            return message
    raise RefusedError("no_such_message", kind=route[0], link=(route[1], route[2]))


def _act_on(replay: Replay, act: type[_Act], message: Message) -> None:
    replay.execution.act(
        act(
            kind=message.kind,
            from_=message.sender,
            to=message.receiver,
            partition=message.partition,
        )
    )
