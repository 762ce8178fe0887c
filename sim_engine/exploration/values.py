"""Values that are kept once, and stand in states as small integers."""

from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value", bound=Hashable)


class Values(Generic[Value]):
    """Values, each kept once, and their integers."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}
        self._values: list[Value] = []

    def number(self, value: Value) -> int:
        """The integer of a value."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self._values)
            self._values.append(value)
        return number

    def __getitem__(self, number: int) -> Value:
        return self._values[number]
