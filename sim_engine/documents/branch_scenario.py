"""Converts a branch of a run to a scenario: the steps that were taken, and the author's words that
apply."""

from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec import Struct, to_builtins

from sim_engine.actions import Ask, Happening, Note, Words, name_of
from sim_engine.documents.frames import frame_document
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject, JsonView
from sim_engine.scenario_reader.applicability import title_under
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.expectations import ALWAYS_HELD
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.timeline import PlayedStep, Timeline

_HAPPENINGS = frozenset(name_of(kind) for kind in get_args(Happening))
_WORDS = frozenset(name_of(kind) for kind in get_args(Words))
_SAID = frozenset(name_of(kind) for kind in (Note, Ask))
_OF_A_LESSON = ("alias", "chapter", "control_run", "applies_to")
_BEFORE_THE_FIRST = -1


class BranchScenario(Struct, frozen=True):
    """Returns the scenario and whether it ends like the branch.

    It may end differently if the branch starts in the middle of a step, between actions that no
    step of a file can express, or while time passed: no time passes between the actions of a file.
    """

    document: JsonObject
    is_exact: bool


def branch_scenario(timeline: Timeline, end: FrameNumber) -> BranchScenario:
    """The steps taken up to frame `end`, under the run's own release."""
    scenario, profile = timeline.scenario, timeline.profile
    document = scenario_document(scenario)
    given = document["steps"]
    path = set(timeline.path(end))
    steps = list(_words_after(timeline, given, _BEFORE_THE_FIRST))
    is_cut = False
    for done in timeline.record:
        kept = [number for number in done.frames if number in path]
        if not kept and (done.frames or done.after not in path):
            continue
        if len(kept) < len(done.frames):
            is_cut = True
            actions = [frame_document(timeline, number).action or {} for number in kept]
            if all(action and action.keys() <= _HAPPENINGS for action in actions):
                steps += actions
                continue
        steps.append(_step(done))
        if done.item is not None:
            steps += _words_after(timeline, given, done.item)
    for name in _OF_A_LESSON:
        document.pop(name, None)
    if scenario.kafka != profile.kafka:
        for level in scenario.levels:  # which the other release need not have
            del document[level]
    document |= {
        "title": title_under(scenario, profile.kafka, profile.control),
        "kafka": profile.kafka,
        "control": profile.control,
        "steps": steps,
    }
    _leave_out_removed_settings(document)
    return BranchScenario(document, not is_cut or _ends_alike(document, timeline, end))


def ending(frame: JsonView) -> list[JsonObject]:
    """Expectations, as scenario steps, that match the end of a run. `frame` is its last frame as
    JSON."""
    state = frame["state"]
    produced = state["clients"]["produced"]
    lost = {
        record["value"]
        for record in produced
        if record["acked_frame"] is not None and record["lost_frame"] is not None
    }
    properties = frame["properties"]
    violated = [name for name in ALWAYS_HELD if properties[name]["status"] == "violated"]
    return [
        *({"expect": _of_partition(state, name)} for name in state["partitions"]),
        {"expect": {"violated": violated, "lost": sorted(lost)}},
    ]


def _of_partition(state: JsonView, name: str) -> JsonObject:
    partition = state["partitions"][name]
    replicas = {
        broker: {
            "leo": replica["log_end_offset"],
            **({} if replica["high_watermark"] is None else {"hw": replica["high_watermark"]}),
        }
        for broker, replica in state["replicas"][name].items()
    }
    return {
        "partition": name,
        "leader": partition["leader"],
        "leader_epoch": partition["leader_epoch"],
        "isr": list(partition["isr"]),
        "replicas": replicas,
    }


def _ends_alike(document: JsonObject, timeline: Timeline, end: FrameNumber) -> bool:
    again = Timeline(read_scenario_document(document))
    again.run_all()
    ends = (frame_document(again, again.head), frame_document(timeline, end))
    one, other = (ending(to_builtins(frame)) for frame in ends)
    return one == other


def _leave_out_removed_settings(document: JsonObject) -> None:
    """The settings of the scenario that the run's release has. The run did not use the others."""
    try:
        read_scenario_document(document)
    except ScenarioError as error:
        for problem in error.problems:
            document["configs"].pop(problem.where.removeprefix("/configs/"), None)


def _step(done: PlayedStep) -> JsonObject:
    ((kind, given),) = done.step.items()
    assert isinstance(given, dict), "the arguments of a step are a mapping"
    arguments = {name: value for name, value in given.items() if name != "refused"}
    return {kind: {**arguments, "refused": True} if done.refused else arguments}


def _words_after(
    timeline: Timeline, given: Sequence[JsonObject], item: int
) -> Iterator[JsonObject]:
    """The notes and questions that apply and directly follow an entry of the scenario's steps."""
    for place in range(item + 1, len(given)):
        if not given[place].keys() <= _WORDS:
            return
        if given[place].keys() <= _SAID and place in timeline.said:
            yield given[place]
