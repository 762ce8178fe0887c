"""A stored share is checked before it is shown, so that changed data is never shown."""

import gzip
import logging
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text, update

from backend.shares.tables import ShareRow
from backend.shares.verified_rows import damaged_shares
from tests.backend.conftest import API, LOSS, PUBLIC_URL, Service


async def change(service: Service, sid: str, **values: Any) -> None:
    async with service.services.database.writing() as database:
        await database.execute(update(ShareRow).where(ShareRow.sid == sid).values(**values))


async def other_frames(service: Service, sid: str) -> bytes:
    """The frames of a share with one changed record value, packed correctly."""
    async with service.services.database.reading() as database:
        packed = (await database.get_one(ShareRow, sid)).timeline
    changed = gzip.decompress(packed).replace(b'"m1"', b'"m9"')
    assert changed != gzip.decompress(packed)
    return gzip.compress(changed)


DAMAGES: dict[str, Any] = {
    "no gzip": {"timeline": b"\x1f\x8bnot"},
    "nothing": {"timeline": b""},
    "no JSON": {"timeline": gzip.compress(b"[{]")},
    "another JSON": {"timeline": gzip.compress(b'{"frames": []}')},
    "other frames": {"timeline": other_frames},
    "no seal": {"seal": ""},
    "another seal": {"seal": "é" * 64},
    "another title": {"title": {"en": "x", "zh": "x"}},
    "another scenario": {"scenario": {}},
    "other steps": {"record": []},
    "another digest": {"digest": "0" * 64},
    "other facts": {"facts": {"kafka": "9.9"}},
    "another time": {"created_at": datetime(2020, 1, 1, tzinfo=UTC)},
    "another number of frames": {"frame_count": 1},
    "another note": {"note": "x"},
    "another origin": {"parent_sid": "1" * 26},
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_what_was_changed_is_not_shown(
    service: Service, damage: str, caplog: pytest.LogCaptureFixture
):
    sid = await service.shared(2, scenario=LOSS)
    values = dict(DAMAGES[damage])
    if values.get("timeline") is other_frames:
        values["timeline"] = await other_frames(service, sid)
    await change(service, sid, **values)

    answers = [
        await service.client.get(f"{API}/shares/{sid}"),
        await service.client.get(f"/s/{sid}.svg"),
        await service.client.post(f"{API}/shares/{sid}/fork"),
        await service.client.get("/oembed", params={"url": f"{PUBLIC_URL}/s/{sid}"}),
    ]

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (500, "share_damaged")
    ] * 4
    logged = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in logged] == ["share_damaged"] * 4


@pytest.mark.parametrize("column", ["facts", "created_at"])
async def test_verify_finds_what_no_link_shows(fresh_service: Service, column: str):
    sid = await fresh_service.shared(2, scenario=LOSS)
    database = fresh_service.services.database
    assert await damaged_shares(database) == (1, [])

    await change(
        fresh_service, sid, **DAMAGES[{"facts": "other facts"}.get(column, "another time")]
    )

    assert await damaged_shares(database) == (1, [sid])


async def test_text_that_is_no_json_is_damage(sqlite_service: Service):
    """PostgreSQL rejects such values, but an SQLite file can be edited."""
    sid = await sqlite_service.shared(2, scenario=LOSS)
    async with sqlite_service.services.database.writing() as database:
        await database.execute(
            text("UPDATE shares SET scenario = '{' WHERE sid = :sid"), {"sid": sid}
        )

    response = await sqlite_service.client.get(f"{API}/shares/{sid}")

    assert (response.status_code, response.json()["code"]) == (500, "share_damaged")


@pytest.mark.parametrize(
    ("lang", "title"), [("en", "This share is damaged"), ("zh", "此分享已损坏")]
)
@pytest.mark.parametrize("form", ["/s/{}", "/e/v1/s/{}"])
async def test_a_page_reports_that_a_share_is_damaged(
    sqlite_service: Service, form: str, lang: str, title: str
):
    sid = await sqlite_service.shared(2, scenario=LOSS)
    await change(sqlite_service, sid, timeline=b"")

    page = await sqlite_service.client.get(form.format(sid), headers={"Accept-Language": lang})

    assert page.status_code == 500
    assert 'data-code="share_damaged"' in page.text
    assert f"<h1>{title}</h1>" in page.text


async def test_steps_that_this_engine_cannot_play_can_still_be_seen(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    sid = await sqlite_service.shared(2, scenario=LOSS)

    def cannot(*_arguments: object, **_named: object) -> None:
        raise ValueError

    monkeypatch.setattr("backend.shares.share.Timeline.replay", cannot)
    forked = await sqlite_service.client.post(f"{API}/shares/{sid}/fork")

    assert (forked.status_code, forked.json()["code"]) == (409, "engine_changed")
    assert (await sqlite_service.client.get(f"{API}/shares/{sid}")).status_code == 200
