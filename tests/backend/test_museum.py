"""Links are for good: what the first version stored, read through today's code.

A form of address is never removed from here, because other sites may contain it. What a share
showed is what it shows. tests/browser/test_museum.py opens the same links in a browser.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from tests.backend.conftest import API, Service, StartService
from tests.museum.exhibits import FIRST

SID = FIRST.sid("lesson")
BRANCHES = FIRST.sid("branches")
KRAFT = FIRST.sid("kraft")

# Addresses that other sites may contain, and the kind of response.
FORMS = {
    f"/s/{SID}": "text/html",
    f"/s/{SID}?frame=4": "text/html",
    f"/s/{SID}?frame=4&lang=zh": "text/html",
    f"/s/{SID}?frame=9999": "text/html",
    f"/s/{SID}?frame=8&level=message": "text/html",
    f"/s/{SID}?utm_source=mail": "text/html",
    f"/s/{SID.upper()}": "text/html",
    f"/s/{SID.replace('1', 'l').replace('0', 'o')}": "text/html",
    f"/s/{SID}.": "text/html",
    f"/s/{SID})": "text/html",
    f"/e/v1/s/{SID}": "text/html",
    f"/e/v1/s/{SID}?frame=4": "text/html",
    f"/e/v1/s/{SID}?frame=8&level=message": "text/html",
    f"/e/v1/s/{SID}?frame=4&theme=dark&lang=zh&autoplay=1": "text/html",
    f"/s/{SID}.svg": "image/svg+xml",
    f"/s/{SID}.svg?frame=4": "image/svg+xml",
    f"/s/{SID}.svg?frame=8&level=message": "image/svg+xml",
    f"/s/{SID}.svg?frame=4&theme=dark&lang=zh": "image/svg+xml",
    f"/s/{SID}.svg?range=0-9": "image/svg+xml",
    f"/s/{SID}.svg?range=0-999999999&theme=light&lang=zh": "image/svg+xml",
    f"/s/{SID}.png": "image/png",
    f"/s/{SID}.png?frame=4&lang=en&v=digest": "image/png",
    f"/s/{SID}.png?frame=8&level=message&theme=dark&w=1600": "image/png",
    f"/s/{SID}.png?w=800": "image/png",
    f"/s/{SID}.json": "application/json",
    f"/s/{SID}.json?format=itf": "application/json",
    f"/s/{SID}.md": "text/markdown",
    f"/s/{SID}.md?frame=4&lang=zh": "text/markdown",
    f"/s/{SID}.yaml": "application/yaml",
    f"/s/{SID}.mmd": "text/plain",
    f"/s/{SID}.html": "text/html",
    f"/s/{SID}.html?frame=4&theme=dark&lang=zh": "text/html",
    f"{API}/shares/{SID}": "application/json",
    f"{API}/shares/{SID}?full=1": "application/json",
    f"{API}/shares/{SID}?from=2&to=9": "application/json",
    f"/oembed?url=https%3A%2F%2Fhighwater.example%2Fs%2F{SID}": "application/json",
    f"/oembed?url=https%3A%2F%2Fhighwater.example%2Fe%2Fv1%2Fs%2F{SID}&format=xml": "text/xml",
    f"/oembed?url=https%3A%2F%2Fhighwater.example%2Fs%2F{SID}%3Fframe%3D4": "application/json",
    f"/s/{BRANCHES}": "text/html",
    f"/s/{BRANCHES}?frame=6": "text/html",
    f"/e/v1/s/{BRANCHES}?frame=6": "text/html",
    f"/s/{BRANCHES}.svg": "image/svg+xml",
    f"/s/{BRANCHES}.md": "text/markdown",
    f"/s/{BRANCHES}.yaml": "application/yaml",
    f"/s/{BRANCHES}.json": "application/json",
    f"{API}/shares/{BRANCHES}": "application/json",
    f"{API}/shares/{BRANCHES}/story?at=30": "application/json",
    f"/s/{KRAFT}": "text/html",
    f"/s/{KRAFT}.svg": "image/svg+xml",
    f"/s/{KRAFT}.md?lang=zh": "text/markdown",
    f"/s/{KRAFT}.yaml": "application/yaml",
    f"/s/{KRAFT}.mmd": "text/plain",
    f"/s/{KRAFT}.json?format=itf": "application/json",
    f"{API}/gallery": "application/json",
    "/gallery": "text/html",
    "/": "text/html",  # and the run in its fragment: full_state_links.json
    "/embed/v1.js": "text/javascript",
    "/lessons/kip-101-data-loss?step=4&kafka=2.0.1": "text/html",
    "/lessons/s26": "text/html",
    "/lessons/s26.png": "image/png",
}


@pytest.fixture
async def museum(
    new_database_url: Callable[[], str], start_service: StartService
) -> AsyncIterator[Service]:
    """A service with everything that the first version stored, on each database in turn."""
    url = await asyncio.to_thread(new_database_url)
    await asyncio.to_thread(FIRST.insert_into, url)
    async with start_service(url) as started:
        yield started


async def test_every_form_of_a_link_is_answered(museum: Service):
    answered = {}
    for form in FORMS:
        response = await museum.client.get(form, follow_redirects=True)
        kind = response.headers["content-type"].partition(";")[0]
        answered[form] = kind if response.status_code == 200 else f"{response.status_code} {kind}"

    assert answered == FORMS


@pytest.mark.parametrize("form", ["/s/{}", "/e/v1/s/{}", "/s/{}.svg", "/s/{}.png", "/s/{}.html"])
async def test_a_link_shows_the_frame_that_it_names(museum: Service, form: str):
    async def shown(query: str) -> bytes:
        response = await museum.client.get(form.format(SID) + query)
        assert response.status_code == 200
        return response.content

    named = await shown("?frame=4")

    assert named != await shown("")
    assert named == await shown("?frame=4&level=story")


@pytest.mark.parametrize("name", ["lesson", "branches", "kraft"])
async def test_what_a_link_shows_has_not_changed(museum: Service, name: str):
    stored = FIRST.row(name)

    share = (await museum.client.get(f"/s/{FIRST.sid(name)}.json")).json()

    assert share["frames"] == FIRST.frames(name)
    others = FIRST.frames(name, "other_frames") if stored["other_frames"] else []
    assert share["other_frames"] == others
    assert [share[key] for key in ("at", "digest", "title", "note", "scenario")] == [
        stored[key] for key in ("at_frame", "digest", "title", "note", "scenario")
    ]
    parent, root = stored["parent_sid"], stored["root_sid"]
    assert share["forked_from"] == (None if parent is None else {"share": parent, "root": root})


async def test_a_fork_has_all_branches(museum: Service):
    fork = await museum.send(f"shares/{BRANCHES}/fork", None)

    assert fork["frames"] == sum(
        len(FIRST.frames("branches", column)) for column in ("timeline", "other_frames")
    )


async def test_the_author_can_delete_a_share_and_nobody_else(museum: Service):
    address = f"{API}/shares/{SID}"
    wrong = {"Authorization": f"Bearer {FIRST.delete_token('kraft')}"}
    right = {"Authorization": f"Bearer {FIRST.delete_token('lesson')}"}

    assert (await museum.client.delete(address, headers=wrong)).status_code == 404
    assert (await museum.client.delete(address, headers=right)).status_code == 204
    for gone in (SID, FIRST.sid("deleted")):
        assert (await museum.client.get(f"/s/{gone}.json")).status_code == 410


async def test_a_run_in_progress_still_belongs_to_its_owner(museum: Service):
    run = f"{API}/sessions/{FIRST.session}"
    act = {"after": 40, "step": {"start": {"broker": 2}}}

    seen = (await museum.client.get(run)).json()
    stranger = await museum.client.post(f"{run}/actions", json=act)
    owner = await museum.client.post(
        f"{run}/actions", json=act, headers={"Authorization": f"Bearer {FIRST.owner_key}"}
    )

    assert (seen["head"], seen["forked_from"]) == (40, {"share": SID})
    assert (stranger.status_code, owner.status_code) == (403, 201)


async def test_every_seal_holds(museum: Service):
    from backend.shares.verified_rows import damaged_shares

    assert await damaged_shares(museum.services.database) == (3, [])
