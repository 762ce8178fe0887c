"""A cluster's assessment, computed cell by cell, the most threatened partitions first."""

from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.assessment.cases import FAILURES, cases_of, showing
from sim_engine.assessment.printed import Changes, PrintedCluster, PrintedKind, PrintedPartition
from sim_engine.assessment.searching import PartitionSearch
from sim_engine.assessment.verdicts import (
    FILE,
    LOSES,
    CellResult,
    CellRun,
    KindVerdicts,
    Reason,
    rank_of,
    reason_of,
)
from sim_engine.cluster_import.parsed_state import ParsedPartition, ParsedState
from sim_engine.documents.assessment import (
    AssessedCell,
    AssessedSearch,
    FailureName,
    KnownLoss,
    Likelihood,
)
from sim_engine.error_texts import Wording
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.json_types import JsonObject
from sim_engine.known_losses.catalogue import WAYS, Way
from sim_engine.known_losses.entries import known_losses_for
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.scenario_reader.reader import read_scenario_document

_WAYS_OF_RACKS = tuple(way for way in WAYS if way.depends_on_racks)
_OTHER_WAYS = tuple(way for way in WAYS if not way.depends_on_racks)


class AssessedCellResult(Struct, frozen=True, kw_only=True):
    """One computed cell of a kind, with its reason."""

    result: CellResult
    reason: Reason


class KindAssessment:
    """One kind of partition and its cells as far as they are computed."""

    def __init__(self, printed: PrintedCluster, kind: PrintedKind, number: int) -> None:
        self.id = f"k{number}"
        """Stays the same while cells are computed."""
        self.kind = kind
        self.cells: dict[FailureName, AssessedCellResult] = {}
        self.documents: dict[FailureName, AssessedCell] = {}
        """Their documents, once they were asked for."""
        self.known: tuple[KnownLoss, ...] | None = None
        """The known ways to lose its records; null while they are not computed."""
        self.by_itself: CellResult | None = None
        """What can happen without a failure; null while it is not computed."""
        self._printed = printed
        self._verdicts: KindVerdicts | None = None
        self.min_isr = printed.min_isr_of(kind)

    @property
    def example(self) -> PrintedPartition:
        """The first partition."""
        return self.kind.partitions[0]

    @property
    def leader(self) -> BrokerId:
        """The leader of the first partition; -1 if there is none."""
        leader = self.kind.about.leader
        return NO_LEADER if leader is None else leader

    @property
    def isr(self) -> tuple[BrokerId, ...]:
        """The ISR of the first partition."""
        return self.kind.about.isr or ()

    def of(self, printed: PrintedCluster, partition: PrintedPartition) -> ParsedPartition:
        """The printed state of one of its partitions."""
        return printed.kept(partition.name)

    def leader_of(self, printed: PrintedCluster, partition: PrintedPartition) -> BrokerId:
        """The leader of one of its partitions; -1 if there is none."""
        leader = self.of(printed, partition).leader
        return NO_LEADER if leader is None else leader

    def names(self, partition: PrintedPartition) -> dict[BrokerId, BrokerId]:
        """Position → broker."""
        names = {BrokerId(place): one for place, one in enumerate(partition.brokers, 1)}
        return {**names, NO_LEADER: NO_LEADER}

    def compute(self, failure: FailureName) -> None:
        """Compute one cell."""
        result = self._computing().cell(failure)
        run = None if result.case is None else CellRun(result.case, result)
        reason = reason_of(result, failure, self._printed.acks, run)
        if run is not None and result.verdict in LOSES:
            result = replace(result, showing=showing(run.end, run.case.acked))
        self.cells[failure] = AssessedCellResult(result=result, reason=reason)

    def compute_by_itself(self) -> None:
        """Compute what can happen without a failure."""
        self.by_itself = self._computing().without_failure()

    def compute_known(self) -> None:
        """Compute the known ways to lose its records: those that depend on racks for each way in
        which its partitions are spread over racks.
        """
        known = [*self._known_in(self.kind.partitions, _OTHER_WAYS)]
        for partitions in self._by_racks():
            known += self._known_in(partitions, _WAYS_OF_RACKS)
        self.known = tuple(known)

    def _known_in(
        self, partitions: Sequence[PrintedPartition], ways: Sequence[Way]
    ) -> Iterator[KnownLoss]:
        """The known ways of partitions that do not differ in them."""
        scenario = read_scenario_document(self._printed.document(self.kind, partitions[0]))
        (name,) = scenario.partitions
        names = tuple(str(partition.name) for partition in partitions)
        for one in known_losses_for(scenario, name, self._printed.acks, ways).entries:
            yield replace(one, partitions=names)

    def _by_racks(self) -> list[list[PrintedPartition]]:
        """The partitions of which the same replicas share a rack."""
        racks = self._printed.racks
        found: dict[tuple[int | None, ...], list[PrintedPartition]] = {}
        for partition in self.kind.partitions:
            of = [racks.get(broker) for broker in partition.brokers]
            spread = tuple(None if rack is None else of.index(rack) for rack in of)
            found.setdefault(spread, []).append(partition)
        return list(found.values())

    def _computing(self) -> KindVerdicts:
        if self._verdicts is None:
            cases = cases_of(self._printed, self.kind)
            self._verdicts = KindVerdicts(cases, self._printed.acks)
        return self._verdicts

    def forget(self) -> None:
        """Release what was needed to compute the cells."""
        self._verdicts = None

    @property
    def worst(self) -> int:
        """How bad the worst computed cell is, by `SEVERITY`; -1 if none is computed."""
        return max((rank_of(one.result.verdict) for one in self.cells.values()), default=-1)

    @property
    def loses(self) -> bool:
        """Whether one failure can lose acknowledged records, as far as it is computed."""
        return any(one.result.verdict in LOSES for one in self.cells.values())

    @property
    def threat(self) -> tuple[int, ...]:
        """How urgent it looks before anything is computed, the most urgent first."""
        size = len(self.isr)
        margin = size - self.min_isr
        is_whole = size == len(self.kind.about.replicas)
        return (self.leader != NO_LEADER, size > 1, min(margin, 2), is_whole)


class Assessment:
    """The kinds of partitions of a cluster, and their cells.

    The errors are those of `PrintedCluster`.
    """

    def __init__(self, parsed: ParsedState, changes: Changes | None = None) -> None:
        self.printed = PrintedCluster(parsed, changes or Changes())
        self.kinds = sorted(
            (
                KindAssessment(self.printed, kind, number)
                for number, kind in enumerate(self.printed.kinds, 1)
            ),
            key=lambda one: one.threat,
        )

    @property
    def total(self) -> int:
        """The number of cells."""
        return len(self.kinds) * len(FAILURES)

    @property
    def done(self) -> int:
        """The number of computed cells."""
        return sum(len(kind.cells) for kind in self.kinds)

    @property
    def is_complete(self) -> bool:
        """Whether everything is computed."""
        return all(
            len(kind.cells) == len(FAILURES) and kind.known is not None for kind in self.kinds
        )

    def compute(self) -> Iterator[tuple[KindAssessment, FailureName]]:
        """Compute the cells, the most threatened kinds first; yields after each. Whoever iterates
        may stop at any time, and may begin again later.
        """
        for kind in list(self.kinds):
            for failure in FAILURES:
                if failure not in kind.cells:
                    kind.compute(failure)
                    yield kind, failure
            if kind.by_itself is None:
                kind.compute_by_itself()
                kind.compute_known()
            kind.forget()

    def worst_first(self) -> list[KindAssessment]:
        """The kinds, the worst first: by their worst cell, then by the number of such cells."""

        def order(kind: KindAssessment) -> tuple[object, ...]:
            ranks = sorted(-rank_of(one.result.verdict) for one in kind.cells.values())
            by_itself = kind.by_itself is not None and kind.by_itself.verdict in LOSES
            return (not by_itself, ranks, kind.threat, str(kind.example.name))

        return sorted(self.kinds, key=order)

    def find(self, partition: str) -> tuple[KindAssessment, PrintedPartition] | None:
        """A partition by its name, with its kind; null if there is none."""
        return next(
            (
                (kind, one)
                for kind in self.kinds
                for one in kind.kind.partitions
                if str(one.name) == partition
            ),
            None,
        )

    def search(self, partition: str) -> PartitionSearch | None:
        """The search of a partition by its name, not begun yet; null if there is none."""
        found = self.find(partition)
        if found is None:
            return None
        kind, one = found
        return PartitionSearch(self.printed, kind.kind, one)

    def known_losses(self) -> tuple[KnownLoss, ...]:
        """The known ways to lose records, the likeliest first, each with the partitions that it
        threatens; it is shown on the one where it is likeliest and, of those, where most closes it.
        """
        found: dict[str, KnownLoss] = {}
        threatened: dict[str, list[str]] = {}
        for kind in self.worst_first():
            for one in kind.known or ():
                names = list(one.partitions)
                best = found.get(one.id)
                if best is None or _likely(one) < _likely(best):
                    found[one.id], threatened[one.id] = one, names
                elif one.likelihood != best.likelihood:
                    continue
                elif len(one.closed_by) > len(best.closed_by):
                    found[one.id], threatened[one.id] = one, names + threatened[one.id]
                else:
                    threatened[one.id] += names
        ranked = sorted(found.values(), key=_likely)
        return tuple(replace(one, partitions=tuple(threatened[one.id])) for one in ranked)

    @property
    def may_lose(self) -> bool:
        """Whether one failure can lose acknowledged records, or whether that is undecided."""
        return bool(self.printed.refused) or any(
            kind.loses or any(cell.result.verdict is None for cell in kind.cells.values())
            for kind in self.kinds
        )

    def document(self, searches: Sequence[AssessedSearch] = ()) -> JsonObject:
        """The output of `assess --json`."""
        partitions = [
            {
                "partition": str(partition.name),
                "leader": kind.leader_of(self.printed, partition),
                "isr": list(kind.of(self.printed, partition).isr or ()),
                "elr": list(kind.of(self.printed, partition).elr),
                "min_insync_replicas": kind.min_isr,
                "next": {
                    failure: _cell_document(kind, partition, cell)
                    for failure, cell in sorted_cells(kind)
                },
            }
            for kind in self.worst_first()
            for partition in kind.kind.partitions
        ]
        return {
            "kafka": self.printed.release.kafka,
            "partitions": partitions,
            "known_losses": [
                {
                    "id": one.id,
                    "title": one.title[DEFAULT_LANGUAGE],
                    "partitions": list(one.partitions),
                    "likelihood": one.likelihood,
                    "closed_by": [closing.text[DEFAULT_LANGUAGE] for closing in one.closed_by],
                }
                for one in self.known_losses()
            ],
            "searches": [
                {
                    "partition": one.partition,
                    "question": one.question,
                    "outcome": one.outcome,
                    "text": one.text[DEFAULT_LANGUAGE],
                    "scope": one.scope[DEFAULT_LANGUAGE],
                    "left_out": one.left_out.get(DEFAULT_LANGUAGE),
                    "states": one.states,
                    "start": one.start,
                    "steps": one.steps,
                }
                for one in searches
            ],
            **self._refused(),
        }

    def _refused(self) -> JsonObject:
        """The partitions that could not be judged; nothing if there are none."""
        refused = [
            {
                "partitions": list(map(str, one.names)),
                "file": one.problem.file,
                "line": one.problem.line,
                "why": one.problem.message,
            }
            for one in self.printed.refused
        ]
        return {"refused": refused} if refused else {}


def sorted_cells(kind: KindAssessment) -> list[tuple[FailureName, AssessedCellResult]]:
    """The computed cells of a kind in the order of the table."""
    return [(failure, kind.cells[failure]) for failure in FAILURES if failure in kind.cells]


def why_of(kind: KindAssessment, partition: PrintedPartition, cell: AssessedCellResult) -> Wording:
    """The sentence of a cell, with what was assumed about brokers that may be up or down."""
    why = cell.reason.worded("why", kind.names(partition))
    case, standings = cell.result.case, zip(partition.brokers, kind.kind.standings, strict=True)
    unknown = tuple(str(broker) for broker, standing in standings if standing == "unknown")
    if case is None or not unknown:
        return why
    assumed = Wording(f"assumed-{case.unknown_are}", {"brokers": unknown}, FILE)
    return Wording("why_assumed", {"why": why, "assumed": assumed}, FILE)


def brokers_of(
    kind: KindAssessment, partition: PrintedPartition, cell: AssessedCellResult
) -> tuple[BrokerId, ...]:
    """The brokers that lead to a verdict."""
    names = kind.names(partition)
    return (
        () if cell.result.is_refused else tuple(sorted(names[one] for one in cell.result.brokers))
    )


def _cell_document(
    kind: KindAssessment, partition: PrintedPartition, cell: AssessedCellResult
) -> JsonObject:
    return {
        "verdict": cell.result.verdict or "undecided",
        "brokers": list(brokers_of(kind, partition, cell)),
        "why": why_of(kind, partition, cell).text(),
    }


def _likely(one: KnownLoss) -> tuple[int, int]:
    return (get_args(Likelihood).index(one.likelihood), one.failures)
