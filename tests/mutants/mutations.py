"""The mutants: each flag of `Rules` inverted in every profile, and reversed rules.

A mutation is applied in a process that is used for nothing else, so it is never undone.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sim_engine import versions
from sim_engine.identifiers import ErrorCode
from sim_engine.protocol import log, replica
from sim_engine.protocol.controller.kraft import controller as kraft
from sim_engine.protocol.controller.zookeeper import controller as zookeeper
from sim_engine.protocol.controller.zookeeper import update as znodes
from sim_engine.protocol.follower import fetch_loop, truncation
from sim_engine.protocol.leader import fetches, high_watermark, isr, leadership, requests
from sim_engine.protocol.replica import Outcome
from sim_engine.simulation.performing import messages
from tests.sim_engine.kafka_cases.flipping import inverting


def inverted(rule: str) -> Callable[[], None]:
    """Turn the rule off in every profile that has it, and on in every other."""

    def apply() -> None:
        versions._require_together = inverting(rule)  # type: ignore[assignment]
        versions._resolved.cache_clear()

    return apply


def everywhere(original: Any, mutant: Any) -> Callable[[], None]:
    """Replace a function with its mutant in every module that imported it."""

    def apply() -> None:
        for name, module in list(sys.modules.items()):
            if name.startswith(("sim_engine", "tests.")) and name != __name__:
                for attribute, value in list(vars(module).items()):
                    if value is original:
                        setattr(module, attribute, mutant)

    return apply


def with_builtin(module: Any, name: str, mutant: Any) -> Callable[[], None]:
    """Replace a built-in function in one module."""
    return lambda: setattr(module, name, mutant)


def _highest(*values: Any, **options: Any) -> Any:
    return max(*values, **options)


def _not_truncated(replica: Any, offset: Any, rules: Any) -> Any:
    return replica, (), ()


def _truncated_one_further(replica: Any, offset: Any, rules: Any) -> Any:
    return _TRUNCATE_TO(replica, max(replica.log.log_start_offset, offset - 1), rules)


def _watermark_at_log_end(replica: Any, **options: Any) -> Any:
    loaded = _LOAD_LOG(replica, **options)
    return replace(loaded, high_watermark=loaded.log_end_offset)


def _first_epoch_only(entries: Any, epoch: Any, start: Any, rules: Any) -> Any:
    return entries or _ASSIGN(entries, epoch, start, rules)


def _own_epoch(replica: Any) -> Any:
    return replica.leader_epoch


_TRUNCATE_TO = replica.truncate_to
_LOAD_LOG = replica.load_log
_ASSIGN = log.assign

TURNED_AROUND: Mapping[str, Callable[[], None]] = {
    "the high watermark is the highest log end, not the lowest": with_builtin(
        high_watermark, "min", _highest
    ),
    "the high watermark never moves": everywhere(
        high_watermark.maybe_increment_high_watermark, lambda replica, _: Outcome(replica=replica)
    ),
    "no fetch is fenced": everywhere(requests.epoch_error, lambda *_, **__: ErrorCode.NONE),
    "no fetch diverges": everywhere(fetches.diverging_epoch, lambda *_: None),
    "nobody joins an ISR": everywhere(isr.maybe_expand_isr, lambda *_, **__: (None, ())),
    "nobody is out of sync": everywhere(isr.why_out_of_sync, lambda *_, **__: None),
    "a producer is never answered": everywhere(
        high_watermark.complete_produces, lambda replica, _: Outcome(replica=replica)
    ),
    "a leader that steps down answers nobody": everywhere(
        replica.step_down_responses, lambda *_: ()
    ),
    "a follower never truncates": everywhere(replica.truncate_to, _not_truncated),
    "a follower truncates one record too many": everywhere(
        replica.truncate_to, _truncated_one_further
    ),
    "the high watermark starts at the log's end": everywhere(
        replica.load_log, _watermark_at_log_end
    ),
    "nothing is flushed by the number of records": everywhere(
        replica.flush_after_append, lambda replica, _: replica
    ),
    "the epoch cache keeps its first entry only": everywhere(log.assign, _first_epoch_only),
    "truncation leaves the epoch cache alone": everywhere(
        log.truncate_from_end, lambda entries, _: entries
    ),
    "a follower asks about the leader's epoch, not its own last": everywhere(
        truncation.epoch_to_ask, _own_epoch
    ),
    "a disconnected follower waits for ever": everywhere(
        fetch_loop.disconnected, lambda replica, _: replica
    ),
    "a message arrives whatever is in its way": everywhere(
        messages.why_undeliverable, lambda *_: None
    ),
    "a dead KRaft broker stays in every ISR": everywhere(
        kraft._leave_every_isr, lambda *_, **__: None
    ),
    "a dead ZooKeeper broker stays in every ISR": everywhere(
        znodes.remove_from_isr, lambda _, partition, *__: partition
    ),
    "a leader that goes on in its epoch says nothing": everywhere(
        leadership._change_taken, lambda *_, **__: ()
    ),
    "ZooKeeper refuses every write of an ISR": everywhere(
        zookeeper.write_isr, lambda *_, **__: (ErrorCode.INVALID_UPDATE_VERSION, None)
    ),
}

MUTANTS: Mapping[str, Callable[[], None]] = {
    **{f"{rule} inverted": inverted(rule) for rule in versions.RULE_NAMES},
    **TURNED_AROUND,
}
"""Every mutant by its name."""
