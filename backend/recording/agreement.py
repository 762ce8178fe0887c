"""Whether two runs of the same steps agree, and what may differ between them because it depends on
timing. Everything else that differs is an error, which names it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import to_builtins

from backend.recording.failures import RecordingFailedError, failure
from sim_engine.conformance.recording import StepInFile, TimingDependent

_BY_TIMERS = ("high_watermark_checkpoint", "recovery_point_checkpoint")
"""Files that a broker writes by its own clock."""
_OF_PARTITION = ("PartitionRecord", "PartitionChangeRecord")


class DisagreementError(RecordingFailedError):
    """Two runs differ in what does not depend on timing; the reason names the first difference."""


def agreed(first: Sequence[StepInFile], second: Sequence[StepInFile]) -> TimingDependent:
    """What two runs differ in and a recording may differ in. Raises `DisagreementError`."""
    fields: set[str] = set()
    places: list[str] = []
    any_order: set[int] = set()
    for number, pair in enumerate(zip(first, second, strict=True)):
        one, other = (_comparable(step) for step in pair)
        match _race_of(one.pop("metadata_records"), other.pop("metadata_records")):
            case "registrations":
                fields.add("metadata_records")
                del one["noticed"], other["noticed"]
            case "joins":
                any_order.add(number)
            case "none":
                records = (repr(step.metadata_records) for step in pair)
                raise DisagreementError(
                    failure("records_differ", step=number, one=next(records), other=next(records))
                )
        for place, a, b in _differences("", one, other):
            name = place.rpartition("/")[2]
            if name in _BY_TIMERS:
                places.append(f"steps/{number}{place}")
            elif name == "isr" and isinstance(a, list) and isinstance(b, list) and {*a} == {*b}:
                any_order.add(number)
            else:
                where = place.lstrip("/")
                raise DisagreementError(
                    failure("values_differ", step=number, place=where, one=repr(a), other=repr(b))
                )
    return TimingDependent(
        fields=sorted(fields), places=places, isr_in_any_order_at_steps=sorted(any_order)
    )


def _comparable(step: StepInFile) -> dict[str, object]:
    document: dict[str, object] = to_builtins(step, str_keys=True)
    return document


def _race_of(one: object, other: object) -> Literal["equal", "registrations", "joins", "none"]:
    """The race that explains why two sequences of metadata records differ."""
    if one == other:
        return "equal"
    if _registrations_raced(one, other):
        return "registrations"
    return "joins" if _joins_raced(one, other) else "none"


def _differences(place: str, one: object, other: object) -> Iterator[tuple[str, object, object]]:
    """The innermost places at which two documents differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _differences(f"{place}/{key}", one[key], other[key])
    elif one != other:
        yield place, one, other


def _about(records: object, *, partition: bool) -> list[dict[str, object]]:
    assert records is None or isinstance(records, list), "a step has a list or nothing"
    return [one for one in records or () if (one["record"] in _OF_PARTITION) == partition]


def _registrations_raced(one: object, other: object) -> bool:
    """Whether only the order of brokers' registrations differs."""
    return _about(one, partition=True) == _about(other, partition=True) and (
        _same_registrations(one, other)
    )


def _same_registrations(one: object, other: object) -> bool:
    texts = [sorted(map(str, _about(records, partition=False))) for records in (one, other)]
    return texts[0] == texts[1]


def _joins_raced(one: object, other: object) -> bool:
    """Whether only the order in which replicas joined the ISR differs."""
    chains = [_about(records, partition=True) for records in (one, other)]
    if [*map(_without_members, chains[0])] != [*map(_without_members, chains[1])]:
        return False
    return _same_registrations(one, other) and _members(chains[0][-1]) == _members(chains[1][-1])


def _without_members(record: Mapping[str, object]) -> dict[str, object]:
    isr = record.get("isr")
    return {**record, "isr": len(isr) if isinstance(isr, list) else None}


def _members(record: Mapping[str, object]) -> object:
    isr = record.get("isr")
    return sorted(isr) if isinstance(isr, list) else isr
