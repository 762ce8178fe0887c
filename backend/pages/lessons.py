"""The page of a lesson, with the card of the step that its link names, and the lesson's forms for
other programs. Nothing is stored for any of them.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Query, Request, Response

from backend.html.link_card import CARD_WIDTH, LinkCard, oembed_links, with_card
from backend.html.page import PAGE_METHODS, html_page
from backend.http.errors import HighwaterError, NotFoundError
from backend.http.parameters import (
    LanguageDep,
    LanguageQuery,
    PlainNumber,
    ThemeQuery,
    WidthQuery,
    reject_repeated,
)
from backend.pages.embedded import DESTINATION, is_embedded, to_embed
from backend.routing.files import kept_as_file, languages, lesson_ids, themes
from backend.routing.routes import Router
from backend.runs.cards import moment_card
from backend.runs.forms import Asked, drawn
from backend.runs.representations import file_response, named
from backend.runs.run import Shown
from backend.services import Services, ServicesDep
from sim_engine.languages import DEFAULT_LANGUAGE, in_language
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import load_shipped

router = Router()
_files = Router(tags=["files"], dependencies=[Depends(reject_repeated)])

_OF_A_MOMENT = ("step", "message", "kafka")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the link of a file names: the lesson, its release, and a moment, if it names one."""

    services: Services
    lesson: str
    kafka: str | None
    step: int | None
    message: int | None

    async def shown(self) -> Shown:
        """What it shows. Raises NotFoundError, and InvalidInputError for an unknown release."""
        run = await self.services.shipped_runs.get(self.lesson, self.kafka)
        return run.shown_at(self.step, self.message)


async def _asked(
    scenario_id: str,
    services: ServicesDep,
    step: Annotated[PlainNumber | None, Query(ge=0)] = None,
    message: Annotated[PlainNumber | None, Query(ge=1)] = None,
    kafka: str | None = None,
) -> _Asked:
    return _Asked(services, scenario_id, kafka, step, message)


AskedDep = Annotated[_Asked, Depends(_asked)]


@_files.api_route("/lessons/{scenario_id}.svg", methods=PAGE_METHODS)
@kept_as_file(scenario_id=lesson_ids, lang=languages, theme=themes)
async def lesson_picture(
    asked: AskedDep,
    request: Request,
    frames: Annotated[str | None, Query(alias="range")] = None,
    loop: Literal["0", "1"] = "0",
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """One step as SVG, or an animation as of a share."""
    is_loop = loop == "1"
    picture = drawn(await asked.shown(), frames, is_loop=is_loop, theme=theme, lang=lang)
    return await file_response(asked.services, request, "svg", picture)


@_files.api_route("/lessons/{scenario_id}.gif", methods=PAGE_METHODS)
async def lesson_animation(
    asked: AskedDep,
    request: Request,
    w: WidthQuery = None,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """What leads to one step, as an animated GIF of about six seconds."""
    animation = Asked(shown=await asked.shown(), theme=theme, lang=lang, width=w)
    return await file_response(asked.services, request, "gif", animation)


@_files.api_route("/lessons/{scenario_id}.png", methods=PAGE_METHODS)
@kept_as_file(scenario_id=lesson_ids, lang=languages)
async def lesson_pixels(
    asked: AskedDep,
    request: Request,
    w: WidthQuery = None,
    card: Annotated[PlainNumber, Query(ge=100, le=CARD_WIDTH)] = CARD_WIDTH,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """One step as PNG, `w` pixels wide. Without `w`, it is the picture of a link card."""
    picture = Asked(shown=await asked.shown(), theme=theme, lang=lang, width=w, card_width=card)
    return await file_response(asked.services, request, "png", picture)


@_files.api_route("/lessons/{scenario_id}.html", methods=PAGE_METHODS)
async def lesson_offline(
    asked: AskedDep,
    request: Request,
    theme: Literal["light", "dark"] | None = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The lesson as a single page that plays offline and opens at the step."""
    page = Asked(shown=await asked.shown(), theme=theme, lang=lang)
    return await file_response(asked.services, request, "html", page)


@_files.api_route("/lessons/{scenario_id}.json", methods=PAGE_METHODS)
async def lesson_json(
    asked: AskedDep,
    request: Request,
    form: Annotated[Literal["", "itf"], Query(alias="format")] = "",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The lesson's run as a file, or as a trace for TLA+ tools."""
    services, shown = asked.services, await asked.shown()
    if form == "itf":
        whole = Asked(shown=shown.run.shown_exactly(), lang=lang)
        return await file_response(services, request, "itf.json", whole)
    file = await services.lessons.file("run", asked.lesson, asked.kafka)
    document = Response(file.plain(), media_type="application/json")
    return named(request, shown.run, document, "json")


@_files.api_route("/lessons/{scenario_id}.md", methods=PAGE_METHODS, name="lesson_transcript")
@_files.api_route("/lessons/{scenario_id}.yaml", methods=PAGE_METHODS, name="lesson_scenario")
@_files.api_route("/lessons/{scenario_id}.mmd", methods=PAGE_METHODS, name="lesson_diagram")
@kept_as_file(scenario_id=lesson_ids, lang=languages)
async def lesson_as_text(
    asked: AskedDep,
    request: Request,
    frames: Annotated[str | None, Query(alias="range")] = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The lesson as a transcript that marks the step, a scenario file, or a sequence diagram."""
    extension = request.url.path.rpartition(".")[2]
    shown = await asked.shown()
    text = Asked(shown=shown, lang=lang, frames=shown.run.frames_between(frames))
    return await file_response(asked.services, request, extension, text)


router.routes += _files.routes


@router.api_route("/lessons/{scenario_id}", methods=PAGE_METHODS, include_in_schema=False)
@kept_as_file(scenario_id=lesson_ids, lang=languages)
async def lesson_page(
    scenario_id: str, request: Request, services: ServicesDep, lang: LanguageDep
) -> Response:
    """The app, with the lesson's title and summary, or with the step that its link names."""
    try:
        lesson = load_shipped(scenario_id)
    except KeyError:
        raise NotFoundError("There is no such lesson.") from None
    if is_embedded(request):
        return to_embed(request, services.settings)
    card = await _card_of(lesson, request, services, lang)
    links = oembed_links(services.settings.base_url, card.opened or card.link)
    response = html_page(with_card(services.frontend.page("index.html"), card, links), lang)
    response.headers.add_vary_header(DESTINATION)
    return response


async def _card_of(lesson: Scenario, request: Request, services: Services, lang: str) -> LinkCard:
    query = request.query_params
    if any(name in query for name in _OF_A_MOMENT):
        try:
            run = await services.shipped_runs.get(lesson.id, query.get("kafka"))
        except HighwaterError:
            pass  # the app says what is wrong with the release
        else:
            shown = run.shown_on_page(query) if "step" in query else run.shown_exactly()
            return moment_card(services.settings.base_url, shown, lang, names_moment=True)
    link = f"{services.settings.base_url}/lessons/{lesson.id}"
    return LinkCard(
        title=in_language(lesson.title, lang),
        description=in_language(lesson.summary, lang),
        link=link,
        image=f"{link}.png?lang={lang}",
        lang=lang,
        is_article=True,
    )
