"""Replays a run: as written, under a different version, or with different settings; and compares it
with another version, other configs, another scenario, or another branch.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from backend.answers.open_run import OpenTimeline
from backend.answers.requests import ComparisonCreate, ProducerSettings
from backend.answers.scenario_input import find_shipped, read_document
from backend.http.errors import LimitError, invalid_in_words
from backend.limit_table import FRAMES_A_SESSION
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Produce
from sim_engine.documents.author_words import without_words_changed
from sim_engine.documents.comparison import ComparisonDocument, comparison_document
from sim_engine.identifiers import FrameNumber
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.source import position_in, step_pointer
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import UnknownRuleError

_PRODUCE = name_of(Produce)


def played(
    scenario: Scenario,
    kafka: str | None,
    control: str | None,
    *,
    where: str = "/scenario",
    text: str | None = None,
) -> Timeline:
    """Play a scenario to its end, under its own version if none is given. `where` is its place in
    the request, and `text` what it was read from.
    """
    with engine_errors(where, text):
        timeline = Timeline(scenario, kafka=kafka, control=control)
        timeline.run_all()
    return timeline


def rerun(timeline: Timeline, at: FrameNumber, kafka: str | None, control: str | None) -> Timeline:
    """Replay the steps up to `at` under another version or controller."""
    with engine_errors():
        if kafka is None and control is None:
            control = timeline.profile.control
        kafka = kafka or timeline.profile.kafka
        return timeline.replayed(at, kafka=kafka, control=control)


def under_configs(
    timeline: Timeline,
    at: FrameNumber,
    configs: Mapping[str, object] | None,
    producers: ProducerSettings | None,
    *,
    has_words: bool = True,
) -> Timeline:
    """Replay the steps up to `at` with other settings of the cluster or of producers.

    Settings that are None stay unchanged. The author's words that the settings contradict are
    taken out; finding them takes more runs, so `has_words` is false if nobody reads them.
    """
    produce = {} if producers is None else producers.arguments()
    written = scenario_document(timeline.scenario)
    document = {
        **written,
        "configs": {**written["configs"], **(configs or {})},
        "steps": [_produced_with(step, produce) for step in written["steps"]],
    }
    profile = timeline.profile
    with engine_errors():
        scenario = read_document(document, where="")
        if has_words:
            shown = without_words_changed(
                timeline.scenario, scenario_document(scenario), profile.kafka, profile.control
            )
            scenario = read_scenario_document(shown)
        branch = timeline.replayed(at, kafka=profile.kafka, control=profile.control)
        other = Timeline(scenario, kafka=profile.kafka, control=profile.control)
        for done in branch.played_steps:
            other.follow(other.head, _produced_with(done.step, produce), done.item)
    return other


def _produced_with(step: Mapping[str, object], produce: Mapping[str, object]) -> dict[str, object]:
    produced = step.get(_PRODUCE)
    return {**step, _PRODUCE: {**produced, **produce}} if isinstance(produced, dict) else dict(step)


@contextmanager
def engine_errors(where: str = "", text: str | None = None) -> Iterator[None]:
    """Inside the block, convert the engine's errors: an unknown version, controller or rule raises
    InvalidInputError, and a run that is too long LimitError, which names the step. `where` is the
    place of the scenario in the request, and `text` what it was read from.
    """
    try:
        yield
    except (UnknownVersionError, UnknownRuleError) as error:
        texts = error.reason.said()
        raise invalid_in_words("/kafka", texts, code="unknown_version") from None
    except LimitReachedError as error:
        step = step_pointer(error.item)
        position = None if text is None else position_in(text, step)
        raise limit_reached(error, where=f"{where}{step}", position=position) from None


def limit_reached(
    error: LimitReachedError, *, where: str, position: tuple[int, int] | None = None
) -> LimitError:
    """The error for a run that has become too long; `where` is the step that exceeded the limit."""
    limit = replace(FRAMES_A_SESSION, number=error.value)
    return LimitError(limit, where=where, position=position)


def compare(opened: OpenTimeline, body: ComparisonCreate) -> ComparisonDocument:
    """The first difference at the end of a step, and the first property that one side violates."""
    timeline = opened.timeline
    if body.branches is not None:
        first, second = body.branches
        opened.check_frame(first, where="/branches/0")
        opened.check_frame(second, where="/branches/1")
        return comparison_document(timeline, timeline, at_a=first, at_b=second)
    at = timeline.head if body.at is None else body.at
    opened.check_frame(at, where="/at")
    if body.configs is not None or body.producers is not None:
        other = under_configs(timeline, at, body.configs, body.producers, has_words=False)
    elif body.scenario_id is not None:
        profile = timeline.profile
        scenario = find_shipped(body.scenario_id)
        other = played(scenario, profile.kafka, profile.control, where="")
    else:
        other = rerun(timeline, at, body.kafka, body.control)
    return comparison_document(timeline, other, at_a=at)
