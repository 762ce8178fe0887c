"""What the levels of a cell whose search is split over shares have left, by cell and level.

    _shares/cell=N/level=K/….parquet   what the shares took in a level, and what they handed on
    _shares/cell=N/_levels.json        the counts of every complete level, of each share

Spark writes the rows of a level. The driver adds its counts afterwards, so a level with counts is
complete, and a search that was killed goes on with the first one that has none. Both are removed
when the cell's row has been written.
"""

import pickle
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, cast

import msgspec
from pyspark import RDD
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql import types as t

from analytics.errors import CampaignFolderError
from analytics.file_systems import Files
from sim_engine.exploration import shares
from sim_engine.exploration.shares import Level, LevelOfShare, Parcel, Taken

_FOLDER = "_shares"
HANDED, TAKEN, COUNTS = "handed", "taken", "counts"

SCHEMA = t.StructType(
    [
        t.StructField("cell", t.LongType()),
        t.StructField("level", t.LongType()),
        t.StructField("share", t.LongType()),
        t.StructField("kind", t.StringType()),
        t.StructField("owner", t.LongType()),
        t.StructField("content", t.BinaryType()),
    ]
)


class ShareRow(NamedTuple):
    """A row of SCHEMA: what `share` did in a level.

    `handed`: the states that it hands on to `owner`, one parcel. `taken`: the states that it took.
    `counts`: a `Level` as JSON. The last two have the share as their owner.
    """

    cell: int
    level: int
    share: int
    kind: str
    owner: int
    content: bytes


def rows_of(cell: int, depth: int, share: int, done: LevelOfShare) -> Iterator[ShareRow]:
    """What a share did in a level, as rows."""
    for owner, parcel in done.parcels.items():
        yield ShareRow(cell, depth, share, HANDED, owner, _packed(parcel))
    yield ShareRow(cell, depth, share, TAKEN, share, _packed((done.taken, done.path)))
    yield ShareRow(cell, depth, share, COUNTS, share, msgspec.json.encode(done.level))


def arrivals(rows: Iterable[ShareRow], depth: int) -> list[tuple[int, Parcel]]:
    """What was handed to a share for a level, with the senders. `rows` are those that it owns."""
    return [
        (row.share, cast("Parcel", _unpacked(row.content)))
        for row in rows
        if row.kind == HANDED and row.level == depth - 1
    ]


def seen(rows: Iterable[ShareRow]) -> Mapping[bytes, tuple[shares.Left, ...]]:
    """The states that a share took in earlier levels. `rows` are those that it owns."""
    states: dict[bytes, tuple[shares.Left, ...]] = {}
    for row in sorted(row for row in rows if row.kind == TAKEN):
        for one in taken_in(row.content)[0]:
            states[one.key] = (*states.get(one.key, ()), one.left)
    return states


def taken_in(content: bytes) -> tuple[list[Taken], shares.Path]:
    """The states that a share took in a level, and the steps to the violation that it found."""
    return cast("tuple[list[Taken], shares.Path]", _unpacked(content))


def levels_in(rows: Iterable[ShareRow]) -> list[list[Level]]:
    """The counts of successive levels, of each share."""
    levels: dict[int, list[Level]] = {}
    for row in sorted(row for row in rows if row.kind == COUNTS):
        levels.setdefault(row.level, []).append(msgspec.json.decode(row.content, type=Level))
    return list(levels.values())


class SplitCell:
    """A hard cell: its complete levels, in the folder of its search."""

    def __init__(self, files: Files, cell: int) -> None:
        self.cell = cell
        self._files = files
        self._counts = f"{_folder_of(cell)}/_levels.json"
        text = files.read(self._counts)
        self.levels: list[list[Level]] = (
            [] if text is None else msgspec.json.decode(text, type=list[list[Level]])
        )

    def rows(self) -> DataFrame:
        """What the shares did in the complete levels."""
        folders = [f"{_folder_of(self.cell)}/level={level}" for level in range(len(self.levels))]
        return self._read(folders)

    def _read(self, folders: Iterable[str]) -> DataFrame:
        reader = self._files.spark.read.schema(SCHEMA).option("basePath", self._files.at(_FOLDER))
        # The order of a ShareRow: Spark puts what is in the path last.
        return reader.parquet(*map(self._files.at, folders)).select(*SCHEMA.names)

    def forget_incomplete(self) -> None:
        """Delete what a killed job left of the levels that are not complete."""
        of_next = f"/level={len(self.levels)}" if self.levels else ""
        self._files.delete(_folder_of(self.cell) + of_next)

    def complete(self) -> None:
        """Read the counts of the levels that have just been written, which are complete now.

        Raises `CampaignFolderError` if there are none.
        """
        new = self._read([_folder_of(self.cell)]).where(F.col("level") >= len(self.levels))
        counts = new.where(F.col("kind") == COUNTS).collect()
        if not counts:
            raise CampaignFolderError(
                f"levels are missing in {self._files.at(_FOLDER)}: on a cluster it must be in a"
                " file system that every worker reaches"
            )
        self.levels += levels_in(ShareRow(*row) for row in counts)
        self._files.write(self._counts, msgspec.json.encode(self.levels))

    def steps_to_violation(self) -> shares.Path:
        """The steps from the start to the violation found in the last level, by the first share
        that found one; none if none did.
        """
        for share, level in enumerate(self.levels[-1]):
            if level.found is not None:
                return self._steps_to(share, level.found)
        return ()

    def _steps_to(self, share: int, row: int) -> shares.Path:
        moves: list[shares.Path] = []
        for depth in reversed(range(len(self.levels))):
            one, path = self._taken(depth, share, row)
            if not moves:
                moves.append(path)
            moves.append(one.steps)
            share, row = one.sender, one.before
        return tuple(step for steps in reversed(moves) for step in steps)

    def _taken(self, depth: int, share: int, row: int) -> tuple[Taken, shares.Path]:
        """One state that a share took. An executor picks it from all that the share took."""
        of_share = self.rows().where(
            (F.col("level") == depth) & (F.col("share") == share) & (F.col("kind") == TAKEN)
        )

        def pick(found: Row) -> tuple[Taken, shares.Path]:
            taken, path = taken_in(found["content"])
            return taken[row], path

        (picked,) = of_share.rdd.map(pick).collect()
        return picked

    def remove(self) -> None:
        """Remove everything."""
        self._files.delete(_folder_of(self.cell))


def write_levels(files: Files, rows: RDD[ShareRow]) -> None:
    """Write what shares did in levels."""
    written = files.spark.createDataFrame(rows, SCHEMA, verifySchema=False)
    files.append(written, _FOLDER, "cell", "level")


def _folder_of(cell: int) -> str:
    return f"{_FOLDER}/cell={cell}"


def _packed(content: object) -> bytes:
    return pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL)


def _unpacked(content: bytes) -> object:
    # Written by this job, in a folder of the user.
    return pickle.loads(content)  # noqa: S301
