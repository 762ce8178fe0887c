"""Old links: every form of address that was ever published or typed, to the oldest shares.

A form is never removed from here. What one showed is what it shows: the digest of the oldest frames
stands in the file beside this one. tests/browser/test_old_links.py opens them in a browser.
"""

import pytest

from tests.backend.conftest import API, Service
from tests.old_shares import BRANCHED, BRANCHED_SID, OLDEST, insert_shares
from tests.old_shares import OLDEST_SID as SID

# Addresses that other sites may contain, and the kind of response. The share dialog wrote `step` at
# first; since then it writes `frame`, and `level=message` for a single message.
FORMS = {
    f"/s/{SID}": "text/html",
    f"/s/{SID}?step=9": "text/html",
    f"/s/{SID}?step=9&lang=zh": "text/html",
    f"/s/{SID}?step=9999": "text/html",
    f"/s/{SID}?frame=4": "text/html",
    f"/s/{SID}?frame=4&lang=zh": "text/html",
    f"/s/{SID}?frame=9999": "text/html",
    f"/s/{SID}?frame=8&level=message": "text/html",
    f"/s/{SID}?frame=4&step=9": "text/html",
    f"/s/{SID}?utm_source=mail": "text/html",
    f"/s/{SID.replace('0', 'o')}": "text/html",
    f"/s/{SID.replace('0', 'O')}": "text/html",
    f"/s/{SID}.": "text/html",
    f"/s/{SID})": "text/html",
    f"/e/v1/s/{SID}": "text/html",
    f"/e/v1/s/{SID}?step=9&theme=dark&lang=zh&autoplay=1": "text/html",
    f"/e/v1/s/{SID}?frame=4": "text/html",
    f"/e/v1/s/{SID}?frame=8&level=message": "text/html",
    f"/e/v1/s/{SID}?frame=4&theme=dark&lang=zh": "text/html",
    f"/s/{SID}.svg": "image/svg+xml",
    f"/s/{SID}.svg?step=9": "image/svg+xml",
    f"/s/{SID}.svg?step=9&theme=dark&lang=zh": "image/svg+xml",
    f"/s/{SID}.svg?step=9&lang=en&v={OLDEST['digest'][:8]}": "image/svg+xml",
    f"/s/{SID}.svg?frame=4": "image/svg+xml",
    f"/s/{SID}.svg?frame=8&level=message": "image/svg+xml",
    f"/s/{SID}.svg?frame=4&theme=dark&lang=zh": "image/svg+xml",
    f"/s/{SID}.svg?range=0-9": "image/svg+xml",
    f"/s/{SID}.svg?range=0-999999999&theme=light&lang=zh": "image/svg+xml",
    f"/s/{SID}.png": "image/png",
    f"/s/{SID}.png?step=9&lang=en&v={OLDEST['digest'][:8]}": "image/png",
    f"/s/{SID}.png?frame=4&lang=en&v={OLDEST['digest'][:8]}": "image/png",
    f"/s/{SID}.png?frame=4&theme=light": "image/png",
    f"/s/{SID}.png?frame=8&level=message&theme=dark&w=1600": "image/png",
    f"/s/{SID}.png?frame=4&theme=dark&lang=zh&w=1600": "image/png",
    f"/s/{SID}.png?w=800": "image/png",
    f"/s/{SID}.json": "application/json",
    f"/s/{SID}.json?format=itf": "application/json",
    f"/s/{SID}.md": "text/markdown",
    f"/s/{SID}.md?lang=zh": "text/markdown",
    f"/s/{SID}.yaml": "application/yaml",
    f"/s/{SID}.mmd": "text/plain",
    f"/s/{SID}.html": "text/html",
    f"/s/{SID}.html?frame=4&theme=dark&lang=zh": "text/html",
    f"{API}/shares/{SID}": "application/json",
    f"{API}/shares/{SID}?full=1": "application/json",
    f"/oembed?url=https%3A%2F%2Fhighwater.example%2Fs%2F{SID}": "application/json",
    f"/oembed?url=https%3A%2F%2Fhighwater.example%2Fe%2Fv1%2Fs%2F{SID}&format=xml": "text/xml",
    f"/oembed?url=https%3A%2F%2Fhighwater.example%2Fs%2F{SID}%3Fframe%3D4": "application/json",
    f"/oembed?url=https%3A%2F%2Fhighwater.example%2Fs%2F{SID}%3Fstep%3D4": "application/json",
    f"/s/{BRANCHED_SID}": "text/html",
    f"/e/v1/s/{BRANCHED_SID}": "text/html",
    f"/e/v1/s/{BRANCHED_SID}?frame=6": "text/html",
    f"/s/{BRANCHED_SID}?frame=6": "text/html",
    f"/s/{BRANCHED_SID}.svg": "image/svg+xml",
    f"/s/{BRANCHED_SID}.md": "text/markdown",
    f"/s/{BRANCHED_SID}.yaml": "application/yaml",
    f"/s/{BRANCHED_SID}.json": "application/json",
    f"{API}/shares/{BRANCHED_SID}": "application/json",
    f"{API}/shares/{BRANCHED_SID}/story?at=6": "application/json",
    f"{API}/gallery": "application/json",
    "/gallery": "text/html",
    "/": "text/html",  # and the run in its fragment: full_state_links.json
    "/embed/v1.js": "text/javascript",
    "/lessons/kip-101-data-loss": "text/html",
    "/lessons/s26": "text/html",
    "/lessons/s26.png": "image/png",
}


# Everything that shows one frame of a share. It is shown where it is named by either word.
OF_A_FRAME = (
    f"/s/{SID}",
    f"/e/v1/s/{SID}",
    f"/s/{SID}.svg",
    f"/s/{SID}.png",
    f"/s/{SID}.html",
)


@pytest.fixture
async def service_of_old_shares(fresh_service: Service) -> Service:
    """A service with every kind of share as it was stored, on each database in turn."""
    await insert_shares(fresh_service.app.state.services.database)
    return fresh_service


async def test_every_form_of_a_link_ever_given_out_is_answered(service_of_old_shares: Service):
    answered = {}
    for form in FORMS:
        response = await service_of_old_shares.client.get(form, follow_redirects=True)
        kind = response.headers["content-type"].partition(";")[0]
        answered[form] = kind if response.status_code == 200 else f"{response.status_code} {kind}"

    assert answered == FORMS


async def test_a_link_shows_the_frame_that_it_names_by_either_word(service_of_old_shares: Service):
    async def shown(address: str) -> bytes:
        response = await service_of_old_shares.client.get(address)
        assert response.status_code == 200, address
        return response.content

    for address in OF_A_FRAME:
        named = await shown(f"{address}?frame=4")

        assert named != await shown(address), address
        assert named == await shown(f"{address}?step=4"), address
        assert named == await shown(f"{address}?frame=4&step=9"), address
        assert named == await shown(f"{address}?frame=4&level=story"), address


async def test_what_the_oldest_link_shows_has_not_changed(service_of_old_shares: Service):
    share = (await service_of_old_shares.client.get(f"/s/{SID}.json")).json()

    assert share["digest"] == OLDEST["digest"]
    assert share["at"] == OLDEST["at"]
    shown = [
        {name: value for name, value in frame.items() if name != "step"}
        for frame in share["frames"]
    ]
    assert shown == OLDEST["frames"]


async def test_what_a_link_with_branches_shows_has_not_changed(service_of_old_shares: Service):
    share = (await service_of_old_shares.client.get(f"/s/{BRANCHED_SID}.json")).json()
    fork = (await service_of_old_shares.client.post(f"{API}/shares/{BRANCHED_SID}/fork")).json()

    shown = ("digest", "at", "title", "note", "frames", "other_frames")
    assert {name: share[name] for name in shown} == {name: BRANCHED[name] for name in shown}
    assert share["forked_from"] == {"share": SID, "root": SID}
    assert fork["frames"] == len(BRANCHED["frames"]) + len(BRANCHED["other_frames"])
