"""What the analytics found, as they wrote it; what the campaign that ships found, and one's own."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from functools import cache

import msgspec
from fastapi import APIRouter
from starlette.responses import Response

from backend.database import Base
from backend.http.answers import REF_TEMPLATE
from backend.http.errors import NotFoundError
from backend.http.json_response import JsonAnswer
from backend.insights import repository
from backend.insights.campaigns import OwnCampaign
from backend.insights.schemas import (
    FaultRead,
    LessonRead,
    LossRead,
    OwnCampaignListRead,
    OwnCampaignRead,
    SummaryRead,
)
from backend.services import ReaderDep, ServicesDep
from sim_engine import CampaignSummary, shipped_campaign

router = APIRouter(prefix="/insights", tags=["insights"])

_SUMMARY: dict[int | str, dict[str, object]] = {
    200: {
        "content": {
            "application/json": {
                "schema": {"$ref": REF_TEMPLATE.format(name=CampaignSummary.__name__)}
            }
        }
    }
}


@router.get("/summary", response_model=SummaryRead)
async def read_summary(session: ReaderDep) -> JsonAnswer:
    """The configurations that lost acknowledged records in the runs shared so far, with counts."""
    summary = await repository.get_newest(session)
    if summary is None:
        return JsonAnswer(
            {
                "generated_at": None,
                "engine": None,
                "shares_read": 0,
                "first_share_at": None,
                "last_share_at": None,
                "loss": [],
                "faults": [],
                "lessons": [],
            }
        )
    return JsonAnswer(
        {
            "generated_at": _moment(summary.generated_at),
            "engine": summary.engine,
            "shares_read": summary.shares_read,
            "first_share_at": _moment(summary.first_share_at),
            "last_share_at": _moment(summary.last_share_at),
            "loss": _listed(await repository.list_loss(session, summary.id), LossRead),
            "faults": _listed(await repository.list_faults(session, summary.id), FaultRead),
            "lessons": _listed(await repository.list_lessons(session, summary.id), LessonRead),
        }
    )


@router.get("/campaign", response_class=Response, responses=_SUMMARY)
async def read_campaign() -> JsonAnswer:
    """The summary of the simulated campaign that ships with this release."""
    return JsonAnswer(_shipped())


@router.get("/campaigns", response_model=OwnCampaignListRead)
async def list_campaigns(services: ServicesDep) -> JsonAnswer:
    """The campaigns that whoever runs this service has put into the folder of its settings."""
    found = await asyncio.to_thread(services.campaigns.read_all)
    return JsonAnswer(OwnCampaignListRead(campaigns=[_entry(one) for one in found]).model_dump())


@router.get("/campaigns/{campaign_id}", response_class=Response, responses=_SUMMARY)
async def read_own_campaign(campaign_id: str, services: ServicesDep) -> JsonAnswer:
    """The summary of one of these campaigns."""
    found = await asyncio.to_thread(services.campaigns.find, campaign_id)
    if found is None or found.summary is None:
        raise NotFoundError("There is no such campaign.")
    return JsonAnswer(await asyncio.to_thread(msgspec.json.encode, found.summary))


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


@cache
def _shipped() -> bytes:
    return msgspec.json.encode(shipped_campaign())


def _listed(
    rows: Sequence[Base], shape: type[LossRead] | type[FaultRead] | type[LessonRead]
) -> list[dict[str, object]]:
    return [shape.model_validate(row, from_attributes=True).model_dump() for row in rows]


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")
