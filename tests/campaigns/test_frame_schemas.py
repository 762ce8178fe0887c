"""Hundreds of random schedules, each frame of which matches the published schema."""

import pytest

from sim_engine.exploration.schedules import random_schedule
from sim_engine.simulation.timeline import Timeline
from tests.backend.http.published import frame_validator, hold_frames


@pytest.mark.slow
def test_every_frame_of_500_random_schedules_is_of_the_published_shape() -> None:
    validator = frame_validator()
    for seed in range(500):
        hold_frames(Timeline(random_schedule(seed)), validator)
