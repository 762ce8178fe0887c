"""Campaigns in a folder: shown, invalid, and ignored ones."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from httpx import Response

from backend.insights import campaigns
from backend.insights.searches import SearchedGrids
from backend.limit_table import GRID_CELLS
from backend.settings import SettingsError, read_settings
from sim_engine.campaign.summary import CampaignSummary, shipped_campaign, shipped_searches
from tests.backend.conftest import API, StartService

LISTED = f"{API}/insights/campaigns"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "campaigns"
    made.mkdir()
    return made


def write(folder: Path, name: str, **changed: object) -> None:
    """A campaign in the folder: the shipped one with some changed fields."""
    encoded = msgspec.json.encode(shipped_campaign())
    document: dict[str, object] = {**json.loads(encoded), **changed}
    (folder / name).mkdir()
    (folder / name / "_summary.json").write_text(json.dumps(document))


async def ask(
    start_service: StartService, file: Path, folder: Path | None, *paths: str
) -> list[Response]:
    async with start_service(f"sqlite:///{file}", campaigns=folder) as service:
        return [await service.client.get(path) for path in paths]


@pytest.fixture
def database(tmp_path: Path, migrated_file: Path) -> Path:
    return Path(shutil.copy(migrated_file, tmp_path / "own.db"))


async def test_without_a_folder_there_are_none(start_service: StartService, database: Path) -> None:
    listed, found = await ask(start_service, database, None, LISTED, f"{LISTED}/000000000000")

    assert listed.json() == {"campaigns": [], "left_out": 0}
    assert found.status_code == 404


async def test_a_campaign_is_listed_and_its_summary_read(
    start_service: StartService, database: Path, folder: Path
) -> None:
    write(folder, "first", title="My own")
    entry = campaigns.OwnCampaigns(folder).read_all()[0]

    listed, found = await ask(start_service, database, folder, LISTED, f"{LISTED}/{entry.id}")

    assert listed.json()["campaigns"] == [
        {
            "id": entry.id,
            "name": "first",
            "title": "My own",
            "runs": shipped_campaign().runs,
            "finished_at": shipped_campaign().finished_at,
            "problem": None,
        }
    ]
    assert msgspec.json.decode(found.content, type=CampaignSummary).title == "My own"


async def test_a_wrong_file_is_named_and_hides_no_other(
    start_service: StartService, database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "good")
    write(folder, "of another version", version=99)
    write(folder, "without numbers", cells="none")
    (folder / "broken").mkdir()
    (folder / "broken" / "_summary.json").write_bytes(b"\xff{")
    size = (folder / "good" / "_summary.json").stat().st_size
    write(folder, "large", title="x" * size)
    monkeypatch.setattr(campaigns, "MOST_BYTES", size + 1000)

    (listed,) = await ask(start_service, database, folder, LISTED)

    assert {one["name"]: one["problem"] for one in listed.json()["campaigns"]} == {
        "broken": "no_summary",
        "good": None,
        "large": "too_large",
        "of another version": "other_version",
        "without numbers": "no_summary",
    }


def test_the_number_of_campaigns_and_cells_is_bounded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        write(folder, name)
    monkeypatch.setattr(campaigns, "MOST_CAMPAIGNS", 2)
    monkeypatch.setattr(campaigns, "GRID_CELLS", replace(GRID_CELLS, number=1))

    found = campaigns.OwnCampaigns(folder).read_all()
    left_out = campaigns.OwnCampaigns(folder).count_left_out()

    assert [one.problem for one in found] == ["too_many_cells"] * 2
    assert left_out == 1


def test_the_folder_may_be_a_campaign_and_a_new_summary_replaces_the_old(folder: Path) -> None:
    write(folder, "only", title="before")
    own = campaigns.OwnCampaigns(folder / "only")
    (before,) = own.read_all()
    shutil.rmtree(folder / "only")
    write(folder, "only", title="and after")

    (after,) = own.read_all()

    assert before.summary is not None
    assert after.summary is not None
    assert (before.summary.title, after.summary.title) == ("before", "and after")
    assert own.find(before.id) == after


def test_a_folder_that_is_not_there_is_a_wrong_setting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HIGHWATER_CAMPAIGNS", str(tmp_path / "none"))

    with pytest.raises(SettingsError, match="HIGHWATER_CAMPAIGNS: must be a folder that exists"):
        read_settings()


async def test_a_run_of_ones_own_campaign_is_opened(
    start_service: StartService, database: Path, folder: Path
) -> None:
    write(folder, "first")
    write(folder, "other", grid={"grid": 1, "kafka": ["no release"]})
    first, other = campaigns.OwnCampaigns(folder).read_all()

    found, unreadable, none = await ask(
        start_service, database, folder,
        *(f"{LISTED}/{one}/runs/0/0" for one in (first.id, other.id, "000000000000")),
    )  # fmt: skip

    assert found.json()["scenario"]["steps"]
    assert (unreadable.status_code, none.status_code) == (404, 404)


def test_a_searched_grid_in_the_folder_is_shown_and_a_file_that_is_none_is_left_out(
    folder: Path,
) -> None:
    shipped = next(iter(shipped_searches().values()))
    own = msgspec.structs.replace(shipped, search="own", title="Mine")
    for name, content in {"mine": msgspec.json.encode(own), "broken": b"{}"}.items():
        (folder / name).mkdir()
        (folder / name / "_searched.json").write_bytes(content)

    found = SearchedGrids(folder).read_all()

    assert [one.title for key, one in found.items() if key not in shipped_searches()] == ["Mine"]
    assert set(found) == {"own", *shipped_searches()}
