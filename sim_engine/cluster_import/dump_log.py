"""Reads the output of `kafka-dump-log` (`DumpLogSegments`) for a segment, from 0.8 on.

Up to 2.0 `--print-data-log` prints one line for each record, without the leader epoch. From 2.1
each batch has a line, and with `--print-data-log` each of its records has a line below it that
starts with `|`.
"""

import re

from sim_engine.cluster_import.context import Context
from sim_engine.cluster_import.parsed_state import ParsedLog, ParsedRecord, ParsedState
from sim_engine.cluster_import.paths import read_path
from sim_engine.cluster_import.problems import Problems
from sim_engine.cluster_import.statements import Statement
from sim_engine.error_texts import error
from sim_engine.identifiers import LeaderEpoch, Offset

_DUMPING = re.compile(r"Dumping (?P<path>.+)")
_START = re.compile(r"(?:Log s|S)tarting offset: (?P<offset>[0-9]{1,19})")
_BATCH = re.compile(
    r"baseOffset: (?P<first>[0-9]{1,19}) lastOffset: (?P<last>[0-9]{1,19}) .*"
    r"partitionLeaderEpoch: (?P<epoch>-?[0-9]{1,10}) .*"
)
_RECORD = re.compile(r"(?P<bar>\| )?offset: (?P<offset>[0-9]{1,19})(?P<rest> .*)")
_PAYLOAD = re.compile(r"(?:^| )payload: ?(?P<value>.*)")
_SIZE = re.compile(r" (?:valuesize|valueSize|payloadsize): (?P<size>-?[0-9]{1,10})(?= |$)")
_OLD_FORMAT = re.compile(r" magic: [01] ")
_MARKER = re.compile(r" endTxnMarker: (?P<marker>[A-Z]+)")
_NOT_A_LOG = re.compile(
    r"(?:timestamp: -?[0-9]+ )?offset: [0-9]+(?: position: [0-9]+)?|producerId: .*|"
    r"Mismatches in :.*|Index offset: .*"
)
_MOST_RECORDS = 1_000_000


def read_dump(context: Context, parsed: ParsedState, problems: Problems) -> bool:
    """Read the dump of one file, without indexes and snapshots. Returns whether the next lines are
    a dump.
    """
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
    if context.partition is None:
        problems.report(context.name, first, error("dump_without_partition"))
    log = ParsedLog(context.partition or ("", 0), context.origin(first))
    _read_lines(context, log)
    if context.partition is None:
        return True
    if len(log.records) > _MOST_RECORDS:
        problems.report(context.name, first, error("dump_too_long", most=_MOST_RECORDS))
        return True
    parsed.logs.append(log)
    topic, index = context.partition
    numbers: dict[str, object] = {"partition": f"{topic}-{index}", "count": len(log.records)}
    parsed.understood.append(Statement("dump", numbers, context.name, first, context.number - 1))
    return True


def _starts(line: str) -> bool:
    text = line.strip()
    return (
        _START.fullmatch(text) is not None
        or _BATCH.fullmatch(text) is not None
        or _is_record(_RECORD.fullmatch(text))
    )


def _is_record(found: re.Match[str] | None) -> bool:
    """Whether a line is a record; index lines begin in the same way but are shorter."""
    return found is not None and (found["bar"] is not None or " isvalid: " in found["rest"])


def _read_lines(context: Context, log: ParsedLog) -> None:
    epoch: LeaderEpoch | None = None
    while not context.done:
        text = context.line.rstrip("\r\n").lstrip()
        if started := _START.fullmatch(text.strip()):
            log.first = Offset(int(started["offset"]))
        elif batch := _BATCH.fullmatch(text.strip()):
            printed = int(batch["epoch"])
            epoch = None if printed < 0 else LeaderEpoch(printed)
            last = int(batch["last"])
            for number in range(max(int(batch["first"]), last - _MOST_RECORDS), last + 1):
                log.records[Offset(number)] = ParsedRecord(None, epoch)
            if " isControl: true" in text:
                log.control += 1
        elif _is_record(found := _RECORD.fullmatch(text)):
            assert found is not None, "the line is a record"
            offset = Offset(int(found["offset"]))
            known = log.records.get(offset)
            log.old_format = log.old_format or _OLD_FORMAT.search(found["rest"]) is not None
            value = _value(found["rest"])
            log.records[offset] = ParsedRecord(value, epoch if known is None else known.epoch)
            context.take()
            _skip_rest_of_value(context, found["rest"])
            continue
        else:
            break
        context.take()


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
