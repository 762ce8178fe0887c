"""Reads a log segment file: its batches, with their offsets, leader epochs and values.

Formats 0, 1 (`MessageSet`, up to 0.10) and 2 (`RecordBatch`, from 0.11). A compressed batch
provides its offsets and its epoch; gzip is decompressed, and with other codecs the values are
unknown.
"""

import struct
import zlib
from collections.abc import Iterator

from sim_engine.cluster_import.parsed_state import ParsedLog, ParsedRecord
from sim_engine.error_texts import WrongValueError, error
from sim_engine.identifiers import LeaderEpoch, Offset

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
    _, attributes, last_delta, *_, count = _BATCH.unpack_from(body)
    if not 0 <= last_delta < _MOST_RECORDS:
        raise BrokenSegmentError(error("batch_without_end", offset=base))
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
        text = "null" if value is None else value.decode("utf-8", "replace")
        log.records[Offset(base + delta)] = ParsedRecord(text, known_epoch)


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
    text = "null" if value is None else value.decode("utf-8", "replace")
    log.records[offset] = ParsedRecord(text, None)


def _sized(body: bytes, position: int) -> tuple[bytes | None, int]:
    (length,) = struct.unpack_from(">i", body, position)
    position += 4
    return (
        (None, position) if length < 0 else (body[position : position + length], position + length)
    )
