"""The grid file of a campaign or a search."""

from pathlib import Path

from analytics.errors import GridInvalidError
from sim_engine import Grid, ScenarioError, read_grid_text


def read_grid(path: Path) -> Grid:
    """Read the grid from a file. Raises `GridInvalidError`, which names the place."""
    try:
        return read_grid_text(path.read_text("utf-8"), filename=str(path))
    except UnicodeDecodeError:
        raise GridInvalidError(f"{path}: the file is not UTF-8") from None
    except ScenarioError as error:
        raise GridInvalidError(str(error)) from None
