"""The maximum size of a share, and the cost of reading it."""

from dataclasses import replace

import pytest

from backend.frames.packing import unpacked
from backend.limit_table import RESPONSE_BYTES, SHARE_BYTES
from backend.shares import repository, share, share_creation
from sim_engine.documents.runs import StoredFrame
from tests.backend.conftest import API, LOSS, Service


async def test_a_branch_past_the_limit_is_not_shared(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(share_creation, "SHARE_BYTES", replace(SHARE_BYTES, number=20_000))
    session = await sqlite_service.new_session(scenario=LOSS)

    response = await sqlite_service.ask_to_share(session["id"], 0, "large")

    problem = response.json()
    assert (response.status_code, problem["code"]) == (413, "share_too_large")
    assert (problem["limit"], problem["number"]) == ("share_bytes", 20_000)
    assert await sqlite_service.services.shares.count() == 0


async def test_a_share_is_rendered_within_the_budget(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await sqlite_service.new_session(scenario=LOSS)
    monkeypatch.setattr(sqlite_service.services.lanes, "_budget_s", 0.0)

    response = await sqlite_service.ask_to_share(session["id"], 0, "slow")

    assert (response.status_code, response.json()["code"]) == (422, "budget_exceeded")


@pytest.mark.parametrize("address", [f"{API}/shares/{{}}", "/s/{}.json"])
async def test_the_frames_of_a_share_are_sent_as_they_are_stored(service: Service, address: str):
    sid = await service.shared(3, scenario=LOSS)
    async with service.services.database.reading() as session:
        row = await repository.get(session, sid)
    assert row is not None
    path = address.format(sid)

    async with service.client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as response:
        raw = b"".join([part async for part in response.aiter_raw()])
    plain = await service.client.get(path, headers={"Accept-Encoding": "identity"})
    zipped = await service.client.get(path)

    assert response.headers["content-encoding"] == "gzip"
    assert row.timeline[10:-10] in raw
    assert "content-encoding" not in plain.headers
    assert zipped.json() == plain.json()
    assert "Accept-Encoding" in plain.headers["vary"]
    assert "Accept-Encoding" in zipped.headers["vary"]


@pytest.mark.parametrize("full", ["0", "1"])
async def test_a_share_is_read_in_parts(
    sqlite_service: Service, full: str, monkeypatch: pytest.MonkeyPatch
):
    sid = await sqlite_service.shared(3, scenario=LOSS)
    path = f"{API}/shares/{sid}"
    whole = [*unpacked((await sqlite_service.client.get(path)).json()["frames"])]
    monkeypatch.setattr(share, "RESPONSE_BYTES", replace(RESPONSE_BYTES, number=20_000))

    frames: list[StoredFrame] = []
    first: int | None = 2
    parts = 0
    while first is not None:
        asked = f"{path}?from={first}&to=14&full={full}"
        part = (await sqlite_service.client.get(asked)).json()
        frames += unpacked(part["frames"])
        first = part["next"]
        parts += 1

    assert frames == whole[2:14]
    assert parts > 1


async def test_a_part_after_the_end_is_empty_and_a_wrong_one_refused(sqlite_service: Service):
    path = f"{API}/shares/{await sqlite_service.shared(3, scenario=LOSS)}"

    after = await sqlite_service.client.get(f"{path}?from=400")
    wrong = await sqlite_service.client.get(f"{path}?from=4&to=3")

    assert (after.json()["frames"], after.json()["next"]) == ([], None)
    assert wrong.status_code == 422
