"""The source files of Kafka's classes in each release, for links from the rules of a run."""

from functools import cache
from importlib.resources import files

from msgspec import Struct, json

from sim_engine.narration.library import source_texts
from sim_engine.releases import (
    RELEASES,
    Number,
    Release,
    at_least,
    find_release,
    line_of,
    number_of,
)

_TAGS = "https://github.com/apache/kafka/blob"


class _Stretch(Struct, frozen=True, rename={"since": "from", "until": "to"}):
    """A range of release lines, both ends included, in which a class is in one file."""

    since: str
    until: str
    path: str


def source_addresses(kafka: str) -> dict[str, str]:
    """The address of each source that events name, for one release.

    KIPs and issues have one address. For a class, the address is its file at the release's tag. If
    the release no longer has the class, or its files have not been examined, it is the last earlier
    release that is known to have it; if the release does not have it yet, the first that does. For
    a class that was renamed or split off, it is the file that contained the code before.

    Raises `UnknownVersionError` like `find_release`.
    """
    release = find_release(kafka)
    classes = {name: _address(stretches, release) for name, stretches in _source_files().items()}
    return {**source_texts(), **classes}


def _address(stretches: tuple[_Stretch, ...], release: Release) -> str:
    begun = [part for part in stretches if at_least(release.number, number_of(part.since))]
    if not begun:
        first = stretches[0]
        return f"{_TAGS}/{_releases_of(first.since)[0]}/{first.path}"
    held = begun[-1]
    if _is_after_line(release.number, held.until):
        return f"{_TAGS}/{_releases_of(held.until)[-1]}/{held.path}"
    return f"{_TAGS}/{_tag_of(release)}/{held.path}"


def _is_after_line(number: Number, line: str) -> bool:
    return at_least(number, number_of(line)) and line_of(number) != line


@cache
def _releases_of(line: str) -> tuple[str, ...]:
    """The releases of a line, oldest first."""
    return tuple(release for release in RELEASES if line_of(number_of(release)) == line)


def _tag_of(release: Release) -> str:
    """A release's tag is its number in full: 0.11.0.3 for "0.11"."""
    return ".".join(map(str, release.number))


@cache
def _source_files() -> dict[str, tuple[_Stretch, ...]]:
    path = files("sim_engine.narration") / "source_files.json"
    return json.decode(path.read_bytes(), type=dict[str, tuple[_Stretch, ...]])
