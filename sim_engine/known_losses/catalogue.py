"""The catalogue: each known way to lose acknowledged records, where it is from, its plot, and what
may close it. Everything else about it is the result of runs.

A plot has, for a printed state, the shortest steps that lead from it to the loss. It leaves out
what has already happened, and returns None if the state cannot lead there. Whether its steps really
lose a record is decided by playing them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from sim_engine.actions.steps import (
    Config,
    Crash,
    Cut,
    Deliver,
    Detect,
    DiskLoss,
    Elect,
    FailController,
    Fetch,
    Happening,
    Heal,
    Hold,
    Isolate,
    PowerLoss,
    Produce,
    Reassign,
    Release,
    Settle,
    Shutdown,
    Start,
)
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.known_losses.start_state import (
    FLUSH,
    MIN_ISR,
    PARTITION,
    TOPIC,
    UNCLEAN,
    StartState,
)

_PRODUCER = "p1"
BY_HAND = (Config, Elect, FailController)
"""The steps of an unclean election by hand."""


class Plot(Struct, frozen=True):
    """The steps of a film, and whether the record at stake was acknowledged before them."""

    steps: tuple[Happening, ...]
    acked_before: bool = True


Plotted = Callable[[StartState], Plot | None]


def only_copy_loses_power(state: StartState) -> Plot | None:
    """One replica acknowledges alone, and loses what it has not flushed."""
    return _only_copy(state, PowerLoss)


def only_copy_loses_disk(state: StartState) -> Plot | None:
    """One replica acknowledges alone, and its disk is lost."""
    return _only_copy(state, DiskLoss)


def _only_copy(state: StartState, loses: type[PowerLoss | DiskLoss]) -> Plot | None:
    if state.leader == NO_LEADER:
        if len(state.holders) != 1:
            return None
        (broker,) = state.holders
        return Plot((loses(broker=broker), Start(broker=broker)))
    leader = state.leader
    if state.holders == (leader,) and not state.acknowledges:
        return Plot((loses(broker=leader), Detect(broker=leader), Start(broker=leader)))
    if state.acks == "all" and state.min_isr > 1:
        return None
    if state.acks != "all" and len(state.in_sync) > 1:
        return None
    return Plot(
        (
            *away(_others_in_sync(state)),
            _produce(state),
            loses(broker=leader),
            Detect(broker=leader),
            Start(broker=leader),
        ),
        acked_before=False,
    )


def surviving_copy_is_truncated(state: StartState) -> Plot | None:
    """The last member of the ISR loses the record and leads again; a replica that has the record
    truncates it.
    """
    if state.has_eligible:
        return None
    return _last_leads_again(state)


def killed_replica_is_not_trusted(state: StartState) -> Plot | None:
    """KIP-966: every eligible replica was killed, so none is trusted, and the last known leader
    leads without the record.
    """
    if not state.has_eligible:
        return None
    return _last_leads_again(state)


def _last_leads_again(state: StartState) -> Plot | None:
    last, steps = state.leader, list[Happening]()
    survivors = [broker for broker in state.holders if broker != last]
    if last == NO_LEADER:
        if state.last_known == NO_LEADER and len(state.in_sync) != 1:
            return None
        last = _last_led(state)
        survivors = [broker for broker in state.holders if broker != last]
        if last in state.holders:
            steps.append(PowerLoss(broker=last))
        if last not in state.up:
            steps.append(Start(broker=last))
    else:
        running = [broker for broker in survivors if broker in state.up]
        needed = running if state.has_eligible else [one for one in running if one in state.in_sync]
        steps += [*away(needed), PowerLoss(broker=last), Detect(broker=last), Start(broker=last)]
    if not survivors:
        return None
    return Plot((*steps, *_back(state, steps, survivors), Settle()))


def all_copies_lose_power(state: StartState) -> Plot | None:
    """Every replica that has the record loses power before it has flushed it."""
    holders = state.holders
    if len(holders) < 2:
        return None
    struck = sorted(holders, key=lambda broker: broker == state.leader)
    return Plot(
        (
            *(PowerLoss(broker=broker) for broker in struck),
            *(Detect(broker=broker) for broker in struck if broker in state.up),
            *(Start(broker=broker) for broker in reversed(struck)),
            Settle(),
        )
    )


def unclean_by_setting(state: StartState) -> Plot | None:
    """No member of the ISR is left, and the controller elects a replica without the record."""
    return _unclean(state, by_hand=False) if state.elects_uncleanly else None


def unclean_by_hand(state: StartState) -> Plot | None:
    """No member of the ISR is left, and an administrator has a replica without the record
    elected.
    """
    return None if state.elects_uncleanly else _unclean(state, by_hand=True)


def _unclean(state: StartState, *, by_hand: bool) -> Plot | None:
    outside = [one for one in state.replicas if one not in {*state.holders, *state.down}]
    outside += [one for one in state.replicas if one in state.down and one not in state.holders]
    steps, acked_before = list[Happening](), True
    members = [*_others_in_sync(state), state.leader] if state.leader != NO_LEADER else []
    is_down = bool(outside) and outside[0] in state.down
    if not outside:
        if len(members) < 2:
            return None
        elected, *members = members
        steps += [*away([elected]), _produce(state), Settle()]
        acked_before, is_down = False, True
    else:
        elected = outside[0]
    steps += away([*members, *(one for one in state.eligible if one in state.up)])
    if is_down:
        steps.append(Start(broker=elected))
    if by_hand:
        steps += _elected_by_hand(state)
    returning = [one for one in state.replicas if one != elected]
    returning = [one for one in returning if one in members or one in state.holders]
    steps += [*_back(state, steps, returning), _produce(state, "m3"), Settle()]
    return Plot(tuple(steps), acked_before)


def leader_crashes_first(state: StartState) -> Plot | None:
    """acks=1: the leader acknowledges a record that no follower has, and crashes."""
    if not _acknowledges_alone(state):
        return None
    leader = state.leader
    return Plot(
        (
            _produce(state),
            Crash(broker=leader),
            Detect(broker=leader),
            Start(broker=leader),
            Settle(),
        ),
        acked_before=False,
    )


def leadership_moves(state: StartState) -> Plot | None:
    """acks=1: leadership moves as planned, to the preferred leader or because of a shutdown, before
    the next leader has the record.
    """
    if not _acknowledges_alone(state):
        return None
    leader, preferred = state.leader, state.replicas[0]
    moves: tuple[Happening, ...] = (Shutdown(broker=leader), Start(broker=leader))
    if preferred != leader and preferred in state.in_sync:
        moves = (Elect(partition=PARTITION, kind="preferred"),)
    return Plot((_produce(state), *moves, Settle()), acked_before=False)


def leader_is_cut_off(state: StartState) -> Plot | None:
    """acks=1: a leader that no longer reaches the controller acknowledges records that its
    successor does not have.
    """
    if not _acknowledges_alone(state):
        return None
    leader = state.leader
    return Plot(
        (
            Isolate(broker=leader, from_="all"),
            Detect(broker=leader),
            _produce(state, broker=leader),
            Heal(broker=leader),
            Settle(),
        ),
        acked_before=False,
    )


def _acknowledges_alone(state: StartState) -> bool:
    electable = {*state.in_sync, *state.eligible} & state.up
    return state.acks != "all" and state.leader != NO_LEADER and len(electable) > 1


def leader_misses_its_deposition(state: StartState) -> Plot | None:
    """KRaft: a leader reads in one delivery that it was deposed and elected again, and acknowledges
    by what it knew of its followers before. As in the recording missed-deposition-crash.
    """
    members = [one for one in state.in_sync if one in state.up and one != state.leader]
    if state.leader == NO_LEADER or len(members) < 2 or state.profile.control != "kraft":
        return None
    leader, (other, follower, *extras) = state.leader, members
    order = (other, *(one for one in state.replicas if one != other))
    ordered = () if state.replicas == order else (Reassign(partition=PARTITION, replicas=order),)
    return Plot(
        (
            *away(extras),
            *ordered,
            Cut(from_=other, to=leader),
            Produce(to=PARTITION, values=("m2",), as_=_PRODUCER),
            Fetch(broker=follower),
            Fetch(broker=follower),
            Hold(kind="metadata_record", to=leader),
            Elect(partition=PARTITION, kind="preferred"),
            Fetch(broker=follower),
            Hold(kind="metadata_record", to=follower),
            Crash(broker=other),
            Detect(broker=other),
            Release(kind="metadata_record", to=leader),
            Deliver(kind="metadata_record", to=leader, records=2),
            Crash(broker=leader),
            Detect(broker=leader),
            Release(kind="metadata_record", to=follower),
            Settle(),
            Start(broker=leader),
            Settle(),
        ),
        acked_before=False,
    )


# --- what an operator does instead ------------------------------------------------------------


def elect_the_survivor(state: StartState) -> Plot | None:
    """The replica that lost records stays stopped until a replica that has them leads."""
    lost = _last_leads_again(state)
    if lost is None:
        return None
    last = state.leader if state.leader != NO_LEADER else _last_led(state)
    survivors = [one for one in state.holders if one != last]
    failures = [step for step in lost.steps if isinstance(step, Crash | Detect | PowerLoss)]
    back = [*_back(state, failures, survivors)]
    stop = [Shutdown(broker=last)] if state.leader == NO_LEADER and last in state.up else []
    return Plot(
        (
            *failures,
            *stop,
            *back[:1],
            *_elected_by_hand(state),
            Start(broker=last),
            *back[1:],
            Settle(),
        )
    )


def elect_another(state: StartState) -> Plot | None:
    """The broker that lost its disk stays stopped until another replica leads."""
    lost = only_copy_loses_disk(state.with_setting(MIN_ISR, 1))
    if lost is None or lost.acked_before:
        return None
    others = [one for one in state.replicas if one != state.leader]
    if not others:
        return None
    failures = lost.steps[:-1]
    back = _back(state, failures, others[:1])
    return Plot(
        (*failures, *back, *_elected_by_hand(state), *lost.steps[-1:], Settle()), acked_before=False
    )


def spare_one_copy(state: StartState) -> Plot | None:
    """The brokers do not share their power: one of them keeps running."""
    lost = all_copies_lose_power(state)
    if lost is None:
        return None
    struck = [step.broker for step in lost.steps if isinstance(step, PowerLoss)]
    spared = next((broker for broker in reversed(struck) if broker in state.up), None)
    if spared is None:
        return None
    steps = (step for step in lost.steps if getattr(step, "broker", None) != spared)
    return Plot(tuple(steps))


def start_a_member_first(state: StartState) -> Plot | None:
    """A replica that has the record starts, instead of an unclean election."""
    lost = _unclean(state, by_hand=True)
    if lost is None:
        return None
    place = next(i for i, step in enumerate(lost.steps) if isinstance(step, BY_HAND))
    before = [step for step in lost.steps[:place] if not isinstance(step, Start)]
    after = [step for step in lost.steps[place:] if not isinstance(step, BY_HAND)]
    return Plot((*before, *after), lost.acked_before)


def _last_led(state: StartState) -> BrokerId:
    return state.last_known if state.last_known != NO_LEADER else state.in_sync[0]


# --- parts of plots ---------------------------------------------------------------------------


def _others_in_sync(state: StartState) -> list[BrokerId]:
    """The members of the ISR but the leader, the least preferred first."""
    return [one for one in reversed(state.in_sync) if one != state.leader]


def _elected_by_hand(state: StartState) -> Iterator[Happening]:
    """Before KIP-460, an administrator can only allow unclean elections, and until KAFKA-6835 only
    a new controller reads that.
    """
    rules = state.profile.rules
    if rules.unclean_election_on_request or state.profile.control == "kraft":
        yield Elect(partition=PARTITION, kind="unclean")
        return
    yield Config(topic=TOPIC, settings={UNCLEAN: True})
    if not rules.enabling_unclean_on_topic_elects:
        yield FailController()


def _produce(state: StartState, value: str = "m2", broker: BrokerId | None = None) -> Produce:
    return Produce(to=PARTITION, values=(value,), acks=state.acks, as_=_PRODUCER, broker=broker)


def away(brokers: Sequence[BrokerId]) -> Iterator[Happening]:
    """These brokers crash one after another, and the controller notices each."""
    for broker in brokers:
        yield Crash(broker=broker)
        yield Detect(broker=broker)


def _back(
    state: StartState, steps: Sequence[Happening], brokers: list[BrokerId]
) -> Iterator[Happening]:
    """Those of these brokers that are away after the steps come back: a process that has ended
    starts, and a fenced broker is heard again.
    """
    ended = {step.broker for step in steps if isinstance(step, Crash | PowerLoss | DiskLoss)}
    started = {step.broker for step in steps if isinstance(step, Start)}
    for broker in brokers:
        if broker in started:
            continue
        if broker in ended or broker in state.down:
            yield Start(broker=broker)
        elif broker not in state.up:
            yield Detect(broker=broker)


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
        plot=killed_replica_is_not_trusted,
        closings=(Closing(id="elect-survivor", plot=elect_the_survivor), _FLUSHED),
    ),
    Way(
        id="surviving-copy-truncated",
        lessons=("surviving-copy-destroyed", "survivor-cut-off", "eligible-replica-rescues"),
        challenges=("crash-and-power", "crash-and-power-in-three"),
        plot=surviving_copy_is_truncated,
        closings=(Closing(id="elect-survivor", plot=elect_the_survivor), _FLUSHED),
    ),
    Way(
        id="last-in-sync-loses-power",
        lessons=("last-replica-standing",),
        challenges=("crash-and-power",),
        plot=only_copy_loses_power,
        closings=(_TWO_IN_SYNC, _ALL, _FLUSHED),
    ),
    Way(
        id="last-in-sync-loses-disk",
        plot=only_copy_loses_disk,
        closings=(Closing(id="min-isr-elect", setting=MIN_ISR, value=2, plot=elect_another), _ALL),
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
        plot=all_copies_lose_power,
        depends_on_racks=True,
        closings=(Closing(id="separate-power", plot=spare_one_copy), _FLUSHED),
    ),
    Way(
        id="unclean-by-setting",
        lessons=("unclean-election",),
        challenges=("unclean-by-default", "unclean-on-purpose"),
        plot=unclean_by_setting,
        closings=(_CLEAN,),
    ),
    Way(
        id="unclean-by-hand",
        lessons=("unclean-setting-not-read", "kip-101-data-loss"),
        plot=unclean_by_hand,
        closings=(
            Closing(id="start-member", plot=start_a_member_first),
            Closing(id="elect-survivor", plot=elect_the_survivor),
        ),
    ),
    Way(
        id="leader-crashes-before-replication",
        lessons=("acks-1-loses-on-failover", "eligible-replica-elected", "fast-leader-failover"),
        plot=leader_crashes_first,
        needs_acks_1=True,
        closings=(_ALL,),
    ),
    Way(
        id="leadership-moves",
        lessons=("acks-1-loses-on-failover",),
        plot=leadership_moves,
        needs_acks_1=True,
        closings=(_ALL,),
    ),
    Way(
        id="leader-cut-off",
        lessons=("zombie-leader",),
        plot=leader_is_cut_off,
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
        plot=leader_misses_its_deposition,
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
