"""The known ways agree with the searches that are complete, and explain those that found a loss."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from sim_engine.campaign.summary import CellOfSearch, shipped_searches
from sim_engine.documents.assessment import KnownLoss
from sim_engine.exploration.alphabet import BUDGET_NAMES
from sim_engine.exploration.targets import NO_ACKED_RECORD_LOST
from sim_engine.identifiers import Acks
from sim_engine.known_losses.catalogue import WAYS
from tests.sim_engine.known_losses.printed import healthy, losses

LOSING = {summary.search: summary for summary in shipped_searches().values()}
NEEDS_ACKS_1 = {way.id for way in WAYS if way.needs_acks_1}


def cells() -> Iterator[CellOfSearch]:
    for summary in LOSING.values():
        if summary.property == NO_ACKED_RECORD_LOST:
            yield from summary.cells


def entries_of(cell: CellOfSearch) -> tuple[KnownLoss, ...]:
    """The known ways from the state in which the cell's search starts."""
    at = cell.settings
    acks: Acks = "all" if at["acks"] == "all" else 1
    names = ("min.insync.replicas", "unclean.leader.election.enable")
    settings = tuple((name, at[name]) for name in names if name in at)
    return _entries(
        str(at["kafka"]), str(at["control"]), acks, int(at["replication_factor"]), settings
    )


@cache
def _entries(
    kafka: str, control: str, acks: Acks, replicas: int, settings: tuple[tuple[str, Any], ...]
) -> tuple[KnownLoss, ...]:
    scenario = healthy(kafka, replicas, control=control, configs=dict(settings))
    return losses(scenario, acks).entries


def budget_of(cell: CellOfSearch) -> Counter[str]:
    entries = (entry.partition("=") for entry in str(cell.settings["budget"]).split(","))
    return Counter({name: int(number) for name, _, number in entries})


def used_by(entry: KnownLoss) -> Counter[str]:
    """What the film takes of the entries of a budget."""
    return Counter(name for step in entry.film["steps"] for name in step if name in BUDGET_NAMES)


def test_where_a_complete_search_finds_no_loss_no_film_has_one() -> None:
    complete = [cell for cell in cells() if cell.complete and cell.verdict != "violated"]
    assert complete

    contradicted = [
        f"{cell.settings}: {entry.id}"
        for cell in complete
        for entry in entries_of(cell)
        if used_by(entry) <= budget_of(cell)
    ]

    assert contradicted == []


def test_each_loss_that_a_search_finds_has_a_known_way() -> None:
    found = [cell for cell in cells() if cell.verdict == "violated"]
    assert found

    unknown = [
        f"{cell.settings}: {cell.cause}"
        for cell in found
        if not any(explains(entry, cell) for entry in entries_of(cell))
    ]

    assert unknown == []


def explains(entry: KnownLoss, cell: CellOfSearch) -> bool:
    """Whether a way needs no more failures than the search found."""
    if cell.settings["acks"] != "all":
        return entry.id in NEEDS_ACKS_1
    return entry.failures <= sum(cell.faults.values())
