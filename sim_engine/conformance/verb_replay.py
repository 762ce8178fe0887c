"""Replays the verbs about clients, about brokers' processes and disks, about the controller, and
about the network: messages held, released and dropped, and brokers cut off.
"""

from typing import Literal, cast

from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.cluster.state import ClusterState, error_without_replica, with_broker, with_replica
from sim_engine.configs import ConfigValue
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.message_replay import drop, hold, release, route_of
from sim_engine.conformance.recording import KRAFT_CONTROLLER, TOPIC
from sim_engine.conformance.replay_state import (
    NOT_SENT,
    SOON_MS,
    Replay,
    freeze_controller,
    isr_of,
    leader_of,
    notice,
    notice_as_recorded,
    pass_time,
    pass_time_until,
    stop_own_timers,
)
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, NO_LEADER, BrokerId, Offset
from sim_engine.narration import RefusedError
from sim_engine.protocol.leader.requests import handle_offsets_for_leader_epoch
from sim_engine.protocol.messages import (
    Message,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.simulation.clock import settle
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    broker_is_back,
    broker_session_has_ended,
    is_unnoticed,
)
from sim_engine.simulation.performing.messages import waiting_records
from sim_engine.simulation.step_expansion import deliver_commands, execute_step


def produce(replay: Replay, verb: verbs.Produce) -> None:
    """Send each value in a separate request, after the response to the previous one."""
    for value in verb.values:
        target = leader_of(replay) if verb.broker is None else verb.broker
        if target == NO_LEADER:
            replay.requests.append((value, NOT_SENT))
            continue
        request = len(replay.cluster.clients.produced)
        replay.requests.append((value, request))
        replay.execution.act(_sent_by(replay, verb, value, target))
        replay.asked_ms[request] = replay.cluster.now_ms
        if verb.wait:
            _await_response(replay, request)


def _sent_by(replay: Replay, verb: verbs.Produce, value: str, target: BrokerId) -> steps.Produce:
    """The producer of a value: the plain, the idempotent or the transactional one.

    If a later step resends a batch with a producer id, that producer also sent it originally.
    """
    plain = steps.Produce(
        to=TOPIC,
        values=(value,),
        acks="all" if verb.acks == -1 else verb.acks,
        as_="client",
        broker=target,
        timeout_ms=verb.timeout_ms,
    )
    sequence = verb.sequence
    if sequence is None:
        sequence = _sequences_by_value(replay).get(value)
    if sequence is None:
        return plain
    if verb.transactional:
        return replace(plain, as_="transactional", sequence=sequence)
    return replace(plain, as_="idempotent", idempotent=True, sequence=sequence)


def _sequences_by_value(replay: Replay) -> dict[str, int]:
    return {
        value: step.verb.producer_id_epoch_sequence[2]
        for step in replay.recording.steps
        if isinstance(step.verb, verbs.Produce) and step.verb.producer_id_epoch_sequence is not None
        for value in step.verb.values
    }


def _await_response(replay: Replay, request: int) -> None:
    """Wait for the response to a request.

    A step that was read immediately ends before a slow response arrives.
    """
    timeout_ms = replay.cluster.clients.produced[request].timeout_ms
    pass_time_until(
        replay,
        lambda: replay.cluster.clients.produced[request].outcome != "pending",
        at_most_ms=timeout_ms if replay.step.settled else SOON_MS,
    )


def answer(replay: Replay, verb: verbs.Answer) -> None:
    """Receive the response to an earlier request."""
    request = _request_of(replay, verb.value)
    if request != NOT_SENT:
        _await_response(replay, request)


def outcome_of(replay: Replay, value: str) -> verbs.ProduceResult:
    """The outcome of the last request with a value, as its producer knows it now."""
    request = _request_of(replay, value)
    if request == NOT_SENT:
        return verbs.ProduceResult(value=value, outcome="not_sent")
    produced = replay.cluster.clients.produced[request]
    outcome = produced.outcome
    timed_out_ms = replay.asked_ms[request] + produced.timeout_ms
    if outcome == "pending" and replay.cluster.now_ms >= timed_out_ms:
        # The real producer timed out after the same time.
        outcome = "no_answer"
    if produced.acks == 0 and produced.outcome == "failed":
        # There is no response: the broker closes the connection.
        return verbs.ProduceResult(value=value, outcome="no_answer")
    return verbs.ProduceResult(
        value=value, outcome=outcome, offset=produced.offset, error=produced.error
    )


def _request_of(replay: Replay, value: str) -> int:
    return next(request for sent, request in reversed(replay.requests) if sent == value)


def transaction(replay: Replay, verb: verbs.Transaction) -> None:
    """Begin a transaction with its first partition, or end it."""
    if verb.add_partition:
        replay.execution.act(steps.Transaction(as_="transactional", do="begin"))
        return
    assert verb.end is not None, "the reader checked"
    replay.execution.act(steps.Transaction(as_="transactional", do=verb.end))


# --- readers -------------------------------------------------------------------------------------


def consume(replay: Replay, verb: verbs.Consume) -> None:
    """Do nothing: `consumed_from` is compared with the records that a consumer would read at the
    broker.
    """


def offsets_for_leader_epoch(replay: Replay, verb: verbs.OffsetsForLeaderEpoch) -> None:
    """Request the end offsets of leader epochs from a broker, as a client. `answers` is compared
    with the response.
    """
    broker = replay.cluster.broker(verb.broker)
    if not broker.running:
        raise RefusedError("broker_not_running", broker=verb.broker, state=broker.process)
    replay.answers = [
        _epoch_end(
            replay.cluster,
            verb.broker,
            OffsetsForLeaderEpochRequest(
                leader_epoch=recorded.asked, current_leader_epoch=verb.current_leader_epoch
            ),
        )
        for recorded in replay.step.answers
    ]


def _epoch_end(
    cluster: ClusterState, broker_id: BrokerId, request: OffsetsForLeaderEpochRequest
) -> OffsetsForLeaderEpochResponse:
    """A broker's response, from the same function as for followers. It changes no state."""
    asks = Message(
        id=0,
        sender=CONTROLLER,
        receiver=broker_id,
        partition=TOPIC,
        payload=request,
        sent_ms=cluster.now_ms,
    )
    replica = cluster.replica(broker_id, TOPIC)
    outcome = handle_offsets_for_leader_epoch(
        replica,
        asks,
        request,
        cluster.view_of(replica),
        missing=error_without_replica(cluster, broker_id, TOPIC, "epoch_lookup"),
    )
    response = outcome.sends[0].payload
    assert isinstance(response, OffsetsForLeaderEpochResponse), "the response to that request"
    return response


def kill(replay: Replay, verb: verbs.Kill) -> None:
    """Kill the process (SIGKILL). With `session: ended`, the controller has detected it by the end
    of the step.
    """
    replay.execution.act(steps.Crash(broker=verb.broker))
    if verb.session == "ended":
        _end_broker_session(replay, verb.broker)


def session_end(replay: Replay, verb: verbs.SessionEnd) -> None:
    """Remove the znode of a dead or frozen broker. A frozen controller detects this later."""
    _end_broker_session(replay, verb.broker)


def _end_broker_session(replay: Replay, broker_id: BrokerId) -> None:
    if not replay.controller_frozen:
        notice(replay, broker_id)


def power_loss(replay: Replay, verb: verbs.PowerLoss) -> None:
    """Kill the process (SIGKILL) and truncate the log to its first records. The checkpoint files
    stay unchanged.

    Consecutive power losses count as one: all processes are killed first, and then each log is
    truncated.
    """
    if not replay.step.settled:
        for following in replay.next_steps:
            if not isinstance(following.verb, verbs.PowerLoss):
                break
            if replay.cluster.broker(following.verb.broker).alive:
                replay.execution.act(steps.Crash(broker=following.verb.broker))
    replica = replay.cluster.replica(verb.broker, TOPIC)
    keep = Offset(replica.log.log_start_offset + verb.keep)
    # The loss was emulated by truncating the file, whether or not it had been flushed.
    flushed = replace(replica, flushed=min(replica.flushed, keep))
    replay.put(with_replica(replay.cluster, flushed))
    replay.execution.act(steps.PowerLoss(broker=verb.broker, keep={TOPIC: keep}))
    if verb.session == "ended":
        _end_broker_session(replay, verb.broker)


def disk_loss(replay: Replay, verb: verbs.DiskLoss) -> None:
    """Kill the process (SIGKILL) and delete everything on its disk."""
    replay.execution.act(steps.DiskLoss(broker=verb.broker))
    if verb.session == "ended":
        _end_broker_session(replay, verb.broker)


def delete_file(replay: Replay, verb: verbs.DeleteFile) -> None:
    """Delete the high watermark checkpoint file of a dead broker."""
    broker = replay.cluster.broker(verb.broker)
    replicas = tuple(
        replace(replica, checkpoint_high_watermark=None) for replica in broker.replicas
    )
    replay.put(with_broker(replay.cluster, replace(broker, replicas=replicas)))


def stop(replay: Replay, verb: verbs.Stop) -> None:
    """Perform a controlled shutdown (SIGTERM), to its end."""
    execute_step(replay.execution, steps.Shutdown(broker=verb.broker))


def start(replay: Replay, verb: verbs.Start) -> None:
    """Start the process, which registers immediately. If the broker is still fenced then (KRaft),
    the recording contains the further steps.
    """
    broker_ids = verb.broker_ids()
    for broker_id in broker_ids:
        replay.execution.act(
            steps.Boot(broker=broker_id, session=_old_broker_session(replay, broker_id))
        )
    stop_own_timers(replay)
    if replay.cluster.controller_kind.fences_brokers or replay.controller_frozen:
        return
    for broker_id in _in_order_of_coming_up(replay, broker_ids):
        if replay.cluster.broker(broker_id).broker_session_kept:
            continue
        while broker_is_back(replay.cluster, broker_id) or broker_session_has_ended(
            replay.cluster, broker_id
        ):
            notice(replay, broker_id)
        if len(broker_ids) > 1:
            pass_time(replay, SOON_MS)


def _old_broker_session(replay: Replay, broker_id: BrokerId) -> Literal["kept"] | None:
    """Under ZooKeeper, a session that was not recorded as ended still exists."""
    lives = (
        replay.cluster.controller_kind.registers_in_znodes
        and not replay.controller_frozen
        and broker_session_has_ended(replay.cluster, broker_id)
    )
    return "kept" if lives else None


def _in_order_of_coming_up(replay: Replay, broker_ids: list[BrokerId]) -> list[BrokerId]:
    """Order brokers that start at the same time. Which one is up first is random, so the recorded
    ISR decides.
    """
    saw = replay.step.saw
    isr = [] if saw is None or saw.isr is None else saw.isr
    return sorted(
        broker_ids, key=lambda broker_id: isr.index(broker_id) if broker_id in isr else len(isr)
    )


def freeze(replay: Replay, verb: verbs.Freeze) -> None:
    """Pause the process (SIGSTOP), after the messages in flight have arrived."""
    pass_time(replay, SOON_MS)
    if verb.broker == replay.recording.file.controller_broker:
        freeze_controller(replay, frozen=True)
        return
    replay.execution.act(steps.Pause(broker=verb.broker))


def thaw(replay: Replay, verb: verbs.Thaw) -> None:
    """Resume the process (SIGCONT). A ZooKeeper broker whose session has ended opens a new one.

    The controller detects which brokers are registered now. It can distinguish a broker that
    restarted meanwhile from one that did not only by the broker epoch (KIP-380, from 2.2).
    """
    if verb.broker == replay.recording.file.controller_broker:
        freeze_controller(replay, frozen=False)
        for broker in replay.cluster.brokers:
            while is_unnoticed(replay.cluster, broker.broker_id) and not bounce_is_unseen(
                replay.cluster, broker.broker_id
            ):
                notice(replay, broker.broker_id)
        return
    _end_session_first(replay, verb.broker)
    replay.execution.act(steps.Resume(broker=verb.broker))
    open_broker_session(replay, verb.broker)


def _end_session_first(replay: Replay, broker_id: BrokerId) -> None:
    """Fence a KRaft broker that this step returns to the controller, if its session ended a moment
    before.
    """
    for noticed in replay.step.noticed:
        if noticed.broker == broker_id and noticed.fenced:
            notice_as_recorded(replay, noticed)


def open_broker_session(replay: Replay, broker_id: BrokerId) -> None:
    """Open a new session for a ZooKeeper broker whose session has ended, as soon as it can."""
    if replay.cluster.controller_kind.registers_in_znodes and broker_is_back(
        replay.cluster, broker_id
    ):
        notice(replay, broker_id)


def create_topic(replay: Replay, verb: verbs.CreateTopic) -> None:
    """Do nothing: the topic exists from the start. The record of its partition was the first one
    written.
    """


def elect(replay: Replay, verb: verbs.Elect) -> None:
    """Request an election, as an administrator. An unnecessary one changes nothing."""
    try:
        replay.execution.act(steps.AskElection(partition=TOPIC, kind=verb.kind))
    except RefusedError:
        return
    if replay.step.settled:
        deliver_commands(replay.execution)


def reassign(replay: Replay, verb: verbs.Reassign) -> None:
    """Reassign the partition to other replicas, reorder them, or cancel a reassignment, as an
    administrator. Kafka responds with an error to some requests, which then change nothing.
    """
    replicas = None if verb.replicas is None else tuple(verb.replicas)
    try:
        execute_step(replay.execution, steps.Reassign(partition=TOPIC, replicas=replicas))
    except RefusedError as refused:
        if refused.code not in _RESPONSES:
            raise


_RESPONSES = ("cancel_needs_unclean_election", "no_reassignment", "reassignment_fails")
"""The refusals that are error responses of a controller that handles the request."""


def change_config(replay: Replay, verb: verbs.Config) -> None:
    """Change dynamic settings of the topic, of one broker or of the cluster."""
    settings = cast("dict[str, ConfigValue]", verb.settings)
    replay.execution.act(steps.Config(topic=verb.topic, broker=verb.broker, settings=settings))


def wait(replay: Replay, verb: verbs.Wait) -> None:
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
        replay.execution.act(steps.Timer(kind="unclean_leader_check"))
    elif verb.until.answered is not None:
        value = verb.until.answered
        pass_time_until(replay, lambda: outcome_of(replay, value).outcome != "pending")


def _waits_for_check(replay: Replay, until: verbs.Until) -> bool:
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


def network(replay: Replay, verb: verbs.Network) -> None:
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
        hold(replay, route_of(verb, verb.hold))
    elif verb.release is not None:
        release(replay, route_of(verb, verb.release))
    elif verb.drop is not None:
        drop(replay, route_of(verb, verb.drop))


def cut_off(replay: Replay, verb: verbs.CutOff) -> None:
    """Close and refuse a broker's connections to the controller."""
    _isolate(replay, verb.broker)


def reconnect(replay: Replay, verb: verbs.Reconnect) -> None:
    """Allow a broker to reach the controller again."""
    _heal(replay, verb.broker)


def cut_link(replay: Replay, verb: verbs.CutLink) -> None:
    """Lose what one broker sends another."""
    replay.execution.act(steps.Cut(from_=verb.from_, to=verb.to))


def heal_link(replay: Replay, verb: verbs.HealLink) -> None:
    """Let what one broker sends another arrive again."""
    replay.execution.act(steps.Heal(from_=verb.from_, to=verb.to))


# --- a broker and the controller -----------------------------------------------------------------


def _isolate(replay: Replay, broker_id: BrokerId) -> None:
    replay.execution.act(steps.Isolate(broker=broker_id, from_=CONTROLLER))


def _heal(replay: Replay, broker_id: BrokerId) -> None:
    _end_session_first(replay, broker_id)
    replay.execution.act(steps.Heal(broker=broker_id))
    _read_all_metadata(replay, broker_id)
    open_broker_session(replay, broker_id)


def _metadata(replay: Replay, verb: verbs.Network) -> None:
    """Hold a broker's metadata; once released, it reads all of it in one delivery."""
    assert verb.from_ is not None, "the reader checked"
    if verb.hold is not None:
        settle(replay.execution, notices=False)
        replay.execution.act(steps.Hold(kind=METADATA_RECORD, to=verb.from_))
        return
    replay.execution.act(steps.Release(kind=METADATA_RECORD, to=verb.from_))
    _read_all_metadata(replay, verb.from_)


def _read_all_metadata(replay: Replay, broker_id: BrokerId) -> None:
    """Let a broker read all of its metadata with its first fetch after a release."""
    waiting = waiting_records(replay.cluster, broker_id)
    if waiting:
        replay.execution.act(
            steps.Deliver(kind=METADATA_RECORD, to=broker_id, records=len(waiting))
        )
