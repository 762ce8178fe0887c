"""The route of the limits."""

from fastapi import APIRouter

from backend.http.json_response import JsonAnswer
from backend.limits import table
from backend.limits.schemas import LimitListRead
from backend.services import SettingsDep

router = APIRouter(tags=["limits"])


@router.get("/limits", response_model=LimitListRead)
async def list_limits(settings: SettingsDep) -> JsonAnswer:
    """Every limit of this service: its number, and the response when it is exceeded."""
    return JsonAnswer({"limits": table.documents(table.all_limits(settings.quotas))})
