"""The link card of a moment, and the responses with cards' pictures.

Programs that show cards ask once, so there is always a picture: if a card's own cannot be drawn in
time, it is the site's.
"""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from backend.html.frontend_build import FrontendBuild
from backend.html.link_card import LinkCard
from backend.http.errors import UnavailableError
from backend.http.responses import tagged
from backend.runs import transcript
from backend.runs.run import Shown
from backend.runs.title_and_note import with_note

_OF_THE_SITE = "link-card.png"


def moment_card(base_url: str, shown: Shown, lang: str, *, names_moment: bool) -> LinkCard:
    """The card of what a link shows: its picture and its sentence. `names_moment` is whether the
    link names a moment, rather than opening where the run opens.
    """
    about = shown.run.about
    link = f"{base_url}{about.path}"
    return LinkCard(
        title=transcript.in_language(about.title, lang),
        description=with_note(transcript.told(shown, lang), about.note),
        link=link,
        opened=f"{link}?{shown.query}" if names_moment else "",
        image=f"{link}.png?{shown.query}&lang={lang}",
        lang=lang,
        is_article=True,
    )


async def card_response(
    request: Request, frontend: FrontendBuild, draw: Callable[[], Awaitable[bytes]]
) -> Response:
    """The card that `draw` makes. If it raises UnavailableError, the site's picture, which nobody
    may keep. Raises that error only if the frontend is not built.
    """
    try:
        return tagged(request, Response(await draw(), media_type="image/png"))
    except UnavailableError:
        of_the_site = frontend.file("", _OF_THE_SITE)
        if of_the_site is None:
            raise
        headers = {"Cache-Control": "no-store"}
        return Response(of_the_site.read_bytes(), media_type="image/png", headers=headers)
