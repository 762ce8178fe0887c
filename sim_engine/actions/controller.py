"""What the controller notices and decides, and what an administrator asks of it."""

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
    """The controller notices now what became of a broker; its commands reach all that can hear."""


class Notice(OneBroker, frozen=True, gc=False, kw_only=True):
    """The controller notices one thing that became of a broker, and acts on it."""

    def step(self) -> Detect:
        """The step that it is part of."""
        return Detect(broker=self.broker)


class Elect(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator asks for an election, once the controller has noticed everybody gone.

    With `leader` the step is refused unless that broker is elected.
    """

    partition: Partition
    kind: Annotated[ElectionKind, Meta(title="the kind of election")]
    leader: Broker | None = None


class AskElection(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator asks for an election of one partition."""

    partition: Partition
    kind: ElectionKind

    def step(self) -> Elect:
        """The step that it is part of."""
        return Elect(partition=self.partition, kind=self.kind)


class Reassign(StepStruct, frozen=True, gc=False, kw_only=True):
    """A partition is given other replicas, or the same in another order; commands reach all."""

    partition: Partition
    replicas: Replicas


class ReassignReplicas(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator gives a partition other replicas, or the same in another order."""

    partition: Partition
    replicas: Replicas

    def step(self) -> Reassign:
        """The step that it is part of."""
        return Reassign(partition=self.partition, replicas=self.replicas)


class Config(StepStruct, frozen=True, gc=False, kw_only=True):
    """Settings change while the cluster runs, of one `topic` or of all; or the protocol's level.

    In a file topic, levels and settings are keys of one mapping.
    """

    topic: str | None = None
    levels: Mapping[LevelName, str] = {}
    settings: Mapping[str, ConfigValue] = {}

    def arguments(self) -> JsonObject:
        """Topic, levels and settings as the keys of one mapping."""
        topic = {} if self.topic is None else {"topic": self.topic}
        return {**topic, **dict(self.levels.items()), **self.settings}


class FailController(StepStruct, frozen=True, gc=False, kw_only=True):
    """Another broker becomes the controller; its commands reach all that can hear."""


class TakeOverController(StepStruct, frozen=True, gc=False, kw_only=True):
    """The controller, a broker without replicas, fails and another takes over."""

    def step(self) -> FailController:
        """The step that it is part of."""
        return FailController()


Happening = Detect | Elect | Reassign | Config | FailController
"""What of these a scenario file may say."""

Action = Notice | AskElection | ReassignReplicas | Config | TakeOverController
"""What of these the engine performs."""
