"""Liveness: the state that a cluster must reach once its faults have ended."""

from sim_engine.events.run import DidNotSettle
from sim_engine.identifiers import NO_LEADER
from sim_engine.simulation.timeline import Timeline

MAY_DIVERGE = ("HW", "KIP101", "KIP279_200")


def find_unsettled(timeline: Timeline) -> tuple[str, str] | None:
    """What has not come to rest at the head of a repaired run: its name, and a sentence.

    Up to 2.0.0 replicas may keep logs that differ for good: cutting to the high watermark does not
    see it, and neither does one lookup by epoch (KIP-101 scenario 2, KIP-279, KAFKA-7415). A broker
    that ends itself, or hangs, over a log longer than its leader's does so at every start. Under
    ZooKeeper before 2.2 (KIP-380) the controller does not see a restart inside the session, and
    the broker leads and follows nothing until the controller writes about its partitions again.
    From 2.0.1 until KAFKA-10706 a follower whose latest epoch is empty may ask for its end for
    good: what it is told cuts no record, and so the empty epoch stays the latest. In 2.1.0 a
    follower that has a new epoch gives the partition up for a lookup that is fenced for the old one
    (KAFKA-7786), and fetches nothing until it is told of a newer one still. With eligible leader
    replicas another min.insync.replicas clears them (KAFKA-16540): a partition that has no ISR by
    then has nobody left to lead it cleanly.
    """
    frame = timeline.frames[timeline.head]
    cluster = frame.cluster
    if any(isinstance(happened, DidNotSettle) for happened in frame.events):
        return DidNotSettle.__name__, "the cluster goes on changing"
    ended = any(broker.process in ("failed", "shutting_down") for broker in cluster.brokers)
    if ended and timeline.profile.out_of_range_exit != "none":
        return None
    idle = any(replica.role == "none" for broker in cluster.brokers for replica in broker.replicas)
    rules = timeline.profile.rules
    if idle and cluster.controller_kind.overlooks_restarts(rules):
        return None
    phases = {
        replica.fetcher.phase
        for broker in cluster.brokers
        for replica in broker.replicas
        if replica.fetcher is not None
    }
    may_ask_for_good = rules.assign_epoch_at_leader and not rules.trim_epochs_on_no_op_truncation
    if may_ask_for_good and "truncating" in phases:
        return None
    may_give_up = rules.fetch_fencing and not rules.lookup_answer_must_be_of_epoch
    if may_give_up and "failed" in phases:
        return None
    for broker in cluster.brokers:
        if not broker.running:
            return "broker", f"broker {broker.broker_id} is {broker.process}"
    for registration in cluster.controller.partitions:
        name = registration.partition
        if registration.leader == NO_LEADER:
            if rules.eligible_leader_replicas and not (registration.isr or registration.elr):
                continue
            return "leaderless", f"{name} has no leader, ISR {registration.isr}"
        leader = cluster.replica(registration.leader, name)
        if leader.leading is None:
            return "leader", f"broker {registration.leader} does not lead {name}"
        if set(registration.isr) != set(registration.replicas):
            return "isr", f"{name}: ISR {registration.isr} of {registration.replicas}"
        if leader.leading.produces:
            return "produce", f"{name}: a produce request waits"
        if leader.high_watermark != leader.log_end_offset:
            return "high_watermark", f"{name}: {leader.high_watermark} of {leader.log_end_offset}"
        if timeline.profile.family in MAY_DIVERGE:
            continue
        for broker_id in registration.replicas:
            replica = cluster.replica(broker_id, name)
            if replica.log != leader.log:
                return "log", f"{name}: broker {broker_id} has another log than its leader"
    return None
