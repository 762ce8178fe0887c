"""The engine behaves as the recorded clusters did, step by step."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordingError
from sim_engine.conformance.replay import conform
from tests.tables import for_each

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.json"))

FIRST_TWELVE = (
    "frozen-follower-3.9.2",
    "clean-failover-tail-3.9.2",
    "three-brokers-epochs-3.9.2",
    "divergence-repaired-3.9.2",
    "unclean-election-3.9.2",
    "unclean-disabled-3.9.2",
    "s12-uncommitted-tail-0.10.2.2",
    "s26-follower-bounce-leader-death-0.10.2.2",
    "s28-power-loss-of-both-0.10.2.2",
    "s32-undef-fallback-1.1.1",
    "s33-fast-leader-failover-1.1.1",
    "s33-fast-leader-failover-2.0.1",
)


def load(name: str) -> Any:
    return json.loads((RECORDINGS[0].parent / f"{name}.json").read_text())


@for_each("path", RECORDINGS, lambda path: path.stem)
def test_the_engine_does_what_the_cluster_did(path: Path) -> None:
    differences = conform(read_recording(json.loads(path.read_text())))

    assert [str(difference) for difference in differences] == []


def test_the_first_twelve_are_there() -> None:
    assert set(FIRST_TWELVE) <= {path.stem for path in RECORDINGS}


def test_a_changed_recording_is_a_difference_with_its_place() -> None:
    document = load("s26-follower-bounce-leader-death-0.10.2.2")
    document["steps"][7]["saw"]["isr"] = [2, 1]

    differences = conform(read_recording(document))

    assert [(one.step, one.where, one.expected, one.got) for one in differences] == [
        (7, "saw/isr", [2, 1], [2])
    ]


def test_a_changed_log_and_a_changed_answer_are_differences() -> None:
    document = load("unclean-election-3.9.2")
    document["steps"][3]["produced"][0]["offset"] = 7
    document["steps"][7]["saw"]["brokers"]["1"]["log"][1][2] = "second"

    places = [one.where for one in conform(read_recording(document))]

    assert places == ["produced/0/offset", "saw/brokers/1/log"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"verb": "set_fire"}, "/steps/1/do/set_fire"),
        ({"argument": "compressed"}, "/steps/1/do/produce/compressed"),
        ({"missing": "steps"}, "/steps"),
        ({"kafka": "0.7.0"}, "/kafka"),
    ],
)
def test_what_the_engine_does_not_model_is_named(change: dict[str, Any], where: str) -> None:
    document = load("unclean-election-3.9.2")
    if "verb" in change:
        document["steps"][1]["do"] = {change["verb"]: {}}
    if "argument" in change:
        document["steps"][1]["do"]["produce"][change["argument"]] = True
    if "missing" in change:
        del document[change["missing"]]
    if "kafka" in change:
        document["kafka"] = change["kafka"]

    with pytest.raises(RecordingError) as raised:
        read_recording(document)

    assert raised.value.where == where


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"do": {}}, "/steps/1/do"),
        ({"do": {"kill": {"broker": 1}, "stop": {"broker": 1}}}, "/steps/1/do"),
        ({"do": {"kill": {}}}, "/steps/1/do/kill/broker"),
        ({"do": {"kill": {}, "stop": None, "create_topic": None}}, "/steps/1/do/kill/broker"),
        ({"do": {"kill": {"broker": 1}, "explode": None}}, "/steps/1/do/explode"),
        ({"do": {"kill": {"broker": "1"}}}, "/steps/1/do/kill/broker"),
        ({"do": {"kill": {"broker": 9}}}, "/steps/1/do/kill"),
        ({"do": {"start": {}}}, "/steps/1/do/start/broker"),
        ({"do": {"wait": {}}}, "/steps/1/do/wait"),
        ({"do": {"wait": {"until": {"noon": True}}}}, "/steps/1/do/wait/until/noon"),
        ({"do": {"wait": {"until": {"answered": "m9"}}}}, "/steps/1"),
        ({"do": {"answer": {"value": "m9"}}}, "/steps/1"),
        ({"do": {"transaction": {}}}, "/steps/1/do/transaction"),
        ({"do": {"network": {"broker": 1}}}, "/steps/1/do/network"),
        ({"do": {"network": {"hold": "request"}}}, "/steps/1/do/network/api"),
        ({"do": {"network": {"cut": "zookeeper"}}}, "/steps/1/do/network/broker"),
        ({"produced": [{"value": "m9", "outcome": "acked"}]}, "/steps/1"),
        ({"consumed_from": {"error": None}}, "/steps/1/consumed_from"),
        ({"noticed": [{"broker": 9, "fenced": True}]}, "/steps/1/noticed"),
        ({"saw": {"leader": 1}}, "/steps/1/saw/leader_epoch"),
        ({"metadata_records": [{"leader": 1}]}, "/steps/1/metadata_records/0/record"),
        (
            {"metadata_records": [{"record": "PartitionRecord", "directories": []}]},
            "/steps/1/metadata_records/0/directories",
        ),
    ],
)
def test_an_error_in_a_recording_has_its_place(changes: dict[str, Any], where: str) -> None:
    document = load("unclean-election-3.9.2")
    document["steps"][1].update(changes)

    with pytest.raises(RecordingError) as raised:
        read_recording(document)

    assert raised.value.where == where


@for_each(
    "name, step, where, wrong",
    lambda: [
        ("unclean-election-3.9.2", 7, "saw/leader", 3),
        ("unclean-election-3.9.2", 7, "saw/leader_epoch", 9),
        ("unclean-election-3.9.2", 7, "saw/partition_epoch", 99),
        ("unclean-election-3.9.2", 1, "saw/leader_recovery_state", 1),
        ("elr-clean-election-4.1.1", 0, "saw/elr", [3]),
        ("elr-clean-election-4.1.1", 0, "saw/last_known_elr", [3]),
        ("stale-hw-new-leader-3.9.2", 3, "saw/replicas", [1, 2, 3]),
        ("stale-hw-new-leader-3.9.2", 3, "saw/adding_replicas", [3]),
        ("stale-hw-new-leader-3.9.2", 3, "saw/removing_replicas", [1]),
        ("stale-hw-new-leader-3.9.2", 5, "saw/list_offsets_error", "LEADER_NOT_AVAILABLE"),
        ("stale-hw-new-leader-3.9.2", 8, "saw/brokers/3/live_high_watermark", 3),
        ("s37-isr-join-guard-2.8.2", 13, "saw/list_offsets_latest", 0),
        ("s37-isr-join-guard-2.8.2", 16, "saw/consumable_end", 1),
        ("s37-isr-join-guard-2.8.2", 15, "saw/brokers/3/leader_epoch_checkpoint", [[1, 0]]),
        ("s38-zombie-leader-2.0.1", 3, "saw/controller_epoch", 2),
        ("s38-zombie-leader-2.0.1", 8, "saw/consumed", [[0, "m1"]]),
        ("s38-zombie-leader-2.0.1", 8, "saw/consumable_end", 1),
        ("s38-zombie-leader-2.0.1", 7, "consumed_from/records", [[0, "m1"], [1, "x"]]),
        ("s38-zombie-leader-2.0.1", 7, "consumed_from/high_watermark", 2),
        ("s38-zombie-leader-2.0.1", 7, "consumed_from/error", "NOT_LEADER_OR_FOLLOWER"),
        ("s38-zombie-leader-2.0.1", 5, "produced/0/outcome", "acked"),
        ("shrink-by-lag-3.9.2", 5, "produced/0/outcome", "failed"),
        ("not-enough-after-append-3.9.2", 5, "produced/0/error", "NOT_ENOUGH_REPLICAS"),
        ("not-enough-after-append-3.9.2", 4, "saw/brokers/2/fenced", False),
        ("not-enough-after-append-3.9.2", 4, "saw/brokers/2/in_controlled_shutdown", True),
        ("not-enough-after-append-3.9.2", 0, "saw/brokers/3/fetch_error", "OFFSET_OUT_OF_RANGE"),
        ("three-brokers-epochs-3.5.2", 3, "saw/brokers/2/log", [[0, 0, "m1"]]),
        ("x3-restart-before-session-end-0.10.2.2", 3, "saw/brokers/2/process", "running"),
        ("x3-restart-before-session-end-0.10.2.2", 3, "saw/brokers/2/clean_shutdown", False),
        ("s16-three-ways-to-stop-0.10.2.2", 16, "saw/brokers/2/high_watermark_checkpoint", 5),
        ("s01-two-rounds-0.10.2.2", 0, "saw/isr", [2, 1]),
    ],
)
def test_each_field_that_was_seen_is_held(name: str, step: int, where: str, wrong: Any) -> None:
    document = load(name)
    place = document["steps"][step]
    *parents, last = where.split("/")
    for key in parents:
        if key == "produced" and "produced_later" in place:
            key = "produced_later"
        place = place[int(key)] if isinstance(place, list) else place[key]
    assert place[last] != wrong, "the recording says otherwise"
    place[last] = wrong

    differences = conform(read_recording(document))

    assert [(one.step, one.where, one.expected) for one in differences] == [(step, where, wrong)]


def test_metadata_records_are_held_in_their_order() -> None:
    document = load("whole-cluster-power-loss-3.9.2")
    records = document["steps"][5]["metadata_records"]
    records[0], records[2] = records[2], records[0]

    assert [(one.step, one.where) for one in conform(read_recording(document))] == [
        (5, "metadata_records")
    ]


def racing() -> tuple[Any, list[Any]]:
    """A run in which two replicas raced to join the ISR, and the records of that step."""
    document = load("last-replica-standing-min1-3.9.2")
    assert 8 in document["timing_dependent"]["isr_in_any_order_at_steps"]
    joins = [record for record in document["steps"][8]["metadata_records"] if "isr" in record]
    assert [record["isr"] for record in joins] == [[1, 2], [1, 2, 3]]
    return document, joins


def test_racing_replicas_may_join_in_any_order_if_the_recording_states_so() -> None:
    document, joins = racing()
    joins[0]["isr"], joins[1]["isr"] = [1, 3], [1, 3, 2]
    assert conform(read_recording(document)) == []

    document["timing_dependent"]["isr_in_any_order_at_steps"] = [9]

    assert [(one.step, one.where) for one in conform(read_recording(document))] == [
        (8, "metadata_records")
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 2, 3], [1, 2]), ([1, 3], [1, 2]), ([1, 3], [1, 2, 4]), ([3, 2], [1, 2, 3])],
)
def test_a_race_for_the_isr_frees_its_order_alone(first: list[int], second: list[int]) -> None:
    document, joins = racing()
    joins[0]["isr"], joins[1]["isr"] = first, second

    places = [(one.step, one.where) for one in conform(read_recording(document))]

    assert places == [(8, "metadata_records")]


def test_files_of_timers_are_held_after_a_clean_stop_and_not_before() -> None:
    document = load("s23-epoch-bookkeeping-2.8.2")
    for step in document["steps"][15:19]:
        step["saw"]["brokers"]["2"]["high_watermark_checkpoint"] = 0

    assert [(one.step, one.where) for one in conform(read_recording(document))] == [
        (18, "saw/brokers/2/high_watermark_checkpoint")
    ]


def test_what_depends_on_timing_is_not_held() -> None:
    document = load("three-brokers-epochs-3.9.2")
    document["steps"][3]["saw"]["brokers"]["2"]["log"] = []
    document["timing_dependent"]["isr_in_any_order_at_steps"] = [0]
    document["steps"][0]["saw"]["isr"] = [3, 2, 1]
    document["steps"][0]["saw"]["live_in_zookeeper"] = [4]

    assert conform(read_recording(document)) == []


def test_a_response_to_a_client_does_not_depend_on_timing() -> None:
    document = load("unclean-election-3.9.2")
    document["steps"][3]["produced"][0]["offset"] = 7
    timing = {"fields": ["offset"], "places": ["steps/3/produced/0/offset"]}
    document["timing_dependent"] = timing

    places = [one.where for one in conform(read_recording(document))]

    assert places == ["produced/0/offset"]


def test_an_unsettled_log_of_a_run_made_once_holds_if_it_was_so_at_some_moment() -> None:
    document = load("three-brokers-epochs-3.5.2")
    assert conform(read_recording(document)) == []
    document["recorded"]["recordings_agreeing"] = 2

    places = [(one.step, one.where) for one in conform(read_recording(document))]

    assert places == [(3, "saw/brokers/2/log")]


def test_the_order_of_joining_is_free_in_a_run_that_was_made_once() -> None:
    document, joins = racing()
    document["timing_dependent"]["isr_in_any_order_at_steps"] = []
    joins[0]["isr"], joins[1]["isr"] = [1, 3], [1, 3, 2]
    assert conform(read_recording(document)) != []

    document["recorded"] |= {"recordings_agreeing": 1, "repeats": None}

    assert conform(read_recording(document)) == []


def with_step(name: str, step: int, **arguments: Any) -> Any:
    """A recording whose network step has other arguments; null takes one away."""
    document = load(name)
    changed = {**document["steps"][step]["do"]["network"], **arguments}
    kept = {key: value for key, value in changed.items() if value is not None}
    document["steps"][step]["do"]["network"] = kept
    return document


@pytest.mark.parametrize(
    ("name", "step", "arguments", "where"),
    [
        ("missed-deposition-lag-3.9.2", 5, {"to": 101}, "/steps/5/do/network/to"),
        ("missed-deposition-lag-3.9.2", 5, {"from": 4}, "/steps/5/do/network/from"),
        ("missed-deposition-lag-3.9.2", 5, {"from": 100, "to": 1}, "/steps/5/do/network/from"),
        ("missed-deposition-lag-3.9.2", 5, {"api": "ListOffsets"}, "/steps/5/do/network/api"),
        ("missed-deposition-lag-3.9.2", 5, {"hold": "response"}, "/steps/5/do/network"),
        (
            "missed-deposition-lag-3.9.2",
            5,
            {"hold": None, "drop": "request"},
            "/steps/5/do/network",
        ),
        ("s01-two-rounds-0.10.2.2", 1, {"to": 100}, "/steps/1/do/network/to"),
    ],
)
def test_a_hold_that_the_replay_could_not_honour_is_wrong_input(
    name: str, step: int, arguments: dict[str, Any], where: str
) -> None:
    with pytest.raises(RecordingError) as raised:
        read_recording(with_step(name, step, **arguments))

    assert raised.value.where == where


def test_metadata_that_was_not_held_cannot_be_released() -> None:
    document = load("missed-deposition-lag-3.9.2")
    del document["steps"][5]

    (*_, last) = conform(read_recording(document))

    assert last.where == "do/network"
    assert last.got == "refused: no_such_message"


def test_metadata_that_is_released_arrives_in_one_delivery() -> None:
    """Read one by one, as in the control run, the same records fail the produce."""
    document = load("missed-deposition-lag-3.9.2")
    hold, release = document["steps"][5]["do"], document["steps"][14]["do"]
    between = [{"do": release}, {"do": hold}]
    document["steps"][9:9] = between

    differences = conform(read_recording(document))

    assert ("acked", "failed") in [(one.expected, one.got) for one in differences]


def test_a_race_may_end_with_the_record_that_completes_a_reassignment() -> None:
    """Brokers 5 and 6 join, and the second one completes the reassignment to [5, 6]."""
    document = load("reassign-replaced-disjoint-4.3.1")
    assert 5 in document["timing_dependent"]["isr_in_any_order_at_steps"]
    joins = [record for record in document["steps"][5]["metadata_records"] if "isr" in record]
    first, last = ([{*record["isr"]} for record in joins][index] for index in (-2, -1))
    assert last == {5, 6}
    joins[-2]["isr"] = sorted({1, 2, 3, 5, 6} - (first & last))
    assert conform(read_recording(document)) == []

    joins[-2]["isr"] = [1, 2, 5]
    assert [one.where for one in conform(read_recording(document))] == ["metadata_records"]
