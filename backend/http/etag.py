"""Answers that need not be sent again: entity tags and 304 Not Modified (RFC 9110 §8.8, §13.1)."""

import hashlib
import re

from starlette.requests import Request
from starlette.responses import Response

# For what stands at an address that changes with it.
IMMUTABLE = "public, max-age=31536000, immutable"
# An entity tag with its opaque part in quotes; the W/ before it makes no difference to a GET.
_TAGS = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
# What a 304 says again about the answer that it stands for.
_REPEATED = ("cache-control", "content-security-policy", "etag", "vary")


def tagged(request: Request, response: Response) -> Response:
    """The answer with an entity tag, or 304 without a body where the client holds it already.

    The tag is the one that the answer has, as a file's, or else the hash of its body: what fills a
    page changes with the build and the engine, and not only with what the page is about.
    """
    tag = response.headers.get("etag")
    if tag is None:
        tag = f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
        response.headers["etag"] = tag
    if not _holds(request.headers.getlist("if-none-match"), tag):
        return response
    kept = {name: response.headers[name] for name in _REPEATED if name in response.headers}
    unchanged = Response(status_code=304, headers=kept)
    unchanged.headers.add_vary_header("Accept-Encoding")  # as the answer itself has it once zipped
    return unchanged


def _holds(fields: list[str], tag: str) -> bool:
    """Whether one of the tags listed is this one, weakly compared; `*` is any."""
    listed = ",".join(fields)
    return listed.strip() == "*" or tag.removeprefix("W/") in _TAGS.findall(listed)
