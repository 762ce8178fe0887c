"""Commands on stored data: takedown, purge, verify; a running service applies them immediately."""

import asyncio
import gzip
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from backend import cli
from backend.database.database import now
from backend.presentations.tables import PresentationRow, VoteRow
from backend.sessions.tables import SessionRow
from backend.shares.tables import TAKEDOWN_REASONS, ShareRow
from backend.shares.verified_rows import seal_of
from sim_engine.languages import LANGUAGES
from tests.backend.conftest import API, LOSS, Service
from tests.backend.test_presentations import QUESTION, VOTERS, present


async def highwater(service: Service, *arguments: str) -> int:
    """Runs a command on the service's database in a thread, because it starts an event loop."""
    return await asyncio.to_thread(
        cli.run, [*arguments, "--database", service.settings.database_url]
    )


async def shared(service: Service) -> str:
    sid = await service.shared(2, scenario=LOSS)
    assert (await service.client.get(f"{API}/shares/{sid}")).status_code == 200
    return sid


async def test_a_share_that_was_taken_down_is_hidden_and_can_come_back(service: Service):
    sid = await shared(service)

    assert await highwater(service, "takedown", sid, "--reason", "privacy") == 0
    hidden = [
        await service.client.get(path)
        for path in (f"{API}/shares/{sid}", f"/s/{sid}.svg", f"/s/{sid}.md", f"/e/v1/s/{sid}")
    ]
    forked = await service.client.post(f"{API}/shares/{sid}/fork")
    assert await highwater(service, "takedown", sid, "--undo") == 0

    assert [answer.status_code for answer in [*hidden, forked]] == [410] * 5
    assert hidden[0].json()["code"] == "taken_down"
    assert hidden[0].json()["reason"] == "privacy"
    assert (await service.client.get(f"{API}/shares/{sid}")).status_code == 200


async def test_what_was_erased_does_not_come_back(
    service: Service, capsys: pytest.CaptureFixture[str]
):
    sid = await shared(service)

    assert await highwater(service, "takedown", sid, "--erase") == 0
    assert await highwater(service, "takedown", sid, "--undo") == 2

    assert "deleted" in capsys.readouterr().err
    assert (await service.client.get(f"{API}/shares/{sid}")).status_code == 410
    async with service.services.database.reading() as session:
        row = await session.get_one(ShareRow, sid)
        assert (row.timeline, row.scenario, row.title) == (b"", {}, {})


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_a_page_states_the_reason_why_a_share_was_taken_down(
    sqlite_service: Service, lang: str
):
    sid = await shared(sqlite_service)
    said = set()
    for reason in TAKEDOWN_REASONS:
        await highwater(sqlite_service, "takedown", sid, "--reason", reason)
        page = await sqlite_service.client.get(f"/s/{sid}", headers={"Accept-Language": lang})
        assert page.status_code == 410
        assert f'data-reason="{reason}"' in page.text
        said.add(page.text.partition("<h1>")[2].partition("</main>")[0])

    assert len(said) == len(TAKEDOWN_REASONS)


async def test_a_share_that_is_not_there_cannot_be_taken_down(
    sqlite_service: Service, capsys: pytest.CaptureFixture[str]
):
    assert await highwater(sqlite_service, "takedown", "1" * 26) == 2
    assert await highwater(sqlite_service, "takedown", "nope") == 2

    assert capsys.readouterr().err.count("highwater: ") == 2


async def test_purge_deletes_expired_data_and_prints_the_numbers(
    fresh_service: Service, capsys: pytest.CaptureFixture[str]
):
    old, _young = [await fresh_service.new_session() for _ in range(2)]
    shown = [await present(fresh_service) for _ in range(3)]
    await shown[0].show(question=QUESTION)
    await shown[0].vote(VOTERS[0], 1)
    database = fresh_service.services.database
    async with database.writing() as session:
        await session.execute(
            update(SessionRow)
            .where(SessionRow.id == old["id"])
            .values(last_used_at=now() - timedelta(days=31))
        )
        await session.execute(
            update(PresentationRow)
            .where(PresentationRow.code.in_([presented.code for presented in shown[:2]]))
            .values(updated_at=now() - timedelta(days=1, minutes=1))
        )

    assert await highwater(fresh_service, "purge", "--dry-run") == 0
    async with database.reading() as session:
        votes_after_counting = await session.scalar(select(func.count()).select_from(VoteRow))
    assert await highwater(fresh_service, "purge") == 0
    assert await highwater(fresh_service, "purge") == 0

    assert capsys.readouterr().out.splitlines() == [
        "1 unused sessions, 0 idempotency keys and 2 old presentations would be deleted",
        "1 unused sessions, 0 idempotency keys and 2 old presentations deleted",
        "0 unused sessions, 0 idempotency keys and 0 old presentations deleted",
    ]
    async with database.reading() as session:
        assert (await session.scalars(select(PresentationRow.code))).all() == [shown[2].code]
        votes_after_deleting = await session.scalar(select(func.count()).select_from(VoteRow))
    assert (votes_after_counting, votes_after_deleting) == (1, 0)


async def test_verify_names_the_shares_that_are_damaged(
    fresh_service: Service, capsys: pytest.CaptureFixture[str]
):
    sids = [await shared(fresh_service) for _ in range(3)]
    assert await highwater(fresh_service, "verify") == 0
    async with fresh_service.services.database.writing() as session:
        row = await session.get(ShareRow, sids[1])
        assert row is not None
        row.timeline = gzip.compress(b"[]")
        row.seal = seal_of(row)  # only the published digest says that these are other frames

    assert await highwater(fresh_service, "verify") == 1

    assert capsys.readouterr().out.splitlines() == [
        "3 shares, 0 damaged",
        f"{sids[1]} is damaged",
        "3 shares, 1 damaged",
    ]


async def test_a_database_that_is_not_there_is_not_made(
    capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
):
    missing = tmp_path_factory.mktemp("none") / "x.db"

    status = await asyncio.to_thread(cli.run, ["verify", "--database", f"sqlite:///{missing}"])

    assert status == 2
    assert "there is no database" in capsys.readouterr().err
    assert not missing.exists()
