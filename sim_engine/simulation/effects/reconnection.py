"""Restores the contact between a broker and the controller."""

from msgspec.structs import replace

from sim_engine.identifiers import BrokerId
from sim_engine.simulation.effects.messages import propose_again
from sim_engine.simulation.effects.outcomes import change_isr
from sim_engine.simulation.permissions import AppliesOutcomes


def regain_contact(work: AppliesOutcomes, broker_id: BrokerId) -> None:
    """Restore the contact with a broker, if it is running and the link is not cut."""
    broker = work.cluster.broker(broker_id)
    if broker.running and work.cluster.reaches_controller(broker_id):
        work.put_broker(replace(broker, contact_lost_ms=None))
        propose_again(work, broker_id)
        _write_blocked_isrs(work, broker_id)


def _write_blocked_isrs(work: AppliesOutcomes, leader: BrokerId) -> None:
    """Perform the ISR writes that waited for ZooKeeper, unless the znode has changed since."""
    for replica in work.cluster.broker(leader).replicas:
        blocked = None if replica.leading is None else replica.leading.blocked_isr
        if blocked is not None:
            assert replica.leading is not None, "only a leader changes its ISR"
            work.put_replica(replace(replica, leading=replace(replica.leading, blocked_isr=None)))
            change_isr(work, leader, replica.partition, blocked)
