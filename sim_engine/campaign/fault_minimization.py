"""The smallest set of faults with which a run still loses an acknowledged record.

Faults are removed in halves, quarters and so on, down to single ones, until none can be removed
(delta debugging, Zeller and Hildebrandt). A try continues from the start of the first fault that it
removes, because nothing changes before. It ends at the time of the original loss. A record that is
not lost by then can still be lost when every fault is repaired and the cluster settles.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from sim_engine.campaign.grid import Cell
from sim_engine.campaign.plan import Fault, Plan
from sim_engine.campaign.plan_player import Player
from sim_engine.cluster.state import ClusterState
from sim_engine.invariants.fates import Losses
from sim_engine.simulation.step_execution import ExecutedAction, LimitReachedError


class LosingRun(Struct, frozen=True, kw_only=True):
    """A run up to its loss: the player, which has the steps and faults, and the cause
    of the loss.
    """

    player: Player
    losses: Losses


def smallest_loss(cell: Cell, plan: Plan, start: Callable[[], ClusterState]) -> LosingRun:
    """The run with a smallest set of faults that still loses a record. The whole plan must lose
    one.

    None of its faults can be removed alone. The result depends only on the cell, the plan and the
    start.
    """
    losses = Losses()
    whole = _Try(Player(cell, plan, start(), _watching(losses)), losses, {})
    assert whole.loses(), "the whole run lost a record"
    best = whole
    size = max(1, len(best.player.begun) // 2)
    while True:
        smaller = _with_fewer(best, size)
        if smaller is not None:
            best = smaller
        elif size == 1:
            return LosingRun(player=best.player, losses=best.losses)
        size = max(1, min(size // 2, len(best.player.begun) // 2))


def _with_fewer(best: "_Try", size: int) -> "_Try | None":
    """The run after removing every removable block of `size` faults, the latest first; `None` if
    none is removable.
    """
    changed = None
    for block in _blocks(best.player.begun, size):
        begun = [fault.number for fault in best.player.begun]
        left_out = [fault.number for fault in block if fault.number in begun]
        if not left_out:
            continue
        tried = best.without(left_out)
        if tried.loses():
            best = changed = tried
    return changed


def _blocks(faults: Sequence[Fault], size: int) -> list[Sequence[Fault]]:
    return [faults[first : first + size] for first in range(0, len(faults), size)][::-1]


class _Try:
    """A run that is played until it loses a record, with the snapshots needed to replay its end."""

    def __init__(
        self, player: Player, losses: Losses, before: dict[int, tuple[Player, Losses]]
    ) -> None:
        self.player = player
        self.losses = losses
        self._before = before
        """Number of a fault → the player and the losses before that fault."""

    def loses(self) -> bool:
        """Play the run. Returns whether it loses a record."""
        with suppress(LimitReachedError):
            self.player.play(lambda: self.losses.first is not None, self._keep)
        return self.losses.first is not None

    def _keep(self, number: int) -> None:
        losses = self.losses.copy()
        self._before[number] = self.player.branch(self.player.plan, _watching(losses)), losses

    def without(self, left_out: Sequence[int]) -> "_Try":
        """The same run without some of its faults, up to the time of the loss."""
        first = left_out[0]
        at, seen = self._before[first]
        losses = seen.copy()
        kept = frozenset(fault.number for fault in self.player.begun) - set(left_out)
        plan = at.plan.with_only(kept, since=at.position, until_ms=self.player.now_ms)
        before = {number: kept for number, kept in self._before.items() if number < first}
        return _Try(at.branch(plan, _watching(losses)), losses, before)


def _watching(losses: Losses) -> Callable[[ExecutedAction], None]:
    def watch(executed: ExecutedAction) -> None:
        for happened in executed.transition.events:
            losses.see(happened)

    return watch
