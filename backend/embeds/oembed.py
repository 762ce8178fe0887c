"""oEmbed 1.0: how a site embeds a pasted link (https://oembed.com).

The address is only parsed, never fetched. It must be one of this site's.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from backend.drawing.figures import without_forbidden
from backend.html.frontend_build import text
from backend.html.link_card import CARD_HEIGHT, CARD_WIDTH
from backend.http.errors import BadRequestError, GoneError, NotFoundError, NotSupportedError
from backend.http.parameters import LanguageDep
from backend.http.responses import tagged
from backend.identifiers import canonical_id
from backend.services import CountUnknownIds, SettingsDep, SharesDep
from backend.settings import Settings
from backend.shares import transcript
from backend.shares.share import is_message_asked, query_of
from sim_engine.languages.library import in_language
from sim_engine.scenario_reader.reader import load_shipped

router = APIRouter(include_in_schema=False, dependencies=[CountUnknownIds])

_WIDTH, _HEIGHT = 800, 480
_NARROWEST_THUMBNAIL = 100
_CACHED_S = 86_400
_SANDBOX = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
_SHARE = re.compile(r"/(?:e/v1/)?s/([0-9A-Za-z]{26})")
_LESSON = re.compile(r"/lessons/([a-z0-9-]{1,64})")
_SIZE = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
_FRAME = re.compile(r"[0-9]{1,9}", re.ASCII)
_ONCE = ("url", "format", "maxwidth", "maxheight")

OEmbedDocument = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The largest size that the consumer accepts, in pixels; None if it sends no limit."""

    width: int | None
    height: int | None

    def of_iframe(self) -> tuple[int, int]:
        """The size of the embed, which can be scaled to any box."""
        return min(_WIDTH, self.width or _WIDTH), min(_HEIGHT, self.height or _HEIGHT)

    def of_card(self) -> tuple[int, int] | None:
        """The largest size of the card's picture that fits; None if it would be too small."""
        width = min(CARD_WIDTH, self.width or CARD_WIDTH)
        if self.height is not None:
            width = min(width, self.height * CARD_WIDTH // CARD_HEIGHT)
        if width < _NARROWEST_THUMBNAIL:
            return None
        return width, width * CARD_HEIGHT // CARD_WIDTH


@router.api_route("/oembed", methods=["GET", "HEAD"])
async def oembed(
    request: Request, shares: SharesDep, settings: SettingsDep, lang: LanguageDep
) -> Response:
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
    path, query = _own(settings, asked["url"])
    share, lesson = _SHARE.fullmatch(path), _LESSON.fullmatch(path)
    if share is not None:
        sid = canonical_id(share[1]) or ""
        try:
            shown = await shares.words(sid)
        except GoneError:
            raise NotFoundError from None
        title = transcript.in_language(shown.title, lang)
        document = _of_share(settings, sid, query, title, bounds)
        if shown.note is not None:
            # Not part of the specification, which allows additional members; some consumers read
            # it.
            document["description"] = shown.note
    elif lesson is not None:
        document = _of_lesson(settings, lesson[1], lang, bounds)
    else:
        raise NotFoundError
    response = _as_json(document) if form == "json" else _as_xml(document)
    response.headers.add_vary_header("Accept-Language")
    return tagged(request, response)


def _of_share(
    settings: Settings, sid: str, query: str, title: str, bounds: Bounds
) -> OEmbedDocument:
    width, height = bounds.of_iframe()
    at = f"?{query}" if query else ""
    source = f"{settings.base_url}/e/v1/s/{sid}{at}"
    iframe = (
        f'<iframe src="{text(source)}" title="{text(title)}" width="{width}" height="{height}" '
        f'style="border:0" loading="lazy" sandbox="{_SANDBOX}"></iframe>'
    )
    picture = f"{settings.base_url}/s/{sid}.png{at}"
    return _document(settings, title, iframe, (width, height), picture, bounds)


def _of_lesson(settings: Settings, lesson_id: str, lang: str, bounds: Bounds) -> OEmbedDocument:
    try:
        lesson = load_shipped(lesson_id)
    except KeyError:
        raise NotFoundError("There is no such lesson.") from None
    title = in_language(lesson.title, lang)
    link = f"{settings.base_url}/lessons/{lesson.id}"
    picture = f"{link}.png?lang={lang}"
    width, height = bounds.of_card() or (_NARROWEST_THUMBNAIL, _NARROWEST_THUMBNAIL)
    image = f'<img src="{text(picture)}" alt="{text(title)}" width="{width}" height="{height}">'
    return _document(
        settings,
        title,
        f'<a href="{text(link)}" target="_blank" rel="noopener">{image}</a>',
        (width, height),
        picture,
        bounds,
    )


def _document(
    settings: Settings, title: str, html: str, size: tuple[int, int], picture: str, bounds: Bounds
) -> OEmbedDocument:
    width, height = size
    document: OEmbedDocument = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Highwater",
        "provider_url": settings.base_url,
        "title": title,
        "html": html,
        "width": width,
        "height": height,
        "cache_age": _CACHED_S,
    }
    card = bounds.of_card()
    if card is not None:
        separator = "&" if "?" in picture else "?"
        document["thumbnail_url"] = f"{picture}{separator}card={card[0]}"
        document["thumbnail_width"], document["thumbnail_height"] = card
    return document


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


def _own(settings: Settings, url: str) -> tuple[str, str]:
    """The path of one of our addresses, and the query for the frame that it names, if it names one.

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
    frame = query.get("frame")
    if frame is None or not _FRAME.fullmatch(frame):
        return asked.path, ""
    return asked.path, query_of(frame, is_message=is_message_asked(query))
