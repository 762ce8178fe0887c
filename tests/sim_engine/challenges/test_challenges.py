"""Each challenge is won by its stored moves, or has no solution according to a complete search."""

import re

import pytest
from msgspec import json

from sim_engine.challenges import (
    ImpossibleMoveError,
    find_challenge,
    judge,
    list_challenges,
    record_copies,
    solutions,
    solve,
    start_of,
)
from sim_engine.languages import LANGUAGES

BEATABLE = [one for one in list_challenges() if solutions()[one.id].moves]
UNBEATABLE = [one for one in list_challenges() if not solutions()[one.id].moves]
QUICK = ("at-risk", "unclean-by-default", "power-of-two", "power-of-one", "power-of-three")

by_id = pytest.mark.parametrize("challenge", list_challenges(), ids=lambda one: one.id)


def test_there_are_many_and_some_cannot_be_won():
    assert len(list_challenges()) >= 12
    assert len(UNBEATABLE) >= 4
    assert {one.id for one in list_challenges()} == set(solutions())


@pytest.mark.parametrize("challenge", BEATABLE, ids=lambda one: one.id)
def test_the_moves_that_are_kept_win_and_only_the_last_of_them(challenge):
    moves = solutions()[challenge.id].moves

    before, after = judge(challenge, moves[:-1]), judge(challenge, moves)

    assert (before.won, after.won) == (False, True)
    assert after.possible == ()
    assert all(left >= 0 for left in after.left.values())


@pytest.mark.parametrize("challenge", UNBEATABLE, ids=lambda one: one.id)
def test_where_none_wins_everything_was_looked_at(challenge):
    assert solutions()[challenge.id].complete
    assert solutions()[challenge.id].states > 100


@pytest.mark.parametrize("name", QUICK)
def test_a_search_finds_what_is_kept(name):
    """`scripts/write challenges` updates it."""
    assert solve(find_challenge(name)) == solutions()[name]


@pytest.mark.slow
@by_id
def test_a_search_finds_what_is_kept_of_each(challenge):
    assert solve(challenge) == solutions()[challenge.id]


@by_id
def test_a_challenge_has_texts_in_every_language_and_suggests_others(challenge):
    for text in (challenge.title, challenge.goal, *challenge.hints):
        assert all(text[lang].strip() for lang in LANGUAGES)
        assert re.search(r"[\u4e00-\u9fff]", text["zh"])
    assert all(find_challenge(other).id != challenge.id for other in challenge.also)


def test_a_move_takes_its_token_and_a_second_one_is_not_offered_without():
    challenge = find_challenge("power-of-one")

    start = judge(challenge, [])
    after = judge(challenge, [{"power_loss": {"broker": 1}}])

    assert (start.left["power_loss"], after.left["power_loss"]) == (1, 0)
    assert "power_loss" in {move.token for move in start.possible}
    assert "power_loss" not in {move.token for move in after.possible}


@pytest.mark.parametrize(
    ("moves", "place"),
    [
        ([{"power_loss": {"broker": 1}}, {"power_loss": {"broker": 2}}], 1),
        ([{"crash": {"broker": 1}}], 0),
        ([{"start": {"broker": 1}}], 0),
        ([{}], 0),
        ([{"power_loss": {"broker": 9}}], 0),
    ],
)
def test_a_move_that_cannot_be_made_is_refused_at_its_place(moves, place):
    with pytest.raises(ImpossibleMoveError) as refused:
        judge(find_challenge("power-of-one"), moves)

    assert refused.value.place == place


@by_id
def test_a_move_has_the_actor_and_the_place_of_its_choice(challenge):
    """Of every state on the way of the stored moves, for each move that a run offers, too."""
    moves = solutions()[challenge.id].moves
    compared = 0
    for made in range(len(moves) + 1):
        tried = judge(challenge, moves[:made])
        offered = {
            json.encode(choice.step, order="sorted"): (choice.actor, choice.row)
            for choice in tried.timeline.choices(tried.timeline.head)
        }
        for move in tried.possible:
            choice = offered.get(json.encode(move.step, order="sorted"))
            if choice is not None:
                assert (move.actor, move.row) == choice, move
                compared += 1
    assert compared > 0


def test_the_controller_takes_what_it_decides_and_a_producer_what_it_sends():
    tried = judge(find_challenge("unclean-on-purpose"), [{"crash": {"broker": 1}}])
    actors = {next(iter(move.step)): move.actor for move in tried.possible}

    assert actors["detect"] == "controller"
    assert actors["crash"] == "2"
    produced = [
        (move.actor, move.step["produce"])
        for move in judge(find_challenge("power-of-one"), []).possible
        if "produce" in move.step
    ]
    assert [{"as": actor} for actor, _ in produced] == [
        {"as": step["as"]} for _, step in produced if isinstance(step, dict)
    ]
    assert produced


def test_nothing_can_be_done_after_the_end():
    won = solutions()["power-of-two"].moves

    with pytest.raises(ImpossibleMoveError):
        judge(find_challenge("power-of-two"), [*won, {"start": {"broker": 1}}])


def test_the_copies_that_protect_a_record_are_counted():
    (record,) = record_copies(start_of(find_challenge("power-of-two")))

    assert (record.value, record.fate) == ("m1", "safe")
    assert (record.copies, record.on_disk, record.may_lead) == ((1, 2), (), (1, 2))
