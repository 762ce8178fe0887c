"""Reads `config`: settings of the cluster, of one topic or of one broker, and the protocol level.

Its keys are Kafka's settings, so they are not declared in a struct.
"""

from collections.abc import Mapping

from sim_engine.actions import Config, name_of
from sim_engine.error_texts import error
from sim_engine.identifiers import BrokerId
from sim_engine.scenario_reader.cluster_layout import read_broker_configs, read_configs
from sim_engine.scenario_reader.cluster_version import check_level_exists
from sim_engine.scenario_reader.source import pointer
from sim_engine.scenario_reader.step_scope import StepScope
from sim_engine.versions import LEVEL_NAMES, LevelName, dotted


def read_config(scope: StepScope, value: object, where: str) -> Config:
    """Read a `config` step. Whether the release supports a level is checked when the step is
    performed.
    """
    checker = scope.checker
    given = checker.mapping(value, where, what=name_of(Config))
    topic: str | None = None
    if "topic" in given:
        topic_where = pointer(where, "topic")
        topic = checker.string(given["topic"], topic_where, what="topic")
        if topic and scope.topics and topic not in scope.topics:
            checker.unknown_name(topic, topic_where, scope.topics, what="topic")
    broker = _broker(scope, given, where)
    levels = _levels(scope, given, where)
    settings = {
        name: item
        for name, item in given.items()
        if name not in _ENTITIES and name not in _LEVEL_SPELLINGS
    }
    if isinstance(value, dict) and not settings and not levels:
        checker.report(where, error("config_without_setting"), code="missing")
    if broker is not None:
        own = read_broker_configs(checker, settings, where, scope.profile)
        return Config(broker=broker, settings=own)
    return Config(
        topic=topic,
        levels=levels,
        settings=read_configs(
            checker,
            settings,
            where,
            level="broker" if topic is None else "topic",
            profile=scope.profile,
        ),
    )


_ENTITIES = ("topic", "broker")
"""The keys that name whose settings change; without them, they are the cluster's."""


def _broker(scope: StepScope, given: Mapping[str, object], where: str) -> BrokerId | None:
    if "broker" not in given:
        return None
    inner = pointer(where, "broker")
    if "topic" in given:
        scope.checker.report(inner, error("config_of_two"))
    return scope.broker(given["broker"], inner)


_LEVEL_SPELLINGS: Mapping[str, LevelName] = {
    written: name for name in LEVEL_NAMES for written in (name, dotted(name))
}
"""The names of the protocol level: the format's and Kafka's."""


def _levels(scope: StepScope, given: Mapping[str, object], where: str) -> dict[LevelName, str]:
    levels: dict[LevelName, str] = {}
    for written, name in _LEVEL_SPELLINGS.items():
        if written not in given:
            continue
        inner = pointer(where, written)
        level = check_level_exists(scope.checker, given[written], inner)
        if any(entity in given for entity in _ENTITIES):
            scope.checker.report(inner, error("level_of_topic", name=written))
        elif level is not None:
            levels[name] = level
    return levels
