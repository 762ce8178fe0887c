"""Claims about ISRs, elections and brokers."""

from typing import Any

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.leader.isr import why_out_of_sync
from tests.sim_engine.narration.claims.states import claims, is_alive, is_up, led, own


@claims("IsrChecked")
def nobody_is_behind(event: Any, before: ClusterState, after: ClusterState) -> object:
    replica = own(event, before)
    leading = replica.leading
    if leading is None or leading.changes_isr:
        return False
    return not any(
        why_out_of_sync(remote, replica.log_end_offset, before.view_of(replica))
        for remote in leading.remotes
        if remote.broker_id in leading.isr
    )


@claims("IsrChecked-behind", "IsrChecked-behind_fetching")
def stays_because_of_its_time(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.elapsed_ms <= event.lag_ms


@claims("FollowerOutOfSync")
def is_out_of_sync(event: Any, before: ClusterState, after: ClusterState) -> object:
    if event.variant in ("never", "slow"):
        return (event.elapsed_ms is None) or event.behind > event.lag_messages
    return event.elapsed_ms is not None and event.elapsed_ms > event.lag_ms


@claims("IsrChecked-nothing_led")
def leads_nothing(event: Any, before: ClusterState, after: ClusterState) -> object:
    return all(replica.leading is None for replica in before.broker(event.broker).replicas)


@claims("IsrChecked-pending", "IsrChecked-pending_behind")
def an_isr_change_is_pending(event: Any, before: ClusterState, after: ClusterState) -> object:
    leading = own(event, before).leading
    return leading is not None and leading.changes_isr


@claims("IsrJoinRefused")
def may_not_join_yet(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.high_watermark <= event.log_end_offset < event.leader_epoch_start_offset


@claims("IsrChangeBlocked")
def cannot_reach_the_controller(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not before.reaches_controller(event.broker) or not after.reaches_controller(event.broker)


@claims("IsrChangeRepeated")
def is_the_isr(event: Any, before: ClusterState, after: ClusterState) -> object:
    return led(event, after).isr == event.isr


@claims("IsrExpanded")
def has_joined(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.replica in event.isr and event.replica not in led(event, before).isr


@claims("IsrShrunk")
def have_left(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not set(event.replicas) & set(event.isr)


@claims("IsrChangeRejected")
def left_the_isr_unchanged(event: Any, before: ClusterState, after: ClusterState) -> object:
    return led(event, before).isr == led(event, after).isr


@claims("IsrExpandProposed", "IsrShrinkProposed")
def waits_for_more(event: Any, before: ClusterState, after: ClusterState) -> object:
    return set(event.isr) <= set(event.maximal_isr)


@claims("LeaderElected-clean")
def was_elected_cleanly(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.leader in event.isr and event.leader in led(event, before).isr


@claims("LeaderElected-returned")
def came_back(event: Any, before: ClusterState, after: ClusterState) -> object:
    was = led(event, before)
    return was.leader == NO_LEADER and event.leader in (*was.isr, *was.elr)


@claims("LeaderElected-elr")
def was_in_the_elr(event: Any, before: ClusterState, after: ClusterState) -> object:
    was = led(event, before)
    return event.leader in (*was.elr, *was.isr) and event.leader not in event.elr


@claims("LeaderElected-unclean")
def was_not_in_the_isr(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.leader not in led(event, before).isr


@claims("LeaderElected-preferred")
def is_preferred(event: Any, before: ClusterState, after: ClusterState) -> object:
    return led(event, after).replicas[0] == event.leader


@claims("LeaderElected-shutdown")
def previous_is_shutting_down(event: Any, before: ClusterState, after: ClusterState) -> object:
    return "shutting_down" in (
        before.broker(event.previous_leader).process,
        after.broker(event.previous_leader).process,
    )


@claims("LeaderLost")
def nobody_eligible_is_alive(event: Any, before: ClusterState, after: ClusterState) -> object:
    now = led(event, after)
    others = {*now.isr, *now.elr} - {event.previous_leader}
    return not any(is_alive(after, member) for member in others)


@claims("LeaderLost-elr")
def the_elr_can_be_elected(event: Any, before: ClusterState, after: ClusterState) -> object:
    return bool(event.elr) and not event.isr


@claims("ElectionNotPossible-shutdown")
def nobody_else_is_alive(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not any(
        is_alive(after, member) and after.broker(member).process != "shutting_down"
        for member in event.isr
        if member != event.leader
    )


@claims("ElectionNotPossible")
def nobody_of_the_isr_is_alive(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not set(event.isr) & set(event.live)


@claims("UncleanSettingNotRead")
def live_replicas_are_outside(event: Any, before: ClusterState, after: ClusterState) -> object:
    return bool(event.live) and not set(event.live) & set(event.isr)


@claims("EligibleLeaderReplicasChanged")
def elr_fits(event: Any, before: ClusterState, after: ClusterState) -> object:
    # A reassignment changes the replication factor, which limits min.insync.replicas.
    sizes = [
        cluster.situation().policies[event.partition].effective_min_insync_replicas
        for cluster in (before, after)
    ]
    if event.variant == "joined":
        return len(event.isr) < max(sizes) and set(event.replicas) <= set(event.elr)
    if event.variant == "cleared":
        return len(event.isr) >= min(sizes) and not event.elr
    return True


@claims("BrokerCrashed-away")
def is_known_to_be_away(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not is_alive(before, event.broker)


@claims("BrokerCrashed")
def is_undetected(event: Any, before: ClusterState, after: ClusterState) -> object:
    """That the controller has not detected the crash yet."""
    return is_alive(after, event.broker)


@claims("BrokerFenced")
def sent_no_heartbeat(event: Any, before: ClusterState, after: ClusterState) -> object:
    registered = before.controller.broker(event.broker)
    is_registered = registered.incarnation == before.broker(event.broker).incarnation
    return not (is_registered and is_up(before, event.broker))


@claims("BrokerFenced-shutdown")
def leads_no_partition(event: Any, before: ClusterState, after: ClusterState) -> object:
    return all(one.leader != event.broker for one in after.controller.partitions)


@claims("BrokerRegistered-clean_shutdown")
def stopped_cleanly(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.previous_broker_epoch == event.registered_broker_epoch


@claims("BrokerRegistered-unclean_shutdown")
def did_not_stop_cleanly(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.previous_broker_epoch != event.registered_broker_epoch and not any(
        event.broker in (*one.isr, *one.elr) for one in after.controller.partitions
    )


@claims("ControllerElected")
def takes_over_from_somebody(event: Any, before: ClusterState, after: ClusterState) -> object:
    live = tuple(one.broker_id for one in before.controller.brokers if one.live)
    return event.live == live


@claims("ProduceWaiting")
def is_paused(event: Any, before: ClusterState, after: ClusterState) -> object:
    return before.broker(event.broker).process == "paused"


@claims("MetadataUnread", "RoleIgnored")
def is_stopping(event: Any, before: ClusterState, after: ClusterState) -> object:
    return before.broker(event.broker).process == "shutting_down"


@claims("BrokerExited", "BrokerHalted", "BrokerHung")
def log_is_longer(event: Any, before: ClusterState, after: ClusterState) -> object:
    return (
        event.leader_log_end_offset < event.log_end_offset
        and not before.settings_of(event.partition).unclean_leader_election_enable
    )


@claims("ReassignmentDropped")
def leads_to_what_it_has(event: Any, before: ClusterState, after: ClusterState) -> object:
    return set(event.target) == set(led(event, after).replicas)


@claims("ReassignmentDropped-dead")
def lacks_a_live_target(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not all(is_alive(after, target) for target in event.target)


@claims("ControllerFailed")
def considers_no_replica(event: Any, before: ClusterState, after: ClusterState) -> object:
    return event.replica not in led(event, before).replicas


@claims("IsrChangesKept-none")
def no_partition_changed(event: Any, before: ClusterState, after: ClusterState) -> object:
    return not event.partitions
