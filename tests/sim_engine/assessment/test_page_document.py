"""The page of an assessment: its runs are played as a reader plays them."""

from collections.abc import Iterator

import msgspec
import pytest

from sim_engine.assessment import report
from sim_engine.assessment.assessment import Assessment
from sim_engine.assessment.cases import FAILURES
from sim_engine.assessment.page_document import page_document
from sim_engine.assessment.printed import Changes
from sim_engine.documents.assessment import AssessedCell, AssessedKind, AssessmentPage
from sim_engine.identifiers import NO_LEADER
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Frame, Timeline
from tests.sim_engine.assessment.clusters import TWELVE, assessed, described, parsed

CLUSTERS = [
    (TWELVE, "4.1", [1], {}),
    (described(isr="1"), "0.10", [2, 3], {}),
    (described(isr="1"), "3.5", [2, 3], {}),
    (described("none", isr="1"), "2.3", [1], {}),
    (described("none", isr="1"), "3.5", [1], {}),
    (described(leader=2, min_isr=2), "2.1", [], {}),
    (described(min_isr=2), "3.9", [], {"acks": "1"}),
    (described(isr="1001", replicas="1001,1002", leader=1001), "3.9", [], {}),
]


def cells(page: AssessmentPage) -> Iterator[tuple[AssessedKind, AssessedCell]]:
    for kind in page.kinds:
        for failure in FAILURES:
            yield kind, getattr(kind.cells, failure)


def last_frame(kind: AssessedKind, cell: AssessedCell) -> Frame:
    document = {**kind.starts[cell.start], "steps": list(cell.steps or ())}
    timeline = Timeline(read_scenario_document(document))
    timeline.run_all()
    return timeline.frames[timeline.head]


@pytest.mark.parametrize(("text", "kafka", "down", "settings"), CLUSTERS)
def test_each_cell_is_a_run_that_shows_its_verdict(text, kafka, down, settings):
    page = page_document(assessed(text, kafka, down=down, settings=settings))

    shown = 0
    for kind, cell in cells(page):
        if cell.steps is None:
            continue
        frame = last_frame(kind, cell)
        (registration,) = frame.cluster.controller.partitions
        fates = {record.fate for record in frame.cluster.clients.produced}
        shown += 1
        if cell.verdict in ("can_lose", "lost"):
            assert fates & {"lost", "at_risk"}, cell.why
        else:
            assert "lost" not in fates, cell.why
        if cell.verdict == "unavailable":
            assert registration.leader == NO_LEADER, cell.why
        if cell.verdict == "writes_stop":
            assert registration.leader != NO_LEADER, cell.why
            assert len(registration.isr) < kind.min_insync_replicas, cell.why
    assert shown


def test_the_page_of_the_twelve_partitions():
    page = page_document(assessed(TWELVE, "4.1", down=[1]))

    assert [part.text["en"] for part in page.headline] == [
        "payments-3 can lose acknowledged records when broker 1 comes back.",
        "audit-1 is one power loss from losing acknowledged records.",
    ]
    assert page.first is not None
    assert page.first.text["en"].startswith("Stop broker 3 (the other partitions that it leads")
    counts = page.counts
    assert (counts.lost, counts.can_lose, counts.writes_stop, counts.keeps) == (1, 1, 4, 6)
    assert page.is_complete
    assert page.known_losses[0].id == "killed-replica-not-trusted"
    assert page.known_losses[0].partitions == ("payments-3",)
    assert msgspec.json.decode(msgspec.json.encode(page), type=AssessmentPage) == page
    for kind, cell in cells(page):
        for text in (cell.outcome, cell.reason, cell.why, *(note.text for note in kind.notes)):
            assert text.keys() == {"en", "zh"}
            assert len(cell.reason["en"].split()) <= 5


def test_a_page_that_is_not_computed_yet_has_no_old_values():
    assessment = Assessment(parsed(TWELVE), Changes(kafka="4.1"))

    before = page_document(assessment)
    next(assessment.compute())
    after = page_document(assessment)

    assert before.cells_done == 0
    assert all(cell.verdict is None and not cell.undecided for _, cell in cells(before))
    assert before.headline[0].text["en"] == "payments-3 has no leader."
    assert (after.cells_done, after.cells_total) == (1, 30)
    ids = ({kind.id: kind.partitions for kind in page.kinds} for page in (before, after))
    assert next(ids) == next(ids)
    assert not after.is_complete


@pytest.mark.parametrize(
    ("kafka", "is_read"), [("3.5", False), ("3.8", False), ("3.9", True), ("2.8", True)]
)
def test_a_setting_that_the_release_never_reads_says_so(kafka, is_read):
    page = page_document(Assessment(parsed(described()), Changes(kafka=kafka)))

    unclean = {one.name: one for one in page.settings}["unclean.leader.election.enable"]
    assert unclean.is_read is is_read


def test_a_verdict_names_a_more_dangerous_default_of_a_release_that_also_matches():
    """The newest one that matches is taken; up to 0.10.2 unclean elections are on by default."""
    # Printed so up to 2.3.
    old = described().replace(
        ": t\tPartitionCount: 1\tReplicationFactor: ", ":t\tPartitionCount:1\tReplicationFactor:", 1
    )
    old = old.replace("Configs: ", "Configs:")

    def says(text, **changes):
        return page_document(Assessment(parsed(text), Changes(**changes))).kafka.why.get("en", "")

    assert "0.10.2 or older" in says(old)
    assert "or older" not in says(old, kafka="2.3")
    assert "or older" not in says(old, settings={"unclean.leader.election.enable": "false"})
    assert "or older" not in says(described(elr=""))


def test_a_page_names_what_it_could_not_judge_and_does_not_call_all_of_it_safe():
    safe = "Topic: t Partition: {} Leader: 1 Replicas: 1,2,3 Isr: {}\n"
    settings = {"flush.messages": "1", "min.insync.replicas": "2"}
    text = safe.format(0, "1,2,3") + safe.format(1, "2,3")

    page = page_document(assessed(text, "4.0", settings=settings))

    (refused,) = page.refused
    assert (refused.partitions, refused.line) == (("t-1",), 2)
    assert page.partitions == sum(len(kind.partitions) for kind in page.kinds) == 1
    assert all(part.severity != "good" for part in page.headline)


def test_runs_have_the_partition_that_was_pasted():
    text = "Topic: payments Partition: 7 Leader: 1 Replicas: 1,2,3 Isr: 1\n"

    page = page_document(assessed(text, "2.3", settings={"unclean.leader.election.enable": "true"}))

    played = 0
    for kind, cell in cells(page):
        if cell.steps is not None:
            frame = last_frame(kind, cell)
            assert frame.cluster.partitions == ("payments-7",)
            played += 1
    films = [one.film for one in page.known_losses]
    closings = [closing.run for one in page.known_losses for closing in one.closed_by]
    for document in (*films, *closings):
        timeline = Timeline(read_scenario_document(document))
        timeline.run_all()
        assert timeline.frames[-1].cluster.partitions == ("payments-7",)
    assert played > 0
    assert (len(films) > 0, len(closings) > 0) == (True, True)


def test_a_partition_without_a_leader_names_the_broker_that_runs_and_could_lead_it() -> None:
    waits = "\tTopic: w\tPartition: {}\tLeader: none\tReplicas: 1,2\tIsr: 1\n"
    waiting = waits.format(0) + waits.format(1)
    leads = described(leader=1)

    page = page_document(assessed(leads + waiting, "3.9"))
    (told,) = (one for one in page.not_known if "no leader" in one["en"])
    assert told["en"].startswith("w-0 and 1 more have no leader")
    assert "could lead: 1." in told["en"]
    assert "w-0 及另外 1 个分区" in told["zh"]
    assert page.first is not None
    assert page.first.text["en"].startswith("Broker 1 runs, but is not elected to lead w-0")

    elsewhere = described(leader=2, isr="2,3")
    for text, down in ((waiting, []), (elsewhere + waiting, []), (leads + waiting, [1])):
        page = page_document(assessed(text, "3.9", down=down))
        assert not [one for one in page.not_known if "no leader" in one["en"]]
        assert page.first is not None
        assert "is not elected" not in page.first.text["en"]


def test_a_report_has_every_kind_in_every_language() -> None:
    page = page_document(assessed(TWELVE, "4.1", down=[1]))

    for lang in LANGUAGES:
        text = report.markdown(page, lang)
        assert all(kind.partitions[0] in text for kind in page.kinds)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert {line.replace("\\|", "").count("|") for line in rows} == {8}
