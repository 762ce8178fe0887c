"""kill -9 before and after every statement and at every commit: acknowledged data is stored."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.backend.conftest import API, SCENARIO, StartService
from tests.backend.frontend import write_frontend
from tests.backend.killed_at_every_call import key_of


@pytest.mark.slow
async def test_a_process_that_is_killed_at_any_call_loses_nothing_it_answered(
    new_database_url: Callable[[], str],
    start_service: StartService,
    tmp_path: Path,
    repository: Path,
):
    url = await asyncio.to_thread(new_database_url)
    done = await asyncio.to_thread(
        subprocess.run,
        [
            sys.executable, "tests/backend/killed_at_every_call.py", url,
            *map(str, write_frontend(tmp_path / "frontend")), json.dumps(SCENARIO),
        ],
        cwd=repository, env={**os.environ, "PYTHONPATH": str(repository)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers: dict[int, dict[str, Any]] = {}
    for line in done.stdout.splitlines():
        said = json.loads(line)
        answers.setdefault(said["at"], {})[said["what"]] = said["answer"]
    # Each response was the last one of some process, so kills happened between all of them.
    lasts = {list(found)[-1] for found in answers.values()}
    assert lasts == {"session", "act 0", "act 1", "share", "end"} | ({"fork"} & lasts)

    async with start_service(url) as service:
        for at, found in answers.items():
            session = found["session"]["id"]
            frames = (await service.read(f"sessions/{session}"))["frames"]
            acted = [answer for what, answer in found.items() if what.startswith("act")]
            made = sum(len(answer["frames"]) for answer in acted)
            assert frames >= 1 + made, at
            # A client without a response retries, and nothing is stored twice.
            again = await service.act(session, 0, {"crash": {"broker": 2}})
            assert again.status_code == (200 if frames > 1 else 201), at
            shared = await service.ask_to_share(session, 1, key_of(at))
            if "share" in found:
                assert shared.status_code == 200, at
                for name in ("sid", "digest", "delete_token"):
                    assert shared.json()[name] == found["share"][name], at
            assert shared.status_code in (200, 201), at
            read = await service.client.get(f"{API}/shares/{shared.json()['sid']}")
            assert read.json()["digest"] == shared.json()["digest"]
            if "fork" in found:
                forked = found["fork"]["id"]
                assert (await service.client.get(f"{API}/sessions/{forked}")).status_code == 200
        assert (await service.new_session(scenario=SCENARIO))["frames"] == 1
