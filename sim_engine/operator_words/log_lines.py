"""The log lines of brokers, controllers and clients about replication: their forms by release.

Every form was compared with the source of the release that introduced it and of the last one that
has it. Only lines that Kafka's own logging configuration writes are here: INFO and above, and TRACE
of the state-change log up to 2.5. In a template, `{name}` is a value, `**words**` are those to
search logs for, and "…" is a part that the engine does not know, such as a topic id.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from sim_engine.operator_words.metrics import Period
from sim_engine.versions import Control, Profile

Level = Literal["TRACE", "INFO", "WARN", "ERROR", "FATAL"]
Component = Literal["broker", "controller", "producer", "consumer"]

UNKNOWN = "…"
"""A value that the engine does not have."""


class Voice(Struct, frozen=True, kw_only=True):
    """A logger of a component, with the prefix of its messages."""

    component: Component
    logger: str
    prefix: str
    period: Period


class Form(Struct, frozen=True, kw_only=True):
    """One form of a log line."""

    voice: str
    level: Level
    source: str
    """The class that prints it, as `/sources` names it."""
    template: str
    period: Period


class Printed(Struct, frozen=True, kw_only=True):
    """A log line in the form of a release, filled with values."""

    level: Level
    logger: str
    source: str
    component: Component
    parts: tuple[tuple[str, bool], ...]
    """The message in parts, and whether each is one to search logs for."""


def _voices(component: Component, *forms: tuple[str, str, str, str | None]) -> tuple[Voice, ...]:
    return tuple(
        Voice(component=component, logger=logger, prefix=prefix, period=Period(since, until))
        for logger, prefix, since, until in forms
    )


# One line describes one form.
# fmt: off
VOICES: Mapping[str, tuple[Voice, ...]] = {
    "partition": _voices(
        "broker",
        ("kafka.cluster.Partition", "Partition [{topic},{number}] on broker {broker}: ", "0.8", "1.0"),
        ("kafka.cluster.Partition", "[Partition {partition} broker={broker}] ", "1.0", None),
    ),
    "state": _voices("broker", ("state.change.logger", "[Broker id={broker}] ", "1.0", None)),
    "fetcher": _voices(
        "broker",
        ("kafka.server.ReplicaFetcherThread", "[ReplicaFetcherThread-0-{leader}], ", "0.8", "1.0"),
        ("kafka.server.ReplicaFetcherThread", "[ReplicaFetcher replicaId={broker}, leaderId={leader}, fetcherId=0] ", "1.0", None),
    ),
    "log": _voices(
        "broker",
        ("kafka.log.Log", "", "0.8", "1.0.2"),
        ("kafka.log.Log", "[Log partition={partition}, dir=…] ", "1.0.2", "3.1"),
        ("kafka.log.UnifiedLog", "[UnifiedLog partition={partition}, dir=…] ", "3.1", "4.1"),
        ("org.apache.kafka.storage.internals.log.UnifiedLog", "[UnifiedLog partition={partition}, dir=…] ", "4.1", None),
    ),
    "loader": _voices(
        "broker",
        ("kafka.log.Log", "", "0.8", "1.0.2"),
        ("kafka.log.Log", "[Log partition={partition}, dir=…] ", "1.0.2", "3.1"),
        ("kafka.log.LogLoader", "[LogLoader partition={partition}, dir=…] ", "3.1", "4.0"),
        ("org.apache.kafka.storage.internals.log.LogLoader", "[LogLoader partition={partition}, dir=…] ", "4.0", None),
    ),
    "logs": _voices("broker", ("kafka.log.LogManager", "", "0.8", None)),
    "manager": _voices(
        "broker",
        ("kafka.server.ReplicaManager", "[Replica Manager on Broker {broker}]: ", "0.8", "1.0"),
        ("kafka.server.ReplicaManager", "[ReplicaManager broker={broker}] ", "1.0", None),
    ),
    "lifecycle": _voices(
        "broker",
        ("kafka.server.BrokerLifecycleManager", "[BrokerLifecycleManager id={broker}] ", "2.8", "4.3"),
        ("org.apache.kafka.server.BrokerLifecycleManager", "[BrokerLifecycleManager id={broker}] ", "4.3", None),
    ),
    "server": _voices(
        "broker",
        ("kafka.server.KafkaServer", "[Kafka Server {broker}], ", "0.8", "1.0"),
        ("kafka.server.KafkaServer", "[KafkaServer id={broker}] ", "1.0", "4.0"),
    ),
    "registration": _voices(
        "broker",
        ("kafka.server.KafkaServer", "[Kafka Server {broker}], ", "0.8", "1.0"),
        ("kafka.server.KafkaServer", "[KafkaServer id={broker}] ", "1.0", "1.1"),
        ("kafka.zk.KafkaZkClient$CheckedEphemeral", "", "1.1", "4.0"),
    ),
    "zookeeper": _voices(
        "controller",
        ("kafka.controller.KafkaController", "[Controller …]: ", "0.8", "1.0"),
        ("kafka.controller.KafkaController", "[Controller id=…] ", "1.0", "4.0"),
    ),
    "live-brokers": _voices(
        "controller",
        ("kafka.controller.ReplicaStateMachine$BrokerChangeListener", "[BrokerChangeListener on Controller …]: ", "0.8", "0.11"),
        ("kafka.controller.KafkaController", "[Controller …]: ", "0.11", "1.0"),
        ("kafka.controller.KafkaController", "[Controller id=…] ", "1.0", "4.0"),
    ),
    "elector": _voices("controller", ("kafka.server.ZookeeperLeaderElector", "", "0.8", "0.11")),
    "selector": _voices("controller", ("kafka.controller.OfflinePartitionLeaderSelector", "[OfflinePartitionLeaderSelector]: ", "0.8", "1.1")),
    "controller-state": _voices(
        "controller",
        ("state.change.logger", "Controller … epoch {controller_epoch} ", "0.8", "1.0"),
        ("state.change.logger", "[Controller id=… epoch={controller_epoch}] ", "1.0", "4.0"),
    ),
    "replication": _voices(
        "controller",
        ("org.apache.kafka.controller.ReplicationControlManager", "[Controller …] ", "2.8", "3.5"),
        ("org.apache.kafka.controller.ReplicationControlManager", "[QuorumController id=…] ", "3.5", None),
    ),
    "elections": _voices("controller", ("org.apache.kafka.controller.PartitionChangeBuilder", "", "3.0", None)),
    "heartbeats": _voices(
        "controller",
        ("org.apache.kafka.controller.BrokerHeartbeatManager", "[Controller …] ", "2.8", "3.5"),
        ("org.apache.kafka.controller.BrokerHeartbeatManager", "[QuorumController id=…] ", "3.5", None),
    ),
    "registrations": _voices("controller", ("org.apache.kafka.controller.ClusterControlManager", "[QuorumController id=…] ", "3.5", None)),
    "producer": _voices(
        "producer",
        ("org.apache.kafka.clients.producer.internals.Sender", "", "0.8.2", "1.0"),
        ("org.apache.kafka.clients.producer.internals.Sender", "[Producer clientId={client}] ", "1.0", None),
    ),
    "fetches": _voices(
        "consumer",
        ("org.apache.kafka.clients.consumer.internals.Fetcher", "", "0.9", "1.0"),
        ("org.apache.kafka.clients.consumer.internals.Fetcher", "[Consumer clientId={client}, groupId=…] ", "1.0", "3.5"),
        ("org.apache.kafka.clients.consumer.internals.AbstractFetch", "[Consumer clientId={client}, groupId=…] ", "3.5", "3.7"),
        ("org.apache.kafka.clients.consumer.internals.FetchCollector", "[Consumer clientId={client}, groupId=…] ", "3.7", None),
    ),
    "positions": _voices(
        "consumer",
        ("org.apache.kafka.clients.consumer.internals.Fetcher", "[Consumer clientId={client}, groupId=…] ", "1.1", "2.3"),
        ("org.apache.kafka.clients.consumer.internals.SubscriptionState", "[Consumer clientId={client}, groupId=…] ", "2.3", None),
    ),
}


def _form(voice: str, level: Level, source: str, since: str, until: str | None, template: str, control: Control | None = None) -> Form:
    return Form(voice=voice, level=level, source=source, template=template, period=Period(since, until, control))


_NOT_ENOUGH = "**Error processing append operation** on partition {partition}\norg.apache.kafka.common.errors.**NotEnoughReplicasException**: "

LINES: Mapping[str, tuple[Form, ...]] = {
    # --- a leader and its ISR ---
    "isr-shrinks": (
        _form("partition", "INFO", "Partition", "0.8", "0.11", "**Shrinking ISR** for partition [{topic},{number}] from {before} to {isr}"),
        _form("partition", "INFO", "Partition", "0.11", "2.2", "**Shrinking ISR** from {before} to {isr}"),
        _form("partition", "INFO", "Partition", "2.2", "3.6", "**Shrinking ISR** from {before} to {isr}. Leader: (highWatermark: {high_watermark}, endOffset: {end_offset}). **Out of sync replicas**: {out_of_sync}."),
        _form("partition", "INFO", "Partition", "3.6", None, "**Shrinking ISR** from {before} to {isr}. Leader: (highWatermark: {high_watermark}, endOffset: {end_offset}). **Out of sync replicas**: {out_of_sync_since}."),
    ),
    "isr-expands": (
        _form("partition", "INFO", "Partition", "0.8", "0.10.2", "**Expanding ISR** for partition [{topic},{number}] from {before} to {isr}"),
        _form("partition", "INFO", "Partition", "0.10.2", "0.11", "**Expanding ISR** for partition {partition} from {before} to {isr}"),
        _form("partition", "INFO", "Partition", "0.11", "2.8", "**Expanding ISR** from {before} to {isr}"),
    ),
    "isr-written": (_form("partition", "INFO", "Partition", "2.4", "2.8", "**ISR updated** to [{isr}] and zkVersion updated to [{version}]"),),
    "isr-updated": (
        _form("partition", "INFO", "Partition", "2.7", "2.8", "**ISR updated** from AlterIsr to {isr} and version updated to [{version}]"),
        _form("partition", "INFO", "Partition", "2.8", "3.1", "**ISR updated** to {isr} and version updated to [{version}]"),
        _form("partition", "INFO", "Partition", "3.1", "3.5", "**ISR updated** to {isr} and version updated to {version}"),
        _form("partition", "INFO", "Partition", "3.5", None, "**ISR updated** to {isr} {under_min_isr} and version updated to {version}"),
    ),
    "isr-not-written": (
        _form("partition", "INFO", "Partition", "0.8", "2.4", "**Cached zkVersion** [{version}] **not equal** to that in zookeeper, skip updating ISR"),
        _form("partition", "INFO", "Partition", "2.4", "2.8", "**Cached zkVersion** {version} **not equal** to that in zookeeper, skip updating ISR"),
    ),
    "isr-rejected": (_form("partition", "INFO", "Partition", "3.3", None, "**Failed to alter partition** to … since the controller rejected the request with {error}. Partition state has been reset to the latest committed state …."),),
    "leader-starts": (
        _form("partition", "INFO", "Partition", "0.11", "2.4.1", "{partition} **starts at Leader Epoch** {epoch} from offset {offset}. Previous Leader Epoch was: {previous_epoch}"),
        _form("partition", "INFO", "Partition", "2.4.1", "2.6", "{partition} **starts at leader epoch** {epoch} from offset {offset} with high watermark {high_watermark}. Previous leader epoch was {previous_epoch}."),
        _form("state", "INFO", "Partition", "2.6", "3.3", "Leader {partition} **starts at leader epoch** {epoch} from offset {offset} with high watermark {high_watermark} ISR [{isr}] addingReplicas [{adding}] removingReplicas [{removing}]. Previous leader epoch was {previous_epoch}."),
        _form("state", "INFO", "Partition", "3.3", "3.5", "Leader {partition} with topic id Some(…) **starts at leader epoch** {epoch} from offset {offset} with partition epoch {version}, high watermark {high_watermark}, ISR [{isr}], adding replicas [{adding}] and removing replicas [{removing}]. Previous leader epoch was {previous_epoch}."),
        _form("state", "INFO", "Partition", "3.5", "3.6", "Leader {partition} with topic id Some(…) **starts at leader epoch** {epoch} from offset {offset} with partition epoch {version}, high watermark {high_watermark}, ISR [{isr}], adding replicas [{adding}] and removing replicas [{removing}] {under_min_isr}. Previous leader epoch was {previous_epoch}."),
        _form("state", "INFO", "Partition", "3.6", None, "Leader {partition} with topic id Some(…) **starts at leader epoch** {epoch} from offset {offset} with partition epoch {version}, high watermark {high_watermark}, ISR [{isr}], adding replicas [{adding}] and removing replicas [{removing}] {under_min_isr}. Previous leader {previous_leader} and previous leader epoch was {previous_epoch}."),
    ),
    "follower-starts": (
        _form("state", "INFO", "Partition", "2.6", "3.3", "Follower {partition} **starts at leader epoch** {epoch} from offset {offset} with high watermark {high_watermark}. Previous leader epoch was {previous_epoch}."),
        _form("state", "INFO", "Partition", "3.3", "3.6", "Follower {partition} **starts at leader epoch** {epoch} from offset {offset} with partition epoch {version} and high watermark {high_watermark}. Current leader is {leader}. Previous leader epoch was {previous_epoch}."),
        _form("state", "INFO", "Partition", "3.6", None, "Follower {partition} **starts at leader epoch** {epoch} from offset {offset} with partition epoch {version} and high watermark {high_watermark}. Current leader is {leader}. Previous leader {previous_leader} and previous leader epoch was {previous_epoch}."),
    ),
    "append-refused": (
        _form("manager", "ERROR", "ReplicaManager", "0.9", "0.10.2", _NOT_ENOUGH + "Number of insync replicas for partition [{topic},{number}] is [{count}], below required minimum [{required}]"),
        _form("manager", "ERROR", "ReplicaManager", "0.10.2", "2.1", _NOT_ENOUGH + "Number of insync replicas for partition {partition} is [{count}], below required minimum [{required}]"),
        _form("manager", "ERROR", "ReplicaManager", "2.1", "4.1", _NOT_ENOUGH + "The size of the current ISR Set({isr}) is insufficient to satisfy the min.isr requirement of {required} for partition {partition}"),
        _form("manager", "ERROR", "ReplicaManager", "4.1", None, _NOT_ENOUGH + "The size of the current ISR : {count} is insufficient to satisfy the min.isr requirement of {required} for partition {partition}, live replica(s) broker.id are : Set({isr})"),
    ),
    # --- a follower and its log ---
    "log-truncated": (
        _form("log", "INFO", "UnifiedLog", "0.8.1", "1.0.2", "**Truncating log** {partition} **to offset** {to}."),
        _form("log", "INFO", "UnifiedLog", "1.0.2", None, "**Truncating to offset** {to}"),
    ),
    # From 2.4 to 4.1 Kafka compares after the truncation, which has lowered the high watermark.
    "truncated-below-high-watermark": (
        _form("fetcher", "WARN", "ReplicaFetcherThread", "2.0", "2.4", "**Truncating** {partition} to offset {to} **below high watermark** {high_watermark}"),
        _form("log", "WARN", "UnifiedLog", "4.2", None, "**Truncating** {partition} to offset {to} **below high watermark** {high_watermark}"),
    ),
    "truncation-planned": (_form("fetcher", "INFO", "AbstractFetcherThread", "3.1", None, "**Truncating partition** {partition} with TruncationState(offset={to}, completed={completed}) **due to leader epoch and offset** EpochEndOffset(errorCode=0, partition={number}, leaderEpoch={answered_epoch}, endOffset={answered_offset})"),),
    "truncation-to-high-watermark": (
        _form("fetcher", "INFO", "AbstractFetcherThread", "2.1.1", "3.1", "**Truncating partition** {partition} **to local high watermark** {high_watermark}"),
        _form("fetcher", "INFO", "AbstractFetcherThread", "3.1", None, "**Truncating partition** {partition} with TruncationState(offset={to}, completed=true) **due to local high watermark** {high_watermark}"),
    ),
    "epoch-unknown-to-leader": (
        _form("fetcher", "WARN", "ReplicaFetcherThread", "0.11", "1.1", "Based on follower's leader epoch, **leader replied with an unknown offset** in {partition}. High watermark {to} will be used for truncation."),
        _form("fetcher", "WARN", "AbstractFetcherThread", "1.1", "2.1", "Based on follower's leader epoch, **leader replied with an unknown offset** in {partition}. The initial fetch offset {to} will be used for truncation."),
        _form("fetcher", "WARN", "AbstractFetcherThread", "2.1", None, "Based on replica's leader epoch, **leader replied with an unknown offset** in {partition}. The initial fetch offset {to} will be used for truncation."),
    ),
    "epoch-unknown-to-follower": (
        _form("fetcher", "INFO", "AbstractFetcherThread", "2.0", "2.1", "Based on follower's leader epoch, leader replied with epoch {answered_epoch} **unknown to the follower** for {partition}. Will truncate to {to} and send another leader epoch request to the leader."),
        _form("fetcher", "INFO", "AbstractFetcherThread", "2.1", None, "Based on replica's leader epoch, leader replied with epoch {answered_epoch} **unknown to the replica** for {partition}. Will truncate to {to} and send another leader epoch request to the leader."),
    ),
    "epoch-below-followers": (
        _form("fetcher", "WARN", "AbstractFetcherThread", "2.0", "2.1", "Based on follower's leader epoch, leader replied with epoch {answered_epoch} **below any follower's tracked epochs** for {partition}. The leader's offset only {answered_offset} will be used for truncation."),
        _form("fetcher", "WARN", "AbstractFetcherThread", "2.1", None, "Based on replica's leader epoch, leader replied with epoch {answered_epoch} **below any replica's tracked epochs** for {partition}. The leader's offset only {answered_offset} will be used for truncation."),
    ),
    "no-truncation-needed": (_form("fetcher", "INFO", "ReplicaFetcherThread", "0.11", "2.0", "Based on follower's leader epoch, leader replied with an offset {answered_offset} >= the follower's log end offset {from} in {partition}. **No truncation needed.**"),),
    "fetch-offset-reset": (
        _form("fetcher", "WARN", "ReplicaFetcherThread", "0.8", "0.10.1", "Replica {broker} for partition [{topic},{number}] **reset its fetch offset** from {from} to current leader {leader}'s latest offset {to}"),
        _form("fetcher", "WARN", "ReplicaFetcherThread", "0.10.1", "1.0", "Replica {broker} for partition {partition} **reset its fetch offset** from {from} to current leader {leader}'s latest offset {to}"),
        _form("fetcher", "WARN", "AbstractFetcherThread", "1.0", None, "**Reset fetch offset** for partition {partition} from {from} to current leader's latest offset {to}"),
    ),
    "fetch-offset-reset-to-start": (
        _form("fetcher", "WARN", "ReplicaFetcherThread", "0.8", "0.10.1", "Replica {broker} for partition [{topic},{number}] **reset its fetch offset** from {from} to current leader {leader}'s start offset {to}"),
        _form("fetcher", "WARN", "ReplicaFetcherThread", "0.10.1", "1.0", "Replica {broker} for partition {partition} **reset its fetch offset** from {from} to current leader {leader}'s start offset {to}"),
        _form("fetcher", "WARN", "AbstractFetcherThread", "1.0", "3.6", "**Reset fetch offset** for partition {partition} from {from} to current leader's start offset {to}"),
        _form("fetcher", "WARN", "AbstractFetcherThread", "3.6", None, "**Truncate fully and reset fetch offset** for partition {partition} from {from} to the current leader's start offset {to} because the local replica's end offset is smaller than the current leader's start offsets."),
    ),
    "fetch-offset-out-of-range": (
        _form("fetcher", "ERROR", "AbstractFetcherThread", "0.8", "1.0", "Current offset {from} for partition [{topic},{number}] **out of range**; reset offset to {to}"),
        _form("fetcher", "ERROR", "AbstractFetcherThread", "1.0", "1.1", "Current offset {from} for partition {partition} **out of range**; reset offset to {to}"),
        _form("fetcher", "INFO", "AbstractFetcherThread", "1.1", None, "Current offset {from} for partition {partition} is **out of range**, which typically implies a leader change. Reset fetch offset to {to}"),
    ),
    "truncation-not-allowed": (
        _form("fetcher", "FATAL", "ReplicaFetcherThread", "0.8.2", "0.10.0.1", "Halting because **log truncation is not allowed** for topic {topic}, Current leader {leader}'s latest offset {to} is less than replica {broker}'s latest offset {from}"),
        _form("fetcher", "FATAL", "ReplicaFetcherThread", "0.10.0.1", "0.10.1", "Exiting because **log truncation is not allowed** for topic {topic}, Current leader {leader}'s latest offset {to} is less than replica {broker}'s latest offset {from}"),
        _form("fetcher", "FATAL", "ReplicaFetcherThread", "0.10.1", "0.11", "Exiting because **log truncation is not allowed** for partition {partition}, Current leader {leader}'s latest offset {to} is less than replica {broker}'s latest offset {from}"),
        _form("fetcher", "FATAL", "ReplicaFetcherThread", "0.11", "2.0.1", "Exiting because **log truncation is not allowed** for partition {partition}, current leader {leader}'s latest offset {to} is less than replica {broker}'s latest offset {from}"),
    ),
    "leader-epoch-fenced": (_form("fetcher", "INFO", "AbstractFetcherThread", "2.1", None, "Partition {partition} has an **older epoch** ({epoch}) than the current leader. Will await the new LeaderAndIsr state before resuming fetching."),),
    "partition-failed": (_form("fetcher", "WARN", "AbstractFetcherThread", "2.3", None, "Partition {partition} **marked as failed**"),),
    # --- a broker that starts or stops ---
    "recovery-skipped": (
        _form("logs", "INFO", "LogManager", "2.6", "3.5", "Skipping recovery for all logs in … since **clean shutdown file was found**"),
        _form("logs", "INFO", "LogManager", "3.5", None, "Skipping recovery of {count} logs from … since **clean shutdown file was found**"),
    ),
    "recovery-attempted": (
        _form("logs", "INFO", "LogManager", "2.6", "3.5", "Attempting recovery for all logs in … since **no clean shutdown file was found**"),
        _form("logs", "INFO", "LogManager", "3.5", None, "Recovering {count} logs from … since **no clean shutdown file was found**"),
    ),
    "segment-recovered": (
        _form("loader", "INFO", "UnifiedLog", "0.8.1", "1.0.2", "**Recovering unflushed segment** 0 in log {partition}."),
        _form("loader", "INFO", "UnifiedLog", "1.0.2", "3.3", "**Recovering unflushed segment** 0"),
        _form("loader", "INFO", "LogLoader", "3.3", None, "**Recovering unflushed segment** 0. 0/1 recovered for {partition}."),
    ),
    "broker-registered": (_form("lifecycle", "INFO", "BrokerLifecycleManager", "2.8", None, "**Successfully registered broker** {broker} with broker epoch {broker_epoch}", "kraft"),),
    "broker-unfenced": (_form("lifecycle", "INFO", "BrokerLifecycleManager", "2.8", None, "The broker has been **unfenced**. Transitioning from RECOVERY to RUNNING.", "kraft"),),
    "registration-refused": (
        _form("registration", "FATAL", "KafkaServer", "0.8", "1.1", "Fatal error during KafkaServer startup. Prepare to shutdown\njava.lang.RuntimeException: A broker is **already registered on the path** /brokers/ids/{broker}. This probably indicates that you either have configured a brokerid that is already in use, or else you have shutdown this broker and restarted it faster than the zookeeper timeout so it appears to be re-registering."),
        _form("registration", "ERROR", "KafkaZkClient", "1.1", "4.0", "Error while creating ephemeral at /brokers/ids/{broker}, **node already exists and owner** … does not match current session …", "zookeeper"),
    ),
    "shutdown-started": (
        _form("server", "INFO", "KafkaServer", "0.8", "4.0", "**Starting controlled shutdown**", "zookeeper"),
        _form("lifecycle", "INFO", "BrokerLifecycleManager", "2.8", None, "**Beginning controlled shutdown.**", "kraft"),
    ),
    # --- a ZooKeeper controller ---
    "controller-elected": (
        _form("elector", "INFO", "KafkaController", "0.8", "0.11", "… **successfully elected as leader**", "zookeeper"),
        _form("zookeeper", "INFO", "KafkaController", "0.11", "2.1", "… **successfully elected as the controller**", "zookeeper"),
        _form("zookeeper", "INFO", "KafkaController", "2.1", "4.0", "… **successfully elected as the controller**. Epoch incremented to {controller_epoch} and epoch zk version is now {controller_epoch}", "zookeeper"),
    ),
    "live-brokers-changed": (
        _form("live-brokers", "INFO", "KafkaController", "0.8", "2.2", "Newly added brokers: {added}, **deleted brokers**: {deleted}, all live brokers: {live}", "zookeeper"),
        _form("live-brokers", "INFO", "KafkaController", "2.2", "4.0", "Newly added brokers: {added}, **deleted brokers**: {deleted}, bounced brokers: , all live brokers: {live}", "zookeeper"),
    ),
    "broker-failure": (_form("zookeeper", "INFO", "KafkaController", "0.8", "4.0", "**Broker failure callback** for {broker}", "zookeeper"),),
    "broker-startup": (_form("zookeeper", "INFO", "KafkaController", "0.8", "4.0", "**New broker startup callback** for {broker}", "zookeeper"),),
    "unclean-election-chosen": (_form("selector", "WARN", "KafkaController", "0.8", "1.1", "**No broker in ISR is alive** for {partition_name}. Elect leader {leader} from live brokers {live}. **There's potential data loss.**", "zookeeper"),),
    "partition-changed": (
        _form("controller-state", "TRACE", "PartitionStateMachine", "0.8", "1.0", "changed partition [{topic},{number}] from {from} to OnlinePartition **with leader** {leader}", "zookeeper"),
        _form("controller-state", "TRACE", "PartitionStateMachine", "1.0", "1.1", "Changed partition {partition} from {from} to OnlinePartition **with leader** {leader}", "zookeeper"),
        _form("controller-state", "TRACE", "PartitionStateMachine", "1.1", "2.6", "Changed partition {partition} from {from} to OnlinePartition **with state LeaderAndIsr**(leader={leader}, leaderEpoch={epoch}, isr=List({isr}), zkVersion={version})", "zookeeper"),
        _form("controller-state", "INFO", "PartitionStateMachine", "2.6", "3.2", "Changed partition {partition} from {from} to OnlinePartition **with state LeaderAndIsr**(leader={leader}, leaderEpoch={epoch}, isr=List({isr}), zkVersion={version})", "zookeeper"),
        _form("controller-state", "INFO", "PartitionStateMachine", "3.2", "4.0", "Changed partition {partition} from {from} to OnlinePartition **with state LeaderAndIsr**(leader={leader}, leaderEpoch={epoch}, isr=List({isr}), leaderRecoveryState={recovery_state}, partitionEpoch={version})", "zookeeper"),
    ),
    "election-failed": (
        _form("controller-state", "ERROR", "PartitionStateMachine", "0.8", "1.0", "encountered error while electing leader for partition [{topic},{number}] due to: **No broker in ISR** for partition [{topic},{number}] **is alive**. Live brokers are: [Set({live})], ISR brokers are: [{isr}].", "zookeeper"),
        _form("controller-state", "ERROR", "PartitionStateMachine", "1.0", "1.1", "Encountered error while electing leader for partition {partition} due to: **No replica in ISR** for partition {partition} **is alive**. Live brokers are: [Set({live})], ISR brokers are: [{isr}]", "zookeeper"),
        _form("controller-state", "ERROR", "PartitionStateMachine", "1.1", "4.0", "Controller … epoch {controller_epoch} failed to change state for partition {partition} from OfflinePartition to OnlinePartition\nkafka.common.StateChangeFailedException: **Failed to elect leader** for partition {partition} under strategy OfflinePartitionLeaderElectionStrategy…", "zookeeper"),
    ),
    "preferred-leader-elected": (
        _form("zookeeper", "INFO", "KafkaController", "0.8", "1.0", "Partition [{topic},{number}] **completed preferred replica leader election**. New leader is {leader}", "zookeeper"),
        _form("zookeeper", "INFO", "KafkaController", "1.0", "4.0", "Partition {partition} **completed preferred replica leader election**. New leader is {leader}", "zookeeper"),
    ),
    # --- a KRaft controller: it prints no clean election at INFO ---
    "broker-fenced": (
        _form("replication", "INFO", "ReplicationControlManager", "2.8", "4.0", "**Fencing broker** {broker} because its **session has timed out**.", "kraft"),
        _form("replication", "INFO", "ReplicationControlManager", "4.0", None, "**Fencing broker** {broker} at epoch {broker_epoch} because its **session has timed out**.", "kraft"),
    ),
    "unfencing-granted": (
        _form("heartbeats", "INFO", "BrokerHeartbeatManager", "2.8", "3.3", "The request from broker {broker} **to unfence has been granted** because it has caught up with the last committed metadata offset ….", "kraft"),
        _form("heartbeats", "INFO", "BrokerHeartbeatManager", "3.3", "3.5", "The request from broker {broker} **to unfence has been granted** because it has caught up with the offset of it's register broker record {broker_epoch}.", "kraft"),
        _form("heartbeats", "INFO", "BrokerHeartbeatManager", "3.5", None, "The request from broker {broker} **to unfence has been granted** because it has caught up with the offset of its register broker record {broker_epoch}.", "kraft"),
    ),
    "shutdown-granted": (_form("heartbeats", "INFO", "BrokerHeartbeatManager", "2.8", None, "Unfenced broker {broker} has requested and been **granted a controlled shutdown**.", "kraft"),),
    "incarnation-registered": (_form("registrations", "INFO", "ClusterControlManager", "3.9", None, "**Registering a new incarnation** of broker {broker}. Previous incarnation ID was …; new incarnation ID is …. Generated … record(s) to clean up previous incarnations. Broker epoch will become {broker_epoch}.", "kraft"),),
    "unclean-election": (
        _form("elections", "INFO", "PartitionChangeBuilder", "3.6", "4.1", "Setting new leader for topicId …, partition {number} to {leader} using an **unclean election**", "kraft"),
        _form("elections", "INFO", "PartitionChangeBuilder", "4.1", None, "Setting new leader for topicId …, partition {number} to {leader} using an **unclean election**. Previous partition: …, change record: …", "kraft"),
    ),
    "unclean-change": (_form("replication", "INFO", "ReplicationControlManager", "3.0", None, "**UNCLEAN partition change** for {partition} with topic ID …: isr: [{before_list}] -> [{isr_list}], leader: {previous_leader} -> {leader}, …", "kraft"),),
    "elr-election": (_form("elections", "INFO", "PartitionChangeBuilder", "4.1", None, "Setting new leader for topicId …, partition {number} to {leader} **using ELR**. Previous partition: …, change record: …", "kraft"),),
    "alter-partition-outdated": (_form("replication", "INFO", "ReplicationControlManager", "3.2", None, "**Rejecting AlterPartition request** from node {broker} for {partition} because the current partition epoch is {version}, not {sent_version}.", "kraft"),),
    "alter-partition-ineligible": (_form("replication", "INFO", "ReplicationControlManager", "3.3", None, "**Rejecting AlterPartition request** from node {broker} for {partition} because it specified **ineligible replicas** [{ineligible}] in the new ISR ….", "kraft"),),
    "reassignment-altered": (_form("replication", "INFO", "ReplicationControlManager", "3.0", None, "**Successfully altered** 1 out of 1 partition reassignment(s).", "kraft"),),
    "reassignment-completed": (_form("replication", "INFO", "ReplicationControlManager", "3.2", None, "AlterPartition request from node {leader} for {partition} **completed the ongoing partition reassignment**", "kraft"),),
    # --- clients ---
    "produce-retried": (_form("producer", "WARN", "Sender", "0.8.2", None, "**Got error produce response** with correlation id … on topic-partition {partition}, retrying (… attempts left). **Error: {error}**"),),
    "produce-metadata-invalid": (_form("producer", "WARN", "Sender", "2.0", None, "**Received invalid metadata error** in produce request on partition {partition} due to org.apache.kafka.common.errors.{exception}: …. Going to request metadata update now"),),
    "consumer-out-of-range": (
        _form("fetches", "INFO", "Fetcher", "0.9", "0.10.0.1", "Fetch offset {offset} is **out of range**, resetting offset"),
        _form("fetches", "INFO", "Fetcher", "0.10.0.1", "2.6", "Fetch offset {offset} is **out of range** for partition {partition}, resetting offset"),
        _form("fetches", "INFO", "Fetcher", "2.6", None, "Fetch position FetchPosition{{offset={offset}, offsetEpoch=…, currentLeader=…}} is **out of range** for partition {partition}, resetting offset"),
    ),
    "consumer-position-reset": (
        _form("positions", "INFO", "Fetcher", "1.1", "2.7", "**Resetting offset** for partition {partition} to offset {to}."),
        _form("positions", "INFO", "SubscriptionState", "2.7", None, "**Resetting offset** for partition {partition} to position FetchPosition{{offset={to}, offsetEpoch=…, currentLeader=…}}."),
    ),
    "consumer-truncation": (_form("positions", "INFO", "SubscriptionState", "2.3", None, "**Truncation detected** for partition {partition} at offset FetchPosition{{offset={offset}, offsetEpoch=Optional[{epoch}], currentLeader=…}}, resetting offset to the first offset known to diverge FetchPosition{{offset={to}, offsetEpoch=…, currentLeader=…}}"),),
}
"""The forms of each log line, oldest first, by its name."""
# fmt: on

_MARKED = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


class _Values(dict[str, object]):
    def __missing__(self, _key: str) -> str:
        return UNKNOWN


def form_of(line: str, profile: Profile) -> tuple[Form, Voice] | None:
    """The form that a log line has in a release; None if the release does not print it.

    Raises `KeyError` for an unknown line.
    """
    for form in LINES[line]:
        if form.period.contains(profile):
            for voice in VOICES[form.voice]:
                if voice.period.contains(profile):
                    return form, voice
    return None


def printed(line: str, profile: Profile, values: Mapping[str, object]) -> Printed | None:
    """A log line as a release prints it; None if it does not. A missing value is "…"."""
    found = form_of(line, profile)
    if found is None:
        return None
    form, voice = found
    return Printed(
        level=form.level,
        logger=voice.logger,
        source=form.source,
        component=voice.component,
        parts=tuple(_parts(voice.prefix + form.template, values)),
    )


def _parts(template: str, values: Mapping[str, object]) -> Iterator[tuple[str, bool]]:
    """Cut a template at its marks before the values are put in: a value may contain any text."""
    for place, text in enumerate(_MARKED.split(template)):
        if text:
            yield text.format_map(_Values(values)), place % 2 == 1
