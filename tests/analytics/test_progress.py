"""What a job shows while it works: on a terminal how much is done and the time left."""

import io

import pytest

from analytics.progress import Progress


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO) -> list[str]:
    """What stood on the line, one after the other."""
    return [text for text in stream.getvalue().split("\r\x1b[K") if text]


@pytest.mark.parametrize(
    ("passed", "done", "left"),
    [(30, 300, "1:10"), (60, 1, "16:39:00"), (10, 999, "0:00"), (7, 500, "0:07")],
)
def test_a_terminal_shows_how_much_is_done_and_the_time_left(
    passed: float, done: int, left: str
) -> None:
    terminal, clock = Terminal(), Clock()

    with Progress(terminal, clock=clock).stage("running") as stage:
        clock.now += passed
        stage.count(done, 1_000)
        stage.result = "played 1,000 runs"

    assert shown(terminal) == [
        "  … running",
        f"  … running: {done:,} of 1,000 pieces, {left} left",
        f"  ✓ played 1,000 runs ({passed:.1f} s)\n",
    ]


def test_the_remaining_time_is_shown_only_between_the_first_and_the_last_piece() -> None:
    terminal, clock = Terminal(), Clock()

    with Progress(terminal, clock=clock).stage("running") as stage:
        clock.now += 5
        for done in (0, 4):
            stage.count(done, 4)

    assert shown(terminal)[1:3] == ["  … running: 0 of 4 pieces", "  … running: 4 of 4 pieces"]


def test_a_file_gets_one_line_a_stage() -> None:
    file, clock = io.StringIO(), Clock()

    with Progress(file, clock=clock).stage("running") as stage:
        clock.now += 2
        stage.count(1, 4)
        stage.result = "played 4 runs"

    assert file.getvalue() == "played 4 runs (2.0 s)\n"
