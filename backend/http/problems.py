"""Errors as HTTP responses, and the errors of FastAPI and Starlette as ours."""

from http import HTTPStatus

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from backend.http.errors import (
    BadRequestError,
    HighwaterError,
    InvalidInputError,
    NotFoundError,
    Place,
    pointer,
    problem_document,
)
from backend.limit_table import limit_of_parameter

PROBLEM_MEDIA_TYPE = "application/problem+json"


def problem(error: HighwaterError) -> Response:
    """The response for an error: its problem document."""
    return Response(
        problem_document(error),
        status_code=error.status.value,
        media_type=PROBLEM_MEDIA_TYPE,
        headers=error.headers,
    )


# Pydantic's error type → our text.
_CODES = {"extra_forbidden": "extra_forbidden", "missing": "missing", "json_invalid": "bad_json"}


def from_validation(error: RequestValidationError) -> HighwaterError:
    """Pydantic's errors as an InvalidInputError, without the input that Pydantic repeats."""
    places: list[Place] = []
    codes: list[str] = []
    members: dict[str, object] = {}
    for problem in error.errors():
        kind = str(problem["type"])
        location = tuple(problem["loc"])
        source, rest = (location[0], location[1:]) if location else ("body", ())
        if kind == "missing" and source == "body" and not rest:
            return BadRequestError("The body is empty. Send JSON.", code="bad_json")
        if kind == "missing" and source == "header":
            name = str(rest[0]).lower().replace("-", "_")
            message = f"The header {rest[0]} is required."
            return BadRequestError(message, code=f"{name}_missing")
        if kind == "json_invalid":
            return BadRequestError("The body is not valid JSON.", code="bad_json")
        places.append(Place(pointer(*rest), str(problem["msg"]).removeprefix("Value error, ")))
        codes.append(_CODES.get(kind, "invalid"))
        bounds = problem.get("ctx", {})
        limit = limit_of_parameter(rest, bounds.get("le", bounds.get("max_length")))
        if limit is not None:
            members = members or limit.members()
    return InvalidInputError(
        "The request is invalid.", code=codes[0], places=places, members=members
    )


def from_http(error: HTTPException) -> HighwaterError:
    """Our error for one of Starlette's: unknown route, unsupported method."""
    status = HTTPStatus(error.status_code)
    if status is HTTPStatus.NOT_FOUND:
        return NotFoundError()
    other = HighwaterError(
        f"{status.phrase}.", code=status.name.lower(), headers=error.headers or {}
    )
    other.status = status  # type: ignore[misc]  # the one error whose class does not know it
    return other
