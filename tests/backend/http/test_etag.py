"""Content that a client already has is not sent again, on every route with entity tags."""

import pytest

from tests.backend.conftest import Service

TAGGED = [
    "/s/{sid}.json",
    "/s/{sid}.svg",
    "/s/{sid}.md",
    "/s/{sid}.html",
    "/e/v1/s/{sid}",
    "/e/v1/s/{sid}/frames.json?from=0&to=16",
    "/assets/index-AbCdEf12.js",
    "/favicon.svg",
]


@pytest.mark.parametrize("path", TAGGED)
async def test_a_route_that_tags_its_answer_does_not_send_it_twice(
    sqlite_service: Service, sid: str, path: str
):
    path = path.format(sid=sid)
    first = await sqlite_service.client.get(path)

    again = await sqlite_service.client.get(path, headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, again.status_code) == (200, 304)
    assert again.content == b""
    for name in ("etag", "cache-control", "content-security-policy"):
        assert again.headers[name] == first.headers[name], name
    assert again.headers["vary"].startswith(first.headers.get("vary", ""))


@pytest.mark.parametrize(
    ("field", "status"),
    [
        ("{tag}", 304),
        ("W/{tag}", 304),
        ('"other", {tag}', 304),
        ('W/"a,b" ,W/{tag}', 304),
        ("*", 304),
        (" * ", 304),
        ('"other"', 200),
        ('W/"other"', 200),
        ("", 200),
        ("no quotes", 200),
        ('"{bare}x"', 200),
        ("{bare}", 200),
    ],
)
async def test_tags_are_compared_as_http_specifies(
    sqlite_service: Service, sid: str, field: str, status: int
):
    path = f"/s/{sid}.json"
    tag = (await sqlite_service.client.get(path)).headers["etag"]

    asked = field.format(tag=tag, bare=tag.strip('"'))
    response = await sqlite_service.client.get(path, headers={"If-None-Match": asked})

    assert response.status_code == status


async def test_an_embed_of_another_step_or_language_has_another_tag(
    sqlite_service: Service, sid: str
):
    tags = {
        (await sqlite_service.client.get(f"/e/v1/s/{sid}{query}")).headers["etag"]
        for query in ("?frame=0", "?frame=2", "?frame=2&lang=zh")
    }

    assert len(tags) == 3
