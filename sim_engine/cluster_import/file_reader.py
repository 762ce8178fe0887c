"""Reads files one after another, and parses each line or reports it as unknown. The files of a
broker's logs are segments, and the checkpoints next to them.

Checkpoints of offsets and of leader epochs have the same format since 0.8: version 0, the number of
entries, and one entry on each line (`CheckpointFile`). `meta.properties` names the broker of the
folder.

A segment consists of batches, with their offsets, leader epochs and values, in formats 0 and 1
(`MessageSet`, up to 0.10) or 2 (`RecordBatch`, from 0.11). A compressed batch provides its offsets
and its epoch; gzip is decompressed, and with other codecs the values are unknown.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from sim_engine.cluster_import.broker_log import read_broker_log
from sim_engine.cluster_import.context import Context, FileKind, lines_of, read_path
from sim_engine.cluster_import.documents import (
    read_assignment_head,
    read_json,
    read_node,
    read_resource,
)
from sim_engine.cluster_import.other_output import (
    read_election,
    read_features,
    read_kcat,
    read_named,
    read_offsets,
    read_reassignments,
    read_server_properties,
)
from sim_engine.cluster_import.parsed_state import (
    ClusterFile,
    Origin,
    ParsedLog,
    ParsedRecord,
    ParsedState,
    Partition,
    Problems,
    Statement,
    is_secret,
)
from sim_engine.cluster_import.tool_output import (
    read_configs,
    read_dump,
    read_quorum_replication,
    read_quorum_status,
    read_topics,
)
from sim_engine.error_texts import Wording, WrongValueError, error, noun
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset
from sim_engine.left_out import find_left_out

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


def read_checkpoint(context: Context) -> bool:
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
    entries: list[re.Match[str]] = []
    while len(entries) < expected and not context.done:
        match = entry.fullmatch(context.line.strip())
        if match is None:
            break
        entries.append(match)
        context.take()
    if len(entries) < expected:
        right = noun("epoch_entry" if kind == "leader-epoch-checkpoint" else "offset_entry")
        context.report(
            min(context.number, first + 2 + len(entries)),
            error("checkpoint_entry", expected=expected, count=len(entries) + 1, right=right),
        )
        if not context.done:
            context.take()
        return True
    if kind == "leader-epoch-checkpoint":
        _file_epochs(context, first, entries)
    elif kind in _OFFSET_KINDS:
        _file_offsets(context, first, kind, entries)
    else:
        context.report(first, error("checkpoint_without_name"))
    return True


def _file_epochs(context: Context, first: int, entries: list[re.Match[str]]) -> None:
    partition = context.partition
    if partition is None:
        context.report(first, error("epochs_without_partition"))
        return
    epochs = tuple(
        (LeaderEpoch(int(match["epoch"])), Offset(int(match["offset"]))) for match in entries
    )
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(epochs))
    if not rising:
        context.report(first, error("epochs_not_rising"))
        return
    context.parsed.since["0.11"] = "since_epoch_file"
    origin = context.origin(first)
    context.parsed.logs.append(ParsedLog(partition=partition, origin=origin, epochs=epochs))
    context.understand("epoch_file", first, partition=str(partition), count=len(epochs))


def _file_offsets(
    context: Context, first: int, kind: FileKind | None, entries: list[re.Match[str]]
) -> None:
    origin = context.origin(first)
    for entry in entries:
        partition = Partition(entry["topic"], int(entry["number"]))
        log = ParsedLog(partition=partition, origin=origin)
        offset = Offset(max(0, int(entry["offset"])))
        match kind:
            case "replication-offset-checkpoint":
                log.high_watermark = offset
            case "recovery-point-offset-checkpoint":
                log.recovery_point = offset
            case "log-start-offset-checkpoint":
                log.log_start = offset
            case _:
                continue  # the cleaner checkpoint of compacted logs is not needed
        context.parsed.logs.append(log)
    context.understand("offset_file", first, checkpoint=kind, count=len(entries))


def read_properties(context: Context) -> bool:
    """Read `meta.properties`: the broker of a folder, and the kind of controller. Returns whether
    the next lines are such a file.
    """
    first, parsed = context.number, context.parsed
    properties = {match["key"]: match["value"].strip() for match in context.take_all(_PROPERTY)}
    if not properties:
        return False
    broker = _broker_of(properties)
    if broker is None:
        context.report(first, error("properties_without_broker"))
        return True
    parsed.brokers.add(broker)
    if "node.id" in properties:
        parsed.controls.add("kraft")
        parsed.since["2.8"] = "since_node_id"
    elif properties.get("version", "0") == "0":
        parsed.controls.add("zookeeper")
    if "directory.id" in properties:
        parsed.since["3.7"] = "since_directory_id"
    context.understand("meta_properties", first, broker=_id_in(properties))
    return True


def broker_of_properties(text: str) -> BrokerId | None:
    """The id of the broker in a `meta.properties`; None if it contains none."""
    matches = (_PROPERTY.fullmatch(line.strip()) for line in text.splitlines())
    return _broker_of({match["key"]: match["value"].strip() for match in matches if match})


def _id_in(properties: Mapping[str, str]) -> str:
    return properties.get("node.id", properties.get("broker.id", ""))


def _broker_of(properties: Mapping[str, str]) -> BrokerId | None:
    broker = _id_in(properties)
    return BrokerId(int(broker)) if re.fullmatch("[0-9]{1,9}", broker) else None


_HEAD = struct.Struct(">qiib")
"""The start of a batch: offset, size of the remaining bytes, partition leader epoch or
CRC, magic.
"""
_BATCH = struct.Struct(">ihiqqqhii")
"""The header of a batch of format 2: CRC, attributes, last offset delta, two timestamps, producer
id, producer epoch, base sequence, number of records.
"""
_COMPRESSION = 0x07
_GZIP = 1
_TRANSACTIONAL = 0x10
_CONTROL = 0x20
_MOST_UNPACKED = 16 * 1024 * 1024
_MOST_RECORDS = 1_000_000


class BrokenSegmentError(WrongValueError):
    """The bytes from some position on are not a valid segment. The reason names the position."""


def read_segment(log: ParsedLog, content: bytes) -> None:
    """Add the contents of a segment to a log. An incomplete last batch is ignored, as in Kafka's
    recovery. Raises `BrokenSegmentError`.
    """
    position = 0
    while position + _HEAD.size <= len(content):
        offset, size, epoch, magic = _HEAD.unpack_from(content, position)
        if offset == 0 and size == 0:
            return  # preallocated, and not yet written
        if size < 14 or not 0 <= magic <= 2 or offset < 0:
            raise BrokenSegmentError(error("segment_without_batch", number=position))
        end = position + 12 + size
        if end > len(content):
            return
        if magic == 2:
            _read_batch(log, offset, epoch, content[position + _HEAD.size : end])
        else:
            _read_message(log, offset, magic, content[position + _HEAD.size : end])
            log.old_format = True
        if len(log.records) > _MOST_RECORDS:
            raise BrokenSegmentError(error("segment_too_long", most=_MOST_RECORDS))
        position = end


def _read_batch(log: ParsedLog, base: Offset, epoch: LeaderEpoch, body: bytes) -> None:
    if len(body) < _BATCH.size:
        raise BrokenSegmentError(error("batch_too_short", offset=base))
    _, attributes, last_delta, _, _, producer_id, _, _, count = _BATCH.unpack_from(body)
    if not 0 <= last_delta < _MOST_RECORDS:
        raise BrokenSegmentError(error("batch_without_end", offset=base))
    if attributes & _TRANSACTIONAL:
        log.add_batch(producer_id, base, is_marker=bool(attributes & _CONTROL))
    known_epoch = None if epoch < 0 else epoch
    records = _unpacked(attributes & _COMPRESSION, body[_BATCH.size :])
    if records is None:
        for delta in range(last_delta + 1):
            log.records[Offset(base + delta)] = ParsedRecord(None, known_epoch)
        return
    for delta, value in _records(records, count):
        if attributes & _CONTROL:
            log.control += 1
            value = b"marker"
        log.records[Offset(base + delta)] = ParsedRecord(_text_of(value), known_epoch)


def _unpacked(codec: int, data: bytes) -> bytes | None:
    if codec == 0:
        return data
    if codec != _GZIP:
        return None
    try:
        return zlib.decompressobj(wbits=31).decompress(data, _MOST_UNPACKED)
    except zlib.error:
        return None


def _records(data: bytes, count: int) -> Iterator[tuple[int, bytes | None]]:
    """The offset delta and the value of each record of a batch of format 2."""
    position = 0
    try:
        for _ in range(min(count, _MOST_RECORDS)):
            length, position = _varint(data, position)
            end = position + length
            _, inner = _varint(data, position + 1)  # after the attributes: the time's delta
            delta, inner = _varint(data, inner)
            _, inner = _bytes_at(data, inner)
            value, _ = _bytes_at(data, inner)
            if length < 0 or end > len(data):
                raise BrokenSegmentError(error("record_too_long"))
            yield delta, value
            position = end
    except IndexError:
        raise BrokenSegmentError(error("record_cut_off")) from None


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """Decode a zigzag varint. Returns the number and the position after it."""
    result = shift = 0
    while True:
        byte = data[position]
        position += 1
        result |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return (result >> 1) ^ -(result & 1), position
        shift += 7
        if shift > 63:
            raise BrokenSegmentError(error("number_without_end"))


def _bytes_at(data: bytes, position: int) -> tuple[bytes | None, int]:
    length, position = _varint(data, position)
    if length < 0:
        return None, position
    return data[position : position + length], position + length


def _read_message(log: ParsedLog, offset: Offset, magic: int, body: bytes) -> None:
    """Read a message of format 0 or 1; a compressed one represents all messages up to
    its offset.
    """
    attributes, position = body[0], 1 + (8 if magic == 1 else 0)
    try:
        _, position = _sized(body, position)
        value, _ = _sized(body, position)
    except struct.error:
        raise BrokenSegmentError(error("message_cut_off", offset=offset)) from None
    if attributes & _COMPRESSION:
        log.records[offset] = ParsedRecord(None, None)
        return
    log.records[offset] = ParsedRecord(_text_of(value), None)


def _text_of(value: bytes | None) -> str | None:
    """The value of a record as text; None if it may contain a secret."""
    text = "null" if value is None else value.decode("utf-8", "replace")
    return None if is_secret(text) else text


def _sized(body: bytes, position: int) -> tuple[bytes | None, int]:
    (length,) = struct.unpack_from(">i", body, position)
    position += 4
    return (
        (None, position) if length < 0 else (body[position : position + length], position + length)
    )


_READERS: Sequence[Callable[[Context], bool]] = (
    read_topics,
    read_dump,
    read_broker_log,
    read_node,
    read_json,
    read_checkpoint,
    read_resource,
    read_server_properties,
    read_properties,
    read_features,
    read_offsets,
    read_kcat,
    read_assignment_head,
    read_reassignments,
    read_election,
    read_named,
    read_quorum_status,
    read_quorum_replication,
    read_configs,
)
_OF_LONG_LINES = (read_dump, read_json)
"""The readers of lines that may be longer than `_LONGEST`: values of records, and JSON."""
_LONGEST = 16_000
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)+")
"""A name of several parts, such as a setting, a feature or a tool."""
_NOTHING = re.compile(
    r"\s*|#.*|```.*|~~~.*|\{(?:noformat|code|quote)(?:[:|][^}]*)?\}|[$>]|-{3,}|={3,}"
)
"""Lines that say nothing: blank ones, comments, fences."""
_NOT_USED: Mapping[str, re.Pattern[str]] = {
    "not_used_message": re.compile(
        r"SLF4J.*|\[[0-9]{4}-[0-9]{2}-[0-9]{2} .*|(?:OpenJDK|Java HotSpot).* warning: .*|"
        r"(?:WARN|WARNING|log4j:WARN)\b.*|Picked up .*JAVA.*|"
        r"Completed updating .*|Created topic .*|Querying brokers for .*|"
        r"Received log directory information .*|WARNING: .*|Note: .*|Defaulted container .*|"
        r"Warning: --zookeeper .*|"
        r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.{0,40}[0-9]{2}:[0-9]{2}:[0-9]{2}.{0,20}"
    )
}
"""Kind of a line that is recognized and not used → its form."""
_MOST_SEARCHED = 500
"""The characters of a line in which words are searched: the time grows with their square."""
_OF_TOOLS = re.compile(
    r"[={}|\t]|(?:topic|partition|leader|replicas?|isr|elr|lastknownelr|configs|offset) *:",
    re.IGNORECASE,
)
_WORDS = re.compile(r"(?:[^\W\d_]{2,}.*){3}|[\u3400-\u9fff]{2,}|[^\W\d_][^\d_/]*[,.!?:]")


def _is_prose(line: str) -> bool:
    """Whether a person wrote a line: words, and nothing that a tool prints about a partition."""
    return _OF_TOOLS.search(line) is None and bool(_WORDS.search(line.strip()[:_MOST_SEARCHED]))


def read_files(files: Sequence[ClusterFile], problems: Problems) -> ParsedState:
    """Read all files. Errors are added to the list of problems."""
    parsed = ParsedState()
    brokers_of_folders = _told_folders(files)
    for file in files:
        if isinstance(file.content, bytes) and read_path(file.name).kind == "segment":
            _read_segment_file(file.name, file.content, brokers_of_folders, parsed, problems)
            continue
        text = _as_text(file, problems)
        if text is not None:
            lines = lines_of(text)
            _read_text(Context(file.name, lines, brokers_of_folders, parsed, problems))
    return parsed


def _told_folders(files: Sequence[ClusterFile]) -> Mapping[str, BrokerId]:
    """The broker of each folder that has a `meta.properties`."""
    brokers: dict[str, BrokerId] = {}
    for file in files:
        facts = read_path(file.name)
        if facts.kind == "meta.properties":
            content = file.content
            text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
            broker = broker_of_properties(text)
            if broker is not None:
                brokers[facts.folder] = broker
    return brokers


def _as_text(file: ClusterFile, problems: Problems) -> str | None:
    if isinstance(file.content, str):
        return file.content
    try:
        return file.content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = file.content.count(b"\n", 0, wrong.start) + 1
        problems.report(file.name, line, error("import_not_utf8"))
        return None


def _read_text(context: Context) -> None:
    before, sentences = len(context.parsed.understood), list[tuple[int, str]]()
    while not context.done:
        if not context.line.strip():
            context.take()
            continue
        readers = _READERS if len(context.line) <= _LONGEST else _OF_LONG_LINES
        if readers is _READERS and context.heading():
            continue
        if any(read(context) for read in readers):
            continue
        line = context.line.rstrip()
        if _NOTHING.fullmatch(line):
            context.take()
        elif kind := next((name for name, form in _NOT_USED.items() if form.fullmatch(line)), None):
            context.pass_over(kind)
        elif _is_prose(line):
            sentences.append((context.number, line))
            context.take()
        else:
            context.report(context.number, _why_unknown(line))
            context.take()
    # Sentences around what a tool prints are not used; alone, they are the wrong input.
    is_read = len(context.parsed.understood) > before
    for number, line in sentences:
        if is_read:
            context.parsed.pass_over("not_used_prose", context.name, number)
        else:
            context.report(number, _why_unknown(line))


def _why_unknown(line: str) -> Wording:
    """The error for a line: with what the engine leaves out, if a word of the line names it."""
    for word in _WORD.findall(line[:_MOST_SEARCHED]):
        left_out = find_left_out(word)
        if left_out is not None:
            return left_out.error(word)
    return error("import_line_unknown")


def _read_segment_file(
    name: str,
    content: bytes,
    brokers_of_folders: Mapping[str, BrokerId],
    parsed: ParsedState,
    problems: Problems,
) -> None:
    facts = read_path(name)
    if facts.partition is None:
        problems.report(name, 1, error("segment_without_partition"))
        return
    broker = brokers_of_folders.get(facts.folder)
    log = ParsedLog(
        partition=facts.partition, origin=Origin(name, 1, broker, facts.guesses), first=_base(name)
    )
    try:
        read_segment(log, content)
    except BrokenSegmentError as wrong:
        problems.report(name, 1, error("not_a_segment", reason=wrong.reason))
        return
    parsed.logs.append(log)
    numbers = {"partition": str(facts.partition), "count": len(log.records)}
    parsed.understood.append(Statement("segment", numbers, name))


def _base(name: str) -> Offset:
    """The base offset in a segment's name."""
    digits = re.search(r"([0-9]{1,20})\.log$", name)
    assert digits is not None, "the file has the name of a segment"
    return Offset(int(digits[1]))


_HIDDEN = "…"
_NAME = re.compile(r"""(?P<name>[A-Za-z][\w.\-]*)["']?\s*[=:]\s*""")
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"?|\'[^\']*\'?""")
_JAAS = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|[^";])*;?""")
_PLAIN = re.compile(r".*?(?=,\s*[\w.\-]+\s*[=:]|\s+[\w.\-]+\s*[=:]|[}\]]|\s*\\?$)")
_NAMED = re.compile(r"""["']?\bname["']?\s*[=:]\s*["']?(?P<name>[\w.\-]+)""")
_VALUE = re.compile(r"""(?P<head>["']?\bvalue["']?\s*[=:]\s*)(?P<value>"(?:[^"\\]|\\.)*"?|.*)""")
_PAYLOAD = re.compile(r"(?P<head>\bpayload:\s*)(?P<value>.*)")
_PEM_START, _PEM_END = "-----BEGIN ", "-----END "


def without_secrets(text: str) -> str:
    """The same lines without the values of secrets."""
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    continues = in_pem = named = False
    for line in lines:
        hidden = _without(line, value_of_secret=named)
        if in_pem or continues:
            hidden = _HIDDEN if line.strip() else line
        names = _NAMED.search(line)
        named = names is not None and is_secret(names["name"])
        if _PEM_START in line:
            in_pem = True
            hidden = line[: line.index(_PEM_START)] + _HIDDEN
        if _PEM_END in line:
            in_pem = False
        continues = hidden != line and line.rstrip().endswith("\\")
        yield hidden


def _without(line: str, *, value_of_secret: bool) -> str:
    """One line; its field `value` is that of a secret if the line before names one."""
    kept: list[str] = []
    at = 0
    while (found := _NAME.search(line, at)) is not None:
        kept.append(line[at : found.end()])
        at = found.end()
        if is_secret(found["name"]):
            value = _value_at(line, at, found["name"])
            kept.append(_HIDDEN if value > at else "")
            at = value
    shown = "".join([*kept, line[at:]])
    names = _NAMED.search(shown)
    if value_of_secret or (names is not None and is_secret(names["name"])):
        shown = _VALUE.sub(rf"\g<head>{_HIDDEN}", shown)
    payload = _PAYLOAD.search(shown)
    if payload is not None and is_secret(payload["value"]):
        shown = shown[: payload.start("value")] + _HIDDEN
    return shown


def _value_at(line: str, at: int, name: str) -> int:
    """Where the value that begins here ends."""
    form = _JAAS if "jaas" in name.lower() else _PLAIN
    found = (_QUOTED if line[at : at + 1] in ('"', "'") else form).match(line, at)
    return at if found is None else found.end()
