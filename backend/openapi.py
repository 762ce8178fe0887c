"""The OpenAPI document, with every response and every error.

`highwater openapi` prints it; the frontend's types come from it.
"""

import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from backend.answers.long_requests import (
    AssessmentCreate,
    PartitionSearchCreate,
    SearchCreate,
    SearchedAssessmentCreate,
    WordsCreate,
)
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
from backend.routing.files import kept_as_file
from backend.routing.routes import API, Router
from backend.runs.player import PlayerRun
from sim_engine.campaign.summary import CampaignSummary, SearchSummary
from sim_engine.curriculum import SimpleView
from sim_engine.documents.assessment import AssessedSearches, AssessmentPage
from sim_engine.documents.choices import SettingDocument, StepFormDocument
from sim_engine.documents.comparison import ComparisonDocument
from sim_engine.documents.frames import FrameDocument
from sim_engine.documents.lesson_entries import PictureDocument
from sim_engine.documents.operator_words import OperatorReference, OperatorWords
from sim_engine.documents.schemas import alphabet_schemas, describe_documents
from sim_engine.documents.shares import SharedSummary
from sim_engine.scenario_reader.schema import Schema
from sim_engine.simulation.choices import ChoiceDocument
from sim_engine.story.steps import StoryStepDocument

_DOCUMENTS = (
    ActionCreate,
    ComparisonCreate,
    DraftCheck,
    ImportCreate,
    SessionCreate,
    TryCreate,
    AssessmentCreate,
    PartitionSearchCreate,
    SearchCreate,
    SearchedAssessmentCreate,
    WordsCreate,
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


def describe(app: FastAPI, limits: Sequence[Limit], base_url: str) -> Schema:
    """The OpenAPI document of an app at an address, computed once."""
    if app.openapi_schema is None:
        with warnings.catch_warnings():
            # The HEAD of each public file has the name of its GET, which describes both.
            warnings.filterwarnings("ignore", "Duplicate Operation ID")
            document = get_openapi(
                title=app.title,
                version=app.version,
                summary=app.summary,
                routes=app.routes,
                servers=[{"url": base_url}],
                license_info={"name": "Apache License 2.0", "identifier": "Apache-2.0"},
                contact={"name": "Highwater", "url": f"{base_url}/docs"},
                tags=[{"name": name, "description": said} for name, said in _TAGS.items()],
            )
        for path, methods in document["paths"].items():
            methods.pop("head", None)
            for method, operation in methods.items():
                if not path.startswith(_API):
                    _describe_file(operation, path)
                _add_errors(operation, method, path)
                _describe_errors(operation["responses"])
                _add_examples(operation, method, path, base_url)
                operation["summary"] = _first_sentence(operation["description"])
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
        _make_portable(document)
        app.openapi_schema = document
    return app.openapi_schema


_API = "/api/"
_TAGS = {
    "sessions": "Runs that a visitor acts on: a scenario and the steps taken in it.",
    "searches": "The search for a failure, from any moment of a run.",
    "assessments": "What the next failure does to each partition of a real cluster.",
    "drafts": "Scenario files: checks, the import from a cluster, their JSON Schema.",
    "shares": "Permanent links.",
    "presentations": "Runs shown to a class, which follows them live.",
    "scenarios": "Lessons and their runs under each release of Kafka; releases, settings, steps.",
    "articles": "Claims of articles, each shown by steps of a lesson.",
    "search": "The search over everything that the site shows.",
    "challenges": "Challenges, and the judgement of a try.",
    "fidelity": "Recordings of real clusters beside the same runs here.",
    "gallery": "Shares that their authors have listed.",
    "insights": "Statistics of shared runs, of campaigns and of searched grids.",
    "limits": "What a visitor may do, by name and number.",
    "watch": "The live cluster that `highwater connect --watch --open` reads.",
    "files": "Public addresses of a share and of a lesson: pictures, animations, text, data.",
    "embeds": "What other sites show of a run, and oEmbed.",
}
"""What the operations of each tag are about, in the order of the document."""


def _first_sentence(text: str) -> str:
    """A docstring's first sentence, without its full stop."""
    return re.split(r"(?<=[.;:])\s", " ".join(text.split()), maxsplit=1)[0].rstrip(".;:")


# --- public files -----------------------------------------------------------------------------

_TEXT: Schema = {"type": "string"}
_BYTES: Schema = {"type": "string", "format": "binary"}
_DATA: Schema = {"type": "object", "additionalProperties": True}
_FILES: Mapping[str, tuple[str, Schema]] = {
    ".svg": ("image/svg+xml", _TEXT),
    ".png": ("image/png", _BYTES),
    ".gif": ("image/gif", _BYTES),
    ".html": ("text/html", _TEXT),
    ".md": ("text/markdown", _TEXT),
    ".mmd": ("text/plain", _TEXT),
    ".yaml": ("application/yaml", _TEXT),
    ".json": ("application/json", _DATA),
}
"""The content of a public file, by the end of its address; of others, a page."""


def _describe_file(operation: Schema, path: str) -> None:
    """Describe the content of a public file, and that a client may have it already."""
    dot = "." + path.rpartition(".")[2]
    media_type, schema = _FILES.get(dot, _FILES[".html"])
    of_route = operation["responses"]["200"]
    if of_route.get("content", {}).get("application/json", {}).get("schema", {}) == {}:
        of_route["content"] = {media_type: {"schema": schema}}
    operation["responses"].setdefault("304", {"description": "Unchanged: see `If-None-Match`."})


# --- examples ---------------------------------------------------------------------------------

_ID = "2zzwggrz6wfqbqjnf2kjg3n0c3"
_LESSON = "kip-101-data-loss"
_DESCRIBED = "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3"
_CLUSTER: Schema = {"files": [{"name": "topics.txt", "text": _DESCRIBED}]}
_SCENARIO: Schema = {
    "id": "my-run",
    "kafka": "3.9",
    "brokers": [1, 2],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
}
_MOMENT: Schema = {"first": 0, "frame": 3}
_GRID: Schema = {
    "grid": 1,
    "kafka": ["3.9"],
    "acks": ["all"],
    "replication_factor": [2],
    "steps": 5,
    "seed": 1,
    "faults": {"crash": 1},
}
_VALUES: Mapping[str, object] = {
    "id": _ID,
    "sid": _ID,
    "code": "k7m2p",
    "scenario_id": _LESSON,
    "kafka": "3.9",
    "other": "2.0.1",
    "search_id": "0" * 32,
    "challenge_id": "at-risk",
    "campaign_id": "shipped",
    "cell": 0,
    "seed": 0,
    "name": "clean-failover-tail-4.1.1",
    "number": 1,
    "partition": "orders-0",
    "q": "unclean election",
    "url": f"https://highwater.example/lessons/{_LESSON}",
    "idempotency-key": "c5c1b0ad-6d7c-4b3b-9f0e-6a7f6c1e2d3f",
    "from": 0,
    "to": 32,
    "at": 3,
    "after": 3,
}
"""An example of each parameter that a request must have."""
_BODIES: Mapping[str, Schema] = {
    "create_session": {"scenario_id": _LESSON, "kafka": "3.9"},
    "take_step": {"after": 0, "step": {"crash": {"broker": 1}}},
    "compare_session": {"kafka": "2.0.1"},
    "search_for_failure": {"property": "NoAckedRecordLost", "budget": {"crash": 1}, "seconds": 2},
    "assess_cluster": {**_CLUSTER, "down": [3]},
    "search_partition": {**_CLUSTER, "partition": "orders-0"},
    "write_report": _CLUSTER,
    "hide_secrets": _CLUSTER,
    "read_operator_words_of_cluster": {"scenario": _SCENARIO},
    "share_assessment": _CLUSTER,
    "check_draft": {"scenario_text": json.dumps(_SCENARIO)},
    "import_from_cluster": _CLUSTER,
    "create_share": {"session": _ID, "at": 3, "title": "A record is lost"},
    "fork_share": {"owned": True},
    "create_presentation": {"session": _ID, "moment": _MOMENT},
    "show_moment": _MOMENT,
    "fork_presentation": {"owned": True},
    "vote_in_presentation": {"question": "0", "voter": "0" * 32, "choice": 1},
    "try_challenge": {"moves": [{"power_loss": {"broker": 1}}]},
    "create_campaign_run": {"grid": _GRID, "cell": 0, "seed": 0},
}
"""An example of each request's body, by the operation."""


def _add_examples(operation: Schema, method: str, path: str, base_url: str) -> None:
    """Add an example of each required parameter and of the body, and of the whole request as a
    command. A client can send it, with an id of its own.
    """
    address, query, sent = path, {}, []
    for parameter in operation.get("parameters", ()):
        name = parameter["name"]
        if not parameter.get("required") and name not in ("kafka", "url"):
            continue
        value = parameter["example"] = _VALUES[name]
        match parameter["in"]:
            case "path":
                address = address.replace(f"{{{name}}}", str(value))
            case "query":
                query[name] = value
            case _:
                sent.append(f"-H '{name}: {value}'")
    body = _BODIES.get(operation["operationId"])
    if "requestBody" in operation:
        [content] = operation["requestBody"]["content"].values()
        content["example"] = body
        sent += ["-H 'Content-Type: application/json'", f"-d '{json.dumps(body)}'"]
    verb = [] if method == "get" else [f"-X {method.upper()}"]
    asked = f"?{urlencode(query)}" if query else ""
    words = ["curl", *verb, *sent, f"'{base_url}{address}{asked}'"]
    operation["x-codeSamples"] = [{"lang": "shell", "source": " ".join(words)}]


# --- what other tools read --------------------------------------------------------------------

_JSON_TYPES: Mapping[type, str] = {
    bool: "boolean",
    int: "integer",
    str: "string",
    type(None): "null",
}
_KEYWORDS = {"ge": "minimum", "le": "maximum"}


def _make_portable(document: Schema) -> None:
    """Remove what generators of clients refuse or ignore, where it says nothing: that a list has no
    more items, if its greatest length says so; an `enum` of a switch, or of values of
    several types; and Pydantic's words for limits of a number.
    """
    for schema in _mappings(document):
        if schema.get("items") is False and schema.get("maxItems") == len(schema["prefixItems"]):
            del schema["items"]
        kinds: dict[str, list[object]] = {}
        for value in schema["enum"] if isinstance(schema.get("enum"), list) else ():
            kinds.setdefault(_JSON_TYPES[type(value)], []).append(value)
        if kinds.keys() == {"boolean"}:
            del schema["enum"]
            schema["type"] = "boolean"
        if len(kinds.keys() - {"null"}) > 1:
            del schema["enum"]
            schema["anyOf"] = [{"type": kind, "enum": named} for kind, named in kinds.items()]
        for word, keyword in _KEYWORDS.items():
            if isinstance(schema.get(word), int) and schema.get("type") == "integer":
                schema[keyword] = schema.pop(word)


def _mappings(value: object) -> Iterator[Schema]:
    if isinstance(value, dict):
        yield value
        for inner in list(value.values()):
            yield from _mappings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _mappings(inner)


# --- errors -----------------------------------------------------------------------------------

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
    router = Router(prefix=API, include_in_schema=False)
    document = ConstantJson(lambda: app.openapi())

    @router.api_route("/openapi.json", methods=["GET", "HEAD"])
    @kept_as_file()
    async def read_openapi(request: Request) -> Response:
        return await document.respond(request)

    return router
