"""Every route responds with the headers of its family."""

import re
from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from backend.pages.site import SITE_PAGES
from tests.backend.conftest import LOSS, PUBLIC_URL, Service, StartService

PAGES = {
    *(page.path for page in SITE_PAGES),
    "/recordings/{name}",
    "/articles/{number}",
    "/challenges/{challenge_id}",
    "/lessons/{scenario_id}",
    "/x/{session_id}",
    "/s/{sid}",
    "/assess/s/{sid}",
    "/p/{code}",
    "/watch",
    "/watch/recording",
    "/docs",
    "/docs/",
    "/lessons",
    "/docs/{page:path}",
}
EMBEDS = {"/e/v1/s/{sid}", "/e/v1/lessons/{scenario_id}"}
EMBED_FRAMES = {f"{embed}/frames.json" for embed in EMBEDS}
_FORMS = ("svg", "gif", "json", "md", "yaml", "mmd", "html")
REPRESENTATIONS = {
    *EMBED_FRAMES,
    *(f"/lessons/{{scenario_id}}.{form}" for form in _FORMS),
    "/s/{sid}.gif",
    "/s/{sid}.json",
    "/s/{sid}.svg",
    "/s/{sid}.png",
    "/s/{sid}.md",
    "/s/{sid}.yaml",
    "/s/{sid}.mmd",
    "/s/{sid}.html",
    "/assess/s/{sid}.json",
    "/assess/s/{sid}.md",
    "/assess/s/{sid}.png",
}
FRAMED_PICTURES = {"/s/{sid}.svg", "/lessons/{scenario_id}.svg"}
CARDS = {
    "/card.png",
    "/{page}.png",
    "/lessons/{scenario_id}.png",
    "/articles/{number}.png",
    "/challenges/{challenge_id}.png",
    "/recordings/{name}.png",
    "/docs/{page:path}.png",
    "/oembed",
    "/feed.xml",
    "/robots.txt",
}
ENGINE = {"/engine/{path:path}"}
FILES = {
    "/assets/{path:path}",
    "/embed/{path:path}",
    "/favicon.svg",
    "/favicon.ico",
    "/docs/images/{name}",
}
OPERATIONS = {"/livez", "/readyz", "/metrics"}


def list_routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    for route in iter_route_contexts(app.routes):
        for method in sorted(route.methods or ()):
            yield method, str(route.path)


async def test_every_route_has_the_headers_of_its_family(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)
    share = await sqlite_service.share(session["id"], 2)
    values = {"id": session["id"], "session_id": session["id"], "sid": share["sid"]}
    seen: set[str] = set()

    for method, template in list_routes(sqlite_service.app):
        path = re.sub(r"\{(\w+)(:path)?\}", lambda m: values.get(m.group(1), "nope"), template)
        response = await sqlite_service.client.request(method, path)
        assert_headers(template, response)
        seen.add(template)

    families = PAGES | EMBEDS | REPRESENTATIONS | CARDS | FILES | ENGINE | OPERATIONS
    assert families <= seen
    assert all(template.startswith("/api/v1/") for template in seen - families)


async def test_errors_have_them_too(sqlite_service: Service):
    for path in ("/nope", "/api/v1/nope", "/s/x.svg", "/e/v1/s/x", "/assets/x", "/x/y"):
        response = await sqlite_service.client.get(path)
        template = {"/e/v1/s/x": "/e/v1/s/{sid}", "/s/x.svg": "/s/{sid}.svg"}.get(path, path)

        assert response.status_code == 404
        assert response.headers["cache-control"] == "no-store"
        assert_headers(template.replace("/assets/x", "/assets/{path:path}"), response)


async def test_an_unexpected_failure_has_the_headers_and_reveals_no_details(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_arguments: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("backend.routing.compression.Constant.respond", fail)

    response = await sqlite_service.client.get("/api/v1/scenarios")

    assert response.status_code == 500
    assert response.json()["code"] == "internal"
    assert "secret" not in response.text
    assert_headers("/api/v1/scenarios", response)


def assert_headers(template: str, response: httpx.Response) -> None:
    headers = response.headers
    policy = headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff", template
    assert headers["strict-transport-security"] == "max-age=31536000", template
    assert "set-cookie" not in headers, template
    varies = headers.get("vary", "").split(", ")
    assert len(varies) == len(set(varies)), (template, varies)
    assert "server" not in headers, template
    assert "default-src 'none'" in policy, template
    # Only a worker compiles WebAssembly: its policy is that of its script.
    assert ("'wasm-unsafe-eval'" in policy) is (template in ENGINE), template
    assert "'unsafe-eval'" not in policy
    script = re.search(r"script-src ([^;]*)", policy)
    if script is not None:
        assert "unsafe-inline" not in script.group(1)
    if template in EMBEDS:
        assert "frame-ancestors" not in policy
        assert "x-frame-options" not in headers
        assert headers["cross-origin-embedder-policy"] == "require-corp"
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert f"script-src 'self' {PUBLIC_URL};" in policy
        return
    if template in FRAMED_PICTURES:
        assert "frame-ancestors" not in policy
        assert "x-frame-options" not in headers
        assert policy.endswith("; sandbox")
        assert headers["access-control-allow-origin"] == "*"
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert headers["x-robots-tag"] == "noindex"
        return
    assert "frame-ancestors 'none'" in policy, template
    if template in FILES | CARDS:
        assert headers["access-control-allow-origin"] == "*", template
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        return
    assert headers["x-frame-options"] == "DENY", template
    if template in ENGINE:
        assert headers["cross-origin-resource-policy"] == "same-origin"
        return
    if template in REPRESENTATIONS:
        assert headers["access-control-allow-origin"] == "*", template
        assert "access-control-allow-credentials" not in headers
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert "sandbox" in policy
        assert headers["x-robots-tag"] == "noindex"
        return
    assert "access-control-allow-origin" not in headers, template
    if template.startswith("/api/") or template in OPERATIONS:
        assert headers["cache-control"] == "no-store", template
    else:
        assert headers["cross-origin-opener-policy"] == "same-origin-allow-popups", template
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy


async def test_the_address_of_a_session_is_neither_sent_as_referrer_nor_indexed(
    sqlite_service: Service,
):
    response = await sqlite_service.client.get(f"/x/{'1' * 26}")

    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-robots-tag"] == "noindex"


async def test_a_picture_in_a_page_may_use_its_own_style_and_no_other(sqlite_service: Service):
    sid = await sqlite_service.shared(0)

    policy = (await sqlite_service.client.get(f"/s/{sid}")).headers["content-security-policy"]

    assert re.search(r"style-src 'self' 'sha256-[A-Za-z0-9+/=]{44}';", policy)


async def test_who_may_embed_can_be_limited(database_url: str, start_service: StartService):
    async with start_service(database_url, frame_ancestors="https://docs.example") as service:
        session = await service.new_session()
        sid = (await service.share(session["id"], 0))["sid"]

        policy = (await service.client.get(f"/e/v1/s/{sid}")).headers["content-security-policy"]

    assert "frame-ancestors https://docs.example" in policy


async def test_no_transport_is_promised_that_is_not_there(
    database_url: str, start_service: StartService
):
    async with start_service(database_url, public_url="http://127.0.0.1:8000") as service:
        assert "strict-transport-security" not in (await service.client.get("/livez")).headers
