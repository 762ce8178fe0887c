"""The files of lessons in memory: each is made when it is first asked for, and kept compressed.

A file never changes while the process runs. If one was dropped because others needed the room, it
is made again, with the same bytes.
"""

import gzip
import hashlib
from functools import partial

from msgspec import Struct

from backend.answers.replay import engine_errors
from backend.lessons.files import (
    LessonFileKey,
    LessonPart,
    LessonRun,
    lesson_file,
    lesson_file_key,
    read_run,
)
from backend.limits.lanes import Lanes
from backend.recent import Recent

# All lessons under all releases on the menu are about half of it.
_MOST_KEPT_BYTES = 64 * 1024 * 1024


class LessonFile(Struct, frozen=True):
    """A file of a lesson, and its entity tag."""

    zipped: bytes
    tag: str

    def __len__(self) -> int:
        return len(self.zipped)

    def plain(self) -> bytes:
        """The file, not compressed."""
        return gzip.decompress(self.zipped)


class LessonRuns:
    """The files of this process."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._kept: Recent[LessonFileKey, LessonFile] = Recent(
            total=_MOST_KEPT_BYTES, longest=_MOST_KEPT_BYTES
        )

    async def file(
        self, part: LessonPart, lesson: str, kafka: str | None = None, other: str | None = None
    ) -> LessonFile:
        """A file of a lesson by its id or alias, under a release, by default under its own. Of a
        comparison, `other` is another release or another lesson.

        Raises NotFoundError if there is no such lesson, and InvalidInputError if there is no such
        release or if the lesson's initial state is impossible in it.
        """
        key = lesson_file_key(part, lesson, kafka, other)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        # Whoever asks for the same meanwhile waits for it.
        async with self._lanes.alone(f"lesson {key}"):
            kept = self._kept.get(key)
            if kept is None:
                kept = await self._lanes.prepare(partial(self._make, key))
        return kept

    async def run(self, lesson: str, kafka: str | None = None) -> LessonRun:
        """A lesson's run. Raises the errors of `file`."""
        file = await self.file("run", lesson, kafka)
        return await self._lanes.compute(lambda: read_run(file.plain()))

    def prepare(self, lesson: str) -> None:
        """Make the run of a lesson in advance. Thread-safe."""
        self._make(lesson_file_key("run", lesson, None, None))

    def _make(self, key: LessonFileKey) -> LessonFile:
        with engine_errors():
            plain = lesson_file(key)
        tag = f'"{hashlib.sha256(plain).hexdigest()[:32]}"'
        made = LessonFile(gzip.compress(plain, 6, mtime=0), tag)
        self._kept.keep(key, made)
        return made
