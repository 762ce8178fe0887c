"""Reads the lines of the brokers' and the controllers' logs that state something of a partition or
of a broker, of any release.

The sources of the texts are `Partition`, `AbstractFetcherThread`, `Log` (`UnifiedLog`), the two
controllers (`KafkaController` with its state machines; `ReplicationControlManager`,
`ClusterControlManager`, `BrokerHeartbeatManager`) and `LogManager` of 0.8.2 to 4.4. A line states
what was so at its time (`conclusions.py` determines which of several lines counts).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping

from sim_engine.cluster_import.context import Context, read_path
from sim_engine.cluster_import.parsed_state import BrokerLine, LogLine, Partition
from sim_engine.identifiers import NO_LEADER, BrokerId, Offset
from sim_engine.json_types import as_items, as_mapping
from sim_engine.versions import Control

_STAMP = re.compile(
    r"\[?(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?)"
    r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?\]? +"
    r"(?P<text>(?:\S{1,100} +)?(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b.*)"
)
_BARE = re.compile(
    r"(?:(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) +)?"
    r"(?:\[(?:Partition|Broker id=|Controller|ReplicaFetcher|QuorumController|Log |UnifiedLog)|"
    r"Partition \[|(?:Shrinking|Expanding) ISR for partition ).*"
)
_TRACE_OF_STACK = re.compile(
    r"\s+at [\w.$/<>]+.*|Caused by: .*|\s*\.\.\. [0-9]+ more|[\w.]+Exception\b.*"
)

_NAME = r"(?:\[(?P<topic_1>[A-Za-z0-9._-]{1,249}),\s?(?P<number_1>[0-9]{1,6})\]|" + (
    r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<number>[0-9]{1,6}))"
)
_BY = re.compile(
    rf"\[Partition {_NAME} broker=(?P<by>[0-9]{{1,9}})\]|"
    r"Partition \[(?P<topic_2>[^,\]\s]{1,249}),(?P<number_2>[0-9]{1,6})\] on broker "
    r"(?P<by_2>[0-9]{1,9}):"
)
_LIST = r"\[?(?P<{}>(?:[0-9]{{1,9}}(?:, ?[0-9]{{1,9}})*)?)\]?"
_NUMBER = re.compile("[0-9]{1,9}")


class _Text:
    """One line without its time, and the partition and the broker that its beginning names."""

    def __init__(self, context: Context, text: str) -> None:
        self.text = text
        self.context = context
        by = _BY.search(text) if "artition " in text else None
        self.partition: Partition | None = None
        self.by: BrokerId | None = None
        if by is not None:
            self.partition = _partition(by)
            self.by = BrokerId(int(by["by"] or by["by_2"]))


Facts = dict[str, object]
"""Fields of `LogLine`, or `by`, the broker of a single log end."""


def _partition(match: re.Match[str]) -> Partition | None:
    groups = match.groupdict()
    for end in ("", "_1", "_2", "_3"):
        topic, number = groups.get(f"topic{end}"), groups.get(f"number{end}")
        if topic is not None and number is not None:
            return Partition(topic, int(number))
    return None


def _ids(text: str) -> tuple[BrokerId, ...]:
    return tuple(dict.fromkeys(BrokerId(int(one)) for one in _NUMBER.findall(text)))


_VALUES: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("isr", "proposed", "replicas", "adding", "removing"), _ids),
    **dict.fromkeys(
        (
            *("leader", "leader_epoch", "before_epoch", "least_epoch", "partition_epoch"),
            *("high_watermark", "epoch_start"),
        ),
        int,
    ),
}
"""The fields of `LogLine` that a form can have as groups of the same names, with or without a
number at the end, and how each is read.
"""


def _facts(match: re.Match[str]) -> Facts:
    """The partition and the fields that the groups of a form name."""
    named = ((group.rstrip("_23"), text) for group, text in match.groupdict().items())
    facts = {
        name: _VALUES[name](text) for name, text in named if text is not None and name in _VALUES
    }
    return {"partition": _partition(match), **facts}


def _plain(_: _Text, match: re.Match[str]) -> Facts:
    return _facts(match)


_PROPOSED = re.compile(
    r"(?:Shrinking|Expanding) ISR (?:for partition " + _NAME + r" )?from (?P<isr>[0-9,]*) to "
    r"(?P<proposed>[0-9,]*)"
)
_OF_LEADER = re.compile(
    r"Leader: \(highWatermark: (?P<high_watermark>[0-9]+), endOffset: (?P<end>[0-9]+)\)"
)
_OUT_OF_SYNC = re.compile(r"\(brokerId: (?P<id>[0-9]{1,9}), endOffset: (?P<end>[0-9]+)")


def _propose(line: _Text, match: re.Match[str]) -> Facts:
    ends = {
        BrokerId(int(one["id"])): Offset(int(one["end"]))
        for one in _OUT_OF_SYNC.finditer(line.text)
    }
    leader = _OF_LEADER.search(line.text)
    of_leader = {} if leader is None else _facts(leader)
    if leader is not None and line.by is not None:
        ends[line.by] = Offset(int(leader["end"]))
    return {**of_leader, **_facts(match), "leader": line.by, "ends": ends}


_UPDATED = re.compile(
    r"ISR updated (?:from AlterIsr )?to " + _LIST.format("isr") + r" *(?:\(under-min-isr\))? *and "
    r"(?:zkVersion|version) updated to \[?(?P<partition_epoch>[0-9]{1,9})\]?"
)


def _update(line: _Text, match: re.Match[str]) -> Facts:
    return {**_facts(match), "leader": line.by}


def _refuse(line: _Text, _: re.Match[str]) -> Facts:
    return {"leader": line.by, "refused": True}


_STARTS = re.compile(
    r"(?P<role>Leader |Follower )?"
    + _NAME
    + r"(?: with topic id \S{1,60})? starts at [lL]eader [eE]poch (?P<leader_epoch>[0-9]{1,9}) "
    r"from offset (?P<start>[0-9]+)"
)
_LEADER_BEFORE = re.compile(r"Previous leader Some\((?P<id>[0-9]{1,9})\)")
_BROKER = re.compile(r"\[Broker id=(?P<id>[0-9]{1,9})\]")
_PARTITION_EPOCH = re.compile(r"partition epoch (?P<partition_epoch>[0-9]{1,9})")
_OF_FOLLOWER_START = (_PARTITION_EPOCH, re.compile(r"Current leader is (?P<leader>-?[0-9]{1,9})"))
_OF_LEADER_START = (
    _PARTITION_EPOCH,
    re.compile(r"high watermark (?P<high_watermark>[0-9]+)"),
    re.compile(r" ISR " + _LIST.format("isr")),
    re.compile(r"adding ?[rR]eplicas " + _LIST.format("adding")),
    re.compile(r"removing ?[rR]eplicas " + _LIST.format("removing")),
    re.compile(r"[pP]revious [lL]eader [eE]poch was:? (?P<before_epoch>[0-9]{1,9})"),
)


def _start(line: _Text, match: re.Match[str]) -> Facts:
    start, is_leader = Offset(int(match["start"])), match["role"] != "Follower "
    before, named = _LEADER_BEFORE.search(line.text), _BROKER.search(line.text)
    broker = line.by if named is None else BrokerId(int(named["id"]))
    facts: Facts = {"leader": broker, "epoch_start": start} if is_leader else {}
    for form in _OF_LEADER_START if is_leader else _OF_FOLLOWER_START:
        if found := form.search(line.text):
            facts |= _facts(found)
    if before is not None:
        facts["others"] = (BrokerId(int(before["id"])),)
    if broker is not None:
        facts["ends"] = {broker: start}
    return {**facts, **_facts(match)}


_FETCHER_TRUNCATES = re.compile(
    r"replicaId=(?P<id>[0-9]{1,9}), leaderId=(?P<by_leader>[0-9]{1,9}).*Truncating partition "
    + _NAME
    + r" (?:with \w*TruncationState\((?:offset=)?(?P<to>[0-9]+)|"
    r"to local high watermark (?P<mark>[0-9]+))"
)
_EPOCH_END = re.compile(r"leaderEpoch=(?P<least_epoch>[0-9]{1,9})")


def _truncate(line: _Text, match: re.Match[str]) -> Facts:
    ends = {BrokerId(int(match["id"])): Offset(int(match["to"] or match["mark"]))}
    leader, epoch = (BrokerId(int(match["by_leader"])),), _EPOCH_END.search(line.text)
    known = {} if epoch is None else _facts(epoch)
    return {**known, "partition": _partition(match), "ends": ends, "others": leader}


_LOG_TRUNCATES = re.compile(
    r"(?:\[\w*Log partition=" + _NAME + r", dir=(?P<dir>[^\]]{1,300})\] )"
    r"(?:Truncating to offset (?P<to>[0-9]+)|"
    r"Truncating to [0-9]+ has no effect as the largest offset in the log is (?P<last>-?[0-9]+)|"
    r"Completed load of log with .* log end offset (?P<end>[0-9]+))"
)
_OLD_LOG_TRUNCATES = re.compile(
    r"Truncating (?:log )?" + _NAME + r" to (?:offset (?P<to>[0-9]+)\b|"
    r"[0-9]+ has no effect as the largest offset in the log is (?P<last>-?[0-9]+))"
)
_OLD_LOG_LOADED = re.compile(
    r"Completed load of log " + _NAME + r" with .*log end offset (?P<end>[0-9]+)"
)
_LOG_LOADED = re.compile(
    r"Completed load of \w*Log\(dir=(?P<dir>[^,]{1,300}), (?:topicId=\S{1,60}, )?"
    r"topic=(?P<topic>[A-Za-z0-9._-]{1,249}), partition=(?P<number>[0-9]{1,6}), "
    r".*logEndOffset=(?P<end>[0-9]+)\)"
)


_FETCHER = re.compile(r"\[ReplicaFetcher replicaId=(?P<id>[0-9]{1,9}),")


def _end(line: _Text, match: re.Match[str]) -> Facts:
    """A log's end. The line names its folder but no broker, so the place of the text does."""
    groups = match.groupdict()
    last = groups.get("last")
    end = int(groups.get("to") or groups.get("end") or 0) if last is None else int(last) + 1
    guesses = read_path(f"{groups.get('dir') or ''}/x").guesses
    origin, fetcher = line.context.origin(), _FETCHER.search(line.text)
    broker = origin.stated if fetcher is None else BrokerId(int(fetcher["id"]))
    if broker is None:
        broker = next(iter((*origin.guesses, *guesses)), None)
    ends = {} if broker is None else {broker: Offset(end)}
    return {"partition": _partition(match), "ends": ends}


_LAGGING = re.compile(
    r"for partition "
    + _NAME
    + r" .*high watermark \((?P<high_watermark>[0-9]+)\) is lagging behind the start "
    r"offset from the beginning of this epoch \((?P<epoch_start>[0-9]+)\)"
)
_LEADER_AND_ISR = re.compile(
    r"(?:partition " + _NAME + r" from \S+ to \S+ with state LeaderAndIsr|PartitionState)\("
)
_FIELD = re.compile(
    r"\b(?P<name>topicName|topic|partitionIndex|partition|leader|leaderEpoch|zkVersion|"
    r"partitionEpoch)='?(?P<value>[A-Za-z0-9._-]+)'?"
)
_ISR_FIELD = re.compile(
    r"\bisr(?:WithBrokerEpoch)?=(?:List\(|Set\(|\[)(?P<ids>[0-9, ]*|BrokerState.*)"
)
_BROKER_STATE = re.compile(r"brokerId=(?P<id>[0-9]{1,9})")
_REPLICAS_FIELD = re.compile(r"\breplicas=\[(?P<ids>[0-9, ]*)\]")


def _elect(line: _Text, match: re.Match[str]) -> Facts:
    fields = {one["name"]: one["value"] for one in _FIELD.finditer(line.text, match.end())}
    isr = _ISR_FIELD.search(line.text, match.end() - 1)
    members: tuple[BrokerId, ...] | None = None
    if isr is not None:
        states = _BROKER_STATE.findall(line.text)
        members = tuple(BrokerId(int(one)) for one in states) if states else _ids(isr["ids"])
    replicas = _REPLICAS_FIELD.search(line.text, match.end())
    version = fields.get("zkVersion", fields.get("partitionEpoch"))
    number = fields.get("partitionIndex", "")
    partition = _partition(match)
    if partition is None and number.isdigit() and "topicName" in fields:
        partition = Partition(fields["topicName"], int(number))
    return {
        "partition": partition,
        "leader": _number(fields.get("leader")),
        "leader_epoch": _number(fields.get("leaderEpoch")),
        "isr": members,
        "partition_epoch": _number(version),
        "replicas": None if replicas is None else _ids(replicas["ids"]),
    }


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch("-?[0-9]{1,9}", text) else None


_OLD_ELECTION = re.compile(
    r"(?:New leader and ISR for partition " + _NAME + r" is (?P<state>\{[^}]{1,2000}\})|"
    r"Selected new leader and ISR (?P<state_2>\{[^}]{1,2000}\}) for offline partition "
    r"\[(?P<topic_2>[^,\]\s]{1,249}),(?P<number_2>[0-9]{1,6})\])"
)


def _elect_in_json(line: _Text, match: re.Match[str]) -> Facts:
    try:
        state = as_mapping(json.loads(match["state"] or match["state_2"]))
    except ValueError:
        return {}
    isr = tuple(BrokerId(one) for one in as_items(state.get("isr")) if isinstance(one, int))
    leader, epoch = state.get("leader"), state.get("leader_epoch")
    return {
        "partition": _partition(match),
        "leader": leader if isinstance(leader, int) else None,
        "leader_epoch": epoch if isinstance(epoch, int) else None,
        "isr": isr or None,
    }


_OLD_CHANGE = re.compile(
    r"changed partition " + _NAME + r" from \S+ to \S+ with leader (?P<leader>-?[0-9]{1,9})"
)
_ASSIGNED = re.compile(
    r"[cC]hanged partition " + _NAME + r" state from \S+ to \S+ with assigned replicas "
    r"(?P<replicas>[0-9, ]+)"
)
_NOT_ELECTED = re.compile(
    r"No (?:broker|replica) in ISR for partition " + _NAME + r" is alive\..*"
    r"ISR brokers are: \[(?P<isr>[0-9, ]*)\]"
)
_STAYS_OFFLINE = re.compile(
    r"failed to change state for partition " + _NAME + r" from \S+ to OnlinePartition"
)
_CHOSEN = re.compile(
    r"(?:No broker in ISR is alive for " + _NAME + r"\. Elect leader (?P<leader>[0-9]{1,9}) |"
    r"Partition (?:\[(?P<topic_2>[^,\]\s]{1,249}),(?P<number_2>[0-9]{1,6})\]|"
    r"(?P<topic_3>[A-Za-z0-9._-]{1,249})-(?P<number_3>[0-9]{1,6})) completed preferred replica "
    r"leader election\. New leader is (?P<leader_2>[0-9]{1,9}))"
)
_UNCLEAN = re.compile(
    r"Setting new leader for topicId (?P<topic>\S{1,60}), partition (?P<number>[0-9]{1,6}) to "
    r"(?P<leader>[0-9]{1,9}) using an unclean election"
)
_CHANGE = re.compile(r"partition change for " + _NAME + r"(?: with topic ID \S{1,60})?: ")
_DIFFERENCE = re.compile(
    r"\b(?P<name>replicas|isr|removingReplicas|addingReplicas|leader|leaderEpoch|elr|lastKnownElr|"
    r"partitionEpoch): (?:\[[^\]]{0,2000}\]|-?[0-9]+) -> (?:\[(?P<ids>[^\]]{0,2000})\]|"
    r"(?P<number>-?[0-9]{1,9}))"
)
_REGISTRATION = re.compile(
    r"partition " + _NAME + r"(?: with topic ID \S{1,60})? and PartitionRegistration\("
)
REGISTRATION_FIELD = re.compile(
    r"\b(?P<name>replicas|isr|removingReplicas|addingReplicas|leader|leaderEpoch|elr|lastKnownElr|"
    r"partitionEpoch)=(?:\[(?P<ids>[^\]]{0,2000})\]|(?P<number>-?[0-9]{1,9}))"
)
_FIELDS: Mapping[str, str] = {
    "removingReplicas": "removing",
    "addingReplicas": "adding",
    "leaderEpoch": "leader_epoch",
    "lastKnownElr": "last_known_elr",
    "partitionEpoch": "partition_epoch",
}


def _change(line: _Text, match: re.Match[str]) -> Facts:
    found = _DIFFERENCE.finditer(line.text, match.end())
    return {"partition": _partition(match), **registration_facts(found)}


def _register(line: _Text, match: re.Match[str]) -> Facts:
    found = REGISTRATION_FIELD.finditer(line.text, match.end())
    return {"partition": _partition(match), **registration_facts(found)}


def registration_facts(found: Iterable[re.Match[str]]) -> Facts:
    """The fields of a `PartitionRegistration` as it is printed, by the names of `LogLine`."""
    return {
        _FIELDS.get(one["name"], one["name"]): int(one["number"])
        if one["ids"] is None
        else _ids(one["ids"])
        for one in found
    }


def _lose(_: _Text, match: re.Match[str]) -> Facts:
    return {**_facts(match), "leader": NO_LEADER}


_BY_ITSELF = "No broker in ISR is alive for"
"""In the line of a controller that elects uncleanly because the setting allows it."""
_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[_Text, re.Match[str]], Facts]], ...] = (
    (" ISR ", _PROPOSED, _propose),
    ("ISR updated", _UPDATED, _update),
    ("skip updating ISR", re.compile("Cached zkVersion .*skip updating ISR"), _refuse),
    (" starts at ", _STARTS, _start),
    ("Truncating partition ", _FETCHER_TRUNCATES, _truncate),
    ("Log partition=", _LOG_TRUNCATES, _end),
    ("Truncating ", _OLD_LOG_TRUNCATES, _end),
    ("Completed load of log ", _OLD_LOG_LOADED, _end),
    ("Completed load of ", _LOG_LOADED, _end),
    ("is lagging behind the start offset", _LAGGING, _plain),
    ("LeaderAndIsr(", _LEADER_AND_ISR, _elect),
    ("PartitionState(", _LEADER_AND_ISR, _elect),
    ("ew leader and ISR", _OLD_ELECTION, _elect_in_json),
    (" with leader ", _OLD_CHANGE, _plain),
    ("with assigned replicas", _ASSIGNED, _plain),
    (" in ISR for partition ", _NOT_ELECTED, _lose),
    ("failed to change state for", _STAYS_OFFLINE, _lose),
    (_BY_ITSELF, _CHOSEN, _plain),
    ("completed preferred replica", _CHOSEN, _plain),
    ("using an unclean election", _UNCLEAN, _plain),
    ("partition change for ", _CHANGE, _change),
    ("PartitionRegistration(", _REGISTRATION, _register),
)
"""A part of the line, its form, and what it states."""


def _of_prefix(text: str) -> re.Pattern[str]:
    """The form of a line that the broker named by its beginning prints about itself."""
    return re.compile(
        r"\[(?:Kafka ?Server|BrokerServer|BrokerLifecycleManager) (?:id=)?(?P<ids>[0-9]{1,9})\],? "
        + re.escape(text)
    )


_OF_BROKERS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("Fencing broker ", re.compile(r"Fencing broker (?P<ids>[0-9]{1,9})\b"), "down"),
    (
        "granted a controlled",
        re.compile(r"broker (?P<ids>[0-9]{1,9}) has requested"),
        "shutting_down",
    ),
    (
        "hutting down broker ",
        re.compile(r"hutting down broker (?P<ids>[0-9]{1,9})"),
        "shutting_down",
    ),
    ("granted an immediate", re.compile(r"broker (?P<ids>[0-9]{1,9}) has requested"), "down"),
    ("to shut down has been granted", re.compile(r"from broker (?P<ids>[0-9]{1,9}) to"), "down"),
    ("to unfence has been granted", re.compile(r"from broker (?P<ids>[0-9]{1,9}) to"), "up"),
    ("ed broker: ", re.compile(r"Fenced broker: \w*\(.*\bid=(?P<ids>[0-9]{1,9})"), "down"),
    ("ed broker: ", re.compile(r"Unfenced broker: \w*\(.*\bid=(?P<ids>[0-9]{1,9})"), "up"),
    ("deleted brokers: ", re.compile(r"deleted brokers: (?P<ids>[0-9,]*)"), "down"),
    ("ewly added brokers: ", re.compile(r"ewly added brokers: (?P<ids>[0-9,]*)"), "up"),
    ("startup callback for ", re.compile(r"startup callback for (?P<ids>[0-9,]+)"), "up"),
    ("broker has been unfenced", _of_prefix("The broker has been unfenced"), "up"),
    ("tarting controlled shutdown", _of_prefix("Starting controlled"), "shutting_down"),
    ("eginning controlled shutdown", _of_prefix("Beginning controlled"), "shutting_down"),
    ("shut down completed", _of_prefix("shut down completed"), "down"),
    ("Broker failure callback for ", re.compile(r"callback for (?P<ids>[0-9,]+)"), "down"),
)
_LIVE = re.compile(r"all live brokers: (?P<ids>[0-9,]+)")
_CONTROLLERS: tuple[tuple[str, Control], ...] = (
    ("[Controller id=", "zookeeper"),
    ("zkVersion", "zookeeper"),
    ("[QuorumController id=", "kraft"),
)
_OF_RELEASES: tuple[tuple[str, str | None, str | None, str], ...] = (
    ("partition epoch", "3.3", None, "partition_epoch"),
    ("(under-min-isr)", "3.5", None, "under_min_isr"),
    ("and zkVersion updated to [", None, "2.8", "zk_version"),
    ("and version updated to [", None, "3.1", "version"),
    ("Partition [", None, "1.0", "prefix"),
)
"""What a line contains: from which release on, and before which, with the name of its reason."""


def read_broker_log(context: Context) -> bool:
    """Read one line of a log, and the lines of an exception after it. Returns whether the next line
    is one. A line that states nothing of a partition or a broker is not used.
    """
    line = context.line
    stamped = _STAMP.match(line)
    if stamped is None and _BARE.match(line) is None:
        return False
    text = line if stamped is None else stamped["text"]
    if stamped is not None:
        context.time = stamped["time"].replace("T", " ").replace(".", ",")
    number = context.number
    stated = _CUES.search(text) is not None and _states_of(context, text)
    if not stated:
        context.pass_over("not_used_broker_log")
    else:
        context.take()
        context.understand("broker_log", number)
    while not context.done and _TRACE_OF_STACK.fullmatch(context.line):
        context.pass_over("not_used_broker_log")
    return True


def _states_of(context: Context, text: str) -> bool:
    parsed, line = context.parsed, _Text(context, text[:_MOST_CHARACTERS])
    stated = _brokers_of(context, line.text)
    for part, form, read in _FORMS:
        match = form.search(line.text) if part in line.text else None
        if match is None:
            continue
        facts = read(line, match)
        partition = facts.pop("partition", None) or line.partition
        if not isinstance(partition, Partition) or not any(
            value is not None and value != {} for value in facts.values()
        ):
            continue
        parsed.log_lines.append(
            LogLine(  # the values have the types of the fields of these names
                partition=partition,
                file=context.name,
                line=context.number,
                time=context.time,
                **facts,  # type: ignore[arg-type]
            )
        )
        stated = True
        if part == _BY_ITSELF:
            place = (context.name, context.number)
            parsed.unclean_elections.setdefault(partition.topic, place)
        break
    if stated:
        for part, control in _CONTROLLERS:
            if part in line.text:
                parsed.controls.add(control)
        for part, since, until, name in _OF_RELEASES:
            if part in line.text:
                parsed.since.update({since: f"since_log_{name}"} if since else {})
                parsed.until.update({until: f"until_log_{name}"} if until else {})
    return stated


_CUES = re.compile("|".join(re.escape(part) for part, _, _ in (*_FORMS, *_OF_BROKERS)))
_MOST_CHARACTERS = 4_000


def _brokers_of(context: Context, text: str) -> bool:
    found = False
    for part, form, state in _OF_BROKERS:
        match = form.search(text) if part in text else None
        if match is not None:
            found = True
            context.parsed.broker_lines.append(
                BrokerLine(time=context.time, state=state, brokers=_ids(match["ids"]))  # type: ignore[arg-type]
            )
    live = _LIVE.search(text)
    if live is not None:
        context.parsed.broker_lines.append(
            BrokerLine(time=context.time, state="up", brokers=_ids(live["ids"]))
        )
    return found or live is not None
