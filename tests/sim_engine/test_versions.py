"""Profiles: which release has which rule, and which rules can be switched."""

import pytest

from sim_engine.narration import source_addresses
from sim_engine.releases import LEVELS, RELEASES, UnknownVersionError, find_release, number_of
from sim_engine.versions import (
    PROFILE_NAMES,
    RULE_NAMES,
    RULES,
    UnknownRuleError,
    controls_of,
    resolve_profile,
    rules_by_name,
)
from tests.tables import for_each


def rule_is_on(rule: str, kafka: str, control: str | None = None) -> bool:
    return rules_by_name(resolve_profile(kafka, control=control))[rule]


def test_profiles_are_in_the_order_of_their_versions():
    assert list(PROFILE_NAMES) == sorted(PROFILE_NAMES, key=number_of)
    assert len({find_release(name).number for name in PROFILE_NAMES}) == len(PROFILE_NAMES)


def test_what_a_rule_names_exists():
    names = set(RULE_NAMES)
    addresses = source_addresses(RELEASES[-1])

    assert len(names) == len(RULES)
    for rule in RULES.values():
        bounds = [rule.since, rule.until, *(bound for span in rule.backports for bound in span)]
        for bound in filter(None, bounds):
            find_release(bound)
        assert rule.level is None or rule.level in LEVELS
        assert set(rule.needs) <= names
        assert rule.source in addresses


def newest_control(kafka: str) -> str:
    return "kraft" if "kraft" in controls_of(kafka) else "zookeeper"


FIRST_PROFILE_WITH = {
    "KIP-16": "0.9",
    "KAFKA-2143": "0.9",
    "KAFKA-3670": "0.10.1",
    "KAFKA-2721": "0.9",
    "KAFKA-3924": "0.10.1",
    "KAFKA-1367": "0.9",
    "KAFKA-4485": "0.10.2",
    "KAFKA-4039": "0.11",
    "KIP-101": "0.11",
    "KIP-98": "0.11",
    "KAFKA-5494": "1.1",
    "KAFKA-5758-NO-REPLICA": "1.1",
    "INITIAL-FETCH-AT-HW": "1.1",
    "LAST-ISR-MEMBER-STAYS": "1.1",
    "PREFERRED-ALWAYS-WRITES": "1.1",
    "KIP-279": "2.0.0",
    "KAFKA-6526": "2.0.0",
    "KAFKA-7415": "2.0.1",
    "KAFKA-7128": "2.0.1",
    "KAFKA-7164": "2.0.1",
    "KAFKA-7414": "2.0.1",
    "KIP-320": "2.1",
    "KAFKA-6835": "2.1",
    "KIP-380": "2.3",
    "KAFKA-7152": "2.1",
    "KIP-207": "2.3",
    "KIP-320-CONSUMER": "2.3",
    "KIP-392": "2.4",
    "KIP-392-EAGER-WAKE": "2.4",
    "KIP-455": "2.4",
    "KIP-460": "2.4",
    "KAFKA-8400": "2.4",
    "KAFKA-8841": "2.4",
    "KIP-360": "2.7",
    "KIP-570": "2.7",
    "KAFKA-10706": "2.7",
    "KIP-497": "2.7",
    "KAFKA-10554": "2.8",
    "KAFKA-13141": "2.7",
    "KAFKA-12803": "3.0",
    "KAFKA-13091": "3.3",
    "KAFKA-13162": "3.3",
    "KIP-704": "3.3",
    "KAFKA-13682": "3.3",
    "KIP-841": "3.3",
    "KIP-841-SHUTDOWN": "3.3",
    "KAFKA-13790": "3.3",
    "KAFKA-13837": "3.3",
    "KAFKA-14078": "3.3",
    "REPLICA-STATE-MAX": "3.3",
    "KAFKA-14372": "3.3",
    "KAFKA-14704": "3.4.1",
    "KIP-903": "3.5",
    "KAFKA-15080": "3.5",
    "KAFKA-15021": "3.6",
    "KAFKA-15021-OUTSIDERS": "3.6",
    "KAFKA-15583": "3.7",
    "KAFKA-15221": "3.7",
    "KAFKA-12670": "3.9",
    "KIP-966": "4.1",
    "KAFKA-19522": "4.1",
    "LAST-KNOWN-LEADER-KEPT": "4.1",
    "KAFKA-15665": "3.9",
    "ISR-ORDER": "4.2",
    "KAFKA-19975": "4.3",
}


@for_each("rule, profile", lambda: FIRST_PROFILE_WITH.items())
def test_a_rule_arrives_with_its_release_and_not_before(rule, profile):
    index = PROFILE_NAMES.index(profile)

    assert rule_is_on(rule, profile, newest_control(profile))
    assert not any(
        rule_is_on(rule, older, newest_control(older)) for older in PROFILE_NAMES[:index]
    )


@pytest.mark.parametrize("kafka", ["4.0", "4.1"])
def test_zookeeper_is_not_supported_from_4_0(kafka):
    assert controls_of(kafka) == ("kraft",)
    with pytest.raises(UnknownVersionError, match="does not support zookeeper"):
        resolve_profile(kafka, control="zookeeper")


def test_a_rule_that_went_away_is_in_no_later_release_and_no_other_is_missing_from_the_newest():
    newest = rules_by_name(resolve_profile(PROFILE_NAMES[-1], control="kraft"))
    gone = [rule.name for rule in RULES.values() if rule.until is not None]

    assert [rule for rule in FIRST_PROFILE_WITH if not newest[rule]] == [
        rule for rule in gone if rule in FIRST_PROFILE_WITH
    ]
    assert rule_is_on("PREFERRED-ALWAYS-WRITES", "2.1")
    assert not rule_is_on("PREFERRED-ALWAYS-WRITES", "2.3")
    assert not rule_is_on("KIP-392-EAGER-WAKE", "2.7")


@for_each("kafka", PROFILE_NAMES)
def test_any_rule_can_be_switched_by_hand_with_those_that_it_builds_on(kafka):
    before = rules_by_name(resolve_profile(kafka))

    for rule in RULES.values():
        if before[rule.name]:
            switched = dict.fromkeys((rule.name, *_built_on(rule.name)), False)
        else:
            switched = dict.fromkeys((rule.name, *_foundations(rule.name)), True)
        after = rules_by_name(resolve_profile(kafka, rules=switched))

        assert after == {**before, **switched}


def _foundations(name: str) -> set[str]:
    """The rules that a rule needs, and those that they need."""
    needed = {needed for rule in RULES.values() if rule.name == name for needed in rule.needs}
    return needed.union(*map(_foundations, needed))


def _built_on(name: str) -> set[str]:
    """The rules that need a rule, and those that need them."""
    needing = {rule.name for rule in RULES.values() if name in rule.needs}
    return needing.union(*map(_built_on, needing))


def test_a_rule_without_the_rules_that_it_requires_is_rejected():
    with pytest.raises(UnknownRuleError, match="KAFKA-10554 needs KIP-320, which is off"):
        resolve_profile("2.8", rules={"KIP-320": False})


@pytest.mark.parametrize(
    ("kafka", "restart", "exits"),
    [
        ("0.8.2", "leader_changed", "halt"),
        ("0.9", "leader_changed", "halt"),
        ("0.10.1", "leader_changed", "hang"),
        ("0.10.2", "leader_changed", "hang"),
        ("0.11", "leader_changed", "exit"),
        ("2.0.0", "leader_changed", "exit"),
        ("2.0.1", "leader_changed_or_epoch_gap", "none"),
        ("2.1", "leader_or_epoch", "none"),
        ("3.0", "leader_or_epoch", "none"),
        ("3.3", "epoch", "none"),
    ],
)
def test_what_several_rules_decide_together(kafka, restart, exits):
    profile = resolve_profile(kafka)

    assert (profile.fetcher_restart, profile.out_of_range_exit) == (restart, exits)
