"""Detections and decisions of the controller, and an administrator's requests."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, Partition, Replicas
from sim_engine.actions.processes import OneBroker
from sim_engine.configs import ConfigValue
from sim_engine.json_types import JsonObject
from sim_engine.versions import LevelName

ElectionKind = Literal["clean", "preferred", "unclean"]


class Detect(OneBroker, frozen=True, gc=False, kw_only=True):
    """The controller detects now that a broker failed or came back. Its commands reach every
    reachable broker."""

    row = 2


class Notice(OneBroker, frozen=True, gc=False, kw_only=True):
    """The controller detects one change of a broker's state and reacts to it."""

    def step(self) -> Detect:
        """The step that this action is part of."""
        return Detect(broker=self.broker)


class Elect(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator requests an election, after the controller has detected every failed broker.

    If `leader` is given, the step is refused unless that broker is elected.
    """

    partition: Partition
    kind: Annotated[ElectionKind, Meta(extra={"noun": "election_kind"})]
    leader: Broker | None = None


class AskElection(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator requests an election for one partition."""

    partition: Partition
    kind: ElectionKind

    def step(self) -> Elect:
        """The step that this action is part of."""
        return Elect(partition=self.partition, kind=self.kind)


class Reassign(StepStruct, frozen=True, gc=False, kw_only=True):
    """Reassigns a partition: to other replicas, or to the same ones in a different order. With
    `replicas: null`, cancels the reassignment in progress. The controller's commands reach every
    broker."""

    partition: Partition
    replicas: Replicas | None


class ReassignReplicas(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator reassigns a partition: to other replicas, or to the same ones in a different
    order. With `replicas: null`, the reassignment in progress is cancelled."""

    partition: Partition
    replicas: Replicas | None

    def step(self) -> Reassign:
        """The step that this action is part of."""
        return Reassign(partition=self.partition, replicas=self.replicas)


class Config(StepStruct, frozen=True, gc=False, kw_only=True):
    """Changes settings of one `topic`, of one `broker` or of the whole cluster, or the protocol
    level, at run time.

    In a file, topic, broker, level and settings are keys of the same mapping.
    """

    topic: str | None = None
    broker: Broker | None = None
    levels: Mapping[LevelName, str] = {}
    settings: Mapping[str, ConfigValue] = {}

    def arguments(self) -> JsonObject:
        """Topic or broker, level and settings as keys of one mapping."""
        entity: JsonObject = {"topic": self.topic, "broker": self.broker}
        named = {name: value for name, value in entity.items() if value is not None}
        return {**named, **dict(self.levels.items()), **self.settings}


class FailController(StepStruct, frozen=True, gc=False, kw_only=True):
    """Another broker becomes the controller. Its commands reach every reachable broker."""


class TakeOverController(StepStruct, frozen=True, gc=False, kw_only=True):
    """The controller fails and another one takes over. It is a broker without replicas."""

    def step(self) -> FailController:
        """The step that this action is part of."""
        return FailController()


Happening = Detect | Elect | Reassign | Config | FailController
"""The steps of this module."""

Action = Notice | AskElection | ReassignReplicas | Config | TakeOverController
"""The actions of this module."""
