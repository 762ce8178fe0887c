"""Kafka's releases and protocol levels: their order and their names.

A release has a number of three or four parts (`0.10.2.2`, `3.9.1`). A prefix of it names a release
line: "3.9" means the newest patch of 3.9, and "0.11" that of 0.11.0. A level is a version of the
protocol between the brokers of a cluster: `metadata.version` under KRaft,
`inter.broker.protocol.version` under ZooKeeper (`MetadataVersion`, `ApiVersion`).

A version of another distribution, such as 7.5, looks like a release of Kafka and is none. It is
refused with the release that it contains, so that a run always names the release whose rules it
follows.
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache, lru_cache
from itertools import groupby

from msgspec import Struct

from sim_engine.error_texts import Wording, WrongValueError, error, literal, noun
from sim_engine.kafka_history import LINES

Number = tuple[int, ...]
"""The parts of a release's number; missing parts count as 0 when two are compared."""

RELEASES: tuple[str, ...] = tuple(name for line in LINES for name in line.releases)
"""Every published release, oldest first."""

OLDEST_MODELLED = "0.8.2.0"
"""The oldest modelled release. Earlier ones have no min.insync.replicas and do not return
leadership to preferred leaders.
"""

LEVELS: tuple[str, ...] = tuple(level for line in LINES for level in line.levels)
"""Every level, oldest first."""

_LEVEL_ORDER = {level: index for index, level in enumerate(LEVELS)}
_LEVELS_WITH_NEW_RECORDS = frozenset(
    level for line in LINES for level in line.levels_with_new_records
)
_NAME = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){1,3}")
_LEVEL_NAME = re.compile(r"(?P<number>[0-9]{1,3}(\.[0-9]{1,3}){1,3})(-IV[0-9]{1,2})?")
_BOUND = re.compile(r"(?P<comparison>>=|<=|>|<|=)(?P<name>\S+)")
_COMPARISONS: Mapping[str, Callable[[Number, Number], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


class UnknownVersionError(WrongValueError):
    """There is no such release or level; the reason lists those that exist."""


class Release(Struct, frozen=True, order=False):
    """A release, under the requested name."""

    name: str
    number: Number

    @property
    def line(self) -> str:
        """Its release line: "2.0" for 2.0.1, "0.10.2" for 0.10.2.2."""
        return line_of(self.number)


@lru_cache(maxsize=256)
def number_of(name: str) -> Number:
    """Parse "2.0.1" as (2, 0, 1). Raises `UnknownVersionError` if it is not a version number."""
    if not _NAME.fullmatch(name):
        raise UnknownVersionError(
            _of_vendor(name) or error("version_form", kafka=name, names=_lines_known())
        )
    return tuple(int(part) for part in name.split("."))


@lru_cache(maxsize=4096)
def at_least(number: Number, since: Number) -> bool:
    """Whether a release is `since` or later; missing parts count as 0."""
    width = max(len(number), len(since))
    return _padded(number, width) >= _padded(since, width)


def _padded(number: Number, width: int) -> Number:
    return number + (0,) * (width - len(number))


def line_of(number: Number) -> str:
    """The line of a release: its first two parts, three before 1.0."""
    return ".".join(map(str, number[: 3 if number[0] == 0 else 2]))


@lru_cache(maxsize=1024)
def release_number(name: str) -> Number:
    """The number of the release with this name; for a release line, of its newest patch.

    Raises `UnknownVersionError` for a text that is not a version number, for a release that does
    not exist, and for one that is newer than every known release.
    """
    number = number_of(name)
    named = [known for known in _NUMBERS if known[: len(number)] == number]
    if not named:
        raise UnknownVersionError(_why_unknown(name, number))
    return named[-1]


def find_release(name: str) -> Release:
    """The release with this name. Raises `UnknownVersionError` like `release_number`, and for a
    release that is too old to be modelled.
    """
    number = release_number(name)
    if not at_least(number, number_of(OLDEST_MODELLED)):
        raise UnknownVersionError(
            error("release_too_old", kafka=name, oldest=OLDEST_MODELLED, names=_lines_known())
        )
    return Release(name, number)


def _of_vendor(name: str) -> Wording | None:
    """The error for a version of another distribution, if its release of Kafka exists."""
    found = distribution_of(name)
    if found is None:
        return None
    vendor, kafka = found
    number = tuple(int(part) for part in kafka.split("."))
    if not any(known[: len(number)] == number for known in _NUMBERS):
        return None
    what = noun("another_distribution") if vendor is None else literal(vendor)
    return error("release_of_vendor", kafka=name, what=what, right=kafka)


def _why_unknown(name: str, number: Number) -> Wording:
    of_vendor = _of_vendor(name)
    if of_vendor is not None:
        return of_vendor
    newest = _NUMBERS[-1]
    if at_least(number, newest):
        return error(
            "release_too_new",
            kafka=name,
            newest=RELEASES[-1],
            line=line_of(newest),
            names=_lines_known(),
        )
    patches = [known for known in RELEASES if line_of(number_of(known)) == line_of(number)]
    if patches:
        return error("no_patch", kafka=name, line=line_of(number), names=tuple(patches))
    return error("no_release", kafka=name, names=_lines_known())


def _lines_known() -> tuple[str, ...]:
    return tuple(release.name for release in newest_of_lines())


def newest_of_lines() -> tuple[Release, ...]:
    """The newest patch of every modelled line, under the line's name, oldest first."""
    oldest = number_of(OLDEST_MODELLED)
    modelled = (number for number in _NUMBERS if at_least(number, oldest))
    return tuple(Release(line, tuple(of_line)[-1]) for line, of_line in groupby(modelled, line_of))


_NUMBERS: tuple[Number, ...] = tuple(number_of(name) for name in RELEASES)

MODELLED: tuple[str, ...] = tuple(
    name for name in RELEASES if at_least(number_of(name), number_of(OLDEST_MODELLED))
)
"""Every modelled release by its complete name, oldest first."""


# --- ranges ----------------------------------------------------------------------------------

Stretch = tuple[str, str]
"""Consecutive releases: the complete names of the first and the last."""


def stretches_of(releases: Collection[str]) -> tuple[Stretch, ...]:
    """Group modelled releases, by their complete names, into stretches without gaps, oldest
    first.
    """
    places = [place for place, name in enumerate(MODELLED) if name in releases]
    runs = groupby(enumerate(places), lambda found: found[1] - found[0])
    gapless = ([place for _, place in run] for _, run in runs)
    return tuple((MODELLED[run[0]], MODELLED[run[-1]]) for run in gapless)


def releases_in(stretch: Stretch) -> tuple[str, ...]:
    """The complete names of the releases of a stretch, oldest first."""
    first, last = stretch
    return MODELLED[MODELLED.index(first) : MODELLED.index(last) + 1]


def is_in_a_stretch(kafka: str, stretches: Collection[Stretch]) -> bool:
    """Whether a release is in one of the stretches."""
    number = find_release(kafka).number
    return any(number_of(first) <= number <= number_of(last) for first, last in stretches)


@lru_cache(maxsize=1024)
def releases_within(text: str) -> tuple[str, ...]:
    """The complete names of the modelled releases that a name or range admits, oldest first."""
    return tuple(name for name in MODELLED if is_within(name, text))


@cache
def line_name(release: str) -> str:
    """The shortest name of a release's line: "0.11" for 0.11.0.3, "0.10.2" for 0.10.2.0."""
    line = number_of(line_of(number_of(release)))
    lines = {number_of(line_of(number)) for number in _NUMBERS}
    length = next(
        length
        for length in range(2, len(line) + 1)
        if [other for other in lines if other[:length] == line[:length]] == [line]
    )
    return ".".join(map(str, line[:length]))


def begins_line(release: str) -> bool:
    """Whether a release is the first modelled one of its line."""
    return release == next(one for one in MODELLED if line_name(one) == line_name(release))


def ends_line(release: str) -> bool:
    """Whether a release is the newest one of its line."""
    return release_number(line_name(release)) == number_of(release)


class Bound(Struct, frozen=True):
    """One condition of a range, such as ">=0.11". Only the given parts are compared: 3.5.2
    satisfies "<=3.5" and does not satisfy ">3.5".
    """

    comparison: str
    """One of `>=`, `>`, `<=`, `<` and `=`."""
    number: Number

    def admits(self, number: Number) -> bool:
        """Whether a release satisfies the condition."""
        named = _padded(number, len(self.number))[: len(self.number)]
        return _COMPARISONS[self.comparison](named, self.number)


@lru_cache(maxsize=1024)
def parse_range(text: str) -> tuple[Bound, ...]:
    """Parse a range of releases: a conjunction of conditions, `>=0.11 <3.6`. A plain name means
    `=name`.

    Raises `UnknownVersionError` if a bound is not a release, or if the text is empty.
    """
    bounds: list[Bound] = []
    for word in text.split():
        found = _BOUND.fullmatch(word)
        comparison, name = ("=", word) if found is None else found.group("comparison", "name")
        find_release(name)
        bounds.append(Bound(comparison, number_of(name)))
    if not bounds:
        raise UnknownVersionError(error("range_form", names=_lines_known()))
    return tuple(bounds)


def is_range(text: str) -> bool:
    """Whether a text is a range of releases instead of a single release."""
    return any(character in text for character in "<>= ")


def is_within(kafka: str, text: str) -> bool:
    """Whether a release is the named one, or in the range."""
    release = find_release(kafka)
    if not is_range(text):
        return find_release(text).number == release.number
    return all(bound.admits(release.number) for bound in parse_range(text))


# --- levels ----------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def find_level(name: str) -> str:
    """The protocol level with this name: "3.5-IV1" means itself; "3.5" and "3.5.2" mean the last
    level of 3.5.

    Raises `UnknownVersionError` if there is none.
    """
    if name in _LEVEL_ORDER:
        return name
    found = _LEVEL_NAME.fullmatch(name)
    if found is not None and name == found["number"]:
        number = number_of(name)
        levels = [
            level
            for level in LEVELS
            for line in (level_line(level),)
            if line[: len(number)] == number or number[: len(line)] == line
        ]
        if levels:
            return levels[-1]
    raise UnknownVersionError(error("no_level", level=name, names=tuple(LEVELS)))


def level_line(level: str) -> Number:
    """The release line that added a level: (3, 5) for "3.5-IV1"."""
    return number_of(level.partition("-")[0])


def level_reached(level: str, needed: str) -> bool:
    """Whether a cluster at `level` supports what `needed` added."""
    return _LEVEL_ORDER[level] >= _LEVEL_ORDER[needed]


def feature_level(level: str) -> int:
    """The number of a metadata.version in a FeatureLevelRecord; that of 3.0-IV1 is 1."""
    return _LEVEL_ORDER[level] - _LEVEL_ORDER["3.0-IV1"] + 1


def level_numbered(number: int) -> str:
    """The metadata.version with this number in a FeatureLevelRecord; the inverse of
    `feature_level`. Raises `UnknownVersionError` if there is none.
    """
    place = _LEVEL_ORDER["3.0-IV1"] + number - 1
    if number < 1 or place >= len(LEVELS):
        raise UnknownVersionError(error("no_level", level=str(number), names=", ".join(LEVELS)))
    return LEVELS[place]


def new_records_between(lower: str, higher: str) -> tuple[str, ...]:
    """KRaft: the levels above `lower`, up to and including `higher`, that added records to the
    metadata log.
    """
    between = LEVELS[_LEVEL_ORDER[lower] + 1 : _LEVEL_ORDER[higher] + 1]
    return tuple(level for level in between if level in _LEVELS_WITH_NEW_RECORDS)


@lru_cache(maxsize=256)
def newest_level(number: Number) -> str:
    """The default level of a release: the last one of its line."""
    return [level for level in LEVELS if at_least(number, level_line(level))][-1]


_CONFLUENT: Mapping[str, str] = {
    "3.0": "0.10.0",
    "3.1": "0.10.1",
    "3.2": "0.10.2",
    "3.3": "0.11",
    **{f"4.{minor}": f"1.{minor}" for minor in range(2)},
    **{f"5.{minor}": f"2.{minor}" for minor in range(6)},
    **{f"6.{minor}": f"2.{minor + 6}" for minor in range(3)},
    **{f"7.{minor}": f"3.{minor}" for minor in range(10)},
    **{f"8.{minor}": f"4.{minor}" for minor in range(2)},
}
"""Confluent Platform by line, from its table of supported versions. Up to 4.1 its lines have the
numbers of other releases of Kafka, so only its suffixes identify it."""
_PLATFORM = re.compile(
    r"(?P<line>[5-9]\.[0-9]+)(\.[0-9]+)?(-cp[0-9]+)?|"
    r"(?P<suffixed>[3-9]\.[0-9]+)\.[0-9]+(-cp[0-9]+)?-(ccs|ce).*"
)
_KAFKA_IN: tuple[tuple[str | None, re.Pattern[str]], ...] = (
    (
        "Amazon MSK",
        re.compile(
            r"(?P<kafka>[1-9]\.[0-9]+(\.[0-9]+)?)(\.x)?\.(tiered|kraft)|"
            r"(?P<line>[1-9]\.[0-9]+)\.x|(?P<patched>[1-9]\.[0-9]+\.[0-9]+)\.[0-9]+"
        ),
    ),
    ("Strimzi", re.compile(r".*[-_]kafka[-_](?P<kafka>[0-9]+(\.[0-9]+){1,3})")),
    (
        None,
        re.compile(r"(kafka_)?2\.(8|9|1[0-3])(\.[0-9])?-(?P<kafka>[0-9]+(\.[0-9]+){1,3})(\.tgz)?"),
    ),
    (
        None,
        re.compile(
            r"v?(?P<kafka>[0-9]+(\.[0-9]+){1,2})"
            r"[-.](redhat|debian|ubuntu|alpine|ol|photon|amzn|cdh|cdp|hdp|nv|[0-9]+\.[0-9]+\.).*"
        ),
    ),
)


def distribution_of(version: str) -> tuple[str | None, str] | None:
    """The distribution with this version, and the release of Kafka in it; null if the version is of
    none that is known. The distribution is null if only the form of the version is known: a
    package, an archive, an image. Whether the release of Kafka exists is not checked, except for
    Confluent Platform.
    """
    found = _PLATFORM.fullmatch(version)
    if found is not None:
        kafka = _CONFLUENT.get(found["line"] or found["suffixed"])
        return None if kafka is None else ("Confluent Platform", kafka)
    for vendor, pattern in _KAFKA_IN:
        found = pattern.fullmatch(version)
        if found is not None:
            return vendor, next(kafka for kafka in found.groupdict().values() if kafka is not None)
    return None
