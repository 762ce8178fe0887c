"""The frames that the home page's cards show."""

import msgspec

from backend.drawing.thumbnails import thumbnail
from sim_engine import list_shipped
from tests.backend.conftest import API, Service


def test_a_story_of_a_loss_shows_the_step_that_cuts_the_last_copy() -> None:
    frame = thumbnail("kip-101-data-loss")
    assert "RecordLost" in [event.kind for event in frame.events]
    logs = frame.state.replicas["t-0"].values()
    assert {record.value for replica in logs for record in replica.log} == {"m1"}


def test_a_story_without_a_violation_shows_how_it_ends() -> None:
    frame = thumbnail("two-rounds")
    assert frame.depth == frame.last_depth


def test_every_card_is_small() -> None:
    for scenario in list_shipped():
        assert len(msgspec.json.encode(thumbnail(scenario.id))) < 8_192, scenario.id


async def test_stories_come_in_chapters(sqlite_service: Service):
    listed = (await sqlite_service.client.get(f"{API}/scenarios")).json()["scenarios"]

    chapters = [story["chapter"] for story in listed]
    assert list(dict.fromkeys(chapters)) == ["basics", "truncation", "failures"]
    assert chapters == sorted(chapters, key=["basics", "truncation", "failures"].index)
    by_alias = {story["alias"]: story["chapter"] for story in listed}
    assert (by_alias["s01"], by_alias["s26"], by_alias["s40"]) == (
        "basics",
        "truncation",
        "failures",
    )
