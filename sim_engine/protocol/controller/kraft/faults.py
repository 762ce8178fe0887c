"""Faults of the KRaft controller: an exception while it computes a change of a partition. It
resigns and writes nothing, and the next active controller has the same state.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.events.controller import ControllerFailed
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.controller.state import Controller, ControllerOutcome
from sim_engine.protocol.metadata import PartitionRegistration


class ReplicaNotAssignedError(Exception):
    """The controller considers a broker that is no replica of the partition as its leader
    (`PartitionRegistration.directory` throws IllegalArgumentException).
    """

    def __init__(self, partition: PartitionRegistration, replica: BrokerId) -> None:
        super().__init__(f"Replica {replica} is not assigned to this partition.")
        self.partition = partition
        self.replica = replica


def controller_failed(
    controller: Controller,
    fault: ReplicaNotAssignedError,
    during: Literal["registration", "unfencing", "election"],
    broker: BrokerId | None = None,
) -> ControllerOutcome:
    """The outcome of a decision during which the controller fails: nothing is written.

    `broker` is the one whose registration or heartbeat the controller handled. It is remembered
    until the controller writes something, because its next attempt fails in the same way.
    """
    failed_for = controller.failed_for if broker is None else (*controller.failed_for, broker)
    return ControllerOutcome(
        controller=replace(controller, failed_for=tuple(sorted({*failed_for}))),
        events=(
            ControllerFailed(
                variant=during,
                partition=fault.partition.partition,
                broker=broker,
                replica=fault.replica,
                replicas=fault.partition.replicas,
            ),
        ),
    )
