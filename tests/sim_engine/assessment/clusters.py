"""Pasted clusters, and their verdicts as short lines."""

from collections.abc import Collection, Mapping
from pathlib import Path

from sim_engine.assessment.assessment import Assessment, KindAssessment
from sim_engine.assessment.cases import FAILURES
from sim_engine.assessment.printed import Changes
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, ParsedState, Problems
from sim_engine.identifiers import BrokerId

PASTES = Path(__file__).parent / "pastes"
TWELVE = (PASTES / "twelve-partitions.txt").read_text(encoding="utf-8")
"""Three topics of a cluster of release 4, of which broker 1 is down."""


def described(
    leader: int | str = 1,
    replicas: str = "1,2,3",
    isr: str = "1,2,3",
    *,
    min_isr: int = 1,
    elr: str | None = None,
    last_known: str = "",
) -> str:
    """One partition, as `kafka-topics --describe` prints it."""
    columns = "" if elr is None else f"\tElr: {elr}\tLastKnownElr: {last_known}"
    return (
        f"Topic: t\tPartitionCount: 1\tReplicationFactor: {len(replicas.split(','))}"
        f"\tConfigs: min.insync.replicas={min_isr}\n"
        f"\tTopic: t\tPartition: 0\tLeader: {leader}\tReplicas: {replicas}\tIsr: {isr}{columns}\n"
    )


def parsed(text: str) -> ParsedState:
    """A pasted text, as it was read."""
    problems = Problems()
    state = read_files([ClusterFile("paste", text)], problems)
    problems.stop()
    return state


def assessed(
    text: str,
    kafka: str | None = None,
    *,
    down: Collection[int] = (),
    settings: Mapping[str, str] | None = None,
) -> Assessment:
    """A pasted cluster, with all cells computed."""
    changes = Changes(kafka=kafka, settings=settings or {}, down=frozenset(map(BrokerId, down)))
    assessment = Assessment(parsed(text), changes)
    for _ in assessment.compute():
        pass
    return assessment


def line(kind: KindAssessment) -> str:
    """The verdicts of a kind in the order of the table; `–` where a failure cannot happen."""
    cells = [kind.cells[failure].result for failure in FAILURES]
    return " ".join(str(cell.verdict) if cell.applies else "–" for cell in cells)


def verdicts(
    text: str,
    kafka: str | None = None,
    *,
    down: Collection[int] = (),
    settings: Mapping[str, str] | None = None,
) -> str:
    """The verdicts of the only partition of a cluster."""
    (kind,) = assessed(text, kafka, down=down, settings=settings).kinds
    return line(kind)
