"""405 names every method of the address."""

import re

from tests.backend.conftest import API, Service
from tests.backend.http.test_headers import list_routes

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO")


async def test_what_405_allows_is_what_is_answered(sqlite_service: Service):
    """Each address of the app by each method: it is answered if and only if `Allow` lists it."""
    paths = {template for _, template in list_routes(sqlite_service.app)}
    for template in sorted(paths):
        path = re.sub(r"\{\w+(:path)?\}", "nope", template)
        answers = {
            method: await sqlite_service.client.request(method, path, content=b"")
            for method in METHODS
        }

        allowed = {name for name, answer in answers.items() if answer.status_code != 405}

        for method in set(METHODS) - allowed:
            listed = answers[method].headers["Allow"].split(", ")
            assert listed == sorted(allowed), (method, path, listed)
            if method != "HEAD":
                assert answers[method].json()["code"] == "method_not_allowed"


async def test_routes_of_one_address_are_listed_together(sqlite_service: Service):
    one = await sqlite_service.client.options(f"{API}/shares/{'1' * 26}")
    other = await sqlite_service.client.put("/s/wrong.svg")

    assert one.headers["Allow"] == "DELETE, GET"
    assert other.headers["Allow"] == "GET, HEAD"
