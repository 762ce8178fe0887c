"""Which releases exist, what their names mean, and which protocol levels they support."""

import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest

from sim_engine import releases
from sim_engine.kafka_history import LOOKED_ON
from sim_engine.versions import levels_of, resolve_profile, rules_by_name
from tests.tables import for_each

ROOT = Path(__file__).resolve().parents[2]
A_RELEASE_IS_DUE = timedelta(days=4 * 31)
"""Kafka's plan of time-based releases: three a year."""


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("2.0", (2, 0, 1)),
        ("2.0.0", (2, 0, 0)),
        ("3.3", (3, 3, 2)),
        ("0.9", (0, 9, 0, 1)),
        ("0.10.2", (0, 10, 2, 2)),
        ("0.11", (0, 11, 0, 3)),
        ("0.11.0.1", (0, 11, 0, 1)),
    ],
)
def test_a_line_names_its_newest_patch(name, number):
    assert releases.find_release(name).number == number


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("0.99", "there is no Kafka 0.99; releases are 0.8.2, 0.9.0"),
        ("3.10", "there is no Kafka 3.10; releases are"),
        ("2.0.7", "releases of 2.0 are 2.0.0, 2.0.1"),
        (
            "9.9",
            f"the newest known release is {releases.RELEASES[-1]}: "
            f"ask for {releases.newest_of_lines()[-1].name}",
        ),
        ("0.8.1", "older than 0.8.2.0"),
        ("three", "is not a Kafka version"),
    ],
)
def test_a_release_that_never_was_is_refused_with_what_there_is(name, said):
    with pytest.raises(releases.UnknownVersionError, match=said):
        releases.find_release(name)


def test_releases_and_levels_are_in_the_order_in_which_they_came():
    assert list(releases.RELEASES) == sorted(releases.RELEASES, key=releases.number_of)
    lines = [releases.number_of(level.partition("-")[0]) for level in releases.LEVELS]
    assert lines == sorted(lines)


def test_4_4_has_the_levels_that_its_classes_list():
    """Levels 31 to 33; the default is the last one, and 4.5-IV0 is not for production."""
    newest = resolve_profile("4.4")
    assert newest.metadata_version == "4.4-IV2"
    assert [releases.feature_level(f"4.4-IV{number}") for number in range(3)] == [31, 32, 33]
    assert releases.new_records_between("4.3-IV0", "4.4-IV2") == ("4.4-IV1", "4.4-IV2")
    assert resolve_profile("4.3").metadata_version == "4.3-IV0"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_somebody_has_looked_for_new_releases_since_the_last_planned_one():
    """Compares two dates of the commit, so that a commit that passed never fails later."""
    shown = subprocess.run(
        ("git", "log", "-1", "--format=%cs"), capture_output=True, cwd=ROOT, check=False, text=True
    )
    if shown.returncode != 0:
        pytest.skip("this is no checkout")
    committed = date.fromisoformat(shown.stdout.strip())

    assert committed - date.fromisoformat(LOOKED_ON) < A_RELEASE_IS_DUE, (
        f"Kafka has probably published a release after {releases.RELEASES[-1]}: see "
        '"Add a release" in CONTRIBUTING.md, then set LOOKED_ON in kafka_history.py'
    )


RULES_OF_RELEASES = [
    ("1.0", {"KAFKA-5494"}, {"INITIAL-FETCH-AT-HW", "PREFERRED-ALWAYS-WRITES"}),
    ("2.2", {"KIP-380", "KIP-207"}, {"KIP-320-CONSUMER", "PREFERRED-ALWAYS-WRITES"}),
    ("2.5", {"KIP-360", "KIP-392-EAGER-WAKE"}, {"KAFKA-10706"}),
    ("2.6.0", {"KIP-360"}, {"KAFKA-10706", "KIP-392-EAGER-WAKE"}),
    ("2.6", {"KIP-360", "KAFKA-10706"}, {"KIP-392-EAGER-WAKE", "KIP-497"}),
    ("2.7.1", {"KIP-497"}, {"KAFKA-13141"}),
    ("2.7.2", {"KIP-497", "KAFKA-13141"}, {"KAFKA-10554"}),
    ("2.8.0", {"KAFKA-10554"}, {"KAFKA-13141"}),
    ("2.8.1", {"KAFKA-10554", "KAFKA-13141"}, {"KAFKA-13091"}),
    ("3.1", {"KAFKA-13091"}, {"KIP-704"}),
    ("3.2", {"KAFKA-13091", "KIP-704"}, {"KIP-841"}),
    ("3.3.1", {"KIP-841"}, {"KAFKA-14372"}),
    ("3.3.2", {"KIP-841", "KAFKA-14372"}, {"KAFKA-14704"}),
    ("3.4.0", {"KAFKA-14372"}, {"KAFKA-14704"}),
    ("3.8", {"KAFKA-15665"}, {"KAFKA-12670", "KAFKA-19975"}),
    ("0.9.0.0", {"KIP-16", "KAFKA-1367"}, {"KAFKA-2143"}),
    ("0.10.0.0", {"KAFKA-2143"}, {"KAFKA-3924"}),
    ("0.10.0.1", {"KAFKA-3924"}, {"KAFKA-4485"}),
    ("4.0.2", {"KAFKA-12670", "KAFKA-15665"}, {"KIP-966", "KAFKA-19522"}),
    ("4.1.0", {"KIP-966", "KAFKA-19522"}, {"LAST-KNOWN-LEADER-KEPT"}),
    ("4.1.1", {"LAST-KNOWN-LEADER-KEPT", "KAFKA-15665"}, {"KAFKA-19975"}),
    ("4.1.2", {"KAFKA-15665"}, {"ISR-ORDER"}),
    ("4.2.0", {"LAST-KNOWN-LEADER-KEPT", "KAFKA-15665", "ISR-ORDER"}, {"KAFKA-19975"}),
    ("4.3", {"KAFKA-19975", "ISR-ORDER"}, {"KAFKA-15665"}),
    ("4.4", {"KAFKA-19975", "ISR-ORDER"}, {"KAFKA-15665"}),
]


@for_each("kafka, has, lacks", RULES_OF_RELEASES)
def test_a_release_has_its_own_rules_not_those_of_a_neighbour(kafka, has, lacks):
    on = {rule for rule, is_on in rules_by_name(resolve_profile(kafka)).items() if is_on}
    if "kraft" not in resolve_profile(kafka).control:
        has, lacks = has - KRAFT_ONLY, lacks
    assert has <= on
    assert not lacks & on


KRAFT_ONLY = {"KAFKA-15665", "KAFKA-12670"}


@pytest.mark.parametrize(
    ("kafka", "text", "within"),
    [
        ("3.5.2", ">=0.11 <3.6", True),
        ("3.6", ">=0.11 <3.6", False),
        ("0.10.2", ">=0.11 <3.6", False),
        ("3.5.2", "<=3.5", True),
        ("3.5.2", ">3.5", False),
        ("2.0.0", ">=2.0.1", False),
        ("2.0.1", "2.0", True),
        ("2.0.0", "=2.0", True),
        ("2.0.0", "2.0", False),
    ],
)
def test_a_bound_of_a_range_is_about_the_parts_that_it_names(kafka, text, within):
    assert releases.is_within(kafka, text) is within


@pytest.mark.parametrize(
    ("name", "level"),
    [("3.5", "3.5-IV2"), ("3.5-IV0", "3.5-IV0"), ("3.9.1", "3.9-IV0"), ("0.11", "0.11.0-IV2")],
)
def test_a_level_without_a_step_is_the_last_of_its_line(name, level):
    assert releases.find_level(name) == level


@pytest.mark.parametrize(
    ("kafka", "level"),
    [("2.2.2", "2.2-IV1"), ("0.10.2.2", "0.10.2-IV0"), ("4.1.1", "4.1-IV1"), ("4.3", "4.3-IV0")],
)
def test_the_default_level_of_a_release_is_its_newest(kafka, level):
    assert releases.newest_level(releases.find_release(kafka).number) == level
    assert resolve_profile(kafka).level == level


@pytest.mark.parametrize(
    ("kafka", "control", "span"),
    [
        ("3.9", "kraft", ("3.0-IV1", "3.9-IV0")),
        ("4.0", "kraft", ("3.3-IV3", "4.0-IV3")),
        ("3.2", "kraft", ("3.2-IV0", "3.2-IV0")),
        ("3.9", "zookeeper", ("0.8.2", "3.9-IV0")),
    ],
)
def test_the_levels_that_a_release_can_speak(kafka, control, span):
    assert levels_of(releases.find_release(kafka).number, control) == span


@pytest.mark.parametrize(
    ("kafka", "control", "level", "off", "family"),
    [
        ("3.9", "kraft", "3.5", {"KAFKA-15021"}, "TOF"),
        ("3.9", "kraft", "3.4", {"KAFKA-15021", "KIP-903"}, "TOF"),
        ("3.9", "kraft", "3.3-IV2", {"KAFKA-15021", "KIP-903", "KIP-841-SHUTDOWN"}, "TOF"),
        ("2.8", "zookeeper", "2.7-IV1", {"KIP-497"}, "TOF"),
        ("2.8", "zookeeper", "2.6", {"KIP-497", "KAFKA-10554"}, "KIP320"),
        ("2.1", "zookeeper", "2.0", {"KIP-320"}, "KIP279"),
        ("2.0.1", "zookeeper", "1.1", {"KIP-279"}, "KIP101"),
        ("0.11", "zookeeper", "0.10.2", {"KIP-101", "KIP-98"}, "HW"),
        ("4.1", "kraft", "3.9", {"KIP-966"}, "TOF"),
    ],
)
def test_code_at_an_older_level_does_without_the_rules_that_came_after(
    kafka, control, level, off, family
):
    own = resolve_profile(kafka, control=control)
    older = own.at_level(level)

    missing = {
        rule for rule, on in rules_by_name(own).items() if on and not rules_by_name(older)[rule]
    }
    assert off <= missing
    assert older.family == family


def test_the_code_of_a_release_stays_at_an_older_level():
    rules = resolve_profile("3.9").at_level("3.5").rules

    assert rules.min_isr_gates_high_watermark
    assert rules.outsiders_must_be_eligible
    assert not rules.no_epoch_bump_on_shrink


def test_a_rule_switched_by_hand_is_on_at_any_level():
    profile = resolve_profile("3.9", rules={"KAFKA-15021": True}).at_level("3.5")

    assert profile.rules.no_epoch_bump_on_shrink


@pytest.mark.parametrize(
    ("kafka", "control", "level", "said"),
    [
        ("3.5", "kraft", "3.6", "Kafka 3.5.2 cannot run at metadata.version 3.6-IV2; it takes 3.0"),
        ("4.0", "kraft", "3.2", "cannot run at metadata.version 3.2-IV0; it takes 3.3-IV3"),
        ("3.2", "kraft", "3.1", "exists from 3.3"),
        ("3.5", "zookeeper", "3.6", "cannot run at inter.broker.protocol.version 3.6-IV2"),
    ],
)
def test_a_level_that_a_release_does_not_support_is_rejected(kafka, control, level, said):
    profile = resolve_profile(kafka, control=control)

    with pytest.raises(releases.UnknownVersionError, match=said):
        profile.at_level(level)
