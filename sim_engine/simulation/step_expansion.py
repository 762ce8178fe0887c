"""Steps of a scenario file, expanded into actions.

A `Play` does actions one after another and keeps what each came to. A step that cannot begin is
refused and makes one frame that changes nothing; what a macro has done before it gets stuck stays.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.metadata import MetadataApplied, MetadataCacheUpdated
from sim_engine.events.run import DidNotSettle, Settled
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.protocol.follower.fetch_loop import what_becomes_of
from sim_engine.protocol.messages import (
    FetchResponse,
    ListOffsetsResponse,
    Message,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.protocol.replica import Replica, late_request, late_request_to
from sim_engine.simulation.autoplay import (
    SETTLE_AT_MOST_MS,
    Due,
    due_events,
    long_poll,
    observable,
    refresh_beliefs,
    rewind_timer,
)
from sim_engine.simulation.broker_actions import followed_partition, why_no_fetch
from sim_engine.simulation.controller_actions import (
    bounce_is_unseen,
    is_unnoticed,
    session_has_ended,
)
from sim_engine.simulation.delivery import why_undeliverable
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.transition import Action, Transition, perform
from sim_engine.simulation.turn import COMMANDS

Arguments = Mapping[str, Any]

ONLY_READ = (MetadataApplied, MetadataCacheUpdated)
"""What a broker merely takes note of: macros and autoplay make no frame of it."""

MOST_ROUNDS = 64
"""A fetch step ends after this many rounds even where no answer is the last."""


class LimitReachedError(Exception):
    """A run has become too long: which limit, and what it is."""

    def __init__(self, limit: str, value: int) -> None:
        super().__init__(limit, value)
        self.limit = limit
        self.value = value


class Played(Struct, frozen=True, gc=False):
    """One action of a step, and what it came to. `action` is null for what is no action."""

    action: Action | None
    transition: Transition


class Play:
    """The actions of one step, as they are done.

    `first_frame` is the number that its first frame will have; `most_frames` is how many it may
    make.
    """

    def __init__(self, cluster: ClusterState, first_frame: int, most_frames: int) -> None:
        self.cluster = cluster
        self.played: list[Played] = []
        self._first_frame = first_frame
        self._most_frames = most_frames

    @property
    def next_frame(self) -> int:
        """The number of the frame that the next action makes."""
        return self._first_frame + len(self.played)

    def do(self, kind: str, /, **arguments: Any) -> Transition:
        """Do one action and keep its frame."""
        return self.act(Action(kind, arguments))

    def act(self, action: Action) -> Transition:
        """Do one action and keep its frame. Raises `RefusedError` and keeps none."""
        transition = perform(self.cluster, action, self.next_frame)
        self._keep(Played(action, transition))
        return transition

    def act_quietly(self, action: Action) -> bool:
        """Do an action of autoplay; keep its frame only if it changed something one can see."""
        transition = perform(self.cluster, action, self.next_frame)
        only_read = all(isinstance(happened, ONLY_READ) for happened in transition.events)
        if only_read or observable(transition.cluster) == observable(self.cluster):
            self.cluster = transition.cluster
            return False
        self._keep(Played(action, transition))
        return True

    def note(self, happened: Event) -> None:
        """Make a frame that changes nothing but says something."""
        self._keep(Played(None, Transition(self.cluster, (happened,))))

    def _keep(self, played: Played) -> None:
        if len(self.played) >= self._most_frames:
            raise LimitReachedError("frames", self._most_frames)
        self.cluster = played.transition.cluster
        self.played.append(played)

    def trial(self) -> "Play":
        """A play from here whose actions do not count until `adopt`."""
        return Play(self.cluster, self.next_frame, self._most_frames - len(self.played))

    def adopt(self, trial: "Play") -> None:
        """Take over all that a trial did."""
        for played in trial.played:
            self._keep(played)
        self.cluster = trial.cluster


def play_step(play: Play, kind: str, arguments: Arguments) -> None:
    """Do one step of a scenario. Raises `RefusedError` where it cannot happen now."""
    macro = MACROS.get(kind)
    if macro is not None:
        macro(play, arguments)
    else:
        play.act(Action(kind, dict(arguments)))


# --- clients ---------------------------------------------------------------------------------


def _produce(play: Play, arguments: Arguments) -> None:
    for value in arguments["values"]:
        play.act(Action("produce", {**arguments, "values": [value]}))


# --- fetch rounds ----------------------------------------------------------------------------


def _fetch(play: Play, arguments: Arguments) -> None:
    """Rounds until one Fetch that was answered without error or divergence is applied."""
    broker_id: BrokerId = arguments["broker"]
    partition = followed_partition(play.cluster, broker_id, arguments.get("partition"))
    refused = why_no_fetch(play.cluster, broker_id, partition)
    if refused is not None and refused.code != "request_in_flight":
        raise refused
    only_truncation = arguments.get("only") == "truncation"
    if only_truncation and not _is_truncating(play.cluster, broker_id, partition):
        raise RefusedError("not_truncating", broker=broker_id, partition=partition)
    for _ in range(MOST_ROUNDS):
        if only_truncation and not _is_truncating(play.cluster, broker_id, partition):
            return
        if not _one_round(play, broker_id, partition, arguments):
            return


def _is_truncating(cluster: ClusterState, broker_id: BrokerId, partition: str) -> bool:
    """Whether the follower is in a truncation phase of its own.

    With truncation on fetch (2.8 on) a replica that knows an epoch has none: it fetches at once.
    """
    fetcher = cluster.replica(broker_id, partition).fetcher
    return fetcher is not None and fetcher.phase not in ("fetching", "failed")


def _one_round(play: Play, broker_id: BrokerId, partition: str, arguments: Arguments) -> bool:
    """One round of a follower; whether the step goes on with another."""
    fetcher = play.cluster.replica(broker_id, partition).fetcher
    if fetcher is None or fetcher.phase == "failed":
        return False
    leader = fetcher.leader
    if _request_under_way(play.cluster, broker_id, partition) is None:
        if why_no_fetch(play.cluster, broker_id, partition) is not None:
            return False
        records = {"records": arguments["records"]} if "records" in arguments else {}
        play.do("send_fetch", broker=broker_id, partition=partition, **records)
    _handle_request(play, broker_id, leader, partition)
    if _is_parked(play.cluster, broker_id, leader, partition):
        play.act(long_poll(leader, partition, broker_id))
    answer = _awaited_answer(play.cluster, broker_id, partition)
    if answer is None:
        return False
    final = (
        _is_applied(play.cluster, broker_id, partition, answer)
        and isinstance(answer.payload, FetchResponse)
        and answer.payload.error is ErrorCode.NONE
        and answer.payload.diverging_epoch is None
    )
    where = {"kind": answer.kind, "from": answer.sender, "to": answer.receiver} | (
        {"partition": partition}
    )
    if final and arguments.get("drop") == "response":
        play.act(Action("drop", where))
        return False
    if why_undeliverable(play.cluster, answer) is not None:
        return False
    play.act(Action("deliver", where))
    after = play.cluster.replica(broker_id, partition).fetcher
    failed = after is None or after.phase == "failed" or after.delayed_until_ms is not None
    return not final and not failed


def _handle_request(play: Play, broker_id: BrokerId, leader: BrokerId, partition: str) -> None:
    """Let the request that the follower waits for arrive at its leader, where it can."""
    awaited = _request_under_way(play.cluster, broker_id, partition)
    for message in play.cluster.messages:
        if message.id == awaited:
            refused = why_undeliverable(play.cluster, message)
            if refused is not None:
                if not play.played:
                    raise refused
                return
            play.do(
                "deliver",
                **{
                    "kind": message.kind,
                    "from": broker_id,
                    "to": leader,
                    "partition": partition,
                },
            )
            return


def _is_parked(
    cluster: ClusterState, broker_id: BrokerId, leader: BrokerId, partition: str
) -> bool:
    leading = cluster.replica(leader, partition).leading
    return leading is not None and any(parked.follower == broker_id for parked in leading.parked)


def _awaited_answer(cluster: ClusterState, broker_id: BrokerId, partition: str) -> Message | None:
    awaited = _request_under_way(cluster, broker_id, partition)
    for message in cluster.messages:
        if (
            awaited is not None
            and message.receiver == broker_id
            and getattr(message.payload, "in_reply_to", None) == awaited
        ):
            return message
    return None


def _request_under_way(cluster: ClusterState, broker_id: BrokerId, partition: str) -> int | None:
    """The message id of the request that a follower's fetcher thread waits for, which may be one
    of an earlier fetch loop."""
    replica = cluster.replica(broker_id, partition)
    if replica.fetcher is None:
        return None
    late = late_request_to(replica, replica.fetcher.leader)
    return replica.fetcher.awaiting if late is None else late.message_id


def _is_applied(
    cluster: ClusterState, broker_id: BrokerId, partition: str, answer: Message
) -> bool:
    """Whether the follower does what an answer says; it may be of an earlier fetch loop."""
    replica = cluster.replica(broker_id, partition)
    payload = answer.payload
    assert isinstance(
        payload, FetchResponse | OffsetsForLeaderEpochResponse | ListOffsetsResponse
    ), "the follower waits for it"
    late = late_request(replica, payload.in_reply_to)
    rules = cluster.profile.rules
    return late is None or what_becomes_of(late, payload, replica, rules=rules) == "taken"


# --- the controller --------------------------------------------------------------------------


def deliver_commands(play: Play, *, only: BrokerId | None = None) -> None:
    """Let the controller's commands reach all that can hear, or one broker, in order."""
    while True:
        message = next(
            (
                message
                for message in play.cluster.messages
                if message.kind in COMMANDS
                and only in (None, message.receiver)
                and why_undeliverable(play.cluster, message) is None
            ),
            None,
        )
        if message is None:
            return
        if message.kind == "update_metadata":
            play.act_quietly(_delivery(message))
        else:
            play.act(_delivery(message))


def _detect(play: Play, arguments: Arguments) -> None:
    """The controller notices now what became of a broker; its commands reach all that can hear."""
    broker_id: BrokerId = arguments["broker"]
    play.do("notice", broker=broker_id)
    deliver_commands(play, only=broker_id)
    while is_unnoticed(play.cluster, broker_id) and not session_has_ended(play.cluster, broker_id):
        play.do("notice", broker=broker_id)
        deliver_commands(play, only=broker_id)
    deliver_commands(play)


def _start(play: Play, arguments: Arguments) -> None:
    """Boot, recover, register; the replica takes its role. It neither looks up nor fetches."""
    broker_id: BrokerId = arguments["broker"]
    broker = play.cluster.broker(broker_id)
    if broker.alive:
        raise RefusedError("broker_already_running", broker=broker_id)
    if session_has_ended(play.cluster, broker_id):
        play.do("notice", broker=broker_id)
        deliver_commands(play)
    play.do("boot", broker=broker_id)
    if is_unnoticed(play.cluster, broker_id):
        _detect(play, arguments)


def _shutdown(play: Play, arguments: Arguments) -> None:
    """A controlled shutdown, to its end."""
    play.do("begin_shutdown", **arguments)
    deliver_commands(play)
    play.do("end_shutdown", **arguments)
    deliver_commands(play)


def _elect(play: Play, arguments: Arguments) -> None:
    """The controller notices everybody that is gone; then the election that is asked for."""
    partition: str = arguments["partition"]
    kind: str = arguments.get("kind", "clean")
    wanted: BrokerId | None = arguments.get("leader")
    trial = play.trial()
    gone = sorted(
        (
            broker
            for broker in trial.cluster.brokers
            if session_has_ended(trial.cluster, broker.broker_id)
            and not bounce_is_unseen(trial.cluster, broker.broker_id)
        ),
        key=lambda broker: broker.contact_lost_order,
    )
    for broker in gone:
        trial.do("notice", broker=broker.broker_id)
    registration = trial.cluster.controller.partition(partition)
    if kind == "preferred":
        if registration.leader != registration.preferred_leader or _writes_again(trial):
            trial.do("ask_election", partition=partition, kind=kind)
    elif registration.leader == NO_LEADER:
        trial.do("ask_election", partition=partition, kind=kind)
    elected = trial.cluster.controller.partition(partition).leader
    if wanted is not None and elected != wanted:
        raise RefusedError(
            "leader_not_elected",
            rule="ELECTION-CLEAN",
            partition=partition,
            wanted=wanted,
            elected=elected,
        )
    unclean = any(played.transition.unclean_election for played in trial.played)
    if unclean and kind != "unclean":
        raise RefusedError(
            "election_was_unclean", rule="ELECTION-UNCLEAN", partition=partition, leader=elected
        )
    if not trial.played and wanted is None:
        raise RefusedError("leader_is_valid", partition=partition, leader=elected)
    play.adopt(trial)
    deliver_commands(play)


def _writes_again(trial: Play) -> bool:
    """Whether an election of the leader that already leads is written all the same: under
    ZooKeeper from 2.0.1 on, where nothing else has just been."""
    profile = trial.cluster.profile
    return (
        not trial.played
        and profile.control == "zookeeper"
        and profile.preferred_election_always_writes
    )


def _reassign(play: Play, arguments: Arguments) -> None:
    play.do("reassign_replicas", **arguments)
    deliver_commands(play)


def _config(play: Play, arguments: Arguments) -> None:
    """A setting changes; what the controller makes of it reaches all that can hear."""
    play.do("config", **arguments)
    deliver_commands(play)


def _fail_controller(play: Play, arguments: Arguments) -> None:
    """Another broker becomes the controller; its commands reach all that can hear."""
    play.do("take_over_controller")
    deliver_commands(play)


# --- time ------------------------------------------------------------------------------------


def _advance(play: Play, arguments: Arguments) -> None:
    """The clock moves and due timers fire; no message is delivered, no follower sends."""
    until = play.cluster.now_ms + arguments["ms"]
    last_frame_ms = play.cluster.now_ms
    while True:
        due = next(
            (due for due in due_events(play.cluster) if _is_timer(play.cluster, due.action)), None
        )
        if due is None or due.due_ms > until:
            break
        _move_clock(play, due.due_ms)
        if _fire(play, due.action, periodic=due.periodic):
            last_frame_ms = play.cluster.now_ms
    if until > last_frame_ms:
        play.do("tick", ms=until - play.cluster.now_ms, since=until - last_frame_ms)


def _is_timer(cluster: ClusterState, action: Action) -> bool:
    return action.kind == "timer" or (
        action.kind == "notice" and session_has_ended(cluster, action.arguments["broker"])
    )


def _move_clock(play: Play, to_ms: int) -> None:
    """Let time pass without a frame of its own."""
    if to_ms > play.cluster.now_ms:
        play.cluster = replace(play.cluster, now_ms=to_ms)


def _fire(play: Play, action: Action, *, periodic: bool) -> bool:
    """Do what is due; what changes nothing that one can see makes no frame. Whether it made one."""
    made = play.act_quietly(action)
    if periodic:
        play.cluster = rewind_timer(
            play.cluster, action.arguments["broker"], action.arguments["kind"]
        )
    return made


def _play_due(play: Play, due: Due) -> None:
    """One event of autoplay, at its time."""
    _move_clock(play, due.due_ms)
    if due.periodic and due.action.arguments["kind"] == "isr_expiration":
        play.cluster = refresh_beliefs(play.cluster)
    if _is_idle(play.cluster, due.action):
        _answer_quietly(play, due.action)
        return
    _fire(play, due.action, periodic=due.periodic)


def _run(play: Play, arguments: Arguments) -> None:
    """Autoplay: everything that is due happens, in the order of time."""
    run_for(play, arguments["ms"], notices=True)
    if not play.played:
        play.do("tick", ms=0, since=arguments["ms"])


def _settle(play: Play, arguments: Arguments) -> None:
    """Autoplay until nothing is left to wait for; then the last long polls are answered."""
    settle(play, notices=True)
    if not play.played:
        play.note(Settled())


def settle(play: Play, *, notices: bool) -> None:
    """Let everything that can happen happen. Without `notices` the controller notices nothing.

    A follower whose wait tells it nothing new may still join the ISR by its next fetch, where its
    last one was handled while another change of the ISR was open.
    """
    deadline = play.cluster.now_ms + SETTLE_AT_MOST_MS
    polls_answered = False
    while True:
        dues = _awaited(play.cluster, notices=notices)
        awaited = next((due for due in dues if not due.periodic), None)
        if awaited is None:
            if polls_answered:
                return
            for action in _parked_polls(play.cluster):
                _answer_quietly(play, action)
            polls_answered = True
            continue
        if awaited.due_ms > deadline:
            play.note(DidNotSettle(ms=SETTLE_AT_MOST_MS))
            break
        polls_answered = False
        _play_due(play, dues[0])
    for action in _parked_polls(play.cluster):
        _answer_quietly(play, action)


def run_for(play: Play, ms: int, *, notices: bool) -> None:
    """Let time pass with everything that is due; nothing is hurried at its end."""
    run_until(play, ms, lambda: False, notices=notices)


def run_until(play: Play, ms: int, reached: Callable[[], bool], *, notices: bool) -> bool:
    """Let at most so much time pass, event by event, until something is so. Whether it is."""
    until = play.cluster.now_ms + ms
    while not reached():
        dues = due_events(play.cluster, notices=notices)
        if not dues or dues[0].due_ms > until:
            play.cluster = refresh_beliefs(play.cluster)
            _move_clock(play, until)
            return reached()
        _play_due(play, dues[0])
    return True


def _awaited(cluster: ClusterState, *, notices: bool) -> list[Due]:
    return [
        due
        for due in due_events(cluster, notices=notices)
        if due.periodic or not _is_waiting(cluster, due.action)
    ]


def _is_waiting(cluster: ClusterState, action: Action) -> bool:
    """What settling does not wait for: idle polls, and the patience of producers."""
    patience = action.kind == "timer" and action.arguments["kind"] == "produce_timeout"
    return patience or _is_idle(cluster, action)


def _is_idle(cluster: ClusterState, action: Action) -> bool:
    """Whether this is the end of a follower's wait that will tell it nothing new."""
    if action.kind != "timer" or action.arguments["kind"] != "long_poll":
        return False
    follower, partition = action.arguments["follower"], action.arguments["partition"]
    after = perform(cluster, action, 0).cluster
    answer = _awaited_answer(after, follower, partition)
    if answer is None or why_undeliverable(after, answer) is not None:
        return True
    answered = perform(after, _delivery(answer), 0).cluster
    before_replica = cluster.replica(follower, partition)
    after_replica = answered.replica(follower, partition)
    return (
        before_replica.high_watermark == after_replica.high_watermark
        and before_replica.log == after_replica.log
        and not _first_answer(before_replica, after_replica)
    )


def _first_answer(before: Replica, after: Replica) -> bool:
    return (
        before.fetcher is not None
        and after.fetcher is not None
        and after.fetcher.has_fetched
        and not before.fetcher.has_fetched
    )


def _answer_quietly(play: Play, action: Action) -> None:
    """Answer a wait that tells nothing new; nobody can see a difference, so no frame is made."""
    follower, partition = action.arguments["follower"], action.arguments["partition"]
    play.cluster = perform(play.cluster, action, play.next_frame).cluster
    answer = _awaited_answer(play.cluster, follower, partition)
    if answer is not None and why_undeliverable(play.cluster, answer) is None:
        play.cluster = perform(play.cluster, _delivery(answer), play.next_frame).cluster


def _delivery(message: Message) -> Action:
    where: dict[str, Any] = {"kind": message.kind, "from": message.sender, "to": message.receiver}
    if message.partition is not None:
        where["partition"] = message.partition
    return Action("deliver", where)


def _parked_polls(cluster: ClusterState) -> list[Action]:
    return [
        long_poll(broker.broker_id, replica.partition, parked.follower)
        for broker in cluster.brokers
        if broker.running
        for replica in broker.replicas
        if replica.leading is not None
        for parked in replica.leading.parked
    ]


MACROS: Mapping[str, Callable[[Play, Arguments], None]] = {
    "produce": _produce,
    "fetch": _fetch,
    "detect": _detect,
    "start": _start,
    "shutdown": _shutdown,
    "elect": _elect,
    "reassign": _reassign,
    "fail_controller": _fail_controller,
    "config": _config,
    "advance": _advance,
    "run": _run,
    "settle": _settle,
}
"""The steps that are more than one action, or another action's name."""
