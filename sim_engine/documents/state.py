"""A cluster as one document: `state` of a frame and `final` of a run."""

from sim_engine.cluster.start import effective
from sim_engine.cluster.state import ClusterState, ConfigValue
from sim_engine.documents.clients import ClientsDocument, clients_document
from sim_engine.documents.controllers import (
    BrokerDocument,
    ControllerDocument,
    PartitionDocument,
    broker_document,
    controller_document,
    partition_document,
)
from sim_engine.documents.document import Document
from sim_engine.documents.messages import MessageDocument, in_flight
from sim_engine.documents.replicas import ReplicaDocument, replica_document
from sim_engine.documents.timers import DueTimerDocument, timers_document
from sim_engine.identifiers import CLOCK_START_MS, Endpoint


class StateDocument(Document, frozen=True, kw_only=True):
    """The complete state of a cluster at one moment."""

    time_ms: int
    """Virtual time since the start of the run, in ms."""
    partitions: dict[str, PartitionDocument]
    """Partition → its state according to the controller."""
    replicas: dict[str, dict[str, ReplicaDocument]]
    """Partition → broker id → replica."""
    brokers: dict[str, BrokerDocument]
    """Broker id → broker."""
    controller: ControllerDocument
    clients: ClientsDocument
    in_flight: tuple[MessageDocument, ...]
    """In sending order."""
    links_cut: tuple[tuple[Endpoint, Endpoint], ...]
    """[from, to] pairs: messages from `from` do not reach `to`."""
    metadata_version: str | None
    """The metadata.version of the cluster; null under ZooKeeper."""
    inter_broker_protocol_version: str | None
    """The inter.broker.protocol.version of the cluster; null under KRaft."""
    configs: dict[str, ConfigValue]
    """The effective settings of the cluster, including the release's defaults."""
    acks: tuple[str, ...]
    """The acks that producers have used, as text; `all` if no producer has sent anything."""
    timers: tuple[DueTimerDocument, ...]
    """The timers that are running, grouped by broker."""


def state_document(cluster: ClusterState) -> StateDocument:
    """The document of a cluster's state, which the stage draws and expectations read."""
    return StateDocument(
        time_ms=cluster.now_ms - CLOCK_START_MS,
        partitions={
            registration.partition: partition_document(cluster, registration)
            for registration in cluster.controller.partitions
        },
        replicas={
            registration.partition: {
                str(broker_id): replica_document(cluster, registration, broker_id)
                for broker_id in sorted(registration.replicas)
            }
            for registration in cluster.controller.partitions
        },
        brokers={
            str(broker.broker_id): broker_document(cluster, broker) for broker in cluster.brokers
        },
        controller=controller_document(cluster),
        clients=clients_document(cluster),
        in_flight=in_flight(cluster),
        links_cut=cluster.links_cut,
        metadata_version=cluster.profile.metadata_version,
        inter_broker_protocol_version=cluster.profile.inter_broker_protocol_version,
        configs=effective(cluster),
        acks=tuple(sorted({str(record.acks) for record in cluster.clients.produced})) or ("all",),
        timers=timers_document(cluster),
    )
