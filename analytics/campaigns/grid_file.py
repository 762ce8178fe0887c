"""The grid file of a campaign or a search, and what is printed about its cells."""

from collections.abc import Iterator
from pathlib import Path

from analytics.errors import GridInvalidError
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.scenario_reader.document import ScenarioError

_ALWAYS_SHOWN = ("kafka",)


def read_grid(path: Path) -> Grid:
    """Read the grid from a file. Raises `GridInvalidError`, which names the place."""
    try:
        return read_grid_text(path.read_text("utf-8"), filename=str(path))
    except UnicodeDecodeError:
        raise GridInvalidError(f"{path}: the file is not UTF-8") from None
    except ScenarioError as error:
        raise GridInvalidError(str(error)) from None


def varying_settings(grid: Grid) -> list[str]:
    """The settings that are shown for each cell: those with several values, and the release."""
    return [name for name, values in grid.axes if len(values) > 1 or name in _ALWAYS_SHOWN]


def left_out_lines(grid: Grid) -> Iterator[str]:
    """A line for each combination of settings that no cluster can have."""
    varying = varying_settings(grid)
    for point in grid.impossible:
        settings = ", ".join(
            f"{name}={value}" for name, value in point.settings.items() if name in varying
        )
        yield f"left out: {settings}: {point.reason}"
