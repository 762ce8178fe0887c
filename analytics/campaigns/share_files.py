"""The files of a cell whose search is split over shares.

    _shares/cell-N/level-K/handed-FROM-TO    the states that one share hands to another
    _shares/cell-N/level-K/taken-SHARE       the states that a share took
    _shares/cell-N/level-K/level-SHARE.json  the counts of a share's level

A share's counts are written last, so a share with counts is complete, and a search that was killed
goes on with the shares that have none. The folder is removed when the cell's row is written.
"""

import pickle
import shutil
from pathlib import Path
from typing import cast

import msgspec

from analytics.campaigns.grid_folder import replacing
from sim_engine.exploration import shares
from sim_engine.exploration.shares import Level, LevelOfShare, Parcel, Taken


class ShareFiles:
    """The files of one split cell. `count` is the number of shares."""

    def __init__(self, folder: Path, cell: int, count: int) -> None:
        self._path = folder / "_shares" / f"cell-{cell}"
        self._count = count

    def missing(self, depth: int) -> list[int]:
        """The shares whose level has not been searched."""
        return [share for share in range(self._count) if not self._counts(depth, share).exists()]

    def levels(self) -> list[list[Level]]:
        """The counts of every complete level, of each share."""
        levels: list[list[Level]] = []
        while not self.missing(len(levels)):
            files = [self._counts(len(levels), share) for share in range(self._count)]
            levels.append([msgspec.json.decode(file.read_bytes(), type=Level) for file in files])
        return levels

    def write_first(self, owner: int, parcel: Parcel) -> None:
        """Hand the start of the search to its owner."""
        self._level(0).mkdir(parents=True, exist_ok=True)
        self._write(self._handed(0, owner, owner), parcel)

    def arrivals(self, depth: int, share: int) -> list[tuple[int, Parcel]]:
        """What was handed to a share for a level, with the senders."""
        files = ((sender, self._handed(depth, sender, share)) for sender in range(self._count))
        return [(sender, cast("Parcel", _read(file))) for sender, file in files if file.exists()]

    def seen(self, depth: int, share: int) -> dict[bytes, tuple[shares.Left, ...]]:
        """The states that a share took before a level."""
        seen: dict[bytes, tuple[shares.Left, ...]] = {}
        for before in range(depth):
            for one in self._taken(before, share):
                seen[one.key] = (*seen.get(one.key, ()), one.left)
        return seen

    def write(self, depth: int, share: int, done: LevelOfShare) -> None:
        """Write what a share did in a level."""
        self._level(depth + 1).mkdir(parents=True, exist_ok=True)
        for owner, parcel in done.parcels.items():
            self._write(self._handed(depth + 1, share, owner), parcel)
        self._write(self._level(depth) / f"taken-{share}", (done.taken, done.path))
        with replacing(self._counts(depth, share)) as unfinished:
            unfinished.write_bytes(msgspec.json.encode(done.level))

    def steps_to_violation(self) -> shares.Path:
        """The steps from the start to the violation found in the last level, by the first share
        that found one; none if none did.
        """
        levels = self.levels()
        depth = len(levels) - 1
        for share, level in enumerate(levels[-1]):
            if level.found is not None:
                return self._steps_to(depth, share, level.found, self._path_of(depth, share))
        return ()

    def _steps_to(self, depth: int, share: int, row: int, path: shares.Path) -> shares.Path:
        moves = [path]
        for before in range(depth, -1, -1):
            one = self._taken(before, share)[row]
            moves.append(one.steps)
            share, row = one.sender, one.before
        return tuple(step for steps in reversed(moves) for step in steps)

    def remove(self) -> None:
        """Remove the files."""
        shutil.rmtree(self._path, ignore_errors=True)

    def _taken(self, depth: int, share: int) -> list[Taken]:
        return self._taken_file(depth, share)[0]

    def _path_of(self, depth: int, share: int) -> shares.Path:
        return self._taken_file(depth, share)[1]

    def _taken_file(self, depth: int, share: int) -> tuple[list[Taken], shares.Path]:
        file = self._level(depth) / f"taken-{share}"
        return cast("tuple[list[Taken], shares.Path]", _read(file))

    def _level(self, depth: int) -> Path:
        return self._path / f"level-{depth}"

    def _handed(self, depth: int, sender: int, owner: int) -> Path:
        return self._level(depth) / f"handed-{sender}-{owner}"

    def _counts(self, depth: int, share: int) -> Path:
        return self._level(depth) / f"level-{share}.json"

    @staticmethod
    def _write(target: Path, content: object) -> None:
        with replacing(target) as unfinished:
            unfinished.write_bytes(pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL))


def _read(file: Path) -> object:
    # Written by this job, in a folder of the user.
    return pickle.loads(file.read_bytes())  # noqa: S301
