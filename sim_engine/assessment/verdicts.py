"""The verdict of each cell: the worst over the brokers that a failure can strike, over everything
that can follow, and over what the printed state leaves open.
"""

from collections.abc import Sequence

from msgspec import Struct

from sim_engine.actions.steps import Happening
from sim_engine.assessment.cases import NAME, Case
from sim_engine.assessment.failures import Strike, has_leader, strikes
from sim_engine.assessment.what_follows import Aftermath, Followed
from sim_engine.documents.assessment import AssessmentVerdict, FailureName
from sim_engine.identifiers import Acks, BrokerId

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
