"""A built frontend of which a file is missing: nothing fails, and what needs the file says so."""

from pathlib import Path

import pytest

from tests.backend.conftest import LOSS, Service
from tests.backend.frontend import write_frontend

FILES = ["dist/" + name for name in (
    "index.html", "embed.html", "docs.html", "favicon.svg", "assets/index-AbCdEf12.js",
    "assets/embed-AbCdEf12.js", "assets/plain.css", "embed/v1.js",
)] + ["figure.js"]  # fmt: skip
PATHS = [
    "/", "/new", "/docs", "/glossary", "/nothing/here", "/lessons/kip-101-data-loss",
    "/lessons/kip-101-data-loss.png", "/card.png", "/x/{id}", "/s/{sid}", "/s/{sid}.html",
    "/s/{sid}.svg", "/s/{sid}.png", "/s/{sid}.md", "/e/v1/s/{sid}", "/s/wrong", "/e/v1/s/wrong",
    "/favicon.svg", "/embed/v1.js", "/assets/embed-AbCdEf12.js", "/assets/plain.css",
]  # fmt: skip


@pytest.mark.parametrize("missing", FILES)
async def test_a_missing_file_is_no_failure(sqlite_service: Service, missing: str):
    """Both for a file that was there a moment ago and for one that was never there."""
    session = (await sqlite_service.new_session(scenario=LOSS))["id"]
    sid = (await sqlite_service.share(session, 3))["sid"]
    paths = [path.format(id=session, sid=sid) for path in PATHS]
    for path in paths:
        assert (await sqlite_service.client.get(path)).status_code in (200, 404)
    dist: Path = sqlite_service.settings.frontend_folder

    (dist.parent / missing).unlink()
    answers = {path: await sqlite_service.client.get(path) for path in paths}

    for path, answer in answers.items():
        assert answer.status_code in (200, 404, 503), (path, answer.text)
        if answer.status_code == 503:
            assert answer.json()["code"] == "frontend_not_built"
    if missing in ("dist/embed.html", "dist/assets/embed-AbCdEf12.js", "dist/assets/plain.css"):
        assert answers[f"/s/{sid}.html"].status_code == 503


async def test_a_new_build_needs_no_restart(sqlite_service: Service):
    """Its pages name new files, and the old ones are gone."""
    dist: Path = sqlite_service.settings.frontend_folder
    assert (await sqlite_service.client.get("/assets/index-AbCdEf12.js")).status_code == 200

    (dist / "assets/index-AbCdEf12.js").rename(dist / "assets/index-GhIjKl34.js")

    assert (await sqlite_service.client.get("/assets/index-GhIjKl34.js")).status_code == 200
    assert (await sqlite_service.client.get("/assets/index-AbCdEf12.js")).status_code == 404
    write_frontend(dist.parent)
    assert (await sqlite_service.client.get("/assets/index-AbCdEf12.js")).status_code == 200
