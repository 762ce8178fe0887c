"""The frames that the cards of lessons show, and the chapters of lessons."""

from backend.frames.telling import telling_frame
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline
from tests.backend.conftest import Service


def played(lesson: str) -> Timeline:
    timeline = Timeline(load_shipped(lesson))
    timeline.run_all()
    return timeline


def test_a_story_of_a_loss_shows_the_step_that_cuts_the_last_copy() -> None:
    frame = telling_frame(played("kip-101-data-loss"))
    assert "RecordLost" in [event.kind for event in frame.events]
    logs = [replica.log for replica in frame.state.replicas["t-0"].values()]
    assert [[record.value for record in log] for log in logs] == [["m1"], ["m1"]]


def test_a_story_without_a_violation_shows_how_it_ends() -> None:
    timeline = played("two-rounds")
    assert telling_frame(timeline).frame == timeline.head


async def test_stories_come_in_chapters(sqlite_service: Service):
    listed = (await sqlite_service.read("scenarios"))["scenarios"]

    chapters = [story["chapter"] for story in listed]
    assert list(dict.fromkeys(chapters)) == ["basics", "truncation", "failures"]
    assert chapters == sorted(chapters, key=["basics", "truncation", "failures"].index)
    by_alias = {story["alias"]: story["chapter"] for story in listed}
    assert (by_alias["s01"], by_alias["s26"], by_alias["s40"]) == (
        "basics",
        "truncation",
        "failures",
    )
