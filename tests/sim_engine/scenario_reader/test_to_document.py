"""A scenario as a document: the cost of encoding its parts."""

from collections.abc import Sequence
from typing import Any

from sim_engine.scenario_reader.document import RecordSpec
from sim_engine.scenario_reader.log_notation import log_line


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
