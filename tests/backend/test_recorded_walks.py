"""Random schedules against brokers that the engine plays: with an error, or without one."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from backend.cli import run
from backend.commands import walk_against
from backend.recorded_walks.walk import NoRecordingError, Walked, compare, draw, walk
from backend.recording.plan import plan
from backend.recording.record import WrittenRecording
from backend.recording.settings import lags
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import PowerLoss
from sim_engine.conformance import recording as verbs
from sim_engine.conformance.recording import NoticedBroker, RecordedState
from sim_engine.exploration.schedules import OUTLASTS_LAG
from sim_engine.identifiers import BrokerId
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import Control
from tests.backend.recorded_by_engine import recorded_by_engine
from tests.tables import for_each

SEEDS = range(6)


def with_another_epoch(done: list[verbs.Verb], state: RecordedState) -> RecordedState:
    """Brokers that show another leader epoch once a reassignment was asked for."""
    asked = any(isinstance(one, verbs.Reassign) for one in done)
    return replace(state, leader_epoch=(state.leader_epoch or 0) + 1) if asked else state


def with_error(scenario: Scenario, release: str) -> WrittenRecording:
    return recorded_by_engine(scenario, release, with_another_epoch)


def outcomes(walked: list[Walked]) -> list[tuple[int, str, str | None]]:
    return [(one.seed, one.outcome, one.reason) for one in walked]


@for_each("release, control", [("4.3.1", "kraft"), ("3.5.2", "kraft"), ("1.1.1", "zookeeper")])
def test_brokers_that_the_engine_plays_agree_with_it(release, control):
    walked = list(walk(SEEDS, release, control, recorded_by_engine, most_recordings=0))

    assert {one.outcome for one in walked} <= {"agrees", "not_recorded"}, outcomes(walked)
    assert any(one.outcome == "agrees" for one in walked), outcomes(walked)


@for_each("release, control", [("4.4.0", "kraft"), ("2.0.1", "zookeeper")])
def test_a_drawn_schedule_can_be_recorded_and_is_the_same_for_a_seed(release, control):
    for seed in SEEDS:
        schedule = draw(seed, release, control)

        assert schedule.steps
        assert draw(seed, release, control) == schedule
        assert plan(schedule, release, control).steps


@for_each("release, control", [("4.4.0", "kraft"), ("1.1.1", "zookeeper")])
def test_a_drawn_schedule_with_two_partitions_can_be_recorded_too(release, control):
    with_two = [
        schedule
        for schedule in (draw(seed, release, control, steps=3) for seed in (3, 4))
        if len(schedule.topics[0].partitions) == 2
    ]

    assert with_two
    assert all(one.steps for one in with_two)


def test_some_drawn_clusters_have_five_members_or_a_broker_to_add():
    drawn = [draw(seed, "4.4.0", "kraft", steps=0) for seed in range(40)]
    sizes = {(len(one.brokers), len(one.topics[0].partitions[0].replicas)) for one in drawn}

    assert sizes == {(2, 2), (3, 3), (3, 2), (4, 4), (4, 3), (5, 5), (5, 4)}


def test_a_drawn_power_loss_names_what_survives():
    drawn = [step for seed in range(7) for step in draw(seed, "4.4.0", "kraft").steps]
    losses = [step.step.keep for step in drawn if isinstance(step.step, PowerLoss)]

    assert {"power_loss", "transaction", "deliver"} <= {step.kind for step in drawn}
    assert losses
    assert all(keep is not None and [*keep] == ["t-0"] for keep in losses)


def with_lag(release: str, control: Control, seeds: range) -> list[Scenario]:
    """The drawn schedules in which followers lag."""
    return [
        draw(seed, release, control, steps=6)
        for seed in seeds
        if lags(draw(seed, release, control, steps=0))
    ]


@for_each("release, control", [("4.4.0", "kraft"), ("2.8.2", "zookeeper")])
def test_followers_lag_in_some_drawn_schedules(release, control):
    drawn = with_lag(release, control, range(30))

    assert 3 <= len(drawn) <= 10
    for schedule in drawn:
        assert len(schedule.steps) == 12
        assert all(one.step == OUTLASTS_LAG for one in schedule.steps[1::2])
    isrs = [isrs_of(schedule, release) for schedule in drawn]
    assert any(len(after) < len(before) for one in isrs for before, after in pairwise(one)), isrs
    assert any(len(after) > len(before) for one in isrs for before, after in pairwise(one)), isrs


def isrs_of(schedule: Scenario, release: str) -> list[list[BrokerId]]:
    try:
        recording = recorded_by_engine(schedule, release)
    except NoRecordingError:
        return []
    assert compare(recording).differences == ()
    return [one.saw.isr or [] for one in recording.steps if one.saw is not None]


def test_whoever_lags_has_left_when_the_step_is_read():
    schedule = read_scenario_document(
        {
            "scenario": 1,
            "id": "lag",
            "kafka": "4.3.1",
            "brokers": [1, 2, 3],
            "configs": {"replica.lag.time.max.ms": 3_000},
            "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
            "steps": [
                {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
                OUTLASTS_LAG.as_step(),
                {"fetch": {"broker": 3}},
                OUTLASTS_LAG.as_step(),
                {"fetch": {"broker": 3}},
                OUTLASTS_LAG.as_step(),
                {"produce": {"to": "t-0", "values": ["m2"], "as": "p1"}},
                OUTLASTS_LAG.as_step(),
            ],
        }
    )

    assert isrs_of(schedule, "4.3.1") == [[1, 2, 3], [1], [1], [1, 3], [1]]


def test_a_kraft_session_ends_beside_no_lag_time():
    drawn = with_lag("4.4.0", "kraft", range(100))

    by_session = {
        session_ms: {
            name_of(type(one.verb))
            for schedule in drawn
            if schedule.configs["broker.session.timeout.ms"] == session_ms
            for one in plan(schedule, "4.4.0", "kraft").steps
        }
        for session_ms in (27_000, 900_000)
    }
    assert {"kill", "power_loss", "disk_loss"} & by_session[27_000]
    assert {"freeze", "cut_off"} <= by_session[900_000]
    assert not {"freeze", "cut_off"} & by_session[27_000]
    assert not {"kill", "power_loss", "disk_loss"} & by_session[900_000]


def test_up_to_2_0_only_a_single_follower_lags():
    drawn = with_lag("1.1.1", "zookeeper", range(300))

    assert drawn
    assert {len(one.brokers) for one in drawn} == {2}


@for_each("goes, returns, verb", [("pause", "resume", "thaw"), ("isolate", "heal", "reconnect")])
def test_a_broker_returns_as_its_session_ends(goes, returns, verb):
    away = {"broker": 1, **({"from": "controller"} if goes == "isolate" else {})}
    document = {
        "scenario": 1,
        "id": "returns",
        "kafka": "4.3.1",
        "brokers": [1, 2],
        "topics": [{"name": "t", "partitions": [{"replicas": [2, 1]}]}],
        "steps": [{goes: away}, {returns: {"broker": 1}}],
    }
    recording = recorded_by_engine(read_scenario_document(document), "4.3.1")
    fenced = [NoticedBroker(broker=BrokerId(1), fenced=one) for one in (True, False)]
    steps = [replace(one, noticed=fenced) if verb in one.do else one for one in recording.steps]

    places = {one.where for one in compare(replace(recording, steps=steps)).differences}

    assert places == {"saw/isr", "saw/partition_epoch"}  # the fenced broker has left the ISR


def seed_of_difference() -> int:
    """A seed whose schedule reassigns, so that brokers with the error differ."""
    for seed in range(40):
        schedule = draw(seed, "4.3.1", "kraft")
        if any(one.kind == "reassign" for one in schedule.steps):
            try:
                recorded_by_engine(schedule, "4.3.1")
            except NoRecordingError:
                continue
            return seed
    raise AssertionError("no schedule reassigns")


def test_a_difference_is_shortened_to_the_step_that_makes_it():
    seed = seed_of_difference()

    (one,) = walk(range(seed, seed + 1), "4.3.1", "kraft", with_error, most_recordings=200)

    assert one.outcome == "differs"
    assert one.shortest is not None
    assert [step.kind for step in one.shortest.steps] == ["reassign"]
    assert one.compared is not None
    assert {difference.where for difference in one.compared.differences} == {"saw/leader_epoch"}


def test_shortening_ends_with_the_recordings_that_it_may_make():
    seed, recorded = seed_of_difference(), []

    def counting(scenario: Scenario, release: str) -> WrittenRecording:
        recorded.append(scenario)
        return with_error(scenario, release)

    (one,) = walk(range(seed, seed + 1), "4.3.1", "kraft", counting, most_recordings=3)

    assert one.outcome == "differs"
    assert len(recorded) == 2 + 3


def test_a_difference_that_is_not_there_again_is_unstable():
    seed, calls = seed_of_difference(), []

    def once(scenario: Scenario, release: str) -> WrittenRecording:
        calls.append(scenario)
        return (with_error if len(calls) == 1 else recorded_by_engine)(scenario, release)

    (one,) = walk(range(seed, seed + 1), "4.3.1", "kraft", once, most_recordings=9)

    assert (one.outcome, one.shortest, len(calls)) == ("unstable", None, 2)


def test_a_schedule_that_was_not_recorded_is_tried_once_more():
    calls = []

    def too_slow_at_first(scenario: Scenario, release: str) -> WrittenRecording:
        calls.append(scenario)
        if len(calls) == 1:
            raise NoRecordingError("broker 1 runs and lost its session")
        return recorded_by_engine(scenario, release)

    seed = seed_of_difference()
    (one,) = walk(range(seed, seed + 1), "4.3.1", "kraft", too_slow_at_first, most_recordings=0)

    assert (one.outcome, one.reason, len(calls)) == ("agrees", None, 2)


def run_with(monkeypatch, recorder, *arguments: str) -> int:
    """Run the command with brokers that the engine plays, which need no Java."""
    monkeypatch.setattr(walk_against, "_record", recorder)
    monkeypatch.setattr(walk_against, "_release", lambda named, _control: (named, "kraft"))
    return run(["walk", "--against", "4.3.1", *arguments])


def test_the_command_prints_both_answers_and_what_was_exercised(monkeypatch, capsys, tmp_path):
    seed = seed_of_difference()
    options = ("--runs", "1", "--seed", str(seed), "--shrink-runs", "90", "--keep", str(tmp_path))

    status = run_with(monkeypatch, with_error, *options)

    printed = capsys.readouterr().out
    assert status == 1
    assert f"seed {seed}: differs" in printed
    assert "saw/leader_epoch: recorded" in printed
    assert "- reassign:" in printed
    assert "1 schedules: 1 differs" in printed
    assert "0  goal a consumer reads from a follower" in printed
    name = f"walk-{seed}-4.3.1"
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {f"{name}.yaml", f"{name}.json", f"night-4.3.1-kraft-{seed}.json"}


def test_the_recording_that_was_kept_differs_the_same_way(monkeypatch, capsys, tmp_path):
    seed = seed_of_difference()
    run_with(monkeypatch, with_error, "--runs", "1", "--seed", str(seed), "--keep", str(tmp_path))
    capsys.readouterr()
    (recording,) = tmp_path.glob("walk-*.json")

    assert run(["conform", str(recording)]) == 1
    assert "saw/leader_epoch" in capsys.readouterr().out


def test_what_was_walked_before_a_kill_is_counted(monkeypatch, tmp_path):
    seed = seed_of_difference()

    def killed_at_the_second(scenario: Scenario, release: str) -> WrittenRecording:
        if scenario.id != f"walk-{seed}":
            raise SystemExit
        return recorded_by_engine(scenario, release)

    with pytest.raises(SystemExit):
        run_with(
            monkeypatch, killed_at_the_second,
            "--runs", "2", "--seed", str(seed), "--keep", str(tmp_path),
        )  # fmt: skip

    night = json.loads((tmp_path / f"night-4.3.1-kraft-{seed}.json").read_text())
    assert [one["outcome"] for one in night["schedules"]] == ["agrees"]


def test_brokers_that_never_come_up_are_one_error(monkeypatch, capsys):
    def broken(_scenario: Scenario, _release: str) -> WrittenRecording:
        raise NoRecordingError("broker 1 did not come up within 60 s")

    status = run_with(monkeypatch, broken, "--runs", "2", "--json")

    captured = capsys.readouterr()
    assert status == 2
    assert captured.err.strip().endswith(
        "no schedule was recorded: broker 1 did not come up within 60 s"
    )
    assert [one["outcome"] for one in json.loads(captured.out)["schedules"]] == ["not_recorded"] * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--against", "9.9"], "the newest known release is"),
        (["--against", "4.3.1", "--runs", "0"], "--runs must be at least 1"),
        (["--against", "4.3.1", "--control", "zookeeper"], "has no controller 'zookeeper'"),
        (["--against", "4.3.1", "--keep", "nowhere"], "nowhere: no such folder"),
    ],
)
def test_wrong_input_is_one_error(arguments, said, capsys, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert run(["walk", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_without_java_it_is_one_error(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)

    assert run(["walk", "--against", "4.3.1", "--runs", "1"]) == 2
    assert "there is no java" in capsys.readouterr().err
