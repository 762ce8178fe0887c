"""A log's producer state, and its effects on producers and consumers."""

import pytest
from msgspec.structs import replace

from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, ErrorCode, Offset
from sim_engine.protocol.leader.requests import list_offset, read_for_consumer
from sim_engine.protocol.log import (
    Producing,
    ReplicaLog,
    aborted_transactions,
    check_sequence,
    last_stable_offset,
)
from sim_engine.records import Marker, Record
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, PARTITION, cluster


def written(text: str) -> ReplicaLog:
    """`"a7#0 b"`: value a as sequence 0 of producer id 7, then b of nobody in particular.

    `t7!0` is the same in a transaction, `+7` and `-7` are the markers that commit and abort.
    """
    return ReplicaLog(tuple(_record(word, offset) for offset, word in enumerate(text.split())))


def _record(word: str, offset: int) -> Record:
    if word[0] in "+-":
        marker: Marker = "commit" if word[0] == "+" else "abort"
        return Record(
            Offset(offset),
            FIRST_EPOCH,
            f"[{marker}]",
            f"r{offset}",
            producer_id=int(word[1:]),
            transactional=True,
            control=marker,
        )
    value, _, sequence = word.replace("!", "#").partition("#")
    if not sequence:
        return Record(Offset(offset), FIRST_EPOCH, value, f"r{offset}")
    return Record(
        Offset(offset),
        FIRST_EPOCH,
        value,
        f"r{offset}",
        producer_id=int(value[1:]),
        producer_epoch=0,
        sequence=int(sequence),
        transactional="!" in word,
    )


def sent(sequence: int, producer_id: int = 7) -> Producing:
    return Producing(producer_id=producer_id, producer_epoch=0, sequence=sequence)


SIX = written("a7#0 b7#1 c7#2 d7#3 e7#4 f7#5")


@pytest.mark.parametrize(("sequence", "offset"), [(5, 5), (4, 4), (1, 1)])
def test_the_last_five_batches_are_recognised(sequence, offset):
    known = check_sequence(SIX, sent(sequence), resolve_profile("1.1").rules)

    assert isinstance(known, Record)
    assert known.offset == offset


@pytest.mark.parametrize(
    ("kafka", "sequence"), [("1.1", 0), ("3.9", 0), ("0.11", 4), ("0.11", 0), ("3.9", 7)]
)
def test_an_older_batch_and_a_gap_are_out_of_order(kafka, sequence):
    told = check_sequence(SIX, sent(sequence), resolve_profile(kafka).rules)

    assert told is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_in_0_11_the_last_batch_alone_is_recognised():
    assert isinstance(check_sequence(SIX, sent(5), resolve_profile("0.11").rules), Record)


def test_the_next_sequence_is_accepted_after_writes_of_other_producers():
    log = written("a7#0 x8#0 y")

    assert check_sequence(log, sent(1), resolve_profile("3.9").rules) is ErrorCode.NONE
    assert check_sequence(log, sent(1, 8), resolve_profile("3.9").rules) is ErrorCode.NONE


@pytest.mark.parametrize(
    ("kafka", "told"),
    [
        ("0.11", ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER),
        ("1.1", ErrorCode.UNKNOWN_PRODUCER_ID),
        ("2.4", ErrorCode.UNKNOWN_PRODUCER_ID),
        ("2.8", ErrorCode.NONE),
    ],
)
def test_a_producer_without_state_in_the_log_may_continue_from_2_5(kafka, told):
    log = written("x y")

    assert check_sequence(log, sent(3), resolve_profile(kafka).rules) is told
    assert check_sequence(log, sent(0), resolve_profile(kafka).rules) is ErrorCode.NONE


@pytest.mark.parametrize(
    ("log", "high_watermark", "stable"),
    [
        ("m1 m2", 2, 2),
        ("m1 t7!0 m2", 3, 1),
        ("m1 t7!0 m2", 1, 1),
        ("m1 t7!0 m2", 0, 0),
        ("t7!0 t8!0 +7", 3, 1),
        ("t7!0 +7 m1", 1, 0),
        ("t7!0 +7 m1", 2, 2),
        ("t7!0 -7 t7!1", 3, 2),
    ],
)
def test_the_last_stable_offset_is_below_what_is_undecided(log, high_watermark, stable):
    assert last_stable_offset(written(log), high_watermark) == stable


def test_aborted_transactions_come_in_the_order_of_their_markers():
    log = written("t7!0 t8!0 t9!0 -8 +9 -7")

    found = [
        (one.producer_id, one.first_offset)
        for one in aborted_transactions(log, FIRST_OFFSET, Offset(6))
    ]

    assert found == [(8, 1), (7, 0)]


def test_readers_of_committed_records_pass_the_aborted_over():
    log = written("m1 t7!0 m2 -7 t8!0 +8 t7!1 m3")
    leader = replace(cluster().replica(B1, PARTITION), log=log, high_watermark=8)

    found = read_for_consumer(leader, FIRST_OFFSET, isolation="read_committed")

    assert [record.offset for record in found.records] == [0, 2, 4]
    assert [record.offset for record in found.passed_over] == [1, 3, 5]
    # The second transaction of producer 7 is open.
    assert (found.next_offset, found.bound) == (6, 6)


def test_other_readers_pass_the_markers_over():
    log = written("m1 t7!0 -7 t7!1 m2")
    leader = replace(cluster().replica(B1, PARTITION), log=log, high_watermark=5)

    found = read_for_consumer(leader, FIRST_OFFSET, isolation="read_uncommitted", most=3)

    assert [record.offset for record in found.records] == [0, 1, 3]
    assert (found.next_offset, found.bound) == (4, 5)


def test_e28_the_end_by_isolation():
    """`PartitionTest.testListOffsetIsolationLevels`: three records of an open transaction."""
    state = cluster()
    rules = state.profile.rules
    leader = replace(state.replica(B1, PARTITION), log=written("t7!0 t7!1 t7!2"), high_watermark=0)

    def ends(of):
        return [
            of.log_end_offset,
            list_offset(of, "latest", isolation="read_uncommitted", rules=rules),
            list_offset(of, "latest", isolation="read_committed", rules=rules),
        ]

    assert ends(leader) == [3, 0, 0]
    assert ends(replace(leader, high_watermark=1)) == [3, 1, 0]


@pytest.mark.parametrize("isolation", ["read_uncommitted", "read_committed"])
def test_e29_and_e30_offsets_after_a_leader_change(isolation):
    """`PartitionTest.testMonotonicOffsetsAfterLeaderChange`: epoch start 5, high watermark 2."""
    state = cluster({1: "a/0 b/0 c/0 d/0 e/0"}, high_watermarks={1: 2})
    leader = state.replica(B1, PARTITION)
    assert leader.leading is not None
    leader = replace(leader, leading=replace(leader.leading, leader_epoch_start_offset=5))
    rules = state.profile.rules
    caught_up = replace(leader, high_watermark=5)

    assert list_offset(leader, "latest", isolation=isolation, rules=rules) == "OFFSET_NOT_AVAILABLE"
    assert list_offset(leader, "earliest", isolation=isolation, rules=rules) == 0
    assert list_offset(caught_up, "latest", isolation=isolation, rules=rules) == 5


@pytest.mark.parametrize(("high_watermark", "readable"), [(0, []), (3, [0, 1, 2]), (5, range(5))])
def test_b05_a_consumer_gets_what_is_below_the_high_watermark(high_watermark, readable):
    """`UnifiedLogTest.testFetchUpToHighWatermark`: log end offset 5; above it nothing, no error."""
    leader = cluster({1: "a/0 b/0 c/0 d/0 e/0"}, high_watermarks={1: high_watermark}).replica(
        B1, PARTITION
    )

    first = {
        offset: read_for_consumer(
            leader, Offset(offset), isolation="read_uncommitted", most=1
        ).records
        for offset in range(6)
    }

    assert [offset for offset, records in first.items() if records] == list(readable)
