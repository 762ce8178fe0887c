"""A follower: it becomes one, fetches, truncates, and reacts to OFFSET_OUT_OF_RANGE."""

from typing import Literal

import pytest
from msgspec.structs import replace

from sim_engine.actions.steps import Fetch, Produce
from sim_engine.events.fetch import FetchedEpochForgotten, FetchSent, LeaderOffsetHeard
from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, FrameNumber, Offset
from sim_engine.protocol.follower.fetch_loop import become_follower
from sim_engine.protocol.follower.fetching import handle_list_offsets_response
from sim_engine.protocol.messages import ListOffsetsResponse, PartitionRegistration
from sim_engine.protocol.replica import FetcherState, Outcome, truncate_to
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, PARTITION, change_replica, cluster
from tests.sim_engine.kafka_cases.world import World
from tests.sim_engine.protocol.replica_builders import follower, settings, view


@pytest.mark.parametrize(
    ("kafka", "epoch", "restarts"),
    [
        ("2.0.0", 1, False),
        ("2.0.0", 2, False),
        ("2.0.1", 1, False),
        ("2.0.1", 2, True),
        ("2.1", 1, True),
        ("3.3", 1, True),
    ],
)
def test_the_same_leader_in_a_later_epoch_restarts_the_fetcher_by_version(kafka, epoch, restarts):
    following = follower(3, kafka=kafka)
    assert following.fetcher is not None
    busy = replace(following, fetcher=replace(following.fetcher, phase="fetching", awaiting=7))

    outcome = become_follower(
        busy,
        PartitionRegistration(
            partition=PARTITION,
            replicas=(B1, B2),
            isr=(B1, B2),
            leader=B1,
            leader_epoch=epoch,
            partition_epoch=5,
        ),
        view(settings(kafka)),
    )

    assert outcome.replica.fetcher is not None
    assert (outcome.replica.fetcher.awaiting is None) == restarts


@pytest.mark.parametrize(
    ("kafka", "named"), [("3.4.1", [0, 0, 0]), ("3.6", [0, None, 0]), ("3.7", [0, 0, 0])]
)
def test_an_empty_first_answer_makes_a_follower_forget_its_epoch_until_3_7(kafka, named):
    state = cluster({1: "m1/0", 2: "m1/0"}, kafka=kafka, brokers=(1, 2), leader=1)
    following = state.replica(B2, PARTITION).fetcher
    assert following is not None
    fetcher = replace(following, has_fetched=False)
    execution = StepExecution(
        change_replica(state, 2, fetcher=fetcher, leader_epoch=0), FrameNumber(1), 100
    )

    execute_step(execution, Fetch(broker=B2))
    execute_step(execution, Produce(to=PARTITION, values=("m2",), acks=1))
    execute_step(execution, Fetch(broker=B2))
    execute_step(execution, Fetch(broker=B2))

    said = [one for executed in execution.executed for one in executed.transition.events]
    asked = [one.last_fetched_epoch for one in said if isinstance(one, FetchSent)]
    assert [asked[0], asked[1], asked[-1]] == named
    assert any(isinstance(one, FetchedEpochForgotten) for one in said) is (None in named)


# --- KAFKA-10706: empty epochs at the end ----------------------------------------------------


@pytest.mark.parametrize(("kafka", "kept"), [("2.4", ((0, 0), (1, 2))), ("2.7", ((0, 0),))])
def test_a_truncation_that_cuts_nothing_drops_empty_epochs_from_2_6_1_on(kafka, kept):
    replica = replace(follower(2, kafka=kafka), epoch_cache=((0, 0), (1, 2)))

    cut, removed, _ = truncate_to(replica, Offset(2), resolve_profile(kafka).rules)

    assert removed == ()
    assert cut.epoch_cache == kept


# --- KAFKA-6857: where "no epoch" ends -------------------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "log"),
    [
        ("0.11.0.2", "a x"),
        ("0.11.0.3", "a"),
        ("1.0.1", "a x"),
        ("1.0.2", "a"),
        ("1.1.0", "a x"),
        ("1.1.1", "a"),
    ],
)
def test_no_epoch_ends_nowhere_from_1_0_2_and_1_1_1_on(kafka, log):
    """Neither replica knows an epoch, as after an upgrade; the follower is ahead."""
    logs = {1: {"log": "a b", "high_watermark": 1}, 2: {"log": "a x", "high_watermark": 1}}
    world = World(kafka, logs=logs)
    for broker in (1, 2):
        world.change(broker, epoch_cache=())

    world.do("fetch", broker=2, only="truncation")

    assert world.log(2).replace("/0", "") == log


def out_of_range(
    kafka: str, which: Literal["earliest", "latest"], leader_offset: int, *, unclean: bool = True
) -> Outcome:
    """Broker 2, with two records, gets the leader's log end or start after OFFSET_OUT_OF_RANGE."""
    replica = replace(
        follower(2, kafka=kafka),
        fetcher=FetcherState(
            leader=B1,
            leader_epoch=FIRST_EPOCH,
            phase="resetting_latest" if which == "latest" else "resetting_earliest",
            fetch_offset=Offset(2),
            truncation_fallback=FIRST_OFFSET,
            awaiting=1,
        ),
    )
    return handle_list_offsets_response(
        replica,
        ListOffsetsResponse(in_reply_to=1, which=which, offset=Offset(leader_offset)),
        view(replace(settings(kafka), unclean_leader_election_enable=unclean)),
    )


@pytest.mark.parametrize(
    ("kafka", "ends"),
    [
        ("0.8.2", "halt"),
        ("0.9", "halt"),
        ("0.10.1", "hang"),
        ("0.10.2", "hang"),
        ("0.11", "exit"),
        ("2.0.0", "exit"),
        ("2.0.1", None),
    ],
)
def test_a_longer_log_than_the_leaders_ends_the_process_by_version(kafka, ends):
    outcome = out_of_range(kafka, "latest", 1, unclean=False)

    assert outcome.process_ends == ends
    assert outcome.replica.log_end_offset == (1 if ends is None else 2)
    assert out_of_range(kafka, "latest", 1).process_ends is None


@pytest.mark.parametrize(("kafka", "log_end"), [("0.8.2", 0), ("0.9", 2)])
def test_in_0_8_a_follower_in_range_again_drops_its_whole_log(kafka, log_end):
    """The leader had caught up when it returned its log end, so its log start is requested."""
    assert out_of_range(kafka, "earliest", 0).replica.log_end_offset == log_end


@pytest.mark.parametrize("kafka", ["0.8.2", "0.9", "3.9"])
def test_a_follower_below_the_leaders_start_begins_there_in_every_release(kafka):
    replica = out_of_range(kafka, "earliest", 5).replica

    assert (replica.log.log_start_offset, replica.log_end_offset) == (5, 5)


@pytest.mark.parametrize(
    ("which", "offset", "variant"), [("latest", 2, "latest"), ("earliest", 0, None)]
)
def test_a_follower_that_is_told_an_offset_within_its_log_says_so(which, offset, variant):
    outcome = out_of_range("3.9", which, offset)

    assert [(type(one), one.variant) for one in outcome.events] == [(LeaderOffsetHeard, variant)]
    assert outcome.replica.log_end_offset == 2
