"""What the engine leaves out of Kafka, by the names that users write: settings, steps, keys, rules,
tools and features.

The section "Left out so far" of FIDELITY.md is generated from this table, and every reader of input
refuses these names with the same sentences. Their texts are in `left_out.ftl` of each language.
"""

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from sim_engine.error_texts import Wording, error
from sim_engine.languages import DEFAULT_LANGUAGE, find_language, messages

BEGINS = "<!-- scripts/write left-out writes this table from sim_engine/left_out.py -->"
ENDS = "<!-- until here -->"
_TEXTS = "left_out"
_SPELLING = re.compile("[-_ ]")


class LeftOut(Struct, frozen=True):
    """One row: a topic, and the names that lead to it. A name that ends in `*` stands for all names
    that begin so. Names are compared without case, hyphens and underscores.
    """

    id: str
    names: tuple[str, ...] = ()

    @property
    def title(self) -> Wording:
        """What is left out."""
        return Wording(self.id, file=_TEXTS)

    @property
    def means(self) -> Wording:
        """What that means, one or more sentences without the last full stop."""
        return Wording(f"{self.id}-means", file=_TEXTS)

    def spelling_of(self, name: str) -> str:
        """One of its names as this table has it, which any message may repeat."""
        wanted = _spelled(name)
        exact = (known for known in self.names if _spelled(known) == wanted)
        starts = (
            known
            for known in self.names
            if known.endswith("*") and wanted.startswith(_spelled(known.removesuffix("*")))
        )
        return next(exact, None) or max(starts, key=len)

    def error(self, name: str) -> Wording:
        """The error for one of its names."""
        return error("left_out", name=name, what=self.title, reason=self.means)


def _row(topic: str, names: str = "") -> LeftOut:
    return LeftOut(topic, tuple(names.split()))


LEFT_OUT: tuple[LeftOut, ...] = (
    _row(
        "controller_quorum",
        "KIP-595 KIP-853 KIP-996 kraft.version controller.quorum.* metadata.log.* add_controller "
        "remove_controller add_voter remove_voter voters pre_vote",
    ),
    _row(
        "unclean_recovery",
        "unclean.recovery.strategy unclean.recovery.manager.enabled unclean.recovery.timeout.ms "
        "unclean_recovery",
    ),
    _row("old_releases"),
    _row("zookeeper_migration", "KIP-866 zookeeper.metadata.migration.* migration"),
    _row(
        "brokers_at_run_time", "add_broker remove_broker unregister unregister_broker decommission"
    ),
    _row(
        "topics_at_run_time",
        "create_topic delete_topic add_partitions create_partitions auto.create.topics.enable "
        "delete.topic.enable num.partitions",
    ),
    _row("placement", "KIP-36 broker.rack rack_aware placement stretch_cluster"),
    _row("observers", "observers observer confluent.placement.constraints confluent.*"),
    _row("mirroring", "KIP-382 mirror mirror_maker mirrormaker mirrormaker2 cluster_link"),
    _row("diskless", "KIP-1150 KIP-1163 KIP-1164 diskless.* diskless inkless"),
    _row(
        "tiered_storage",
        "KIP-405 remote.storage.* remote.log.* rlmm.* rsm.* local.retention.* "
        "log.local.retention.* tiered_storage tier",
    ),
    _row(
        "reading_from_tier",
        "OFFSET_MOVED_TO_TIERED_STORAGE remote.fetch.* remote.list.offsets.* fetch_from_tier",
    ),
    _row(
        "retention",
        "retention.* log.retention.* delete.retention.ms log.cleaner.delete.retention.ms "
        "delete_records retention kafka-delete-records",
    ),
    _row(
        "compaction",
        "cleanup.policy log.cleanup.policy log.cleaner.* min.cleanable.dirty.ratio "
        "min.compaction.lag.ms max.compaction.lag.ms compact compaction",
    ),
    _row(
        "segments",
        "segment.* log.segment.* log.roll.* log.index.* index.interval.bytes preallocate "
        "log.preallocate file.delete.delay.ms roll segment",
    ),
    _row(
        "log_directories",
        "KIP-112 KIP-113 KIP-858 log.dir log.dirs metadata.log.dir move_directory "
        "alter_replica_log_dirs disk_error log_directory kafka-log-dirs",
    ),
    _row(
        "message_formats",
        "message.format.version log.message.format.version message.downconversion.enable "
        "log.message.downconversion.enable",
    ),
    _row("timestamps", "message.timestamp.* log.message.timestamp.* timestamp offsets_for_times"),
    _row("sizes", "compression.* max.message.bytes message.max.bytes compression batch batch.size"),
    _row(
        "quotas",
        "leader.replication.throttled.* follower.replication.throttled.* throttled.rate "
        "replica.alter.log.dirs.io.max.bytes.per.second producer_byte_rate consumer_byte_rate "
        "request_percentage controller_mutation_rate quota.* throttle quota",
    ),
    _row(
        "consumer_groups",
        "KIP-848 group.version group.* offsets.* commit commit_offset join_group rebalance "
        "consumer_group kafka-consumer-groups",
    ),
    _row(
        "share_groups",
        "KIP-932 share.version share.* group.share.* share_group share_fetch share_acknowledge "
        "kafka-share-groups",
    ),
    _row("streams", "KIP-1071 streams.version group.streams.* streams kafka_connect"),
    _row("transactions", "KIP-890 transaction.* transactional.* producer.id.expiration.ms end_txn"),
    _row(
        "client_settings",
        "enable.idempotence retries delivery.timeout.ms linger.ms retry.backoff.ms "
        "max.in.flight.requests.per.connection max.block.ms buffer.memory isolation.level "
        "auto.offset.reset enable.auto.commit fetch.min.bytes fetch.max.wait.ms max.poll.* "
        "session.timeout.ms heartbeat.interval.ms client.*",
    ),
    _row(
        "processes",
        "broker.id node.id process.roles listeners advertised.* listener.* control.plane.* "
        "inter.broker.listener.name security.* sasl.* ssl.* authorizer.* zookeeper.connect "
        "num.network.threads num.io.threads background.threads socket.* connections.* "
        "num.recovery.threads.per.data.dir queued.*",
    ),
    _row("performance", "throughput zero_copy sendfile"),
    _row("metrics", "metrics metric.* jmx UnderReplicatedPartitions UnderMinIsrPartitionCount"),
    _row("clocks", "clock_skew corrupt corruption byzantine"),
)
"""In the order of FIDELITY.md."""


def find_left_out(name: str) -> LeftOut | None:
    """The row of a name; null if it is not a name of something that is left out.

    The longest of several names that fit decides: `group.share.enable` is one of share groups.
    """
    wanted = _spelled(name)
    if wanted in _exact():
        return _exact()[wanted]
    fitting = [start for start in _prefixes() if wanted.startswith(start)]
    return _prefixes()[max(fitting, key=len)] if fitting else None


def left_out_table(lang: str = DEFAULT_LANGUAGE) -> str:
    """The rows as a table in Markdown, in one language."""
    head, means, names, stop = (
        Wording(name, file=_TEXTS).text(lang)
        for name in ("head", "head-means", "head-names", "full-stop")
    )
    separator = find_language(lang).separator
    lines = [f"| {head} | {means} | {names} |", "| --- | --- | --- |"]
    for row in LEFT_OUT:
        refused = separator.join(f"`{name}`" for name in row.names) or "—"
        lines.append(f"| {row.title.text(lang)} | {row.means.text(lang)}{stop} | {refused} |")
    return "\n".join(lines)


def text_names() -> frozenset[str]:
    """The names of the messages in `left_out.ftl`."""
    return frozenset(messages(DEFAULT_LANGUAGE, _TEXTS))


def _spelled(name: str) -> str:
    return _SPELLING.sub("", name.lower())


@cache
def _exact() -> Mapping[str, LeftOut]:
    return {_spelled(name): row for row in LEFT_OUT for name in row.names if not name.endswith("*")}


@cache
def _prefixes() -> Mapping[str, LeftOut]:
    return {
        _spelled(name.removesuffix("*")): row
        for row in LEFT_OUT
        for name in row.names
        if name.endswith("*")
    }
