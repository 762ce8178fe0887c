"""Replicas that leave the ISR by decision of a ZooKeeper controller (`removeReplicasFromIsr`)."""

from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.controller.state import isr_shrunk_event, leader_lost_event
from sim_engine.protocol.controller.zookeeper.elections import SOURCES
from sim_engine.protocol.controller.zookeeper.update import ZooKeeperUpdate
from sim_engine.protocol.metadata import PartitionRegistration, without


def remove_from_isr(
    update: ZooKeeperUpdate, before: PartitionRegistration, broker_id: BrokerId
) -> PartitionRegistration:
    """Remove a broker from a partition's ISR, with a new leader epoch; a broker that leads leaves
    the partition without a leader. Returns the new registration; the same one if the broker is not
    in the ISR.

    The last member stays; up to 1.0 only if unclean election is disabled.
    """
    if broker_id not in before.isr:
        return before
    keeps_last = not (
        update.profile.last_isr_member_dropped_when_unclean
        and update.policies[before.partition].unclean_leader_election_enable
    )
    remaining = without(before.isr, broker_id)
    isr = before.isr if not remaining and keeps_last else remaining
    led = before.leader == broker_id
    written = update.write(replace(before, isr=isr, leader=NO_LEADER if led else before.leader))
    if led:
        update.events.append(leader_lost_event(before, written, SOURCES))
    if isr != before.isr:
        update.events.append(shrunk_event(written, broker_id))
    update.queue_leader_and_isr(written, without(written.replicas, broker_id))
    return written


def shrunk_event(written: PartitionRegistration, broker_id: BrokerId) -> Event:
    """The event of a broker that the controller has removed from an ISR."""
    return isr_shrunk_event(
        written, (broker_id,), by="controller", rule="ZK-CONTROLLER-WRITE", sources=SOURCES
    )
