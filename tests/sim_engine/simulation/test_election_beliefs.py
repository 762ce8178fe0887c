"""An election event states the controller's knowledge of the elected broker."""

import pytest

from sim_engine import Timeline, event_sentence, read_scenario_document
from sim_engine.events.election import LeaderElected
from tests.sim_engine.builders import told


def elected_after(*steps: dict[str, object]) -> LeaderElected:
    scenario = read_scenario_document(
        {
            "scenario": 1,
            "id": "beliefs",
            "title": "Beliefs",
            "summary": "",
            "kafka": "2.1",
            "brokers": [1, 2, 3],
            "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
            "steps": [*steps, {"crash": {"broker": 1}}, {"detect": {"broker": 1}}],
        }
    )
    timeline = Timeline(scenario)
    timeline.run_all()
    (elected,) = told(timeline, LeaderElected)
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
    step: dict[str, object], leader_is: str, words: str
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
