"""Releases in one group behave the same, and every release is in one group."""

from functools import cache

from msgspec import to_builtins

from sim_engine.configs import newest_of_groups, release_groups, usual_name
from sim_engine.documents.frames import frame_document
from sim_engine.releases import MODELLED, find_release, line_name
from sim_engine.versions import PROFILE_NAMES, controls_of, resolve_profile
from tests.sim_engine.runs import lesson


def test_every_release_is_in_one_group_with_others_of_its_line():
    assert tuple(name for group in release_groups() for name in group) == MODELLED
    assert all(len({line_name(name) for name in group}) == 1 for group in release_groups())


def test_the_releases_of_a_group_have_the_same_rules():
    for group in release_groups():
        for control in controls_of(group[0]):
            rules = [resolve_profile(name, control=control).rules for name in group]
            assert rules == rules[:1] * len(group)


def test_a_fix_in_a_patch_release_begins_a_group():
    assert ("3.9.0",) in release_groups()
    assert ("4.0.1", "4.0.2") in release_groups()


def test_a_run_is_the_same_under_all_releases_of_a_group():
    for group in release_groups():
        ends = [_end(name) for name in (group[0], group[-1])]
        assert ends[0] == ends[1]


@cache
def _end(kafka: str) -> object:
    timeline = lesson("three-brokers-three-epochs", kafka=kafka)
    return to_builtins(frame_document(timeline, timeline.head).state)


def test_of_a_range_that_cuts_a_group_the_newest_in_the_range_stands_for_it():
    assert newest_of_groups({"3.9.0", "3.9.1", "3.7.0"}) == ("3.7.0", "3.9.0", "3.9.1")


def test_a_release_is_called_as_on_the_menu_or_like_its_line():
    assert [usual_name(name) for name in ("2.0.1", "3.9.2", "3.9.0", "3.8.1")] == [
        "2.0.1",
        "3.9",
        "3.9.0",
        "3.8",
    ]
    assert {find_release(usual_name(name)).number for name in MODELLED} == {
        find_release(name).number for name in MODELLED
    }
    assert set(PROFILE_NAMES) <= {usual_name(name) for name in MODELLED}
