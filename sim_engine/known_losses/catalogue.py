"""The catalogue: each known way to lose acknowledged records, where it is from, and what may close
it. Everything else about it is the result of runs.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sim_engine.known_losses import plots
from sim_engine.known_losses.plots import Plotted
from sim_engine.known_losses.start_state import FLUSH, MIN_ISR, UNCLEAN

ClosingKind = Literal["setting", "release", "procedure"]


class Closing(Struct, frozen=True, kw_only=True):
    """A change that may close a way: a setting with its value, or what an operator does instead.

    A setting without a value is set to the number of replicas. A release needs no entry: the first
    one after those in which the way loses is always tried.
    """

    id: str
    setting: str | None = None
    value: int | bool | str | None = None
    plot: Plotted | None = None

    @property
    def kind(self) -> ClosingKind:
        """Whether it is a setting or a procedure."""
        return "setting" if self.plot is None else "procedure"


class Way(Struct, frozen=True, kw_only=True):
    """One known way. Its film is a plot, or a lesson on the reader's brokers.

    `lessons` and `challenges` are where it is shown; `finding` is its page in docs/findings.
    `is_race` means that messages have to arrive in a particular order, `needs_acks_1` that the
    leader acknowledges alone, and `depends_on_racks` that several brokers fail at the same time,
    which is likely only if they share their power.
    """

    id: str
    lessons: tuple[str, ...] = ()
    challenges: tuple[str, ...] = ()
    finding: str | None = None
    plot: Plotted | None = None
    is_race: bool = False
    needs_acks_1: bool = False
    depends_on_racks: bool = False
    closings: tuple[Closing, ...] = ()


_TWO_IN_SYNC = Closing(id="min-isr", setting=MIN_ISR, value=2)
_FLUSHED = Closing(id="flush", setting=FLUSH, value=1)
_CLEAN = Closing(id="clean-only", setting=UNCLEAN, value=False)
_ALL = Closing(id="acks-all", setting="acks", value="all")

WAYS: tuple[Way, ...] = (
    Way(
        id="killed-replica-not-trusted",
        lessons=("surviving-copy-destroyed-with-elr",),
        plot=plots.killed_replica_is_not_trusted,
        closings=(Closing(id="elect-survivor", plot=plots.elect_the_survivor), _FLUSHED),
    ),
    Way(
        id="surviving-copy-truncated",
        lessons=("surviving-copy-destroyed", "survivor-cut-off", "eligible-replica-rescues"),
        challenges=("crash-and-power", "crash-and-power-in-three"),
        plot=plots.surviving_copy_is_truncated,
        closings=(Closing(id="elect-survivor", plot=plots.elect_the_survivor), _FLUSHED),
    ),
    Way(
        id="last-in-sync-loses-power",
        lessons=("last-replica-standing",),
        challenges=("crash-and-power",),
        plot=plots.only_copy_loses_power,
        closings=(_TWO_IN_SYNC, _ALL, _FLUSHED),
    ),
    Way(
        id="last-in-sync-loses-disk",
        plot=plots.only_copy_loses_disk,
        closings=(
            Closing(id="min-isr-elect", setting=MIN_ISR, value=2, plot=plots.elect_another),
            _ALL,
        ),
    ),
    Way(
        id="all-lose-power",
        lessons=(
            "whole-cluster-power-loss",
            "power-loss-of-both",
            "power-loss-of-both-with-epochs",
            "power-loss-four-records",
        ),
        challenges=("power-of-two", "power-of-three"),
        plot=plots.all_copies_lose_power,
        depends_on_racks=True,
        closings=(Closing(id="separate-power", plot=plots.spare_one_copy), _FLUSHED),
    ),
    Way(
        id="unclean-by-setting",
        lessons=("unclean-election",),
        challenges=("unclean-by-default", "unclean-on-purpose"),
        plot=plots.unclean_by_setting,
        closings=(_CLEAN,),
    ),
    Way(
        id="unclean-by-hand",
        lessons=("unclean-setting-not-read", "kip-101-data-loss"),
        plot=plots.unclean_by_hand,
        closings=(
            Closing(id="start-member", plot=plots.start_a_member_first),
            Closing(id="elect-survivor", plot=plots.elect_the_survivor),
        ),
    ),
    Way(
        id="leader-crashes-before-replication",
        lessons=("acks-1-loses-on-failover", "eligible-replica-elected", "fast-leader-failover"),
        plot=plots.leader_crashes_first,
        needs_acks_1=True,
        closings=(_ALL,),
    ),
    Way(
        id="leadership-moves",
        lessons=("acks-1-loses-on-failover",),
        plot=plots.leadership_moves,
        needs_acks_1=True,
        closings=(_ALL,),
    ),
    Way(
        id="leader-cut-off",
        lessons=("zombie-leader",),
        plot=plots.leader_is_cut_off,
        needs_acks_1=True,
        closings=(_ALL,),
    ),
    Way(
        id="follower-truncates-to-its-high-watermark",
        lessons=("unnoticed-bounce", "leader-flaps-lose-a-record", "follower-bounce-five-records"),
        challenges=("unclean-by-default",),
        is_race=True,
    ),
    Way(
        id="leader-back-too-soon",
        lessons=("follower-stops-itself",),
        is_race=True,
        closings=(_FLUSHED,),
    ),
    Way(
        id="follower-back-too-soon",
        lessons=("unnoticed-power-loss",),
        is_race=True,
        closings=(_FLUSHED,),
    ),
    Way(id="joins-before-caught-up", lessons=("isr-join-guard",), is_race=True),
    Way(id="epoch-unknown-to-leader", lessons=("undefined-epoch-fallback",), is_race=True),
    Way(id="stale-command", lessons=("stale-queued-epoch",), is_race=True),
    Way(
        id="missed-deposition",
        lessons=("missed-deposition",),
        finding="missed-deposition",
        plot=plots.leader_misses_its_deposition,
        is_race=True,
        closings=(Closing(id="min-isr-all", setting=MIN_ISR),),
    ),
    Way(
        id="late-response",
        lessons=("late-answer-of-an-old-epoch",),
        finding="late-response",
        is_race=True,
    ),
)

NOT_WAYS: Mapping[str, Literal["no_release"]] = {
    "what-if-proposed-shrink-counts": "no_release",
    "what-if-committed-isr-counts": "no_release",
}
"""The lessons that lose records and show no way, and why: they have a rule that no release has."""
