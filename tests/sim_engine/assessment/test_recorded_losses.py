"""A loss that was recorded on a real cluster, or that a lesson shows, is never called impossible:
in the state before its last failure, as a tool prints it, that failure can lose.

The exceptions are the races: a member of the ISR already lacks the record, which no tool prints.
They are known ways to lose (`known_losses/`), with other failures before the last one.
"""

import json
from pathlib import Path

import pytest

from sim_engine.conformance.reader import read_recording
from sim_engine.scenario_reader.reader import load_shipped
from tests.sim_engine.assessment.recorded_losses import Loss, loss_among, of_lesson, of_recording

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
RACES = ("missed-deposition", "deposition-unseen", "s27-unnoticed-bounce", "s37-isr-join-guard")
LOSING = ("can_lose", "lost")

LESSONS = (
    "acks-1-loses-on-failover",
    "eligible-replica-rescues",
    "fast-leader-failover",
    "follower-bounce-five-records",
    "last-replica-standing",
    "power-loss-of-both",
    "power-loss-of-both-with-epochs",
    "surviving-copy-destroyed",
    "surviving-copy-destroyed-with-elr",
    "unclean-election",
    "whole-cluster-power-loss",
    "zombie-leader",
)

EVERYDAY = (
    "last-replica-standing-min1-3.9.2",
    "s26-follower-bounce-leader-death-0.10.2.2",
    "survivor-destroyed-4.1.1",
    "unclean-by-admin-3.9.2",
    "zombie-leader-3.9.2",
)


def recorded(name: str) -> Loss | None:
    document = json.loads((RECORDINGS / f"{name}.json").read_text(encoding="utf-8"))
    return loss_among(list(of_recording(read_recording(document))))


@pytest.mark.parametrize("name", EVERYDAY)
def test_a_recorded_loss_is_possible(name: str) -> None:
    loss = recorded(name)

    assert loss is not None
    assert loss.verdict in LOSING


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDINGS.glob("*.json")))
def test_every_recorded_loss_is_possible(name: str) -> None:
    loss = recorded(name)

    if loss is not None:
        assert (loss.verdict in LOSING) is not name.startswith(RACES)


@pytest.mark.parametrize("name", LESSONS)
def test_the_loss_of_a_lesson_is_possible(name: str) -> None:
    loss = loss_among(list(of_lesson(load_shipped(name))))

    assert loss is not None
    assert loss.verdict in LOSING
