"""Late metadata: a held metadata log, several records in one delivery, and a command that is never
delivered.

A KRaft broker reads one log and applies only the final state of each delivery
(`ReplicaManager.applyDelta`). Under ZooKeeper a failed controller leaves commands unsent, and its
successor sends the current state. In both cases a broker may never learn of a state in between, not
even that another broker was leader.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.events.metadata import CommandSkipped
from sim_engine.events.metadata_records import MetadataRecord
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId, TopicPartition
from sim_engine.protocol.messages import (
    LeaderAndIsr,
    Message,
    MetadataRecords,
    PartitionRegistration,
)
from sim_engine.simulation.effects.messages import remove, replace_message
from sim_engine.simulation.permissions import ChangesMessages, HoldsMessages
from sim_engine.simulation.refusal import RefusedError


def is_metadata_held(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether new metadata records are held for a broker."""
    return (METADATA_RECORD, CONTROLLER, broker_id) in cluster.network_holds


def waiting_records(cluster: ClusterState, broker_id: BrokerId) -> list[Message]:
    """The metadata that the controller has written and a broker has not read, oldest first.

    Each message is one atomic write of the controller.
    """
    return [
        message
        for message in cluster.messages
        if message.kind == METADATA_RECORD and message.receiver == broker_id
    ]


def as_one_delivery(messages: Sequence[Message]) -> MetadataRecords:
    """Several messages merged into one delivery: the final state of each partition."""
    partitions: dict[TopicPartition, PartitionRegistration] = {}
    brokers = {}
    passed_over: list[PartitionRegistration] = []
    records: list[MetadataRecord] = []
    payloads = [message.payload for message in messages]
    for payload in payloads:
        assert isinstance(payload, MetadataRecords), "a metadata log has nothing else"
        for registration in payload.partitions:
            earlier = partitions.get(registration.partition)
            if earlier is not None:
                passed_over.append(earlier)
            partitions[registration.partition] = registration
        brokers.update({registered.broker_id: registered for registered in payload.brokers})
        records.extend(payload.records)
    last = payloads[-1]
    assert isinstance(last, MetadataRecords), "a metadata log has nothing else"
    return MetadataRecords(
        offset=last.offset,
        partitions=tuple(partitions.values()),
        brokers=tuple(brokers[broker_id] for broker_id in sorted(brokers)),
        records=tuple(records),
        passed_over=tuple(passed_over),
    )


def skip_command(work: ChangesMessages, skipped: Message) -> None:
    """Skip a LeaderAndIsr: it is never delivered, and later ones to the same broker replace it.

    Refused unless each of its partitions is in a later one in flight.
    """
    assert isinstance(skipped.payload, LeaderAndIsr), "only a LeaderAndIsr is skipped"
    assert isinstance(skipped.receiver, int), "brokers are commanded"
    later = [
        message
        for message in work.cluster.messages
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
    remove(work, skipped, "lost")
    for registration in skipped.payload.partitions:
        heir = next(message for message in later if _speaks_of(message, registration))
        told = [
            state
            for state in (*skipped.payload.passed_over, registration)
            if state.partition == registration.partition
        ]
        _pass_over(work, heir.id, tuple(told))
        work.say(
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


def _pass_over(
    work: ChangesMessages, heir_id: int, states: tuple[PartitionRegistration, ...]
) -> None:
    heir = next(message for message in work.cluster.messages if message.id == heir_id)
    assert isinstance(heir.payload, LeaderAndIsr), "a command is replaced by a command"
    passed_over = (*heir.payload.passed_over, *states)
    replace_message(work, replace(heir, payload=replace(heir.payload, passed_over=passed_over)))


def hold_metadata(work: HoldsMessages, broker_id: BrokerId) -> None:
    """Hold the metadata log for a broker. Its heartbeats, its requests to the controller and their
    responses still pass.
    """
    cluster = work.cluster
    if is_metadata_held(cluster, broker_id):
        raise RefusedError("metadata_held_already", broker=broker_id)
    _hold_log(work, broker_id, held=True)
    work.put_network_holds(
        (*cluster.network_holds, (METADATA_RECORD, CONTROLLER, broker_id)),
    )


def release_metadata(work: HoldsMessages, broker_id: BrokerId) -> None:
    """Let a broker read the metadata log again."""
    route = (METADATA_RECORD, CONTROLLER, broker_id)
    _hold_log(work, broker_id, held=False)
    work.put_network_holds(
        tuple(held for held in work.cluster.network_holds if held != route),
    )


def _hold_log(work: ChangesMessages, broker_id: BrokerId, *, held: bool) -> None:
    work.put_messages(
        tuple(
            replace(message, held=held)
            if message.kind == METADATA_RECORD and message.receiver == broker_id
            else message
            for message in work.cluster.messages
        )
    )
