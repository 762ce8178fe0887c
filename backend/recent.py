"""A cache of the most recently used values, of limited size."""

from collections import OrderedDict
from collections.abc import Hashable, Sized
from threading import Lock
from typing import Generic, TypeVar

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V", bound=Sized)


class Recent(Generic[_K, _V]):
    """The most recently used values, up to a total length. Longer ones than `longest` are not kept.
    Thread-safe.
    """

    def __init__(self, *, total: int, longest: int) -> None:
        """Both are lengths of values: bytes, or characters of a text."""
        self._total = total
        self._longest = longest
        self._held = 0
        self._values: OrderedDict[_K, _V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: _K) -> _V | None:
        """The value, which counts as used now; None if it is not kept."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def keep(self, key: _K, value: _V) -> None:
        """Keep a value, and drop those that were not used for longest if there is no room."""
        if len(value) > self._longest:
            return
        with self._lock:
            self._held += len(value) - len(self._values.pop(key, ()))
            self._values[key] = value
            while self._held > self._total:
                _, dropped = self._values.popitem(last=False)
                self._held -= len(dropped)
