"""The controller reads the ISRs that a leader has written to ZooKeeper itself."""

from sim_engine.events.isr import IsrChangesTaken
from sim_engine.protocol.messages import IsrChangeNotification, Message
from sim_engine.simulation.effects.metadata_publishing import tell_metadata
from sim_engine.simulation.permissions import SendsMessages


def receive_isr_change_notification(
    work: SendsMessages, message: Message, notification: IsrChangeNotification
) -> None:
    """The controller reads the ISRs that a leader has written, sends them to every live broker, and
    deletes the notification. No epoch changes and no LeaderAndIsr is sent
    (`processIsrChangeNotification`).
    """
    assert isinstance(message.sender, int), "leaders tell"
    work.say(IsrChangesTaken(broker=message.sender, partitions=notification.partitions))
    controller = work.cluster.controller
    changed = tuple(controller.partition(name) for name in notification.partitions)
    for registered in controller.brokers:
        if registered.live:
            tell_metadata(work, registered.broker_id, changed)
