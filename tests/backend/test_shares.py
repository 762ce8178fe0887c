"""Shares: created once, never changed, deleted only with the token."""

import asyncio
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from backend.frames.packing import unpacked
from backend.shares.tables import ShareRow
from sim_engine.documents.runs import run_document
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.backend.conftest import API, LOSS, PUBLIC_URL, Service, StartService

CRASH = {"crash": {"broker": 2}}


async def test_a_share_shows_the_frames_of_its_branch(service: Service):
    session = await service.new_session(scenario=LOSS)
    timeline = await service.client.get(f"{API}/sessions/{session['id']}/timeline?full=1")

    created = await service.share(session["id"], 3)
    share = await service.read(f"shares/{created['sid']}")

    assert share["at"] == 3
    assert share["kafka"] == "0.10.2"
    assert share["scenario_id"] == session["scenario_id"]
    assert share["digest"] == created["digest"]
    assert list(unpacked(share["frames"])) == timeline.json()["frames"]
    full = await service.client.get(f"{API}/shares/{created['sid']}?full=1")
    assert full.json()["frames"] == timeline.json()["frames"]


async def test_links_are_made_from_the_public_address(service: Service):
    session = await service.new_session()

    response = await service.client.post(
        f"{API}/shares",
        json={"session": session["id"], "at": 0},
        headers={"Idempotency-Key": session["id"], "Host": "evil", "X-Forwarded-Host": "evil"},
    )

    share = response.json()
    assert share["url"] == f"{PUBLIC_URL}/s/{share['sid']}"
    assert share["embed_url"] == f"{PUBLIC_URL}/e/v1/s/{share['sid']}"
    assert share["svg_url"] == f"{PUBLIC_URL}/s/{share['sid']}.svg"
    assert "evil" not in response.text


async def test_a_share_has_the_branch_through_its_frame_and_no_other(service: Service):
    session = await service.new_session(scenario=LOSS)
    head = session["head"]
    await service.act(session["id"], 3, CRASH)

    newest = await service.read(f"shares/{(await service.share(session['id'], 3))['sid']}")
    ended = await service.read(f"shares/{(await service.share(session['id'], head))['sid']}")
    forked = await service.read(f"shares/{(await service.share(session['id'], head + 1))['sid']}")

    assert [frame["frame"] for frame in newest["frames"]] == [0, 1, 2, 3, head + 1]
    assert [frame["frame"] for frame in ended["frames"]] == list(range(head + 1))
    assert forked["at"] == head + 1
    assert forked["frames"] == newest["frames"]


async def test_the_end_selects_a_branch_at_a_fork(service: Service):
    session = await service.new_session(scenario=LOSS)
    head = session["head"]
    await service.act(session["id"], 3, CRASH)

    async def share(end: int) -> Any:
        body = {"session": session["id"], "at": 2, "end": end}
        return await service.client.post(
            f"{API}/shares", json=body, headers={"Idempotency-Key": f"{session['id']}-{end}"}
        )

    original = await service.read(f"shares/{(await share(head)).json()['sid']}")
    assert original["frames"][-1]["frame"] == head
    wrong = await share(1)
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["where"] == "/end"


async def test_a_share_does_not_change_when_the_session_continues(service: Service):
    session = await service.new_session(scenario=LOSS)
    sid = (await service.share(session["id"], session["head"]))["sid"]
    before = (await service.client.get(f"{API}/shares/{sid}")).content

    await service.act(session["id"], session["head"], CRASH)
    await service.act(session["id"], 1, CRASH)

    assert (await service.client.get(f"{API}/shares/{sid}")).content == before


async def test_a_share_is_the_same_bytes_after_a_restart(
    database_url: str, start_service: StartService
):
    async with start_service(database_url) as service:
        session = await service.new_session(scenario=LOSS)
        created = await service.share(session["id"], 2)
        before = (await service.client.get(f"{API}/shares/{created['sid']}")).content
    async with start_service(database_url) as service:
        after = (await service.client.get(f"{API}/shares/{created['sid']}")).content
        again = await service.ask_to_share(session["id"], 2, f"{session['id']}-2")

    assert after == before
    assert again.status_code == 200
    assert again.json() == created


async def test_the_digest_is_the_one_that_the_command_line_prints_of_the_same_run(service: Service):
    session = await service.new_session(scenario=LOSS)
    timeline = Timeline(read_scenario_document(LOSS))
    timeline.run_all()

    created = await service.share(session["id"], 2)

    assert created["digest"] == run_document(timeline).digest


async def test_the_same_key_in_parallel_makes_one_share(service: Service):
    session = await service.new_session(scenario=LOSS)
    body = {"session": session["id"], "at": 2}

    responses = await asyncio.gather(
        *(
            service.client.post(
                f"{API}/shares", json=body, headers={"Idempotency-Key": session["id"]}
            )
            for _ in range(20)
        )
    )

    assert sorted(response.status_code for response in responses) == [200] * 19 + [201]
    assert len({response.text for response in responses}) == 1


async def test_the_same_key_at_two_processes_makes_one_share(
    database_url: str, start_service: StartService
):
    async with start_service(database_url) as one, start_service(database_url) as two:
        session = await one.new_session(scenario=LOSS)
        body = {"session": session["id"], "at": 2}

        responses = await asyncio.gather(
            *(
                (one if number % 2 else two).client.post(
                    f"{API}/shares", json=body, headers={"Idempotency-Key": session["id"]}
                )
                for number in range(20)
            )
        )

    assert sorted(response.status_code for response in responses) == [200] * 19 + [201]
    assert len({response.text for response in responses}) == 1


async def test_a_key_that_was_used_for_another_body_is_refused(service: Service):
    session = await service.new_session(scenario=LOSS)
    await service.share(session["id"], 2)

    answer = await service.send(
        "shares",
        {"session": session["id"], "at": 1},
        422,
        headers={"Idempotency-Key": f"{session['id']}-2"},
    )

    assert answer["code"] == "idempotency_key_reused"


async def test_a_key_that_another_visitor_chose_does_not_give_its_token(service: Service):
    session = await service.new_session(scenario=LOSS)
    mine = await service.share(session["id"], 2, key="1")
    transport = httpx.ASGITransport(service.app, client=("203.0.113.9", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        same, other = [
            await client.post(
                f"{API}/shares",
                json={"session": session["id"], "at": at},
                headers={"Idempotency-Key": "1"},
            )
            for at in (2, 1)
        ]
    another = await service.new_session(scenario=LOSS)
    of_another = await service.share(another["id"], 2, key="1")

    assert (same.status_code, other.status_code) == (201, 422)
    tokens = {mine["delete_token"], same.json()["delete_token"], of_another["delete_token"]}
    assert len(tokens) == 3


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "idempotency_key_missing"),
        ({"Idempotency-Key": ""}, "idempotency_key_invalid"),
        ({"Idempotency-Key": "x" * 201}, "idempotency_key_invalid"),
    ],
)
async def test_a_share_needs_a_key(sqlite_service: Service, headers: dict[str, str], code: str):
    session = await sqlite_service.new_session()

    answer = await sqlite_service.send(
        "shares", {"session": session["id"], "at": 0}, 400, headers=headers
    )

    assert answer["code"] == code


async def test_more_shares_than_fit_into_the_cache_can_be_viewed_concurrently(
    sqlite_service: Service,
):
    session = await sqlite_service.new_session()
    shares = [
        await sqlite_service.share(session["id"], 0, f"viewed-{number:020}") for number in range(36)
    ]

    async def view(number: int) -> int:
        sid = shares[number % len(shares)]["sid"]
        return (await sqlite_service.client.get(f"{API}/shares/{sid}")).status_code

    for _ in range(3):
        answered = await asyncio.gather(*(view(number * 7) for number in range(120)))
        assert set(answered) == {200}


async def test_only_the_delete_token_deletes(service: Service):
    session = await service.new_session()
    share = await service.share(session["id"], 0)
    address = f"{API}/shares/{share['sid']}"

    for authorization in (
        None,
        "Bearer",
        "Bearer wrong",
        f"Bearer {share['sid']}",
        f"Bearer {session['id']}",
        f"Basic {share['delete_token']}",
        share["delete_token"],
    ):
        headers = {} if authorization is None else {"Authorization": authorization}
        response = await service.client.delete(address, headers=headers)
        assert response.status_code == 404, authorization
    assert (await service.client.get(address)).status_code == 200

    right = {"Authorization": f"Bearer {share['delete_token']}"}
    assert (await service.client.delete(address, headers=right)).status_code == 204

    assert (await service.client.delete(address, headers=right)).status_code == 404
    for gone in (
        await service.client.get(address),
        await service.client.post(f"{address}/fork"),
        await service.client.get(f"/s/{share['sid']}.json"),
        await service.client.get(f"/s/{share['sid']}"),
        await service.client.get(f"/e/v1/s/{share['sid']}"),
    ):
        assert gone.status_code == 410


async def test_nothing_of_a_deleted_share_is_kept(service: Service):
    session = await service.new_session(scenario=LOSS)
    share = await service.share(session["id"], 2)
    token = {"Authorization": f"Bearer {share['delete_token']}"}
    deleted = await service.client.delete(f"{API}/shares/{share['sid']}", headers=token)
    assert deleted.status_code == 204

    async with service.services.database.reading() as database:
        row = await database.get(ShareRow, share["sid"])

    assert row is not None
    assert (row.timeline, row.scenario, row.title, row.facts, row.record) == (b"", {}, {}, {}, [])
    assert row.session_id is None


async def test_a_fork_is_a_session_of_ones_own(service: Service):
    session = await service.new_session(scenario=LOSS)
    await service.act(session["id"], 3, CRASH)
    share = await service.share(session["id"], session["head"] + 1)

    fork = await service.send(f"shares/{share['sid']}/fork", None)

    assert fork["id"] != session["id"]
    assert fork["scenario_id"] == session["scenario_id"]
    timeline = await service.client.get(f"{API}/sessions/{fork['id']}/timeline?full=1")
    frame = timeline.json()["frames"][fork["at"]]
    assert frame["action"] == CRASH
    assert frame["depth"] == 4
    acted = await service.act(fork["id"], fork["at"], {"start": {"broker": 2}})
    assert acted.status_code == 201


async def test_an_unreadable_share_is_reported(service: Service):
    session = await service.new_session()
    share = await service.share(session["id"], 0)
    async with service.services.database.writing() as database:
        await database.execute(
            update(ShareRow).where(ShareRow.sid == share["sid"]).values(timeline=b"\x1f\x8bnot")
        )

    answer = await service.read(f"shares/{share['sid']}", 500)

    assert answer["code"] == "share_damaged"


async def test_a_share_has_the_story_of_its_branch(service: Service):
    session = await service.new_session(scenario=LOSS)
    await service.act(session["id"], 3, CRASH)
    crashed = session["head"] + 1
    told = await service.client.get(f"{API}/sessions/{session['id']}/story?at={crashed}")

    share = await service.read(f"shares/{(await service.share(session['id'], crashed))['sid']}")

    assert share["story"] == told.json()["story"]
    assert {frame["step"] for frame in share["frames"]} == {step["step"] for step in share["story"]}


async def test_a_share_has_the_story_of_a_branch_that_left_a_users_step(service: Service):
    session = (await service.new_session())["id"]
    head = 0
    for step in ({"produce": {"to": "t-0", "values": ["m1"]}}, {"fetch": {"broker": 2}}):
        head = (await service.act(session, head, step)).json()["head"]
    crashed = (await service.act(session, head - 1, CRASH)).json()["head"]
    told = await service.client.get(f"{API}/sessions/{session}/story?at={crashed}")

    share = await service.read(f"shares/{(await service.share(session, crashed))['sid']}")

    assert [(step["title"]["en"], step["messages"]) for step in share["story"]] == [
        ("start", 1),
        ("produce m1", 1),
        ("fetch", head - 2),
        ("crash broker 2", 1),
    ]
    assert share["story"] == told.json()["story"]
    assert all([*step["mark_frames"]] == step["marks"] for step in share["story"])


async def test_a_share_of_nothing_is_not_found(service: Service):
    for path in ("/shares/{}", "/shares/{}?full=1"):
        response = await service.client.get(API + path.format("1" * 26))
        assert response.status_code == 404
    missing = await service.ask_to_share("1" * 26, 0, "k")
    assert missing.status_code == 404


async def test_guessing_is_bounded(service: Service):
    with service.allowing_misses(5):
        statuses = [
            (await service.client.get(f"{API}/shares/{n:026d}")).status_code for n in range(8)
        ]

        assert statuses == [404] * 5 + [429] * 3
        blocked = await service.client.get(f"/s/{'0' * 26}")
        assert blocked.status_code == 429
        assert 0 < int(blocked.headers["retry-after"]) <= 12
        for unknown in ("sessions/{}", "presentations/{}/scene", "shares/{}/story?at=0"):
            guessed = await service.client.get(f"{API}/{unknown.format('1' * 26)}")
            assert guessed.status_code == 429, unknown
        session = await service.new_session()
        share = await service.share(session["id"], 0)
        for found in (
            f"{API}/sessions/{session['id']}",
            f"/s/{share['sid']}",
            f"/e/v1/s/{share['sid']}",
        ):
            assert (await service.client.get(found)).status_code == 200
