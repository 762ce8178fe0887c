"""`/livez`, `/readyz` and `/metrics`: for who runs the service, on its own port."""

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST

from backend.services import HealthDep, MetricsDep, SharesDep, TimelinesDep

router = APIRouter(include_in_schema=False)

_METHODS = ["GET", "HEAD"]


@router.api_route("/livez", methods=_METHODS)
async def livez() -> Response:
    """The event loop answers. Asks nobody else."""
    return _health_response(passes=True)


@router.api_route("/readyz", methods=_METHODS)
async def readyz(health: HealthDep) -> Response:
    """503 while the service cannot serve, or is about to stop."""
    return _health_response(passes=await health.is_ready())


@router.api_route("/metrics", methods=_METHODS)
async def read_metrics(metrics: MetricsDep, shares: SharesDep, timelines: TimelinesDep) -> Response:
    """What Prometheus collects from this process."""
    metrics.sessions_open.set(len(timelines))
    metrics.shares_stored.set(await shares.count())
    return Response(metrics.exposition(), media_type=CONTENT_TYPE_LATEST)


def _health_response(*, passes: bool) -> Response:
    return Response(
        f'{{"status":"{"pass" if passes else "fail"}"}}',
        status_code=200 if passes else 503,
        media_type="application/health+json",
    )
