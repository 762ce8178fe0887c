"""The list of lessons with their outcomes, and the search for lessons."""

import shutil
from itertools import count
from pathlib import Path

import pytest

from backend.routing.compression import ConstantJson
from backend.scenarios import routes as scenario_routes
from sim_engine.curriculum import lesson_index
from sim_engine.releases import MODELLED
from tests.backend.conftest import API, Service, StartService
from tests.sim_engine.ranges_said import releases_said


async def test_a_lesson_has_its_outcome_in_each_release(sqlite_service: Service) -> None:
    library = await sqlite_service.read("scenarios")

    (lesson,) = (one for one in library["scenarios"] if one["id"] == "kip-101-data-loss")
    ends = dict(zip(library["versions"], lesson["outcomes"], strict=True))
    assert (ends["0.10.2"], ends["0.11"]) == ("lost", "holds")
    assert lesson["mishaps"] == ["lost"]
    assert lesson["kips"] == ["KIP-101"]
    assert 1 in lesson["articles"]
    cells = {row["broker"]: row["cells"] for row in lesson["picture"]["rows"]}
    assert [cell["kind"] for cell in cells[2]] == ["committed", "cut"]


async def test_a_lesson_names_all_releases_in_which_it_fails_not_only_those_on_the_menu(
    sqlite_service: Service,
) -> None:
    lessons = {one["id"]: one for one in (await sqlite_service.read("scenarios"))["scenarios"]}

    assert lessons["unclean-election"]["failures"] == {
        "lost": {"en": "up to 3.2, from 3.9", "zh": "3.2 及以前、3.9 起"}
    }
    assert lessons["diverging-high-watermark"]["failures"]["fails"]["en"] == "2.8 to 3.4.0"
    assert lessons["two-rounds"]["failures"] == {}
    # At 3.1, which is not on the menu, and not at 3.3, the first release after it that is.
    assert lessons["unclean-setting-not-read"]["changes"] == []
    assert lessons["kip-101-data-loss"]["changes"] == ["0.11"]
    assert lessons["isr-join-guard"]["changes"] == ["2.0.1"]
    for lesson, entry in lesson_index().items():
        for outcome in ("lost", "fails"):
            said = lessons[lesson]["failures"].get(outcome, {"en": "in no version"})["en"]
            assert releases_said(said) == {
                kafka for kafka in MODELLED if entry.outcome_under(kafka) == outcome
            }


async def test_the_first_visitor_waits_no_longer_for_the_list_than_the_second(
    start_service: StartService,
    migrated_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times_made = count()
    monkeypatch.setattr(scenario_routes, "_library", ConstantJson(lambda: next(times_made)))
    shutil.copy(migrated_file, tmp_path / "highwater.db")

    async with start_service(f"sqlite:///{tmp_path / 'highwater.db'}") as service:
        assert next(times_made) == 1

        assert await service.read("scenarios") == 0


@pytest.mark.parametrize("path", ["/scenarios", "/catalogue"])
async def test_constant_data_is_sent_compressed_to_clients_that_accept_it(
    sqlite_service: Service, path: str
) -> None:
    zipped = await sqlite_service.client.get(f"{API}{path}")
    plain = await sqlite_service.client.get(f"{API}{path}", headers={"Accept-Encoding": "identity"})

    assert (zipped.headers["content-encoding"], zipped.headers["vary"]) == (
        "gzip",
        "Accept-Encoding",
    )
    assert "content-encoding" not in plain.headers
    assert zipped.content == plain.content


async def test_the_path_and_the_landmarks_are_there(sqlite_service: Service) -> None:
    library = await sqlite_service.read("scenarios")

    ids = [lesson["id"] for lesson in library["scenarios"]]
    assert len(library["path"]) == 18
    assert set(library["path"]) <= set(ids)
    landmarks = {mark["name"]: mark["kafka"] for mark in library["landmarks"]}
    assert landmarks["KIP-101"] == "0.11"
    assert landmarks["KIP-279"] == "2.0.0"


async def test_the_answer_is_small(sqlite_service: Service) -> None:
    """Half the size of a response with a complete frame for each card."""
    answer = await sqlite_service.client.get(f"{API}/scenarios")

    assert len(answer.content) < 200_000
