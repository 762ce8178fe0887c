"""Replays the verbs about the network: messages held, released and dropped, and brokers cut off."""

from msgspec.structs import replace

from sim_engine.actions.steps import Deliver, Drop, Heal, Hold, Isolate, Release
from sim_engine.conformance.recording import (
    API_MESSAGES,
    KRAFT_CONTROLLER,
    TOPIC,
    CutOff,
    Fetch,
    Frames,
    Network,
    Reconnect,
)
from sim_engine.conformance.replay_state import Replay
from sim_engine.conformance.verb_replay import open_broker_session
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId, MessageKind
from sim_engine.narration.sentences import RefusedError
from sim_engine.protocol.messages import Message
from sim_engine.simulation.clock import settle
from sim_engine.simulation.fetch_rounds import long_poll
from sim_engine.simulation.performing.messages import waiting_records

Route = tuple[MessageKind, BrokerId, BrokerId]
"""Messages of one kind from one broker to another."""


def network(replay: Replay, verb: Network) -> None:
    """Hold, release or drop messages of one kind between two brokers, or cut ZooKeeper off."""
    if verb.cut is not None or verb.heal is not None:
        assert verb.broker is not None, "the reader checked"
        if verb.cut is not None:
            _isolate(replay, verb.broker)
        else:
            _heal(replay, verb.broker)
    elif verb.to == KRAFT_CONTROLLER:
        _metadata(replay, verb)
    elif verb.hold is not None:
        _hold(replay, _route(verb, verb.hold))
    elif verb.release is not None:
        _release(replay, _route(verb, verb.release))
    elif verb.drop is not None:
        _drop(replay, _route(verb, verb.drop))


def cut_off(replay: Replay, verb: CutOff) -> None:
    """Close and refuse a broker's connections to the controller."""
    _isolate(replay, verb.broker)


def reconnect(replay: Replay, verb: Reconnect) -> None:
    """Allow a broker to reach the controller again."""
    _heal(replay, verb.broker)


def fetch(replay: Replay, verb: Fetch) -> None:
    """Deliver exactly `rounds` held fetch requests."""
    for remaining in range(verb.rounds, 0, -1):
        settle(replay.execution, notices=False)
        request = _oldest(replay, ("fetch_request", verb.broker, verb.from_))
        _act_on(replay, Release, request)
        _act_on(replay, Deliver, request)
        _end_wait(replay, verb.broker, verb.from_)
        response = _oldest(replay, ("fetch_response", verb.from_, verb.broker))
        is_held = remaining == 1 and verb.response == "held"
        _act_on(replay, Hold if is_held else Deliver, response)


# --- a broker and the controller -----------------------------------------------------------------


def _isolate(replay: Replay, broker_id: BrokerId) -> None:
    replay.execution.act(Isolate(broker=broker_id, from_=CONTROLLER))


def _heal(replay: Replay, broker_id: BrokerId) -> None:
    replay.execution.act(Heal(broker=broker_id))
    _read_all_metadata(replay, broker_id)
    open_broker_session(replay, broker_id)


def _metadata(replay: Replay, verb: Network) -> None:
    """Hold a broker's metadata; once released, it reads all of it in one delivery."""
    assert verb.from_ is not None, "the reader checked"
    if verb.hold is not None:
        settle(replay.execution, notices=False)
        replay.execution.act(Hold(kind=METADATA_RECORD, to=verb.from_))
        return
    replay.execution.act(Release(kind=METADATA_RECORD, to=verb.from_))
    _read_all_metadata(replay, verb.from_)


def _read_all_metadata(replay: Replay, broker_id: BrokerId) -> None:
    """Let a broker read all of its metadata with its first fetch after a release."""
    waiting = waiting_records(replay.cluster, broker_id)
    if waiting:
        replay.execution.act(Deliver(kind=METADATA_RECORD, to=broker_id, records=len(waiting)))


# --- messages between two brokers ----------------------------------------------------------------


def _route(verb: Network, what: Frames) -> Route:
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


def _hold(replay: Replay, route: Route) -> None:
    """Hold messages from now on. A fetch that is parked at the leader expires, and its response is
    applied.
    """
    settle(replay.execution, notices=False)
    cluster = replay.cluster
    replay.put(replace(cluster, network_holds=(*cluster.network_holds, route)))


def _release(replay: Replay, route: Route) -> None:
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


def _drop(replay: Replay, route: Route) -> None:
    for message in replay.cluster.messages:
        if _goes(message, route) and message.held:
            _act_on(replay, Drop, message)


def _end_wait(replay: Replay, follower: BrokerId, leader: BrokerId) -> None:
    """Let a parked fetch expire."""
    leading = replay.cluster.replica(leader, TOPIC).leading
    if leading is not None and any(parked.follower == follower for parked in leading.parked):
        replay.execution.act(long_poll(leader, TOPIC, follower))


def _oldest(replay: Replay, route: Route) -> Message:
    for message in replay.cluster.messages:
        if _goes(message, route):
            return message
    raise RefusedError("no_such_message", kind=route[0], link=(route[1], route[2]))


def _act_on(replay: Replay, act: type[Deliver | Drop | Hold | Release], message: Message) -> None:
    replay.execution.act(
        act(
            kind=message.kind,
            from_=message.sender,
            to=message.receiver,
            partition=message.partition,
        )
    )
