"""The service, wired: the one place where its parts meet.

    request → Headers → RequestLog → SameSite → BodyGate → GZip → routes

Whatever happens inside, what leaves has its family's headers and was logged.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

import backend.embeds.routes
import backend.insights.routes
import backend.pages.routes
import backend.scenarios.routes
import backend.searches.routes
import backend.sessions.routes
import backend.shares.routes
from backend import errors
from backend.body_gate import BodyGate
from backend.database import Database, now
from backend.errors import HighwaterError
from backend.figures import Figures
from backend.frontend_build import FrontendBuild
from backend.guess_limit import Misses
from backend.headers import Headers
from backend.logs import RequestLog
from backend.metrics import Metrics
from backend.migrations import code_revision, database_revision, upgrade
from backend.openapi import describe
from backend.pages.errors import error_page
from backend.same_site import SameSite
from backend.searches.service import Searches
from backend.sessions import housekeeping
from backend.sessions.timelines import Timelines
from backend.settings import Settings
from backend.shares.service import Shares
from sim_engine import ENGINE_VERSION, list_shipped

API = "/api/v1"
_log = logging.getLogger("highwater")
_Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]
_HOUSEKEEPING_EVERY = timedelta(hours=1)


class SchemaBehindError(Exception):
    """The database's schema is not this code's, and it is not ours to change unasked."""


def create_app(settings: Settings) -> FastAPI:
    database = Database(settings.database_url)
    metrics = Metrics()
    timelines = Timelines(database)
    app = FastAPI(
        title="Highwater",
        summary="How Apache Kafka replicates: run it, break it, share the moment.",
        version=ENGINE_VERSION,
        docs_url=None,  # both would load scripts from elsewhere
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        redirect_slashes=False,  # one address for one thing
        lifespan=_lifespan,
        middleware=[
            Middleware(Headers, settings=settings),
            Middleware(RequestLog, metrics=metrics),
            Middleware(SameSite),
            Middleware(BodyGate),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=5),
        ],
        exception_handlers={
            HighwaterError: _show(lambda error: error),
            RequestValidationError: _show(errors.from_validation),
            HTTPException: _show(errors.from_http),
        },
    )
    app.state.settings = settings
    app.state.database = database
    app.state.metrics = metrics
    app.state.timelines = timelines
    app.state.shares = Shares(database, timelines)
    app.state.searches = Searches(timelines)
    app.state.misses = Misses()
    app.state.frontend = FrontendBuild(settings.frontend_folder)
    app.state.figures = Figures(settings.figure_script)
    app.state.draining = False

    api = APIRouter(prefix=API)
    api.include_router(backend.sessions.routes.router)
    api.include_router(backend.searches.routes.router)
    api.include_router(backend.shares.routes.router)
    api.include_router(backend.scenarios.routes.router)
    api.include_router(backend.insights.routes.router)
    app.include_router(api)
    app.include_router(backend.embeds.routes.router)
    app.include_router(backend.pages.routes.shares_router)
    app.include_router(backend.pages.routes.router)
    app.openapi = partial(describe, app)  # type: ignore[method-assign]  # as FastAPI documents it
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    database: Database = app.state.database
    await prepare_schema(database)
    # Read now, so that the first visitor does not wait for it.
    await asyncio.to_thread(list_shipped)
    stopping = asyncio.Event()
    cleaning = asyncio.create_task(_clean_now_and_then(app, stopping))
    try:
        yield
    finally:
        app.state.draining = True
        # Not cancelled: what it has begun in the database, it ends.
        stopping.set()
        await cleaning
        app.state.figures.close()
        await database.close()


async def prepare_schema(database: Database) -> None:
    """An embedded database is brought up to date; a server's must be.

    Raises SchemaBehindError, with one line that says what to do.
    """
    if await database_revision(database) == code_revision():
        return
    if not database.is_sqlite:
        raise SchemaBehindError(
            "the database's schema is not this version's: run `highwater migrate` first"
        )
    await asyncio.to_thread(upgrade, database.url)


async def _clean_now_and_then(app: FastAPI, stopping: asyncio.Event) -> None:
    while not stopping.is_set():
        try:
            await housekeeping.forget_unused_sessions(app.state.database, now())
            await app.state.shares.forget_old_keys()
        except SQLAlchemyError:
            _log.exception("housekeeping failed; it is tried again")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), _HOUSEKEEPING_EVERY.total_seconds())


def _show(translated: Callable[[Any], HighwaterError]) -> _Handler:
    async def show(request: Request, raised: Any) -> Response:
        error = translated(raised)
        request.app.state.metrics.count("highwater_invalid_input_total", code=error.code)
        if _is_for_people(request):
            return error_page(request, error)
        return errors.problem(error)

    return show


def _is_for_people(request: Request) -> bool:
    """Whether an address is a page's: what programs read is answered with problem+json."""
    path = request.url.path
    is_data = path.startswith(("/api/", "/assets/", "/embed/")) or "." in path.rsplit("/", 1)[-1]
    return request.method in ("GET", "HEAD") and not is_data
