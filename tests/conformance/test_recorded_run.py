"""The packaged recordings, as runs with the values of the real clusters next to the engine's."""

import pytest

from sim_engine.conformance.fidelity import Checkpoint, read_fidelity_checks, recorded_run
from sim_engine.documents.runs import story_to
from sim_engine.languages import LANGUAGES
from tests.conformance.fidelity_lists import ARCHIVE, archived_texts, recording_texts
from tests.tables import for_each

MOST_BYTES = 160_000

LOST = "s27-unnoticed-bounce-clean-election-0.10.2.2"


def standings(checkpoint: Checkpoint) -> dict[str, str]:
    return {one.where: one.standing for one in checkpoint.compared}


def test_the_package_has_every_recording_and_is_not_large() -> None:
    """`scripts/write scenarios` updates it."""
    assert archived_texts() == recording_texts()
    assert {one.name for one in read_fidelity_checks().recordings} == archived_texts().keys()
    assert ARCHIVE.stat().st_size < MOST_BYTES


def test_each_step_of_a_recording_is_a_step_of_the_story_with_its_title() -> None:
    run = recorded_run(LOST)

    story = story_to(run.timeline, run.timeline.head)

    (entry,) = [one for one in read_fidelity_checks().recordings if one.name == LOST]
    assert [told.step for told in story] == list(range(entry.steps + 1))
    assert [told.last_frame for told in story[1:]] == [one.frame for one in run.checkpoints]
    assert story[3].title["en"] == "Hold Fetch requests 1 → 2"
    assert story[6].title["zh"] == "broker 1 从 2 拉取 1 次，最后一个响应被扣留"


def test_recorded_values_are_shown_with_the_engines_values() -> None:
    checkpoint = recorded_run(LOST).checkpoints[3]

    (log,) = [one for one in checkpoint.compared if one.where == "saw/brokers/2/log"]
    assert log.recorded == log.engine == [[0, None, "m1"], [1, None, "m2"]]
    assert standings(checkpoint)["saw/isr"] == "equal"
    assert standings(checkpoint)["produced/0/outcome"] == "equal"


def test_a_file_that_a_timer_writes_is_not_held_where_the_recording_is_not_about_it() -> None:
    unheld = standings(recorded_run(LOST).checkpoints[3])
    held = standings(recorded_run("s16-three-ways-to-stop-0.10.2.2").checkpoints[1])

    assert unheld["saw/brokers/1/high_watermark_checkpoint"] == "not_held"
    assert held["saw/brokers/1/high_watermark_checkpoint"] == "equal"


@for_each("name", lambda: sorted(recording_texts()))
def test_every_recording_opens_as_a_run_and_nothing_differs(name: str) -> None:
    run = recorded_run(name)

    story = story_to(run.timeline, run.timeline.head)

    assert len(story) == len(run.checkpoints) + 1
    assert all(told.title[lang] for told in story for lang in LANGUAGES)
    assert not [
        one for point in run.checkpoints for one in point.compared if one.standing == "differs"
    ]


def test_there_is_no_recording_of_another_name() -> None:
    with pytest.raises(KeyError):
        recorded_run("s27")
