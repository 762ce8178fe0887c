"""Groups of releases that behave the same: a run under one is a run under all of them.

Every statement about a range of releases is checked over all releases, and each group is played
once.
"""

from collections.abc import Collection
from functools import cache
from itertools import groupby

from msgspec import structs

from sim_engine.configs import CLIENT_SETTINGS, SETTINGS, client_defaults, default_of, exists_in
from sim_engine.releases import MODELLED, ends_line, find_release, line_name
from sim_engine.versions import PROFILE_NAMES, controls_of, resolve_profile


@cache
def release_groups() -> tuple[tuple[str, ...], ...]:
    """Every modelled release by its complete name, oldest first, in groups of consecutive releases
    of one line that have the same rules, settings and defaults.
    """
    return tuple(tuple(group) for _, group in groupby(MODELLED, _behaviour))


def newest_of_groups(releases: Collection[str]) -> tuple[str, ...]:
    """Of each group the newest one of these releases, oldest first."""
    kept = ([name for name in group if name in releases] for group in release_groups())
    return tuple(group[-1] for group in kept if group)


def usual_name(release: str) -> str:
    """A short name of a release: the one on the menu; otherwise its line's, if it is the newest of
    its line.
    """
    number = find_release(release).number
    on_menu = next((name for name in PROFILE_NAMES if find_release(name).number == number), None)
    return on_menu or (line_name(release) if ends_line(release) else release)


def _behaviour(release: str) -> tuple[object, ...]:
    """Everything that the release decides about a run."""
    controls = controls_of(release)
    profiles = (resolve_profile(release, control=control) for control in controls)
    return (
        line_name(release),
        controls,
        [structs.replace(profile, kafka="", version=()) for profile in profiles],
        [
            default_of(setting.name, release)
            for setting in SETTINGS
            if exists_in(setting.name, release)
        ],
        [client_defaults(setting.client, release) for setting in CLIENT_SETTINGS],
    )
