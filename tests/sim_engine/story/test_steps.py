"""Which frames form a step of the story, and that this never changes."""

from functools import partial

import pytest

from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import story_to
from sim_engine.events.base import Mark
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants.safety import PROPERTIES
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.steps import marks_of
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import Step, lesson, run
from tests.tables import for_each

FETCH: Step = {"fetch": {"broker": 2}}
PRODUCE: Step = {"produce": {"to": "t-0", "values": ["m1"]}}
NOTE: Step = {"note": {"en": "Look.", "zh": "看。"}}
TRUNCATED_THEN_JOINED: tuple[Step, ...] = (
    {"produce": {"to": "t-0", "values": ["m1"], "acks": 1}},
    {"crash": {"broker": 1}},
    {"elect": {"partition": "t-0", "kind": "clean", "leader": 2}},
    {"start": {"broker": 1}},
    {"settle": {}},
)


# The last one is told in two steps.
SHRUNK_THEN_ACKNOWLEDGED: tuple[Step, ...] = (
    {"crash": {"broker": 2}},
    PRODUCE,
    {"run": {"ms": 60_000}},
)


played = partial(run, brokers=(1, 2))


def steps_of(timeline: Timeline) -> list[int]:
    return [frame.place.step for frame in timeline.frames]


def test_the_start_is_step_0_and_each_entry_is_a_step():
    timeline = played(PRODUCE, FETCH)

    assert steps_of(timeline) == [0, 1, 2, 2, 2]


def test_equal_entries_in_a_row_are_one_step():
    timeline = played(PRODUCE, FETCH, FETCH, {"fetch": {"broker": 2, "records": 1}})

    by_item = {frame.item: frame.place.step for frame in timeline.frames}
    assert by_item == {None: 0, 0: 1, 1: 2, 2: 2, 3: 3}


@pytest.mark.parametrize(("between", "last"), [(NOTE, 3), ({"expect": {"leader": 1}}, 2)])
def test_a_text_between_equal_steps_separates_them(between, last):
    timeline = played(PRODUCE, FETCH, between, FETCH)

    assert timeline.frames[-1].place.step == last


def test_words_for_another_release_keep_nothing_apart():
    timeline = played(PRODUCE, FETCH, {"note": {**NOTE["note"], "kafka": "<1.0"}}, FETCH)

    assert timeline.frames[-1].place.step == 2


def test_equal_acts_of_a_person_are_one_step_and_none_of_the_authors():
    timeline = played(PRODUCE, FETCH)
    first = timeline.act(timeline.head, FETCH).head
    second = timeline.act(first, FETCH).head
    third = timeline.act(second, {"crash": {"broker": 2}}).head

    assert [timeline.frames[frame].place.step for frame in (first, second, third)] == [3, 3, 4]


def test_on_a_branch_numbers_go_on_from_the_parents():
    timeline = played(PRODUCE, FETCH, {"crash": {"broker": 2}}, {"crash": {"broker": 1}})

    forked = timeline.act(FrameNumber(3), {"crash": {"broker": 1}})

    assert timeline.frames[3].place.step == 2
    assert timeline.frames[forked.head].place.step == 3


def test_time_that_brings_one_thing_of_note_is_one_step():
    timeline = played(PRODUCE, {"settle": {}})

    assert timeline.frames[-1].place.step == 2
    assert len(timeline.frames) > 4


def test_time_is_divided_where_another_thing_of_note_happens():
    timeline = played(*SHRUNK_THEN_ACKNOWLEDGED)

    told = story_to(timeline, timeline.head)[3:]
    assert [(step.step, step.marks) for step in told] == [(3, ("isr",)), (4, ("acknowledgement",))]


def test_a_join_after_a_truncation_does_not_divide_time():
    """The end of the step still shows what was truncated."""
    timeline = played(*TRUNCATED_THEN_JOINED)

    (step,) = story_to(timeline, timeline.head)[5:]
    assert step.marks == ("loss", "truncation", "isr")
    assert step.last_frame == timeline.head


def test_a_refused_step_is_a_step():
    timeline = played(PRODUCE, {"start": {"broker": 1}})

    assert steps_of(timeline) == [0, 1, 2]


@for_each("whole", lessons_played, lambda timeline: timeline.scenario.id)
def test_a_frames_step_never_changes_when_the_run_goes_on(whole):
    scenario = whole.scenario
    growing = Timeline(scenario)
    seen: list[int] = steps_of(growing)
    for item, said in enumerate(scenario.steps):
        if said.kind in ("note", "ask", "expect"):
            continue
        growing.run_step(item, said.step)
        now = steps_of(growing)
        assert now[: len(seen)] == seen
        seen = now

    assert seen == steps_of(whole)


@for_each("timeline", lessons_played, lambda timeline: timeline.scenario.id)
def test_steps_go_up_by_one_along_a_branch(timeline):
    for frame in timeline.frames[1:]:
        assert frame.place.step - timeline.frames[frame.frame - 1].place.step in (0, 1)


def test_the_lost_record_is_told_in_at_most_14_steps():
    assert lesson("s26").frame.place.step <= 14


@pytest.mark.parametrize(
    ("name", "other", "steps"), [("kip-279-numbers", "isr", 5), ("power-loss-of-both", "isr", 17)]
)
def test_logs_that_differ_are_of_note_and_divide_no_step(name: str, other: Mark, steps: int):
    """In one lesson they differ before the ISR changes, in the other after it."""
    timeline = lesson(name)

    *_, last = story_to(timeline, timeline.head)

    assert (last.step, last.title["en"]) == (steps, "logs differ")
    assert {"divergence", other} <= {*last.marks}


def test_each_violated_outcome_has_a_mark():
    outcomes = [watched.name for watched in PROPERTIES if watched.kind == "outcome"]

    marks = [marks_of([("PropertyViolated", name)]) for name in outcomes]

    assert [sorted(mark) for mark in marks] == [["loss"], ["divergence"], ["surprise"]]


ENDS_AFTER_ITS_LOSS = {
    "last-replica-standing": "the election of the replica that lost the record is its point",
    "leader-flaps-lose-a-record": "the last copy goes with the return of the old leader",
    "whole-cluster-power-loss": "no broker recovers the record, and the ISR is complete again",
}
"""The lessons with steps after the loss, which the page leads back to, and why."""


@for_each("timeline", lessons_played, lambda timeline: timeline.scenario.id)
def test_a_lesson_about_a_loss_ends_with_it(timeline):
    steps = story_to(timeline, timeline.head)
    properties = frame_document(timeline, timeline.head).properties
    lost = properties["NoAckedRecordLost"].status == "violated"

    shown = {"loss", "divergence", "truncation"} & set(steps[-1].marks)

    assert (lost and not shown) == (timeline.scenario.id in ENDS_AFTER_ITS_LOSS)
