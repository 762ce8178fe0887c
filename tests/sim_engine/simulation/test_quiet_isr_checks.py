"""ISR checks that change nothing: a frame that reports the passing of time has them."""

from sim_engine.documents.runs import story_to
from sim_engine.events.isr import IsrChecked
from sim_engine.events.run import TimeAdvanced
from sim_engine.narration import formula_of, sentence_of
from tests.sim_engine.runs import Run, Step, lesson, run


def ran(*steps: Step) -> Run:
    configs = {"replica.lag.time.max.ms": 30_000}
    return run({"cut": {"from": 2, "to": 1}}, *steps, brokers=(1, 2), configs=configs)


PRODUCE = {"produce": {"to": "t-0", "values": ["m1"], "acks": 1, "as": "p1"}}


def checks(timeline: Run) -> list[tuple[object, object]]:
    """When each check was made and how long ago the follower was caught up, in ms."""
    return [(check.checked_ms, check.elapsed_ms) for check in timeline.told(IsrChecked)]


def test_the_frame_in_which_time_passes_has_the_checks_that_found_a_member_behind():
    advanced = ran(PRODUCE, {"advance": {"ms": 31_000}})
    played = ran(PRODUCE, {"run": {"ms": 20_000}})

    assert checks(advanced) == [(15_000, 15_000), (30_000, 30_000)]
    assert [kind.kind for kind in advanced.frames[-1].events] == [
        "TimeAdvanced",
        "IsrChecked",
        "IsrChecked",
    ]
    assert checks(played) == [(15_000, 15_000)]


def test_no_check_is_reported_while_every_member_has_every_record():
    assert checks(ran({"advance": {"ms": 31_000}})) == []


def test_a_frame_has_only_the_checks_of_the_time_that_it_reports():
    timeline = ran(
        {"produce": {"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}},
        {"advance": {"ms": 31_000}},
    )

    last = timeline.frames[-1].events
    assert isinstance(last[0], TimeAdvanced)
    assert last[0].ms == 1_000
    assert checks(timeline) == [(30_000, 30_000)]


def test_the_lesson_about_the_timer_says_what_each_check_found():
    timeline = lesson("isr-timer-granularity")
    story = story_to(timeline, timeline.head)

    assert [step.summary["en"] for step in story[5:7]] == [
        "Broker 1’s ISR check at 15 s finds broker 2 caught up 14 s ago.",
        "Broker 1’s ISR check at 30 s finds broker 2 caught up 29 s ago.",
    ]
    frame = timeline.frames[story[6].telling_frame]
    checked = frame.events[frame.headline]
    assert "caught up 29000 ms ago" in sentence_of(checked, "en")
    assert formula_of(checked, "en") == "29000 ms ≤ replica.lag.time.max.ms 30000"
