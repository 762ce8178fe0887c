"""Reads the Kafka version of a scenario: release, controller, protocol level, rules; and ranges of
releases.
"""

from collections.abc import Callable, Mapping
from typing import TypedDict

from msgspec import Struct

from sim_engine.error_texts import error, listed, noun
from sim_engine.releases import UnknownVersionError, find_level, find_release, is_range, parse_range
from sim_engine.scenario_reader.checker import Checker, kind_of
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.versions import (
    CONTROL_TITLES,
    CONTROLS,
    LEVEL_NAMES,
    RULE_NAMES,
    Control,
    LevelName,
    Profile,
    UnknownRuleError,
    check_level,
    controls_of,
    resolve_profile,
)


class Version(Struct, frozen=True, kw_only=True):
    """The release of a scenario, as written, and the resolved profile."""

    kafka: str = ""
    control: str | None = None
    levels: dict[LevelName, str] = {}
    rules: dict[str, bool] = {}
    profile: Profile | None = None
    """`None` if the version is invalid. Parts that depend on it are then not checked."""


def read_version(checker: Checker, document: Mapping[str, object]) -> Version:
    """Read `kafka`, `control`, the protocol level and `rules`, which must fit together."""
    kafka = (
        check_version_name(checker, document["kafka"], "/kafka") if "kafka" in document else None
    )
    control = document.get("control")
    if control is not None:
        control = checker.one_of(control, "/control", ("zookeeper", "kraft"), what="control")
        if kafka is not None and control not in controls_of(kafka):
            had = listed(controls_of(kafka), "any_of")
            reason = error("control_not_supported", kafka=kafka, control=control, names=had)
            checker.report("/control", reason)
            control = None
    rules: dict[str, bool] = {}
    for name, switched in checker.mapping(
        document.get("rules", {}), "/rules", what="rules"
    ).items():
        where = pointer("/rules", name)
        if name not in RULE_NAMES:
            checker.unknown_name(name, where, RULE_NAMES, what="rule")
            continue
        rules[name] = checker.switch(switched, where, what=noun("rule_called", of=name))
    profile = None
    if kafka is not None:
        try:
            profile = resolve_profile(kafka, control=control, rules=rules)
        except UnknownRuleError as problem:
            checker.report("/rules", problem.reason)
    levels: dict[LevelName, str] = {}
    for name in LEVEL_NAMES:
        if name in document:
            level = check_level_name(checker, document[name], f"/{name}", name, profile)
            if level is not None and profile is not None:
                levels[name] = level
                profile = profile.at_level(level)
    return Version(kafka=kafka or "", control=control, levels=levels, rules=rules, profile=profile)


def check_level_exists(checker: Checker, value: object, where: str) -> str | None:
    """Check that a protocol level, "3.5" or "3.5-IV1", exists. Returns it as written; None if it is
    invalid.
    """
    return _known_version(checker, value, where, find_level)


def check_level_name(
    checker: Checker, value: object, where: str, name: LevelName, profile: Profile | None
) -> str | None:
    """Check that the cluster supports a protocol level. Returns it as written; None if it is
    invalid.
    """
    level = check_level_exists(checker, value, where)
    if level is None or profile is None:
        return None
    if name != profile.level_name:
        checker.report(
            where,
            error(
                "level_of_other_control",
                control=CONTROL_TITLES[profile.control],
                right=profile.level_name,
                name=name,
            ),
            code="wrong_config",
        )
        return None
    try:
        check_level(level, profile.version, profile.control)
    except UnknownVersionError as problem:
        checker.report(where, problem.reason, code="unknown_version")
        return None
    return level


class Condition(TypedDict, total=False):
    """The releases that a text applies to; a key is absent if it applies to all."""

    kafka: tuple[str, ...]
    control: Control


def read_condition(checker: Checker, given: Mapping[str, object], where: str) -> Condition:
    """Read the condition of a text: `kafka` is a release or ranges, and `control` one of the two
    controllers.
    """
    condition: Condition = {}
    if "kafka" in given:
        condition["kafka"] = check_version_ranges(
            checker, given["kafka"], pointer(where, "kafka"), what="kafka"
        )
    if "control" in given:
        name = checker.one_of(given["control"], pointer(where, "control"), CONTROLS, what="control")
        condition["control"] = next(control for control in CONTROLS if control == name)
    return condition


def check_version_ranges(
    checker: Checker, value: object, where: str, *, what: str
) -> tuple[str, ...]:
    """Check one release or range, or a list of them. Invalid entries are reported and omitted."""
    if isinstance(value, str):
        name = check_version_range(checker, value, where)
        return () if name is None else (name,)
    names = (
        check_version_range(checker, item, pointer(where, index))
        for index, item in enumerate(checker.items(value, where, what=what, least=1, most=100))
    )
    return tuple(name for name in names if name is not None)


def check_version_name(checker: Checker, value: object, where: str) -> str | None:
    """Check the name of a release. Returns it as a string; None if it is invalid."""
    return _known_version(checker, value, where, find_release)


def check_version_range(checker: Checker, value: object, where: str) -> str | None:
    """Check a release, or a range of releases such as ">=0.11 <3.6". Returns it as a string; None
    if it is invalid.
    """
    ranged = isinstance(value, str) and is_range(value)
    return _known_version(checker, value, where, parse_range if ranged else find_release)


def _known_version(
    checker: Checker, value: object, where: str, find: Callable[[str], object]
) -> str | None:
    if not _is_version_text(checker, value, where):
        return None
    assert isinstance(value, str), "the checker accepts only text"
    try:
        find(value)
    except UnknownVersionError as problem:
        reason = problem.reason.shortening(value, shown(value))
        checker.report(where, reason, code="unknown_version")
        return None
    return value


def _is_version_text(checker: Checker, value: object, where: str) -> bool:
    """Whether a version is written as text. Reports a problem if it is not."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        quoted = checker.written(where) or shown(value)
        checker.report(where, error("version_not_quoted", right=quoted), code="wrong_type")
        return False
    if not isinstance(value, str):
        reason = error("version_not_text", given=kind_of(value))
        checker.report(where, reason, code="wrong_type")
        return False
    return True
