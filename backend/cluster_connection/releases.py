"""What the versions of the requests that brokers offer show about their release."""

from collections.abc import Mapping
from dataclasses import dataclass

from kafka.protocol.broker_version_data import BROKER_API_VERSIONS

from backend.cluster_connection.asking import grouped
from sim_engine.cluster_import.parsed_state import ParsedState
from sim_engine.identifiers import BrokerId
from sim_engine.releases import UnknownVersionError, level_numbered, number_of

METADATA_VERSION = "metadata.version"
ELR_VERSION = "eligible.leader.replicas.version"
_LEADER_AND_ISR = 4
"""A request of the controller to brokers, which only brokers under ZooKeeper offer."""
_DESCRIBE_QUORUM = 55


@dataclass(frozen=True)
class Offered:
    """What one broker offers: the versions of its requests, by their keys, and the newest levels of
    its features.
    """

    versions: Mapping[int, tuple[int, int]]
    supported: Mapping[str, int]


@dataclass(frozen=True)
class _Range:
    """A release that a broker is not older than, and one that it is older than, if any."""

    since: str
    until: str | None
    by: str
    """What shows it: the end of the names of two statements."""


def note_cluster(
    parsed: ParsedState, versions: Mapping[int, tuple[int, int]], finalized: Mapping[str, int]
) -> None:
    """Add what one broker shows of the whole cluster: the kind of controller, and whether there are
    eligible leader replicas.
    """
    if _DESCRIBE_QUORUM in versions:
        parsed.controls.add("kraft")
    elif _LEADER_AND_ISR in versions:
        parsed.controls.add("zookeeper")
    if METADATA_VERSION in finalized:
        parsed.elr_enabled = finalized.get(ELR_VERSION, 0) > 0


def note_releases(parsed: ParsedState, brokers: Mapping[BrokerId, Offered]) -> None:
    """Add the release of the brokers, as a range. If they run different releases, it is from the
    oldest to the newest of them, and an assumption names which broker runs which.
    """
    found = {
        broker: shown
        for broker, offered in brokers.items()
        if (shown := _range_of(offered)) is not None
    }
    if not found:
        return
    by_range = grouped((shown, broker) for broker, shown in sorted(found.items()))
    ranges = sorted(by_range, key=lambda one: number_of(one.since))
    oldest, newest = ranges[0], ranges[-1]
    is_mixed = len(ranges) > 1
    parsed.since[oldest.since] = "since_oldest_broker" if is_mixed else f"since_{oldest.by}"
    if newest.until is not None:
        parsed.until[newest.until] = "until_newest_broker" if is_mixed else f"until_{newest.by}"
    if is_mixed:
        releases = [f"{one.since} (broker {', '.join(map(str, by_range[one]))})" for one in ranges]
        parsed.assume("mixed_releases", releases=releases)


def _range_of(offered: Offered) -> _Range | None:
    try:
        line, _, _ = level_numbered(offered.supported.get(METADATA_VERSION, 0)).partition("-")
    except UnknownVersionError:
        pass  # older than metadata.version, or newer than the releases that are known here
    else:
        return _Range(line, _after(line), "metadata_version")
    lines = [
        line for line, ranges in BROKER_API_VERSIONS.items() if _matches(ranges, offered.versions)
    ]
    if not lines:
        return None
    later = [line for line in BROKER_API_VERSIONS if line > max(lines)]
    return _Range(_name(min(lines)), _name(min(later)) if later else None, "request_versions")


def _matches(
    ranges: Mapping[int, tuple[int, int]], versions: Mapping[int, tuple[int, int]]
) -> bool:
    """Whether a release has these newest versions. Which requests a broker offers also depends on
    its kind of controller.
    """
    both = ranges.keys() & versions.keys()
    return len(both) > len(versions) / 2 and all(ranges[k][1] == versions[k][1] for k in both)


def _name(line: tuple[int, ...]) -> str:
    return ".".join(map(str, line))


def _after(line: str) -> str:
    major, minor = line.split(".")
    return f"{major}.{int(minor) + 1}"
