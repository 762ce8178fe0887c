"""What a first visitor would wait for is done when the service starts."""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

from backend.drawing.figures import Figures
from tests.backend.conftest import Service
from tests.backend.frontend import FIGURE

PAGE = "/lessons/kip-101-data-loss"


async def test_the_first_request_prepares_no_routes(sqlite_service: Service) -> None:
    calls: Counter[str] = Counter()

    def count(frame: FrameType, kind: str, _argument: object) -> None:
        if kind == "call":
            calls[frame.f_globals.get("__name__", "")] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        response = await sqlite_service.client.get(PAGE)
    finally:
        sys.setprofile(before)

    assert response.status_code == 200
    assert calls["fastapi.routing"] > 0
    # The dependencies of a route are read from its signature when it is prepared.
    assert calls["inspect"] < 3_000
    assert calls["pydantic._internal._generate_schema"] == 0


async def test_the_drawing_script_is_loaded_before_the_first_picture(tmp_path: Path) -> None:
    script = tmp_path / "figure.js"
    script.write_text(FIGURE, encoding="utf-8")
    figures = Figures(script)

    await figures.prepare()
    script.write_text("throw new Error('loaded late');", encoding="utf-8")
    picture = await figures.draw({"frame": 0, "state": {}}, {"title": "A run"})
    figures.close()

    assert "A run" in picture


async def test_a_service_without_a_correct_drawing_script_starts(tmp_path: Path) -> None:
    missing, faulty = Figures(tmp_path / "none.js"), Figures(tmp_path / "figure.js")
    (tmp_path / "figure.js").write_text("throw new Error('faulty');", encoding="utf-8")

    await missing.prepare()
    await faulty.prepare()

    missing.close()
    faulty.close()
