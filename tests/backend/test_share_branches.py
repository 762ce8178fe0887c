"""A share with all branches of its run: it opens on one and contains the others."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from backend.frames.packing import unpacked
from backend.limit_table import SHARE_BYTES
from backend.shares import share_creation
from backend.shares.tables import ShareRow
from tests.backend.conftest import API, LOSS, Service

CRASH = {"crash": {"broker": 2}}


async def branched(service: Service) -> dict[str, Any]:
    """A run with three branches; one of them forks in the middle of a step."""
    session = await service.new_session(scenario=LOSS)
    await service.act(session["id"], 3, CRASH)
    await service.act(session["id"], 3, {"settle": {}})
    await service.act(session["id"], session["head"] - 1, {"crash": {"broker": 1}})
    return session


async def test_a_share_with_branches_has_every_frame_the_active_ones_first(service: Service):
    session = await branched(service)
    whole = (await service.read(f"sessions/{session['id']}/timeline?full=1"))["frames"]
    first = (await service.share(session["id"], session["head"]))["sid"]

    sid = (
        await service.share(session["id"], session["head"], f"tree-{session['id']}", branches=True)
    )["sid"]
    shown = await service.read(f"shares/{sid}")
    alone = await service.read(f"shares/{first}")

    assert shown["frames"] == alone["frames"]
    assert (shown["digest"], alone["other_frames"]) == (alone["digest"], [])
    others = [*unpacked(shown["other_frames"])]
    assert sorted([*unpacked(shown["frames"]), *others], key=lambda one: one["frame"]) == whole
    assert len(others) > 2
    # Without parameters, as stored; and one branch is shown as before.
    zipped = await service.client.get(f"/s/{sid}.json", headers={"Accept-Encoding": "gzip"})
    assert zipped.json() == shown
    for form in ("svg", "md", "yaml"):
        one, other = [(await service.client.get(f"/s/{id_}.{form}")).text for id_ in (sid, first)]
        assert one.replace(sid, first) == other


async def test_each_branch_has_the_same_story_as_in_the_session(service: Service):
    session = await branched(service)
    sid = (await service.share(session["id"], session["head"], branches=True))["sid"]
    heads = [
        branch["head"] for branch in (await service.read(f"sessions/{session['id']}"))["branches"]
    ]

    told = [await service.read(f"shares/{sid}/story?at={head}") for head in heads]
    expected = [await service.read(f"sessions/{session['id']}/story?at={h}") for h in heads]
    nowhere = await service.client.get(f"{API}/shares/{sid}/story?at=9999")

    assert len(heads) == 4
    assert told == expected
    assert (nowhere.status_code, nowhere.json()["code"]) == (422, "no_such_frame")


async def test_a_fork_has_the_branches_too(service: Service):
    session = await branched(service)
    sid = (await service.share(session["id"], 2, branches=True))["sid"]

    fork = await service.send(f"shares/{sid}/fork", None)

    path = "sessions/{}/timeline?full=1"
    assert fork["at"] == 2
    assert (await service.read(path.format(fork["id"])))["frames"] == (
        await service.read(path.format(session["id"]))
    )["frames"]


async def test_branches_count_towards_the_size_of_a_share(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await branched(sqlite_service)
    sid = (await sqlite_service.share(session["id"], 0))["sid"]
    frames = (await sqlite_service.read(f"shares/{sid}"))["frames"]
    assert frames
    path = f"{API}/shares/{sid}"
    size = len((await sqlite_service.client.get(path)).content)
    monkeypatch.setattr(share_creation, "SHARE_BYTES", replace(SHARE_BYTES, number=size))

    body = {"session": session["id"], "at": 1, "branches": True}
    problem = await sqlite_service.send("shares", body, 413, headers={"Idempotency-Key": "large"})

    assert (problem["code"], problem["limit"]) == ("share_too_large", "share_bytes")
    assert (await sqlite_service.share(session["id"], 1))["sid"]


@pytest.mark.parametrize(
    "damage",
    [{"other_frames": b""}, {"other_frames": None}, {"tree_record": []}, {"note": "another"}],
)
async def test_what_was_changed_of_the_branches_is_not_shown(
    sqlite_service: Service, damage: dict[str, Any]
):
    session = await branched(sqlite_service)
    sid = (await sqlite_service.share(session["id"], 2, branches=True))["sid"]
    async with sqlite_service.services.database.writing() as database:
        await database.execute(update(ShareRow).where(ShareRow.sid == sid).values(**damage))

    response = await sqlite_service.client.get(f"{API}/shares/{sid}")

    assert (response.status_code, response.json()["code"]) == (500, "share_damaged")
