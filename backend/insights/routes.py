"""The routes of insights: the summary of shared runs, the shipped campaign and the operator's own
campaigns.
"""

from typing import Annotated

import msgspec
from fastapi import Depends, Path, Request
from msgspec import Struct
from starlette.responses import Response

from backend.http.errors import NotFoundError
from backend.http.parameters import reject_repeated
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import REF_TEMPLATE, Problem
from backend.insights.campaigns import OwnCampaign, find_run, run_of_grid
from backend.insights.schemas import (
    MOST_SEED,
    CampaignRunCreate,
    CampaignRunRead,
    OwnCampaignListRead,
    OwnCampaignRead,
    SearchEntryRead,
    SearchListRead,
)
from backend.insights.summary import shared_summary
from backend.routing.compression import ConstantJson
from backend.routing.files import kept_as_file
from backend.routing.routes import API, DelegatedRoute, Router
from backend.services import LimitActions, ReaderDep, Services, ServicesDep
from sim_engine.campaign.summary import (
    CampaignSummary,
    SearchSummary,
    shipped_campaign,
    shipped_searches,
)
from sim_engine.documents.shares import SharedSummary

router = Router(route_class=DelegatedRoute, prefix=f"{API}/insights", tags=["insights"])

Cell = Annotated[int, Path(ge=0, le=1_000_000, description="A cell of the campaign.")]
Seed = Annotated[int, Path(ge=0, le=MOST_SEED, description="A run of the cell, from 0.")]


def _documented(document: type[Struct]) -> dict[int | str, dict[str, object]]:
    schema = {"$ref": REF_TEMPLATE.format(name=document.__name__)}
    return {200: {"content": {"application/json": {"schema": schema}}}}


_SUMMARY = _documented(CampaignSummary)
_SEARCHED = _documented(SearchSummary)


@router.get("/summary", response_class=Response, responses=_documented(SharedSummary))
@kept_as_file()
async def read_insights_summary(db: ReaderDep) -> PlainJsonResponse:
    """The configurations in which the shared runs lost acknowledged records, with counts."""
    return PlainJsonResponse(msgspec.json.encode(await shared_summary(db)))


@router.get("/campaign", response_class=Response, responses=_SUMMARY)
@kept_as_file()
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


@router.get("/searches", response_model=SearchListRead)
@kept_as_file()
async def list_searches(services: ServicesDep) -> PlainJsonResponse:
    """The searched grids: those that ship, and those in the folder of the configured campaigns."""
    found = await services.lanes.compute_long(services.searched_grids.read_all)
    return PlainJsonResponse(
        SearchListRead(
            searches=[
                SearchEntryRead(id=one.search, title=one.title, cells=len(one.cells))
                for one in found.values()
            ]
        ).model_dump()
    )


@router.get("/searches/{search_id}", response_class=Response, responses=_SEARCHED)
@kept_as_file(search_id=shipped_searches)
async def read_search(search_id: str, services: ServicesDep) -> PlainJsonResponse:
    """The result of a searched grid: the verdict of each cell, and a run for each violation."""
    found = await services.lanes.compute_long(services.searched_grids.read_all)
    if search_id not in found:
        raise NotFoundError("There is no such searched grid.")
    return PlainJsonResponse(await services.lanes.compute(msgspec.json.encode, found[search_id]))


@router.get("/campaigns", response_model=OwnCampaignListRead)
@kept_as_file()
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
    summary = await _own_summary(services, campaign_id)
    return PlainJsonResponse(await services.lanes.compute(msgspec.json.encode, summary))


@router.get("/campaigns/{campaign_id}/runs/{cell}/{seed}", response_model=CampaignRunRead)
async def read_own_campaign_run(
    campaign_id: str, cell: Cell, seed: Seed, services: ServicesDep
) -> PlainJsonResponse:
    """A run of one of the configured campaigns, as a scenario."""
    return await _run_of(await _own_summary(services, campaign_id), cell, seed, services)


async def _own_summary(services: Services, campaign_id: str) -> CampaignSummary:
    campaign = await services.lanes.compute_long(services.campaigns.find, campaign_id)
    if campaign is None or campaign.summary is None:
        raise NotFoundError("There is no such campaign.")
    return campaign.summary


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
