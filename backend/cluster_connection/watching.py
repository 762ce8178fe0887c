"""The table of partitions that a terminal shows of a cluster that is read again and again."""

from collections.abc import Iterator, Mapping, Sequence

from sim_engine.cluster_import.parsed_state import ParsedPartition, ParsedState, Partition
from sim_engine.identifiers import NO_LEADER, BrokerId

_NONE = "–"


def partition_table(state: ParsedState, most: int | None = None) -> list[str]:
    """One line for each partition under a line of titles: those in an unusual state first, marked
    with `!`. At most `most` lines in all; the last one then counts the rest.
    """
    rows = [_row(name, about, state) for name, about in _worst_first(state)]
    titles = ["", *next(iter(rows), {})]
    cells = [
        titles,
        *(
            [" " if _is_whole(about) else "!", *row.values()]
            for row, (_, about) in zip(rows, _worst_first(state), strict=True)
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    if most is None or len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"   … {len(lines) - most + 1} more partitions"]


def _worst_first(state: ParsedState) -> list[tuple[Partition, ParsedPartition]]:
    return sorted(
        state.partitions.items(),
        key=lambda item: (item[1].leader != NO_LEADER, _is_whole(item[1]), item[0]),
    )


def _is_whole(about: ParsedPartition) -> bool:
    return about.leader != NO_LEADER and set(about.isr or ()) == set(about.replicas)


def _row(name: Partition, about: ParsedPartition, state: ParsedState) -> Mapping[str, str]:
    ends = {log.origin.stated: log.end for log in state.logs if log.partition == name}
    mark = state.high_watermarks.get(name)
    return {
        "partition": str(name),
        "leader": "none" if about.leader == NO_LEADER else str(about.leader),
        "epoch": _NONE if about.leader_epoch is None else str(about.leader_epoch),
        "replicas": _ids(about.replicas),
        "ISR": _ids(about.isr or ()),
        "ELR": _ids(about.elr),
        "last known ELR": _ids(about.last_known_elr),
        "moving": " ".join(_moves(about)) or _NONE,
        "high watermark": _NONE if mark is None else str(mark),
        "log ends": " ".join(
            f"{broker}:{ends[broker]}" for broker in about.replicas if broker in ends
        )
        or _NONE,
    }


def _moves(about: ParsedPartition) -> Iterator[str]:
    yield from (f"+{broker}" for broker in about.adding)
    yield from (f"-{broker}" for broker in about.removing)


def _ids(brokers: Sequence[BrokerId]) -> str:
    return ",".join(map(str, brokers)) or _NONE
