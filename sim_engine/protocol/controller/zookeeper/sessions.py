"""The start and end of brokers' ZooKeeper sessions, controlled shutdowns, and controller failover
(`KafkaController`, `ReplicaStateMachine`).
"""

from msgspec.structs import replace

from sim_engine.events.controller import BrokerJoined, ControllerElected, SessionExpired
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.state import (
    BrokerStart,
    Controller,
    ControllerOutcome,
    Policies,
    elected_event,
    with_broker,
)
from sim_engine.protocol.controller.zookeeper.elections import (
    ELECTION_SOURCES,
    elect_offline,
    not_possible_event,
)
from sim_engine.protocol.controller.zookeeper.reassign import (
    resume,
    resume_as_new_controller,
)
from sim_engine.protocol.controller.zookeeper.removals import (
    remove_from_isr,
    shrunk_event,
)
from sim_engine.protocol.controller.zookeeper.update import ZooKeeperUpdate
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration, without
from sim_engine.versions import Profile


def first_state(
    broker_ids: tuple[BrokerId, ...],
    partitions: tuple[PartitionRegistration, ...],
    rules: Rules,
) -> Controller:
    """The controller of a cluster in which every broker has a session. With KIP-380 the broker
    epoch is the id of the transaction that created its znode.
    """
    return Controller(
        brokers=tuple(
            BrokerRegistration(
                broker_id=broker_id,
                broker_epoch=transaction if rules.broker_generations else -1,
            )
            for transaction, broker_id in enumerate(broker_ids, start=1)
        ),
        partitions=partitions,
    )


def broker_session_ended(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Handle the end of a broker's session: elect other leaders for its partitions, then remove it
    from every ISR.
    """
    update = ZooKeeperUpdate(
        with_broker(controller, replace(controller.broker(broker_id), live=False)),
        profile,
        policies,
    )
    update.events.append(SessionExpired(broker=broker_id))
    for partition in update.controller.partitions:
        if partition.leader == broker_id and not elect_offline(update, partition):
            update.events.append(not_possible_event(update, partition))
    for partition in update.controller.partitions:
        remove_from_isr(update, partition, broker_id)
    return update.outcome()


def broker_returned(
    controller: Controller, start: BrokerStart, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Handle a new session of a broker: send it its partitions, and elect leaders for leaderless
    ones.
    """
    broker_id = start.broker_id
    update = ZooKeeperUpdate(
        with_broker(
            controller,
            replace(
                controller.broker(broker_id),
                live=True,
                in_controlled_shutdown=False,
                incarnation=start.incarnation,
                broker_epoch=start.broker_epoch,
            ),
        ),
        profile,
        policies,
    )
    update.events.append(BrokerJoined(broker=broker_id))
    for partition in update.controller.partitions:
        if not _elect_if_nobody_leads(update, partition) and broker_id in partition.replicas:
            update.queue_leader_and_isr(partition, (broker_id,))
        resume(update, partition.partition, broker_id)
    return update.outcome()


def take_over(controller: Controller, profile: Profile, policies: Policies) -> ControllerOutcome:
    """Make another broker the controller (`onControllerFailover`): it reads everything from
    ZooKeeper, sends commands to every live replica again, elects leaders for leaderless partitions,
    and resumes reassignments.

    The controller epoch increases by one. The new controller does not know which brokers were
    shutting down.
    """
    update = ZooKeeperUpdate(
        replace(
            controller,
            controller_epoch=controller.controller_epoch + 1,
            brokers=tuple(
                replace(broker, in_controlled_shutdown=False) for broker in controller.brokers
            ),
        ),
        profile,
        policies,
    )
    update.events.append(
        ControllerElected(
            before=controller.controller_epoch,
            controller_epoch=update.controller.controller_epoch,
            live=tuple(broker.broker_id for broker in controller.brokers if broker.live),
        )
    )
    for partition in update.controller.partitions:
        update.queue_leader_and_isr(partition, partition.replicas)
        _elect_if_nobody_leads(update, partition)
        resume_as_new_controller(update, partition.partition)
    return update.outcome()


def _elect_if_nobody_leads(update: ZooKeeperUpdate, partition: PartitionRegistration) -> bool:
    """Elect a leader for a partition without a live leader. Returns whether one was elected."""
    leads = partition.leader != NO_LEADER and update.live(partition.leader)
    return not leads and elect_offline(update, partition)


def begin_controlled_shutdown(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Move leaderships away and remove the broker from every ISR before it stops.

    If no other member of the ISR is live, the leadership stays. The broker stops anyway after its
    retries, and the partition then loses its leader.
    """
    update = ZooKeeperUpdate(
        with_broker(controller, replace(controller.broker(broker_id), in_controlled_shutdown=True)),
        profile,
        policies,
    )
    for before in update.controller.partitions:
        if before.leader == broker_id:
            _move_leadership(update, before)
        elif broker_id in before.isr and len(before.isr) > 1:
            written = update.write(replace(before, isr=without(before.isr, broker_id)))
            update.events.append(shrunk_event(written, broker_id))
            update.queue_leader_and_isr(written, without(written.replicas, broker_id))
    return update.outcome()


def _move_leadership(update: ZooKeeperUpdate, before: PartitionRegistration) -> None:
    """Elect the first ISR member that is not shutting down
    (`ControlledShutdownPartitionLeaderElectionStrategy`).
    """
    successors = [
        replica
        for replica in without(before.replicas, before.leader)
        if replica in before.isr and update.controller.broker(replica).active
    ]
    if not successors:
        update.events.append(not_possible_event(update, before, leader_stops=True))
        return
    written = update.write_and_queue(
        replace(before, leader=successors[0], isr=without(before.isr, before.leader))
    )
    update.events.append(elected_event(before, written, "shutdown", ELECTION_SOURCES))


end_controlled_shutdown = broker_session_ended
"""The broker closes its session when its process ends."""
