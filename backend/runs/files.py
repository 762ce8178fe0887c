"""The files of a run that needs no service and no database: for `highwater render`, for notebooks,
and for an export.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import ParamSpec, TypeVar

import msgspec

from backend.drawing.figures import Figures
from backend.drawing.raster import Raster
from backend.html.frontend_build import FrontendBuild
from backend.http.errors import HighwaterError
from backend.lessons.files import run_of
from backend.limit_table import PICTURE_WIDTH
from backend.runs.forms import FORMS, Asked
from backend.runs.run import Shown
from backend.runs.shipped import PlayedRun, played_run, shipped_run
from backend.runs.transcript import in_language, told
from backend.settings import Settings, SettingsError, read_settings
from sim_engine.documents.runs import StoredFrame, run_document
from sim_engine.error_texts import WrongInputError
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.simulation.timeline import Timeline

_P = ParamSpec("_P")
_T = TypeVar("_T")
THEMES = ("light", "dark")
_DOCUMENT = "json"
ENDINGS = (*FORMS, _DOCUMENT)
"""How the names of files end. `json` is what `highwater run --json` prints."""
_SMALLEST_WIDTH = 100
_PNG_WIDTH = 800
# Nobody else waits for a picture here, and the machine of a build can be busy.
_PATIENCE_S = 120.0


class _Here:
    """Computes at once, because nobody else waits."""

    async def compute(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        return work(*arguments, **named)

    compute_long = compute


@dataclass(frozen=True, slots=True)
class _Address:
    base_url: str


@dataclass(frozen=True, slots=True)
class OwnMakers:
    """What makes the forms of runs in a program that serves nothing."""

    settings: _Address
    frontend: FrontendBuild
    figures: Figures
    raster: Raster
    lanes: _Here


@asynccontextmanager
async def own_makers(settings: Settings, base_url: str) -> AsyncIterator[OwnMakers]:
    """Makers whose processes and threads end with the block. `base_url` is the base of links."""
    here = _Here()
    figures = Figures(settings.figure_script, compute=here.compute, seconds=_PATIENCE_S)
    raster = Raster(settings.picture_fonts, seconds=_PATIENCE_S)
    frontend = FrontendBuild(settings.frontend_folder)
    try:
        yield OwnMakers(_Address(base_url), frontend, figures, raster, here)
    finally:
        figures.close()
        # Before the event loop ends: without it, the drawing process cannot be closed.
        await raster.close()


def ending_of(name: str) -> str:
    """The kind of file that a name asks for. Raises `WrongInputError` for any other."""
    parts = PurePath(name).name.lower().split(".")
    for ending in (".".join(parts[-2:]), parts[-1]):
        if len(parts) > 1 and ending in ENDINGS:
            return ending
    raise WrongInputError(f"{name}: the name must end in {', '.join(f'.{one}' for one in ENDINGS)}")


@dataclass(frozen=True)
class RunFiles:
    """The files of a played scenario."""

    timeline: Timeline

    @cached_property
    def _settings(self) -> Settings:
        try:
            return read_settings()
        except SettingsError as error:
            raise WrongInputError(str(error)) from None

    @cached_property
    def run(self) -> PlayedRun:
        """The run. It has a page only if it is a lesson and HIGHWATER_PUBLIC_URL names a site."""
        lesson = run_of(self.timeline)
        has_page = self._settings.public_url and self.timeline.scenario.chapter is not None
        return shipped_run(lesson) if has_page else played_run(lesson)

    def shown_at(self, step: int | None) -> Shown:
        """The end of a step of the story, or the most important moment. Raises
        `WrongInputError`."""
        try:
            return self.run.shown_at(step)
        except HighwaterError as error:
            raise WrongInputError(f"step {step}: {error.detail}") from None

    def title(self, lang: str) -> str:
        """The run's title."""
        return in_language(self.run.about.title, lang)

    def sentence(self, step: int | None, lang: str) -> str:
        """What happens in a step, or in the most important one. Raises `WrongInputError`."""
        return told(self.shown_at(step), lang)

    def file(
        self,
        ending: str,
        *,
        step: int | None = None,
        steps: tuple[int, int] | None = None,
        lang: str = DEFAULT_LANGUAGE,
        theme: str | None = None,
        width: int | None = None,
    ) -> bytes:
        """The content of a file of this kind. It shows the end of `step`, or plays the inclusive
        range `steps`. Raises `WrongInputError` for what cannot be shown, with what is allowed.
        """
        self._refuse(ending, step, steps, lang, theme, width)
        if ending == _DOCUMENT:
            return msgspec.json.format(msgspec.json.encode(run_document(self.timeline))) + b"\n"
        asked = Asked(
            shown=self.shown_at(step),
            lang=lang,
            theme=theme,
            frames=None if steps is None else self._between(*steps),
            width=_PNG_WIDTH if width is None and ending == "png" else width,
        )
        # In a thread of its own: a notebook's thread runs an event loop already.
        with ThreadPoolExecutor(1) as thread:
            try:
                return thread.submit(asyncio.run, self._made(ending, asked)).result()
            except HighwaterError as error:
                raise WrongInputError(_told(error)) from None

    async def _made(self, ending: str, asked: Asked) -> bytes:
        async with own_makers(self._settings, self._settings.public_url) as makers:
            return await FORMS[ending].make(makers, asked)

    def _between(self, first: int, last: int) -> Sequence[StoredFrame]:
        try:
            return self.run.steps_between(first, last)
        except HighwaterError as error:
            raise WrongInputError(f"steps {first} to {last}: {error.detail}") from None

    def _refuse(
        self,
        ending: str,
        step: int | None,
        steps: tuple[int, int] | None,
        lang: str,
        theme: str | None,
        width: int | None,
    ) -> None:
        if lang not in LANGUAGES:
            raise WrongInputError(f"the language must be {' or '.join(LANGUAGES)}")
        if theme not in (None, *THEMES):
            raise WrongInputError(f"the theme must be {' or '.join(THEMES)}")
        if width is not None and ending not in ("png", "gif"):
            raise WrongInputError(f"a .{ending} file has no width in pixels; .png and .gif have")
        if width is not None and not _SMALLEST_WIDTH <= width <= PICTURE_WIDTH.number:
            raise WrongInputError(
                f"the width must be from {_SMALLEST_WIDTH} to {PICTURE_WIDTH.number} pixels"
            )
        if steps is None:
            return
        if step is not None:
            raise WrongInputError("name a step or a range of steps, not both")
        partial = [one for one, form in FORMS.items() if form.is_partial]
        if ending not in partial:
            allowed = ", ".join(f".{one}" for one in partial)
            raise WrongInputError(f"a range of steps is for files that end in {allowed}")


def _told(error: HighwaterError) -> str:
    places = [f"{place.where}: {place.message}" for place in error.places]
    return "; ".join([error.detail, *places])
