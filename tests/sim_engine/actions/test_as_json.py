"""Steps and actions as JSON: omitted arguments stay omitted."""

import pytest

from sim_engine.actions import Expect
from sim_engine.actions.base import StepStruct, name_of
from sim_engine.actions.steps import Config, Consume, Deliver, Isolate, PowerLoss, Produce
from tests.sim_engine.builders import B1, PARTITION


def test_a_name_is_the_class_in_snake_case() -> None:
    assert name_of(PowerLoss) == "power_loss"
    assert name_of(Produce) == "produce"


@pytest.mark.parametrize(
    ("step", "written"),
    [
        (
            Produce(to=PARTITION, values=("m1",)),
            {"produce": {"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}},
        ),
        (
            Produce(to=PARTITION, values=("m1",), acks=0, idempotent=True, sequence=0),
            {
                "produce": {
                    "to": "t-0",
                    "values": ["m1"],
                    "acks": 0,
                    "as": "p1",
                    "idempotent": True,
                    "sequence": 0,
                }
            },
        ),
        (Consume(partition=PARTITION), {"consume": {"partition": "t-0", "as": "c1"}}),
        (
            Deliver(kind="metadata_record", to=B1),
            {"deliver": {"kind": "metadata_record", "from": "controller", "to": 1}},
        ),
        (Isolate(broker=B1, from_="all"), {"isolate": {"broker": 1, "from": "all"}}),
        (PowerLoss(broker=B1), {"power_loss": {"broker": 1}}),
        (PowerLoss(broker=B1, keep={}), {"power_loss": {"broker": 1, "keep": {}}}),
        (
            Config(topic="t", settings={"min.insync.replicas": 2}),
            {"config": {"topic": "t", "min.insync.replicas": 2}},
        ),
        (Config(levels={"metadata_version": "3.5"}), {"config": {"metadata_version": "3.5"}}),
        (Expect(refused=False, isr=()), {"expect": {"isr": [], "refused": False}}),
    ],
)
def test_what_was_not_given_is_left_out(step: StepStruct, written: object) -> None:
    assert step.as_step() == written
