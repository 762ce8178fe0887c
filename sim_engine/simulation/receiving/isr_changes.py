"""The controller hears of ISRs that a leader has written to ZooKeeper itself."""

from sim_engine.events.isr import IsrChangesTaken
from sim_engine.protocol.messages import IsrChangeNotification, Message
from sim_engine.simulation.effects.metadata_publishing import tell_metadata
from sim_engine.simulation.turn import Turn


def receive_isr_change_notification(
    turn: Turn, message: Message, notification: IsrChangeNotification
) -> None:
    """The controller reads the ISRs that a leader has written, tells every live broker, and deletes
    the note; no epoch moves and no LeaderAndIsr is sent (`processIsrChangeNotification`)."""
    assert isinstance(message.sender, int), "leaders tell"
    turn.say(IsrChangesTaken(broker=message.sender, partitions=notification.partitions))
    controller = turn.cluster.controller
    changed = tuple(controller.partition(name) for name in notification.partitions)
    for registered in controller.brokers:
        if registered.live:
            tell_metadata(turn, registered.broker_id, changed)
