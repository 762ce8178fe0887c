"""A broker and the controller hear each other again."""

from msgspec.structs import replace

from sim_engine.identifiers import BrokerId
from sim_engine.simulation.effects.messages import propose_again
from sim_engine.simulation.effects.outcomes import change_isr
from sim_engine.simulation.turn import Turn


def regain_contact(turn: Turn, broker_id: BrokerId) -> None:
    """The controller hears of a broker again, if it runs and nothing is cut."""
    broker = turn.cluster.broker(broker_id)
    if broker.running and turn.cluster.reaches_controller(broker_id):
        turn.put_broker(replace(broker, contact_lost_ms=None))
        propose_again(turn, broker_id)
        _write_blocked_isrs(turn, broker_id)


def _write_blocked_isrs(turn: Turn, leader: BrokerId) -> None:
    """Writes that waited for ZooKeeper are done now, unless the znode has changed since."""
    for replica in turn.cluster.broker(leader).replicas:
        blocked = None if replica.leading is None else replica.leading.blocked_isr
        if blocked is not None:
            assert replica.leading is not None, "only a leader changes its ISR"
            turn.put_replica(replace(replica, leading=replace(replica.leading, blocked_isr=None)))
            change_isr(turn, leader, replica.partition, blocked)
