"""Random numbers of a campaign: each stream is a keyed hash of what it is for.

A stream is BLAKE2b in counter mode under a key of campaign, cell, run and purpose. So a run has its
numbers wherever and however often it is played, and no two purposes share any. What every cell
draws alike (`EVERY_CELL`) makes their runs comparable one by one: run 7 meets the same faults at
the same moments under every version.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

EVERY_CELL = -1
"""The cell of what all cells of a campaign share."""

_PER_BLOCK = 8
_FRACTION = 2.0**-53


class RunKey(Struct, frozen=True, kw_only=True):
    """What a run is drawn by: the campaign's seed, the cell, counted from 0, and the run in it."""

    campaign: int
    cell: int
    run: int


class Stream:
    """Random numbers, the same on any machine: only hashes, comparisons and exact arithmetic."""

    def __init__(self, key: RunKey, purpose: str) -> None:
        name = f"{key.campaign}/{key.cell}/{key.run}/{purpose}"
        self._key = hashlib.blake2b(name.encode()).digest()
        self._counter = 0
        self._left: list[int] = []

    def number(self) -> int:
        """A whole number of 64 bits."""
        if not self._left:
            block = hashlib.blake2b(self._counter.to_bytes(8, "big"), key=self._key).digest()
            self._left = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 64, 8)]
            assert len(self._left) == _PER_BLOCK, "a block is 64 bytes"
            self._counter += 1
        return self._left.pop()

    def uniform(self) -> float:
        """From 0 up to, and without, 1."""
        return (self.number() >> 11) * _FRACTION

    def below(self, bound: int) -> int:
        """A whole number from 0 up to, and without, `bound`."""
        assert bound > 0, "there is something to choose"
        return self.number() % bound

    def one_of(self, items: Sequence[T]) -> T:
        """One of several, each as likely."""
        return items[self.below(len(items))]

    def exponential(self) -> float:
        """Exponentially distributed with mean 1.

        By comparisons alone (von Neumann, 1951): a logarithm may differ in its last digit from one
        machine to the next.
        """
        whole = 0
        while True:
            first = last = self.uniform()
            falling = 1
            while (following := self.uniform()) < last:
                last = following
                falling += 1
            if falling % 2:
                return whole + first
            whole += 1
