"""The known answers that a campaign must reproduce before its other numbers can be trusted.

Each answer is known without the engine: from probability, or from what Kafka promises. The everyday
tests are small; the slow ones have the power to notice a few per cent.
"""

import itertools
import math

import pytest
from scipy.stats import binomtest

from sim_engine.campaign.grid import Cell
from sim_engine.campaign.play import RunKey, draw_plan
from sim_engine.campaign.row import RunRow
from sim_engine.campaign.run import run_cell
from sim_engine.versions import resolve_profile, rules_by_name
from tests.sim_engine.campaign.cells import cells_of, one_cell, rows_of

CRASHES: dict[str, object] = {
    "crash": 0.08,
    "pause": 0.04,
    "isolate": 0.03,
    "cut": 0.03,
    "shutdown": 0.02,
    "slow": 0.03,
    "fail_controller": 0.02,
}
"""Faults that take no byte from any disk, and hold no metadata back."""

LEAST_P = 0.001
"""A share this unlikely under the known answer is a failure."""

ACKED_WITHIN_MS = 100
"""A record reaches every replica in sync, and its acknowledgement the producer, within this time
where no message is slow. An outage in between leaves fewer than min.insync.replicas: the request
fails after the append."""

FEW = 60
MANY = 4_000


def is_likely(count: int, of: int, rate: float) -> bool:
    return bool(binomtest(count, of, rate).pvalue > LEAST_P)


# --- from probability ------------------------------------------------------------------------


def only_leader_fails(runs: int) -> list[RunRow]:
    """One record with acks=1, slow messages, and disks that are lost. Only runs in which the
    follower keeps its own, and has caught up with the empty log before the record is sent."""
    cell = one_cell(
        acks=1,
        replication_factor=2,
        latency_ms=250,
        faults={"disk_loss": {"rate": 2, "duration_ms": 60_000}},
        steps=2,
        step_ms=10_000,
        produce_every=100,
        consume_every=0,
        in_flight_ms=0,
        shrink=False,
    )
    keys = (RunKey(campaign=11, cell=0, run=run) for run in range(100 * runs))
    kept = (key for key in keys if not _befalls(cell, key, 2) and _sent_ms(cell, key) > 3_000)
    return [run_cell(key, cell) for key in itertools.islice(kept, runs)]


def check_replication_delay(runs: int) -> None:
    """acks=1: P(lost) = 1 - e^(-λL), where λ is the rate at which the leader's disk is lost and L
    is how long the record takes to the follower: a request and a response, each of 250 ms for
    either end and 2.5 ms on average."""
    acked = [row for row in only_leader_fails(runs) if row.acked]

    expected = 1 - math.exp(-0.2 * 1.005)

    assert len(acked) > runs // 5
    assert is_likely(sum(row.lost > 0 for row in acked), len(acked), expected)


def check_all_replicas_fail(runs: int) -> None:
    """acks=all: lost only if every replica loses its disk before one is repaired, q^R."""
    for factor in (1, 2, 3):
        cell = one_cell(
            replication_factor=factor,
            faults={"disk_loss": {"rate": 0.05, "duration_ms": 10_000_000}},
            steps=20,
            step_ms=1_000,
            produce_every=100,
            consume_every=0,
            in_flight_ms=0,
            shrink=False,
        )
        lost, of, expected = 0, 0, 0.0
        for run in range(runs):
            key = RunKey(campaign=12, cell=cell.number, run=run)
            row = run_cell(key, cell)
            if row.acked:
                of += 1
                lost += row.lost > 0
                left_ms = 20_000 - _sent_ms(cell, key)
                expected += (1 - math.exp(-0.05 * left_ms / 1_000)) ** factor
        assert of > runs // 2
        assert is_likely(lost, of, expected / of), f"{factor} replicas: {lost} of {of}"


def check_least_in_sync_replicas(runs: int) -> None:
    """min.insync.replicas=m is the floor: a record that is acknowledged by no more than m replicas
    is lost with q^m, and with fewer it is refused until another is back. So of three replicas 3 - m
    have lost their disks, and have left the ISR, before the record is sent."""
    for least in (1, 2):
        cell = one_cell(
            replication_factor=3,
            configs={"min.insync.replicas": least},
            faults={"disk_loss": {"rate": 1, "duration_ms": 10_000_000}},
            steps=2,
            step_ms=30_000,
            produce_every=100,
            consume_every=0,
            in_flight_ms=0,
            shrink=False,
        )
        keys = (RunKey(campaign=13, cell=0, run=run) for run in itertools.count())
        lost, expected = 0, 0.0
        for key in itertools.islice((key for key in keys if _left(cell, key) == least), runs):
            row = run_cell(key, cell)
            assert row.acked == 1
            lost += row.lost
            left_ms = 60_000 - _sent_ms(cell, key) - ACKED_WITHIN_MS
            expected += (1 - math.exp(-left_ms / 30_000)) ** least
        assert is_likely(lost, runs, expected / runs), f"m = {least}: {lost} of {runs}"
        keys = (RunKey(campaign=13, cell=0, run=run) for run in itertools.count())
        too_few = (key for key in keys if _left(cell, key) == least - 1)
        for key in itertools.islice(too_few, runs // 10):
            assert run_cell(key, cell).lost == 0


def _left(cell: Cell, key: RunKey) -> int | None:
    """How many of three replicas are in sync when the record is sent; None if one of the others has
    failed too shortly before for the controller to know, or one fails before the record can be
    acknowledged. Poisson faults have no memory: the other runs need only a shorter time."""
    sent_ms = _sent_ms(cell, key)
    failed_ms: dict[int, int] = {}
    for fault in draw_plan(cell, key).faults:
        if sent_ms <= fault.at_ms < sent_ms + ACKED_WITHIN_MS:
            return None
        if fault.at_ms < sent_ms:
            failed_ms.setdefault(fault.brokers[0], fault.at_ms)
    if any(at_ms > sent_ms - 12_000 for at_ms in failed_ms.values()):
        return None
    return 3 - len(failed_ms)


def check_common_power(runs: int) -> None:
    """If all replicas lose power together, more replicas do not help."""
    lost = [
        [row.lost > 0 for row in rows_of(cell, runs)]
        for cell in cells_of(
            replication_factor=[1, 2, 3],
            faults={"rack_power_loss": 0.05},
            steps=10,
            in_flight_ms=0,
            consume_every=0,
            shrink=False,
        )
    ]

    assert any(lost[0])
    assert lost[0] == lost[1] == lost[2]


def test_acks_1_loses_records_as_the_replication_delay_predicts() -> None:
    check_replication_delay(FEW)


def test_acks_all_loses_a_record_only_with_all_its_replicas() -> None:
    check_all_replicas_fail(FEW // 3)


def test_least_in_sync_replicas_are_the_floor() -> None:
    check_least_in_sync_replicas(2 * FEW)


def test_power_that_all_share_makes_the_replication_factor_irrelevant() -> None:
    check_common_power(6)


@pytest.mark.slow
def test_the_same_with_enough_runs_to_notice_a_few_per_cent() -> None:
    check_replication_delay(MANY // 4)
    check_all_replicas_fail(MANY)
    check_least_in_sync_replicas(MANY // 4)
    check_common_power(MANY // 10)


# --- from Kafka's guarantees ----------------------------------------------------------------


def check_crashes(kafka: list[str], runs: int) -> None:
    """From 2.1 on, nothing that acks=all acknowledged is lost without losing a disk's bytes, at any
    min.insync.replicas, while unclean elections are off."""
    for cell in cells_of(
        kafka=kafka,
        configs={"min.insync.replicas": [1, 2], "unclean.leader.election.enable": False},
        faults=CRASHES,
        steps=30,
        produce_every=4,
    ):
        rows = rows_of(cell, runs)

        assert any(row.elections for row in rows)
        assert [row.seed for row in rows if row.lost] == [], dict(cell.settings)


def test_crashes_alone_lose_nothing_from_2_1_on() -> None:
    check_crashes(["2.1", "4.1"], 2)


@pytest.mark.slow
def test_crashes_alone_lose_nothing_in_any_release_from_2_1_on() -> None:
    check_crashes(["2.1", "2.4", "2.8", "3.3", "3.6", "3.9", "4.0", "4.1", "4.3"], 300)


@pytest.mark.slow
def test_before_2_1_crashes_alone_do_lose_records_and_fewer_with_each_rule() -> None:
    """KIP-101 (0.11) and KIP-279 and KIP-320 (2.0, 2.1) fixed these losses."""
    lost = [
        sum(row.lost > 0 for row in rows_of(cell, 600))
        for cell in cells_of(
            kafka=["0.10.2", "1.1", "2.1"],
            configs={"unclean.leader.election.enable": False},
            faults={"crash": {"rate": 0.2, "duration_ms": 3_000}},
            steps=30,
            shrink=False,
        )
    ]

    assert lost[0] > lost[1] >= lost[2] == 0


@pytest.mark.slow
def test_more_replicas_never_lose_more_under_crashes() -> None:
    for two, three in zip(
        *(
            rows_of(cell, 300)
            for cell in cells_of(
                kafka="3.9",
                acks="all",
                replication_factor=[2, 3],
                configs={"unclean.leader.election.enable": False},
                faults=CRASHES,
                steps=30,
            )
        ),
        strict=True,
    ):
        assert three.lost <= two.lost


POWER: dict[str, object] = {"power_loss": 0.04, "rack_power_loss": 0.02}


def check_flush(runs: int) -> None:
    """With a flush of each record, power losses lose nothing, for any acks=all setting."""
    flushed, unflushed = (
        [row.lost > 0 for row in rows_of(cell, runs)]
        for cell in cells_of(
            kafka="3.9",
            acks="all",
            configs={
                "log.flush.interval.messages": [1, 9_223_372_036_854_775_807],
                "unclean.leader.election.enable": False,
            },
            faults=POWER,
            steps=20,
            shrink=False,
        )
    )

    assert not any(flushed)
    assert any(unflushed)


def test_a_flush_of_each_record_survives_every_power_loss() -> None:
    check_flush(6)


@pytest.mark.slow
def test_a_flush_of_each_record_survives_every_power_loss_in_many_runs() -> None:
    check_flush(300)


@pytest.mark.slow
def test_with_acks_1_a_longer_replication_delay_never_loses_less() -> None:
    """On the same faults, in total: a record is at risk until the follower has it."""
    lost = [
        sum(row.lost for row in rows_of(cell, 150))
        for cell in cells_of(
            kafka="3.9",
            acks=1,
            replication_factor=2,
            latency_ms=[0, 50, 250, 1_000],
            configs={"unclean.leader.election.enable": False},
            faults={"disk_loss": 0.02},
            steps=20,
            shrink=False,
        )
    ]

    assert lost == sorted(lost)
    assert lost[0] < lost[-1]


# --- between releases ------------------------------------------------------------------------

BUSY: dict[str, object] = {**CRASHES, "late_metadata": 0.03}


@pytest.mark.parametrize(
    ("releases", "control"),
    [(("3.4.1", "3.5.0"), "zookeeper"), (("3.7.2", "3.8"), "zookeeper"), (("4.3", "4.4"), "kraft")],
)
def test_releases_with_the_same_rules_give_the_same_runs(
    releases: tuple[str, str], control: str
) -> None:
    one, other = (resolve_profile(release, control=control) for release in releases)
    assert rules_by_name(one) == rules_by_name(other)

    before, after = _digests(releases, runs=2, control=control)

    assert before == after


@pytest.mark.slow
@pytest.mark.parametrize(
    "releases", [("2.2", "2.3"), ("3.4", "3.5"), ("3.6", "3.7"), ("4.0", "4.1")]
)
def test_runs_differ_only_if_a_different_rule_took_effect(releases: tuple[str, str]) -> None:
    """For releases whose new rules are named by an event whenever they have an effect."""
    one, other = (rules_by_name(resolve_profile(release)) for release in releases)
    new = {name for name in one if one[name] != other[name]}
    cells = cells_of(kafka=list(releases), faults=BUSY, steps=20, shrink=False)
    pairs = list(zip(*(rows_of(cell, 80) for cell in cells), strict=True))

    assert any(before.digest != after.digest for before, after in pairs)
    for before, after in pairs:
        if before.digest != after.digest:
            assert new & {*before.rules, *after.rules}, before.seed


def _digests(releases: tuple[str, str], runs: int, control: str) -> list[list[str]]:
    cells = cells_of(kafka=list(releases), control=[control], faults=BUSY, steps=15, shrink=False)
    return [[row.digest for row in rows_of(cell, runs)] for cell in cells]


def _befalls(cell: Cell, key: RunKey, broker: int) -> bool:
    return any(broker in fault.brokers for fault in draw_plan(cell, key).faults)


def _sent_ms(cell: Cell, key: RunKey) -> int:
    """The time at which the only record of a run is sent."""
    return next(each.at_ms for each in draw_plan(cell, key).planned if each.what == "produce")
