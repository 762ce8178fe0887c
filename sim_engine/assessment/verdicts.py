"""The verdict of each cell: the worst over the brokers that a failure can strike, over everything
that can follow, and over what the printed state leaves open.

The reason of a verdict is a code with the brokers, from the events of its run. The sentences are in
`assessment.ftl` of each language.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from sim_engine.actions.steps import DiskLoss, Happening, PowerLoss, Start
from sim_engine.assessment.cases import NAME, Case, Strike, has_leader, strikes
from sim_engine.assessment.what_follows import MOST_STATES, Aftermath, Followed
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.assessment import AssessmentVerdict, FailureName
from sim_engine.error_texts import Wording
from sim_engine.events.base import Event
from sim_engine.events.controller import LeaderElected, LeaderLost
from sim_engine.events.isr import IsrShrunk
from sim_engine.events.log import UnflushedRecordsLost
from sim_engine.events.process import DiskLost
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, Acks, BrokerId
from sim_engine.narration import RefusedError
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step

SEVERITY: tuple[AssessmentVerdict, ...] = (
    "keeps",
    "writes_stop",
    "unavailable",
    "can_lose",
    "lost",
)
"""The verdicts, the best first."""
LOSES: tuple[AssessmentVerdict | None, ...] = ("can_lose", "lost")
"""Those of a failure after which acknowledged records can be lost."""


class CellResult(Struct, frozen=True, kw_only=True):
    """The verdict of one cell. Brokers are positions.

    `case` is the one that shows it, and `steps` its run: the prelude, the failure and what follows.
    Null if the failure cannot happen. `struck` is the broker of that run; null if none is struck.
    """

    verdict: AssessmentVerdict | None
    """Null if it is undecided."""
    applies: bool = True
    is_refused: bool = False
    """Whether the controller refuses the failure: an election, because a broker leads."""
    brokers: tuple[BrokerId, ...] = ()
    struck: BrokerId | None = None
    case: Case | None = None
    strike: Strike = ()
    following: tuple[Happening, ...] = ()
    showing: tuple[Happening, ...] = ()
    """After a loss, how the last copies are truncated."""
    states: int = 0

    @property
    def steps(self) -> tuple[Happening, ...]:
        """The whole run."""
        prelude = self.case.prelude if self.case else ()
        return (*prelude, *self.strike, *self.following, *self.showing)


class _Judged(Struct, frozen=True, kw_only=True):
    """What one broker's failure does in one list of cases."""

    verdict: AssessmentVerdict | None
    broker: BrokerId | None
    case: Case
    strike: Strike
    following: tuple[Happening, ...]
    states: int


class KindVerdicts:
    """The cells of one kind of partition, computed one by one."""

    def __init__(self, cases: Sequence[Sequence[Case]], acks: Acks) -> None:
        self._cases = cases
        self._acks = acks
        self._aftermaths: dict[int, Aftermath] = {}

    def cell(self, failure: FailureName) -> CellResult:
        """Compute a cell."""
        judged: list[_Judged] = []
        for cases in self._cases:
            judged += self._judged(cases, failure)
        if not judged:
            cluster = self._cases[0][0].cluster
            if failure == "isolated_leader":
                return CellResult(verdict="keeps", applies=False)
            if failure == "unclean_election" and has_leader(cluster, NAME):
                leader = cluster.controller.partition(NAME).leader
                return CellResult(verdict="keeps", is_refused=True, brokers=(leader,))
            judged = [one for cases in self._cases for one in self._without_failure(cases)]
        decided = [one for one in judged if one.verdict is not None]
        worst = max(
            decided,
            key=lambda one: (rank_of(one.verdict), len(_with_the_same(one, judged))),
            default=judged[0],
        )
        if len(decided) < len(judged) and rank_of(worst.verdict) < rank_of("can_lose"):
            worst = next(one for one in judged if one.verdict is None)
        brokers = _with_the_same(worst, judged)
        return CellResult(
            verdict=worst.verdict,
            brokers=tuple(sorted(one for one in brokers if one is not None)),
            struck=worst.broker,
            case=worst.case,
            strike=worst.strike,
            following=worst.following,
            states=sum(one.states for one in judged),
        )

    def without_failure(self) -> CellResult:
        """What can happen without any failure, as a cell."""
        judged = [self._without_failure(cases) for cases in self._cases]
        worst = max((one for of in judged for one in of), key=lambda one: rank_of(one.verdict))
        return CellResult(
            verdict=worst.verdict, case=worst.case, following=worst.following, states=worst.states
        )

    def _judged(self, cases: Sequence[Case], failure: FailureName) -> list[_Judged]:
        judged: list[_Judged] = []
        # Another case may have other logs, and so other ways to lose power.
        ways = [(case, strikes(case.cluster, NAME, failure)) for case in cases]
        for broker in ways[0][1]:
            followed = [
                (case, way, result)
                for case, by_broker in ways
                for way in by_broker[broker]
                if (result := self._aftermath(case).follow(way)) is not None
            ]
            if followed:
                judged.append(self._judge(broker, followed))
        return judged

    def _without_failure(self, cases: Sequence[Case]) -> list[_Judged]:
        """The state itself, where the failure can strike nobody."""
        followed = [
            (case, (), result)
            for case in cases
            if (result := self._aftermath(case).follow(())) is not None
        ]
        return [self._judge(None, followed)]

    def _judge(
        self, broker: BrokerId | None, followed: Sequence[tuple[Case, Strike, Followed]]
    ) -> _Judged:
        verdict: AssessmentVerdict | None = "keeps"
        case, strike, result = followed[0]
        following: tuple[Happening, ...] = result.settled
        losing = [one for one in followed if one[2].loss is not None]
        if losing:
            case, strike, result = losing[0]
            following = result.loss or ()
            certain = len(losing) == len(followed) and not any(
                one.survives or one.is_cut for _, _, one in followed
            )
            verdict = "lost" if certain else "can_lose"
        elif any(one.is_cut for _, _, one in followed):
            verdict = None
        else:
            for found in followed:
                if found[2].leaderless is not None:
                    verdict, (case, strike, result) = "unavailable", found
                    following = result.leaderless or ()
                    break
                if verdict == "keeps" and self._acks == "all" and found[2].refuses is not None:
                    verdict, (case, strike, result) = "writes_stop", found
                    following = result.refuses or ()
        return _Judged(
            verdict=verdict,
            broker=broker,
            case=case,
            strike=strike,
            following=following,
            states=sum(one.states for _, _, one in followed),
        )

    def _aftermath(self, case: Case) -> Aftermath:
        number = id(case)
        if number not in self._aftermaths:
            self._aftermaths[number] = Aftermath(case.cluster, case.acked)
        return self._aftermaths[number]


def _with_the_same(one: _Judged, judged: Sequence[_Judged]) -> set[BrokerId | None]:
    """The brokers with the verdict of one, under the same assumption about what is unknown."""
    return {
        other.broker
        for other in judged
        if (other.verdict, other.case.unknown_are) == (one.verdict, one.case.unknown_are)
    }


def rank_of(verdict: AssessmentVerdict | None) -> int:
    """How bad a verdict is; -1 if it is undecided."""
    return -1 if verdict is None else SEVERITY.index(verdict)


# --- reasons --------------------------------------------------------------------------------------


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
