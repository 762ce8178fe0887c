"""Validates scenarios that are being written, and converts a real cluster's state to a scenario."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from backend.answers.open_run import OpenTimeline
from backend.answers.replay import engine_errors
from backend.answers.requests import ImportCreate
from backend.answers.scenario_input import in_words, read_text
from backend.frames.packing import packed
from backend.http.errors import InvalidInputError, Place, invalid_in_words
from sim_engine.cluster_import.assembly import import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, Statement, UnreadableError
from sim_engine.documents.author_words import branch_scenario
from sim_engine.documents.choices import initial_consequences
from sim_engine.documents.frames import frame_document
from sim_engine.events.run import ActionRefused
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration import reason_text
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document, scenario_text
from sim_engine.simulation.timeline import Timeline

_START = FrameNumber(0)


def preview(text: str, after: int = 0) -> dict[str, object]:
    """Validate a scenario file, perform the first `after` of its steps and return the scenario with
    its state. The other steps are performed too: whether they are possible is part of the result.

    Raises InvalidInputError with the line and column of each error.
    """
    scenario = read_text(text)
    with engine_errors("/scenario_text", text):
        timeline = Timeline(scenario)
        timeline.run_all(after)
        at = timeline.head
        starts = [step.after + 1 for step in timeline.played_steps]
        timeline.run_all(start=after)
    return {
        "kafka": timeline.profile.kafka,
        "control": timeline.profile.control,
        "scenario": scenario_document(scenario),
        "steps": len(scenario.steps),
        "frame": packed([frame_document(timeline, at)])[0],
        "starts": starts,
        "impossible": list(_impossible_steps(timeline)),
        "choices": timeline.choices(at),
        "consequences": [] if at != _START else initial_consequences(timeline.frames[at].cluster),
    }


def _impossible_steps(timeline: Timeline) -> Iterator[dict[str, object]]:
    for step in timeline.played_steps:
        if step.refused:
            (event,) = timeline.frames[step.frames[0]].events
            assert isinstance(event, ActionRefused)
            numbers = event.numbers()
            reason = {lang: reason_text(event.variant, numbers, lang) for lang in LANGUAGES}
            yield {"item": step.item, "reason": reason}


def imported(body: ImportCreate) -> dict[str, object]:
    """Convert a cluster's state to a scenario. Raises InvalidInputError with each line that cannot
    be parsed.
    """
    with import_errors(body.files):
        cluster = import_cluster(cluster_files(body.files), kafka=body.kafka, topics=body.topics)
    return {
        "scenario_text": scenario_text(cluster.scenario),
        "kafka": cluster.scenario.kafka,
        "understood": [_said(statement) for statement in cluster.understood],
        "unknown": [_said(statement) for statement in cluster.unknown],
        "not_used": [_said(statement) for statement in cluster.not_used],
        "differences": [_said(statement) for statement in cluster.differences],
    }


class Pasted(Protocol):
    """A file of a request."""

    @property
    def name(self) -> str:
        """Its path."""

    @property
    def text(self) -> str:
        """Its contents."""


def cluster_files(files: Sequence[Pasted]) -> list[ClusterFile]:
    """The files of a request, as the import takes them."""
    return [ClusterFile(file.name, file.text) for file in files]


@contextmanager
def import_errors(files: Sequence[Pasted]) -> Iterator[None]:
    """Raise the errors of an import of these files as InvalidInputError, with each line that cannot
    be parsed.
    """
    try:
        yield
    except UnknownVersionError as error:
        texts = error.reason.said()
        raise invalid_in_words("/kafka", texts, code="unknown_version") from None
    except UnreadableError as error:
        index = {file.name: number for number, file in enumerate(files)}
        texts = in_words("unreadable_input")
        raise InvalidInputError(
            texts[DEFAULT_LANGUAGE],
            code="unreadable_input",
            places=[
                Place(
                    f"/files/{index[problem.file]}/text" if problem.file in index else "/files",
                    problem.message,
                    problem.line,
                    problem.column,
                    said=problem.said(),
                    last_line=problem.last_line,
                )
                for problem in error.problems
            ],
            more_places=error.more,
            members={"said": texts},
        ) from None


def branch_file(opened: OpenTimeline, at: FrameNumber | None) -> dict[str, object]:
    """The steps up to a frame, by default the newest, as a scenario file with the author's notes
    and questions in their places.
    """
    end = opened.timeline.head if at is None else at
    opened.check_frame(end, where="/at")
    document = branch_scenario(opened.timeline, end).document
    return {"scenario_text": scenario_text(read_scenario_document(document))}


def _said(statement: Statement) -> dict[str, object]:
    return {
        "name": statement.name,
        "text": statement.texts(),
        "file": statement.file,
        "line": statement.line,
        "last_line": statement.last_line,
    }
