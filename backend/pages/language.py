"""Which language a page is in."""

from typing import Annotated, Literal

from fastapi import Depends, Request

Language = Literal["en", "zh"]


def preferred_language(request: Request) -> Language:
    """`?lang=` decides; else what the browser asks for first."""
    asked = request.query_params.get("lang")
    if asked in ("en", "zh"):
        return "zh" if asked == "zh" else "en"
    first = request.headers.get("accept-language", "").split(",")[0].strip().lower()
    return "zh" if first.startswith("zh") else "en"


LanguageDep = Annotated[Language, Depends(preferred_language)]
