"""Every payload has a function that receives it."""

from typing import get_args

from sim_engine.protocol.messages import Payload
from sim_engine.simulation.receiving.arrival import RECEIVERS


def test_every_payload_has_a_function_that_receives_it():
    assert set(RECEIVERS) == set(get_args(Payload))
