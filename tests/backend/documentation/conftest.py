"""The documentation of a service that is not started, because it needs no database."""

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI

from backend.documentation.contents import PAGES, page_address
from backend.documentation.generated import Subject
from backend.documentation.library import DocumentationPage, Library
from backend.main import create_app
from backend.settings import Settings
from sim_engine.languages import LANGUAGES
from tests.backend.conftest import PUBLIC_URL


@pytest.fixture(scope="session")
def documented_app() -> FastAPI:
    return create_app(Settings(public_url=PUBLIC_URL))


@pytest.fixture(scope="session")
def library(documented_app: FastAPI) -> Library:
    return Library(Subject(Settings(public_url=PUBLIC_URL), documented_app.openapi))


@pytest.fixture(scope="session")
def bodies(library: Library) -> dict[str, dict[str, BeautifulSoup]]:
    """Each page's content, by language and address."""
    parsed: dict[int, BeautifulSoup] = {}

    def body(shown: DocumentationPage) -> BeautifulSoup:
        if id(shown) not in parsed:
            parsed[id(shown)] = BeautifulSoup(shown.laid.body, "html.parser")
        return parsed[id(shown)]

    return {
        lang: {page_address(page): body(library.read(page, lang)) for page in PAGES}
        for lang in LANGUAGES
    }
