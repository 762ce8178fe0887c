"""Reading scenarios: every mistake named with its place, and a good file read whole."""

import json
from contextlib import suppress

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sim_engine.scenarios.document import (
    BrokerSpec,
    LogSpec,
    RecordSpec,
    Scenario,
    ScenarioError,
    Step,
)
from sim_engine.scenarios.plain import scenario_document
from sim_engine.scenarios.reader import (
    read_scenario_document,
    read_scenario_file,
    read_scenario_text,
    read_step,
)
from sim_engine.scenarios.steps import STEP_KINDS
from tests.sim_engine.scenarios.documents import (
    KIP_101,
    document,
    with_log,
    with_partition,
    with_steps,
)


def problems_of(wrong: object) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        read_scenario_document(wrong)
    return [str(problem) for problem in caught.value.problems]


def test_a_file_is_read_whole():
    scenario = read_scenario_text(KIP_101)

    assert scenario.id == "kip-101-data-loss"
    assert scenario.alias == "s26"
    assert scenario.title == {"en": "Loss by high watermark", "zh": "高水位截断造成的丢失"}
    assert scenario.brokers == (BrokerSpec(id=1), BrokerSpec(id=2))
    assert scenario.configs == {"unclean.leader.election.enable": True}
    assert scenario.partitions["t-0"].replicas == (2, 1)
    assert scenario.steps[0] == Step(
        kind="produce", arguments={"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}
    )
    assert scenario.steps[5].refused == ("2.0.1",)
    assert "refused" not in scenario.steps[5].arguments


def test_only_id_version_brokers_and_topics_are_needed():
    scenario = read_scenario_document(document())

    assert scenario.title == {"en": "plain", "zh": "plain"}
    assert (scenario.seed, scenario.control, scenario.steps) == (1, None, ())


def test_yaml_json_and_parsed_data_read_the_same():
    scenario = read_scenario_text(KIP_101)
    plain = yaml.safe_load(KIP_101)

    assert read_scenario_document(plain) == scenario
    assert read_scenario_text(json.dumps(plain, indent="\t")) == scenario


def test_a_scenario_written_back_reads_as_the_same_scenario():
    wrong_start = with_partition(
        leader=2,
        leader_epoch=4,
        partition_epoch=2,
        isr=[2],
        logs={
            2: {
                "log": "m1 x*20/1 z1/4 z3/4",
                "log_start": 5,
                "high_watermark": 6,
                "flushed": 9,
                "checkpoint": {"high_watermark": 6, "recovery_point": 7},
                "epochs": [[0, 5], [1, 6], [4, 26]],
            }
        },
    )
    wrong_start["topics"][0]["configs"] = {"min.insync.replicas": 2}
    for scenario in (read_scenario_text(KIP_101), read_scenario_document(wrong_start)):
        written = scenario_document(scenario)

        assert read_scenario_document(written) == scenario
        assert read_scenario_text(json.dumps(written)) == scenario


def test_problems_come_with_line_column_and_file():
    text = KIP_101.replace("crash: {broker: 1}", "crash: {broker: 9}").replace(
        "kind: high_w", "kind: hgh_w"
    )

    with pytest.raises(ScenarioError) as caught:
        read_scenario_text(text, filename="loss.yaml")

    assert str(caught.value).splitlines() == [
        "loss.yaml:15:30: /steps/3/timer/kind: a timer's kind is not hgh_watermark_checkpoint; "
        "did you mean high_watermark_checkpoint?",
        "loss.yaml:16:21: /steps/4/crash/broker: there is no broker 9; brokers are 1, 2",
    ]


def test_at_most_twenty_problems_are_told():
    assert len(problems_of(with_steps(*[{"crash": {"broker": 9}}] * 50))) == 20


def test_an_unquoted_version_is_refused_with_the_quoted_form():
    with pytest.raises(ScenarioError) as caught:
        read_scenario_text(KIP_101.replace('"0.10.2"\nbrokers', "0.10\nbrokers"))

    assert '7:8: /kafka: a version is a string: write "0.10"' in str(caught.value)


def test_a_file_that_cannot_be_read_says_so(tmp_path):
    not_utf_8 = tmp_path / "latin.yaml"
    not_utf_8.write_bytes(b"id: x\ntitle: caf\xe9\n")

    with pytest.raises(ScenarioError, match=r"latin.yaml:2:11: /: the file is not UTF-8"):
        read_scenario_file(not_utf_8)
    with pytest.raises(ScenarioError, match="cannot be read: No such file"):
        read_scenario_file(tmp_path / "missing.yaml")
    with pytest.raises(ScenarioError, match="cannot be read: Is a directory"):
        read_scenario_file(tmp_path)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (None, "/: a scenario is a mapping, not empty"),
        ([], "/: a scenario is a mapping, not a list"),
        ("x", "/: a scenario is a mapping, not the text x"),
        ({}, "/: a scenario needs id, kafka, brokers and topics"),
        (document(scenario=2), "/scenario: this reads version 1"),
        (document(scenario=True), "/scenario: this reads version 1"),
        (document(id="Bad Id"), "/id: id is 1 to 64 of a-z 0-9 -, not Bad Id"),
        (document(id="x" * 65), "/id: id is 1 to 64"),
        (document(id=None), "/id: id is text, not empty"),
        (document(alias="../x"), "/alias: alias is 1 to 64"),
        (document(titel="x"), "/titel: there is no key titel; did you mean title?"),
        (document(__proto__={}), "/__proto__: there is no key __proto__; keys are scenario"),
        (document(title=1), "/title: the title is text, not the number 1"),
        (document(title="a\nb"), "/title: the title is on one line"),
        (document(title="x" * 121), "/title: the title has at most 120 characters"),
        (document(title={"en": "x", "fr": "y"}), "/title/fr: there is no key fr"),
        (document(title={}), "/title: the title needs en or zh"),
        (document(title="👩‍👩‍👧‍👦" * 100), "/title: the title has at most 120 characters"),
        (document(summary=[]), "/summary: the summary is text, not a list"),
        (document(source="KIP-1"), "/source: source is a list"),
        (document(kafka="0.9"), "/kafka: Kafka 0.9 is older than every profile"),
        (document(kafka="three"), "/kafka: 'three' is no Kafka version"),
        (document(kafka=3.9), '/kafka: a version is a string: write "3.9"'),
        (document(kafka=True), "/kafka: a version is a string like"),
        (document(control="raft"), "/control: control is not raft; did you mean kraft?"),
        (
            document(kafka="2.0.1", control="kraft"),
            "/control: Kafka 2.0.1 had no kraft control; it had zookeeper",
        ),
        (document(rules={"KIP-1O1": True}), "/rules/KIP-1O1: there is no rule KIP-1O1"),
        (document(rules={"KIP-101": 1}), "/rules/KIP-101: rule KIP-101 is true or false"),
        (
            document(kafka="0.10.2", rules={"KIP-279": True}),
            "/rules: rule KIP-279 needs KIP-101, which is off",
        ),
        (document(seed=-1), "/seed: seed is from 0 to 9007199254740991, not -1"),
        (document(seed=2**63), "/seed: seed is from 0 to"),
        (document(seed=1.0), "/seed: seed is a whole number, not 1.0"),
        (document(seed=True), "/seed: seed is a whole number, not true"),
        (document(seed="1_000"), "/seed: seed is a whole number, not the text 1_000"),
        (document(brokers=[]), "/brokers: brokers has at least 1 entries, not 0"),
        (document(brokers=list(range(10))), "/brokers: brokers has at most 9 entries, not 10"),
        (document(brokers=10**6), "/brokers: brokers is a list, not the number 1000000"),
        (document(brokers=[1, 1]), "/brokers/1: broker 1 is here twice"),
        (document(brokers=[-1]), "/brokers/0: a broker is from 0 to 1000, not -1"),
        (document(brokers=[1, "2"]), "/brokers/1: a broker is a whole number"),
        (document(brokers={"a": {}}), "/brokers/a: a broker is a whole number, not a"),
        (document(brokers={"01": {}}), "/brokers/01: a broker is a whole number, not 01"),
        (document(brokers={"1": {"rack": "a"}}), "/brokers/1/rack: racks are not modelled yet"),
        (
            document(configs={"min.insync.replica": 1}),
            "there is no setting min.insync.replica; did you mean min.insync.replicas?",
        ),
        (
            document(configs={"min.insync.replicas": 0}),
            "min.insync.replicas is from 1 to 2147483647, not 0",
        ),
        (
            document(configs={"min.insync.replicas": True}),
            "min.insync.replicas is a whole number",
        ),
        (
            document(configs={"unclean.leader.election.enable": 1}),
            "unclean.leader.election.enable is true or false",
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
        (document(topics=[]), "/topics: topics has at least 1 entries"),
        (document(topics={}), "/topics: topics is a list, not a mapping"),
        (document(topics=[{}]), "/topics/0: a topic needs name and partitions"),
        (document(topics=[{"name": "..", "partitions": []}]), "a topic's name is 1 to 249"),
        (
            document(topics=[{"name": "t", "partitions": [{"replicas": [1]}] * 17}]),
            "/topics/0/partitions: partitions has at most 16 entries, not 17",
        ),
        (
            document(
                topics=[
                    {"name": name, "partitions": [{"replicas": [1]}] * 9} for name in ("a", "b")
                ]
            ),
            "/topics: there are at most 16 partitions in all, not 18",
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
        (with_partition(replicas=[1, 1]), "broker 1 is in replicas twice"),
        (with_partition(replicas=[]), "replicas has at least 1 entries"),
        (with_partition(leader=3), "the leader is one of the partition's replicas 1, 2, not 3"),
        (with_partition(leader_epoch=-1), "leader_epoch is from 0 to"),
        (with_partition(isr=[1, 3]), "a member of the ISR is one of the partition's replicas"),
        (with_partition(isr=[1, 1]), "broker 1 is in isr twice"),
        (with_partition(isr=[2]), "the ISR contains the leader, which is 1; write leader:"),
        (with_partition(leader=2, isr=[1]), "the ISR contains the leader, which is 2"),
        (with_partition(logs={"3": {}}), "/logs/3: logs are by replica; there is no replica 3"),
        (with_partition(logs={"1": "m1/0"}), "/logs/1: a log is a mapping, not the text m1/0"),
        (with_log(log=1), "/logs/1/log: a log is text, not the number 1"),
        (with_log(log="m1//0"), "a record is value or value/epoch, twenty are x*20/epoch"),
        (with_log(log="m1/x"), "a record is value or value/epoch"),
        (with_log(log="x*0"), "x*0 is more than none and at most 1000 records"),
        (with_log(log="x*1001"), "x*1001 is more than none and at most 1000 records"),
        (with_log(log="x*999 y*2"), "a log has at most 1000 records"),
        (with_log(log="y" * 33), "a value is 1 to 32 printable characters"),
        (with_log(log="m1/2 m2/1"), "epochs never go down along a log: m2 has 1 after 2"),
        (with_log(log="m1/4"), "the log holds epoch 4, so leader_epoch is at least 4, not 3"),
        (with_log(log="m1", high_watermark=2), "high_watermark is from 0 to the end of the log, 1"),
        (with_log(log="m1", log_start=5, high_watermark=4), "high_watermark is from 5 to the end"),
        (with_log(log="m1", flushed=2), "flushed is from 0 to the end of the log, 1, not 2"),
        (with_log(log="m1", checkpoint={"recovery_point": 2}), "recovery_point is from 0 to"),
        (
            with_log(log="m1", flushed=0, checkpoint={"recovery_point": 1}),
            "everything below the recovery point is flushed: 1 is above flushed 0",
        ),
        (with_log(checkpoint={"hw": 1}), "/checkpoint/hw: there is no key hw"),
        (with_log(log="m1/0", epochs=[[0]]), "[epoch, start offset] has at least 2 entries"),
        (with_log(log="m1/0", epochs=[[0, 0], [0, 1]]), "epochs rise: 0 comes after 0"),
        (with_log(log="m*9/0", epochs=[[0, 5], [1, 4]]), "start offsets never go down"),
        (with_log(log="m1/0", epochs=[[1, 0]]), "the record at offset 0 has epoch 0, not 1"),
        (with_log(log="m1/0", epochs=[[0, 2]]), "an epoch starts from 0 to the end of the log, 1"),
        (with_log(log="m1/0", epochs=[[0, 0], [4, 1]]), "epoch 4 is above leader_epoch 3"),
        (document(steps={}), "/steps: steps is a list, not a mapping"),
        (document(steps=[{}] * 10_001), "/steps: a scenario has at most 10000 steps, not 10001"),
    ],
)
def test_a_wrong_document_is_told_where_and_what_is_right(wrong, told):
    problems = problems_of(wrong)

    assert told in problems[0]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("settle", "/steps/0: a step is a mapping such as"),
        ({}, "/steps/0: a step is empty"),
        ({"crash": {"broker": 1}, "note": "x"}, "a step says one thing, and this says crash, note"),
        ({"crsh": {"broker": 1}}, "/steps/0/crsh: there is no step crsh; did you mean crash?"),
        ({"crash": {}}, "/steps/0/crash: crash needs broker"),
        ({"crash": 1}, "/steps/0/crash: crash is a mapping, not the number 1"),
        ({"settle": None}, "/steps/0/settle: settle is a mapping, not empty"),
        ({"crash": {"broker": 9}}, "there is no broker 9; brokers are 1, 2, 3"),
        ({"crash": {"broker": "1"}}, "a broker is a whole number, not the text 1"),
        ({"crash": {"broker": True}}, "a broker is a whole number, not true"),
        ({"crash": {"broker": 1, "hard": True}}, "/crash/hard: there is no key hard; keys are"),
        ({"crash": {"broker": 1, "refused": 1}}, "/crash/refused: refused is a list"),
        (
            {"crash": {"broker": 1, "refused": [2.0]}},
            '/refused/0: a version is a string: write "2.0"',
        ),
        ({"crash": {"broker": 1, "refused": True}, "refused": True}, "refused is here twice"),
        ({"note": "x", "refused": True}, "/steps/0/refused: there is no key refused"),
        ({"produce": {"values": ["m1"]}}, "produce needs to"),
        (
            {"produce": {"to": "t-9", "values": ["m1"]}},
            "there is no partition t-9; partitions are t-0",
        ),
        ({"produce": {"to": "t-0", "values": []}}, "values has at least 1 entries"),
        ({"produce": {"to": "t-0", "values": "m1"}}, "values is a list, not the text m1"),
        ({"produce": {"to": "t-0", "values": [1]}}, "a value is text, not the number 1"),
        ({"produce": {"to": "t-0", "values": ["a b"]}}, "a value is 1 to 32 printable characters"),
        ({"produce": {"to": "t-0", "values": ["a*2"]}}, "a value is 1 to 32 printable characters"),
        ({"produce": {"to": "t-0", "values": ["a\u202eb"]}}, "a value is 1 to 32 printable"),
        (
            {"produce": {"to": "t-0", "values": ["m"], "acks": 2}},
            "acks is all, 1 or 0, not the number 2",
        ),
        (
            {"produce": {"to": "t-0", "values": ["m"], "acks": "1"}},
            "acks is all, 1 or 0, not the text 1",
        ),
        (
            {"produce": {"to": "t-0", "values": ["m"], "acks": True}},
            "acks is all, 1 or 0, not true",
        ),
        ({"produce": {"to": "t-0", "values": ["m"], "as": ""}}, "a client's name is 1 to 32"),
        (
            {"produce": {"to": "t-0", "values": ["m"], "idempotent": True}},
            "/produce/idempotent: idempotent: true is not modelled yet",
        ),
        (
            {"produce": {"to": "t-0", "values": ["m"], "timeout_ms": 0}},
            "timeout_ms is from 1 to 86400000",
        ),
        ({"retry": {"as": "p9"}}, "there is no producer p9 before this step; there is none yet"),
        ({"refresh": {"as": "c9"}}, "there is no client c9 before this step"),
        (
            {"transaction": {"as": "p1", "do": "begin"}},
            "/steps/0/transaction: transaction is not modelled yet",
        ),
        ({"consume": {"as": "c1"}}, "consume needs partition"),
        (
            {"consume": {"partition": "t-0", "broker": 2}},
            "reading from a follower (broker) is not modelled yet",
        ),
        (
            {"consume": {"partition": "t-0", "isolation": "read_committed"}},
            "isolation: read_committed is not modelled yet",
        ),
        ({"consume": {"partition": "t-0", "max": 0}}, "max is from 1 to 1000"),
        ({"fetch": {"broker": 3}}, "broker 3 has no replica of t-0"),
        ({"fetch": {"broker": 2, "records": 0}}, "records is from 1 to 1000"),
        ({"fetch": {"broker": 2, "drop": "request"}}, "drop is response, not request"),
        ({"fetch": {"broker": 2, "only": True}}, "only is truncation, not true"),
        ({"send_fetch": {"broker": 2, "records": 1}}, "there is no key records"),
        ({"deliver": {"kind": "fetch"}}, "deliver needs from and to"),
        (
            {"deliver": {"kind": "fetch_respons", "from": 1, "to": 2}},
            "did you mean fetch_response?",
        ),
        (
            {"hold": {"kind": "heartbeat", "from": 1, "to": 1}},
            "from and to are two places, both are 1",
        ),
        (
            {"drop": {"kind": "heartbeat", "from": 1, "to": "zookeeper"}},
            "an endpoint is a broker or controller",
        ),
        ({"timer": {"kind": "flush"}}, "timer flush needs broker"),
        ({"timer": {"broker": "controller", "kind": "flush"}}, "a broker is a whole number"),
        ({"timer": {"broker": 1, "kind": "tick"}}, "a timer's kind is isr_expiration,"),
        ({"power_loss": {"broker": 1, "keep": {"t-1": 0}}}, "there is no partition t-1"),
        ({"power_loss": {"broker": 1, "keep": {"t-0": -1}}}, "a log end offset is from 0 to"),
        ({"power_loss": {"broker": 3, "keep": {"t-0": 1}}}, "broker 3 has no replica of t-0"),
        ({"cut": {"from": 1}}, "cut needs to"),
        ({"heal": {}}, "heal needs from and to, or broker"),
        ({"heal": {"broker": 1, "to": 2}}, "heal mends one direction (from, to) or all links"),
        (
            {"isolate": {"broker": 1, "from": "network"}},
            "from is controller, brokers or all, not network",
        ),
        ({"slow": {"broker": 1, "ms": 86_400_001}}, "ms is from 0 to 86400000, not 86400001"),
        ({"elect": {"partition": "t-0"}}, "elect needs kind"),
        (
            {"elect": {"partition": "t-0", "kind": "clean", "leader": 3}},
            "the leader is one of the partition's replicas 1, 2",
        ),
        ({"elect": {"partition": "t-0", "kind": "clean", "leader": -1}}, "there is no broker -1"),
        (
            {"reassign": {"partition": "t-0", "replicas": [2, 3]}},
            "reassigning to other brokers is not modelled yet",
        ),
        ({"reassign": {"partition": "t-0", "replicas": [2, 2]}}, "broker 2 is in replicas twice"),
        ({"config": {}}, "config needs a setting"),
        ({"config": {"topic": "u", "min.insync.replicas": 1}}, "there is no topic u"),
        ({"config": {"min.insync.replicas": "2"}}, "min.insync.replicas is a whole number"),
        ({"fail_controller": {}}, "fail_controller is not modelled yet"),
        ({"advance": {"ms": 0}}, "ms is from 1 to 86400000, not 0"),
        ({"run": {"ms": 1.5}}, "ms is a whole number, not 1.5"),
        ({"settle": {"ms": 1}}, "/settle/ms: there is no key ms"),
        ({"note": {"en": 1}}, "/note/en: a note is text, not the number 1"),
        ({"note": "x" * 2001}, "a note has at most 2000 characters"),
        ({"ask": {"en": "?"}}, "ask needs answers and correct"),
        ({"ask": {"en": "?", "answers": ["a"], "correct": 0}}, "answers has at least 2 entries"),
        ({"ask": {"en": "?", "answers": ["a", "b"], "correct": 2}}, "is from 0 to 1, not 2"),
        ({"ask": {"answers": ["a", "b"], "correct": 1}}, "a question needs en or zh"),
        ({"expect": {}}, "an expectation needs something to hold"),
        ({"expect": {"kafka": ["3.9"]}}, "an expectation needs something to hold"),
        ({"expect": {"leaders": 1}}, "there is no key leaders; did you mean leader?"),
        ({"expect": {"leader": 3}}, "the leader (or -1) is one of the partition's replicas"),
        ({"expect": {"leader": None}}, "a broker is a whole number, not empty"),
        ({"expect": {"isr": [3]}}, "a member of isr is one of the partition's replicas"),
        ({"expect": {"replicas": {"3": {}}}}, "there is no replica 3, replicas are 1, 2"),
        ({"expect": {"replicas": {"1": {"lag": 1}}}}, "/replicas/1/lag: there is no key lag"),
        ({"expect": {"replicas": {"1": {"log": "m1/"}}}}, "a record is value or value/epoch"),
        ({"expect": {"replicas": {"1": {"hw": -1}}}}, "hw is from 0 to"),
        ({"expect": {"replicas": {"1": {"epochs": [[1, 0], [0, 1]]}}}}, "epochs rise"),
        ({"expect": {"violated": ["Durable"]}}, "a property is NoAckedRecordLost,"),
        ({"expect": {"holds": ["StrongIsrs"]}}, "did you mean StrongIsr?"),
        ({"expect": {"errors": {"m1": "oops"}}}, "an error is one of Kafka's names"),
        ({"expect": {"lost": "m1"}}, "values is a list"),
        ({"expect": {"kafka": "3.9", "leader": 1}}, "kafka is a list, not the text 3.9"),
        ({"expect": {"kafka": ["0.8.2"], "leader": 1}}, "Kafka 0.8.2 is older than every profile"),
        ({"expect": {"refused": "no"}}, "refused is true or false"),
    ],
)
def test_a_wrong_step_is_told_where_and_what_is_right(step, told):
    problems = problems_of(with_steps(step))

    assert told in problems[0]
    assert problems[0].startswith("/steps/0")


@pytest.mark.parametrize(
    ("step", "arguments"),
    [
        ({"settle": {}}, {}),
        ({"consume": {"partition": "t-0"}}, {"partition": "t-0", "as": "c1"}),
        ({"fetch": {"broker": 2, "records": 2, "drop": "response"}}, None),
        ({"deliver": {"kind": "heartbeat", "from": 1, "to": "controller"}}, None),
        ({"timer": {"kind": "preferred_leader_check"}}, None),
        ({"timer": {"broker": "controller", "kind": "preferred_leader_check"}}, None),
        ({"power_loss": {"broker": 1, "keep": {"t-0": 1}}}, None),
        ({"cut": {"from": "controller", "to": 1}}, None),
        ({"heal": {"broker": 1}}, None),
        ({"heal": {"from": 1, "to": 2}}, None),
        ({"isolate": {"broker": 3, "from": "all"}}, None),
        ({"reassign": {"partition": "t-0", "replicas": [2, 1]}}, None),
        ({"config": {"min.insync.replicas": 2, "topic": "t"}}, None),
        ({"advance": {"ms": 86_400_000}}, None),
        ({"note": "x"}, {"en": "x", "zh": "x"}),
        ({"note": {"zh": "x"}}, {"en": "x", "zh": "x"}),
        (
            {"ask": {"en": "?", "answers": ["a", {"en": "b", "zh": "乙"}], "correct": 1}},
            {
                "en": "?",
                "zh": "?",
                "answers": [{"en": "a", "zh": "a"}, {"en": "b", "zh": "乙"}],
                "correct": 1,
            },
        ),
        (
            {"expect": {"leader": -1, "elr": [], "replicas": {1: {"log": "", "hw": None}}}},
            {"leader": -1, "elr": [], "replicas": {"1": {"log": "", "hw": None}}},
        ),
    ],
)
def test_a_right_step_is_kept_as_it_is_written(step, arguments):
    read = read_scenario_document(with_steps(step)).steps[0]
    (kind,) = step

    assert read == Step(kind=kind, arguments=step[kind] if arguments is None else arguments)


def test_a_retry_names_a_producer_of_an_earlier_step():
    produce = {"produce": {"to": "t-0", "values": ["m1"]}}

    assert read_scenario_document(with_steps(produce, {"retry": {"as": "p1"}}))
    assert "producers so far are p1" in problems_of(with_steps(produce, {"retry": {"as": "p2"}}))[0]


def test_an_expectation_says_which_of_several_partitions():
    two = document(
        topics=[{"name": "t", "partitions": [{"replicas": [1, 2]}, {"replicas": [2]}]}],
        steps=[{"expect": {"leader": 1}}],
    )

    assert "say which, as in partition: t-0" in problems_of(two)[0]


def test_one_wrong_list_of_brokers_is_one_problem():
    wrong = with_steps({"crash": {"broker": 1}}) | {"brokers": [1, 1]}

    assert problems_of(wrong) == ["/brokers/1: broker 1 is here twice"]


def test_a_log_in_one_line_becomes_records():
    scenario = read_scenario_document(with_log(log="m1 x*2/1 y", high_watermark=1))

    assert scenario.partitions["t-0"].logs[1] == LogSpec(
        records=(
            RecordSpec("m1", 0),
            RecordSpec("x1", 1),
            RecordSpec("x2", 1),
            RecordSpec("y", 1),
        ),
        high_watermark=1,
    )


def test_words_are_composed_and_lose_what_would_reorder_them():
    scenario = read_scenario_document(document(title="cafe\u0301 \u202egnp.exe\u2066"))

    assert scenario.title["en"] == "café gnp.exe"


@pytest.mark.parametrize("title", ["</script><script>alert(1)</script>", "{{7*7}} ]]> &#8;"])
def test_words_are_only_words(title):
    assert read_scenario_document(document(title=title)).title["en"] == title


@pytest.fixture
def scenario() -> Scenario:
    return read_scenario_document(document())


def test_an_action_is_read_like_a_step(scenario):
    step = read_step({"crash": {"broker": 2}}, scenario)

    assert step == Step(kind="crash", arguments={"broker": 2})
    assert read_step({"retry": {"as": "p7"}}, scenario).arguments == {"as": "p7"}


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"crash": {"broker": 9}}, "/step/crash/broker: there is no broker 9"),
        ({"note": "x"}, "/step/note: note is nothing that happens"),
        ({"expect": {"leader": 1}}, "/step/expect: expect is nothing that happens"),
        ({"crash": {"broker": 1, "refused": True}}, "refused belongs to a file"),
        (None, "/step: a step is a mapping"),
        ({"advance": {"ms": float("nan")}}, "/step/advance/ms: this is no value"),
        ({"transaction": {}}, "/step/transaction: transaction is not modelled yet"),
    ],
)
def test_a_wrong_action_is_told_under_step(scenario, step, told):
    with pytest.raises(ScenarioError) as caught:
        read_step(step, scenario)

    assert told in str(caught.value)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["t-0", "controller", "all", "m1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["broker", "to", "from", "values", "kind", "partition", "replicas", "log", "crash"]
            )
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    key=st.sampled_from(
        ["id", "title", "source", "kafka", "rules", "brokers", "configs", "topics"]
    ),
    value=JSON_VALUES,
)
def test_nothing_in_a_document_does_worse_than_a_problem(key, value):
    with suppress(ScenarioError):
        read_scenario_document(document(**{key: value}))


@given(
    kind=st.sampled_from(list(STEP_KINDS)),
    value=JSON_VALUES,
)
def test_nothing_in_a_step_does_worse_than_a_problem(kind, value):
    with suppress(ScenarioError):
        read_scenario_document(with_steps({kind: value}))
