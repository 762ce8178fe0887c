"""A scenario written as text and read again is unchanged; and what encoding its parts costs."""

from collections.abc import Sequence
from typing import Any

import pytest

from sim_engine.scenario_reader.document import RecordSpec, Scenario
from sim_engine.scenario_reader.log_notation import log_line
from sim_engine.scenario_reader.reader import (
    list_shipped,
    read_scenario_document,
    read_scenario_text,
)
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.scenario_reader.writer import scenario_text
from tests.sim_engine.scenario_reader.documents import document, with_log
from tests.tables import for_each


class Handed(Sequence[RecordSpec]):
    """A list of records that counts how many were read."""

    def __init__(self, records: Sequence[RecordSpec]) -> None:
        self._records = records
        self.handed = 0

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, index: Any) -> Any:
        found = self._records[index]
        self.handed += len(found) if isinstance(index, slice) else 1
        return found


def test_what_a_log_costs_to_write_follows_from_its_length():
    records = Handed([RecordSpec(f"m{number * 7}", None) for number in range(1000)])

    assert len(log_line(records).split()) == 1000

    assert records.handed < 10 * 1000


@for_each("scenario", list_shipped, lambda scenario: scenario.id)
def test_a_shipped_scenario_reads_back_as_itself(scenario: Scenario) -> None:
    assert read_scenario_text(scenario_text(scenario)) == scenario


@pytest.mark.parametrize("value", ["1e3", "on", "0x10", "~", "-", "a:b", "消息", "null", "007"])
def test_a_value_that_looks_like_something_else_stays_text(value: str) -> None:
    produce = {"produce": {"to": "t-0", "values": [value], "as": "p1"}}
    scenario = read_scenario_document(document(steps=[produce]))

    assert read_scenario_text(scenario_text(scenario)) == scenario


def test_a_written_file_tells_editors_its_schema() -> None:
    scenario = read_scenario_document(document(steps=[]))

    text = scenario_text(scenario, ["from a share", ""])

    schema = scenario_schema()["$id"]
    assert text.startswith(
        f"# yaml-language-server: $schema={schema}\n# from a share\n#\nscenario:"
    )
    assert read_scenario_text(text) == scenario


def test_a_log_at_the_start_is_written() -> None:
    scenario = read_scenario_document(with_log(log="m1/0 x*20/1 m2/3", flushed=2))

    text = scenario_text(scenario)

    assert "x*20/1" in text
    assert read_scenario_text(text) == scenario


def test_a_step_is_one_line() -> None:
    steps = [{"crash": {"broker": 1}}, {"settle": {}}]

    text = scenario_text(read_scenario_document(document(steps=steps)))

    assert text.endswith("steps:\n  - crash: {broker: 1}\n  - settle: {}\n")
