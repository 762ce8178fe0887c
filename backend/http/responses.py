"""Responses of plain data, encoded without a model, and conditional responses: entity tags and 304
Not Modified (RFC 9110 §8.8, §13.1).
"""

import hashlib
import re

import msgspec
from starlette.requests import Request
from starlette.responses import Response

_encoder = msgspec.json.Encoder()
# For content whose address contains its hash.
IMMUTABLE = "public, max-age=31536000, immutable"
# An entity tag: a quoted opaque string. The prefix W/ makes no difference for GET.
_TAGS = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
# The headers of the complete response that a 304 response repeats.
_REPEATED = ("cache-control", "content-security-policy", "etag", "vary")


class PlainJsonResponse(Response):
    """A JSON response from plain data, or from JSON that is already encoded."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Encode the content as JSON in UTF-8. Bytes are already encoded."""
        return content if isinstance(content, bytes) else _encoder.encode(content)


def described(model: object, description: str) -> dict[str, object]:
    """The description of one response of a route, for the OpenAPI document."""
    return {"model": model, "description": description}


def tagged(request: Request, response: Response) -> Response:
    """The response with an entity tag, or 304 without a body if the client already has it.

    Uses the response's own tag (as for a file), otherwise a hash of its body: the content of a page
    also changes with the build and the engine.
    """
    tag = response.headers.get("etag")
    if tag is None:
        tag = f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
        response.headers["etag"] = tag
    if not _holds(request.headers.getlist("if-none-match"), tag):
        return response
    kept = {name: response.headers[name] for name in _REPEATED if name in response.headers}
    unchanged = Response(status_code=304, headers=kept)
    unchanged.headers.add_vary_header("Accept-Encoding")  # as in the compressed full response
    return unchanged


def _holds(fields: list[str], tag: str) -> bool:
    """Whether the list contains this tag, by weak comparison; `*` matches any tag."""
    listed = ",".join(fields)
    return listed.strip() == "*" or tag.removeprefix("W/") in _TAGS.findall(listed)
