"""Derives facts from the path of a file: the broker, the partition, and the kind of file."""

import re
from typing import Literal

from msgspec import Struct

from sim_engine.cluster_import.parsed_state import Partition
from sim_engine.identifiers import BrokerId

FileKind = Literal[
    "segment",
    "leader-epoch-checkpoint",
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "cleaner-offset-checkpoint",
    "meta.properties",
]
_NAMED: frozenset[str] = frozenset(
    {
        "leader-epoch-checkpoint",
        "replication-offset-checkpoint",
        "recovery-point-offset-checkpoint",
        "log-start-offset-checkpoint",
        "cleaner-offset-checkpoint",
        "meta.properties",
    }
)
_IN_PARTITION = frozenset({"segment", "leader-epoch-checkpoint"})
_SEGMENT = re.compile(r"[0-9]{1,20}\.log")
_FOLDER = re.compile(r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<number>[0-9]{1,6})")
_NUMBER_AT_END = re.compile(r"(?:^|[^0-9.])(?P<number>[0-9]{1,9})$")
_NUMBER_IN_NAME = re.compile(
    r"(?:^|[^a-z])(?:broker|kafka|node|server|b)[-_.]?(?P<number>[0-9]{1,9})(?![0-9]|\.[0-9])",
    re.IGNORECASE,
)


class PathFacts(Struct, frozen=True):
    """The facts in a path. `guesses` are the numbers in it that may be a broker id."""

    folder: str
    """The folder that the broker writes to: `log.dirs`."""
    kind: FileKind | None = None
    partition: Partition | None = None
    guesses: tuple[BrokerId, ...] = ()


def read_path(path: str) -> PathFacts:
    """Parse the path of a file."""
    parts = [part for part in re.split(r"[/\\]", path) if part not in ("", ".")]
    name = parts[-1] if parts else ""
    kind = _kind_of(name)
    folders = parts[:-1]
    partition = None
    if kind in _IN_PARTITION and folders:
        partition = partition_of_folder(folders[-1])
        folders = folders[:-1]
    guesses = [BrokerId(int(found["number"])) for found in _numbers(folders)]
    if kind is None:
        guesses = [
            BrokerId(int(found["number"])) for found in _NUMBER_IN_NAME.finditer(name)
        ] + guesses
    return PathFacts("/".join(folders), kind, partition, tuple(dict.fromkeys(guesses)))


def partition_of_folder(name: str) -> Partition | None:
    """The partition of a folder such as `orders-0`."""
    found = _FOLDER.fullmatch(name)
    return None if found is None else (found["topic"], int(found["number"]))


def _kind_of(name: str) -> FileKind | None:
    if _SEGMENT.fullmatch(name):
        return "segment"
    for kind in _NAMED:
        if name == kind:
            return kind  # type: ignore[return-value]
    return None


def _numbers(folders: list[str]) -> list[re.Match[str]]:
    """The numbers at the end of folders' names, the nearest folder first."""
    found = (_NUMBER_AT_END.search(folder) for folder in reversed(folders))
    return [match for match in found if match is not None]
