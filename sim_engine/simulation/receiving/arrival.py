"""A message has arrived: the table from what it carries to the function that receives it."""

from collections.abc import Callable, Mapping

from sim_engine.class_tables import OwnClass
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
    Payload,
    StopReplica,
    UpdateMetadata,
)
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
from sim_engine.simulation.turn import Turn


def receive(turn: Turn, message: Message) -> None:
    """Let a message be handled by its receiver, which runs; it is not in flight any more."""
    RECEIVERS[type(message.payload)](turn, message, message.payload)


RECEIVERS: Mapping[type[Payload], Callable[[Turn, Message, OwnClass], None]] = {
    FetchRequest: receive_fetch_request,
    FetchResponse: receive_fetch_response,
    OffsetsForLeaderEpochRequest: receive_offsets_for_leader_epoch_request,
    OffsetsForLeaderEpochResponse: receive_offsets_for_leader_epoch_response,
    ListOffsetsRequest: receive_list_offsets_request,
    ListOffsetsResponse: receive_list_offsets_response,
    LeaderAndIsr: receive_leader_and_isr,
    StopReplica: receive_stop_replica,
    UpdateMetadata: receive_update_metadata,
    IsrChangeNotification: receive_isr_change_notification,
    MetadataRecords: receive_metadata_records,
    AlterPartitionRequest: receive_alter_partition_request,
    AlterPartitionResponse: receive_alter_partition_response,
}
"""The function of every payload."""
