"""Reading scenarios: every error names its place, and a valid file is read completely."""

import json
from contextlib import suppress
from itertools import chain
from typing import Annotated

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from sim_engine.actions import STEP_NAMED
from sim_engine.actions.base import part
from sim_engine.actions.steps import Crash, Produce, Retry
from sim_engine.identifiers import FIRST_EPOCH, LeaderEpoch, Offset
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.document import (
    BrokerSpec,
    LogSpec,
    RecordSpec,
    Scenario,
    ScenarioError,
    ScenarioStep,
)
from sim_engine.scenario_reader.fields import read_struct
from sim_engine.scenario_reader.reader import (
    read_scenario_document,
    read_scenario_file,
    read_scenario_text,
    read_step,
)
from sim_engine.scenario_reader.rules import Scope
from sim_engine.scenario_reader.source import plain_source
from sim_engine.scenario_reader.writer import scenario_document
from tests.sim_engine.builders import B1, B2, PARTITION
from tests.sim_engine.scenario_reader.documents import (
    KIP_101,
    document,
    in_every_language,
    with_log,
    with_partition,
    with_steps,
)
from tests.sim_engine.scenario_reader.right_steps import RIGHT_STEPS
from tests.sim_engine.scenario_reader.wrong import FILE, LINES, TOO_LARGE, wrong_scenario


def problems_of(wrong: object) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        read_scenario_document(wrong)
    return [str(problem) for problem in caught.value.problems]


def test_a_file_is_read_whole():
    scenario = read_scenario_text(KIP_101)

    assert scenario.id == "kip-101-data-loss"
    assert scenario.alias == "s26"
    assert scenario.title == in_every_language("Loss by high watermark", "高水位截断造成的丢失")
    assert scenario.brokers == (BrokerSpec(id=B1), BrokerSpec(id=B2))
    assert scenario.configs == {"unclean.leader.election.enable": True}
    assert scenario.partitions[PARTITION].replicas == (2, 1)
    assert scenario.steps[0] == ScenarioStep(
        Produce(to=PARTITION, values=("m1",), acks="all", as_="p1")
    )
    assert scenario.steps[5].refused == ("2.0.1",)
    assert "refused" not in scenario.steps[5].step.arguments()


def test_only_id_version_brokers_and_topics_are_needed():
    scenario = read_scenario_document(document())

    assert scenario.title == in_every_language("plain", "plain")
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
        "loss.yaml:15:30: /steps/3/timer/kind: "
        "the kind of timer cannot be hgh_watermark_checkpoint; "
        "did you mean high_watermark_checkpoint?",
        "loss.yaml:16:21: /steps/4/crash/broker: there is no broker 9; brokers are 1, 2",
    ]


def test_at_most_twenty_problems_are_reported():
    assert len(problems_of(with_steps(*[{"crash": {"broker": 9}}] * 50))) == 20


def test_the_size_of_an_error_does_not_grow_with_the_input():
    wrong = document(
        configs={f"setting{number}" * 25: 1 for number in range(50)},
        steps=[{"expect": {"violated": ["x" * 500]}}] * 50,
    )

    assert len("\n".join(problems_of(wrong))) < 4096


def test_an_unquoted_version_is_refused_with_the_quoted_form():
    with pytest.raises(ScenarioError) as caught:
        read_scenario_text(KIP_101.replace('"0.10.2"\nbrokers', "0.10\nbrokers"))

    assert '7:8: /kafka: a version must be a string: write "0.10"' in str(caught.value)


def test_an_unreadable_file_is_reported(tmp_path):
    not_utf_8 = tmp_path / "latin.yaml"
    not_utf_8.write_bytes(b"id: x\ntitle: caf\xe9\n")

    with pytest.raises(ScenarioError, match=r"latin.yaml:2:11: /: the file is not UTF-8"):
        read_scenario_file(not_utf_8)
    with pytest.raises(ScenarioError, match="cannot be read: No such file"):
        read_scenario_file(tmp_path / "missing.yaml")
    with pytest.raises(ScenarioError, match="cannot be read: Is a directory"):
        read_scenario_file(tmp_path)


def test_an_error_has_its_place_and_what_is_allowed(rewrite):
    kept = FILE.read_text(encoding="utf-8")
    comments = [line for line in kept.splitlines() if line.startswith("#")]

    blocks = (
        [line, *(f"    {problem}" for problem in problems_of(wrong_scenario(line)))]
        for line in LINES
    )
    told = "".join(f"{line}\n" for line in (*comments, *chain.from_iterable(blocks)))

    if rewrite:
        FILE.write_text(told, encoding="utf-8")
    else:
        assert told == kept


@pytest.mark.parametrize(("wrong", "told"), TOO_LARGE)
def test_what_is_too_large_is_refused_with_the_limit(wrong, told):
    assert told in problems_of(wrong)[0]


@pytest.mark.parametrize(("step", "arguments"), RIGHT_STEPS)
def test_a_right_step_is_kept_as_it_is_written(step, arguments):
    read = read_scenario_document(with_steps(step)).steps[0]
    (kind,) = step

    assert read.refused is False
    assert read.step.as_step() == {kind: step[kind] if arguments is None else arguments}


def test_a_client_of_a_step_that_cannot_be_read_is_not_missed_later():
    unread = {"produce": {"values": ["m1"], "as": "p2"}}

    problems = problems_of(with_steps(unread, {"retry": {"as": "p2"}}))

    assert problems == ["/steps/0/produce: produce needs to"]


def test_a_retry_names_a_producer_of_an_earlier_step():
    produce = {"produce": {"to": "t-0", "values": ["m1"]}}

    read_scenario_document(with_steps(produce, {"retry": {"as": "p1"}}))
    assert "known producers: p1" in problems_of(with_steps(produce, {"retry": {"as": "p2"}}))[0]


def test_an_expectation_says_which_of_several_partitions():
    two = document(
        topics=[{"name": "t", "partitions": [{"replicas": [1, 2]}, {"replicas": [2]}]}],
        steps=[{"expect": {"leader": 1}}],
    )

    assert "name one, for example partition: t-0" in problems_of(two)[0]


def test_problems_are_found_in_the_order_of_the_file():
    replicas = {"1": {"leo": "x"}, "9": {}, "2": {"leo": "y"}}
    expected = {"isr": [8], "leader": 9, "replicas": replicas}
    logs = {"1": {"records": 1}, "9": {}, "2": {"records": 2}}

    steps = [told.split(":")[0] for told in problems_of(with_steps({"expect": expected}))]
    start = [told.split(":")[0] for told in problems_of(with_partition(logs=logs))]

    where = "/steps/0/expect"
    assert steps == [
        f"{where}/isr/0",
        f"{where}/leader",
        *(f"{where}/replicas/{place}" for place in ("1/leo", "9", "2/leo")),
    ]
    where = "/topics/0/partitions/0/logs"
    assert start == [f"{where}/{place}" for place in ("1/records", "9", "2/records")]


class Misspelt(Struct, frozen=True):
    leo: Annotated[int, Meta(extra=part("ofset_in_log"))] = 0


def test_a_misspelt_part_is_an_error_of_the_engine():
    node = Checker(plain_source({"leo": 1})).root

    with pytest.raises(KeyError, match="ofset_in_log"):
        read_struct(Scope(), Misspelt, node, what="log")


def test_one_wrong_list_of_brokers_is_one_problem():
    wrong = with_steps({"crash": {"broker": 1}}) | {"brokers": [1, 1]}

    assert problems_of(wrong) == ["/brokers/1: broker 1 is listed twice"]


def test_a_log_in_one_line_becomes_records():
    scenario = read_scenario_document(with_log(log="m1 x*2/1 y", high_watermark=1))

    assert scenario.partitions[PARTITION].logs[B1] == LogSpec(
        records=(
            RecordSpec("m1", FIRST_EPOCH),
            RecordSpec("x1", LeaderEpoch(1)),
            RecordSpec("x2", LeaderEpoch(1)),
            RecordSpec("y", LeaderEpoch(1)),
        ),
        high_watermark=Offset(1),
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

    assert step == Crash(broker=B2)
    assert read_step({"retry": {"as": "p7"}}, scenario) == Retry(as_="p7")


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"crash": {"broker": 9}}, "/step/crash/broker: there is no broker 9"),
        ({"note": "x"}, "/step/note: `note` is not an action"),
        ({"expect": {"leader": 1}}, "/step/expect: `expect` is not an action"),
        ({"crash": {"broker": 1, "refused": True}}, "`refused` is allowed only in a scenario file"),
        (None, "/step: a step must be a mapping"),
        (
            {"advance": {"ms": float("nan")}},
            "/step/advance/ms: a scenario cannot contain this value",
        ),
        ({"transaction": {"as": "p1"}}, "/step/transaction: transaction needs do"),
    ],
)
def test_an_error_in_an_action_has_a_place_below_step(scenario, step, told):
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


@given(kind=st.sampled_from(list(STEP_NAMED)), value=JSON_VALUES)
def test_nothing_in_a_step_does_worse_than_a_problem(kind, value):
    with suppress(ScenarioError):
        read_scenario_document(with_steps({kind: value}))


def test_a_topic_may_have_only_some_of_its_partitions():
    partitions = [{"replicas": [1]}, {"number": 5, "replicas": [2]}, {"replicas": [3]}]

    scenario = read_scenario_document(
        document(topics=[{"name": "payments", "partitions": partitions}], steps=[])
    )
    again = read_scenario_document(scenario_document(scenario))
    with pytest.raises(ScenarioError) as refused:
        read_scenario_document(
            document(topics=[{"name": "t", "partitions": [*partitions, partitions[1]]}], steps=[])
        )

    assert list(scenario.partitions) == ["payments-0", "payments-5", "payments-6"]
    assert again == scenario
    (problem,) = refused.value.problems
    assert problem.where == "/topics/0/partitions/3/number"
    assert "at least 7, not 5" in problem.message
