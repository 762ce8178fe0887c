"""What the engine leaves out is refused by name in every place, with its sentence in
FIDELITY.md.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sim_engine
from sim_engine.actions import STEP_NAMED
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.cluster_import.assembly import import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError
from sim_engine.configs import WrongConfigError, check_config, setting_names
from sim_engine.conformance.fidelity import fidelity, fidelity_languages, fidelity_path
from sim_engine.languages import LANGUAGES, messages
from sim_engine.left_out import BEGINS, ENDS, LEFT_OUT, find_left_out, left_out_table, text_names
from sim_engine.releases import UnknownVersionError, distribution_of, find_release, parse_range
from sim_engine.scenario_reader.document import Problem, ScenarioError
from sim_engine.scenario_reader.reader import DOCUMENT_KEYS, read_scenario_document
from sim_engine.versions import RULE_NAMES

NAMES = [(row, name.replace("*", "some.name")) for row in LEFT_OUT for name in row.names]
GRID = """\
grid: 1
kafka: ["3.9"]
acks: [all]
replication_factor: [2]
steps: 5
seed: 1
faults: {crash: 1}
"""
SMALL = {
    "id": "x",
    "kafka": "3.9",
    "brokers": [1],
    "topics": [{"name": "t", "partitions": [{"replicas": [1]}]}],
}
TOPICS = "Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: {}\n" + (
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
)


def problems_of(**changes: object) -> list[Problem]:
    with pytest.raises(ScenarioError) as caught:
        read_scenario_document({**SMALL, **changes})
    return list(caught.value.problems)


PLACES: dict[str, Callable[[str], dict[str, object]]] = {
    "key": lambda name: {name: 1},
    "rule": lambda name: {"rules": {name: True}},
    "setting": lambda name: {"configs": {name: 1}},
    "setting of a topic": lambda name: {
        "topics": [{"name": "t", "partitions": [{"replicas": [1]}], "configs": {name: 1}}]
    },
    "setting in a step": lambda name: {"steps": [{"config": {name: 1}}]},
    "step": lambda name: {"steps": [{name: {}}]},
    "key of a step": lambda name: {"steps": [{"fetch": {"broker": 1, name: 1}}]},
    "controller": lambda name: {"control": name},
}


@pytest.mark.parametrize("place", PLACES)
def test_a_name_is_refused_with_its_sentence(place):
    for row, name in NAMES:
        (problem,) = problems_of(**PLACES[place](name))

        assert problem.repair is None, "no similar name is suggested"
        for lang in LANGUAGES:
            said = problem.reason.text(lang)
            assert name[:30] in said
            assert row.title.text(lang) in said
            assert row.means.text(lang) in said


def test_a_grid_refuses_a_name_with_its_sentence():
    for row, name in NAMES:
        with pytest.raises(ScenarioError) as caught:
            read_grid_text(f"{GRID}configs: {{{name}: [1]}}\n")

        assert row.means.text() in str(caught.value)


def test_a_setting_of_a_cluster_is_refused_with_its_sentence():
    for row, name in NAMES:
        for level in ("broker", "topic"):
            with pytest.raises(WrongConfigError) as caught:
                check_config(name, 1, level=level, kafka="3.9")
            assert row.means.text() in str(caught.value)


SETTINGS = [(row, name) for row, name in NAMES if re.fullmatch(r"[a-z]+(\.[a-z0-9_]+)+", name)]


def test_an_import_reports_a_setting_and_continues():
    for row, name in SETTINGS:
        described = (
            f"Dynamic configs for topic t are:\n  {name}=1 sensitive=false "
            f"synonyms={{DYNAMIC_TOPIC_CONFIG:{name}=1}}\n"
        )

        imported = import_cluster(
            [ClusterFile("topics", TOPICS.format("")), ClusterFile("configs", described)]
        )

        told = [one for one in imported.unknown if one.name == "left_out"]
        assert [one.numbers["names"] for one in told] == [[name]]
        for lang in LANGUAGES:
            assert row.means.text(lang) in told[0].text(lang)
            assert name in told[0].text(lang)


def test_an_import_reports_observers_and_refuses_features_by_name():
    imported = import_cluster(
        [ClusterFile("topics", TOPICS.format("").replace("Isr: 1", "Isr: 1\tObservers: 2,3"))]
    )
    assert any("Confluent Server" in one.text() for one in imported.unknown)

    line = "Feature: share.version\tSupportedMinVersion: 0\tFinalizedVersionLevel: 1\tEpoch: 3"
    with pytest.raises(UnreadableError, match=r"share\.version is left out of Highwater: share"):
        import_cluster([ClusterFile("features", f"{TOPICS.format('')}{line}\n")])


def test_a_name_that_exists_is_not_left_out():
    existing = {
        *STEP_NAMED,
        *DOCUMENT_KEYS,
        *RULE_NAMES,
        *setting_names("broker"),
        *setting_names("topic"),
    }
    exact = {name for row in LEFT_OUT for name in row.names}

    assert exact & existing == set()


def test_a_topic_may_have_the_name_of_something_left_out():
    document = {**SMALL, "topics": [{"name": "retention", "partitions": [{"replicas": [1]}]}]}

    scenario = read_scenario_document(document)

    assert scenario.topics[0].name == "retention"
    assert (
        "did you mean"
        in problems_of(
            topics=document["topics"], steps=[{"config": {"topic": "retentio", "flush.ms": 1}}]
        )[0].reason.text()
    )


def test_names_are_compared_without_case_and_hyphens_and_belong_to_one_row():
    assert find_left_out("DeleteRecords") == find_left_out("delete-records") is not None
    assert find_left_out("retain") is None
    for row in LEFT_OUT:
        for name in row.names:
            assert find_left_out(name.replace("*", "x")) in (row, *LEFT_OUT)
            if not name.endswith("*"):
                assert find_left_out(name) == row, name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_row_has_its_texts_and_no_text_is_without_a_row(lang):
    of_table = {"head", "head-means", "head-names", "full-stop"}
    of_rows = {name for row in LEFT_OUT for name in (row.id, f"{row.id}-means")}

    assert set(messages(lang, "left_out")) == text_names() == of_table | of_rows
    for row in LEFT_OUT:
        assert not row.means.text(lang).endswith((".", "。"))


@pytest.mark.parametrize("lang", fidelity_languages())
def test_the_section_of_fidelity_is_the_table(lang):
    path = Path(sim_engine.__file__).parent / str(fidelity_path(lang))
    written = path.read_text(encoding="utf-8").partition(BEGINS)[2].partition(ENDS)[0]

    assert written.strip() == left_out_table(lang), "run scripts/write left-out"
    section = fidelity(lang)[-1]
    assert [row[0] for row in section.rows] == [row.title.text(lang) for row in LEFT_OUT]
    assert not any("<!--" in paragraph for paragraph in section.paragraphs)


@pytest.mark.parametrize(
    ("version", "kafka"),
    [
        ("7.5", "3.5"),
        ("7.5.1", "3.5"),
        ("7.5.0-ccs", "3.5"),
        ("7.4.0-ce", "3.4"),
        ("4.0.0-ccs", "1.0"),
        ("6.2", "2.8"),
        ("5.5.0", "2.5"),
        ("8.0", "4.0"),
        ("3.6.0.tiered", "3.6.0"),
        ("3.7.x", "3.7"),
        ("3.7.x.kraft", "3.7"),
        ("2.4.1.1", "2.4.1"),
        ("kafka_2.13-3.5.1", "3.5.1"),
        ("2.12-2.0.1", "2.0.1"),
        ("0.45.0-kafka-3.9.0", "3.9.0"),
        ("3.5.1-debian-11-r1", "3.5.1"),
        ("3.5.0.redhat-00001", "3.5.0"),
    ],
)
def test_a_version_of_another_distribution_is_refused_with_kafkas_release(version, kafka):
    for read in (find_release, parse_range):
        with pytest.raises(UnknownVersionError) as caught:
            read(version)
        for lang in LANGUAGES:
            said = caught.value.reason.text(lang)
            assert version in said
            assert f"Kafka {kafka}" in said
    (problem,) = problems_of(kafka=version)
    assert f"write {kafka}" in problem.message


@pytest.mark.parametrize("version", ["3.9", "2.0.1", "0.10.2.2", "4.0", "9.9", "3.9.0-SNAPSHOT"])
def test_a_release_of_kafka_is_of_no_distribution(version):
    assert distribution_of(version) is None
