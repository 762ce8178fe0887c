"""Reads the initial logs of replicas: records, offsets, checkpoints and leader epochs."""

import re
from collections.abc import Sequence

from sim_engine.actions.fields import MAX_OFFSET, MAX_RECORDS
from sim_engine.budget import go_on
from sim_engine.configs import (
    INT_MAX,
)
from sim_engine.error_texts import Wording, Words, error, literal, noun
from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, LeaderEpoch, Offset
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.document import (
    LogSpec,
    RecordSpec,
)
from sim_engine.scenario_reader.source import pointer, shown

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


def read_log(checker: Checker, value: object, where: str, leader_epoch: LeaderEpoch) -> LogSpec:
    """Read one replica's initial log, offsets and checkpoints.

    `leader_epoch` is the partition's; no epoch of a record or cache entry may be higher.
    """
    go_on()
    given = checker.mapping(
        value,
        where,
        what=noun("a_log"),
        known=("log", "log_start", "high_watermark", "flushed", "checkpoint", "epochs"),
    )
    log_start = _any_offset(
        checker, given.get("log_start", 0), pointer(where, "log_start"), "log_start"
    )
    records = read_records(checker, given.get("log", ""), pointer(where, "log"), log_start)
    _check_record_epochs(checker, records, pointer(where, "log"), leader_epoch)
    end = Offset(log_start + len(records))

    def offset(name: str, lowest: Offset, highest: Offset) -> Offset | None:
        if given.get(name) is None:
            return None
        return _offset(checker, given[name], pointer(where, name), lowest, highest, name)

    checkpoint_where = pointer(where, "checkpoint")
    checkpoint = checker.mapping(
        given.get("checkpoint", {}),
        checkpoint_where,
        what="checkpoint",
        known=("high_watermark", "recovery_point"),
    )
    flushed = offset("flushed", FIRST_OFFSET, end)
    checkpoint_high_watermark = recovery_point = None
    if checkpoint.get("high_watermark") is not None:
        # The checkpoint may be ahead of a log that lost its end; loading limits it to the log.
        checkpoint_high_watermark = _any_offset(
            checker,
            checkpoint["high_watermark"],
            pointer(checkpoint_where, "high_watermark"),
            "high_watermark",
        )
    if checkpoint.get("recovery_point") is not None:
        recovery_where = pointer(checkpoint_where, "recovery_point")
        recovery_point = _offset(
            checker,
            checkpoint["recovery_point"],
            recovery_where,
            FIRST_OFFSET,
            end,
            "recovery_point",
        )
        if flushed is not None and recovery_point > flushed:
            checker.report(
                recovery_where,
                error("recovery_point_not_flushed", number=recovery_point, flushed=flushed),
            )
    return LogSpec(
        records=records,
        log_start=log_start,
        high_watermark=offset("high_watermark", log_start, end),
        flushed=flushed,
        checkpoint_high_watermark=checkpoint_high_watermark,
        checkpoint_recovery_point=recovery_point,
        epochs=(
            None
            if given.get("epochs") is None
            else _read_epochs(
                checker,
                given["epochs"],
                pointer(where, "epochs"),
                log_start=log_start,
                records=records,
                leader_epoch=leader_epoch,
            )
        ),
    )


def _any_offset(checker: Checker, value: object, where: str, name: Words) -> Offset:
    return Offset(checker.integer(value, where, 0, MAX_OFFSET, what=name))


def _offset(
    checker: Checker, value: object, where: str, lowest: Offset, highest: Offset, name: str
) -> Offset:
    offset = Offset(checker.integer(value, where, -(10**18), 10**18, what=name))
    if not lowest <= offset <= highest:
        checker.report(
            where,
            error(
                "offset_out_of_log",
                what=literal(name),
                lowest=lowest,
                highest=highest,
                number=offset,
            ),
            code="out_of_range",
        )
        return lowest
    return offset


def read_records(
    checker: Checker, value: object, where: str, log_start: Offset = FIRST_OFFSET
) -> tuple[RecordSpec, ...]:
    """Read a log in one line, `m1/0 m2/0 x*20/1`.

    A record without an epoch has the epoch of the previous record; the first one has epoch 0.
    """
    records: list[RecordSpec] = []
    epoch = FIRST_EPOCH
    for word, count, own_epoch in split_records(checker, value, where):
        epoch = epoch if own_epoch is None else LeaderEpoch(own_epoch)
        if len(records) + (count or 1) > MAX_RECORDS:
            checker.report(
                where,
                error("too_many_records", most=MAX_RECORDS),
                code="out_of_range",
                limit="records_a_log",
            )
            break
        if count is None:
            records.append(RecordSpec(word, epoch))
        else:
            records.extend(RecordSpec(f"{word}{number + 1}", epoch) for number in range(count))
    return tuple(records)


def split_records(
    checker: Checker, value: object, where: str
) -> list[tuple[str, int | None, int | None]]:
    """The entries of a log: value, count (`x*20`) and epoch (`/1`); the last two are optional."""
    words: list[tuple[str, int | None, int | None]] = []
    text = checker.string(value, where, what=noun("a_log"))
    for word in text.split():
        match = RECORD_WORD.fullmatch(word)
        if match is None:
            checker.report(where, error("record_form", given=shown(word)))
            continue
        count = int(match["count"]) if match["count"] is not None else None
        epoch = int(match["epoch"]) if match["epoch"] is not None else None
        last = match["value"] if count is None else f"{match['value']}{count}"
        if not is_record_value(last):
            checker.report(where, value_error(last))
        elif count is not None and not 1 <= count <= MAX_RECORDS:
            checker.report(
                where,
                error("record_count", count=count, most=MAX_RECORDS),
                code="out_of_range",
                limit="records_a_log" if count else None,
            )
        elif epoch is not None and epoch > INT_MAX:
            reason = error(
                "out_of_range", what=noun("an_epoch"), lowest=0, highest=INT_MAX, number=epoch
            )
            checker.report(where, reason, code="out_of_range")
        else:
            words.append((match["value"], count, epoch))
    return words


def _check_record_epochs(
    checker: Checker, records: Sequence[RecordSpec], where: str, leader_epoch: LeaderEpoch
) -> None:
    before = 0
    for record in records:
        epoch = record.epoch or 0
        if epoch < before:
            checker.report(
                where,
                error("record_epoch_decreases", value=record.value, epoch=epoch, before=before),
            )
            return
        before = epoch
    if before > leader_epoch:
        checker.report(
            where,
            error("log_epoch_too_high", epoch=before, leader_epoch=leader_epoch),
        )


def _read_epochs(
    checker: Checker,
    value: object,
    where: str,
    *,
    log_start: Offset,
    records: Sequence[RecordSpec],
    leader_epoch: LeaderEpoch,
) -> tuple[tuple[LeaderEpoch, Offset], ...]:
    epochs = read_epoch_pairs(checker, value, where)
    end = log_start + len(records)
    for index, (epoch, start) in enumerate(epochs):
        inner = pointer(where, index)
        if epoch > leader_epoch:
            reason = error("entry_epoch_too_high", epoch=epoch, leader_epoch=leader_epoch)
            checker.report(inner, reason)
        if not log_start <= start <= end:
            checker.report(
                inner,
                error(
                    "offset_out_of_log",
                    what=noun("start_of_epoch"),
                    lowest=log_start,
                    highest=end,
                    number=start,
                ),
                code="out_of_range",
            )
        elif start < end and (right := records[start - log_start].epoch) != epoch:
            reason = error("record_epoch_differs", offset=start, right=str(right), epoch=epoch)
            checker.report(inner, reason)
    return epochs


def read_epoch_pairs(
    checker: Checker, value: object, where: str
) -> tuple[tuple[LeaderEpoch, Offset], ...]:
    """Read an epoch file, `[[epoch, start offset], …]`, with increasing epochs."""
    pairs: list[tuple[LeaderEpoch, Offset]] = []
    for index, item in enumerate(checker.items(value, where, what="epochs", most=MAX_RECORDS)):
        inner = pointer(where, index)
        numbers = checker.items(item, inner, what=noun("epoch_and_start"), least=2, most=2)
        if len(numbers) != 2:
            continue
        epoch = LeaderEpoch(
            checker.integer(numbers[0], pointer(inner, 0), 0, INT_MAX, what=noun("an_epoch"))
        )
        start = _any_offset(checker, numbers[1], pointer(inner, 1), noun("a_start_offset"))
        if pairs and epoch <= pairs[-1][0]:
            checker.report(inner, error("epoch_not_rising", epoch=epoch, before=pairs[-1][0]))
        elif pairs and start < pairs[-1][1]:
            checker.report(inner, error("start_decreases", offset=start, before=pairs[-1][1]))
        else:
            pairs.append((epoch, start))
    return tuple(pairs)
