"""How many pictures of each format may wait to be drawn."""

from collections.abc import Iterator
from contextlib import contextmanager

from backend.http.errors import unavailable_past
from backend.limit_table import Limit


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
