"""Steps of a scenario file, expanded into actions.

A step that cannot begin is refused; what it has done before it gets stuck stays.
"""

from collections.abc import Callable, Mapping
from typing import cast

from msgspec.structs import replace

from sim_engine.actions import (
    Action,
    Advance,
    AskElection,
    BeginShutdown,
    Boot,
    Config,
    Deliver,
    Detect,
    Drop,
    Elect,
    EndShutdown,
    FailController,
    Fetch,
    Happening,
    Notice,
    Produce,
    Reassign,
    ReassignReplicas,
    Run,
    SendFetch,
    Settle,
    Shutdown,
    Start,
    StepStruct,
    TakeOverController,
)
from sim_engine.class_tables import OwnClass
from sim_engine.cluster.state import ClusterState
from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.protocol.follower.late_responses import what_becomes_of
from sim_engine.protocol.messages import (
    COMMANDS,
    FetchResponse,
    ListOffsetsResponse,
    Message,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.protocol.replica import late_request
from sim_engine.simulation.clock import advance, run, settle_down
from sim_engine.simulation.fetch_rounds import (
    awaited_answer,
    delivery_of,
    long_poll,
    request_under_way,
)
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    is_unnoticed,
    session_has_ended,
)
from sim_engine.simulation.performing.fetching import followed_partition, why_no_fetch
from sim_engine.simulation.performing.messages import why_undeliverable
from sim_engine.simulation.play import Play
from sim_engine.simulation.refusal import RefusedError

MOST_ROUNDS = 64
"""A fetch step ends after this many rounds even where no answer is the last."""


def play_step(play: Play, step: Happening) -> None:
    """Do one step of a scenario. Raises `RefusedError` where it cannot happen now."""
    expand = EXPANSIONS.get(type(step))
    if expand is not None:
        expand(play, step)
    else:
        play.act(cast("Action", step))


# --- clients ---------------------------------------------------------------------------------


def _produce(play: Play, step: Produce) -> None:
    for value in step.values:
        play.act(replace(step, values=(value,)))


# --- fetch rounds ----------------------------------------------------------------------------


def _fetch(play: Play, step: Fetch) -> None:
    """Rounds until one Fetch that was answered without error or divergence is applied."""
    broker_id = step.broker
    partition = followed_partition(play.cluster, broker_id, step.partition)
    refused = why_no_fetch(play.cluster, broker_id, partition)
    if refused is not None and refused.code != "request_in_flight":
        raise refused
    only_truncation = step.only == "truncation"
    if only_truncation and not _is_truncating(play.cluster, broker_id, partition):
        raise RefusedError("not_truncating", broker=broker_id, partition=partition)
    for _ in range(MOST_ROUNDS):
        if only_truncation and not _is_truncating(play.cluster, broker_id, partition):
            return
        if not _one_round(play, partition, step):
            return


def _is_truncating(cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition) -> bool:
    """Whether the follower is in a truncation phase of its own.

    With truncation on fetch (2.8 on) a replica that knows an epoch has none: it fetches at once.
    """
    fetcher = cluster.replica(broker_id, partition).fetcher
    return fetcher is not None and fetcher.phase not in ("fetching", "failed")


def _one_round(play: Play, partition: TopicPartition, step: Fetch) -> bool:
    """One round of a follower; whether the step goes on with another."""
    broker_id = step.broker
    fetcher = play.cluster.replica(broker_id, partition).fetcher
    if fetcher is None or fetcher.phase == "failed":
        return False
    leader = fetcher.leader
    if request_under_way(play.cluster, broker_id, partition) is None:
        if why_no_fetch(play.cluster, broker_id, partition) is not None:
            return False
        play.act(SendFetch(broker=broker_id, partition=partition, records=step.records))
    _handle_request(play, broker_id, leader, partition)
    if _is_parked(play.cluster, broker_id, leader, partition):
        play.act(long_poll(leader, partition, broker_id))
    answer = awaited_answer(play.cluster, broker_id, partition)
    if answer is None:
        return False
    final = (
        _is_applied(play.cluster, broker_id, partition, answer)
        and isinstance(answer.payload, FetchResponse)
        and answer.payload.error is ErrorCode.NONE
        and answer.payload.diverging_epoch is None
    )
    if final and step.drop == "response":
        play.act(
            Drop(kind=answer.kind, from_=answer.sender, to=answer.receiver, partition=partition)
        )
        return False
    if why_undeliverable(play.cluster, answer) is not None:
        return False
    play.act(delivery_of(answer))
    after = play.cluster.replica(broker_id, partition).fetcher
    failed = after is None or after.phase == "failed" or after.delayed_until_ms is not None
    return not final and not failed


def _handle_request(
    play: Play, broker_id: BrokerId, leader: BrokerId, partition: TopicPartition
) -> None:
    """Let the request that the follower waits for arrive at its leader, where it can."""
    awaited = request_under_way(play.cluster, broker_id, partition)
    for message in play.cluster.messages:
        if message.id == awaited:
            refused = why_undeliverable(play.cluster, message)
            if refused is not None:
                if not play.played:
                    raise refused
                return
            play.act(Deliver(kind=message.kind, from_=broker_id, to=leader, partition=partition))
            return


def _is_parked(
    cluster: ClusterState, broker_id: BrokerId, leader: BrokerId, partition: TopicPartition
) -> bool:
    leading = cluster.replica(leader, partition).leading
    return leading is not None and any(parked.follower == broker_id for parked in leading.parked)


def _is_applied(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition, answer: Message
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
            play.act_quietly(delivery_of(message))
        else:
            play.act(delivery_of(message))


def _detect(play: Play, step: Detect) -> None:
    """The controller detects now that a broker failed or came back. Its commands reach every
    reachable broker."""
    broker_id = step.broker
    play.act(Notice(broker=broker_id))
    deliver_commands(play, only=broker_id)
    while is_unnoticed(play.cluster, broker_id) and not session_has_ended(play.cluster, broker_id):
        play.act(Notice(broker=broker_id))
        deliver_commands(play, only=broker_id)
    deliver_commands(play)


def _start(play: Play, step: Start) -> None:
    """Boot, recover, register; the replica takes its role. It neither looks up nor fetches."""
    broker_id = step.broker
    broker = play.cluster.broker(broker_id)
    if broker.alive:
        raise RefusedError("broker_already_running", broker=broker_id)
    if session_has_ended(play.cluster, broker_id):
        play.act(Notice(broker=broker_id))
        deliver_commands(play)
    play.act(Boot(broker=broker_id))
    if is_unnoticed(play.cluster, broker_id):
        _detect(play, Detect(broker=broker_id))


def _shutdown(play: Play, step: Shutdown) -> None:
    """A controlled shutdown, to its end."""
    play.act(BeginShutdown(broker=step.broker))
    deliver_commands(play)
    play.act(EndShutdown(broker=step.broker))
    deliver_commands(play)


def _elect(play: Play, step: Elect) -> None:
    """The controller notices everybody that is gone; then the election that is asked for."""
    partition, kind, wanted = step.partition, step.kind, step.leader
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
        trial.act(Notice(broker=broker.broker_id))
    registration = trial.cluster.controller.partition(partition)
    if kind == "preferred":
        if registration.leader != registration.preferred_leader or _writes_again(trial, partition):
            trial.act(AskElection(partition=partition, kind=kind))
    elif registration.leader == NO_LEADER:
        trial.act(AskElection(partition=partition, kind=kind))
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


def _writes_again(trial: Play, partition: TopicPartition) -> bool:
    """Whether the controller would elect the leader that already leads, and nothing else has just
    been written."""
    if trial.played:
        return False
    cluster = trial.cluster
    written = cluster.controller_kind.elect_preferred(
        cluster.controller, partition, cluster.profile, cluster.policies()
    )
    return written is not None


def _reassign(play: Play, step: Reassign) -> None:
    play.act(ReassignReplicas(partition=step.partition, replicas=step.replicas))
    deliver_commands(play)


def _config(play: Play, step: Config) -> None:
    """A setting changes; what the controller makes of it reaches all that can hear."""
    play.act(step)
    deliver_commands(play)


def _fail_controller(play: Play, step: FailController) -> None:
    """Another broker becomes the controller. Its commands reach every reachable broker."""
    play.act(TakeOverController())
    deliver_commands(play)


EXPANSIONS: Mapping[type[StepStruct], Callable[[Play, OwnClass], None]] = {
    Produce: _produce,
    Fetch: _fetch,
    Detect: _detect,
    Start: _start,
    Shutdown: _shutdown,
    Elect: _elect,
    Reassign: _reassign,
    FailController: _fail_controller,
    Config: _config,
    Advance: advance,
    Run: run,
    Settle: settle_down,
}
"""The steps that are more than one action, or another action's name."""
