"""What a broker is told late: its metadata log held back, several records at once, a command that
never comes.

A KRaft broker reads one log, and of each delivery it applies the state that the log then leads to
(`ReplicaManager.applyDelta`). Under ZooKeeper a controller that fails leaves commands unsent, and
its successor sends the state as it is then. Either way a broker may never hear of a state in
between, not even that another broker led.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.events.metadata import CommandSkipped
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId, TopicPartition
from sim_engine.protocol.messages import LeaderAndIsr, Message, MetadataRecords
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.simulation.effects.messages import remove, replace_message
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn


def is_metadata_held(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether whatever the metadata log gains is held back from a broker."""
    return (METADATA_RECORD, CONTROLLER, broker_id) in cluster.network_holds


def waiting_records(cluster: ClusterState, broker_id: BrokerId) -> list[Message]:
    """What the controller has written and a broker has not read, oldest first.

    Each is one write of the controller, which its log keeps together.
    """
    return [
        message
        for message in cluster.messages
        if message.kind == METADATA_RECORD and message.receiver == broker_id
    ]


def as_one_delivery(messages: Sequence[Message]) -> MetadataRecords:
    """Several records as one delivery hands them over: of each partition the last state."""
    partitions: dict[TopicPartition, PartitionRegistration] = {}
    brokers = {}
    passed_over: list[PartitionRegistration] = []
    payloads = [message.payload for message in messages]
    for payload in payloads:
        assert isinstance(payload, MetadataRecords), "a metadata log has nothing else"
        for registration in payload.partitions:
            earlier = partitions.get(registration.partition)
            if earlier is not None:
                passed_over.append(earlier)
            partitions[registration.partition] = registration
        brokers.update({registered.broker_id: registered for registered in payload.brokers})
    last = payloads[-1]
    assert isinstance(last, MetadataRecords), "a metadata log has nothing else"
    return MetadataRecords(
        offset=last.offset,
        partitions=tuple(partitions.values()),
        brokers=tuple(brokers[broker_id] for broker_id in sorted(brokers)),
        passed_over=tuple(passed_over),
    )


def skip_command(turn: Turn, skipped: Message) -> None:
    """A LeaderAndIsr never arrives: what it said is left to later ones to the same broker.

    Refused unless each of its partitions is in a later one that is in flight too.
    """
    assert isinstance(skipped.payload, LeaderAndIsr), "only a LeaderAndIsr is skipped"
    assert isinstance(skipped.receiver, int), "brokers are commanded"
    later = [
        message
        for message in turn.cluster.messages
        if message.kind == skipped.kind
        and message.receiver == skipped.receiver
        and message.id > skipped.id
    ]
    for registration in skipped.payload.partitions:
        if not any(_speaks_of(message, registration) for message in later):
            raise RefusedError(
                "nothing_in_its_place",
                rule="ZK-SKIPPED-COMMAND",
                broker=skipped.receiver,
                partition=registration.partition,
            )
    remove(turn, skipped, "lost")
    for registration in skipped.payload.partitions:
        heir = next(message for message in later if _speaks_of(message, registration))
        told = [
            state
            for state in (*skipped.payload.passed_over, registration)
            if state.partition == registration.partition
        ]
        _pass_over(turn, heir.id, tuple(told))
        turn.say(
            CommandSkipped(
                broker=skipped.receiver,
                partition=registration.partition,
                leader=registration.leader,
                leader_epoch=registration.leader_epoch,
            )
        )


def _speaks_of(message: Message, registration: PartitionRegistration) -> bool:
    assert isinstance(message.payload, LeaderAndIsr), "the other commands have no leader epoch"
    return any(
        told.partition == registration.partition and told.leader_epoch >= registration.leader_epoch
        for told in message.payload.partitions
    )


def _pass_over(turn: Turn, heir_id: int, states: tuple[PartitionRegistration, ...]) -> None:
    heir = next(message for message in turn.cluster.messages if message.id == heir_id)
    assert isinstance(heir.payload, LeaderAndIsr), "a command is replaced by a command"
    passed_over = (*heir.payload.passed_over, *states)
    replace_message(turn, replace(heir, payload=replace(heir.payload, passed_over=passed_over)))


def hold_metadata(turn: Turn, broker_id: BrokerId) -> None:
    """From now on a broker reads nothing of the metadata log. Its heartbeats, its requests to the
    controller and their answers pass."""
    cluster = turn.cluster
    if is_metadata_held(cluster, broker_id):
        raise RefusedError("metadata_held_already", broker=broker_id)
    _hold_log(turn, broker_id, held=True)
    turn.cluster = replace(
        turn.cluster,
        network_holds=(*cluster.network_holds, (METADATA_RECORD, CONTROLLER, broker_id)),
    )


def release_metadata(turn: Turn, broker_id: BrokerId) -> None:
    """A broker may read the metadata log again."""
    route = (METADATA_RECORD, CONTROLLER, broker_id)
    _hold_log(turn, broker_id, held=False)
    turn.cluster = replace(
        turn.cluster,
        network_holds=tuple(held for held in turn.cluster.network_holds if held != route),
    )


def _hold_log(turn: Turn, broker_id: BrokerId, *, held: bool) -> None:
    turn.put_messages(
        tuple(
            replace(message, held=held)
            if message.kind == METADATA_RECORD and message.receiver == broker_id
            else message
            for message in turn.cluster.messages
        )
    )
