"""What `kafka-topics`, `kafka-metadata-quorum` and `kafka-configs` print, of any release."""

import json
import re
from collections.abc import Iterator

from sim_engine.cluster_import.context import Context
from sim_engine.cluster_import.problems import Problems
from sim_engine.cluster_import.seen import Seen, SeenPartition
from sim_engine.cluster_import.statements import Statement

_TOPIC_KEYS = (
    "TopicId|Topic|PartitionCount|ReplicationFactor|Configs|Partition|Leader|Replicas|Isr|"
    "LastKnownElr|Elr|Adding Replicas|Removing Replicas|MarkedForDeletion|Offline"
)
_TOPIC_KEY = re.compile(rf"(?:^|(?<=\s))(?P<key>{_TOPIC_KEYS}):\s*")
_IDS = re.compile(r"[0-9]{1,9}(,\s*[0-9]{1,9})*")
_STATUS = re.compile(
    r"(?P<key>ClusterId|LeaderId|LeaderEpoch|HighWatermark|MaxFollowerLag|MaxFollowerLagTimeMs|"
    r"CurrentVoters|CurrentObservers):\s*(?P<value>.*)"
)
_QUORUM_HEAD = re.compile(r"(NodeId|ReplicaId)\s+(DirectoryId\s+)?LogEndOffset\s+Lag\s+.*Status\s*")
_QUORUM_ROW = re.compile(r"(?P<id>[0-9]{1,9})\s+.*\s(?P<status>Leader|Follower|Observer)\s*")
_CONFIGS_OF = re.compile(
    r"(?:(?:Dynamic|All|Default) c|C)onfigs for (?:the )?(?P<kind>topic|broker)s?"
    r"(?: in the cluster|s? '?(?P<name>[^' ]+)'?) are:?\s*(?P<inline>.*)"
)
_CONFIG = re.compile(
    r"\s*(?P<name>[a-z][A-Za-z0-9._-]*)=(?P<value>.*?)\s+sensitive=(?:true|false)"
    r"(?:\s+synonyms=\{(?P<synonyms>.*)\})?\s*"
)
_INLINE_CONFIG = re.compile(r"(?:^|,)(?P<name>[a-z][a-z0-9._-]*)=(?P<value>[^=]*)(?=,[a-z]|$)")


def read_topics(context: Context, seen: Seen, problems: Problems) -> bool:
    """`kafka-topics --describe`: a line for the topic and one for each partition."""
    if not context.line.lstrip().startswith("Topic:"):
        return False
    first = context.number
    counts: dict[str, int] = {}
    while not context.done and context.line.lstrip().startswith("Topic:"):
        number = context.number
        line = context.take()
        fields = _fields(line)
        topic = fields.get("Topic", "")
        try:
            if "Partition" in fields:
                partition = _partition(fields, context.name, number)
                index = int(fields["Partition"])
                _note_again(seen, topic, index, context.name, number)
                seen.partitions[topic, index] = partition
                counts[topic] = counts.get(topic, 0) + 1
                _note_release_of(fields, line, seen)
            elif "PartitionCount" in fields:
                counts.setdefault(topic, 0)
                seen.topic_configs.setdefault(topic, {}).update(_inline(fields.get("Configs", "")))
                _note_release_of(fields, line, seen)
            else:
                raise ValueError("Partition or PartitionCount is missing")
        except ValueError as error:
            problems.report(
                context.name,
                number,
                f"a line of kafka-topics --describe is not complete: {error}",
            )
    last = context.number - 1
    for topic, count in counts.items():
        numbers: dict[str, object] = {"topic": topic, "count": count}
        seen.understood.append(Statement("topic", numbers, context.name, first, last))
    return True


def _fields(line: str) -> dict[str, str]:
    """The values by key; a value goes on to the next key."""
    found = list(_TOPIC_KEY.finditer(line))
    ends = [match.start() for match in found[1:]] + [len(line)]
    return {
        match["key"]: line[match.end() : end].strip()
        for match, end in zip(found, ends, strict=True)
    }


def _partition(fields: dict[str, str], file: str, line: int) -> SeenPartition:
    if not re.fullmatch("[0-9]{1,6}", fields["Partition"]):
        raise ValueError("Partition must be a number")
    replicas = _ids(fields, "Replicas")
    if not replicas:
        raise ValueError("Replicas must be broker ids, such as 1,2,3")
    leader = fields.get("Leader", "")
    if leader in ("none", "-1"):
        leads = -1
    elif re.fullmatch("[0-9]{1,9}", leader):
        leads = int(leader)
    else:
        raise ValueError("Leader must be a broker id or none")
    return SeenPartition(
        file=file,
        line=line,
        replicas=replicas,
        leader=leads,
        isr=_ids(fields, "Isr"),
        elr=_ids(fields, "Elr", or_empty=True),
        last_known_elr=_ids(fields, "LastKnownElr", or_empty=True),
    )


def _ids(fields: dict[str, str], key: str, *, or_empty: bool = False) -> tuple[int, ...]:
    text = fields.get(key)
    if text is None and not or_empty:
        raise ValueError(f"{key} is missing")
    if not text or (or_empty and text == "N/A"):
        return ()
    if not _IDS.fullmatch(text):
        raise ValueError(f"{key} must be broker ids, such as 1,2,3")
    return tuple(dict.fromkeys(int(part) for part in text.split(",")))


def _note_again(seen: Seen, topic: str, index: int, file: str, line: int) -> None:
    if (topic, index) in seen.partitions:
        numbers: dict[str, object] = {"partition": f"{topic}-{index}"}
        seen.unknown.append(Statement("described_twice", numbers, file, line, line))


def _note_release_of(fields: dict[str, str], line: str, seen: Seen) -> None:
    """What the columns tell of the release: the topic's id comes from the brokers."""
    if "TopicId" in fields:
        seen.since.append(("2.8", "TopicId"))
    elif "PartitionCount" in fields:
        seen.until.append(("2.8", "TopicId"))
    elr = {fields.get("Elr"), fields.get("LastKnownElr")}
    if elr - {None, "", "N/A"}:
        seen.since.append(("4.0", "Elr"))
        seen.controls.append(("kraft", "Elr"))


def _inline(text: str) -> dict[str, str]:
    """`a=1,b=2`, as topics print their settings."""
    return {found["name"]: found["value"] for found in _INLINE_CONFIG.finditer(text)}


def read_quorum_status(context: Context, seen: Seen, problems: Problems) -> bool:
    """`kafka-metadata-quorum describe --status`."""
    if not _STATUS.fullmatch(context.line.strip()):
        return False
    first = context.number
    observers: tuple[int, ...] = ()
    while not context.done and (found := _STATUS.fullmatch(context.line.strip())):
        if found["key"] == "CurrentObservers":
            listed = _nodes(found["value"])
            if listed is None:
                problems.report(
                    context.name,
                    context.number,
                    "CurrentObservers must be a list of ids, or of objects with an id",
                )
            else:
                observers = listed
        context.take()
    _note_quorum(seen, observers, context, first)
    return True


def _nodes(text: str) -> tuple[int, ...] | None:
    """The ids of a list of ids, or of objects that have one."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(listed, list):
        return None
    ids: list[int] = []
    for node in listed:
        one = node.get("id") if isinstance(node, dict) else node
        if not isinstance(one, int) or isinstance(one, bool) or one < 0:
            return None
        ids.append(one)
    return tuple(ids)


def read_quorum_replication(context: Context, seen: Seen, problems: Problems) -> bool:
    """`kafka-metadata-quorum describe --replication`."""
    del problems  # a row that is none ends the table, and the next reader judges it
    if not _QUORUM_HEAD.fullmatch(context.line.strip()):
        return False
    first = context.number
    if context.take().split()[1] == "DirectoryId":
        seen.since.append(("3.9", "DirectoryId"))
    observers = []
    while not context.done and (found := _QUORUM_ROW.fullmatch(context.line.strip())):
        if found["status"] == "Observer":
            observers.append(int(found["id"]))
        context.take()
    _note_quorum(seen, tuple(observers), context, first)
    return True


def _note_quorum(seen: Seen, observers: tuple[int, ...], context: Context, first: int) -> None:
    seen.brokers.update(observers)
    seen.controls.append(("kraft", "kafka-metadata-quorum"))
    seen.since.append(("3.3", "kafka-metadata-quorum"))
    numbers: dict[str, object] = {"brokers": sorted(observers)}
    seen.understood.append(Statement("quorum", numbers, context.name, first, context.number - 1))


def read_configs(context: Context, seen: Seen, problems: Problems) -> bool:
    """`kafka-configs --describe`, for topics and for brokers; defaults are left out."""
    del problems  # a line that is no setting ends the list, and the next reader judges it
    found = _CONFIGS_OF.fullmatch(context.line.strip())
    if found is None:
        return False
    first = context.number
    context.take()
    given = dict(_inline(found["inline"]))
    while not context.done and (setting := _CONFIG.fullmatch(context.line)):
        synonyms = setting["synonyms"]  # the first is the value's source; none, and it is Kafka's
        if synonyms is None or (synonyms and not synonyms.startswith("DEFAULT_CONFIG:")):
            given[setting["name"]] = setting["value"]
        context.take()
    entity = found["name"] or ""
    _file_configs(seen, found["kind"], entity, given)
    numbers: dict[str, object] = {"count": len(given), "entity": entity}
    name = "topic_configs" if found["kind"] == "topic" else "broker_configs"
    if found["kind"] == "broker" and not entity.isdigit():
        name = "cluster_configs"
    seen.understood.append(Statement(name, numbers, context.name, first, context.number - 1))
    return True


def _file_configs(seen: Seen, kind: str, name: str, given: dict[str, str]) -> None:
    if kind == "topic":
        seen.topic_configs.setdefault(name, {}).update(given)
    elif re.fullmatch("[0-9]{1,9}", name):
        seen.broker_configs.setdefault(int(name), {}).update(given)
        if "broker.rack" in given:
            seen.racks[int(name)] = given["broker.rack"]
    else:
        seen.cluster_configs.update(given)


def settings_named(configs: dict[str, str]) -> Iterator[tuple[str, int | bool | str]]:
    """Settings with their values as a scenario writes them."""
    for name, text in sorted(configs.items()):
        if text in ("true", "false"):
            yield name, text == "true"
        elif re.fullmatch("-?[0-9]{1,19}", text):
            yield name, int(text)
        else:
            yield name, text
