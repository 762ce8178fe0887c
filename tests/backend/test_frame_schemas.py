"""Every frame that the engine makes is of the published shape."""

import msgspec
import pytest

from backend.frame_schemas import Frame
from sim_engine import Timeline, frame_document, list_shipped
from sim_engine.exploration import random_schedule

LESSONS = {scenario.id: scenario for scenario in list_shipped()}


def assert_published(timeline: Timeline) -> None:
    for number in range(len(timeline.frames)):
        Frame.model_validate_json(msgspec.json.encode(frame_document(timeline, number)))


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_frame_of_a_lesson_is_of_the_published_shape(lesson: str) -> None:
    timeline = Timeline(LESSONS[lesson])
    timeline.run_all()

    assert_published(timeline)


@pytest.mark.parametrize("seed", range(40))
def test_every_frame_of_a_random_schedule_is_of_the_published_shape(seed: int) -> None:
    timeline = Timeline(random_schedule(seed))
    timeline.run_all()

    assert_published(timeline)
