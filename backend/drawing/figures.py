"""Draws a frame with the page's own layout and view, without a browser.

The frontend is compiled to one script that defines `renderFigure(frameJson, optionsJson)`. It runs
in an embedded JavaScript engine. A context may be used only by the thread that created it, so there
is one context for each thread of a small pool, with limits of time and memory. Visitors share the
pool fairly.
"""

import asyncio
import contextlib
import re
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

import msgspec

from backend.drawing.drawing_queue import DrawingQueue
from backend.http.errors import UNTIL_MENDED_S, UnavailableError, unavailable_past
from backend.limit_table import FIGURE_SECONDS, PICTURES_WAITING
from backend.limits.lanes import Lane, without_end
from backend.recent import Recent

try:
    import quickjs
except ImportError:  # it has no wheel for Macs with Intel processors
    quickjs = None

_P = ParamSpec("_P")
_T = TypeVar("_T")
_MEMORY_LIMIT_BYTES = 128 * 1024 * 1024
_STACK_BYTES = 1024 * 1024
_RECENT_CHARACTERS = 16 * 1024 * 1024
_LONGEST_RECENT_CHARACTERS = 512 * 1024
# Globals that a script compiled for a worker may use and that this engine lacks.
_SHIMS = """
var self = globalThis, window = undefined;
var setTimeout = function () { return 0; }, clearTimeout = function () {};
var setInterval = setTimeout, clearInterval = clearTimeout;
var queueMicrotask = function () {};
var console = { log() {}, warn() {}, error() {}, info() {}, debug() {} };
"""
# How QuickJS names the end of its time limit.
_INTERRUPTED = "InternalError: interrupted"
# Pictures do not need the framework's hydration comments.
_COMMENTS = re.compile(r"<!--.*?-->", re.DOTALL)
# Characters that XML does not allow must not reach a picture, whatever a share contains.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Compute(Protocol):
    """Calls a function outside the event loop."""

    def __call__(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> Awaitable[_T]:
        """The function's result."""


class FigureError(Exception):
    """The drawing script failed on this frame."""


class FigureTooSlowError(FigureError):
    """Drawing this frame took longer than it may."""


class _OfThread(threading.local):
    """One thread's JavaScript context and drawing function; None before its first picture."""

    context: object = None
    render: Callable[[str, str], object] | None = None


class Figures:
    """Draws frames as SVG."""

    def __init__(
        self,
        script: Path,
        *,
        compute: Compute = asyncio.to_thread,
        seconds: float = FIGURE_SECONDS.number,
    ) -> None:
        """`compute` runs what is computed for a drawing outside the event loop. A picture may take
        `seconds`.
        """
        self.compute = compute
        self._seconds = seconds
        self._script = script
        self._local = _OfThread()
        # QuickJS does not keep Python's interpreter, so drawing needs no turn among computations.
        self._lane = Lane("figure", at_once=1, of_a_visitor=1)
        self._waiting = DrawingQueue()
        # For whoever knows that a drawing never changes, by a key of theirs.
        self.recent: Recent[tuple[object, ...], str] = Recent(
            total=_RECENT_CHARACTERS, longest=_LONGEST_RECENT_CHARACTERS
        )

    @property
    def can_draw(self) -> bool:
        """Whether the drawing script has been built and an engine to run it is installed."""
        return quickjs is not None and self._script.is_file()

    @property
    def waiting(self) -> int:
        """The number of pictures that wait or are being drawn."""
        return len(self._waiting)

    async def prepare(self) -> None:
        """Load the drawing script, so that the first picture does not wait for it. Does nothing if
        this service cannot draw; a faulty script is reported by the first picture.
        """
        if self.can_draw:
            with contextlib.suppress(quickjs.JSException):
                await self._lane.do(without_end, self._render_function)

    async def draw(self, frame: object, options: dict[str, object]) -> str:
        """Draw a frame's document as an SVG document; `options` are those of `figure.ts`.

        Raises UnavailableError if the picture cannot be drawn.
        """
        if quickjs is None:
            raise UnavailableError(
                "Pictures need QuickJS, which is not installed: pip install quickjs-ng",
                code="figure_failed",
                retry_after_s=UNTIL_MENDED_S,
            )
        if not self.can_draw:
            raise UnavailableError(
                "Pictures need the frontend, which is not built here.",
                code="frontend_not_built",
                retry_after_s=UNTIL_MENDED_S,
            )
        with self._waiting.one_more(PICTURES_WAITING):
            try:
                drawn = partial(
                    self._drawn,
                    msgspec.json.encode(frame).decode(),
                    msgspec.json.encode(options).decode(),
                )
                return await self._lane.do(without_end, drawn)
            except FigureTooSlowError:
                raise unavailable_past(FIGURE_SECONDS, retry_after_s=5) from None
            except FigureError:
                raise UnavailableError(
                    "This picture cannot be drawn.",
                    code="figure_failed",
                    retry_after_s=UNTIL_MENDED_S,
                ) from None

    def close(self) -> None:
        """Stop the threads and cancel waiting pictures."""
        self._lane.close()

    def _drawn(self, frame: str, options: str) -> str:
        try:
            picture = self._render_function()(frame, options)
        except quickjs.JSException as error:
            # An interrupted context may be in any state, so the next picture gets a new one.
            self._local.render = None
            failure = FigureTooSlowError if _INTERRUPTED in str(error) else FigureError
            raise failure(str(error)) from None
        if not isinstance(picture, str) or "<svg" not in picture:
            raise FigureError("the script drew nothing")
        return _standalone(without_forbidden(_COMMENTS.sub("", picture)))

    def _render_function(self) -> Callable[[str, str], object]:
        if self._local.render is None:
            context = quickjs.Context()
            context.set_memory_limit(_MEMORY_LIMIT_BYTES)
            context.set_max_stack_size(_STACK_BYTES)
            context.set_time_limit(self._seconds)
            context.eval(_SHIMS)
            context.eval(self._script.read_text(encoding="utf-8"))
            render: Callable[[str, str], object] = context.get("renderFigure")
            self._local.context = context
            self._local.render = render
        return self._local.render


def without_forbidden(words: str) -> str:
    """The text with every character that XML does not allow replaced."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", words)


def _standalone(picture: str) -> str:
    start = picture.index("<svg")
    svg = picture[start:].rstrip()
    if "xmlns=" not in svg[: svg.index(">")]:
        svg = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return svg
