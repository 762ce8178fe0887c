"""The scope of a search: what it may try, and what it leaves out for which reason.

Every step of the engine and every kind of timer is in the scope of every search, on one of the two
sides. What is tried is derived from the sources of the search.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from sim_engine.actions import STEPS, WORD_NAMES, steps
from sim_engine.actions.base import name_of, specs_of
from sim_engine.cluster.state import ClusterState
from sim_engine.error_texts import Wording
from sim_engine.exploration import alphabet, moves
from sim_engine.exploration.alphabet import UNCLEAN, Grain, sources
from sim_engine.exploration.moves import Source
from sim_engine.identifiers import Acks

LeftOutReason = Literal[
    "budget",
    "without",
    "part",
    "composed",
    "finer",
    "any_order",
    "no_effect",
    "release",
    "transactions",
    "default",
]
"""Why a search does not try something: its budget is 0; it makes a difference only together with
another entry, whose budget is 0; it is part of a step that is tried; it consists of steps that are
tried one by one; only a finer grain tries it; every order is tried, with or without it; no rule
depends on it; the release or its controller does not have it; no record is sent in a transaction;
an argument of a step always has its default.
"""

TEXTS = "search_scope"
"""The file of a language that has the reasons."""

REASONS: tuple[LeftOutReason, ...] = get_args(LeftOutReason)
TIMER_KINDS: tuple[steps.TimerKind, ...] = get_args(steps.TimerKind)
_SEARCHED = tuple(
    kind for kind in STEPS if name_of(kind) not in (*WORD_NAMES, name_of(steps.Timer))
)

_CHOSEN: Mapping[str, tuple[str, ...]] = {
    name_of(steps.Produce): ("acks", "as"),
    name_of(steps.Consume): ("as", "broker"),
    name_of(steps.Fetch): ("partition", name_of(steps.Drop)),
    name_of(steps.SendFetch): ("partition",),
    name_of(steps.Deliver): ("from", "partition", "records"),
    name_of(steps.Drop): ("from", "partition"),
    name_of(steps.Release): ("from", "partition"),
    name_of(steps.PowerLoss): ("keep",),
    name_of(steps.Shutdown): ("only",),
    name_of(steps.Boot): ("session",),
    name_of(steps.Heal): ("from", "to", "broker"),
    name_of(steps.Detect): ("only",),
    name_of(steps.Elect): ("leader", "only"),
    name_of(steps.Reassign): ("only",),
    name_of(steps.Config): ("topic", "only", "settings"),
    name_of(steps.FailController): ("only",),
}
"""For each step, the arguments that a search does not leave at their defaults."""

DEFAULTS = tuple(
    f"{name_of(kind)}.{spec.written}"
    for kind in _SEARCHED
    for spec in specs_of(kind)
    if not spec.required and spec.written not in _CHOSEN.get(name_of(kind), ())
)
"""The arguments that always have their defaults."""

SEARCHABLE = (*map(name_of, _SEARCHED), *TIMER_KINDS, UNCLEAN, *DEFAULTS)
"""Every step, every timer and unclean election, by their names, and `DEFAULTS`. `elect` is the
election of any member of the ISR; the election of the preferred leader counts as
`preferred_leader_check`.
"""

_OFFERED_AS: Mapping[moves.Offer, tuple[str, ...]] = {
    moves.isr_proposals: (name_of(steps.Deliver),),
    moves.deliveries: (name_of(steps.Deliver),),
    moves.exchanges_under_way: (name_of(steps.Deliver),),
    moves.late_exchanges: (name_of(steps.SendFetch),),
    moves.late_metadata: (name_of(steps.Deliver), name_of(steps.Release)),
    moves.releases: (name_of(steps.Release),),
    moves.drops: (name_of(steps.Drop),),
    moves.metadata_hold: (name_of(steps.Hold),),
    moves.resumptions: (name_of(steps.Resume),),
    moves.shutdowns: (name_of(steps.Shutdown),),
    moves.shutdown_ends: (),
    moves.isolations: (name_of(steps.Isolate),),
    moves.cuts: (name_of(steps.Cut),),
    moves.heals: (name_of(steps.Heal),),
    moves.one_sided_heals: (name_of(steps.Heal),),
    moves.requests: (name_of(steps.SendFetch),),
    moves.detections: (name_of(steps.Detect),),
    alphabet.free_elections: (name_of(steps.Elect),),
    alphabet.reassignments: (name_of(steps.Reassign),),
    alphabet.controller_failures: (name_of(steps.FailController),),
    alphabet.config_changes: (name_of(steps.Config),),
    moves.produces: (name_of(steps.Produce),),
    moves.retries: (name_of(steps.Retry),),
    moves.refreshes: (name_of(steps.Refresh),),
    moves.reads: (name_of(steps.Consume),),
    moves.waits: (name_of(steps.Advance),),
    moves.long_polls: ("long_poll",),
    moves.isr_expirations: ("isr_expiration",),
    moves.high_watermark_checkpoints: ("high_watermark_checkpoint",),
    moves.flushes: ("flush",),
    moves.isr_change_propagations: ("isr_change_propagation",),
    moves.produce_timeouts: ("produce_timeout",),
    moves.session_timeouts: ("session_timeout",),
    moves.heartbeats: ("heartbeat",),
    moves.preferred_leader_checks: ("preferred_leader_check",),
    moves.unclean_leader_checks: ("unclean_leader_check",),
}

_ALWAYS: Mapping[str, LeftOutReason] = {
    name_of(steps.Transaction): "transactions",
    name_of(steps.Slow): "any_order",
    name_of(steps.Run): "composed",
    name_of(steps.Settle): "composed",
    "fetch_backoff": "part",
    "recovery_point_checkpoint": "no_effect",
    **dict.fromkeys(DEFAULTS, "default"),
}

LEFT_OUT: Mapping[Grain, Mapping[str, LeftOutReason]] = {
    "step": {
        **_ALWAYS,
        name_of(steps.Boot): "finer",
        "long_poll": "part",
        "session_timeout": "part",
        "heartbeat": "part",
        "isr_expiration": "finer",
        "high_watermark_checkpoint": "finer",
        "flush": "finer",
        "isr_change_propagation": "finer",
        "unclean_leader_check": "finer",
        "produce_timeout": "finer",
    },
    "exchange": {**_ALWAYS, name_of(steps.Fetch): "composed", name_of(steps.Start): "composed"},
    "message": {**_ALWAYS, name_of(steps.Fetch): "composed", name_of(steps.Start): "composed"},
}
"""What each grain never tries, whatever the release and the budget."""


class LeftOut(Struct, frozen=True, gc=False):
    """Something that a search does not try, by its name in `SEARCHABLE`, and why. `entry` is the
    entry of the budget that would change this; null if none would.
    """

    name: str
    reason: LeftOutReason
    entry: str | None = None

    @property
    def why(self) -> Wording:
        """The reason as a sentence."""
        return Wording(self.reason, {"entry": self.entry}, file=TEXTS)


class SearchScope(Struct, frozen=True, gc=False):
    """What a search may try, and what it leaves out. Together they are `SEARCHABLE`."""

    tried: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def scope_of(
    start: ClusterState, grain: Grain, allowed: Mapping[str, int], acks: Acks = "all"
) -> SearchScope:
    """The scope of a search from this state, with the budget `allowed`."""
    offered: dict[str, list[Source]] = {}
    for source in sources(start, grain, acks):
        for name in names_of(source):
            offered.setdefault(name, []).append(source)
    tried: list[str] = []
    left_out: list[LeftOut] = []
    for name in SEARCHABLE:
        given = offered.get(name)
        if given is None:
            left_out.append(LeftOut(name, _why_not(start, grain, name)))
            continue
        missing = [_missing_entry(source, allowed) for source in given]
        if None in missing:
            tried.append(name)
        else:
            reason: LeftOutReason = "budget" if given[0].budget is not None else "without"
            left_out.append(LeftOut(name, reason, missing[0]))
    return SearchScope(tuple(tried), tuple(left_out))


def names_of(source: Source) -> tuple[str, ...]:
    """The names in `SEARCHABLE` of the moves of a source."""
    if source.offer in (moves.process_faults, moves.machine_faults, moves.starts):
        kind = source.subject[1]
        assert isinstance(kind, type), "its second subject is a kind of step"
        return (name_of(kind),)
    if source.offer is moves.fetch_rounds:
        return (name_of(steps.Fetch) if source.budget is None else name_of(steps.Drop),)
    if source.offer is alphabet.requested_elections:
        return (UNCLEAN if source.budget == UNCLEAN else "preferred_leader_check",)
    return _OFFERED_AS[source.offer]


def _missing_entry(source: Source, allowed: Mapping[str, int]) -> str | None:
    for entry in (source.budget, source.needs):
        if entry is not None and not allowed.get(entry):
            return entry
    return None


def _why_not(start: ClusterState, grain: Grain, name: str) -> LeftOutReason:
    by_log = start.controller_kind.has_metadata_log
    if name == name_of(steps.Detect) and by_log:
        return "composed"
    if name == "heartbeat" and not by_log and grain != "step":
        return "no_effect"
    if name == name_of(steps.Hold) and not by_log:
        return "finer" if grain == "step" else "any_order"
    return LEFT_OUT[grain].get(name, "release")
