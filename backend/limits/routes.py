"""The table of limits, as a document."""

from fastapi import Request, Response
from pydantic import Field

from backend import limit_table as table
from backend.http.schemas import Shape, Text
from backend.routing.compression import ConstantJson
from backend.routing.files import kept_as_file
from backend.routing.routes import API, Router
from backend.services import SettingsDep

router = Router(prefix=API, tags=["limits"])


class LimitRead(Shape):
    """One limit of the service."""

    name: str
    number: int = Field(description="The maximum, in `unit`.")
    unit: str
    status: int | None = Field(
        description="The status when it is exceeded. Null: no request is refused; the response is "
        "truncated with a note, or the connection is closed."
    )
    code: str | None = Field(
        description="The code of the problem when it is exceeded; null if `status` is null."
    )
    what: Text = Field(description="What is limited.")


class LimitListRead(Shape):
    """`x-limits` of the OpenAPI document, with this service's settings."""

    limits: list[LimitRead]


@router.get("/limits", response_model=LimitListRead)
@kept_as_file()
async def list_limits(request: Request, settings: SettingsDep) -> Response:
    """Every limit of this service: its number, and the response when it is exceeded."""
    return await _list.respond(request, *settings.quotas.items())


@ConstantJson
def _list(*quotas: tuple[str, int]) -> dict[str, object]:
    return {"limits": table.documents(table.all_limits(dict(quotas)))}
