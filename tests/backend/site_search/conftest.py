"""The index over everything, made once."""

import pytest

from backend.site_contents.kept import all_entries
from backend.site_search.index import SearchIndex


@pytest.fixture(scope="session")
def index() -> SearchIndex:
    return SearchIndex(all_entries())
