"""The release of a cluster, from what its brokers offer."""

import pytest
from kafka.protocol.broker_version_data import BROKER_API_VERSIONS

from backend.cluster_connection.releases import Offered, note_cluster, note_releases
from sim_engine.cluster_import.conclusions import releases_for
from sim_engine.cluster_import.parsed_state import ParsedState
from sim_engine.identifiers import BrokerId


def noted(
    versions: dict[int, tuple[int, int]],
    supported: dict[str, int] | None = None,
    finalized: dict[str, int] | None = None,
) -> ParsedState:
    parsed = ParsedState()
    note_cluster(parsed, versions, finalized or {})
    note_releases(parsed, {BrokerId(1): Offered(versions, supported or {})})
    return parsed


@pytest.mark.parametrize(
    ("line", "since", "until"),
    [
        ((1, 1), "1.1", "2.0"),
        ((2, 3), "2.3", "2.4"),
        ((2, 8), "2.8", "3.0"),
        ((3, 6), "3.6", "3.7"),
    ],
)
def test_versions_of_requests_show_the_release(
    line: tuple[int, int], since: str, until: str
) -> None:
    parsed = noted(dict(BROKER_API_VERSIONS[line]))

    assert (set(parsed.since), set(parsed.until)) == ({since}, {until})


def test_versions_that_no_release_has_show_nothing() -> None:
    parsed = noted(dict.fromkeys(BROKER_API_VERSIONS[2, 3], (0, 99)))

    assert (parsed.since, parsed.until) == ({}, {})


def test_a_feature_shows_the_release_better() -> None:
    parsed = noted({}, {"metadata.version": 27}, {"metadata.version": 25})

    assert (set(parsed.since), set(parsed.until)) == ({"4.1"}, {"4.2"})
    assert parsed.elr_enabled is False


def test_a_newer_level_than_any_known_is_not_guessed() -> None:
    parsed = noted({}, {"metadata.version": 900}, {"eligible.leader.replicas.version": 1})

    assert (parsed.since, parsed.until, parsed.elr_enabled) == ({}, {}, None)


def test_eligible_leader_replicas_are_on_if_their_level_is() -> None:
    parsed = noted({}, {}, {"metadata.version": 27, "eligible.leader.replicas.version": 1})

    assert parsed.elr_enabled is True


@pytest.mark.parametrize(("key", "control"), [(55, {"kraft"}), (4, {"zookeeper"}), (3, set())])
def test_a_request_shows_the_controller(key: int, control: set[str]) -> None:
    assert noted({key: (0, 1)}).controls == control


def test_brokers_of_different_releases_are_a_range_and_named() -> None:
    parsed = ParsedState()
    newer = Offered({}, {"metadata.version": 27})
    brokers = {
        BrokerId(3): newer,
        BrokerId(1): Offered(dict(BROKER_API_VERSIONS[3, 6]), {}),
        BrokerId(2): newer,
        BrokerId(4): Offered({}, {}),
    }

    note_releases(parsed, brokers)
    (release, *_) = releases_for(parsed, None)

    assert (release.kafka, release.oldest, release.newest) == ("4.1", "3.6", "4.1")
    assert [why.text() for why in release.why] == [
        "The oldest broker shows that the release is not older.",
        "The newest broker shows that the release is not newer.",
    ]
    assert [one.text() for one in parsed.unknown] == [
        "The brokers run different releases: 3.6 (broker 1), 4.1 (broker 2, 3). The newest one "
        "is assumed for all of them."
    ]
