"""Determines the profile of a run: the scenario's own release, or another one that a
user selects.
"""

from sim_engine.releases import UnknownVersionError, find_release
from sim_engine.scenario_reader.document import Scenario
from sim_engine.versions import (
    Control,
    Profile,
    check_level,
    controls_of,
    level_name_of,
    resolve_profile,
)


def profile_for(
    scenario: Scenario, kafka: str | None = None, control: str | None = None
) -> Profile:
    """The profile of a run under the scenario's release or under `kafka`.

    The scenario's controller and protocol level are kept if that release has them; otherwise the
    release's defaults apply. Raises `UnknownVersionError` and `UnknownRuleError` like
    `resolve_profile`.
    """
    release = scenario.kafka if kafka is None else kafka
    if control is None and scenario.control in controls_of(release):
        control = scenario.control
    profile = resolve_profile(release, control=control, rules=scenario.rules)
    level = _level_in(scenario, release, profile.control)
    return profile if level is None else profile.at_level(level)


def _level_in(scenario: Scenario, release: str, control: Control) -> str | None:
    named = scenario.levels.get(level_name_of(control))
    if named is None:
        return None
    try:
        return check_level(named, find_release(release).number, control)
    except UnknownVersionError:
        return None
