"""A scenario as JSON, in the format of the file, with every value written out.

`scenario_document` creates it. Any other document of these types is a candidate until
`read_scenario_document` has accepted it: the types define the place of each value, not whether it
is valid.
"""

from typing import NotRequired, TypeAlias, TypedDict

from sim_engine.configs import ConfigValue
from sim_engine.scenario_reader.document import Text

StepJson: TypeAlias = dict[str, dict[str, object]]
"""One entry of `steps`: the step's name and its arguments, `{"crash": {"broker": 2}}`."""


class LogJson(TypedDict, total=False):
    """The initial state of one replica's disk."""

    log: str
    log_start: int
    high_watermark: int
    flushed: int
    checkpoint: dict[str, int]
    epochs: list[list[int]]


class PartitionJson(TypedDict):
    """The replicas of a partition and its initial state; `logs` is by broker id."""

    replicas: list[int]
    leader: NotRequired[int]
    leader_epoch: NotRequired[int]
    partition_epoch: NotRequired[int]
    isr: NotRequired[list[int]]
    logs: NotRequired[dict[str, LogJson]]


class TopicJson(TypedDict):
    """A topic and its partitions."""

    name: str
    configs: NotRequired[dict[str, ConfigValue]]
    partitions: list[PartitionJson]


class BrokerJson(TypedDict):
    """What distinguishes a broker: its rack, and the settings that only it has."""

    rack: NotRequired[str]
    configs: NotRequired[dict[str, ConfigValue]]


class ScenarioJson(TypedDict):
    """The whole scenario. `brokers` are ids, or a mapping from id to what distinguishes it."""

    scenario: int
    id: str
    alias: NotRequired[str]
    chapter: NotRequired[str]
    title: Text
    summary: Text
    applies_to: NotRequired[dict[str, object]]
    source: list[str]
    control_run: NotRequired[str]
    kafka: str
    control: NotRequired[str]
    metadata_version: NotRequired[str]
    inter_broker_protocol_version: NotRequired[str]
    rules: dict[str, bool]
    seed: int
    brokers: list[int] | dict[str, BrokerJson]
    configs: dict[str, ConfigValue]
    topics: list[TopicJson]
    steps: list[StepJson]
