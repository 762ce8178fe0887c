"""Under which rules a scenario runs: its own release, or another one that a reader asks for."""

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
    """What the brokers of a run do, under the scenario's release or under `kafka`.

    The scenario's own controller and level of the protocol are kept where that release had them;
    else the release's defaults hold. Raises `UnknownVersionError` and `UnknownRuleError` as
    `resolve_profile` does.
    """
    release = kafka or scenario.kafka
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
