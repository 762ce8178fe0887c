"""Selects the author's words that a run shows. Words that the run contradicts are never shown.

The page uses `unrefuted_words`. The story of a branch uses `scenario_of_branch`, which a share
stores, so that its link shows the same under every later engine; a share of all branches leaves it
to `words_on_path` which of them belong to each.

Words with a list of releases are shown under those releases. Without one, words of a shipped lesson
apply to every release, which the library's tests verify. In any other scenario they were written
for the scenario's own version; under another version they are shown only until the first step that
ends differently. Words in a run with other settings are shown until the first step that ends
differently than with the settings for which they were written: those of the shipped lesson, or
those that a user has changed.

A title that may not hold names the run for which it was written, and the summary is not shown. A
branch on which a user performed steps has such a title as well.

A branch of a run also becomes a scenario: the steps that were taken, and the words that apply.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import takewhile
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import WORD_NAMES, Ask, Expect, Note
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Happening
from sim_engine.documents.comparison import comparison_document
from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.documents.state import StateDocument, values_with
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.document import (
    Scenario,
    ScenarioError,
    ScenarioJson,
    StepJson,
    Text,
)
from sim_engine.scenario_reader.expectations import ALWAYS_HELD
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.scenario_reader.version import (
    CONDITION_KEYS,
    WordsShown,
    applies,
    author_text,
    profile_for,
    title_about,
    words_under,
)
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import PlayedStep, Timeline

_START = -1

_MOST_FRAMES_COMPARED = 1_000
"""Of each run. A longer one would take too much of the time that a request may take."""

_NO_WORDS: StepJson = {name_of(Expect): {"holds": []}}
"""Takes the place of a note or a question, because frames name the entries of the steps by their
index. It shows nothing and requires nothing."""


class _Setup(Struct, frozen=True):
    """A scenario document as JSON, and the release and controller under which it runs."""

    document: str
    kafka: str
    control: str


def unrefuted_words(scenario: Scenario, kafka: str, control: str) -> WordsShown:
    """Like `words_under`, without the words that a run under this release and controller
    contradicts."""
    return words_under(without_refuted_words(scenario, kafka, control), kafka, control)


def without_refuted_words(scenario: Scenario, kafka: str, control: str) -> ScenarioJson:
    """The scenario's document, with conditions under which `words_under` omits the words that a run
    under this release and controller contradicts.

    Words that only another version contradicts keep applying to the scenario's own.
    """
    document = scenario_document(scenario)
    shipped = _shipped_like(document)
    if shipped is not None:
        if shipped == scenario:
            return document
        lesson = _Setup(json.dumps(scenario_document(shipped)), kafka, control)
        unlike = _first_step_unlike(lesson, replace(lesson, document=json.dumps(document)))
        return _without_words_from(document, unlike)
    own = profile_for(scenario)
    if (own.kafka, own.control) == (kafka, control):
        return document
    written = _Setup(json.dumps(document), own.kafka, own.control)
    unlike = _first_step_unlike(written, replace(written, kafka=kafka, control=control))
    if unlike is None:
        return document
    return _for_own_version(document, unlike, {"kafka": [own.kafka], "control": own.control})


def scenario_of_branch(timeline: Timeline, path: Iterable[FrameNumber]) -> ScenarioJson:
    """The words of a run's scenario on a branch: `without_refuted_words`, then `words_on_path`.
    `path` are the frames of the branch."""
    profile = timeline.profile
    document = without_refuted_words(timeline.scenario, profile.kafka, profile.control)
    return words_on_path(document, ((one.frame, one.item) for one in timeline.frames), path)


def words_on_path(
    document: ScenarioJson,
    frames: Iterable[tuple[FrameNumber, int | None]],
    path: Iterable[FrameNumber],
) -> ScenarioJson:
    """The document without the words about the end of a step that a branch left in the middle.

    `frames` are the frames of all branches in order, each with the entry of the steps that made it;
    `path` are those of the branch.
    """
    item_of = dict(frames)
    last = {item: frame for frame, item in item_of.items()}
    on_path = frozenset(path)
    cut = {item for item in map(item_of.get, on_path) if item is not None} - {
        item for item, frame in last.items() if frame in on_path
    }
    steps: list[StepJson] = []
    before: int | None = None
    for place, step in enumerate(document["steps"]):
        if not step.keys() <= WORD_NAMES:
            before = place
        steps.append(_NO_WORDS if before in cut and author_text(step) is not None else step)
    return {**document, "steps": steps}


def without_words_changed(
    scenario: Scenario, changed: ScenarioJson, kafka: str, control: str
) -> ScenarioJson:
    """The scenario's document with other settings, without the words that these contradict under
    its own version, or under this release and controller.

    That of a shipped lesson is unchanged, because `without_refuted_words` knows the lesson.
    """
    if _shipped_like(changed) is not None:
        return changed
    own = profile_for(scenario)
    versions = dict.fromkeys([(own.kafka, own.control), (kafka, control)])
    before, after = (json.dumps(one) for one in (scenario_document(scenario), changed))
    unlike_items = (
        _first_step_unlike(_Setup(before, *one), _Setup(after, *one)) for one in versions
    )
    unlike = min((item for item in unlike_items if item is not None), default=None)
    compared: ScenarioJson = {
        **changed,
        "steps": [_compared(step, versions) for step in changed["steps"]],
    }
    return _without_words_from(compared, unlike)


def title_of_branch(title: Text, timeline: Timeline, end: FrameNumber) -> Text:
    """The title of the branch up to frame `end`, if `title` is that of its scenario."""
    if not has_own_steps(timeline, end):
        return title
    performed = list(timeline.steps_on(end))
    before = takewhile(lambda one: one[0].item is not None, performed)
    complete = [done.item for done, kept in before if len(kept) == len(done.frames)]
    return title_about(
        "continued" if complete == _performable(timeline.scenario) else "ownBranch", title
    )


def has_own_steps(timeline: Timeline, end: FrameNumber) -> bool:
    """Whether a user performed steps on the branch up to frame `end`, although its scenario has
    steps: its title and summary may not hold there."""
    return bool(_performable(timeline.scenario)) and any(
        done.item is None for done, _ in timeline.steps_on(end)
    )


def _performable(scenario: Scenario) -> list[int]:
    """The entries of the steps that are not words."""
    return [place for place, step in enumerate(scenario.steps) if step.kind not in WORD_NAMES]


def _shipped_like(document: ScenarioJson) -> Scenario | None:
    """The shipped lesson that has this document's id and its steps, apart from their arguments and
    from words that were taken out."""
    try:
        shipped = load_shipped(document["id"])
    except KeyError:
        return None
    if shipped.id != document["id"] or len(shipped.steps) != len(document["steps"]):
        return None
    pairs = zip(shipped.steps, document["steps"], strict=True)
    alike = all(item.kind in step or step == _NO_WORDS for item, step in pairs)
    return shipped if alike else None


def _without_words_from(document: ScenarioJson, unlike: int | None) -> ScenarioJson:
    """The document of a run with other settings, without the words from this entry of its steps on;
    None keeps all."""
    if unlike is None:
        return document
    return {
        **document,
        "title": title_about("otherSettings", document["title"]),
        "summary": dict.fromkeys(LANGUAGES, ""),
        "steps": [
            step if place < unlike or author_text(step) is None else _NO_WORDS
            for place, step in enumerate(document["steps"])
        ],
    }


def _for_own_version(document: ScenarioJson, unlike: int, condition: JsonObject) -> ScenarioJson:
    """The document, in which this condition applies to the words from this entry of its steps on,
    and to the title. Words keep a condition of their own."""
    return {
        **document,
        "applies_to": document.get("applies_to") or condition,
        "steps": [
            step if place < unlike else _with_condition(step, condition)
            for place, step in enumerate(document["steps"])
        ],
    }


def _with_condition(step: StepJson, condition: JsonObject) -> StepJson:
    if author_text(step) is None or _names_releases(step):
        return step
    ((kind, words),) = step.items()
    return {kind: {**words, **condition}}


def _compared(step: StepJson, versions: Iterable[tuple[str, str]]) -> StepJson:
    """A step, whose words apply to no release but those of these versions if they name any."""
    words = author_text(step)
    if not isinstance(words, Mapping) or not _names_releases(step):
        return step
    ((kind, arguments),) = step.items()
    kept = [kafka for kafka, control in versions if applies(words, kafka, control)]
    return {kind: {**arguments, "kafka": kept}} if kept else _NO_WORDS


def _names_releases(step: StepJson) -> bool:
    words = author_text(step)
    return isinstance(words, Mapping) and any(key in words for key in CONDITION_KEYS)


@lru_cache(maxsize=64)
def _first_step_unlike(written: _Setup, shown: _Setup) -> int | None:
    """The first entry of the steps that ends differently than in the run for which the words were
    written; None if all end alike. -1 if the runs differ from the start, or if one of them is too
    long to compare."""
    first, second = (
        Timeline(
            read_scenario_document(json.loads(one.document)),
            one.kafka,
            one.control,
            most_frames=_MOST_FRAMES_COMPARED,
        )
        for one in (written, shown)
    )
    try:
        first.run_all()
        second.run_all()
    except LimitReachedError:
        return _START
    for step in comparison_document(first, second).steps:
        if step.differs:
            return _START if step.item is None else step.item
    return None


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
    document.pop("vocabulary", None)
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
