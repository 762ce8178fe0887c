"""A broker handles the commands of a ZooKeeper controller: LeaderAndIsr, StopReplica,
UpdateMetadata.
"""

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
    PartitionRegistration,
    StopReplica,
    UpdateMetadata,
    ZooKeeperCommand,
)
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.checkpoints import begin_to_checkpoint
from sim_engine.simulation.effects.replicas import delete_replica
from sim_engine.simulation.permissions import (
    AppliesOutcomes,
    ChangesBrokers,
    EndsProcesses,
    ReadsCluster,
)
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


def receive_leader_and_isr(work: AppliesOutcomes, message: Message, command: LeaderAndIsr) -> None:
    """Handle a LeaderAndIsr (`ReplicaManager.becomeLeaderOrFollower`).

    A partition's state is applied only if its leader epoch is higher than the known one; commands
    of an older controller are rejected as a whole. A broker without a leader to follow keeps its
    state.
    """
    broker = _commanded(work.cluster, message)
    if _fenced(work, broker, command):
        return
    broker_id = broker.broker_id
    work.put_broker(replace(broker, controller_epoch=command.controller_epoch))
    fetching = requests_by_source(broker)
    for registration in command.partitions:
        replica = hosted_replica(work, broker_id, registration)
        if replica is None:
            continue
        if registration.leader_epoch <= replica.leader_epoch:
            _ignore(work, replica, registration)
        elif registration.leader == NO_LEADER:
            _ignore(work, replica, registration, variant="no_leader")
        else:
            say_what_is_passed_over(work, replica, registration, command.passed_over)
            take_role(work, replica, registration)
    begin_to_checkpoint(work, broker_id)
    end_idle_fetchers(work, broker_id)
    if not work.cluster.profile.rules.ending_fetcher_hangs_up:
        wait_for_idle_fetchers(work, broker_id, fetching)


def receive_update_metadata(work: ChangesBrokers, message: Message, told: UpdateMetadata) -> None:
    """Update the metadata cache of brokers and leaders (`ZkMetadataCache`)."""
    broker = _commanded(work.cluster, message)
    if _fenced(work, broker, told):
        return
    known = {registration.partition: registration for registration in broker.known_partitions}
    known.update({registration.partition: registration for registration in told.partitions})
    work.put_broker(
        replace(
            broker,
            controller_epoch=told.controller_epoch,
            known_brokers=told.brokers,
            known_partitions=tuple(
                known[name] for name in work.cluster.partitions if name in known
            ),
        )
    )
    work.say(
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


def receive_stop_replica(work: EndsProcesses, message: Message, command: StopReplica) -> None:
    """Delete a replica that is no longer assigned, by command of a ZooKeeper controller
    (`ReplicaManager`).
    """
    assert message.partition is not None, "a replica is of one partition"
    broker = _commanded(work.cluster, message)
    replica = broker.replica(message.partition)
    if _fenced(work, broker, command):
        return
    if replica is None:
        work.say(StopReplicaIgnored(broker=broker.broker_id, partition=message.partition))
        return
    work.put_broker(replace(broker, controller_epoch=command.controller_epoch))
    delete_replica(work, replica)


def _commanded(cluster: ClusterState, message: Message) -> Broker:
    assert isinstance(message.receiver, int), "brokers are commanded"
    return cluster.broker(message.receiver)


def _fenced(work: ReadsCluster, broker: Broker, command: ZooKeeperCommand) -> bool:
    """Whether a command comes from a former controller, or is meant for an earlier start of this
    process. Creates an event if so.
    """
    if command.controller_epoch < broker.controller_epoch:
        work.say(
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
        work.say(
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
    work: ReadsCluster,
    replica: Replica,
    registration: PartitionRegistration,
    variant: Literal["no_leader"] | None = None,
) -> None:
    work.say(
        CommandIgnored(
            variant=variant,
            rule="ZK-STALE-COMMAND" if variant is None else None,
            broker=replica.broker_id,
            partition=replica.partition,
            leader_epoch=registration.leader_epoch,
            local_leader_epoch=replica.leader_epoch,
        )
    )
