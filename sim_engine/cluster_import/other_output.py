"""Reads the output of tools besides those that describe topics and logs: `kafka-features`,
`kafka-get-offsets`, kcat, `kafka-leader-election`, `kafka-reassign-partitions`, the records of a
dumped metadata log, and `server.properties`. Other output that people paste is recognized by name,
so that the error can say what to paste instead.
"""

import json
import re
from collections.abc import Iterable, Mapping
from itertools import takewhile

from msgspec.structs import replace

from sim_engine.cluster_import.context import Context
from sim_engine.cluster_import.parsed_state import ParsedPartition, Partition
from sim_engine.error_texts import error
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset
from sim_engine.json_types import as_items, as_mapping
from sim_engine.releases import number_of

_FEATURE = re.compile(
    r"Feature: (?P<name>[a-z.]+)\s+SupportedMinVersion: \S+\s+SupportedMaxVersion: (?P<most>\S+)\s+"
    r"FinalizedVersionLevel: (?P<level>\S+)\s+Epoch: -?[0-9]+\s*"
)
PROTOCOL_LEVEL = re.compile(r"(?P<line>[0-9]{1,3}\.[0-9]{1,3})(?:-IV[0-9]+)?")
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
    supported = None if of_metadata is None else PROTOCOL_LEVEL.fullmatch(of_metadata["most"])
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
_MOST_PROPERTIES = 2_000


def read_server_properties(context: Context) -> bool:
    """Read `server.properties`, or the values that a broker logs at its start: the settings of one
    broker. The values of secrets are dropped. Returns whether the next lines are such a file.
    """
    is_first = _PROPERTY.fullmatch(context.line.strip()) is not None
    if not is_first or context.number < context.no_properties_until:
        return False
    lines = list(takewhile(_may_be_property, context.upcoming(_MOST_PROPERTIES)))
    found = [match for line in lines if (match := _PROPERTY.fullmatch(line.strip())) is not None]
    properties = {match["name"]: match["value"].strip() for match in found}
    if not _OF_SERVER & properties.keys():
        context.no_properties_until = context.number + len(lines)
        return False
    first, parsed = context.number, context.parsed
    for _ in lines:
        context.take()
    properties = {name: value for name, value in properties.items() if value != "null"}
    broker = properties.get("node.id", properties.get("broker.id", ""))
    named = re.fullmatch("[0-9]{1,9}", broker)
    parsed.controls.add("kraft" if properties.get("process.roles") else "zookeeper")
    if named is not None:
        parsed.brokers.add(BrokerId(int(broker)))
    level = PROTOCOL_LEVEL.match(properties.get("inter.broker.protocol.version", ""))
    if level is not None:
        parsed.since[level["line"]] = "since_protocol_version"
    name = parsed.set_configs("broker", broker, properties, context.name, first)
    context.understand(name, first, count=len(properties), entity=broker)
    return True


def _may_be_property(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith(("#", "!")) or _PROPERTY.fullmatch(text) is not None


_KCAT_HEAD = re.compile(r"Metadata for [^(]{1,300} \(from broker [^)]{1,300}\):")
_KCAT_BROKER = re.compile(r"broker (?P<id>[0-9]{1,9}) at \S+(?: \(controller\))?")
_KCAT_TOPIC = re.compile(r'topic "(?P<topic>[^"]+)" with [0-9]+ partitions:(?: .*)?')
_KCAT_PARTITION = re.compile(
    r"partition (?P<number>[0-9]{1,6}), leader (?P<leader>-?[0-9]{1,9}), "
    r"replicas: (?P<replicas>[0-9,]+), isrs: ?(?P<isr>[0-9,]*)(?:, .*)?"
)
_KCAT_COUNT = re.compile(r"[0-9]+ (?:brokers|topics):")


def read_kcat(context: Context) -> bool:
    """Read `kcat -L`, which lists the live brokers and each partition. Returns whether the next
    lines are its output.
    """
    if not _KCAT_HEAD.fullmatch(context.line.strip()):
        return False
    first, topic, count = context.number, "", 0
    context.parsed.lists_live = True
    context.take()
    while not context.done:
        text = context.line.strip()
        if match := _KCAT_BROKER.fullmatch(text):
            context.parsed.live.add(BrokerId(int(match["id"])))
        elif match := _KCAT_TOPIC.fullmatch(text):
            topic = match["topic"]
        elif match := _KCAT_PARTITION.fullmatch(text):
            leader = int(match["leader"])
            about = ParsedPartition(
                replicas=_numbers(match["replicas"]),
                leader=NO_LEADER if leader < 0 else BrokerId(leader),
                isr=_numbers(match["isr"]),
                file=context.name,
                line=context.number,
            )
            context.parsed.describe(Partition(topic, int(match["number"])), about)
            count += 1
        elif not _KCAT_COUNT.fullmatch(text):
            break
        context.take()
    context.understand("kcat", first, count=count)
    return True


def _numbers(text: str) -> tuple[BrokerId, ...]:
    return tuple(BrokerId(int(part)) for part in text.split(",") if part)


METADATA_LOG = "__cluster_metadata"


def read_metadata_records(context: Context, first: int, payloads: Iterable[str]) -> None:
    """Read the records of a dumped KRaft metadata log or snapshot: the partitions, the brokers and
    the settings as the controller wrote them, in its order. `first` is the line at which the dump
    begins.
    """
    records = _MetadataRecords()
    for payload in payloads:
        try:
            record = as_mapping(json.loads(payload))
            records.add(str(record["type"]), as_mapping(record["data"]))
        except (KeyError, TypeError, ValueError, AssertionError, RecursionError):
            context.report(first, error("import_json_form"))
            return
    parsed = context.parsed
    parsed.topic_ids.update(records.topics)
    for partition, about in records.partitions.items():
        if about.replicas:
            parsed.describe(partition, replace(about, file=context.name, line=first))
    for (kind, name), settings in records.configs.items():
        parsed.set_configs(kind, name, settings, context.name, first)
    fenced = {broker for broker, state in records.brokers.items() if state == "fenced"}
    parsed.down.update(fenced)
    parsed.up.update(broker for broker, state in records.brokers.items() if state == "active")
    parsed.shutting_down.update(
        broker for broker, state in records.brokers.items() if state == "shutting_down"
    )
    parsed.brokers.update(records.brokers)
    parsed.racks.update(records.racks)
    parsed.controls.add("kraft")
    parsed.since["2.8"] = "since_metadata_log"
    if any(one.elr or one.last_known_elr for one in records.partitions.values()):
        parsed.since["4.0"] = "since_elr"
    context.understand("metadata_log", first, count=len(records.partitions))


class _MetadataRecords:
    """The partitions, brokers and settings after the records so far (`MetadataDelta.replay`)."""

    def __init__(self) -> None:
        self.topics: dict[str, str] = {}
        self.partitions: dict[Partition, ParsedPartition] = {}
        self.brokers: dict[BrokerId, str] = {}
        self.racks: dict[BrokerId, str] = {}
        self.configs: dict[tuple[str, str], dict[str, str]] = {}

    def add(self, kind: str, data: Mapping[str, object]) -> None:
        """Apply one record. Raises `KeyError`, `ValueError` or `AssertionError` if it has not the
        form of its type; a record of another type changes nothing here.
        """
        if kind == "TOPIC_RECORD":
            self.topics[str(data["topicId"])] = str(data["name"])
        elif kind == "REMOVE_TOPIC_RECORD":
            name = self.topics.pop(str(data["topicId"]), str(data["topicId"]))
            for partition in [one for one in self.partitions if one.topic == name]:
                del self.partitions[partition]
        elif kind in ("PARTITION_RECORD", "PARTITION_CHANGE_RECORD"):
            topic = self.topics.get(str(data["topicId"]), str(data["topicId"]))
            partition = Partition(topic, int_of(data["partitionId"]))
            before = self.partitions.get(partition, ParsedPartition(replicas=()))
            is_new = kind == "PARTITION_RECORD"
            self.partitions[partition] = changed(before, data, is_new=is_new)
        elif kind == "CONFIG_RECORD":
            level = {2: "topic", 4: "broker"}.get(int_of(data["resourceType"]))
            if level is not None:
                settings = self.configs.setdefault((level, str(data["resourceName"])), {})
                settings[str(data["name"])] = str(data["value"])
                if data["value"] is None:
                    del settings[str(data["name"])]
        elif "BROKER" in kind:
            self._add_of_broker(kind, data)

    def _add_of_broker(self, kind: str, data: Mapping[str, object]) -> None:
        if kind in ("FENCE_BROKER_RECORD", "UNFENCE_BROKER_RECORD", "UNREGISTER_BROKER_RECORD"):
            key = "brokerId" if "brokerId" in data else "id"
            state = "active" if kind == "UNFENCE_BROKER_RECORD" else "fenced"
            self.brokers[BrokerId(int_of(data[key]))] = state
        elif kind == "REGISTER_BROKER_RECORD":
            broker = BrokerId(int_of(data["brokerId"]))
            self.brokers[broker] = "active" if data.get("fenced") is False else "fenced"
            if data.get("inControlledShutdown") is True:
                self.brokers[broker] = "shutting_down"
            if isinstance(data.get("rack"), str):
                self.racks[broker] = str(data["rack"])
        elif kind == "BROKER_REGISTRATION_CHANGE_RECORD":
            broker = BrokerId(int_of(data["brokerId"]))
            if data.get("fenced") in (-1, 1):
                self.brokers[broker] = "active" if data["fenced"] == -1 else "fenced"
            if data.get("inControlledShutdown") == 1:
                self.brokers[broker] = "shutting_down"


def int_of(value: object) -> int:
    """A value of a document that must be a whole number."""
    assert isinstance(value, int), "the value is a number"
    assert not isinstance(value, bool), "the value is a number"
    return value


def changed(
    before: ParsedPartition, data: Mapping[str, object], *, is_new: bool
) -> ParsedPartition:
    """A partition after a record about it. A record with a leader increments the leader epoch, and
    every record the partition epoch (`PartitionRegistration.merge`).
    """

    def brokers(key: str, was: tuple[BrokerId, ...]) -> tuple[BrokerId, ...]:
        listed = data.get(key)
        if listed is None:
            return was
        return tuple(BrokerId(int_of(number)) for number in as_items(listed))

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
        partition_epoch=(before.partition_epoch or 0) + 1,
    )
    if changes:
        after.leader = BrokerId(int(str(leader)))
    if is_new and isinstance(epoch, int) and isinstance(version, int):
        after.leader_epoch, after.partition_epoch = LeaderEpoch(epoch), version
    return after


_NO_LEADER_CHANGE = -2
"""The leader of a record that does not change it (`NO_LEADER_CHANGE`)."""


_ELECTED = re.compile(
    r"(?P<result>Successfully completed (?:leader election \((?P<kind>[A-Z]+)\)|preferred replica "
    r"election)|Valid replica already elected) for partitions (?P<partitions>.*)"
)
_NOT_ELECTED = re.compile(
    r"Error completing (?:leader election \([A-Z]+\)|preferred replica election) for partition:? .*"
)
_NAMED_PARTITION = re.compile(r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<number>[0-9]{1,6})")


def read_election(context: Context) -> bool:
    """Read `kafka-leader-election`, or `kafka-preferred-replica-election`: the partitions whose
    preferred replica leads. Returns whether the next line is its output.
    """
    line, number = context.line.strip(), context.number
    elected = _ELECTED.fullmatch(line)
    if elected is None:
        if _NOT_ELECTED.fullmatch(line) is None:
            return False
        context.pass_over("not_used_election_failed")
        return True
    context.take()
    found = [
        Partition(match["topic"], int(match["number"]))
        for match in _NAMED_PARTITION.finditer(elected["partitions"])
    ]
    # An unclean election chooses any replica.
    if elected["kind"] != "UNCLEAN":
        context.parsed.preferred.update(dict.fromkeys(found, (context.name, number)))
    context.understand("election", number, count=len(found))
    return True


_VERIFY_HEAD = re.compile(r"Status of partition reassignment: ?|Current partition reassignments:")
_VERIFIED = re.compile(
    r"Reassignment of partition \[?(?P<topic>[A-Za-z0-9._-]{1,249})[-,](?P<number>[0-9]{1,6})\]? "
    r"(?:is (?P<going>still in progress)|is completed?|completed successfully|failed)\.?"
)
_NOT_ACTIVE = re.compile(
    r"There is no active reassignment of partition (?P<topic>[A-Za-z0-9._-]{1,249})-"
    r"(?P<number>[0-9]{1,6}), but replica set is (?P<ids>[0-9,]+) rather than [0-9,]+\."
)
_LISTED = re.compile(
    r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<number>[0-9]{1,6}): replicas: (?P<ids>[0-9,]+)\."
    r"(?: adding: (?P<adding>[0-9,]+)\.)?(?: removing: (?P<removing>[0-9,]+)\.)?"
)
_OF_REASSIGNMENT = re.compile(
    r"Reassignment of replica \S+ .*|No partition reassignments found\.|"
    r"Clearing .*-level throttles .*|Throttle was removed\.|"
    r"Successfully (?:started|cancelled) (?:partition )?reassignment.*|"
    r"None of the specified partition .*|Save this to use as the --reassignment-json-file .*|"
    r"The .* throttle limit was set to .*|Warning: You must run \S+ periodically.*|"
    r"There is an existing assignment running\.|ERROR: Assigned replicas .*"
)


def read_reassignments(context: Context) -> bool:
    """Read `kafka-reassign-partitions`: with `--list` the replicas that are added and removed, with
    `--verify` which reassignments go on. Returns whether the next line is its output.
    """
    line, number, parsed = context.line.strip(), context.number, context.parsed
    if _VERIFY_HEAD.fullmatch(line):
        context.take()
        return True
    if match := _LISTED.fullmatch(line):
        partition = Partition(match["topic"], int(match["number"]))
        about = ParsedPartition(
            replicas=_numbers(match["ids"]),
            adding=_numbers(match["adding"] or ""),
            removing=_numbers(match["removing"] or ""),
            file=context.name,
            line=number,
        )
        parsed.describe(partition, about)
        parsed.since["2.4"] = "since_adding_replicas"
    elif match := _VERIFIED.fullmatch(line):
        if match["going"]:
            partition = Partition(match["topic"], int(match["number"]))
            parsed.reassigning[partition] = (context.name, number)
    elif match := _NOT_ACTIVE.fullmatch(line):
        replicas = _numbers(match["ids"])
        about = ParsedPartition(replicas=replicas, file=context.name, line=number)
        parsed.describe(Partition(match["topic"], int(match["number"])), about)
    elif _OF_REASSIGNMENT.fullmatch(line):
        context.pass_over("not_used_reassignment")
        return True
    else:
        return False
    context.take()
    context.understand("reassignment", number)
    return True


_NAMED: Mapping[str, re.Pattern[str]] = {
    "kafka-consumer-groups": re.compile(r"GROUP\s+TOPIC\s+PARTITION\s+CURRENT-OFFSET.*"),
    "rpk": re.compile(r"(?:NAME|PARTITION)\s+(?:PARTITIONS\s+REPLICAS|LEADER\s+EPOCH).*"),
    "kafka-producer-perf-test": re.compile(r"[0-9]+ records sent, [0-9.]+ records/sec .*"),
    "kafka-transactions": re.compile(
        r"TransactionalId\s+Coordinator\s.*|ProducerId\s+ProducerEpoch.*"
    ),
    "kafka-broker-api-versions": re.compile(r"\S+:[0-9]+ \(id: [0-9]+ rack: \S+.*\) -> \("),
}
"""Name of a source → the first line of its output."""


def read_named(context: Context) -> bool:
    """Recognize output that is not read, up to the next blank line, and report it once. Returns
    whether the next lines are such output.
    """
    for name, form in _NAMED.items():
        if form.match(context.line.strip()):
            context.report(context.number, error("import_not_read", name=name))
            while not context.done and context.line.strip():
                context.take()
            return True
    return False
