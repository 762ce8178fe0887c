"""What a step must be in its cluster, and what later steps may name because of it.

A rule is handed the step as it was read, in which harmless values stand for wrong ones, and the
arguments as they were given.
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
from sim_engine.class_tables import OwnClass
from sim_engine.identifiers import METADATA_RECORD
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.cluster_layout import check_replica
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.step_conditions import also_needed, broken_conditions
from sim_engine.scenario_reader.step_scope import NO_BROKER, StepScope

Given = Mapping[str, object]


def needed_arguments(kind: type[StepStruct], value: object) -> Sequence[str]:
    """What a step must say: what it always needs, and what it needs because of what it says."""
    given = value if isinstance(value, dict) else {}
    needed = also_needed(kind, given)
    return [spec.written for spec in specs_of(kind) if spec.required or spec.written in needed]


def check_together(checker: Checker, kind: type[StepStruct], given: Given, where: str) -> None:
    """Report what arguments are not what they must be together."""
    for condition in broken_conditions(kind, given):
        assert condition.message is not None, "those without are missing arguments"
        values = {name: shown(value) for name, value in given.items()}
        checker.report(
            where if condition.at is None else pointer(where, condition.at),
            condition.message.format_map(values),
            code="missing" if condition.needs and condition.at is None else "wrong_document",
        )


def spelled_out(kind: type[StepStruct], given: Given) -> Given:
    """The arguments with the metadata log under its own name."""
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
            f"broker {step.broker} has no replica of {', '.join(named)}",
            code="unknown_reference",
        )


def _link(scope: StepScope, step: OneMessage | Cut | Heal, given: Given, where: str) -> None:
    if step.from_ is not None and step.from_ == step.to and step.to != NO_BROKER:
        scope.checker.report(pointer(where, "to"), f"from and to must differ, both are {step.to}")


# --- brokers and the controller --------------------------------------------------------------


def _power_loss(scope: StepScope, step: PowerLoss, given: Given, where: str) -> None:
    for name in step.keep or {}:
        replicas = scope.replicas(name)
        if step.broker != NO_BROKER and replicas and step.broker not in replicas:
            scope.checker.report(
                pointer(pointer(where, "keep"), name),
                f"broker {step.broker} has no replica of {name}",
                code="unknown_reference",
            )


def _elect(scope: StepScope, step: Elect, given: Given, where: str) -> None:
    if step.leader in scope.brokers:
        check_replica(
            scope.checker,
            step.leader,
            pointer(where, "leader"),
            scope.replicas(step.partition),
            what="the leader",
        )


def _reassign(scope: StepScope, step: Reassign, given: Given, where: str) -> None:
    scope.assign(step.partition, step.replicas)


RULES: Mapping[type[StepStruct], Callable[[StepScope, OwnClass, Given, str], None]] = {
    Produce: _produce,
    Retry: _retry,
    Refresh: _refresh,
    Transaction: _transaction,
    Consume: _consume,
    Fetch: _fetch,
    SendFetch: _fetch,
    Deliver: _link,
    Drop: _link,
    Hold: _link,
    Release: _link,
    PowerLoss: _power_loss,
    Cut: _link,
    Heal: _link,
    Elect: _elect,
    Reassign: _reassign,
}
"""The steps that are checked against the cluster, or that later checks depend on."""
