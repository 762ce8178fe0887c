"""The JSON output of the service's commands."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from backend import cli
from tests.backend.conftest import LOSS, Service


async def test_each_command_prints_json_on_request(
    sqlite_service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    sid = await sqlite_service.shared(2, scenario=LOSS)
    copy = str(tmp_path / "copy.db")

    async def said(*arguments: str) -> Any:
        given = [*arguments, "--json", "--database", sqlite_service.settings.database_url]
        assert await asyncio.to_thread(cli.run, given) == 0
        return json.loads(capsys.readouterr().out)

    hidden = {"sid": sid, "shown": False, "erased": False, "reason": "spam"}
    assert await said("migrate", "--to", "1.1_assessments") == {"schema": "current"}
    assert await said("migrate") == {"schema": "current"}
    assert await said("verify") == {"shares": 1, "damaged": []}
    assert await said("takedown", sid, "--reason", "spam") == hidden
    assert (await said("takedown", sid, "--undo"))["shown"]
    assert await said("purge", "--dry-run") == {
        "sessions": 0,
        "idempotency_keys": 0,
        "presentations": 0,
        "deleted": False,
    }
    assert await said("backup", copy) == {"file": copy, "bytes": Path(copy).stat().st_size}
