"""A valid scenario file, an invalid one, and one whose expectations fail."""

from pathlib import Path

import pytest

LOSS = """\
id: kip-101-data-loss
kafka: "0.10.2"
brokers: [1, 2]
configs: {unclean.leader.election.enable: true}
topics: [{name: t, partitions: [{replicas: [2, 1]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - fetch: {broker: 1}
  - fetch: {broker: 1}
  - produce: {to: t-0, values: [m2], as: p1}
  - fetch: {broker: 1}
  - fetch: {broker: 1, drop: response}
  - timer: {broker: 1, kind: high_watermark_checkpoint}
  - crash: {broker: 1}
  - detect: {broker: 1}
  - start: {broker: 1}
  - timer: {broker: 2, kind: high_watermark_checkpoint}
  - crash: {broker: 2}
  - elect: {partition: t-0, kind: unclean, leader: 1}
  - start: {broker: 2}
  - fetch: {broker: 2}
  - expect:
      kafka: ["0.10.2"]
      leader: 1
      leader_epoch: 2
      replicas: {1: {log: "m1", hw: 1}, 2: {log: "m1", hw: 1}}
      lost: [m2]
      violated: [NoAckedRecordLost]
  - expect:
      kafka: ["1.1", "2.0.1", "3.9"]
      leader: 1
      replicas: {1: {log: "m1/0 m2/0"}, 2: {log: "m1/0 m2/0"}}
      lost: []
      violated: []
"""


@pytest.fixture
def loss(tmp_path: Path) -> Path:
    """A file with KIP-101's first scenario, whose expectations are met."""
    path = tmp_path / "loss.yaml"
    path.write_text(LOSS, encoding="utf-8")
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A file that crashes a broker that does not exist."""
    path = tmp_path / "wrong.yaml"
    path.write_text(LOSS.replace("crash: {broker: 1}", "crash: {broker: 9}"), encoding="utf-8")
    return path


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    """A file that expects a wrong leader in one version."""
    path = tmp_path / "failing.yaml"
    path.write_text(
        LOSS.replace('["1.1", "2.0.1", "3.9"]\n      leader: 1', '["2.0.1"]\n      leader: 2'),
        encoding="utf-8",
    )
    return path
