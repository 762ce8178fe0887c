"""Replays a run: as written, under a different version, or with different settings."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from backend.http.errors import LimitError, invalid_in_words
from backend.limit_table import FRAMES_A_SESSION
from backend.sessions.scenario_input import read_document
from backend.sessions.schemas import ProducerSettings
from sim_engine import (
    FrameNumber,
    LimitReachedError,
    Produce,
    Scenario,
    Timeline,
    UnknownRuleError,
    UnknownVersionError,
    name_of,
    position_in,
    read_scenario_document,
    scenario_document,
    step_pointer,
    without_words_changed,
)

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
    given = scenario_document(timeline.scenario)
    document = {
        **given,
        "configs": {**given["configs"], **(configs or {})},
        "steps": [_produced_with(step, produce) for step in given["steps"]],
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
    given = step.get(_PRODUCE)
    return {**step, _PRODUCE: {**given, **produce}} if isinstance(given, dict) else dict(step)


@contextmanager
def engine_errors(where: str = "", text: str | None = None) -> Iterator[None]:
    """Inside the block, convert the engine's errors: an unknown version, controller or rule raises
    InvalidInputError, and a run that is too long LimitError, which names the step. `where` is the
    place of the scenario in the request, and `text` what it was read from.
    """
    try:
        yield
    except (UnknownVersionError, UnknownRuleError) as error:
        said = error.reason.said()
        raise invalid_in_words("/kafka", said, code="unknown_version") from None
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
