"""Chooses the language of a page."""

from typing import Annotated

from fastapi import Depends, Query, Request

from sim_engine import LANGUAGES, language_called


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
LanguageQuery = Annotated[str, Query(pattern=f"^({'|'.join(LANGUAGES)})$")]
