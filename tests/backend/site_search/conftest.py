"""The index over everything, made once."""

import pytest

from backend.site_search.index import SearchIndex
from backend.site_search.kept import all_entries


@pytest.fixture(scope="session")
def index() -> SearchIndex:
    return SearchIndex(all_entries())
