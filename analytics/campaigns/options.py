"""What the commands that read a grid have in common."""

import argparse
from pathlib import Path

from analytics.errors import GridInvalidError
from sim_engine import Grid, ScenarioError, read_grid_text

DEFAULT_MASTER = "local[*]"


def positive(text: str) -> int:
    """An option that counts something. Raises what argparse takes for a wrong value."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def read_grid(path: Path) -> Grid:
    """The grid of a file. Raises `GridInvalidError`, which names the place."""
    try:
        return read_grid_text(path.read_text("utf-8"), filename=str(path))
    except UnicodeDecodeError:
        raise GridInvalidError(f"{path}: the file is not UTF-8") from None
    except ScenarioError as error:
        raise GridInvalidError(str(error)) from None
