"""What a pasted cluster can lose: the table of its partitions, and the search of one partition.

What was pasted is in no answer: a document has only what the import made of it, in which no secrets
are.
"""

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from backend.answers.drafts import import_errors
from backend.answers.long_requests import AssessmentCreate
from backend.answers.progress import every
from backend.answers.replay import engine_errors
from backend.answers.scenario_input import read_document
from backend.http.errors import invalid, invalid_in_words
from backend.limit_table import ASSESSMENT_SEARCH_SECONDS, ASSESSMENT_SECONDS
from sim_engine.assessment import report as reports
from sim_engine.assessment.assessment import Assessment
from sim_engine.assessment.page_document import page_document
from sim_engine.assessment.printed import Changes
from sim_engine.cluster_import.file_reader import read_files, without_secrets
from sim_engine.cluster_import.parsed_state import ClusterFile, ParsedState, Problems
from sim_engine.documents.assessment import AssessedSearches, AssessmentPage
from sim_engine.documents.operator_words import OperatorWords, run_words
from sim_engine.error_texts import WrongValueError
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.timeline import Timeline

_PROGRESS_EVERY_S = 0.4
_Document = TypeVar("_Document")
Report = Callable[[_Document], None]
"""Called with a document as far as it is computed, at intervals. If it raises `KeyboardInterrupt`,
the computation ends with that.
"""


class AssessmentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What was pasted and what the reader changed, for a worker, with the limit of processor time
    in seconds: of the search of a partition, for each question.
    """

    files: list[tuple[str, str]]
    """The name and the text of each; none if there is a state."""
    state: bytes | None = None
    """A state that was read from a live cluster, as its parent pickled it."""
    kafka: str | None
    down: list[int]
    settings: dict[str, str]
    racks: dict[int, str]
    partition: str | None
    """The partition to search; none for an assessment of all."""
    seconds: int


def assessment_request(
    body: AssessmentCreate, state: ParsedState | None = None, partition: str | None = None
) -> tuple[AssessmentRequest, Assessment]:
    """What a worker needs, and the cluster with nothing computed; `state` is that of the reading
    which the body names. Raises InvalidInputError for what cannot be read, and for an unknown
    partition.
    """
    if bool(body.files) is (state is not None):
        raise invalid("/files", "a request needs either files or a reading")
    # The release is one of the document's settings.
    settings = {name: value for name, value in body.settings.items() if name != "kafka"}
    request = AssessmentRequest(
        files=[(file.name, file.text) for file in body.files],
        state=None if state is None else pickle.dumps(state),
        kafka=body.settings.get("kafka", body.kafka),
        down=body.down,
        settings=settings,
        racks={int(broker): rack for broker, rack in body.racks.items()},
        partition=partition,
        seconds=ASSESSMENT_SECONDS.number
        if partition is None
        else ASSESSMENT_SEARCH_SECONDS.number,
    )
    try:
        with import_errors(body.files):
            assessment = read_assessment(request)
    except WrongValueError as error:
        raise invalid_in_words("/settings", error.reason.said()) from None
    for where, brokers in (("/down", request.down), ("/racks", request.racks)):
        unknown = sorted(set(brokers) - set(assessment.printed.brokers))
        if unknown:
            raise invalid(where, f"the input has no broker {unknown[0]}")
    if partition is not None:
        check_partition(assessment, partition)
    return request, assessment


def check_partition(assessment: Assessment, partition: str) -> None:
    """Raises InvalidInputError if there is no such partition."""
    if assessment.find(partition) is None:
        raise invalid("/partition", "the input has no such partition")


def read_assessment(request: AssessmentRequest) -> Assessment:
    """Read what was pasted; nothing is computed yet. Raises the errors of `Assessment`."""
    if request.state is None:
        problems = Problems()
        parsed = read_files([ClusterFile(name, text) for name, text in request.files], problems)
        problems.stop()
    else:
        parsed = pickle.loads(request.state)  # noqa: S301  # written by the parent, never by a visitor
    down = [BrokerId(broker) for broker in request.down]
    racks = {BrokerId(broker): rack for broker, rack in request.racks.items()}
    changes = Changes(kafka=request.kafka, settings=request.settings, down=down, racks=racks)
    return Assessment(parsed, changes)


def assess(
    assessment: Assessment, seconds: int, report: Report[AssessmentPage]
) -> tuple[AssessmentPage, bool]:
    """The document with every cell that could be computed, and whether nothing ended it early.
    Whoever reports has already shown the document in which nothing is computed.
    """
    began = time.process_time()
    is_due = every(_PROGRESS_EVERY_S)
    is_due()
    try:
        for _ in assessment.compute():
            if time.process_time() - began > seconds:
                break
            if is_due():
                report(page_document(assessment))
    except KeyboardInterrupt:
        return page_document(assessment), False
    return page_document(assessment), True


def search_partition(
    assessment: Assessment, partition: str, seconds: int, report: Report[AssessedSearches]
) -> AssessedSearches:
    """The searches of a partition, as far as they were decided in so many seconds for each."""
    search = assessment.search(partition)
    assert search is not None, "its name was checked"
    is_due = every(_PROGRESS_EVERY_S)

    def watch() -> None:
        if is_due():
            report(search.document())

    search.run(seconds, time.process_time, watch)
    return search.document()


def with_searches(page: AssessmentPage, found: Sequence[AssessedSearches]) -> AssessmentPage:
    """The document with the results of its partitions' searches."""
    return replace(page, searches=tuple(one for of in found for one in of.searches))


def report_of(page: AssessmentPage, lang: str) -> dict[str, str]:
    """The report of an assessment in Markdown."""
    return {"markdown": reports.markdown(page, lang)}


def kept_files(body: AssessmentCreate) -> dict[str, object]:
    """The files of a request without the values of secrets."""
    return {
        "files": [{"name": file.name, "text": without_secrets(file.text)} for file in body.files]
    }


def words_of(document: Mapping[str, object]) -> OperatorWords:
    """What an operator sees in a scenario's first state, and in its run. Raises InvalidInputError
    with the place of each error.
    """
    with engine_errors("/scenario"):
        timeline = Timeline(read_document(document))
        timeline.run_all()
    return run_words(timeline)
