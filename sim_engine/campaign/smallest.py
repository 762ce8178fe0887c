"""The smallest set of faults with which a run still loses an acknowledged record.

Faults are left out by halves, by quarters and so on, down to single ones, until none can be (Zeller
and Hildebrandt's delta debugging). A try goes on from where the first fault that it leaves out
would have begun, because up to there nothing changes. It ends where the loss was: what is not lost
by then has one more chance, when every fault is repaired and the cluster settles.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from sim_engine.campaign.grid import Cell
from sim_engine.campaign.losses import Losses
from sim_engine.campaign.plan import Fault, Plan
from sim_engine.campaign.player import Player
from sim_engine.cluster.state import ClusterState
from sim_engine.simulation.play import LimitReachedError, Played


class LosingRun(Struct, frozen=True, kw_only=True):
    """A run up to its loss: the player, which has its steps and faults, and what led to it."""

    player: Player
    losses: Losses


def smallest_loss(cell: Cell, plan: Plan, start: Callable[[], ClusterState]) -> LosingRun:
    """The run with as few faults as still lose a record. The whole plan must lose one.

    None of its faults can be left out alone. Which ones are kept depends on the cell, the plan and
    the start only.
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
    """What still loses a record once every block of so many faults that can go is gone, the latest
    first; `None` where none can."""
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
    """A run that is played until it loses a record, with what it takes to play its end again."""

    def __init__(
        self, player: Player, losses: Losses, before: dict[int, tuple[Player, Losses]]
    ) -> None:
        self.player = player
        self.losses = losses
        self._before = before
        """The player and the losses as they were before each fault, by its number."""

    def loses(self) -> bool:
        """Play it; whether it loses a record."""
        with suppress(LimitReachedError):
            self.player.play(lambda: self.losses.first is not None, self._keep)
        return self.losses.first is not None

    def _keep(self, number: int) -> None:
        losses = self.losses.copy()
        self._before[number] = self.player.branch(self.player.plan, _watching(losses)), losses

    def without(self, left_out: Sequence[int]) -> "_Try":
        """The same run without some of its faults, as far as it has been lost by now."""
        first = left_out[0]
        at, seen = self._before[first]
        losses = seen.copy()
        kept = frozenset(fault.number for fault in self.player.begun) - set(left_out)
        plan = at.plan.with_only(kept, since=at.position, until_ms=self.player.now_ms)
        before = {number: kept for number, kept in self._before.items() if number < first}
        return _Try(at.branch(plan, _watching(losses)), losses, before)


def _watching(losses: Losses) -> Callable[[Played], None]:
    def watch(played: Played) -> None:
        for happened in played.transition.events:
            losses.see(happened)

    return watch
