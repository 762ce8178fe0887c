"""JSON Patch (RFC 6902) between two documents: what a step changed, instead of all there is.

Written for states of a cluster, which are deep and change in a few places: a log that grows or
is cut at its end, a message that leaves a list's front, numbers. The operations used are add,
remove and replace. A place holds values of one type or null: where a number would become an equal
boolean, no difference is seen. What is compared may be a struct: a mapping of its fields, under the
names that they are encoded by. So a state need not be written out to be compared.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct
from msgspec.structs import astuple

from backend.http.errors import pointer


class PatchOperation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One operation of RFC 6902."""

    op: Literal["add", "remove", "replace"]
    path: Annotated[str, Meta(description="A JSON Pointer into what is patched.")]
    # Any JSON; msgspec publishes no schema for `object`.
    value: Annotated[Any, Meta(description="What is there afterwards; absent with `remove`.")] = (
        UNSET
    )


def difference(before: object, after: object) -> list[PatchOperation]:
    """The operations that turn `before` into `after`, in the order to apply them."""
    operations: list[PatchOperation] = []
    _compare(before, after, (), operations)
    return operations


def applied(document: object, operations: Sequence[PatchOperation]) -> object:
    """`document` with the operations done to it; what was handed in is left as it was."""
    for operation in operations:
        path = [_unescaped(token) for token in operation.path.split("/")[1:]]
        document = _changed(document, path, operation)
    return document


def _compare(
    before: object, after: object, path: tuple[str | int, ...], operations: list[PatchOperation]
) -> None:
    # Most of a state is as it was; comparing it whole costs a fraction of walking through it.
    if before == after:
        return
    if isinstance(before, Struct) and isinstance(after, Struct):
        _compare_fields(before, after, path, operations)
    elif isinstance(before, dict) and isinstance(after, dict):
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
    """Two structs of one class, by their fields' encoded names; what is unset is not there."""
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
    """What two lists share at their ends stays; the middle is replaced, removed or added."""
    start = _shared(before, after)
    kept_at_end = _shared(before[start:][::-1], after[start:][::-1])
    old = before[start : len(before) - kept_at_end]
    new = after[start : len(after) - kept_at_end]
    both = min(len(old), len(new))
    for index in range(both):
        _compare(old[index], new[index], (*path, start + index), operations)
    # From the back, so that each index is still right when its operation comes.
    for index in range(len(old) - 1, both - 1, -1):
        operations.append(PatchOperation(op="remove", path=pointer(*path, start + index)))
    for index in range(both, len(new)):
        operations.append(
            PatchOperation(op="add", path=pointer(*path, start + index), value=new[index])
        )


def _shared(one: Sequence[object], other: Sequence[object]) -> int:
    """How many entries two lists have in common at their front."""
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:  # a log that grew, or was cut
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
    assert isinstance(document, dict), "a path leads through mappings and lists"
    changed = dict(document)
    if rest:
        changed[key] = _changed(changed[key], rest, operation)
    elif operation.op == "remove":
        del changed[key]
    else:
        changed[key] = operation.value
    return changed
