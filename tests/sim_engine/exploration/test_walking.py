"""The walker itself: its random numbers, its schedules, and the failures that it finds."""

import json
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from sim_engine.actions.base import StepStruct
from sim_engine.actions.steps import Crash, Happening, Pause
from sim_engine.cluster.state import ClusterState, with_broker
from sim_engine.command_line import main
from sim_engine.events.log import HighWatermarkAdvanced
from sim_engine.exploration.schedule_check import check_schedule, find_malformed, shrink_failure
from sim_engine.exploration.schedules import SeededRandom, random_schedule
from sim_engine.identifiers import FIRST_EPOCH, FIRST_OFFSET, Offset
from sim_engine.protocol.leader import fetches, leadership, produce
from sim_engine.protocol.log import ReplicaLog
from sim_engine.protocol.replica import FetcherState, Outcome, Replica
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_text
from sim_engine.simulation.transition import PRIMITIVES
from tests.sim_engine.builders import (
    B1,
    B2,
    PARTITION,
    change_registration,
    change_replica,
    cluster,
)
from tests.sim_engine.runs import down, run


def test_chance_gives_the_published_numbers_of_splitmix64() -> None:
    chance = SeededRandom(1234567)

    assert [chance.below(2**64) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_a_weight_of_0_is_never_drawn_and_a_greater_one_more_often() -> None:
    chance = SeededRandom(1)

    drawn = [chance.weighted([("never", 0), ("seldom", 1), ("often", 9)]) for _ in range(1_000)]

    assert "never" not in drawn
    assert drawn.count("often") > 5 * drawn.count("seldom") > 0


def test_an_interrupted_walk_reports_the_schedules_that_it_ran(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt_the_third(seed: int, **options: Any) -> Scenario:
        if seed == 2:
            raise KeyboardInterrupt
        return random_schedule(seed, **options)

    monkeypatch.setattr("sim_engine.command_line.search.random_schedule", interrupt_the_third)

    status = main(["walk", "--runs", "9", "--json"])

    assert (status, json.loads(capsys.readouterr().out)["runs"]) == (130, 2)


def test_a_seed_is_one_schedule() -> None:
    assert random_schedule(7) == random_schedule(7)
    assert random_schedule(7).steps != random_schedule(8).steps


def test_schedules_reach_every_kind_of_step_that_happens() -> None:
    kinds = {type(one.step) for seed in range(60) for one in random_schedule(seed).steps}

    assert kinds == set(get_args(Happening))


BROKEN: dict[str, tuple[ClusterState, str]] = {
    "log": (
        change_replica(cluster({1: "m1/0"}), 1, log=ReplicaLog(cluster({1: "m1/0"}).replica(
            B1, PARTITION).log.records, Offset(3))),
        "not consecutive",
    ),
    "flushed": (change_replica(cluster({1: "m1/0"}), 1, flushed=2), "flushed to 2"),
    "high watermark": (change_replica(cluster(), 2, high_watermark=1), "outside 0 to 0"),
    "roles": (change_replica(cluster(), 1, following=True), "leader and follower"),
    "request": (
        change_replica(
            cluster(),
            2,
            fetcher=FetcherState(
                leader=B1,
                leader_epoch=FIRST_EPOCH,
                phase="fetching",
                fetch_offset=FIRST_OFFSET,
                truncation_fallback=FIRST_OFFSET,
                awaiting=9,
            ),
        ),
        "in flight 0 times",
    ),
    "isr": (change_registration(cluster(), isr=(1, 9)), "brokers that are not replicas"),
    "leader": (change_registration(cluster(), leader=9), "is not a replica"),
    "memory": (
        with_broker(cluster(), replace(cluster().broker(B2), process="crashed")),
        "has in-memory state",
    ),
    "epoch": (change_replica(cluster(), 3, leader_epoch=5), "newer than the controller's"),
}  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN)
def test_a_state_that_is_not_whole_is_found(broken: str) -> None:
    state, said = BROKEN[broken]

    problem = find_malformed(None, state)

    assert problem is not None
    assert said in problem


def test_a_whole_state_has_nothing_malformed() -> None:
    assert (
        find_malformed(None, cluster({1: "m1/0 m2/0", 2: "m1/0"}, high_watermarks={1: 1})) is None
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"leader_epoch": -1}, "leader epoch decreased"),
        ({"partition_epoch": -1}, "partition epoch decreased"),
        ({"isr": (1,)}, "changed without a new epoch"),
    ],
)
def test_a_state_that_does_not_follow_from_the_one_before_is_found(
    changes: dict[str, Any], said: str
) -> None:
    state = change_registration(cluster(), **changes)
    if "leader_epoch" in changes:
        for broker in (1, 2, 3):
            state = change_replica(state, broker, leader_epoch=-1)

    assert said in str(find_malformed(cluster(), state))


def found_failure(**asked: Any) -> Any:
    for seed in range(60):
        schedule = random_schedule(seed, **asked)
        failure = check_schedule(schedule).failure
        if failure is not None:
            return schedule, failure
    raise AssertionError("nothing was found")


def test_a_high_watermark_that_moves_too_soon_is_found_and_shrunk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def at_log_end(replica: Replica, _: Any) -> Any:
        said = HighWatermarkAdvanced(
            broker=replica.broker_id,
            partition=replica.partition,
            before=replica.high_watermark,
            after=replica.log_end_offset,
            log_end_offsets=(),
        )
        return Outcome(
            replica=replace(replica, high_watermark=replica.log_end_offset), events=(said,)
        )

    for caller in (produce, fetches, leadership):
        monkeypatch.setattr(caller, "maybe_increment_high_watermark", at_log_end)

    schedule, failure = found_failure(kafka="3.9", control="kraft")
    shortest = shrink_failure(schedule, failure)

    assert failure.kind == "property"
    assert len(shortest.steps) <= 5
    again = check_schedule(shortest).failure
    assert again is not None
    assert again.kind == "property"


def test_a_change_without_an_event_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(replica: Replica, _: Any) -> Any:
        return Outcome(replica=replace(replica, high_watermark=replica.log_end_offset))

    for caller in (produce, fetches, leadership):
        monkeypatch.setattr(caller, "maybe_increment_high_watermark", silent)

    _, failure = found_failure(kafka="3.9", control="kraft")

    assert failure.kind == "unexplained"
    assert "high_watermark was 0 and is 1, but no event reports it" in failure.message


def test_an_exception_of_the_engine_is_found_and_shrunk_to_its_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    pause: type[StepStruct] = Pause
    monkeypatch.setitem(PRIMITIVES, pause, fails)

    schedule, failure = found_failure()
    shortest = shrink_failure(schedule, failure)

    assert (failure.kind, failure.name) == ("exception", "ZeroDivisionError")
    assert [step.kind for step in shortest.steps] == ["pause"]


def test_a_cluster_that_does_not_heal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetches, "maybe_expand_isr", lambda *_, **__: (None, ()))

    _, failure = found_failure(kafka="2.1")

    assert failure.kind == "liveness"


def test_metadata_is_read_in_the_order_of_the_log_whatever_partition_it_is_about() -> None:
    timeline = run(partitions=2)
    timeline.do(
        {"cut": {"from": "controller", "to": 2}},
        *down(3),
        {"reassign": {"partition": "t-0", "replicas": [2, 1, 3]}},
        {"heal": {"from": "controller", "to": 2}},
    )
    later = {"kind": "metadata_record", "from": "controller", "to": 2, "partition": "t-0"}

    assert timeline.refused({"deliver": later}).code == "earlier_message_first"


def test_the_command_line_prints_its_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["walk", "--runs", "2", "--kafka", "2.1"]) == 0
    assert "2 schedules" in capsys.readouterr().out

    assert main(["walk", "--runs", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == 2


def test_the_command_line_prints_a_failing_schedule_as_a_scenario_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    crash: type[StepStruct] = Crash
    monkeypatch.setitem(PRIMITIVES, crash, fails)

    status = main(["walk", "--runs", "50"])

    said = capsys.readouterr()
    assert status == 1
    assert "ZeroDivisionError" in said.err
    assert [step.kind for step in read_scenario_text(said.out).steps] == ["crash"]


@pytest.mark.parametrize(
    "arguments",
    [["--runs", "0"], ["--seed", "-1"], ["--kafka", "x"], ["--kafka", "2.1", "--control", "kraft"]],
)
def test_a_walk_that_is_asked_for_wrongly_ends_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["walk", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
