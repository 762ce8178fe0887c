"""What a broker does with what the controller tells it."""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState, EndingFetcher, with_assigned_replicas
from sim_engine.events.high_watermark import HighWatermarkHeld
from sim_engine.events.log import ReplicaCreated
from sim_engine.events.metadata import (
    CommandFenced,
    CommandIgnored,
    DepositionMissed,
    MetadataApplied,
    MetadataCacheUpdated,
    MetadataUnread,
    RoleIgnored,
    StatesPassedOver,
    StopReplicaIgnored,
)
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.follower.fetch_loop import (
    become_follower,
    become_leaderless,
    truncate_where_diverging,
)
from sim_engine.protocol.leader.leadership import become_leader
from sim_engine.protocol.leader.leading import epoch_error
from sim_engine.protocol.messages import (
    FetchResponse,
    LeaderAndIsr,
    Message,
    MetadataRecords,
    StopReplica,
    UpdateMetadata,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica, load_log
from sim_engine.simulation.performing.timers import checkpoint_high_watermarks
from sim_engine.simulation.turn import Turn


def handle_leader_and_isr(turn: Turn, broker_id: BrokerId, command: LeaderAndIsr) -> None:
    """Obey a ZooKeeper controller (`ReplicaManager.becomeLeaderOrFollower`).

    A partition is taken only with a leader epoch above the one known here; commands of an older
    controller are refused whole. A broker without a leader to follow goes on as it was.
    """
    broker = turn.cluster.broker(broker_id)
    if _fenced(turn, broker, command):
        return
    turn.put_broker(replace(broker, controller_epoch=command.controller_epoch))
    fetching = _requests_by_source(broker)
    for registration in command.partitions:
        replica = _hosted(turn, broker_id, registration)
        if replica is None:
            continue
        if registration.leader_epoch <= replica.leader_epoch:
            _ignored(turn, replica, registration)
        elif registration.leader == NO_LEADER:
            _ignored(turn, replica, registration, variant="no_leader")
        else:
            _say_what_is_passed_over(turn, replica, registration, command.passed_over)
            _take_role(turn, replica, registration)
    _begin_to_checkpoint(turn, broker_id)
    _end_idle_fetchers(turn, broker_id)
    if not turn.cluster.profile.rules.ending_fetcher_hangs_up:
        _wait_for_idle_fetchers(turn, broker_id, fetching)


def _requests_by_source(broker: Broker) -> dict[BrokerId, int]:
    """Of each broker that this one fetches from, the message id of the request under way."""
    return {
        replica.fetcher.leader: replica.fetcher.awaiting
        for replica in broker.replicas
        if replica.fetcher is not None and replica.fetcher.awaiting is not None
    }


def _end_idle_fetchers(turn: Turn, broker_id: BrokerId) -> None:
    """A fetcher that has no partition left ends, and what it has under way is nobody's any more
    (`shutdownIdleFetcherThreads`); one that has another goes on waiting for the answer."""
    followed = {
        replica.fetcher.leader
        for replica in turn.cluster.broker(broker_id).replicas
        if replica.fetcher is not None and replica.fetcher.phase != "failed"
    }
    for replica in turn.cluster.broker(broker_id).replicas:
        kept = tuple(late for late in replica.late_requests if late.leader in followed)
        if kept != replica.late_requests:
            turn.put(replace(replica, late_requests=kept))


def _wait_for_idle_fetchers(
    turn: Turn, broker_id: BrokerId, fetching: Mapping[BrokerId, int]
) -> None:
    """Shut down the fetchers that have no partition left (`shutdownIdleFetcherThreads`).

    Up to 1.0 that waits for the answer to the request under way, with the lock held that every
    command needs; from KAFKA-6051 the fetcher hangs up first.
    """
    broker = turn.cluster.broker(broker_id)
    followed = {
        replica.fetcher.leader for replica in broker.replicas if replica.fetcher is not None
    }
    patience_ms = effective(turn.cluster)["replica.socket.timeout.ms"]
    assert isinstance(patience_ms, int), "the reader checked the type"
    ending = tuple(
        EndingFetcher(request=request, deadline_ms=message.sent_ms + patience_ms)
        for source, request in sorted(fetching.items())
        if source not in followed
        for message in turn.cluster.messages
        if answers(message, request)
    )
    turn.put_broker(replace(broker, ending_fetchers=ending))


def waiting_fetcher(cluster: ClusterState, broker_id: BrokerId) -> EndingFetcher | None:
    """The fetcher whose end this broker still waits for, if any.

    Only what the network holds back makes it wait: an answer that is free to come comes within
    replica.fetch.wait.max.ms, and nothing else happens meanwhile.
    """
    return next(
        (
            ending
            for ending in cluster.broker(broker_id).ending_fetchers
            if ending.deadline_ms > cluster.now_ms
            and any(
                message.held and answers(message, ending.request) for message in cluster.messages
            )
        ),
        None,
    )


def answers(message: Message, request: int) -> bool:
    """Whether a message is that request, or the answer to it."""
    return request in (message.id, message.in_reply_to)


def _begin_to_checkpoint(turn: Turn, broker_id: BrokerId) -> None:
    """The first command starts the high watermark checkpoints, and with no delay: so a broker that
    has just come up writes what it took from the file, clamped to its log
    (`ReplicaManager.startHighWatermarkCheckPointThread`, recorded on 0.10.2.2)."""
    broker = turn.cluster.broker(broker_id)
    if broker.checkpoints_high_watermarks:
        return
    turn.put_broker(replace(broker, checkpoints_high_watermarks=True))
    if any(
        replica.checkpoint_high_watermark != replica.high_watermark for replica in broker.replicas
    ):
        checkpoint_high_watermarks(turn, broker_id)


def handle_metadata(turn: Turn, broker_id: BrokerId, records: MetadataRecords) -> None:
    """Replay what a KRaft broker has read of the metadata log (`ReplicaManager.applyDelta`).

    Up to 3.2 a broker that shuts down reads no further (KAFKA-13858); 3.3.0 and 3.3.1 read, and
    pass over whatever would make it a follower (KAFKA-14296). Either goes on leading in its old
    epoch until it stops.
    """
    broker = turn.cluster.broker(broker_id)
    rules = turn.cluster.profile.rules
    is_stopping = broker.process == "shutting_down"
    if is_stopping and not rules.metadata_is_read_until_stopped:
        turn.say(MetadataUnread(broker=broker_id))
        return
    known = {registered.broker_id: registered for registered in broker.known_brokers}
    known.update({registered.broker_id: registered for registered in records.brokers})
    turn.put_broker(
        replace(
            broker,
            metadata_offset=records.offset,
            known_brokers=tuple(known[known_id] for known_id in sorted(known)),
        )
    )
    before = len(turn.events)
    for registration in _in_order_of_applying(broker_id, records.partitions):
        replica = _hosted(turn, broker_id, registration)
        if replica is None:
            continue
        is_older = registration.partition_epoch < replica.partition_epoch
        if is_older and turn.cluster.profile.rules.reset_only_on_new_epoch:
            continue
        _say_what_is_passed_over(turn, replica, registration, records.passed_over)
        if broker_id not in registration.replicas:
            turn.delete_replica(replica)
            continue
        if is_stopping and registration.leader != broker_id and not rules.steps_down_while_stopping:
            turn.say(
                RoleIgnored(
                    broker=broker_id,
                    partition=registration.partition,
                    leader_epoch=registration.leader_epoch,
                )
            )
            continue
        if registration.leader == NO_LEADER:
            if registration.leader_epoch != replica.leader_epoch:
                parked = _parked(replica)
                turn.apply(become_leaderless(replica, registration))
                _answer_parked(turn, broker_id, registration.partition, parked)
        else:
            _take_role(turn, replica, registration)
    _begin_to_checkpoint(turn, broker_id)
    _end_idle_fetchers(turn, broker_id)
    if all(isinstance(one, HighWatermarkHeld) for one in turn.events[before:]):
        turn.events.insert(before, MetadataApplied(broker=broker_id, offset=records.offset))


def _in_order_of_applying(
    broker_id: BrokerId, partitions: tuple[PartitionRegistration, ...]
) -> list[PartitionRegistration]:
    """What is deleted comes first, then what the broker leads, then what it follows."""

    def rank(registration: PartitionRegistration) -> int:
        if broker_id not in registration.replicas:
            return 0
        return 1 if registration.leader == broker_id else 2

    return sorted(partitions, key=rank)


def handle_update_metadata(turn: Turn, broker_id: BrokerId, told: UpdateMetadata) -> None:
    """Take over what the controller says of brokers and leaders (`ZkMetadataCache`)."""
    broker = turn.cluster.broker(broker_id)
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
            broker=broker_id,
            live=tuple(registered.broker_id for registered in told.brokers),
            partitions=tuple(
                f"{registration.partition}: leader {registration.leader}, "
                f"ISR {list(registration.isr)}"
                for registration in told.partitions
            ),
        )
    )


def handle_stop_replica(
    turn: Turn, broker_id: BrokerId, partition: str, command: StopReplica
) -> None:
    """Delete a replica that a ZooKeeper controller has moved away (`ReplicaManager`)."""
    broker = turn.cluster.broker(broker_id)
    replica = broker.replica(partition)
    if _fenced(turn, broker, command):
        return
    if replica is None:
        turn.say(StopReplicaIgnored(broker=broker_id, partition=partition))
        return
    turn.put_broker(replace(broker, controller_epoch=command.controller_epoch))
    turn.delete_replica(replica)


def _fenced(
    turn: Turn, broker: Broker, command: LeaderAndIsr | StopReplica | UpdateMetadata
) -> bool:
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


def _hosted(turn: Turn, broker_id: BrokerId, registration: PartitionRegistration) -> Replica | None:
    """The broker's replica of a partition; a new one where it has been assigned one since.

    A truncation that it was about to make comes before anything that it is told.
    """
    replica = turn.cluster.broker(broker_id).replica(registration.partition)
    if replica is None and broker_id in registration.replicas:
        turn.cluster = with_assigned_replicas(turn.cluster)
        replica = turn.cluster.broker(broker_id).replica(registration.partition)
    if replica is not None and replica.fetcher is not None and replica.fetcher.diverging_epoch:
        settings = turn.cluster.settings_of(replica.partition)
        turn.apply(truncate_where_diverging(replica, settings=settings))
        return turn.cluster.replica(broker_id, replica.partition)
    return replica


def _take_role(turn: Turn, replica: Replica, registration: PartitionRegistration) -> None:
    settings = turn.cluster.settings_of(replica.partition)
    if not replica.loaded:
        replica = load_log(replica, recover=False, rules=turn.cluster.profile.rules)
        turn.say(ReplicaCreated(broker=replica.broker_id, partition=replica.partition))
    if registration.leader == replica.broker_id:
        turn.apply(
            become_leader(
                replica,
                registration,
                settings=settings,
                now_ms=turn.cluster.now_ms,
                eligible=turn.eligible(replica.broker_id),
            )
        )
        return
    parked = _parked(replica)
    turn.apply(become_follower(replica, registration, settings=settings))
    _answer_parked(turn, replica.broker_id, replica.partition, parked)


def _say_what_is_passed_over(
    turn: Turn,
    replica: Replica,
    registration: PartitionRegistration,
    passed_over: tuple[PartitionRegistration, ...],
) -> None:
    """States that this broker never applies: it is told of what comes after them.

    Where another broker led in one of them, and this one leads before and after,
    `Partition.makeLeader` takes it for one leadership: what it knows of its followers is kept
    (`Replica.resetReplicaState`), and produces go on waiting.
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
    kraft = turn.cluster.profile.control == "kraft"
    if replica.leading is not None and registration.leader == replica.broker_id and between:
        epochs = {state.leader_epoch for state in states}
        turn.say(
            DepositionMissed(
                variant=None if kraft else "command_skipped",
                rule="METADATA-LAST-STATE" if kraft else "ZK-SKIPPED-COMMAND",
                broker=replica.broker_id,
                partition=replica.partition,
                leaders=tuple(sorted({state.leader for state in between})),
                epochs=tuple(sorted({*epochs, registration.leader_epoch})),
                leader_epoch_before=replica.leader_epoch,
                leader_epoch=registration.leader_epoch,
                remembered=tuple(
                    f"{remote.broker_id}: {remote.log_end_offset}"
                    for remote in replica.leading.remotes
                    if remote.log_end_offset >= 0
                ),
                waiting=len(replica.leading.produces),
            )
        )
    elif kraft:
        turn.say(
            StatesPassedOver(
                broker=replica.broker_id,
                partition=replica.partition,
                states=len(states) + 1,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
                isr=registration.isr,
            )
        )


def _parked(replica: Replica) -> Replica | None:
    return replica if replica.leading is not None and replica.leading.parked else None


def _answer_parked(turn: Turn, broker_id: BrokerId, partition: str, before: Replica | None) -> None:
    """Fetches that wait at a broker that leads no longer are answered with why (`DelayedFetch`)."""
    if before is None or before.leading is None:
        return
    now = turn.cluster.replica(broker_id, partition)
    for parked in before.leading.parked:
        turn.send(
            broker_id,
            parked.follower,
            partition,
            FetchResponse(
                in_reply_to=parked.message_id,
                fetch_offset=parked.request.fetch_offset,
                error=epoch_error(now, parked.request.current_leader_epoch),
            ),
        )


def _ignored(
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
