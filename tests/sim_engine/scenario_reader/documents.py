"""Scenarios for tests: one valid document, and ways to make it invalid."""

from copy import deepcopy
from typing import Any

from sim_engine.languages import LANGUAGES


def in_every_language(en: str, zh: str) -> dict[str, str]:
    """Texts in every language; the English text if a language has none."""
    return {**dict.fromkeys(LANGUAGES, en), "zh": zh}


KIP_101 = """\
scenario: 1
id: kip-101-data-loss
alias: s26
title: {en: Loss by high watermark, zh: 高水位截断造成的丢失}
summary: {en: A follower bounces., zh: 跟随者重启。}
source: [KIP-101]
kafka: "0.10.2"
brokers: [1, 2]
configs: {unclean.leader.election.enable: true}
topics: [{name: t, partitions: [{replicas: [2, 1]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - fetch: {broker: 1}
  - note: {en: One record., zh: 一条记录。}
  - timer: {broker: 1, kind: high_watermark_checkpoint}
  - crash: {broker: 1}
  - elect: {partition: t-0, kind: unclean, leader: 1, refused: ["2.0.1"]}
  - expect: {kafka: ["0.10.2"], leader: 1, replicas: {1: {log: "m1", hw: 1}}, lost: [m2], violated: [NoAckedRecordLost]}
"""  # noqa: E501

PLAIN: dict[str, Any] = {
    "id": "plain",
    "kafka": "3.9",
    "brokers": [1, 2, 3],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
    "steps": [],
}


def document(**changes: Any) -> dict[str, Any]:
    """A scenario of three brokers and one partition on two of them, with keys replaced."""
    return deepcopy(PLAIN) | changes


def with_steps(*steps: Any) -> dict[str, Any]:
    """The same with these steps."""
    return document(steps=list(steps))


def with_partition(**about: Any) -> dict[str, Any]:
    """The same with one partition on brokers 1 and 2 in the given initial state."""
    return document(topics=[{"name": "t", "partitions": [{"replicas": [1, 2]} | about]}])


def with_log(**log: Any) -> dict[str, Any]:
    """The same with a log on broker 1, in leader epoch 3."""
    return with_partition(leader_epoch=3, logs={"1": log})
