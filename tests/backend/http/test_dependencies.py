"""Dependencies of routes run in the event loop."""

import inspect
from collections.abc import Iterator

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, APIRouter

from backend.main import create_app
from backend.settings import Settings


def routes_of(router: APIRouter) -> Iterator[APIRoute]:
    for route in router.routes:
        if isinstance(route, APIRoute):
            yield route
        elif (included := getattr(route, "original_router", None)) is not None:
            yield from routes_of(included)


def within(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for dependency in dependant.dependencies:
        yield from within(dependency)


def test_no_route_and_no_dependency_of_a_route_runs_in_a_thread():
    # Each would cost a request of a busy service two waits for the interpreter.
    app = create_app(Settings(database_url="sqlite:///unused.db"))  # not started, so not opened
    called = {
        dependant.call
        for route in routes_of(app.router)
        for dependant in within(route.dependant)
        if dependant.call is not None
    }
    assert len(called) > 50
    assert [
        call.__qualname__
        for call in called
        if not inspect.iscoroutinefunction(call) and not inspect.isasyncgenfunction(call)
    ] == []
