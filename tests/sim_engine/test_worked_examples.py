"""Two lessons that were recorded on real clusters, under every version that they cover. The third,
the loss of KIP-101, is the file that `check` checks (`command_line/conftest.py`)."""

import pytest

from sim_engine.command_line.check import judge_run, run_under
from sim_engine.scenario_reader.expectations import versions_to_check
from sim_engine.scenario_reader.reader import read_scenario_text

ISR_JOIN_GUARD = """\
id: isr-join-guard
kafka: "2.0.0"
brokers: [1, 2, 3]
topics: [{name: t, partitions: [{replicas: [3, 1, 2], leader: 1, leader_epoch: 1, isr: [1, 3]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - fetch: {broker: 3}
  - fetch: {broker: 3, drop: response}       # m1 acknowledged by {1, 3}; broker 3's high watermark is 0
  - elect: {partition: t-0, kind: preferred, leader: 3}
  - fetch: {broker: 2, drop: response}       # up to 2.0.0 offset 0 reaches the stale high watermark 0: broker 2 joins the ISR, empty
  - crash: {broker: 1}
  - detect: {broker: 1}
  - crash: {broker: 3}
  - detect: {broker: 3}                      # elects by itself: no elect step needed
  - expect: {kafka: ["1.1", "2.0.0"], leader: 2, isr: [2], replicas: {2: {log: ""}}, violated: [AckedRecordAtRisk]}
  - expect: {kafka: ["2.0.1"], leader: -1, isr: [3], violated: []}
"""  # noqa: E501

ZOMBIE_LEADER = """\
id: zombie-leader
kafka: "3.9"
brokers: [1, 2, 3]
topics: [{name: t, partitions: [{replicas: [1, 2, 3]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - settle: {}
  - isolate: {broker: 1, from: controller}
  - detect: {broker: 1}                      # fenced: leader 2, isr [2, 3]; broker 1 still believes that it leads
  - produce: {to: t-0, values: [z1], acks: 1, broker: 1, as: p2}
  - produce: {to: t-0, values: [z2], acks: all, broker: 1, as: p2}
  - produce: {to: t-0, values: [m2], broker: 2, as: p1}
  - settle: {}
  - expect: {leader: 2, replicas: {1: {log: "m1/0 z1/0 z2/0", hw: 1}, 2: {log: "m1/0 m2/1"}, 3: {log: "m1/0 m2/1"}}, acked: [m1, z1, m2]}
  - heal: {broker: 1}
  - settle: {}
  - expect: {leader: 2, isr: [2, 3, 1], replicas: {1: {log: "m1/0 m2/1"}}, lost: [z1], violated: []}
"""  # noqa: E501

STORIES = [read_scenario_text(text) for text in (ISR_JOIN_GUARD, ZOMBIE_LEADER)]


@pytest.mark.parametrize(
    ("scenario", "kafka"),
    [
        pytest.param(scenario, kafka, id=f"{scenario.id}-{kafka}")
        for scenario in STORIES
        for kafka in versions_to_check(scenario)
    ],
)
def test_the_story_ends_as_it_did_on_real_clusters(scenario, kafka):
    result = judge_run(run_under(scenario, kafka), kafka)

    assert [str(difference) for difference in result.differences] == []


def test_the_stories_name_the_versions_in_which_they_differ():
    checked = {scenario.id: versions_to_check(scenario) for scenario in STORIES}

    assert checked == {"isr-join-guard": ["2.0.0", "1.1", "2.0.1"], "zombie-leader": ["3.9"]}
