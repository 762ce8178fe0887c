"""What the arguments of one step must be together, and what later steps may name because of it.

A rule is handed the step as it was read, in which harmless values stand for wrong ones, and the
arguments as they were given.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

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
    Timer,
    Transaction,
)
from sim_engine.actions.messages import FROM_CONTROLLER, METADATA
from sim_engine.actions.time import CONTROLLER_TIMER_KINDS
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD
from sim_engine.scenario_reader.checker import Checker
from sim_engine.scenario_reader.cluster_layout import check_replica
from sim_engine.scenario_reader.source import pointer
from sim_engine.scenario_reader.step_scope import NO_BROKER, StepScope

Given = Mapping[str, Any]


def needed_arguments(
    kind: type[StepStruct], value: object, required: Sequence[str]
) -> Sequence[str]:
    """What a step must say. Of the controller's own messages, not where they come from."""
    if not issubclass(kind, OneMessage):
        return required
    named = value.get("kind") if isinstance(value, dict) else None
    return ("kind", "to") if named in FROM_CONTROLLER else ("kind", "from", "to")


def spelled_out(checker: Checker, kind: type[StepStruct], given: Given, where: str) -> Given:
    """The arguments with the metadata log under its own name."""
    if not issubclass(kind, OneMessage) or given.get("kind") != METADATA:
        return given
    if given.get("from", CONTROLLER) != CONTROLLER:
        checker.report(pointer(where, "from"), f"the metadata log must come from {CONTROLLER}")
    return {**given, "kind": METADATA_RECORD}


# --- clients ---------------------------------------------------------------------------------


def _produce(scope: StepScope, step: Produce, given: Given, where: str) -> None:
    if step.as_ not in scope.producers:
        scope.producers.append(step.as_)
    if step.idempotent and step.acks != "all":
        scope.checker.report(
            pointer(where, "idempotent"), f"idempotence needs acks: all, not {step.acks}"
        )
    if step.sequence is None:
        return
    inner = pointer(where, "sequence")
    if not step.idempotent:
        scope.checker.report(inner, "sequence needs idempotent: true")
    elif len(step.values) > 1:
        scope.checker.report(inner, "sequence needs exactly one value")


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
    if "rack" in given and "broker" in given:
        scope.checker.report(pointer(where, "rack"), "use either broker or rack, not both")


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


def _deliver(scope: StepScope, step: Deliver, given: Given, where: str) -> None:
    _link(scope, step, given, where)
    if step.records is not None:
        if not step.is_metadata_log:
            scope.checker.report(
                pointer(where, "records"),
                "records is allowed only for the metadata log",
            )
        elif "partition" in given:
            scope.checker.report(pointer(where, "partition"), "the metadata log has no partition")
    if step.skip and step.kind != "leader_and_isr":
        scope.checker.report(pointer(where, "skip"), "skip is allowed only for leader_and_isr")


def _link(scope: StepScope, step: OneMessage | Cut | Heal, given: Given, where: str) -> None:
    if step.from_ is not None and step.from_ == step.to and step.to != NO_BROKER:
        scope.checker.report(pointer(where, "to"), f"from and to must differ, both are {step.to}")


def _heal(scope: StepScope, step: Heal, given: Given, where: str) -> None:
    if "broker" in given and ("from" in given or "to" in given):
        scope.checker.report(where, "heal needs either from and to, or broker, not both")
    elif "broker" not in given and set(given) != {"from", "to"}:
        scope.checker.report(where, "heal needs from and to, or broker", code="missing")
    _link(scope, step, given, where)


def _timer(scope: StepScope, step: Timer, given: Given, where: str) -> None:
    if "broker" not in given and step.kind not in CONTROLLER_TIMER_KINDS:
        scope.checker.report(where, f"timer {step.kind} needs broker", code="missing")


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


RULES: Mapping[type[StepStruct], Callable[[StepScope, Any, Given, str], None]] = {
    Produce: _produce,
    Retry: _retry,
    Refresh: _refresh,
    Transaction: _transaction,
    Consume: _consume,
    Fetch: _fetch,
    SendFetch: _fetch,
    Deliver: _deliver,
    Drop: _link,
    Hold: _link,
    Release: _link,
    Timer: _timer,
    PowerLoss: _power_loss,
    Cut: _link,
    Heal: _heal,
    Elect: _elect,
    Reassign: _reassign,
}
"""The steps whose arguments must be something together, or are remembered."""
