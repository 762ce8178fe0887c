"""What a recording says of its cluster and its clients, and changes of settings."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordingError
from sim_engine.conformance.replay import conform
from sim_engine.scenario_reader.version import profile_for

RECORDINGS = Path(__file__).parent / "recordings"


def load(name: str) -> Any:
    return json.loads((RECORDINGS / f"{name}.json").read_text())


@pytest.mark.parametrize(
    ("broker", "name", "where"),
    [
        ("2", "log.no.such", "/configs_per_broker/2/log.no.such"),
        ("2", "leader.imbalance.per.broker.percentage", None),
        ("7", "replica.lag.time.max.ms", "/configs_per_broker/7"),
    ],
)
def test_settings_of_single_brokers_are_checked(broker: str, name: str, where: str | None) -> None:
    document = load("s16-three-ways-to-stop-0.10.2.2")
    document["configs_per_broker"] = {broker: {name: 1}}

    with pytest.raises(RecordingError) as raised:
        read_recording(document)

    assert raised.value.where == (where or f"/configs_per_broker/{broker}/{name}")


def test_a_setting_of_a_single_broker_is_that_brokers_own() -> None:
    document = load("s16-three-ways-to-stop-0.10.2.2")
    document["configs_per_broker"]["1"] = {"replica.lag.time.max.ms": 77}

    recording = read_recording(document)

    assert recording.own_checkpoint_times == {2}
    assert recording.scenario.brokers[0].configs == {"replica.lag.time.max.ms": 77}


@pytest.mark.parametrize(
    ("name", "features", "rule"),
    [
        # Kafka does not list a feature of level 0.
        ("elr-clean-election-4.1.1", {"metadata.version": 27}, False),
        ("elr-clean-election-4.1.1", {}, True),
        (
            "elr-clean-election-4.1.1",
            {"metadata.version": 27, "eligible.leader.replicas.version": 1},
            True,
        ),
        ("elr-clean-election-4.0.1", {"metadata.version": 25}, False),
        ("clean-failover-tail-3.9.2", {"metadata.version": 21}, False),
    ],
)
def test_a_feature_that_the_levels_do_not_name_is_off(
    name: str, features: dict[str, int], *, rule: bool
) -> None:
    document = load(name)
    document["recorded"]["features"] = features

    profile = profile_for(read_recording(document).scenario)

    assert profile is not None
    assert profile.rules.eligible_leader_replicas is rule


def test_the_recorded_metadata_version_is_that_of_the_cluster() -> None:
    document = load("elr-clean-election-4.1.1")
    document["recorded"]["features"] = {"metadata.version": 21}
    assert read_recording(document).scenario.metadata_version == "3.9-IV0"

    document["recorded"]["features"] = {"metadata.version": 99}
    with pytest.raises(RecordingError) as raised:
        read_recording(document)
    assert raised.value.where == "/kafka"


def test_a_release_newer_than_all_is_refused() -> None:
    document = load("elr-clean-election-4.1.1") | {"kafka": "9.9.0"}

    with pytest.raises(RecordingError, match="newest known release") as raised:
        read_recording(document)

    assert raised.value.where == "/kafka"


@pytest.mark.parametrize(
    ("config", "where"),
    [
        ({"topic": "u", "settings": {"min.insync.replicas": 2}}, "/topic"),
        ({"topic": "t", "settings": {"min.insync.replica": 2}}, "/settings/min.insync.replica"),
        ({"topic": "t", "settings": {"min.insync.replicas": 0}}, "/settings/min.insync.replicas"),
        ({"broker": 9, "settings": {}}, ""),
        ({"topic": "t", "broker": 1, "settings": {}}, ""),
        ({"settings": {"no.such": 1}}, "/settings/no.such"),
        ({"topic": "t"}, "/settings"),
    ],
)
def test_a_config_step_is_checked(config: dict[str, Any], where: str) -> None:
    document = load("unclean-election-3.9.2")
    document["steps"][1] = {"do": {"config": config}}

    with pytest.raises(RecordingError) as raised:
        read_recording(document)

    assert raised.value.where == f"/steps/1/do/config{where}"


def test_a_change_of_min_isr_clears_the_elr_of_the_replay() -> None:
    """KAFKA-16540, seen by hand on 4.3.1: no epoch changes."""
    document = load("elr-clean-election-4.1.1")
    step = next(n for n, one in enumerate(document["steps"]) if one["saw"]["elr"])
    saw = document["steps"][step]["saw"]
    changed = {"config": {"topic": "t", "settings": {"min.insync.replicas": 2}}}
    seen = saw | {"elr": [], "last_known_elr": []}
    document["steps"][step + 1 :] = [{"do": changed, "metadata_records": [], "saw": seen}]

    assert conform(read_recording(document)) == []


def test_records_about_other_partitions_are_not_compared() -> None:
    document = load("late-answer-3.9.1")
    assert len(document["topic"]["partitions"]) == 2

    assert conform(read_recording(document)) == []


def test_a_client_of_a_leader_that_does_not_know_it_is_answered_as_by_a_follower() -> None:
    """Recorded on 4.1.1 in a random run, and on 4.3.1 in `missed-deposition-order`: ListOffsets is
    refused, a fetch is served up to the broker's own high watermark.
    """
    document = load("missed-deposition-order-4.3.1")
    step = document["steps"][8]
    assert step["saw"]["list_offsets_error"] == "NOT_LEADER_OR_FOLLOWER"
    assert step["saw"]["consumed"] == [[0, "m0"]]
    hold = {"network": {"hold": "request", "api": "Fetch", "from": 2, "to": 100}}
    document["steps"][7:] = [{"do": hold}, document["steps"][7], step | {"settled": True}]
    document["timing_dependent"]["places"] = []
    held = ("saw/consumed", "saw/list_offsets_error")

    places = [one.where for one in conform(read_recording(document))]

    assert not set(held) & set(places)
    document["steps"][-1]["saw"]["consumed"] = []
    assert "saw/consumed" in [one.where for one in conform(read_recording(document))]
