"""Reads files one after another, and parses each line or reports it as unknown."""

import re
from collections.abc import Callable, Mapping, Sequence

from sim_engine.cluster_import.log_files import (
    BrokenSegmentError,
    broker_of_properties,
    read_checkpoint,
    read_properties,
    read_segment,
)
from sim_engine.cluster_import.parsed_state import (
    ClusterFile,
    Context,
    Origin,
    ParsedLog,
    ParsedState,
    Problems,
    Statement,
    read_path,
)
from sim_engine.cluster_import.tool_output import (
    read_configs,
    read_dump,
    read_quorum_replication,
    read_quorum_status,
    read_topics,
)
from sim_engine.error_texts import Wording, error
from sim_engine.identifiers import BrokerId, Offset
from sim_engine.left_out import find_left_out

_READERS: Sequence[Callable[[Context, ParsedState, Problems], bool]] = (
    read_topics,
    read_dump,
    read_checkpoint,
    read_properties,
    read_quorum_status,
    read_quorum_replication,
    read_configs,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)+")
"""A name of several parts, such as a setting, a feature or a tool."""
# Lines of shells, Java and loggers around a tool's output, which are ignored.
_NOISE = re.compile(
    r"\s*|#.*|SLF4J.*|\[[0-9]{4}-[0-9]{2}-[0-9]{2} .*|(?:OpenJDK|Java HotSpot).* warning: .*|"
    r"(?:WARN|WARNING|log4j:WARN)\b.*|Picked up .*JAVA.*|```.*|[$>]|-{3,}|"
    r"Completed updating .*|Created topic .*",
)


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
            _read_text(Context(file.name, text.splitlines(), brokers_of_folders), parsed, problems)
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


def _read_text(context: Context, parsed: ParsedState, problems: Problems) -> None:
    while not context.done:
        if context.heading():
            continue
        if any(read(context, parsed, problems) for read in _READERS):
            continue
        if not _NOISE.fullmatch(context.line.rstrip()):
            problems.report(context.name, context.number, _why_unknown(context.line))
        context.take()


def _why_unknown(line: str) -> Wording:
    """The error for a line: with what the engine leaves out, if a word of the line names it."""
    for word in _WORD.findall(line):
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
    log = ParsedLog(
        facts.partition,
        Origin(name, 1, brokers_of_folders.get(facts.folder), facts.guesses),
        first=_base(name),
    )
    try:
        read_segment(log, content)
    except BrokenSegmentError as wrong:
        problems.report(name, 1, error("not_a_segment", reason=wrong.reason))
        return
    parsed.logs.append(log)
    topic, index = facts.partition
    numbers: dict[str, object] = {"partition": f"{topic}-{index}", "count": len(log.records)}
    parsed.understood.append(Statement("segment", numbers, name))


def _base(name: str) -> Offset:
    """The base offset in a segment's name."""
    digits = re.search(r"([0-9]{1,20})\.log$", name)
    assert digits is not None, "the file has the name of a segment"
    return Offset(int(digits[1]))
