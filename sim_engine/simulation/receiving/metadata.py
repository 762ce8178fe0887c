"""A broker applies the metadata that it has received: the role of each replica, from the records of
the metadata log or from the commands of a ZooKeeper controller (LeaderAndIsr, StopReplica,
UpdateMetadata), and its idle fetchers end.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState, EndingFetcher
from sim_engine.events import log, metadata
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId, LeaderEpoch, TimeMs
from sim_engine.protocol.follower.fetch_loop import (
    become_follower,
    become_leaderless,
    stop_fetching,
)
from sim_engine.protocol.follower.fetching import truncate_where_diverging
from sim_engine.protocol.leader.leadership import become_leader
from sim_engine.protocol.leader.requests import epoch_error
from sim_engine.protocol.messages import (
    FetchResponse,
    LeaderAndIsr,
    Message,
    MetadataRecords,
    PartitionRegistration,
    StopReplica,
    UpdateMetadata,
    ZooKeeperCommand,
    with_newer,
)
from sim_engine.protocol.replica import Outcome, Replica, load_log
from sim_engine.simulation.effects.brokers import apply_outcome, begin_to_checkpoint, delete_replica
from sim_engine.simulation.effects.messages import send
from sim_engine.simulation.working_copy import AppliesOutcomes, ChangesBrokers, ReadsCluster


def requests_by_source(broker: Broker) -> dict[BrokerId, int]:
    """Broker that this one fetches from → the message id of the request in flight."""
    return {
        replica.fetcher.leader: replica.fetcher.awaiting
        for replica in broker.replicas
        if replica.fetcher is not None and replica.fetcher.awaiting is not None
    }


def end_idle_fetchers(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """End fetchers that have no partition left; nothing waits for their requests in flight any more
    (`shutdownIdleFetcherThreads`). A fetcher with another partition keeps waiting for its response.
    """
    followed = {
        replica.fetcher.leader
        for replica in work.cluster.broker(broker_id).replicas
        if replica.fetcher is not None and replica.fetcher.phase != "failed"
    }
    for replica in work.cluster.broker(broker_id).replicas:
        kept = tuple(late for late in replica.late_requests if late.leader in followed)
        if kept != replica.late_requests:
            work.put_replica(replace(replica, late_requests=kept))


def wait_for_idle_fetchers(
    work: ChangesBrokers, broker_id: BrokerId, fetching: Mapping[BrokerId, int]
) -> None:
    """Shut down the fetchers that have no partition left (`shutdownIdleFetcherThreads`).

    Up to 1.0 this waits for the response to the request in flight, while holding the lock that
    every command needs. From KAFKA-6051 the fetcher closes its connection first.
    """
    broker = work.cluster.broker(broker_id)
    followed = {
        replica.fetcher.leader for replica in broker.replicas if replica.fetcher is not None
    }
    patience_ms = effective(work.cluster, broker=broker_id)["replica.socket.timeout.ms"]
    assert isinstance(patience_ms, int), "the reader checked the type"
    ending = tuple(
        EndingFetcher(request=request, deadline_ms=TimeMs(message.sent_ms + patience_ms))
        for source, request in sorted(fetching.items())
        if source not in followed
        for message in work.cluster.messages
        if _responds_to(message, request)
    )
    work.put_broker(replace(broker, ending_fetchers=ending))


def waiting_fetcher(cluster: ClusterState, broker_id: BrokerId) -> EndingFetcher | None:
    """The fetcher whose end this broker is waiting for; None if there is none.

    It waits only for responses that are held or delayed in the network. Any other response arrives
    within replica.fetch.wait.max.ms, and nothing else happens meanwhile.
    """
    held = [message for message in cluster.messages if message.held]
    if not held:
        return None
    return next(
        (
            ending
            for ending in cluster.broker(broker_id).ending_fetchers
            if ending.deadline_ms > cluster.now_ms
            and any(_responds_to(message, ending.request) for message in held)
        ),
        None,
    )


def _responds_to(message: Message, request: int) -> bool:
    """Whether a message is this request or its response."""
    return request in (message.id, message.in_reply_to)


def hosted_replica(
    work: AppliesOutcomes, broker_id: BrokerId, registration: PartitionRegistration
) -> Replica | None:
    """The broker's replica of a partition; a new one if it was newly assigned.

    A truncation that was due is performed first.
    """
    replica = work.cluster.broker(broker_id).replica(registration.partition)
    if replica is None and broker_id in registration.replicas:
        work.create_assigned_replicas()
        replica = work.cluster.broker(broker_id).replica(registration.partition)
    if replica is not None and replica.fetcher is not None and replica.fetcher.diverging_epoch:
        apply_outcome(work, truncate_where_diverging(replica, work.cluster.view_of(replica)))
        return work.cluster.replica(broker_id, replica.partition)
    return replica


def take_role(work: AppliesOutcomes, replica: Replica, registration: PartitionRegistration) -> None:
    """The broker becomes leader of the partition, or follows the given leader."""
    if not replica.loaded:
        replica = load_log(replica, recover=False, rules=work.cluster.profile.rules)
        work.say(log.ReplicaCreated(**replica.place()))
    view = work.cluster.view_of(replica)
    is_stopping = work.cluster.process_of(replica.broker_id) == "shutting_down"
    if registration.leader == replica.broker_id:
        apply_outcome(work, become_leader(replica, registration, view))
    else:
        followed = become_follower(replica, registration, view, is_stopping=is_stopping)
        _step_down(work, replica, followed)


def _step_down(work: AppliesOutcomes, replica: Replica, outcome: Outcome) -> None:
    """Store a replica that no longer leads; its parked fetches get an error (`DelayedFetch`)."""
    apply_outcome(work, outcome)
    now = work.cluster.replica(replica.broker_id, replica.partition)
    for parked in replica.parked:
        response = FetchResponse(
            in_reply_to=parked.message_id,
            fetch_offset=parked.request.fetch_offset,
            error=epoch_error(now, parked.request.current_leader_epoch),
        )
        send(work, replica.broker_id, parked.follower, replica.partition, response)


def say_what_is_passed_over(
    work: ReadsCluster,
    replica: Replica,
    registration: PartitionRegistration,
    passed_over: tuple[PartitionRegistration, ...],
) -> None:
    """Report states that this broker never applies, because it received a later state in the same
    delivery.

    If another broker was leader in one of them, and this one is leader before and after,
    `Partition.makeLeader` treats it as one leadership: the state of the followers is kept
    (`Replica.resetReplicaState`), and produce requests keep waiting.
    """
    states = [state for state in passed_over if state.partition == replica.partition]
    if not states:
        return
    between = [
        state
        for state in states
        if state.leader_epoch > replica.leader_epoch
        and state.leader not in (NO_LEADER, replica.broker_id)
    ]
    from_log = work.cluster.controller_kind.has_metadata_log
    if replica.leading is not None and registration.leader == replica.broker_id and between:
        epochs = {state.leader_epoch for state in states}
        keeps_ends = work.cluster.profile.rules.staying_leader_keeps_ends
        skipped: Literal["command_skipped", "ends_forgotten"] = (
            "command_skipped" if keeps_ends else "ends_forgotten"
        )
        work.say(
            metadata.DepositionMissed(
                variant=None if from_log else skipped,
                rule="METADATA-LAST-STATE" if from_log else "ZK-SKIPPED-COMMAND",
                **replica.place(),
                leaders=tuple(sorted({state.leader for state in between})),
                epochs=tuple(sorted({*epochs, registration.leader_epoch})),
                leader_epoch_before=replica.leader_epoch,
                leader_epoch=registration.leader_epoch,
                remembered=tuple(
                    f"{remote.broker_id}: {remote.log_end_offset}"
                    for remote in replica.leading.remotes
                    if remote.log_end_offset >= 0 and keeps_ends
                ),
                waiting=len(replica.leading.produces),
            )
        )
    elif from_log:
        work.say(
            metadata.StatesPassedOver(
                **replica.place(),
                states=len(states) + 1,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
                isr=registration.isr,
            )
        )


def receive_metadata_records(
    work: AppliesOutcomes, records: MetadataRecords, message: Message
) -> None:
    """Apply the metadata records that a KRaft broker has read (`ReplicaManager.applyDelta`).

    Up to 3.2 a broker that is shutting down stops reading (KAFKA-13858); 3.3.0 and 3.3.1 read, and
    skip changes that would make the broker a follower (KAFKA-14296). In both cases it continues as
    leader in its old epoch until it stops.
    """
    broker = work.cluster.broker(message.receiving_broker)
    broker_id = broker.broker_id
    is_stopping = broker.process == "shutting_down"
    if is_stopping and not work.cluster.profile.rules.metadata_is_read_until_stopped:
        work.say(metadata.MetadataUnread(broker=broker_id))
        return
    known = with_newer(broker.known_brokers, records.brokers)
    work.put_broker(replace(broker, metadata_offset=records.offset, known_brokers=known))
    before = len(work.events)
    for registration in _in_order_of_applying(broker_id, records.partitions):
        replica = hosted_replica(work, broker_id, registration)
        if replica is not None:
            _apply(work, replica, registration, records.passed_over, is_stopping=is_stopping)
    begin_to_checkpoint(work, broker_id)
    end_idle_fetchers(work, broker_id)
    if all(isinstance(one, log.HighWatermarkHeld) for one in work.events[before:]):
        held = work.hold_back(before)
        work.say(metadata.MetadataApplied(broker=broker_id, offset=records.offset), *held)


def _in_order_of_applying(
    broker_id: BrokerId, partitions: tuple[PartitionRegistration, ...]
) -> list[PartitionRegistration]:
    """Deleted replicas come first, then those that the broker leads, then those that it follows."""

    def rank(registration: PartitionRegistration) -> int:
        if broker_id not in registration.replicas:
            return 0
        return 1 if registration.leader == broker_id else 2

    return sorted(partitions, key=rank)


def _apply(
    work: AppliesOutcomes,
    replica: Replica,
    registration: PartitionRegistration,
    passed_over: tuple[PartitionRegistration, ...],
    *,
    is_stopping: bool,
) -> None:
    """Applies the metadata log's change of one partition to its replica."""
    broker_id = replica.broker_id
    rules = work.cluster.profile.rules
    is_older = registration.partition_epoch < replica.partition_epoch
    if is_older and rules.reset_only_on_new_epoch:
        return
    say_what_is_passed_over(work, replica, registration, passed_over)
    if broker_id not in registration.replicas:
        delete_replica(work, replica)
    elif is_stopping and registration.leader != broker_id and not rules.steps_down_while_stopping:
        work.say(
            metadata.RoleIgnored(
                broker=broker_id,
                partition=registration.partition,
                leader_epoch=registration.leader_epoch,
            )
        )
    elif registration.leader != NO_LEADER:
        take_role(work, replica, registration)
    elif registration.leader_epoch != replica.leader_epoch:
        _step_down(work, replica, become_leaderless(replica, registration))


def receive_leader_and_isr(work: AppliesOutcomes, command: LeaderAndIsr, message: Message) -> None:
    """Handle a LeaderAndIsr (`ReplicaManager.becomeLeaderOrFollower`).

    A partition's state is applied only if its leader epoch is higher than the known one; commands
    of an older controller are rejected as a whole. A broker without a leader to follow keeps its
    state.
    """
    broker = work.cluster.broker(message.receiving_broker)
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


def receive_update_metadata(work: ChangesBrokers, update: UpdateMetadata, message: Message) -> None:
    """Update the metadata cache of brokers and leaders (`ZkMetadataCache`)."""
    broker = work.cluster.broker(message.receiving_broker)
    if _fenced(work, broker, update):
        return
    known = {registration.partition: registration for registration in broker.known_partitions}
    known.update({registration.partition: registration for registration in update.partitions})
    work.put_broker(
        replace(
            broker,
            controller_epoch=update.controller_epoch,
            known_brokers=update.brokers,
            known_partitions=tuple(
                known[name] for name in work.cluster.partitions if name in known
            ),
        )
    )
    work.say(
        metadata.MetadataCacheUpdated(
            variant=None if update.partitions else "brokers",
            broker=broker.broker_id,
            live=tuple(registered.broker_id for registered in update.brokers),
            partitions=tuple(
                f"{registration.partition}: leader {registration.leader}, "
                f"ISR {list(registration.isr)}"
                for registration in update.partitions
            ),
        )
    )


def receive_stop_replica(work: AppliesOutcomes, command: StopReplica, message: Message) -> None:
    """Delete a replica that is no longer assigned, by command of a ZooKeeper controller; or only
    stop fetching it, because this broker is shutting down.

    The controller sends one StopReplica to end the fetcher and then one to delete the replica. Up
    to 1.0 the second waits if the first does (`handleStopReplicaRequest`); only there they differ.
    """
    broker = work.cluster.broker(message.receiving_broker)
    partition = message.only_partition
    replica = broker.replica(partition)
    if _fenced(work, broker, command):
        return
    if replica is None:
        work.say(metadata.StopReplicaIgnored(broker=broker.broker_id, partition=partition))
        return
    broker = replace(broker, controller_epoch=command.controller_epoch)
    work.put_broker(broker)
    if command.leader_epoch is not None:
        _stop_fetching(work, replica, command.leader_epoch)
        return
    if not work.cluster.profile.rules.ending_fetcher_hangs_up:
        fetching = requests_by_source(broker)
        work.put_replica(replace(replica, fetcher=None))
        wait_for_idle_fetchers(work, broker.broker_id, fetching)
        if waiting_fetcher(work.cluster, broker.broker_id) is not None:
            send(work, CONTROLLER, broker.broker_id, partition, command)
            work.say(metadata.DeletionDelayed(broker=broker.broker_id, partition=partition))
            return
        work.put_broker(broker)
    delete_replica(work, replica)


def _stop_fetching(work: AppliesOutcomes, replica: Replica, leader_epoch: LeaderEpoch) -> None:
    """Stop fetching a partition. From 2.6 to 3.4.0 the command's leader epoch, which is the one
    from before the controlled shutdown, must be newer than the replica's, and it never is (KIP-570,
    KAFKA-13972): the broker fetches until its leader fences it.
    """
    rules, broker_id = work.cluster.profile.rules, replica.broker_id
    if rules.stop_needs_newer_epoch and leader_epoch <= replica.leader_epoch:
        work.say(
            metadata.StopReplicaIgnored(
                variant="same_epoch", rule="KIP-570", **replica.place(), leader_epoch=leader_epoch
            )
        )
        return
    fetching = requests_by_source(work.cluster.broker(broker_id))
    apply_outcome(work, stop_fetching(replica))
    end_idle_fetchers(work, broker_id)
    if not rules.ending_fetcher_hangs_up:
        wait_for_idle_fetchers(work, broker_id, fetching)


def _fenced(work: ReadsCluster, broker: Broker, command: ZooKeeperCommand) -> bool:
    """Whether a command comes from a former controller, or is meant for an earlier start of this
    process. Creates an event if so.
    """
    if command.controller_epoch < broker.controller_epoch:
        work.say(
            metadata.CommandFenced(
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
            metadata.CommandFenced(
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
        metadata.CommandIgnored(
            variant=variant,
            rule="ZK-STALE-COMMAND" if variant is None else None,
            **replica.place(),
            leader_epoch=registration.leader_epoch,
            local_leader_epoch=replica.leader_epoch,
        )
    )
