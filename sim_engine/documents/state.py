"""A cluster as plain data: what `state` of a frame and `final` of a run hold."""

from typing import Any

from sim_engine.cluster.clients import ProducedRecord
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import CLOCK_START_MS, CONTROLLER, BrokerId
from sim_engine.protocol.log.producer_state import last_stable_offset
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
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import LeadingState, Replica
from sim_engine.records import Record
from sim_engine.simulation.delivery import why_undeliverable
from sim_engine.simulation.turn import COMMANDS


def since_start(time_ms: int) -> int | None:
    """A time in ms from the start of the run; null for "never"."""
    return None if time_ms == 0 else time_ms - CLOCK_START_MS


def state_document(cluster: ClusterState) -> dict[str, Any]:
    """Everything that the stage draws and expectations read."""
    return {
        "time_ms": cluster.now_ms - CLOCK_START_MS,
        "partitions": {
            registration.partition: partition_document(registration)
            for registration in cluster.controller.partitions
        },
        "replicas": {
            registration.partition: {
                str(broker_id): _replica(cluster, registration, broker_id)
                for broker_id in sorted(registration.replicas)
            }
            for registration in cluster.controller.partitions
        },
        "brokers": {str(broker.broker_id): _broker(cluster, broker) for broker in cluster.brokers},
        "controller": _controller(cluster),
        "clients": _clients(cluster),
        "in_flight": _in_flight(cluster),
        "links_cut": [list(link) for link in cluster.links_cut],
        "metadata_version": cluster.profile.metadata_version,
        "inter_broker_protocol_version": cluster.profile.inter_broker_protocol_version,
        "configs": effective(cluster),
        "acks": sorted({str(record.acks) for record in cluster.clients.produced}) or ["all"],
    }


def partition_document(registration: PartitionRegistration) -> dict[str, Any]:
    """The controller's view of a partition."""
    return {
        "leader": registration.leader,
        "leader_epoch": registration.leader_epoch,
        "partition_epoch": registration.partition_epoch,
        "isr": list(registration.isr),
        "elr": list(registration.elr),
        "last_known_elr": list(registration.last_known_elr),
        "leader_recovery_state": registration.leader_recovery_state,
        "replicas": list(registration.replicas),
        "adding_replicas": list(registration.adding_replicas),
        "removing_replicas": list(registration.removing_replicas),
        "preferred_leader": registration.preferred_leader,
    }


def record_document(record: Record) -> dict[str, Any]:
    """One record of a log. What only idempotent producers write is there where it is so."""
    document: dict[str, Any] = {
        "offset": record.offset,
        "epoch": record.epoch,
        "value": record.value,
        "id": record.id,
    }
    if record.producer_id is not None:
        document["producer_id"] = record.producer_id
    if record.sequence is not None:
        document["sequence"] = record.sequence
    if record.transactional:
        document["transactional"] = True
    if record.control is not None:
        document["control"] = record.control
    return document


def broker_state(cluster: ClusterState, broker_id: BrokerId) -> str:
    """A broker's state in one of the words that the contract closes."""
    broker = cluster.broker(broker_id)
    fenced = cluster.profile.control == "kraft" and (cluster.controller.broker(broker_id).fenced)
    return "fenced" if broker.process == "running" and fenced else broker.process


def _replica(
    cluster: ClusterState, registration: PartitionRegistration, broker_id: BrokerId
) -> dict[str, Any]:
    replica = cluster.replica(broker_id, registration.partition)
    alive = cluster.broker(broker_id).alive
    has_role = alive and replica.role != "none"
    high_watermark = replica.high_watermark if has_role else None
    leading = replica.leading
    return {
        "broker_state": broker_state(cluster, broker_id),
        "role": replica.role,
        "leader": replica.leader if has_role else -1,
        "leader_epoch": replica.leader_epoch if has_role else None,
        "partition_epoch": replica.partition_epoch if has_role else None,
        "log": [record_document(record) for record in replica.log.records],
        "log_start_offset": replica.log.log_start_offset,
        "log_end_offset": replica.log_end_offset,
        "high_watermark": high_watermark,
        "last_stable_offset": (
            None if high_watermark is None else last_stable_offset(replica.log, high_watermark)
        ),
        "epoch_cache": (
            [list(entry) for entry in replica.epoch_cache] if cluster.profile.has_epochs else None
        ),
        "checkpoints": {
            "high_watermark": replica.checkpoint_high_watermark,
            "recovery_point": replica.checkpoint_recovery_point,
        },
        "flushed": replica.flushed,
        "followers": {} if leading is None else _followers(leading),
        "isr": None if leading is None else list(leading.isr),
        "maximal_isr": None if leading is None else list(leading.maximal_isr),
        "pending_isr": (
            None
            if leading is None or leading.pending_isr is None
            else {"kind": leading.pending_isr.kind, "isr": list(leading.pending_isr.isr)}
        ),
        "leader_epoch_start_offset": (
            None if leading is None else leading.leader_epoch_start_offset
        ),
        "fetcher": _fetcher(replica),
        "in_isr": broker_id in registration.isr,
        "diverging_offsets": _diverging(cluster, registration, replica),
    }


def _followers(leading: LeadingState) -> dict[str, Any]:
    return {
        str(remote.broker_id): {
            "log_end_offset": None if remote.log_end_offset < 0 else remote.log_end_offset,
            "last_caught_up_ms": since_start(remote.last_caught_up_time_ms),
        }
        for remote in leading.remotes
    }


def _fetcher(replica: Replica) -> dict[str, Any] | None:
    fetcher = replica.fetcher
    if fetcher is None:
        return None
    phase = "resetting" if fetcher.phase.startswith("resetting") else fetcher.phase
    return {
        "leader": fetcher.leader,
        "state": phase,
        "fetch_offset": fetcher.fetch_offset,
        "leader_epoch": fetcher.leader_epoch,
        "delayed_until_ms": (
            None if fetcher.delayed_until_ms is None else since_start(fetcher.delayed_until_ms)
        ),
    }


def _diverging(
    cluster: ClusterState, registration: PartitionRegistration, replica: Replica
) -> list[int]:
    """Offsets at which this log and the leader's hold different records."""
    if registration.leader in (-1, replica.broker_id):
        return []
    leader_log = cluster.replica(registration.leader, registration.partition).log
    theirs = {record.offset: record.id for record in leader_log.records}
    return [
        record.offset
        for record in replica.log.records
        if theirs.get(record.offset, record.id) != record.id
    ]


def _broker(cluster: ClusterState, broker: Broker) -> dict[str, Any]:
    kraft = cluster.profile.control == "kraft"
    registered = cluster.controller.broker(broker.broker_id)
    seen_as_up = registered.live and not registered.fenced
    return {
        "state": broker_state(cluster, broker.broker_id),
        "registered": registered.live,
        "fenced": registered.fenced if kraft else None,
        "in_controlled_shutdown": registered.in_controlled_shutdown if kraft else None,
        "broker_epoch": registered.broker_epoch if registered.broker_epoch >= 0 else None,
        "metadata_offset": broker.metadata_offset if kraft and broker.alive else None,
        "noticed": seen_as_up == (broker.running and cluster.reaches_controller(broker.broker_id)),
        "down_since_frame": broker.down_since_frame,
        "clean_shutdown": broker.clean_shutdown,
        "rack": broker.rack,
        "cut_from": [
            receiver for sender, receiver in cluster.links_cut if sender == broker.broker_id
        ],
    }


def _controller(cluster: ClusterState) -> dict[str, Any]:
    controller = cluster.controller
    kraft = controller.control == "kraft"
    behind: dict[str, int] = {}
    for message in cluster.messages:
        told = message.sender == CONTROLLER and message.kind in COMMANDS
        if told and message.kind != "update_metadata":
            behind[str(message.receiver)] = behind.get(str(message.receiver), 0) + 1
    return {
        "kind": controller.control,
        "controller_epoch": controller.controller_epoch,
        "metadata_offset": controller.metadata_offset if kraft else None,
        "live_brokers": sorted(
            broker.broker_id for broker in controller.brokers if broker.live and not broker.fenced
        ),
        "behind": behind,
        "znodes": None if kraft else _znodes(cluster),
    }


def _znodes(cluster: ClusterState) -> list[dict[str, Any]]:
    """What stands in ZooKeeper, path by path; `version` is the znode's, where Kafka writes with it
    (`TopicPartitionStateZNode`, `ControllerEpochZNode`, `BrokerIdsZNode`)."""
    controller = cluster.controller
    listed: list[dict[str, Any]] = [
        {"path": "/controller_epoch", "value": controller.controller_epoch, "version": None},
        {
            "path": "/brokers/ids",
            "value": sorted(broker.broker_id for broker in controller.brokers if broker.live),
            "version": None,
        },
    ]
    for registration in controller.partitions:
        topic, _, number = registration.partition.rpartition("-")
        state: dict[str, Any] = {
            "controller_epoch": controller.controller_epoch,
            "leader": registration.leader,
            "leader_epoch": registration.leader_epoch,
            "isr": list(registration.isr),
        }
        if cluster.profile.rules.leader_recovery_state:
            state["leader_recovery_state"] = int(registration.leader_recovery_state == "RECOVERING")
        listed.append(
            {
                "path": f"/brokers/topics/{topic}/partitions/{number}/state",
                "value": state,
                "version": registration.partition_epoch,
            }
        )
    return listed


def produced_document(record: ProducedRecord) -> dict[str, Any]:
    """One produce request and what became of it."""
    return {
        "id": record.id,
        "as": record.producer,
        "value": record.value,
        "acks": record.acks,
        "partition": record.partition,
        "offset": record.offset,
        "outcome": record.outcome,
        "error": record.error,
        "frame": record.frame,
        "acked_frame": record.acked_frame,
        "lost_frame": record.lost_frame,
        "broker": record.broker,
        "producer_id": record.producer_id,
        "sequence": record.sequence,
        "transaction": record.transaction,
    }


def _clients(cluster: ClusterState) -> dict[str, Any]:
    clients = cluster.clients
    return {
        "produced": [produced_document(record) for record in clients.produced],
        "consumed": [
            {
                "as": record.consumer,
                "partition": record.partition,
                "offset": record.offset,
                "value": record.value,
                "frame": record.frame,
            }
            for record in clients.consumed
        ],
        "consumers": {
            client.name: dict(client.positions)
            for client in clients.clients
            if client.kind == "consumer"
        },
        "producers": {
            client.name: dict(client.leaders)
            for client in clients.clients
            if client.kind == "producer"
        },
        "transactions": {
            client.name: list(client.writes_to)
            for client in clients.clients
            if client.in_transaction
        },
    }


def _in_flight(cluster: ClusterState) -> list[dict[str, Any]]:
    listed = [
        {
            "id": message.id,
            "kind": message.kind,
            "from": message.sender,
            "to": message.receiver,
            "partition": message.partition,
            "held": message.held,
            "parked": False,
            "deliverable": why_undeliverable(cluster, message) is None,
            "numbers": message_numbers(message),
        }
        for message in cluster.messages
    ]
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for parked in () if replica.leading is None else replica.leading.parked:
                listed.append(
                    {
                        "id": parked.message_id,
                        "kind": "fetch_request",
                        "from": parked.follower,
                        "to": broker.broker_id,
                        "partition": replica.partition,
                        "held": False,
                        "parked": True,
                        "deliverable": False,
                        "numbers": {"fetch_offset": parked.request.fetch_offset},
                    }
                )
    return sorted(listed, key=lambda entry: int(entry["id"]))


def message_numbers(message: Message) -> dict[str, Any]:
    """What a message says, in numbers for its label."""
    payload = message.payload
    if isinstance(payload, FetchRequest):
        return {
            "fetch_offset": payload.fetch_offset,
            "leader_epoch": payload.current_leader_epoch,
            "last_fetched_epoch": payload.last_fetched_epoch,
        }
    if isinstance(payload, FetchResponse):
        diverging = payload.diverging_epoch
        return {
            "error": str(payload.error),
            "records": len(payload.records),
            "values": [record.value for record in payload.records],
            "high_watermark": payload.high_watermark,
            "diverging_epoch": None if diverging is None else diverging[0],
            "end_offset": None if diverging is None else diverging[1],
        }
    if isinstance(payload, OffsetsForLeaderEpochRequest):
        return {"epoch": payload.leader_epoch, "leader_epoch": payload.current_leader_epoch}
    if isinstance(payload, OffsetsForLeaderEpochResponse):
        return {
            "error": str(payload.error),
            "epoch": payload.requested_epoch,
            "answer_epoch": payload.end_offset[0],
            "end_offset": payload.end_offset[1],
        }
    if isinstance(payload, ListOffsetsRequest):
        return {"which": payload.which}
    if isinstance(payload, ListOffsetsResponse):
        return {"which": payload.which, "offset": payload.offset, "error": str(payload.error)}
    if isinstance(payload, IsrChangeNotification):
        return {"partitions": list(payload.partitions)}
    if isinstance(payload, LeaderAndIsr | MetadataRecords | UpdateMetadata):
        return {
            "partitions": [
                f"{registration.partition}: leader {registration.leader}, epoch "
                f"{registration.leader_epoch}, ISR {list(registration.isr)}"
                for registration in payload.partitions
            ],
            "leader": payload.partitions[0].leader if payload.partitions else None,
            "leader_epoch": payload.partitions[0].leader_epoch if payload.partitions else None,
            "isr": list(payload.partitions[0].isr) if payload.partitions else None,
        }
    if isinstance(payload, StopReplica):
        return {"controller_epoch": payload.controller_epoch}
    if isinstance(payload, AlterPartitionRequest):
        return {"isr": list(payload.new_isr), "partition_epoch": payload.partition_epoch}
    assert isinstance(payload, AlterPartitionResponse), "the last kind there is"
    return {
        "error": str(payload.error),
        "isr": None if payload.registration is None else list(payload.registration.isr),
    }
