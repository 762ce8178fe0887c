"""Steps of a scenario file, expanded into actions; and whether a step is possible in a state, found
without performing it.

A step that cannot begin is refused. If a step gets stuck later, its actions so far are kept.

A function of an action refuses before it changes anything but what clients know of their
partitions; a step is refused before its first action counts. Therefore an action that begins to
change the cluster is not refused, and neither is a step whose first action is not. What follows
would take most of the time: the rest of the action, its events, the fates of records, further
actions.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter, is_
from typing import NoReturn, cast

from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.actions.base import name_of
from sim_engine.class_tables import for_class
from sim_engine.cluster.state import ClusterState
from sim_engine.events.controller import LeaderElected
from sim_engine.identifiers import FIRST_FRAME, NO_LEADER, BrokerId, ErrorCode, TopicPartition
from sim_engine.narration import RefusedError
from sim_engine.protocol.controller.state import election_rule
from sim_engine.protocol.follower.fetch_loop import fate_of_late_response
from sim_engine.protocol.messages import COMMANDS, FetchResponse, FollowerResponse, Message
from sim_engine.protocol.replica import Replica, late_request
from sim_engine.simulation.clock import advance, is_at_rest, run, settle_down
from sim_engine.simulation.fetch_rounds import (
    awaited_response,
    delivery_of,
    is_parked,
    long_poll,
    request_under_way,
)
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    broker_session_has_ended,
    is_unnoticed,
)
from sim_engine.simulation.performing.messages import (
    followed_partition,
    why_no_fetch,
    why_undeliverable,
)
from sim_engine.simulation.step_execution import ExecutedAction, StepExecution
from sim_engine.simulation.transition import PRIMITIVES
from sim_engine.simulation.working_copy import WorkingCopy


def execute_step(execution: StepExecution, step: steps.Happening) -> None:
    """Perform one step of a scenario.

    Raises `RefusedError` if it is not possible now, `LimitReachedError` if it would create more
    frames than the execution allows, and `BudgetExceededError` if the caller's budget is used up.
    """
    expand = EXPANSIONS.get(type(step))
    try:
        if expand is not None:
            expand(execution, step)
        else:
            execution.act(cast("steps.Action", step))
    except RefusedError as refused:
        # As in `perform`: with its traceback it would keep the whole run.
        raise refused.with_traceback(None) from None


# --- clients ---------------------------------------------------------------------------------


def _produce(execution: StepExecution, step: steps.Produce) -> None:
    for value in step.values:
        execution.act(replace(step, values=(value,)))


# --- fetch rounds ----------------------------------------------------------------------------


def _fetch(execution: StepExecution, step: steps.Fetch) -> None:
    """Play rounds until a response without error or divergence is applied, or they repeat."""
    broker_id = step.broker
    partition = followed_partition(execution.cluster, broker_id, step.partition)
    refused = why_no_fetch(execution.cluster, broker_id, partition)
    if refused is not None and refused.code != "request_in_flight":
        raise refused
    only_truncation = step.only == "truncation"
    if only_truncation and not _is_truncating(execution.cluster.replica(broker_id, partition)):
        raise RefusedError("not_truncating", broker=broker_id, partition=partition)
    goes_on = True
    while goes_on:
        if only_truncation and not _is_truncating(execution.cluster.replica(broker_id, partition)):
            return
        goes_on = _one_round(execution, partition, step)


def _is_truncating(replica: Replica) -> bool:
    """Whether the follower is in a separate truncation phase.

    With truncation on fetch (from 2.8), a replica with epochs has none and fetches immediately.
    """
    fetcher = replica.fetcher
    return fetcher is not None and fetcher.phase not in ("fetching", "failed")


def _one_round(execution: StepExecution, partition: TopicPartition, step: steps.Fetch) -> bool:
    """Play one round of a follower. Returns whether the step continues with another."""
    broker_id = step.broker
    fetcher = execution.cluster.replica(broker_id, partition).fetcher
    if fetcher is None or fetcher.phase == "failed":
        return False
    leader = fetcher.leader
    if request_under_way(execution.cluster.replica(broker_id, partition)) is None:
        if why_no_fetch(execution.cluster, broker_id, partition) is not None:
            return False
        if execution.is_shown(broker_id, partition):
            return False
        execution.act(steps.SendFetch(broker=broker_id, partition=partition, records=step.records))
    _handle_request(execution, broker_id, leader, partition)
    if is_parked(execution.cluster, broker_id, leader, partition):
        execution.act(long_poll(leader, partition, broker_id))
    response = awaited_response(execution.cluster, broker_id, partition)
    if response is None:
        return False
    final = (
        _is_applied(execution.cluster, broker_id, partition, response)
        and isinstance(response.payload, FetchResponse)
        and response.payload.error is ErrorCode.NONE
        and response.payload.diverging_epoch is None
    )
    if final and step.drop == "response":
        sender, receiver = response.sender, response.receiver
        execution.act(
            steps.Drop(kind=response.kind, from_=sender, to=receiver, partition=partition)
        )
        return False
    if why_undeliverable(execution.cluster, response) is not None:
        return False
    execution.act(delivery_of(response))
    after = execution.cluster.replica(broker_id, partition).fetcher
    failed = after is None or after.phase == "failed" or after.delayed_until_ms is not None
    return not final and not failed


def _handle_request(
    execution: StepExecution, broker_id: BrokerId, leader: BrokerId, partition: TopicPartition
) -> None:
    """Deliver the follower's request in flight to its leader, if possible."""
    awaited = request_under_way(execution.cluster.replica(broker_id, partition))
    for message in execution.cluster.messages:
        if message.id == awaited:
            refused = why_undeliverable(execution.cluster, message)
            if refused is not None:
                if not execution.executed:
                    raise refused
                return
            execution.act(
                steps.Deliver(kind=message.kind, from_=broker_id, to=leader, partition=partition)
            )
            return


def _is_applied(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition, response: Message
) -> bool:
    """Whether the follower applies a response, which may be of an earlier fetch loop."""
    replica = cluster.replica(broker_id, partition)
    payload = response.payload
    assert isinstance(payload, FollowerResponse), "the follower waits for it"
    late = late_request(replica, payload.in_reply_to)
    rules = cluster.profile.rules
    return late is None or fate_of_late_response(late, payload, replica, rules=rules) == "taken"


# --- the controller --------------------------------------------------------------------------


def deliver_commands(execution: StepExecution, *, only: BrokerId | None = None) -> None:
    """Deliver the controller's commands in order, to all reachable brokers or to one."""

    def next_command() -> Message | None:
        for message in execution.cluster.messages:
            is_meant = message.kind in COMMANDS and only in (None, message.receiver)
            if is_meant and why_undeliverable(execution.cluster, message) is None:
                return message
        return None

    while (command := next_command()) is not None:
        if command.kind == "update_metadata":
            execution.act_quietly(delivery_of(command))
        else:
            execution.act(delivery_of(command))


def _detect(execution: StepExecution, step: steps.Detect) -> None:
    """The controller detects now that a broker failed or came back. Its commands reach every
    reachable broker."""
    broker_id = step.broker
    execution.act(steps.Notice(broker=broker_id))
    if step.only is not None:
        return
    deliver_commands(execution, only=broker_id)
    while (
        is_unnoticed(execution.cluster, broker_id)
        and not broker_session_has_ended(execution.cluster, broker_id)
        and broker_id not in execution.cluster.controller.failed_for
    ):
        execution.act(steps.Notice(broker=broker_id))
        deliver_commands(execution, only=broker_id)
    deliver_commands(execution)


def _start(execution: StepExecution, step: steps.Start) -> None:
    """Boot, recover and register a broker; its replicas take their roles. Followers neither look up
    epochs nor fetch yet.
    """
    broker_id = step.broker
    broker = execution.cluster.broker(broker_id)
    if broker.alive:
        raise RefusedError("broker_already_running", broker=broker_id, state=broker.process)
    if broker_session_has_ended(execution.cluster, broker_id):
        execution.act(steps.Notice(broker=broker_id))
        deliver_commands(execution)
    execution.act(steps.Boot(broker=broker_id))
    if is_unnoticed(execution.cluster, broker_id):
        _detect(execution, steps.Detect(broker=broker_id))


def _shutdown(execution: StepExecution, step: steps.Shutdown) -> None:
    """A controlled shutdown, to its end, or one half of it."""
    if step.only == "begin":
        execution.act(steps.BeginShutdown(broker=step.broker))
        return
    if step.only == "end":
        execution.act(steps.EndShutdown(broker=step.broker))
        return
    execution.act(steps.BeginShutdown(broker=step.broker))
    deliver_commands(execution)
    execution.act(steps.EndShutdown(broker=step.broker))
    deliver_commands(execution)


def _elect(execution: StepExecution, step: steps.Elect) -> None:
    """The controller detects every failed broker, and then performs the requested election."""
    partition, kind, wanted = step.partition, step.kind, step.leader
    trial = execution.trial()
    if step.only is not None:
        trial.act(steps.AskElection(partition=partition, kind=kind))
        _require_elected(trial, partition, wanted)
        execution.adopt(trial)
        return
    gone = sorted(
        (
            broker
            for broker in trial.cluster.brokers
            if broker_session_has_ended(trial.cluster, broker.broker_id)
            and not bounce_is_unseen(trial.cluster, broker.broker_id)
        ),
        key=lambda broker: broker.contact_lost_order,
    )
    for broker in gone:
        trial.act(steps.Notice(broker=broker.broker_id))
    registration = trial.cluster.controller.partition(partition)
    if kind == "preferred":
        if registration.leader != registration.preferred_leader or _writes_again(trial, partition):
            trial.act(steps.AskElection(partition=partition, kind=kind))
    elif registration.leader == NO_LEADER:
        try:
            trial.act(steps.AskElection(partition=partition, kind=kind))
        except RefusedError as refused:
            if not gone or refused.code != "no_eligible_replica":
                raise
            # The ISR of the refusal is without the failed brokers; in this state, it is not yet.
            raise RefusedError(
                "no_eligible_replica_left",
                rule=refused.rule,
                partition=partition,
                failed=[broker.broker_id for broker in gone],
            ) from None
    elected = trial.cluster.controller.partition(partition).leader
    elr = trial.cluster.profile.rules.eligible_leader_replicas
    if not trial.executed:
        if wanted != elected:
            raise RefusedError("leader_is_valid", partition=partition, leader=elected)
        return
    _require_elected(trial, partition, wanted)
    unclean = any(
        isinstance(happened, LeaderElected)
        and happened.partition == partition
        and happened.variant in ("unclean", "last_known_leader")
        for executed in trial.executed
        for happened in executed.transition.events
    )
    if unclean and kind != "unclean":
        raise RefusedError(
            "election_was_unclean",
            rule=election_rule("ELECTION-UNCLEAN", elr=elr),
            partition=partition,
            leader=elected,
        )
    execution.adopt(trial)
    deliver_commands(execution)


def _require_elected(
    trial: StepExecution, partition: TopicPartition, wanted: BrokerId | None
) -> None:
    """Refuse an election of another broker than the wanted one."""
    elected = trial.cluster.controller.partition(partition).leader
    if wanted not in (None, elected):
        elr = trial.cluster.profile.rules.eligible_leader_replicas
        raise RefusedError(
            "leader_not_elected",
            rule=election_rule("ELECTION-CLEAN", elr=elr),
            partition=partition,
            wanted=wanted,
            elected=elected,
        )


def _writes_again(trial: StepExecution, partition: TopicPartition) -> bool:
    """Whether the controller, which has written nothing else, would re-elect the current leader."""
    if trial.executed:
        return False
    kind, situation = trial.cluster.controller_kind, trial.cluster.situation()
    return kind.elect_preferred(situation, partition) is not None


def _reassign(execution: StepExecution, step: steps.Reassign) -> None:
    execution.act(steps.ReassignReplicas(partition=step.partition, replicas=step.replicas))
    if step.only is None:
        deliver_commands(execution)


def _config(execution: StepExecution, step: steps.Config) -> None:
    """Change a setting, and deliver the controller's commands to all reachable brokers."""
    execution.act(replace(step, only=None))
    if step.only is None:
        deliver_commands(execution)


def _fail_controller(execution: StepExecution, step: steps.FailController) -> None:
    """Another broker becomes the controller. Its commands reach every reachable broker."""
    execution.act(steps.TakeOverController())
    if step.only is None:
        deliver_commands(execution)


EXPANSIONS: Mapping[type[object], Callable[[StepExecution, object], None]] = dict(
    (
        for_class(steps.Produce, _produce),
        for_class(steps.Fetch, _fetch),
        for_class(steps.Detect, _detect),
        for_class(steps.Start, _start),
        for_class(steps.Shutdown, _shutdown),
        for_class(steps.Elect, _elect),
        for_class(steps.Reassign, _reassign),
        for_class(steps.FailController, _fail_controller),
        for_class(steps.Config, _config),
        for_class(steps.Advance, advance),
        for_class(steps.Run, run),
        for_class(steps.Settle, settle_down),
    )
)
"""The steps that expand to several actions, or to a differently named one."""


MOST_FRAMES_TRIED = 400


def refusal(cluster: ClusterState, step: steps.Happening) -> RefusedError | None:
    """Why a step is not possible now; None if it is. Steps that pass time are not tried, because
    that takes long.
    """
    if isinstance(step, steps.Settle):
        return without_effect(step) if is_at_rest(cluster) else None
    if isinstance(step, steps.TimeStep):
        return None
    try:
        execute_step(_UntilItBegins(cluster, FIRST_FRAME, MOST_FRAMES_TRIED), step)
    except RefusedError as error:
        return error.with_traceback(None)  # otherwise the choice would keep all that was tried
    except _BegunError:
        return None
    return without_effect(step)


def without_effect(step: steps.Happening) -> RefusedError:
    """The refusal of a user's step that would create no frame."""
    if isinstance(step, steps.Settle):
        return RefusedError("nothing_pending")
    return RefusedError("nothing_happened", step=name_of(type(step)))


class _BegunError(Exception):
    """It is not refused."""


class _UntilItBegins(StepExecution):
    """A step execution that raises `_BegunError` instead of keeping its first action."""

    def act(self, action: steps.Action) -> NoReturn:
        """Raise the action's refusal, or `_BegunError`."""
        PRIMITIVES[type(action)](_UntilItChanges(self.cluster, self.next_frame), action)
        raise _BegunError

    def _keep(self, executed: ExecutedAction) -> NoReturn:
        raise _BegunError


class _UntilItChanges(WorkingCopy):
    """A working copy that raises `_BegunError` at the first change of anything but what clients
    know.
    """

    def _store(self, cluster: ClusterState) -> None:
        known = self._cluster
        if cluster.clients.produced is not known.clients.produced or not (
            _differs_at_most_in_clients(known, cluster)
        ):
            raise _BegunError
        super()._store(cluster)


_but_clients = attrgetter(*(name for name in ClusterState.__struct_fields__ if name != "clients"))


def _differs_at_most_in_clients(one: ClusterState, other: ClusterState) -> bool:
    return all(map(is_, _but_clients(one), _but_clients(other)))
