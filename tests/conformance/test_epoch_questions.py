"""A client asks a broker where leader epochs end, and `answers` are compared.

The documents are written by hand, following Kafka's `LeaderEpochFileCache` and `ReplicaManager`;
no cluster was recorded for them.
"""

from typing import Any

import pytest

from sim_engine.conformance.reader import read_recording
from sim_engine.conformance.recording import RecordingError
from sim_engine.conformance.replay import conform

Answer = tuple[int, int | None, int, str | None]
"""The epoch asked for; then the epoch and the offset answered, and the error."""


NOTHING_READ: dict[str, Any] = {
    "leader": None,
    "leader_epoch": None,
    "partition_epoch": None,
    "isr": None,
    "consumable_end": None,
    "consumed": None,
    "brokers": {},
}
"""The cluster was left alone until it settled; what it showed is not held."""


def asked_of(broker: int, *answers: Answer, **arguments: Any) -> dict[str, Any]:
    """A step that asks a broker, with its response."""
    return {
        "do": {
            "offsets_for_leader_epoch": {
                "broker": broker,
                "epochs": [asked for asked, *_ in answers],
                **arguments,
            }
        },
        "answers": [
            {"asked": asked, "leader_epoch": epoch, "end_offset": end, "error": error}
            for asked, epoch, end, error in answers
        ],
    }


def produced(value: str, offset: int) -> dict[str, Any]:
    return {
        "do": {"produce": {"broker": None, "values": [value], "acks": "all", "timeout_ms": 5000}},
        "produced": [{"value": value, "outcome": "acked", "offset": offset, "error": None}],
    }


def led_by_two_and_back(kafka: str, *steps: dict[str, Any]) -> dict[str, Any]:
    """Broker 1 leads epoch 0 and writes `a`; 2 leads epoch 1 and writes `b`; 1 leads epoch 2 and
    has written nothing yet. Brokers 1 and 2 have a replica, broker 3 has none."""
    kraft = not kafka.startswith(("1.", "2."))
    gone: dict[str, Any] = {
        "do": {"kill": {"broker": 1} if kraft else {"broker": 1, "session": "ended"}}
    }
    back: dict[str, Any] = {"do": {"start": {"broker": 1}}}
    if kraft:
        gone["noticed"] = [{"broker": 1, "fenced": True}]
        back["noticed"] = [{"broker": 1, "registered": True}, {"broker": 1, "fenced": False}]
    return {
        "conformance": 1,
        "id": "by-hand",
        "kafka": kafka,
        "control": "kraft" if kraft else "zookeeper",
        "brokers": [1, 2, 3],
        "configs": {"auto.leader.rebalance.enable": False},
        "topic": {"name": "t", "partitions": [{"replicas": [1, 2]}]},
        "steps": [
            {"do": {"create_topic": {"replicas": [1, 2]}}},
            produced("a", 0),
            gone,
            produced("b", 1),
            back,
            {"do": {"elect": {"kind": "preferred"}}},
            *steps,
        ],
    }


def settled(document: dict[str, Any]) -> dict[str, Any]:
    """The same, with each step read after the cluster had settled."""
    steps = [{"saw": NOTHING_READ, **step} for step in document["steps"]]
    return {**document, "steps": steps}


def differences(document: dict[str, Any]) -> list[tuple[int, str, Any, Any]]:
    return [
        (one.step, one.where, one.expected, one.got)
        for one in conform(read_recording(settled(document)))
    ]


# What a leader says whose epochs are 0 from offset 0, 1 from 1 and, from 2.0.1 on, 2 from 2, and
# whose log ends at 2.
ANSWERS: list[tuple[str, list[Answer]]] = [
    (
        # KIP-101: only an offset, and epoch 2, which has no records, is unknown.
        "1.1.1",
        [(-1, None, -1, None), (0, None, 1, None), (1, None, 2, None), (2, None, -1, None)],
    ),
    (
        # KIP-279: with the epoch.
        "2.0.0",
        [(-1, -1, -1, None), (0, 0, 1, None), (1, 1, 2, None), (2, -1, -1, None)],
    ),
    (
        # KAFKA-7415: the leader knows its own epoch before it writes.
        "2.0.1",
        [(-1, -1, -1, None), (0, 0, 1, None), (1, 1, 2, None), (2, 2, 2, None), (3, -1, -1, None)],
    ),
    (
        "3.9.2",
        [(-1, -1, -1, None), (0, 0, 1, None), (1, 1, 2, None), (2, 2, 2, None), (3, -1, -1, None)],
    ),
]


@pytest.mark.parametrize(("kafka", "answers"), ANSWERS)
def test_the_leader_returns_the_ends_of_epochs(kafka: str, answers: list[Answer]) -> None:
    document = led_by_two_and_back(kafka, asked_of(1, *answers))

    assert differences(document) == []


def test_an_epoch_in_which_nobody_wrote_is_left_out_once_the_next_one_has() -> None:
    document = led_by_two_and_back(
        "3.9.2",
        {"do": {"kill": {"broker": 1}}, "noticed": [{"broker": 1, "fenced": True}]},
        produced("c", 2),
        asked_of(2, (1, 1, 2, None), (2, 1, 2, None), (3, 3, 3, None), (4, -1, -1, None)),
    )

    assert differences(document) == []


@pytest.mark.parametrize(
    ("kafka", "broker", "error"),
    [
        ("3.9.2", 2, "NOT_LEADER_OR_FOLLOWER"),
        ("3.9.2", 3, "NOT_LEADER_OR_FOLLOWER"),
        ("2.0.1", 3, "UNKNOWN_TOPIC_OR_PARTITION"),
    ],
)
def test_a_broker_that_is_not_the_leader_returns_the_error(
    kafka: str, broker: int, error: str
) -> None:
    document = led_by_two_and_back(kafka, asked_of(broker, (0, -1, -1, error)))

    assert differences(document) == []


@pytest.mark.parametrize(
    ("epoch", "error"), [(1, "FENCED_LEADER_EPOCH"), (3, "UNKNOWN_LEADER_EPOCH")]
)
def test_who_asks_with_another_leader_epoch_is_fenced(epoch: int, error: str) -> None:
    document = led_by_two_and_back(
        "3.9.2", asked_of(1, (0, -1, -1, error), current_leader_epoch=epoch)
    )

    assert differences(document) == []


def test_each_part_of_an_answer_is_held() -> None:
    document = led_by_two_and_back(
        "3.9.2",
        asked_of(1, (0, 1, 1, None), (1, 1, 7, None), (2, 2, 2, "FENCED_LEADER_EPOCH")),
        asked_of(2, (0, -1, -1, None)),
    )

    assert differences(document) == [
        (6, "answers/0/leader_epoch", 1, 0),
        (6, "answers/1/end_offset", 7, 2),
        (6, "answers/2/error", "FENCED_LEADER_EPOCH", None),
        (7, "answers/0/error", None, "NOT_LEADER_OR_FOLLOWER"),
    ]


def test_a_question_without_answers_is_wrong_input() -> None:
    document = led_by_two_and_back("3.9.2", asked_of(1, (0, 0, 1, None)))
    del document["steps"][-1]["answers"]

    with pytest.raises(RecordingError) as raised:
        read_recording(document)

    assert raised.value.where == "/steps/6/answers"
