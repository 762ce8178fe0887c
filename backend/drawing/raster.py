"""Pictures as PNG and GIF, for places that do not show SVG: chats, mail clients, link cards.

A separate process draws the pixels, one picture after another. It is killed if it takes too long or
if no request waits for it any more, and starts again with the next picture. The latest pictures are
cached, because a link that was just sent is fetched by every client that sees it.
"""

import asyncio
import contextlib
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from backend.drawing.drawing_queue import DrawingQueue
from backend.http.errors import (
    UNTIL_MENDED_S,
    InvalidInputError,
    Place,
    UnavailableError,
    unavailable_past,
)
from backend.limit_table import PICTURE_PIXELS, PICTURES_WAITING, PNG_SECONDS
from backend.processes.background import in_background
from backend.processes.framing import framed, read_framed
from backend.recent import Recent

# Not the lowest priority, because a reader waits for the picture; but below that of runs, because
# link previews, which are most of its readers, can wait longer than people who act.
_NICENESS = 15
_MOST_AT_ONCE = 1
_RECENT_BYTES = 16 * 1024 * 1024
_LARGEST_RECENT_BYTES = 256 * 1024
_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')


class Raster:
    """Draws SVG documents as PNG and GIF."""

    def __init__(self, fonts: Path, *, seconds: float | None = None) -> None:
        """A picture may take `seconds`, by default as long as the limit says."""
        self._fonts = fonts
        self._seconds = seconds
        self._turns = asyncio.Semaphore(_MOST_AT_ONCE)
        self._waiting = DrawingQueue()
        self._process: asyncio.subprocess.Process | None = None
        self._recent: Recent[str, bytes] = Recent(
            total=_RECENT_BYTES, longest=_LARGEST_RECENT_BYTES
        )

    @property
    def waiting(self) -> int:
        """The number of pictures that wait or are being drawn."""
        return len(self._waiting)

    async def close(self) -> None:
        """End the process."""
        await self._end()

    async def png(self, picture: str, width: int) -> bytes:
        """Draw one of our pictures as PNG, `width` pixels wide.

        Raises InvalidInputError if the picture would have too many pixels, and UnavailableError if
        it cannot be drawn; the latter is retryable if waiting helps.
        """
        return await self._remembered(width, (picture,), pixels=PICTURE_PIXELS.number)

    async def gif(self, pictures: Sequence[str], seconds: Sequence[float], width: int) -> bytes:
        """Draw pictures of one size as a GIF that plays for ever, each shown for its time. Raises
        like `png`; all of its images together have at most the pixels of one PNG.
        """
        most = PICTURE_PIXELS.number // len(pictures)
        return await self._remembered(width, pictures, seconds, pixels=most)

    async def _remembered(
        self, width: int, pictures: Sequence[str], seconds: Sequence[float] = (), *, pixels: int
    ) -> bytes:
        picture = pictures[0]
        own_width, own_height = _size_of(picture)
        widest = int((pixels * own_width / own_height) ** 0.5)
        if width > widest:
            raise InvalidInputError(
                "The picture has too many pixels.",
                code="too_wide",
                places=[Place("/w", f"must be at most {widest} for this picture")],
                members=PICTURE_PIXELS.members(),
            )
        encoded = msgspec.json.encode((width, pictures, seconds))
        key = hashlib.sha256(encoded).hexdigest()
        drawn = self._recent.get(key)
        if drawn is None:
            drawn = await self._in_turn(encoded, len(pictures))
            self._recent.keep(key, drawn)
        return drawn

    async def _in_turn(self, request: bytes, pictures: int) -> bytes:
        with self._waiting.one_more(PICTURES_WAITING):
            async with self._turns:
                return await self._drawn(request, pictures)

    async def _drawn(self, request: bytes, pictures: int) -> bytes:
        drawn = None
        try:
            async with asyncio.timeout((self._seconds or PNG_SECONDS.number) * pictures):
                drawn = await self._ask(framed(request))
        except TimeoutError:
            # Our pictures take a tenth of a second, so the machine is busy.
            raise unavailable_past(PNG_SECONDS, retry_after_s=5) from None
        finally:
            if drawn is None:  # it has ended, hangs, or draws what nobody waits for any more
                await self._end()
        if drawn is None:
            raise UnavailableError(
                "This picture could not be drawn.", code="figure_failed", retry_after_s=1
            )
        if not drawn:
            raise UnavailableError(
                "This picture cannot be drawn.", code="figure_failed", retry_after_s=UNTIL_MENDED_S
            )
        return drawn

    async def _ask(self, request: bytes) -> bytes | None:
        """The drawing; empty if the library rejects the picture, and None if the process ended."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *in_background(_NICENESS, "backend.drawing.raster_worker", str(self._fonts)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(ConnectionError):  # reading says that it has ended
            self._process.stdin.write(request)
            await self._process.stdin.drain()
        return await read_framed(self._process.stdout)

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _size_of(picture: str) -> tuple[float, float]:
    """The width and height that one of our SVG documents declares."""
    size = _SIZE.match(picture)
    assert size is not None, "the drawing code gives each picture its size"
    return float(size[1]), float(size[2])
