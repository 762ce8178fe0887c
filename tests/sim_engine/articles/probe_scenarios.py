"""Small scenarios that decide claims of articles."""

from sim_engine.versions import Control

START = "scenario: 1\nid: probe\ntitle: Probe\nkafka: '3.9'\n"
THREE = """\
brokers: [1, 2, 3]
configs: {unclean.leader.election.enable: true, replica.lag.time.max.ms: 10000}
topics:
  - name: t
    partitions: [{replicas: [1, 2, 3], logs: {1: {log: a/0}, 2: {log: a/0}, 3: {log: a/0}}}]
steps:
  - settle: {}
"""
# Broker 2 has records of epoch 0 that the leader of epoch 1 does not have.
SECOND_LEADER_FROM_300 = """\
brokers: [1, 2]
topics:
  - name: t
    partitions:
      - replicas: [1, 2]
        leader_epoch: 1
        isr: [1]
        logs:
          1: {log: "a*300/0 b*10/1", high_watermark: 310}
          2: {log: "a*300/0 y*2/0", high_watermark: 300}
steps:
  - fetch: {broker: 2, partition: t-0, drop: response}
"""
# Broker 2 left the ISR, and is caught up again as of its previous fetch, below the high watermark.
CAUGHT_UP_OUTSIDER = """\
brokers: [1, 2]
configs: {replica.lag.time.max.ms: 10000}
topics: [{name: t, partitions: [{replicas: [1, 2], logs: {1: {log: "a/0"}, 2: {log: "a/0"}}}]}]
steps:
  - settle: {}
  - cut: {from: 2, to: 1}
  - produce: {to: t-0, values: [b], acks: 1, as: p1}
  - run: {ms: 21000}
  - produce: {to: t-0, values: [c], acks: 1, as: p1}
  - heal: {from: 2, to: 1}
  - fetch: {broker: 2}
  - produce: {to: t-0, values: [d], acks: 1, as: p1}
  - fetch: {broker: 2}
  - produce: {to: t-0, values: [e], acks: 1, as: p1}
"""
# The same; then the controller loses contact with broker 2, so that it may not join.
INELIGIBLE_OUTSIDER = f"""{CAUGHT_UP_OUTSIDER}
  - isolate: {{broker: 2, from: controller}}
  - detect: {{broker: 2}}
  - produce: {{to: t-0, values: [f], acks: 1, as: p1}}
"""
# A follower that fetches every two seconds, one record of the two that are written in the meantime.
ALWAYS_BEHIND = f"""{THREE}
{
    "".join(
        f'''
  - produce: {{to: t-0, values: [x{at}, y{at}], acks: 1, as: p1}}
  - fetch: {{broker: 2}}
  - fetch: {{broker: 3, records: 1}}
  - advance: {{ms: 2000}}
'''
        for at in range(13)
    )
}
  - fetch: {{broker: 3, records: 1}}
  - timer: {{broker: 1, kind: isr_expiration}}
  - fetch: {{broker: 3, records: 1}}
  - settle: {{}}
"""
# Broker 1 has three records, broker 2 only the first of them, and becomes leader uncleanly.
LONGER_OLD_LOG = """\
brokers: [1, 2]
configs: {unclean.leader.election.enable: true}
topics: [{name: t, partitions: [{replicas: [1, 2], logs: {1: {log: "a/0"}, 2: {log: "a/0"}}}]}]
steps:
  - settle: {}
  - crash: {broker: 2}
  - detect: {broker: 2}
  - produce: {to: t-0, values: [b, c], acks: 1, as: p1}
  - timer: {broker: 1, kind: high_watermark_checkpoint}
  - crash: {broker: 1}
  - detect: {broker: 1}
  - start: {broker: 2}
  - elect: {partition: t-0, kind: unclean, leader: 2}
  - produce: {to: t-0, values: [x], acks: 1, broker: 2, as: p2}
  - start: {broker: 1}
  - settle: {}
"""
LAST_MEMBER_FAILS = """\
brokers: [1, 2]
configs: {unclean.leader.election.enable: true}
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps:
  - crash: {broker: 2}
  - detect: {broker: 2}
  - crash: {broker: 1}
  - detect: {broker: 1}
"""
_COMMANDS = {"zookeeper": "leader_and_isr", "kraft": "metadata_record"}


def late_command(control: Control) -> str:
    """Broker 3 fetches from broker 2 in an epoch that 2 does not know, then in one that is over."""
    kind = _COMMANDS[control]
    return f"""{THREE}
  - isolate: {{broker: 1, from: controller}}
  - timer: {{broker: 1, kind: session_timeout}}
  - hold: {{kind: {kind}, from: controller, to: 2}}
  - settle: {{}}
  - fetch: {{broker: 3}}
  - release: {{kind: {kind}, from: controller, to: 2}}
  - heal: {{broker: 1}}
  - settle: {{}}
  - isolate: {{broker: 2, from: controller}}
  - timer: {{broker: 2, kind: session_timeout}}
  - hold: {{kind: {kind}, from: controller, to: 3}}
  - heal: {{broker: 2}}
  - settle: {{}}
"""
