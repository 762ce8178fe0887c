"""What is said of a run's initial state, against states of which it is known."""

import pytest

from sim_engine.documents.choices import initial_consequences
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.reader import read_scenario_text
from sim_engine.simulation.timeline import Timeline

SCENARIO = """
scenario: 1
id: x
title: X
kafka: "{kafka}"
brokers: [1, 2, 3]
configs: {configs}
topics:
{topics}
steps: []
"""
TOPIC = """
  - name: {name}
    partitions:
      - replicas: [1, 2, 3]
        isr: {isr}
        leader_epoch: 1
        logs:
          1: {{log: "{logs[0]}"{high_watermark}}}
          2: {{log: "{logs[1]}"}}
          3: {{log: "{logs[2]}"}}
"""
GROWING = ("m1/0 m2/0 x3/1 x4/1 x5/1", "m1/0 m2/0 x3/1", "m1/0 m2/0")
EQUAL = ("m1/0 m2/0", "m1/0 m2/0", "m1/0 m2/0")


def topic(
    logs: tuple[str, str, str], isr: str = "[1, 2, 3]", high_watermark: str = "", name: str = "t"
) -> str:
    return TOPIC.format(logs=logs, isr=isr, high_watermark=high_watermark, name=name)


def said(topics: str, configs: str = "{}", kafka: str = "3.9") -> list[str]:
    text = SCENARIO.format(kafka=kafka, configs=configs, topics=topics)
    timeline = Timeline(read_scenario_text(text))
    found = initial_consequences(timeline.frames[FrameNumber(0)].cluster)
    assert all(set(sentence) == set(LANGUAGES) for sentence in found)
    return [sentence["en"] for sentence in found]


def test_the_arithmetic_and_the_records_that_wait():
    assert said(topic(GROWING), "{min.insync.replicas: 2}") == [
        "High watermark of t-0: min(5, 3, 2) = 2, the lowest log end offset in the ISR.",
        "x3 is committed once broker 3 has fetched it and fetches again, or has left the ISR "
        "(replica.lag.time.max.ms: 30 s).",
        "x4, x5 are committed once brokers 2, 3 have fetched them and fetch again, or have left "
        "the ISR (replica.lag.time.max.ms: 30 s).",
        "acks=all needs an ISR of 2 (min.insync.replicas): one of its 3 brokers may leave it.",
    ]


def test_only_the_isr_counts():
    assert said(topic(GROWING, isr="[1, 2]"), "{min.insync.replicas: 2}")[:2] == [
        "High watermark of t-0: min(5, 3) = 3, the lowest log end offset in the ISR.",
        "x4, x5 are committed once broker 2 has fetched them and fetches again, or has left the "
        "ISR (replica.lag.time.max.ms: 30 s).",
    ]


def test_a_default_is_that_of_the_release():
    assert "replica.lag.time.max.ms: 10 s" in said(topic(GROWING), kafka="2.4")[1]


def test_a_leader_that_starts_below_what_its_isr_has():
    (first, *_) = said(topic(EQUAL, high_watermark=", high_watermark: 1"))
    assert first == (
        "Leader 1 of t-0 starts with high watermark 1. It can rise to min(2, 2, 2) = 2 when the "
        "followers fetch."
    )


@pytest.mark.parametrize(
    ("kafka", "first"),
    [
        ("3.6", "High watermark of t-0: min(2) = 2, the lowest log end offset in the ISR."),
        ("3.9", "The high watermark of t-0 is 1 and does not rise while the ISR has fewer"),
    ],
)
def test_an_isr_below_the_minimum_blocks_the_high_watermark_from_3_7(kafka: str, first: str):
    below = ", high_watermark: 1" if kafka == "3.9" else ""
    sentences = said(
        topic(EQUAL, isr="[1]", high_watermark=below), "{min.insync.replicas: 2}", kafka
    )
    assert sentences[0].startswith(first)
    assert sentences[1:] == [
        "A producer with acks=all gets NOT_ENOUGH_REPLICAS: min.insync.replicas is 2, and the ISR "
        "has one broker."
    ]


def test_an_isr_that_is_just_large_enough():
    assert said(topic(EQUAL), "{min.insync.replicas: 3}")[1] == (
        "acks=all needs an ISR of 3 (min.insync.replicas): no broker may leave it."
    )


def test_more_partitions_than_there_is_room_for_are_counted():
    topics = "".join(topic(EQUAL, name=name) for name in ("a", "b", "c"))
    sentences = said(topics)
    assert sentences[-1] == "One more partition is not described here."
    assert not any("c-0" in sentence for sentence in sentences)


def test_a_high_watermark_above_the_log_of_an_isr_member():
    first, waits, _ = said(topic(GROWING, high_watermark=", high_watermark: 4"))
    assert first == (
        "The high watermark of t-0 is 4, above min(5, 3, 2) = 2. It never decreases, but a broker "
        "of the ISR lacks records below it."
    )
    assert waits.startswith("x5 is committed once brokers 2, 3 ")


@pytest.mark.parametrize(
    ("state", "right"),
    [
        (
            "isr: [2]",
            "t-0 has no leader, so nothing can be written. It waits for broker 2, which can be "
            "elected cleanly.",
        ),
        ("isr: [], elr: [2, 3]", "It waits for one of the brokers 2, 3, which can be elected"),
        ("isr: [], last_known_elr: [3]", "t-0 has no leader, and no broker can be elected cleanly"),
    ],
)
def test_a_partition_without_a_leader_waits_for_those_that_can_be_elected(state, right):
    text = SCENARIO.format(
        kafka="3.9" if "elr" not in state else "4.3",
        configs="{min.insync.replicas: 2}",
        topics=f"  - {{name: t, partitions: [{{replicas: [1, 2, 3], leader: -1, {state}}}]}}",
    ).replace("brokers: [1, 2, 3]", "brokers: {1: {}, 2: {state: stopped}, 3: {state: stopped}}")
    timeline = Timeline(read_scenario_text(text))

    (sentence,) = initial_consequences(timeline.frames[FrameNumber(0)].cluster)

    assert right in sentence["en"]
