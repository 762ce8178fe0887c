"""The headers of every response, by the kind of resource; and requests that are refused for theirs.

There is one table for all routes, so that no route can omit a header. A route may add to it (a page
with a picture lists the hash of its style) but never remove anything. Only resources that may be
embedded allow it.

Requests from other sites' pages that would change something are refused. There are no cookies to
steal. But without this check, any web page could create sessions on a service on the same machine
or network.
"""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi.routing import iter_route_contexts
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.http.errors import CrossSiteError
from backend.http.problems import problem
from backend.settings import Settings

_NO_FRAME_ANCESTORS = "frame-ancestors 'none'"
_API_POLICY = f"default-src 'none'; {_NO_FRAME_ANCESTORS}"
# The worker decompresses a script, and loads it from a blob: URL.
_ENGINE_POLICY = (
    "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; connect-src 'self' blob:; "
    f"{_NO_FRAME_ANCESTORS}"
)
_SANDBOXED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_DATA_POLICY = f"{_SANDBOXED}; {_NO_FRAME_ANCESTORS}"
_ISOLATED = "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
FETCH_SITE = "Sec-Fetch-Site"
OTHER_ORIGINS = ("same-site", "cross-site")
"""The values of `Sec-Fetch-Site` for a request that a page of a different origin makes."""
_DENIED = {"X-Frame-Options": "DENY"}
_FOR_AN_HOUR = {"Cache-Control": "public, max-age=3600"}
_NOT_INDEXED = {"X-Robots-Tag": "noindex"}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Family:
    """Responses that share their headers; `owns` decides which paths belong to the family."""

    name: str
    owns: Callable[[str], bool]
    headers: dict[str, str]


def page_policy(*, frame_ancestors: str, styles: str = "") -> str:
    """The content security policy of an app page: only this site's files, no inline scripts."""
    policy = _policy("'self'", "form-action 'self'", frame_ancestors, styles)
    # The share dialog contains a preview of the embed.
    return f"{policy}; frame-src 'self'"


def embed_policy(settings: Settings, *, fetch_site: str | None = None) -> str:
    """The content security policy of the embed, which must not touch the page around it.

    In a page of a different origin (`fetch_site`, what the request's `Sec-Fetch-Site` states) the
    browser keeps the two apart. The embed then keeps its own origin, so that all embeds of a page
    share the browser's cache. In a page of this origin, or if the browser does not state it, the
    policy takes its origin away.
    """
    scheme, _, rest = settings.base_url.partition("://")
    # In a sandbox, browsers interpret 'self' differently.
    own = f"'self' {scheme}://{rest.partition('/')[0]}"
    policy = _policy(own, "form-action 'none'", settings.frame_ancestors, "")
    return policy if fetch_site in OTHER_ORIGINS else f"{policy}; {_ISOLATED}"


def _policy(own: str, form_action: str, frame_ancestors: str, styles: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {own}",
            f"style-src {own} {styles}".rstrip(),
            f"img-src {own} data:",
            f"font-src {own}",
            f"connect-src {own}",
            "base-uri 'none'",
            form_action,
            "object-src 'none'",
            *_framed_by(frame_ancestors),
        ]
    )


def _framed_by(sources: str) -> list[str]:
    """The directive for the sites that may embed a page. None for all, because `*` does not include
    pages that are opened from a disk."""
    return [] if sources == "*" else [f"frame-ancestors {sources}"]


def families(settings: Settings) -> list[Family]:
    """The families in the order in which they are tried: the first match applies, and the last one
    matches every path.
    """
    cross_origin = {
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    picture_policy = "; ".join([_SANDBOXED, *_framed_by(settings.frame_ancestors)])
    page = {
        "Content-Security-Policy": page_policy(frame_ancestors="'none'"),
        "Cache-Control": "no-cache",
        "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        **_DENIED,
    }
    return [
        Family(
            "frames of an embed",
            lambda path: path.startswith("/e/") and path.endswith(".json"),
            {
                # A sandboxed embed may have an opaque origin: its requests are then cross-origin.
                **cross_origin,
                "Content-Security-Policy": _DATA_POLICY,
                **_FOR_AN_HOUR,
                **_DENIED,
                **_NOT_INDEXED,
            },
        ),
        Family(
            "embed",
            lambda path: path.startswith("/e/"),
            {
                "Content-Security-Policy": embed_policy(settings),
                "Cross-Origin-Resource-Policy": "cross-origin",
                # Cross-origin-isolated sites can embed only pages with this header.
                "Cross-Origin-Embedder-Policy": "require-corp",
                "Cache-Control": "public, max-age=300",
                "Referrer-Policy": "strict-origin-when-cross-origin",
                **_NOT_INDEXED,
            },
        ),
        Family(
            "picture",
            lambda path: path.startswith(("/s/", "/lessons/")) and path.endswith(".svg"),
            {
                **cross_origin,
                "Content-Security-Policy": picture_policy,
                "Cache-Control": "public, max-age=3600, must-revalidate",
                **_NOT_INDEXED,
            },
        ),
        Family(
            "card, feed, or what oEmbed responds",
            lambda path: path in ("/oembed", "/feed.xml", "/robots.txt") or _is_card(path),
            {**cross_origin, "Content-Security-Policy": _API_POLICY, **_FOR_AN_HOUR, **_DENIED},
        ),
        Family(
            "representation",
            lambda path: path.startswith(("/s/", "/assess/s/", "/lessons/")) and "." in path,
            {
                **cross_origin,
                "Content-Security-Policy": _DATA_POLICY,
                "Cache-Control": "public, max-age=3600, must-revalidate",
                **_DENIED,
                **_NOT_INDEXED,
            },
        ),
        Family(
            "asset",
            lambda path: path.startswith(("/assets/", "/embed/", "/docs/images/", "/favicon.")),
            {**cross_origin, "Content-Security-Policy": _API_POLICY, **_FOR_AN_HOUR},
        ),
        Family(
            "engine of a page",
            lambda path: path.startswith("/engine/"),
            # A worker has the policy of its script, and only this one compiles WebAssembly.
            {
                "Content-Security-Policy": _ENGINE_POLICY,
                "Cross-Origin-Resource-Policy": "same-origin",
                **_FOR_AN_HOUR,
                **_DENIED,
            },
        ),
        Family(
            "api",
            lambda path: path.startswith("/api/"),
            {
                "Content-Security-Policy": _API_POLICY,
                "Cache-Control": "no-store",
                "Cross-Origin-Resource-Policy": "same-origin",
                **_DENIED,
            },
        ),
        Family(
            "operation",
            lambda path: path in ("/livez", "/readyz", "/metrics"),
            {"Content-Security-Policy": _API_POLICY, "Cache-Control": "no-store", **_DENIED},
        ),
        Family(
            "session page",
            lambda path: path.startswith("/x/"),
            # The address contains the session's id, which grants the right to act.
            {**page, "Referrer-Policy": "no-referrer", **_NOT_INDEXED},
        ),
        Family(
            "page of a share or a presentation",
            lambda path: path.startswith(("/s/", "/assess/s/", "/p/")),
            {**page, **_NOT_INDEXED},
        ),
        Family("page", lambda path: True, page),
    ]


_NO_CARDS = ("/s/", "/assess/s/", "/assets/", "/embed/", "/docs/images/", "/api/", "/e/", "/x/")


def _is_card(path: str) -> bool:
    """Whether a path is the card of a page that search engines may list."""
    return path.endswith(".png") and not path.startswith(_NO_CARDS)


class Headers:
    """ASGI middleware that adds the headers of the family to each response."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._families = families(settings)
        self._everywhere = {"X-Content-Type-Options": "nosniff"}
        if settings.base_url.startswith("https://"):
            self._everywhere["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers that the route has not set itself."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        family = next(family for family in self._families if family.owns(scope["path"]))

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (self._everywhere | family.headers).items():
                    headers.setdefault(name, value)
                varies = {
                    name.strip().title() for name in ",".join(headers.getlist("vary")).split(",")
                }
                if varies != {""}:
                    headers["Vary"] = ", ".join(sorted(varies))
                if _NO_FRAME_ANCESTORS not in headers["Content-Security-Policy"]:
                    # The route's policy states which sites may embed this. The older header could
                    # only contradict it.
                    del headers["X-Frame-Options"]
                if message["status"] >= 400:
                    # An error must not be cached: the resource may exist later.
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, complete)


def methods_of(request: Request) -> str:
    """The methods of every route that matches a request's path, as the header `Allow` lists them.

    The error that a router raises names only those of the first route that matches.
    """
    path = request.scope["path"]
    return ", ".join(
        sorted(
            {
                method
                for route in iter_route_contexts(request.app.routes)
                if route.path_regex.match(path)
                for method in route.methods or ()
            }
        )
    )


class SameSite:
    """ASGI middleware that rejects changing requests from pages of other sites. Browsers send the
    origin of a request; other clients send none and are allowed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 403 if a page of another site would change something."""
        if scope["type"] == "http" and scope["method"] not in _SAFE:
            for name, value in scope["headers"]:
                if name == b"sec-fetch-site" and value == b"cross-site":
                    await problem(CrossSiteError())(scope, receive, send)
                    return
        await self.app(scope, receive, send)
