"""Finds what would have prevented a failure. Each result is verified by running the same steps
again.

A setting, a rule or a release counts if no state of the run violates the property although all
faults still happen. Of rules that depend on each other, only the lowest is named.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sim_engine.actions import Produce, Words
from sim_engine.configs import effective_configs, exists_in
from sim_engine.exploration.search_target import IsSought, search_target
from sim_engine.identifiers import Acks
from sim_engine.release_groups import release_groups
from sim_engine.releases import UnknownVersionError, begins_line, line_name, number_of
from sim_engine.scenario_reader.document import Scenario, ScenarioStep
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import (
    RULES,
    UnknownRuleError,
    controls_of,
    rules_by_name,
)

Prevention = Mapping[str, object]
"""`{"config": {name: value}}`, `{"rule": name}` or `{"kafka": release}`."""

_MIN_ISR, _UNCLEAN = "min.insync.replicas", "unclean.leader.election.enable"
_FLUSH, _FLUSH_OF_TOPIC = "log.flush.interval.messages", "flush.messages"


def prevented_by(
    scenario: Scenario, property_name: str, acks: Acks = "all"
) -> tuple[Prevention, ...]:
    """Return the changes that would have prevented a violation: settings first, then rules, then
    the first later release. The scenario must name its release and controller.
    """
    trial = _PreventionTrials(scenario, search_target(property_name, acks))
    return (*trial.by_config(), *trial.by_rule(), *trial.by_release())


class _PreventionTrials:
    def __init__(self, scenario: Scenario, is_sought: IsSought) -> None:
        self._scenario = scenario
        self._is_sought = is_sought
        self._profile = Timeline(replace(scenario, steps=())).profile

    def by_config(self) -> Iterator[Prevention]:
        for name, values in self._stricter():
            for value in values:
                if self._prevents(_with_config(self._scenario, name, value)):
                    yield {"config": {name: value}}
                    break

    def by_rule(self) -> Iterator[Prevention]:
        on = rules_by_name(self._profile)
        needs = {rule.name: rule.needs for rule in RULES.values()}
        found: list[str] = []
        for rule in RULES.values():
            exists = rule.since is not None and rule.control in (None, self._profile.control)
            if on[rule.name] or not exists:
                continue
            switched = [name for name in _closure(rule.name, needs) if not on[name]]
            if any(name in found for name in switched):
                continue
            rules = {**self._scenario.rules, **dict.fromkeys(switched, True)}
            if self._prevents(replace(self._scenario, rules=rules)):
                found.append(rule.name)
                yield {"rule": rule.name}

    def by_release(self) -> Iterator[Prevention]:
        """The first later release, in the order of their numbers; its line, if that means the same
        release or a later patch that prevents the violation too.
        """
        for group in release_groups():
            later = [kafka for kafka in group if number_of(kafka) > self._profile.version]
            if later and self._prevents_under(later[0]):
                line = line_name(later[0])
                is_line = begins_line(later[0]) and self._prevents_under(line)
                yield {"kafka": line if is_line else later[0]}
                return

    def _prevents_under(self, kafka: str) -> bool:
        other = replace(
            self._scenario,
            kafka=kafka,
            metadata_version=None,
            inter_broker_protocol_version=None,
        )
        return self._profile.control in controls_of(kafka) and self._prevents(other)

    def _stricter(self) -> Iterator[tuple[str, list[int] | list[bool]]]:
        """Settings that protect records at a cost, each with the values to try, mildest first."""
        scenario, profile = self._scenario, self._profile
        topics = scenario.topics
        configs = [
            effective_configs(profile.kafka, profile.control, scenario.configs, topic.configs)
            for topic in topics
        ]
        copies = max(len(part.replicas) for topic in topics for part in topic.partitions)
        if exists_in(_MIN_ISR, profile.kafka):
            least = min(int(config[_MIN_ISR]) for config in configs)
            yield _MIN_ISR, list(range(least + 1, copies + 1))
        if any(config[_UNCLEAN] for config in configs):
            yield _UNCLEAN, [False]
        if any(int(config[_FLUSH]) > 1 for config in configs):
            yield _FLUSH, [1]

    def _prevents(self, scenario: Scenario) -> bool:
        """Whether a run still has all of its faults and does not violate the property."""
        try:
            timeline = Timeline(scenario)
            for item, said in enumerate(scenario.steps):
                if isinstance(said.step, Words):
                    continue
                done = timeline.run_step(item, said.step)
                if done.refused and _must_happen(said):
                    return False
        except (UnknownRuleError, UnknownVersionError, LimitReachedError):
            return False
        return not any(self._is_sought(frame.verdicts, frame.cluster) for frame in timeline.frames)


def _must_happen(said: ScenarioStep) -> bool:
    return said.step.fault or isinstance(said.step, Produce)


def _with_config(scenario: Scenario, name: str, value: int | bool) -> Scenario:
    """The scenario with a broker setting that no topic overrides."""
    overrides = (name, _FLUSH_OF_TOPIC) if name == _FLUSH else (name,)
    return replace(
        scenario,
        configs={**scenario.configs, name: value},
        topics=tuple(
            replace(
                topic,
                configs={key: kept for key, kept in topic.configs.items() if key not in overrides},
            )
            for topic in scenario.topics
        ),
    )


def _closure(name: str, needs: Mapping[str, tuple[str, ...]]) -> list[str]:
    """A rule and all rules that it depends on."""
    found = [name]
    for known in found:
        found.extend(needed for needed in needs[known] if needed not in found)
    return found
