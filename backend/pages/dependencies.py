"""What routes of pages, and of embeds, are handed."""

from typing import Annotated, Literal

from fastapi import Depends, Query, Request

from backend.figures import Figures
from backend.frontend_build import FrontendBuild
from backend.settings import Settings

Language = Literal["en", "zh"]


def get_frontend(request: Request) -> FrontendBuild:
    frontend = request.app.state.frontend
    assert isinstance(frontend, FrontendBuild)
    return frontend


def get_figures(request: Request) -> Figures:
    figures = request.app.state.figures
    assert isinstance(figures, Figures)
    return figures


def get_settings(request: Request) -> Settings:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings


def preferred_language(request: Request) -> Language:
    """`?lang=` decides; else what the browser asks for first."""
    asked = request.query_params.get("lang")
    if asked in ("en", "zh"):
        return "zh" if asked == "zh" else "en"
    first = request.headers.get("accept-language", "").split(",")[0].strip().lower()
    return "zh" if first.startswith("zh") else "en"


FrontendDep = Annotated[FrontendBuild, Depends(get_frontend)]
FiguresDep = Annotated[Figures, Depends(get_figures)]
SettingsDep = Annotated[Settings, Depends(get_settings)]
LanguageDep = Annotated[Language, Depends(preferred_language)]
ThemeQuery = Annotated[Literal["light", "dark"], Query()]
LanguageQuery = Annotated[Literal["en", "zh"], Query()]
