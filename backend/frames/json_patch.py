"""JSON Patch (RFC 6902) between two documents: what a step changed, instead of all there is.

Written for states of a cluster, which are deep and change in a few places: a log that grows or
is cut at its end, a message that leaves a list's front, numbers. The operations used are add,
remove and replace. A place holds values of one type or null: where a number would become an equal
boolean, no difference is seen.
"""

from typing import Any

from backend.http.errors import pointer

Operation = dict[str, Any]


def difference(before: Any, after: Any) -> list[Operation]:
    """The operations that turn `before` into `after`, in the order to apply them."""
    operations: list[Operation] = []
    _compare(before, after, (), operations)
    return operations


def applied(document: Any, operations: list[Operation]) -> Any:
    """`document` with the operations done to it; what was handed in is left as it was."""
    for operation in operations:
        path = [_unescaped(token) for token in operation["path"].split("/")[1:]]
        document = _changed(document, path, operation)
    return document


def _compare(
    before: Any, after: Any, path: tuple[str | int, ...], operations: list[Operation]
) -> None:
    # Most of a state is as it was; comparing it whole costs a fraction of walking through it.
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before:
            if key not in after:
                operations.append({"op": "remove", "path": pointer(*path, key)})
        for key, value in after.items():
            if key in before:
                _compare(before[key], value, (*path, key), operations)
            else:
                operations.append({"op": "add", "path": pointer(*path, key), "value": value})
    elif isinstance(before, list) and isinstance(after, list):
        _compare_lists(before, after, path, operations)
    else:
        operations.append({"op": "replace", "path": pointer(*path), "value": after})


def _compare_lists(
    before: list[Any], after: list[Any], path: tuple[str | int, ...], operations: list[Operation]
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
        operations.append({"op": "remove", "path": pointer(*path, start + index)})
    for index in range(both, len(new)):
        operations.append({"op": "add", "path": pointer(*path, start + index), "value": new[index]})


def _shared(one: list[Any], other: list[Any]) -> int:
    """How many entries two lists have in common at their front."""
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:  # a log that grew, or was cut
        return shorter
    return next(index for index in range(shorter) if one[index] != other[index])


def _unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def _changed(document: Any, path: list[str], operation: Operation) -> Any:
    if not path:
        return operation["value"]
    key, rest = path[0], path[1:]
    if isinstance(document, list):
        copied = list(document)
        index = int(key)
        if rest:
            copied[index] = _changed(copied[index], rest, operation)
        elif operation["op"] == "add":
            copied.insert(index, operation["value"])
        elif operation["op"] == "remove":
            del copied[index]
        else:
            copied[index] = operation["value"]
        return copied
    changed = dict(document)
    if rest:
        changed[key] = _changed(changed[key], rest, operation)
    elif operation["op"] == "remove":
        del changed[key]
    else:
        changed[key] = operation["value"]
    return changed
