"""The Kafka version of a scenario: release, controller, protocol level and rules; the profile of a
run; and the releases to which an author's texts apply.

Texts without a condition apply to every release. `kafka` is a release or a range of releases, and
`control` one of the two controllers.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

from sim_engine import versions
from sim_engine.actions import Ask, AuthorText, Note
from sim_engine.actions.base import name_of
from sim_engine.error_texts import error, listed, noun
from sim_engine.json_types import JsonView
from sim_engine.languages import say
from sim_engine.releases import (
    UnknownVersionError,
    find_level,
    find_release,
    is_range,
    is_within,
    parse_range,
)
from sim_engine.scenario_reader.checker import Node, kind_of
from sim_engine.scenario_reader.document import (
    MAX_TITLE_CHARACTERS,
    Scenario,
    ScenarioJson,
    StepJson,
    Text,
)
from sim_engine.scenario_reader.rules import find_impossible
from sim_engine.scenario_reader.source import shown


def profile_for(
    scenario: Scenario, kafka: str | None = None, control: str | None = None
) -> versions.Profile:
    """The profile of a run under the scenario's release or under `kafka`.

    The scenario's controller and protocol level are kept if that release has them; otherwise the
    release's defaults apply. Raises `UnknownVersionError` and `UnknownRuleError` like
    `resolve_profile`, and `UnknownVersionError` if the release cannot be in the initial state.
    """
    release = scenario.kafka if kafka is None else kafka
    if control is None and scenario.control in versions.controls_of(release):
        control = scenario.control
    profile = versions.resolve_profile(release, control=control, rules=scenario.rules)
    level = _level_in(scenario, release, profile.control)
    profile = profile if level is None else profile.at_level(level)
    # The reader has checked the scenario's own release.
    asked = kafka is not None or control is not None
    for where, reason in find_impossible(scenario, profile) if asked else ():
        raise UnknownVersionError(
            error("start_impossible_in", kafka=profile.kafka, where=where, reason=reason)
        )
    return profile


def _level_in(scenario: Scenario, release: str, control: versions.Control) -> str | None:
    named = scenario.levels.get(versions.level_name_of(control))
    if named is None:
        return None
    try:
        return versions.check_level(named, find_release(release).number, control)
    except UnknownVersionError:
        return None


def read_version(given: Mapping[str, Node]) -> tuple[dict[str, object], versions.Profile | None]:
    """Read `kafka`, `control`, the protocol level and `rules`, which must fit together. Returns
    these fields as written, and the resolved profile; it is `None` if the version is invalid.
    Parts that depend on it are then not checked.
    """
    kafka = check_version_name(given["kafka"]) if "kafka" in given else None
    control = None
    if "control" in given and given["control"].value is not None:
        control = given["control"].one_of(versions.CONTROLS, what="control")
        if kafka is not None and control not in versions.controls_of(kafka):
            had = listed(versions.controls_of(kafka), "any_of")
            reason = error("control_not_supported", kafka=kafka, control=control, names=had)
            given["control"].report(reason)
            control = None
    rules: dict[str, bool] = {}
    for name, switched in given["rules"].mapping(what="rules").items() if "rules" in given else ():
        if name in versions.RULE_NAMES:
            rules[name] = switched.switch(what=noun("rule_called", of=name))
        else:
            switched.unknown_name(name, versions.RULE_NAMES, what="rule")
    profile = None
    if kafka is not None:
        try:
            profile = versions.resolve_profile(kafka, control=control, rules=rules)
        except versions.UnknownRuleError as problem:
            given["rules"].report(problem.reason)
    levels: dict[str, str | None] = dict.fromkeys(versions.LEVEL_NAMES)
    for name in versions.LEVEL_NAMES:
        level = _check_level_of(given[name], name, profile) if name in given else None
        if level is not None and profile is not None:
            levels[name] = level
            profile = profile.at_level(level)
    return {"kafka": kafka or "", "control": control, **levels, "rules": rules}, profile


def check_level_exists(node: Node) -> str | None:
    """Check that a protocol level, "3.5" or "3.5-IV1", exists. Returns it as written; None if it is
    invalid.
    """
    return _known_version(node, find_level)


def _check_level_of(
    node: Node, name: versions.LevelName, profile: versions.Profile | None
) -> str | None:
    """Check that the cluster supports a protocol level. Returns it as written; None if it is
    invalid.
    """
    level = check_level_exists(node)
    if level is None or profile is None:
        return None
    if name != profile.level_name:
        control, right = versions.CONTROL_TITLES[profile.control], profile.level_name
        reason = error("level_of_other_control", control=control, right=right, name=name)
        node.report(reason, code="wrong_config")
        return None
    try:
        versions.check_level(level, profile.version, profile.control)
    except UnknownVersionError as problem:
        node.report(problem.reason, code="unknown_version")
        return None
    return level


class Condition(TypedDict, total=False):
    """The releases that a text applies to; a key is absent if it applies to all."""

    kafka: tuple[str, ...]
    control: versions.Control


def read_condition(members: Mapping[str, Node]) -> Condition:
    """Read the condition of a text: `kafka` is a release or ranges, and `control` one of the two
    controllers.
    """
    condition: Condition = {}
    if "kafka" in members:
        condition["kafka"] = check_version_ranges(members["kafka"], what="kafka")
    if "control" in members:
        name = members["control"].one_of(versions.CONTROLS, what="control")
        condition["control"] = next(control for control in versions.CONTROLS if control == name)
    return condition


def check_version_ranges(node: Node, *, what: str) -> tuple[str, ...]:
    """Check one release or range, or a list of them. Invalid entries are reported and omitted."""
    single = isinstance(node.value, str)
    names = [node] if single else node.items(what=what, least=1, most=100)
    return tuple(name for name in map(_check_version_range, names) if name is not None)


def check_version_name(node: Node) -> str | None:
    """Check the name of a release. Returns it as a string; None if it is invalid."""
    return _known_version(node, find_release)


def _check_version_range(node: Node) -> str | None:
    ranged = isinstance(node.value, str) and is_range(node.value)
    return _known_version(node, parse_range if ranged else find_release)


def _known_version(node: Node, find: Callable[[str], object]) -> str | None:
    value = node.value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        quoted = node.written or shown(value)
        node.report(error("version_not_quoted", right=quoted), code="wrong_type")
        return None
    if not isinstance(value, str):
        node.report(error("version_not_text", given=kind_of(value)), code="wrong_type")
        return None
    try:
        find(value)
    except UnknownVersionError as problem:
        reason = problem.reason.shortening(value, shown(value))
        node.report(reason, code="unknown_version")
        return None
    return value


class WordsShown(TypedDict):
    """What a run shows of its scenario's words: its title, whether the summary applies, and the
    places in the scenario's steps of the notes and questions that do."""

    title: Text
    summary: bool
    steps: list[int]


CONDITION_KEYS = ("kafka", "control")

_GAP = "\N{OBJECT REPLACEMENT CHARACTER}"


def applies(words: JsonView, kafka: str, control: str) -> bool:
    """Whether texts apply to a release under a controller."""
    ranges = words.get("kafka")
    if isinstance(ranges, str):
        ranges = (ranges,)
    if isinstance(ranges, Sequence) and not any(is_within(kafka, text) for text in ranges):
        return False
    return words.get("control") in (None, control)


def words_under(document: ScenarioJson, kafka: str, control: str) -> WordsShown:
    """The texts of a scenario document that apply to a run under a release.

    `title` is the title of the run; if the scenario's does not apply to this release, it names the
    release for which it was written, or the controller if it is another one under the same release.
    `summary` is whether the summary applies, and `steps` the
    indexes in the document's `steps` of the notes and questions that apply.
    """
    about = document.get("applies_to") or {}
    holds = applies(about, kafka, control)
    title = document["title"]
    other = about.get("control", control)
    if not holds and document["kafka"] == kafka and other != control:
        title = title_about("otherControl", title, control=str(other))
    elif not holds:
        title = title_about("otherRelease", title, kafka=document["kafka"])
    return {
        "title": title,
        "summary": holds,
        "steps": [
            place
            for place, step in enumerate(document["steps"])
            for words in (author_text(step),)
            if words is not None and (isinstance(words, str) or applies(words, kafka, control))
        ],
    }


def author_text(step: StepJson) -> JsonView | str | None:
    """The words of a note or a question; null for any other step."""
    # A note may be a text alone, where other steps have arguments.
    words: object = step.get(name_of(Note), step.get(name_of(Ask)))
    return words if isinstance(words, Mapping | str) else None


def places_of_words(scenario: Scenario, kafka: str, control: str) -> frozenset[int]:
    """The indexes of the notes and questions that apply to a run under a release: like
    `words_under`, for a parsed scenario.
    """
    return frozenset(
        place
        for place, step in enumerate(scenario.steps)
        if isinstance(step.step, AuthorText) and applies(step.step.arguments(), kafka, control)
    )


def title_about(message: str, title: Text, **values: str) -> Text:
    """The title of a run other than the one that this title is about. `message` is one of
    `narration/scenarios.ftl`. If the title already has that form, it stays. One that would be too
    long for a scenario is shortened.
    """

    def about(lang: str, words: str) -> str:
        return say(lang, "narration/scenarios", message, title=words, **values)

    def fitted(lang: str, words: str) -> str:
        before, after = about(lang, _GAP).split(_GAP)
        if words.startswith(before) and words.endswith(after):
            return words
        most = MAX_TITLE_CHARACTERS - len(before) - len(after)
        return about(lang, words if len(words) <= most else words[: most - 1].rstrip() + "…")

    return {lang: fitted(lang, words) for lang, words in title.items()}
