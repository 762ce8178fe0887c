"""What routes of pages, and of embeds, are handed."""

from typing import Annotated, Literal

from fastapi import Depends, Query, Request

from backend.figures import Figures
from backend.frontend_build import FrontendBuild
from backend.settings import Settings
from sim_engine import LANGUAGES, language_called


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


def preferred_language(request: Request) -> str:
    """`?lang=` decides; else what the browser asks for, in its order; else English."""
    asked = request.query_params.get("lang")
    if asked in LANGUAGES:
        return asked
    accepted = request.headers.get("accept-language", "").split(",")
    return language_called(part.partition(";")[0] for part in accepted)


FrontendDep = Annotated[FrontendBuild, Depends(get_frontend)]
FiguresDep = Annotated[Figures, Depends(get_figures)]
SettingsDep = Annotated[Settings, Depends(get_settings)]
LanguageDep = Annotated[str, Depends(preferred_language)]
LanguageQuery = Annotated[str, Query(pattern=f"^({'|'.join(LANGUAGES)})$")]
ThemeQuery = Annotated[Literal["light", "dark"], Query()]
