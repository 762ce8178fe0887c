"""Everything that a client could have changed in a cluster."""

import hashlib
import json
import socket

from tests.kafka_cluster import KafkaCluster

_METADATA_LOG = "__cluster_metadata-0"
_REWRITTEN = ("-checkpoint", ".lock", ".snapshot", "quorum-state", ".kafka_cleanshutdown")


def traces_of(cluster: KafkaCluster) -> dict[str, object]:
    """The records of the metadata log without its no-op ones, or ZooKeeper's last change; the
    contents of each log; topics and settings as Kafka's tools print them.
    """
    return {
        "metadata": _zookeeper(cluster) if cluster.is_old else _metadata_records(cluster),
        "logs": _logs(cluster),
        "topics": "" if cluster.asks_zookeeper else cluster.topics("--describe"),
    }


def _metadata_records(cluster: KafkaCluster) -> list[str]:
    segment = cluster.data_folder(1) / _METADATA_LOG / "00000000000000000000.log"
    dumped = cluster.tool(
        "org.apache.kafka.tools.DumpLogSegments",
        "--cluster-metadata-decoder",
        "--files",
        str(segment),
    )
    payloads = (line.partition("payload: ")[2] for line in dumped.splitlines())
    records = [json.loads(payload) for payload in payloads if payload]
    return [json.dumps(record) for record in records if record["type"] != "NO_OP_RECORD"]


def _zookeeper(cluster: KafkaCluster) -> str:
    with socket.create_connection(("localhost", cluster.controller_port), 5) as connection:
        connection.sendall(b"srvr")
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    return next(line for line in answer.splitlines() if line.startswith("Zxid"))


def _logs(cluster: KafkaCluster) -> dict[str, str]:
    digests = {}
    for broker in cluster.ports:
        folder = cluster.data_folder(broker)
        for file in sorted(folder.rglob("*")):
            name = str(file.relative_to(cluster.folder))
            if file.is_dir():
                digests[name] = "folder"
            elif _METADATA_LOG not in name and not name.endswith(_REWRITTEN):
                digests[name] = hashlib.sha256(file.read_bytes()).hexdigest()
    return digests
