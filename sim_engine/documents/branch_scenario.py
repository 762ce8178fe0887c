"""Converts a branch of a run to a scenario: the steps that were taken, and the author's words that
apply."""

from collections.abc import Iterator, Sequence, Set
from typing import get_args

from msgspec import Struct

from sim_engine.actions import WORD_NAMES, Ask, Expect, Happening, Note, name_of
from sim_engine.documents.author_words import (
    has_own_steps,
    title_of_branch,
    unrefuted_words,
)
from sim_engine.documents.clients import values_with
from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.documents.state import StateDocument
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.document import ScenarioError, ScenarioJson, StepJson
from sim_engine.scenario_reader.expectations import ALWAYS_HELD
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import PlayedStep, Timeline

_HAPPENINGS = frozenset(name_of(kind) for kind in get_args(Happening))
_SAID = frozenset(name_of(kind) for kind in (Note, Ask))
_EXPECT = name_of(Expect)
_BEFORE_THE_FIRST = -1


class BranchScenario(Struct, frozen=True):
    """A branch as a scenario, and whether a run of the scenario ends like the branch.

    It may end differently if the branch starts in the middle of a step, between actions that no
    step of a file can express, or while time passed: no time passes between the actions of a file.
    """

    document: ScenarioJson
    is_exact: bool


def branch_scenario(timeline: Timeline, end: FrameNumber) -> BranchScenario:
    """Convert the steps taken up to frame `end` to a scenario for the run's own release."""
    scenario, profile = timeline.scenario, timeline.profile
    document = scenario_document(scenario)
    given = document["steps"]
    words = unrefuted_words(scenario, profile.kafka, profile.control)
    said = frozenset(words["steps"])
    steps = list(_words_after(said, given, _BEFORE_THE_FIRST))
    is_cut = False
    for done, kept in timeline.steps_on(end):
        if len(kept) < len(done.frames):
            is_cut = True
            actions = [frame_document(timeline, number).action or {} for number in kept]
            if all(action and action.keys() <= _HAPPENINGS for action in actions):
                steps += actions
                continue
        steps.append(_step(done))
        if done.item is not None:
            steps += _words_after(said, given, done.item)
    document.pop("alias", None)
    document.pop("chapter", None)
    document.pop("control_run", None)
    document.pop("applies_to", None)
    if scenario.kafka != profile.kafka:  # which need not have these levels
        document.pop("metadata_version", None)
        document.pop("inter_broker_protocol_version", None)
    document["title"] = title_of_branch(words["title"], timeline, end)
    if not words["summary"] or has_own_steps(timeline, end):
        document["summary"] = dict.fromkeys(LANGUAGES, "")
    document["kafka"] = profile.kafka
    document["control"] = profile.control
    document["steps"] = steps
    _leave_out_removed_settings(document)
    return BranchScenario(document, not is_cut or _ends_alike(document, timeline, end))


def ending(frame: FrameDocument) -> list[StepJson]:
    """Return expectations, as scenario steps, that match the end of a run. `frame` is its last
    frame.
    """
    violated = [name for name in ALWAYS_HELD if frame.properties[name].status == "violated"]
    return [
        *({_EXPECT: _of_partition(frame.state, name)} for name in frame.state.partitions),
        {_EXPECT: {"violated": violated, "lost": values_with(frame.state.clients, "lost")}},
    ]


def _of_partition(state: StateDocument, name: str) -> dict[str, object]:
    partition = state.partitions[name]
    replicas = {
        broker: {
            "leo": replica.log_end_offset,
            **({} if replica.high_watermark is None else {"hw": replica.high_watermark}),
        }
        for broker, replica in state.replicas[name].items()
    }
    return {
        "partition": name,
        "leader": partition.leader,
        "leader_epoch": partition.leader_epoch,
        "isr": list(partition.isr),
        "replicas": replicas,
    }


def _ends_alike(document: ScenarioJson, timeline: Timeline, end: FrameNumber) -> bool:
    again = Timeline(read_scenario_document(document))
    again.run_all()
    return ending(frame_document(again, again.head)) == ending(frame_document(timeline, end))


def _leave_out_removed_settings(document: ScenarioJson) -> None:
    """Remove the settings that the run's release does not have. The run did not use them."""
    try:
        read_scenario_document(document)
    except ScenarioError as error:
        for problem in error.problems:
            document["configs"].pop(problem.where.removeprefix("/configs/"), None)


def _step(done: PlayedStep) -> StepJson:
    ((kind, given),) = done.step.items()
    assert isinstance(given, dict), "the arguments of a step are a mapping"
    arguments = {name: value for name, value in given.items() if name != "refused"}
    return {kind: {**arguments, "refused": True} if done.refused else arguments}


def _words_after(said: Set[int], given: Sequence[StepJson], item: int) -> Iterator[StepJson]:
    """The notes and questions that are shown and directly follow an entry of the steps."""
    for place in range(item + 1, len(given)):
        if not given[place].keys() <= WORD_NAMES:
            return
        if given[place].keys() <= _SAID and place in said:
            yield given[place]
