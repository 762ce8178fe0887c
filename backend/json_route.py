"""Routes that read a body: FastAPI's own, but the body is limited, checked and decoded once.

A request for an unknown path or method reaches no route, so its body is never read.
"""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from backend.http.errors import from_validation
from backend.http.json_body import decoded, read_body
from backend.limit_table import BODY_BYTES
from backend.services import services_of

# To decode and to validate more than this can take several milliseconds.
_SHORT_BYTES = 8 * 1024
Answer = Callable[[Request], Coroutine[Any, Any, Response]]
"""FastAPI's handler of a route."""


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
        return await read_body(request, getattr(model, "body_limit", BODY_BYTES))

    def _validated(self, document: object) -> object:
        """The body as its model. FastAPI accepts it as such, and does not validate it again."""
        assert self.body_field is not None
        body, errors = self.body_field.validate(document, {}, loc=("body",))
        if errors:
            raise from_validation(RequestValidationError(errors))
        return body
