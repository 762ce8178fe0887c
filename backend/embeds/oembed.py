"""oEmbed 1.0: how a site embeds a pasted link (https://oembed.com).

The address is only parsed, never fetched. It must be one of this site's.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import msgspec
from fastapi import Request
from starlette.responses import Response

from backend.drawing.figures import without_forbidden
from backend.html.frontend_build import text
from backend.html.link_card import CARD_HEIGHT, CARD_WIDTH
from backend.http.errors import (
    BadRequestError,
    GoneError,
    InvalidInputError,
    NotFoundError,
    NotSupportedError,
    UnavailableError,
)
from backend.http.parameters import LanguageDep
from backend.http.responses import described, tagged
from backend.http.schemas import Problem
from backend.identifiers import canonical_id
from backend.routing.routes import Router
from backend.runs import transcript
from backend.runs.pictures import picture_of
from backend.runs.run import Run
from backend.services import CountUnknownIds, Services, ServicesDep
from backend.settings import Settings
from backend.shares.share import is_message_asked, query_of

router = Router(tags=["embeds"], dependencies=[CountUnknownIds])

_WIDTH, _HEIGHT = 800, 480
_CONTROLS = 72
"""The pixels that the player has below its picture, and a line that a longer sentence takes."""
_LEAST_WIDTH, _LEAST_HEIGHT = 300, 200
"""In a smaller box nothing of the player can be read."""
_PICTURE_HEIGHT = re.compile(r'<svg\b[^>]*?\bheight="([\d.]+)"')
_NARROWEST_THUMBNAIL = 100
_NARROWEST_PICTURE = 320
_CACHED_S = 86_400
_SANDBOX = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
_SHARE = re.compile(r"/(?:e/v1/)?s/([0-9A-Za-z]{26})")
_LESSON = re.compile(r"/lessons/([a-z0-9-]{1,64})")
_SIZE = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_ONCE = ("url", "format", "maxwidth", "maxheight")

OEmbedDocument = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The largest size that the consumer accepts, in pixels; None if it sends no limit."""

    width: int | None
    height: int | None

    def of_iframe(self, needed: int) -> tuple[int, int] | None:
        """The size of the embed, of which the run needs a height; None if it could not be read."""
        size = self.of_width(), min(needed, self.height or needed)
        fits = size[0] >= _LEAST_WIDTH and size[1] >= _LEAST_HEIGHT
        return size if fits else None

    def of_width(self) -> int:
        """The width of the embed."""
        return min(_WIDTH, self.width or _WIDTH)

    def of_card(self) -> tuple[int, int] | None:
        """The largest size of the card's picture that fits; None if it would be too small."""
        width = min(CARD_WIDTH, self.width or CARD_WIDTH)
        if self.height is not None:
            width = min(width, self.height * CARD_WIDTH // CARD_HEIGHT)
        if width < _NARROWEST_THUMBNAIL:
            return None
        return width, width * CARD_HEIGHT // CARD_WIDTH


_PARAMETERS = {
    "url": {"type": "string", "description": "The address of a share or of a lesson."},
    "format": {"type": "string", "enum": ["json", "xml"], "default": "json"},
    "maxwidth": {"type": "integer", "minimum": 1},
    "maxheight": {"type": "integer", "minimum": 1},
    "lang": {"type": "string", "description": "The language of the title. Default: the browser's."},
}


@router.api_route(
    "/oembed",
    methods=["GET", "HEAD"],
    responses={
        200: {
            "description": "The document of oEmbed 1.0.",
            "content": {
                "application/json": {"schema": {"type": "object", "additionalProperties": True}},
                "text/xml": {"schema": {"type": "string"}},
            },
        },
        404: described(Problem, "Another site's address, or an unknown share or lesson."),
        501: described(Problem, "Another format."),
    },
    openapi_extra={
        "parameters": [
            {"name": name, "in": "query", "required": name == "url", "schema": schema}
            for name, schema in _PARAMETERS.items()
        ]
    },
)
async def oembed(request: Request, services: ServicesDep, lang: LanguageDep) -> Response:
    """How to embed `url`, as JSON or XML. 404 for an address of another site or an unknown share,
    501 for another format.
    """
    asked = {name: _once(request, name) for name in _ONCE}
    form = asked["format"] or "json"
    if form not in ("json", "xml"):
        raise NotSupportedError("The format is json or xml.", code="format_not_supported")
    if asked["url"] is None:
        raise BadRequestError("The parameter url is required.", code="url_missing")
    bounds = Bounds(_size("maxwidth", asked["maxwidth"]), _size("maxheight", asked["maxheight"]))
    path, query = _own(services.settings, asked["url"])
    share, lesson = _SHARE.fullmatch(path), _LESSON.fullmatch(path)
    if share is not None:
        document = await _of_share(services, canonical_id(share[1]) or "", query, lang, bounds)
    elif lesson is not None:
        document = await _of_lesson(services, lesson[1], query, lang, bounds)
    else:
        raise NotFoundError
    response = _as_json(document) if form == "json" else _as_xml(document)
    response.headers.add_vary_header("Accept-Language")
    return tagged(request, response)


async def _of_share(
    services: Services, sid: str, query: Mapping[str, str], lang: str, bounds: Bounds
) -> OEmbedDocument:
    try:
        words = await services.shares.words(sid)
    except GoneError:
        raise NotFoundError from None
    frame = query.get("frame", "")
    at = query_of(frame, is_message=is_message_asked(query)) if _NUMBER.fullmatch(frame) else ""
    title = transcript.in_language(words.title, lang)
    needed = _HEIGHT
    if not await services.shares.is_large(sid):
        needed = await _needed(services, await services.shares.get(sid), lang, bounds)
    document = _document(services.settings, f"/s/{sid}", at, title, bounds, needed)
    if words.note is not None:
        # Not part of the specification, which allows additional members; some consumers read it.
        document["description"] = words.note
    return document


async def _of_lesson(
    services: Services, lesson_id: str, query: Mapping[str, str], lang: str, bounds: Bounds
) -> OEmbedDocument:
    try:
        run = await services.shipped_runs.get(lesson_id, query.get("kafka"))
    except InvalidInputError:
        raise NotFoundError("There is no such release.") from None
    # Without a step it plays from the start, and its picture is the most important moment.
    shown = run.shown_on_page(query) if "step" in query else None
    at = run.about.query if shown is None else shown.query
    title = transcript.in_language(run.about.title, lang)
    needed = await _needed(services, run, lang, bounds)
    document = _document(services.settings, run.about.path, at, title, bounds, needed)
    if shown is not None:
        document["description"] = transcript.told(shown, lang)
    return document


async def _needed(services: Services, run: Run, lang: str, bounds: Bounds) -> int:
    """The height that shows the whole run: that of the picture of its end, which has the most in
    it, and of the controls.
    """
    last = run.shown_exactly(run.entries[-1]["frame"])
    width = max(bounds.of_width(), _NARROWEST_PICTURE)
    try:
        picture = await picture_of(services.figures, last, "page", lang, width=width)
    except UnavailableError:
        return _HEIGHT
    found = _PICTURE_HEIGHT.search(picture)
    return _HEIGHT if found is None else round(float(found[1])) + _CONTROLS


def _document(
    settings: Settings, path: str, query: str, title: str, bounds: Bounds, needed: int
) -> OEmbedDocument:
    """How to embed the page at a path, and its card; both open at the moment that `query` names. In
    a box in which the player could not be read, the card alone, as a photo or a link.
    """
    at = f"?{query}" if query else ""
    document: OEmbedDocument = {
        "version": "1.0",
        "type": "link",
        "provider_name": "Highwater",
        "provider_url": settings.base_url,
        "title": title,
        "cache_age": _CACHED_S,
    }
    separator = "&" if at else "?"
    card = bounds.of_card()
    picture = "" if card is None else f"{settings.base_url}{path}.png{at}{separator}card={card[0]}"
    size = bounds.of_iframe(needed)
    if size is not None:
        document |= _player(settings, f"{path}{at}", title, size)
    elif card is not None:
        document |= {"type": "photo", "url": picture, "width": card[0], "height": card[1]}
    if card is not None:
        document["thumbnail_url"] = picture
        document["thumbnail_width"], document["thumbnail_height"] = card
    return document


def _player(settings: Settings, page: str, title: str, size: tuple[int, int]) -> OEmbedDocument:
    width, height = size
    source = f"{settings.base_url}/e/v1{page}"
    html = (
        f'<iframe src="{text(source)}" title="{text(title)}" width="{width}" height="{height}" '
        f'style="border:0" loading="lazy" sandbox="{_SANDBOX}"></iframe>'
    )
    return {"type": "rich", "html": html, "width": width, "height": height}


def _as_json(document: OEmbedDocument) -> Response:
    return Response(msgspec.json.encode(document), media_type="application/json")


def _as_xml(document: OEmbedDocument) -> Response:
    root = ElementTree.Element("oembed")
    for name, value in document.items():
        ElementTree.SubElement(root, name).text = without_forbidden(str(value))
    written = ElementTree.tostring(root, encoding="unicode")
    head = '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n'
    return Response((head + written).encode(), media_type="text/xml")


def _once(request: Request, name: str) -> str | None:
    values = request.query_params.getlist(name)
    if len(values) > 1:
        raise BadRequestError(f"The parameter {name} is given twice.", code="repeated_parameter")
    return values[0] if values else None


def _size(name: str, value: str | None) -> int | None:
    if value is None:
        return None
    if not _SIZE.fullmatch(value):
        raise BadRequestError(f"{name} must be a whole number of pixels from 1.", code="bad_size")
    return int(value)


def _own(settings: Settings, url: str) -> tuple[str, Mapping[str, str]]:
    """The path of one of our addresses, and its query, in which a fragment counts as well.

    Raises NotFoundError for any other address.
    """
    try:
        asked, own = urlsplit(url), urlsplit(settings.base_url)
        same = asked.netloc.lower() == own.netloc.lower()
    except ValueError:
        raise NotFoundError from None
    # Users type either scheme, and a proxy may redirect one to the other.
    if not same or asked.scheme not in ("http", "https"):
        raise NotFoundError("This is not an address of this site.")
    parameters = {**parse_qs(asked.fragment), **parse_qs(asked.query)}
    query = {name: values[0] for name, values in parameters.items()}
    return asked.path, query
