"""The titles and summaries of the steps of a run."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from sim_engine.actions import STEP_NAMED, Words
from sim_engine.actions.base import name_of
from sim_engine.documents.runs import story_to
from sim_engine.events import EVENTS
from sim_engine.languages import LANGUAGES, messages
from sim_engine.languages.fluent import Value, placeholders
from sim_engine.narration import text_id
from sim_engine.scenario_reader.reader import read_scenario_text, read_step
from sim_engine.story.event_groups import EventData, event_groups_of
from sim_engine.story.steps import StoryStepDocument, marks_of
from tests.sim_engine.events.declared import number_names, variants
from tests.sim_engine.played import VERSIONS, lessons_played
from tests.sim_engine.runs import lesson, play
from tests.sim_engine.story.test_steps import FETCH, NOTE, PRODUCE, SHRUNK_THEN_ACKNOWLEDGED, played
from tests.tables import for_each

MOST_WORDS = 30
LONGEST_TITLE = 48
MADE_BY_THE_STORY = {
    "broker_count",
    "brokers",
    "elapsed",
    "links",
    "named",
    "named_replicas",
    "of_partitions",
    "owner",
    "partitions",
    "subject",
    "time",
    "to_partitions",
    "values",
}


def told(scenario_id: str) -> tuple[StoryStepDocument, ...]:
    timeline = lesson(scenario_id)
    return story_to(timeline, timeline.head)


def test_the_story_of_the_lost_record_is_called_as_its_author_did_it():
    titles = [step.title["en"] for step in told("s26")]

    assert titles == [
        "start",
        "produce m1",
        "fetch ×2",
        "produce m2",
        "fetch",
        "fetch, response lost",
        "broker 1 saves its HW",
        "crash broker 1",
        "boot broker 1",
        "reassign to 1, 2",
        "broker 2 saves its HW",
        "crash broker 2",
        "elect 1",
        "start broker 2",
        "fetch",
    ]


def test_no_step_of_these_lessons_says_the_same_as_the_one_before():
    zombie, noticed = told("zombie-leader-is-refused"), told("missed-deposition-noticed")

    assert zombie[14].summary["en"] == "Broker 1 learns that its ISR change was rejected."
    assert noticed[17].summary["en"] == (
        "Broker 1 learns that the ISR is {1}, and its high watermark stays at 1."
    )
    for story in (zombie, noticed):
        for lang in LANGUAGES:
            assert all(one.summary[lang] != next.summary[lang] for one, next in pairwise(story))


def test_the_end_of_a_delay_is_not_called_a_delay():
    timeline = played()
    for ms in (500, 0):
        step = read_step({"slow": {"broker": 2, "ms": ms}}, timeline.scenario)
        timeline.perform(timeline.head, step)
    delayed, ended = story_to(timeline, timeline.head)[-2:]

    assert (delayed.title["en"], delayed.summary["en"]) == (
        "delay broker 2’s messages",
        "Broker 2’s messages take 500 ms longer.",
    )
    assert (ended.title["en"], ended.summary["en"]) == (
        "stop delaying broker 2’s messages",
        "Broker 2’s messages are no longer delayed.",
    )
    assert ended.title["zh"] == "不再延迟 broker 2 的报文"


def test_a_summary_says_once_that_a_truncated_record_is_lost():
    (last,) = (one for one in told("s26") if "loss" in one.marks)

    assert last.summary["en"] == (
        "Broker 2 truncates its log to 1; acknowledged m2 is lost, and broker 2 joins the ISR, "
        "now {1, 2}."
    )
    assert last.summary["zh"] == (
        "Broker 2 把日志截断到 1；已确认的 m2 丢失，broker 2 加入 ISR，现为 {1, 2}。"
    )


@pytest.mark.parametrize(("lost_in", "told"), [("t-0", ["m3"]), ("t-1", ["m2", "m3"])])
def test_a_summary_names_the_truncated_records_that_are_not_lost(lost_in, told):
    cut = {"values": ["m2", "m3"], "broker": 2, "partition": "t-0"}
    truncated = EventData("LogTruncated", "high_watermark", cut)
    lost = EventData("RecordLost", "acked", {"value": "m2", "partition": lost_in})

    groups = event_groups_of([truncated, lost], lambda _kind, _variant: frozenset())

    assert [group.numbers["values"] for group in groups] == [told, ["m2"]]


def test_a_summary_has_the_facts_that_tell_most_in_causal_order():
    story = told("s26")

    assert story[2].summary["en"] == (
        "Broker 1 appends m1; broker 2’s high watermark rises to 1, and m1 is acknowledged."
    )
    assert story[2].summary["zh"] == "Broker 1 追加 m1；broker 2 的高水位推进到 1，m1 被确认。"
    assert story[9].summary["en"] == (
        "The order of the replicas is now 1, 2; broker 1 truncates its log to 1 and removes m2, "
        "and broker 2 remains leader, now in epoch 1."
    )
    assert story[9].marks == ("truncation", "note")
    assert (story[5].marks, story[5].messages) == (
        ("fault", "acknowledgement", "note", "question"),
        4,
    )


def test_of_equally_telling_facts_a_summary_with_too_many_words_drops_the_last():
    summaries = [step.summary["en"] for step in told("late-answer-of-an-old-epoch")]

    assert (
        "Broker 3 asks the controller to add broker 1 to the ISR of q-0, and broker 2 truncates "
        "its log of t-0 to 1 and removes m1."
    ) in summaries


def test_each_mark_of_a_step_names_its_frames():
    timeline = lesson("s26")
    of_note = {
        frame.frame: marks_of((event.kind, event.variant) for event in frame.events)
        for frame in timeline.frames
    }

    for step in story_to(timeline, timeline.head):
        assert tuple(step.mark_frames) == step.marks
        frames = range(step.first_frame, step.last_frame + 1)
        for mark, marked in step.mark_frames.items():
            if mark in {"note", "question"}:
                assert marked == (step.last_frame,)
            else:
                found = [frame for frame in of_note if frame in frames and mark in of_note[frame]]
                assert marked == tuple(found)


def test_a_note_after_time_that_is_divided_is_a_mark_of_its_last_step():
    timeline = played(*SHRUNK_THEN_ACKNOWLEDGED, NOTE)

    noted = [step for step in story_to(timeline, timeline.head) if "note" in step.marks]
    assert [(step.step, step.mark_frames["note"]) for step in noted] == [(4, (timeline.head,))]


def test_what_several_brokers_do_is_said_once():
    timeline = played(
        {"produce": {"to": "t-0", "values": ["m1", "m2"]}},
        {"fetch": {"broker": 2, "records": 1}},
        {"fetch": {"broker": 2, "records": 1}},
    )

    produced, fetched = story_to(timeline, timeline.head)[1:]
    assert produced.summary["en"] == "Broker 1 appends m1, m2."
    assert fetched.summary["en"].startswith("Broker 1’s high watermark rises to 1; m1 is ")
    assert fetched.summary["en"].endswith("broker 2 appends m1, m2.")
    assert (fetched.title["en"], fetched.repeated) == ("fetch 1 record ×2", 2)


def test_several_brokers_are_named_in_order():
    rescued = told("eligible-replica-rescues")

    assert rescued[2].summary["en"].startswith("Brokers 2 and 3 append m1; broker 1’s ")
    assert rescued[2].summary["zh"].startswith("Broker 2、3 追加 m1；")
    assert (
        "Brokers 1 and 2 append m2; they learn high watermark 2, and they join "
        in (rescued[19].summary["en"])
    )
    written = told("three-brokers-three-epochs")[6].summary
    assert written["en"].startswith("Brokers 1, 2 and 3 write their high watermarks")
    assert written["zh"].startswith("Broker 1、2、3 把高水位写入文件")


def test_a_proposal_names_who_would_leave_or_join():
    shrunk, refused = told("shrink-releases-high-watermark"), told("zombie-leader-is-refused")
    expanded = told("what-if-committed-isr-counts")

    assert (
        shrunk[7].summary["en"] == "Broker 1 asks the controller to remove broker 3 from the ISR."
    )
    assert refused[12].summary["en"] == (
        "Broker 1 asks the controller to remove brokers 2 and 3 from the ISR."
    )
    assert refused[12].summary["zh"] == "Broker 1 请求 controller 把 broker 2、3 移出 ISR。"
    assert expanded[2].summary["en"] == "Broker 1 asks the controller to add broker 2 to the ISR."


def test_a_failed_request_tells_more_than_one_that_succeeds_beside_it():
    scenario = read_scenario_text("""
scenario: 1
id: one-of-two-fails
title: One of two fails
kafka: "3.9"
brokers: [1, 2, 3]
topics:
  - {name: t, partitions: [{replicas: [1, 2]}, {replicas: [1, 3]}]}
steps:
  - pause: {broker: 3}
  - produce: {to: t-0, values: [m1]}
  - produce: {to: t-1, values: [m2], timeout_ms: 600}
  - run: {ms: 1500}
""")
    timeline = play(scenario)

    last = story_to(timeline, timeline.head)[-1]

    assert last.title["en"] == "m2: REQUEST_TIMED_OUT"


def test_a_fetch_acknowledges_only_once_the_leader_has_handled_it():
    sent, handled = told("diverging-high-watermark")[1], told("slowest-replica-decides")[4]

    assert sent.summary["en"] == "Broker 2 fetches from offset 2."
    assert handled.summary["en"] == (
        "Broker 2 fetches from offset 4, so leader 1 knows that it has everything below that."
    )


def test_a_summary_does_not_contradict_itself():
    joined, refused = told("last-known-leader")[12], told("dead-last-known-leader")[16]

    assert joined.summary["en"] == (
        "Brokers 2 and 3 join the ISR, now {1, 3, 2}, and broker 1’s high watermark rises to 1."
    )
    assert "may not join" not in refused.summary["en"]


@pytest.mark.parametrize("kafka", ["2.1", "3.9"])
def test_a_start_tells_of_the_started_broker(kafka: str):
    # Before the start, the controller has not detected the crash: its session ends in this step.
    timeline = played(
        PRODUCE, {"settle": {}}, {"crash": {"broker": 2}}, {"start": {"broker": 2}}, kafka=kafka
    )
    start = story_to(timeline, timeline.head)[-1]
    telling = timeline.frames[start.telling_frame]

    assert "recovers its log up to 1" in start.summary["en"]
    assert not any(word in start.summary["en"] for word in ("session", "fences"))
    assert "BrokerBooted" in [happened.kind for happened in telling.events]


def test_a_fenced_leader_is_called_fenced():
    elected = told("dead-last-known-leader")[14].summary

    assert "broker 1, which is fenced, is elected leader in epoch 2" in elected["en"]
    assert "broker 1（已被隔离）在纪元 2 当选 leader" in elected["zh"]


def test_a_log_that_starts_over_is_not_truncated():
    first = told("log-start-offset")[1].summary

    assert first["en"].startswith("Broker 2 deletes its whole log and starts over at 6; it appends")
    assert first["zh"].startswith("Broker 2 删除整个日志，从 6 重新开始；")


def test_of_several_partitions_each_is_named_once():
    story = told("high-watermark-after-restart")

    assert story[2].summary["en"] == (
        "Broker 2’s session expires; it leaves the ISR of t-0, t-1, t-2, now {1}, and broker 1 "
        "remains leader, now in epoch 1."
    )
    assert story[3].summary["en"] == (
        "Broker 2 truncates its log of t-0 to 4 and removes m5, m6, and it truncates its log of "
        "t-1 to 0 and removes m1, … m6."
    )
    assert story[3].summary["zh"] == (
        "Broker 2 把 t-0 的日志截断到 4，删除 m5、m6，把 t-1 的日志截断到 0，删除 m1、… m6。"
    )
    assert story[4].title["en"] == "ISR {1, 2} of t-0, t-1, t-2"
    assert "learns high watermark" not in story[4].summary["en"]


def test_one_broker_is_not_several_in_chinese():
    expired = told("follower-bounce-five-records")[9].summary

    assert expired["zh"].startswith("Broker 1 的会话到期；该 broker 离开 ISR")


def test_an_empty_log_is_not_mentioned_next_to_others():
    started = told("late-answer-of-an-old-epoch")[14].summary["en"]

    assert started == (
        "Broker 1 recovers its log of t-0 up to 2, high watermark 0, and it follows broker 3."
    )


def test_a_refused_step_says_why():
    timeline = played(PRODUCE, {"start": {"broker": 1}})

    step = story_to(timeline, timeline.head)[-1]
    assert step.title["en"] == "start broker 1, refused"
    assert step.summary["en"].startswith("Refused: broker 1 ")


def test_a_step_goes_on_with_an_equal_act():
    timeline = played(PRODUCE)
    first = timeline.act(timeline.head, FETCH)
    before = story_to(timeline, first.head, since=first.frames[0])
    second = timeline.act(first.head, FETCH)

    after = story_to(timeline, second.head, since=second.frames[0])
    assert [step.step for step in before] == [step.step for step in after] == [2]
    assert after[0].first_frame == before[0].first_frame
    assert after[0].last_frame == second.head
    assert after[0].title["en"] == "fetch ×2"


def test_every_kind_of_step_and_event_has_words():
    steps = messages("en", "narration/steps")
    words = messages("en", "narration/story")
    silent = {name_of(kind) for kind in Words.__args__}

    titled = {name for name, step in steps.items() if "title" in step.attributes}
    assert titled == set(STEP_NAMED) - silent
    assert [kind for kind in EVENTS if kind not in words] == []


def test_clauses_speak_of_numbers_that_their_events_have():
    words = messages("en", "narration/story")
    for name, kind in EVENTS.items():
        cases = [text_id(name, case) for case in variants(kind) if case is not None]
        for message in (words.get(case) for case in (name, *cases)):
            if message is None:
                continue
            for pattern in (message.text, *message.attributes.values()):
                if pattern is not None:
                    known = number_names(kind) | MADE_BY_THE_STORY
                    assert placeholders(pattern) <= known, name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_brokers_are_named_first_where_a_pronoun_may_stand_for_them(lang: str):
    for name, message in messages(lang, "narration/story").items():
        parts = message.text or ()
        assert Value("subject") not in parts[1:], name
        assert Value("owner") not in parts[1:], name


def stories() -> Iterator[tuple[str, tuple[StoryStepDocument, ...]]]:
    for timeline in lessons_played():
        yield timeline.scenario.id, story_to(timeline, timeline.head)


def test_every_step_of_every_lesson_has_texts_in_every_language():
    for scenario_id, story in stories():
        for step in story:
            where = f"{scenario_id}, step {step.step}: {step.title} {step.summary}"
            for lang in LANGUAGES:
                title, summary = step.title[lang], step.summary[lang]
                assert title, where
                assert summary, where
                assert not any(sign in title + summary for sign in ("–", "{ ", "$")), where
                assert len(title) <= LONGEST_TITLE, where
            assert len(step.summary["en"].split()) <= MOST_WORDS, where
            assert not step.summary["en"].startswith("Nothing notable"), where


def test_no_step_of_a_lesson_repeats_the_one_before():
    for scenario_id, story in stories():
        for before, step in pairwise(story):
            same = (step.title, step.summary) == (before.title, before.summary)
            assert not same or {"note", "question"} & {*before.marks}, f"{scenario_id}: {step}"


@for_each("kafka, control", VERSIONS)
def test_every_frame_of_every_lesson_under_every_version_is_told(kafka: str, control: Any):
    for timeline in lessons_played(kafka, control):
        lesson = timeline.scenario.id
        assert all(frame.events for frame in timeline.frames), lesson
        story = story_to(timeline, timeline.head)
        assert sum(step.messages for step in story) == len(timeline.frames)
        for step in story:
            for lang in LANGUAGES:
                assert "–" not in step.title[lang] + step.summary[lang], (lesson, step)
