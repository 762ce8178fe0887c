"""How many bytes a transaction stores, and a request: those of the texts and binary values in its
statements.

The computing process stores for a visitor whom the serving process counts. So it collects the bytes
of each request and sends their number with the response.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

WRITTEN = "highwater_written"
"""Where a connection's `info` has the `Written` of its current transaction."""
_WRITES = ("insert", "update")


class Written:
    """The number of bytes that a transaction, or a request, has written so far."""

    __slots__ = ("number",)

    def __init__(self) -> None:
        self.number = 0


def count_written(engine: AsyncEngine) -> None:
    """Count the bytes of each transaction whose connection has a `Written`."""
    event.listen(engine.sync_engine, "before_cursor_execute", _add)


def _add(
    connection: Connection,
    _cursor: object,
    statement: str,
    parameters: object,
    _context: object,
    _many: bool,
) -> None:
    written = connection.info.get(WRITTEN)
    if isinstance(written, Written) and statement[:6].lower() in _WRITES:
        written.number += _size(parameters)


def _size(value: object) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, Iterable) else 0


_collecting: ContextVar[Written | None] = ContextVar("collecting", default=None)


@contextmanager
def collecting() -> Iterator[Written]:
    """Collect the bytes that are stored inside the block."""
    collected = Written()
    token = _collecting.set(collected)
    try:
        yield collected
    finally:
        _collecting.reset(token)


def collect(number: int) -> None:
    """Add bytes that were stored, if they are being collected."""
    collected = _collecting.get()
    if collected is not None:
        collected.number += number
