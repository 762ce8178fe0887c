"""The followers of one presentation in this process, and the events that they receive.

Only the newest event of each kind is kept. A slow follower therefore receives the current state,
and unread events use no memory.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator


def event(name: str, version: int | None, data: bytes) -> bytes:
    """A server-sent event, with the version as its id."""
    number = b"" if version is None else b"id: " + str(version).encode() + b"\n"
    return number + b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


class Hub:
    """The followers of one presentation in this process."""

    def __init__(self) -> None:
        self.followers = 0
        self.version = 0
        self.is_over = False
        self.watching = 0
        """The number of followers, and of the presenter's pages."""
        self._scene = b""
        self._audience = b""
        self._turn = 0
        self._changed = asyncio.Condition()
        self._look = asyncio.Event()
        self._telling: set[asyncio.Task[None]] = set()

    @property
    def is_empty(self) -> bool:
        """Whether this process has no followers and no presenter."""
        return self.watching == 0

    def enter(self, *, counted: bool) -> None:
        """Add a follower. Counted followers form the audience."""
        self.watching += 1
        self.followers += counted

    def leave(self, *, counted: bool) -> None:
        """Remove a follower."""
        self.watching -= 1
        self.followers -= counted
        if self.is_empty:
            self._look.set()

    def wake(self) -> None:
        """Trigger a poll immediately."""
        self._look.set()

    async def wait(self, seconds: float) -> None:
        """Wait until the next poll is due, for at most `seconds`."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._look.wait(), seconds)
        self._look.clear()

    def show(self, version: int, scene: bytes) -> None:
        """Send a new scene to all followers."""
        self.version = version
        self._scene = scene
        self._tell()

    def count(self, audience: bytes) -> None:
        """Send the audience event to all followers, if it has changed."""
        if audience != self._audience:
            self._audience = audience
            self._tell()

    def end(self) -> None:
        """End all streams after their latest events."""
        self.is_over = True
        self._tell()

    async def events(self, sign_of_life_s: float) -> AsyncGenerator[bytes]:
        """The events for one follower: the current state, then every change, until the presentation
        ends.
        """
        scene = audience = b""
        turn = -1
        while True:
            news = b""
            if self._scene != scene:
                scene = self._scene
                news += scene
            if self._audience != audience:
                audience = self._audience
                news += audience
            turn, is_over = self._turn, self.is_over
            if news:
                yield news
            if is_over:
                return
            try:
                await asyncio.wait_for(self._news_since(turn), sign_of_life_s)
            except TimeoutError:
                # Without it, a disconnected follower would not be detected.
                yield b": here\n\n"

    async def _news_since(self, turn: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._turn != turn)

    def _tell(self) -> None:
        self._turn += 1
        telling = asyncio.create_task(self._notify())
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()
