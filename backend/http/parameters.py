"""Query and path parameters: each at most once, numbers in plain digits, ids in one form; and the
language of a page.
"""

import re
from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request
from pydantic import BeforeValidator

from backend.http.errors import InvalidInputError, NotFoundError, Place
from backend.identifiers import canonical_id
from backend.limit_table import PICTURE_WIDTH
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import LANGUAGES, language_called

_DIGITS = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
LanguageQuery = Annotated[str, Query(pattern=f"^({'|'.join(LANGUAGES)})$")]


def _plain_number(value: object) -> object:
    # Python's int() also accepts " 5", "+5", "1_0" and the digits of other scripts.
    if isinstance(value, str):
        if not _DIGITS.fullmatch(value):
            raise ValueError("must be a whole number in plain digits")
        return int(value)
    return value


PlainNumber = Annotated[int, BeforeValidator(_plain_number)]
# The look and the width (px) of a picture.
ThemeQuery = Annotated[Literal["light", "dark"], Query()]
WidthQuery = Annotated[PlainNumber | None, Query(ge=100, le=PICTURE_WIDTH.number)]
PlainFrameNumber = Annotated[FrameNumber, BeforeValidator(_plain_number)]


async def reject_repeated(request: Request) -> None:
    """Raise InvalidInputError for a request that repeats a parameter, because the intended value is
    unknown.
    """
    names = [name for name, _ in request.query_params.multi_items()]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInputError(
                "A parameter is given twice.",
                code="repeated_parameter",
                places=[Place("", "each parameter at most once")],
            )


async def _known_id(session_id: Annotated[str, Path(alias="id")]) -> str:
    return require_id(session_id)


async def _known_sid(sid: str) -> str:
    return require_id(sid)


def require_id(text: str) -> str:
    """The canonical form of an id. Raises NotFoundError, without a database query, for a text that
    cannot be an id.
    """
    canonical = canonical_id(text)
    if canonical is None:
        raise NotFoundError
    return canonical


SessionId = Annotated[str, Depends(_known_id)]
ShareId = Annotated[str, Depends(_known_sid)]


def preferred_language(request: Request) -> str:
    """The language of `?lang=`; otherwise the browser's first supported preference; otherwise
    English.
    """
    asked = request.query_params.get("lang")
    if asked in LANGUAGES:
        return asked
    accepted = request.headers.get("accept-language", "").split(",")
    return language_called(part.partition(";")[0] for part in accepted)


async def _language(request: Request) -> str:
    return preferred_language(request)


LanguageDep = Annotated[str, Depends(_language)]


def bearer_of(authorization: str | None) -> str:
    """The token or key of a header `Authorization: Bearer`; empty without one."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
