"""A: where epochs start and end (`LeaderEpochFileCacheTest`)."""

import pytest

from sim_engine.identifiers import (
    FIRST_OFFSET,
    UNDEFINED_EPOCH,
    UNDEFINED_OFFSET,
    LeaderEpoch,
    Offset,
)
from sim_engine.protocol.log import (
    UNDEFINED_END,
    EpochEntries,
    assign,
    end_offset_for,
    latest_epoch,
    truncate_from_end,
    truncate_from_start,
)
from sim_engine.versions import resolve_profile
from tests.sim_engine.kafka_cases.cases import case, row
from tests.sim_engine.kafka_cases.world import World

TODAY = resolve_profile("3.9").rules


def entries_of(*pairs: tuple[int, int]) -> EpochEntries:
    return tuple((LeaderEpoch(epoch), Offset(start)) for epoch, start in pairs)


THREE = entries_of((2, 6), (3, 8), (4, 11))
FIVE_SIX_SEVEN = entries_of((5, 11), (6, 12), (7, 13))


def lec(method: str) -> str:
    return f"LeaderEpochFileCacheTest.{method}"


def cache(*assigned: tuple[int, int]) -> EpochEntries:
    """The cache after these epochs are assigned in order."""
    entries: EpochEntries = ()
    for epoch, start in assigned:
        entries = assign(entries, LeaderEpoch(epoch), Offset(start), TODAY)
    return entries


@pytest.mark.parametrize(
    ("assigned", "expected"),
    [
        row("A05", lec("shouldEnforceMonotonicallyIncreasingStartOffsets"),
            [(2, 9), (3, 9)], [(3, 9)]),
        row("A15", lec("shouldEnforceOffsetsIncreaseMonotonically"), [(2, 6), (3, 5)], [(3, 5)]),
    ],
)  # fmt: skip
def test_an_epoch_that_starts_no_later_replaces_what_it_overtakes(assigned, expected):
    assert cache(*assigned) == tuple(expected)


@pytest.mark.parametrize(
    ("assigned", "kept", "log_end_offset", "lookups"),
    [
        row("A01", lec("shouldAddEpochAndMessageOffsetToCache"),
            [(2, 10)], [(2, 10)], 11, {2: (2, 11)}),
        row("A02", lec("shouldReturnLogEndOffsetIfLatestEpochRequested"),
            [(2, 11), (2, 12), (2, 13)], [(2, 11)], 14, {2: (2, 14)}),
        row("A04", lec("shouldNotOverwriteLogEndOffsetForALeaderEpochOnceItHasBeenAssigned"),
            [(2, 11), (2, 12)], [(2, 11)], 14, {2: (2, 14)}),
        row("A06", lec("shouldReturnUnsupportedIfNoEpochRecorded"), [], [], 0, {0: UNDEFINED_END}),
        row("A09", lec("shouldGetFirstOffsetOfSubsequentEpochWhenOffsetRequestedForPreviousEpoch"),
            [(1, 11), (1, 12), (2, 13), (2, 14), (3, 15), (3, 16)],
            [(1, 11), (2, 13), (3, 15)], 17, {2: (2, 15)}),
        row("A10", lec("shouldReturnNextAvailableEpochIfThereIsNoExactEpochForTheOneRequested"),
            [(0, 10), (2, 13), (4, 17)], [(0, 10), (2, 13), (4, 17)], 18,
            {1: (0, 13), 2: (2, 17), 3: (2, 17)}),
        row("A11", lec("shouldReturnInvalidOffsetIfEpochIsRequestedWhichIsNotCurrentlyTracked"),
            [(2, 100)], [(2, 100)], 101, {3: UNDEFINED_END}),
        row("A12", lec("shouldSupportEpochsThatDoNotStartFromZero"), [(2, 6)], [(2, 6)], 7,
            {2: (2, 7)}),
        row("A16", lec("shouldIncreaseAndTrackEpochsAsLeadersChangeManyTimes"),
            [(0, 0), (1, 0)], [(1, 0)], 0, {1: (1, 0), 0: (0, 0)}),
        row("A17", lec("shouldIncreaseAndTrackEpochsAsLeadersChangeManyTimes"),
            [(0, 0), (1, 0)], [(1, 0)], 5, {1: (1, 5), 0: (0, 0)}),
        row("A18", lec("shouldIncreaseAndTrackEpochsAsLeadersChangeManyTimes"),
            [(0, 0), (1, 0), (2, 5)], [(1, 0), (2, 5)], 10, {2: (2, 10), 1: (1, 5), 0: (0, 0)}),
        row("A19", lec("shouldIncreaseAndTrackEpochsAsFollowerReceivesManyMessages"),
            [(0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (1, 5), (2, 6), (2, 7), (2, 8)],
            [(0, 0), (1, 3), (2, 6)], 9,
            {0: (0, 3), 1: (1, 6), 2: (2, 9)}),
    ],
)  # fmt: skip
def test_an_epoch_ends_where_the_next_one_known_begins(assigned, kept, log_end_offset, lookups):
    entries = cache(*assigned)

    found = {epoch: end_offset_for(entries, epoch, log_end_offset, TODAY) for epoch in lookups}

    assert found == lookups
    assert entries == tuple(kept)


@case("A03", lec("shouldReturnUndefinedOffsetIfUndefinedEpochRequested"))
def test_asking_for_no_epoch_finds_nothing():
    assert (
        end_offset_for(entries_of((2, 11), (3, 12)), UNDEFINED_EPOCH, Offset(13), TODAY)
        == UNDEFINED_END
    )
    assert end_offset_for((), UNDEFINED_EPOCH, FIRST_OFFSET, TODAY) == UNDEFINED_END


@case("A07", lec("shouldReturnFirstEpochIfRequestedEpochLessThanFirstEpoch"))
def test_an_epoch_before_the_first_ends_where_the_first_begins():
    before_kafka_7415 = resolve_profile("2.0.0").rules

    assert end_offset_for(FIVE_SIX_SEVEN, LeaderEpoch(4), Offset(14), TODAY) == (4, 11)
    assert (
        end_offset_for(FIVE_SIX_SEVEN, LeaderEpoch(4), Offset(14), before_kafka_7415)
        == UNDEFINED_END
    )


@case("A08", lec("shouldTruncateIfMatchingEpochButEarlierStartingOffset"))
def test_an_epoch_that_starts_earlier_than_noted_drops_what_it_covers():
    entries = assign(FIVE_SIX_SEVEN, LeaderEpoch(7), Offset(12), TODAY)

    assert entries == ((5, 11), (7, 12))
    assert end_offset_for(entries, LeaderEpoch(5), Offset(13), TODAY) == (5, 12)
    assert end_offset_for(entries, LeaderEpoch(6), Offset(13), TODAY) == (5, 12)


@case("A13", lec("shouldPersistEpochsBetweenInstances"))
def test_epochs_outlive_the_process():
    world = World(logs={1: {"log": "a/2 b/2", "log_start": 6}}, replicas=[1], leader_epoch=2)
    world.do("crash", broker=1)

    world.do("boot", broker=1)

    assert world.replica(1).epoch_cache == ((2, 6),)


@case("A14", lec("shouldEnforceMonotonicallyIncreasingEpochs"))
def test_a_lower_epoch_removes_the_higher_ones():
    entries = cache((1, 5), (2, 6), (1, 7))

    assert entries == ((1, 7),)
    assert end_offset_for(entries, LeaderEpoch(1), Offset(8), TODAY) == (1, 8)
    assert end_offset_for(entries, LeaderEpoch(2), Offset(8), TODAY) == UNDEFINED_END
    assert latest_epoch(entries) == 1


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        row("A20", lec("shouldDropEntriesOnEpochBoundaryWhenRemovingLatestEntries"), 8, [(2, 6)]),
        row("A21", lec("shouldDropEntriesBetweenEpochBoundaryWhenRemovingNewest"),
            9, [(2, 6), (3, 8)]),
    ],
)  # fmt: skip
def test_cutting_the_end_drops_the_epochs_that_start_there_or_later(offset, expected):
    assert truncate_from_end(THREE, offset) == tuple(expected)


@case("A22", lec("shouldNotResetEpochHistoryHeadIfUndefinedPassed"))
def test_an_undefined_offset_cuts_nothing():
    assert truncate_from_end(THREE, UNDEFINED_OFFSET) == THREE
    assert truncate_from_start(THREE, UNDEFINED_OFFSET) == THREE


@pytest.mark.parametrize(
    ("entries", "start", "expected"),
    [
        row("A23", lec("shouldPreserveResetOffsetOnClearEarliestIfOneExists"),
            THREE, [8], [[(3, 8), (4, 11)]]),
        row("A24", lec("shouldUpdateSavedOffsetWhenOffsetToClearToIsBetweenEpochs"),
            THREE, [9], [[(3, 9), (4, 11)]]),
        row("A25", lec("shouldNotClearAnythingIfOffsetToEarly"),
            THREE, [1, 6], [THREE, THREE]),
        row("A26", lec("shouldRetainLatestEpochOnClearAllEarliest"),
            THREE, [11, 15], [[(4, 11)], [(4, 15)]]),
        row("A27", lec("shouldUpdateOffsetBetweenEpochBoundariesOnClearEarliest"),
            ((0, 0), (1, 7), (2, 10)), [5], [[(0, 5), (1, 7), (2, 10)]]),
    ],
)  # fmt: skip
def test_moving_the_start_keeps_the_epoch_that_holds_it(entries, start, expected):
    assert [truncate_from_start(entries, offset) for offset in start] == [
        tuple(kept) for kept in expected
    ]
