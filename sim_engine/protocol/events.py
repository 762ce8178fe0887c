"""What happened, as values: the one thing that narration, the stage and analytics read.

An event never guesses from states: whoever made the change says so, with the numbers it used and
the rule that made it so. Sentences are made from events in `sim_engine.narration`.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from sim_engine.records import Record

Number = int | str | bool | None | list[int] | list[str] | list[dict[str, object]]


class Evidence(Struct, frozen=True, gc=False, kw_only=True):
    """Where to look: the replicas, offsets and records an event speaks of."""

    partition: str | None = None
    replicas: tuple[int, ...] = ()
    offsets: tuple[int, ...] = ()
    records: tuple[Record, ...] = ()
    frames: tuple[int, ...] = ()


class Event(Struct, frozen=True, gc=False, kw_only=True):
    """One thing that happened. `numbers` are the values its sentence and formula are made of."""

    kind: str
    variant: str | None = None
    numbers: Mapping[str, Number] = field(default_factory=dict)
    rule: str | None = None
    sources: tuple[str, ...] = ()
    evidence: Evidence = Evidence()


def event(
    kind: str,
    /,
    *,
    variant: str | None = None,
    rule: str | None = None,
    sources: tuple[str, ...] = (),
    evidence: Evidence | None = None,
    link: tuple[int | str, int | str] | None = None,
    **numbers: Number,
) -> Event:
    """Make an event; where no evidence is given, its partition and broker are.

    `link` gives the numbers `from` and `to`, which Python keeps as words of its own.
    """
    if link is not None:
        numbers = {**numbers, "from": link[0], "to": link[1]}
    if evidence is None:
        partition = numbers.get("partition")
        broker = numbers.get("broker")
        evidence = Evidence(
            partition=partition if isinstance(partition, str) else None,
            replicas=(broker,) if isinstance(broker, int) and partition is not None else (),
        )
    return Event(
        kind=kind, variant=variant, numbers=numbers, rule=rule, sources=sources, evidence=evidence
    )
