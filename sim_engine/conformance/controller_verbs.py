"""What the controller was asked and noticed, and the time in which it did."""

from sim_engine.actions import AskElection
from sim_engine.actions import Reassign as AskReassignment
from sim_engine.conformance.client_verbs import outcome_of
from sim_engine.conformance.recording import TOPIC
from sim_engine.conformance.recording_file import Noticed
from sim_engine.conformance.replay_state import (
    Replay,
    isr_of,
    notice,
    pass_time,
    pass_time_until,
)
from sim_engine.conformance.verbs import CreateTopic, Elect, Reassign, Wait
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.performing.controller import broker_is_back, session_has_ended
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import deliver_commands, play_step


def create_topic(replay: Replay, verb: CreateTopic) -> None:
    """The topic is there from the start; its partition's record was the first written."""


def elect(replay: Replay, verb: Elect) -> None:
    """An administrator asks for an election; one that is not needed changes nothing."""
    try:
        replay.play.act(AskElection(partition=TOPIC, kind=verb.kind))
    except RefusedError:
        return
    if replay.step.settled:
        deliver_commands(replay.play)


def reassign(replay: Replay, verb: Reassign) -> None:
    """Other replicas, or the same in another order."""
    play_step(replay.play, AskReassignment(partition=TOPIC, replicas=tuple(verb.replicas)))


def wait(replay: Replay, verb: Wait) -> None:
    """Some time, or until something shows; what the controller notices is in `noticed`."""
    if verb.ms is not None:
        pass_time(replay, _end_sessions_within(replay, verb.ms))
        return
    assert verb.until is not None, "the reader checked"
    if verb.until.isr_shrinks:
        members = len(isr_of(replay))
        pass_time_until(replay, lambda: len(isr_of(replay)) < members)
    elif verb.until.answered is not None:
        value = verb.until.answered
        pass_time_until(replay, lambda: outcome_of(replay, value).outcome != "pending")


def _end_sessions_within(replay: Replay, ms: int) -> int:
    """Sessions of brokers that are cut off from ZooKeeper end by themselves in their time.

    Gives how much of the time is left after the last of them.
    """
    cluster = replay.cluster
    if not cluster.controller_kind.registers_in_znodes:
        return ms
    until_ms = cluster.now_ms + ms
    for broker in cluster.brokers:
        lost_ms = broker.contact_lost_ms
        if not broker.running or lost_ms is None:
            continue
        end_ms = lost_ms + cluster.session_timeout_ms
        if end_ms <= until_ms and session_has_ended(replay.cluster, broker.broker_id):
            pass_time(replay, max(0, end_ms - replay.cluster.now_ms))
            notice(replay, broker.broker_id)
    return until_ms - replay.cluster.now_ms


def notice_as_recorded(replay: Replay, noticed: Noticed) -> None:
    """What the real KRaft controller noticed in this step; a stop notices by itself."""
    broker_id = noticed.broker
    is_fenced = replay.cluster.controller.broker(broker_id).fenced
    if noticed.fenced is True and not is_fenced:
        _wait_for_session_end(replay, broker_id)
        notice(replay, broker_id)
    elif noticed.fenced is not False and not noticed.registered:
        deliver_commands(replay.play)
    elif broker_is_back(replay.cluster, broker_id):
        notice(replay, broker_id)


def _wait_for_session_end(replay: Replay, broker_id: BrokerId) -> None:
    lost_ms = replay.cluster.broker(broker_id).contact_lost_ms
    if lost_ms is None:
        return
    left_ms = lost_ms + replay.cluster.session_timeout_ms - replay.cluster.now_ms
    if left_ms > 0:
        pass_time(replay, left_ms)
