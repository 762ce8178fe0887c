"""Computes and applies a JSON Patch (RFC 6902) between two documents: only what a step changed.

Optimized for states of a cluster, which are deep and change in a few places: a log grows or is
truncated, a message leaves the front of a list, numbers change. The operations are add, remove and
replace. A place is assumed to contain values of one type, or null: a number that becomes an equal
boolean is not detected. Structs can be compared directly, as mappings of their fields under their
encoded names, so a state need not be encoded first.
"""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import UNSET, Struct
from msgspec.structs import astuple

from backend.http.errors import pointer
from sim_engine.budget import go_on


class PatchOperation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One operation of RFC 6902."""

    op: Literal["add", "remove", "replace"]
    path: str
    """A JSON Pointer into the patched document."""
    # Any JSON; msgspec publishes no schema for `object`.
    value: Any = UNSET
    """The new value; absent with `remove`."""


def difference(before: object, after: object) -> list[PatchOperation]:
    """Return the operations that turn `before` into `after`, in the order in which they must be
    applied.
    """
    operations: list[PatchOperation] = []
    _compare(before, after, (), operations)
    return operations


def applied(document: object, operations: Sequence[PatchOperation]) -> object:
    """A copy of `document` with the operations applied. The input is not changed."""
    for operation in operations:
        path = [_unescaped(token) for token in operation.path.split("/")[1:]]
        document = _changed(document, path, operation)
    return document


def _compare(
    before: object, after: object, path: tuple[str | int, ...], operations: list[PatchOperation]
) -> None:
    # Most of a state is unchanged, and comparing whole values is much faster than walking through
    # them.
    if before == after:
        return
    # Of another class it is another kind of thing: its fields and its tag are other ones.
    if isinstance(before, Struct) and type(before) is type(after):
        _compare_fields(before, after, path, operations)
    elif isinstance(before, dict) and isinstance(after, dict):
        go_on()
        for key in before:
            if key not in after:
                operations.append(PatchOperation(op="remove", path=pointer(*path, key)))
        for key, value in after.items():
            if key in before:
                _compare(before[key], value, (*path, key), operations)
            else:
                operations.append(PatchOperation(op="add", path=pointer(*path, key), value=value))
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        _compare_lists(before, after, path, operations)
    else:
        operations.append(PatchOperation(op="replace", path=pointer(*path), value=after))


def _compare_fields(
    before: Struct, after: Struct, path: tuple[str | int, ...], operations: list[PatchOperation]
) -> None:
    """Compare two structs of one class by their fields' encoded names; unset fields are absent."""
    for encoded, old, new in zip(
        before.__struct_encode_fields__, astuple(before), astuple(after), strict=True
    ):
        if old is new:
            continue
        if new is UNSET:
            operations.append(PatchOperation(op="remove", path=pointer(*path, encoded)))
        elif old is UNSET:
            operations.append(PatchOperation(op="add", path=pointer(*path, encoded), value=new))
        else:
            _compare(old, new, (*path, encoded), operations)


def _compare_lists(
    before: Sequence[object],
    after: Sequence[object],
    path: tuple[str | int, ...],
    operations: list[PatchOperation],
) -> None:
    """Compare two lists: common entries at both ends stay; the middle is replaced, removed or
    added.
    """
    start = _shared(before, after)
    kept_at_end = _shared(before[start:][::-1], after[start:][::-1])
    old = before[start : len(before) - kept_at_end]
    new = after[start : len(after) - kept_at_end]
    both = min(len(old), len(new))
    for index in range(both):
        _compare(old[index], new[index], (*path, start + index), operations)
    # From the end, so that an operation does not change the indexes of those that follow.
    for index in range(len(old) - 1, both - 1, -1):
        operations.append(PatchOperation(op="remove", path=pointer(*path, start + index)))
    for index in range(both, len(new)):
        operations.append(
            PatchOperation(op="add", path=pointer(*path, start + index), value=new[index])
        )


def _shared(one: Sequence[object], other: Sequence[object]) -> int:
    """The number of leading entries that two lists have in common."""
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:  # a log that grew or was truncated
        return shorter
    return next(index for index in range(shorter) if one[index] != other[index])


def _unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def _changed(document: object, path: list[str], operation: PatchOperation) -> object:
    if not path:
        return operation.value
    key, rest = path[0], path[1:]
    if isinstance(document, list):
        copied = list(document)
        index = int(key)
        if rest:
            copied[index] = _changed(copied[index], rest, operation)
        elif operation.op == "add":
            copied.insert(index, operation.value)
        elif operation.op == "remove":
            del copied[index]
        else:
            copied[index] = operation.value
        return copied
    assert isinstance(document, dict), "a path consists of mappings and lists"
    changed = dict(document)
    if rest:
        changed[key] = _changed(changed[key], rest, operation)
    elif operation.op == "remove":
        del changed[key]
    else:
        changed[key] = operation.value
    return changed
