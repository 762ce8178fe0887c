"""The steps of lessons for other programs: embeds and files, of which nothing is stored."""

import json
from typing import Any

import pytest
import yaml
from sqlalchemy import func, select

from backend.sessions.tables import SessionRow
from backend.shares.tables import ShareRow
from sim_engine.scenario_reader.reader import read_scenario_document
from tests.backend.conftest import PUBLIC_URL, Service
from tests.backend.test_embeds import run_in

LESSON = "/lessons/kip-101-data-loss"


async def test_the_embed_of_a_step_opens_there_under_its_release(sqlite_service: Service):
    page = await sqlite_service.client.get(f"/e/v1{LESSON}?step=9&kafka=0.11&lang=zh")

    run = run_in(page)
    last = sum(run["outline"]["lengths"][:10]) - 1
    assert (run["at"], run["level"], run["kafka"]) == (last, "story", "0.11")
    assert (run["path"], run["query"], run["counts"]) == (LESSON, "kafka=0.11", "steps")
    assert f"{LESSON}?step=9&amp;kafka=0.11" in page.text
    assert '<html lang="zh"' in page.text


async def test_the_embed_of_a_message_opens_at_that_message(sqlite_service: Service):
    run = run_in(await sqlite_service.client.get(f"/e/v1{LESSON}?step=9&message=1"))

    assert run["at"] == sum(run["outline"]["lengths"][:9])
    assert run["level"] == "message"


async def test_an_embed_loads_the_other_frames_of_its_release(sqlite_service: Service):
    run = run_in(await sqlite_service.client.get(f"/e/v1{LESSON}?kafka=0.11"))

    response = await sqlite_service.client.get(
        f"/e/v1{run['path']}/frames.json?from=0&to=16&{run['query']}"
    )

    part: dict[str, Any] = response.json()
    assert run["at"] == 0
    assert part["frames"] == run["part"]["frames"][:16]
    assert len(part["frames"]) == min(16, run["outline"]["total"])


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/lessons/nope", 404),
        (f"{LESSON}?kafka=9.9", 422),
        (f"{LESSON}?step=99999999999999999999", 200),
        (f"{LESSON}?step=-1", 200),
        (f"{LESSON}/frames.json?from=0&to=15", 422),
        (f"{LESSON}/frames.json?from=1600&to=1616", 404),
        (f"{LESSON}/frames.json?from=0&to=16&kafka=x", 422),
    ],
)
async def test_what_an_embed_asks_for_is_checked(
    sqlite_service: Service, address: str, status: int
):
    assert (await sqlite_service.client.get(f"/e/v1{address}")).status_code == status


async def test_a_link_that_another_page_loads_in_a_frame_leads_to_the_embed(
    sqlite_service: Service,
):
    response = await sqlite_service.client.get(
        f"{LESSON}?step=9&kafka=0.11", headers={"Sec-Fetch-Dest": "iframe"}
    )

    assert response.status_code == 302
    assert response.headers["location"] == f"/e/v1{LESSON}?step=9&kafka=0.11"


async def test_the_files_of_a_lesson_name_its_link_and_mark_the_step(sqlite_service: Service):
    async def text_of(form: str, query: str = "step=9&kafka=0.11") -> str:
        response = await sqlite_service.client.get(f"{LESSON}.{form}?{query}")
        assert response.status_code == 200, response.text
        name = f'filename="highwater-kip-101-data-loss-0.11.{form}"'
        assert name in response.headers["content-disposition"]
        return response.text

    transcript = await text_of("md")
    (marked,) = (line for line in transcript.splitlines() if line.endswith("◀"))
    before = transcript[: transcript.index(marked)]
    assert before.rstrip().splitlines()[-1].startswith("## 9.")
    diagram = (await text_of("mmd")).splitlines()
    assert diagram[0] == "sequenceDiagram"
    begin = next(at for at, line in enumerate(diagram) if line.startswith("  rect "))
    assert diagram.count("  end") == 1
    ground = diagram[begin + 1 : diagram.index("  end")]
    assert [line for line in diagram if line.endswith("◀")] == [ground[0]]
    assert "9. " in ground[0]
    assert len(ground) > 1
    assert f"{PUBLIC_URL}{LESSON}?kafka=0.11" in await text_of("html")
    assert json.loads(await text_of("json"))["kafka"] == "0.11"
    scenario = await text_of("yaml")
    assert scenario.splitlines()[1] == f"# {PUBLIC_URL}{LESSON}?kafka=0.11"
    assert read_scenario_document(yaml.safe_load(scenario)).kafka == "0.11"


async def test_nothing_is_stored(sqlite_service: Service):
    for address in (f"{LESSON}?step=9", f"{LESSON}.png?step=9", f"/e/v1{LESSON}?step=9"):
        assert (await sqlite_service.client.get(address)).status_code == 200

    async with sqlite_service.app.state.services.database.reading() as db:
        for table in (SessionRow, ShareRow):
            assert await db.scalar(select(func.count()).select_from(table)) == 0
