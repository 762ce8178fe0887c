"""The OpenAPI document: what every answer and every error looks like.

`highwater openapi` prints it; the frontend's types come from it.
"""

from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from backend.frames.packing import FrameEntry
from backend.http.answers import REF_TEMPLATE
from backend.http.errors import PROBLEM_MEDIA_TYPE
from backend.limits.table import Limit
from backend.limits.table import documents as documents_of_limits
from sim_engine import (
    CampaignSummary,
    ChoiceDocument,
    ComparisonDocument,
    FrameDocument,
    JsonObject,
    PictureDocument,
    SettingDocument,
    StepFormDocument,
    StoryStepDocument,
    describe_documents,
)

_DOCUMENTS = (
    CampaignSummary,
    FrameDocument,
    FrameEntry,
    ChoiceDocument,
    ComparisonDocument,
    PictureDocument,
    SettingDocument,
    StepFormDocument,
    StoryStepDocument,
)

# FastAPI describes its own 422; ours is the problem that all errors are.
_FASTAPIS_OWN = ("HTTPValidationError", "ValidationError")
_PROBLEM = {"$ref": "#/components/schemas/Problem"}


def describe(app: FastAPI, limits: Sequence[Limit]) -> JsonObject:
    """The document of an app; made once, then the same."""
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
        document["components"]["schemas"] = dict(sorted((schemas | documents).items()))
        document["x-limits"] = documents_of_limits(limits)
        app.openapi_schema = document
    return app.openapi_schema


def _describe_errors(responses: JsonObject) -> None:
    for status, answer in responses.items():
        if int(status) < 400:
            continue
        content = answer.get("content", {})
        schema = next((kind["schema"] for kind in content.values() if "schema" in kind), _PROBLEM)
        if any(schema.get("$ref", "").endswith(f"/{name}") for name in _FASTAPIS_OWN):
            schema = _PROBLEM
        answer["content"] = {PROBLEM_MEDIA_TYPE: {"schema": schema}}
