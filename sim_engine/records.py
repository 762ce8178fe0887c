"""A record as logs hold it, and as messages and events carry it."""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import LeaderEpoch, Offset

Marker = Literal["commit", "abort"]
"""What a control record says became of its producer's transaction (KIP-98)."""

MARKER_WORDS: dict[Marker, str] = {"commit": "[commit]", "abort": "[abort]"}
"""The value that a control record is shown by; it carries none."""


class Record(Struct, frozen=True, gc=False):
    """One record at its place in a log.

    `epoch` is the leader epoch the leader stamped on its batch, null where the message format has
    none (before 0.11). `id` names this very record: a retry that duplicates makes a second one.
    The batch of an idempotent producer also carries its id, epoch and sequence (KIP-98), so every
    replica knows of them what its own log says; a control record has no sequence.
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
