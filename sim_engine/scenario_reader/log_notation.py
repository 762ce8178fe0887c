"""The notation of logs: records in one line, `m1/0 m2/0 x*20/1`, and epoch files, `[[epoch, start
offset], …]`. Reading and writing.
"""

import re
from collections.abc import Iterable, Sequence

from sim_engine.actions.base import MAX_OFFSET, MAX_RECORDS
from sim_engine.configs import INT_MAX
from sim_engine.error_texts import Wording, error, literal, noun
from sim_engine.identifiers import FIRST_EPOCH, LeaderEpoch, Offset
from sim_engine.scenario_reader.checker import Node
from sim_engine.scenario_reader.document import RecordSpec
from sim_engine.scenario_reader.source import shown

_NUMBERED = re.compile("(?P<prefix>.+?)(?P<number>[1-9][0-9]*)")
RECORD_WORD = re.compile(r"(?P<value>[^/*]+)(\*(?P<count>[0-9]{1,9}))?(/(?P<epoch>[0-9]{1,10}))?")
VALUE_RULE = noun("value_characters")


def is_record_value(value: str) -> bool:
    """Whether a record may have this value."""
    return (
        1 <= len(value) <= 32
        and value.isprintable()
        and not any(character.isspace() or character in "/*" for character in value)
    )


def value_error(value: str) -> Wording:
    """Why a record may not have this value."""
    given = literal(shown(value)) if value else noun("empty")
    return error("not_matching", what=noun("a_value"), right=VALUE_RULE, given=given)


def read_records(node: Node) -> tuple[RecordSpec, ...]:
    """Read a log in one line, `m1/0 m2/0 x*20/1`.

    A record without an epoch has the epoch of the previous record; the first one has epoch 0.
    """
    records: list[RecordSpec] = []
    epoch = FIRST_EPOCH
    for word, count, own_epoch in split_records(node):
        epoch = epoch if own_epoch is None else LeaderEpoch(own_epoch)
        records += (RecordSpec(value, epoch) for value in _values(word, count))
    return tuple(records)


def split_records(node: Node) -> list[tuple[str, int | None, int | None]]:
    """The entries of a log: value, count (`x*20`) and epoch (`/1`); the last two are optional."""
    words: list[tuple[str, int | None, int | None]] = []
    total = 0
    for word in node.string(what=noun("a_log")).split():
        match = RECORD_WORD.fullmatch(word)
        if match is None:
            node.report(error("record_form", given=shown(word)))
            continue
        value, count, epoch = _split(match)
        last = value if count is None else f"{value}{count}"
        if not is_record_value(last):
            node.report(value_error(last))
        elif count is not None and not 1 <= count <= MAX_RECORDS:
            node.report(
                error("record_count", count=count, most=MAX_RECORDS),
                code="out_of_range",
                limit="records_a_log" if count else None,
            )
        elif epoch is not None and epoch > INT_MAX:
            what = noun("an_epoch")
            reason = error("out_of_range", what=what, lowest=0, highest=INT_MAX, number=epoch)
            node.report(reason, code="out_of_range")
        else:
            total += count or 1
            if total <= MAX_RECORDS:
                words.append((value, count, epoch))
    if total > MAX_RECORDS:
        reason = error("too_many_records", most=MAX_RECORDS)
        node.report(reason, code="out_of_range", limit="records_a_log")
    return words


def _split(match: re.Match[str]) -> tuple[str, int | None, int | None]:
    count, epoch = (
        None if match[name] is None else int(match[name]) for name in ("count", "epoch")
    )
    return match["value"], count, epoch


def _values(word: str, count: int | None) -> list[str]:
    """The values of the records of one entry."""
    return [word] if count is None else [f"{word}{number + 1}" for number in range(count)]


def expand_log(line: str) -> list[tuple[str, int | None]]:
    """Parse a log in one line: its records, each with its epoch if it is written."""
    records: list[tuple[str, int | None]] = []
    for word in line.split():
        match = RECORD_WORD.fullmatch(word)
        assert match is not None, "the reader checked the line"
        value, count, epoch = _split(match)
        records += ((one, epoch) for one in _values(value, count))
    return records


def written_log(records: Iterable[tuple[str, int | None]]) -> str:
    """A log in one line, as in an expectation, from each record's value and epoch."""
    return " ".join(value if epoch is None else f"{value}/{epoch}" for value, epoch in records)


def log_line(records: Sequence[RecordSpec]) -> str:
    """Records in one line, with a numbered sequence as `x*20/1`."""
    words: list[str] = []
    index = 0
    while index < len(records):
        record = records[index]
        epoch = "" if record.epoch is None else f"/{record.epoch}"
        run = _numbered_run(records, index)
        if run > 1:
            words.append(f"{record.value[:-1]}*{run}{epoch}")
        else:
            words.append(f"{record.value}{epoch}")
        index += run
    return " ".join(words)


def _numbered_run(records: Sequence[RecordSpec], start: int) -> int:
    """The number of records from a position on that are x1, x2, … of one epoch; 1 if they are not
    numbered.
    """
    first = records[start]
    match = _NUMBERED.fullmatch(first.value)
    if match is None or match["number"] != "1":
        return 1
    length = 1
    while start + length < len(records) and records[start + length] == RecordSpec(
        f"{match['prefix']}{length + 1}", first.epoch
    ):
        length += 1
    return length


def read_epoch_pairs(node: Node) -> tuple[tuple[LeaderEpoch, Offset], ...]:
    """Read an epoch file, `[[epoch, start offset], …]`, with increasing epochs."""
    pairs: list[tuple[LeaderEpoch, Offset]] = []
    for pair in node.items(what="epochs", most=MAX_RECORDS):
        numbers = pair.items(what=noun("epoch_and_start"), least=2, most=2)
        if len(numbers) != 2:
            continue
        epoch = LeaderEpoch(numbers[0].integer(0, INT_MAX, what=noun("an_epoch")))
        start = Offset(numbers[1].integer(0, MAX_OFFSET, what=noun("a_start_offset")))
        if pairs and epoch <= pairs[-1][0]:
            pair.report(error("epoch_not_rising", epoch=epoch, before=pairs[-1][0]))
        elif pairs and start < pairs[-1][1]:
            pair.report(error("start_decreases", offset=start, before=pairs[-1][1]))
        else:
            pairs.append((epoch, start))
    return tuple(pairs)
