"""Reads ranges of releases from words: the opposite of `documents/pages.py`.

A *cut* is a place between two releases: the number of modelled releases before it. "From 2.7" and
"up to 2.6" name the same cut.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from sim_engine.configs import CLIENT_SETTINGS, SETTINGS, client_defaults, default_of, exists_in
from sim_engine.releases import (
    MODELLED,
    Stretch,
    UnknownVersionError,
    is_within,
    releases_within,
    stretches_of,
)
from sim_engine.versions import RULES, controls_of, resolve_profile, rules_by_name

ENDS = {0, len(MODELLED)}
"""The cuts before the oldest and after the newest release."""

_PART = re.compile(r"(?:up to (?P<to>\S+)|from (?P<since>\S+)|(?P<first>\S+) to (?P<last>\S+))")

_NUMBER = r"[0-4]\.[0-9]+(?:\.[0-9]+){0,2}(?![-0-9]|\.[0-9]| ?(?:s|ms|times|秒|倍)\b)"
_LIST = rf"{_NUMBER}(?:(?:,| and|、| ?和) ?{_NUMBER})*"
_SPANS = (rf"({_NUMBER})(?: to |–)({_NUMBER})", rf"({_NUMBER}) ?[到至] ?({_NUMBER})")
_BEGINS = (rf"(?:from|since|before) (?:Kafka )?({_LIST})", rf"({_LIST}) ?(?:起|之前|以前|以后)")
_ENDS = (rf"(?:up to|after) (?:Kafka )?({_LIST})", rf"({_LIST}) ?(?:及以前|及之前|之后)")
_POINTS = (rf"\bin ({_LIST})", rf"({_LIST}) ?中|不含 ({_LIST})")


def releases_said(words: str) -> set[str]:
    """All releases of "up to 0.10.2, 2.0.1 to 2.6, from 2.8", by their complete names. A line's
    name includes its patch releases.
    """
    if words == "in no version":
        return set()
    if words == "in every version":
        return set(MODELLED)
    return {name for part in words.split(", ") for name in _releases(part)}


def _releases(part: str) -> Iterator[str]:
    found = _PART.fullmatch(part)
    if found is None:
        bounds = f"={part}"
    elif found["to"]:
        bounds = f"<={found['to']}"
    elif found["since"]:
        bounds = f">={found['since']}"
    else:
        bounds = f">={found['first']} <={found['last']}"
    return (name for name in MODELLED if is_within(name, bounds))


def cuts_said(text: str, *, points: bool = False) -> set[int]:
    """The cuts of all ranges in a sentence, English or Chinese; with `points`, those around "in
    2.4 and 2.5" too.
    """
    text = re.sub(r"https?://\S+|`[^`]*`", "", text)
    found: set[int] = set()
    for pattern in _SPANS:
        for first, last in re.findall(pattern, text):
            found |= {*_cuts(first, at_end=False), *_cuts(last, at_end=True)}
        text = re.sub(pattern, "", text)
    for patterns, at_end in ((_BEGINS, False), (_ENDS, True)):
        for pattern in patterns:
            for listed in re.findall(pattern, text, re.IGNORECASE):
                for name in re.findall(_NUMBER, listed):
                    found |= set(_cuts(name, at_end=at_end))
    if points:
        for pattern in _POINTS:
            for listed in re.finditer(pattern, text, re.IGNORECASE):
                named = re.findall(_NUMBER, listed[0])
                releases = {name for one in named for name in releases_within(f"={one}")}
                found |= _around(releases)
    return found


def _cuts(name: str, *, at_end: bool) -> Iterator[int]:
    """The cut before the first or after the last release with this name; none if it is no release
    or not modelled.
    """
    try:
        named = releases_within(f"={name}")
    except UnknownVersionError:
        return
    if named:
        yield MODELLED.index(named[-1]) + 1 if at_end else MODELLED.index(named[0])


def cuts_of_rules(*names: str) -> set[int]:
    """The cuts at which one of these rules begins or ends, or from which a feature may switch it
    on, under any controller. Names of anything else are ignored.
    """
    found: set[int] = set()
    for name in names:
        found |= _around({kafka for kafka in MODELLED if _has(kafka, name)})
        rule = next((rule for rule in RULES.values() if rule.name == name), None)
        if rule is not None and rule.feature is not None:
            found |= set(_cuts(rule.feature.since, at_end=False))
    return found


def _has(kafka: str, rule: str) -> bool:
    profiles = (resolve_profile(kafka, control=control) for control in controls_of(kafka))
    return any(rules_by_name(profile).get(rule, False) for profile in profiles)


def cuts_of_defaults() -> set[int]:
    """The cuts at which a setting, its default or the choice of controllers changes."""
    return {
        place
        for place, (before, after) in enumerate(pairwise(MODELLED), start=1)
        if _defaults(before) != _defaults(after)
    }


def _defaults(kafka: str) -> object:
    settings = [one.name for one in SETTINGS if exists_in(one.name, kafka)]
    return (
        controls_of(kafka),
        [(name, default_of(name, kafka)) for name in settings],
        [client_defaults(one.client, kafka) for one in CLIENT_SETTINGS],
    )


def cuts_of(ranges: str) -> set[int]:
    """The cuts of a range in a scenario file or an article: ">=0.11 <3.6"."""
    return _around(set(releases_within(ranges)))


def cuts_of_stretches(stretches: Iterable[Stretch]) -> set[int]:
    """The cuts before and after each stretch."""
    return {
        cut
        for first, last in stretches
        for cut in (MODELLED.index(first), MODELLED.index(last) + 1)
    }


def _around(releases: set[str]) -> set[int]:
    return cuts_of_stretches(stretches_of(releases)) - ENDS


def cut_names(cuts: set[int]) -> list[str]:
    """Cuts for a person: the release before each of them, and the one after."""
    return [f"{MODELLED[cut - 1]} | {MODELLED[cut]}" for cut in sorted(cuts - ENDS)]
