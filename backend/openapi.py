"""The OpenAPI document, with every response and every error.

`highwater openapi` prints it; the frontend's types come from it.
"""

from collections.abc import Sequence
from http import HTTPStatus

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from backend.answers.requests import (
    ActionCreate,
    ComparisonCreate,
    DraftCheck,
    ImportCreate,
    SessionCreate,
    TryCreate,
)
from backend.frames.packing import FrameEntry
from backend.http.problems import PROBLEM_MEDIA_TYPE
from backend.http.schemas import REF_TEMPLATE
from backend.limit_table import Limit
from backend.limit_table import documents as documents_of_limits
from backend.routing.compression import ConstantJson
from backend.runs.player import PlayerRun
from sim_engine.campaign.search_summary import SearchSummary
from sim_engine.campaign.summary import CampaignSummary
from sim_engine.curriculum import SimpleView
from sim_engine.documents.assessment import AssessedSearches, AssessmentPage
from sim_engine.documents.choices import SettingDocument, StepFormDocument
from sim_engine.documents.comparison import ComparisonDocument
from sim_engine.documents.frames import FrameDocument
from sim_engine.documents.lesson_entries import PictureDocument
from sim_engine.documents.operator_reference import OperatorReference
from sim_engine.documents.operator_words import OperatorWords
from sim_engine.documents.schemas import alphabet_schemas, describe_documents
from sim_engine.documents.shares import SharedSummary
from sim_engine.scenario_reader.schema import Schema
from sim_engine.simulation.choices import ChoiceDocument
from sim_engine.story.step_texts import StoryStepDocument

_DOCUMENTS = (
    ActionCreate,
    ComparisonCreate,
    DraftCheck,
    ImportCreate,
    SessionCreate,
    TryCreate,
    AssessedSearches,
    AssessmentPage,
    CampaignSummary,
    FrameDocument,
    FrameEntry,
    ChoiceDocument,
    ComparisonDocument,
    OperatorReference,
    OperatorWords,
    PictureDocument,
    PlayerRun,
    SettingDocument,
    SearchSummary,
    SharedSummary,
    SimpleView,
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
            title=app.title, version=app.version, summary=app.summary, routes=app.routes
        )
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                _add_errors(operation, method, path)
                _describe_errors(operation["responses"])
        schemas = document["components"]["schemas"]
        for name in _FASTAPIS_OWN:
            schemas.pop(name, None)
        _, documents = describe_documents(_DOCUMENTS, ref_template=REF_TEMPLATE)
        schemas |= documents | alphabet_schemas(REF_TEMPLATE)
        document["components"]["schemas"] = dict(sorted(schemas.items()))
        document["components"]["responses"] = {
            _name(status): {
                "description": description,
                "content": {PROBLEM_MEDIA_TYPE: {"schema": _PROBLEM}},
            }
            for status, description in _POSSIBLE.items()
        }
        document["x-limits"] = documents_of_limits(limits)
        app.openapi_schema = document
    return app.openapi_schema


_POSSIBLE = {
    HTTPStatus.BAD_REQUEST: "Not a valid HTTP request, or its body is not JSON.",
    HTTPStatus.FORBIDDEN: "Another site's page sent the request.",
    HTTPStatus.NOT_FOUND: "Nothing has this name, or the name that the body contains.",
    HTTPStatus.CONFLICT: "Another engine version created what the request is about.",
    HTTPStatus.GONE: "What the request is about was deleted or has ended.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body, or what it would create, is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is not plain, uncompressed JSON.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Invalid content, or a limit is exceeded.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests from one network.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The headers are too large.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "An unexpected error, or stored data that is damaged.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The service or its database is unavailable or busy.",
    HTTPStatus.INSUFFICIENT_STORAGE: "The database is full.",
}
"""The errors of `backend.http.errors` that an operation can have without stating them."""
_OF_WRITES = {
    HTTPStatus.FORBIDDEN,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.INSUFFICIENT_STORAGE,
}
_OF_NAMES = {HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.GONE}


def _add_errors(operation: Schema, method: str, path: str) -> None:
    """Add the errors that an operation can have, but keep what it states about one of them. A body
    or a parameter can name something that does not exist, as a path can.
    """
    responses = operation["responses"]
    names = method != "get" or "{" in path or "parameters" in operation
    for status in _POSSIBLE:
        if status in _OF_WRITES and method == "get":
            continue
        if status in _OF_NAMES and not names:
            continue
        responses.setdefault(str(status.value), {"$ref": f"#/components/responses/{_name(status)}"})
    operation["responses"] = dict(sorted(responses.items()))


def _name(status: HTTPStatus) -> str:
    return status.phrase.replace(" ", "")


def _describe_errors(responses: Schema) -> None:
    for status, response in responses.items():
        if int(status) < 400 or "$ref" in response:
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
