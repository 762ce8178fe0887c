"""Which Kafka a scenario runs: release, controller, protocol level, rules; ranges of releases."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from sim_engine.json_types import JsonObject
from sim_engine.releases import UnknownVersionError, find_level, find_release, is_range, parse_range
from sim_engine.scenario_reader.checker import Checker, kind_of
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.versions import (
    LEVEL_NAMES,
    RULE_NAMES,
    LevelName,
    Profile,
    UnknownRuleError,
    check_level,
    controls_of,
    resolve_profile,
)


class Version(Struct, frozen=True, kw_only=True):
    """The release that a scenario names, as written, and what it resolved to."""

    kafka: str = ""
    control: str | None = None
    levels: dict[LevelName, str] = {}
    rules: dict[str, bool] = {}
    profile: Profile | None = None
    """`None` where the version is wrong; what depends on it is then left unchecked."""


def read_version(checker: Checker, document: Mapping[str, object]) -> Version:
    """`kafka`, `control`, the level of the protocol and `rules`, only right together."""
    kafka = (
        check_version_name(checker, document["kafka"], "/kafka") if "kafka" in document else None
    )
    control = document.get("control")
    if control is not None:
        control = checker.one_of(control, "/control", ("zookeeper", "kraft"), what="control")
        if kafka is not None and control not in controls_of(kafka):
            had = " or ".join(controls_of(kafka))
            checker.report(
                "/control", f"Kafka {kafka} does not support {control}; it supports {had}"
            )
            control = None
    rules: dict[str, bool] = {}
    for name, switched in checker.mapping(
        document.get("rules", {}), "/rules", what="rules"
    ).items():
        where = pointer("/rules", name)
        if name not in RULE_NAMES:
            checker.unknown_name(name, where, RULE_NAMES, what="rule")
            continue
        rules[name] = checker.switch(switched, where, what=f"rule {name}")
    profile = None
    if kafka is not None:
        try:
            profile = resolve_profile(kafka, control=control, rules=rules)
        except UnknownRuleError as problem:
            checker.report("/rules", str(problem))
    levels: dict[LevelName, str] = {}
    for name in LEVEL_NAMES:
        if name in document:
            level = check_level_name(checker, document[name], f"/{name}", name, profile)
            if level is not None and profile is not None:
                levels[name] = level
                profile = profile.at_level(level)
    return Version(kafka=kafka or "", control=control, levels=levels, rules=rules, profile=profile)


def check_level_exists(checker: Checker, value: object, where: str) -> str | None:
    """A level of the protocol, "3.5" or "3.5-IV1", as it was written; null where it is wrong."""
    return _known_version(checker, value, where, find_level)


def check_level_name(
    checker: Checker, value: object, where: str, name: LevelName, profile: Profile | None
) -> str | None:
    """A level that the cluster can speak, as it was written; null where it is wrong."""
    level = check_level_exists(checker, value, where)
    if level is None or profile is None:
        return None
    if name != profile.level_name:
        controller = "KRaft" if profile.control == "kraft" else "ZooKeeper"
        checker.report(
            where,
            f"a cluster under {controller} uses {profile.level_name}, not {name}",
            code="wrong_config",
        )
        return None
    try:
        check_level(level, profile.version, profile.control)
    except UnknownVersionError as problem:
        checker.report(where, str(problem), code="unknown_version")
        return None
    return level


def read_condition(checker: Checker, given: Mapping[str, object], where: str) -> JsonObject:
    """To which releases words apply: `kafka` is a release or ranges, `control` one of two."""
    condition: JsonObject = {}
    if "kafka" in given:
        condition["kafka"] = list(
            check_version_ranges(checker, given["kafka"], pointer(where, "kafka"), what="kafka")
        )
    if "control" in given:
        condition["control"] = checker.one_of(
            given["control"], pointer(where, "control"), ("zookeeper", "kraft"), what="control"
        )
    return condition


def check_version_ranges(
    checker: Checker, value: object, where: str, *, what: str
) -> tuple[str, ...]:
    """One release or range, or a list of them; what is wrong is left out and reported."""
    if isinstance(value, str):
        name = check_version_range(checker, value, where)
        return () if name is None else (name,)
    names = (
        check_version_range(checker, item, pointer(where, index))
        for index, item in enumerate(checker.items(value, where, what=what, least=1, most=100))
    )
    return tuple(name for name in names if name is not None)


def check_version_name(checker: Checker, value: object, where: str) -> str | None:
    """A release that exists, as a string; `None` where it is wrong."""
    return _known_version(checker, value, where, find_release)


def check_version_range(checker: Checker, value: object, where: str) -> str | None:
    """A release, or a range of releases such as ">=0.11 <3.6"; `None` where it is wrong."""
    ranged = isinstance(value, str) and is_range(value)
    return _known_version(checker, value, where, parse_range if ranged else find_release)


def _known_version(
    checker: Checker, value: object, where: str, find: Callable[[str], object]
) -> str | None:
    if not _is_version_text(checker, value, where):
        return None
    assert isinstance(value, str), "it must be text"
    try:
        find(value)
    except UnknownVersionError as problem:
        checker.report(where, str(problem).replace(value, shown(value)), code="unknown_version")
        return None
    return value


def _is_version_text(checker: Checker, value: object, where: str) -> bool:
    """Whether a version is written as a text; says what is wrong where it is not."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        quoted = checker.written(where) or shown(value)
        checker.report(
            where,
            f'a version must be a string: write "{quoted}" with the quotes; '
            "without quotes it is a number, and 0.10 means 0.1",
            code="wrong_type",
        )
        return False
    if not isinstance(value, str):
        checker.report(
            where, f'a version is a string like "2.0.1", not {kind_of(value)}', code="wrong_type"
        )
        return False
    return True
