"""Why a cell has its verdict: a code with the brokers, from the events of its run.

The sentences are in `assessment.ftl` of each language.
"""

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from sim_engine.actions.steps import DiskLoss, PowerLoss, Start
from sim_engine.assessment.cases import NAME, Case
from sim_engine.assessment.verdicts import CellResult
from sim_engine.assessment.what_follows import MOST_STATES
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.assessment import FailureName
from sim_engine.error_texts.wording import Wording
from sim_engine.events.base import Event
from sim_engine.events.election import LeaderElected, LeaderLost
from sim_engine.events.isr import IsrShrunk
from sim_engine.events.log import UnflushedRecordsLost
from sim_engine.events.process import DiskLost
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, Acks, BrokerId
from sim_engine.narration.sentences import RefusedError
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step

FILE = "assessment"
_DECISIVE: tuple[type[Event], ...] = (
    LeaderElected,
    LeaderLost,
    UnflushedRecordsLost,
    DiskLost,
    IsrShrunk,
)


class Reason(Struct, frozen=True, kw_only=True):
    """A reason: its code, and the values of its sentences. Brokers are positions."""

    code: str
    brokers: Mapping[str, tuple[BrokerId, ...]] = {}
    numbers: Mapping[str, int | str] = {}
    rule: str | None = None
    sources: tuple[str, ...] = ()

    def worded(self, prefix: str, names: Mapping[BrokerId, BrokerId]) -> Wording:
        """One of its texts, with the reader's numbers of the brokers."""
        brokers = {
            name: tuple(str(names[one]) for one in ones) for name, ones in self.brokers.items()
        }
        return Wording(f"{prefix}-{self.code}", {**self.numbers, **brokers}, FILE)


def reason_of(
    result: CellResult, failure: FailureName, acks: Acks, run: "CellRun | None"
) -> Reason:
    """The reason of a cell, from its run if it has one."""
    if run is None:
        return _without_run(result)
    code, brokers, numbers = _reason(result, failure, acks, run)
    decisive = run.decisive
    return Reason(
        code=code,
        brokers=brokers,
        numbers=numbers,
        rule=None if decisive is None else decisive.rule,
        sources=() if decisive is None else decisive.sources,
    )


class CellRun:
    """The events and the end of a cell's run. Everything after the prelude counts."""

    def __init__(self, case: Case, result: CellResult) -> None:
        self.case = case
        self.start = case.cluster
        self.result = result
        execution = StepExecution(case.cluster, FIRST_FRAME, 10_000)
        for step in (*result.strike, *result.following):
            try:
                execute_step(execution, step)
            except RefusedError:
                break  # a response that nobody waits for is in the way; the events before count
        self.end = execution.cluster
        self.events = tuple(event for one in execution.executed for event in one.transition.events)

    @property
    def before(self) -> tuple[BrokerId, tuple[BrokerId, ...]]:
        """The leader and the ISR before the failure."""
        registration = self.start.controller.partition(NAME)
        return registration.leader, registration.isr

    @property
    def after(self) -> tuple[BrokerId, tuple[BrokerId, ...]]:
        """The leader and the ISR at the end."""
        registration = self.end.controller.partition(NAME)
        return registration.leader, registration.isr

    @cached_property
    def elected(self) -> LeaderElected | None:
        """The last election."""
        return next((one for one in reversed(self.events) if isinstance(one, LeaderElected)), None)

    @cached_property
    def decisive(self) -> Event | None:
        """The last event that names the rule which decides."""
        return next(
            (one for one in reversed(self.events) if isinstance(one, _DECISIVE) and one.rule), None
        )

    @property
    def returned(self) -> BrokerId | None:
        """The broker whose return matters: one of the ELR, otherwise the last that is started."""
        starts = [step.broker for step in self.result.following if isinstance(step, Start)]
        eligible = [one for one in starts if one in self.start.controller.partition(NAME).elr]
        told = eligible or starts
        return told[-1] if told else None

    def least(self, cluster: ClusterState) -> int:
        """The effective min.insync.replicas."""
        return cluster.settings_of(NAME).effective_min_insync_replicas


_Parts = tuple[str, dict[str, tuple[BrokerId, ...]], dict[str, int | str]]


def _without_run(result: CellResult) -> Reason:
    if not result.applies:
        return Reason(code="no_leader")
    return Reason(code="refused", brokers={"leader": result.brokers})


def _reason(result: CellResult, failure: FailureName, acks: Acks, run: CellRun) -> _Parts:
    match result.verdict:
        case "can_lose" | "lost":
            return _loss(result, failure, acks, run)
        case "unavailable":
            return _unavailable(result, failure, run)
        case "writes_stop":
            return _stops(run)
        case "keeps":
            return _keeps(result, failure, run)
        case None:
            return "undecided", {}, {"states": MOST_STATES}


def _keeps(result: CellResult, failure: FailureName, run: CellRun) -> _Parts:
    leader, isr = run.after
    if failure == "isolated_leader" and result.struck is not None and leader != result.struck:
        seconds = run.start.session_timeout_ms // 1000
        named = {"broker": (result.struck,), "leader": (leader,)}
        return "new_leader", {**named}, {"seconds": seconds}
    code = "one_copy" if len(isr) == 1 and len(run.before[1]) > 1 else "goes_on"
    return code, {"leader": (leader,), "isr": isr}, {}


def _stops(run: CellRun) -> _Parts:
    leader, isr = run.after
    now = len(run.before[1]) < run.least(run.start)
    numbers: dict[str, int | str] = {"least": run.least(run.start)}
    return "stops_now" if now else "stops", {"leader": (leader,), "isr": isr}, numbers


def _unavailable(result: CellResult, failure: FailureName, run: CellRun) -> _Parts:
    if run.before[0] == NO_LEADER or result.struck is None:
        return "still_gone", {}, {}
    code = "until_reconnected" if failure == "isolated_leader" else "until_back"
    return code, {"broker": (result.struck,)}, {}


def _loss(result: CellResult, failure: FailureName, acks: Acks, run: CellRun) -> _Parts:
    leader, _ = run.after
    brokers: dict[str, tuple[BrokerId, ...]] = {}
    if leader != NO_LEADER:
        brokers["leader"] = (leader,)
    struck = run.before[0] if result.struck is None else result.struck
    if struck != NO_LEADER:
        brokers["broker"] = (struck,)
    if run.returned is not None:
        brokers["returned"] = (run.returned,)
    variant = None if run.elected is None else run.elected.variant
    code = _loss_code(result, failure, acks, variant, tuple(brokers))
    return code, brokers, {"acks": str(acks)}


def _loss_code(
    result: CellResult,
    failure: FailureName,
    acks: Acks,
    variant: str | None,
    known: tuple[str, ...],
) -> str:
    strikes_disk = any(isinstance(step, DiskLoss) for step in result.strike)
    strikes_power = any(isinstance(step, PowerLoss) for step in result.strike)
    if "leader" not in known:
        return "only_disk" if strikes_disk else "unflushed_only"
    if failure == "unclean_election":
        return "by_hand" if result.brokers == () and variant == "unclean" else "led_without"
    if variant == "last_known_leader" and "returned" in known:
        return "last_known"
    if strikes_disk:
        return "only_disk" if result.verdict == "lost" and variant != "unclean" else "disk"
    if variant == "unclean":
        return "surely_elected" if result.verdict == "lost" else "elected"
    if strikes_power:
        return "unflushed"
    if acks != "all":
        return "acks"
    return "later" if "returned" in known else "led_without"
