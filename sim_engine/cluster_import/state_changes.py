"""What changed between two readings of a live cluster, in words.

Partitions to which the same happened share a sentence. Offsets are not compared: they move with the
traffic. What a reading could not learn, and the one before could, is part of the changes.
"""

from collections.abc import Iterable, Iterator

from sim_engine.cluster_import.parsed_state import (
    ParsedPartition,
    ParsedState,
    Partition,
    Statement,
)
from sim_engine.identifiers import NO_LEADER, BrokerId

_MOST_NAMES = 8
_MOST_STATEMENTS = 40
_Key = tuple[str, tuple[tuple[str, object], ...]]
"""A statement's name and its values, without the partitions."""
_LEARNT_NO_MORE = frozenset({"refused", "unreachable", "log_dir_failed"})


def changes_between(before: ParsedState, after: ParsedState) -> tuple[Statement, ...]:
    """The changes: of brokers, of partitions, of settings, and what is no longer known."""
    found = (
        *_of_brokers(before, after),
        *_of_partitions(before, after),
        *_of_settings(before, after),
        *_not_learnt(before, after),
    )
    rest = len(found) - _MOST_STATEMENTS
    if rest <= 0:
        return found
    return (*found[:_MOST_STATEMENTS], Statement("changed_more", {"count": rest}))


def _of_brokers(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    for name, brokers in (
        ("changed_broker_gone", before.live - after.live),
        ("changed_broker_back", after.live - before.live),
    ):
        if brokers:
            yield Statement(name, {"brokers": sorted(brokers), "count": len(brokers)})


def _of_partitions(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    alike: dict[_Key, list[Partition]] = {}
    for name in sorted(before.partitions.keys() | after.partitions.keys()):
        old, new = before.partitions.get(name), after.partitions.get(name)
        if old == new:
            continue
        for code, values in _of_one(old, new):
            alike.setdefault((code, tuple(values.items())), []).append(name)
    for (code, fields), names in alike.items():
        partitions = {"partitions": _shortened(names), "partition_count": len(names)}
        shown = {field: list(of) if isinstance(of, tuple) else of for field, of in fields}
        yield Statement(code, {**shown, **partitions})


def _of_one(
    old: ParsedPartition | None, new: ParsedPartition | None
) -> Iterator[tuple[str, dict[str, object]]]:
    """What happened to one partition: the names of statements, with their values."""
    if old is None or new is None:
        yield ("changed_new" if old is None else "changed_deleted"), {}
        return
    yield from _of_leader(old, new)
    lists: tuple[tuple[str, Iterable[BrokerId], Iterable[BrokerId]], ...] = (
        ("isr", old.isr or (), new.isr or ()),
        ("elr", old.elr, new.elr),
        ("last_known", old.last_known_elr, new.last_known_elr),
        ("replicas", old.replicas, new.replicas),
    )
    for name, were, are in lists:
        left, joined = sorted({*were} - {*are}), sorted({*are} - {*were})
        if left:
            yield f"changed_{name}_left", {"brokers": tuple(left), "count": len(left)}
        if joined:
            yield f"changed_{name}_joined", {"brokers": tuple(joined), "count": len(joined)}
    was_moving, is_moving = bool(old.adding or old.removing), bool(new.adding or new.removing)
    if is_moving and (old.adding, old.removing) != (new.adding, new.removing):
        yield (
            "changed_reassigning",
            {"adding": _listed(new.adding), "removing": _listed(new.removing)},
        )
    elif was_moving and not is_moving:
        yield "changed_reassigned", {}


def _of_leader(
    old: ParsedPartition, new: ParsedPartition
) -> Iterator[tuple[str, dict[str, object]]]:
    was, now = old.leader, new.leader
    if was == now:
        if old.leader_epoch != new.leader_epoch and None not in (
            old.leader_epoch,
            new.leader_epoch,
        ):
            yield "changed_epoch", {"before": old.leader_epoch, "after": new.leader_epoch}
    elif now == NO_LEADER:
        yield "changed_no_leader", {"before": was}
    elif was == NO_LEADER:
        yield "changed_elected", {"after": now}
    else:
        yield "changed_leader", {"before": was, "after": now}


def _of_settings(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    for topic in sorted(before.topic_configs.keys() | after.topic_configs.keys()):
        old, new = before.topic_configs.get(topic, {}), after.topic_configs.get(topic, {})
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                yield Statement(
                    "changed_topic_setting", {"topic": topic, **_values(name, old, new)}
                )
    for broker in sorted(before.broker_configs.keys() & after.broker_configs.keys()):
        of_old, of_new = before.broker_configs[broker], after.broker_configs[broker]
        for name in sorted(of_old.keys() | of_new.keys()):
            if of_old.get(name) != of_new.get(name):
                values = {"broker": broker, **_values(name, of_old, of_new)}
                yield Statement("changed_broker_setting", values)


def _values(name: str, old: dict[str, str], new: dict[str, str]) -> dict[str, object]:
    return {"setting": name, "before": old.get(name, "–"), "after": new.get(name, "–")}


def _not_learnt(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    known = [one for one in before.unknown if one.name in _LEARNT_NO_MORE]
    for one in after.unknown:
        if one.name in _LEARNT_NO_MORE and one not in known:
            yield one


def _listed(brokers: Iterable[BrokerId]) -> str:
    return ", ".join(map(str, brokers)) or "–"


def _shortened(names: list[Partition]) -> list[str]:
    shown = [str(name) for name in names[:_MOST_NAMES]]
    rest = len(names) - len(shown)
    return [*shown, f"… +{rest}"] if rest else shown
