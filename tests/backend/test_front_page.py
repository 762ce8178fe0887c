"""The story of the front page: what its sentences state, compared with the engine's frames."""

from typing import Any

import pytest

from backend.frames.packing import unpacked
from backend.scenarios.front_page import LESSON, MOMENTS, MomentName
from sim_engine.curriculum import PATH
from sim_engine.languages import LANGUAGES, say
from sim_engine.scenario_reader.reader import load_shipped
from tests.backend.conftest import Service

Fact = tuple[dict[str, list[str]], dict[str, int], int, str | None]

M1, BOTH = ["m1"], ["m1", "m2"]
FACTS: dict[MomentName, tuple[Fact, Fact]] = {
    "copied": (({"2": M1, "1": M1}, {"2": 1, "1": 1}, 2, None),) * 2,
    "written": (({"2": BOTH, "1": BOTH}, {"2": 1, "1": 1}, 2, None),) * 2,
    "acknowledged": (({"2": BOTH, "1": BOTH}, {"2": 2, "1": 1}, 2, "safe"),) * 2,
    "restarted": (({"2": BOTH, "1": BOTH}, {"2": 2, "1": 1}, 2, "safe"),) * 2,
    "told": (
        ({"2": BOTH, "1": M1}, {"2": 2, "1": 1}, 2, "safe"),
        ({"2": BOTH, "1": BOTH}, {"2": 2, "1": 1}, 2, "safe"),
    ),
    "elected": (
        ({"2": BOTH, "1": M1}, {"2": 2, "1": 1}, 1, "at_risk"),
        ({"2": BOTH, "1": BOTH}, {"2": 2, "1": 2}, 1, "safe"),
    ),
    "returned": (
        ({"2": BOTH, "1": M1}, {"2": 2, "1": 1}, 1, "at_risk"),
        ({"2": BOTH, "1": BOTH}, {"2": 2, "1": 2}, 1, "safe"),
    ),
    "end": (
        ({"2": M1, "1": M1}, {"2": 1, "1": 1}, 1, "lost"),
        ({"2": BOTH, "1": BOTH}, {"2": 2, "1": 2}, 1, "safe"),
    ),
}
"""Of each moment, on each side: the logs, the high watermarks, the leader and the fate of m2."""
DIFFERS = ("told", "elected", "end")
"""The moments with one sentence for each side."""


@pytest.fixture
async def story(sqlite_service: Service) -> Any:
    return await sqlite_service.read("front-page")


async def test_each_moment_shows_what_its_sentence_states(story: Any) -> None:
    for side, run in enumerate(story["runs"]):
        frames = list(unpacked(run["frames"]))
        for moment in MOMENTS:
            logs, high_watermarks, leader, fate = FACTS[moment.name][side]

            state: Any = frames[moment.step]["state"]

            replicas = state["replicas"]["t-0"]
            shown = {one: [record["value"] for record in replicas[one]["log"]] for one in logs}
            assert shown == logs, (run["kafka"], moment.name)
            assert state["partitions"]["t-0"]["leader"] == leader, (run["kafka"], moment.name)
            fates = {one["value"]: one["fate"] for one in state["clients"]["produced"]}
            assert fates.get("m2") == fate, (run["kafka"], moment.name)
            for one, high_watermark in high_watermarks.items():
                drawn = replicas[one]["high_watermark"]
                kept = replicas[one]["checkpoints"]["high_watermark"]
                assert (kept if drawn is None else drawn) == high_watermark, (moment.name, one)


async def test_both_sides_have_the_same_steps_and_part_where_one_truncates(story: Any) -> None:
    one, other = (list(unpacked(run["frames"])) for run in story["runs"])
    parts_at = story["parts_at"]

    assert [frame["step"] for frame in one] == [frame["step"] for frame in other]
    assert next(moment.name for moment in MOMENTS if moment.step >= parts_at) == "told"
    assert [frame["step"] for frame in one] == list(range(MOMENTS[-1].step + 1))
    events = {event["kind"] for event in one[parts_at]["events"]}
    assert "LogTruncated" in events
    assert "LogTruncated" not in {kind["kind"] for frame in other for kind in frame["events"]}
    asked = {event["kind"] for event in other[MOMENTS[-1].step]["events"]}
    assert {"EpochLookupSent", "EpochLookupAnswered"} <= asked


async def test_every_election_is_clean_with_the_settings_default(story: Any) -> None:
    assert "unclean.leader.election.enable" not in load_shipped(LESSON).configs
    for run in story["runs"]:
        elections = [
            event
            for frame in unpacked(run["frames"])
            for event in frame["events"]
            if event["kind"] == "LeaderElected"
        ]
        assert [event["variant"] for event in elections] == ["clean"], run["kafka"]


def test_the_story_is_a_lesson_of_the_path() -> None:
    assert LESSON in PATH


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_word_is_used_first_in_the_sentence_that_introduces_it(lang: str) -> None:
    def text(name: str) -> str:
        return say(lang, "interface/home", name)

    told: list[str] = []
    for moment in MOMENTS:
        sides = ("", "-kept") if moment.name in DIFFERS else ("",)
        sentences = [text(f"said-{moment.name}{side}") for side in sides]
        for term in moment.terms:
            word = text(f"term-{term}-said")
            assert word in sentences[0], (moment.name, word)
            assert not any(word.lower() in sentence.lower() for sentence in told), word
        told += sentences
