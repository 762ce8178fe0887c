"""What a visitor is told if a PNG cannot be drawn in time."""

from pathlib import Path

import pytest

from backend.drawing import raster
from backend.drawing.raster import Raster
from backend.http.errors import UnavailableError

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>'


async def test_a_picture_that_takes_too_long_can_be_requested_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(raster, "_TIME_LIMIT_S", 0)

    with pytest.raises(UnavailableError) as raised:
        await Raster(tmp_path).png(PICTURE, 20)

    assert raised.value.code == "figure_failed"
    assert "Retry-After" in raised.value.headers
