"""Lessons as they are read: files that are the same for everyone, without a session."""

import gzip
import json
from typing import Any

import pytest
from sqlalchemy import func, select

from backend.frames.packing import unpacked
from backend.lessons.files import LessonFileKey, lesson_file
from backend.lessons.release import release_digest
from backend.lessons.service import LessonFile
from backend.recent import Recent
from backend.sessions.tables import SessionRow
from tests.backend.conftest import API, Service

LESSON = "kip-101-data-loss"
RUN = f"{API}/scenarios/{LESSON}/run"


async def test_reading_a_lesson_stores_nothing(sqlite_service: Service) -> None:
    run = await sqlite_service.read(f"scenarios/{LESSON}/run")
    await sqlite_service.read(f"scenarios/{LESSON}/runs/{run['kafka']}/choices")
    await sqlite_service.read(f"scenarios/{LESSON}/runs/{run['kafka']}/words")
    await sqlite_service.client.get(f"/lessons/{LESSON}?step=3")

    async with sqlite_service.services.database.reading() as db:
        assert await db.scalar(select(func.count()).select_from(SessionRow)) == 0


@pytest.mark.parametrize("kafka", [None, "0.11", "4.1"])
async def test_a_session_of_the_lesson_goes_on_where_reading_stops(
    sqlite_service: Service, kafka: str | None
) -> None:
    asked = {} if kafka is None else {"kafka": kafka}
    session = await sqlite_service.new_session(scenario_id=LESSON, **asked)
    of_session = f"sessions/{session['id']}"

    run = await sqlite_service.read(
        f"scenarios/{LESSON}/run" if kafka is None else f"scenarios/{LESSON}/runs/{kafka}"
    )
    files = f"scenarios/{LESSON}/runs/{run['kafka']}"
    choices = await sqlite_service.read(f"{files}/choices")
    words = await sqlite_service.read(f"{files}/words")

    same = ("kafka", "control", "engine", "scenario", "words")
    assert {name: run[name] for name in same} == {name: session[name] for name in same}
    timeline = await sqlite_service.read(f"{of_session}/timeline?full=1")
    assert list(unpacked(run["frames"])) == timeline["frames"]
    assert run["story"] == (await sqlite_service.read(f"{of_session}/story"))["story"]
    for at in (0, session["head"]):
        assert choices[at] == await sqlite_service.read(f"{of_session}/choices?after={at}")
        assert words[at] == await sqlite_service.read(f"{of_session}/words?at={at}")
    assert len(choices) == len(words) == session["frames"]


@pytest.mark.parametrize(
    ("other", "asked"), [("0.11", {"kafka": "0.11"}), ("s27", {"scenario_id": "s27"})]
)
async def test_a_comparison_is_the_same_as_in_a_session(
    sqlite_service: Service, other: str, asked: dict[str, str]
) -> None:
    session = await sqlite_service.new_session(scenario_id=LESSON)

    kept = await sqlite_service.read(f"scenarios/{LESSON}/runs/0.10.2/comparisons/{other}")

    in_session = f"sessions/{session['id']}/comparisons"
    assert kept == await sqlite_service.send(in_session, asked, 200)
    assert kept["frame_a"] is not None


async def test_with_the_release_in_its_address_a_file_never_changes(
    sqlite_service: Service,
) -> None:
    client = sqlite_service.client
    page = (await client.get(f"/lessons/{LESSON}")).text

    permanent = await client.get(f"{RUN}?v={release_digest()}")
    without = await client.get(RUN)
    of_another_build = await client.get(f"{RUN}?v=0123456789abcdef")
    again = await client.get(RUN, headers={"If-None-Match": without.headers["etag"]})

    assert f'<meta name="highwater-release" content="{release_digest()}" />' in page
    assert permanent.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert without.headers["cache-control"] == "no-cache"
    assert of_another_build.headers["cache-control"] == "no-cache"
    assert permanent.content == without.content == of_another_build.content
    assert (again.status_code, again.content) == (304, b"")


async def test_a_client_without_gzip_reads_the_same(sqlite_service: Service) -> None:
    zipped = await sqlite_service.client.get(RUN, headers={"Accept-Encoding": "gzip"})
    plain = await sqlite_service.client.get(RUN, headers={"Accept-Encoding": "identity"})

    assert zipped.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.json() == zipped.json()


async def test_a_lesson_has_one_file_for_each_release_under_every_name(
    sqlite_service: Service,
) -> None:
    client = sqlite_service.client

    own = await client.get(RUN)

    assert (await client.get(f"{API}/scenarios/s26/run")).content == own.content
    assert (await client.get(f"{API}/scenarios/s26/runs/0.10.2")).content == own.content
    assert (await client.get(f"{API}/scenarios/s26/runs/0.11")).content != own.content


async def test_an_unknown_lesson_or_release_is_named(sqlite_service: Service) -> None:
    unknown = await sqlite_service.read("scenarios/nope/run", 404)
    never = await sqlite_service.read(f"scenarios/{LESSON}/runs/9.9", 422)

    assert unknown["code"] == "not_found"
    assert never["code"] == "unknown_version"
    assert never["errors"][0]["where"] == "/kafka"
    assert set(never["errors"][0]["said"]) >= {"en", "zh"}


def test_a_file_that_was_dropped_is_made_with_the_same_bytes() -> None:
    key = LessonFileKey("run", LESSON, "0.10.2")

    assert lesson_file(key) == lesson_file(key)


async def test_files_beyond_the_memory_are_made_again(sqlite_service: Service) -> None:
    lessons = sqlite_service.services.lessons
    lessons._kept = Recent[Any, LessonFile](total=1, longest=1)

    first, second = [await lessons.file("run", LESSON) for _ in range(2)]

    assert first is not second
    assert first == second


async def test_the_run_for_the_drawing_has_its_frames_as_a_share_stores_them(
    sqlite_service: Service,
) -> None:
    run = await sqlite_service.services.lessons.run(LESSON, "0.11")
    file = await sqlite_service.services.lessons.file("run", LESSON, "0.11")

    assert (run.kafka, run.control) == ("0.11", "zookeeper")
    assert run.frames == json.loads(gzip.decompress(file.zipped))["frames"]
    assert run.story[-1].last_frame == len(run.frames) - 1
