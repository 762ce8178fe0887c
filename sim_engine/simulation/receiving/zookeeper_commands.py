"""A broker obeys a ZooKeeper controller: LeaderAndIsr, StopReplica, UpdateMetadata."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.events.metadata import (
    CommandFenced,
    CommandIgnored,
    MetadataCacheUpdated,
    StopReplicaIgnored,
)
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.messages import (
    LeaderAndIsr,
    Message,
    StopReplica,
    UpdateMetadata,
    ZooKeeperCommand,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.checkpoints import begin_to_checkpoint
from sim_engine.simulation.effects.replicas import delete_replica
from sim_engine.simulation.receiving.ending_fetchers import (
    end_idle_fetchers,
    requests_by_source,
    wait_for_idle_fetchers,
)
from sim_engine.simulation.receiving.roles import (
    hosted_replica,
    say_what_is_passed_over,
    take_role,
)
from sim_engine.simulation.turn import Turn


def receive_leader_and_isr(turn: Turn, message: Message, command: LeaderAndIsr) -> None:
    """Obey a ZooKeeper controller (`ReplicaManager.becomeLeaderOrFollower`).

    A partition is taken only with a leader epoch above the one known here; commands of an older
    controller are refused whole. A broker without a leader to follow goes on as it was.
    """
    broker = _commanded(turn.cluster, message)
    if _fenced(turn, broker, command):
        return
    broker_id = broker.broker_id
    turn.put_broker(replace(broker, controller_epoch=command.controller_epoch))
    fetching = requests_by_source(broker)
    for registration in command.partitions:
        replica = hosted_replica(turn, broker_id, registration)
        if replica is None:
            continue
        if registration.leader_epoch <= replica.leader_epoch:
            _ignore(turn, replica, registration)
        elif registration.leader == NO_LEADER:
            _ignore(turn, replica, registration, variant="no_leader")
        else:
            say_what_is_passed_over(turn, replica, registration, command.passed_over)
            take_role(turn, replica, registration)
    begin_to_checkpoint(turn, broker_id)
    end_idle_fetchers(turn, broker_id)
    if not turn.cluster.profile.rules.ending_fetcher_hangs_up:
        wait_for_idle_fetchers(turn, broker_id, fetching)


def receive_update_metadata(turn: Turn, message: Message, told: UpdateMetadata) -> None:
    """Take over what the controller says of brokers and leaders (`ZkMetadataCache`)."""
    broker = _commanded(turn.cluster, message)
    if _fenced(turn, broker, told):
        return
    known = {registration.partition: registration for registration in broker.known_partitions}
    known.update({registration.partition: registration for registration in told.partitions})
    turn.put_broker(
        replace(
            broker,
            controller_epoch=told.controller_epoch,
            known_brokers=told.brokers,
            known_partitions=tuple(
                known[name] for name in turn.cluster.partitions if name in known
            ),
        )
    )
    turn.say(
        MetadataCacheUpdated(
            variant=None if told.partitions else "brokers",
            broker=broker.broker_id,
            live=tuple(registered.broker_id for registered in told.brokers),
            partitions=tuple(
                f"{registration.partition}: leader {registration.leader}, "
                f"ISR {list(registration.isr)}"
                for registration in told.partitions
            ),
        )
    )


def receive_stop_replica(turn: Turn, message: Message, command: StopReplica) -> None:
    """Delete a replica that a ZooKeeper controller has moved away (`ReplicaManager`)."""
    assert message.partition is not None, "a replica is of one partition"
    broker = _commanded(turn.cluster, message)
    replica = broker.replica(message.partition)
    if _fenced(turn, broker, command):
        return
    if replica is None:
        turn.say(StopReplicaIgnored(broker=broker.broker_id, partition=message.partition))
        return
    turn.put_broker(replace(broker, controller_epoch=command.controller_epoch))
    delete_replica(turn, replica)


def _commanded(cluster: ClusterState, message: Message) -> Broker:
    assert isinstance(message.receiver, int), "brokers are commanded"
    return cluster.broker(message.receiver)


def _fenced(turn: Turn, broker: Broker, command: ZooKeeperCommand) -> bool:
    """Whether a command comes from a controller, or is meant for a start of this process, that is
    over; says so where it is."""
    if command.controller_epoch < broker.controller_epoch:
        turn.say(
            CommandFenced(
                variant="STALE_CONTROLLER_EPOCH",
                rule="CONTROLLER-EPOCH",
                sources=("ReplicaManager",),
                broker=broker.broker_id,
                controller_epoch=command.controller_epoch,
                known_controller_epoch=broker.controller_epoch,
            )
        )
        return True
    if command.broker_epoch is not None and command.broker_epoch < broker.broker_epoch:
        turn.say(
            CommandFenced(
                variant="STALE_BROKER_EPOCH",
                rule="KIP-380",
                sources=("KIP-380",),
                broker=broker.broker_id,
                broker_epoch=command.broker_epoch,
                own_broker_epoch=broker.broker_epoch,
            )
        )
        return True
    return False


def _ignore(
    turn: Turn,
    replica: Replica,
    registration: PartitionRegistration,
    variant: Literal["no_leader"] | None = None,
) -> None:
    turn.say(
        CommandIgnored(
            variant=variant,
            rule="ZK-STALE-COMMAND" if variant is None else None,
            broker=replica.broker_id,
            partition=replica.partition,
            leader_epoch=registration.leader_epoch,
            local_leader_epoch=replica.leader_epoch,
        )
    )
