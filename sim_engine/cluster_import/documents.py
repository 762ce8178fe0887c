"""Reads documents: JSON of kcat and `kafka-log-dirs`, the nodes of ZooKeeper and of the metadata
shell, plans of reassignments, and the resources of Strimzi in YAML.

A node does not contain its own path, so the path is on a line above it, as in the command that
prints the node: `get /brokers/topics/orders/partitions/0/state`.
"""

import json
import re
from collections.abc import Iterator, Mapping

from sim_engine.cluster_import.broker_log import REGISTRATION_FIELD, registration_facts
from sim_engine.cluster_import.context import Context, partition_of_folder
from sim_engine.cluster_import.other_output import changed, int_of
from sim_engine.cluster_import.parsed_state import ParsedPartition, ParsedState, Partition
from sim_engine.error_texts import error
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch
from sim_engine.json_types import JsonView, as_items, as_mapping
from sim_engine.releases import UnknownVersionError, find_release
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.source import read_source

_PATH = re.compile(
    r"(?:.{0,200}[\s>\]=])?(?P<path>(?:/[\w.-]{1,249}){0,8}?/(?:brokers|config|admin|controller|image|"
    r"topics|topicIds|cluster)(?:/[\w.-]{1,249}){0,6})\s*:?\s*(?P<rest>[{\[].*)?"
)
_IN_A_PATH = ("/brokers", "/config", "/admin", "/controller", "/image", "/topic", "/cluster")
_STAT = re.compile(
    r"(?:[cmp]Zxid|cversion|aclVersion|ephemeralOwner|dataLength|numChildren|[cm]time) = .*|"
    r"WATCHER::|WatchedEvent state:.*|Connecting to \S+|Welcome to ZooKeeper!|"
    r"JLine support is .*|"
    r"dataVersion = (?P<version>[0-9]{1,9})"
)
_LISTED = re.compile(r"\[(?:[0-9]{1,9}(?:, [0-9]{1,9})*)?\]")
_LEAF = re.compile(r"PartitionRegistration\((?P<fields>.*)\)")
_DOCUMENT = re.compile(r"\s*\{\s*(?:[\"}]|$)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_MOST_CHARACTERS_OF_A_PATH = 600


def read_node(context: Context) -> bool:
    """Read the line that names a node of ZooKeeper or of the metadata shell, what their shells
    print besides, and a node in one line. Returns whether the next line is one of these.
    """
    line = context.line.strip()
    if stat := _STAT.fullmatch(line):
        version, place = stat["version"], _partition_of(context.node)
        about = None if place is None else context.parsed.partitions.get(place)
        if version is not None and about is not None and context.node.endswith("/state"):
            about.partition_epoch = int(version)
        context.take()
        return True
    if _LISTED.fullmatch(line) and context.node.endswith("/brokers/ids"):
        context.parsed.live.update(BrokerId(int(one)) for one in re.findall("[0-9]+", line))
        context.parsed.lists_live = True
        return _understood(context)
    leaf = _LEAF.fullmatch(line)
    partition = _partition_of(context.node)
    if leaf is not None and partition is not None:
        facts = registration_facts(REGISTRATION_FIELD.finditer(leaf["fields"]))
        about = ParsedPartition(**facts)  # type: ignore[arg-type]
        about.file, about.line = context.name, context.number
        context.parsed.describe(partition, about)
        context.parsed.controls.add("kraft")
        return _understood(context)
    if len(line) > _MOST_CHARACTERS_OF_A_PATH or not any(one in line for one in _IN_A_PATH):
        return False
    match = _PATH.fullmatch(line)
    if match is None:
        return False
    context.node = match["path"]
    if match["rest"]:
        context.replace(match["rest"])
    else:
        context.take()
    return True


def _understood(context: Context) -> bool:
    number = context.number
    context.take()
    context.understand("node", number)
    return True


def _partition_of(node: str) -> Partition | None:
    parts = node.split("/")
    match parts:
        case [*_, "topics", topic, "partitions", number, "state"] if number.isdigit():
            return Partition(topic, int(number))
        case [*_, "topics", ("byName" | "byId"), topic, number] if number.isdigit():
            return Partition(topic, int(number))
        case [*_, ("topics" | "topicIds"), topic, number, "data"] if number.isdigit():
            return Partition(topic, int(number))
    return None


def read_json(context: Context) -> bool:
    """Read one document in JSON. Returns whether the next lines are one; a document of an unknown
    form is reported as a problem.
    """
    if not _DOCUMENT.match(context.line):
        return False
    first = context.number
    document, count = _next_document(context)
    if document is None:
        context.report(first, error("import_json_cut"))
    for _ in range(count):
        context.take()
    if not isinstance(document, dict):
        return True
    try:
        name, number = _read_document(context, document, first)
    except (KeyError, TypeError, ValueError, AssertionError, AttributeError):
        context.report(first, error("import_json_form"))
        return True
    if name in ("node", "resources"):
        context.understand(name, first)
    elif name:
        context.understand(name, first, count=number)
    return True


def _next_document(context: Context) -> tuple[object, int]:
    """The document that begins in the next line, and its number of lines: up to the bracket that
    closes it, or up to the end. None if it is not whole.
    """
    if context.line.rstrip().endswith("}"):
        document = _document_in(context.line)
        if document is not None:
            return document, 1
    depth = count = 0
    for line in context.rest():
        plain = _STRING.sub("", line) if '"' in line else line
        depth += plain.count("{") + plain.count("[") - plain.count("}") - plain.count("]")
        count += 1
        if depth <= 0:
            break
    return _document_in("\n".join(context.upcoming(count))), count


def _document_in(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_document(context: Context, document: JsonView, first: int) -> tuple[str, int]:
    """The name of the statement about a document, and the number that it has."""
    parsed = context.parsed
    if "apiVersion" in document and "kind" in document:
        return _read_resources(context, document, first), 1
    if "topics" in document and "brokers" in document:
        return "kcat", _read_kcat(context, document, first)
    if "brokers" in document:
        return "log_dirs", _read_log_dirs(context, document, first)
    if "partitionId" in document:
        return "node", _read_shell(context, document, first)
    if "brokerId" in document and "brokerEpoch" in document:
        broker = BrokerId(int_of(document["brokerId"]))
        parsed.brokers.add(broker)
        if document.get("inControlledShutdown") is True:
            parsed.shutting_down.add(broker)
        else:
            (parsed.down if document.get("fenced") is True else parsed.up).add(broker)
        return "node", 1
    if isinstance(document.get("partitions"), list):
        return _read_plan(context, document, first)
    if "leader" in document and "isr" in document:
        return "node", _read_state(context, document, first)
    return _read_zookeeper(context, document, first)


def _read_kcat(context: Context, document: JsonView, line: int) -> int:
    parsed, count = context.parsed, 0
    parsed.lists_live = True
    for broker in as_items(document["brokers"]):
        parsed.live.add(_id(broker))
    for topic in map(as_mapping, as_items(document["topics"])):
        name = str(topic["topic"])
        for one in map(as_mapping, as_items(topic["partitions"])):
            leader = int_of(one["leader"])
            about = ParsedPartition(
                replicas=tuple(_id(replica) for replica in as_items(one["replicas"])),
                leader=NO_LEADER if leader < 0 else BrokerId(leader),
                isr=tuple(_id(replica) for replica in as_items(one["isrs"])),
                file=context.name,
                line=line,
            )
            parsed.describe(Partition(name, int_of(one["partition"])), about)
            count += 1
    return count


def _id(node: object) -> BrokerId:
    return BrokerId(int_of(as_mapping(node)["id"]))


def _ids(listed: object) -> tuple[BrokerId, ...]:
    return tuple(dict.fromkeys(BrokerId(int_of(one)) for one in as_items(listed)))


def _read_log_dirs(context: Context, document: JsonView, line: int) -> int:
    parsed = context.parsed
    for of_broker in map(as_mapping, as_items(document["brokers"])):
        broker = BrokerId(int_of(of_broker["broker"]))
        for partition, lag in _lags(of_broker):
            parsed.lags[partition, broker] = lag
        parsed.live.add(broker)
        if any(as_mapping(one).get("error") for one in as_items(of_broker["logDirs"])):
            parsed.assume("log_dir_offline", context.name, line, broker=broker)
    return len(parsed.lags)


def _lags(of_broker: JsonView) -> Iterator[tuple[Partition, int]]:
    for folder in map(as_mapping, as_items(of_broker["logDirs"])):
        for one in map(as_mapping, as_items(folder.get("partitions", []))):
            partition, lag = partition_of_folder(str(one["partition"])), one["offsetLag"]
            if partition is not None and isinstance(lag, int) and one.get("isFuture") is not True:
                yield partition, lag


def _read_shell(context: Context, document: JsonView, line: int) -> int:
    """A partition of the metadata shell: the last record of it, with what has changed since."""
    place = _partition_of(context.node)
    topic = str(document["topicId"]) if place is None else place.topic
    partition = Partition(topic, int_of(document["partitionId"]))
    about = changed(ParsedPartition(replicas=()), document, is_new=True)
    about.file, about.line = context.name, line
    if not about.replicas:
        raise ValueError("a partition has replicas")
    context.parsed.describe(partition, about)
    context.parsed.controls.add("kraft")
    return 1


def _read_plan(context: Context, document: JsonView, line: int) -> tuple[str, int]:
    """The JSON of `kafka-reassign-partitions`: a plan, which shows nothing of the state now, except
    below the heading that says so, and in ZooKeeper while it is carried out.
    """
    is_current = context.node == CURRENT_ASSIGNMENT
    count = 0
    for one in map(as_mapping, as_items(document["partitions"])):
        partition = Partition(str(one["topic"]), int_of(one["partition"]))
        if is_current:
            about = ParsedPartition(_ids(one["replicas"]), file=context.name, line=line)
            context.parsed.describe(partition, about)
        elif context.node.endswith("/admin/reassign_partitions"):
            context.parsed.reassigning[partition] = (context.name, line)
        count += 1
    if not is_current and not context.node.endswith("/admin/reassign_partitions"):
        for number in range(line, context.number):
            context.parsed.pass_over("not_used_plan", context.name, number)
        return "", 0
    return "node", count


CURRENT_ASSIGNMENT = "current assignment"
_ASSIGNMENT_HEAD = re.compile(
    r"(?P<now>Current) partition replica assignment ?|"
    r"Proposed partition reassignment configuration ?"
)


def read_assignment_head(context: Context) -> bool:
    """Read the line above an assignment in JSON. Returns whether the next line is one."""
    match = _ASSIGNMENT_HEAD.fullmatch(context.line.strip())
    if match is None:
        return False
    context.node = CURRENT_ASSIGNMENT if match["now"] else ""
    context.take()
    return True


def _read_state(context: Context, document: JsonView, line: int) -> int:
    """The state of a partition in ZooKeeper. The version of its node is the partition epoch."""
    partition = _partition_of(context.node)
    if partition is None:
        context.report(line, error("import_node_without_path", example=_STATE_EXAMPLE))
        return 0
    leader = int_of(document["leader"])
    about = ParsedPartition(
        replicas=(),
        leader=NO_LEADER if leader < 0 else BrokerId(leader),
        isr=_ids(document["isr"]),
        leader_epoch=LeaderEpoch(int_of(document.get("leader_epoch", 0))),
        file=context.name,
        line=line,
    )
    context.parsed.describe(partition, about)
    context.parsed.controls.add("zookeeper")
    return 1


_STATE_EXAMPLE = "get /brokers/topics/orders/partitions/0/state"
_TOPIC_EXAMPLE = "get /brokers/topics/orders"
_BROKER_EXAMPLE = "get /brokers/ids/1"


def _read_zookeeper(context: Context, document: JsonView, line: int) -> tuple[str, int]:
    parsed, parts = context.parsed, context.node.split("/")
    if "partitions" in document and "version" in document:
        if len(parts) < 2 or parts[-2] != "topics":
            context.report(line, error("import_node_without_path", example=_TOPIC_EXAMPLE))
            return "", 0
        return "node", _read_assignment(context, parts[-1], document, line)
    if "endpoints" in document or ("host" in document and "jmx_port" in document):
        if parts[-2:-1] != ["ids"] or not parts[-1].isdigit():
            context.report(line, error("import_node_without_path", example=_BROKER_EXAMPLE))
            return "", 0
        broker = BrokerId(int(parts[-1]))
        parsed.brokers.add(broker)
        parsed.up.add(broker)
        if isinstance(document.get("rack"), str):
            parsed.racks[broker] = str(document["rack"])
    elif "config" in document and parts[-2:-1] in (["topics"], ["brokers"]):
        settings = {name: str(value) for name, value in as_mapping(document["config"]).items()}
        kind = "topic" if parts[-2] == "topics" else "broker"
        parsed.set_configs(kind, parts[-1], settings, context.name, line)
    elif not {"brokerid", "version"} & document.keys():
        raise ValueError("no document that is known")
    parsed.controls.add("zookeeper")
    return "node", 1


def _read_assignment(context: Context, topic: str, document: JsonView, line: int) -> int:
    adding, removing = (
        as_mapping(document.get(name)) for name in ("adding_replicas", "removing_replicas")
    )
    for number, replicas in as_mapping(document["partitions"]).items():
        about = ParsedPartition(
            replicas=_ids(replicas),
            adding=_ids(adding.get(number)),
            removing=_ids(removing.get(number)),
            file=context.name,
            line=line,
        )
        context.parsed.describe(Partition(topic, int(number)), about)
    context.parsed.controls.add("zookeeper")
    if "adding_replicas" in document:
        context.parsed.since["2.4"] = "since_adding_replicas"
    if isinstance(document.get("topic_id"), str):
        context.parsed.since["2.8"] = "since_topic_id"
        context.parsed.topic_ids[str(document["topic_id"])] = topic
    return len(as_mapping(document["partitions"]))


_RESOURCE = re.compile(r"apiVersion: (?P<group>\S+)|kind: \S+")
_OF_RESOURCE = re.compile(
    r"\s.*|-.*|#.*|(?:apiVersion|kind|metadata|spec|status|items|data|stringData|type):.*|"
)
_MOST_RESOURCE_LINES = 5_000
_MOST_PARTITIONS = 10_000
_MOST_REPLICAS = 100


def read_resource(context: Context) -> bool:
    """Read a resource of Strimzi in YAML: `KafkaTopic`, `Kafka` or `KafkaNodePool`, or a list of
    them. Returns whether the next lines are a resource of Kubernetes; of another kind, it is not
    used.
    """
    line = context.line.rstrip()
    is_next = line == "---" and any(map(_RESOURCE.fullmatch, context.upcoming(2)))
    if _RESOURCE.fullmatch(line) is None and not is_next:
        return False
    if is_next:
        context.take()
    first = context.number
    lines: list[str] = []
    while not context.done and len(lines) < _MOST_RESOURCE_LINES:
        if context.line.rstrip() == "---" or _OF_RESOURCE.fullmatch(context.line.rstrip()) is None:
            break
        lines.append(context.take())
    try:
        document = as_mapping(read_source("\n".join(lines) + "\n").document)
    except ScenarioError:
        context.report(first, error("import_resource_form"))
        return True
    if _read_resources(context, document, first):
        context.understand("resources", first)
    return True


def _read_resources(context: Context, document: JsonView, first: int) -> str:
    """The name of the statement about a resource or a list of them; empty if none is used."""
    listed = document.get("items") if document.get("kind") == "List" else [document]
    resources = [as_mapping(one) for one in as_items(listed)]
    used = [_read_resource(context.parsed, one, context.name, first) for one in resources]
    if any(used):
        return "resources"
    for number in range(first, context.number):
        context.parsed.pass_over("not_used_resource", context.name, number)
    return ""


def _read_resource(parsed: ParsedState, document: JsonView, file: str, line: int) -> bool:
    spec, metadata = as_mapping(document.get("spec")), as_mapping(document.get("metadata"))
    if not str(document.get("apiVersion", "")).startswith("kafka.strimzi.io/"):
        return False
    match document.get("kind"):
        case "KafkaTopic":
            name = str(spec.get("topicName") or metadata.get("name"))
            parsed.set_configs("topic", name, _settings(spec.get("config")), file, line)
            partitions, replicas = spec.get("partitions"), spec.get("replicas")
            if isinstance(partitions, int) and isinstance(replicas, int) and replicas > 0:
                numbers = (min(partitions, _MOST_PARTITIONS), min(replicas, _MOST_REPLICAS))
                parsed.planned[name] = (*numbers, file, line)
            if isinstance(as_mapping(document.get("status")).get("topicId"), str):
                parsed.since["2.8"] = "since_topic_id"
        case "Kafka":
            kafka = as_mapping(spec.get("kafka"))
            parsed.set_configs("broker", "", _settings(kafka.get("config")), file, line)
            annotations = as_mapping(metadata.get("annotations"))
            if "zookeeper" in spec and annotations.get("strimzi.io/kraft") != "enabled":
                parsed.controls.add("zookeeper")
            else:
                parsed.controls.add("kraft")
            _take_version(parsed, str(kafka.get("version", "")))
            parsed.brokers.update(_brokers(kafka.get("replicas")))
        case "KafkaNodePool":
            parsed.controls.add("kraft")
            if "broker" in as_items(spec.get("roles")):
                ids = as_items(as_mapping(document.get("status")).get("nodeIds"))
                parsed.brokers.update(BrokerId(one) for one in ids if isinstance(one, int))
        case _:
            return False
    return True


def _brokers(count: object) -> Iterator[BrokerId]:
    if isinstance(count, int):
        yield from map(BrokerId, range(min(count, _MOST_REPLICAS)))


def _settings(configs: object) -> Mapping[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in as_mapping(configs).items()
    }


def _take_version(parsed: ParsedState, version: str) -> None:
    """The release that a `Kafka` resource names."""
    try:
        release = find_release(version)
    except UnknownVersionError:
        return
    major, minor, *_ = release.number
    parsed.since[release.line] = "since_resource"
    parsed.until[f"{major}.{minor + 1}"] = "since_resource"
