"""Small scenarios of public bug reports, and the sentences in which their runs explain them."""

from pathlib import Path

import pytest

from sim_engine.command_line import main

FOLDER = Path(__file__).parent

EXPLAINED = {
    "livelock-settle": "This repeats: broker 2 truncates nothing",
    "pending-isr-check-kraft": "Leader 1 does not check the ISR of t-0: its change to {1, 2} is",
    "pending-isr-check-zookeeper": "Broker 2, last caught up 19991 ms ago, therefore stays",
    "hanging-transaction-abort": "An administrator aborts the transaction of producer id",
}


def test_each_file_has_its_sentence() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(EXPLAINED)


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_report_is_reproduced_and_explained(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(FOLDER / f"{name}.yaml")

    assert main(["check", path]) == 0
    capsys.readouterr()
    assert main(["run", path]) == 0
    told = capsys.readouterr().out

    assert EXPLAINED[name] in told
    assert told.count("\n") < 200
