"""Reads the output of `kafka-topics`, `kafka-metadata-quorum`, `kafka-configs` and `kafka-dump-log`
of any release.

`kafka-dump-log` (`DumpLogSegments`) exists from 0.8 on. Up to 2.0 `--print-data-log` prints one
line for each record, without the leader epoch. From 2.1 each batch has a line, and with
`--print-data-log` each of its records has a line below it that starts with `|`.
"""

import json
import re
from collections.abc import Iterator

from sim_engine.cluster_import.context import Context, read_path
from sim_engine.cluster_import.other_output import (
    METADATA_LOG,
    PROTOCOL_LEVEL,
    read_metadata_records,
)
from sim_engine.cluster_import.parsed_state import (
    ParsedLog,
    ParsedPartition,
    ParsedRecord,
    ParsedState,
    Partition,
    is_secret,
)
from sim_engine.error_texts import WrongValueError, error
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset
from sim_engine.left_out import find_left_out

_DUMPING = re.compile(r"Dumping (?P<path>.+)")
_START = re.compile(
    r"(?:Log s|S)tarting offset: (?P<offset>[0-9]{1,19})|"
    r"Snapshot end offset: [0-9]{1,19}, epoch: [0-9]{1,10}"
)
_VALUE_ONLY = re.compile(r"(?:\| key: .* |\s*)payload: (?P<value>.*)")
"""A record that is dumped with `--skip-record-metadata`, without its offset."""
_BATCH = re.compile(
    r"baseOffset: (?P<first>[0-9]{1,19}) lastOffset: (?P<last>[0-9]{1,19}) .*"
    r"partitionLeaderEpoch: (?P<epoch>-?[0-9]{1,10}) .*"
)
_RECORD = re.compile(r"(?P<bar>\| )?offset: (?P<offset>[0-9]{1,19})(?P<rest> .*)")
_PAYLOAD = re.compile(r"(?:^| )payload: ?(?P<value>.*)")
_SIZE = re.compile(r" (?:valuesize|valueSize|payloadsize): (?P<size>-?[0-9]{1,10})(?= |$)")
_OLD_FORMAT = re.compile(r" magic: [01] ")
_MARKER = re.compile(r" endTxnMarker: (?P<marker>[A-Z]+)")
_PRODUCER = re.compile(r" producerId: (?P<id>[0-9]+) ")
_INVALID = re.compile(r" is[vV]alid: false(?= |$)")
_NOT_A_LOG = re.compile(
    r"(?:timestamp: -?[0-9]+ )?offset: [0-9]+(?: position: [0-9]+)?|producerId: .*|"
    r"Mismatches in :.*|Index offset: .*"
)
_BEGINNINGS = (
    "Dumping ", "Starting ", "Log starting ", "Snapshot end ", "baseOffset: ", "offset: ",
    "| offset: ",
)  # fmt: skip
_MOST_RECORDS = 1_000_000


_METADATA = re.compile(r'payload: \{"type": ?"[A-Z_]+_RECORD"')


def read_dump(context: Context) -> bool:
    """Read the dump of one file, without indexes and snapshots. Returns whether the next lines are
    a dump.
    """
    if not context.line.lstrip().startswith(_BEGINNINGS):
        return False
    dumping = _DUMPING.fullmatch(context.line.strip())
    if dumping is None and not _starts(context.line):
        return False
    first = context.number
    if dumping is not None:
        context.at_path(dumping["path"].strip())
        context.take()
        if read_path(dumping["path"].strip()).kind != "segment":
            while not context.done and _NOT_A_LOG.fullmatch(context.line.strip()):
                context.take()
            return True
    if context.partition is None and any(map(_METADATA.search, context.upcoming(3))):
        context.at_path(f"{METADATA_LOG}-0/00000000000000000000.log")
    if context.partition is None:
        context.report(first, error("dump_without_partition"))
    partition = context.partition or Partition("", 0)
    log = ParsedLog(partition=partition, origin=context.origin(first))
    _read_lines(context, log)
    if context.partition is None:
        return True
    if partition.topic == METADATA_LOG:
        values = (record.value for _, record in sorted(log.records.items()))
        read_metadata_records(context, first, [value for value in values if value is not None])
        return True
    if len(log.records) > _MOST_RECORDS:
        context.report(first, error("dump_too_long", most=_MOST_RECORDS))
        return True
    context.parsed.logs.append(log)
    context.understand("dump", first, partition=str(partition), count=len(log.records))
    return True


def _starts(line: str) -> bool:
    text = line.strip()
    return (
        _START.fullmatch(text) is not None
        or _BATCH.fullmatch(text) is not None
        or _is_record(_RECORD.fullmatch(text))
    )


def _is_record(match: re.Match[str] | None) -> bool:
    """Whether a line is a record; index lines begin in the same way but are shorter."""
    return match is not None and (match["bar"] is not None or " isvalid: " in match["rest"])


def _read_lines(context: Context, log: ParsedLog) -> None:
    epoch: LeaderEpoch | None = None
    without_offset = 0
    partition_is_data = log.partition.topic != METADATA_LOG
    while not context.done:
        text = context.line.rstrip("\r\n").lstrip()
        if started := _START.fullmatch(text.strip()):
            if started["offset"] is not None:
                log.first = Offset(int(started["offset"]))
        elif batch := _BATCH.fullmatch(text.strip()):
            printed = int(batch["epoch"])
            epoch = None if printed < 0 else LeaderEpoch(printed)
            last, without_offset = int(batch["last"]), int(batch["first"])
            for number in range(max(int(batch["first"]), last - _MOST_RECORDS), last + 1):
                log.records[Offset(number)] = ParsedRecord(None, epoch)
            if " isControl: true" in text:
                log.control += 1
            producer = _PRODUCER.search(text)
            is_marker = " isControl: true" in text
            if producer is not None and (is_marker or " isTransactional: true" in text):
                first = Offset(int(batch["first"]))
                log.add_batch(int(producer["id"]), first, is_marker=is_marker)
            if _INVALID.search(text):
                _say(context, log, "batch_invalid", offset=int(batch["first"]))
        elif only := _VALUE_ONLY.fullmatch(text):
            value = _kept(only["value"], of_data=partition_is_data)
            log.records[Offset(without_offset)] = ParsedRecord(value, epoch)
            without_offset += 1
        elif _is_record(match := _RECORD.fullmatch(text)):
            assert match is not None, "the line is a record"
            offset = Offset(int(match["offset"]))
            known = log.records.get(offset)
            log.old_format = log.old_format or _OLD_FORMAT.search(match["rest"]) is not None
            value = _kept(_value(match["rest"]), of_data=partition_is_data)
            log.records[offset] = ParsedRecord(value, epoch if known is None else known.epoch)
            if _INVALID.search(match["rest"]):
                _say(context, log, "batch_invalid", offset=offset)
            context.take()
            _skip_rest_of_value(context, match["rest"])
            continue
        else:
            break
        context.take()


def _say(context: Context, log: ParsedLog, name: str, **numbers: object) -> None:
    """Add an assumption about a log, at the line that shows it."""
    context.parsed.assume(
        name, context.name, context.number, partition=str(log.partition), **numbers
    )


def _kept(value: str | None, *, of_data: bool) -> str | None:
    """A value; None if it is data that may contain a secret."""
    return None if value is not None and of_data and is_secret(value) else value


def _value(rest: str) -> str | None:
    marker = _MARKER.search(rest)
    if marker is not None:
        return marker["marker"].lower()
    payload = _PAYLOAD.search(rest)
    if payload is not None:
        return payload["value"]
    size = _SIZE.search(rest)
    return "null" if size is not None and size["size"] == "-1" else None


def _skip_rest_of_value(context: Context, rest: str) -> None:
    """Skip the further lines of a value with line breaks, according to its size."""
    payload, size = _PAYLOAD.search(rest), _SIZE.search(rest)
    if payload is None or size is None:
        return
    missing = int(size["size"]) - len(payload["value"].encode())
    while missing > 0 and not context.done and not _starts(context.line):
        missing -= len(context.take().encode()) + 1


_TOPIC_KEYS = (
    "TopicId|Topic|PartitionCount|ReplicationFactor|Configs|Partition|Leader|Replicas|Isr|"
    "LastKnownElr|Elr|Adding Replicas|Removing Replicas|MarkedForDeletion|Offline|Observers"
)
_TOPIC_KEY = re.compile(rf"(?:^|(?<=\s))(?P<key>{_TOPIC_KEYS}):\s*")
_IDS = re.compile(r"[0-9]{1,9}(,\s*[0-9]{1,9})*")
_STATUS = re.compile(
    r"(?P<key>ClusterId|LeaderId|LeaderEpoch|HighWatermark|MaxFollowerLag|MaxFollowerLagTimeMs|"
    r"CurrentVoters|CurrentObservers):\s*(?P<value>.*)"
)
_QUORUM_HEAD = re.compile(r"(NodeId|ReplicaId)\s+(DirectoryId\s+)?LogEndOffset\s+Lag\s.*Status")
_QUORUM_ROW = re.compile(r"(?P<id>[0-9]{1,9})\s(?:.*\s)?(?P<status>Leader|Follower|Observer)")
_CONFIGS_OF = re.compile(
    r"(?:(?:Dynamic|All|Default) c|C)onfigs for (?:the )?(?P<kind>topic|broker)s?"
    r"(?: in the cluster|s? '?(?P<name>[^' ]+)'?) are:?\s*(?P<inline>.*)"
)
_CONFIG = re.compile(r"\s*(?P<name>[a-z][A-Za-z0-9._-]*)=(?P<rest>.*)")
_SENSITIVE = re.compile(r" sensitive=(?:true|false)(?:\s+synonyms=\{(?P<synonyms>.*)\})?\s*$")
_INLINE_CONFIG = re.compile(r"(?:^|,)(?P<name>[a-z][a-z0-9._-]*)=(?P<value>[^=]*)(?=,[a-z]|$)")


class _IncompleteLineError(WrongValueError):
    """A line of `kafka-topics` lacks a field, or a field has no valid value."""


def read_topics(context: Context) -> bool:
    """Read `kafka-topics --describe`: a line for the topic and one for each partition. Returns
    whether the next line is one of them. An incomplete line is reported as a problem.
    """
    if not context.line.lstrip().startswith("Topic:"):
        return False
    first, parsed = context.number, context.parsed
    counts: dict[str, int] = {}
    while not context.done and context.line.lstrip().startswith("Topic:"):
        number = context.number
        line = context.take()
        fields = _fields(line)
        topic = fields.get("Topic", "")
        try:
            if "Partition" in fields:
                described = _partition(fields, context.name, number)
                parsed.describe(Partition(topic, int(fields["Partition"])), described)
                counts[topic] = counts.get(topic, 0) + 1
                parsed.listed.add(topic)
                _note_release_of(fields, line, parsed)
                _note_observers(fields, parsed, context.name, number)
            elif "PartitionCount" in fields:
                counts.setdefault(topic, 0)
                configs = _inline(fields.get("Configs", ""))
                parsed.set_configs("topic", topic, configs, context.name, number)
                if re.fullmatch("[0-9]{1,6}", fields["PartitionCount"]):
                    parsed.partition_counts[topic] = int(fields["PartitionCount"])
                if fields.get("TopicId"):
                    parsed.topic_ids[fields["TopicId"]] = topic
                _note_release_of(fields, line, parsed)
            else:
                raise _IncompleteLineError(error("partition_fields_missing"))
        except _IncompleteLineError as wrong:
            reason = error("topics_incomplete", reason=wrong.reason)
            context.report(number, reason)
    for topic, count in counts.items():
        context.understand("topic", first, topic=topic, count=count)
    return True


def _fields(line: str) -> dict[str, str]:
    """The values by key; a value extends to the next key."""
    matches = list(_TOPIC_KEY.finditer(line))
    ends = [match.start() for match in matches[1:]] + [len(line)]
    return {
        match["key"]: line[match.end() : end].strip()
        for match, end in zip(matches, ends, strict=True)
    }


def _partition(fields: dict[str, str], file: str, line: int) -> ParsedPartition:
    if not re.fullmatch("[0-9]{1,6}", fields["Partition"]):
        raise _IncompleteLineError(error("field_not_a_number", name="Partition"))
    replicas = _ids(fields, "Replicas")
    if not replicas:
        raise _IncompleteLineError(error("field_not_broker_ids", name="Replicas"))
    leader = fields.get("Leader", "")
    if leader in ("none", "-1"):
        leads = NO_LEADER
    elif re.fullmatch("[0-9]{1,9}", leader):
        leads = BrokerId(int(leader))
    else:
        raise _IncompleteLineError(error("field_not_a_leader"))
    return ParsedPartition(
        file=file,
        line=line,
        adding=_ids(fields, "Adding Replicas", or_empty=True),
        removing=_ids(fields, "Removing Replicas", or_empty=True),
        offline=_ids(fields, "Offline", or_empty=True),
        replicas=replicas,
        leader=leads,
        isr=_ids(fields, "Isr"),
        elr=_ids(fields, "Elr", or_empty=True),
        last_known_elr=_ids(fields, "LastKnownElr", or_empty=True),
    )


def _ids(fields: dict[str, str], key: str, *, or_empty: bool = False) -> tuple[BrokerId, ...]:
    text = fields.get(key)
    if text is None and not or_empty:
        raise _IncompleteLineError(error("field_missing", name=key))
    if not text or (or_empty and text == "N/A"):
        return ()
    if not _IDS.fullmatch(text):
        raise _IncompleteLineError(error("field_not_broker_ids", name=key))
    return tuple(dict.fromkeys(BrokerId(int(part)) for part in text.split(",")))


def _note_observers(fields: dict[str, str], parsed: ParsedState, file: str, line: int) -> None:
    row = find_left_out("observers")
    assert row is not None, "observers are left out"
    if fields.get("Observers"):
        parsed.leave_out(row, ["Observers"], file, line)


def _note_release_of(fields: dict[str, str], line: str, parsed: ParsedState) -> None:
    """Derive the release from the columns: only newer brokers return a topic id, up to 2.3 there
    is no space in the line of a topic, and 3.7 added the columns of the ELR (`TopicCommand`).
    """
    if "TopicId" in fields:
        parsed.since["2.8"] = "since_topic_id"
    elif "PartitionCount" in fields:
        parsed.until["2.8"] = "until_topic_id"
        if re.match(r"\s*Topic:\S", line):
            parsed.until["2.4"] = "until_space"
        else:
            parsed.since["2.4"] = "since_space"
    if "message.format.version=" in fields.get("Configs", ""):
        parsed.until["4.0"] = "until_message_format"
    if fields.keys() & {"Adding Replicas", "Removing Replicas"}:
        parsed.since["2.4"] = "since_adding_replicas"
    columns = [fields[name] for name in ("Elr", "LastKnownElr") if name in fields]
    if columns:
        parsed.since["3.7"] = "since_elr_columns"
    if any(column not in ("", "N/A") for column in columns):
        parsed.since["4.0"] = "since_elr"
        parsed.controls.add("kraft")
        parsed.elr_enabled = True
    leaderless = fields.get("Leader") in ("none", "-1")
    if (
        leaderless
        and fields.get("Isr")
        and not any(column not in ("", "N/A") for column in columns)
    ):
        # With the feature, the last member would have left the ISR. It is on by default from 4.1.
        parsed.until.setdefault("4.1", "until_last_isr_member")
        parsed.elr_enabled = parsed.elr_enabled or False


def _inline(text: str) -> dict[str, str]:
    """Parse `a=1,b=2`, the form of topics' settings."""
    return {match["name"]: match["value"] for match in _INLINE_CONFIG.finditer(text)}


def read_quorum_status(context: Context) -> bool:
    """Read `kafka-metadata-quorum describe --status`. Returns whether the next lines are its
    output.
    """
    if not _STATUS.fullmatch(context.line.strip()):
        return False
    first = context.number
    observers: tuple[BrokerId, ...] = ()
    for match in context.take_all(_STATUS):
        if match["key"] == "CurrentObservers":
            listed = _nodes(match["value"])
            if listed is None:
                context.report(context.number - 1, error("observers_form"))
            else:
                observers = listed
    _note_quorum(context, observers, first)
    return True


def _nodes(text: str) -> tuple[BrokerId, ...] | None:
    """The ids of a list of ids, or of objects that have one."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(listed, list):
        return None
    ids: list[BrokerId] = []
    for node in listed:
        one = node.get("id") if isinstance(node, dict) else node
        if not isinstance(one, int) or isinstance(one, bool) or one < 0:
            return None
        ids.append(BrokerId(one))
    return tuple(ids)


def read_quorum_replication(context: Context) -> bool:
    """Read `kafka-metadata-quorum describe --replication`. Returns whether the next lines are its
    output.
    """
    if not _QUORUM_HEAD.fullmatch(context.line.strip()):
        return False
    first = context.number
    if context.take().split()[1] == "DirectoryId":
        context.parsed.since["3.9"] = "since_directory_of_voter"
    rows = context.take_all(_QUORUM_ROW)
    observers = tuple(BrokerId(int(row["id"])) for row in rows if row["status"] == "Observer")
    _note_quorum(context, observers, first)
    return True


def _note_quorum(context: Context, observers: tuple[BrokerId, ...], first: int) -> None:
    context.parsed.brokers.update(observers)
    context.parsed.controls.add("kraft")
    context.parsed.since["3.3"] = "since_quorum_tool"
    context.understand("quorum", first, brokers=sorted(observers))


def read_configs(context: Context) -> bool:
    """Read `kafka-configs --describe`, for topics and for brokers, without defaults. Returns
    whether the next lines are its output.
    """
    match = _CONFIGS_OF.fullmatch(context.line.strip())
    if match is None:
        return False
    first = context.number
    context.take()
    settings = dict(_inline(match["inline"]))
    while not context.done and (setting := _CONFIG.fullmatch(context.line)):
        end = _SENSITIVE.search(setting["rest"])
        if end is None:
            break
        # The first synonym is the value's source; without one, it is Kafka's default.
        synonyms = end["synonyms"]
        if setting["name"] == "inter.broker.protocol.version":
            _bound_release(context, setting["rest"][: end.start()].strip(), synonyms or "")
        if synonyms is None or (synonyms and not synonyms.startswith("DEFAULT_CONFIG:")):
            settings[setting["name"]] = setting["rest"][: end.start()].strip()
        context.take()
    entity = match["name"] or ""
    name = context.parsed.set_configs(match["kind"], entity, settings, context.name, first)
    context.understand(name, first, count=len(settings), entity=entity)
    return True


def _bound_release(context: Context, value: str, synonyms: str) -> None:
    """The releases that may have this `inter.broker.protocol.version`, which ends with 3.9. Its
    default is that of the release.
    """
    parsed = context.parsed
    _, _, default = synonyms.partition("DEFAULT_CONFIG:inter.broker.protocol.version=")
    level = PROTOCOL_LEVEL.match(default or value)
    parsed.until["4.0"] = "until_protocol_version"
    if level is not None and default:
        major, minor = level["line"].split(".")
        parsed.since[level["line"]] = "since_default_protocol_version"
        parsed.until[f"{major}.{int(minor) + 1}"] = "since_default_protocol_version"
    elif level is not None:
        parsed.since[level["line"]] = "since_protocol_version"


def settings_named(configs: dict[str, str]) -> Iterator[tuple[str, int | bool | str]]:
    """Settings with their values in the form of a scenario."""
    for name, text in sorted(configs.items()):
        if text in ("true", "false"):
            yield name, text == "true"
        elif re.fullmatch("-?[0-9]{1,19}", text):
            yield name, int(text)
        else:
            yield name, text
