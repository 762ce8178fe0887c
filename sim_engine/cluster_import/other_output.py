"""Reads the output of tools besides those that describe topics and logs: `kafka-features`,
`kafka-get-offsets`, `kafka-log-dirs`, kcat, the records of a dumped metadata log, and
`server.properties`. Other output that people paste is recognized by name, so that the error can say
what to paste instead.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from msgspec.structs import replace

from sim_engine.cluster_import.parsed_state import (
    Context,
    ParsedPartition,
    Partition,
    partition_of_folder,
)
from sim_engine.error_texts.wording import error
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset
from sim_engine.json_types import as_items, as_mapping
from sim_engine.releases import number_of

_FEATURE = re.compile(
    r"Feature: (?P<name>[a-z.]+)\s+SupportedMinVersion: \S+\s+SupportedMaxVersion: (?P<most>\S+)\s+"
    r"FinalizedVersionLevel: (?P<level>\S+)\s+Epoch: -?[0-9]+\s*"
)
_LEVEL = re.compile(r"(?P<line>[0-9]{1,3}\.[0-9]{1,3})(?:-IV[0-9]+)?")
_ELR_FEATURE = "eligible.leader.replicas.version"


def read_features(context: Context) -> bool:
    """Read `kafka-features describe`: the release, and whether there are eligible leader replicas.
    Returns whether the next lines are its output.
    """
    first, parsed = context.number, context.parsed
    levels = {match["name"]: match for match in context.take_all(_FEATURE)}
    if not levels:
        return False
    parsed.controls.add("kraft")
    parsed.since["3.3"] = "since_features"
    of_metadata = levels.get("metadata.version")
    supported = None if of_metadata is None else _LEVEL.fullmatch(of_metadata["most"])
    if supported is not None:
        major, minor = number_of(supported["line"])
        parsed.since[supported["line"]] = "since_metadata_version"
        parsed.until[f"{major}.{minor + 1}"] = "until_metadata_version"
    parsed.elr_enabled = _ELR_FEATURE in levels and levels[_ELR_FEATURE]["level"] != "0"
    context.understand("features", first, names=list(levels))
    return True


_OFFSET = re.compile(
    r"(?P<topic>[A-Za-z0-9._-]{1,249}):(?P<number>[0-9]{1,6}):(?P<offset>[0-9]{1,19})"
)


def read_offsets(context: Context) -> bool:
    """Read `kafka-get-offsets`, which prints the high watermark of each partition's leader. Returns
    whether the next lines are its output.
    """
    first = context.number
    found = list(context.take_all(_OFFSET))
    for match in found:
        partition = Partition(match["topic"], int(match["number"]))
        context.parsed.high_watermarks[partition] = Offset(int(match["offset"]))
    if found:
        context.understand("offsets", first, count=len(found))
    return bool(found)


_PROPERTY = re.compile(r"(?P<name>[a-z][A-Za-z0-9._-]*)\s*=\s*(?P<value>.*)")
_OF_SERVER = frozenset(
    {
        "advertised.listeners",
        "controller.quorum.bootstrap.servers",
        "controller.quorum.voters",
        "listeners",
        "log.dir",
        "log.dirs",
        "process.roles",
        "zookeeper.connect",
    }
)
"""Settings that every broker's file has, and no output of a tool."""
_SECRET = re.compile(r"password|secret|jaas|token|credential|keystore\.key|certificate", re.I)
_MOST_PROPERTIES = 2_000


def read_server_properties(context: Context) -> bool:
    """Read `server.properties`: the settings of one broker. The values of secrets are dropped.
    Returns whether the next lines are such a file.
    """
    lines = list(takewhile(_may_be_property, context.upcoming(_MOST_PROPERTIES)))
    found = [match for line in lines if (match := _PROPERTY.fullmatch(line.strip())) is not None]
    properties = {match["name"]: match["value"].strip() for match in found}
    if not found or not _OF_SERVER & properties.keys() or not _PROPERTY.fullmatch(lines[0].strip()):
        return False
    first, parsed = context.number, context.parsed
    for _ in lines:
        context.take()
    secrets = [name for name in properties if _SECRET.search(name)]
    for name in secrets:
        del properties[name]
    if secrets:
        parsed.assume("secrets", context.name, first, names=secrets)
    broker = properties.get("node.id", properties.get("broker.id", ""))
    named = re.fullmatch("[0-9]{1,9}", broker)
    parsed.controls.add("kraft" if "process.roles" in properties else "zookeeper")
    if named is None:
        parsed.cluster_configs.update(properties)
    else:
        parsed.brokers.add(BrokerId(int(broker)))
        parsed.broker_configs.setdefault(BrokerId(int(broker)), {}).update(properties)
        if "broker.rack" in properties:
            parsed.racks[BrokerId(int(broker))] = properties["broker.rack"]
    level = _LEVEL.match(properties.get("inter.broker.protocol.version", ""))
    if level is not None:
        parsed.since[level["line"]] = "since_protocol_version"
    name = "cluster_configs" if named is None else "broker_configs"
    context.understand(name, first, count=len(properties), entity=broker)
    return True


def _may_be_property(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith(("#", "!")) or _PROPERTY.fullmatch(text) is not None


_KCAT_HEAD = re.compile(r"Metadata for .* \(from broker .*\):")
_KCAT_BROKER = re.compile(r"broker (?P<id>[0-9]{1,9}) at \S+(?: \(controller\))?")
_KCAT_TOPIC = re.compile(r'topic "(?P<topic>[^"]+)" with [0-9]+ partitions:(?: .*)?')
_KCAT_PARTITION = re.compile(
    r"partition (?P<number>[0-9]{1,6}), leader (?P<leader>-?[0-9]{1,9}), "
    r"replicas: (?P<replicas>[0-9,]+), isrs: (?P<isr>[0-9,]*)(?:, .*)?"
)
_KCAT_COUNT = re.compile(r"[0-9]+ (?:brokers|topics):")


def read_kcat(context: Context) -> bool:
    """Read `kcat -L`, which lists the live brokers and each partition. Returns whether the next
    lines are its output.
    """
    if not _KCAT_HEAD.fullmatch(context.line.strip()):
        return False
    first, topic, count = context.number, "", 0
    context.take()
    while not context.done:
        text = context.line.strip()
        if match := _KCAT_BROKER.fullmatch(text):
            context.parsed.live.add(BrokerId(int(match["id"])))
        elif match := _KCAT_TOPIC.fullmatch(text):
            topic = match["topic"]
        elif match := _KCAT_PARTITION.fullmatch(text):
            _add(
                context,
                Partition(topic, int(match["number"])),
                int(match["leader"]),
                _numbers(match["replicas"]),
                _numbers(match["isr"]),
            )
            count += 1
        elif not _KCAT_COUNT.fullmatch(text):
            break
        context.take()
    context.understand("kcat", first, count=count)
    return True


def _numbers(text: str) -> tuple[BrokerId, ...]:
    return tuple(BrokerId(int(part)) for part in text.split(",") if part)


def _add(
    context: Context,
    partition: Partition,
    leader: int,
    replicas: tuple[BrokerId, ...],
    isr: tuple[BrokerId, ...],
) -> None:
    if partition in context.parsed.partitions:
        name = str(partition)
        context.parsed.assume("described_twice", context.name, context.number, partition=name)
    context.parsed.partitions[partition] = ParsedPartition(
        replicas=replicas,
        leader=NO_LEADER if leader < 0 else BrokerId(leader),
        isr=isr,
        file=context.name,
        line=context.number,
    )


_MOST_LINES = 5_000


def read_json(context: Context) -> bool:
    """Read JSON: `kcat -L -J` or `kafka-log-dirs`. Returns whether the next lines are JSON of one
    of them.
    """
    if not context.line.lstrip().startswith("{"):
        return False
    text, count = "", 0
    document: object = None
    for line in context.upcoming(_MOST_LINES):
        text, count = f"{text}\n{line}", count + 1
        if line.rstrip().endswith("}"):
            try:
                document = json.loads(text)
            except (ValueError, RecursionError):
                continue
            break
    if not isinstance(document, dict):
        return False
    first = context.number
    try:
        if "topics" in document and "brokers" in document:
            _read_kcat_json(context, document)
        elif "brokers" in document:
            _read_log_dirs(context, document, first)
        else:
            return False
    except (KeyError, TypeError, ValueError, AssertionError):
        context.report(first, error("import_json_form"))
    for _ in range(count):
        context.take()
    if "topics" in document:
        context.understand("kcat", first, count=len(context.parsed.partitions))
    else:
        context.understand("log_dirs", first, count=len(context.parsed.lags))
    return True


def _read_kcat_json(context: Context, document: Mapping[str, object]) -> None:
    for broker in as_items(document["brokers"]):
        context.parsed.live.add(_id(broker))
    for topic in map(as_mapping, as_items(document["topics"])):
        for one in map(as_mapping, as_items(topic["partitions"])):
            number, leader = one["partition"], one["leader"]
            assert isinstance(number, int), "a partition is a number"
            assert isinstance(leader, int), "a leader is a number"
            _add(
                context,
                Partition(str(topic["topic"]), number),
                leader,
                tuple(_id(replica) for replica in as_items(one["replicas"])),
                tuple(_id(replica) for replica in as_items(one["isrs"])),
            )


def _id(node: object) -> BrokerId:
    number = as_mapping(node)["id"]
    assert isinstance(number, int), "an id is a number"
    return BrokerId(number)


def _read_log_dirs(context: Context, document: Mapping[str, object], line: int) -> None:
    for of_broker in map(as_mapping, as_items(document["brokers"])):
        broker = of_broker["broker"]
        assert isinstance(broker, int), "an id is a number"
        for partition, lag in _lags(of_broker):
            context.parsed.lags[partition, BrokerId(broker)] = lag
        context.parsed.live.add(BrokerId(broker))


def _lags(of_broker: Mapping[str, object]) -> Iterator[tuple[Partition, int]]:
    for folder in map(as_mapping, as_items(of_broker["logDirs"])):
        for one in map(as_mapping, as_items(folder.get("partitions", []))):
            partition, lag = partition_of_folder(str(one["partition"])), one["offsetLag"]
            if partition is not None and isinstance(lag, int) and one.get("isFuture") is not True:
                yield partition, lag


METADATA_LOG = "__cluster_metadata"


def read_metadata_records(context: Context, first: int, payloads: Iterable[str]) -> None:
    """Read the records of a dumped KRaft metadata log: the partitions as the controller wrote them,
    in its order. `first` is the line at which the dump begins.
    """
    topics: dict[str, str] = {}
    found: dict[Partition, ParsedPartition] = {}
    for payload in payloads:
        try:
            record = as_mapping(json.loads(payload))
            kind, data = record["type"], as_mapping(record["data"])
            if kind == "TOPIC_RECORD":
                topics[str(data["topicId"])] = str(data["name"])
            elif kind in ("PARTITION_RECORD", "PARTITION_CHANGE_RECORD"):
                number = data["partitionId"]
                assert isinstance(number, int), "a partition is a number"
                topic = topics.get(str(data["topicId"]), str(data["topicId"]))
                partition = Partition(topic, number)
                before = found.get(partition, ParsedPartition(replicas=()))
                found[partition] = _changed(before, data, is_new=kind == "PARTITION_RECORD")
        except (KeyError, TypeError, ValueError, AssertionError, RecursionError):
            context.report(first, error("import_json_form"))
            return
    for partition, about in found.items():
        if about.replicas:
            context.parsed.partitions[partition] = replace(about, file=context.name, line=first)
    context.parsed.controls.add("kraft")
    context.parsed.since["2.8"] = "since_node_id"
    context.understand("metadata_log", first, count=len(found))


def _changed(
    before: ParsedPartition, data: Mapping[str, object], *, is_new: bool
) -> ParsedPartition:
    """A partition after a record about it. A record with a leader increments the leader epoch, and
    every record the partition epoch (`PartitionRegistration.merge`).
    """

    def brokers(key: str, was: tuple[BrokerId, ...]) -> tuple[BrokerId, ...]:
        listed = data.get(key)
        if listed is None:
            return was
        numbers = as_items(listed)
        assert all(isinstance(number, int) for number in numbers), "ids are numbers"
        return tuple(BrokerId(int(str(number))) for number in numbers)

    leader, epoch, version = data.get("leader"), data.get("leaderEpoch"), data.get("partitionEpoch")
    changes = isinstance(leader, int) and leader != _NO_LEADER_CHANGE
    after = replace(
        before,
        replicas=brokers("replicas", before.replicas),
        isr=brokers("isr", before.isr or ()),
        elr=brokers("eligibleLeaderReplicas", before.elr),
        last_known_elr=brokers("lastKnownElr", before.last_known_elr),
        adding=brokers("addingReplicas", before.adding),
        removing=brokers("removingReplicas", before.removing),
        leader_epoch=LeaderEpoch((before.leader_epoch or 0) + changes),
        partition_epoch=before.partition_epoch + 1,
    )
    if changes:
        after.leader = BrokerId(int(str(leader)))
    if is_new and isinstance(epoch, int) and isinstance(version, int):
        after.leader_epoch, after.partition_epoch = LeaderEpoch(epoch), version
    return after


_NO_LEADER_CHANGE = -2
"""The leader of a record that does not change it (`NO_LEADER_CHANGE`)."""


_NAMED: Mapping[str, re.Pattern[str]] = {
    "kafka-consumer-groups": re.compile(r"GROUP\s+TOPIC\s+PARTITION\s+CURRENT-OFFSET.*"),
    "kafka-reassign-partitions": re.compile(
        r"(?:Status of partition reassignment|Current partition replica assignment).*|"
        r"Reassignment of partition \S+ .*"
    ),
    "kafka-leader-election": re.compile(
        r"(?:Successfully completed leader election|Valid replica already elected).*"
    ),
    "kafka-metadata-shell": re.compile(r'\{?\s*"partitionId"\s*:.*'),
    "ZooKeeper": re.compile(r'\{"controller_epoch":.*'),
    "Strimzi": re.compile(r"apiVersion: kafka\.strimzi\.io/.*"),
    "rpk": re.compile(r"(?:NAME|PARTITION)\s+(?:PARTITIONS\s+REPLICAS|LEADER\s+EPOCH).*"),
}
"""Name of a source → the first line of its output."""


def read_named(context: Context) -> bool:
    """Recognize output that is not read, up to the next blank line, and report it once. Returns
    whether the next lines are such output.
    """
    upcoming = " ".join(line.strip() for line in context.upcoming(2))
    for name, form in _NAMED.items():
        if form.match(context.line.strip()) or form.match(upcoming):
            context.report(context.number, error("import_not_read", name=name))
            while not context.done and context.line.strip():
                context.take()
            return True
    return False
