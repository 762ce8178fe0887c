"""The folder of a grid: a file with the grid and what was done with it, and the rows of its cells.

Readers of Parquet skip files whose names begin with an underscore or a dot, so
`pandas.read_parquet(FOLDER)` and `spark.read.parquet(FOLDER)` read the rows. A file is complete or
absent.
"""

import hashlib
import json
import os
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Generic, Self, TypeVar

import msgspec
from msgspec import Struct

from analytics.errors import CampaignFolderError
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.identifiers import ENGINE_VERSION


class Manifest(Struct, frozen=True, kw_only=True):
    """What a folder contains: the rows of a grid, as this engine computes them."""

    engine: str
    grid: dict[str, object]

    @property
    def id(self) -> str:
        """A short id: equal contents have equal ids, whatever the engine."""
        return short_id(self.grid)


Written = TypeVar("Written", bound=Manifest)


class GridFolder(ABC, Generic[Written]):
    """A grid on disk."""

    FILE: ClassVar[str]
    """The name of the file with the manifest."""
    CONTENT: ClassVar[str]
    OTHER_CONTENT: ClassVar[str]
    """What a folder has that belongs to a different manifest."""
    DONE: ClassVar[str]

    def __init__(self, path: Path, written: Written) -> None:
        self.path = path
        self.written = written
        self.grid: Grid = read_grid_document(written.grid)

    @staticmethod
    @abstractmethod
    def _decoded(text: bytes) -> Written:
        """The manifest in a file. Raises `msgspec.DecodeError`."""

    @classmethod
    def require_none(cls, path: Path) -> None:
        """Raise `CampaignFolderError` if a folder already has such a content."""
        if (path / cls.FILE).exists():
            raise CampaignFolderError(
                f"{path} already has a {cls.CONTENT}: add --resume, or choose another folder"
            )

    @classmethod
    def create(cls, path: Path, written: Written) -> Self:
        """Create a new folder. Raises `CampaignFolderError` like `require_none`."""
        cls.require_none(path)
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, written)
        folder.save()
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """The content of a folder. Raises `CampaignFolderError` if there is none."""
        try:
            text = (path / cls.FILE).read_bytes()
        except OSError:
            raise CampaignFolderError(f"{path} has no {cls.CONTENT}") from None
        try:
            return cls(path, cls._decoded(text))
        except msgspec.DecodeError as error:
            raise CampaignFolderError(f"{path / cls.FILE} is damaged: {error}") from None

    @classmethod
    def resumed(cls, path: Path, manifest_id: str) -> Self | None:
        """The content of a folder, to be continued; None if there is none.

        Raises `CampaignFolderError` if it is a different one, or of a different engine.
        """
        if not (path / cls.FILE).exists():
            return None
        folder = cls.open(path)
        if folder.written.id != manifest_id:
            raise CampaignFolderError(f"{path} has {cls.OTHER_CONTENT}")
        if folder.written.engine != ENGINE_VERSION:
            raise CampaignFolderError(
                f"{path} was {cls.DONE} by engine {folder.written.engine}, whose results differ"
                f" from those of this engine, {ENGINE_VERSION}"
            )
        return folder

    def save(self) -> None:
        """Write the manifest."""
        document = msgspec.json.format(msgspec.json.encode(self.written), indent=1)
        with replacing(self.path / self.FILE) as unfinished:
            unfinished.write_bytes(document)


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary path to write to. It is renamed to `target` when the block ends, and removed
    if the block fails.
    """
    unfinished = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        yield unfinished
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def short_id(document: object) -> str:
    """Return a short id derived from a JSON document: equal documents have equal ids."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]
