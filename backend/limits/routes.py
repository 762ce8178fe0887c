"""The route of the limits."""

from fastapi import APIRouter

from backend import limit_table as table
from backend.http.json_response import PlainJsonResponse
from backend.limits.schemas import LimitListRead
from backend.services import SettingsDep

router = APIRouter(tags=["limits"])


@router.get("/limits", response_model=LimitListRead)
async def list_limits(settings: SettingsDep) -> PlainJsonResponse:
    """Every limit of this service: its number, and the response when it is exceeded."""
    return PlainJsonResponse({"limits": table.documents(table.all_limits(settings.quotas))})
