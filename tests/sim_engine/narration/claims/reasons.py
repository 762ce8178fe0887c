"""What each reason of a refusal claims about the state in which a reader sees it.

A check gets the values of the reason as attributes, the refused step, and the state before it.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from sim_engine.actions.steps import Elect, Timer
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId
from sim_engine.narration import RefusedError
from sim_engine.protocol.messages import LeaderAndIsr, Message, PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.releases import find_level, level_reached
from sim_engine.simulation.fetch_rounds import looks_the_same
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.versions import controls_of, resolve_profile

Given = Any
"""The values of a reason, as attributes; `from` is `from_`."""
ReasonCheck = Callable[[Given, Any, ClusterState], object]  # Any: the step


def given_in(numbers: Mapping[str, object]) -> Given:
    return SimpleNamespace(**{("from_" if key == "from" else key): numbers[key] for key in numbers})


def _of(given: Given, cluster: ClusterState) -> PartitionRegistration:
    return cluster.controller.partition(given.partition)


def _replica(given: Given, cluster: ClusterState) -> Replica:
    return cluster.replica(given.broker, given.partition)


def _is_up(cluster: ClusterState, broker: BrokerId) -> bool:
    return cluster.broker(broker).process in ("running", "shutting_down")


def _is_reached(cluster: ClusterState, broker: BrokerId) -> bool:
    return _is_up(cluster, broker) and cluster.reaches_controller(broker)


def _considered_alive(cluster: ClusterState, broker: BrokerId) -> bool:
    return cluster.controller.broker(broker).active


def _flying(given: Given, cluster: ClusterState) -> list[Message]:
    route = (given.kind, given.from_, given.to)
    return [one for one in cluster.messages if (one.kind, one.sender, one.receiver) == route]


def _client(given: Given, cluster: ClusterState) -> Any:
    return cluster.clients.find(given.producer)


def _is_zookeeper(cluster: ClusterState) -> bool:
    return cluster.profile.control == "zookeeper"


def _has_no_candidate(given: Given, step: Any, cluster: ClusterState) -> object:
    """Whether no replica can be elected. One that has restarted loses its old session first."""
    registration = _of(given, cluster)
    candidates = set(registration.replicas)
    if step.kind != "unclean":
        candidates &= set(registration.isr)
    return not any(
        _is_reached(cluster, one)
        and _considered_alive(cluster, one)
        and cluster.broker(one).incarnation == cluster.controller.broker(one).incarnation
        for one in candidates
    )


def _would_be_elected(given: Given, step: Any, cluster: ClusterState) -> object:
    execution = StepExecution(cluster, 1, 400)  # type: ignore[arg-type]
    try:
        execute_step(execution, Elect(partition=given.partition, kind=step.kind))
    except RefusedError as refused:
        # Detecting a failure already elects it.
        unclean = refused.code == "election_was_unclean"
        return unclean and refused.numbers["leader"] == given.elected != given.wanted
    elected = execution.cluster.controller.partition(given.partition).leader
    return execution.executed and elected == given.elected != given.wanted


def _named_by(whom: Any, broker: BrokerId, cluster: ClusterState) -> list[Any]:
    """The endpoints that a reason names; "brokers" and "all" are those of `isolate`."""
    others = [one.broker_id for one in cluster.brokers if one.broker_id != broker]
    assert others, "a reason names at least one"
    named: dict[Any, list[Any]] = {"brokers": others, "all": [CONTROLLER, *others]}
    return named.get(whom, [whom])


def _follows_another(given: Given, step: Any, cluster: ClusterState) -> object:
    sent = [
        one for one in cluster.messages if (one.sender, one.receiver) == (given.from_, given.to)
    ]
    return any(one.kind == given.kind for one in sent[1:])


def _no_fetch_is_parked(given: Given, step: Timer, cluster: ClusterState) -> object:
    return not any(
        step.partition in (None, led.partition) and step.follower in (None, parked.follower)
        for led in cluster.broker(given.broker).replicas
        if led.leading is not None
        for parked in led.leading.parked
    )


def _no_such_timer(given: Given, step: Timer, cluster: ClusterState) -> object:
    broker = cluster.broker(given.broker)
    leading = [one.leading for one in broker.replicas if one.leading is not None]
    if given.kind == "produce_timeout":
        return not any(state.produces for state in leading)
    if given.kind == "fetch_backoff":
        fetchers = [one.fetcher for one in broker.replicas if one.fetcher is not None]
        return all(one.delayed_until_ms is None for one in fetchers)
    return broker.contact_lost_ms is None or not _considered_alive(cluster, given.broker)


def _is_awaited(given: Given, cluster: ClusterState) -> bool:
    replica = _replica(given, cluster)
    awaited = {late.message_id for late in replica.late_requests}
    if replica.fetcher is not None and replica.fetcher.awaiting is not None:
        awaited.add(replica.fetcher.awaiting)
    parked = {
        one.message.id
        for broker in cluster.brokers
        for led in broker.replicas
        if led.leading is not None
        for one in led.leading.parked
    }
    flying = {one.id for one in cluster.messages} | {one.in_reply_to for one in cluster.messages}
    return bool(awaited & (parked | flying))


def _no_control_has_it(given: Given, step: Any, cluster: ClusterState) -> object:
    assert given.step == "unclean_leader_check"
    return not any(
        resolve_profile(given.kafka, control=control).rules.unclean_election_by_setting
        for control in controls_of(given.kafka)
    )


def _is_the_last_command(given: Given, step: Any, cluster: ClusterState) -> object:
    about = [
        registration.leader_epoch
        for one in cluster.messages
        if isinstance(one.payload, LeaderAndIsr) and one.receiver == given.broker
        for registration in one.payload.partitions
        if registration.partition == given.partition
    ]
    return about == about[:1] or about[0] > max(about[1:])


def _changes_nothing(given: Given, step: Any, cluster: ClusterState) -> object:
    execution = StepExecution(cluster, 1, 400)  # type: ignore[arg-type]
    execute_step(execution, step)
    return looks_the_same(cluster, execution.cluster)


def _unanswered(given: Given, step: Any, cluster: ClusterState) -> object:
    acked = {one.value for one in cluster.clients.produced if one.outcome == "acked"}
    return given.values and not acked & set(given.values)


def _nothing_is_under_way(given: Given, step: Any, cluster: ClusterState) -> object:
    arriving = any(
        not one.held
        and not cluster.is_cut(one.sender, one.receiver)
        and (one.receiver == CONTROLLER or _is_up(cluster, one.receiver))
        for one in cluster.messages
        if one.sender != CONTROLLER
    )
    undetected = any(
        _considered_alive(cluster, broker.broker_id) and broker.process in ("crashed", "failed")
        for broker in cluster.brokers
    )
    return not arriving and not undetected


REASONS: Mapping[str, ReasonCheck] = {
    "broker_not_running": lambda g, s, c: c.broker(g.broker).process == g.state,
    "fetcher_ending": lambda g, s, c: c.broker(g.broker).ending_fetchers,
    "no_session_left": lambda g, s, c: (
        not _is_zookeeper(c) or not c.controller.broker(g.broker).live
    ),
    "broker_already_running": lambda g, s, c: c.broker(g.broker).process == g.state != "crashed",
    "broker_not_paused": lambda g, s, c: c.broker(g.broker).process != "paused",
    "no_leader": lambda g, s, c: _of(g, c).leader == NO_LEADER,
    "no_isr_notifications": lambda g, s, c: (
        not _is_zookeeper(c) or c.profile.rules.alter_partition or c.profile.kafka.startswith("0.8")
    ),
    "controller_is_a_quorum": lambda g, s, c: not _is_zookeeper(c),
    "reassignment_in_progress": lambda g, s, c: (
        _of(g, c).adding_replicas or _of(g, c).removing_replicas or _of(g, c).reorders_replicas
    ),
    "reassignment_cannot_be_cancelled": lambda g, s, c: c.profile.version < (2, 4),
    "no_reassignment": lambda g, s, c: (
        not _of(g, c).adding_replicas and not _of(g, c).removing_replicas
    ),
    "cancel_needs_unclean_election": lambda g, s, c: (
        set(_of(g, c).isr) <= set(_of(g, c).adding_replicas)
    ),
    "reassignment_fails": lambda g, s, c: (
        g.broker not in _of(g, c).replicas or g.broker in _of(g, c).removing_replicas
    ),
    "new_replica_not_live": lambda g, s, c: not _considered_alive(c, g.broker),
    "not_a_replica": lambda g, s, c: c.broker(g.broker).replica(g.partition) is None,
    "is_leader": lambda g, s, c: _replica(g, c).leading is not None,
    "leader_unknown": lambda g, s, c: (
        _replica(g, c).leader == NO_LEADER and _of(g, c).leader != NO_LEADER
    ),
    "fetching_stopped": lambda g, s, c: (
        c.broker(g.broker).process == "shutting_down" and _replica(g, c).fetcher is None
    ),
    "request_in_flight": lambda g, s, c: _is_awaited(g, c),
    "fetcher_failed": lambda g, s, c: _replica(g, c).fetcher.phase == "failed",  # type: ignore[union-attr]
    "not_truncating": lambda g, s, c: _replica(g, c).fetcher.phase == "fetching",  # type: ignore[union-attr]
    "no_such_message": lambda g, s, c: not _flying(g, c),
    "no_message_of_partition": lambda g, s, c: (
        not any(one.partition == g.partition for one in _flying(g, c))
    ),
    "too_few_messages": lambda g, s, c: (
        sum(s.partition in (None, one.partition) for one in _flying(g, c)) < g.nth
    ),
    "message_held": lambda g, s, c: any(one.held for one in _flying(g, c)),
    "message_not_held": lambda g, s, c: not all(one.held for one in _flying(g, c)) or s.nth,
    "earlier_message_first": _follows_another,
    "too_few_records": lambda g, s, c: g.waiting < g.records,
    "no_metadata_log": lambda g, s, c: _is_zookeeper(c),
    "metadata_held_already": lambda g, s, c: (
        ("metadata_record", CONTROLLER, g.broker) in c.network_holds
    ),
    "metadata_is_read_again": lambda g, s, c: not _is_zookeeper(c),
    "registration_unread": lambda g, s, c: (
        c.controller.broker(g.broker).fenced and _is_up(c, g.broker)
    ),
    "nothing_in_its_place": _is_the_last_command,
    "link_cut": lambda g, s, c: c.is_cut(g.from_, g.to),
    "receiver_down": lambda g, s, c: (
        c.broker(g.broker).process == g.state and not _is_up(c, g.broker)
    ),
    "timer_not_running": _no_such_timer,
    "no_parked_fetch": _no_fetch_is_parked,
    "keep_below_flushed": lambda g, s, c: g.keep < g.flushed == _replica(g, c).flushed,
    "keep_above_log_end": lambda g, s, c: (
        g.keep > g.log_end_offset == _replica(g, c).log_end_offset
    ),
    "already_cut": lambda g, s, c: all(
        c.is_cut(g.from_, other) for other in _named_by(g.to, g.from_, c)
    ),
    "not_cut": lambda g, s, c: g.from_ != g.to and not c.is_cut(g.from_, g.to),
    "no_link_cut": lambda g, s, c: not any(g.broker in link for link in c.links_cut),
    "no_other_broker": lambda g, s, c: [one.broker_id for one in c.brokers] == [g.broker],
    "nothing_to_notice": lambda g, s, c: (
        c.broker(g.broker).process == "shutting_down"
        or (c.controller.broker(g.broker).live and not c.controller.broker(g.broker).fenced)
        == _is_reached(c, g.broker)
    ),
    "already_noticed": lambda g, s, c: not _considered_alive(c, g.broker),
    "cannot_reach_controller": lambda g, s, c: not c.reaches_controller(g.broker),
    "cannot_reach_zookeeper": lambda g, s, c: (
        _is_zookeeper(c) and not c.reaches_controller(g.broker)
    ),
    "leader_is_valid": lambda g, s, c: _of(g, c).leader == g.leader != NO_LEADER,
    "leader_not_elected": _would_be_elected,
    "election_was_unclean": lambda g, s, c: (
        g.leader not in _of(g, c).isr and g.leader not in _of(g, c).elr
    ),
    "no_eligible_replica": _has_no_candidate,
    "no_eligible_replica_left": _has_no_candidate,
    "unclean_disabled": lambda g, s, c: (
        not c.settings_of(g.partition).unclean_leader_election_enable
    ),
    "min_isr_of_one_broker": lambda g, s, c: c.profile.rules.eligible_leader_replicas,
    "preferred_not_eligible": lambda g, s, c: (
        _of(g, c).replicas[0] == g.broker
        and (
            _of(g, c).leader == g.broker
            or g.broker not in _of(g, c).isr
            or not _considered_alive(c, g.broker)
            or not _is_reached(c, g.broker)
        )
    ),
    "no_producer": lambda g, s, c: _client(g, c) is None,
    "no_idempotence": lambda g, s, c: c.profile.version < (0, 11),
    "no_transactions": lambda g, s, c: c.profile.version < (0, 11),
    "no_follower_reads": lambda g, s, c: (
        c.profile.version < (2, 4) and _replica(g, c).leading is None
    ),
    "transaction_open": lambda g, s, c: _client(g, c).in_transaction,
    "no_transaction": lambda g, s, c: _client(g, c) is None or not _client(g, c).in_transaction,
    "transaction_needs_acks_all": lambda g, s, c: _client(g, c).in_transaction and g.acks != "all",
    "transaction_unanswered": _unanswered,
    "marker_needs_isr": lambda g, s, c: len(g.isr) < g.min_insync_replicas,
    "leader_not_told": lambda g, s, c: (
        _of(g, c).leader == g.broker and _replica(g, c).leading is None
    ),
    "nothing_to_retry": lambda g, s, c: all(
        one.outcome == "acked" or one.retried or one.transaction is not None
        for one in c.clients.produced
        if one.producer == g.producer
    ),
    "level_of_other_control": lambda g, s, c: ("metadata" in g.name) != _is_zookeeper(c),
    "level_not_spoken": lambda g, s, c: (
        not level_reached(find_level(g.level), find_level(g.lowest))
        or not level_reached(find_level(g.highest), find_level(g.level))
    ),
    "level_spoken_already": lambda g, s, c: c.profile.level == g.level,
    "level_cannot_go_back": lambda g, s, c: c.profile.level == g.before != g.level,
    "unknown_to_kraft": lambda g, s, c: not _is_zookeeper(c) and c.profile.version < (3, 2),
    "unknown_to_version": _no_control_has_it,
    "unknown_to_zookeeper": lambda g, s, c: _is_zookeeper(c),
    "nothing_pending": _nothing_is_under_way,
    "nothing_happened": _changes_nothing,
    "log_full": lambda g, s, c: any(
        len(one.log.records) == g.limit
        for broker in c.brokers
        for one in broker.replicas
        if one.partition == g.partition
    ),
}
