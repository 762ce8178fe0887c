"""Sentences of events, refusals and steps."""

import json

import pytest

from sim_engine.languages.fluent import MissingTextError
from sim_engine.narration import (
    catalogue,
    formula,
    property_title,
    reason_text,
    sentence,
    step_label,
)

CUT = {
    "broker": 2,
    "partition": "t-0",
    "to": 3,
    "before": 5,
    "values": ["m4", "m5"],
    "leader_epoch_answered": 0,
    "leader_end_offset": 3,
    "own_end_offset": 5,
}


def test_the_sentence_of_an_event_contains_its_values():
    said = sentence("LogTruncated", "kip_279", CUT, "en", strict=True)

    assert said == (
        "According to their epochs, both logs are the same below offset 3. "
        "Broker 2 truncates its log there and removes m4, m5."
    )
    assert "删除 m4、m5" in sentence("LogTruncated", "kip_279", CUT, "zh", strict=True)


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("NoAckedRecordLost", ["m4"], "An acknowledged record is lost: m4, at offset 3 of t-0."),
        (
            "NoAckedRecordLost",
            ["m4", "m5"],
            "Acknowledged records are lost: m4, m5, at offsets 3, 4 of t-0.",
        ),
        (
            "AckedRecordAtRisk",
            ["m4", "m5"],
            "Acknowledged records are at risk: m4, m5, at offsets 3, 4 of t-0. "
            "Another election can still make them safe.",
        ),
        ("LeaderCompleteness", ["m4"], "Leader 2 of t-0 lacks m4, which was committed before."),
        (
            "StrongIsr",
            ["m4", "m5"],
            "Broker 2 is in the controller’s ISR but lacks m4, m5, which were committed before. "
            "A clean election could choose it, and those records would be lost.",
        ),
    ],
)
def test_one_record_is_one_and_several_are_several(name, values, said):
    numbers = {
        "partition": "t-0",
        "replicas": [2],
        "values": values,
        "offsets": [3, 4][: len(values)],
    }

    assert sentence("PropertyViolated", name, numbers, "en", strict=True) == said


@pytest.mark.parametrize(
    ("replicas", "said"),
    [
        ([3], "Broker 3, found out of sync, leaves the ISR of t-0, which is now {1}."),
        ([2, 3], "Brokers 2, 3, found out of sync, leave the ISR of t-0, which is now {1}."),
    ],
)
def test_one_replica_leaves_and_several_leave(replicas, said):
    numbers = {"replicas": replicas, "partition": "t-0", "isr": [1]}

    assert sentence("IsrShrunk", "leader", numbers, "en", strict=True) == said


def test_its_formula_has_the_numbers_put_in():
    assert formula("LogTruncated", "kip_279", CUT, "en") == "truncate to min(3, 5) = 3"
    assert formula("BrokerCrashed", None, {"broker": 1}, "en") is None
    assert formula("Unheard", None, {}, "en") is None


def test_an_unknown_variant_has_the_text_of_its_kind():
    said = sentence("LogTruncated", "by_hand", CUT, "en", strict=True)

    assert said == "Broker 2 truncates its log from 5 to 3 and removes m4, m5."


def test_the_text_of_an_unknown_event_is_its_name():
    assert sentence("Unheard", None, {}, "en") == "Unheard"
    with pytest.raises(MissingTextError):
        sentence("Unheard", None, {}, "en", strict=True)


def test_a_refusal_says_why():
    numbers = {"broker": 1, "state": "crashed"}

    assert reason_text("broker_not_running", numbers, "en") == "broker 1 is down"
    assert reason_text("broker_not_running", numbers, "zh") == "broker 1 已停机"
    assert (
        sentence("ActionRefused", "broker_not_running", numbers, "en", strict=True)
        == "This action is not possible now: broker 1 is down."
    )


def test_the_text_of_an_unknown_reason_is_its_code():
    assert reason_text("no_such_reason", {}, "en") == "no such reason"
    with pytest.raises(MissingTextError):
        reason_text("no_such_reason", {}, "en", strict=True)


def test_a_message_is_said_by_its_name():
    numbers = {"kind": "fetch_response", "from": 2, "to": "controller"}

    assert (
        reason_text("no_such_message", numbers, "en")
        == "no fetch response is in flight from 2 to the controller"
    )


@pytest.mark.parametrize(
    ("step", "label"),
    [
        (
            {"deliver": {"kind": "fetch_response", "from": 2, "to": 1}},
            "Deliver the fetch response 2 → 1",
        ),
        ({"timer": {"broker": 1, "kind": "flush"}}, "Broker 1 flushes its logs to disk"),
        (
            {"timer": {"broker": 1, "kind": "long_poll", "partition": "t-0", "follower": 2}},
            "Complete the waiting fetch of broker 2",
        ),
        ({"crash": {"broker": 2}}, "Crash broker 2"),
        ({"power_loss": {"broker": 2}}, "Cut the power of broker 2"),
        (
            {"power_loss": {"broker": 2, "keep": {"t-0": 1}}},
            "Cut the power of broker 2; log kept up to t-0: 1",
        ),
        (
            {"produce": {"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}},
            "Produce m1 to t-0, acks=all",
        ),
        ({"produce": {"to": "t-0", "values": ["m1", "m2"]}}, "Produce m1, m2 to t-0"),
        ({"heal": {"broker": 2}}, "Restore all links of broker 2"),
        ({"heal": {"from": 1, "to": 2}}, "Restore the link 1 → 2"),
        ({"isolate": {"broker": 2, "from": "all"}}, "Isolate broker 2 from all other nodes"),
        ({"elect": {"partition": "t-0", "kind": "preferred"}}, "Elect the preferred leader of t-0"),
        ({"settle": {}}, "Run until nothing is pending"),
        ({"config": {"min.insync.replicas": 2}}, "Set min.insync.replicas: 2"),
        ({"config": {"metadata_version": "3.6-IV2"}}, "Set metadata.version: 3.6-IV2"),
        (
            {"config": {"topic": "t", "min.insync.replicas": 2}},
            "Set min.insync.replicas: 2 for topic t",
        ),
    ],
)
def test_a_step_has_a_label(step, label):
    assert step_label(step, "en", strict=True) == label


def test_the_label_of_an_unknown_step_is_its_name():
    assert step_label({"blow_up": {"broker": 1}}, "en") == "blow up"
    with pytest.raises(MissingTextError):
        step_label({"blow_up": {}}, "en", strict=True)


def test_a_property_is_named_as_what_holds_or_as_what_happened():
    name = "NoAckedRecordLost"

    assert property_title(name, "en", violated=False) == "No acknowledged record is lost"
    assert property_title(name, "en", violated=True) == "An acknowledged record is lost"
    assert property_title("Unheard", "en", violated=True) == "Unheard"


def test_the_catalogue_is_plain_data():
    texts = catalogue()

    assert json.loads(json.dumps(texts)) == texts
    for said in texts["languages"].values():
        assert all(event.keys() == {"text", "formula"} for event in said["events"].values())
        assert all(
            said.keys() == {"title", "violated_title", "sentence"}
            for said in said["properties"].values()
        )


def test_the_catalogue_of_one_language_has_no_other():
    assert catalogue(("zh",))["languages"].keys() == {"zh"}


def test_a_refusal_stands_in_the_event_of_its_code():
    refused = catalogue(("en",))["languages"]["en"]["events"]["ActionRefused-broker_not_running"]

    assert refused["text"] == [
        "This action is not possible now: broker ",
        {"value": "broker"},
        " is ",
        {"value": "state"},
        ".",
    ]


def test_a_language_that_there_is_not_is_an_error():
    with pytest.raises(MissingTextError, match="no language tlh; there are en, "):
        sentence("Started", None, {}, "tlh")
