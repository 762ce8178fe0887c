"""The OpenAPI document, with every response and every error.

`highwater openapi` prints it; the frontend's types come from it.
"""

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from backend.constant import ConstantJson
from backend.frames.packing import FrameEntry
from backend.http.errors import PROBLEM_MEDIA_TYPE
from backend.http.response_models import REF_TEMPLATE
from backend.limit_table import Limit
from backend.limit_table import documents as documents_of_limits
from backend.shares.player_parts import PlayerRun
from sim_engine import (
    CampaignSummary,
    ChoiceDocument,
    ComparisonDocument,
    FrameDocument,
    PictureDocument,
    Schema,
    SettingDocument,
    SharedSummary,
    StepFormDocument,
    StoryStepDocument,
    alphabet_schemas,
    describe_documents,
)

_DOCUMENTS = (
    CampaignSummary,
    FrameDocument,
    FrameEntry,
    ChoiceDocument,
    ComparisonDocument,
    PictureDocument,
    PlayerRun,
    SettingDocument,
    SharedSummary,
    StepFormDocument,
    StoryStepDocument,
)

# FastAPI describes its own 422 response; ours is a problem document like all other errors.
_FASTAPIS_OWN = ("HTTPValidationError", "ValidationError")
_PROBLEM = {"$ref": "#/components/schemas/Problem"}


def describe(app: FastAPI, limits: Sequence[Limit]) -> Schema:
    """The OpenAPI document of an app, computed once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            routes=app.routes,
        )
        for methods in document["paths"].values():
            for operation in methods.values():
                _describe_errors(operation["responses"])
        schemas = document["components"]["schemas"]
        for name in _FASTAPIS_OWN:
            schemas.pop(name, None)
        _, documents = describe_documents(_DOCUMENTS, ref_template=REF_TEMPLATE)
        schemas |= documents | alphabet_schemas(REF_TEMPLATE)
        document["components"]["schemas"] = dict(sorted(schemas.items()))
        document["x-limits"] = documents_of_limits(limits)
        app.openapi_schema = document
    return app.openapi_schema


def _describe_errors(responses: Schema) -> None:
    for status, response in responses.items():
        if int(status) < 400:
            continue
        content = response.get("content", {})
        schema = next((kind["schema"] for kind in content.values() if "schema" in kind), _PROBLEM)
        if any(schema.get("$ref", "").endswith(f"/{name}") for name in _FASTAPIS_OWN):
            schema = _PROBLEM
        response["content"] = {PROBLEM_MEDIA_TYPE: {"schema": schema}}


def openapi_router(app: FastAPI) -> APIRouter:
    """The route of an app's OpenAPI document."""
    router = APIRouter(include_in_schema=False)
    document = ConstantJson(lambda: app.openapi())

    @router.api_route("/openapi.json", methods=["GET", "HEAD"])
    async def read_openapi(request: Request) -> Response:
        return await document.respond(request)

    return router
