"""The campaign that ships with this release: its grid and its summary, as text."""

from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "campaigns"


def shipped_grid_text() -> str:
    """The text of the grid file (YAML)."""
    return (_FOLDER / "shipped.yaml").read_text("utf-8")


def shipped_summary_text() -> bytes:
    """The text of the summary (JSON in UTF-8)."""
    return (_FOLDER / "shipped.json").read_bytes()
