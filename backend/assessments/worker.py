"""The process that assesses, or searches a partition: `python -m backend.assessments.worker`.

It reads one request as JSON from standard input and writes lines of JSON: the document as far as it
is computed, and finally the complete one. SIGINT and SIGTERM end it with what is computed so far.
Its parent may kill it at any moment, because it holds no resources.
"""

import contextlib
import pickle
import signal
import sys
import time

import msgspec

from backend.processes.lines import write_line
from sim_engine.assessment.assessment import Assessment
from sim_engine.assessment.page_document import page_document
from sim_engine.assessment.printed import Changes
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, Problems
from sim_engine.identifiers import BrokerId

_PROGRESS_EVERY_S = 0.4


class AssessmentRequest(msgspec.Struct, frozen=True, kw_only=True, tag="assess"):
    """What was pasted and what the reader changed, with the limit of processor time in seconds."""

    files: list[tuple[str, str]]
    """The name and the text of each; none if there is a state."""
    state: bytes | None = None
    """A state that was read from a live cluster, as its parent pickled it."""
    kafka: str | None
    down: list[int]
    settings: dict[str, str]
    racks: dict[int, str]
    seconds: int


class PartitionSearchRequest(msgspec.Struct, frozen=True, kw_only=True, tag="search"):
    """A cluster and the name of one of its partitions, with the limit of processor time of each
    question in seconds.
    """

    cluster: AssessmentRequest
    partition: str
    seconds: int


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


def main() -> None:
    """Assess the cluster that standard input describes, or search its partition."""
    for end in (signal.SIGINT, signal.SIGTERM):
        # Its parent may ignore SIGINT, which a child process inherits.
        signal.signal(end, signal.default_int_handler)
    request: AssessmentRequest | PartitionSearchRequest = msgspec.json.decode(
        sys.stdin.buffer.read(), type=AssessmentRequest | PartitionSearchRequest
    )
    if isinstance(request, AssessmentRequest):
        _assess(request)
    else:
        with contextlib.suppress(KeyboardInterrupt):  # before the search begins
            _search(request)


def _assess(request: AssessmentRequest) -> None:
    assessment = read_assessment(request)
    keep = True
    reported = time.monotonic()
    try:
        for _ in assessment.compute():
            if time.process_time() > request.seconds:
                break
            if time.monotonic() - reported >= _PROGRESS_EVERY_S:
                reported = time.monotonic()
                write_line("progress", page_document(assessment))
    except KeyboardInterrupt:
        keep = False
    write_line("result", page_document(assessment), keep=keep)


def _search(request: PartitionSearchRequest) -> None:
    search = read_assessment(request.cluster).search(request.partition)
    assert search is not None, "the service checked its name"
    reported = -_PROGRESS_EVERY_S

    def watch() -> None:
        nonlocal reported
        if time.monotonic() - reported >= _PROGRESS_EVERY_S:
            reported = time.monotonic()
            write_line("progress", search.document())

    search.run(request.seconds, time.process_time, watch)
    result = search.document()
    # Who asks the same again after an interrupt wants a result.
    write_line("result", result, keep=not result.is_interrupted)


if __name__ == "__main__":
    main()
