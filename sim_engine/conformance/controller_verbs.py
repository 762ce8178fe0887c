"""Replays the verbs about the controller: requests, detected changes, and waiting."""

from typing import cast

from sim_engine.actions import AskElection, Config, Timer
from sim_engine.actions import Reassign as AskReassignment
from sim_engine.configs import ConfigValue
from sim_engine.conformance.client_verbs import outcome_of
from sim_engine.conformance.recording import TOPIC
from sim_engine.conformance.recording_file import NoticedBroker
from sim_engine.conformance.replay_state import (
    Replay,
    isr_of,
    leader_of,
    notice,
    pass_time,
    pass_time_until,
)
from sim_engine.conformance.verbs import (
    ChangeConfig,
    CreateTopic,
    Elect,
    Reassign,
    Until,
    Wait,
)
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.simulation.performing.controller import broker_is_back, broker_session_has_ended
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import deliver_commands, execute_step


def create_topic(replay: Replay, verb: CreateTopic) -> None:
    """Do nothing: the topic exists from the start. The record of its partition was the first one
    written.
    """


def elect(replay: Replay, verb: Elect) -> None:
    """Request an election, as an administrator. An unnecessary one changes nothing."""
    try:
        replay.execution.act(AskElection(partition=TOPIC, kind=verb.kind))
    except RefusedError:
        return
    if replay.step.settled:
        deliver_commands(replay.execution)


def reassign(replay: Replay, verb: Reassign) -> None:
    """Reassign the partition to other replicas, reorder them, or cancel a reassignment, as an
    administrator. Kafka responds with an error to some requests, which then change nothing.
    """
    replicas = None if verb.replicas is None else tuple(verb.replicas)
    try:
        execute_step(replay.execution, AskReassignment(partition=TOPIC, replicas=replicas))
    except RefusedError as refused:
        if refused.code not in _RESPONSES:
            raise


_RESPONSES = ("cancel_needs_unclean_election", "no_reassignment", "reassignment_fails")
"""The refusals that are error responses of a controller that handles the request."""


def change_config(replay: Replay, verb: ChangeConfig) -> None:
    """Change dynamic settings of the topic, of one broker or of the cluster."""
    settings = cast("dict[str, ConfigValue]", verb.settings)
    replay.execution.act(Config(topic=verb.topic, broker=verb.broker, settings=settings))


def wait(replay: Replay, verb: Wait) -> None:
    """Wait for a time, or until a condition is true; `noticed` has the changes that the controller
    detects.
    """
    if verb.ms is not None:
        pass_time(replay, _end_broker_sessions_within(replay, verb.ms))
        return
    assert verb.until is not None, "the reader checked"
    if verb.until.isr_shrinks:
        members = len(isr_of(replay))
        pass_time_until(replay, lambda: len(isr_of(replay)) < members)
    elif _waits_for_check(replay, verb.until):
        replay.execution.act(Timer(kind="unclean_leader_check"))
    elif verb.until.answered is not None:
        value = verb.until.answered
        pass_time_until(replay, lambda: outcome_of(replay, value).outcome != "pending")


def _waits_for_check(replay: Replay, until: Until) -> bool:
    """Whether a wait for a leader, in which the controller noticed no broker, was the wait for its
    check for leaderless partitions (`unclean.leader.election.interval.ms`).
    """
    return (
        until.leader is not None
        and leader_of(replay) == NO_LEADER
        and not replay.step.noticed
        and replay.cluster.profile.rules.unclean_election_by_setting
    )


def _end_broker_sessions_within(replay: Replay, ms: int) -> int:
    """End the sessions of brokers that are cut off from ZooKeeper when they time out.

    Returns the time that is left after the last of them, in ms.
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
        if end_ms <= until_ms and broker_session_has_ended(replay.cluster, broker.broker_id):
            pass_time(replay, max(0, end_ms - replay.cluster.now_ms))
            notice(replay, broker.broker_id)
    return until_ms - replay.cluster.now_ms


def notice_as_recorded(replay: Replay, noticed: NoticedBroker) -> None:
    """Detect the changes that the real KRaft controller detected in this step; a controlled
    shutdown needs no detection.
    """
    broker_id = noticed.broker
    is_fenced = replay.cluster.controller.broker(broker_id).fenced
    if noticed.fenced is True and not is_fenced:
        _wait_for_broker_session_end(replay, broker_id)
        notice(replay, broker_id)
    elif noticed.fenced is not False and not noticed.registered:
        deliver_commands(replay.execution)
    elif broker_is_back(replay.cluster, broker_id):
        notice(replay, broker_id)


def _wait_for_broker_session_end(replay: Replay, broker_id: BrokerId) -> None:
    lost_ms = replay.cluster.broker(broker_id).contact_lost_ms
    if lost_ms is None:
        return
    left_ms = lost_ms + replay.cluster.session_timeout_ms - replay.cluster.now_ms
    if left_ms > 0:
        pass_time(replay, left_ms)
