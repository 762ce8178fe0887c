from pathlib import Path

import pytest

from tests.analytics.campaigns.proof import prove

GRID = """
grid: 1
kafka: ["0.10.2", "3.9"]
acks: [all, 1]
faults: {crash: 0.1, power_loss: 0.03}
steps: 10
shrink: false
"""


@pytest.mark.slow
def test_a_killed_executor_and_a_killed_driver_change_nothing(tmp_path: Path) -> None:
    prove(tmp_path, runs=400, grid=GRID)
