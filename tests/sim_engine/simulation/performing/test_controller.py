"""Elections that an administrator requests, by release."""

from contextlib import nullcontext

import pytest

from sim_engine.actions.steps import AskElection
from sim_engine.identifiers import FrameNumber
from sim_engine.narration import RefusedError
from sim_engine.simulation.performing.controller import elect
from sim_engine.simulation.working_copy import WorkingCopy
from tests.sim_engine.builders import (
    PARTITION,
    change_registered_broker,
    change_registration,
    cluster,
    crash,
)


@pytest.mark.parametrize(("kafka", "leader_after"), [("2.3", -1), ("2.4", 2)])
def test_an_administrator_can_ask_for_an_unclean_election_from_2_4_on(kafka, leader_after):
    state = crash(cluster(kafka=kafka, isr=(1,)), 1)
    state = change_registered_broker(change_registration(state, leader=-1), 1, live=False)
    work = WorkingCopy(state, FrameNumber(1))

    with nullcontext() if leader_after == 2 else pytest.raises(RefusedError):
        elect(work, AskElection(partition=PARTITION, kind="unclean"))

    assert work.cluster.controller.partition(PARTITION).leader == leader_after
