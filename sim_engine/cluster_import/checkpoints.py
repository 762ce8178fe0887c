"""Reads the files next to a broker's logs: checkpoints of offsets and of leader epochs.

Their format is the same since 0.8: version 0, the number of entries, and one entry on each line
(`CheckpointFile`). `meta.properties` names the broker of the folder.
"""

import re
from itertools import pairwise

from sim_engine.cluster_import.context import Context
from sim_engine.cluster_import.parsed_state import Origin, ParsedLog, ParsedState, Partition
from sim_engine.cluster_import.paths import FileKind
from sim_engine.cluster_import.problems import Problems
from sim_engine.cluster_import.statements import Statement
from sim_engine.error_texts import error, noun
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset

_OFFSET_ENTRY = re.compile(
    r"(?P<topic>[A-Za-z0-9._-]{1,249}) (?P<number>[0-9]{1,6}) (?P<offset>-?[0-9]{1,19})"
)
_EPOCH_ENTRY = re.compile(r"(?P<epoch>[0-9]{1,10}) (?P<offset>[0-9]{1,19})")
_COUNT = re.compile("[0-9]{1,7}")
_PROPERTY = re.compile(
    r"(?P<key>version|broker\.id|node\.id|cluster\.id|directory\.id)=(?P<value>.*)"
)
_OFFSET_KINDS: frozenset[FileKind | None] = frozenset(
    {
        "replication-offset-checkpoint",
        "recovery-point-offset-checkpoint",
        "log-start-offset-checkpoint",
        "cleaner-offset-checkpoint",
    }
)


def read_checkpoint(context: Context, parsed: ParsedState, problems: Problems) -> bool:
    """Read a checkpoint file, whose name determines its kind. Returns whether the next lines are
    one.
    """
    upcoming = [line.strip() for line in context.upcoming(3)]
    if len(upcoming) < 2 or upcoming[0] != "0" or not _COUNT.fullmatch(upcoming[1]):
        return False
    kind = context.path.kind
    looks_like_epochs = len(upcoming) > 2 and _EPOCH_ENTRY.fullmatch(upcoming[2])
    if kind is None and looks_like_epochs:
        kind = "leader-epoch-checkpoint"
    first = context.number
    context.take()
    expected = int(context.take())
    entry = _EPOCH_ENTRY if kind == "leader-epoch-checkpoint" else _OFFSET_ENTRY
    found: list[re.Match[str]] = []
    while len(found) < expected and not context.done:
        match = entry.fullmatch(context.line.strip())
        if match is None:
            break
        found.append(match)
        context.take()
    if len(found) < expected:
        right = noun("epoch_entry" if kind == "leader-epoch-checkpoint" else "offset_entry")
        problems.report(
            context.name,
            min(context.number, first + 2 + len(found)),
            error("checkpoint_entry", expected=expected, count=len(found) + 1, right=right),
        )
        if not context.done:
            context.take()
        return True
    if kind == "leader-epoch-checkpoint":
        _file_epochs(context, parsed, problems, first, found)
    elif kind in _OFFSET_KINDS:
        _file_offsets(context, parsed, first, kind, found)
    else:
        problems.report(context.name, first, error("checkpoint_without_name"))
    return True


def _file_epochs(
    context: Context,
    parsed: ParsedState,
    problems: Problems,
    first: int,
    found: list[re.Match[str]],
) -> None:
    partition = context.partition
    if partition is None:
        problems.report(context.name, first, error("epochs_without_partition"))
        return
    epochs = tuple(
        (LeaderEpoch(int(match["epoch"])), Offset(int(match["offset"]))) for match in found
    )
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(epochs))
    if not rising:
        problems.report(context.name, first, error("epochs_not_rising"))
        return
    parsed.since.append(("0.11", "leader-epoch-checkpoint"))
    parsed.logs.append(ParsedLog(partition, context.origin(first), epochs=epochs))
    numbers: dict[str, object] = {"partition": _name(partition), "count": len(epochs)}
    parsed.understood.append(
        Statement("epoch_file", numbers, context.name, first, context.number - 1)
    )


def _file_offsets(
    context: Context,
    parsed: ParsedState,
    first: int,
    kind: FileKind | None,
    found: list[re.Match[str]],
) -> None:
    origin = context.origin(first)
    for match in found:
        partition = (match["topic"], int(match["number"]))
        log = _offset_of(partition, origin, kind, Offset(max(0, int(match["offset"]))))
        if log is not None:
            parsed.logs.append(log)
    numbers: dict[str, object] = {"checkpoint": kind, "count": len(found)}
    parsed.understood.append(
        Statement("offset_file", numbers, context.name, first, context.number - 1)
    )


def _offset_of(
    partition: Partition, origin: Origin, kind: FileKind | None, offset: Offset
) -> ParsedLog | None:
    match kind:
        case "replication-offset-checkpoint":
            return ParsedLog(partition, origin, high_watermark=offset)
        case "recovery-point-offset-checkpoint":
            return ParsedLog(partition, origin, recovery_point=offset)
        case "log-start-offset-checkpoint":
            return ParsedLog(partition, origin, log_start=offset)
    return None  # the cleaner checkpoint of compacted logs is not needed


def read_properties(context: Context, parsed: ParsedState, problems: Problems) -> bool:
    """Read `meta.properties`: the broker of a folder, and the kind of controller. Returns whether
    the next lines are such a file.
    """
    found = _PROPERTY.fullmatch(context.line.strip())
    if found is None:
        return False
    first = context.number
    given: dict[str, str] = {}
    while not context.done and (found := _PROPERTY.fullmatch(context.line.strip())):
        given[found["key"]] = found["value"].strip()
        context.take()
    broker = given.get("node.id", given.get("broker.id"))
    if broker is None or not re.fullmatch("[0-9]{1,9}", broker):
        problems.report(context.name, first, error("properties_without_broker"))
        return True
    parsed.brokers.add(BrokerId(int(broker)))
    if "node.id" in given:
        parsed.controls.append(("kraft", "node.id"))
        parsed.since.append(("2.8", "node.id"))
    elif given.get("version", "0") == "0":
        parsed.controls.append(("zookeeper", "broker.id"))
    if "directory.id" in given:
        parsed.since.append(("3.7", "directory.id"))
    numbers: dict[str, object] = {"broker": broker}
    parsed.understood.append(
        Statement("meta_properties", numbers, context.name, first, context.number - 1)
    )
    return True


def broker_of_properties(text: str) -> BrokerId | None:
    """The id of the broker in a `meta.properties`; None if it contains none."""
    found = {
        match["key"]: match["value"].strip()
        for line in text.splitlines()
        if (match := _PROPERTY.fullmatch(line.strip()))
    }
    broker = found.get("node.id", found.get("broker.id", ""))
    return BrokerId(int(broker)) if re.fullmatch("[0-9]{1,9}", broker) else None


def _name(partition: Partition) -> str:
    return f"{partition[0]}-{partition[1]}"
