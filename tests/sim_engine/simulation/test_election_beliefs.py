"""An election event states the controller's knowledge of the elected broker."""

import pytest

from sim_engine.events.controller import LeaderElected
from sim_engine.events.run import ActionRefused
from sim_engine.languages import LANGUAGES
from sim_engine.narration import sentence as event_sentence
from tests.sim_engine.events.declared import variants
from tests.sim_engine.runs import Step, down, lesson, run


def elected_after(*steps: Step) -> LeaderElected:
    timeline = run(*steps, *down(1), kafka="2.1")
    (elected,) = timeline.told(LeaderElected)
    assert elected.leader == 2
    return elected


@pytest.mark.parametrize(
    ("step", "leader_is", "words"),
    [
        ({"crash": {"broker": 2}}, "down", "which is down but which the controller still"),
        ({"power_loss": {"broker": 2}}, "down", "which is down but which the controller still"),
        ({"pause": {"broker": 2}}, "paused", "which is paused but which the controller still"),
        (
            {"isolate": {"broker": 2, "from": "controller"}},
            "cut_off",
            "which the controller cannot reach but still",
        ),
    ],
)
def test_a_broker_that_the_controller_wrongly_takes_for_alive(
    step: Step, leader_is: str, words: str
) -> None:
    elected = elected_after(step)

    said = event_sentence(elected.kind, elected.variant, elected.numbers(), "en")
    assert elected.leader_is == leader_is
    assert f"Broker 2, {words} considers alive, is elected" in said


def test_nothing_is_said_of_a_broker_that_is_up() -> None:
    elected = elected_after()

    said = event_sentence(elected.kind, elected.variant, elected.numbers(), "en")
    assert elected.leader_is == "up"
    assert said.startswith("Broker 2 is elected leader of t-0 in epoch 1 as a member of the ISR")


def test_4_0_elects_the_last_known_leader_although_it_has_fenced_it() -> None:
    timeline = lesson("dead-last-known-leader")

    fenced, returned = timeline.told(LeaderElected)

    said = event_sentence(fenced.kind, fenced.variant, fenced.numbers(), "en")
    assert (fenced.leader_is, returned.leader_is) == ("fenced", "up")
    assert (
        "so the last known leader, broker 1, is elected in epoch 2, although the controller has "
        "fenced it: 4.0 does not check." in said
    )


@pytest.mark.parametrize("leader_is", ["up", "down", "paused", "cut_off", "fenced"])
@pytest.mark.parametrize("variant", sorted(map(str, variants(LeaderElected))))
def test_the_state_of_the_leader_fits_into_every_sentence(variant: str, leader_is: str) -> None:
    numbers = {**elected_after().numbers(), "leader_is": leader_is}

    for lang in LANGUAGES:
        said = event_sentence("LeaderElected", variant, numbers, lang)
        assert not any(twice in said for twice in (",,", ", ,", " ,", "  ", "） ", "，，")), said
        assert ("alive" in said or "存活" in said) or leader_is in ("up", "fenced"), said


def test_a_refused_election_names_the_brokers_that_the_controller_would_detect_first() -> None:
    timeline = lesson("unnoticed-bounce", "4.1")

    refused = next(one for one in timeline.told(ActionRefused) if one.rule == "ELECTION-CLEAN-ELR")

    # The refused step changes nothing, so the ISR still has both.
    assert refused.variant == "no_eligible_replica_left"
    assert "once the sessions of these brokers have ended: 1, 2" in refused.reason
