"""Dependencies of routes run in the event loop."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from backend.main import create_app
from backend.routing.routes import JsonRoute
from backend.settings import Settings


def all_routes() -> list[APIRoute]:
    app = create_app(Settings(database_url="sqlite:///unused.db"))  # not started, so not opened
    return [route for route in app.routes if isinstance(route, APIRoute)]


def within(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for dependency in dependant.dependencies:
        yield from within(dependency)


def test_no_router_includes_another():
    # FastAPI would prepare each route once more, at every start.
    app = create_app(Settings(database_url="sqlite:///unused.db"))

    assert [route for route in app.routes if not isinstance(route, APIRoute)] == []


def test_no_route_and_no_dependency_of_a_route_runs_in_a_thread():
    # Each would cost a request of a busy service two waits for the interpreter.
    called = {
        dependant.call
        for route in all_routes()
        for dependant in within(route.dependant)
        if dependant.call is not None
    }
    assert len(called) > 50
    assert [
        call.__qualname__
        for call in called
        if not inspect.iscoroutinefunction(call) and not inspect.isasyncgenfunction(call)
    ] == []


def test_every_route_that_reads_a_body_limits_and_checks_it():
    reading = [route for route in all_routes() if route.body_field is not None]

    assert len(reading) > 10
    assert [route.path for route in reading if not isinstance(route, JsonRoute)] == []


# Only what no request causes: starting, and the command line.
_MAY_USE_THREADS = {
    "cluster_connection/connection.py",
    "commands/export.py",
    "commands/record.py",
    "drawing/figures.py",  # the default, for the command line
    "limits/lanes.py",
    "main.py",
    "operations/migrations.py",
    "recording/carrying_out.py",  # a command, no part of the service
    "recording/nodes.py",
    "operations/routes.py",  # metrics, which operators read
}


def test_whatever_is_computed_outside_the_event_loop_is_counted_in_a_lane(repository: Path):
    threads = {"to_thread", "run_in_threadpool", "run_in_executor"}
    using = {
        path.relative_to(repository / "backend").as_posix()
        for path in (repository / "backend").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute | ast.Name)
        and (node.attr if isinstance(node, ast.Attribute) else node.id) in threads
    }

    assert using - _MAY_USE_THREADS == set()
