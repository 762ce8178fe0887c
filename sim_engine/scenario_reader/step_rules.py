"""Rules about a step in its cluster, and the names that it introduces for later steps.

A rule receives the step as read, in which harmless values replace invalid ones, and the arguments
as given.
"""

from collections.abc import Callable, Mapping, Sequence

from sim_engine.actions import (
    Consume,
    Cut,
    Deliver,
    Drop,
    Elect,
    Fetch,
    Heal,
    Hold,
    OneMessage,
    PowerLoss,
    Produce,
    Reassign,
    Refresh,
    Release,
    Retry,
    SendFetch,
    StepStruct,
    Transaction,
)
from sim_engine.actions.fields import specs_of
from sim_engine.actions.messages import METADATA
from sim_engine.class_tables import for_class
from sim_engine.error_texts import Wording, error, noun
from sim_engine.identifiers import METADATA_RECORD
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.cluster_layout import check_replica
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.step_conditions import Condition, also_needed, broken_conditions
from sim_engine.scenario_reader.step_scope import NO_BROKER, StepScope

Given = Mapping[str, object]


def needed_arguments(kind: type[StepStruct], value: object) -> Sequence[str]:
    """The required arguments of a step: those that are always required, and those that other
    arguments require.
    """
    given = value if isinstance(value, dict) else {}
    needed = also_needed(kind, given)
    return [spec.written for spec in specs_of(kind) if spec.required or spec.written in needed]


def check_together(checker: Checker, kind: type[StepStruct], given: Given, where: str) -> None:
    """Report the broken conditions on several arguments."""
    for condition in broken_conditions(kind, given):
        checker.report(
            where if condition.at is None else pointer(where, condition.at),
            _error_of(condition, given),
            code="missing" if condition.needs and condition.at is None else "wrong_document",
        )


def _error_of(condition: Condition, given: Given) -> Wording:
    assert condition.error is not None, "without an error, an argument is missing"
    if condition.shown is None:
        return error(condition.error)
    return error(condition.error, given=shown(given[condition.shown]))


def spelled_out(kind: type[StepStruct], given: Given) -> Given:
    """The arguments with the metadata log under its canonical name."""
    if not issubclass(kind, OneMessage) or given.get("kind") != METADATA:
        return given
    return {**given, "kind": METADATA_RECORD}


# --- clients ---------------------------------------------------------------------------------


def _produce(scope: StepScope, step: Produce, given: Given, where: str) -> None:
    if step.as_ not in scope.producers:
        scope.producers.append(step.as_)


def _retry(scope: StepScope, step: Retry, given: Given, where: str) -> None:
    scope.require_client(step.as_, pointer(where, "as"), scope.producers, what="producer")


def _refresh(scope: StepScope, step: Refresh, given: Given, where: str) -> None:
    clients = [*scope.producers, *scope.consumers]
    scope.require_client(step.as_, pointer(where, "as"), clients, what="client")


def _transaction(scope: StepScope, step: Transaction, given: Given, where: str) -> None:
    if step.do != "begin":
        scope.require_client(step.as_, pointer(where, "as"), scope.producers, what="producer")
    elif step.as_ not in scope.producers:
        scope.producers.append(step.as_)


def _consume(scope: StepScope, step: Consume, given: Given, where: str) -> None:
    if step.as_ not in scope.consumers:
        scope.consumers.append(step.as_)


# --- followers, messages and timers ----------------------------------------------------------


def _fetch(scope: StepScope, step: Fetch | SendFetch, given: Given, where: str) -> None:
    named = list(scope.partitions) if step.partition is None else [step.partition]
    if step.broker == NO_BROKER or not all(named):
        return
    if named and not any(step.broker in scope.replicas(name) for name in named):
        scope.checker.report(
            pointer(where, "broker"),
            error("no_replica_of", broker=step.broker, names=tuple(named)),
            code="unknown_reference",
        )


def _link(scope: StepScope, step: OneMessage | Cut | Heal, given: Given, where: str) -> None:
    if step.from_ is not None and step.from_ == step.to and step.to != NO_BROKER:
        reason = error("same_ends", given=str(step.to))
        scope.checker.report(pointer(where, "to"), reason)


# --- brokers and the controller --------------------------------------------------------------


def _power_loss(scope: StepScope, step: PowerLoss, given: Given, where: str) -> None:
    for name in step.keep or {}:
        replicas = scope.replicas(name)
        if step.broker != NO_BROKER and replicas and step.broker not in replicas:
            scope.checker.report(
                pointer(pointer(where, "keep"), name),
                error("no_replica_of", broker=step.broker, names=name),
                code="unknown_reference",
            )


def _elect(scope: StepScope, step: Elect, given: Given, where: str) -> None:
    if step.leader in scope.brokers:
        check_replica(
            scope.checker,
            step.leader,
            pointer(where, "leader"),
            scope.replicas(step.partition),
            what=noun("the_leader"),
        )


def _reassign(scope: StepScope, step: Reassign, given: Given, where: str) -> None:
    if step.replicas is not None:
        scope.assign(step.partition, step.replicas)


RULES: Mapping[type[object], Callable[[StepScope, object, Given, str], None]] = dict(
    (
        for_class(Produce, _produce),
        for_class(Retry, _retry),
        for_class(Refresh, _refresh),
        for_class(Transaction, _transaction),
        for_class(Consume, _consume),
        for_class(Fetch, _fetch),
        for_class(SendFetch, _fetch),
        for_class(Deliver, _link),
        for_class(Drop, _link),
        for_class(Hold, _link),
        for_class(Release, _link),
        for_class(PowerLoss, _power_loss),
        for_class(Cut, _link),
        for_class(Heal, _link),
        for_class(Elect, _elect),
        for_class(Reassign, _reassign),
    )
)
"""The steps that are checked against the cluster, or that later checks depend on."""
