"""ISR checks that change nothing: a frame that reports the passing of time has them."""

from sim_engine import Timeline, load_shipped, story_to
from sim_engine.events.isr import IsrChecked
from sim_engine.events.run import TimeAdvanced
from sim_engine.narration import formula_of, sentence_of
from sim_engine.scenario_reader.reader import read_scenario_document


def ran(*steps: object) -> Timeline:
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "built",
                "kafka": "3.9",
                "seed": 1,
                "brokers": [1, 2],
                "configs": {"replica.lag.time.max.ms": 30_000},
                "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
                "steps": [{"cut": {"from": 2, "to": 1}}, *steps],
            }
        )
    )
    timeline.run_all()
    return timeline


PRODUCE = {"produce": {"to": "t-0", "values": ["m1"], "acks": 1, "as": "p1"}}


def checks(timeline: Timeline) -> list[tuple[int, int]]:
    """When each check was made and how long ago the follower was caught up, in ms."""
    return [
        (happened.checked_ms, happened.elapsed_ms)
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, IsrChecked)
        and isinstance(happened.checked_ms, int)
        and isinstance(happened.elapsed_ms, int)
    ]


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
    timeline = Timeline(load_shipped("isr-timer-granularity"))
    timeline.run_all()
    story = story_to(timeline, timeline.head)

    assert [step.summary["en"] for step in story[5:7]] == [
        "Broker 1’s ISR check at 15 s finds broker 2 caught up 14 s ago.",
        "Broker 1’s ISR check at 30 s finds broker 2 caught up 29 s ago.",
    ]
    frame = timeline.frames[story[6].telling_frame]
    checked = frame.events[frame.headline]
    assert "caught up 29000 ms ago" in sentence_of(checked, "en")
    assert formula_of(checked, "en") == "29000 ms ≤ replica.lag.time.max.ms 30000"
