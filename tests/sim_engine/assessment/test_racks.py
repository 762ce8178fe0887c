"""Racks: they decide whether several brokers lose power together, and nothing else."""

from collections.abc import Mapping, Sequence

import pytest

from sim_engine.assessment.assessment import Assessment
from sim_engine.assessment.page_document import page_document
from sim_engine.assessment.printed import Changes
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, Problems
from sim_engine.documents.assessment import AssessmentPage
from sim_engine.identifiers import BrokerId
from tests.sim_engine.assessment.clusters import described

RACK_OF_BROKER = "broker.id={broker}\nlog.dirs=/d\nbroker.rack={rack}\n"
TWO_ALIKE = """\
Topic: t\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: min.insync.replicas=1
\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2
\tTopic: t\tPartition: 1\tLeader: 3\tReplicas: 3,4\tIsr: 3,4
"""


def page(text: str, racks: Mapping[int, str], properties: Sequence[str] = ()) -> AssessmentPage:
    """The page of a described cluster, with the server.properties of its brokers."""
    files = [ClusterFile(str(number), one) for number, one in enumerate((text, *properties))]
    problems = Problems()
    state = read_files(files, problems)
    problems.stop()
    changes = Changes(kafka="3.9", racks={BrokerId(broker): rack for broker, rack in racks.items()})
    assessment = Assessment(state, changes)
    for _ in assessment.compute():
        pass
    return page_document(assessment)


def judged(document: AssessmentPage) -> tuple[str, str, tuple[str, ...]]:
    """How likely it is that all lose power, why, and where."""
    (one,) = (entry for entry in document.known_losses if entry.id == "all-lose-power")
    return one.likelihood, one.why["en"], one.partitions


@pytest.mark.parametrize(
    ("racks", "likelihood", "why"),
    [
        ({}, "depends", "their racks are not all named"),
        ({1: "a", 2: "a"}, "depends", "their racks are not all named"),
        ({1: "a", 2: "a", 3: "a"}, "one_failure", "Brokers 1, 2, 3 are all in rack a"),
        ({1: "a", 2: "b", 3: "a"}, "rare", "are in different racks (a, b)"),
        ({1: "a", 2: "a", 3: ""}, "depends", "their racks are not all named"),
    ],
)
def test_racks_decide_how_likely_a_common_power_loss_is(
    racks: Mapping[int, str], likelihood: str, why: str
) -> None:
    found = judged(page(described(), racks))

    assert found[0] == likelihood
    assert why in found[1]


def test_racks_change_no_cell() -> None:
    without, with_racks = (page(described(), racks) for racks in ({}, {1: "a", 2: "a", 3: "a"}))

    verdicts = [
        [(kind.cells.crash.why, kind.cells.power_loss.why) for kind in one.kinds]
        for one in (without, with_racks)
    ]
    assert verdicts[0] == verdicts[1]


def test_alike_partitions_are_judged_by_their_own_racks() -> None:
    """They are one row, because one failure does the same to both."""
    document = page(TWO_ALIKE, {1: "a", 2: "b", 3: "a", 4: "a"})

    assert [kind.partitions for kind in document.kinds] == [("t-0", "t-1")]
    likelihood, why, partitions = judged(document)
    assert (likelihood, partitions) == ("one_failure", ("t-1",))
    assert "Brokers 3, 4 are all in rack a" in why


def test_pasted_racks_are_used_and_can_be_replaced() -> None:
    properties = [RACK_OF_BROKER.format(broker=broker, rack="east 1") for broker in (1, 2, 3)]

    assert judged(page(described(), {}, properties))[0] == "one_failure"
    document = page(described(), {3: "west", 2: ""}, properties)
    assert judged(document)[0] == "depends"
    assert [(one.broker, one.rack, one.pasted) for one in document.racks] == [
        (1, "east_1", "east_1"),
        (2, None, "east_1"),
        (3, "west", "east_1"),
    ]
    brokers = document.kinds[0].starts[0]["brokers"]
    assert {broker: about.get("rack") for broker, about in brokers.items()} == {
        "1": "east_1",
        "2": None,
        "3": "west",
    }
