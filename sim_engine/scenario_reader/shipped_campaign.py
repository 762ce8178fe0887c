"""The campaign that ships with this release: its grid and its summary, as text."""

from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "campaigns"


def shipped_grid_text() -> str:
    """The grid file, YAML."""
    return (_FOLDER / "shipped.yaml").read_text("utf-8")


def shipped_summary_text() -> bytes:
    """The summary, JSON."""
    return (_FOLDER / "shipped.json").read_bytes()
