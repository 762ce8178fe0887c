"""The behaviour of a follower whose fetch offset is outside the leader's log, by release."""

from typing import Literal

import pytest
from msgspec.structs import replace

from sim_engine.events.fetch import LeaderOffsetHeard
from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, Offset, TimeMs
from sim_engine.protocol.follower.fetching import handle_list_offsets_response
from sim_engine.protocol.messages import ListOffsetsResponse
from sim_engine.protocol.replica import FetcherState, Outcome
from tests.sim_engine.builders import B1
from tests.sim_engine.protocol.replica_builders import NOW, follower, settings


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
        settings=replace(settings(kafka), unclean_leader_election_enable=unclean),
        now_ms=TimeMs(NOW),
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
