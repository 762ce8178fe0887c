"""Random numbers of a campaign: each stream is a hash, keyed by its purpose.

A stream is BLAKE2b in counter mode under a key of campaign, cell, run and purpose. A run therefore
has the same numbers wherever and however often it is played, and streams for different purposes are
independent. Numbers that all cells share (`EVERY_CELL`) make their runs comparable one by one: run
7 meets the same faults at the same times under every version.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

EVERY_CELL = -1
"""The cell number for streams that all cells of a campaign share."""

_PER_BLOCK = 8
_FRACTION = 2.0**-53


class RunKey(Struct, frozen=True, kw_only=True):
    """The key of a run: the campaign's seed, the cell and the run in it, both counted from 0."""

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
        """The next random number: an integer of 64 bits."""
        if not self._left:
            block = hashlib.blake2b(self._counter.to_bytes(8, "big"), key=self._key).digest()
            self._left = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 64, 8)]
            assert len(self._left) == _PER_BLOCK, "a block is 64 bytes"
            self._counter += 1
        return self._left.pop()

    def uniform(self) -> float:
        """The next random number from 0 up to, but excluding, 1."""
        return (self.number() >> 11) * _FRACTION

    def below(self, bound: int) -> int:
        """The next random integer from 0 up to, but excluding, `bound`, which must be positive."""
        assert bound > 0, "the bound is positive"
        return self.number() % bound

    def one_of(self, items: Sequence[T]) -> T:
        """One of several elements, with equal probability."""
        return items[self.below(len(items))]

    def exponential(self) -> float:
        """Exponentially distributed with mean 1.

        Uses only comparisons (von Neumann, 1951), because a logarithm may differ in its last digit
        between machines.
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
