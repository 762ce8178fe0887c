"""The routes of insights: the summary of shared runs, the shipped campaign and the operator's own
campaigns.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Path, Request
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from backend.database.database import Base
from backend.http.errors import NotFoundError
from backend.http.parameters import reject_repeated
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import REF_TEMPLATE, Problem
from backend.insights import repository
from backend.insights.campaigns import OwnCampaign, find_run, run_of_grid
from backend.insights.schemas import (
    MOST_SEED,
    CampaignRunCreate,
    CampaignRunRead,
    OwnCampaignListRead,
    OwnCampaignRead,
)
from backend.routing.compression import ConstantJson
from backend.routing.routes import DelegatedRoute
from backend.services import LimitActions, ReaderDep, Services, ServicesDep
from sim_engine import (
    CampaignSummary,
    SharedCause,
    SharedFault,
    SharedLesson,
    SharedLoss,
    SharedSummary,
    load_shipped,
    shipped_campaign,
)

router = APIRouter(route_class=DelegatedRoute, prefix="/insights", tags=["insights"])

Row = TypeVar("Row", SharedLoss, SharedFault, SharedCause, SharedLesson)

Cell = Annotated[int, Path(ge=0, le=1_000_000, description="A cell of the campaign.")]
Seed = Annotated[int, Path(ge=0, le=MOST_SEED, description="A run of the cell, from 0.")]


def _documented(document: type[Struct]) -> dict[int | str, dict[str, object]]:
    schema = {"$ref": REF_TEMPLATE.format(name=document.__name__)}
    return {200: {"content": {"application/json": {"schema": schema}}}}


_SUMMARY = _documented(CampaignSummary)


@router.get("/summary", response_class=Response, responses=_documented(SharedSummary))
async def read_summary(db: ReaderDep) -> PlainJsonResponse:
    """The configurations in which the shared runs lost acknowledged records, with counts."""
    return PlainJsonResponse(msgspec.json.encode(await _shared_summary(db)))


async def _shared_summary(db: AsyncSession) -> SharedSummary:
    summary = await repository.get_newest(db)
    if summary is None:
        return SharedSummary(
            generated_at=None,
            engine=None,
            shares_read=0,
            first_share_at=None,
            last_share_at=None,
            loss=(),
            faults=(),
            causes=(),
            lessons=(),
        )
    lessons = _listed(await repository.list_lessons(db, summary.id), SharedLesson)
    return SharedSummary(
        generated_at=_moment(summary.generated_at),
        engine=summary.engine,
        shares_read=summary.shares_read,
        first_share_at=_moment(summary.first_share_at),
        last_share_at=_moment(summary.last_share_at),
        loss=_listed(await repository.list_loss(db, summary.id), SharedLoss),
        faults=_listed(await repository.list_faults(db, summary.id), SharedFault),
        causes=_listed(await repository.list_causes(db, summary.id), SharedCause),
        lessons=tuple(replace(lesson, title=_lesson_title(lesson)) for lesson in lessons),
    )


@router.get("/campaign", response_class=Response, responses=_SUMMARY)
async def read_campaign(request: Request) -> Response:
    """The summary of the simulated campaign that ships with this release."""
    return await _shipped.respond(request)


@router.get("/campaign/runs/{cell}/{seed}", response_model=CampaignRunRead)
async def read_campaign_run(cell: Cell, seed: Seed, services: ServicesDep) -> PlainJsonResponse:
    """A run of the shipped campaign, as a scenario from which a session can be created."""
    return await _run_of(shipped_campaign(), cell, seed, services)


@router.post(
    "/runs",
    response_model=CampaignRunRead,
    dependencies=[Depends(reject_repeated), LimitActions],
    responses={422: described(Problem, "The grid is invalid, or has no such cell.")},
)
async def create_campaign_run(body: CampaignRunCreate, services: ServicesDep) -> PlainJsonResponse:
    """A run of any campaign, from its grid, as a scenario. Nothing is stored."""
    scenario = await services.lanes.compute_long(run_of_grid, body.grid, body.cell, body.seed)
    return PlainJsonResponse({"scenario": scenario})


@router.get("/campaigns", response_model=OwnCampaignListRead)
async def list_campaigns(services: ServicesDep) -> PlainJsonResponse:
    """The campaigns in the folder that the operator of this service has configured."""
    lanes = services.lanes
    campaigns = await lanes.compute_long(services.campaigns.read_all)
    left_out = await lanes.compute_long(services.campaigns.count_left_out)
    return PlainJsonResponse(
        OwnCampaignListRead(
            campaigns=[_entry(one) for one in campaigns], left_out=left_out
        ).model_dump()
    )


@router.get("/campaigns/{campaign_id}", response_class=Response, responses=_SUMMARY)
async def read_own_campaign(campaign_id: str, services: ServicesDep) -> PlainJsonResponse:
    """The summary of one of the configured campaigns."""
    campaign = await services.lanes.compute_long(services.campaigns.find, campaign_id)
    if campaign is None or campaign.summary is None:
        raise NotFoundError("There is no such campaign.")
    return PlainJsonResponse(await services.lanes.compute(msgspec.json.encode, campaign.summary))


@router.get("/campaigns/{campaign_id}/runs/{cell}/{seed}", response_model=CampaignRunRead)
async def read_own_campaign_run(
    campaign_id: str, cell: Cell, seed: Seed, services: ServicesDep
) -> PlainJsonResponse:
    """A run of one of the configured campaigns, as a scenario."""
    campaign = await services.lanes.compute_long(services.campaigns.find, campaign_id)
    if campaign is None or campaign.summary is None:
        raise NotFoundError("There is no such campaign.")
    return await _run_of(campaign.summary, cell, seed, services)


async def _run_of(
    summary: CampaignSummary, cell: int, seed: int, services: Services
) -> PlainJsonResponse:
    scenario = await services.lanes.compute_long(find_run, summary, cell, seed)
    if scenario is None:
        raise NotFoundError("This campaign has no such run.")
    return PlainJsonResponse({"scenario": scenario})


def _entry(own: OwnCampaign) -> OwnCampaignRead:
    summary = own.summary
    return OwnCampaignRead(
        id=own.id,
        name=own.name,
        title="" if summary is None else summary.title,
        runs=0 if summary is None else summary.runs,
        finished_at=None if summary is None else summary.finished_at,
        problem=own.problem,
    )


_shipped = ConstantJson(shipped_campaign)


def _listed(rows: Sequence[Base], shape: type[Row]) -> tuple[Row, ...]:
    return tuple(msgspec.convert(row, shape, from_attributes=True) for row in rows)


def _lesson_title(lesson: SharedLesson) -> dict[str, str]:
    """A lesson's title in every language; the stored title if the library no longer has
    the lesson.
    """
    try:
        return dict(load_shipped(lesson.scenario_id).title)
    except KeyError:
        return lesson.title


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")
