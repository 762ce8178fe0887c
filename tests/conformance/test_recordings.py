"""The engine does what real clusters did, step by step."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_engine.conformance import RecordingError, conform, read_recording

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


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
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
