"""Where two runs part: versions, configs, another scenario, or two branches of one session."""

from backend.sessions import service
from backend.sessions.schemas import ComparisonCreate
from backend.sessions.timelines import OpenTimeline
from sim_engine import ComparisonDocument, Timeline, comparison_document


def compare(opened: OpenTimeline, body: ComparisonCreate) -> ComparisonDocument:
    """The first difference at the end of a step, and the first property that one side violates."""
    timeline = opened.timeline
    if body.branches is not None:
        first, second = body.branches
        service.check_frame(opened, first, where="/branches/0")
        service.check_frame(opened, second, where="/branches/1")
        return comparison_document(timeline, timeline, at_a=first, at_b=second)
    at = timeline.head if body.at is None else body.at
    service.check_frame(opened, at, where="/at")
    if body.configs is not None or body.producers is not None:
        other = service.under_configs(timeline, at, body.configs, body.producers)
    elif body.scenario_id is not None:
        other = _scenario_beside(timeline, body.scenario_id)
    else:
        other = service.again(timeline, at, body.kafka, body.control)
    return comparison_document(timeline, other, at_a=at)


def _scenario_beside(timeline: Timeline, scenario_id: str) -> Timeline:
    """A shipped scenario to its end, under the release and controller of a run."""
    scenario = service.find_shipped(scenario_id)
    profile = timeline.profile
    with service.engine_errors():
        other = Timeline(scenario, kafka=profile.kafka, control=profile.control)
        other.run_all()
    return other
