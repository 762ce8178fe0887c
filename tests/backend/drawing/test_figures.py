"""Whose picture is drawn next."""

import asyncio
from pathlib import Path

from backend.drawing.figures import Figures
from backend.limits.visitors import Visitor, visiting
from tests.backend.frontend import FIGURE


async def test_visitors_take_turns_at_drawing(tmp_path: Path):
    script = tmp_path / "figure.js"
    script.write_text(FIGURE, encoding="utf-8")
    figures = Figures(script)
    drawn: list[str] = []

    async def draw(visitor: str) -> None:
        with visiting(Visitor(visitor)):
            await figures.draw({"frame": 0, "state": {}}, {"title": visitor})
        drawn.append(visitor)

    await asyncio.gather(*(draw(visitor) for visitor in ("a", "a", "a", "a", "b")))
    figures.close()

    assert drawn.index("b") < 3
