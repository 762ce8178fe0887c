"""The actions and reads of the cases about the ISR: joining, proposals and their responses."""

from typing import Any

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.identifiers import CONTROLLER, FIRST_EPOCH, BrokerId, ErrorCode, Offset
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    AlterPartitionResponse,
    MetadataRecords,
)
from tests.sim_engine.builders import B1
from tests.sim_engine.kafka_cases.world import World, kinds, values

LAG_MS = 30_000


def proposals(world: World) -> list[AlterPartitionRequest]:
    """The AlterPartition requests without a response."""
    return [
        message.payload
        for message in world.in_flight("alter_partition_request")
        if isinstance(message.payload, AlterPartitionRequest)
    ]


def answer(world: World, error: ErrorCode) -> list[type[Event]]:
    """Respond to the pending proposal by hand, with an error; the controller does not see it."""
    message = world.in_flight("alter_partition_request")[0]
    world.lose_without_notice(message)
    response = AlterPartitionResponse(in_reply_to=message.id, error=error)
    return kinds(world.deliver(world.send(CONTROLLER, B1, response)))


def commit(world: World) -> None:
    """Deliver the pending proposal to the controller, and its response to the leader."""
    world.deliver_all("alter_partition_request")
    world.deliver_all("alter_partition_response")


def isr(world: World) -> tuple[set[int], set[int], bool]:
    """The committed ISR, the maximal one, and whether a change is pending."""
    leading = world.leading(1)
    return set(leading.isr), set(leading.maximal_isr), leading.pending_isr is not None


def outside(kafka: str = "3.9", **more: Any) -> World:
    """Leader 1 with ten committed records; broker 2 is assigned and not in the ISR."""
    logs = {1: {"log": values(10), "high_watermark": 10}}
    return World(kafka, replicas=[1, 2], isr=[1], logs=logs, **more)


def broker_epoch(world: World, broker: int) -> int:
    return world.cluster.controller.broker(BrokerId(broker)).broker_epoch


def joins(world: World, offset: int = 10, follower: int = 2) -> None:
    """A follower fetches with the broker epoch of its broker's current start."""
    world.fetch_as(follower, offset, epoch=FIRST_EPOCH, broker_epoch=broker_epoch(world, follower))


def leader_hears_of(world: World, broker: int, **fields: Any) -> None:
    """The leader reads a broker's registration, which the controller wrote."""
    known = world.cluster.controller.broker(BrokerId(broker))
    changed = replace(known, **fields)
    records = MetadataRecords(
        offset=Offset(world.cluster.broker(B1).metadata_offset + 1),
        partitions=(),
        brokers=(changed,),
    )
    world.deliver(world.send(CONTROLLER, B1, records))


def stuck_follower() -> World:
    """Ten records; broker 2 has them, broker 3 never fetched and is late by one ms."""
    world = World(logs={1: {"log": values(10)}}, isr=[1, 2, 3])
    joins(world)
    world.wait(LAG_MS + 1)
    joins(world)
    world.do("timer", broker=1, kind="isr_expiration")
    return world
