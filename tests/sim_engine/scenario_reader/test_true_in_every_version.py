"""A text of a lesson is shown in exactly the versions in which its run does what the text says."""

import pytest

from sim_engine.actions import Ask, Note
from sim_engine.configs import release_groups
from sim_engine.events.base import Event
from sim_engine.events.controller import EligibleLeaderReplicasChanged, LeaderElected
from sim_engine.events.fetch import EpochLookupSent, FetchDiverging
from sim_engine.events.log import LogTruncated
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import controls_of
from tests.sim_engine.runs import lesson

VERSIONS = [
    (group[-1], control) for group in release_groups() for control in controls_of(group[-1])
]
"""Every release: one of each group that behaves the same."""


def place_of(lesson: str, words: str) -> int:
    """The index of the only note or question with these words."""
    (place,) = (
        place
        for place, entry in enumerate(load_shipped(lesson).steps)
        if isinstance(entry.step, Note | Ask) and words in entry.step.text["en"]
    )
    return place


def runs_with(name: str, kind: type[Event], variant: str | None) -> set[tuple[str, str]]:
    """The versions in which the run of a lesson has an event of this kind."""
    found: set[tuple[str, str]] = set()
    for version in VERSIONS:
        told = lesson(name, *version).told(kind)
        if any(variant in (None, one.variant) for one in told):
            found.add(version)
    return found


@pytest.mark.parametrize(
    ("lesson", "words", "kind", "variant"),
    [
        ("three-brokers-three-epochs", "m4 and asks where", EpochLookupSent, None),
        ("three-brokers-three-epochs", "m4 and fetches from", FetchDiverging, None),
        ("three-brokers-three-epochs", "last fetched epoch was 0 too", FetchDiverging, None),
        ("power-loss-of-both-with-epochs", "returns and asks where", EpochLookupSent, None),
        ("power-loss-of-both-with-epochs", "returns and fetches from", FetchDiverging, None),
        ("kip-279-numbers", "restarts and asks where", EpochLookupSent, None),
        ("kip-279-numbers", "restarts and fetches from", FetchDiverging, None),
        ("two-round-truncation", "restarts and looks up", EpochLookupSent, None),
        ("two-round-truncation", "restarts and fetches from", FetchDiverging, None),
        ("power-loss-of-both", "last known leader", LeaderElected, "last_known_leader"),
        ("power-loss-of-both-with-epochs", "last known leader", LeaderElected, "last_known_leader"),
        (
            "tolerating-failures",
            "Broker 2 was in the ELR",
            EligibleLeaderReplicasChanged,
            "unclean_shutdown",
        ),
        ("kip-101-data-loss", "and truncates m2", LogTruncated, "high_watermark"),
        ("isr-join-guard", "truncated m1 and joined the ISR", LogTruncated, None),
    ],
)
def test_a_text_is_shown_where_the_run_does_what_it_says(
    lesson: str, words: str, kind: type[Event], variant: str | None
) -> None:
    place = place_of(lesson, words)

    shown = {one for one in VERSIONS if place in Timeline(load_shipped(lesson), *one).words}

    assert shown == runs_with(lesson, kind, variant)


@pytest.mark.parametrize(
    ("lesson", "words", "instead"),
    [
        ("tolerating-failures", "the last ISR member", "Broker 2 was in the ELR"),
        ("power-loss-of-both", "is the last member", "last known leader"),
        ("power-loss-of-both-with-epochs", "is the last member", "last known leader"),
    ],
)
def test_each_version_shows_one_of_two_texts(lesson: str, words: str, instead: str) -> None:
    places = {place_of(lesson, words), place_of(lesson, instead)}

    assert all(
        len(places & Timeline(load_shipped(lesson), *version).words) == 1 for version in VERSIONS
    )
