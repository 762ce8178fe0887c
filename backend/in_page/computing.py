"""The requests of a page without a service whose answers take long: the same computations as in the
service's workers. A page asks them of a worker of its own, which answers nothing else meanwhile.
"""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Final

import msgspec

from backend.answers import assessing
from backend.answers.long_requests import (
    AssessmentCreate,
    PartitionSearchCreate,
    SearchCreate,
    SearchedAssessmentCreate,
    WordsCreate,
)
from backend.answers.searching import check_search, run_search, search_request
from backend.in_page.engine import ANSWERED, Answerer, Asked, PageEngine
from backend.limit_table import ASSESSMENT_SEARCH_SECONDS
from sim_engine.assessment.page_document import page_document
from sim_engine.languages import DEFAULT_LANGUAGE

_Response = tuple[HTTPStatus, object]


def page_engine() -> PageEngine:
    """An engine that answers everything."""
    return PageEngine({**ANSWERED, **COMPUTED})


def _unreported(_document: object) -> None:
    """Nobody waits for a part."""


def _event(asked: Asked, name: str, document: object) -> bool:
    data = msgspec.json.encode(document).decode()
    return asked.say(f"event: {name}\ndata: {data}\n\n")


def _streamed(asked: Asked, compute: Callable[[Callable[[object], None]], object]) -> _Response:
    """The stream of a computation: its progress, and at last its result, which is what is computed
    so far if the page does not want more.
    """

    def report(document: object) -> None:
        if not _event(asked, "progress", document):
            raise KeyboardInterrupt

    _event(asked, "result", compute(report))
    return HTTPStatus.OK, b""


def _search(engine: PageEngine, asked: Asked) -> _Response:
    body = asked.read(SearchCreate)
    check_search(body)
    request = search_request(engine.found(*asked.names), body)
    return _streamed(asked, partial(run_search, request))


def _assess(_: PageEngine, asked: Asked) -> _Response:
    request, cluster = assessing.assessment_request(asked.read(AssessmentCreate))
    _event(asked, "progress", page_document(cluster))
    return _streamed(asked, lambda report: assessing.assess(cluster, request.seconds, report)[0])


def _search_partition(_: PageEngine, asked: Asked) -> _Response:
    body = asked.read(PartitionSearchCreate)
    request, cluster = assessing.assessment_request(body, partition=body.partition)
    search = partial(assessing.search_partition, cluster, body.partition, request.seconds)
    return _streamed(asked, search)


def _report(_: PageEngine, asked: Asked) -> _Response:
    body = asked.read(SearchedAssessmentCreate)
    request, cluster = assessing.assessment_request(body)
    searched = list(dict.fromkeys(body.searched))
    for partition in searched:
        assessing.check_partition(cluster, partition)
    page, _is_whole = assessing.assess(cluster, request.seconds, _unreported)
    seconds = ASSESSMENT_SEARCH_SECONDS.number
    found = [assessing.search_partition(cluster, one, seconds, _unreported) for one in searched]
    whole = assessing.with_searches(page, found)
    return HTTPStatus.OK, assessing.report_of(whole, asked.query.get("lang", DEFAULT_LANGUAGE))


def _hide_secrets(_: PageEngine, asked: Asked) -> _Response:
    return HTTPStatus.OK, assessing.kept_files(asked.read(AssessmentCreate))


def _words(_: PageEngine, asked: Asked) -> _Response:
    return HTTPStatus.OK, assessing.words_of(asked.read(WordsCreate).scenario)


COMPUTED: Final[Mapping[str, Answerer]] = {
    "POST /sessions/{id}/searches": _search,
    "POST /assessments": _assess,
    "POST /assessments/searches": _search_partition,
    "POST /assessments/report": _report,
    "POST /assessments/without-secrets": _hide_secrets,
    "POST /assessments/words": _words,
}
"""What takes long, as in ANSWERED."""
