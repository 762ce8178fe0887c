"""Shares: small ones are shown by the serving process, large ones by the computing process."""

import sys

import pytest

from tests.backend.computing.conftest import IN_ONE_LOOP
from tests.backend.conftest import API, LOSS, SCENARIO, Service, StartService

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads processes from /proc"),
    IN_ONE_LOOP,
]

SHOWN = [
    "/s/{sid}",
    "/s/{sid}.svg",
    "/s/{sid}.png?w=400",
    "/s/{sid}.html",
    "/e/v1/s/{sid}",
    "/e/v1/s/{sid}/frames.json?from=0&to=64",
    f"{API}/shares/{{sid}}",
    f"{API}/shares/{{sid}}/story?at=0",
]
EXPORTED = [
    "/s/{sid}.png",  # the card, which was drawn where the share was made
    f"{API}/shares/{{sid}}/words?at=0",
    "/s/{sid}.json",
    "/s/{sid}.json?format=itf",
    "/s/{sid}.md",
    "/s/{sid}.mmd",
    "/s/{sid}.yaml",
]


async def test_every_format_of_a_large_share_is_the_same_from_either_process(
    apart: Service,
    passed_on: list[str],
    start_service: StartService,
    monkeypatch: pytest.MonkeyPatch,
):
    sid = await apart.shared(scenario=LOSS)
    monkeypatch.setattr("backend.shares.repository._LARGE_FRAMES", 0)
    passed_on.clear()
    paths = [path.format(sid=sid) for path in SHOWN + EXPORTED]
    there = [await apart.client.get(path) for path in paths]
    async with start_service(apart.settings.database_url) as alone:
        here = [await alone.client.get(path) for path in paths]

    assert passed_on == [f"GET {path.partition('?')[0]}" for path in paths]
    ignored = {"x-request-id", "date"}
    for path, one, other in zip(paths, there, here, strict=True):
        assert (path, one.status_code, one.content) == (path, 200, other.content)
        assert {name: one.headers[name] for name in one.headers if name not in ignored} == {
            name: other.headers[name] for name in other.headers if name not in ignored
        }


async def test_a_small_share_is_shown_by_the_serving_process_and_played_by_the_computing_process(
    apart: Service, passed_on: list[str]
):
    sid = await apart.shared(scenario=SCENARIO)
    passed_on.clear()
    for path in SHOWN + EXPORTED:
        response = await apart.client.get(path.format(sid=sid))
        assert response.status_code == 200, path
    forked = await apart.client.post(f"{API}/shares/{sid}/fork")

    assert forked.status_code == 201, forked.text
    exported = [f"GET {path.format(sid=sid).partition('?')[0]}" for path in EXPORTED]
    assert passed_on == [*exported, f"POST {API}/shares/{sid}/fork"]


async def test_a_share_is_deleted_by_the_serving_process(apart: Service, passed_on: list[str]):
    session = await apart.new_session(scenario=SCENARIO)
    share = await apart.share(session["id"], session["head"])
    passed_on.clear()
    deleted = await apart.client.delete(
        f"{API}/shares/{share['sid']}", headers={"Authorization": f"Bearer {share['delete_token']}"}
    )

    assert deleted.status_code == 204
    assert passed_on == []
    assert (await apart.client.get(f"/s/{share['sid']}.yaml")).status_code == 410
