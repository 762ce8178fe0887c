"""Handles arriving messages: the table from payload to function."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeAlias, TypeVar

from msgspec import Struct

from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    AlterPartitionResponse,
    FetchRequest,
    FetchResponse,
    IsrChangeNotification,
    LeaderAndIsr,
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    MetadataRecords,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    StopReplica,
    UpdateMetadata,
)
from sim_engine.simulation.permissions import OrdersEvents
from sim_engine.simulation.receiving.alter_partition import (
    receive_alter_partition_request,
    receive_alter_partition_response,
)
from sim_engine.simulation.receiving.fetch_messages import (
    receive_fetch_request,
    receive_fetch_response,
    receive_list_offsets_request,
    receive_list_offsets_response,
    receive_offsets_for_leader_epoch_request,
    receive_offsets_for_leader_epoch_response,
)
from sim_engine.simulation.receiving.isr_changes import receive_isr_change_notification
from sim_engine.simulation.receiving.metadata_records import receive_metadata_records
from sim_engine.simulation.receiving.zookeeper_commands import (
    receive_leader_and_isr,
    receive_stop_replica,
    receive_update_metadata,
)

P = TypeVar("P", bound=Struct)

Receiver: TypeAlias = Callable[[OrdersEvents, Message, Struct], None]
Entry: TypeAlias = tuple[type[Struct], Receiver]
"""A class of payloads, and the function that handles it."""


def receive(work: OrdersEvents, message: Message) -> None:
    """Let the receiver of a message handle it. The receiver must be running, and the message must
    have left the network.
    """
    RECEIVERS[type(message.payload)](work, message, message.payload)


def _receives(kind: type[P], function: Callable[[OrdersEvents, Message, P], None]) -> Entry:
    """A table entry: `function` handles payloads of this class, and may change the part of the
    working copy that it takes.

    The type checker rejects a function for a different class.
    """

    @wraps(function)
    def handle(work: OrdersEvents, message: Message, payload: Struct) -> None:
        assert isinstance(payload, kind), "the table is looked up by the payload's class"
        function(work, message, payload)

    return kind, handle


RECEIVERS: Mapping[type[Struct], Receiver] = dict(
    (
        _receives(FetchRequest, receive_fetch_request),
        _receives(FetchResponse, receive_fetch_response),
        _receives(OffsetsForLeaderEpochRequest, receive_offsets_for_leader_epoch_request),
        _receives(OffsetsForLeaderEpochResponse, receive_offsets_for_leader_epoch_response),
        _receives(ListOffsetsRequest, receive_list_offsets_request),
        _receives(ListOffsetsResponse, receive_list_offsets_response),
        _receives(LeaderAndIsr, receive_leader_and_isr),
        _receives(StopReplica, receive_stop_replica),
        _receives(UpdateMetadata, receive_update_metadata),
        _receives(IsrChangeNotification, receive_isr_change_notification),
        _receives(MetadataRecords, receive_metadata_records),
        _receives(AlterPartitionRequest, receive_alter_partition_request),
        _receives(AlterPartitionResponse, receive_alter_partition_response),
    )
)
"""The function for every payload."""
