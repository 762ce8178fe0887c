"""The log lines of events, in the form that each release prints."""

import re
from typing import Literal

import pytest

from sim_engine.documents.operator_words import OperatorLogLine, run_words
from sim_engine.events.base import Event
from sim_engine.events.clients import ConsumerOutOfRange
from sim_engine.events.isr import IsrChangeRejected
from sim_engine.events.process import RegistrationRefused
from sim_engine.identifiers import ErrorCode, FrameNumber, Offset, TopicPartition
from sim_engine.narration import source_texts
from sim_engine.operator_words.log_lines import LINES, VOICES, form_of
from sim_engine.operator_words.metrics import METRICS, Moment
from sim_engine.operator_words.spoken import log_lines
from sim_engine.releases import MODELLED, at_least, number_of
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import Control, controls_of, resolve_profile
from tests.sim_engine.builders import B1, PARTITION
from tests.sim_engine.operator_words.test_metrics import FALL_TO_ONE, after

LAG = (
    {"produce": {"to": "t-0", "values": ["m1"], "acks": 1}},
    {"fetch": {"broker": 2}},
    {"fetch": {"broker": 3}},
    {"cut": {"from": 3, "to": 1}},
    {"run": {"ms": 50_000}},
)


def lines(timeline: Timeline) -> list[OperatorLogLine]:
    return list(run_words(timeline).lines)


def text(line: OperatorLogLine) -> str:
    return "".join(part.text for part in line.parts)


def printed(timeline: Timeline, line: str) -> list[str]:
    return [text(one) for one in lines(timeline) if one.id == line]


def test_a_shrinking_isr_says_who_is_missing_and_from_3_6_since_when():
    old, zookeeper, new = (
        after(*LAG, kafka=kafka, control=control, configs={"replica.lag.time.max.ms": 10_000})
        for kafka, control in (("0.10.2", None), ("2.3", None), ("3.9", "zookeeper"))
    )

    assert printed(old, "isr-shrinks")[0].endswith(
        "on broker 1: Shrinking ISR for partition [t,0] from 1,2,3 to 1,2"
    )
    assert printed(zookeeper, "isr-shrinks") == [
        "[Partition t-0 broker=1] Shrinking ISR from 1,2,3 to 1,2. "
        "Leader: (highWatermark: 0, endOffset: 1). "
        "Out of sync replicas: (brokerId: 3, endOffset: 0)."
    ]
    assert re.search(
        r"Out of sync replicas: \(brokerId: 3, endOffset: \d+, lastCaughtUpTimeMs: \d+\)\.$",
        printed(new, "isr-shrinks")[0],
    )


def test_an_isr_that_the_controller_shrinks_is_in_no_leaders_log():
    timeline = after(*FALL_TO_ONE[:2], kafka="3.9")

    assert printed(timeline, "isr-shrinks") == []
    assert printed(timeline, "broker-fenced") == [
        "[QuorumController id=…] Fencing broker 2 because its session has timed out."
    ]


def test_an_isr_that_a_zookeeper_controller_shrinks_is_in_no_leaders_log_either():
    timeline = after(*FALL_TO_ONE[:2], kafka="2.4")

    assert printed(timeline, "live-brokers-changed") == [
        "[Controller id=…] Newly added brokers: , deleted brokers: 2, bounced brokers: , "
        "all live brokers: 1,3"
    ]
    assert printed(timeline, "isr-shrinks") == printed(timeline, "isr-written") == []


def test_a_broker_says_once_how_it_stopped_and_recovers_each_log():
    two = [{"name": name, "partitions": [{"replicas": [1, 2, 3]}]} for name in ("t", "u")]
    killed = after({"crash": {"broker": 2}}, {"start": {"broker": 2}}, kafka="3.9", topics=two)
    stopped = after({"shutdown": {"broker": 2}}, {"start": {"broker": 2}}, kafka="3.9", topics=two)

    assert printed(killed, "recovery-attempted") == [
        "Recovering 2 logs from … since no clean shutdown file was found"
    ]
    assert len(printed(killed, "segment-recovered")) == 2
    assert printed(stopped, "recovery-skipped") == [
        "Skipping recovery of 2 logs from … since clean shutdown file was found"
    ]
    assert printed(stopped, "segment-recovered") == []


def test_an_isr_below_its_minimum_is_marked_from_3_5():
    words = printed(after(*FALL_TO_ONE[:2], *LAG, kafka="3.9"), "isr-updated")

    assert all("(under-min-isr)" in line for line in words)


def test_a_refused_append_names_the_isr_on_the_broker_and_the_error_at_the_producer():
    refused = {"produce": {"to": "t-0", "values": ["m1"], "as": "p7"}}
    timeline = after(*FALL_TO_ONE, refused, kafka="3.9")

    found = lines(timeline)[-2:]

    assert [(line.who, line.level) for line in found] == [("1", "ERROR"), ("p7", "WARN")]
    assert text(found[0]).endswith(
        "NotEnoughReplicasException: The size of the current ISR Set(1) is insufficient to "
        "satisfy the min.isr requirement of 2 for partition t-0"
    )
    assert "[Producer clientId=p7] Got error produce response" in text(found[1])


def test_a_producers_error_has_its_name_of_the_release():
    moved = (
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        {"shutdown": {"broker": 1}},
        {"start": {"broker": 1}},
        {"produce": {"to": "t-0", "values": ["m2"], "as": "p1"}},
    )
    old, new = (
        printed(after(*moved, kafka=kafka), "produce-metadata-invalid") for kafka in ("2.5", "2.6")
    )

    assert "NotLeaderForPartitionException" in old[0]
    assert "NotLeaderOrFollowerException" in new[0]


def test_no_release_from_2_4_to_4_1_warns_of_a_truncation_below_the_high_watermark():
    warned = {
        kafka: bool(printed(played("unclean-election", kafka), "truncated-below-high-watermark"))
        for kafka in ("1.1", "2.0", "2.3", "2.4", "2.8", "4.1", "4.2")
    }

    assert warned == {
        "1.1": False,
        "2.0": True,
        "2.3": True,
        "2.4": False,
        "2.8": False,
        "4.1": False,
        "4.2": True,
    }


def played(lesson: str, kafka: str | None = None) -> Timeline:
    scenario = load_shipped(lesson)
    timeline = Timeline(scenario, kafka=kafka or scenario.kafka)
    timeline.run_all()
    return timeline


def test_a_kraft_controller_prints_unclean_elections_and_no_clean_ones():
    lost = (*FALL_TO_ONE, {"crash": {"broker": 1}}, {"detect": {"broker": 1}})
    unclean = {"unclean.leader.election.enable": True}

    clean = {line.id for line in lines(after(*FALL_TO_ONE[:2], kafka="3.9"))}
    found = lines(after(*lost, {"start": {"broker": 3}}, kafka="3.9", configs=unclean))

    said = {line.id: line for line in found}
    assert clean.isdisjoint({"unclean-election", "unclean-change"})
    assert text(said["unclean-election"]) == (
        "Setting new leader for topicId …, partition 0 to 3 using an unclean election"
    )
    assert text(said["unclean-change"]).endswith("isr: [1] -> [3], leader: -1 -> 3, …")


def test_the_words_to_look_for_are_parts_of_the_line():
    (line,) = [
        line
        for line in lines(played("eligible-replica-rescues", "4.1"))
        if line.id == "elr-election"
    ]

    assert [part.text for part in line.parts if part.look_for] == ["using ELR"]


def test_a_partition_chosen_leaves_out_the_lines_of_the_others():
    two = [{"name": name, "partitions": [{"replicas": [1, 2, 3]}]} for name in ("t", "u")]
    timeline = after(*FALL_TO_ONE, {"start": {"broker": 2}}, kafka="3.9", topics=two)

    every, one = (
        run_words(timeline).lines,
        run_words(timeline, partition=TopicPartition("u-0")).lines,
    )

    assert any("t-0" in text(line) for line in every)
    assert not any("t-0" in text(line) for line in one)
    assert any(line.id == "broker-fenced" for line in one)


def of_event(happened: Event, *, kafka: str = "3.9", control: Control | None = None) -> list[str]:
    cluster = after(kafka=kafka, control=control).frames[FrameNumber(0)].cluster
    return [
        f"{line.who} {line.form.level} {''.join(part for part, _ in line.form.parts)}"
        for line in log_lines(Moment(cluster, cluster, (happened,)))
    ]


def rejected(error: ErrorCode, variant: Literal["heard"] | None = None) -> IsrChangeRejected:
    return IsrChangeRejected(broker=B1, partition=PARTITION, error=error, variant=variant)


def test_a_rejected_isr_change_is_in_the_log_of_the_controller_and_then_of_the_leader():
    assert of_event(rejected(ErrorCode.INVALID_UPDATE_VERSION)) == [
        "controller INFO [QuorumController id=…] Rejecting AlterPartition request from node 1 for "
        "t-0 because the current partition epoch is 0, not 0."
    ]
    assert of_event(rejected(ErrorCode.INELIGIBLE_REPLICA)) == [
        "controller INFO [QuorumController id=…] Rejecting AlterPartition request from node 1 for "
        "t-0 because it specified ineligible replicas [] in the new ISR …."
    ]
    assert of_event(rejected(ErrorCode.INELIGIBLE_REPLICA, "heard")) == [
        "1 INFO [Partition t-0 broker=1] Failed to alter partition to … since the controller "
        "rejected the request with INELIGIBLE_REPLICA. Partition state has been reset to the "
        "latest committed state …."
    ]
    assert of_event(rejected(ErrorCode.FENCED_LEADER_EPOCH)) == []


def test_a_broker_that_starts_within_its_old_session_says_why_it_exits():
    refused = RegistrationRefused(broker=B1)
    old, new = of_event(refused, kafka="0.9"), of_event(refused, kafka="2.8")

    assert "already registered on the path /brokers/ids/1" in old[0]
    assert new == [
        "1 ERROR Error while creating ephemeral at /brokers/ids/1, node already exists and owner … "
        "does not match current session …"
    ]
    assert of_event(refused, kafka="3.9", control="kraft") == []


def test_a_consumer_beyond_the_log_says_where_it_was_and_where_it_is_reset_to():
    beyond = ConsumerOutOfRange(
        consumer="c1",
        broker=B1,
        partition=PARTITION,
        offset=Offset(5),
        log_end_offset=Offset(4),
        reset_to=Offset(4),
    )

    assert of_event(beyond, kafka="2.4") == [
        "c1 INFO [Consumer clientId=c1, groupId=…] Fetch offset 5 is out of range for partition "
        "t-0, resetting offset",
        "c1 INFO [Consumer clientId=c1, groupId=…] Resetting offset for partition t-0 to offset 4.",
    ]


UNSEEN = {
    "isr-rejected": "the lessons hold no ISR change back until its replica is fenced",
    "alter-partition-ineligible": "the same change, as the controller sees it",
    "alter-partition-outdated": "the lessons hold no ISR change back until another was written",
    "registration-refused": "no lesson starts a broker within its ZooKeeper session",
    "consumer-out-of-range": "no lesson has a consumer beyond a leader's log",
    "consumer-position-reset": "the same consumer, afterwards",
}
"""The log lines that no lesson prints in any release, and why."""


def test_every_log_line_is_printed_by_a_lesson_or_has_its_reason():
    unseen = set(LINES)
    for lesson, kafka in PRINTED_BY.items():
        unseen -= {line.id for line in lines(played(lesson, kafka))}

    assert unseen == UNSEEN.keys()


PRINTED_BY = {
    "two-rounds": None,
    "shrink-releases-high-watermark": "2.4",
    "expansion-waits-for-the-joiner": None,
    "acks-1-loses-on-failover": None,
    "not-enough-replicas": None,
    "follower-high-watermark-goes-back": "2.0.1",
    "high-watermark-after-restart": "0.10.2",
    "three-ways-to-stop": None,
    "controlled-shutdown": None,
    "log-start-offset": None,
    "follower-bounce-five-records": "0.10.2",
    "follower-bounce-with-epochs": "0.11",
    "unnoticed-bounce": "0.10.2",
    "power-loss-of-both": "0.10.2",
    "epoch-lookup-table": "2.0.1",
    "zombie-leader": None,
    "unclean-setting-not-read": "3.7",
    "eligible-replica-rescues": "4.1",
    "controller-failover": "2.1",
    "eligible-but-no-replica": "4.3",
    "zombie-leader-is-refused": "0.8.2",
    "two-round-truncation": "2.0.0",
    "fast-leader-failover": "2.0.0",
    "stale-queued-epoch": "2.3",
    "consumer-truncation": "2.3",
}
"""Lessons that together print every log line that any lesson prints."""


def test_the_forms_of_a_line_follow_each_other_and_each_release_has_at_most_one():
    for name, forms in LINES.items():
        for kafka in MODELLED:
            for control in controls_of(kafka):
                profile = resolve_profile(kafka, control=control)
                assert sum(form.period.contains(profile) for form in forms) <= 1, (name, kafka)


def test_every_form_has_a_logger_in_every_release_that_prints_it():
    silent = [
        (name, kafka)
        for name, forms in LINES.items()
        for kafka in MODELLED
        for control in controls_of(kafka)
        if any(form.period.contains(resolve_profile(kafka, control=control)) for form in forms)
        and form_of(name, resolve_profile(kafka, control=control)) is None
    ]

    assert silent == []
    assert {form.voice for forms in LINES.values() for form in forms} == VOICES.keys()


def test_every_line_has_words_to_look_for():
    plain = [name for name, forms in LINES.items() if any("**" not in f.template for f in forms)]

    assert plain == []


@pytest.mark.parametrize("name", ["isr-rejected", "leader-starts"])
def test_a_release_without_a_line_prints_nothing(name: str):
    first = LINES[name][0].period.since
    before = [kafka for kafka in MODELLED if not at_least(number_of(kafka), number_of(first))]

    assert form_of(name, resolve_profile(before[-1])) is None


def test_every_source_has_an_address():
    named = {form.source for forms in LINES.values() for form in forms}
    named |= {source for metric in METRICS.values() for source, _ in metric.sources}

    assert named <= source_texts().keys()


def test_a_leader_that_writes_its_isr_itself_says_so_in_the_words_of_its_release():
    configs = {"replica.lag.time.max.ms": 10_000}
    ids = {
        kafka: {
            line.id
            for line in lines(after(*LAG, kafka=kafka, configs=configs, **level))
            if line.id.startswith("isr-")
        }
        for kafka, level in (
            ("2.3", {}),
            ("2.4", {}),
            ("2.7", {"inter_broker_protocol_version": "2.6"}),
            ("2.8", {"inter_broker_protocol_version": "2.6"}),
        )
    }

    assert ids == {
        "2.3": {"isr-shrinks"},
        "2.4": {"isr-shrinks", "isr-written"},
        "2.7": {"isr-shrinks", "isr-written"},
        "2.8": {"isr-shrinks", "isr-updated"},
    }
