"""The catalogue knows every loss that the project shows, and in which releases each is there."""

import pytest

from sim_engine.actions import Expect
from sim_engine.challenges import list_challenges, solutions
from sim_engine.exploration.targets import NO_ACKED_RECORD_LOST
from sim_engine.invariants.fates import LOSS_CAUSES, Losses
from sim_engine.known_losses.catalogue import NOT_WAYS, WAYS, Way
from sim_engine.known_losses.entries import compute_ranges, loses_in, ranges, usual_states
from sim_engine.known_losses.films import find_film
from sim_engine.releases import MODELLED
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.versions import CONTROLS, controls_of

BY_ID = {way.id: way for way in WAYS}


def test_every_lesson_that_loses_is_shown_by_a_way_or_named_with_the_reason() -> None:
    losing = {
        lesson.id
        for lesson in list_shipped()
        for item in lesson.steps
        if isinstance(item.step, Expect)
        and (NO_ACKED_RECORD_LOST in (item.step.violated or ()) or item.step.lost)
    }

    named = {name for way in WAYS for name in way.lessons} | {*NOT_WAYS}

    assert losing - named == set()
    assert named - {lesson.id for lesson in list_shipped()} == set()


def test_every_challenge_that_can_be_won_by_a_loss_is_named() -> None:
    lost = {
        challenge.id
        for challenge in list_challenges()
        if challenge.property == NO_ACKED_RECORD_LOST and solutions()[challenge.id].moves
    }

    assert {name for way in WAYS for name in way.challenges} == lost


def test_the_films_have_every_cause_that_a_campaign_counts() -> None:
    causes = {cause_of(way) for way in WAYS}

    assert causes == set(LOSS_CAUSES)


def cause_of(way: Way) -> str | None:
    """The cause of the loss in the newest release that has the way."""
    control, stretches = [*ranges()[way.id].items()][-1]
    (_, newest) = stretches[-1]
    films = (find_film(way, state) for state in usual_states(newest, control))
    film = next(film for film in films if film is not None)
    losses = Losses()
    for frame in film.timeline.frames:
        for event in frame.events:
            losses.see(event)
    return losses.cause


def test_a_way_loses_up_to_the_ends_of_its_releases_and_not_beyond() -> None:
    wrong: list[str] = []
    for name, controls in ranges().items():
        for control, stretches in controls.items():
            inside = {end for stretch in stretches for end in stretch}
            places = [MODELLED.index(release) for release in inside]
            beyond = {
                MODELLED[place]
                for first, last in stretches
                for place in (MODELLED.index(first) - 1, MODELLED.index(last) + 1)
                if 0 <= place < len(MODELLED) and control in controls_of(MODELLED[place])
            }
            assert places
            wrong += [
                f"{name} {control} {release}"
                for release in (*inside, *beyond)
                if loses_in(BY_ID[name], release, control) != (release in inside)
            ]

    assert wrong == []


def test_the_releases_are_those_in_which_the_lessons_lose() -> None:
    """What lessons state, in words that were checked when they were written."""
    known = {name: dict(controls) for name, controls in ranges().items()}

    assert known["killed-replica-not-trusted"] == {"kraft": (("4.1.0", MODELLED[-1]),)}
    assert known["unclean-by-setting"]["kraft"] == (("3.9.0", MODELLED[-1]),)
    assert known["joins-before-caught-up"] == {"zookeeper": (("0.8.2.0", "2.0.0"),)}
    assert known["stale-command"] == {"zookeeper": (("0.8.2.0", "2.0.1"),)}
    assert known["late-response"]["kraft"] == (("3.1.0", "3.9.0"), ("4.0.0", "4.0.0"))


@pytest.mark.slow
def test_the_table_of_releases_is_up_to_date() -> None:
    assert compute_ranges() == ranges(), "run scripts/write known-losses"


def test_every_way_is_in_the_table() -> None:
    assert [*ranges()] == [way.id for way in WAYS]
    assert all(set(controls) <= {*CONTROLS} and controls for controls in ranges().values())
