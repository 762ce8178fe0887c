"""What pictures of every format share: how many may wait to be drawn, and the latest results."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sized
from contextlib import contextmanager
from typing import Generic, TypeVar

from backend.http.errors import unavailable_past
from backend.limit_table import Limit

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V", bound=Sized)


class DrawingQueue:
    """The pictures of one kind that are waiting or being drawn."""

    def __init__(self) -> None:
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @contextmanager
    def one_more(self, limit: Limit) -> Iterator[None]:
        """Count one more picture inside the block, while it waits or is drawn.

        Raises UnavailableError, which is retryable, if the limit is reached.
        """
        if self._count >= limit.number:
            raise unavailable_past(limit, retry_after_s=1)
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1


class Recent(Generic[_K, _V]):
    """The most recently used values, up to a total length. Longer ones than `longest` are not kept.

    Used only in the event loop.
    """

    def __init__(self, *, total: int, longest: int) -> None:
        """Both are lengths of values: bytes, or characters of a text."""
        self._total = total
        self._longest = longest
        self._held = 0
        self._values: OrderedDict[_K, _V] = OrderedDict()

    def get(self, key: _K) -> _V | None:
        """The value, which counts as used now; None if it is not kept."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def keep(self, key: _K, value: _V) -> None:
        """Keep a value, and drop those that were not used for longest if there is no room."""
        if len(value) > self._longest:
            return
        self._held += len(value) - len(self._values.pop(key, ()))
        self._values[key] = value
        while self._held > self._total:
            _, dropped = self._values.popitem(last=False)
            self._held -= len(dropped)
