"""The settings of brokers that carry out a scenario: its own, and those that keep real timers and
slow machines out of it.
"""

from backend.recording.recordable import ZK_CONTROLLER
from sim_engine.actions import steps
from sim_engine.identifiers import BrokerId
from sim_engine.scenario_reader.document import Scenario
from sim_engine.versions import Control

_CHECKPOINT = "replica.high.watermark.checkpoint.interval.ms"
_LAG = "replica.lag.time.max.ms"
_NEVER_MS = 3_600_000
_LONG_MS = 300_000
_WITH_LAG_MS = 900_000
"""As long as nothing lasts that waits in each step until whoever lags has left the ISR."""
_SHORT_LAG_MS = 10_000
"""The lag time up to 2.4, the shortest default: in less, no replica of a scenario lags. Reading the
brokers takes real time.
"""
_TIMEOUT_MS = 60_000


def configs_of(scenario: Scenario, control: Control) -> dict[str, object]:
    """The brokers' settings: those of the scenario, and what keeps real timers out of it."""
    timers = any(isinstance(step.step, steps.Timer) for step in scenario.steps)
    configs: dict[str, object] = {
        _CHECKPOINT: 100 if timers else _NEVER_MS,
        "auto.leader.rebalance.enable": False,
        "replica.fetch.backoff.ms": 300,  # less than two reads are apart
    }
    if _passes_quickly(scenario):
        configs |= {_LAG: _LONG_MS, "replica.socket.timeout.ms": _limit_ms(scenario)}
        if control == "kraft":  # a crash waits for it; a live broker on a slow machine outlives it
            configs["broker.session.timeout.ms"] = 20_000
    if control == "zookeeper":
        # Sessions end by steps alone.
        configs["zookeeper.session.timeout.ms"] = _WITH_LAG_MS if lags(scenario) else 120_000
    return configs | dict(scenario.configs)


def lags(scenario: Scenario) -> bool:
    """Whether the lag time of a scenario is so short that it passes while brokers are read. Then a
    step that an `advance` follows is read once, after that time.
    """
    lag_ms = scenario.configs.get(_LAG)
    return isinstance(lag_ms, int) and lag_ms < _SHORT_LAG_MS


def _passes_quickly(scenario: Scenario) -> bool:
    """Whether so little time passes in a scenario that no limit of its own but the lag time ends in
    it. Then real time, of which a slow machine needs more, ends none either.
    """
    waits = (one.step for one in scenario.steps)
    passed_ms = sum(one.ms for one in waits if isinstance(one, steps.Advance | steps.Run))
    return passed_ms < _SHORT_LAG_MS or lags(scenario)


def _limit_ms(scenario: Scenario) -> int:
    """A time that does not end in a scenario, in ms."""
    return _WITH_LAG_MS if lags(scenario) else _LONG_MS


def coordinator_of(scenario: Scenario, control: Control) -> BrokerId | None:
    """The broker with the log of transactions: one without replicas, if there is any."""
    if not any(isinstance(step.step, steps.Transaction) for step in scenario.steps):
        return None
    if control == "zookeeper":
        return ZK_CONTROLLER
    members = {one for partition in scenario.partitions.values() for one in partition.replicas}
    return max(scenario.broker_ids, key=lambda one: (one not in members, one))


def produce_timeout_ms(scenario: Scenario) -> int:
    """The timeout of a request that has none of its own, in ms."""
    return _limit_ms(scenario) if _passes_quickly(scenario) else _TIMEOUT_MS
