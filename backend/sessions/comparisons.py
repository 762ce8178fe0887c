"""Compares a run with another version, other configs, another scenario, or another branch."""

from backend.sessions.replay import engine_errors, rerun, under_configs
from backend.sessions.scenario_input import find_shipped
from backend.sessions.schemas import ComparisonCreate
from backend.sessions.timelines import OpenTimeline
from sim_engine import ComparisonDocument, Timeline, comparison_document


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
        other = _scenario_beside(timeline, body.scenario_id)
    else:
        other = rerun(timeline, at, body.kafka, body.control)
    return comparison_document(timeline, other, at_a=at)


def _scenario_beside(timeline: Timeline, scenario_id: str) -> Timeline:
    """Run a shipped scenario to its end, under the release and controller of another run."""
    scenario = find_shipped(scenario_id)
    profile = timeline.profile
    with engine_errors():
        other = Timeline(scenario, kafka=profile.kafka, control=profile.control)
        other.run_all()
    return other
