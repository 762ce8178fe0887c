"""Clients that public generators make from the OpenAPI document, used against a running service."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service_process import Server

PYTHON_USE = """\
import sys
from highwater_client import Client
from highwater_client.api.files import lesson_picture
from highwater_client.api.scenarios import read_lesson_run
from highwater_client.api.sessions import create_session, take_step
from highwater_client.models import (
    ActionCreate, ActionCreateStep, Problem, SessionCreate, SessionCreated
)

with Client(base_url=sys.argv[1]) as client:
    created = create_session.sync(client=client, body=SessionCreate(scenario_id="two-rounds"))
    assert isinstance(created, SessionCreated), created
    step = ActionCreateStep.from_dict({"crash": {"broker": 2}})
    done = take_step.sync_detailed(
        created.id, client=client, body=ActionCreate(after=created.head, step=step)
    )
    assert done.status_code in (200, 201), done
    assert done.parsed.head == created.head + 1, done.parsed
    wrong = create_session.sync(client=client, body=SessionCreate(scenario_id="no-such-lesson"))
    assert isinstance(wrong, Problem) and wrong.status == 422, wrong
    run = read_lesson_run.sync("kip-101-data-loss", "3.9", client=client)
    assert run.frames, run
    picture = lesson_picture.sync("kip-101-data-loss", client=client)
    assert picture[:4] == b"<svg", picture
"""

TYPESCRIPT_USE = """\
import createClient from "openapi-fetch";
import type { paths } from "./schema";

declare const process: { argv: string[] };
const client = createClient<paths>({ baseUrl: process.argv[2]! });

const created = await client.POST("/api/v1/sessions", { body: { scenario_id: "two-rounds" } });
if (created.data === undefined) throw new Error(JSON.stringify(created.error));
const { id, head } = created.data;
const done = await client.POST("/api/v1/sessions/{id}/actions", {
  params: { path: { id } },
  body: { after: head, step: { crash: { broker: 2 } } },
});
const added: number = (done.data?.head ?? 0) - head;
const wrong = await client.POST("/api/v1/sessions", { body: { scenario_id: "no-such-lesson" } });
const code: string | undefined = wrong.error?.code;
const found = await client.GET("/api/v1/search", { params: { query: { q: "unclean", limit: 3 } } });
const picture = await client.GET("/lessons/{scenario_id}.svg", {
  params: { path: { scenario_id: "kip-101-data-loss" }, query: { step: 2 } },
  parseAs: "text",
});
console.log(
  JSON.stringify([added, code, found.data?.hits.length, picture.data?.slice(0, 4)]),
);
"""
TSCONFIG = {
    "compilerOptions": {
        "strict": True,
        "noUncheckedIndexedAccess": True,
        "module": "esnext",
        "moduleResolution": "bundler",
        "target": "es2022",
        "lib": ["es2022", "dom", "dom.iterable"],
        "types": [],
    },
    "files": ["use.ts"],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.fixture(scope="module")
def document(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the service says about itself, as a file for generators."""
    file = tmp_path_factory.mktemp("document") / "openapi.json"
    with urllib.request.urlopen(f"{server.address}/api/v1/openapi.json") as answer:
        file.write_bytes(answer.read())
    return file


def ran(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_a_python_client_is_generated_whole_and_works(
    server: Server, document: Path, repository: Path, tmp_path: Path
):
    guide = (repository / "docs" / "how-to" / "generate-a-client.md").read_text("utf-8")
    (tmp_path / "config.yaml").write_text(guide.partition("```yaml part\n")[2].partition("```")[0])
    generator = str(Path(sys.executable).parent / "openapi-python-client")

    done = ran(
        generator, "generate", "--path", str(document), "--config", "config.yaml",
        "--output-path", "client", cwd=tmp_path,
    )  # fmt: skip

    assert "Warning" not in done.stdout + done.stderr, done.stdout + done.stderr
    (tmp_path / "client" / "use.py").write_text(PYTHON_USE)
    ran(sys.executable, "use.py", server.address, cwd=tmp_path / "client")


def test_a_typescript_client_is_type_checked_and_works(
    server: Server, document: Path, repository: Path, tmp_path: Path
):
    packages = repository / "frontend" / "node_modules"
    (tmp_path / "node_modules").symlink_to(packages)
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    (tmp_path / "tsconfig.json").write_text(json.dumps(TSCONFIG))
    (tmp_path / "use.ts").write_text(TYPESCRIPT_USE)
    tools = packages / ".bin"

    ran(
        str(tools / "openapi-typescript"), str(document), "-o", "schema.d.ts",
        "--default-non-nullable", "false", cwd=tmp_path,
    )  # fmt: skip
    ran(str(tools / "tsc"), cwd=tmp_path)
    used = ran("node", "use.js", server.address, cwd=tmp_path)

    assert json.loads(used.stdout) == [1, "invalid", 3, "<svg"]
