"""The engine that pages load answers as CPython does: the same bytes, for every lesson.

It runs in Node here, from the files that a page loads, so a module that the archives lack is found
too.
"""

import gzip
import hashlib
import json
import lzma
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from backend.in_page.computing import page_engine
from backend.site_contents.kept import FILE
from sim_engine.challenges import list_challenges
from sim_engine.scenario_reader.reader import list_shipped
from tests.backend.conftest import LOSS, SCENARIO

MOST_BYTES = 5_000_000
"""Of everything that a page downloads before a reader can act, from a host that compresses
nothing."""
DESCRIBED = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2"
WRONG = "scenario: 1\nid: x\nbrokers: [1, 1]\nsteps: [{crash: {broker: 9}}, {no: 1}]"


@pytest.fixture(scope="module")
def folder(repository: Path) -> Path:
    """The folder of the engine's files, built."""
    subprocess.run([repository / "scripts/ensure-frontend", "build"], check=True)
    built = repository / "frontend/dist/engine"
    (named,) = built.glob("engine-*.json")
    return built / str(json.loads(named.read_text())["folder"])


def requests() -> list[tuple[str, str, str]]:
    """Everything of which the response is the same each time."""
    lessons = [f"/scenarios/{lesson.id}/run" for lesson in list_shipped()]
    drafts = [
        {"scenario_text": text, "after": 2} for text in (json.dumps(LOSS), json.dumps(SCENARIO))
    ]
    return [
        *(("GET", address, "") for address in lessons),
        *(("POST", "/drafts", json.dumps(draft)) for draft in drafts),
        ("POST", "/drafts", json.dumps({"scenario_text": WRONG})),
        ("POST", "/drafts", json.dumps({"scenario_text": "{{"})),
        ("POST", "/imports", json.dumps({"files": [{"name": "x", "text": DESCRIBED}]})),
        ("POST", "/imports", json.dumps({"files": [{"name": "x", "text": "?"}]})),
        ("POST", "/sessions", json.dumps({"scenario_id": "no-such"})),
        ("POST", "/assessments/report", json.dumps({"files": [{"name": "x", "text": DESCRIBED}]})),
        ("POST", "/assessments/words", json.dumps({"scenario": LOSS})),
        *(
            ("GET", f"/search?lang=zh&q={quote(words)}", "")
            for words in ("acks=1", "hihg watermark", "消费者读不到", "zzzqqq", "?kind=term")
        ),
        ("GET", "/search?q=x&kind=none", ""),
        ("GET", "/scenarios/kip-101-data-loss/runs/2.8/choices", ""),
        ("GET", "/scenarios/kip-101-data-loss/runs/4.1/words", ""),
        ("GET", "/scenarios/kip-101-data-loss/runs/0.10.2/comparisons/0.11", ""),
        *(
            ("POST", f"/challenges/{challenge.id}/tries", json.dumps({"moves": []}))
            for challenge in list_challenges()
        ),
    ]


def test_a_page_answers_with_the_same_bytes(folder: Path, tmp_path: Path):
    asked = requests()
    lock = folder.parents[2] / "node_modules/pyodide/pyodide-lock.json"
    info = json.dumps(json.loads(lock.read_text())["info"])

    for file in folder.glob("*.bin"):
        (tmp_path / file.stem).write_bytes(lzma.decompress(file.read_bytes()))
    shutil.copy(folder / "pyodide.mjs", tmp_path)
    searched = gzip.decompress((folder.parents[1] / FILE).read_bytes())
    (tmp_path / "search.json").write_bytes(searched)

    ran = subprocess.run(
        ["node", str(Path(__file__).with_name("engine_in_node.mjs")), str(tmp_path), info],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )

    assert ran.returncode == 0, ran.stderr[-2000:]
    engine = page_engine()
    engine.open_search(searched.decode())
    differing = []
    for question, (status, digest) in zip(asked, json.loads(ran.stdout), strict=True):
        answer = engine.answer(*question)
        body = answer.body.replace("Unprocessable Content", "Unprocessable Entity")
        if (answer.status, hashlib.sha256(body.encode()).hexdigest()) != (status, digest):
            differing.append((question[:2], status, answer.status))
    assert differing == []


def test_its_download_is_small(folder: Path):
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}

    assert sum(sizes.values()) - sizes["computing.zip.bin"] < MOST_BYTES
