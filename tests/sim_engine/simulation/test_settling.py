"""What settling waits for."""

from collections.abc import Sequence

import pytest

from sim_engine.events.fetch import PartitionFailed
from sim_engine.events.run import Settled
from sim_engine.exploration.schedule_check import check_schedule
from sim_engine.narration import RefusedError as ActionRefusedError
from tests.sim_engine.runs import SETTLE, Run, Step, down, lesson, run


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_follower_whose_fetch_came_while_the_isr_was_changing_joins_too(seed):
    timeline = run(
        {"produce": {"to": "t-0", "values": ["m1"], "acks": 1}},
        SETTLE,
        {"disk_loss": {"broker": 2}},
        {"detect": {"broker": 2}},
        *down(3, 1),
        *({"start": {"broker": broker}} for broker in (2, 3, 1)),
        SETTLE,
        seed=seed,
        configs={"min.insync.replicas": 3},
    )

    assert sorted(timeline.registration().isr) == [1, 2, 3]


def test_a_waiting_fetch_that_is_fenced_is_shown():
    """Its response stops fetching the partition, although it changes no log and no high watermark
    (found by a random schedule)."""
    timeline = run(
        {"elect": {"partition": "t-0", "kind": "preferred"}},
        {"send_fetch": {"broker": 4}},
        {"hold": {"kind": "metadata_record", "from": "controller", "to": 4}},
        {"disk_loss": {"broker": 2}},
        {"advance": {"ms": 30_000}},
        SETTLE,
        kafka="3.4.1",
        control="kraft",
        seed=34,
        brokers=(1, 2, 3, 4),
        configs={"unclean.leader.election.enable": True, "min.insync.replicas": 2},
        partition={"leader": 2},
    )

    assert [failed.broker for failed in timeline.told(PartitionFailed)] == [4]
    assert check_schedule(timeline.scenario).failure is None


def at_rest(*steps: Step, brokers: Sequence[int] = (1,)) -> Run:
    return run(*steps, SETTLE, brokers=brokers)


def settle_choice(timeline, after):
    (choice,) = [one for one in timeline.choices(after) if one.step == SETTLE]
    return choice


def test_a_settle_of_a_file_makes_no_frame_where_nothing_is_pending():
    timeline = at_rest(SETTLE, SETTLE)

    assert [frame.item for frame in timeline.frames if frame.item in (1, 2)] == []
    assert [done.frames for done in timeline.played_steps[1:]] == [(), ()]


def test_settle_is_offered_exactly_where_it_has_an_effect():
    timeline = at_rest()
    rest = timeline.head
    crashed = timeline.act(rest, {"crash": {"broker": 1}}).head

    assert settle_choice(timeline, crashed).enabled
    refused = settle_choice(timeline, rest)
    assert (refused.enabled, refused.reason_code) == (False, "nothing_pending")


def test_a_person_s_settle_without_effect_is_refused_and_changes_nothing():
    timeline = at_rest()
    rest = timeline.head
    timeline.act(rest, {"crash": {"broker": 1}})
    before = (timeline.head, len(timeline.frames), list(timeline.played_steps))

    with pytest.raises(ActionRefusedError) as refused:
        timeline.act(rest, SETTLE)

    assert refused.value.code == "nothing_pending"
    assert (timeline.head, len(timeline.frames), timeline.played_steps) == before


def test_what_is_answered_unseen_makes_one_frame_that_says_so():
    timeline = at_rest(brokers=(1, 2))
    waiting = timeline.act(timeline.head, {"send_fetch": {"broker": 2}}).head
    request = {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}}
    waiting = timeline.act(waiting, request).head

    made = timeline.act(waiting, SETTLE)

    assert [type(one) for one in timeline.frames[made.head].events] == [Settled]
    assert not settle_choice(timeline, made.head).enabled


def test_a_settle_that_has_an_effect_under_another_version_only_has_it_there():
    before = lesson("empty-epoch", "2.8", "kraft")
    settle = 5
    assert all(frame.item != settle for frame in before.frames)

    again = before.replayed(before.head, kafka="3.9")

    assert any(frame.item == settle for frame in again.frames)
