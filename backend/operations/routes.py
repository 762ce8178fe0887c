"""`/livez`, `/readyz` and `/metrics`: for operators, on the service's own port."""

import asyncio

from fastapi import Response
from prometheus_client import CONTENT_TYPE_LATEST

from backend.routing.routes import Router
from backend.services import HealthDep, Services, ServicesDep

router = Router(include_in_schema=False)

_METHODS = ["GET", "HEAD"]


@router.api_route("/livez", methods=_METHODS)
async def livez() -> Response:
    """200 while the event loop responds. Nothing else is checked."""
    return _health_response(passes=True)


@router.api_route("/readyz", methods=_METHODS)
async def readyz(health: HealthDep) -> Response:
    """503 if the service cannot serve requests or is shutting down."""
    return _health_response(passes=await health.is_ready())


@router.api_route("/metrics", methods=_METHODS)
async def read_metrics(services: ServicesDep) -> Response:
    """Metrics for Prometheus. If the database is unavailable, its metrics have the last known
    values.

    Writing them takes tens of milliseconds, so requests at the same time share them.
    """
    metrics = services.metrics
    if metrics.writing is None or metrics.writing.done():
        metrics.writing = asyncio.create_task(_written(services))
    return Response(await asyncio.shield(metrics.writing), media_type=CONTENT_TYPE_LATEST)


async def _written(services: Services) -> bytes:
    metrics = services.metrics
    services.measure_load()
    metrics.database_up.set(await services.health.database_is_usable())
    free = services.health.free_bytes()
    if free is not None:
        metrics.database_free_bytes.set(free)
    load = services.database.load()
    metrics.pool_in_use.set(load.in_use)
    metrics.pool_size.set(load.size)
    metrics.database_waiting.set(load.waiting)
    stored = await services.share_count.result()
    if stored is not None:
        metrics.shares_stored.set(stored)
    elsewhere = [] if services.computing is None else await services.computing.samples()
    return await asyncio.to_thread(metrics.exposition, elsewhere)


def _health_response(*, passes: bool) -> Response:
    return Response(
        f'{{"status":"{"pass" if passes else "fail"}"}}',
        status_code=200 if passes else 503,
        headers=None if passes else {"Retry-After": "5"},
        media_type="application/health+json",
    )
