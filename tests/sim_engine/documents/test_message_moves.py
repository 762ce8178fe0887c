"""The messages sent and completed in frames, and the timers that will fire."""

import pytest
from msgspec import UNSET

from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import FIRST_FRAME, FrameNumber
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.runs import down, play, run


def frames_of(scenario: Scenario) -> list[FrameDocument]:
    timeline = play(scenario)
    return [frame_document(timeline, FrameNumber(number)) for number in range(len(timeline.frames))]


SCENARIOS = [
    *(load_shipped(name) for name in ("kip-101-data-loss", "zombie-leader", "transactions")),
    *(random_schedule(seed) for seed in range(8)),
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_the_moves_account_for_every_message_in_flight(scenario: Scenario) -> None:
    under_way: set[int] = set()

    for frame in frames_of(scenario):
        for move in frame.moves:
            if move.fate == "sent":
                under_way.add(move.id)
            else:
                under_way.remove(move.id)

        assert under_way == {
            message.id for message in frame.state.in_flight if not message.parked
        }, frame.frame


def test_a_sent_message_has_its_contents() -> None:
    frames = frames_of(load_shipped("two-rounds"))
    sent = [move.message for frame in frames for move in frame.moves if move.fate == "sent"]

    answers = [message for message in sent if message and message.kind == "fetch_response"]
    assert answers[0].offsets == (0,)
    assert answers[0].numbers["values"] == ("m1",)


def test_an_answer_over_a_cut_link_is_sent_and_lost_in_one_frame() -> None:
    timeline = Timeline(load_shipped("two-rounds"))
    timeline.act(FIRST_FRAME, {"produce": {"to": "t-0", "values": ["m1"]}})
    timeline.act(FrameNumber(1), {"send_fetch": {"broker": 2}})
    timeline.act(FrameNumber(2), {"cut": {"from": 1, "to": 2}})
    timeline.act(FrameNumber(3), {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}})

    moves = frame_document(timeline, FrameNumber(4)).moves

    assert [(move.id, move.fate) for move in moves] == [(1, "arrived"), (2, "sent"), (2, "lost")]


def test_what_arrives_in_silence_is_told_by_the_frame_that_it_follows() -> None:
    frames = frames_of(load_shipped("follower-bounce-five-records"))

    told = next(frame for frame in frames if "IsrShrunk" in {event.kind for event in frame.events})
    sent = {move.id: move.message.kind for move in told.moves if move.message}
    ended = {move.id: move.fate for move in frames[told.frame + 1].moves}

    assert {sent[number]: fate for number, fate in ended.items()} == {
        "leader_and_isr": "arrived",
        "update_metadata": "arrived_unseen",
    }


def test_letting_time_pass_until_a_timer_is_due_fires_it() -> None:
    timeline = Timeline(load_shipped("kip-101-data-loss"))
    timeline.act(FIRST_FRAME, {"produce": {"to": "t-0", "values": ["m1"]}})
    timers = frame_document(timeline, FrameNumber(1)).state.timers
    isr_check = next(timer for timer in timers if timer.kind == "isr_expiration")
    before = {(timer.kind, timer.broker): timer.due_ms for timer in timers}

    made = timeline.act(FrameNumber(1), {"advance": {"ms": isr_check.due_ms}})

    later = frame_document(timeline, made.head).state.timers
    after = {(timer.kind, timer.broker): timer.due_ms for timer in later}
    key = (isr_check.kind, isr_check.broker)
    assert before[key] == isr_check.due_ms < after[key]


def test_a_session_that_runs_out_is_among_the_timers() -> None:
    timeline = Timeline(load_shipped("kip-101-data-loss"))
    timeline.act(FIRST_FRAME, {"crash": {"broker": 1}})

    timers = frame_document(timeline, FrameNumber(1)).state.timers
    sessions = [timer for timer in timers if timer.kind == "session_timeout"]

    assert [(timer.broker, timer.due_ms) for timer in sessions] == [(1, 6_000)]


def test_the_controllers_check_for_leaderless_partitions_is_among_the_timers() -> None:
    setting = {"config": {"topic": "t", "unclean.leader.election.enable": True}}
    timeline = run(*down(2, 1), {"start": {"broker": 2}}, setting, brokers=(1, 2))

    timers = frame_document(timeline, timeline.head).state.timers

    checks = [one for one in timers if one.kind == "unclean_leader_check"]
    assert [(one.broker, one.due_ms) for one in checks] == [(UNSET, 300_000)]


FIELDS_OF_A_FETCH = {
    # KIP-320, KAFKA-10554 and KIP-903 add one each.
    "0.10.2": {"fetch_offset", "max_wait_ms"},
    "2.0.0": {"fetch_offset", "max_wait_ms"},
    "2.1": {"fetch_offset", "max_wait_ms", "leader_epoch"},
    "2.8": {"fetch_offset", "max_wait_ms", "leader_epoch", "last_fetched_epoch"},
    "3.9": {"fetch_offset", "max_wait_ms", "leader_epoch", "last_fetched_epoch", "broker_epoch"},
}


@pytest.mark.parametrize("kafka", FIELDS_OF_A_FETCH)
def test_a_fetch_has_the_fields_of_its_release(kafka: str) -> None:
    steps = ({"produce": {"to": "t-0", "values": ["m1"]}}, *({"fetch": {"broker": 2}},) * 2)
    timeline = run(*steps, kafka=kafka, configs={"replica.fetch.wait.max.ms": 300})

    sent = [
        move.message
        for number in range(len(timeline.frames))
        for move in frame_document(timeline, FrameNumber(number)).moves
        if move.message is not UNSET and move.message.kind == "fetch_request"
    ]

    fields = {name for name, value in sent[-1].numbers.items() if value is not None}
    assert fields == FIELDS_OF_A_FETCH[kafka]
    assert sent[-1].numbers["max_wait_ms"] == 300
    assert sent[-1].numbers["fetch_offset"] == 1


def test_a_response_names_the_epoch_that_it_is_about_from_kip_279() -> None:
    named = {}
    for kafka in ("1.1", "2.0.0"):
        frames = Timeline(load_shipped("follower-bounce-with-epochs"), kafka=kafka)
        frames.run_all()
        named[kafka] = {
            move.message.numbers["answer_epoch"] is not None
            for number in range(len(frames.frames))
            for move in frame_document(frames, FrameNumber(number)).moves
            if move.message is not UNSET
            and move.message.kind == "offsets_for_leader_epoch_response"
        }

    assert named == {"1.1": {False}, "2.0.0": {True}}
