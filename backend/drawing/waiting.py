"""Limits how many pictures wait to be drawn; further requests are told to retry."""

from collections.abc import Iterator
from contextlib import contextmanager

from backend.http.errors import UnavailableError
from backend.limits.table import Limit
from sim_engine import DEFAULT_LANGUAGE


class WaitingPictures:
    """Those of one kind that wait or are being drawn."""

    def __init__(self) -> None:
        self._count = 0

    @contextmanager
    def one_more(self, limit: Limit) -> Iterator[None]:
        """A place among them while a picture is drawn.

        Raises UnavailableError, retryable, where as many as the limit says have one.
        """
        if self._count >= limit.number:
            raise UnavailableError(
                limit.said()[DEFAULT_LANGUAGE],
                code="busy",
                retry_after_s=1,
                members=limit.members(),
            )
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
