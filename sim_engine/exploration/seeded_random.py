"""Pseudo-random numbers from a seed: identical on any machine."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = 2**64 - 1


class SeededRandom:
    """A stream of pseudo-random choices (SplitMix64: Steele, Lea and Flood, 2014)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """A whole number from 0 up to, but excluding, `bound`, which must be positive."""
        assert bound > 0, "the bound is positive"
        return self._next() % bound

    def one_of(self, items: Sequence[T]) -> T:
        """One of several elements, with equal probability."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[T, int]]) -> T:
        """One of several elements, with probability proportional to its weight. At least one weight
        must be positive.
        """
        left = self.below(sum(weight for _, weight in items))
        for item, weight in items:
            if left < weight:
                return item
            left -= weight
        raise AssertionError("a number below the sum falls on an item")
