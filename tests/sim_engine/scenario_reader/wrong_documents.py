"""Invalid scenario documents, and the error for each."""

from typing import Any

from sim_engine.releases import RELEASES
from tests.sim_engine.scenario_reader.documents import document, with_log, with_partition

WRONG_DOCUMENTS: list[tuple[Any, Any]] = [
    (None, "/: a scenario must be a mapping, not empty"),
    ([], "/: a scenario must be a mapping, not a list"),
    ("x", "/: a scenario must be a mapping, not the text x"),
    ({}, "/: a scenario needs id, kafka, brokers and topics"),
    (document(scenario=2), "/scenario: only version 1"),
    (document(scenario=True), "/scenario: only version 1"),
    (document(id="Bad Id"), "/id: id must be 1 to 64 of a-z 0-9 -, not …"),
    (document(id="x" * 65), "/id: id must be 1 to 64"),
    (document(id=None), "/id: id must be text, not empty"),
    (document(alias="../x"), "/alias: alias must be 1 to 64"),
    (
        document(control_run="A run"),
        "/control_run: control_run must be 1 to 64 of a-z 0-9 -, not …",
    ),
    (document(control_run=["s26"]), "/control_run: control_run must be text, not a list"),
    (document(titel="x"), "/titel: there is no key titel; did you mean title?"),
    (document(__proto__={}), "/__proto__: there is no key __proto__; keys are scenario"),
    (document(title=1), "/title: the title must be text, not the number 1"),
    (document(title="a\nb"), "/title: the title must be on one line"),
    (document(title="x" * 121), "/title: the title may have at most 120 characters"),
    (document(title={"en": "x", "fr": "y"}), "/title/fr: there is no key fr"),
    (document(title={}), "/title: the title needs en or "),
    (document(title="👩‍👩‍👧‍👦" * 100), "/title: the title may have at most 120 characters"),
    (document(summary=[]), "/summary: the summary must be text, not a list"),
    (document(source="KIP-1"), "/source: source must be a list"),
    (document(kafka="0.8.1"), "/kafka: Kafka 0.8.1 is older than 0.8.2.0"),
    (document(kafka="0.99"), "/kafka: there is no Kafka 0.99; releases are 0.8.2"),
    (document(kafka="3.10"), "/kafka: there is no Kafka 3.10; releases are"),
    (document(kafka="2.0.7"), "there is no Kafka 2.0.7; releases of 2.0 are 2.0.0, 2.0.1"),
    (
        document(kafka="9.9"),
        f"Kafka 9.9 is unknown; the newest known release is {RELEASES[-1]}",
    ),
    (document(metadata_version="4.0"), "Kafka 3.9.2 cannot run at metadata.version 4.0-IV3"),
    (document(metadata_version="3.5-IV7"), "/metadata_version: there is no level 3.5-IV7"),
    (document(metadata_version=3.5), '/metadata_version: a version must be a string: write "3.5"'),
    (
        document(inter_broker_protocol_version="3.5"),
        "a cluster under KRaft uses metadata_version, not inter_broker",
    ),
    (document(kafka="three"), "/kafka: 'three' is not a Kafka version"),
    (document(kafka=3.9), '/kafka: a version must be a string: write "3.9"'),
    (document(kafka=True), "/kafka: a version is a string like"),
    (document(control="raft"), "/control: control cannot be raft; did you mean kraft?"),
    (
        document(kafka="2.0.1", control="kraft"),
        "/control: Kafka 2.0.1 does not support kraft; it supports zookeeper",
    ),
    (document(rules={"KIP-1O1": True}), "/rules/KIP-1O1: there is no rule KIP-1O1"),
    (document(rules={"KIP-101": 1}), "/rules/KIP-101: rule KIP-101 must be true or false"),
    (
        document(kafka="0.10.2", rules={"KIP-279": True}),
        "/rules: rule KIP-279 needs KIP-101, which is off",
    ),
    (document(seed=-1), "/seed: seed must be from 0 to 9007199254740991, not -1"),
    (document(seed=2**63), "/seed: seed must be from 0 to"),
    (document(seed=1.0), "/seed: seed must be an integer, not 1.0"),
    (document(seed=True), "/seed: seed must be an integer, not true"),
    (document(seed="1_000"), "/seed: seed must be an integer, not the text 1_000"),
    (document(brokers=[]), "/brokers: brokers must have at least 1 entries, not 0"),
    (document(brokers=list(range(10))), "/brokers: brokers must have at most 9 entries, not 10"),
    (document(brokers=10**6), "/brokers: brokers must be a list, not the number 1000000"),
    (document(brokers=[1, 1]), "/brokers/1: broker 1 is listed twice"),
    (document(brokers=[-1]), "/brokers/0: a broker must be from 0 to 1000, not -1"),
    (document(brokers=[1, "2"]), "/brokers/1: a broker must be an integer"),
    (document(brokers={"a": {}}), "/brokers/a: a broker must be an integer, not a"),
    (document(brokers={"01": {}}), "/brokers/01: a broker must be an integer, not 01"),
    (document(brokers={"1": {"rack": 7}}), "/brokers/1/rack: a rack must be text"),
    (document(brokers={"1": {"rack": "a b"}}), "/brokers/1/rack: a rack must be 1 to 32 of"),
    (
        document(configs={"min.insync.replica": 1}),
        "there is no setting min.insync.replica; did you mean min.insync.replicas?",
    ),
    (
        document(configs={"min.insync.replicas": 0}),
        "min.insync.replicas must be from 1 to 2147483647, not 0",
    ),
    (
        document(configs={"min.insync.replicas": True}),
        "min.insync.replicas must be an integer",
    ),
    (
        document(configs={"unclean.leader.election.enable": 1}),
        "unclean.leader.election.enable must be true or false",
    ),
    (
        document(configs={"replica.lag.max.messages": 4000}),
        "replica.lag.max.messages was removed in Kafka 0.9",
    ),
    (
        document(kafka="0.10.2", configs={"broker.session.timeout.ms": 9000}),
        "broker.session.timeout.ms exists since Kafka 2.8, this is 0.10.2",
    ),
    (
        document(configs={"flush.messages": 1}),
        "flush.messages is a topic's setting; for brokers it is log.flush.interval.messages",
    ),
    (document(topics=[]), "/topics: topics must have at least 1 entries"),
    (document(topics={}), "/topics: topics must be a list, not a mapping"),
    (document(topics=[{}]), "/topics/0: a topic needs name and partitions"),
    (document(topics=[{"name": "..", "partitions": []}]), "a topic's name must be 1 to 249"),
    (
        document(topics=[{"name": "t", "partitions": [{"replicas": [1]}] * 17}]),
        "/topics/0/partitions: partitions must have at most 16 entries, not 17",
    ),
    (
        document(
            topics=[{"name": name, "partitions": [{"replicas": [1]}] * 9} for name in ("a", "b")]
        ),
        "/topics: a scenario may have at most 16 partitions in total, not 18",
    ),
    (
        document(topics=[{"name": "t", "partitions": [{"replicas": [1]}]}] * 2),
        "/topics/1/name: there are two topics t",
    ),
    (
        document(
            topics=[
                {
                    "name": "t",
                    "configs": {"replica.fetch.wait.max.ms": 1},
                    "partitions": [{"replicas": [1]}],
                }
            ]
        ),
        "replica.fetch.wait.max.ms is a setting of brokers, not of a topic",
    ),
    (with_partition(replicas=[1, 9]), "there is no broker 9; brokers are 1, 2, 3"),
    (with_partition(replicas=[1, 1]), "broker 1 is listed twice in replicas"),
    (with_partition(replicas=[]), "replicas must have at least 1 entries"),
    (with_partition(leader=3), "the leader must be one of the partition's replicas 1, 2, not 3"),
    (with_partition(leader_epoch=-1), "leader_epoch must be from 0 to"),
    (with_partition(isr=[1, 3]), "a member of the ISR must be one of the partition's replicas"),
    (with_partition(isr=[1, 1]), "broker 1 is listed twice in isr"),
    (with_partition(isr=[2]), "the ISR must contain the leader, 1; add leader:"),
    (with_partition(leader=2, isr=[1]), "the ISR must contain the leader, 2"),
    (with_partition(logs={"3": {}}), "/logs/3: logs are by replica; there is no replica 3"),
    (with_partition(logs={"1": "m1/0"}), "/logs/1: a log must be a mapping, not the text m1/0"),
    (with_log(log=1), "/logs/1/log: a log must be text, not the number 1"),
    (
        with_log(log="m1//0"),
        "a record must be value or value/epoch (x*20/epoch for twenty records)",
    ),
    (with_log(log="m1/x"), "a record must be value or value/epoch"),
    (with_log(log="x*0"), "x*0 must be at least 1 and at most 1000 records"),
    (with_log(log="x*1001"), "x*1001 must be at least 1 and at most 1000 records"),
    (with_log(log="x*999 y*2"), "a log may have at most 1000 records"),
    (with_log(log="y" * 33), "a value must be 1 to 32 printable characters"),
    (with_log(log="m1/2 m2/1"), "epochs must not decrease along a log: m2 has epoch 1 after 2"),
    (with_log(log="m1/4"), "the log contains epoch 4, so leader_epoch must be at least 4, not 3"),
    (
        with_log(log="m1", high_watermark=2),
        "high_watermark must be from 0 to the log end, 1",
    ),
    (
        with_log(log="m1", log_start=5, high_watermark=4),
        "high_watermark must be from 5 to the log end",
    ),
    (with_log(log="m1", flushed=2), "flushed must be from 0 to the log end, 1, not 2"),
    (with_log(log="m1", checkpoint={"recovery_point": 2}), "recovery_point must be from 0 to"),
    (
        with_log(log="m1", flushed=0, checkpoint={"recovery_point": 1}),
        "everything below the recovery point must be flushed: 1 is above flushed 0",
    ),
    (with_log(checkpoint={"hw": 1}), "/checkpoint/hw: there is no key hw"),
    (with_log(log="m1/0", epochs=[[0]]), "[epoch, start offset] must have at least 2 entries"),
    (with_log(log="m1/0", epochs=[[0, 0], [0, 1]]), "epochs must increase: 0 follows 0"),
    (with_log(log="m*9/0", epochs=[[0, 5], [1, 4]]), "start offsets must not decrease"),
    (with_log(log="m1/0", epochs=[[1, 0]]), "the record at offset 0 has epoch 0, not 1"),
    (
        with_log(log="m1/0", epochs=[[0, 2]]),
        "the start of an epoch must be from 0 to the log end, 1",
    ),
    (with_log(log="m1/0", epochs=[[0, 0], [4, 1]]), "epoch 4 must not be above leader_epoch 3"),
    (document(steps={}), "/steps: steps must be a list, not a mapping"),
    (document(steps=[{}] * 10_001), "/steps: a scenario may have at most 10000 steps, not 10001"),
]
