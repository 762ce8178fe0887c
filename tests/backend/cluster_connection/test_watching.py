"""A watched cluster: each reading, and what it shows when the cluster cannot be read."""

import json
import re
from collections.abc import Callable

import pytest

from backend.commands import connect
from sim_engine.cluster_import.parsed_state import ParsedPartition, ParsedState, Partition
from sim_engine.error_texts import WrongInputError
from sim_engine.identifiers import BrokerId


def state(leader: int, isr: tuple[int, ...]) -> ParsedState:
    about = ParsedPartition(
        replicas=(BrokerId(1), BrokerId(2)),
        leader=BrokerId(leader),
        isr=tuple(map(BrokerId, isr)),
        file="",
    )
    return ParsedState(partitions={Partition("t", 0): about}, live=set(about.isr or ()))


def reading(*results: ParsedState | str) -> Callable[[], ParsedState]:
    """Returns or raises one result after another; then the reader presses Ctrl-C."""
    remaining = iter(results)

    def read() -> ParsedState:
        result = next(remaining, None)
        if result is None:
            raise KeyboardInterrupt
        if isinstance(result, str):
            raise WrongInputError(result)
        return result

    return read


def watch(first: ParsedState, *then: ParsedState | str, as_json: bool = False) -> None:
    with pytest.raises(KeyboardInterrupt):
        connect._watch(reading(*then), first, "3.9", (), 0, as_json=as_json)


def test_what_changes_is_a_line_and_a_failure_is_told_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    watch(state(1, (1, 2)), "a:1: refused", "a:1: refused", state(2, (2,)), state(2, (2,)))

    head, titles, row, *rest = capsys.readouterr().out.splitlines()
    assert re.match("[0-9]{4}-", head)
    assert titles.split()[0] == "partition"
    assert row.split()[:2] == ["t-0", "1"]
    assert [line[9:] for line in rest] == [
        "a:1: refused",
        "Broker 1 is no longer running",
        "t-0: the leader is now 2, it was 1",
        "t-0: 1 left the ISR",
    ]


def test_each_reading_is_a_document_and_so_is_a_failure(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    watch(state(1, (1, 2)), "a:1: refused", state(3, (1,)), as_json=True)

    documents = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert documents[0]["scenario"]["kafka"] == "3.9"
    assert documents[1]["error"] == "a:1: refused"
    assert set(documents[1]) == {"at", "error"}
    assert "t-0" in documents[2]["error"]  # no state of a cluster: the leader is no replica
