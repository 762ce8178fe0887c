"""A consumer processes the records in a fetch response."""

from typing import Literal, TypedDict

from msgspec.structs import replace

from sim_engine.cluster.state import Client, ConsumedRecord
from sim_engine.events import EventSubject
from sim_engine.events.consumer import ConsumerPassedOver, ConsumerRead, ConsumerReadNothing
from sim_engine.identifiers import BrokerId, Offset, TopicPartition
from sim_engine.protocol.leader.requests import Read
from sim_engine.protocol.log import Isolation
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.effects.client_metadata import put_client, with_entry
from sim_engine.simulation.permissions import ChangesClients


class _ReadNumbers(TypedDict):
    """The values in the events of every response to a consumer's fetch."""

    consumer: str
    partition: TopicPartition
    broker: BrokerId
    high_watermark: Offset
    last_stable_offset: Offset
    log_end_offset: Offset


def take_records(
    work: ChangesClients, client: Client, replica: Replica, found: Read, isolation: Isolation
) -> None:
    """A consumer receives the records in a fetch response, possibly none, and advances its
    position.
    """
    partition = replica.partition
    position = client.position_in(partition)
    common: _ReadNumbers = {
        "consumer": client.name,
        "partition": partition,
        "broker": replica.broker_id,
        "high_watermark": replica.high_watermark,
        "last_stable_offset": found.bound,
        "log_end_offset": replica.log_end_offset,
    }
    variant: Literal["committed", "follower"] | None = None
    rule = "CONSUMER-HIGH-WATERMARK"
    if isolation == "read_committed":
        variant, rule = "committed", "LAST-STABLE-OFFSET"
    elif replica.leading is None:
        variant, rule = "follower", "KIP-392"
    if found.next_offset == position:
        nothing: Literal["committed", "follower", "end"] | None = variant
        if position >= replica.log_end_offset and variant != "follower":
            nothing, rule = "end", "CONSUMER-HIGH-WATERMARK"
        elif variant == "committed" and found.bound >= replica.high_watermark:
            nothing, rule = None, "CONSUMER-HIGH-WATERMARK"
        work.say(
            ConsumerReadNothing(
                variant=nothing,
                rule=rule,
                offset=position,
                **common,
            )
        )
        return
    epoch = replica.log.records[found.next_offset - 1 - replica.log.log_start_offset].epoch
    epochs = client.position_epochs
    put_client(
        work,
        replace(
            client,
            positions=with_entry(client.positions, partition, found.next_offset),
            position_epochs=epochs if epoch is None else with_entry(epochs, partition, epoch),
        ),
    )
    if found.records:
        _note_reads(work, client, replica, found, isolation)
        work.say(
            ConsumerRead(
                variant=variant,
                rule=rule,
                values=tuple(record.value for record in found.records),
                from_offset=position,
                to_offset=found.next_offset,
                subject=EventSubject(
                    partition=partition,
                    replicas=(replica.broker_id,),
                    offsets=tuple(record.offset for record in found.records),
                ),
                **common,
            )
        )
    if found.passed_over:
        work.say(
            ConsumerPassedOver(
                variant="aborted" if any(not r.control for r in found.passed_over) else None,
                values=tuple(record.value for record in found.passed_over),
                to_offset=found.next_offset,
                subject=EventSubject(
                    partition=partition,
                    replicas=(replica.broker_id,),
                    offsets=tuple(record.offset for record in found.passed_over),
                ),
                **common,
            )
        )


def _note_reads(
    work: ChangesClients, client: Client, replica: Replica, found: Read, isolation: Isolation
) -> None:
    partition = replica.partition
    was_reset = partition in client.resets
    now = work.cluster.clients.client(client.name)
    put_client(
        work, replace(now, resets=tuple(other for other in now.resets if other != partition))
    )
    clients = work.cluster.clients
    read = (
        ConsumedRecord(
            consumer=client.name,
            partition=partition,
            offset=record.offset,
            value=record.value,
            id=record.id,
            frame=work.frame,
            broker=replica.broker_id,
            isolation=isolation,
            after_reset=was_reset and index == 0,
        )
        for index, record in enumerate(found.records)
    )
    work.put_clients(replace(clients, consumed=(*clients.consumed, *read)))
