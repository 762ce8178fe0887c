"""The title and note of a share's author, and the share that its run was forked from."""

import unicodedata
from typing import Any

import pytest

from backend.limit_table import NOTE_CHARACTERS, TITLE_CHARACTERS
from backend.shares.tables import ShareRow
from sim_engine.scenario_reader.reader import read_scenario_text
from tests.backend.conftest import API, LOSS, PUBLIC_URL, Service

TITLE = "Why <b>we</b> lost & m2"
NOTE = "The leader was <i>alone</i>.\n\nSee our post-mortem: `rm -rf`."


async def shared(service: Service, key: str, **said: Any) -> dict[str, Any]:
    session = await service.new_session(scenario=LOSS)
    response = await service.client.post(
        f"{API}/shares",
        json={"session": session["id"], "at": 3, **said},
        headers={"Idempotency-Key": f"{key}-{session['id']}"},
    )
    answered: dict[str, Any] = response.json()
    return {"status": response.status_code, **answered}


async def test_title_and_note_are_shown_wherever_the_share_is(service: Service):
    sid = (await shared(service, "words", title=f"  {TITLE}\n", note=f"{NOTE}\n\n\n"))["sid"]

    async def get(path: str) -> str:
        response = await service.client.get(path)
        assert response.status_code == 200, (path, response.text)
        return response.text

    share = await service.read(f"shares/{sid}")
    page, embed, offline = [
        await get(path) for path in (f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.html")
    ]
    embedding = (await service.client.get(f"/oembed?url={PUBLIC_URL}/s/{sid}")).json()

    escaped = "Why &lt;b&gt;we&lt;/b&gt; lost &amp; m2"
    assert share["title"] == share["words"]["title"] == {"en": TITLE, "zh": TITLE}
    assert share["note"] == NOTE
    assert f"<title>{escaped} · Highwater</title>" in page
    assert "<p>The leader was &lt;i&gt;alone&lt;/i&gt;.</p><p>See our" in page
    assert f'property="og:title" content="{escaped}"' in page
    assert "– The leader was" in page[: page.index("</head>")]
    assert f"<title>{escaped}</title>" in embed
    assert "<p>The leader was &lt;i&gt;alone" in offline
    assert (embedding["title"], embedding["description"]) == (TITLE, NOTE)
    assert "<b>" not in page + embed
    assert "> The leader was \\<i\\>alone\\</i\\>." in await get(f"/s/{sid}.md")
    assert "accTitle: Why #60;b#62;we" in await get(f"/s/{sid}.mmd")
    assert (
        NOTE
        in (await service.client.get(f"/s/{sid}.json?format=itf")).json()["#meta"]["description"]
    )
    file = await get(f"/s/{sid}.yaml")
    assert "# The leader was <i>alone</i>.\n#\n# See our post-mortem" in file
    assert read_scenario_text(file).title["en"] == TITLE


@pytest.mark.parametrize(
    ("limit", "member"), [(TITLE_CHARACTERS, "title"), (NOTE_CHARACTERS, "note")]
)
async def test_words_past_their_limit_are_refused(service: Service, limit: Any, member: str):
    fits = await shared(service, "fits", **{member: "字" * limit.number})
    refused = await shared(service, "long", **{member: "x" * (limit.number + 1)})

    assert fits["status"] == 201
    assert (refused["status"], refused["limit"]) == (422, limit.name)
    assert refused["errors"][0]["where"] == f"/{member}"


@pytest.mark.parametrize(
    ("first", "each"),
    [
        ("", "x"),
        ("", "字"),
        ("", "𠮷"),  # two units of UTF-16
        ("", "e\u0301"),  # é in two characters, stored as one
        ("x", "\u0334"),  # one grapheme that grows
    ],
)
async def test_a_title_has_as_many_characters_of_any_script(
    service: Service, first: str, each: str
):
    most = TITLE_CHARACTERS.number - len(first)

    fits = await shared(service, "fits", title=first + each * most)
    refused = await shared(service, "long", title=first + each * (most + 1))

    assert (fits["status"], refused["status"]) == (201, 422)
    assert refused["limit"] == "title_characters"
    share = await service.read(f"shares/{fits['sid']}")
    assert share["title"]["en"] == unicodedata.normalize("NFC", first + each * most)


@pytest.mark.parametrize("title", ["", "  \n ", "\u202e\u2067"])
async def test_an_empty_title_is_none(sqlite_service: Service, title: str):
    sid = (await shared(sqlite_service, "empty", title=title, note=title))["sid"]

    share = await sqlite_service.read(f"shares/{sid}")

    assert (share["title"], share["note"]) == (LOSS["title"], None)


async def test_marks_of_direction_are_left_out(sqlite_service: Service):
    sid = (await shared(sqlite_service, "turned", title="a\u202eb", note="c\u2066d"))["sid"]

    share = await sqlite_service.read(f"shares/{sid}")

    assert (share["title"]["en"], share["note"]) == ("ab", "cd")


async def test_the_same_key_with_other_words_is_refused(sqlite_service: Service):
    session = (await sqlite_service.new_session(scenario=LOSS))["id"]

    async def share(**said: Any) -> int:
        response = await sqlite_service.client.post(
            f"{API}/shares",
            json={"session": session, "at": 3, **said},
            headers={"Idempotency-Key": "same"},
        )
        return response.status_code

    assert [await share(), await share(), await share(note="x")] == [201, 200, 422]


async def test_lineage_is_kept_from_fork_to_fork(service: Service):
    first = (await shared(service, "first"))["sid"]

    async def forked(sid: str, *, copied: bool = False) -> str:
        run = (await service.client.post(f"{API}/shares/{sid}/fork")).json()
        if copied:
            run = await service.new_session(session=run["id"], at=run["head"])
        again: str = (await service.share(run["id"], 1))["sid"]
        return again

    second = await forked(first)
    third = await forked(second, copied=True)
    share = await service.read(f"shares/{third}")
    root = await service.read(f"shares/{first}")
    page = (await service.client.get(f"/s/{third}?lang=zh")).text
    text = (await service.client.get(f"/s/{third}.md")).text

    assert root["forked_from"] is None
    assert share["forked_from"] == {"share": second, "root": first}
    assert f'复制自 <a href="/s/{second}">' in page
    assert f"Forked from <{PUBLIC_URL}/s/{second}>" in text


async def test_nothing_of_a_deleted_shares_words_is_kept(service: Service):
    created = await shared(service, "deleted", title="secret", note="secret", branches=True)

    await service.client.delete(
        f"{API}/shares/{created['sid']}",
        headers={"Authorization": f"Bearer {created['delete_token']}"},
    )

    async with service.services.database.reading() as session:
        row = await session.get_one(ShareRow, created["sid"])
    assert (row.title, row.note, row.other_frames, row.tree_record) == ({}, None, None, None)
