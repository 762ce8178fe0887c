"""The films agree with the cells of an assessment, which are computed without them."""

from typing import Any

import pytest

from sim_engine.actions import STEPS
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Crash, DiskLoss, Isolate, PowerLoss
from sim_engine.documents.assessment import FailureName, KnownLoss
from tests.sim_engine.assessment.clusters import TWELVE, assessed, described

CELLS: dict[str, FailureName] = {
    name_of(Crash): "crash",
    name_of(PowerLoss): "power_loss",
    name_of(DiskLoss): "disk_loss",
    name_of(Isolate): "isolated_leader",
}
FAULTS = {name_of(kind) for kind in STEPS if kind.fault}
UNCLEAN = {"unclean.leader.election.enable": "true"}
ACKS_1 = {"acks": "1"}


@pytest.mark.parametrize(
    ("kafka", "min_isr", "partition", "down", "settings"),
    [
        ("4.1", 2, {}, (), {}),
        ("4.1", 1, {"isr": "1"}, (2, 3), {}),
        ("4.1", 2, {"isr": "1", "elr": "2"}, (3,), {}),
        ("4.1", 2, {"leader": "none", "isr": "", "elr": "2", "last_known": "1"}, (2,), {}),
        ("4.1", 2, {"leader": "none", "isr": "", "elr": "1,2"}, (1, 2, 3), {}),
        ("4.1", 2, {"leader": "none", "isr": "", "elr": "", "last_known": "1"}, (1,), {}),
        ("4.1", 2, {"isr": "1"}, (2, 3), {}),
        ("3.9", 2, {"isr": "1"}, (), {}),
        ("3.9", 1, {"leader": "none", "isr": "1"}, (1,), {}),
        ("3.9", 1, {"isr": "1"}, (2, 3), UNCLEAN),
        ("3.9", 1, {}, (), ACKS_1),
        ("2.3", 2, {"isr": "1"}, (2, 3), {}),
    ],
)
def test_a_film_of_one_failure_is_a_cell_that_can_lose(
    kafka: str,
    min_isr: int,
    partition: dict[str, Any],
    down: tuple[int, ...],
    settings: dict[str, str],
) -> None:
    text = described(**partition, min_isr=min_isr)
    (kind,) = assessed(text, kafka, down=down, settings=settings).kinds
    verdicts = {name: cell.result.verdict for name, cell in kind.cells.items()}
    assert kind.known is not None
    assert kind.by_itself is not None

    for film in kind.known:
        cell = cell_of(film)
        if cell is not None:
            assert verdicts[cell] in ("can_lose", "lost"), film.id
        if film.likelihood == "now":
            assert kind.by_itself.verdict in ("can_lose", "lost"), film.id


def cell_of(film: KnownLoss) -> FailureName | None:
    """The cell of the failure that a film begins with; None if it needs several or none, or an
    election by hand.
    """
    names = [name for step in film.film["steps"] for name in step]
    faults = [name for name in names if name in FAULTS]
    is_by_hand = "by hand" in film.why["en"]
    return CELLS.get(faults[0]) if len(faults) == 1 and not is_by_hand else None


def test_a_way_is_shown_on_the_partition_where_something_closes_it() -> None:
    known = {one.id: one for one in assessed(TWELVE).known_losses()}

    one = known["last-in-sync-loses-power"]

    assert one.partitions == ("audit-1", "payments-3")
    assert [closing.id for closing in one.closed_by] == ["min-isr", "flush"]
    assert [row.broker for row in one.figure.rows if row.leads] == [6]
