"""The folder of a grid: a file with the grid and what was done with it, and the rows of its cells.

Readers of Parquet skip files whose names begin with an underscore or a dot, so
`pandas.read_parquet(FOLDER)` and `spark.read.parquet(FOLDER)` read the rows. Spark writes them,
wave by wave. The driver writes the documents beside them.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from typing import ClassVar, Generic, Self, TypeVar

import msgspec
from msgspec import Struct
from pyspark.sql import DataFrame
from pyspark.sql import types as t

from analytics.campaigns.row_schema import PARTITIONED_BY
from analytics.errors import CampaignFolderError
from analytics.file_systems import Files
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.identifiers import ENGINE_VERSION


class Manifest(Struct, frozen=True, kw_only=True):
    """What a folder contains: the rows of a grid, as this engine computes them."""

    KIND: ClassVar[str]
    """What the name of the folder of the rows begins with."""

    engine: str
    grid: dict[str, object]

    @property
    def id(self) -> str:
        """A short id: equal contents have equal ids, whatever the engine."""
        return short_id(self.grid)

    @property
    def rows_name(self) -> str:
        """The name of the folder of the rows, which has one folder for each cell."""
        return f"{self.KIND}={self.id}"


Written = TypeVar("Written", bound=Manifest)


class GridFolder(ABC, Generic[Written]):
    """A grid in a file system."""

    FILE: ClassVar[str]
    """The name of the file with the manifest."""
    CONTENT: ClassVar[str]
    OTHER_CONTENT: ClassVar[str]
    """What a folder has that belongs to a different manifest."""
    DONE: ClassVar[str]

    def __init__(self, files: Files, written: Written) -> None:
        self.files = files
        self.written = written
        self.grid: Grid = read_grid_document(written.grid)
        self.schema: t.StructType = self._schema_of(self.grid)

    @staticmethod
    @abstractmethod
    def _decoded(text: bytes) -> Written:
        """The manifest in a file. Raises `msgspec.DecodeError`."""

    @staticmethod
    @abstractmethod
    def _schema_of(grid: Grid) -> t.StructType:
        """The columns of the rows."""

    # --- the manifest --------------------------------------------------------------------------

    @classmethod
    def require_none(cls, files: Files) -> None:
        """Raise `CampaignFolderError` if a folder already has such a content."""
        if files.exists(cls.FILE):
            raise CampaignFolderError(
                f"{files.address} already has a {cls.CONTENT}: add --resume, or choose another"
                " folder"
            )

    @classmethod
    def create(cls, files: Files, written: Written) -> Self:
        """Create a new folder. Raises `CampaignFolderError` like `require_none`."""
        cls.require_none(files)
        folder = cls(files, written)
        folder.save()
        return folder

    @classmethod
    def manifest(cls, text: bytes | None, address: str) -> Written:
        """The manifest in the file of a folder. Raises `CampaignFolderError` if there is none."""
        if text is None:
            raise CampaignFolderError(f"{address} has no {cls.CONTENT}")
        try:
            return cls._decoded(text)
        except msgspec.DecodeError as error:
            raise CampaignFolderError(f"{address}/{cls.FILE} is damaged: {error}") from None

    @classmethod
    def open(cls, files: Files) -> Self:
        """The content of a folder. Raises `CampaignFolderError` if there is none."""
        return cls(files, cls.manifest(files.read(cls.FILE), files.address))

    @classmethod
    def resumed(cls, files: Files, manifest_id: str) -> Self | None:
        """The content of a folder, to be continued; None if there is none.

        Raises `CampaignFolderError` if it is a different one, or of a different engine.
        """
        text = files.read(cls.FILE)
        if text is None:
            return None
        written = cls.manifest(text, files.address)
        if written.id != manifest_id:
            raise CampaignFolderError(f"{files.address} has {cls.OTHER_CONTENT}")
        if written.engine != ENGINE_VERSION:
            raise CampaignFolderError(
                f"{files.address} was {cls.DONE} by engine {written.engine}, whose results differ"
                f" from those of this engine, {ENGINE_VERSION}"
            )
        return cls(files, written)

    def save(self) -> None:
        """Write the manifest."""
        self.files.write(self.FILE, msgspec.json.format(msgspec.json.encode(self.written)))

    # --- the rows ------------------------------------------------------------------------------

    def rows(self) -> DataFrame:
        """All rows: the columns of the schema."""
        spark = self.files.spark
        if not self.files.exists(self.written.rows_name):
            return spark.createDataFrame([], self.schema)
        return spark.read.schema(self.schema).parquet(self.files.at(self.written.rows_name))

    def add(self, rows: DataFrame) -> None:
        """Write some rows. A task writes one file for each cell that it has rows of."""
        self.files.append(rows, self.written.rows_name, PARTITIONED_BY)

    def name_of(self, cell: int) -> str:
        """The name of the folder of a cell's rows."""
        return f"{self.written.rows_name}/{PARTITIONED_BY}={cell}"

    def require_rows(self, cell: int) -> None:
        """Raise `CampaignFolderError` if a cell has no rows, although Spark has written some."""
        if not self.files.exists(self.name_of(cell)):
            raise CampaignFolderError(
                f"rows are missing in {self.files.address}: on a cluster it must be in a file"
                " system that every worker reaches"
            )


def short_id(document: object) -> str:
    """Return a short id derived from a JSON document: equal documents have equal ids."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]
