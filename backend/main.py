"""The application: the only place where the parts of the service are wired together.

    request → Headers → RequestLog → Visits → SameSite → Compress → routes

Every response, including errors, has the headers of its family and is logged. Routes about runs
pass their requests to the computing process, which has the same routes.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

import backend.articles.routes
import backend.assessments.page
import backend.assessments.routes
import backend.challenges.routes
import backend.documentation.routes
import backend.drafts.routes
import backend.embeds.oembed
import backend.embeds.routes
import backend.fidelity.routes
import backend.gallery.feed
import backend.gallery.routes
import backend.insights.routes
import backend.lessons.routes
import backend.limits.routes
import backend.operations.routes
import backend.pages.assets
import backend.pages.cards
import backend.pages.lessons
import backend.pages.routes
import backend.pages.share_page
import backend.presentations.routes
import backend.scenarios.routes
import backend.searches.routes
import backend.sessions.routes
import backend.shares.representations
import backend.shares.routes
import backend.site_contents.routes
import backend.watches.routes
from backend.computing.process import ComputingProcess
from backend.documentation.generated import Subject
from backend.documentation.library import Library
from backend.html.error_page import error_page
from backend.http import problems
from backend.http.errors import HighwaterError
from backend.http.headers import Headers, SameSite, methods_of
from backend.limit_table import ANSWERING_SECONDS_A_MINUTE, TRANSFERRED_BYTES_A_MINUTE, all_limits
from backend.limits.baton import Baton
from backend.limits.quotas import quotas_of
from backend.limits.turns import Turns
from backend.limits.visits import Visits
from backend.openapi import describe, openapi_router
from backend.operations.housekeeping import clean_now_and_then
from backend.operations.logs import RequestLog
from backend.operations.metrics import Metrics
from backend.operations.migrations import prepare_schema
from backend.routing.compression import Compress
from backend.scenarios.routes import warm_up
from backend.services import Services, services_of
from backend.settings import Settings
from backend.watches.watch import Watched
from sim_engine.curriculum import PATH
from sim_engine.identifiers import ENGINE_VERSION

_LOCAL = ("127.0.0.1", "localhost")
_FOR_PROGRAMS = ("/api/", "/assets/", "/embed/", "/oembed")
# Any: a handler takes the class of exception that it is registered for.
_Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]
_Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(
    settings: Settings, *, computes_apart: bool = False, watch: Watched | None = None
) -> FastAPI:
    """Create the app. Its `Services` are created and its database is opened at startup, and with
    `computes_apart` also its computing process is started. With `watch`, it shows this live
    cluster or recording, to browsers of this machine only.
    """
    metrics = Metrics()
    baton = Baton()
    quotas = quotas_of(settings.quotas, processes=settings.processes)
    # These two count whatever a request asks for.
    seconds = quotas.get(ANSWERING_SECONDS_A_MINUTE.name)
    transferred = quotas.get(TRANSFERRED_BYTES_A_MINUTE.name)
    return _app(
        settings,
        metrics,
        lifespan=_lifespan(settings, metrics, baton, watch, computes_apart=computes_apart),
        middleware=[
            Middleware(Headers, settings=settings),
            # A page elsewhere whose name leads to this machine would be read as this site.
            *([Middleware(TrustedHostMiddleware, allowed_hosts=_LOCAL)] if watch else []),
            Middleware(RequestLog, metrics=metrics),
            Middleware(Visits, turns=Turns(baton), seconds=seconds, transferred=transferred),
            Middleware(SameSite),
            Middleware(Compress),
        ],
    )


def create_computing_app(settings: Settings) -> FastAPI:
    """Create the app of the computing process. The serving process passes requests on to it, which
    it has checked, counted and logged.
    """
    metrics = Metrics()
    baton = Baton()
    unlimited = settings.model_copy(update=dict.fromkeys(settings.quotas, 0))
    return _app(
        unlimited,
        metrics,
        lifespan=_computing_lifespan(unlimited, metrics, baton),
        middleware=[
            # The serving process counts the requests.
            Middleware(RequestLog, metrics=Metrics()),
            Middleware(Visits, turns=Turns(baton)),
            Middleware(Compress),
        ],
    )


def _app(
    settings: Settings, metrics: Metrics, *, lifespan: _Lifespan, middleware: list[Middleware]
) -> FastAPI:
    app = FastAPI(
        title="Highwater",
        summary="See how Apache Kafka replicates data, break it, and share the result.",
        version=ENGINE_VERSION,
        docs_url=None,  # both would load scripts from other servers
        redoc_url=None,
        openapi_url=None,  # it would be encoded anew for each visitor
        redirect_slashes=False,  # each resource has exactly one address
        lifespan=lifespan,
        middleware=middleware,
        exception_handlers={
            HighwaterError: _show(lambda error: error),
            RequestValidationError: _show(problems.from_validation),
            HTTPException: _show(problems.from_http),
        },
    )
    app.state.metrics = metrics
    app.router.routes.extend(_routes())
    app.router.routes.extend(openapi_router(app).routes)
    app.openapi = partial(  # type: ignore[method-assign]  # as FastAPI documents it
        describe, app, all_limits(settings.quotas), settings.base_url
    )
    return app


def _routes() -> list[BaseRoute]:
    """The routes of every app, in the order in which they are matched."""
    rooms = (
        backend.sessions.routes,
        backend.searches.routes,
        backend.assessments.routes,
        backend.drafts.routes,
        backend.shares.routes,
        backend.presentations.routes,
        backend.scenarios.routes,
        backend.lessons.routes,
        backend.articles.routes,
        backend.site_contents.routes,
        backend.challenges.routes,
        backend.fidelity.routes,
        backend.gallery.routes,
        backend.insights.routes,
        backend.limits.routes,
        backend.watches.routes,
        backend.embeds.routes,
        backend.embeds.oembed,
        backend.shares.representations,
        backend.gallery.feed,
        backend.pages.share_page,
        backend.assessments.page,
        backend.pages.lessons,
        backend.pages.cards,
        backend.pages.routes,
        backend.documentation.routes,
        backend.pages.assets,
        backend.operations.routes,
    )
    return [route for room in rooms for route in room.router.routes]


def _lifespan(
    settings: Settings,
    metrics: Metrics,
    baton: Baton,
    watch: Watched | None,
    *,
    computes_apart: bool,
) -> _Lifespan:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        documentation = Library(Subject(settings, app.openapi))
        computing = (
            ComputingProcess(settings, on_restart=metrics.computing_restarts.inc)
            if computes_apart
            else None
        )
        services = app.state.services = Services.of(
            settings, metrics, baton, documentation, computing, watch
        )
        stopping = asyncio.Event()
        try:
            await prepare_schema(services.database)
            if computing is not None:
                computing.start()
            await asyncio.to_thread(warm_up)
            # The front page plays it.
            await asyncio.to_thread(services.lessons.prepare, PATH[0])
            await services.figures.prepare()
            if computing is not None:
                await computing.tried()
            cleaning = asyncio.create_task(clean_now_and_then(services.database, metrics, stopping))
            try:
                yield
            finally:
                services.health.drain()
                # Not cancelled, so that it can finish its database transaction.
                stopping.set()
                await cleaning
        finally:
            await services.close()

    return lifespan


def _computing_lifespan(settings: Settings, metrics: Metrics, baton: Baton) -> _Lifespan:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        documentation = Library(Subject(settings, app.openapi))
        services = app.state.services = Services.of(settings, metrics, baton, documentation)
        try:
            # Nothing is prepared: no request for what is constant is passed on.
            services.database.remember_file()
            yield
        finally:
            await services.close()

    return lifespan


def _show(translated: Callable[[Any], HighwaterError]) -> _Handler:
    async def show(request: Request, raised: Any) -> Response:
        error = translated(raised)
        if error.status is HTTPStatus.METHOD_NOT_ALLOWED:
            error.headers["Allow"] = methods_of(request)
        services = services_of(request)
        services.metrics.invalid_input.labels(code=error.code).inc()
        if _is_for_people(request):
            return error_page(request, services.frontend, error)
        return problems.problem(error)

    return show


def _is_for_people(request: Request) -> bool:
    """Whether a path is a page's. Errors of all other paths are problem+json.

    A dot begins a file's extension, except in the name of a recording: it contains a release.
    """
    path = request.url.path
    is_recording = path.startswith("/recordings/") and not path.endswith(".png")
    is_file = "." in path.rsplit("/", 1)[-1] and not is_recording
    is_data = path.startswith(_FOR_PROGRAMS) or is_file
    return request.method in ("GET", "HEAD") and not is_data
