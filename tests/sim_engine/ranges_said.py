"""Reads ranges of releases from words: the opposite of `documents/release_ranges.py`."""

import re
from collections.abc import Iterator

from sim_engine.releases import MODELLED, is_within

_PART = re.compile(r"(?:up to (?P<to>\S+)|from (?P<since>\S+)|(?P<first>\S+) to (?P<last>\S+))")


def releases_said(words: str) -> set[str]:
    """All releases of "up to 0.10.2, 2.0.1 to 2.6, from 2.8", by their complete names. A line's
    name includes its patch releases.
    """
    if words in ("no version", "in no version"):
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
