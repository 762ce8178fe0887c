"""Pictures as pixels: one process for all, and what a visitor is told if it fails."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from backend.drawing import raster
from backend.drawing.raster import Raster
from backend.http.errors import UnavailableError
from backend.limit_table import PNG_SECONDS

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>'


@pytest.fixture
async def drawing(tmp_path: Path) -> AsyncIterator[Raster]:
    raster = Raster(tmp_path)
    yield raster
    await raster.close()


def number_of_process(raster: Raster) -> int:
    assert raster._process is not None
    return raster._process.pid


async def test_one_process_draws_all_pictures(drawing: Raster):
    first = await drawing.png(PICTURE, 20)
    process = number_of_process(drawing)
    second = await drawing.png(PICTURE, 30)

    assert first.startswith(b"\x89PNG")
    assert second.startswith(b"\x89PNG")
    assert first != second
    assert number_of_process(drawing) == process


async def test_a_picture_that_the_library_rejects_does_not_end_the_process(drawing: Raster):
    await drawing.png(PICTURE, 20)
    process = number_of_process(drawing)

    with pytest.raises(UnavailableError) as raised:
        await drawing.png(PICTURE.replace("></svg>", "><path</svg>"), 20)
    await drawing.png(PICTURE, 40)

    assert raised.value.code == "figure_failed"
    assert number_of_process(drawing) == process


async def test_a_process_that_was_killed_between_two_pictures_is_replaced(drawing: Raster):
    await drawing.png(PICTURE, 20)
    os.kill(number_of_process(drawing), signal.SIGKILL)
    assert drawing._process is not None
    await drawing._process.wait()

    assert (await drawing.png(PICTURE, 30)).startswith(b"\x89PNG")


async def test_a_picture_for_which_nobody_waits_is_not_finished(drawing: Raster):
    await drawing.png(PICTURE, 20)
    process = drawing._process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    asking = asyncio.ensure_future(drawing.png(PICTURE, 30))
    await asyncio.sleep(0.1)

    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)

    assert process.returncode == -signal.SIGKILL
    assert (await drawing.png(PICTURE, 30)).startswith(b"\x89PNG")


async def test_an_animation_has_the_time_of_all_of_its_pictures(
    drawing: Raster, monkeypatch: pytest.MonkeyPatch
):
    timeout, times = asyncio.timeout, list[float]()

    def noted(seconds: float) -> asyncio.Timeout:
        times.append(seconds)
        return timeout(seconds)

    monkeypatch.setattr(asyncio, "timeout", noted)
    monkeypatch.setattr(raster, "PNG_SECONDS", replace(PNG_SECONDS, number=70))

    await drawing.gif([PICTURE] * 3, [0.5] * 3, 20)

    assert max(times) == 3 * 70


async def test_a_picture_that_takes_too_long_can_be_requested_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(raster, "PNG_SECONDS", replace(PNG_SECONDS, number=0))

    with pytest.raises(UnavailableError) as raised:
        await Raster(tmp_path).png(PICTURE, 20)

    assert raised.value.code == "figure_failed"
    assert "Retry-After" in raised.value.headers
