"""The route of the limits."""

from fastapi import APIRouter, Request, Response

from backend import limit_table as table
from backend.constant import ConstantJson
from backend.limits.schemas import LimitListRead
from backend.services import SettingsDep

router = APIRouter(tags=["limits"])


@router.get("/limits", response_model=LimitListRead)
async def list_limits(request: Request, settings: SettingsDep) -> Response:
    """Every limit of this service: its number, and the response when it is exceeded."""
    return await _list.respond(request, *settings.quotas.items())


@ConstantJson
def _list(*quotas: tuple[str, int]) -> dict[str, object]:
    return {"limits": table.documents(table.all_limits(dict(quotas)))}
