"""The generated documentation matches the profiles, in every release."""

import re

from sim_engine.command_line import main
from sim_engine.configs import SETTINGS, default_of
from sim_engine.documents.pages import defaults_table, rules_table, versions_table
from sim_engine.releases import MODELLED, number_of
from sim_engine.versions import RULE_NAMES, Profile, controls_of, resolve_profile, rules_by_name
from tests.sim_engine.ranges_said import releases_said


def test_the_command_prints_the_rules_and_the_defaults(capsys):
    assert main(["versions", "--markdown"]) == 0

    printed = capsys.readouterr().out
    assert all(one("en") in printed for one in (versions_table, rules_table, defaults_table))


def test_the_command_prints_the_rules_that_each_release_added(capsys):
    assert main(["versions"]) == 0

    assert capsys.readouterr().out == versions_table("en")


def test_every_rule_is_on_the_page_with_all_of_its_releases():
    """The ranges are read back from the page and compared with the rules of every release."""
    rows = dict(cells_of(line)[:2] for line in rules_table("en").splitlines())

    for rule in RULE_NAMES:
        on = {kafka for kafka in MODELLED if rules_by_name(newest(kafka))[rule]}
        said = rows[rule].removesuffix(", KRaft")
        assert releases_said(said) == on


def test_each_release_brings_and_drops_its_rules_in_its_own_row():
    """The releases that are not on the menu too: KIP-360 came in 2.5, not in 2.7."""
    rules: set[str] = set()
    brought: dict[str, set[str]] = {}
    for line in versions_table("en").splitlines()[2:]:
        kafka, _, brings, drops = cells_of(line)
        rules = (rules | set(filter(None, brings.split(", ")))) - set(drops.split(", "))
        brought[kafka] = set(rules)

    assert "KIP-360" in brought["2.5"]
    for kafka in MODELLED:
        rows = [name for name in brought if number_of(name) <= number_of(kafka)]
        assert brought[rows[-1]] == {r for r, on in rules_by_name(newest(kafka)).items() if on}


def test_a_changed_default_is_given_with_all_of_its_releases():
    rows = dict(cells_of(line)[:2] for line in defaults_table("en").splitlines())

    assert rows["`replica.lag.time.max.ms`"] == "10000: up to 2.4<br>30000: from 2.5"
    for setting in SETTINGS:
        for default in rows.get(f"`{setting.name}`", "").split("<br>"):
            value, _, said = default.partition(": ")
            for kafka in releases_said(said) if said else ():
                written = str(default_of(setting.name, kafka))
                assert value in (written, written.lower(), "MAX")


def cells_of(line: str) -> list[str]:
    """The cells of a row of a table, without links."""
    return [re.sub(r"\[(.+?)\]\(.+?\)", r"\1", cell).strip() for cell in line.split("|")[1:-1]]


def newest(kafka: str) -> Profile:
    """The profile of a release under its newest controller."""
    control = "kraft" if "kraft" in controls_of(kafka) else "zookeeper"
    return resolve_profile(kafka, control=control)
