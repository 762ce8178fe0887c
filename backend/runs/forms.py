"""The forms of a run: one function for each kind of file, by the ending of its name. The service's
responses, the files of an export, `highwater render` and notebooks are made by these.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from backend.drawing.figures import Compute, Figures
from backend.drawing.raster import Raster
from backend.html.frontend_build import FrontendBuild
from backend.html.link_card import CARD_WIDTH
from backend.runs.animation import Moment, animated, gif, loop, moments
from backend.runs.pictures import picture_of
from backend.runs.player import offline_page
from backend.runs.run import Shown
from backend.runs.text_files import TEXTS, TextAsked, itf
from sim_engine.documents.runs import StoredFrame

GIF_WIDTH = 800
_THEME = "light"


class Computing(Protocol):
    """Computes outside the event loop."""

    @property
    def compute(self) -> Compute:
        """For what takes a moment."""

    @property
    def compute_long(self) -> Compute:
        """For what may take seconds."""


class HasAddress(Protocol):
    """Settings with the site's address."""

    @property
    def base_url(self) -> str:
        """The base of all links."""


class Makers(Protocol):
    """The parts that make the forms of a run."""

    @property
    def settings(self) -> HasAddress:
        """With the site's address."""

    @property
    def frontend(self) -> FrontendBuild:
        """With the player's script, for pages that play offline."""

    @property
    def figures(self) -> Figures:
        """Draws frames as SVG."""

    @property
    def raster(self) -> Raster:
        """Draws SVG as PNG and GIF."""

    @property
    def lanes(self) -> Computing:
        """Computes outside the event loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a file shows."""

    shown: Shown
    """What a picture shows, where a page opens, and what a transcript marks."""
    lang: str
    theme: str | None = None
    """Light or dark. Without it, pictures are light, and a page follows its reader's setting."""
    frames: Sequence[StoredFrame] | None = None
    """With them, an animation plays only these, and a diagram has only these."""
    is_loop: bool = False
    """Whether an SVG document plays what leads to the moment. A GIF always does."""
    width: int | None = None
    """Of pixels. Without it, a PNG is a link card."""
    card_width: int = CARD_WIDTH

    @property
    def drawn_theme(self) -> str:
        """The theme of a picture."""
        return self.theme or _THEME


def drawn(shown: Shown, numbers: str | None, *, is_loop: bool, theme: str, lang: str) -> Asked:
    """One step as SVG; with the numbers of a range of frames, an animation of them, which begins
    where the run opens; with `is_loop`, one of what leads to the step.
    """
    run = shown.run
    return Asked(
        shown=shown if numbers is None else run.shown_exactly(),
        theme=theme,
        lang=lang,
        frames=run.frames_between(numbers),
        is_loop=is_loop,
    )


Make = Callable[[Makers, Asked], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of file."""

    media_type: str
    make: Make
    """Raises UnavailableError if something needed is missing, and LimitError for more than a file
    may have."""
    is_partial: bool = False
    """Whether it can show some of the frames."""


async def _svg(makers: Makers, asked: Asked) -> bytes:
    if asked.frames is None and not asked.is_loop:
        drawn = picture_of(makers.figures, asked.shown, asked.drawn_theme, asked.lang)
        return (await drawn).encode()
    played = await _moments(makers, asked)
    return (await animated(makers.figures, played, asked.drawn_theme, asked.lang)).encode()


async def _gif(makers: Makers, asked: Asked) -> bytes:
    played = await _moments(makers, asked)
    width = GIF_WIDTH if asked.width is None else asked.width
    return await gif(makers.figures, makers.raster, played, asked.drawn_theme, asked.lang, width)


async def _moments(makers: Makers, asked: Asked) -> list[Moment]:
    if asked.frames is None:
        return await makers.lanes.compute(loop, asked.shown)
    return await makers.lanes.compute(moments, asked.shown.run, asked.frames)


async def _png(makers: Makers, asked: Asked) -> bytes:
    is_card = asked.width is None
    picture = await picture_of(
        makers.figures, asked.shown, asked.drawn_theme, asked.lang, is_card=is_card
    )
    return await makers.raster.png(picture, asked.width or asked.card_width)


async def _html(makers: Makers, asked: Asked) -> bytes:
    picture = await picture_of(makers.figures, asked.shown, "page", asked.lang)
    page = await makers.lanes.compute(
        offline_page,
        makers.frontend,
        asked.shown,
        picture,
        asked.lang,
        makers.settings.base_url,
        theme=asked.theme,
    )
    return page.encode()


async def _trace(makers: Makers, asked: Asked) -> bytes:
    return await makers.lanes.compute_long(itf, asked.shown.run, asked.lang)


async def _text(extension: str, makers: Makers, asked: Asked) -> bytes:
    run = asked.shown.run
    frames = run.entries if asked.frames is None else asked.frames
    wanted = TextAsked(asked.shown, frames, lang=asked.lang, base_url=makers.settings.base_url)
    written = await makers.lanes.compute_long(TEXTS[extension].write, wanted)
    return written.encode()


FORMS: Mapping[str, Form] = {
    "svg": Form("image/svg+xml", _svg, is_partial=True),
    "png": Form("image/png", _png),
    "gif": Form("image/gif", _gif, is_partial=True),
    "html": Form("text/html", _html),
    **{
        extension: Form(text.media_type, partial(_text, extension), is_partial=extension == "mmd")
        for extension, text in TEXTS.items()
    },
    "itf.json": Form("application/json", _trace),
}
"""By the ending of the file's name."""
