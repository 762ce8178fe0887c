"""What the versions of the requests that a broker offers show about its release."""

from collections.abc import Mapping

from kafka.protocol.broker_version_data import BROKER_API_VERSIONS

from sim_engine.cluster_import.parsed_state import ParsedState
from sim_engine.releases import UnknownVersionError, level_numbered

METADATA_VERSION = "metadata.version"
ELR_VERSION = "eligible.leader.replicas.version"
_LEADER_AND_ISR = 4
"""A request of the controller to brokers, which only brokers under ZooKeeper offer."""
_DESCRIBE_QUORUM = 55


def note_release(
    parsed: ParsedState,
    versions: Mapping[int, tuple[int, int]],
    supported: Mapping[str, int],
    finalized: Mapping[str, int],
) -> None:
    """Add what a broker's versions and features show: its release, as a range; the kind of
    controller; whether there are eligible leader replicas.
    """
    if _DESCRIBE_QUORUM in versions:
        parsed.controls.add("kraft")
    elif _LEADER_AND_ISR in versions:
        parsed.controls.add("zookeeper")
    if METADATA_VERSION in finalized:
        parsed.elr_enabled = finalized.get(ELR_VERSION, 0) > 0
    try:
        line, _, _ = level_numbered(supported.get(METADATA_VERSION, 0)).partition("-")
    except UnknownVersionError:
        pass  # older than metadata.version, or newer than the releases that are known here
    else:
        parsed.since[line] = "since_metadata_version"
        parsed.until[_after(line)] = "until_metadata_version"
        return
    lines = [line for line, ranges in BROKER_API_VERSIONS.items() if _matches(ranges, versions)]
    if lines:
        parsed.since[_name(min(lines))] = "since_request_versions"
        later = [line for line in BROKER_API_VERSIONS if line > max(lines)]
        if later:
            parsed.until[_name(min(later))] = "until_request_versions"


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
