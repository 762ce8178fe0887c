"""The index over everything, made once."""

import pytest

from backend.documentation.generated import Subject
from backend.documentation.library import Library
from backend.main import create_app
from backend.settings import Settings
from backend.site_search.index import SearchIndex
from backend.site_search.routes import search_index


@pytest.fixture(scope="session")
def library() -> Library:
    settings = Settings()
    return Library(Subject(settings, create_app(settings).openapi))


@pytest.fixture(scope="session")
def index(library: Library) -> SearchIndex:
    return search_index(library)
