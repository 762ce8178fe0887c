"""Where each leader epoch starts in a log (Kafka: `LeaderEpochFileCache`, KIP-101).

A cache is a tuple of `(epoch, start_offset)`, oldest first. Two generations of rules exist: up to
2.0.0 an entry is made only by an append; from 2.0.1 (KAFKA-7415) a leader makes one as it takes
over, and entries that conflict with a new one are dropped.
"""

from sim_engine.identifiers import UNDEFINED_EPOCH, UNDEFINED_OFFSET, LeaderEpoch, Offset
from sim_engine.kafka_history import Rules

EpochEntries = tuple[tuple[LeaderEpoch, Offset], ...]
EpochEndOffset = tuple[LeaderEpoch, Offset]

UNDEFINED_END: EpochEndOffset = (UNDEFINED_EPOCH, UNDEFINED_OFFSET)


def latest_epoch(entries: EpochEntries) -> LeaderEpoch:
    """The newest epoch known, `UNDEFINED_EPOCH` where there is none."""
    return entries[-1][0] if entries else UNDEFINED_EPOCH


def assign(entries: EpochEntries, epoch: LeaderEpoch, start: Offset, rules: Rules) -> EpochEntries:
    """Note that `epoch` starts at `start`; the same entries where the note adds nothing."""
    if not rules.assign_epoch_at_leader:
        if entries and (epoch <= entries[-1][0] or start < entries[-1][1]):
            return entries
        return (*entries, (epoch, start))
    if entries and epoch == entries[-1][0] and start >= entries[-1][1]:
        return entries
    kept = entries
    while kept and (kept[-1][0] >= epoch or kept[-1][1] >= start):
        kept = kept[:-1]
    return (*kept, (epoch, start))


def truncate_from_end(entries: EpochEntries, offset: Offset) -> EpochEntries:
    """Drop the epochs that start at `offset` or later; -1 drops none."""
    if offset < 0:
        return entries
    return tuple(entry for entry in entries if entry[1] < offset)


def truncate_from_start(entries: EpochEntries, offset: Offset) -> EpochEntries:
    """Drop what ended before the log's new start; the epoch that holds it begins there."""
    if offset < 0:
        return entries
    dropped = [entry for entry in entries if entry[1] <= offset]
    if not dropped:
        return entries
    kept = entries[len(dropped) :]
    return ((dropped[-1][0], offset), *kept)


def end_offset_for(
    entries: EpochEntries, requested: LeaderEpoch, log_end_offset: Offset, rules: Rules
) -> EpochEndOffset:
    """Where `requested` ends in this log, with the epoch that the answer speaks of.

    Undefined as (-1, -1). Under KIP-101 alone the reply carries the offset only, so the epoch is
    undefined even where the offset is known.
    """
    epoch, offset = _end_offset(entries, requested, log_end_offset, rules)
    if not rules.iterative_epoch_truncation:
        return (UNDEFINED_EPOCH, offset)
    return (epoch, offset)


def _end_offset(
    entries: EpochEntries, requested: LeaderEpoch, log_end_offset: Offset, rules: Rules
) -> EpochEndOffset:
    if requested == UNDEFINED_EPOCH:
        # Before KAFKA-6857 "no epoch" was the latest epoch of an empty cache: the log's end.
        if not entries and not rules.no_epoch_has_no_end:
            return (UNDEFINED_EPOCH, log_end_offset)
        return UNDEFINED_END
    if not entries or requested > entries[-1][0]:
        return UNDEFINED_END
    if requested == entries[-1][0]:
        return (requested, log_end_offset)
    if requested < entries[0][0]:
        return (requested, entries[0][1]) if rules.assign_epoch_at_leader else UNDEFINED_END
    floor = max(entry for entry in entries if entry[0] <= requested)
    following = min(entry for entry in entries if entry[0] > requested)
    return (floor[0], following[1])
