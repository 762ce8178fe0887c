"""Records, as in logs, messages and events."""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import LeaderEpoch, Offset

Marker = Literal["commit", "abort"]
"""The result of a transaction in a control record (KIP-98)."""

MARKER_WORDS: dict[Marker, str] = {"commit": "[commit]", "abort": "[abort]"}
"""The displayed value of a control record, which has no value itself."""


class Record(Struct, frozen=True, gc=False):
    """One record at its offset in a log.

    `epoch` is the leader epoch of its batch; null before 0.11, whose message format has none. `id`
    is the record's identity: a retry that creates a duplicate creates a record with a new id. The
    batch of an idempotent producer also has its id, epoch and sequence number (KIP-98), so every
    replica can derive the producer state from its own log; a control record has no sequence number.
    """

    offset: Offset
    epoch: LeaderEpoch | None
    value: str
    id: str
    producer_id: int | None = None
    producer_epoch: int | None = None
    sequence: int | None = None
    transactional: bool = False
    control: Marker | None = None
