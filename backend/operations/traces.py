"""The traces of exceptions in log lines, without what a visitor sent."""

import traceback
from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError

_DRIVERS = ("aiosqlite", "asyncpg", "sqlite3", "sqlalchemy")


def trace_of(error: BaseException) -> str:
    """The trace of an exception and of those that led to it, the first one first.

    Of an exception of the database it has the class but not the message: that contains the
    statement, and often a value: `Key (code)=(…) already exists`.
    """
    return "".join(_lines(error, set())).rstrip("\n")


def _lines(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _lines(before, seen)
        yield "\nIt led to:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    if _is_of_database(error):
        yield f"{type(error).__module__}.{type(error).__qualname__}\n"
    else:
        yield from traceback.format_exception_only(error)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            if id(each) not in seen:
                yield from _lines(each, seen)


def _is_of_database(error: BaseException) -> bool:
    package = type(error).__module__.partition(".")[0]
    return isinstance(error, SQLAlchemyError) or package in _DRIVERS
