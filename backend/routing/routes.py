"""Routes that read a body, and routes about runs.

A body is limited, checked and decoded once. A request for an unknown path or method reaches no
route, so its body is never read.

The computing process, if there is one, answers the requests about runs. A request is passed on
before anything of it is read but the size of its body; the computing process refuses what is wrong
with it. The visitor's quotas, and ids that do not exist, are counted here.
"""

from collections.abc import Callable, Coroutine
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from backend.http.errors import BadRequestError, LimitError, UnsupportedMediaTypeError
from backend.http.json_document import decoded
from backend.http.problems import from_validation
from backend.identifiers import canonical_id
from backend.limit_table import BODY_BYTES, Limit
from backend.services import CountUnknownIds, limits_of, services_of

API = "/api/v1"
"""Where the routes of the API are."""

Router = partial(APIRouter, generate_unique_id_function=lambda route: route.name)
"""The routes of a room. A router declares everything about its routes, also where they are, and no
router includes another: FastAPI would prepare each route anew for each router that includes it,
which took a third of a process's start.
"""

# To decode and to validate more than this can take several milliseconds.
_SHORT_BYTES = 8 * 1024
Answer = Callable[[Request], Coroutine[Any, Any, Response]]
"""FastAPI's handler of a route."""


_READING = frozenset({"GET", "HEAD"})
# The path parameters that name a run: of a session, a share or a presentation.
_NAMES = frozenset({"id", "sid", "code"})


class _JsonRequest(Request):
    """A request whose body has been read and decoded."""

    raw: bytes = b""
    document: object = None

    async def body(self) -> bytes:
        """The body as it arrived."""
        return self.raw

    async def json(self) -> object:
        """The decoded body, as FastAPI asks for it."""
        return self.document


class JsonRoute(APIRoute):
    """A route whose body, if it has one, is a JSON document.

    Its limit is `body_limit` of the body's model.
    """

    def get_route_handler(self) -> Answer:
        """The route's handler, as FastAPI asks for it."""
        return partial(self.respond, answer=super().get_route_handler())

    async def respond(self, request: Request, answer: Answer) -> Response:
        """The response to a request; `answer` is FastAPI's handler."""
        if self.body_field is None:
            return await answer(request)
        read = _JsonRequest(request.scope, request.receive)
        read.raw = await self.body_of(request)
        if len(read.raw) > _SHORT_BYTES:
            compute = services_of(request).lanes.compute
            read.document = await compute(self._validated, await compute(decoded, read.raw))
        elif read.raw:
            read.document = decoded(read.raw)
        return await answer(read)

    async def body_of(self, request: Request) -> bytes:
        """The body as it arrived; empty if the route has none, which is then never read."""
        if self.body_field is None:
            return b""
        model = self.body_field.field_info.annotation
        return await _read_body(request, getattr(model, "body_limit", BODY_BYTES))

    def _validated(self, document: object) -> object:
        """The body as its model. FastAPI accepts it as such, and does not validate it again."""
        assert self.body_field is not None
        body, errors = self.body_field.validate(document, {}, loc=("body",))
        if errors:
            raise from_validation(RequestValidationError(errors))
        return body


class DelegatedRoute(JsonRoute):
    """A route that computes something about a run."""

    async def respond(self, request: Request, answer: Answer) -> Response:
        """The response of the computing process, or of this one if there is none."""
        services = services_of(request)
        if services.computing is None or not await self.is_passed_on(request):
            return await super().respond(request, answer)
        body = await self.body_of(request)
        for limit in limits_of(self.dependencies):
            services.take(limit)
        response = await services.computing.respond(request, body)
        if response.status_code == HTTPStatus.NOT_FOUND and CountUnknownIds in self.dependencies:
            services.count_unknown_id()
        if "code" in request.path_params:
            # The followers of a presentation are connected to this process.
            services.presentations.wake(request.path_params["code"].lower())
        return response

    async def is_passed_on(self, request: Request) -> bool:
        """Whether a request brings something to compute, or names a run. Other responses of such
        a room, as its JSON Schema, are constant.
        """
        return request.method not in _READING or not _NAMES.isdisjoint(request.path_params)


class DelegatedShare(DelegatedRoute):
    """A route about a share. To show it is to decode it, which takes long only if it is large. To
    delete it takes no time. What an operator sees in it is computed by replaying it. Its card is
    kept where it was drawn, when the share was made.
    """

    async def is_passed_on(self, request: Request) -> bool:
        """Whether a large share is shown, or a run is shared, forked or replayed."""
        if request.method not in _READING:
            return request.method == "POST"
        if request.url.path.endswith("/words") or _is_card(request):
            return True
        sid = canonical_id(request.path_params.get("sid", ""))
        return sid is not None and await services_of(request).shares.is_large(sid)


def _is_card(request: Request) -> bool:
    """Whether the picture of a share's link card is requested: a PNG without a width."""
    return request.url.path.endswith(".png") and "w" not in request.query_params


async def _read_body(request: Request, limit: Limit) -> bytes:
    """The whole body. Raises LimitError as soon as it is larger than `limit`, and
    UnsupportedMediaTypeError, before any of it is read, unless it is uncompressed JSON in UTF-8.
    """
    headers = request.headers
    encoding = ", ".join(headers.getlist("content-encoding")) or "identity"
    if encoding.strip().lower() != "identity":
        raise UnsupportedMediaTypeError(
            "The body must not be compressed.", code="content_encoding_unsupported"
        )
    declared = headers.get("content-length", "0")
    if declared.isdigit() and int(declared[:12]) > limit.number:
        raise LimitError(limit)
    has_body = declared != "0" or "transfer-encoding" in headers
    if has_body or "content-type" in headers:
        _check_content_type(", ".join(headers.getlist("content-type")))

    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            # Counted as it arrives, because the declared length cannot be trusted.
            if len(body) > limit.number:
                raise LimitError(limit)
    except ClientDisconnect:
        raise BadRequestError("The body ended early.", code="bad_json") from None
    if body and not has_body:
        _check_content_type("")
    return bytes(body)


def _check_content_type(value: str) -> None:
    kind, *parameters = value.lower().split(";")
    plain = kind.strip() == "application/json"
    for parameter in parameters:
        name, _, charset = parameter.strip().partition("=")
        if name and (name != "charset" or charset.strip('"') not in ("utf-8", "utf8")):
            plain = False
    if not plain:
        raise UnsupportedMediaTypeError(
            "The body must be application/json in UTF-8.", code="content_type_unsupported"
        )
