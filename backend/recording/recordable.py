"""What real brokers can be made to do, of one step and of a scenario's start."""

from collections.abc import Callable, Iterator, Mapping

from sim_engine.actions import Ask, Expect, Note, steps
from sim_engine.class_tables import for_class
from sim_engine.conformance.recording import KRAFT_CONTROLLER
from sim_engine.identifiers import CONTROLLER, BrokerId
from sim_engine.releases import is_within
from sim_engine.scenario_reader.document import PartitionSpec, Scenario, ScenarioStep
from sim_engine.versions import Control

METADATA_AS_A_WHOLE = "the metadata log is held and released as a whole"
ZK_CONTROLLER = BrokerId(9)
"""Under ZooKeeper, the broker without replicas that starts first, and so becomes the controller."""
_LONGEST_WAIT_MS = 120_000


def of_start(scenario: Scenario) -> Iterator[str]:
    """What a new cluster cannot begin with."""
    if len(scenario.topics) > 1:
        yield "topics: a recording has one topic; give it several partitions"
    if len({len(one.replicas) for one in scenario.topics[0].partitions}) > 1:
        yield "topics, partitions: a new topic has as many replicas in each"
    if scenario.rules:
        yield "rules: those of a release cannot be switched"
    if scenario.levels and "inter_broker_protocol_version" in scenario.levels:
        yield "inter_broker_protocol_version: a new cluster has that of its release"
    for broker in scenario.brokers:
        if broker.id in (ZK_CONTROLLER, KRAFT_CONTROLLER):
            yield f"brokers, {broker.id}: the controller has this id"
        if broker.state != "running" or broker.rack is not None:
            yield f"brokers, {broker.id}: every broker starts, without a rack"
    for name, partition in scenario.partitions.items():
        if partition != PartitionSpec(number=partition.number, replicas=partition.replicas):
            yield f"topics, {name}: a new cluster is empty; write the steps that lead to this state"


def is_left_out(step: ScenarioStep, release: str, control: Control) -> bool:
    """Whether the scenario expects that a step is not possible in a release. A KRaft controller
    responds to a reassignment that it rejects, which is recorded.
    """
    if isinstance(step.step, steps.Reassign) and control == "kraft":
        return False
    if isinstance(step.refused, bool):
        return step.refused
    return any(is_within(release, text) for text in step.refused)


def recordable(step: ScenarioStep, scenario: Scenario, control: Control) -> str | None:
    """Why real brokers cannot be made to do a step at the grain of a scenario; None if they can.

    A step may still be refused by `plan`, for what comes before it.
    """
    partition = getattr(step.step, "partition", None) or getattr(step.step, "to", None)
    first = f"{scenario.topics[0].name}-0"
    if isinstance(partition, str) and isinstance(step.step, _OF_PARTITION) and partition != first:
        return f"only {first} is recorded"
    check = _CHECKS.get(type(step.step))
    return _UNKNOWN if check is None else check(control, step.step)


_UNKNOWN = "the format of recordings has no such step"
_OF_PARTITION = (steps.Produce, steps.Consume, steps.Elect, steps.Reassign, steps.Fetch)


def _possible(_control: Control, _step: object) -> None:
    return None


def _consume(_control: Control, step: steps.Consume) -> str | None:
    if step.rack is not None:
        return "brokers start without a rack"
    return None if step.max is None else "a consumer takes everything that it is sent"


def _fetch(_control: Control, step: steps.Fetch) -> str | None:
    if step.records is not None:
        return "the number of records of a response cannot be chosen"
    if step.only is not None:
        return "the truncation phase cannot be separated from the fetch"
    return None


def _message(control: Control, step: steps.OneMessage) -> str | None:
    if step.nth is not None:
        return "the message is the oldest one"
    if step.is_metadata_log or step.kind == steps.METADATA:
        if control == "zookeeper":
            return "under ZooKeeper there is no metadata log"
        if isinstance(step, steps.Drop):
            return METADATA_AS_A_WHOLE
        return None
    if step.kind not in ("fetch_request", "fetch_response"):
        return f"messages of the kind {step.kind} cannot be delivered one by one"
    if isinstance(step, steps.Drop) and step.kind == "fetch_request":
        return "only responses can be dropped"
    return None


def _whole(_control: Control, step: steps.Shutdown | steps.Detect | steps.Elect) -> str | None:
    return None if step.only is None else "the controller's commands arrive at once"


def _power_loss(_control: Control, step: steps.PowerLoss) -> str | None:
    if step.keep is None:
        return "name with keep which records survive: what a broker has flushed is not chosen"
    return None


def _boot(control: Control, step: steps.Boot) -> str | None:
    if control == "kraft" and step.session is not None:
        return "under KRaft, a broker registers when its old session has ended"
    return None


def _isolate(control: Control, step: steps.Isolate) -> str | None:
    if control == "zookeeper" and step.from_ != "brokers":
        return "a broker's connections to ZooKeeper cannot be cut"
    return None


def _link(_control: Control, step: steps.Cut | steps.Heal) -> str | None:
    if CONTROLLER in (step.from_, step.to):
        return "the connections to a controller are cut in both directions: use isolate"
    return None


def _reassign(_control: Control, step: steps.Reassign) -> str | None:
    return None if step.only is None else "the controller's commands arrive at once"


def _config(control: Control, step: steps.Config) -> str | None:
    if step.only is not None:
        return "the controller's commands arrive at once"
    if step.levels:
        return "the protocol level is not changed"
    return "under ZooKeeper, settings are not changed" if control == "zookeeper" else None


def _time(_control: Control, step: steps.Advance | steps.Run) -> str | None:
    return None if step.ms <= _LONGEST_WAIT_MS else f"waits of more than {_LONGEST_WAIT_MS} ms"


def _timer(_control: Control, step: steps.Timer) -> str | None:
    if step.kind == "high_watermark_checkpoint":
        return None
    return f"a real timer of the kind {step.kind} cannot be fired"


_CHECKS: Mapping[type[object], Callable[[Control, object], str | None]] = dict(
    (
        for_class(Note, _possible),
        for_class(Ask, _possible),
        for_class(Expect, _possible),
        for_class(steps.Produce, _possible),
        for_class(steps.Retry, _possible),
        for_class(steps.Transaction, _possible),
        for_class(steps.Consume, _consume),
        for_class(steps.Refresh, _possible),  # producers here always know the leader
        for_class(steps.Fetch, _fetch),
        for_class(steps.SendFetch, _possible),
        for_class(steps.Deliver, _message),
        for_class(steps.Drop, _message),
        for_class(steps.Hold, _message),
        for_class(steps.Release, _message),
        for_class(steps.Crash, _possible),
        for_class(steps.PowerLoss, _power_loss),
        for_class(steps.DiskLoss, _possible),
        for_class(steps.Shutdown, _whole),
        for_class(steps.Pause, _possible),
        for_class(steps.Resume, _possible),
        for_class(steps.Start, _possible),
        for_class(steps.Boot, _boot),
        for_class(steps.Cut, _link),
        for_class(steps.Heal, _link),
        for_class(steps.Isolate, _isolate),
        for_class(steps.Detect, _whole),
        for_class(steps.Elect, _whole),
        for_class(steps.Reassign, _reassign),
        for_class(steps.Config, _config),
        for_class(steps.Timer, _timer),
        for_class(steps.Advance, _time),
        for_class(steps.Run, _time),
        for_class(steps.Settle, _possible),
    )
)
"""The steps that can be recorded, each with what is not possible of it."""
